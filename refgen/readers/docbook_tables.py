"""The tables of a DocBook document: CALS tables, tables as in HTML, and tables in cells.

In: the element of a table and the DocBookWords of its document. Out: a DocBookTable for each group of columns
(``tgroup``), or for the rows as in HTML: its Grid, with the faults and notes about its rows. A cell stands in the
column that the cell names (``colname``, ``namest`` to ``nameend``, ``spanname``), or else beside the cell before.

Source: CALS Table Model, OASIS TM 9502:1995; DocBook 5.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

from refgen.catalog import counted
from refgen.readers.docbook_words import DocBookWords, id_of, read_figures
from refgen.readers.document import Fault, Grid, Note, RawCell
from refgen.readers.grids import EvenRows, SpanningCell, fill_spans, hang_footnotes
from refgen.source import Passage

TABLES = {"table", "informaltable", "entrytbl"}
"""The elements that are tables; an ``entrytbl`` is a cell as well."""

_ROWS, _CELLS = ("row", "tr"), ("entry", "entrytbl", "td", "th")
_ROW_GROUPS = {"thead": 0, "tbody": 1, "tfoot": 2}
"""The groups of rows, in the order in which they are printed."""


@dataclass(frozen=True)
class DocBookTable:
    """A table that is read, and the faults and notes about its rows."""

    grid: Grid
    faults: tuple[Fault, ...]
    notes: tuple[Note, ...]


def read_docbook_table(table: Element, words: DocBookWords) -> Iterator[DocBookTable]:
    """Read a table, each of its groups of columns. Raises ReadError for absurd spans."""
    groups = _column_groups(table, words)
    for number, group in enumerate(groups):
        place = words.places[table if len(groups) == 1 else group]
        yield _TableReader(table, group, words).read(place, "" if number else id_of(table))


def cells_of(table: Element, words: DocBookWords) -> Iterator[Element]:
    """The cells of a table that are part of the text, in the order of the document."""
    for group in _column_groups(table, words):
        for row_group in _row_groups(group, words):
            for row in words.shown(row_group, *_ROWS):
                yield from words.shown(row, *_CELLS)


def _column_groups(table: Element, words: DocBookWords) -> list[Element]:
    return words.shown(table, "tgroup") or [table]


def _row_groups(group: Element, words: DocBookWords) -> list[Element]:
    """The elements that hold rows: head, bodies and feet, and the table itself for rows as in HTML."""
    return [group, *sorted(words.shown(group, *_ROW_GROUPS), key=lambda one: _ROW_GROUPS[one.tag])]


@dataclass
class _TableReader:
    """Reads one ``tgroup``; ``footnotes`` are the footnotes of the cells of the group."""

    table: Element
    group: Element
    words: DocBookWords
    footnotes: dict[str, Passage] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    def read(self, place: Passage, table_id: str) -> DocBookTable:
        columns = _Columns.of(self.group)
        groups = _row_groups(self.group, self.words)
        rows = [[self.words.shown(row, *_CELLS) for row in self.words.shown(group, *_ROWS)] for group in groups]
        made = fill_spans([[self._cell(cell, columns) for cell in row] for row in group] for group in rows)
        head = sum(len(some) for group, some in zip(groups, rows, strict=True) if group.tag == "thead")
        head = head or _leading_heads(row for some in rows for row in some)
        title = next(iter(self.words.shown(self.table, "title", "caption")), None)
        grid = Grid(
            tuple(row for row in made.rows if row),
            sum(1 for row in made.rows[:head] if row),
            place.span,
            caption=self.words.title(title),
            id=table_id,
        )
        grid = hang_footnotes(place.source, grid, self.footnotes)
        of_title = self.words.footnotes(title).values() if title is not None else ()
        notes = [RawCell(f"{grid.caption}: {note.text}", note.span) for note in of_title]
        grid = replace(grid, notes=(*notes, *grid.notes))
        return DocBookTable(grid, (*made.faults, *columns.too_many(made)), (*self.notes, *made.notes))

    def _cell(self, cell: Element, columns: _Columns) -> SpanningCell:
        inner = [cell] if cell.tag in TABLES else [one for one in cell.iter() if one.tag in TABLES] if len(cell) else []
        if cell.tag in TABLES:
            place, footnotes = self.words.places[cell][:0], dict[str, Passage]()
        else:
            place, footnotes = self.words.cell(cell, inner)
        self.footnotes |= footnotes
        made = RawCell.of(place)
        if inner:
            self.notes.append(
                Note("a table stands in this cell", made.span, "read as a table of its own, behind this table")
            )
        start, across = columns.place(cell)
        return SpanningCell(made, _rows_of(cell), across, start)


@dataclass(frozen=True)
class _Columns:
    """The columns of a group: how many there are (0: not said), and their numbers, from 0, by name and by span."""

    count: int
    numbers: Mapping[str, int]
    spans: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, group: Element) -> _Columns:
        numbers: dict[str, int] = {}
        for part in (group, *group.findall("thead"), *group.findall("tfoot")):
            number = -1
            for column in part.findall("colspec"):
                number = read_figures(column.get("colnum", ""), number + 2) - 1
                numbers.setdefault(column.get("colname", ""), number)
        spans = {
            span.get("spanname", ""): (span.get("namest", ""), span.get("nameend", ""))
            for span in group.iter("spanspec")
        }
        return cls(read_figures(group.get("cols", ""), 0), numbers, spans)

    def place(self, cell: Element) -> tuple[int, int]:
        """The first column that a cell may stand in, and how many columns the cell covers."""
        first, last = self.spans.get(cell.get("spanname", ""), (cell.get("namest", ""), cell.get("nameend", "")))
        start = self.numbers.get(first or cell.get("colname", ""), 0)
        end = self.numbers.get(last, start)
        return start, max(end - start + 1, read_figures(cell.get("colspan", ""), 1))

    def too_many(self, made: EvenRows) -> Iterator[Fault]:
        """A fault at the first row that is wider than the table says."""
        if not self.count:
            return
        for row in made.rows:
            if len(row) > self.count and row[self.count].text:
                message = f"this table row has {counted(len(row), 'cell')}, its table has {self.count}"
                yield Fault(message, row[self.count].span, "Say in cols how many columns the table has.")
                return


def _rows_of(cell: Element) -> int:
    return read_figures(cell.get("morerows", ""), read_figures(cell.get("rowspan", ""), 1) - 1) + 1


def _leading_heads(rows: Iterable[list[Element]]) -> int:
    """How many rows at the top have head cells only, as HTML has them: the head of a table without a thead."""
    count = 0
    for row in rows:
        if not row or any(cell.tag != "th" for cell in row):
            break
        count += 1
    return count
