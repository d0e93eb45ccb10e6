"""The functions of formulas that read printed cells (at, low, default, rows), and the list of all functions by name.

In: a Call in a formula, and the Compiler that makes its arguments ready. Out: an Evaluator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import (
    FIRST_COLUMN,
    INTEGRATING,
    BinaryOperation,
    Call,
    ComparisonTest,
    Constant,
    Formula,
    NamedPool,
    NameReference,
    Pool,
    Sum,
    parts_of,
)
from refgen.notation.values import Interval, Modifier, NumberList
from refgen.resolver.dice.arithmetic import Rational, shorten_number, simplify
from refgen.resolver.formula.chances import chance, deviation, end, mean
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import NOT_PRINTED, Evaluator, NamedValue, Scope, number_in
from refgen.resolver.lookup import NotPrintedError

if TYPE_CHECKING:
    from refgen.resolver.formula.compiler import Compiler


FunctionBuilder = Callable[["Compiler", Call], Evaluator]
"""Compiles a call of a function."""


def _reference(call: Call) -> NameReference:
    first = call.arguments[0]
    if not isinstance(first, NameReference):
        raise ResolverError(f"{call.name}() takes a name in braces")
    return first


def _default(compiler: Compiler, call: Call) -> Evaluator:
    """A cell; where it is blank, another formula."""
    name = _reference(call).name
    look_up, otherwise = compiler.names.look_up(name), compiler.number(call.arguments[1])

    def evaluate(scope: Scope) -> Rational:
        named = look_up(scope)
        is_blank = named.cell.value is None and named.number is None and named.cell is not NOT_PRINTED
        return otherwise(scope) if is_blank else number_in(named, name)

    return evaluate


def _end(compiler: Compiler, call: Call) -> Evaluator:
    """The low or high end of a range, or of a modifier such as "±1"."""
    name = _reference(call).name
    look_up, which = compiler.names.look_up(name), call.name

    def evaluate(scope: Scope) -> Rational:
        named = look_up(scope)
        value = named.cell.value
        if not isinstance(value, Interval | Modifier):
            return number_in(named, name)
        end = value.low if which == "low" else value.high
        if end is None:
            raise ResolverError(f'"{named.cell.text}" has no {which} end')
        return simplify(end)

    return evaluate


def expand_at(names: Names, call: Call) -> Formula:
    """at() as a formula of cell(), which knows the rows that are printed: some columns go on beyond their ends.

    Beyond an end, the value is the cell of the last row, plus a step, or times a factor, for each number farther.
    Raises ResolverError for arguments that are not two columns of one table.
    """
    call = _with_keys(names, call)
    (keys, column), asked, rest = _columns(call), call.arguments[1], call.arguments[3:]
    beyond = names.beyond(column.name)
    if beyond is None:
        return Call(CELL, call.arguments)
    low, high = names.ends(keys.name)
    nearest = Call("clamp", (asked, Constant(low), Constant(high)))
    farther, cell = Sum(((1, asked), (-1, nearest))), Call(CELL, (keys, nearest, column, *rest))
    by = parse_formula(beyond.by) if beyond.by else _between_last_rows(names, call, beyond.way)
    if beyond.way == "factor":
        return BinaryOperation("*", cell, BinaryOperation("^", by, farther))
    return Sum(((1, cell), (1, BinaryOperation("*", by, farther))))


def _with_keys(names: Names, call: Call) -> Call:
    """at() with the name of the column of keys written out, where the call asks for the first column."""
    keys = call.arguments[0]
    table_id, _, column = keys.name.partition(".") if isinstance(keys, NameReference) else ("", "", "")
    if column != FIRST_COLUMN:
        return call
    table = names.ruleset.tables.get(table_id)
    if table is None:
        raise ResolverError(f'a formula looks into "{table_id}", which is no printed table')
    return Call(call.name, (NameReference(f"{table_id}.{table.columns[0].id}"), *call.arguments[1:]))


def _columns(call: Call) -> tuple[NameReference, NameReference]:
    """The column of keys and the one that is looked up."""
    keys, _, column, *_ = call.arguments
    if not isinstance(keys, NameReference) or not isinstance(column, NameReference):
        raise ResolverError("at() takes a column, a number and a column", hint="at({armies.size}, 3, {armies.nominal})")
    if keys.name.partition(".")[0] != column.name.partition(".")[0]:
        raise ResolverError(f'at() takes two columns of one table, not "{keys.name}" and "{column.name}"')
    return keys, column


def _between_last_rows(names: Names, call: Call, way: str) -> Formula:
    """The step or the factor from one number to the next at the end of a column beyond which at() asks."""
    (keys, column), asked = _columns(call), call.arguments[1]
    low, high = names.ends(keys.name)
    cells = [Call(CELL, (keys, Constant(key), column)) for key in (low, low + 1, high - 1, high)]
    below, above = (
        BinaryOperation("/", two, one) if way == "factor" else Sum(((1, two), (-1, one)))
        for one, two in (cells[:2], cells[2:])
    )
    return Call("if", (ComparisonTest(">", asked, Constant(high)), above, below))


CELL = "cell of a row"
"""The name of the function to which at() is expanded; nobody can write this name in a formula."""


def _cell(compiler: Compiler, call: Call) -> Evaluator:
    """The cell of a column in the row whose key is, or holds, a given number; without such a row the fourth argument.

    Raises NotPrintedError for a row that the table says it has.
    """
    (keys, column), (asked, *rest) = _columns(call), call.arguments[1:2] + call.arguments[3:]
    number = compiler.number(asked)
    otherwise = compiler.number(rest[0]) if rest else None
    key_cells, cells = compiler.names.column(keys.name), compiler.names.column(column.name)
    expected = compiler.names.expected(keys.name)
    row_of = _row_finder(key_cells)

    def evaluate(scope: Scope) -> Rational:
        wanted = number(scope)
        if (row := row_of(wanted)) is not None:
            scope.add_source(key_cells[row])
            scope.add_source(cells[row])
            return number_in(cells[row], column.name)
        for key in key_cells:
            scope.add_source(key)
        if otherwise is None or wanted in expected:
            message = f'no row of "{keys.name}" is for {shorten_number(wanted)}'
            raise NotPrintedError(message) if wanted in expected else ResolverError(message)
        return otherwise(scope)

    return evaluate


def _row_finder(keys: Sequence[NamedValue]) -> Callable[[Rational], int | None]:
    """How to find the first row whose key is a number, or is a range that holds it."""
    ranges = [
        (row, key.cell.value) for row, key in enumerate(keys) if isinstance(key.cell.value, Interval | NumberList)
    ]
    numbers: dict[Rational, int] = {}
    for row, key in enumerate(keys):
        if key.number is not None:
            numbers.setdefault(key.number, row)

    def find(wanted: Rational) -> int | None:
        rows = [row for row, interval in ranges if isinstance(wanted, int) and wanted in interval]
        return min([*rows, numbers[wanted]] if wanted in numbers else rows, default=None)

    return find


def _rows(compiler: Compiler, call: Call) -> Evaluator:
    """How many rows a column has."""
    column = compiler.names.column(_reference(call).name)

    def evaluate(scope: Scope) -> Rational:
        for named in column:
            scope.add_source(named)
        return len(column)

    return evaluate


def _dice_in(formula: Formula, compiler: Compiler, scope: Scope) -> Rational:
    """How many dice are rolled; those that explode or are rolled again count once."""
    match formula:
        case Pool():
            return formula.count
        case NamedPool(count=count):
            return compiler.number(count)(scope)
        case NameReference(name=name):
            dice = _formula_of_name(name, compiler.names, scope)
            return _dice_in(dice, compiler, scope) if dice else 0
        case Call(name="repeat", arguments=(times, rolled)):
            return compiler.number(times)(scope) * _dice_in(rolled, compiler, scope)
        case Call(name="if", arguments=(test, *sides)):
            return _dice_in_choice(test, sides, compiler, scope)
        case Call(name=name) if name in INTEGRATING:
            return 0
    return sum(_dice_in(part, compiler, scope) for part in parts_of(formula))


def _formula_of_name(name: str, names: Names, scope: Scope) -> Formula | None:
    """The dice for which a name stands: those of the row or column go before those of `let` and `throws`."""
    known = names.let.get(name) or names.thrown.get(name)
    return known if known and scope.find(name) is None else names.look_up(name)(scope).dice


def _dice_in_choice(test: Formula, sides: Sequence[Formula], compiler: Compiler, scope: Scope) -> Rational:
    if not compiler.is_rolled(test):
        return _dice_in(sides[not compiler.number(test)(scope)], compiler, scope)
    one, other = (_dice_in(side, compiler, scope) for side in sides)
    if one != other:
        raise ResolverError("how many dice are rolled depends on a roll: dice_count() gives one number")
    return _dice_in(test, compiler, scope) + one


NAMED_FUNCTIONS: Mapping[str, FunctionBuilder] = {
    "chance": lambda compiler, call: chance(compiler, call.arguments[0]),
    "mean": lambda compiler, call: mean(compiler, call.arguments[0]),
    "deviation": lambda compiler, call: deviation(compiler, call.arguments[0]),
    "highest_of": lambda compiler, call: end(compiler, call.arguments[0], highest=True),
    "lowest_of": lambda compiler, call: end(compiler, call.arguments[0], highest=False),
    "dice_count": lambda compiler, call: lambda scope: _dice_in(call.arguments[0], compiler, scope),
    CELL: _cell,
    "low": _end,
    "high": _end,
    "default": _default,
    "rows": _rows,
}
"""The functions that ask dice and printed cells, by name."""
