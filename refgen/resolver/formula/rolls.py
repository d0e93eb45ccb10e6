"""Operations on rolls in formulas: sums, comparisons, and any other function outcome by outcome.

In: numbers and Rolls, and the Scope, which says how far open-ended rolls are followed and counts the work. Out: a Roll.
The same rolls give the same result object: each step is remembered, and tables ask for the same dice over and over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product as all_of
from math import ceil, lcm, prod
from typing import Any

from refgen.notation.formula_tree import Pool
from refgen.resolver.dice import combine
from refgen.resolver.dice.arithmetic import COMPARISONS, Rational, in_range
from refgen.resolver.dice.arithmetic import product as multiplied
from refgen.resolver.dice.combine import repeated
from refgen.resolver.dice.cost import MAX_REROLLS, check_constant
from refgen.resolver.dice.roll import DEFAULT_REACH, NOWHERE, Roll
from refgen.resolver.dice.series import Series, common_period
from refgen.resolver.formula.scope import Scope

MEMORY = 512
"""How many results of each step are remembered."""

MAX_TRIES = 3
"""How often a roll is followed farther because something was taken from it that moves its limits nearer."""

Value = Rational | Pool | Roll
"""What a formula comes to: a number, dice that are still to be rolled, or a roll."""


def as_roll(value: Value, scope: Scope) -> Roll:
    """A roll; a number is a roll with one outcome."""
    if isinstance(value, Roll):
        return value
    if isinstance(value, Pool):
        scope.work.roll_pool(value)
        return roll_pool(value)
    return Roll.certain(check_constant(value))


@lru_cache(MEMORY)
def roll_pool(pool: Pool) -> Roll:
    """The sum of a pool of dice."""
    return repeated(one_die(pool), pool.count)


def one_die(pool: Pool) -> Roll:
    """A single die of a pool."""
    faces = tuple(range(pool.lowest_face, pool.highest_face + 1))
    return Roll(faces, (1,) * len(faces))


def reach_to(*numbers: Rational) -> int:
    """How far a roll is followed that is asked about some numbers."""
    return max([DEFAULT_REACH, *(abs(ceil(number)) + 1 for number in numbers)])


def followed(evaluate: Callable[[Scope], Value], scope: Scope) -> Roll:
    """A roll, its open-ended parts followed until it is exact as far as the scope reaches, if they can."""
    rolled, reach = as_roll(evaluate(scope), scope), scope.reach
    for _ in range(MAX_TRIES):
        missing = _missing(rolled, scope.reach)
        if missing <= 0 or rolled.is_nowhere_exact:
            break
        reach = 4 * reach + int(missing)
        rolled = as_roll(evaluate(scope.reaching(reach)), scope)
    return rolled


def _missing(rolled: Roll, reach: int) -> Rational:
    """How many outcomes lie between where a roll stops being exact and the farthest that will be asked about."""
    above = 0 if rolled.exact_high is None else reach - rolled.exact_high
    below = 0 if rolled.exact_low is None else reach + rolled.exact_low
    return max(above, below)


def sum_of_rolls(rolls: Sequence[Roll], scope: Scope) -> Roll:
    """The sum of some independent rolls."""
    total, *rest = rolls
    for rolled in rest:
        scope.work.sum_rolls(total, rolled)
        total = _plus(total, rolled)
    return total


def signed_sum(signed: Sequence[tuple[int, Callable[[Scope], Value]]], scope: Scope) -> Roll:
    """The sum of some independent rolls, each with its sign.

    A difference of endless rolls is exact when both are followed until their chances repeat.
    """
    rolls = _signed(signed, scope)
    rising = [rolled.rising for rolled in rolls if rolled.rising]
    falling = [rolled.falling for rolled in rolls if rolled.falling]
    if rising and falling:
        rolls = _signed(signed, scope.reaching(scope.reach + _until_both_repeat(rising[0], falling[0])))
    return sum_of_rolls(rolls, scope)


def _signed(signed: Sequence[tuple[int, Callable[[Scope], Value]]], scope: Scope) -> Sequence[Roll]:
    rolls = ((sign, as_roll(part(scope), scope)) for sign, part in signed)
    return [rolled if sign > 0 else rolled.negated() for sign, rolled in rolls]


def _until_both_repeat(rising: Series, falling: Series) -> int:
    """How much farther two endless rolls must be followed than their difference; 0 when that would be too far."""
    farther = common_period(rising, falling) + max(rising.start, falling.start, 0)
    return farther if farther <= MAX_REROLLS else 0


_plus = lru_cache(MEMORY)(Roll.plus)


def product(left: Value, right: Value, scope: Scope) -> Roll:
    """The product of two independent values."""
    one, two = as_roll(left, scope), as_roll(right, scope)
    if not (one.is_whole and two.is_whole):
        return each_outcome(multiplied, [one, two], scope)
    scope.work.multiply_rolls(one, two)
    return _product(one, two)


_product = lru_cache(MEMORY)(combine.product)


def extreme_roll(name: str, rolls: Sequence[Roll], scope: Scope) -> Roll:
    """The highest or the lowest of some rolls: "max" or "min"."""
    first, *others = rolls
    for other in others:
        scope.work.compare_rolls(first, other)
        first = _higher(first, other) if name == "max" else _lower(first, other)
    return first


_higher = lru_cache(MEMORY)(combine.higher)
_lower = lru_cache(MEMORY)(combine.lower)


def compared(sign: str, margin: Roll) -> Roll:
    """1 where a roll compares so with 0, else 0."""
    compare = COMPARISONS[sign]
    met = sum([weight for outcome, weight in margin.items() if compare(outcome, 0)])
    return _answer(met, margin, (0, 1))


def compared_range(rolled: Roll, low: Rational | None, high: Rational | None) -> Roll:
    """1 where a roll lies in a range, else 0."""
    met = sum([weight for outcome, weight in rolled.items() if in_range(outcome, low, high)])
    return _answer(met, rolled, [end for end in (low, None if high is None else high + 1) if end is not None])


def _answer(met: int, asked: Roll, ends: Sequence[Rational]) -> Roll:
    """The answer to a question about some outcomes of a roll: a roll of 1 for true and 0."""
    weights = {0: asked.denominator - met, 1: met}
    if all(map(asked.is_exact, ends)):
        return Roll.of(weights)
    return Roll.of(weights, asked.residue, *NOWHERE)


def chosen(test: Roll, then: Callable[[Scope], Value], otherwise: Callable[[Scope], Value], scope: Scope) -> Roll:
    """The mixture of two branches: each branch with the chance that the test leads to it."""
    never = test.weight(0)
    sides = [
        (weight, as_roll(side(scope), scope))
        for weight, side in ((test.denominator - never, then), (never, otherwise))
        if weight
    ]
    common = lcm(*[rolled.denominator for _, rolled in sides])
    weights: defaultdict[Any, int] = defaultdict(int)
    for share, rolled in sides:
        factor = share * (common // rolled.denominator)
        for outcome, weight in rolled.items():
            weights[outcome] += factor * weight
    residue = 1 - prod([1 - rolled.residue for rolled in (test, *(side for _, side in sides))], start=Fraction(1))
    return Roll.of(weights, residue, *(NOWHERE if residue else ()))


def each_outcome(function: Callable[..., Rational], values: Sequence[Value], scope: Scope) -> Roll:
    """A function of numbers, of every combination of outcomes of some independent rolls."""
    rolls = tuple([as_roll(value, scope) for value in values])
    scope.work.go_through(rolls)
    return _each_outcome(function, rolls)


@lru_cache(MEMORY)
def _each_outcome(function: Callable[..., Rational], rolls: tuple[Roll, ...]) -> Roll:
    weights: defaultdict[Any, int] = defaultdict(int)
    for pairs in all_of(*(rolled.items() for rolled in rolls)):
        weights[function(*[outcome for outcome, _ in pairs])] += prod([weight for _, weight in pairs])
    residue = 1 - prod((1 - rolled.residue for rolled in rolls), start=Fraction(1))
    return Roll.of(weights, residue, *(NOWHERE if residue else ()))
