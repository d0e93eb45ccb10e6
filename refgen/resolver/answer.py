"""The answer to "what are the odds of these dice?".

In: a dice expression, perhaps another to roll against, perhaps a number to reach. Out: an Answer, with the dice in
the one spelling of refgen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from refgen.notation.written import in_one_spelling
from refgen.resolver.dice.roll import DEFAULT_REACH, Roll
from refgen.resolver.rolls import roll as roll_dice

Rolls = Mapping[str, Callable[[int], Roll]]
"""Rolls by name, each followed as far as it is asked about."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A distribution and what was asked of it."""

    dice: str
    against: str | None
    at_least: int | None
    roll: Roll


def answer(
    dice: str,
    against: str | None = None,
    at_least: int | None = None,
    rolls: Rolls | None = None,
) -> Answer:
    """Work the odds out; ``rolls`` are those that have a name. Raises NotationError and ResolverError."""
    reach = max(DEFAULT_REACH, abs(at_least or 0))
    roll, *foe = [
        rolls[text](reach) if rolls and text in rolls else roll_dice(text, reach)
        for text in (dice, against)
        if text is not None
    ]
    if foe:
        roll = roll.less(foe[0])
    named = rolls or {}
    shown = [text if text is None or text in named else in_one_spelling(text) for text in (dice, against)]
    return Answer(shown[0] or "", shown[1], at_least, roll)
