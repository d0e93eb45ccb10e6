"""The heads of tables that no format marks: a title in the first row, a head in the rows after.

In: a Document whose tables are as its format says. Out: a Document whose tables have titles and heads. A row of one
cell, or of one cell over all columns, above rows of more cells is the title of a table without caption. Of a table
without a head the first row is the head if the row has words, or a die, over a column of figures; the first two rows
are the head where a cell over several columns stands above a row of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from refgen.marks import DASHES, RAISED, VULGAR, WAVES, plain_marks
from refgen.readers.document import Document, Grid, Note, RawCell, Section
from refgen.readers.grids import Row

_FIGURE = re.compile(rf"[\s(+\-{DASHES}{WAVES}~±≤≥<>=#$£€]*[\d{VULGAR}{RAISED}]")
"""How a figure begins. With a raised figure begins a footnote too, whose row spoils no column of figures."""

BEGINNING = 40
"""The letters at the beginning of a cell that show whether the cell is a figure."""

_DIE = re.compile(r"\d*\s?[a-zA-Z]\d+|\d*\s?[a-zA-Z]%")
_DIE_IN_HEAD = re.compile(r"(?<!\w)\d{0,3} ?[dDwWkKtT] ?(?:\d{1,3}|%)(?!\w)")


def find_heads(document: Document) -> Document:
    """A document whose tables have the heads and titles that their rows show."""
    if not document.tables:
        return document
    notes: list[Note] = []
    sections = tuple(_with_heads(section, notes) for section in document.sections)
    return replace(document, sections=sections, notes=(*document.notes, *notes))


def looks_like_head(rows: Sequence[Row]) -> bool:
    """Whether the first row has words, or a die, over figures in its first column, or in most columns of figures."""
    over_figures = [column for column in range(len(rows[0])) if _has_figures_below(rows, column)]
    named = [column for column in over_figures if _is_name(rows[0][column].text)]
    return 0 in named or (len(named) > 1 and 2 * len(named) >= len(over_figures))


def _has_figures_below(rows: Sequence[Row], column: int) -> bool:
    under = [row[column].text for row in rows[1:] if len(row) > column and row[column].text]
    return bool(under) and all(_FIGURE.match(plain_marks(text[:BEGINNING])) for text in under)


def _is_name(head: str) -> bool:
    return bool(head) and (not _FIGURE.match(plain_marks(head)) or bool(_DIE.fullmatch(plain_marks(head))))


def is_die(head: str) -> bool:
    """Whether a head is a die, perhaps with a number or words before or behind: "d6", "2d6", "Roll (d20)"."""
    return bool(_DIE_IN_HEAD.search(plain_marks(head)))


def words_beside_die(head: str) -> frozenset[str]:
    """The words of a head besides its die, in small letters: of "Roll (d20)" it is "roll"."""
    return frozenset(re.findall(r"[^\W\d_]+", _DIE_IN_HEAD.sub(" ", plain_marks(head)).casefold()))


def _with_heads(section: Section, notes: list[Note]) -> Section:
    grids = tuple(_with_head(grid, notes) for grid in section.grids)
    return section if grids == section.grids else replace(section, grids=grids)


def _with_head(grid: Grid, notes: list[Note]) -> Grid:
    title = _title(grid)
    if title is not None:
        notes.append(Note("this row is one cell", title.span, "read as the title of its table"))
        grid = replace(grid, rows=grid.rows[1:], header_rows=max(0, grid.header_rows - 1), caption=title.text)
    return grid if grid.header_rows else replace(grid, header_rows=_rows_of_head(grid.rows))


def _rows_of_head(rows: Sequence[Row]) -> int:
    """How many rows a head has that no format marks: none, one, or two where cells span columns in the first."""
    if len(rows) > 2 and _spans_columns(rows[0]) and looks_like_head(rows[1:]):
        return 2
    return int(len(rows) > 1 and looks_like_head(rows))


def _spans_columns(row: Row) -> bool:
    """Whether a row has no words but in cells over several columns."""
    named = [cell for cell in row if cell.text]
    return bool(named) and all(named.count(cell) > 1 for cell in named)


def _title(grid: Grid) -> RawCell | None:
    """The one cell of a first row, from its first column on, that stands above rows of more cells."""
    if len(grid.rows) < 3 or len(grid.rows[0]) < 2 or grid.header_rows > 2:
        return None
    first, second = (list(_words(row)) for row in grid.rows[:2])
    is_title = len(first) == 1 < len(second) and first[0] == grid.rows[0][0]
    return first[0] if is_title and grid.caption in ("", first[0].text) else None


def _words(row: Row) -> Iterator[RawCell]:
    """The cells of a row that have words; a cell over several columns once."""
    return (cell for cell in dict.fromkeys(row) if cell.text)
