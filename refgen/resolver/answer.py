"""The answer to "what are the odds of these dice?", as text with bars or as data.

In: a dice expression, perhaps another to roll against, perhaps a number to reach. Out: an Answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any

from refgen.notation.rounding import percent
from refgen.resolver.dice import DEFAULT_REACH, roll
from refgen.resolver.roll import Roll

SCHEMA = "refgen/odds/1"
BAR_WIDTH = 40
FULL_TEXT_OUTCOMES = 80
PLACES = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """A distribution and what was asked of it."""

    dice: str
    against: str | None
    at_least: int | None
    rolled: Roll


def answer(dice: str, against: str | None = None, at_least: int | None = None) -> Answer:
    """Work the odds out. Raises NotationError and ResolverError."""
    reach = max(DEFAULT_REACH, abs(at_least or 0))
    rolled = roll(dice, reach)
    if against is not None:
        rolled = rolled.less(roll(against, reach))
    return Answer(dice, against, at_least, rolled)


def as_json(answered: Answer) -> dict[str, Any]:
    """The answer as plain data; exact chances are texts "p/q"."""
    rolled = answered.rolled
    outcomes = rolled.outcomes if answered.at_least is None else (answered.at_least,)
    chances = ((outcome, rolled.exactly(outcome)) for outcome in outcomes)
    data: dict[str, Any] = {"schema": SCHEMA, "dice": answered.dice, "against": answered.against}
    data["pmf"] = [
        {"outcome": outcome, "exact": str(chance), "percent": float(chance * 100)} for outcome, chance in chances
    ]
    data["at_least"] = [
        {"n": outcome, "exact": str(chance), "percent": float(chance * 100)}
        for outcome in outcomes
        for chance in [rolled.at_least(outcome)]
    ]
    return data | {
        "mean": str(rolled.mean),
        "sd": sqrt(rolled.variance),
        "residue": str(rolled.residue),
    }


def as_text(answered: Answer) -> Iterator[str]:
    """The answer in lines: each outcome with a bar, its chance, and the chance of at least that."""
    rolled = answered.rolled
    title = answered.dice if answered.against is None else f"{answered.dice} against {answered.against}"
    if answered.at_least is not None:
        chance = rolled.at_least(answered.at_least)
        yield f"{title}: {answered.at_least} or more  {percent(chance, PLACES)}  ({chance})"
        return
    yield f"{title}: mean {float(rolled.mean):.2f}, standard deviation {sqrt(rolled.variance):.2f}"
    shown, left_out = _shown(rolled)
    longest = max(rolled.exactly(outcome) for outcome in shown)
    yield f"{'roll':>6} {'exactly':>9} {'at least':>9}"
    for outcome in shown:
        chance = rolled.exactly(outcome)
        bar = "█" * round(BAR_WIDTH * chance / longest)
        reached = percent(rolled.at_least(outcome), PLACES)
        yield f"{outcome:>6} {percent(chance, PLACES):>9} {reached:>9}  {bar}".rstrip()
    if left_out:
        yield f"({left_out} rarer outcomes at the ends are not shown; --format json has all)"
    if rolled.residue:
        yield f"Open-ended: followed until only {float(rolled.residue):.1e} of the rolls go on."


def _shown(rolled: Roll) -> tuple[list[int], int]:
    """The outcomes worth a line: all when they are few, else without those that round to nothing."""
    outcomes = list(rolled.outcomes)
    if len(outcomes) > FULL_TEXT_OUTCOMES or rolled.residue:
        outcomes = [outcome for outcome in outcomes if not percent(rolled.exactly(outcome), PLACES).startswith("<")]
    shown = outcomes or list(rolled.outcomes)
    return shown, len(rolled.outcomes) - len(shown)
