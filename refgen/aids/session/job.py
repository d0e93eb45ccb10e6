"""A session sheet on one paper: as many lines as there is room for, and as many characters side by side.

In: a SessionSheet, its system, and a format. Out: panels of blocks, and from these HTML, PDF and previews.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from refgen.aids.distribute import GAP, PageArea, arrange
from refgen.aids.panels.job import PanelsJob
from refgen.aids.panels.model import Panel, PanelBlock, Panels, Side, type_scale
from refgen.aids.panels.planner import BlockLengths
from refgen.aids.session.model import SessionSheet
from refgen.blocks.block import Block
from refgen.blocks.measure import BlockStyles
from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ShownCell, ShownColumn
from refgen.characters.party import CHARACTERS_ACROSS, FREE, TICKED, even_groups, labelled_table, party_tables
from refgen.layout.lengths import MILLIMETRE
from refgen.layout.metrics import Face, width
from refgen.layout.page_format import Theme, TypeScale
from refgen.layout.sizing import MeasuredCell, page_area

PADDING = 2.1
"""The padding in millimetres above and below the text of a row to write in: such a row is 8 mm high even in the
smallest type.
"""

BOX = 1.5
"""The size of a box to tick, in em of its row."""

NAME, NOTES = 24.0, 26.0
"""The widths of the columns for the names of combatants and for notes, in percent of the table."""

ROOM = 0.75
"""A table to write in needs at least this share of the width of the page, so that it never stands in a narrow column.
"""

ROUNDS_ACROSS = 12
"""The number of rounds in a line."""

SPARE = 4.0
"""Points that stay free at the foot of a page, since heights are estimated."""

_ACROSS = {Theme.LARGE_PRINT: 3}
"""The most characters side by side, by theme; CHARACTERS_ACROSS in type of the usual size."""

_ORDER = ("order-character", "order-value", "order-before", "order-together")
"""The ids of the heads of the table of who acts first."""

_A_LINE = "\u2060"
"""A zero-width character, measured in place of an empty text: a blank row is as high as a row with words."""


@dataclass(frozen=True, slots=True)
class RowsBlock(TableBlock):
    """A table to write in, with high rows and large boxes; a table of one column without a head is free lines."""

    kind: ClassVar = "rows"
    template: ClassVar = "session/rows.html"
    padding: ClassVar = PADDING
    box: ClassVar = BOX
    room_to_write: ClassVar = 2 * PADDING * MILLIMETRE

    def _measured_rows(self, styles: BlockStyles) -> Sequence[Sequence[MeasuredCell]]:
        """The measured cells of all rows; a blank row is as high as a row with words."""
        rows = tuple((replace(row[0], text=row[0].text or _A_LINE), *row[1:]) for row in self.rows)
        return TableBlock._measured_rows(replace(self, rows=rows), styles)


@dataclass(frozen=True, slots=True)
class SessionJob(PanelsJob):
    """A session sheet in one format."""

    page_title: ClassVar = "session-sheet"
    aid: SessionSheet

    @property
    def panels(self) -> Panels:
        """The panels that have content: first the tables to write on, then the party and the tables to look up."""
        first, *others = self._party() or [[]]
        groups = enumerate(([*self._order(), *first], *others), start=1)
        total, words = 1 + len(others), self.system.words
        numbers = (
            (words("party-of", number=n, total=total) if others else words("party"), blocks) for n, blocks in groups
        )
        parts = ((self.aid.title, self._to_write_on()), *numbers, (words("tables"), self._tables()))
        return Panels(self.aid.title, tuple(self._panel(title, blocks) for title, blocks in parts if blocks))

    @property
    def _area(self) -> tuple[float, float]:
        """The width and height of a page, in points."""
        return page_area(self.page_format, self.system.foot(is_computed=True))

    @property
    def _scale(self) -> TypeScale:
        return type_scale(self.page_format, Side.OPEN)

    def _panel(self, title: str, blocks: Sequence[TableBlock]) -> Panel:
        shown = tuple(PanelBlock(part) for block in blocks for part in self._split(block))
        source, rounding = f"{self.system.source}.", self.system.rounding
        return Panel(title, shown, source=source, side=Side.OPEN, flows=True, rounding=rounding)

    def _height(self, block: Block) -> float:
        """The height of a block across the page, in points, in type of the usual size."""
        return block.measure().height(self._area[0], self._scale.usual)

    def _to_write_on(self) -> Sequence[TableBlock]:
        """The combatants, the rounds, and as many free lines as the last page has room for."""
        blocks = [*self._combatants(), *self._rounds()]
        used = 0.0
        for part in (part for block in blocks for part in self._split(block)):
            height = self._height(part) + GAP * MILLIMETRE
            used = height if used + height > self._area[1] else used + height
        count = self.aid.lines
        if count is None:
            first, second = (self._height(self._lines(number)) for number in (1, 2))
            rest = self._area[1] - SPARE - used - first
            count = 1 + int(rest / (second - first)) if rest > 0 else 0
        return [*blocks, self._lines(count)] if count else blocks

    def _combatants(self) -> Iterator[RowsBlock]:
        session, words = self.aid, self.system.words
        rows = [*session.combatants, *[("", *session.blank)] * session.rows]
        if rows:
            middle = [ShownColumn(head, "", "center") for head in session.heads]
            columns = (
                ShownColumn(words("name"), "", "start", NAME),
                *middle,
                ShownColumn(words("notes"), "", "start", NOTES),
            )
            yield self._rows(words("combatants"), columns, [(*row, "") for row in rows])

    def _rounds(self) -> Iterator[RowsBlock]:
        """Tables with a box to tick for each round."""
        last = self.aid.rounds
        for first in range(1, last + 1, ROUNDS_ACROSS):
            numbers = range(first, first + min(ROUNDS_ACROSS, last))
            columns = tuple(ShownColumn(f"{n}" if n <= last else "", "", "center", 100 / len(numbers)) for n in numbers)
            yield self._rows(
                "" if first > 1 else self.system.words("rounds"),
                columns,
                [[FREE if n <= last else "" for n in numbers]],
            )

    def _lines(self, count: int) -> RowsBlock:
        return self._rows(self.system.words("notes"), (ShownColumn("", "", "start"),), [("",)] * count)

    def _rows(self, title: str, columns: tuple[ShownColumn, ...], rows: Sequence[Sequence[str]]) -> RowsBlock:
        shown = tuple(
            tuple(
                _cell(text, column.align, header=not number)
                for number, (text, column) in enumerate(zip(row, columns, strict=True))
            )
            for row in rows
        )
        return RowsBlock(title, columns, shown, room=ROOM * self._area[0])

    def _order(self) -> Sequence[TableBlock]:
        """The table of who acts first, with the chance to act before the next; none without characters."""
        rows = [(turn.name, turn.value, turn.before, turn.together) for turn in self.aid.turns]
        if not rows:
            return []
        filled = [number for number in range(len(_ORDER)) if any(row[number] for row in rows)]
        words = self.system.words
        heads, cells = [words(_ORDER[n]) for n in filled], [[row[n] for n in filled] for row in rows]
        return [self._widen_table(labelled_table(words("order"), heads, cells))]

    def _party(self) -> Sequence[Sequence[TableBlock]]:
        """The tables of the party, in groups of as many characters as fit side by side."""
        groups: Sequence[Sequence[TableBlock]] = []
        for across in range(_ACROSS.get(self.page_format.theme, CHARACTERS_ACROSS), 0, -1):
            groups = [list(self._group(*ends)) for ends in even_groups(len(self.aid.names), across)]
            tables = (block.measure() for blocks in groups for block in blocks)
            if all(table.min_content(self._scale.usual) <= self._area[0] for table in tables):
                break
        return groups

    def _group(self, first: int, end: int) -> Iterator[TableBlock]:
        """The tables of the party for the characters from ``first`` to before ``end``."""
        return map(self._widen_table, party_tables(self.aid.names, self.aid.party, first, end))

    def _widen_table(self, table: TableBlock) -> TableBlock:
        return replace(table, room=ROOM * self._area[0])

    def _split(self, block: TableBlock) -> Iterator[TableBlock]:
        """A table in parts that are no higher than a page, or undivided."""
        (page_width, page_height), size = self._area, self._scale.usual
        whole = self._height(block)
        heights = block.row_heights(block.measure().column_widths(page_width, size), size)[-len(block.rows) :]
        room, first, used = page_height - SPARE - (whole - sum(heights)), 0, 0.0
        for row, height in enumerate(heights):
            if used + height > room and row > first:
                yield block.part(first, row)
                first, used = row, 0.0
            used += height
        yield block.part(first, len(heights))

    def _tables(self) -> Sequence[TableBlock]:
        """The tables that session.toml chooses; else as many tables as fit one page."""
        tables, area = self.aid.tables, PageArea(*self._area)
        if self.aid.tables_are_chosen:
            return tables
        for count in range(len(tables), 0, -1):
            blocks = [BlockLengths(block.measure(), with_next=False) for block in tables[:count]]
            if arrange(blocks, area, self._scale, self._scale.usual) is not None:
                return tables[:count]
        return ()


def _cell(text: str, align: str, *, header: bool) -> ShownCell:
    """A cell to write in; its boxes to tick are larger than the text."""
    grown = (BOX - 1) * width(text, Face.REGULAR) if text and text[0] in (FREE, TICKED) else 0.0
    return ShownCell(text, align, header=header and bool(text) and not grown, after=round(grown, 3))
