"""A table as a block: the columns and rows as they are shown, and the height without laying the table out.

In: a table of a game, and the keys of an author. Out: a TableBlock. Raises AidError for columns and rows that do not
exist. In: the columns and cells of a TableBlock, and the styles of its page. Out: a MeasuredTable, or the height of
each row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

from pydantic import Field, model_validator

from refgen.blocks.block import Block, BlockContents, BlockContext, BlockKeys
from refgen.blocks.measure import ON_PANELS, BlockStyles, MeasuredContent
from refgen.blocks.table_cells import (
    ShownCell,
    ShownColumn,
    equal_heat_columns,
    shown_columns,
    shown_rows,
    with_bars,
)
from refgen.blocks.typesetting import (
    BlockScope,
    column_index,
    fill_placeholders,
    footnotes,
    typeset,
    with_written_figures,
)
from refgen.catalog import counted, fold_name
from refgen.checks.finding import Mark
from refgen.errors import AidError
from refgen.layout import lengths
from refgen.layout.lengths import BODY, TextStyle
from refgen.layout.metrics import Face, width
from refgen.layout.pieces import Piece
from refgen.layout.sizing import MeasuredCell, breakable_text, measure_rows
from refgen.look.look import look_in_use
from refgen.notation.figures import USUAL_ROUNDING
from refgen.rules.field_types import Identifier
from refgen.rules.model import Cell, RuleTable
from refgen.span import Span
from refgen.words import ENGLISH, Words


class TableKeys(BlockKeys):
    """The keys of a table.

    ``row_range`` is the first and the last row to show (counted from 1), ``part`` the number of one of ``parts`` equal
    parts of these rows, and ``fold`` the number of groups of rows side by side.
    """

    table: Identifier | None = None
    columns: list[Identifier] = []
    heads: dict[Identifier, str] = {}
    bars: Identifier | None = None
    heat: bool = False
    row_range: tuple[int, int] | None = None
    parts: int = Field(1, ge=1, le=12)
    part: int = Field(1, ge=1)
    fold: int = Field(1, ge=1, le=8)

    @model_validator(mode="after")
    def _check_rows(self) -> Self:
        if self.part > self.parts:
            raise ValueError(f"part {self.part} of {self.parts}")
        if self.row_range and not 1 <= self.row_range[0] <= self.row_range[1]:
            raise ValueError(f"rows from {self.row_range[0]} to {self.row_range[1]}")
        return self


@dataclass(frozen=True, slots=True)
class TableBlock(Block):
    """A table on the page. ``source`` is where it is printed; ``heat``: figures have tints behind them.

    A table with ``room`` is as wide as its column, and never narrower than ``room`` points.
    """

    kind: ClassVar = "table"
    key: ClassVar = "table"
    entries: ClassVar = "rows"
    ruled: ClassVar = True

    room_to_write: ClassVar[float] = 0.0
    """Points above and below the text of each row together, besides the padding of its cells."""

    columns: tuple[ShownColumn, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    source: str = field(default="", kw_only=True)
    heat: bool = field(default=False, kw_only=True)
    headless: bool = field(default=False, kw_only=True)
    room: float = field(default=0.0, kw_only=True)

    @classmethod
    def make(cls, spec: TableKeys, context: BlockContext) -> TableBlock:
        """The wanted columns and rows; the head of a single column is left out where it repeats the title above it."""
        table, scope = selected_rows(spec, context), context.scope
        heads = replaced_heads(spec, table, context)
        marks, words = scope.marks, scope.words
        shown = show_table(table, spec.columns, heads, bars=spec.bars, heat=spec.heat, marks=marks, words=words)
        block = folded_table(shown, spec.fold)
        return replace(
            block,
            title=_with_dice(context.title or (table.title if context.titled else ""), spec, table, context),
            columns=_without_repeated_head(block.columns, context.title or context.within),
            note=_with_rounding(block.note if spec.note is None else context.note, table.rounding, words),
            heat=spec.heat,
        )

    @classmethod
    def printed_at(cls, spec: TableKeys, scope: BlockScope) -> Span | None:
        """Where the table stands."""
        return scope.tables[spec.table or ""].span

    @property
    def is_list(self) -> bool:
        """Whether the table is one column without a head, which looks and reads like a list."""
        return len(self.columns) == 1 and not (self.columns[0].title or self.columns[0].under)

    @property
    def has_heads(self) -> bool:
        """Whether the table has a row of heads."""
        return not (self.is_list or self.headless)

    @property
    def _heads(self) -> Sequence[ShownColumn]:
        return self.columns if self.has_heads else ()

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """Heads and cells, row by row; the sign of a footnote is a piece of its own."""
        for number, column in enumerate(self.columns, start=1):
            yield Piece(column.title, f"{where}, head {number}")
            yield Piece(column.under, f"{where}, head {number}")
        for number, row in enumerate(self.rows, start=1):
            for column_number, cell in enumerate(row, start=1):
                place = f"{where}, row {number}, column {column_number}"
                yield Piece(cell.text, place)
                yield Piece(cell.sign, f"{place}, sign")

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:
        """The table."""
        percentages = [lengths.BARS if column.align == "bars" else column.share for column in self.columns]
        table = measure_rows(self._measured_rows(styles), sum(self._borders), percentages)
        yield replace(table, least=self.room)

    def row_heights(self, widths: Sequence[float], size: float) -> Sequence[float]:
        """The height of each row in points, the heads first, in columns of these widths."""
        rows = zip(self._measured_rows(ON_PANELS), self._borders, strict=True)
        return [_row_height(row, widths, size) + border for row, border in rows]

    def _measured_rows(self, styles: BlockStyles) -> Sequence[Sequence[MeasuredCell]]:
        """The measured cells of all rows, the heads first if there are any."""
        return [*([_heads(self._heads, styles)] if self._heads else []), *(_row(row, styles) for row in self.rows)]

    @property
    def _borders(self) -> Sequence[float]:
        """The height of the border of each row in points, the heads first, with the room to write in."""
        return [*[lengths.HEAD_BORDER] * bool(self._heads), *[lengths.ROW_BORDER + self.room_to_write] * len(self.rows)]

    def contents(self) -> BlockContents:
        """The heads, if there are any, and the cells, each with the sign of its footnote."""
        heads = [f"{column.title} {column.under}".strip() for column in self._heads]
        return BlockContents(heads=heads, rows=[[f"{cell.text}{cell.sign}" for cell in row] for row in self.rows])

    def fields_of_entries(self, first: int, end: int) -> Mapping[str, Any]:
        """Some rows, with bars scaled to the longest bar among them."""
        return {"rows": with_bars(self.rows[first:end])}


def show_table(
    table: RuleTable,
    wanted: Sequence[str] = (),
    heads: Mapping[str, str] | None = None,
    *,
    bars: str | None = None,
    heat: bool = False,
    marks: Mapping[Span, Mark] = MappingProxyType({}),
    words: Words = ENGLISH,
) -> TableBlock:
    """A table as it is shown: all its columns, or the wanted ones in order, with their own heads or ``heads``."""
    table = with_written_figures(table, words)
    indexes = [column_index(table, column) for column in wanted] or list(range(len(table.columns)))
    bar_index = column_index(table, bars) if bars else None
    notes = footnotes((row[index].span for row in table.rows for index in indexes), marks)
    columns = shown_columns(table, indexes, heads or {}, bar_index)
    rows = shown_rows(table, indexes, notes, bar_index, words.decimal, heat=heat)
    has_words = any(column.title or column.under for column in columns)
    return TableBlock(
        table.title,
        equal_heat_columns(columns, rows) if heat else columns,
        rows,
        headless=not has_words and all(table.columns[index].headless for index in indexes),
        tag=words("computed") if table.computed else "",
        note=typeset(table.note),
        footnotes=notes.notes,
        source=table.span.short if table.span else "",
    )


def text_table(title: str, columns: Sequence[ShownColumn], rows: Iterable[Sequence[str]]) -> TableBlock:
    """A table of plain texts, each aligned as its column; the first text of a row names the row."""
    shown = (
        tuple(
            ShownCell(text, column.align, header=not at)
            for at, (text, column) in enumerate(zip(row, columns, strict=True))
        )
        for row in rows
    )
    return TableBlock(title, tuple(columns), tuple(shown))


def rows_in(table: RuleTable, row_range: tuple[int, int] | None) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a table in a range, counted from 1; None: all rows. Raises AidError for rows that are not there."""
    first, last = row_range or (1, len(table.rows))
    if last > len(table.rows):
        raise AidError(
            f'table "{table.id}" has {counted(len(table.rows), "row")}, and rows {first} to {last} are wanted'
        )
    return table.rows[first - 1 : last]


def selected_rows(spec: TableKeys, context: BlockContext) -> RuleTable:
    """The table with the wanted rows: a range of rows, and of this range one part (the last may be shorter)."""
    table = context.scope.tables[spec.table or ""]
    rows = rows_in(table, spec.row_range)
    height = -(-len(rows) // spec.parts)
    return replace(table, rows=rows[(spec.part - 1) * height : spec.part * height])


def replaced_heads(spec: TableKeys, table: RuleTable, context: BlockContext) -> Mapping[str, str]:
    """The heads of columns that an author replaces, by column id."""
    for column in spec.heads:
        column_index(table, column)
    return {column: fill_placeholders(context.scope, head) for column, head in spec.heads.items()}


def _with_dice(title: str, spec: TableKeys, table: RuleTable, context: BlockContext) -> str:
    """The title of a random table with its dice, where the row numbers are shown."""
    is_numbered = title and (not spec.columns or table.columns[0].id in spec.columns)
    roll = context.scope.table_roll(context.scope.tables[table.id]) if is_numbered else None
    return roll.titled(title) if roll else title


def _without_repeated_head(columns: tuple[ShownColumn, ...], title: str) -> tuple[ShownColumn, ...]:
    """The columns of a table; the head of a single column is left out if it repeats the title above it."""
    if len(columns) == 1 and fold_name(columns[0].title) == fold_name(title) and not columns[0].under:
        return (replace(columns[0], title=""),)
    return columns


def _with_rounding(note: str, rounding: str, words: Words) -> str:
    """A note that also names the rounding of a table, if it is not the usual one."""
    if rounding in ("", USUAL_ROUNDING):
        return note
    return f"{note} {words.rounded('rounded', rounding)}".strip()


def folded_table(block: TableBlock, groups: int) -> TableBlock:
    """A long table with its rows in ``groups`` side by side; the last group may be shorter."""
    height = -(-len(block.rows) // groups)
    blank = tuple(ShownCell("", column.align) for column in block.columns)
    lines = (block.rows[line::height] for line in range(height))
    rows = (_side_by_side((*line, *[blank] * (groups - len(line)))) for line in lines)
    columns = tuple(replace(column, share=round(column.share / groups, 2)) for column in block.columns)
    return replace(block, columns=_side_by_side((columns,) * groups), rows=tuple(rows))


_Held = TypeVar("_Held", ShownColumn, ShownCell)


def _side_by_side(groups: Sequence[Sequence[_Held]]) -> tuple[_Held, ...]:
    """Columns or cells of all groups, each group but the first behind a gutter."""
    held = list(groups[0])
    for group in groups[1:]:
        held.append(replace(group[0], gutter=True))
        held += group[1:]
    return tuple(held)


def _row_height(row: Sequence[MeasuredCell], widths: Sequence[float], size: float) -> float:
    style = row[0].style
    em = style.size(size)
    across = [cell.width(widths, column) for column, cell in enumerate(row)]
    room = [(width - cell.border) / em if cell.wraps else inf for cell, width in zip(row, across, strict=True)]
    lines = max(cell.lines(width) for cell, width in zip(row, room, strict=True))
    return (row[0].padding_block + lines * style.line_height) * em


def _heads(columns: Sequence[ShownColumn], styles: BlockStyles) -> list[MeasuredCell]:
    left = [*(lengths.GROUP_GUTTER if column.gutter else 0.0 for column in columns), 0.0]
    borders = [(before + behind) / 2 for before, behind in pairwise(left)]
    return [_head(column, border, styles.head) for column, border in zip(columns, borders, strict=True)]


def _row(cells: Sequence[ShownCell], styles: BlockStyles) -> list[MeasuredCell]:
    left = [*(_border(cell) for cell in cells), 0.0]
    borders = [(left[number] + left[number + cell.columns]) / 2 for number, cell in enumerate(cells)]
    return [_cell(cell, border, styles) for cell, border in zip(cells, borders, strict=True)]


def _border(cell: ShownCell) -> float:
    """The border on the left of a cell, in points."""
    if cell.gutter:
        return lengths.GROUP_GUTTER
    return lengths.HEAT_BORDER if cell.heat is not None else 0.0


def _head(column: ShownColumn, border: float, style: TextStyle) -> MeasuredCell:
    texts = (column.title, column.under) if column.under else (column.title,)
    paragraphs = tuple(breakable_text(text, Face.SEMIBOLD) for text in texts)
    return MeasuredCell(
        paragraphs,
        column.align != "end",
        style,
        2 * lengths.CELL_PADDING_BLOCK * look_in_use().spacing,
        2 * lengths.CELL_PADDING_INLINE,
        border,
    )


def _cell(cell: ShownCell, border: float, styles: BlockStyles) -> MeasuredCell:
    face = Face.SEMIBOLD if cell.header else Face.REGULAR
    # A sign takes width in a header only; elsewhere it hangs beside its figure.
    behind = lengths.SIGN.widest * width(cell.sign, face) if cell.header else 0.0
    padding_inline = 2 * lengths.CELL_PADDING_INLINE + behind + cell.before + cell.after
    # Cells with bars or heat have no class that says how they are aligned, and so their lines wrap.
    free = cell.align == "start" or cell.bar is not None or cell.heat is not None
    wraps = cell.is_long or (styles.names_wrap if cell.header else free)
    # A sign alone makes a line, too.
    text = cell.text or ("\u2060" if cell.sign else "")
    return MeasuredCell(
        (breakable_text(text, face),),
        wraps,
        BODY,
        2 * lengths.CELL_PADDING_BLOCK * look_in_use().spacing,
        padding_inline,
        border,
        cell.columns,
    )
