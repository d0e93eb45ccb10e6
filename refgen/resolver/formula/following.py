"""How far open-ended rolls are followed: until a question about them is answered exactly, if it can be.

In: a formula made ready, as a function from a Scope to a roll, and the numbers that will be asked about. Out: the roll,
whose limits say which chances are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil

from refgen.errors import ResolverError
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.dice.distribution import DEFAULT_REACH, Distribution
from refgen.resolver.formula.rolled import Value, as_roll
from refgen.resolver.formula.scope import FAR_BEYOND_PRINT, Scope

TRIES = 3
"""How often a roll is followed for twice as many re-rolls so that its mean becomes known."""


def reach_to(*numbers: Rational) -> int:
    """How far a roll is followed that is asked about some numbers."""
    return max([DEFAULT_REACH, *(abs(ceil(number)) + 1 for number in numbers)])


def follow_roll(evaluate: Callable[[Scope], Value], scope: Scope, *goals: Rational) -> Distribution:
    """A roll, with open-ended parts followed until the chances of some numbers are exact, if they can be.

    Without ``goals``, the numbers as far from zero as the scope reaches.
    """
    asked = goals or (scope.reach, -scope.reach)
    scope = scope.reaching(max(abs(ceil(goal)) for goal in asked))
    return _until(lambda rolled: _answers(rolled, asked, scope), evaluate, scope)


def follow_for_chance(evaluate: Callable[[Scope], Value], scope: Scope, *goals: Rational) -> Distribution:
    """A roll, followed until the chances of some numbers are exact, or leave out nothing that is printed."""
    return follow_roll(evaluate, replace(scope, negligible=FAR_BEYOND_PRINT), *goals)


def follow_for_mean(evaluate: Callable[[Scope], Value], scope: Scope) -> Distribution:
    """A roll, followed until its mean is known, or leaves out nothing that is printed."""
    return _until(lambda rolled: rolled.moments or rolled.residue <= FAR_BEYOND_PRINT, evaluate, scope)


def follow_wholly(evaluate: Callable[[Scope], Value], scope: Scope) -> Distribution:
    """A roll of which all outcomes are shown: followed until hardly any roll goes on, and its mean is known.

    Where that takes much work, or cannot be, the roll says what it leaves out.
    """
    settled: list[Distribution] = []

    def is_enough(rolled: Distribution) -> bool:
        is_answered = _answers(rolled, (scope.reach, -scope.reach), scope)
        if is_answered and rolled.residue <= scope.negligible:
            settled.append(rolled)
        if scope.work.is_light:
            return bool(settled and rolled.moments) or len(settled) > TRIES
        return is_answered or scope.reach <= DEFAULT_REACH

    rolled = _until(is_enough, evaluate, scope)
    return rolled if rolled.moments or not settled else settled[0]


def _answers(rolled: Distribution, goals: Sequence[Rational], scope: Scope) -> bool:
    """Whether the chances of some numbers are exact, or will not be, and hardly any roll goes on."""
    return all(map(rolled.is_exact, goals)) or (rolled.stays_inexact and rolled.residue <= scope.negligible)


def _until(
    is_enough: Callable[[Distribution], object], evaluate: Callable[[Scope], Value], scope: Scope
) -> Distribution:
    """The roll, followed for twice as many re-rolls each time; until that is enough, is too much, or gains nothing."""
    rolled = as_roll(evaluate(scope), scope)
    while not is_enough(rolled):
        scope = scope.going_on()
        try:
            farther = as_roll(evaluate(scope), scope)
        except ResolverError:  # too much work, or numbers that are too large
            break
        if farther.tail_ends == rolled.tail_ends and farther.residue >= rolled.residue:
            break
        rolled = farther
    return rolled


def follow_as_far(values: Sequence[Callable[[Scope], Value]], scope: Scope) -> Sequence[Distribution]:
    """Rolls that are compared with each other: each open-ended roll is followed as far as the bounded rolls go."""
    rolls = [as_roll(value(scope), scope) for value in values]
    ends = [end for rolled in rolls if not rolled.is_open for end in rolled.ends]
    return [
        rolled if not ends or all(map(rolled.is_exact, ends)) else follow_roll(value, scope, *ends)
        for rolled, value in zip(rolls, values, strict=True)
    ]
