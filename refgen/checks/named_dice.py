"""Dice that a text names, such as the head of a column: "2d6", "Roll (d20)", "1D6 Result".

In: a text of a document. Out: the dice that it names, each once, and what they can come to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from refgen.errors import RefgenError
from refgen.notation.dice_notation import DICE_WITHOUT_BLANKS
from refgen.notation.formula_parser import parse_dice
from refgen.resolver.rolls import roll_formula

_NAMED = re.compile(rf"(?<![\w.])(?P<dice>{DICE_WITHOUT_BLANKS}(?:\s?[-+]\s?\d+\b)?)(?P<more>\s?[-+/])?(?![\w])")
"""Dice, perhaps with a number; and a sign behind them, after which a modifier stands that nobody can know."""

MOST_OUTCOMES = 1_000
"""A table with more rows is rolled on by nobody."""


def dice_in(text: str) -> Sequence[str]:
    """The dice that a text names; none where it adds to them what is no number ("d6 + Level")."""
    found: dict[str, None] = {}
    for match in _NAMED.finditer(text.replace("−", "-").replace("–", "-")):
        if match["more"]:
            return []
        if _can_be_rolled(match["dice"]):
            found[match["dice"]] = None
    return list(found)


def _can_be_rolled(dice: str) -> bool:
    try:
        return 1 < len(outcomes_of(dice)) <= MOST_OUTCOMES
    except RefgenError:
        return False


def outcomes_of(dice: str) -> Sequence[int]:
    """The outcomes of dice, from the lowest; of open-ended dice, as far as the roll is followed."""
    outcomes: Sequence[int] = roll_formula(parse_dice(dice)).outcomes
    return outcomes


def ways_of(dice: str) -> int:
    """In how many equal ways dice fall: their sides to the power of their number. 0 for dice that go on."""
    rolled = roll_formula(parse_dice(dice))
    return 0 if rolled.is_open else rolled.denominator
