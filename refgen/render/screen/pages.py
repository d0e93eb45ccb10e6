"""The pages of a GM screen, each with columns of blocks.

In: the panels of a screen and the arrangement of each. Out: the pages in order, each knowing its place in the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from refgen.aids.gm_screen import GmScreen, Panel, PanelBlock, Side
from refgen.render.lengths import CHART, HEAD, NOTE
from refgen.render.page_format import Imposition
from refgen.render.screen.distribute import Arrangement, Column

STRETCH = 1.5
"""How many times its max-content width a table may have: in a wider one the eye loses the row."""


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A block on a page. ``table_width`` is in ems, and None where its table is as wide as the column."""

    panel_block: PanelBlock
    table_width: float | None = None


@dataclass(frozen=True, slots=True)
class PageColumn:
    """A column of a page: ``left`` and ``width`` in percent of the page area, ``gap`` in points.

    ``first`` is the number of its first block in the panel, counted from 0.
    """

    left: float
    width: float
    gap: float
    first: int
    blocks: tuple[PageBlock, ...]


@dataclass(frozen=True, slots=True)
class PanelPage:
    """A panel, or a part of one that takes several pages.

    ``number`` is that of the page in the screen, ``panel_number`` that of its panel, both counted from 0; ``place``
    says the same to readers. ``size`` is that of the type in points.
    """

    number: int
    panel_number: int
    panel: Panel
    place: str
    size: float
    columns: tuple[PageColumn, ...]

    @property
    def title(self) -> str:
        """The title of the panel; it says so when the panel goes on from another page."""
        return self.panel.title if not self.columns[0].first else f"{self.panel.title} (continued)"

    @property
    def is_players(self) -> bool:
        """Whether the players see it."""
        return self.panel.side is Side.PLAYERS

    @property
    def note_size(self) -> float:
        """The type size of notes, in points."""
        return NOTE.size(self.size)

    @property
    def head_size(self) -> float:
        """The type size of the heads of tables, in points."""
        return HEAD.size(self.size)

    @property
    def chart_size(self) -> float:
        """The smallest type size that a chart may be drawn with, in points."""
        return CHART.size(self.size)


@dataclass(frozen=True, slots=True)
class ScreenPages:
    """All pages of a screen: the GM's, then the players'."""

    screen: GmScreen
    pages: tuple[PanelPage, ...]


Sheet = tuple[PanelPage, ...]
"""What is printed on one sheet of paper, from left to right."""


def on_sheets(pages: Sequence[PanelPage], imposition: Imposition) -> list[Sheet]:
    """Pages as they are printed: each on a sheet of its own, or those of each side together."""
    if imposition is Imposition.PAGES:
        return [(page,) for page in pages]
    sides = [tuple(page for page in pages if page.panel.side is side) for side in Side]
    return [side for side in sides if side]


MaxContent = Callable[[int, int, float], float]
"""The max-content width of a block's table in points: by the numbers of its panel and block, and the type size."""


def set_pages(screen: GmScreen, arrangements: Mapping[int, Arrangement], max_content: MaxContent) -> ScreenPages:
    """The pages of the panels that have an arrangement; arrangements are by the number of their panel."""
    parts = [(number, part) for number, found in sorted(arrangements.items()) for part in range(len(found.pages))]
    totals = {side: sum(screen.panels[number].side is side for number, _ in parts) for side in Side}
    seen = dict.fromkeys(Side, 0)
    pages: list[PanelPage] = []
    for number, part in parts:
        panel, found = screen.panels[number], arrangements[number]
        seen[panel.side] += 1
        place = f"{panel.side} {seen[panel.side]} of {totals[panel.side]}"
        columns = tuple(_column(panel, found, column, partial(max_content, number)) for column in found.pages[part])
        pages.append(PanelPage(len(pages), number, panel, place, found.size, columns))
    return ScreenPages(screen, tuple(pages))


def _column(panel: Panel, found: Arrangement, column: Column, max_content: Callable[[int, float], float]) -> PageColumn:
    blocks = []
    for number in range(column.first, column.end):
        width = STRETCH * max_content(number, found.size)
        blocks.append(PageBlock(panel.blocks[number], round(width / found.size, 2) if width < column.width else None))
    left, width = round(100 * column.left / found.width, 3), round(100 * column.width / found.width, 3)
    return PageColumn(left, width, round(column.gap, 2), column.first, tuple(blocks))
