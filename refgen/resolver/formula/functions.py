"""The functions of formulas that give numbers.

In: a Call in a formula, and the Formulas that turn its arguments into numbers. Out: an Evaluate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from refgen.errors import ResolverError
from refgen.notation.tree import Call, Formula, Reference
from refgen.notation.values import Interval, Modifier
from refgen.resolver.dice import arithmetic
from refgen.resolver.dice.arithmetic import Rational, shortened, whole
from refgen.resolver.formula.scope import NOT_PRINTED, Evaluate, Named, Names, Scope, number_in
from refgen.resolver.lookup import NotPrintedError


class Context(Protocol):
    """What a function needs to know: the names, and how to work out its arguments."""

    @property
    def names(self) -> Names:
        """The names that formulas may use."""

    def number(self, formula: Formula) -> Evaluate:
        """The function that works out a formula."""

    def chance(self, formula: Formula) -> Evaluate:
        """The chance that a condition of rolls and numbers comes true."""

    def mean(self, formula: Formula) -> Evaluate:
        """The mean of a roll."""

    def deviation(self, formula: Formula) -> Evaluate:
        """The standard deviation of a roll."""


Build = Callable[[Context, Call], Evaluate]


def _if(context: Context, call: Call) -> Evaluate:
    test, then, otherwise = (context.number(argument) for argument in call.arguments)
    return lambda scope: then(scope) if test(scope) else otherwise(scope)


def _reference(call: Call) -> Reference:
    first = call.arguments[0]
    if not isinstance(first, Reference):
        raise ResolverError(f"{call.name}() takes a name in braces")
    return first


def _default(context: Context, call: Call) -> Evaluate:
    """A cell; where it is blank, another formula."""
    name = _reference(call).name
    look_up, otherwise = context.names.look_up(name), context.number(call.arguments[1])

    def evaluate(scope: Scope) -> Rational:
        named = look_up(scope)
        is_blank = named.cell.value is None and named.number is None and named.cell is not NOT_PRINTED
        return otherwise(scope) if is_blank else number_in(named, name)

    return evaluate


def _end(context: Context, call: Call) -> Evaluate:
    """The low or high end of a range, or of a modifier such as "±1"."""
    name = _reference(call).name
    look_up, which = context.names.look_up(name), call.name

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


def _at(context: Context, call: Call) -> Evaluate:
    """The cell of a column in the row whose key is a number, or is a range that holds it; else what stands fourth.

    Raises NotPrintedError for a row that the table says it has.
    """
    keys, asked, column, *rest = call.arguments
    if not isinstance(keys, Reference) or not isinstance(column, Reference):
        raise ResolverError("at() takes a column, a number and a column", hint="at({armies.size}, 3, {armies.nominal})")
    number = context.number(asked)
    otherwise = context.number(rest[0]) if rest else None
    if keys.name.partition(".")[0] != column.name.partition(".")[0]:
        raise ResolverError(f'at() takes two columns of one table, not "{keys.name}" and "{column.name}"')
    key_cells, cells = context.names.column(keys.name), context.names.column(column.name)
    expected = context.names.expected(keys.name)
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
        if otherwise is None or wanted in expected:
            raise _no_row(keys.name, wanted, wanted in expected)
        return otherwise(scope)

    return evaluate


def _no_row(keys: str, wanted: Rational, is_lost: bool) -> ResolverError:
    message = f'no row of "{keys}" is for {shortened(wanted)}'
    return NotPrintedError(message) if is_lost else ResolverError(message)


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


def _rows(context: Context, call: Call) -> Evaluate:
    """How many rows a column has."""
    column = context.names.column(_reference(call).name)

    def evaluate(scope: Scope) -> Rational:
        for named in column:
            scope.add_source(named)
        return len(column)

    return evaluate


def _simple(work_out: Callable[..., Rational]) -> Build:
    def build(context: Context, call: Call) -> Evaluate:
        parts = [context.number(argument) for argument in call.arguments]
        return lambda scope: work_out(*[part(scope) for part in parts])

    return build


FUNCTIONS: Mapping[str, Build] = {
    "chance": lambda context, call: context.chance(call.arguments[0]),
    "mean": lambda context, call: context.mean(call.arguments[0]),
    "deviation": lambda context, call: context.deviation(call.arguments[0]),
    "if": _if,
    "at": _at,
    "low": _end,
    "high": _end,
    "default": _default,
    "rows": _rows,
    **{name: _simple(work_out) for name, work_out in arithmetic.FUNCTIONS.items()},
}
