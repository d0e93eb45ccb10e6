"""A typed value as one text, however it is printed.

In: a Value. Out: a text that is the same for equal values; of words, the numbers among them. "+2" and "2" of modifiers
are both "+2", "0-3" and "0, 1, 2, 3" of ranges "0 to 3".
"""

from __future__ import annotations

from fractions import Fraction

from refgen.notation.rounding import decimal
from refgen.notation.running import numbers_in
from refgen.notation.values import (
    Condition,
    DiceText,
    Interval,
    LabelledDice,
    Level,
    Modifier,
    Number,
    Percent,
    Quantity,
    Score,
    Text,
    TrackChange,
    TraitComparison,
    Value,
    WeightedNumber,
)


def canonical(value: Value | None) -> str:
    """The text of a value; "" for a blank and for words without a number. A level goes by its name."""
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


_Numeric = Number | Percent | WeightedNumber | Score | Quantity | Interval | Modifier


def _number(value: _Numeric) -> str:
    match value:
        case Number(value=number, bound=bound):
            return bound + _figure(number)
        case Percent(value=share):
            return f"{_figure(100 * share)}%"
        case WeightedNumber(number=number, chance=chance):
            return f"{_figure(number)} ({_number(chance)})"
        case Score(number=number, modifier=change):
            return f"{_figure(number)} ({_signed(change)})"
        case Quantity(value=number, unit=unit, bound=bound):
            return f"{bound}{_figure(number)} {unit}"
        case Interval():
            return _range(value)
        case Modifier():
            return _change(value)


def _figure(number: Fraction) -> str:
    """A number as a decimal where it has an end, else as "p/q"."""
    places = next((places for places in range(10) if 10**places % number.denominator == 0), None)
    return str(number) if places is None else decimal(number, places)


def _signed(number: Fraction) -> str:
    return ("+" if number > 0 else "") + _figure(number)


def _range(interval: Interval) -> str:
    match interval:
        case Interval(low=int() as low, high=None):
            return f"{low} or more"
        case Interval(low=None, high=int() as high):
            return f"{high} or less"
        case Interval(low=low, high=high) if low == high:
            return "any" if low is None else str(low)
    return f"{interval.low} to {interval.high}"


def _change(modifier: Modifier) -> str:
    low, high = _signed(modifier.low), _signed(modifier.high)
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
    traits = " ".join(f"{'+' if sign > 0 else '-'} {_times(abs(sign))}{name}" for name, sign in comparison.traits)
    return f"{traits.removeprefix('+ ')} {comparison.relation} {comparison.level or comparison.number}"


def _times(number: int) -> str:
    return "" if number == 1 else f"{number} "
