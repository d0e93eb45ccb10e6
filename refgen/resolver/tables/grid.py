"""Tables that formulas fill: every combination of some rows, with a formula for each column.

In: a GridSpec. Out: a Table whose cells hold the exact number, its rounded text, and its sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from refgen.errors import ResolverError
from refgen.limits import limit_hint, limits
from refgen.notation.figures import Rounding, decimal, percent, units
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import Formula
from refgen.notation.printed_cell import NotationName
from refgen.notation.values import Number, Percent
from refgen.resolver.chains.chain import EndlessError, chain_functions
from refgen.resolver.chains.moves import ChainsSpec
from refgen.resolver.dice.arithmetic import Rational, shorten_number
from refgen.resolver.formula.axis import Axis, AxisEntry, AxisSpec, constant, level_of_number, read_axis
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names, bindings
from refgen.resolver.formula.scope import NOT_PRINTED, Evaluator, NamedValue, Scope, named_number
from refgen.resolver.lookup import NotPrintedError, column_id, computed_table, ladder_of, words_of
from refgen.resolver.tables.grid_spec import FormulaColumn, GridSpec, Shown
from refgen.rules.model import Cell, Column, Ruleset, RuleTable
from refgen.span import Span

TYPES: Mapping[Shown, NotationName] = {
    **dict.fromkeys(("level", "name"), "level"),
    **dict.fromkeys(("number", "signed"), "number"),
    "percent": "percent",
    "modifier": "modifier",
}


class _FormulaColumn(NamedTuple):
    """A column: the head, names for its formula besides the row, the formula, and how numbers are shown."""

    head: Column
    entry: AxisEntry
    evaluate: Evaluator
    show: Callable[[Rational, Scope], Cell]


@dataclass(frozen=True)
class OpenGrid:
    """A grid whose cells are still to be worked out, one combination of its axes at a time."""

    axes: Sequence[Axis]
    across: Axis | None
    filled: Sequence[_FormulaColumn]
    given: Mapping[str, NamedValue]
    kept: Evaluator | None
    sources: tuple[Span, ...]

    @property
    def columns(self) -> Sequence[Column]:
        """The columns beside the axes."""
        return [column.head for column in self.filled]

    @property
    def combinations(self) -> int:
        """How many combinations there are."""
        return prod(len(axis.entries) for axis in self.axes)

    def cells(self, entries: Sequence[AxisEntry]) -> Sequence[Cell] | None:
        """The cells of an entry of each axis; None where `where` does not keep them."""
        values = {**self.given}
        for entry in entries:
            values |= entry.named
        scope = Scope(values, stated=self.sources)
        if self.kept is not None and not _is_kept(self.kept, scope):
            return None
        return [_cell_of(column, scope) for column in self.filled]


def grid(ruleset: Ruleset[ChainsSpec], table_id: str, spec: GridSpec) -> RuleTable:
    """Fill a grid. Raises ResolverError for a name that is not there, or a formula that has no answer."""
    opened, rows = open_grid(ruleset, spec), []
    for entries in product(*(axis.entries for axis in opened.axes)):
        cells = opened.cells(entries)
        if cells is not None:
            rows.append((*map(_label, entries), *cells))
    columns = [*(axis.column for axis in opened.axes), *opened.columns]
    return computed_table(table_id, spec, columns, rows, words_of(ruleset, spec.rule))


def open_grid(ruleset: Ruleset[ChainsSpec], spec: GridSpec, limit: str = "grid_cells") -> OpenGrid:
    """A grid ready to be filled. Raises ResolverError for a name that is not there, and for cells over a limit."""
    given, chains = _assumed_numbers(ruleset, spec.assume), chain_functions(ruleset)
    axes = [read_axis(ruleset, _with_listed_values(ruleset, spec, axis)) for axis in spec.rows]
    across = read_axis(ruleset, _with_listed_values(ruleset, spec, spec.across)) if spec.across else None
    _check_axes(axes, across, spec, limit)
    named = {name: dice for axis in axes for name, dice in axis.names.items()} | dict.fromkeys(given, False)
    bound = bindings(ruleset, spec, named)
    formulas = Compiler(Names(ruleset, named, bound.let, thrown=bound.thrown), chains.all)
    filled = [*_columns(ruleset, spec, formulas, axes[0]), *_columns_across(ruleset, spec, formulas, across, axes[0])]
    kept = formulas.number(parse_formula(spec.where)) if spec.where else None
    return OpenGrid(axes, across, filled, given, kept, bound.sources)


def _assumed_numbers(ruleset: Ruleset, given: Mapping[str, str]) -> dict[str, NamedValue]:
    return {name: named_number(constant(ruleset, text)) for name, text in given.items()}


def _with_listed_values(ruleset: Ruleset[ChainsSpec], spec: GridSpec, axis: AxisSpec) -> AxisSpec:
    """The axis; of one that goes by the values of a formula, with the numbers that it may come to."""
    if not axis.values:
        return axis
    given = _assumed_numbers(ruleset, spec.assume)
    bound = bindings(ruleset, spec, given)
    names = Names(ruleset, dict.fromkeys(given, False), bound.let, thrown=bound.thrown)
    formulas = Compiler(names, chain_functions(ruleset).all)
    numbers = _values(formulas, parse_formula(axis.values), Scope(given))
    whole = [number for number in numbers if isinstance(number, int)]
    if len(whole) < len(numbers) or len(whole) > limits().axis_entries:
        message = f'"{axis.values}" has parts of whole numbers among its values, or too many of them'
        raise ResolverError(message, hint=limit_hint("axis_entries"))
    return axis.model_copy(update={"values": "", "numbers": whole[::-1] if axis.reverse else whole})


def _values(formulas: Compiler, formula: Formula, scope: Scope) -> Sequence[Rational]:
    """The outcomes of dice, from the lowest. Raises ResolverError for a roll that goes on."""
    if formulas.names.is_thrown(formula):
        return formulas.throws.distribution(formula)(scope).single.outcomes
    rolled = formulas.roll(formula)(scope)
    if rolled.is_open:
        raise ResolverError("an open-ended roll has no last outcome to list", hint="List them from `low` to `high`.")
    return rolled.outcomes


def _label(entry: AxisEntry) -> Cell:
    """The head of a row: what is shown, or mere words."""
    return Cell(entry.head) if entry.head else entry.shown


def _check_axes(axes: Sequence[Axis], across: Axis | None, spec: GridSpec, limit: str) -> None:
    """Refuse two axes with one name, and cells over a limit. Raises ResolverError."""
    ids = [axis.column.id for axis in (*axes, across) if axis]
    for name in ids:
        if ids.count(name) > 1:
            raise ResolverError(f'two axes are called "{name}"')
    columns = len(axes) + len(spec.all_columns) + (len(across.entries) * max(1, len(spec.all_cells)) if across else 0)
    cells = prod(len(axis.entries) for axis in axes) * columns
    if cells > (most := getattr(limits(), limit)):
        hint = f"Take fewer rows or columns: `first` and `last` name a part of a ladder or table. {limit_hint(limit)}"
        raise ResolverError(f"the grid has {cells:,} cells; refgen fills at most {most:,}", hint=hint)


def _columns(ruleset: Ruleset, spec: GridSpec, formulas: Compiler, first: Axis) -> Iterator[_FormulaColumn]:
    for column in spec.all_columns:
        head = Column(column.id, column.title, TYPES.get(column.show, "text"), column.unit)
        given = _assumed_numbers(ruleset, column.assume)
        evaluate = _with_names_across(formulas, dict.fromkeys(given, False)).number(parse_formula(column.formula))
        yield _FormulaColumn(head, AxisEntry(Cell(""), given), evaluate, _cell_maker(ruleset, spec, column, first))


def _with_names_across(formulas: Compiler, across: Mapping[str, bool]) -> Compiler:
    """A compiler with names that change from column to column."""
    if not across:
        return formulas
    names = formulas.names
    let, thrown = (
        {name: value for name, value in part.items() if name not in across} for part in (names.let, names.thrown)
    )
    return replace(formulas, names=replace(names, across=across, let=let, thrown=thrown))


def _columns_across(
    ruleset: Ruleset, spec: GridSpec, formulas: Compiler, across: Axis | None, first: Axis
) -> Iterator[_FormulaColumn]:
    if across is None or spec.across is None:
        return
    crossing = _with_names_across(formulas, across.names)
    only = FormulaColumn(id="x", title="", formula=spec.cell or "0", show=spec.show, ladder=spec.ladder)
    filled = [
        (cell, crossing.number(parse_formula(cell.formula)), _cell_maker(ruleset, spec, cell, first))
        for cell in spec.all_cells or [only]
    ]
    for entry in across.entries:
        title, name = entry.head or entry.shown.text, entry.id or column_id(entry.shown.text)
        if not spec.across.short_ids:
            name = column_id(f"{across.column.id} {entry.id or entry.shown.text}")
        for cell, evaluate, show in filled:
            kind = TYPES.get(cell.show, "text")
            column = Column(f"{name}-{cell.id}", cell.title, kind, cell.unit or title)
            yield _FormulaColumn(
                column if spec.all_cells else Column(name, title, kind, entry.unit), entry, evaluate, show
            )


def _cell_of(column: _FormulaColumn, scope: Scope) -> Cell:
    scope.begin_cell(column.entry.named)
    try:
        return column.show(column.evaluate(scope), scope)
    except EndlessError:
        return Cell("–", sources=scope.sources)
    except NotPrintedError:
        return Cell(NOT_PRINTED.text, sources=scope.sources)


def _is_kept(kept: Evaluator, scope: Scope) -> bool:
    """Whether `where` keeps a row; a row for which a number is not printed is kept."""
    try:
        return bool(kept(scope))
    except NotPrintedError:
        return True


def _chance_cell(chance: Fraction, places: int, rounding: Rounding, sources: tuple[Span, ...]) -> Cell:
    """A computed chance, rounded once; what cannot happen is shown as a dash."""
    text = percent(chance, places, rounding) if chance else "–"
    return Cell(text, Percent(chance, places), exact=chance, sources=sources)


def _cell_maker(
    ruleset: Ruleset, spec: GridSpec, column: FormulaColumn, first: Axis
) -> Callable[[Rational, Scope], Cell]:
    places = spec.places if column.places is None else column.places
    if column.show == "percent":
        return lambda number, scope: _chance_cell(Fraction(number), places, spec.rounding, scope.sources)
    if column.show == "level":
        ladder = ladder_of(ruleset, column.ladder or "")

        def level(number: Rational, scope: Scope) -> Cell:
            found = level_of_number(ladder, units(number, 0, spec.rounding))
            return Cell(found.name, found, exact=Fraction(number), sources=scope.sources)

        return level

    if column.show == "name":
        return lambda number, scope: Cell(_name(first, number), sources=scope.sources)

    def plain(number: Rational, scope: Scope) -> Cell:
        text = decimal(number, places, spec.rounding, ",")
        if column.show in ("signed", "modifier") and number > 0:
            text = f"+{text}"
        if column.show == "times":
            text = f"1:{text}"
        exact = Fraction(number)
        return Cell(scope.bound + text, Number(exact, scope.bound), None, exact, scope.sources)

    return plain


def _name(axis: Axis, number: Rational) -> str:
    """The words of an axis for a number. Raises ResolverError for a number that it lacks."""
    for entry in axis.entries:
        if entry.named[axis.column.id].number == number:
            return _label(entry).text
    raise ResolverError(f'the axis "{axis.column.id}" has no {shorten_number(number)}')
