"""The odds of several rolls side by side, as JSON and in lines of text.

In: dice, each perhaps against other dice or with a number to reach. Out: plain data; or lines, with a column for each
roll, in which all rolls are shown at the outcomes of any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal

from typing_extensions import TypedDict

from refgen.export.odds import (
    PLACES,
    DiceData,
    Sides,
    dice_data,
    followed_words,
    shown_outcomes,
    summary_line,
    title_of,
)
from refgen.notation.figures import percent
from refgen.resolver.rolls import DiceOdds, Rolls, odds_of_dice

SIDE_BY_SIDE = 6
"""So many rolls, at most, are shown side by side: as many as a chart has marks."""

_WIDTH = 9


class ComparedOddsData(TypedDict):
    """The output of ``refgen odds DICE DICE … --format json``."""

    schema: Literal["refgen/compared-odds/2"]
    rolls: list[DiceData]


def compared_odds_data(asked: Sequence[Sides], rolls: Rolls | None = None) -> ComparedOddsData:
    """The odds of each roll."""
    return ComparedOddsData(schema="refgen/compared-odds/2", rolls=[dice_data(sides, rolls) for sides in asked])


def compared_odds_lines(asked: Sequence[Sides], rolls: Rolls | None = None) -> Iterator[str]:
    """A line for each roll, and a table of the rolls that were asked about no number."""
    yield from (summary_line(odds_of_dice(*sides, rolls)) for sides in asked)
    whole = [sides for sides in asked if sides.at_least is sides.at_most is None]
    if whole:
        yield from _table_lines(whole, rolls)


def _table_lines(asked: Sequence[Sides], rolls: Rolls | None) -> Iterator[str]:
    """The outcomes of all rolls, each with its chance and that of the outcome or more, in two columns a roll."""
    first = [odds_of_dice(*sides, rolls).roll for sides in asked]
    outcomes = sorted({outcome for roll in first for outcome in shown_outcomes(roll)[0]})
    reach = max(abs(outcomes[0]), abs(outcomes[-1]))
    answers = [odds_of_dice(*sides, rolls, reach) for sides in asked]
    widths = [max(2 * _WIDTH + 1, len(title_of(answer))) for answer in answers]
    yield f"{'':>6}" + "".join(f"   {title_of(answer):>{width}}" for answer, width in zip(answers, widths, strict=True))
    heads = f"{'exactly':>{_WIDTH}} {'at least':>{_WIDTH}}"
    yield f"{'roll':>6}" + "".join(f"   {heads:>{width}}" for width in widths)
    for outcome in outcomes:
        figures = (f"   {_figures(answer, outcome):>{width}}" for answer, width in zip(answers, widths, strict=True))
        yield f"{outcome:>6}" + "".join(figures)
    hidden = len({outcome for roll in first for outcome in roll.outcomes}) - len(outcomes)
    if hidden:
        yield f"({hidden} rarer outcomes at the ends are not shown; --format json has all)"
    for answer in answers:
        if not (answer.roll.moments and all(map(answer.roll.is_exact, outcomes))):
            yield f"{title_of(answer)}: {followed_words(answer.roll, outcomes)}."


def _figures(answer: DiceOdds, outcome: int) -> str:
    roll = answer.roll
    left_out = Fraction(0) if roll.is_exact(outcome) else roll.residue
    exactly, reached = (_figure(chance or left_out) for chance in (roll.exactly(outcome), roll.at_least(outcome)))
    return f"{exactly:>{_WIDTH}} {reached:>{_WIDTH}}"


def _figure(chance: Fraction) -> str:
    return percent(chance, PLACES) if chance else "–"
