"""The data of a character checked by the shape of its sheet, and the JSON Schema of that shape.

In: plain data, as parsers of TOML and JSON return it, and the place of each value. Out: a Character and all errors; a
value becomes a word, an exact number or True, by the kind of its field. In: a Form. Out: the JSON Schema of its
characters (draft 2020-12): all TOML and JSON that ``check_character`` accepts, the schema accepts too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any

from refgen.catalog import MAX_LISTED, did_you_mean, fold_name
from refgen.characters.character import (
    Character,
    Leaf,
    ListShape,
    RecordShape,
    Shape,
    ValuePath,
    WrittenValue,
    name_fault,
)
from refgen.characters.form import Form
from refgen.characters.sheet import FieldKind
from refgen.errors import AidError, NotationError, RefgenError
from refgen.notation.number import read_number
from refgen.rules.toml import find_unprintable
from refgen.span import Span

YES = frozenset({"true", "yes", "x", "×", "1", "✓", "on"})
NO = frozenset({"false", "no", "0", "off"})

_SPREADSHEET_FORMULA = re.compile(r"=\s*[\w(+-]|@\w+\(")
"""The beginning of a formula of a spreadsheet, exported in place of the value of its cell."""

NUMBER_PATTERN = r"[-+−–]?\s*(\d[\d,.]*|\d+(\s+\d+)?/\d+)"
"""A number written as a text: a regular expression of Python, and of JSON Schema."""

LONGEST_NUMBER = 40
"""The most letters of a number that is written as a text."""


def read_value(leaf: Leaf, written: object) -> WrittenValue | None:
    """The value of a leaf; None for a blank. Raises AidError, with a hint at the values that the field takes."""
    if isinstance(written, str):
        written = written.strip()
        if not written:
            return None
        _check_text(written)
    if leaf.boxes:
        return _read_count(leaf, written)
    match leaf.field.kind:
        case FieldKind.BOX:
            return _read_tick(written)
        case FieldKind.CHOICE:
            return _read_choice(leaf, written)
        case FieldKind.NUMBER:
            return _read_number(written)
        case _:
            return _read_text(written)


def _check_text(text: str) -> None:
    """Raises AidError for a formula of a spreadsheet, and for control characters."""
    if _SPREADSHEET_FORMULA.match(text):
        raise AidError(f'"{_shorten_text(text)}" is a formula of a spreadsheet', hint="Export its value instead.")
    if character := find_unprintable(text):
        raise AidError(f"the control character U+{ord(character):04X} is no text", hint="Take it out.")


def _read_text(written: object) -> str:
    if isinstance(written, bool) or not isinstance(written, str | int | float):
        raise AidError(f"{_kind_of_value(written)} is no text", hint='Write it in quotes: "…".')
    return str(written)


def _read_number(written: object) -> int | Fraction:
    if isinstance(written, int) and not isinstance(written, bool):
        return written
    if isinstance(written, float) and isfinite(written):
        return _integer_or_fraction(Fraction(str(written)))
    found = None
    if isinstance(written, str) and len(written) <= LONGEST_NUMBER and re.fullmatch(NUMBER_PATTERN, written):
        with suppress(NotationError):
            found = read_number(written)
    if found is None:
        raise AidError(f"{_kind_of_value(written)} is no number", hint="Write a number, such as 2, -1 or 1/2.")
    return _integer_or_fraction(found.value)


def _integer_or_fraction(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number


def _read_tick(written: object) -> bool | None:
    if isinstance(written, bool):
        return written or None
    text = str(written).casefold()
    if text in YES | NO:
        return True if text in YES else None
    raise AidError(f'"{_shorten_text(str(written))}" is neither yes nor no', hint="Write true or false.")


def _read_count(leaf: Leaf, written: object) -> int | None:
    number = _read_number(written) if not isinstance(written, bool) else int(written)
    if not isinstance(number, int) or not 0 <= number <= leaf.boxes:
        hint = f"Write how many are ticked, from 0 to {leaf.boxes}."
        raise AidError(f"there are no {number} boxes to tick", hint=hint)
    return number or None


def _read_choice(leaf: Leaf, written: object) -> str:
    text = _read_text(written)
    choices = leaf.field.choices
    known = _folded_choices(choices)
    if found := known.get(fold_name(text)):
        return found
    hint, what = did_you_mean(text, choices), "level" if leaf.field.domain and leaf.field.domain.ladder else "choice"
    if hint.startswith("Did") and len(choices) <= MAX_LISTED:
        hint += f" It is one of {', '.join(choices)}."
    raise AidError(f'"{_shorten_text(text)}" is no {what} of "{leaf.title.rpartition(": ")[2]}"', hint=hint)


@lru_cache(maxsize=256)
def _folded_choices(choices: tuple[str, ...]) -> Mapping[str, str]:
    return {fold_name(choice): choice for choice in reversed(choices)}


def _shorten_text(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _kind_of_value(written: object) -> str:
    names = {bool: "yes or no", dict: "a table", list: "a list", type(None): "nothing"}
    return names.get(type(written), f'"{_shorten_text(str(written))}"')


CheckedCharacter = tuple[Character | None, list[RefgenError]]
"""A character and the errors of its data; None for data without a name."""

PlaceOf = Callable[[ValuePath], Span | None]
"""Finds the place of the value at a path; None for data that come from no file."""


def check_character(
    form: Form, data: Any, place: PlaceOf = lambda _path: None
) -> tuple[Character | None, list[RefgenError]]:
    """The character that some data describe, with the values that are right, and all errors; None without a name."""
    values: dict[str, WrittenValue] = {}
    errors: list[RefgenError] = []
    for key, written, error in _check(form.shape, data, (), place):
        if error is not None:
            errors.append(error)
        elif written is not None:
            values[key] = written
    name = values.get(form.sheet.name_key)
    if not isinstance(name, str):
        errors.append(
            AidError("a character without a name", span=place(()), hint=f"Write it under {form.sheet.name_key}.")
        )
        return None, errors
    if fault := name_fault(name):
        errors.append(AidError(fault, span=place(path_of(form.sheet.name_key)), hint="Files are named by it."))
    return Character(name, values, place(())), errors


def path_of(key: str) -> ValuePath:
    """A key as the path of its value."""
    return tuple(int(part) - 1 if part.isdigit() else part for part in key.split("."))


_Found = tuple[str, WrittenValue | None, RefgenError | None]


def _check(shape: Shape, data: Any, path: ValuePath, place: PlaceOf) -> Iterator[_Found]:
    """Each value by its key, or the error of the value."""
    match shape:
        case Leaf():
            yield _check_leaf(shape, data, path, place)
        case RecordShape():
            yield from _check_record(shape, data, path, place)
        case ListShape():
            yield from _check_list(shape, data, path, place)


def _check_leaf(leaf: Leaf, data: Any, path: ValuePath, place: PlaceOf) -> _Found:
    key = key_of(path)
    try:
        return key, read_value(leaf, data), None
    except AidError as error:
        return key, None, AidError(f"{key}: {error.message}", span=place(path), hint=error.hint)


def _check_record(record: RecordShape, data: Any, path: ValuePath, place: PlaceOf) -> Iterator[_Found]:
    if record.line and not isinstance(data, Mapping):
        data = {next(iter(record.entries)): data}
    if not isinstance(data, Mapping):
        yield _fault(path, place, f"{key_of(path) or 'a character'} holds named values", "Write a table of them.")
        return
    for name, value in data.items():
        entry = record.entries.get(str(name))
        if entry is None:
            hint = did_you_mean(str(name), record.entries)
            yield _fault((*path, name), place, f'there is no field "{key_of((*path, name))}"', hint)
        else:
            yield from _check(entry, value, (*path, name), place)


def _check_list(listing: ListShape, data: Any, path: ValuePath, place: PlaceOf) -> Iterator[_Found]:
    if not isinstance(data, list):
        yield _fault(path, place, f"{key_of(path)} is a list", "Write its items in square brackets, or each as [[…]].")
        return
    if listing.most is not None and len(data) > listing.most:
        message = f"{key_of(path)} has {listing.most} lines on the sheet, and {len(data)} are written"
        yield _fault((*path, listing.most), place, message, "Leave some out.")
    for number, value in enumerate(data[: listing.most]):
        yield from _check(listing.entry, value, (*path, number), place)


def _fault(path: ValuePath, place: PlaceOf, message: str, hint: str) -> _Found:
    return key_of(path), None, AidError(message, span=place(path), hint=hint)


def key_of(path: ValuePath) -> str:
    """A path as a key: lines count from 1."""
    return ".".join(str(part + 1 if isinstance(part, int) else part) for part in path)


def character_schema(form: Form) -> dict[str, Any]:
    """The schema of one character."""
    schema = _schema(form.shape)
    _require_value(schema, [str(part) for part in path_of(form.sheet.name_key)])
    return schema


def _require_value(schema: dict[str, Any], path: list[str]) -> None:
    """Make the value at a path required."""
    for key in path:
        schema["required"] = [key]
        schema = schema["properties"][key]
    schema["minLength"] = 1


def _schema(shape: Shape) -> dict[str, Any]:
    match shape:
        case Leaf():
            return {"title": shape.title, **_leaf_schema(shape)}
        case RecordShape():
            return _record_schema(shape)
        case ListShape():
            most: Mapping[str, Any] = {} if shape.most is None else {"maxItems": shape.most}
            return {**_title_and_note(shape), "type": "array", "items": _schema(shape.entry), **most}


def _record_schema(record: RecordShape) -> dict[str, Any]:
    """The schema of a table of named values; for a line, its first value alone is accepted too."""
    properties = {name: _schema(entry) for name, entry in record.entries.items()}
    whole = {**_title_and_note(record), "type": "object", "properties": properties, "additionalProperties": False}
    return {"anyOf": [whole, next(iter(properties.values()))]} if record.line else whole


def _title_and_note(shape: RecordShape | ListShape) -> dict[str, Any]:
    return {"title": shape.title, **({"description": shape.note} if shape.note else {})}


def _leaf_schema(leaf: Leaf) -> dict[str, Any]:
    if leaf.boxes:
        return {"type": "integer", "minimum": 0, "maximum": leaf.boxes}
    match leaf.field.kind:
        case FieldKind.BOX:
            return {"type": "boolean"}
        case FieldKind.CHOICE:
            return {"enum": [*leaf.field.choices, ""]}
        case FieldKind.NUMBER:
            return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": rf"^\s*({NUMBER_PATTERN})?\s*$"}]}
        case _:
            return {"anyOf": [{"type": "string"}, {"type": "number"}]}
