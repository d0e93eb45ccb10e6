"""The values of formulas with dice: numbers, dice and rolls that are still to be added up, distributions.

In: a value, and the Scope, which counts the work. Out: the distribution of the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from refgen.notation.formula_tree import Pool
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.dice.combine import MEMORY, roll_pool
from refgen.resolver.dice.cost import check_constant
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.formula.scope import Scope


@dataclass(frozen=True, slots=True)
class RepeatedRolls:
    """A roll made ``number`` times, each time by itself: of repeat(6, 3d6), six rolls of 3d6.

    count() asks each of the rolls; to everything else they are their sum.
    """

    number: int
    rolled: Pool | Distribution


Value = Rational | Pool | RepeatedRolls | Distribution
"""The value of a formula: a number, dice or rolls that are still to be added up, or a distribution."""


def as_roll(value: Value, scope: Scope) -> Distribution:
    """A roll; a number is a roll with one outcome."""
    if isinstance(value, Distribution):
        return value
    if isinstance(value, Pool):
        scope.work.roll_pool(value)
        return roll_pool(value)
    if isinstance(value, RepeatedRolls):
        return _sum_of_repeated(value, scope)
    return Distribution.certain(check_constant(value))


def _sum_of_repeated(rolls: RepeatedRolls, scope: Scope) -> Distribution:
    if isinstance(rolls.rolled, Pool):
        return as_roll(Pool(rolls.number * rolls.rolled.count, rolls.rolled.sides), scope)
    return sum_of_rolls([rolls.rolled] * rolls.number, scope)


def sum_of_rolls(rolls: Sequence[Distribution], scope: Scope) -> Distribution:
    """The sum of some independent rolls."""
    total, *rest = rolls
    for rolled in rest:
        scope.work.sum_rolls(total, rolled)
        total = _plus(total, rolled)
    return total


_plus = lru_cache(MEMORY)(Distribution.plus)
