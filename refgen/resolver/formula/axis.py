"""Axes: the values that a name in the formulas of a grid takes along the rows or columns.

In: an AxisSpec. Out: an Axis: its entries, each with the cell that shows it and the cells that formulas may name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, Self

from pydantic import model_validator

from refgen.catalog import did_you_mean
from refgen.errors import ResolverError
from refgen.limits import limit_hint, limits
from refgen.notation.formula_parser import parse_formula
from refgen.notation.levels import Ladder, signed_text
from refgen.notation.values import DiceText, Level, Number, as_number
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import NOT_PRINTED, Evaluator, NamedValue, Scope
from refgen.resolver.lookup import ladder_of, roll_spec, table_of
from refgen.rules.field_types import FormulaText, Identifier
from refgen.rules.model import Cell, Column, Ruleset, RuleTable
from refgen.rules.toml import Strict


class AxisSpec(Strict):
    """The entries down the rows or across the columns of a grid; formulas name the entry of a cell by ``id``.

    of: each row of a printed table, shown by the column "table.column"; formulas may name other columns of the table
    too ("{id.column}"). A table that says which numbers have a row gives an entry for each, printed or not.
    ladder: each level, best first, or worst first with ``reverse``. numbers: a list of numbers. low and high: each
    whole number between these ends. facts: each fact, with the words that show it. options: words, each with a
    formula of facts for its number. values: each number that a formula over dice may come to. rolls: some named rolls,
    shown by their titles.

    zero_title: words for an entry before the first, with the number 0; the entries are then numbered by their place.
    head: a head over each entry, in which the axis's id in braces stands for the entry.
    head_number: a number below each head. short_ids: the ids of columns are the words of the entries alone.
    """

    id: Identifier
    title: str = ""
    of: str = ""
    facts: dict[Identifier, str] = {}
    options: dict[str, FormulaText] = {}
    ladder: Identifier | None = None
    first: str = ""
    last: str = ""
    reverse: bool = False
    numbers: list[int] = []
    low: FormulaText = ""
    high: FormulaText = ""
    values: FormulaText = ""
    rolls: list[Identifier] = []
    signed: bool = False
    zero_title: str = ""
    head: str = ""
    head_number: FormulaText = ""
    short_ids: bool = False
    unit: str = ""

    @model_validator(mode="after")
    def _check_values(self) -> Self:
        from_to = bool(self.low and self.high)
        lists = (self.numbers, self.facts, self.options, self.rolls)
        if sum(map(bool, (self.of, self.ladder is not None, *lists, from_to, self.values))) != 1:
            raise ValueError("an axis is one of: of, ladder, numbers, facts, options, rolls, values, low and high")
        return self


class AxisEntry(NamedTuple):
    """A value of an axis: the cell that shows it, the names for formulas, and words at its head ("": as shown).

    ``id`` is the id of the column across; "" where the id is made from the shown text.
    """

    shown: Cell
    named: Mapping[str, NamedValue]
    unit: str = ""
    head: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Axis:
    """A column for the head of each row, the entries, and for each name whether it stands for dice."""

    column: Column
    entries: Sequence[AxisEntry]
    names: Mapping[str, bool]


def read_axis(ruleset: Ruleset, spec: AxisSpec) -> Axis:
    """The values of an axis. Raises ResolverError for a table, column, ladder or level that is not there."""
    axis = _axis_of_kind(ruleset, spec)
    if not (spec.zero_title or spec.head_number or spec.head or "{" in spec.unit):
        return axis
    nothing = AxisEntry(Cell(spec.zero_title), dict.fromkeys(axis.names, NamedValue(Cell(""), None)))
    under = Compiler(Names(ruleset, axis.names)).number(parse_formula(spec.head_number)) if spec.head_number else None
    entries = [nothing, *axis.entries] if spec.zero_title else axis.entries
    return replace(axis, entries=[_with_head(spec, place, entry, under) for place, entry in enumerate(entries)])


def _with_head(spec: AxisSpec, place: int, entry: AxisEntry, under: Evaluator | None) -> AxisEntry:
    """An entry with the head and unit of the axis, and the number of its place where entries are numbered."""
    named, unit, shown = entry.named, entry.unit, entry.shown
    if spec.zero_title:
        named = {**named, spec.id: NamedValue(shown, place)}
    if under:
        unit = signed_text(whole_number(under(Scope(named)), spec.head_number))
    if "{" in spec.unit:
        unit = _filled_words(spec.unit, named)
    head = spec.head.replace(f"{{{spec.id}}}", shown.text) if spec.head else entry.head
    return AxisEntry(shown, named, unit, head, entry.id)


def _filled_words(words: str, named: Mapping[str, NamedValue]) -> str:
    """Words with what names stand for in their places, as it is printed."""
    for name, value in named.items():
        words = words.replace(f"{{{name}}}", value.cell.text)
    return words


def _axis_of_kind(ruleset: Ruleset, spec: AxisSpec) -> Axis:
    """The axis with the entries in the order of system.toml, without heads."""
    if spec.values:
        raise ResolverError(f'the axis "{spec.id}" goes by the values of a formula', hint="It belongs into a grid.")
    if spec.of:
        table = table_of(ruleset, spec.of.partition(".")[0])
        return _of_table(spec, table, _rows(ruleset, table))
    if spec.facts:
        return _of_facts(ruleset, spec)
    if spec.options:
        return _of_options(ruleset, spec)
    if spec.rolls:
        return _of_rolls(ruleset, spec)
    if spec.ladder is not None:
        return _of_ladder(ruleset, spec, spec.ladder)
    return _of_numbers(spec, spec.numbers or _from_low_to_high(ruleset, spec))


def printed_rows(ruleset: Ruleset, spec: AxisSpec) -> Axis:
    """The axis along a table as it is printed, with the rows that it has."""
    table = table_of(ruleset, spec.of.partition(".")[0])
    return _of_table(spec, table, table.rows)


def _of_table(spec: AxisSpec, table: RuleTable, rows: Sequence[tuple[Cell, ...]]) -> Axis:
    """A row of a table for each entry: "{type}" is the cell shown, "{type.force}" another cell of the row."""
    index = table.index(spec.of.partition(".")[2])
    if index is None:
        raise ResolverError(f'"{spec.of}" is no column', hint='Write of = "table.column".')
    column = table.columns[index]
    places = {f"{spec.id}.{other.id}": number for number, other in enumerate(table.columns)} | {spec.id: index}
    entries = [
        AxisEntry(_head(row[index]), {name: NamedValue.of(row[place]) for name, place in places.items()})
        for row in rows
    ]
    dice = [any(isinstance(row[number].value, DiceText) for row in table.rows) for number in range(len(table.columns))]
    names = {name: dice[place] for name, place in places.items()}
    if spec.reverse:
        entries.reverse()
    return Axis(
        Column(spec.id, spec.title or column.title, column.type, spec.unit),
        part_of(entries, spec.first, spec.last),
        names,
    )


def _rows(ruleset: Ruleset, table: RuleTable) -> Sequence[tuple[Cell, ...]]:
    """The rows of a table; where it says which numbers have one, a row for each, printed or not.

    A row that is lost is a finding: it shortens no table that follows.
    """
    spec = ruleset.spec.tables.get(table.id)
    if spec is None or not spec.numbers:
        return table.rows
    held = ((as_number(row[spec.numbered].value), row) for row in table.rows)
    printed = {number: row for number, row in held if number is not None}
    is_falling = bool(printed) and next(iter(printed)) > next(reversed(printed))
    numbers = spec.numbers[::-1] if is_falling else spec.numbers
    return [
        printed.get(Fraction(number)) or _not_printed(number, spec.numbered, len(table.columns)) for number in numbers
    ]


def _not_printed(number: int, at: int, width: int) -> tuple[Cell, ...]:
    held = Cell(str(number), Number(Fraction(number)))
    return tuple(held if place == at else NOT_PRINTED for place in range(width))


def _head(cell: Cell) -> Cell:
    return Cell(cell.shown, cell.value, sources=(cell.span,) if cell.span else ())


def _of_facts(ruleset: Ruleset, spec: AxisSpec) -> Axis:
    names = Names(ruleset, {})
    entries = []
    for fact_id in spec.facts:
        named = names.look_up(fact_id)(Scope({}))
        title = spec.facts[fact_id] or ruleset.facts[fact_id].title
        entries.append(AxisEntry(Cell(title, sources=(ruleset.facts[fact_id].span,)), {spec.id: named}))
    dice = any(names.is_dice(fact_id) for fact_id in spec.facts)
    return Axis(Column(spec.id, spec.title), part_of(entries, spec.first, spec.last), {spec.id: dice})


def _of_options(ruleset: Ruleset, spec: AxisSpec) -> Axis:
    """An entry for each of some words, with its number and where the first thing stands that it rests on."""
    formulas, entries = Compiler(Names(ruleset, {})), []
    for words, text in spec.options.items():
        scope = Scope({})
        number = formulas.number(parse_formula(text))(scope)
        held = Cell(words, span=next(iter(scope.sources), None))
        entries.append(AxisEntry(Cell(words, sources=scope.sources), {spec.id: NamedValue(held, number)}))
    return Axis(Column(spec.id, spec.title), part_of(entries, spec.first, spec.last), {spec.id: False})


def _of_rolls(ruleset: Ruleset, spec: AxisSpec) -> Axis:
    """A named roll for each entry: the axis stands for its dice."""
    entries = []
    for roll_id in spec.rolls:
        roll = roll_spec(ruleset, roll_id)
        named = NamedValue(Cell(roll.title), None, formula=parse_formula(roll.roll))
        entries.append(AxisEntry(Cell(roll.title), {spec.id: named}, id=roll_id))
    return Axis(Column(spec.id, spec.title), part_of(entries, spec.first, spec.last), {spec.id: True})


def _of_ladder(ruleset: Ruleset, spec: AxisSpec, ladder: str) -> Axis:
    levels, shown = (
        level_cells(ruleset, ladder),
        signed_text if spec.signed or ladder_of(ruleset, ladder).signed else str,
    )
    entries = [AxisEntry(_head(cell), {spec.id: NamedValue.of(cell)}, shown(level.value)) for level, cell in levels]
    if spec.reverse:
        entries.reverse()
    return Axis(
        Column(spec.id, spec.title or "Level", "level", spec.unit),
        part_of(entries, spec.first, spec.last),
        {spec.id: False},
    )


def level_cells(ruleset: Ruleset, ladder: str) -> Sequence[tuple[Level, Cell]]:
    """The levels of a ladder, best first, each with a cell that stands where the level is printed."""
    spec = ruleset.spec.ladders.get(ladder)
    levels = ladder_of(ruleset, ladder).levels
    table = table_of(ruleset, spec.table) if spec else None
    index = table.index(spec.level) if table and spec else None
    printed = [row[index] for row in table.rows] if table and index is not None else []
    by_value = {cell.value.value: cell.span for cell in printed if isinstance(cell.value, Level)}
    return [(level, Cell(level.name, level, by_value.get(level.value))) for level in levels]


def _of_numbers(spec: AxisSpec, numbers: Sequence[int]) -> Axis:
    cells = [Cell(signed_text(number) if spec.signed else str(number), Number(Fraction(number))) for number in numbers]
    entries = [AxisEntry(cell, {spec.id: NamedValue.of(cell)}) for cell in cells]
    column = Column(spec.id, spec.title, "number", spec.unit)
    return Axis(column, part_of(entries, spec.first, spec.last), {spec.id: False})


def _from_low_to_high(ruleset: Ruleset, spec: AxisSpec) -> Sequence[int]:
    low, high = constant(ruleset, spec.low), constant(ruleset, spec.high)
    if not 0 <= high - low < limits().axis_entries:
        raise ResolverError(f"there are no numbers from {low} to {high}, or too many", hint=limit_hint("axis_entries"))
    numbers = range(low, high + 1)
    return numbers[::-1] if spec.reverse else numbers


def part_of(entries: Sequence[AxisEntry], first: str, last: str) -> Sequence[AxisEntry]:
    """The entries from one to another, both included; "" for the end."""
    names = [entry.shown.text for entry in entries]
    for name in (first, last):
        if name and name not in names:
            raise ResolverError(f'there is no "{name}" there', hint=did_you_mean(name, names))
    start = names.index(first) if first else 0
    end = names.index(last) + 1 if last else len(names)
    return entries[start:end]


def constant(ruleset: Ruleset, text: str) -> int:
    """The whole number that a formula of facts comes to; 0 for ""."""
    if not text:
        return 0
    return whole_number(Compiler(Names(ruleset, {})).number(parse_formula(text))(Scope({})), text)


def whole_number(number: Rational, text: str) -> int:
    """The number that a formula came to. Raises ResolverError for one that is not whole."""
    if not isinstance(number, int):
        raise ResolverError(f'"{text}" comes to {number}, which is no whole number')
    return number


def level_of_number(ladder: Ladder, number: int) -> Level:
    """The level of a number; beyond the ladder's ends, the end and the steps from it."""
    level = ladder.named(number)
    if level is not None:
        return level
    end = min(ladder.levels, key=lambda known: abs(known.value - number))
    return Level(f"{end.name} {number - end.value:+d}", number)
