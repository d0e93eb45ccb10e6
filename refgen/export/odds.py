"""The odds of a roll, as JSON and in lines of text.

In: a dice expression, or a roll. Out: plain data, in which exact chances are texts "p/q"; or lines: each outcome with a
bar, its chance, and the chance of at least that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Literal

from typing_extensions import TypedDict

from refgen.export.model import Deviation, Exact, Percentage, chance
from refgen.notation.dice_notation import Sides as Sides
from refgen.notation.dice_notation import sides_of as sides_of
from refgen.notation.figures import percent
from refgen.notation.formula_parser import ambiguity_notes as ambiguity_notes
from refgen.notation.printed_numbers import NotationStyle as NotationStyle
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.rolls import Rolls
from refgen.resolver.rolls import answer as answer_dice


class OutcomeChance(TypedDict):
    """The chance of one outcome."""

    outcome: int
    exact: Exact
    percent: Percentage


class ReachChance(TypedDict):
    """The chance of ``n`` or more."""

    n: int
    exact: Exact
    percent: Percentage


class DistributionData(TypedDict):
    """The chances of a roll; ``residue`` is the chance that was not followed further."""

    pmf: list[OutcomeChance]
    at_least: list[ReachChance]
    mean: Exact
    sd: Deviation
    residue: Exact


class OddsData(DistributionData):
    """The output of ``refgen odds --format json``."""

    schema: Literal["refgen/odds/1"]
    dice: str
    against: str | None


def odds_data(
    dice: str, against: str | None = None, at_least: int | None = None, rolls: Rolls | None = None
) -> OddsData:
    """The odds of dice, perhaps against others: all of them, or those of one number."""
    answer = answer_dice(dice, against, at_least, rolls)
    outcomes = None if answer.at_least is None else (answer.at_least,)
    odds = distribution(answer.roll, outcomes=outcomes)
    return OddsData(schema="refgen/odds/1", dice=answer.dice, against=answer.against, **odds)


def distribution(roll: Distribution, added: int = 0, outcomes: Sequence[int] | None = None) -> DistributionData:
    """A roll and a number added to it: all its outcomes, or the chances of some."""
    shown = [(outcome, outcome - added) for outcome in outcomes or [rolled + added for rolled in roll.outcomes]]
    return DistributionData(
        pmf=[OutcomeChance(outcome=outcome, **chance(roll.exactly(rolled))) for outcome, rolled in shown],
        at_least=[ReachChance(n=outcome, **chance(roll.at_least(rolled))) for outcome, rolled in shown],
        mean=str(roll.mean + added),
        sd=sqrt(roll.variance),
        residue=str(roll.residue),
    )


PLACES = 2
_BAR_WIDTH = 40
_ALL_OUTCOMES = 80
"""So many outcomes are all shown; of more, those that round to nothing are left out."""


def odds_lines(
    dice: str, against: str | None = None, at_least: int | None = None, rolls: Rolls | None = None
) -> Iterator[str]:
    """The odds of dice, perhaps against others: all of them, or those of one number."""
    answer = answer_dice(dice, against, at_least, rolls)
    roll = answer.roll
    title = answer.dice if answer.against is None else f"{answer.dice} against {answer.against}"
    if answer.at_least is not None:
        chance = roll.at_least(answer.at_least)
        yield f"{title}: {answer.at_least} or more  {percent(chance, PLACES)}  ({chance})"
        return
    yield f"{title}: mean {float(roll.mean):.2f}, standard deviation {sqrt(roll.variance):.2f}"
    yield from distribution_lines(roll)


def distribution_lines(roll: Distribution, added: int = 0, name: Callable[[int], str] | None = None) -> Iterator[str]:
    """A roll and a number added to it: a line for each outcome, with its name where outcomes have names."""
    shown, hidden = shown_outcomes(roll)
    likeliest = max(roll.exactly(outcome) for outcome in shown)
    names = [name(outcome + added) if name else "" for outcome in shown]
    width = max(map(len, names))
    gap = f"{'':<{width}} " if width else ""
    yield f"{'roll':>6} {gap}{'exactly':>9} {'at least':>9}"
    for outcome, label in zip(shown, names, strict=True):
        chance = roll.exactly(outcome)
        bar = "█" * round(_BAR_WIDTH * chance / likeliest)
        reached = percent(roll.at_least(outcome), PLACES)
        named = f"{label:<{width}} " if width else ""
        yield f"{outcome + added:>6} {named}{percent(chance, PLACES):>9} {reached:>9}  {bar}".rstrip()
    if hidden:
        yield f"({hidden} rarer outcomes at the ends are not shown; --format json has all)"
    if roll.residue:
        yield f"Open-ended: followed until only {float(roll.residue):.1e} of the rolls go on."


def shown_outcomes(roll: Distribution) -> tuple[list[int], int]:
    """The outcomes worth a line, and how many are not: of few outcomes all, else those that round to something."""
    outcomes = list(roll.outcomes)
    if len(outcomes) > _ALL_OUTCOMES or roll.residue:
        outcomes = [outcome for outcome in outcomes if not percent(roll.exactly(outcome), PLACES).startswith("<")]
    shown = outcomes or list(roll.outcomes)
    return shown, len(roll.outcomes) - len(shown)
