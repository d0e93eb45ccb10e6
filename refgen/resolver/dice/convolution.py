"""Products of polynomials, exact: the weights of a sum of rolls, and of a difference of two rolls without end.

In: weights (0 or more) of outcomes without gaps; of an endless roll also the GeometricTail of the weights.
Out: the weights of the sum or difference. A polynomial is written as one large integer with a slot of bytes for
each weight (Kronecker substitution), because Python multiplies two large integers much faster than many small ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from refgen.resolver.dice.arithmetic import Rational, simplify

if TYPE_CHECKING:
    from refgen.resolver.dice.distribution import Distribution


def convolve(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Σ left[i] · right[n - i] for each n from 0 on; neither may be empty."""
    whole, other = sum(left), sum(right)
    slot = _slot(max(whole * other, whole, other))
    return _unpack(_pack(left, slot) * _pack(right, slot), slot, len(left) + len(right) - 1)


def convolution_power(weights: Sequence[int], exponent: int) -> list[int]:
    """The convolution of ``exponent`` equal factors, at least one."""
    slot = _slot(sum(weights) ** exponent)
    return _unpack(_pack(weights, slot) ** exponent, slot, (len(weights) - 1) * exponent + 1)


def _slot(largest: int) -> int:
    """How many bytes hold any weight of a product and its factors: none is larger than the largest of their sums."""
    return largest.bit_length() // 8 + 1


def _pack(weights: Sequence[int], slot: int) -> int:
    return int.from_bytes(b"".join([weight.to_bytes(slot, "little") for weight in weights]), "little")


def _unpack(packed: int, slot: int, length: int) -> list[int]:
    slots = packed.to_bytes(slot * length, "little")
    return [int.from_bytes(slots[start : start + slot], "little") for start in range(0, len(slots), slot)]


@dataclass(frozen=True, slots=True)
class GeometricTail:
    """From the outcome ``start`` on, the chance of an outcome ``period`` higher is ``ratio`` times as large.

    Of a roll without a lowest outcome it describes the roll with its sign changed. Start and period are whole numbers
    for a roll that comes to whole numbers.
    """

    start: Any
    period: Any
    ratio: Fraction

    @property
    def is_whole(self) -> bool:
        """Whether start and period are whole numbers."""
        return isinstance(self.start, int) and isinstance(self.period, int)

    def shifted(self, by: Rational) -> GeometricTail:
        """A copy of the series that starts later."""
        return GeometricTail(simplify(self.start + by), self.period, self.ratio)

    def beyond(self, outcome: Rational) -> GeometricTail:
        """The series as far as it lies beyond an outcome."""
        return self if self.start > outcome else GeometricTail(outcome + 1, self.period, self.ratio)

    def scaled(self, factor: Rational) -> GeometricTail:
        """The series of the outcomes times a number above 0."""
        return GeometricTail(simplify(self.start * factor), simplify(self.period * factor), self.ratio)

    def through(self, function: Callable[[Any], Rational], period: int, rise: int) -> GeometricTail:
        """The series of a rising function, which rises by ``rise`` whenever a number above 0 rises by ``period``."""
        common = _common_multiple(self.period, period)
        again = self.ratio ** int(common / Fraction(self.period))
        return GeometricTail(function(max(self.start, 0)) + 1, rise * (common // period), again)

    def times(self, other: GeometricTail) -> GeometricTail:
        """The series of the chance that two rolls both come so far."""
        period = _common_multiple(self.period, other.period)
        times, others = (int(period / Fraction(tail.period)) for tail in (self, other))
        return GeometricTail(max(self.start, other.start), period, self.ratio**times * other.ratio**others)


def _common_multiple(one: Rational, other: Rational) -> Rational:
    (above, below), (other_above, other_below) = one.as_integer_ratio(), other.as_integer_ratio()
    return simplify(Fraction(lcm(above * other_below, other_above * below), below * other_below))


EndlessDifference = tuple[Mapping[int, int], int, int, GeometricTail, GeometricTail]
"""The difference of endless rolls: weights (exact between two outcomes), the rest one step beyond, and both tails."""


def common_period(left: GeometricTail, right: GeometricTail) -> int:
    """How many outcomes two series of whole numbers need until both repeat."""
    return int(_common_multiple(left.period, right.period))


def difference(left: Distribution, right: Distribution) -> EndlessDifference | None:
    """Left minus right, rolled independently, both without a highest outcome; None when not followed far enough.

    P(d) = Σ P(left = d + k) · P(right = k) over all k. Once both repeat, each block of ``period`` products is the one
    before times r, and the rest of the sum is a geometric series: block / (1 - r).
    """
    one, two, ends = left.rising, right.rising, (left.exact_high, right.exact_high)
    if one is None or two is None or ends[0] is None or ends[1] is None or not (one.is_whole and two.is_whole):
        return None
    period, one_high, two_high = common_period(one, two), int(ends[0]), int(ends[1])
    low, high = one.start - two_high + period - 1, one_high - two.start - period + 1
    rising, falling = one.shifted(-right.outcomes[0]), two.shifted(-left.outcomes[0])
    if one_high - period + 1 < one.start or two_high - period + 1 < two.start:
        return None
    if high - rising.period + 1 < rising.start or -low - falling.period + 1 < falling.start:
        return None
    ratio = one.times(two).ratio
    of_left, of_right = dict(left.items()), dict(right.items())
    sums = _sums(
        [of_left.get(n, 0) for n in range(right.outcomes[0] + low, one_high + 1)],
        [of_right.get(k, 0) for k in range(two_high, right.outcomes[0] - 1, -1)],
        period,
        ratio,
    )
    weights = dict(zip(range(low, high + 1), sums, strict=False))
    whole = left.denominator * right.denominator * (ratio.denominator - ratio.numerator)
    return _with_tails(weights, low, high, rising, whole), low, high, rising, falling


def _sums(left: Sequence[int], right: Sequence[int], period: int, ratio: Fraction) -> Sequence[int]:
    """The sums of products up to the end of the shorter roll, plus the geometric series of the blocks beyond.

    All sums are times (1 - ratio), over the denominator of the ratio, so that they are whole numbers.
    """
    share, whole = ratio.denominator, ratio.denominator - ratio.numerator
    last_of_left, last_of_right = left[-period:], right[:period]
    blocks = convolve(left, last_of_right)[: len(left)] + convolve(last_of_left, right)[len(last_of_left) :]
    sums = [total * whole + block * (share - whole) for total, block in zip(convolve(left, right), blocks, strict=True)]
    return sums[len(right) - 1 :]


def _with_tails(
    weights: Mapping[int, int], low: int, high: int, rising: GeometricTail, whole: int
) -> Mapping[int, int]:
    """The weights with both tails: the upper tail is a geometric series, the lower tail has all remaining weight."""
    top, bottom = rising.ratio.numerator, rising.ratio.denominator - rising.ratio.numerator
    above = sum(weights[n] for n in range(high - rising.period + 1, high + 1)) * top
    scaled = {n: weight * bottom for n, weight in weights.items() if weight}
    return {low - 1: whole * bottom - above - sum(scaled.values()), **scaled, high + 1: above}
