"""Tables as grids: rows of equal length, cells that span rows or columns, and footnote marks.

In: the rows of a table as written, each cell with its rowspan and colspan, in row groups (a span ends with its group);
a Grid, and how it is laid out; or a whole Document. Out: rows of equal length without empty rows, in which a spanning
cell is repeated; a Note for each row that was filled up, shortened or skipped, and a Fault for each row that has words
beyond the head or whose cells overlap. Of a Grid that is upright, transposed, or folded into bands that stand side by
side: a FoundTable, whose rows are those that the author means. Of a Document: the same, with the footnote marks parted
from its cells.

A mark at the end of a cell ("Vizier[^1]", "5*") is a footnote mark if a note explains it: ``[^1]: …`` anywhere in the
document, or a paragraph below the table that starts with the mark. The note then belongs to the table. A mark without a
note is a part of its cell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import ChainMap
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.readers.document import Document, Fault, Grid, Note, RawCell, Section, joined_heads
from refgen.source import Passage, SourceFile, plain_text
from refgen.span import Span

Row = tuple[RawCell, ...]


@dataclass
class EvenRows:
    """Rows of one length (``()`` for a row without cells), and the faults and notes found while they were evened."""

    rows: list[Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def even_rows(head: Row, rows: Iterable[Row], surplus_hint: str) -> EvenRows:
    """The head and rows as long as the head. ``surplus_hint`` is the hint about a row with too many cells."""
    made = EvenRows([head])
    for row in rows:
        if not is_blank(row):
            made.rows.append(_fitted_row(row, len(head), made, surplus_hint))
        elif row:
            made.notes.append(Note("this table row is empty", row[0].span, "skipped"))
    return made


def _fitted_row(row: Row, width: int, made: EvenRows, surplus_hint: str) -> Row:
    message = f"this table row has {cells(len(row))}, its head has {width}"
    if len(row) < width:
        made.notes.append(Note(message, row[0].span, "the rest of it is blank", is_doubtful=True))
        return (*row, *[blank_after(row[-1])] * (width - len(row)))
    surplus = [cell for cell in row[width:] if cell.text]
    if surplus:
        lost = ", ".join(f'"{cell.text}"' for cell in surplus)
        made.faults.append(Fault(message, row[width].span, surplus_hint.format(lost=lost)))
        return row
    if len(row) > width:
        made.notes.append(Note(message, row[width].span, "without the blank cells at its end"))
    return row[:width]


def refuse_large(columns: int, cells: int, span: Span | None) -> None:
    """Raise ReadError for a table of so many columns, or with which a document has so many cells."""
    most = limits()
    if columns > most.table_columns:
        message = f"the table has more than {most.table_columns:,} columns"
        raise ReadError(message, span=span, hint=limit_hint("table_columns"))
    if cells > most.table_cells:
        message = f"with this table the document has more than {most.table_cells:,} cells"
        raise ReadError(message, span=span, hint=limit_hint("table_cells"))


def is_blank(row: Row) -> bool:
    """Whether a row has no words."""
    return not any(cell.text for cell in row)


def cells(count: int) -> str:
    """A number of cells in words."""
    return "1 cell" if count == 1 else f"{count} cells"


def blank_after(cell: RawCell) -> RawCell:
    """A blank cell at the end of a cell."""
    span = cell.span
    return RawCell("", replace(span, start=span.end, line=span.end_line, column=span.end_column))


@dataclass(frozen=True, slots=True)
class SpanningCell:
    """A cell, the rows it covers (0: all to the end of its group), the columns, and the first column it may stand in.

    Columns count from 0; those between the cell before and a cell that stands further right are blank.
    """

    cell: RawCell
    rows: int = 1
    columns: int = 1
    column: int = 0


SpanningRow = Sequence[SpanningCell]


def fill_spans(groups: Iterable[Sequence[SpanningRow]]) -> EvenRows:
    """Repeat the cells that span rows or columns. Raises ReadError for a span that is larger than tables may be."""
    layout = _TableSlots()
    for group in groups:
        layout.add(group)
    return EvenRows([layout.filled(slots) for slots in layout.rows], layout.faults, layout.notes)


@dataclass
class _TableSlots:
    """The slots of a table that are taken so far: for each row, the cell by column."""

    rows: list[dict[int, RawCell]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    width: int = 0
    taken: int = 0

    def add(self, group: Sequence[SpanningRow]) -> None:
        reaching_down: dict[int, tuple[RawCell, int]] = {}
        for number, row in enumerate(group):
            slots = {column: cell for column, (cell, _) in reaching_down.items()}
            reaching_down = {column: (cell, left - 1) for column, (cell, left) in reaching_down.items() if left > 1}
            start = 0
            for entry in row:
                _refuse_absurd_span(entry)
                start = self._start(entry, start, slots)
                below = (entry.rows or len(group) - number) - 1
                for column in self._place(entry, start, slots):
                    if below:
                        reaching_down[column] = (entry.cell, below)
            self.taken += len(slots)
            refuse_large(self.width, self.taken, row[0].cell.span if row else None)
            self.rows.append(slots if row else {})

    def _start(self, entry: SpanningCell, start: int, slots: dict[int, RawCell]) -> int:
        """The column in which a cell stands; the free columns before it, if it says its column, are left blank."""
        while start < entry.column or start in slots:
            if start < entry.column:
                slots.setdefault(start, replace(entry.cell, text=""))
            start += 1
        return start

    def _place(self, entry: SpanningCell, start: int, slots: dict[int, RawCell]) -> list[int]:
        """Put a cell into a free column and the columns beside it that the cell spans. Returns these columns."""
        self.width = max(self.width, start + 1)
        wanted = range(start, start + entry.columns)
        free = [column for column in wanted if column not in slots]
        if len(free) < len(wanted):
            hint = "Shorten its rowspan or colspan, or that of the cell above."
            self.faults.append(Fault("this cell overlaps another that stretches down", entry.cell.span, hint))
        slots.update(dict.fromkeys(free, entry.cell))
        return free

    def filled(self, slots: dict[int, RawCell]) -> Row:
        """A row as wide as the table, filled with blank cells. ``width`` counts the columns in which a cell starts."""
        if not slots:
            return ()
        missing = [column for column in range(self.width) if column not in slots]
        if not missing:
            return tuple(slots[column] for column in range(self.width))
        found, first = cells(self.width - len(missing)), slots[min(slots)].span
        message = f"this table row has {found}, its table has {self.width}"
        self.notes.append(Note(message, first, "the rest is blank", is_doubtful=True))
        blank = blank_after(slots[max(slots)])
        return tuple(slots.get(column, blank) for column in range(self.width))


def _refuse_absurd_span(entry: SpanningCell) -> None:
    for number, what, name in ((entry.rows, "rows", "table_cells"), (entry.columns, "columns", "table_columns")):
        if number > getattr(limits(), name):
            raise ReadError(f"a cell over {number:,} {what}", span=entry.cell.span, hint=limit_hint(name))


@dataclass(frozen=True, slots=True)
class FoundTable:
    """The rows of a table, the heads of its columns (if printed), the place of the table, and its footnotes."""

    rows: tuple[Row, ...]
    header: tuple[str, ...]
    span: Span
    notes: tuple[str, ...] = ()


def head_key(header: Sequence[str]) -> tuple[str, ...]:
    """The head of a table as heads are compared: without case, runs of blanks as one."""
    return tuple(plain_text(title).casefold() for title in header)


def under_head(grid: Grid, head_rows: int) -> FoundTable:
    """A grid whose first rows are its head."""
    notes = tuple(note.text for note in grid.notes)
    return FoundTable(grid.rows[head_rows:], joined_heads(grid.rows[:head_rows]), grid.span, notes)


def transpose_grid(grid: Grid, *, has_heads: bool = True) -> FoundTable:
    """A grid whose rows are columns, perhaps folded into bands: rows with the same first cell, the head, are one."""
    lines: dict[str | int, list[RawCell]] = {}
    for number, row in enumerate(grid.rows):
        if row:
            head = row[0].text if has_heads else number
            lines.setdefault(head, []).extend(row[1:] if has_heads else row)
    rows = tuple(tuple(cell for cell in row if cell is not None) for row in zip_longest(*lines.values()))
    header = tuple(head for head in lines if isinstance(head, str))
    return FoundTable(rows, header, grid.span, tuple(note.text for note in grid.notes))


def unfold_grid(grid: Grid, fold: int, head_rows: int) -> FoundTable | None:
    """A grid whose bands of ``fold`` columns follow each other; None if the grid has no such bands."""
    found = bands(grid, fold, head_rows)
    if found is None:
        return None
    rows = tuple(row for band in found for row in band)
    return FoundTable(rows, band_head(grid, fold, head_rows), grid.span, tuple(note.text for note in grid.notes))


def bands(grid: Grid, fold: int, head_rows: int) -> Sequence[Sequence[Row]] | None:
    """The rows of each band, without the blank rows at its end; None if the table has no two such bands.

    Over each band stands the same head, or only over the first.
    """
    width = len(grid.rows[0])
    if width % fold or width == fold or any(len(row) != width for row in grid.rows):
        return None
    head = band_head(grid, fold, head_rows)
    heads = joined_heads(grid.rows[:head_rows])
    for start in range(fold, len(heads), fold):
        other = heads[start : start + fold]
        if any(other) and head_key(other) != head_key(head):
            return None
    found = [[row[start : start + fold] for row in grid.rows[head_rows:]] for start in range(0, width, fold)]
    for band in found:
        while band and is_blank(band[-1]):
            band.pop()
    return found if all(found) else None


def band_head(grid: Grid, fold: int, head_rows: int) -> tuple[str, ...]:
    """The head of the first band."""
    return joined_heads(grid.rows[:head_rows])[:fold]


_SIGN = r"\*{1,3}|†{1,3}|‡{1,3}|§{1,2}|[¹²³⁴⁵⁶⁷⁸⁹]{1,2}|[ᵃᵇᶜᵈᵉᶠᵍʰ]|<sup>[^<>]{1,6}</sup>"
_MARKED = re.compile(rf"(?P<words>.*?[^\s*†‡§])\s*(?P<mark>\[\^[^\]\s]{{1,20}}\]|{_SIGN})")
_NOTE = re.compile(rf"(?P<mark>{_SIGN})\s*(?P<note>[^\s*†‡§].*)", re.DOTALL)
_DEFINITION = re.compile(
    r"(?:\A|(?<=\s))(?P<mark>\[\^[^\]\s]{1,20}\]):\s+(?P<note>.+?)(?=\s+\[\^[^\]\s]{1,20}\]:\s|\Z)"
)

Notes = MutableMapping[str, Passage]
"""The words of each note by its mark."""


def part_footnotes(document: Document) -> Document:
    """Part the marks from the cells of every table, with the notes that explain them."""
    if not document.tables:
        return document
    prose = (paragraph for section in document.sections for paragraph in section.paragraphs)
    defined = {
        match["mark"]: paragraph.group(match, "note")
        for paragraph in prose
        if "[^" in paragraph.text
        for match in _DEFINITION.finditer(paragraph.text)
    }
    sections = tuple(_part_section(document.source, section, defined) for section in document.sections)
    return replace(document, sections=sections)


def _part_section(source: SourceFile, section: Section, defined: Notes) -> Section:
    if not section.grids:
        return section
    ends = [grid.span.end for grid in section.grids]
    below: list[dict[str, Passage]] = [{} for _ in ends]
    for start, mark, note in _notes(section):
        number = bisect_right(ends, start) - 1
        if number >= 0 and (mark or source.text[ends[number] : start].strip() == "*"):
            below[number][mark or "*"] = note
    grids = (
        hang_footnotes(source, grid, ChainMap(here, defined)) for grid, here in zip(section.grids, below, strict=True)
    )
    return replace(section, grids=tuple(grids))


def _notes(section: Section) -> Iterator[tuple[int, str, Passage]]:
    """The offset, mark and words of each note. The mark is "" for a list item, whose bullet may be an asterisk."""
    for paragraph in section.paragraphs:
        if match := _NOTE.fullmatch(paragraph.text):
            yield paragraph.origins[0], match["mark"], paragraph.group(match, "note")
    for block in section.lists:
        yield block.items[0].origins[0], "", block.items[0]


@dataclass
class _MarkedCells:
    """Parts footnote marks from cells; ``marked`` has the names of the cells with each mark."""

    source: SourceFile
    notes: Notes
    marked: dict[str, list[str]] = field(default_factory=dict)

    def row(self, row: Sequence[RawCell], heads: Sequence[str]) -> tuple[RawCell, ...]:
        """A row without marks. The first cell is named by its words, each further cell by row and column."""
        cells: list[RawCell] = []
        names: dict[Span, str] = {}
        for number, cell in enumerate(row):
            words, marks = self._parts(cell)
            cells.append(RawCell(words, _strip_marks(self.source, cell.span, marks)) if marks else cell)
            named = words if number == 0 or not heads else f"{cells[0].text}, {heads[number]}"
            if cell.span.start < cell.span.end:  # a cell over several columns has one name
                named = names.setdefault(cell.span, named)
            for mark in marks:
                self.marked.setdefault(mark, []).append(named)
        return tuple(cells)

    def _parts(self, cell: RawCell) -> tuple[str, Sequence[str]]:
        """The words of a cell and its marks, the last mark first."""
        words, marks = cell.text, []
        while (match := _MARKED.fullmatch(words)) and match["mark"] in self.notes:
            words = match["words"]
            marks.append(match["mark"])
        return words, marks


def hang_footnotes(source: SourceFile, grid: Grid, notes: Notes) -> Grid:
    """A table without the marks at the ends of its cells that ``notes`` explain, and with these notes."""
    if not notes:
        return grid
    parted = _MarkedCells(source, notes)
    head = [parted.row(row, ()) for row in grid.rows[: grid.header_rows]]
    heads = replace(grid, rows=tuple(head)).header
    body = [parted.row(row, heads if len(row) <= len(heads) else ()) for row in grid.body]
    found = [
        RawCell(f"{'; '.join(dict.fromkeys(cells))}: {notes[mark].text}", notes[mark].span)
        for mark, cells in parted.marked.items()
    ]
    return replace(grid, rows=(*head, *body), notes=tuple(found)) if found else grid


def _strip_marks(source: SourceFile, span: Span, marks: Sequence[str]) -> Span:
    """The place of a cell without the marks at its end; the whole place if the marks are written in another way."""
    text = source.text[span.start : span.end]
    for mark in marks:
        text = text.rstrip().removesuffix(mark)
    return source.span(span.start, span.start + len(text.rstrip(" \\")))
