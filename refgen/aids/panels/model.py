"""Panels of blocks, as on a GM screen: their contents, the room for them in a page format, and their pages.

In: blocks in reading order, a PageFormat, and the arrangement of each panel. Out: Panels, which know no paper; the area
and the type sizes of a panel in a format; PanelPages with columns of blocks, in the order in which they are printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil, floor

from refgen.aids.distribute import STRETCH, ArrangedColumn, Arrangement
from refgen.blocks.block import Block
from refgen.blocks.measure import MeasuredBlock
from refgen.errors import RefgenError
from refgen.layout.lengths import EDGE, EDGE_SIZE, FOOTER, LARGE_PRINT, MARGIN, MILLIMETRE, TypeSizes
from refgen.layout.metrics import Face, width
from refgen.layout.page_format import Imposition, Orientation, PageFormat, Paper, Theme, TypeScale
from refgen.layout.sizing import footer_height, page_area
from refgen.span import Span
from refgen.words import Words

SMALLEST = 7.5
"""The smallest type in points that can be read at the table."""


class Importance(StrEnum):
    """How often a block of a panel is looked up."""

    CORE = "core"
    USUAL = "usual"
    RARE = "rare"


class Side(StrEnum):
    """Who sees a panel; the value is the id of the text that says which page of how many this is."""

    GM = "panel-of"
    PLAYERS = "players-side-of"
    OPEN = "page-of"


@dataclass(frozen=True, slots=True)
class PanelBlock:
    """A block of a panel; ``smallest`` is its least type size in points, ``place`` where the panel's file describes it.

    A block ``with_next`` stands in the same column as the block after it.
    """

    block: Block
    importance: Importance = Importance.USUAL
    smallest: float = SMALLEST
    with_next: bool = False
    place: Span | None = field(default=None, compare=False)


EdgeStep = tuple[str, str]
"""A value on a scale along the edge, and its name."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel. ``edge`` is the scale along its edge from top to bottom; ``source`` says where its figures come from.

    ``rounding`` says how computed figures are rounded. A panel that ``flows`` may take several pages on paper of any
    size.
    """

    title: str
    blocks: tuple[PanelBlock, ...]
    edge: tuple[EdgeStep, ...] = ()
    source: str = ""
    side: Side = Side.GM
    place: Span | None = field(default=None, compare=False)
    flows: bool = False
    rounding: str = ""

    def foot(self, blocks: Iterable[PanelBlock]) -> str:
        """The line below some blocks: the source; the rounding too, where one of the blocks is computed."""
        return f"{self.source} {self.rounding}".strip() if any(one.block.tag for one in blocks) else self.source


@dataclass(frozen=True, slots=True)
class Panels:
    """All panels of an aid, in the order in which they are printed. ``faults`` say why panels are missing."""

    title: str
    panels: tuple[Panel, ...]
    faults: tuple[RefgenError, ...] = field(default=(), compare=False)


USUAL_FORMAT = PageFormat(orientation=Orientation.LANDSCAPE)
"""The format of a screen for which none is chosen."""

_TWO_LINES = 11.0
"""Millimetres that a step along the edge needs for two lines."""

_EDGE_LINE, _EDGE_VALUE = 1.05, 1.25
"""The height of a line along the edge, and of a value on a line of its own, in em of the names."""

_BESIDE_EDGE = 3.5
"""Millimetres between the names along the edge and the blocks, without those in the left margin."""

_EDGE_SIZES: Mapping[tuple[bool, bool], float] = {
    (False, False): EDGE_SIZE,
    (False, True): 11.0,
    (True, False): LARGE_PRINT,
    (True, True): 14.0,
}
"""The type sizes of the names along the edge, by two questions: large print? read by players from afar?"""


def _sizes(largest: float, smallest: float) -> tuple[float, ...]:
    return tuple(half / 2 for half in range(round(2 * largest), round(2 * smallest) - 1, -1))


_SCALES: Mapping[tuple[bool, bool, bool], TypeScale] = {
    (False, False, False): TypeScale(_sizes(12, 7.5), usual=10),
    (False, False, True): TypeScale(_sizes(18, 9), usual=14),
    (False, True, False): TypeScale(_sizes(12, 7.5), usual=10),
    (False, True, True): TypeScale(_sizes(16, 8.5), usual=11),
    (True, False, False): TypeScale(_sizes(17, 12), usual=13),
    (True, False, True): TypeScale(_sizes(22, 12), usual=18),
    (True, True, False): TypeScale(_sizes(14, 8.5), usual=11),
    (True, True, True): TypeScale(_sizes(18, 9), usual=13),
}
"""The type sizes of a panel, by three questions: large print? on A5? read by players from afar?"""


def type_scale(page_format: PageFormat, side: Side) -> TypeScale:
    """The type sizes of a panel."""
    return _SCALES[page_format.theme is Theme.LARGE_PRINT, page_format.paper is Paper.A5, side is Side.PLAYERS]


def may_flow(page_format: PageFormat) -> bool:
    """Whether a panel may take several pages: on small paper and in large type."""
    return page_format.paper is Paper.A5 or page_format.theme is Theme.LARGE_PRINT


@dataclass(frozen=True, slots=True)
class PanelFrame:
    """The room on a page around the blocks of a panel: the scale along its edge, and the source below."""

    panel: Panel
    page_format: PageFormat

    @property
    def edge_width(self) -> float:
        """The width in millimetres of the scale along the edge with the space beside it; 0 without a scale."""
        if not self.panel.edge:
            return 0.0
        widest = max(self._ems(value, level) for value, level in self.panel.edge) * self.edge_size / MILLIMETRE
        return max(EDGE, ceil(widest + _BESIDE_EDGE))

    def _ems(self, value: str, level: str) -> float:
        """The width of a step of the scale in em: no name is broken."""
        if self.edge_is_tight:
            return width(f"{level} {value}", Face.SEMIBOLD)
        return max(width(level, Face.SEMIBOLD), _EDGE_VALUE * width(value, Face.SEMIBOLD))

    @property
    def edge_is_tight(self) -> bool:
        """Whether a step of the scale has room for only one line."""
        return self._step < _TWO_LINES

    @property
    def edge_size(self) -> float:
        """The type size of the names of the scale in points: the usual one, or as much as a step has room for."""
        usual = _EDGE_SIZES[self.page_format.is_large, self.panel.side is Side.PLAYERS]
        ems = _EDGE_LINE if self.edge_is_tight else _EDGE_LINE + _EDGE_VALUE
        return min(usual, floor(10 * self._step * MILLIMETRE / ems) / 10)

    @property
    def _step(self) -> float:
        """The height of a step of the scale in millimetres."""
        return (self.page_format.height - 2 * MARGIN) / max(len(self.panel.edge), 1)

    @property
    def area(self) -> tuple[float, float]:
        """The width and height for the blocks, in points."""
        return page_area(self.page_format, self._foot, self.edge_width)

    @property
    def _foot(self) -> str:
        """The longest line below a page of the panel."""
        return self.panel.foot(self.panel.blocks)

    @property
    def style(self) -> str:
        """The CSS declarations of the lengths that are not the usual ones of style sheets."""
        usual = _EDGE_SIZES[False, self.panel.side is Side.PLAYERS]
        footer = footer_height(self._foot, self.area[0], self.page_format.small_print)
        lengths = [("footer", footer, FOOTER, "mm")]
        if self.panel.edge:
            lengths += [("edge", self.edge_width, EDGE, "mm"), ("edge-size", self.edge_size, usual, "pt")]
        return "".join(f"; --{name}: {length:g}{unit}" for name, length, by_css, unit in lengths if length != by_css)


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
    """A column of a page: ``left`` and ``width`` in percent of the page area.

    ``first`` is the number of the column's first block in the panel, counted from 0.
    """

    left: float
    width: float
    first: int
    blocks: tuple[PageBlock, ...]


@dataclass(frozen=True, slots=True)
class PanelPage(TypeSizes):
    """A panel, or a part of a panel that takes several pages.

    ``number`` counts all pages, ``panel_number`` all panels, both from 0; ``title`` is that of the panel, marked where
    the panel is continued from another page; ``place`` says to readers which page of how many this is. ``size`` is the
    type size and ``gap`` the gap between blocks, both in points.
    """

    number: int
    panel_number: int
    panel: Panel
    title: str
    place: str
    size: float
    gap: float
    columns: tuple[PageColumn, ...]

    @property
    def is_players(self) -> bool:
        """Whether the page is for the players."""
        return self.panel.side is Side.PLAYERS

    @property
    def foot(self) -> str:
        """The line below the page."""
        return self.panel.foot(block.panel_block for column in self.columns for block in column.blocks)


Sheet = tuple[PanelPage, ...]
"""The pages on one sheet of paper, from left to right."""


def on_sheets(pages: Sequence[PanelPage], imposition: Imposition) -> list[Sheet]:
    """The sheets to print: a sheet for each page, or a sheet for all pages of each side."""
    if imposition is Imposition.PAGES:
        return [(page,) for page in pages]
    sides = [tuple(page for page in pages if page.panel.side is side) for side in Side]
    return [side for side in sides if side]


def set_pages(
    aid: Panels, arrangements: Mapping[int, Arrangement], measured: Mapping[int, Sequence[MeasuredBlock]], words: Words
) -> Sequence[PanelPage]:
    """The pages of all panels with an arrangement; ``arrangements`` and ``measured`` blocks are by panel number."""
    parts = [(number, part) for number, found in sorted(arrangements.items()) for part in range(len(found.pages))]
    totals = {side: sum(aid.panels[number].side is side for number, _ in parts) for side in Side}
    seen = dict.fromkeys(Side, 0)
    pages: list[PanelPage] = []
    for number, part in parts:
        panel, found = aid.panels[number], arrangements[number]
        seen[panel.side] += 1
        title = words("continued", title=panel.title) if part else panel.title
        place = words(panel.side, number=seen[panel.side], total=totals[panel.side])
        columns = tuple(_column(panel, found, column, measured[number]) for column in found.pages[part])
        pages.append(PanelPage(len(pages), number, panel, title, place, found.size, round(found.gap, 2), columns))
    return pages


def _column(panel: Panel, found: Arrangement, column: ArrangedColumn, measured: Sequence[MeasuredBlock]) -> PageColumn:
    places = range(column.first, column.end)
    blocks = tuple(_block(panel.blocks[place], measured[place], column.width, found.size) for place in places)
    left, width = round(100 * column.left / found.width, 3), round(100 * column.width / found.width, 3)
    return PageColumn(left, width, column.first, blocks)


def _block(block: PanelBlock, measured: MeasuredBlock, column: float, size: float) -> PageBlock:
    """A block in a column so many points wide."""
    widest = STRETCH * measured.max_content(size)
    table_width = round(widest / size, 2) if widest < column else None
    width = column if table_width is None else table_width * size
    return PageBlock(block, table_width, tuple(map(_rounded_up, measured.column_widths(width, size))))


def _rounded_up(width: float) -> float:
    """A width in points, rounded up to three decimals: a column a hair too narrow would break a line."""
    return ceil(1000 * width) / 1000
