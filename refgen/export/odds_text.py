"""The odds of a roll in lines of text: each outcome with a bar, its chance, and the chance of at least that.

In: a dice expression, or a roll. Out: lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt

from refgen.notation.rounding import percent
from refgen.resolver.answer import Rolls
from refgen.resolver.answer import answer as answer_dice
from refgen.resolver.dice.roll import Roll

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


def distribution_lines(roll: Roll, added: int = 0, name: Callable[[int], str] | None = None) -> Iterator[str]:
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


def shown_outcomes(roll: Roll) -> tuple[list[int], int]:
    """The outcomes worth a line, and how many are not: of few outcomes all, else those that round to something."""
    outcomes = list(roll.outcomes)
    if len(outcomes) > _ALL_OUTCOMES or roll.residue:
        outcomes = [outcome for outcome in outcomes if not percent(roll.exactly(outcome), PLACES).startswith("<")]
    shown = outcomes or list(roll.outcomes)
    return shown, len(roll.outcomes) - len(shown)
