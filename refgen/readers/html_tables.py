"""The tables of a page: their rows as browsers build them, heads, captions, footnotes, and tables in cells.

In: the element of a table and the PageWords of its page. Out: a HtmlTable: its Grid, the faults and notes found in it,
and the tables that stand in its cells, which are read as tables of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree

from refgen.readers.document import Fault, Grid, Note, RawCell
from refgen.readers.grids import SpanningCell, fill_spans, hang_footnotes, is_blank
from refgen.readers.html_navigation import words_in
from refgen.readers.html_words import PageWords
from refgen.readers.markup import HEADINGS
from refgen.source import Passage

_ROW_GROUPS = ("thead", "tbody", "tfoot", "table")
_NUMBER = re.compile(r"[ \t\n\r\f]*[+-]?[0-9]{1,10}")  # the digits that browsers would read, up to an absurd size
_WORDS_OF_A_PART = 60
"""A cell with a table and more words than these is a part of the page, not of a table of rules."""


def read_number(written: str, default: int) -> int:
    """The number that an attribute says, as browsers read it."""
    match = _NUMBER.match(written)
    return int(match[0]) if match else default


def is_layout(table: etree._Element) -> bool:
    """Whether a table only arranges a page: it holds headings, or tables in many or in large cells."""
    if next(table.iter(*HEADINGS), None) is not None:
        return True
    cells = [cell for cell in _own(table, "td", "th") if words_in(cell)]
    holders = [cell for cell in cells if next(cell.iter("table"), None) is not None]
    return 3 * len(holders) > len(cells) or any(len(words_in(cell)) > _WORDS_OF_A_PART for cell in holders)


@dataclass(frozen=True)
class HtmlTable:
    """A table that is read, and the tables in its cells."""

    grid: Grid
    faults: tuple[Fault, ...]
    notes: tuple[Note, ...]
    inner: tuple[etree._Element, ...]


def read_table(table: etree._Element, words: PageWords) -> HtmlTable:
    """Read a table. Raises ReadError for absurd spans."""
    return _TableReader(table, words).read()


@dataclass
class _RowGroup:
    """The rows in one thead, tbody or tfoot, or in the table itself."""

    tag: str
    rows: list[list[etree._Element]] = field(default_factory=list)


@dataclass
class _TableReader:
    """Reads a table; ``footnotes`` are those of its cells, ``notes`` on cells with tables."""

    table: etree._Element
    words: PageWords
    footnotes: dict[str, Passage] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    inner: list[etree._Element] = field(default_factory=list)

    def read(self) -> HtmlTable:
        groups = sorted(self._row_groups(), key=lambda group: {"thead": 0, "tfoot": 2}.get(group.tag, 1))
        rows = [row for group in groups for row in group.rows]
        made = fill_spans([[self._spanning_cell(cell) for cell in row] for row in group.rows] for group in groups)
        in_head = sum(len(group.rows) for group in groups if group.tag == "thead") or _leading_heads(rows)
        blank = [row[0] for row in made.rows if row and is_blank(row)]
        self.notes += [*made.notes, *(Note("this table row is empty", cell.span, "skipped") for cell in blank)]
        caption = next(iter(_own(self.table, "caption")), None)
        grid = Grid(
            tuple(row for row in made.rows if not is_blank(row)),
            sum(1 for row in made.rows[:in_head] if not is_blank(row)),
            self._extent().span,
            RawCell.of(self.words.prose(caption)).text if caption is not None else "",
            self.words.tag(self.table).attributes.get("id", ""),
        )
        grid = hang_footnotes(self.words.text.source, grid, self.footnotes)
        faults = (*made.faults, *self._outside_cells())
        return HtmlTable(grid, faults, tuple(self.notes), tuple(self.inner))

    def _row_groups(self) -> list[_RowGroup]:
        """The shown cells of the table by rows and row groups; cells outside any row make a row."""
        left_out = self.words.appearance.left_out
        groups: dict[etree._Element, _RowGroup] = {}
        rows: dict[etree._Element, list[etree._Element]] = {}
        for element in _own(self.table, "tr", "td", "th"):
            row = next(element.iterancestors("tr", *_ROW_GROUPS)) if element.tag != "tr" else element
            container = row if row.tag in _ROW_GROUPS else next(row.iterancestors(*_ROW_GROUPS))
            if any(one in left_out for one in (element, row, container)):
                continue
            if row not in rows:
                group = groups.setdefault(container, _RowGroup(str(container.tag)))
                group.rows.append(rows.setdefault(row, []))
            if element.tag != "tr":
                rows[row].append(element)
        return list(groups.values())

    def _outside_cells(self) -> Iterator[Fault]:
        """A fault for words in the table outside its cells, which browsers show above the table."""
        apart = (part for part in self.table.iter() if part in self.words.appearance.left_out)
        read = (*_own(self.table, "td", "th"), *_own(self.table, "caption")[:1])
        placed = {number for part in (*read, *apart) for number in words_in(part)}
        for number in words_in(self.table):
            if number not in placed:
                place = self.words.markup.words[number].strip()
                yield Fault("this stands in no cell of its table, and is left out", place.span, "Put it into a cell.")

    def _extent(self) -> Passage:
        """The table from its start tag to its end tag, or to the end of the page."""
        text, ends = self.words.text, self.words.markup.table_ends
        start = self.words.tag(self.table).start
        closing = bisect_right(ends, start) + sum(1 for _ in self.table.iter("table")) - 1
        return text[start : ends[closing] if closing < len(ends) else len(text)]

    def _spanning_cell(self, cell: etree._Element) -> SpanningCell:
        attributes = self.words.tag(cell).attributes
        rows, columns = (read_number(attributes.get(name, ""), 1) for name in ("rowspan", "colspan"))
        inner = [table for table in cell.iter("table") if not is_layout(table)]
        words, footnotes = self.words.cell(cell, inner)
        self.footnotes |= footnotes
        made = RawCell.of(words)
        if inner:
            reading = "read as a table of its own, behind this table"
            self.notes.append(Note("a table stands in this cell", made.span, reading))
            self.inner += [table for table in inner if not any(one in inner for one in table.iterancestors("table"))]
        return SpanningCell(made, max(rows, 0), max(columns, 1))


def _own(table: etree._Element, *tags: str) -> Sequence[etree._Element]:
    """The elements of a table that belong to no table in its cells."""
    return [element for element in table.iter(*tags) if next(element.iterancestors("table"), None) is table]


def _leading_heads(rows: Sequence[Sequence[etree._Element]]) -> int:
    """How many rows at the top have words in head cells only: the head of a table without a thead."""
    body = (number for number, row in enumerate(rows) if not _is_head(row))
    return next(body, len(rows))


def _is_head(row: Sequence[etree._Element]) -> bool:
    """Whether a row has head cells only, or two of them and otherwise blank cells."""
    heads = [cell for cell in row if cell.tag == "th"]
    if len(heads) == len(row):
        return True
    others = (cell for cell in row if cell.tag != "th")
    return sum(1 for cell in heads if words_in(cell)) > 1 and not any(words_in(cell) for cell in others)
