"""The pages of panels, each with columns of blocks.

In: some panels and the arrangement of each. Out: the pages in order, each knowing its place among all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from refgen.aids.distribute import STRETCH, Arrangement, Column
from refgen.aids.panels.model import Panel, PanelBlock, Panels, Side
from refgen.layout.lengths import TypeSizes
from refgen.layout.page_format import Imposition


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A block on a page.

    ``table_width`` is in em, None for a table as wide as the column. ``column_widths`` are the widths of the columns of
    the table, in points.
    """

    panel_block: PanelBlock
    table_width: float | None = None
    column_widths: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class PageColumn:
    """A column of a page: ``left`` and ``width`` in percent of the page area, ``gap`` in points.

    ``first`` is the number of the column's first block in the panel, counted from 0.
    """

    left: float
    width: float
    gap: float
    first: int
    blocks: tuple[PageBlock, ...]


@dataclass(frozen=True, slots=True)
class PanelPage(TypeSizes):
    """A panel, or a part of a panel that takes several pages.

    ``number`` counts all pages, ``panel_number`` all panels, both from 0; ``place`` says to readers which page of how
    many this is. ``size`` is the type size in points.
    """

    number: int
    panel_number: int
    panel: Panel
    place: str
    size: float
    columns: tuple[PageColumn, ...]

    @property
    def title(self) -> str:
        """The title of the panel, marked where the panel is continued from another page."""
        return self.panel.title if not self.columns[0].first else f"{self.panel.title} (continued)"

    @property
    def is_players(self) -> bool:
        """Whether the page is for the players."""
        return self.panel.side is Side.PLAYERS


@dataclass(frozen=True, slots=True)
class PanelPages:
    """All pages: the GM's, then the players'."""

    aid: Panels
    pages: tuple[PanelPage, ...]


Sheet = tuple[PanelPage, ...]
"""The pages on one sheet of paper, from left to right."""


def on_sheets(pages: Sequence[PanelPage], imposition: Imposition) -> list[Sheet]:
    """The sheets to print: a sheet for each page, or a sheet for all pages of each side."""
    if imposition is Imposition.PAGES:
        return [(page,) for page in pages]
    sides = [tuple(page for page in pages if page.panel.side is side) for side in Side]
    return [side for side in sides if side]


class MeasuredTable(Protocol):
    """A block that knows the widths of its table and of the columns."""

    def max_content(self, size: float) -> float:
        """The least width in points at which no line of the table breaks, at a type size in points."""

    def column_widths(self, width: float, size: float) -> Sequence[float]:
        """The widths of the columns, in points, of a table ``width`` points wide; none for a block without a table."""


def set_pages(
    aid: Panels, arrangements: Mapping[int, Arrangement], measured: Mapping[int, Sequence[MeasuredTable]]
) -> PanelPages:
    """The pages of all panels with an arrangement; ``arrangements`` and ``measured`` blocks are by panel number."""
    parts = [(number, part) for number, found in sorted(arrangements.items()) for part in range(len(found.pages))]
    totals = {side: sum(aid.panels[number].side is side for number, _ in parts) for side in Side}
    seen = dict.fromkeys(Side, 0)
    pages: list[PanelPage] = []
    for number, part in parts:
        panel, found = aid.panels[number], arrangements[number]
        seen[panel.side] += 1
        place = f"{panel.side} {seen[panel.side]} of {totals[panel.side]}"
        columns = tuple(_column(panel, found, column, measured[number]) for column in found.pages[part])
        pages.append(PanelPage(len(pages), number, panel, place, found.size, columns))
    return PanelPages(aid, tuple(pages))


def _column(panel: Panel, found: Arrangement, column: Column, measured: Sequence[MeasuredTable]) -> PageColumn:
    places = range(column.first, column.end)
    blocks = tuple(_block(panel.blocks[place], measured[place], column.width, found.size) for place in places)
    left, width = round(100 * column.left / found.width, 3), round(100 * column.width / found.width, 3)
    return PageColumn(left, width, round(column.gap, 2), column.first, blocks)


def _block(block: PanelBlock, measured: MeasuredTable, column: float, size: float) -> PageBlock:
    """A block in a column so many points wide."""
    widest = STRETCH * measured.max_content(size)
    table_width = round(widest / size, 2) if widest < column else None
    width = column if table_width is None else table_width * size
    return PageBlock(block, table_width, tuple(map(_rounded_up, measured.column_widths(width, size))))


def _rounded_up(width: float) -> float:
    """A width in points, rounded up to three decimals: a column a hair too narrow would break a line."""
    return ceil(1000 * width) / 1000
