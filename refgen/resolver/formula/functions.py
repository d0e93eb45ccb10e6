"""The functions of formulas that ask dice (chance, mean, highest_of) or printed cells (at, low, default, rows).

In: a Call in a formula, and the Compiler that makes its arguments ready. Out: an Evaluate. A throw that a formula
mentions twice is followed outcome by outcome; all other dice are rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeGuard

from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_dice, parse_formula
from refgen.notation.formula_tree import (
    DICE_FUNCTIONS,
    FIRST_COLUMN,
    BinaryOperation,
    Call,
    ComparisonTest,
    Constant,
    Formula,
    NamedPool,
    NameReference,
    Pool,
    RangeTest,
    Sum,
    parts_of,
)
from refgen.notation.values import DiceText, Interval, Modifier, Value
from refgen.resolver.dice.arithmetic import Rational, shortened, square_root, whole
from refgen.resolver.dice.distribution import DEFAULT_REACH, Distribution
from refgen.resolver.formula.dice_functions import followed, reach_to
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import NOT_PRINTED, Evaluate, Named, Scope, number_in
from refgen.resolver.lookup import NotPrintedError

if TYPE_CHECKING:
    from refgen.resolver.formula.compiler import Compiler


_CHANCES: Mapping[str, Callable[[Distribution, Rational], Fraction]] = {
    ">=": lambda rolled, goal: rolled.at_least(goal),
    ">": lambda rolled, goal: rolled.at_least(goal) - rolled.exactly(goal),
    "<": lambda rolled, goal: rolled.less_than(goal),
    "<=": lambda rolled, goal: rolled.less_than(goal) + rolled.exactly(goal),
    "==": lambda rolled, goal: rolled.exactly(goal),
    "!=": lambda rolled, goal: 1 - rolled.exactly(goal),
}


def chance(compiler: Compiler, formula: Formula) -> Evaluate:
    """The chance that a condition of rolls and numbers comes true. Raises ResolverError for what is no condition."""
    compiler = _with_throws_once(compiler, formula)
    if compiler.names.is_thrown(formula):
        return compiler.throws.chance(formula)
    if isinstance(formula, ComparisonTest):
        return _chance_of_comparison(compiler, formula)
    if isinstance(formula, RangeTest) and not any(compiler.is_rolled(end) for end in parts_of(formula)[1:]):
        return _chance_in_range(compiler, formula)
    evaluate, is_rolled = compiler.part(formula)
    if not is_rolled:
        raise ResolverError("there are no dice in it", hint="A comparison of numbers belongs into if().")
    if not _is_condition(compiler, formula):
        raise ResolverError("chance() takes a comparison", hint="Write chance({dice} + {trait} >= {difficulty}).")

    def ask(scope: Scope) -> Rational:
        rolled = followed(evaluate, scope)
        _check_exact(rolled, 0, 1)
        return whole(1 - rolled.exactly(0))

    find = compiler.remembered(formula, ask)
    return lambda scope: find(scope, DEFAULT_REACH)


def _chance_of_comparison(compiler: Compiler, formula: ComparisonTest) -> Evaluate:
    """Numbers only move the goal: the same roll answers for all of them."""
    find, added = compiler.roll_and_number(Sum(((1, formula.left), (-1, formula.right))))
    ask, is_plain = _CHANCES[formula.sign], _is_sum(compiler, formula)

    def evaluate(scope: Scope) -> Rational:
        goal = -added(scope)
        rolled = find(scope, reach_to(goal))
        if not is_plain:
            _check_exact(rolled, goal)
        return whole(ask(rolled, goal))

    return evaluate


def _chance_in_range(compiler: Compiler, asked: RangeTest) -> Evaluate:
    """Numbers only move the range."""
    (find, added), find_ends = compiler.roll_and_number(asked.formula), compiler.ends(asked)
    is_plain = _is_sum(compiler, asked.formula)

    def evaluate(scope: Scope) -> Rational:
        number = added(scope)
        low, high = (None if end is None else end - number for end in find_ends(scope))
        if low is not None and high is not None and low > high:
            return 0
        goals = [end for end in (low, high) if end is not None]
        rolled = find(scope, reach_to(*goals))
        if not is_plain:
            _check_exact(rolled, *goals)
        at_least = 1 if low is None else rolled.at_least(low)
        return whole(at_least - (0 if high is None else rolled.at_least(high) - rolled.exactly(high)))

    return evaluate


def _check_exact(rolled: Distribution, *goals: Rational) -> None:
    """Refuse a question that a roll leaves open. Raises ResolverError."""
    if not all(map(rolled.is_exact, goals)):
        hint = "Of an open-ended roll, ask one comparison; or give the roll an end, with min() and max()."
        raise ResolverError("this chance depends on how open-ended rolls go on", hint=hint)


def mean(compiler: Compiler, formula: Formula) -> Evaluate:
    """The mean of a roll; of an open-ended one, without what it leaves out."""
    compiler = _with_throws_once(compiler, formula)
    if compiler.names.is_thrown(formula):
        moments = compiler.throws.moments(formula)
        return lambda scope: whole(moments(scope)[0])
    return _asked(compiler, formula, lambda rolled: rolled.mean)


def deviation(compiler: Compiler, formula: Formula) -> Evaluate:
    """The standard deviation of a roll, to 50 decimals where it is irrational."""
    compiler = _with_throws_once(compiler, formula)
    if compiler.names.is_thrown(formula):
        find = compiler.throws.moments(formula)
        return lambda scope: square_root(find(scope)[1])
    return _asked(compiler, formula, lambda rolled: square_root(rolled.variance))


def end(compiler: Compiler, formula: Formula, *, highest: bool) -> Evaluate:
    """The highest or the lowest that a roll can come to, or that a column of a table prints."""
    if isinstance(formula, NameReference) and compiler.names.is_column(formula.name):
        return _end_of_column(compiler, formula.name, highest=highest)
    which: Callable[[Iterable[Rational]], Rational] = max if highest else min
    compiler = _with_throws_once(compiler, formula)
    if compiler.names.is_thrown(formula):
        find = compiler.throws.distribution(formula)
        return lambda scope: which(value for (value,) in find(scope).values)

    def of_roll(rolled: Distribution) -> Rational:
        if (rolled.exact_high if highest else rolled.exact_low) is not None:
            raise ResolverError(f"this roll has no {'highest' if highest else 'lowest'} outcome")
        return which(rolled.outcomes)

    return _asked(compiler, formula, of_roll)


def _end_of_column(compiler: Compiler, name: str, *, highest: bool) -> Evaluate:
    cells = [named for named in compiler.names.column(name) if named.cell.value is not None]
    if not cells:
        raise ResolverError(f'the column "{name}" is blank')
    cells.sort(key=lambda named: number_in(named, name), reverse=highest)

    def evaluate(scope: Scope) -> Rational:
        for named in cells:
            scope.add_source(named)
        if cells[0].bound:
            scope.bound = cells[0].bound
        return number_in(cells[0], name)

    return evaluate


def _asked(compiler: Compiler, formula: Formula, ask: Callable[[Distribution], Rational]) -> Evaluate:
    evaluate, _ = compiler.part(formula)
    find = compiler.remembered(formula, lambda scope: whole(ask(followed(evaluate, scope))))
    return lambda scope: find(scope, DEFAULT_REACH)


def _with_throws_once(compiler: Compiler, formula: Formula) -> Compiler:
    """A compiler without throws, where a formula mentions each of its throws once: such throws are plain rolls.

    Plain rolls may be open-ended; throws that are mentioned twice are followed outcome by outcome.
    """
    if not compiler.names.thrown:
        return compiler
    known: set[str] = set()
    for name in compiler.names.mentioned(formula):
        if name in known:
            return compiler
        if name in compiler.names.thrown:
            known.add(name)
    rolling = compiler.rolling_throws
    return rolling if _is_sum(rolling, formula) else compiler


def _is_sum(compiler: Compiler, formula: Formula) -> bool:
    """Whether dice are but added up in a formula, and perhaps compared."""
    sides = parts_of(formula) if isinstance(formula, ComparisonTest) else (formula,)
    rolled, _ = compiler.dice_and_numbers(Sum(tuple([(1, side) for side in sides])))
    return bool(rolled) and all(_is_plain(compiler, term) for _, term in rolled)


def _is_plain(compiler: Compiler, formula: Formula) -> bool:
    """Whether dice are rolled and added up, and nothing else is done with them."""
    match formula:
        case Pool() | NamedPool() | NameReference():
            return True
        case Call(name="count"):
            return True
        case Call(name=name, arguments=arguments) if name in DICE_FUNCTIONS:
            return all(_is_plain(compiler, part) for part in arguments if compiler.is_rolled(part))
        case Sum(terms=terms):
            return all(_is_plain(compiler, term) for _, term in terms if compiler.is_rolled(term))
    return False


def _is_condition(compiler: Compiler, formula: Formula) -> bool:
    match formula:
        case ComparisonTest() | RangeTest() | BinaryOperation(sign="and" | "or") | Call(name="not" | "even"):
            return True
        case Call(name="if", arguments=(_, *sides)):
            return all(_is_condition(compiler, side) for side in sides)
        case NameReference(name=name) if name in compiler.names.let:
            return _is_condition(compiler, compiler.names.let[name])
    return False


Build = Callable[["Compiler", Call], Evaluate]
"""Makes a call ready."""


def _reference(call: Call) -> NameReference:
    first = call.arguments[0]
    if not isinstance(first, NameReference):
        raise ResolverError(f"{call.name}() takes a name in braces")
    return first


def _default(compiler: Compiler, call: Call) -> Evaluate:
    """A cell; where it is blank, another formula."""
    name = _reference(call).name
    look_up, otherwise = compiler.names.look_up(name), compiler.number(call.arguments[1])

    def evaluate(scope: Scope) -> Rational:
        named = look_up(scope)
        is_blank = named.cell.value is None and named.number is None and named.cell is not NOT_PRINTED
        return otherwise(scope) if is_blank else number_in(named, name)

    return evaluate


def _end(compiler: Compiler, call: Call) -> Evaluate:
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
        return whole(end)

    return evaluate


def expand_at(names: Names, call: Call) -> Formula:
    """at() as a formula of cell(), which knows the rows that are printed: some columns go on beyond their ends.

    There it is the cell of the last row, plus a step, or times a factor, for each number farther. Raises ResolverError
    for what are not two columns of one table.
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
    """at() with the column of keys by its name, where it is the first of its table."""
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
"""The function to which at() comes; nobody can write its name."""


def _cell(compiler: Compiler, call: Call) -> Evaluate:
    """The cell of a column in the row whose key is, or holds, a given number; without such a row the fourth argument.

    Raises NotPrintedError for a row that the table says it has.
    """
    (keys, column), (asked, *rest) = _columns(call), call.arguments[1:2] + call.arguments[3:]
    number = compiler.number(asked)
    otherwise = compiler.number(rest[0]) if rest else None
    key_cells, cells = compiler.names.column(keys.name), compiler.names.column(column.name)
    expected = compiler.names.expected(keys.name)
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


def _rows(compiler: Compiler, call: Call) -> Evaluate:
    """How many rows a column has."""
    column = compiler.names.column(_reference(call).name)

    def evaluate(scope: Scope) -> Rational:
        for named in column:
            scope.add_source(named)
        return len(column)

    return evaluate


def _is_dice(value: Value | None) -> TypeGuard[DiceText]:
    return isinstance(value, DiceText) and bool(value.expression)


def _dice_count(compiler: Compiler, call: Call) -> Evaluate:
    """How many dice are rolled."""

    def count(formula: Formula, scope: Scope) -> Rational:
        match formula:
            case Pool():
                return formula.count
            case NamedPool():
                return number_in(compiler.names.look_up(formula.count.name)(scope), formula.count.name)
            case NameReference(name=name) if name in compiler.names.let:
                return count(compiler.names.let[name], scope)
            case NameReference(name=name):
                value = compiler.names.look_up(name)(scope).cell.value
                return count(parse_dice(value.expression), scope) if _is_dice(value) else 0
        return sum(count(part, scope) for part in parts_of(formula))

    return lambda scope: count(call.arguments[0], scope)


NAMED: Mapping[str, Build] = {
    "chance": lambda compiler, call: chance(compiler, call.arguments[0]),
    "mean": lambda compiler, call: mean(compiler, call.arguments[0]),
    "deviation": lambda compiler, call: deviation(compiler, call.arguments[0]),
    "highest_of": lambda compiler, call: end(compiler, call.arguments[0], highest=True),
    "lowest_of": lambda compiler, call: end(compiler, call.arguments[0], highest=False),
    "dice_count": _dice_count,
    CELL: _cell,
    "low": _end,
    "high": _end,
    "default": _default,
    "rows": _rows,
}
"""The functions that ask dice, and names."""
