"""Dice in the one spelling in which refgen prints them, and the two sides of "vs".

In: a text of dice, or a formula. Out: the same with each die as ``notation/modifiers.py`` spells it: "4d6 drop lowest"
and "4d6k3" are "4d6kh3", "1d6 x 10" is "1d6*10", "2d6 vs 8" is "2d6 >= 8"; all else as it was written.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from refgen.notation.formula import Token, tokens
from refgen.notation.modifiers import read_die
from refgen.notation.tree import NameReference

_VERSUS = re.compile(r"\s+(?:vs\.?|versus|against)\s+", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?\d{1,9}")


class Sides(NamedTuple):
    """The two sides of a roll: the dice, and the dice or the number against which they are rolled."""

    dice: str
    against: str | None
    at_least: int | None


def sides_of(text: str) -> Sides:
    """The two sides of "d20 vs 2d10" or "2d6+1 vs 8"; a text without "vs" is rolled against nothing."""
    dice, *others = _VERSUS.split(text, maxsplit=1)
    if not others:
        return Sides(text, None, None)
    if _NUMBER.fullmatch(others[0].strip()):
        return Sides(dice, None, int(others[0]))
    return Sides(dice, others[0], None)


def in_one_spelling(text: str) -> str:
    """A formula that can be parsed, with its dice in one spelling. Raises NotationError for dice it cannot read."""
    written, end, before = "", 0, None
    for token in tokens(text):
        start = token.column - 1
        piece = _spelled(token, before)
        gap = text[end:start]
        is_times = token.text in "xX×" and token.kind == "*"
        after_times = before is not None and before.text in "xX×" and before.kind == "*"
        written += ("" if is_times or after_times else gap) + piece
        end, before = start + len(token.text), token
    return written


def _spelled(token: Token, before: Token | None) -> str:
    if token.kind == "dice":
        counted = before is not None and before.kind == "reference" and not token.text[0].isdigit()
        return read_die(token.text, NameReference("count") if counted else None).text
    if token.kind == "vs":
        return ">="
    return "*" if token.kind == "*" else token.text
