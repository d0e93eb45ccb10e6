"""The answer to "what are the odds of these dice?".

In: a dice expression, perhaps another to roll against, perhaps a number to reach. Out: an Answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from refgen.resolver.dice.evaluate import DEFAULT_REACH
from refgen.resolver.dice.evaluate import roll as roll_dice
from refgen.resolver.dice.roll import Roll


@dataclass(frozen=True, slots=True)
class Answer:
    """A distribution and what was asked of it."""

    dice: str
    against: str | None
    at_least: int | None
    roll: Roll


def answer(dice: str, against: str | None = None, at_least: int | None = None) -> Answer:
    """Work the odds out. Raises NotationError and ResolverError."""
    reach = max(DEFAULT_REACH, abs(at_least or 0))
    roll = roll_dice(dice, reach)
    if against is not None:
        roll = roll.less(roll_dice(against, reach))
    return Answer(dice, against, at_least, roll)
