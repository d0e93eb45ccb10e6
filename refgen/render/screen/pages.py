"""A GM screen as it is set: its pages, each with columns of blocks.

In: the panels of a screen and the arrangement of each. Out: the pages in order, each knowing its place in the screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refgen.aids.gm_screen import GmScreen, Panel, PanelBlock, Side
from refgen.render.screen.distribute import Arrangement

LEAST_SMALL_PRINT = 7.5
"""Points: nothing on a panel is smaller, notes and heads included."""

_NOTE = 0.84
_HEAD = 0.86


@dataclass(frozen=True, slots=True)
class PageColumn:
    """A column of a page: ``left`` and ``width`` in percent of the room for columns, ``gap`` in points.

    ``first`` is the number of its first block in the panel, counted from 0.
    """

    left: float
    width: float
    gap: float
    first: int
    blocks: tuple[PanelBlock, ...]


@dataclass(frozen=True, slots=True)
class PanelPage:
    """A panel, or a part of one that goes on on another page.

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
        """The title of the panel, and whether it goes on here."""
        return self.panel.title if not self.columns[0].first else f"{self.panel.title} (continued)"

    @property
    def is_players(self) -> bool:
        """Whether the players see it."""
        return self.panel.side is Side.PLAYERS

    @property
    def note_size(self) -> float:
        """The type size of notes, in points."""
        return max(_NOTE * self.size, LEAST_SMALL_PRINT)

    @property
    def head_size(self) -> float:
        """The type size of the heads of tables, in points."""
        return max(_HEAD * self.size, LEAST_SMALL_PRINT)


@dataclass(frozen=True, slots=True)
class ScreenPages:
    """A whole screen as it is set: the GM's pages, then the players'."""

    screen: GmScreen
    pages: tuple[PanelPage, ...]

    @property
    def sides(self) -> Sequence[Sequence[PanelPage]]:
        """The pages of each side that there are."""
        found = [[page for page in self.pages if page.panel.side is side] for side in Side]
        return [pages for pages in found if pages]


def set_pages(screen: GmScreen, arrangements: Mapping[int, Arrangement]) -> ScreenPages:
    """The pages of the panels that are arranged, by their number."""
    parts = [(number, part) for number, found in sorted(arrangements.items()) for part in range(len(found.pages))]
    totals = {side: sum(screen.panels[number].side is side for number, _ in parts) for side in Side}
    seen = dict.fromkeys(Side, 0)
    pages: list[PanelPage] = []
    for number, part in parts:
        panel = screen.panels[number]
        seen[panel.side] += 1
        place = f"{panel.side} {seen[panel.side]} of {totals[panel.side]}"
        columns = _columns(panel, arrangements[number], part)
        pages.append(PanelPage(len(pages), number, panel, place, arrangements[number].size, columns))
    return ScreenPages(screen, tuple(pages))


def _columns(panel: Panel, arrangement: Arrangement, page: int) -> tuple[PageColumn, ...]:
    return tuple(
        PageColumn(
            round(100 * own.left / arrangement.width, 3),
            round(100 * own.width / arrangement.width, 3),
            round(own.gap, 2),
            own.first,
            panel.blocks[own.first : own.end],
        )
        for own in arrangement.pages[page]
    )
