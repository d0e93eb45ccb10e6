"""What a file says of a character, against the shape of its sheet.

In: plain data, as TOML and JSON give it, and where each value stands. Out: a Character and every error there is; each
value is read as its field has it: a word, an exact number, a yes or no.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any

from refgen.characters.character import Character, Leaf, ListShape, Path, RecordShape, Shape, Written
from refgen.characters.form import Form
from refgen.characters.sheet import FieldKind
from refgen.errors import AidError, NotationError, RefgenError
from refgen.notation.number import read_number
from refgen.span import Span
from refgen.suggestion import MAX_LISTED, did_you_mean, folded

YES = frozenset({"true", "yes", "x", "×", "1", "✓", "on"})
NO = frozenset({"false", "no", "0", "off"})

FORMULA = re.compile(r"=\s*[\w(+-]|@\w+\(")
"""How a formula of a spreadsheet begins that was exported in place of its value."""

NUMBER = r"[-+−–]?\s*(\d[\d,.]*|\d+(\s+\d+)?/\d+)"
"""How a number may be written as a text, a regular expression of JSON Schema too."""

LONGEST_NUMBER = 40
"""Letters of a number that is written as a text."""

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")


def read_value(leaf: Leaf, written: object) -> Written | None:
    """The value of a leaf; None for a blank. Raises AidError, whose hint says what may stand there."""
    if isinstance(written, str):
        written = written.strip()
        if not written:
            return None
        _check_text(written)
    if leaf.boxes:
        return _count(leaf, written)
    match leaf.field.kind:
        case FieldKind.BOX:
            return _ticked(written)
        case FieldKind.CHOICE:
            return _choice(leaf, written)
        case FieldKind.NUMBER:
            return _number(written)
        case _:
            return _text(written)


def _check_text(text: str) -> None:
    """Raises AidError for what is no text that people write."""
    if FORMULA.match(text):
        raise AidError(f'"{_short(text)}" is a formula of a spreadsheet', hint="Export its value instead.")
    if found := CONTROL.search(text):
        raise AidError(f"the control character U+{ord(found[0]):04X} is no text", hint="Take it out.")


def _text(written: object) -> str:
    if isinstance(written, bool) or not isinstance(written, str | int | float):
        raise AidError(f"{_kind(written)} is no text", hint='Write it in quotes: "…".')
    return str(written)


def _number(written: object) -> int | Fraction:
    if isinstance(written, int) and not isinstance(written, bool):
        return written
    if isinstance(written, float) and isfinite(written):
        return _whole(Fraction(str(written)))
    found = None
    if isinstance(written, str) and len(written) <= LONGEST_NUMBER and re.fullmatch(NUMBER, written):
        with suppress(NotationError):
            found = read_number(written)
    if found is None:
        raise AidError(f"{_kind(written)} is no number", hint="Write a number, such as 2, -1 or 1/2.")
    return _whole(found.value)


def _whole(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number


def _ticked(written: object) -> bool | None:
    if isinstance(written, bool):
        return written or None
    text = str(written).casefold()
    if text in YES | NO:
        return True if text in YES else None
    raise AidError(f'"{_short(str(written))}" is neither yes nor no', hint="Write true or false.")


def _count(leaf: Leaf, written: object) -> int | None:
    number = _number(written) if not isinstance(written, bool) else int(written)
    if not isinstance(number, int) or not 0 <= number <= leaf.boxes:
        hint = f"Write how many are ticked, from 0 to {leaf.boxes}."
        raise AidError(f"there are no {number} boxes to tick", hint=hint)
    return number or None


def _choice(leaf: Leaf, written: object) -> str:
    text = _text(written)
    choices = leaf.field.choices
    known = _folded(choices)
    if found := known.get(folded(text)):
        return found
    hint, what = did_you_mean(text, choices), "level" if leaf.field.domain and leaf.field.domain.ladder else "choice"
    if hint.startswith("Did") and len(choices) <= MAX_LISTED:
        hint += f" It is one of {', '.join(choices)}."
    raise AidError(f'"{_short(text)}" is no {what} of "{leaf.title.rpartition(": ")[2]}"', hint=hint)


@lru_cache(maxsize=256)
def _folded(choices: tuple[str, ...]) -> Mapping[str, str]:
    return {folded(choice): choice for choice in reversed(choices)}


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _kind(written: object) -> str:
    names = {bool: "yes or no", dict: "a table", list: "a list", type(None): "nothing"}
    return names.get(type(written), f'"{_short(str(written))}"')


PlaceOf = Callable[[Path], Span | None]
"""Where the value with a path stands; None for one of no file."""

_NO_FILE_NAME = re.compile(r"[/\\:]|^\.+|\.+$")
"""What a name cannot have, for files are named by it."""


def checked(form: Form, data: Any, place: PlaceOf = lambda _path: None) -> tuple[Character | None, list[RefgenError]]:
    """The character that some data describes, and its errors; None where it has no name to go by.

    The values that are right are kept.
    """
    values: dict[str, Written] = {}
    errors: list[RefgenError] = []
    for key, written, error in _walk(form.shape, data, (), place):
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


def name_fault(name: str) -> str:
    """What is wrong with a name that files are called by; "" for nothing."""
    if found := _NO_FILE_NAME.search(name):
        return f'the name "{name[:40]}" has "{found[0]}"{" at an end" if found[0][0] == "." else ""}'
    return "a name of more than 200 letters" if len(name) > 200 else ""


def path_of(key: str) -> Path:
    """A key as the path of its value."""
    return tuple(int(part) - 1 if part.isdigit() else part for part in key.split("."))


_Found = tuple[str, Written | None, RefgenError | None]


def _walk(shape: Shape, data: Any, path: Path, place: PlaceOf) -> Iterator[_Found]:
    """Each value by its key, or the error of the value."""
    match shape:
        case Leaf():
            yield _leaf(shape, data, path, place)
        case RecordShape():
            yield from _record(shape, data, path, place)
        case ListShape():
            yield from _listing(shape, data, path, place)


def _leaf(leaf: Leaf, data: Any, path: Path, place: PlaceOf) -> _Found:
    key = key_of(path)
    try:
        return key, read_value(leaf, data), None
    except AidError as error:
        return key, None, AidError(f"{key}: {error.message}", span=place(path), hint=error.hint)


def _record(record: RecordShape, data: Any, path: Path, place: PlaceOf) -> Iterator[_Found]:
    if record.line and not isinstance(data, Mapping):
        data = {next(iter(record.entries)): data}
    if not isinstance(data, Mapping):
        yield _wrong(path, place, f"{key_of(path) or 'a character'} holds named values", "Write a table of them.")
        return
    for name, value in data.items():
        entry = record.entries.get(str(name))
        if entry is None:
            hint = did_you_mean(str(name), record.entries)
            yield _wrong((*path, name), place, f'there is no field "{key_of((*path, name))}"', hint)
        else:
            yield from _walk(entry, value, (*path, name), place)


def _listing(listing: ListShape, data: Any, path: Path, place: PlaceOf) -> Iterator[_Found]:
    if not isinstance(data, list):
        yield _wrong(path, place, f"{key_of(path)} is a list", "Write its items in square brackets, or each as [[…]].")
        return
    if listing.most is not None and len(data) > listing.most:
        message = f"{key_of(path)} has {listing.most} lines on the sheet, and {len(data)} are written"
        yield _wrong((*path, listing.most), place, message, "Leave some out.")
    for number, value in enumerate(data[: listing.most]):
        yield from _walk(listing.entry, value, (*path, number), place)


def _wrong(path: Path, place: PlaceOf, message: str, hint: str) -> _Found:
    return key_of(path), None, AidError(message, span=place(path), hint=hint)


def key_of(path: Path) -> str:
    """A path as a key: lines count from 1."""
    return ".".join(str(part + 1 if isinstance(part, int) else part) for part in path)
