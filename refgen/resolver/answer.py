"""The answer to "what are the odds of these dice?", as text with bars or as data.

In: a dice expression, perhaps another to roll against, perhaps a number to reach. Out: an Answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from refgen.notation.rounding import percent
from refgen.resolver.dice.evaluate import DEFAULT_REACH, roll
from refgen.resolver.dice.roll import Roll

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
    outcomes = None if answered.at_least is None else (answered.at_least,)
    data: dict[str, Any] = {"schema": SCHEMA, "dice": answered.dice, "against": answered.against}
    return data | distribution_data(answered.rolled, outcomes=outcomes)


def distribution_data(rolled: Roll, added: int = 0, outcomes: Sequence[int] | None = None) -> dict[str, Any]:
    """A roll and a number added to it as plain data; all its outcomes, or the chances of some."""
    shown = [(outcome, outcome - added) for outcome in outcomes or [own + added for own in rolled.outcomes]]
    return {
        "pmf": [{"outcome": outcome, **_chance(rolled.exactly(own))} for outcome, own in shown],
        "at_least": [{"n": outcome, **_chance(rolled.at_least(own))} for outcome, own in shown],
        "mean": str(rolled.mean + added),
        "sd": sqrt(rolled.variance),
        "residue": str(rolled.residue),
    }


def _chance(chance: Fraction) -> dict[str, Any]:
    return {"exact": str(chance), "percent": float(chance * 100)}


def as_text(answered: Answer) -> Iterator[str]:
    """The answer in lines: each outcome with a bar, its chance, and the chance of at least that."""
    rolled = answered.rolled
    title = answered.dice if answered.against is None else f"{answered.dice} against {answered.against}"
    if answered.at_least is not None:
        chance = rolled.at_least(answered.at_least)
        yield f"{title}: {answered.at_least} or more  {percent(chance, PLACES)}  ({chance})"
        return
    yield f"{title}: mean {float(rolled.mean):.2f}, standard deviation {sqrt(rolled.variance):.2f}"
    yield from distribution_lines(rolled)


def distribution_lines(rolled: Roll, added: int = 0, name: Callable[[int], str] | None = None) -> Iterator[str]:
    """A roll and a number added to it: a line for each outcome, with its name where outcomes have names."""
    shown, left_out = _shown(rolled)
    longest = max(rolled.exactly(outcome) for outcome in shown)
    names = [name(outcome + added) if name else "" for outcome in shown]
    width = max(map(len, names))
    yield (
        f"{'roll':>6} {'':<{width}} {'exactly':>9} {'at least':>9}"
        if width
        else (f"{'roll':>6} {'exactly':>9} {'at least':>9}")
    )
    for outcome, named in zip(shown, names, strict=True):
        chance = rolled.exactly(outcome)
        bar = "█" * round(BAR_WIDTH * chance / longest)
        reached = percent(rolled.at_least(outcome), PLACES)
        label = f"{outcome + added:>6} {named:<{width}}" if width else f"{outcome + added:>6}"
        yield f"{label} {percent(chance, PLACES):>9} {reached:>9}  {bar}".rstrip()
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
