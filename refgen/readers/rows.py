"""Rows as people leave them: empty ones, and ones that end early.

In: the rows of a table as written, and its head. Out: the same rows, none empty or shorter than the head; a Note for
each that was changed, and a Fault for each that has words beyond the head.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

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
