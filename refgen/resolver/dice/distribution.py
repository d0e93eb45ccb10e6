"""The exact distribution of a roll, and its chances, mean and variance.

In: outcomes and their weights. Out: chances as Fractions. An open-ended roll has no last outcome: the roll is followed
until further re-rolls cannot matter for the question, and ``residue`` is the chance that the roll still went on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import ceil, floor, inf, prod
from operator import mul
from typing import Any

from refgen.errors import ResolverError
from refgen.limits import limits
from refgen.resolver.dice.arithmetic import Rational, shorten_number, simplify, square_root
from refgen.resolver.dice.convolution import GeometricTail, convolve, difference
from refgen.resolver.dice.cost import WIDEST_GAPS, Work, check_pairs
from refgen.resolver.dice.interval_arithmetic import ANYWHERE, Bounds, End, tails_of
from refgen.resolver.dice.moments import Moments, MomentsOf, listed_moments, moments_by_tails, of_negated, of_sum

DEFAULT_REACH = 40
"""The distance from zero to which open-ended rolls are followed unless a question asks about farther outcomes."""


@dataclass(frozen=True)
class Distribution:
    """A distribution over numbers, whole ones as a rule: ``outcomes`` from lowest to highest, and the weight of each.

    ``exact_low`` and ``exact_high`` are the outcomes between which every chance is exact (None: no limit, the roll has
    a last outcome there). Outcomes beyond a limit are a tail: the chance of the whole tail is exact, but it stands at a
    few outcomes next to the limit. When ``exact_low`` is more than ``exact_high``, no chance is exact. Of a roll that
    comes to broken numbers, the limits themselves lie in the tails.

    ``residue`` is the chance of rolls that were still open when they were no longer followed: no chance is farther
    from the truth than that. ``rising`` and ``falling`` say how the chances go on in a tail, when that is known.
    ``moments_of`` says how mean and variance follow from other rolls; without it they follow from the tails.
    ``stays_inexact``: the limits stay where they are, however far the dice are followed.
    ``added`` is the number that was added to its dice last.
    """

    outcomes: tuple[Any, ...]
    weights: tuple[int, ...]
    residue: Fraction = Fraction(0)
    exact_low: Rational | None = None
    exact_high: Rational | None = None
    rising: GeometricTail | None = None
    falling: GeometricTail | None = None
    moments_of: MomentsOf | None = None
    stays_inexact: bool = False
    added: int = field(default=0, compare=False)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.outcomes, self.weights, self.exact_low, self.exact_high))

    @classmethod
    def certain(cls, number: Rational) -> Distribution:
        """The roll that always comes to one number."""
        return cls((number,), (1,))

    @classmethod
    def of(
        cls,
        weights: Mapping[Any, int],
        residue: Fraction = Fraction(0),
        exact_low: Rational | None = None,
        exact_high: Rational | None = None,
        rising: GeometricTail | None = None,
        falling: GeometricTail | None = None,
        moments_of: MomentsOf | None = None,
    ) -> Distribution:
        """A roll with these weights, in any order; outcomes without weight are left out."""
        return cls(*_in_order(weights), residue, exact_low, exact_high, rising, falling, moments_of)

    def with_tails(self, tails: Bounds, residue: Fraction, **others: Any) -> Distribution:
        """The outcomes with a tail below up to a number, and one above from a number on; an infinity for none.

        Where the tails meet, no chance is exact. A roll without tails leaves nothing out. ``others``: more attributes.
        """
        falls, rises = tails
        if falls == -inf and rises == inf:
            return self
        low, high = NOWHERE if falls >= rises else self._limits(falls, rises)
        return Distribution(self.outcomes, self.weights, residue, low, high, **others)

    def _limits(self, falls: End, rises: End) -> tuple[Rational | None, Rational | None]:
        """The outcomes next to tails; of broken numbers, where the tails begin."""
        low = None if falls == -inf else ceil(falls) + 1 if self.is_whole else falls
        return low, None if rises == inf else floor(rises) - 1 if self.is_whole else rises

    def with_tails_of(
        self, rolls: Sequence[Distribution], bounds: Callable[..., Bounds], **others: Any
    ) -> Distribution:
        """The roll as a function of independent rolls; ``bounds`` tells where it lands from the bounds of each."""
        ends = [rolled.tails for rolled in rolls], [rolled.bounds for rolled in rolls]
        tails, stays = tails_of(bounds, *ends, self.ends)
        return self.with_tails(tails, either_open(*rolls), stays_inexact=stays, **others)

    def items(self) -> Iterator[tuple[Any, int]]:
        """Each outcome with its weight."""
        return zip(self.outcomes, self.weights, strict=True)

    @property
    def without_gaps(self) -> Sequence[int]:
        """The weight of every number from the lowest outcome to the highest, 0 for those that are no outcomes."""
        numbers = range(self.outcomes[0], self.outcomes[-1] + 1)
        if len(numbers) == len(self.outcomes):
            return self.weights
        weights = dict(self.items())
        return [weights.get(number, 0) for number in numbers]

    @property
    def ends(self) -> tuple[Rational, Rational]:
        """The lowest and the highest outcome that are listed."""
        return self.outcomes[0], self.outcomes[-1]

    @cached_property
    def is_whole(self) -> bool:
        """Whether all outcomes are whole numbers."""
        return all(type(outcome) is int for outcome in self.outcomes)

    @cached_property
    def bits(self) -> int:
        """How long its weights are at most."""
        return self.denominator.bit_length()

    @cached_property
    def denominator(self) -> int:
        """The sum of all weights."""
        return self._weights_at_least[0]

    @cached_property
    def _weights_at_least(self) -> Sequence[int]:
        """The weight of each outcome and all higher ones, in the order of ``outcomes``, and 0 at the end."""
        from_above = accumulate(reversed(self.weights), initial=0)
        return tuple(from_above)[::-1]

    def weight_at_least(self, outcome: Rational) -> int:
        """The chance of that outcome or a higher one, as a share of ``denominator``."""
        return self._weights_at_least[bisect_left(self.outcomes, outcome)]

    def as_whole(self) -> Distribution:
        """The distribution itself. Raises ResolverError where an outcome is no whole number."""
        if not self.is_whole:
            broken = next(outcome for outcome in self.outcomes if not isinstance(outcome, int))
            hint = "Round it with floor(), ceiling() or nearest()."
            raise ResolverError(f"dice come to {shorten_number(broken)}, which is no whole number", hint=hint)
        return self

    def weight(self, outcome: Rational) -> int:
        """The chance of that outcome, as a share of ``denominator``."""
        place = bisect_left(self.outcomes, outcome)
        return self.weights[place] if self.outcomes[place : place + 1] == (outcome,) else 0

    def exactly(self, outcome: Rational) -> Fraction:
        """The chance of that outcome."""
        return Fraction(self.weight(outcome), self.denominator)

    def at_least(self, outcome: Rational) -> Fraction:
        """The chance of that outcome or a higher one."""
        return Fraction(self.weight_at_least(outcome), self.denominator)

    def less_than(self, outcome: Rational) -> Fraction:
        """The chance of a lower outcome."""
        return Fraction(self.denominator - self.weight_at_least(outcome), self.denominator)

    def between(self, low: int | None, high: int | None) -> Fraction:
        """The chance of an outcome from ``low`` to ``high``, both included; None for an open end."""
        from_low = self.weight_at_least(low) if low is not None else self.denominator
        above = self.weight_at_least(high + 1) if high is not None else 0
        return Fraction(from_low - above, self.denominator)

    def is_exact(self, outcome: Rational) -> bool:
        """Whether ``exactly`` and ``at_least`` of that outcome leave nothing out."""
        falls, rises = self.tail_ends
        return bool(falls < outcome < rises)

    @cached_property
    def tail_ends(self) -> Bounds:
        """Up to which number there is a tail below, and from which on above; infinities for none.

        Of a roll without an exact chance, tails from everywhere.
        """
        if self.is_nowhere_exact:
            return inf, -inf
        step = 1 if self.is_whole else 0
        return (
            -inf if self.exact_low is None else self.exact_low - step,
            inf if self.exact_high is None else self.exact_high + step,
        )

    @property
    def tails(self) -> Sequence[Bounds]:
        """The ranges in which the outcomes of tails lie: of a roll without an exact chance, anywhere."""
        falls, rises = self.tail_ends
        if falls >= rises:
            return (ANYWHERE,)
        return [(-inf, falls)] * (falls > -inf) + [(rises, inf)] * (rises < inf)

    @property
    def bounds(self) -> Bounds:
        """The ends between which all its outcomes lie."""
        return (
            self.outcomes[0] if self.exact_low is None else -inf,
            self.outcomes[-1] if self.exact_high is None else inf,
        )

    @property
    def is_open(self) -> bool:
        """Whether the roll has no lowest or no highest outcome."""
        return self.exact_low is not None or self.exact_high is not None

    @property
    def is_nowhere_exact(self) -> bool:
        """Whether every chance leaves something out."""
        return self.exact_low is not None and self.exact_high is not None and self.exact_low > self.exact_high

    @property
    def mean(self) -> Fraction:
        """The expected outcome; without the residue where ``moments`` are not known."""
        if not self.is_open:
            return Fraction(sum(map(mul, self.outcomes, self.weights)), self.denominator)
        return (self.moments or self.listed_moments).mean

    @property
    def variance(self) -> Fraction:
        """The expected squared distance from the mean; without the residue where ``moments`` are not known."""
        return (self.moments or self.listed_moments).variance

    @property
    def deviation(self) -> Rational:
        """The standard deviation, to 50 decimals where it is irrational."""
        return square_root(self.variance)

    @cached_property
    def listed_moments(self) -> Moments:
        """The moments of the outcomes that are listed."""
        return listed_moments(self.items(), self.denominator)

    @cached_property
    def moments(self) -> Moments | None:
        """The expected outcome and its expected square, tails and all; None where they are not known."""
        if not self.is_open:
            return self.listed_moments
        followed = self.moments_of.worked_out(self) if self.moments_of else None
        return followed or moments_by_tails(self)

    def negated(self) -> Distribution:
        """The roll with its sign changed."""
        low = None if self.exact_high is None else -self.exact_high
        high = None if self.exact_low is None else -self.exact_low
        moments = MomentsOf(of_negated, (self,)) if self.moments_of else None
        outcomes, weights = tuple(-outcome for outcome in reversed(self.outcomes)), self.weights[::-1]
        ends = self.residue, low, high, self.falling, self.rising
        return Distribution(outcomes, weights, *ends, moments, self.stays_inexact)

    def plus(self, other: Distribution) -> Distribution:
        """The sum with another roll, rolled independently. Raises ResolverError when both are very wide."""
        check_pairs(self, other)
        found = None
        if self.rising and other.falling and self.exact_low is None and other.exact_high is None:
            found = _endless_difference(self, other.negated())
        elif self.falling and other.rising and self.exact_high is None and other.exact_low is None:
            found = _endless_difference(other, self.negated())
        return found or (_plus(self, other) if self.is_open else _plus(other, self))

    def less(self, other: Distribution) -> Distribution:
        """The roll minus another, rolled independently. Raises ResolverError when both are very wide or long."""
        Work().sum_rolls(self, other)
        return self.plus(other.negated())

    def shifted(self, number: Rational) -> Distribution:
        """The roll with a number added to each outcome."""
        if not number:
            return self
        outcomes, *_ = _in_order({outcome + number: 1 for outcome in self.outcomes})
        added = number if isinstance(number, int) else 0
        moved = Distribution(outcomes, self.weights, added=self.added + added)
        return _with_tails_of_sum(moved, self, Distribution.certain(number)) if self.is_open else moved


NOWHERE = (1, 0)
"""Limits between which there is no outcome."""


def either_open(*rolls: Distribution) -> Fraction:
    """The chance that at least one of some independent rolls was still open."""
    return 1 - prod([1 - rolled.residue for rolled in rolls], start=Fraction(1))


_Weighted = tuple[tuple[Any, ...], tuple[int, ...]]
"""Outcomes from lowest to highest, and the weight of each."""


LARGEST = 10**100
"""Far beyond any outcome that a game has; the square of it is still a floating-point number."""


def _in_order(weights: Mapping[Any, int]) -> _Weighted:
    outcomes = sorted([outcome for outcome, weight in weights.items() if weight])
    if any(type(outcome) is not int for outcome in outcomes):
        outcomes = list(map(simplify, outcomes))
    if outcomes[-1] > LARGEST or outcomes[0] < -LARGEST:
        raise ResolverError("dice come to numbers of more than a hundred digits", hint="Take smaller numbers.")
    return tuple(outcomes), tuple([weights[outcome] for outcome in outcomes])


def _add_weights(left: Distribution, right: Distribution) -> _Weighted:
    """The distribution of a sum; pair by pair where a convolution is slower: with wide gaps."""
    lowest, highest = left.outcomes[0] + right.outcomes[0], left.outcomes[-1] + right.outcomes[-1]
    near = highest - lowest < WIDEST_GAPS * (len(left.outcomes) + len(right.outcomes))
    if near and left.is_whole and right.is_whole:
        weights, outcomes = convolve(left.without_gaps, right.without_gaps), range(lowest, highest + 1)
        if 0 in weights:
            return _in_order(dict(zip(outcomes, weights, strict=True)))
        return tuple(outcomes), tuple(weights)
    sums: defaultdict[int, int] = defaultdict(int)
    for outcome, weight in right.items():
        for other, other_weight in left.items():
            sums[outcome + other] += weight * other_weight
    return _in_order(sums)


def _plus(left: Distribution, right: Distribution) -> Distribution:
    """The sum of two rolls; if only one is open-ended, the left."""
    total = Distribution(*_add_weights(left, right))
    return _with_tails_of_sum(total, left, right) if left.is_open else total


def _with_tails_of_sum(total: Distribution, left: Distribution, right: Distribution) -> Distribution:
    """The sum with its tails: a series goes on as it does in the left roll if the right roll has an end."""
    lowest, highest = right.ends
    return total.with_tails_of(
        (left, right),
        lambda one, other: (one[0] + other[0], one[1] + other[1]),
        rising=left.rising.shifted(highest) if left.rising and not right.is_open else None,
        falling=left.falling.shifted(-lowest) if left.falling and not right.is_open else None,
        moments_of=MomentsOf(of_sum, (left, right)),
    )


def _endless_difference(left: Distribution, right: Distribution) -> Distribution | None:
    """Left minus right, both without a highest outcome; None when they were not followed far enough, or go too far."""
    if left.outcomes[-1] - right.outcomes[0] > limits().outcomes or not (left.is_whole and right.is_whole):
        return None
    found = difference(left, right)
    if found is None:
        return None
    weights, low, high, rising, falling = found
    residue = Fraction(weights[low - 1] + weights[high + 1], sum(weights.values()))
    return Distribution.of(weights, residue, low, high, rising, falling)
