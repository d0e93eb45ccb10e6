"""The functions of formulas that give numbers.

In: a Function of a formula, and the Formulas that turn its arguments into numbers. Out: an Evaluate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, comb, floor
from typing import Protocol

from refgen.errors import ResolverError
from refgen.notation.formula import Comparison, Formula, Function, Reference
from refgen.notation.values import Interval, Modifier
from refgen.resolver.formula.scope import Evaluate, Named, Names, Rational, Scope, number_in, shortened, whole

MAX_WHOLE = 10_000
"""Far beyond any number of years, tries or dice."""

MAX_POWER = 200


class Context(Protocol):
    """What a function needs to know: the names, and how to work out its arguments."""

    @property
    def names(self) -> Names:
        """The names that formulas may use."""

    def number(self, formula: Formula) -> Evaluate:
        """The function that works out a formula."""

    def chance(self, comparison: Comparison) -> Evaluate:
        """The chance that a comparison of rolls and numbers comes true."""

    def mean(self, formula: Formula) -> Evaluate:
        """The mean of a roll."""


Build = Callable[[Context, Function], Evaluate]


def _chance(context: Context, function: Function) -> Evaluate:
    (comparison,) = function.arguments
    if not isinstance(comparison, Comparison):
        raise ResolverError("chance() takes a comparison", hint="Write chance({dice} + {trait} >= {difficulty}).")
    return context.chance(comparison)


def _if(context: Context, function: Function) -> Evaluate:
    test, then, otherwise = (context.number(argument) for argument in function.arguments)
    return lambda scope: then(scope) if test(scope) else otherwise(scope)


def _reference(function: Function) -> Reference:
    first = function.arguments[0]
    if not isinstance(first, Reference):
        raise ResolverError(f"{function.name}() takes a name in braces")
    return first


def _default(context: Context, function: Function) -> Evaluate:
    """A cell; where it is blank, another formula."""
    name = _reference(function).name
    look_up, otherwise = context.names.look_up(name), context.number(function.arguments[1])

    def evaluate(scope: Scope) -> Rational:
        named = look_up(scope)
        return otherwise(scope) if named.cell.value is None else number_in(named, name)

    return evaluate


def _end(context: Context, function: Function) -> Evaluate:
    """The low or high end of a range, or of a modifier such as "±1"."""
    name = _reference(function).name
    look_up, which = context.names.look_up(name), function.name

    def evaluate(scope: Scope) -> Rational:
        named = look_up(scope)
        value = named.cell.value
        if not isinstance(value, Interval | Modifier):
            return number_in(named, name)
        end = value.low if which == "low" else value.high
        if end is None:
            raise ResolverError(f'"{named.cell.text}" has no {which} end')
        return whole(end)

    return evaluate


def _at(context: Context, function: Function) -> Evaluate:
    """The cell of a column in the row whose key is a number, or is a range that holds it; else what stands fourth."""
    keys, asked, column, *rest = function.arguments
    if not isinstance(keys, Reference) or not isinstance(column, Reference):
        raise ResolverError("at() takes a column, a number and a column", hint="at({armies.size}, 3, {armies.nominal})")
    number = context.number(asked)
    otherwise = context.number(rest[0]) if rest else None
    if keys.name.partition(".")[0] != column.name.partition(".")[0]:
        raise ResolverError(f'at() takes two columns of one table, not "{keys.name}" and "{column.name}"')
    key_cells, cells = context.names.column(keys.name), context.names.column(column.name)
    row_of = _row_finder(key_cells)
    found: dict[Rational, int | None] = {}

    def evaluate(scope: Scope) -> Rational:
        wanted = number(scope)
        if wanted not in found:
            found[wanted] = row_of(wanted)
        if (row := found[wanted]) is not None:
            scope.add_source(key_cells[row])
            scope.add_source(cells[row])
            return number_in(cells[row], column.name)
        for key in key_cells:
            scope.add_source(key)
        if otherwise is None:
            raise ResolverError(f'no row of "{keys.name}" is for {shortened(wanted)}')
        return otherwise(scope)

    return evaluate


def _row_finder(keys: Sequence[Named]) -> Callable[[Rational], int | None]:
    """How to find the first row whose key is a number, or is a range that holds it."""
    ranges = [(row, key.cell.value) for row, key in enumerate(keys) if isinstance(key.cell.value, Interval)]
    numbers: dict[Rational, int] = {}
    for row, key in enumerate(keys):
        if key.number is not None:
            numbers.setdefault(key.number, row)

    def find(wanted: Rational) -> int | None:
        rows = [row for row, interval in ranges if isinstance(wanted, int) and wanted in interval]
        return min([*rows, numbers[wanted]] if wanted in numbers else rows, default=None)

    return find


def _rows(context: Context, function: Function) -> Evaluate:
    """How many rows a column has."""
    column = context.names.column(_reference(function).name)

    def evaluate(scope: Scope) -> Rational:
        for named in column:
            scope.add_source(named)
        return len(column)

    return evaluate


def _simple(work_out: Callable[..., Rational]) -> Build:
    def build(context: Context, function: Function) -> Evaluate:
        parts = [context.number(argument) for argument in function.arguments]
        return lambda scope: work_out(*[part(scope) for part in parts])

    return build


def _sign(number: Rational) -> int:
    return (number > 0) - (number < 0)


def _clamp(number: Rational, low: Rational, high: Rational) -> Rational:
    return max(low, min(number, high))


def _nearest(number: Rational) -> int:
    """The nearest whole number; what lies halfway goes away from zero."""
    return _sign(number) * floor(Fraction(number if number > 0 else -number) + Fraction(1, 2))


def _combinations(total: Rational, part: Rational) -> int:
    if not isinstance(total, int) or not isinstance(part, int) or not 0 <= total <= MAX_WHOLE:
        raise ResolverError(f"combinations({shortened(total)}, {shortened(part)}) is not worked out")
    return comb(total, part) if part >= 0 else 0


def _powers(number: Rational, base: Rational) -> int:
    """How many times ``base`` can be taken out of a number: the whole part of its logarithm."""
    power, reached = 0, base
    while base > 1 and reached <= number and power <= MAX_POWER:
        power, reached = power + 1, whole(reached * base)
    if number < 1 or base <= 1 or power > MAX_POWER:
        raise ResolverError(f"powers({shortened(number)}, {shortened(base)}) is not worked out")
    return power


SIMPLE: Mapping[str, Callable[..., Rational]] = {
    "sign": _sign,
    "abs": abs,
    "floor": floor,
    "ceiling": ceil,
    "nearest": _nearest,
    "clamp": _clamp,
    "combinations": _combinations,
    "powers": _powers,
}
"""The functions that go by their numbers alone."""

FUNCTIONS: Mapping[str, Build] = {
    "chance": _chance,
    "mean": lambda context, function: context.mean(function.arguments[0]),
    "if": _if,
    "at": _at,
    "low": _end,
    "high": _end,
    "default": _default,
    "rows": _rows,
    **{name: _simple(work_out) for name, work_out in SIMPLE.items()},
}
