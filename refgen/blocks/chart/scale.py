"""Round numbers for the axes of charts.

In: the figures of a chart. Out: the numbers that stand beside its upright axis, and how they are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor

from refgen.blocks.typeset import typeset

_INTERVALS = 4
_STEPS = (Fraction(1), Fraction(2), Fraction(5, 2), Fraction(5), Fraction(10))


def ticks_for(figures: Sequence[Fraction], percent: bool, *, bars: bool) -> tuple[Fraction, ...]:
    """Round numbers from below the figures, or 0, to above them; lines of chances beyond a half go up to certainty."""
    low, high = min(Fraction(0), *figures), max(Fraction(0), *figures)
    if percent and not bars and high > Fraction(1, 2):
        high = max(Fraction(1), high)
    step = _step((high - low) / _INTERVALS) if high > low else Fraction(1)
    first, last = floor(low / step), -floor(-high / step)
    return tuple(number * step for number in range(first, last + 1))


def _step(least: Fraction) -> Fraction:
    """The smallest round number that is not below ``least``."""
    power = Fraction(1)
    while power > least:
        power /= 10
    while power * 10 <= least:
        power *= 10
    return next(power * step for step in _STEPS if power * step >= least)


def tick_text(tick: Fraction, percent: bool) -> str:
    """A tick as it is written: it is a round number, so that its decimals end."""
    number = tick * 100 if percent else tick
    return typeset(f"{Decimal(number.numerator) / number.denominator:f}") + ("%" if percent else "")
