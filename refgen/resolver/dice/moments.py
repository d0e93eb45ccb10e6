"""The mean and the mean square of rolls without end, exact: no list of outcomes has them, but series have sums.

In: the weights of a roll and its geometric tails, or the rolls of which it is made. Out: its Moments, which give mean
and variance; None where nothing here knows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.dice.convolution import GeometricTail

if TYPE_CHECKING:
    from refgen.resolver.dice.distribution import Distribution

Weighted = tuple[Rational, int]
"""An outcome and its weight."""


@dataclass(frozen=True, slots=True)
class Moments:
    """The expected outcome of a roll, and the expected square of its outcome."""

    mean: Fraction
    square: Fraction

    @property
    def variance(self) -> Fraction:
        """The expected squared distance from the mean."""
        return self.square - self.mean**2

    def plus(self, other: Moments, times: Rational = 1) -> Moments:
        """Both moments with so many times those of another roll added: of parts that share out all outcomes."""
        return Moments(self.mean + times * other.mean, self.square + times * other.square)


def listed_moments(items: Iterable[Weighted], denominator: int) -> Moments:
    """The moments of outcomes that are listed; ``denominator`` is the weight of all outcomes of the roll."""
    first: Rational = 0
    second: Rational = 0
    for outcome, weight in items:
        part = outcome * weight
        first, second = first + part, second + outcome * part
    return Moments(Fraction(first) / denominator, Fraction(second) / denominator)


def moments_beyond(tail: GeometricTail, last: Sequence[Weighted], denominator: int) -> Moments:
    """The moments of the outcomes beyond the ``last`` ones, which are as many as the tail has in a period.

    After k periods an outcome x has become x + k · period, with the weight times r^k, where r is the ratio. Over all k
    from 1 on Σ r^k is r / (1 - r), Σ k · r^k is r / (1 - r)², and Σ k² · r^k is r · (1 + r) / (1 - r)³.
    """
    once = tail.ratio / (1 - tail.ratio)
    steps = once / (1 - tail.ratio)
    squares = steps * (1 + tail.ratio) / (1 - tail.ratio)
    period, near = tail.period, listed_moments(last, denominator)
    share = Fraction(sum(weight for _, weight in last), denominator)
    return Moments(
        once * near.mean + steps * period * share,
        once * near.square + 2 * steps * period * near.mean + squares * period**2 * share,
    )


def moments_by_tails(rolled: Distribution) -> Moments | None:
    """The moments of outcomes with exact chances, and of tails whose last period is among these outcomes."""
    exact = [(outcome, weight) for outcome, weight in rolled.items() if rolled.is_exact(outcome)]
    found = listed_moments(exact, rolled.denominator)
    falls, rises = rolled.tail_ends
    for sign, end, tail in ((1, rises, rolled.rising), (-1, -falls, rolled.falling)):
        if end == inf:
            continue
        if tail is None or end - tail.period < tail.start:
            return None
        last = [(sign * outcome, weight) for outcome, weight in exact if sign * outcome >= end - tail.period]
        beyond = moments_beyond(tail, last, rolled.denominator)
        found = found.plus(Moments(sign * beyond.mean, beyond.square))
    return found


@dataclass(frozen=True, slots=True)
class MomentsOf:
    """How the moments of a roll follow from the ``rolls`` of which it is made; worked out when somebody asks."""

    rule: Callable[..., Moments | None]
    rolls: tuple[Distribution, ...]

    def worked_out(self, made: Distribution) -> Moments | None:
        """The moments of the roll that was ``made``; None where they are not known."""
        return self.rule(made, *self.rolls)


def of_negated(_made: Distribution, rolled: Distribution) -> Moments | None:
    """The moments of a roll with its sign changed."""
    known = rolled.moments
    return known and Moments(-known.mean, known.square)


def of_sum(_made: Distribution, left: Distribution, right: Distribution) -> Moments | None:
    """The moments of a sum of two independent rolls."""
    one, two = left.moments, right.moments
    if one is None or two is None:
        return None
    return Moments(one.mean + two.mean, one.square + 2 * one.mean * two.mean + two.square)


def of_product(_made: Distribution, left: Distribution, right: Distribution) -> Moments | None:
    """The moments of a product of two independent rolls."""
    one, two = left.moments, right.moments
    if one is None or two is None:
        return None
    return Moments(one.mean * two.mean, one.square * two.square)


def of_mixture(_made: Distribution, test: Distribution, then: Distribution, otherwise: Distribution) -> Moments | None:
    """The moments of one roll where a test does not come to 0, and of another where it does."""
    never, one, two = test.exactly(0), then.moments, otherwise.moments
    if one is None or two is None:
        return None
    return Moments(Fraction(0), Fraction(0)).plus(one, 1 - never).plus(two, never)


def of_exploding(_made: Distribution, first: Distribution, least: Distribution) -> Moments | None:
    """The moments of X = first + (another X, where the first is at ``least`` so much): both sides have the same."""
    again = [(outcome, weight) for outcome, weight in first.items() if outcome >= least.outcomes[0]]
    never = 1 - first.at_least(least.outcomes[0])
    one, more = listed_moments(first.items(), first.denominator), listed_moments(again, first.denominator)
    mean = one.mean / never
    return Moments(mean, (one.square + 2 * more.mean * mean) / never)


def of_same_tails(made: Distribution, first: Distribution, scale: Distribution) -> Moments | None:
    """The moments of a roll with so many times the tails of another roll; what was listed of both is known."""
    if first.moments is None:
        return None
    unlisted = first.moments.plus(first.listed_moments, -1)
    return made.listed_moments.plus(unlisted, scale.outcomes[0])
