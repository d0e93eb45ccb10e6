"""Exact numbers and typed values as texts.

In: an exact number, how many decimals, and a rule of rounding. Out: the printed figure; no other module rounds.
In: a Value. Out: its canonical text, which is the same for equal values however they are printed: "+2" and "2" of
modifiers are both "+2", "0-3" and "0, 1, 2, 3" of ranges are both "0 to 3". Words are reduced to their numbers.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from refgen.notation.printed_numbers import numbers_in
from refgen.notation.values import (
    Condition,
    DiceText,
    Interval,
    LabelledDice,
    Level,
    Modifier,
    Number,
    NumberList,
    Percent,
    Quantity,
    Score,
    Text,
    TrackChange,
    TraitComparison,
    Value,
    WeightedNumber,
)


class Rounding(StrEnum):
    """The rule for a number between two printable figures."""

    HALF_UP = "half-up"
    HALF_EVEN = "half-even"
    HALF_AWAY = "half-away"
    DOWN = "floor"
    UP = "ceiling"


USUAL_ROUNDING = Rounding.HALF_UP
"""The rounding that every page names; a table that is rounded otherwise says so in its note."""


def round_number(number: Fraction, places: int = 0, rule: Rounding = Rounding.HALF_UP) -> Fraction:
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


def decimal(number: Fraction | int, places: int = 0, rule: Rounding = Rounding.HALF_UP, thousands: str = "") -> str:
    """``number`` as a decimal text with exactly ``places`` places, and a plain hyphen as its minus.

    ``thousands``: the sign between thousands, "," or none.
    """
    return _digits(units(number, places, rule), places, thousands)


def _digits(figure: int, places: int, thousands: str = "") -> str:
    whole, part = divmod(abs(figure), 10**places)
    return f"{'-' if figure < 0 else ''}{whole:{thousands}}" + (f".{part:0{places}d}" if places else "")


def percent(chance: Fraction | int, places: int = 0, rule: Rounding = Rounding.HALF_UP) -> str:
    """A chance between 0 and 1 as a percentage.

    A chance above 0 that would round to 0, and a chance below 1 that would round to 100, are <1% and >99%
    (with places: <0.1%, >99.9%), because a table that says 0% or 100% says "never" or "always".
    """
    figure, certain = units(chance, places + 2, rule), 100 * 10**places
    if figure == 0 and chance.numerator > 0:
        return f"<{_digits(1, places)}%"
    if figure == certain and chance.numerator < chance.denominator:
        return f">{_digits(certain - 1, places)}%"
    return f"{_digits(figure, places)}%"


def scientific(number: Fraction) -> str:
    """A very small number above 0, to two digits and a power of ten: 1/30000 is 3.3e-05."""
    numerator, denominator = number.as_integer_ratio()
    exponent = (numerator.bit_length() - denominator.bit_length()) * 30103 // 100_000 - 2
    while number >= Fraction(10) ** (exponent + 1):
        exponent += 1
    figure = units(number / Fraction(10) ** exponent, 1)
    if figure == 100:
        figure, exponent = 10, exponent + 1
    return f"{_digits(figure, 1)}e{exponent:+03d}"


def half_unit(printed: Percent) -> Fraction:
    """Half of one unit of the last printed digit."""
    return Fraction(1, 2 * 100 * 10**printed.places)


def canonical(value: Value | None) -> str:
    """The canonical text of a value: of a level its name; "" for a blank and for words without a number."""
    match value:
        case None:
            return ""
        case Text(text=words):
            numbers = (words[start:end] for start, end in numbers_in(words))
            return ", ".join(number.lower() if number.isalpha() else number for number in numbers)
        case Level(name=name):
            return name
        case LabelledDice(expression=dice, label=label):
            return f"{dice} {label}"
        case DiceText(expression=dice):
            return dice or "none"
        case TrackChange():
            return _track_change(value)
        case Condition(clauses=clauses):
            return " and ".join(" or ".join(map(_comparison, clause)) for clause in clauses)
    return _number(value)


def _number(value: Number | Percent | WeightedNumber | Score | Quantity | Interval | NumberList | Modifier) -> str:
    match value:
        case Number(value=number, bound=bound):
            return bound + _figure(number)
        case Percent(value=share):
            return f"{_figure(100 * share)}%"
        case WeightedNumber(number=number, chance=chance):
            return f"{_figure(number)} ({_number(chance)})"
        case Score(number=number, modifier=change):
            return f"{_figure(number)} ({_signed_text(change)})"
        case Quantity(value=number, unit=unit, bound=bound):
            return f"{bound}{_figure(number)} {unit}"
        case Interval() | NumberList():
            return _range(value)
        case Modifier():
            return _change(value)


def _figure(number: Fraction) -> str:
    """A number as a decimal of up to nine places if it is one, else as "p/q"."""
    places = next((places for places in range(10) if 10**places % number.denominator == 0), None)
    return str(number) if places is None else decimal(number, places)


def _signed_text(number: Fraction) -> str:
    return ("+" if number > 0 else "") + _figure(number)


def _range(interval: Interval | NumberList) -> str:
    match interval:
        case NumberList(numbers=numbers):
            return ", ".join(map(str, numbers))
        case Interval(low=int() as low, high=None):
            return f"{low} or more"
        case Interval(low=None, high=int() as high):
            return f"{high} or less"
        case Interval(low=low, high=high) if low == high:
            return "any" if low is None else str(low)
    return f"{interval.low} to {interval.high}"


def _change(modifier: Modifier) -> str:
    low, high = _signed_text(modifier.low), _signed_text(modifier.high)
    change = low if low == high else f"{low} to {high}"
    condition = f" ({modifier.condition})" if modifier.condition else ""
    return f"{modifier.base} {change}".lstrip() + condition


def _track_change(change: TrackChange) -> str:
    parts = [change.base] if change.base else []
    parts += [f"{number} {box}" for box, number in change.boxes]
    parts += [f"1 more {box}" for box in change.extra]
    parts += [f"{name} {_range(interval)}" for name, interval in change.ranges]
    return " + ".join(parts) + (" etc." if change.continues else "")


def _comparison(comparison: TraitComparison) -> str:
    terms = [
        f"{'+' if count > 0 else '-'} {'' if abs(count) == 1 else f'{abs(count)} '}{name}"
        for name, count in comparison.traits
    ]
    return f"{' '.join(terms).removeprefix('+ ')} {comparison.relation} {comparison.level or comparison.number}"
