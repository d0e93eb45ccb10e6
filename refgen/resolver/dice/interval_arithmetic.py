"""Interval arithmetic: the bounds of what a function comes to, from the bounds of its arguments.

In: a function of numbers, and the bounds of each argument: exact numbers, or infinities. Out: bounds between which all
its values lie. They tell where the tails of open-ended rolls land; a function that is not listed may land anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from refgen.errors import ResolverError
from refgen.resolver.dice.arithmetic import FUNCTIONS, RANGE_TESTS, SIGNS, Rational

End = Any
"""An exact number, or an infinity of floating-point numbers."""

Bounds = tuple[End, End]
"""Two ends between which some numbers lie, the ends included."""

ANYWHERE: Bounds = (-inf, inf)

FAR = 10**100
"""Farther from zero than any outcome."""


def tails_of(
    bounds: Callable[..., Bounds], tails: Sequence[Sequence[Bounds]], whole: Sequence[Bounds], listed: Bounds
) -> tuple[Bounds, bool]:
    """Where the result of a function has tails: one below up to a number, one above from a number on (else infinities).

    In: the ``bounds`` of the function; of each argument the ``tails``, and the bounds of the ``whole``; the ends of the
    results that are ``listed``. What lands on one number, wherever in a tail the argument is, is known exactly. Also
    whether a tail of the result stays where it is when the tail of the argument begins much farther out.
    """
    falls, rises, stays = -inf, inf, False
    for place, tail in ((place, tail) for place, of_argument in enumerate(tails) for tail in of_argument):
        low, high = _landing(bounds, place, tail, whole)
        if low == high:
            continue
        is_above = low > -inf and (high == inf or low > listed[0])
        is_below = high < inf and (low == -inf or high < listed[1])
        rises = min(rises, low) if is_above or not is_below else rises
        falls = falls if is_above else max(falls, high)
        farther = (max(tail[0], FAR), inf) if tail[1] == inf else (-inf, min(tail[1], -FAR))
        stays = stays or tail == ANYWHERE or _landing(bounds, place, farther, whole) == (low, high)
    return (falls, rises), stays


def _landing(bounds: Callable[..., Bounds], place: int, tail: Bounds, whole: Sequence[Bounds]) -> Bounds:
    return bounds(*[tail if other == place else part for other, part in enumerate(whole)])


def bounds_of(function: Callable[..., Rational], *arguments: Bounds) -> Bounds:
    """The bounds of a function whose arguments lie between some bounds."""
    known = _BOUNDS.get(function)
    return known(*arguments) if known else ANYWHERE


def bounds_of_rising(function: Callable[..., Rational]) -> Callable[..., Bounds]:
    """The bounds of a function that rises with its first argument, without an end; the other arguments are known."""

    def bounds(number: Bounds, *others: Bounds) -> Bounds:
        if any(low != high for low, high in others):
            return ANYWHERE
        try:
            low, high = (_applied(function, end, *[low for low, _ in others]) for end in number)
        except ResolverError:  # the function is not worked out for a number that no outcome comes to
            return ANYWHERE
        return low, high

    return bounds


def _applied(function: Callable[..., Rational], end: End, *others: End) -> End:
    return end if end in ANYWHERE else function(end, *others)


def bounds_in_range(number: Bounds, low: Bounds, high: Bounds) -> Bounds:
    """Whether a number lies in a range: 1 for always, 0 for never, or between both."""
    if low[1] <= number[0] and number[1] <= high[0]:
        return 1, 1
    return (0, 0) if number[1] < low[0] or high[1] < number[0] else (0, 1)


def _product(left: Bounds, right: Bounds) -> Bounds:
    corners = [_times(one, other) for one in left for other in right]
    return min(corners), max(corners)


def _times(left: End, right: End) -> End:
    if not left or not right:
        return 0
    if left in ANYWHERE or right in ANYWHERE:
        return inf if (left > 0) == (right > 0) else -inf
    return left * right


def _quotient(left: Bounds, right: Bounds) -> Bounds:
    if right[0] <= 0 <= right[1]:
        return ANYWHERE
    low, high = (0 if end in ANYWHERE else 1 / Fraction(end) for end in right)
    return _product(left, (high, low))


def _without_sign(number: Bounds) -> Bounds:
    ends = abs(number[0]), abs(number[1])
    return 0 if number[0] <= 0 <= number[1] else min(ends), max(ends)


def _power(base: Bounds, exponent: Bounds) -> Bounds:
    """A power with a whole exponent that is known: an even power knows no sign."""
    times = exponent[0]
    if times != exponent[1] or not isinstance(times, int):
        return ANYWHERE
    if times < 0:
        return _quotient((1, 1), _power(base, (-times, -times)))
    if not times:
        return 1, 1
    return bounds_of_rising(SIGNS["^"])(base if times % 2 else _without_sign(base), exponent)


def _broken_power(base: Bounds, exponent: Bounds) -> Bounds:
    return bounds_of_rising(FUNCTIONS["power"])(base, exponent) if exponent[0] >= 0 else ANYWHERE


def _rest(number: Bounds, divisor: Bounds) -> Bounds:
    """The rest of a division has the sign of its divisor, and is nearer to zero."""
    if divisor[0] <= 0 <= divisor[1]:
        return ANYWHERE
    if divisor[0] < 0:
        low, high = _rest((-number[1], -number[0]), (-divisor[1], -divisor[0]))
        return -high, -low
    return number if number[0] >= 0 and number[1] < divisor[0] else (0, divisor[1])


_BOUNDS: Mapping[Callable[..., Any], Callable[..., Bounds]] = {
    SIGNS["*"]: _product,
    SIGNS["/"]: _quotient,
    SIGNS["^"]: _power,
    SIGNS["mod"]: _rest,
    FUNCTIONS["not"]: lambda number: bounds_in_range(number, (0, 0), (0, 0)),
    FUNCTIONS["even"]: lambda _number: (0, 1),
    FUNCTIONS["sign"]: lambda number: (FUNCTIONS["sign"](number[0]), FUNCTIONS["sign"](number[1])),
    FUNCTIONS["clamp"]: lambda *ends: tuple([FUNCTIONS["clamp"](*[end[side] for end in ends]) for side in (0, 1)]),
    FUNCTIONS["abs"]: _without_sign,
    FUNCTIONS["power"]: _broken_power,
    RANGE_TESTS[False, False]: bounds_in_range,
    RANGE_TESTS[False, True]: lambda number, low: bounds_in_range(number, low, (inf, inf)),
    RANGE_TESTS[True, False]: lambda number, high: bounds_in_range(number, (-inf, -inf), high),
    **{
        FUNCTIONS[name]: bounds_of_rising(FUNCTIONS[name])
        for name in ("floor", "ceiling", "nearest", "combinations", "powers", "preferred")
    },
}
