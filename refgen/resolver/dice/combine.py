"""Distributions made of distributions: the higher of two rolls, products, dice that are rolled again, look-ups.

In: one or two independent Distributions, or a table. Out: a Distribution whose limits say where its chances are exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from itertools import product as combinations
from math import prod
from operator import mul
from typing import Any

from refgen.errors import ResolverError
from refgen.notation.formula_tree import Pool
from refgen.resolver.dice.arithmetic import COMPARISONS, Rational, in_range
from refgen.resolver.dice.convolution import GeometricTail, convolution_power
from refgen.resolver.dice.cost import check_pairs, rerolls_to
from refgen.resolver.dice.distribution import NOWHERE, Distribution, either_open

MEMORY = 512
"""How many results of each step are remembered: the same rolls give the same result object."""


@lru_cache(MEMORY)
def higher_roll(left: Distribution, right: Distribution) -> Distribution:
    """The higher of two rolls: it is at most n when both are."""
    outcomes = sorted({*left.outcomes, *right.outcomes})
    at_most = map(mul, _weights_at_most(left, outcomes), _weights_at_most(right, outcomes))
    weights = {outcome: to - before for outcome, (before, to) in zip(outcomes, pairwise([0, *at_most]), strict=True)}
    high = min((end for end in (left.exact_high, right.exact_high) if end is not None), default=None)
    return _limit_outcomes(weights, either_open(left, right), _limit_below(left, right), high)


@lru_cache(MEMORY)
def lower_roll(left: Distribution, right: Distribution) -> Distribution:
    """The lower of two rolls."""
    return higher_roll(left.negated(), right.negated()).negated()


def _weights_at_most(rolled: Distribution, outcomes: Sequence[int]) -> Sequence[int]:
    """The weight of each of some rising outcomes and all lower ones; all outcomes of the roll are among them."""
    known = dict(zip(rolled.outcomes, accumulate(rolled.weights), strict=True))
    reached = 0
    return [reached := known.get(outcome, reached) for outcome in outcomes]


def _limit_below(left: Distribution, right: Distribution) -> int | None:
    """A falling tail does not show through when the other roll never falls into it."""
    limits = [
        rolled.exact_low
        for rolled, other in ((left, right), (right, left))
        if rolled.exact_low is not None and (other.exact_low is not None or other.outcomes[0] < rolled.exact_low)
    ]
    return max(limits, default=None)


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
    return Distribution.of(weights, either_open(left, right), *NOWHERE)


def _counts_before(bounded: Distribution, rising: Distribution) -> bool:
    """Whether all outcomes of one roll are less than where the other becomes inexact."""
    high = rising.exact_high if rising.exact_low is None else None
    return not bounded.is_open and high is not None and bounded.outcomes[-1] <= high


@lru_cache(MEMORY)
def product(left: Distribution, right: Distribution) -> Distribution:
    """The product of two rolls. Raises ResolverError when both are very wide."""
    check_pairs(left, right)
    weights: defaultdict[int, int] = defaultdict(int)
    for outcome, weight in left.items():
        for other, factor in right.items():
            weights[outcome * other] += weight * factor
    if not (left.is_open or right.is_open):
        return Distribution.of(weights)
    keep_sign = all(
        (rolled.exact_low is None or rolled.exact_low <= 0) and (rolled.exact_high is None or rolled.exact_high >= 0)
        for rolled in (left, right)
    )
    limits = _product_limits(left, right) if keep_sign else NOWHERE
    return _limit_outcomes(weights, either_open(left, right), *limits)


def _limit_outcomes(weights: Mapping[int, int], residue: Fraction, low: int | None, high: int | None) -> Distribution:
    """A roll that leaves something out only when it is inexact somewhere."""
    return Distribution.of(weights, residue if low is not None or high is not None else Fraction(0), low, high)


def _product_limits(left: Distribution, right: Distribution) -> tuple[int | None, int | None]:
    """The product of a tail is at least as far from 0 as the tail begins, times the smallest factor on that side."""
    above: list[int] = []
    below: list[int] = []
    for rolled, other in ((left, right), (right, left)):
        for tail, sign in ((rolled.exact_high, 1), (rolled.exact_low, -1)):
            if tail is None:
                continue
            for factor in _nearest_to_zero(other):
                (above if factor * sign > 0 else below).append((tail + sign) * factor)
    return max(below) + 1 if below else None, min(above) - 1 if above else None


def _nearest_to_zero(rolled: Distribution) -> Sequence[int]:
    """The smallest positive and the largest negative outcome; of a tail, where it begins."""
    ends = [end for end in (rolled.exact_low, rolled.exact_high) if end is not None]
    outcomes = [*(outcome for outcome in rolled.outcomes if rolled.is_exact(outcome))]
    outcomes += [end + (1 if end == rolled.exact_high else -1) for end in ends]
    positive = [outcome for outcome in outcomes if outcome > 0]
    negative = [outcome for outcome in outcomes if outcome < 0]
    return [*([min(positive)] if positive else []), *([max(negative)] if negative else [])]


def half_away(whole: Distribution) -> Distribution:
    """Half of the outcome, rounded away from zero."""
    low = None if whole.exact_low is None else _half_outcome(whole.exact_low - 1) + 1
    high = None if whole.exact_high is None else _half_outcome(whole.exact_high + 1) - 1
    return Distribution.of(map_outcomes(whole, _half_outcome), whole.residue, low, high)


def _half_outcome(outcome: int) -> int:
    return (outcome + 1) // 2 if outcome >= 0 else -((1 - outcome) // 2)


def map_outcomes(rolled: Distribution, result: Callable[[int], int]) -> Mapping[int, int]:
    """The weights of the results to which a function takes the outcomes of a roll."""
    weights: defaultdict[int, int] = defaultdict(int)
    for outcome, weight in rolled.items():
        weights[result(outcome)] += weight
    return weights


def compare_with_zero(sign: str, margin: Distribution) -> Distribution:
    """1 where a roll compares so with 0, else 0."""
    compare = COMPARISONS[sign]
    return _test_outcomes(margin, lambda outcome: compare(outcome, 0), (0, 1))


def compared_range(rolled: Distribution, low: Rational | None, high: Rational | None) -> Distribution:
    """1 where a roll lies in a range, else 0."""
    ends = [end for end in (low, None if high is None else high + 1) if end is not None]
    return _test_outcomes(rolled, lambda outcome: bool(in_range(outcome, low, high)), ends)


def _test_outcomes(rolled: Distribution, test: Callable[[Any], bool], ends: Sequence[Rational]) -> Distribution:
    """1 where an outcome meets a test, else 0; exact where the chances of ``ends`` are."""
    met = sum([weight for outcome, weight in rolled.items() if test(outcome)])
    weights = {0: rolled.denominator - met, 1: met}
    if all(map(rolled.is_exact, ends)):
        return Distribution.of(weights)
    return Distribution.of(weights, rolled.residue, *NOWHERE)


@lru_cache(MEMORY)
def each_outcome(function: Callable[..., Rational], rolls: tuple[Distribution, ...]) -> Distribution:
    """A function of numbers, of every combination of outcomes of some independent rolls."""
    weights: defaultdict[Any, int] = defaultdict(int)
    for pairs in combinations(*(rolled.items() for rolled in rolls)):
        weights[function(*[outcome for outcome, _ in pairs])] += prod([weight for _, weight in pairs])
    residue = 1 - prod((1 - rolled.residue for rolled in rolls), start=Fraction(1))
    return Distribution.of(weights, residue, *(NOWHERE if residue else ()))


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


@lru_cache(MEMORY)
def explode(first: Distribution, reach: int) -> Distribution:
    """Whenever the highest outcome shows, roll again and add."""
    lowest, top = first.outcomes[0], first.outcomes[-1]
    if top <= 0 or lowest == top:
        raise ResolverError("only dice with a positive highest and another outcome can explode")
    rerolls = rerolls_to(len(first.outcomes), reach - min(lowest, 0), top)
    weights = _followed_weights(first, top, rerolls, counts_below_zero=True)
    last = top * (rerolls + 1)
    again = first.exactly(top)
    rising = GeometricTail(first.outcomes[-2] - top + 1, top, again)
    return Distribution.of(weights, again ** (rerolls + 1), None, last + min(lowest, 0) - 1, rising)


@lru_cache(MEMORY)
def exploding_from(first: Distribution, least: int, reach: int) -> Distribution:
    """Whenever an outcome of ``least`` or more shows, roll again and add."""
    lowest, top = first.outcomes[0], first.outcomes[-1]
    if not max(lowest, 0) < least <= top:
        raise ResolverError(f"explode() needs dice that come to {least} or more, and also to less")
    if least > first.outcomes[-2]:
        return explode(first, reach)
    rerolls = rerolls_to(len(first.outcomes), reach - min(lowest, 0), least)
    whole, ends = (
        first.denominator,
        Distribution.of({outcome: weight for outcome, weight in first.items() if outcome < least}),
    )
    again = Distribution.of({outcome: weight for outcome, weight in first.items() if outcome >= least})
    weights: defaultdict[int, int] = defaultdict(int)
    reached = Distribution((0,), (1,))
    for number in range(rerolls + 1):
        scale = whole ** (rerolls - number)
        for outcome, weight in reached.plus(ends).items():
            weights[outcome] += weight * scale
        reached = reached.plus(again)
    for outcome, weight in reached.items():
        weights[outcome] += weight
    residue = Fraction(reached.denominator, whole ** (rerolls + 1))
    return Distribution.of(weights, residue, None, least * (rerolls + 1) + min(lowest, 0) - 1)


@lru_cache(MEMORY)
def opening(first: Distribution, reach: int) -> Distribution:
    """On the highest or lowest outcome roll again; the next roll is added only when its sign is the same."""
    top, bottom = first.outcomes[-1], first.outcomes[0]
    if not bottom < 0 < top:
        raise ResolverError("open() needs dice with outcomes on both sides of zero, such as 4dF")
    rerolls = max(rerolls_to(len(first.outcomes), reach, end) for end in (top, -bottom))
    upward = _followed_weights(first, top, rerolls, counts_below_zero=False)
    downward = _followed_weights(first.negated(), -bottom, rerolls, counts_below_zero=False)
    weights = {outcome: weight for outcome, weight in upward.items() if outcome > bottom}
    for outcome, weight in downward.items():
        if outcome >= -bottom:
            weights[-outcome] = weights.get(-outcome, 0) + weight
    above, below = first.exactly(top), first.exactly(bottom)
    return Distribution.of(
        weights,
        above ** (rerolls + 1) + below ** (rerolls + 1),
        bottom * (rerolls + 1) + 1,
        top * (rerolls + 1) - 1,
        GeometricTail(1, top, above),
        GeometricTail(1, -bottom, below),
    )


def _followed_weights(first: Distribution, top: int, rerolls: int, counts_below_zero: bool) -> dict[int, int]:
    """The weights of a roll that goes on while ``top`` shows, out of the denominator to the power of re-rolls + 1.

    What still goes on after the last re-roll stands at the sum it has then.
    """
    whole, again = first.denominator, first.weight(top)
    others = [(outcome, weight) for outcome, weight in first.items() if outcome != top]
    added = others if counts_below_zero else [(max(outcome, 0), weight) for outcome, weight in others]
    weights: defaultdict[int, int] = defaultdict(int)
    for number in range(rerolls + 1):
        reached = again**number * whole ** (rerolls - number)
        for outcome, weight in added if number else others:
            weights[top * number + outcome] += reached * weight
    weights[top * (rerolls + 1)] += again ** (rerolls + 1)
    return weights


def with_snake_eyes(first: Distribution, worst: int | None = None) -> Distribution:
    """When the lowest outcome shows, roll again: the lowest once more is a fumble, the ``worst`` result there is.

    Without ``worst`` a fumble is one below the lowest outcome; it is never better than that outcome.
    """
    lowest = first.outcomes[0]
    if first.exact_low is not None:
        raise ResolverError("snake() needs a roll with a lowest outcome")
    fumble = lowest - 1 if worst is None else min(worst, lowest)
    twice = first.weight(lowest) ** 2
    weights = {outcome: weight * first.denominator for outcome, weight in first.items()}
    weights[lowest] -= twice
    weights[fumble] = weights.get(fumble, 0) + twice
    rising = first.rising and first.rising.shifted(max(0, lowest + 1 - first.rising.start))
    return Distribution.of(weights, first.residue, None, first.exact_high, rising)


def exclude_outcomes(first: Distribution, outcomes: Iterable[int]) -> Distribution:
    """Roll until none of the given outcomes shows."""
    faces = _known_exactly(first, outcomes, "without")
    weights = {outcome: weight for outcome, weight in first.items() if outcome not in faces}
    if not weights:
        raise ResolverError("without() leaves no outcome of the roll")
    residue = first.residue * Fraction(first.denominator, sum(weights.values()))
    return Distribution.of(weights, residue, first.exact_low, first.exact_high, *_ends_beyond(first, faces))


def _known_exactly(first: Distribution, outcomes: Iterable[int], name: str) -> set[int]:
    faces = set(outcomes)
    if unknown := sorted(face for face in faces if not first.is_exact(face)):
        raise ResolverError(f"{name}(): the chance of {unknown[0]} is not known exactly")
    return faces


def reroll(first: Distribution, outcomes: Iterable[int]) -> Distribution:
    """When one of the given outcomes shows, roll once more and keep the second roll."""
    faces = _known_exactly(first, outcomes, "reroll")
    again = sum(first.weight(face) for face in faces)
    weights = {
        outcome: weight * (again + (0 if outcome in faces else first.denominator)) for outcome, weight in first.items()
    }
    residue = first.residue * (1 + Fraction(again, first.denominator))
    return Distribution.of(weights, residue, first.exact_low, first.exact_high, *_ends_beyond(first, faces))


def _ends_beyond(first: Distribution, faces: Iterable[int]) -> Iterator[GeometricTail | None]:
    """How the tails of a roll go on beyond some outcomes."""
    for end in (first.rising, first.falling):
        yield end and end.shifted(max([0, *(abs(face) + 1 - end.start for face in faces)]))
