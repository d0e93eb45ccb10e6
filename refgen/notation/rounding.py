"""The one place where an exact number becomes a printed figure.

In: an exact Fraction, a number of places and a named rule. Out: the rounded Fraction, or its text.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from refgen.notation.values import Percent


class Rounding(StrEnum):
    """How a figure between two printable ones is settled."""

    HALF_UP = "half-up"
    HALF_EVEN = "half-even"
    HALF_AWAY = "half-away"
    DOWN = "floor"
    UP = "ceiling"


USUAL_ROUNDING = Rounding.HALF_UP
"""The rounding that every page names; a table that is rounded otherwise says so in its note."""


def rounded(number: Fraction, places: int = 0, rule: Rounding = Rounding.HALF_UP) -> Fraction:
    """``number`` to ``places`` decimals: half-up rounds .5 towards +∞, half-away away from zero."""
    return Fraction(units(number, places, rule), 10**places)


def units(number: Fraction | int, places: int = 0, rule: Rounding = Rounding.HALF_UP) -> int:
    """``number``, rounded, in units of its last decimal: 2.345 to two places is 235."""
    if isinstance(number, int):
        return number * int(10**places)
    numerator, denominator = number.as_integer_ratio()
    scaled: int = numerator * 10**places
    floor, rest = divmod(scaled, denominator)
    if rule is Rounding.UP:
        up = rest > 0
    elif rule is Rounding.DOWN:
        up = False
    elif 2 * rest != denominator:
        up = 2 * rest > denominator
    elif rule is Rounding.HALF_EVEN:
        up = floor % 2 == 1
    else:
        up = rule is Rounding.HALF_UP or numerator > 0
    return floor + up


def decimal(number: Fraction | int, places: int = 0, rule: Rounding = Rounding.HALF_UP) -> str:
    """``number`` as a decimal text with exactly ``places`` places, and a plain hyphen as its minus."""
    return _digits(units(number, places, rule), places)


def _digits(figure: int, places: int) -> str:
    if not places:
        return str(figure)
    digits = str(abs(figure)).rjust(places + 1, "0")
    return f"{'-' if figure < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def percent(chance: Fraction | int, places: int = 0, rule: Rounding = Rounding.HALF_UP) -> str:
    """A chance between 0 and 1 as a percentage.

    What is possible but would round to 0, or not certain but would round to 100, is printed as <1% or >99%
    (with places: <0.1%, >99.9%), because a table that says 0% or 100% says "never" or "always".
    """
    figure, certain = units(chance, places + 2, rule), 100 * 10**places
    if figure == 0 and chance.numerator > 0:
        return f"<{_digits(1, places)}%"
    if figure == certain and chance.numerator < chance.denominator:
        return f">{_digits(certain - 1, places)}%"
    return f"{_digits(figure, places)}%"


def half_unit(printed: Percent) -> Fraction:
    """Half of one unit of the last printed digit."""
    return Fraction(1, 2 * 100 * 10**printed.places)
