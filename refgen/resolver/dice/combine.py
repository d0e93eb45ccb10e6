"""Distributions made of distributions: the higher of two rolls, products, dice that are rolled again, look-ups.

In: one or two independent Distributions, or a table. Out: a Distribution whose limits say where its chances are exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from itertools import product as combinations
from math import inf, prod
from operator import mul
from typing import Any

from refgen.notation.formula_tree import Pool
from refgen.resolver.dice.arithmetic import FUNCTIONS, SIGNS, Rational, in_range
from refgen.resolver.dice.convolution import GeometricTail, convolution_power
from refgen.resolver.dice.cost import check_pairs
from refgen.resolver.dice.distribution import NOWHERE, Distribution, either_open
from refgen.resolver.dice.interval_arithmetic import Bounds, End, bounds_in_range, bounds_of, bounds_of_rising
from refgen.resolver.dice.moments import Moments, MomentsOf, of_product

MEMORY = 512
"""How many results of each step are remembered: the same rolls give the same result object."""


@lru_cache(MEMORY)
def higher_roll(left: Distribution, right: Distribution) -> Distribution:
    """The higher of two rolls."""
    rolled = _higher(left, right)
    return replace(rolled, moments_of=MomentsOf(_of_higher, (left, right))) if rolled.is_open else rolled


@lru_cache(MEMORY)
def lower_roll(left: Distribution, right: Distribution) -> Distribution:
    """The lower of two rolls."""
    return higher_roll(left.negated(), right.negated()).negated()


def _higher(left: Distribution, right: Distribution) -> Distribution:
    """The higher of two rolls: it is at most n when both are."""
    outcomes = sorted({*left.outcomes, *right.outcomes})
    at_most = map(mul, _weights_at_most(left, outcomes), _weights_at_most(right, outcomes))
    weights = {outcome: to - before for outcome, (before, to) in zip(outcomes, pairwise([0, *at_most]), strict=True)}
    tails = _falling_end(left, right), min(left.tail_ends[1], right.tail_ends[1])
    rising = _rising_beyond(left, right) or _rising_beyond(right, left)
    falling = left.falling.times(right.falling) if left.falling and right.falling else None
    goes_on = {"rising": rising, "falling": falling, "stays_inexact": left.stays_inexact or right.stays_inexact}
    return Distribution.of(weights).with_tails(tails, either_open(left, right), **goes_on)


def _falling_end(left: Distribution, right: Distribution) -> End:
    """The end of the falling tail; a falling tail does not show when it lies below all of the other roll."""
    both = ((left.tail_ends, right.bounds), (right.tail_ends, left.bounds))
    return max([falls for (falls, _), (lowest, _) in both if lowest <= falls], default=-inf)


def _rising_beyond(rising: Distribution, bounded: Distribution) -> GeometricTail | None:
    """The series of a roll, where the other roll comes to no such outcome."""
    if rising.rising is None or bounded.exact_high is not None or not bounded.is_whole:
        return None
    return rising.rising.beyond(bounded.outcomes[-1])


def _of_higher(_made: Distribution, left: Distribution, right: Distribution) -> Moments | None:
    """The moments of the higher of two rolls: those of both, less those of the lower."""
    lower = _higher(left.negated(), right.negated()).negated().moments
    if left.moments is None or right.moments is None or lower is None:
        return None
    return left.moments.plus(right.moments).plus(lower, -1)


def _weights_at_most(rolled: Distribution, outcomes: Sequence[int]) -> Sequence[int]:
    """The weight of each of some rising outcomes and all lower ones; all outcomes of the roll are among them."""
    known = dict(zip(rolled.outcomes, accumulate(rolled.weights), strict=True))
    reached = 0
    return [reached := known.get(outcome, reached) for outcome in outcomes]


@lru_cache(MEMORY)
def lesser_roll(left: Distribution, right: Distribution) -> Distribution:
    """The smaller of two rolls counts: the first as rolled, the second with its sign changed, 0 when both are equal.

    A tail of either roll may show at any outcome, unless the other roll always counts before it.
    """
    weights: defaultdict[int, int] = defaultdict(int)
    for rolled, other, sign in ((left, right, 1), (right, left, -1)):
        for outcome, weight in rolled.items():
            weights[sign * outcome] += weight * other.weight_at_least(outcome + 1)
    weights[0] += left.denominator * right.denominator - sum(weights.values())
    if _counts_before(left, right) or _counts_before(right, left) or not (left.is_open or right.is_open):
        return Distribution.of(weights)
    return Distribution.of(weights).with_tails(NOWHERE, either_open(left, right), stays_inexact=True)


def _counts_before(bounded: Distribution, rising: Distribution) -> bool:
    """Whether all outcomes of ``bounded`` are less than every outcome in the upper tail of ``rising``."""
    falls, rises = rising.tail_ends
    return not bounded.is_open and falls == -inf and bounded.outcomes[-1] < rises < inf


@lru_cache(MEMORY)
def product(left: Distribution, right: Distribution) -> Distribution:
    """The product of two rolls. Raises ResolverError when both are very wide."""
    check_pairs(left, right)
    weights: defaultdict[int, int] = defaultdict(int)
    for outcome, weight in left.items():
        for other, factor in right.items():
            weights[outcome * other] += weight * factor
    rolled = Distribution.of(weights)
    if not (left.is_open or right.is_open):
        return rolled
    keep_sign = all(one.tail_ends[0] < 0 < one.tail_ends[1] for one in (left, right))
    tails = _tails_of_product(left, right) if keep_sign else NOWHERE
    known = _known_of_product(left, right) | {"stays_inexact": left.stays_inexact or right.stays_inexact}
    return rolled.with_tails(tails, either_open(left, right), **known)


def _tails_of_product(left: Distribution, right: Distribution) -> Bounds:
    """The product of a tail is at least as far from 0 as the tail begins, times the smallest factor on that side."""
    tails = [
        tail * factor
        for rolled, other in ((left, right), (right, left))
        for tail in rolled.tail_ends
        for factor in _nearest_to_zero(other)
        if abs(tail) < inf
    ]
    return max([end for end in tails if end < 0], default=-inf), min([end for end in tails if end > 0], default=inf)


def _nearest_to_zero(rolled: Distribution) -> Sequence[End]:
    """The smallest positive and the largest negative outcome; of a tail, where it begins."""
    outcomes = [*rolled.outcomes, *rolled.tail_ends]
    positive = min([outcome for outcome in outcomes if outcome > 0])
    negative = max([outcome for outcome in outcomes if outcome < 0])
    return [end for end in (positive, negative) if abs(end) < inf]


def half_away(whole: Distribution) -> Distribution:
    """Half of the outcome, rounded away from zero."""
    halved = Distribution.of(map_outcomes(whole, _half_outcome))
    return halved.with_tails_of((whole,), bounds_of_rising(_half_outcome), **_tails_through(_half_outcome, whole, 2))


def _half_outcome(outcome: int) -> int:
    return (outcome + 1) // 2 if outcome >= 0 else -((1 - outcome) // 2)


def map_outcomes(rolled: Distribution, result: Callable[[int], int]) -> Mapping[int, int]:
    """The weights of the results to which a function takes the outcomes of a roll."""
    weights: defaultdict[int, int] = defaultdict(int)
    for outcome, weight in rolled.items():
        weights[result(outcome)] += weight
    return weights


_AS_RANGE: Mapping[str, tuple[Rational | None, Rational | None, bool]] = {
    ">=": (0, None, True),
    "<=": (None, 0, True),
    ">": (None, 0, False),
    "<": (0, None, False),
    "==": (0, 0, True),
    "!=": (0, 0, False),
}
"""The comparisons with 0: the range in which, or outside which, a number must lie."""


def compare_with_zero(sign: str, margin: Distribution) -> Distribution:
    """1 where a roll compares so with 0, else 0."""
    low, high, inside = _AS_RANGE[sign]
    return compared_range(margin, low, high, inside=inside)


def compared_range(
    rolled: Distribution, low: Rational | None, high: Rational | None, *, inside: bool = True
) -> Distribution:
    """1 where a roll lies ``inside`` a range (or outside), else 0."""
    met = sum([weight for outcome, weight in rolled.items() if in_range(outcome, low, high) == inside])
    ends = [(end, end) for end in (-inf if low is None else low, inf if high is None else high)]
    tested = Distribution.of({0: rolled.denominator - met, 1: met})
    return tested.with_tails_of((rolled,), lambda number: bounds_in_range(number, *ends))


@lru_cache(MEMORY)
def each_outcome(function: Callable[..., Rational], rolls: tuple[Distribution, ...]) -> Distribution:
    """A function of numbers, of every combination of outcomes of some independent rolls."""
    weights: defaultdict[Any, int] = defaultdict(int)
    for pairs in combinations(*(rolled.items() for rolled in rolls)):
        weights[function(*[outcome for outcome, _ in pairs])] += prod([weight for _, weight in pairs])
    result = Distribution.of(weights)
    if not any(rolled.is_open for rolled in rolls):
        return result
    return result.with_tails_of(rolls, partial(bounds_of, function), **_known_beyond(function, rolls))


def _known_beyond(function: Callable[..., Rational], rolls: Sequence[Distribution]) -> Mapping[str, Any]:
    """The tails and the mean of a function of open-ended rolls, as far as the function tells."""
    if function in (FUNCTIONS["floor"], FUNCTIONS["ceiling"], FUNCTIONS["nearest"]):
        return _tails_through(function, rolls[0], 1)
    if function is SIGNS["/"] and len(rolls[1].outcomes) == 1:
        return _known_of_product(rolls[0], Distribution.certain(1 / Fraction(rolls[1].outcomes[0])))
    return _known_of_product(*rolls) if function is SIGNS["*"] else {}


def _tails_through(function: Callable[[Any], Rational], rolled: Distribution, period: int) -> Mapping[str, Any]:
    """The series of a function that rises by 1 whenever a number rises by a period."""
    tails = {"rising": (rolled.rising, function), "falling": (rolled.falling, lambda number: -function(-number))}
    return {side: tail and tail.through(work, period, 1) for side, (tail, work) in tails.items()}


def _known_of_product(left: Distribution, right: Distribution) -> dict[str, Any]:
    """The moments of a product of two rolls, and its series where one is a number."""
    known: dict[str, Any] = {"moments_of": MomentsOf(of_product, (left, right))}
    for rolled, number in ((left, right), (right, left)):
        if len(number.outcomes) == 1:
            factor = number.outcomes[0]
            tails = (rolled.rising, rolled.falling) if factor > 0 else (rolled.falling, rolled.rising)
            known["rising"], known["falling"] = (tail and tail.scaled(abs(factor)) for tail in tails)
    return known


@lru_cache(MEMORY)
def roll_pool(pool: Pool) -> Distribution:
    """The sum of a pool of dice."""
    return repeat_die(one_die(pool), pool.count)


def one_die(pool: Pool) -> Distribution:
    """A single die of a pool."""
    faces = tuple(range(pool.lowest_face, pool.highest_face + 1))
    return Distribution(faces, (1,) * len(faces))


_FEW = 40


def repeat_die(die: Distribution, count: int) -> Distribution:
    """The sum of ``count`` rolls of a die that has a lowest and a highest outcome."""
    faces = die.without_gaps
    powers = convolution_power(faces, count) if count <= _FEW else _raised_far(faces, count)
    return Distribution.of(dict(enumerate(powers, die.outcomes[0] * count)))


def _raised_far(faces: Sequence[int], count: int) -> Sequence[int]:
    """A polynomial to a high power, by J. C. P. Miller's recurrence.

    It needs outcomes x faces steps instead of outcomes squared (Knuth, The Art of Computer Programming 2, section
    4.7): for p(x)^n with p(0) ≠ 0,  c(k) = Σ ((n+1)·i − k)·a(i)·c(k−i) / (k·a(0)),  i = 1 … degree of p.
    """
    steps = [(i, weight) for i, weight in enumerate(faces) if i and weight]
    powers = [faces[0] ** count]
    for k in range(1, (len(faces) - 1) * count + 1):
        total = sum(((count + 1) * i - k) * weight * powers[k - i] for i, weight in steps if i <= k)
        powers.append(total // (k * faces[0]))
    return powers
