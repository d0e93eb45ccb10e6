"""The widths of the columns of a table and the heights of its rows, without laying the table out.

In: columns and cells as they are shown, and the styles of their page. Out: a MeasuredTable, or the height of each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

from refgen.blocks.measure import ON_PANELS, BlockStyles
from refgen.blocks.table.cells import ShownCell, ShownColumn
from refgen.layout import lengths
from refgen.layout.grid import MeasuredCell, MeasuredTable, measure_rows
from refgen.layout.lengths import BODY, TextStyle
from refgen.layout.metrics import Face, width
from refgen.layout.words import breakable_text

Heads = Sequence[ShownColumn]
"""The columns whose heads are shown; none for a table without heads."""

Rows = Sequence[Sequence[ShownCell]]


def measure_table(columns: Heads, heads: Heads, rows: Rows, styles: BlockStyles) -> MeasuredTable:
    """Measure a table."""
    borders = lengths.HEAD_BORDER * bool(heads) + len(rows) * lengths.ROW_BORDER
    percentages = [lengths.BARS if column.align == "bars" else column.share for column in columns]
    return measure_rows(_measured(heads, rows, styles), borders, percentages)


def row_heights(
    heads: Heads, rows: Rows, widths: Sequence[float], size: float, styles: BlockStyles = ON_PANELS
) -> Sequence[float]:
    """The height of each row of a table in points, its heads first, in columns of these widths."""
    borders = [lengths.HEAD_BORDER] * bool(heads) + [lengths.ROW_BORDER] * len(rows)
    measured = _measured(heads, rows, styles)
    return [_row_height(row, widths, size) + border for row, border in zip(measured, borders, strict=True)]


def _measured(heads: Heads, rows: Rows, styles: BlockStyles) -> Sequence[Sequence[MeasuredCell]]:
    """The measured cells of all rows, the heads first if there are any."""
    return [*([_heads(heads, styles)] if heads else []), *(_row(row, styles) for row in rows)]


def _row_height(row: Sequence[MeasuredCell], widths: Sequence[float], size: float) -> float:
    style = row[0].style
    em = style.size(size)
    room = [(width - cell.border) / em if cell.wraps else inf for cell, width in zip(row, widths, strict=True)]
    lines = max(cell.lines(width) for cell, width in zip(row, room, strict=True))
    return (row[0].padding_block + lines * style.line_height) * em


def _heads(columns: Sequence[ShownColumn], styles: BlockStyles) -> list[MeasuredCell]:
    borders = _halves([lengths.GROUP_GUTTER if column.gutter else 0.0 for column in columns])
    return [_head(column, border, styles.head) for column, border in zip(columns, borders, strict=True)]


def _row(cells: Sequence[ShownCell], styles: BlockStyles) -> list[MeasuredCell]:
    borders = _halves([_border(cell) for cell in cells])
    return [_cell(cell, border, styles) for cell, border in zip(cells, borders, strict=True)]


def _border(cell: ShownCell) -> float:
    """The border on the left of a cell, in points."""
    if cell.gutter:
        return lengths.GROUP_GUTTER
    return lengths.HEAT_BORDER if cell.heat is not None else 0.0


def _halves(borders: Sequence[float]) -> list[float]:
    """The width of borders that belongs to each cell: half of each border beside the cell."""
    return [(left + right) / 2 for left, right in pairwise([*borders, 0.0])]


def _head(column: ShownColumn, border: float, style: TextStyle) -> MeasuredCell:
    texts = (column.title, column.under) if column.under else (column.title,)
    paragraphs = tuple(breakable_text(text, Face.SEMIBOLD) for text in texts)
    return MeasuredCell(
        paragraphs,
        column.align != "end",
        style,
        2 * lengths.CELL_PADDING_BLOCK,
        2 * lengths.CELL_PADDING_INLINE,
        border,
    )


def _cell(cell: ShownCell, border: float, styles: BlockStyles) -> MeasuredCell:
    face = Face.SEMIBOLD if cell.header else Face.REGULAR
    # A sign takes width in a header only; elsewhere it hangs beside its figure.
    behind = lengths.SIGN * width(cell.sign, face) if cell.header else 0.0
    padding_inline = 2 * lengths.CELL_PADDING_INLINE + behind + cell.before + cell.after
    # Cells with bars or heat have no class that says how they are aligned, and so their lines wrap.
    free = cell.align == "start" or cell.bar is not None or cell.heat is not None
    wraps = cell.is_long or (styles.names_wrap if cell.header else free)
    # A sign alone makes a line, too.
    text = cell.text or ("\u2060" if cell.sign else "")
    return MeasuredCell(
        (breakable_text(text, face),), wraps, BODY, 2 * lengths.CELL_PADDING_BLOCK, padding_inline, border
    )
