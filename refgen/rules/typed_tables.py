"""Raw cells as typed values: the tables, ladders and facts of a document.

In: the raw rows of tables, and what system.toml says of their columns and of ladders. Out: RuleTables and Ladders, and
the value of any one cell. Every error names the place of its cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from refgen.catalog import did_you_mean
from refgen.errors import NotationError, RefgenError, RulesError, is_among
from refgen.notation.levels import Ladder, level_name
from refgen.notation.printed_cell import in_usual_style, is_blank, one_unit, read_value
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.notation.values import Level, Percent, Quantity, Value, as_number
from refgen.readers.document import RawCell
from refgen.readers.grids import FoundTable, Row
from refgen.rules.field_types import FactSpec
from refgen.rules.model import Cell, Column, RuleTable
from refgen.rules.schema import ColumnSpec, LadderSpec, RulesSpec, TableSpec
from refgen.rules.sentence import certain_names, read_in_place
from refgen.span import Span

COUNTED_COLUMN = re.compile(r"column-\d+(?:-\d+)?")
"""The id of a column that has nothing but its number, as proposed for a column without a head."""

MAX_LEVEL = 200
"""The highest number of a level: ladders are climbed step by step, and a number far beyond any of them is a typo."""


@dataclass(frozen=True, slots=True)
class TableTyper:
    """Gives raw cells their types, for the spec of a game, its raw tables and its ladders.

    ``errors`` gets the errors of all cells of a table, of which only the first is raised.
    """

    spec: RulesSpec
    raw: Mapping[str, FoundTable]
    ladders: Mapping[str, Ladder]
    errors: list[RefgenError]

    def value(
        self, cell: RawCell, printed: ColumnSpec | FactSpec, readings: Mapping[str, str], style: NotationStyle = USUAL
    ) -> Value | None:
        """The value of a cell in the notation of its column or fact; None for a blank cell. Raises NotationError."""
        ladder = self.ladders.get(printed.ladder or "")
        text = in_usual_style(printed.type, read_in_place(readings, cell.text), style)
        if is_blank(printed.type, text):
            return None
        try:
            return read_value(printed.type, text, ladder, style.language)
        except NotationError as error:
            hint = self._ladder_hint(printed.ladder, cell.text) if printed.ladder and ladder else ""
            if isinstance(printed, FactSpec):
                hint = _hint_for_type([text], style)
            raise _at_cell(error, cell, hint) from error

    def _ladder_hint(self, ladder_id: str, text: str) -> str:
        """Where the level stands that a text names, or else the whole ladder."""
        table = self.raw[self.spec.ladders[ladder_id].table]
        cells = (cell for row in table.rows for cell in row)
        place = next((cell.span for cell in cells if cell.text and cell.text in text), table.span)
        return f"The ladder stands at {place}."

    def table(self, table_id: str) -> RuleTable:
        """The table with its cells typed. Raises the first error of a cell, row by row."""
        found, spec = self.raw[table_id], self.spec.tables[table_id]
        read = [list(self._cells([row[at] for row in found.rows], column)) for at, column in enumerate(spec.columns)]
        self._refuse_unread(read)
        columns = [
            _with_blanks([cell for cell in cells if isinstance(cell, Cell)], column)
            for cells, column in zip(read, spec.columns, strict=True)
        ]
        for cells in columns:
            _refuse_two_units(cells)
        rows = tuple(zip(*columns, strict=True))
        note = spec.note or " ".join(found.notes)
        heads = _columns(spec, found.header)
        return RuleTable(table_id, spec.title, heads, rows, found.span, note=note, layout=spec.laid_out)

    def _cells(self, cells: Sequence[RawCell], column: ColumnSpec) -> Iterator[Cell | RefgenError]:
        """The cells of a column, or for a cell that cannot be read, the error."""
        texts = [read_in_place(column.read, cell.text) for cell in cells]
        style, hint = self.spec.document.style.of_column(texts), None
        for cell in cells:
            try:
                yield Cell(cell.text, self.value(cell, column, column.read, style), cell.span)
            except RefgenError as error:
                if isinstance(error, NotationError) and error.span == cell.span:  # else it is that of a ladder
                    hint = _hint_for_type(texts, style) if hint is None else hint
                    yield _at_cell(error, cell, hint)
                else:
                    yield error

    def _refuse_unread(self, columns: Sequence[Sequence[Cell | RefgenError]]) -> None:
        found = [cell for row in zip(*columns, strict=True) for cell in row if isinstance(cell, RefgenError)]
        known = [error for error in found if is_among(error, self.errors)]
        for error in found:
            if not is_among(error, self.errors):
                self.errors.append(error)
        if found:
            raise (known or found)[0]

    def ladder(self, spec: LadderSpec, spec_span: Span) -> Ladder:
        """The ladder of a table: its levels numbered by a column, or counted from the level ``zero``.

        Raises RulesError and NotationError.
        """
        cells, column = self._column(spec.table, spec.level, spec_span)
        names = [_level_name(cell, column) for cell in cells]
        titles = [name for name, _ in names]
        if spec.value is None:
            numbers = _counted_from(spec.zero, titles, spec_span)
            signed = min(numbers) < 0
        else:
            numbered, number_column = self._column(spec.table, spec.value, spec_span)
            numbers = [self._level_number(cell, number_column) for cell in numbered]
            signed = any(cell.text.startswith(("+", "(+")) for cell in numbered)
            _refuse_equal_numbers(titles, numbers, [cell.span for cell in numbered])
        levels = {  # a row that is printed twice is one level; the checks report it
            (name, number): Level(name, number, gloss) for (name, gloss), number in zip(names, numbers, strict=True)
        }
        for alias, name in spec.aliases.items():
            if name.casefold() not in {title.casefold() for title in titles}:
                message, hint = f'"{alias}" stands for "{name}", which is no level', did_you_mean(name, titles)
                raise RulesError(message, span=spec_span, hint=hint)
        best_first = sorted(levels.values(), key=lambda level: -level.value)
        return Ladder(tuple(best_first), spec.aliases, signed)

    def _column(self, table: str, column: str, spec_span: Span) -> tuple[Sequence[RawCell], ColumnSpec]:
        """The raw cells of a column, and its spec."""
        if table not in self.raw:
            raise RulesError(f'there is no table "{table}"', span=spec_span, hint=did_you_mean(table, self.spec.tables))
        specs = self.spec.tables[table].columns
        index = next((number for number, spec in enumerate(specs) if spec.id == column), None)
        if index is None:
            hint = did_you_mean(column, [spec.id for spec in specs])
            raise RulesError(f'table "{table}" has no column "{column}"', span=spec_span, hint=hint)
        return [row[index] for row in self.raw[table].rows], specs[index]

    def _level_number(self, cell: RawCell, column: ColumnSpec) -> int:
        number = as_number(self.value(cell, column, column.read, self.spec.document.style))
        if number is None or number.denominator != 1 or abs(number) > MAX_LEVEL:
            hint = f"Levels are whole numbers from {-MAX_LEVEL} to {MAX_LEVEL}."
            raise RulesError(f'"{cell.text}" is not the number of a level', span=cell.span, hint=hint)
        return int(number)


def refuse_never_there(spec: TableSpec, rows: Sequence[Row], spec_span: Span) -> None:
    """Raises RulesError for a column in an optional part of ``row`` that is missing in every row of the table."""
    certain = {name for text in spec.row for name in certain_names(text)}
    for number, column in enumerate(spec.columns if spec.row else ()):
        if column.id not in certain and not any(row[number].text for row in rows):
            message = f'no row of "{spec.title}" has what stands in square brackets with {{{column.id}}}'
            raise RulesError(message, span=spec_span, hint="Mend the sentence `row`, or take the part out of it.")


def _hint_for_type(texts: Sequence[str], style: NotationStyle) -> str:
    """The type that reads all texts, of a column or of a fact, whose own type does not; "" where none does."""
    from refgen.rules.guess import guess_notation  # for errors alone

    fitting = guess_notation(texts, style)
    of_column = "each cell of the column" if len(texts) > 1 else "this"
    return "" if fitting == "text" else f'type = "{fitting}" reads {of_column}.'


def _at_cell(error: NotationError, cell: RawCell, hint: str = "") -> NotationError:
    return NotationError(error.message, span=cell.span, hint=f"{hint} {error.hint}".strip())


def _columns(spec: TableSpec, header: Sequence[str]) -> tuple[Column, ...]:
    heads = header if len(header) == len(spec.columns) else [""] * len(spec.columns)
    return tuple(_column(column, column.title or head) for column, head in zip(spec.columns, heads, strict=True))


def _column(spec: ColumnSpec, words: str) -> Column:
    """A column under some words; without words, under its id, unless that only counts the columns."""
    title = words or spec.id.replace("-", " ").capitalize()
    headless = not words and COUNTED_COLUMN.fullmatch(spec.id) is not None
    return Column(spec.id, title, spec.type, spec.unit, headless)


def _refuse_two_units(cells: Sequence[Cell]) -> None:
    """Refuse a column of quantities in two units: its numbers are compared and added, and 5 gp are not 5 sp."""
    quantities = [(cell, cell.value) for cell in cells if isinstance(cell.value, Quantity)]
    for cell, value in quantities:
        if one_unit(value.unit) != one_unit(quantities[0][1].unit):
            raise RulesError(
                f'"{cell.text}" has another unit than "{quantities[0][0].text}" above it',
                span=cell.span,
                hint="Say what it is in one unit (read = { … }), or make the column text.",
            )


def _with_blanks(cells: Sequence[Cell], column: ColumnSpec) -> Sequence[Cell]:
    """The cells of a column, blank chances above the printed chances as 0%, and those below as 100%, if it says so."""
    printed = [number for number, cell in enumerate(cells) if cell.value is not None]
    if column.blank == "nothing" or not printed:
        return cells
    first, end = printed[0], printed[-1] + 1
    never = [replace(cell, value=Percent(Fraction(0))) for cell in cells[:first]]
    always = [replace(cell, value=Percent(Fraction(1))) for cell in cells[end:]]
    return [*never, *cells[first:end], *always]


def _level_name(cell: RawCell, column: ColumnSpec) -> tuple[str, str]:
    """The name of a level, and the words in brackets behind the name."""
    try:
        return level_name(read_in_place(column.read, cell.text))
    except NotationError as error:
        raise _at_cell(error, cell) from error


def _refuse_equal_numbers(names: Sequence[str], numbers: Sequence[int], spans: Sequence[Span]) -> None:
    first: dict[int, int] = {}
    for row, number in enumerate(numbers):
        if (other := first.setdefault(number, row)) != row and names[other] != names[row]:
            message = f"{names[other]} and {names[row]} have the same number, {number:+d}"
            raise RulesError(message, span=spans[row], hint=f"The first of them stands at {spans[other]}.")


def _counted_from(zero: str, names: Sequence[str], spec_span: Span) -> list[int]:
    """Numbers for levels printed from best to worst, by their distance from the level called ``zero``."""
    if zero not in names:
        raise RulesError(f'no level is called "{zero}"', span=spec_span, hint=did_you_mean(zero, names))
    return [names.index(zero) - number for number in range(len(names))]
