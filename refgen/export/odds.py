"""The odds of a roll as JSON.

In: a dice expression, or a roll. Out: plain data; exact chances are texts "p/q".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal

from typing_extensions import TypedDict

from refgen.export.model import Deviation, Exact, Percentage, chance
from refgen.notation.readings import readings as readings
from refgen.resolver.answer import Rolls
from refgen.resolver.answer import answer as answer_dice
from refgen.resolver.dice.roll import Roll


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


class Distribution(TypedDict):
    """The chances of a roll; ``residue`` is the chance that was not followed further."""

    pmf: list[OutcomeChance]
    at_least: list[ReachChance]
    mean: Exact
    sd: Deviation
    residue: Exact


class OddsData(Distribution):
    """What ``refgen odds --format json`` prints."""

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


def distribution(roll: Roll, added: int = 0, outcomes: Sequence[int] | None = None) -> Distribution:
    """A roll and a number added to it: all its outcomes, or the chances of some."""
    shown = [(outcome, outcome - added) for outcome in outcomes or [rolled + added for rolled in roll.outcomes]]
    return Distribution(
        pmf=[OutcomeChance(outcome=outcome, **chance(roll.exactly(rolled))) for outcome, rolled in shown],
        at_least=[ReachChance(n=outcome, **chance(roll.at_least(rolled))) for outcome, rolled in shown],
        mean=str(roll.mean + added),
        sd=sqrt(roll.variance),
        residue=str(roll.residue),
    )
