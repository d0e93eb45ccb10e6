"""Cells that stretch over several rows or columns.

In: the rows of a table as written, each cell with how far it stretches, in row groups (a stretch ends with its
group). Out: a rectangle in which a stretched cell is repeated, its span with it; to make it one, a Note for each row
that is filled up with blank cells, and a Fault for each whose cells overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.readers.document import Fault, Note, RawCell
from refgen.readers.rows import blank_after, cells, refuse_large


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
        """Put a cell into a free column and those beside it; gives the columns it got."""
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
