"""Arithmetic of exact numbers: the operators and functions of formulas.

In: ints and Fractions. Out: an int for a whole number, which is many times as fast, else a Fraction. An irrational
number is given to 50 decimals, far beyond any printed digit.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, comb, floor, isqrt

from refgen.errors import ResolverError

Rational = int | Fraction
"""An exact number. Whole ones are ints."""

MAX_BITS = 14_000
"""About 4,200 digits above or below the line: more than anybody reads, and as many as Python writes out."""

SMALL = 1 << 64
LONGEST_SHOWN = 40

MAX_WHOLE = 10_000
"""Far beyond any number of years, tries or dice."""

MAX_POWERS = 200
DECIMALS = 50
MAX_BASE, MAX_EXPONENT, MAX_ROOT = 10_000, 1_000, 100
"""The largest parts of numbers whose broken power is worked out."""


def simplify(number: Rational) -> Rational:
    """A number, as an int when it is whole. Raises ResolverError for a number with thousands of digits."""
    if type(number) is int and -SMALL < number < SMALL:
        return number
    numerator, denominator = number.as_integer_ratio()
    if numerator.bit_length() > MAX_BITS or denominator.bit_length() > MAX_BITS:
        raise ResolverError("a formula comes to a number of thousands of digits", hint="Take smaller numbers.")
    return numerator if denominator == 1 else number


def shorten_number(number: Rational) -> str:
    """A number as messages show it; of a long number only the length."""
    text = str(number)
    return text if len(text) <= LONGEST_SHOWN else f"a number of {len(text)} characters"


def product(left: Rational, right: Rational) -> Rational:
    """The product of two numbers."""
    return simplify(left * right)


def quotient(left: Rational, right: Rational) -> Rational:
    """The quotient of two numbers. Raises ResolverError for a divisor of 0."""
    if not right:
        raise ResolverError("a formula divides by zero")
    return simplify(Fraction(left) / right)


def raise_number(base: Rational, exponent: Rational) -> Rational:
    """A power, refused before it is worked out when it has far too many digits."""
    if not isinstance(exponent, int) or (not base and exponent < 0) or _bits(base) * abs(exponent) > 2 * MAX_BITS:
        hint = "Exponents are whole numbers, and not too large; power() takes others."
        raise ResolverError(
            f"{shorten_number(base)} to the power of {shorten_number(exponent)} is not worked out", hint=hint
        )
    return simplify(base**exponent if isinstance(base, int) and exponent >= 0 else Fraction(base) ** exponent)


def _bits(number: Rational) -> int:
    """How many bits a number has, 0 for 0, 1 and -1."""
    return max(abs(number.numerator).bit_length(), number.denominator.bit_length()) - 1


def modulo(left: Rational, right: Rational) -> Rational:
    """The remainder of a division, with the sign of the divisor: -1 mod 4 is 3."""
    if not right:
        raise ResolverError("a formula takes the rest of a division by zero")
    return simplify(left % right)


def sign(number: Rational) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def clamp(number: Rational, low: Rational, high: Rational) -> Rational:
    """The number, but no less than the second and no more than the third."""
    return max(low, min(number, high))


def nearest_whole(number: Rational) -> int:
    """The nearest whole number; what lies halfway goes away from zero."""
    return sign(number) * floor(Fraction(number if number > 0 else -number) + Fraction(1, 2))


def is_even(number: Rational) -> int:
    """1 for an even number, 0 for any other."""
    return int(number % 2 == 0)


def in_range(number: Rational, low: Rational | None, high: Rational | None) -> int:
    """1 for a number in a range, its ends included, else 0; None for an open end."""
    return int((low is None or low <= number) and (high is None or number <= high))


def combinations(total: Rational, part: Rational) -> int:
    """In how many ways a part can be chosen."""
    if not isinstance(total, int) or not isinstance(part, int) or not 0 <= total <= MAX_WHOLE:
        raise ResolverError(f"combinations({shorten_number(total)}, {shorten_number(part)}) is not worked out")
    return comb(total, part) if part >= 0 else 0


def powers(number: Rational, base: Rational) -> int:
    """How many times ``base`` can be taken out of a number: the whole part of its logarithm."""
    power, reached = 0, base
    while base > 1 and reached <= number and power <= MAX_POWERS:
        power, reached = power + 1, simplify(reached * base)
    if number < 1 or base <= 1 or power > MAX_POWERS:
        raise ResolverError(f"powers({shorten_number(number)}, {shorten_number(base)}) is not worked out")
    return power


def broken_power(base: Rational, exponent: Rational) -> Rational:
    """``base`` (above 0) to any rational exponent: exact for a whole exponent, else to 50 decimals.

    An irrational power is never too high, and too low by less than 10⁻⁵⁰.
    """
    above, root = exponent.as_integer_ratio()
    too_large = max(base.as_integer_ratio()) > MAX_BASE or abs(above) > MAX_EXPONENT or root > MAX_ROOT
    if base <= 0 or too_large:
        raise ResolverError(f"power({shorten_number(base)}, {shorten_number(exponent)}) is not worked out")
    power = Fraction(base) ** exponent.numerator
    if exponent.denominator == 1:
        return simplify(power)
    scale = 10**DECIMALS
    under_the_root = power * scale**exponent.denominator
    return simplify(
        Fraction(_root(under_the_root.numerator // under_the_root.denominator, exponent.denominator), scale)
    )


def nearest_preferred(number: Rational, *series: Rational) -> Rational:
    """The nearest of some preferred numbers, each times any power of ten; of two that are as near, the larger.

    0.79 among 10, 12, 15, 20, 25, 30, 40, 50, 60, 80 is 0.8.
    """
    if number <= 0 or min(series) <= 0:
        raise ResolverError(
            f"preferred({shorten_number(number)}, …) is not worked out", hint="It takes numbers above 0."
        )
    tens, smallest = Fraction(1), Fraction(min(series))
    while smallest * tens > number:
        tens /= 10
    while smallest * tens * 10 <= number:
        tens *= 10
    near = [member * tens * step for member in series for step in (Fraction(1, 10), 1, 10)]
    return simplify(Fraction(min(near, key=lambda member: (abs(member - number), -member))))


def _root(number: int, degree: int) -> int:
    """The largest whole number whose power ``degree`` does not exceed ``number`` (Newton's method from above)."""
    if number == 0:
        return 0
    guess = 1 << -(-number.bit_length() // degree)
    while (lower := ((degree - 1) * guess + number // guess ** (degree - 1)) // degree) < guess:
        guess = lower
    return guess


def square_root(number: Fraction) -> Rational:
    """The root of a number that is not below 0: exact where it is rational, else to 50 decimals, never too high."""
    above, below = isqrt(number.numerator), isqrt(number.denominator)
    if above * above == number.numerator and below * below == number.denominator:
        return simplify(Fraction(above, below))
    scale = 10**DECIMALS
    return simplify(Fraction(isqrt(number.numerator * scale**2 // number.denominator), scale))


COMPARISONS: Mapping[str, Callable[[Rational, Rational], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}

SIGNS: Mapping[str, Callable[[Rational, Rational], Rational]] = {
    "*": product,
    "/": quotient,
    "^": raise_number,
    "mod": modulo,
}
"""The operators between two numbers, other than plus and minus, "and" and "or"."""

RANGE_TESTS: Mapping[tuple[bool, bool], Callable[..., Rational]] = {
    (False, False): in_range,
    (False, True): lambda number, low: in_range(number, low, None),
    (True, False): lambda number, high: in_range(number, None, high),
}
"""Whether a number lies in a range, by whether the low and the high end of the range are open."""

FUNCTIONS: Mapping[str, Callable[..., Rational]] = {
    "not": lambda number: int(not number),
    "sign": sign,
    "abs": abs,
    "floor": floor,
    "ceiling": ceil,
    "nearest": nearest_whole,
    "even": is_even,
    "clamp": clamp,
    "combinations": combinations,
    "power": broken_power,
    "powers": powers,
    "preferred": nearest_preferred,
}
"""The functions of numbers alone, by name."""
