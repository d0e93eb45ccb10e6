"""Where cards stand on sheets of paper.

In: the size of a card and a SheetFormat. Out: the grid of a sheet, and for every sheet which face stands where. Lengths
are in millimetres, places from the upper left corner of the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import floor
from typing import TYPE_CHECKING

from refgen.errors import RenderError
from refgen.layout.page_format import PAPER_SIZES, Paper

if TYPE_CHECKING:  # a build that makes no aid loads nothing of what lays them out
    from refgen.aids.cards.faces import Style


class CardPaper(StrEnum):
    """The papers that cards are laid on."""

    A4 = "a4"
    LETTER = "letter"
    A3 = "a3"


CARD_PAPER_SIZES: Mapping[CardPaper, tuple[float, float]] = {
    CardPaper.A4: PAPER_SIZES[Paper.A4],
    CardPaper.LETTER: PAPER_SIZES[Paper.LETTER],
    CardPaper.A3: (297, 420),
}
"""Short and long side."""


class CardImposition(StrEnum):
    """How cards are laid on paper.

    Backs behind their fronts (duplex), fronts alone, front and back side by side to be folded, or a card a page with
    its bleed, fronts and backs by turns.
    """

    DUPLEX = "duplex"
    FRONTS = "fronts"
    FOLD = "fold"
    SINGLE = "single"


class Flip(StrEnum):
    """Along which edge a printer turns the sheet over."""

    LONG = "long"
    SHORT = "short"


MARGIN = 5.0
"""What printers leave blank at the edges of a sheet, at least."""

Places = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Placement:
    """A face on a sheet: its number, the upper left corner of its trim edge, and whether it stands on its head."""

    face: int
    left: float
    top: float
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """The places of cards on a sheet. Each ``cell`` is a card, or two side by side that are folded together."""

    width: float
    height: float
    cell_width: float
    cell_height: float
    columns: int
    rows: int
    gutter: float

    @property
    def left(self) -> float:
        """Where the first column begins: the grid stands in the middle."""
        return (self.width - self.columns * self.cell_width - (self.columns - 1) * self.gutter) / 2

    @property
    def top(self) -> float:
        """Where the first row begins."""
        return (self.height - self.rows * self.cell_height - (self.rows - 1) * self.gutter) / 2

    def places(self) -> Places:
        """The upper left corners of all cells, row by row."""
        return [
            (self.left + column * (self.cell_width + self.gutter), self.top + row * (self.cell_height + self.gutter))
            for row in range(self.rows)
            for column in range(self.columns)
        ]

    @property
    def is_portrait(self) -> bool:
        """Whether the sheet stands upright."""
        return self.width <= self.height


@dataclass(frozen=True, slots=True)
class SheetFormat:
    """How a deck is laid on one paper.

    ``gutter`` is the room between cards, 0 for cards that share their cuts. ``offset`` is how far backs are shifted to
    the right and down, to make up for a printer that does not feed straight.
    """

    name: str
    style: Style
    paper: CardPaper = CardPaper.A4
    imposition: CardImposition = CardImposition.DUPLEX
    flip: Flip = Flip.LONG
    gutter: float = 0.0
    offset: tuple[float, float] = (0.0, 0.0)

    @property
    def grid(self) -> Grid:
        """As many cards as fit, on the sheet upright or on its side. Raises RenderError when none does."""
        short, long = CARD_PAPER_SIZES[self.paper]
        best = max((self._on(short, long), self._on(long, short)), key=lambda grid: grid.columns * grid.rows)
        if not best.columns * best.rows:
            size = self.style.size
            raise RenderError(
                f"a card of {size.width:g} x {size.height:g} mm does not fit on {self.paper} ({self.imposition})",
                hint="Take a larger paper, or smaller cards.",
            )
        return best

    def check(self) -> None:
        """Raises RenderError when a card is larger than the paper; one a page needs none."""
        if self.imposition is not CardImposition.SINGLE:
            _ = self.grid

    def _on(self, width: float, height: float) -> Grid:
        size = self.style.size
        across = 2 * size.width if self.imposition is CardImposition.FOLD else size.width
        columns = _how_many(width, across, self.gutter)
        return Grid(
            width, height, across, size.height, columns, _how_many(height, size.height, self.gutter), self.gutter
        )


def _how_many(room: float, length: float, gutter: float) -> int:
    return max(floor((room - 2 * MARGIN + gutter + 1e-6) / (length + gutter)), 0)


def sides(copies: Sequence[tuple[int, int]], sheet: SheetFormat) -> Iterator[Sequence[Placement]]:
    """What stands on each page: one side of a sheet, fronts, and behind them their backs; or a single face."""
    if sheet.imposition is CardImposition.SINGLE:
        bleed = sheet.style.bleed
        return ([Placement(face, bleed, bleed)] for copy in copies for face in copy)
    return _on_sheets(copies, sheet)


def _on_sheets(copies: Sequence[tuple[int, int]], sheet: SheetFormat) -> Iterator[Sequence[Placement]]:
    grid = sheet.grid
    places = grid.places()
    for start in range(0, len(copies), len(places)):
        held = list(zip(copies[start : start + len(places)], places, strict=False))
        if sheet.imposition is CardImposition.FOLD:
            width = sheet.style.size.width
            yield [
                placement
                for (front, back), (left, top) in held
                for placement in (Placement(back, left, top), Placement(front, left + width, top))
            ]
            continue
        yield [Placement(front, left, top) for (front, _), (left, top) in held]
        if sheet.imposition is CardImposition.DUPLEX:
            yield [_behind(back, left, top, grid, sheet) for (_, back), (left, top) in held]


def _behind(back: int, left: float, top: float, grid: Grid, sheet: SheetFormat) -> Placement:
    """Where a back stands behind a front: mirrored as the sheet is turned over, and shifted by the offset.

    A sheet that is turned over its upper edge comes up with its head down, and so must the backs on it.
    """
    right, down = sheet.offset
    if grid.is_portrait is (sheet.flip is Flip.LONG):
        return Placement(back, grid.width - left - grid.cell_width + right, top + down)
    return Placement(back, left + right, grid.height - top - grid.cell_height + down, turned=True)


Line = tuple[float, float, float, float]
"""From and to."""

_OFF_EDGE = 3.0
"""Between the edge of the sheet and a cut line."""

_OFF_CARD = 0.6
"""Between a cut line and the cards."""


def cut_lines(grid: Grid) -> Iterator[Line]:
    """Lines to cut along, across the margins and gutters but not over a card."""
    across = _edges(grid.left, grid.cell_width, grid.gutter, grid.columns)
    down = _edges(grid.top, grid.cell_height, grid.gutter, grid.rows)
    for place in dict.fromkeys(edge for pair in across for edge in pair):
        yield from ((place, start, place, end) for start, end in _between(down, grid.height))
    for place in dict.fromkeys(edge for pair in down for edge in pair):
        yield from ((start, place, end, place) for start, end in _between(across, grid.width))


def fold_lines(grid: Grid) -> Iterator[Line]:
    """Lines to fold along, between fronts and backs."""
    down = _edges(grid.top, grid.cell_height, grid.gutter, grid.rows)
    for start, end in _edges(grid.left, grid.cell_width, grid.gutter, grid.columns):
        middle = (start + end) / 2
        yield from ((middle, above, middle, below) for above, below in _between(down, grid.height))


def _edges(start: float, length: float, gutter: float, count: int) -> Sequence[tuple[float, float]]:
    starts = (round(start + number * (length + gutter), 6) for number in range(count))
    return [(edge, round(edge + length, 6)) for edge in starts]


def _between(cards: Sequence[tuple[float, float]], room: float) -> Iterator[tuple[float, float]]:
    """What cards leave free of a sheet: its margins and the gutters."""
    ends = [_OFF_EDGE - _OFF_CARD, *(end for _, end in cards)]
    starts = [*(start for start, _ in cards), room - _OFF_EDGE + _OFF_CARD]
    for end, start in zip(ends, starts, strict=True):
        if start - end > 2 * _OFF_CARD:
            yield end + _OFF_CARD, start - _OFF_CARD
