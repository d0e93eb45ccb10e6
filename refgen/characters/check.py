"""What a file says of a character, against the shape of its sheet.

In: plain data, as TOML and JSON give it, and where each value stands. Out: a Character, and every error there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from refgen.characters.character import Character, Written
from refgen.characters.form import Form
from refgen.characters.places import Path
from refgen.characters.shape import Leaf, Listing, Record, Shape
from refgen.characters.values import read_value
from refgen.errors import AidError, RefgenError
from refgen.span import Span
from refgen.suggestion import did_you_mean

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
    """Each value by its key, or what is wrong with it."""
    match shape:
        case Leaf():
            yield _leaf(shape, data, path, place)
        case Record():
            yield from _record(shape, data, path, place)
        case Listing():
            yield from _listing(shape, data, path, place)


def _leaf(leaf: Leaf, data: Any, path: Path, place: PlaceOf) -> _Found:
    key = key_of(path)
    try:
        return key, read_value(leaf, data), None
    except AidError as error:
        return key, None, AidError(f"{key}: {error.message}", span=place(path), hint=error.hint)


def _record(record: Record, data: Any, path: Path, place: PlaceOf) -> Iterator[_Found]:
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


def _listing(listing: Listing, data: Any, path: Path, place: PlaceOf) -> Iterator[_Found]:
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
