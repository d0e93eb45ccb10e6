"""The one place where an exact number becomes a printed figure.

In: an exact Fraction, a number of places and a named rule. Out: the rounded Fraction, or its text.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction


class Rounding(StrEnum):
    """How a figure between two printable ones is settled."""

    HALF_UP = "half-up"
    HALF_EVEN = "half-even"
    HALF_AWAY = "half-away"
    DOWN = "floor"
    UP = "ceiling"


def rounded(number: Fraction, places: int = 0, rule: Rounding = Rounding.HALF_UP) -> Fraction:
    """``number`` to ``places`` decimals: half-up rounds .5 towards +∞, half-away away from zero."""
    scaled = number * 10**places
    floor = scaled.numerator // scaled.denominator
    rest = scaled - floor
    if rule is Rounding.UP:
        up = rest > 0
    elif rule is Rounding.DOWN:
        up = False
    elif rest != Fraction(1, 2):
        up = rest > Fraction(1, 2)
    elif rule is Rounding.HALF_EVEN:
        up = floor % 2 == 1
    else:
        up = rule is Rounding.HALF_UP or scaled > 0
    return Fraction(floor + up, 10**places)


def decimal(number: Fraction, places: int = 0, rule: Rounding = Rounding.HALF_UP) -> str:
    """``number`` as a decimal text with exactly ``places`` places, and a plain hyphen as its minus."""
    scaled = int(rounded(number, places, rule) * 10**places)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    whole, fraction = (digits[:-places], "." + digits[-places:]) if places else (digits, "")
    return ("-" if scaled < 0 else "") + whole + fraction


def percent(chance: Fraction, places: int = 0, rule: Rounding = Rounding.HALF_UP) -> str:
    """A chance between 0 and 1 as a percentage.

    What is possible but would round to 0, or not certain but would round to 100, is printed as <1% or >99%
    (with places: <0.1%, >99.9%), because a table that says 0% or 100% says "never" or "always".
    """
    text = decimal(chance * 100, places, rule)
    step = Fraction(1, 10**places)
    if chance > 0 and Fraction(text) == 0:
        return f"<{decimal(step, places)}%"
    if chance < 1 and Fraction(text) == 100:
        return f">{decimal(100 - step, places)}%"
    return f"{text}%"
