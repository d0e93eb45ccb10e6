"""Products of polynomials, exact: the weights of a sum of rolls, and of a difference of two rolls without end.

In: weights (0 or more) of outcomes without gaps; of an endless roll also the Series by which the weights go on.
Out: the weights of the sum or difference. A polynomial is written as one large integer with a slot of bytes for
each weight (Kronecker substitution), because Python multiplies two large integers much faster than many small ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm


def convolved(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Σ left[i] · right[n - i] for each n from 0 on; neither may be empty."""
    whole, other = sum(left), sum(right)
    slot = _slot(max(whole * other, whole, other))
    return _unpacked(_packed(left, slot) * _packed(right, slot), slot, len(left) + len(right) - 1)


def raised(weights: Sequence[int], exponent: int) -> list[int]:
    """The convolution of ``exponent`` equal factors, at least one."""
    slot = _slot(sum(weights) ** exponent)
    return _unpacked(_packed(weights, slot) ** exponent, slot, (len(weights) - 1) * exponent + 1)


def _slot(largest: int) -> int:
    """How many bytes hold any weight of a product and its factors: none is larger than the largest of their sums."""
    return largest.bit_length() // 8 + 1


def _packed(weights: Sequence[int], slot: int) -> int:
    return int.from_bytes(b"".join([weight.to_bytes(slot, "little") for weight in weights]), "little")


def _unpacked(packed: int, slot: int, length: int) -> list[int]:
    slots = packed.to_bytes(slot * length, "little")
    return [int.from_bytes(slots[start : start + slot], "little") for start in range(0, len(slots), slot)]


@dataclass(frozen=True, slots=True)
class GeometricTail:
    """From the outcome ``start`` on, the chance of an outcome ``period`` higher is ``ratio`` times as large.

    Of a roll without a lowest outcome it describes the roll with its sign changed.
    """

    start: int
    period: int
    ratio: Fraction

    def shifted(self, by: int) -> GeometricTail:
        """A copy of the series that starts later."""
        return GeometricTail(self.start + by, self.period, self.ratio)


@dataclass(frozen=True, slots=True)
class EndlessRoll:
    """A roll without a highest outcome: its weights, exact up to ``high``, sum to ``whole`` with what lies above."""

    weights: Mapping[int, int]
    whole: int
    high: int
    series: GeometricTail

    @property
    def lowest(self) -> int:
        """The lowest outcome."""
        return min(self.weights)


@dataclass(frozen=True, slots=True)
class EndlessDifference:
    """The difference of two rising rolls: exact weights from ``low`` to ``high``, the rest one step beyond."""

    weights: Mapping[int, int]
    low: int
    high: int
    rising: GeometricTail
    falling: GeometricTail


def common_period(left: GeometricTail, right: GeometricTail) -> int:
    """How many outcomes two series need until both repeat."""
    return lcm(left.period, right.period)


def difference(left: EndlessRoll, right: EndlessRoll) -> EndlessDifference | None:
    """Left minus right, rolled independently; None when they were not followed far enough.

    P(d) = Σ P(left = d + k) · P(right = k) over all k. Once both repeat, each block of ``period`` products is the one
    before times r, and the rest of the sum is a geometric series: block / (1 - r).
    """
    period = common_period(left.series, right.series)
    low = left.series.start - right.high + period - 1
    high = left.high - right.series.start - period + 1
    rising = left.series.shifted(-right.lowest)
    falling = right.series.shifted(-left.lowest)
    if left.high - period + 1 < left.series.start or right.high - period + 1 < right.series.start:
        return None
    if high - rising.period + 1 < rising.start or -low - falling.period + 1 < falling.start:
        return None
    weights = _weights(left, right, range(low, high + 1), period)
    return _with_tails(weights, low, high, rising, falling, left.whole * right.whole * _share(left, right, period)[1])


def _share(left: EndlessRoll, right: EndlessRoll, period: int) -> tuple[int, int]:
    """The factor 1 / (1 - r) as numerator and denominator; r is the ratio of successive blocks of products."""
    ratio = left.series.ratio ** (period // left.series.period) * right.series.ratio ** (period // right.series.period)
    return ratio.denominator, ratio.denominator - ratio.numerator


def _weights(left: EndlessRoll, right: EndlessRoll, differences: range, period: int) -> dict[int, int]:
    """The sums of products up to the end of the shorter roll, plus the geometric series of the blocks beyond."""
    share, whole = _share(left, right, period)
    first = right.lowest
    of_left = [left.weights.get(n, 0) for n in range(first + differences.start, left.high + 1)]
    of_right = [right.weights.get(k, 0) for k in range(right.high, first - 1, -1)]
    ends = len(of_left)
    last_of_left, last_of_right = of_left[-period:], of_right[:period]
    sums = convolved(of_left, of_right)
    blocks = convolved(of_left, last_of_right)[:ends] + convolved(last_of_left, of_right)[len(last_of_left) :]
    weights = [total * whole + block * (share - whole) for total, block in zip(sums, blocks, strict=True)]
    return dict(zip(differences, weights[len(of_right) - 1 :], strict=False))


def _with_tails(
    weights: Mapping[int, int], low: int, high: int, rising: GeometricTail, falling: GeometricTail, whole: int
) -> EndlessDifference:
    """The upper tail is a geometric series as well; the lower tail has all remaining weight."""
    top, bottom = rising.ratio.numerator, rising.ratio.denominator - rising.ratio.numerator
    above = sum(weights[n] for n in range(high - rising.period + 1, high + 1)) * top
    scaled = {n: weight * bottom for n, weight in weights.items() if weight}
    below = whole * bottom - above - sum(scaled.values())
    return EndlessDifference({low - 1: below, **scaled, high + 1: above}, low, high, rising, falling)
