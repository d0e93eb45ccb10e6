"""Rows as people leave them (empty ones, ones that end early), and cells that stretch over several rows or columns.

In: the rows of a table as written, and its head; each cell with how far it stretches, in row groups (a stretch ends
with its group). Out: the same rows, none empty or shorter than the head; a rectangle in which a stretched cell is
repeated, its span with it; a Note for each row that was changed or filled up with blank cells, and a Fault for each
that has words beyond the head or whose cells overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.readers.document import Fault, Note, RawCell
from refgen.span import Span

Row = tuple[RawCell, ...]


@dataclass(frozen=True)
class EvenRows:
    """Rows of one length."""

    rows: list[Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def even(head: Row, rows: Iterable[Row], surplus_hint: str) -> EvenRows:
    """The head and the rows under it. ``surplus_hint`` says what to do about a row with too many cells."""
    made = EvenRows([head])
    for row in rows:
        if not is_blank(row):
            made.rows.append(_as_wide(row, len(head), made, surplus_hint))
        elif row:
            made.notes.append(Note("this table row is empty", row[0].span, "skipped"))
    return made


def _as_wide(row: Row, width: int, made: EvenRows, surplus_hint: str) -> Row:
    message = f"this table row has {cells(len(row))}, its head has {width}"
    if len(row) < width:
        made.notes.append(Note(message, row[0].span, "the rest of it is blank"))
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
    """Raise ReadError for a table that is larger than tables may be."""
    for name, number, what in (("table_columns", columns, "columns"), ("table_cells", cells, "cells")):
        most = getattr(limits(), name)
        if number > most:
            raise ReadError(f"the table has more than {most:,} {what}", span=span, hint=limit_hint(name))


def is_blank(row: Row) -> bool:
    """Whether a row has no words."""
    return not any(cell.text for cell in row)


def cells(count: int) -> str:
    """A number of cells in words."""
    return "1 cell" if count == 1 else f"{count} cells"


def blank_after(cell: RawCell) -> RawCell:
    """A blank cell, placed where another ends."""
    span = cell.span
    return RawCell("", replace(span, start=span.end, line=span.end_line, column=span.end_column))


@dataclass(frozen=True, slots=True)
class SpanningCell:
    """A cell, the rows it covers (0: all to the end of its group) and the columns."""

    cell: RawCell
    rows: int = 1
    columns: int = 1


SpanningRow = Sequence[SpanningCell]


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A row of cells for each row that was written: all of the same length, but () for one without any cell."""

    rows: tuple[tuple[RawCell, ...], ...]
    faults: tuple[Fault, ...]
    notes: tuple[Note, ...]


def fill_spans(groups: Iterable[Sequence[SpanningRow]]) -> Rectangle:
    """Repeat the stretched cells of a table. Raises ReadError, at its cell, for an absurd stretch."""
    layout = _Slots()
    for group in groups:
        layout.add(group)
    rows = tuple(layout.filled(slots) for slots in layout.rows)
    return Rectangle(rows, tuple(layout.faults), tuple(layout.notes))


@dataclass
class _Slots:
    """The slots that are taken so far: for each row, the cell over each column."""

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
                _check_reach(entry)
                start = next(column for column in count(start) if column not in slots)
                below = (entry.rows or len(group) - number) - 1
                for column in self._place(entry, start, slots):
                    if below:
                        reaching_down[column] = (entry.cell, below)
            self._count(slots, row)
            self.rows.append(slots if row else {})

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

    def _count(self, slots: dict[int, RawCell], row: SpanningRow) -> None:
        self.taken += len(slots)
        refuse_large(self.width, self.taken, row[0].cell.span if row else None)

    def filled(self, slots: dict[int, RawCell]) -> tuple[RawCell, ...]:
        """The row as wide as the table: a column in which no cell of any row starts is not one."""
        if not slots:
            return ()
        missing = [column for column in range(self.width) if column not in slots]
        if not missing:
            return tuple(slots[column] for column in range(self.width))
        found, first = cells(self.width - len(missing)), slots[min(slots)].span
        self.notes.append(Note(f"this table row has {found}, its table has {self.width}", first, "the rest is blank"))
        blank = blank_after(slots[max(slots)])
        return tuple(slots.get(column, blank) for column in range(self.width))


def _check_reach(entry: SpanningCell) -> None:
    for number, what, name in ((entry.rows, "rows", "table_cells"), (entry.columns, "columns", "table_columns")):
        if number > getattr(limits(), name):
            raise ReadError(f"a cell over {number:,} {what}", span=entry.cell.span, hint=limit_hint(name))
