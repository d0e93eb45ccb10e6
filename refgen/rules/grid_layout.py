"""How the rows and columns of a grid lie: upright, transposed, or folded into bands that stand side by side.

In: a Grid, and how it is laid out. Out: a FoundTable, whose rows are those that the author means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from refgen.readers.document import Grid, RawCell, joined_heads
from refgen.readers.grids import Row, is_blank
from refgen.source import plain
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class FoundTable:
    """The rows of a table, the heads of its columns (if printed), the place of the table, and its footnotes."""

    rows: tuple[Row, ...]
    header: tuple[str, ...]
    span: Span
    notes: tuple[str, ...] = ()


def head_key(header: Sequence[str]) -> tuple[str, ...]:
    """The head of a table as heads are compared: without case, runs of blanks as one."""
    return tuple(plain(title).casefold() for title in header)


def upright(grid: Grid) -> FoundTable:
    """A grid as it is printed."""
    return under_head(grid, grid.header_rows)


def under_head(grid: Grid, head_rows: int) -> FoundTable:
    """A grid whose first rows are its head."""
    notes = tuple(note.text for note in grid.notes)
    return FoundTable(grid.rows[head_rows:], joined_heads(grid.rows[:head_rows]), grid.span, notes)


def transposed(grid: Grid, *, has_heads: bool = True) -> FoundTable:
    """A grid whose rows are columns, perhaps folded into bands: rows with the same first cell, the head, are one."""
    lines: dict[str | int, list[RawCell]] = {}
    for number, row in enumerate(grid.rows):
        if row:
            head = row[0].text if has_heads else number
            lines.setdefault(head, []).extend(row[1:] if has_heads else row)
    rows = tuple(tuple(cell for cell in row if cell is not None) for row in zip_longest(*lines.values()))
    header = tuple(head for head in lines if isinstance(head, str))
    return FoundTable(rows, header, grid.span, tuple(note.text for note in grid.notes))


def unfolded(grid: Grid, fold: int, head_rows: int) -> FoundTable | None:
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
