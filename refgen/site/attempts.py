"""The data of attempts: of actions whose roll or target a difficulty changes, or whose target is not the difficulty.

In: an Action, and the trait that acts. Out: for each difficulty, and for each modifier that does more than add, the
rolled degree, and the margin by which it succeeds. The script of the odds adds, takes away, and looks chances up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypedDict

from refgen.resolver.action import Action, Attempt, Degree
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.formula.axis import AxisEntry

NumberOfRoll = Callable[[Distribution], int]
"""Gives each roll its number in the list of rolls."""


class DegreeData(TypedDict):
    """The roll of a trait: the number of the roll in the list of rolls, and the number added."""

    roll: int
    added: int


class AttemptData(TypedDict):
    """A rolled degree, and the margin: 0 or more is a success. Each +1 of a modifier adds the ``steps`` to both."""

    degree: DegreeData
    margin: DegreeData
    steps: tuple[int, int]


class AttemptRules(TypedDict):
    """The questions that an action with attempts answers, and the numbers that the sides of a contest compare.

    With ``changes`` the difficulty changes a roll, and so both rolls of a contest; with ``needed`` there is no roll
    without a difficulty; with ``margins`` the sides of a contest compare their margins.
    """

    changes: bool
    needed: bool
    margins: bool


def attempt_rules(action: Action) -> AttemptRules | None:
    """The rules of an action with attempts; None for an action that must reach the difficulty, or 0."""
    if action.target is None and not action.uses_difficulty:
        return None
    return AttemptRules(
        changes=action.uses_difficulty, needed=action.cannot_do_without_difficulty, margins=action.compares_margins
    )


def attempts_of(
    action: Action, trait: AxisEntry, modifiers: Sequence[int], number: NumberOfRoll
) -> dict[str, dict[str, AttemptData]]:
    """The attempts of a trait, by the name of the difficulty ("" for none) and by the modifier.

    Where modifiers are only added, the attempt without a modifier stands alone.
    """
    return {
        difficulty.shown.text if difficulty else "": _by_modifier(
            {modifier: action.attempt(trait, difficulty, modifier) for modifier in modifiers}, number
        )
        for difficulty in _difficulties(action)
    }


def _difficulties(action: Action) -> Iterator[AxisEntry | None]:
    if not action.cannot_do_without_difficulty:
        yield None
    if action.difficulty is not None:
        yield from action.difficulty.entries


def _by_modifier(attempts: Mapping[int, Attempt], number: NumberOfRoll) -> dict[str, AttemptData]:
    degree_step = added_step({modifier: attempt.degree for modifier, attempt in attempts.items()})
    margin_step = added_step({modifier: attempt.margin for modifier, attempt in attempts.items()})
    if degree_step is None or margin_step is None:
        return {str(modifier): _data(attempt, number, (0, 0)) for modifier, attempt in attempts.items()}
    return {"0": _data(attempts[0], number, (degree_step, margin_step))}


def added_step(degrees: Mapping[int, Degree]) -> int | None:
    """The number that each +1 of a modifier adds; None where a modifier does more than add."""
    plain, one = degrees[0], degrees.get(1, degrees[0])
    step = one.added - plain.added
    is_added = all(
        degree.rolled == plain.rolled and degree.added == plain.added + step * modifier
        for modifier, degree in degrees.items()
    )
    return step if is_added else None


def _data(attempt: Attempt, number: NumberOfRoll, steps: tuple[int, int]) -> AttemptData:
    degree, margin = (
        DegreeData(roll=number(part.rolled), added=part.added) for part in (attempt.degree, attempt.margin)
    )
    return AttemptData(degree=degree, margin=margin, steps=steps)
