"""What is written in a field, read as what the field is for.

In: a leaf of a sheet's shape, and what a file has there. Out: a word, an exact number, a yes or no; or an error that
says what may stand there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from math import isfinite

from refgen.characters.character import Written
from refgen.characters.shape import Leaf
from refgen.characters.sheet.model import FieldKind
from refgen.errors import AidError, NotationError
from refgen.notation.number import read_number
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
