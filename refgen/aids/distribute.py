"""Blocks distributed over columns and pages, in the type size that fits: computed from the heights of the blocks.

In: blocks with a height at every width and type size, the area of a page, the type sizes. Out: an Arrangement, in which
the blocks keep their order and have the same gap in all columns. The largest type that fits is taken, with the most
evenly filled columns; what is left of a column stays at its foot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import NamedTuple, Protocol

from refgen.layout.lengths import BODY, MILLIMETRE
from refgen.layout.page_format import TypeScale

GUTTER = 4.5
"""Millimetres between columns."""

GAP = 3.6
"""Millimetres between blocks, at least."""

WIDEST_GAP = 1.6
"""The widest gap between blocks, in lines: blocks farther apart look unrelated."""

STRETCH = 1.5
"""The greatest width of a table, as a multiple of its max-content width: in a wider table the eye loses the row."""


class SizedBlock(Protocol):
    """A block with a min-content width, and a height at every width and type size."""

    @property
    def with_next(self) -> bool:
        """Whether the next block must stand in the same column."""

    @property
    def stretches(self) -> bool:
        """Whether the block takes the height left in its column: a list with more lines, an area to write in."""

    def min_content(self, size: float) -> float:
        """The narrowest width in which nothing sticks out, in points."""

    def height(self, width: float, size: float) -> float:
        """The height in points, at a width in points and a type size in points."""


@dataclass(frozen=True, slots=True)
class PageArea:
    """The area of a page for blocks, in points, and how many pages there may be at most.

    ``above`` is taken off the height of the first page, ``below`` off the height of the last.
    """

    width: float
    height: float
    pages: int = 1
    above: float = 0.0
    below: float = 0.0

    def heights(self, pages: int) -> list[float]:
        """The height that each of so many pages has for blocks."""
        heights = [self.height] * pages
        heights[0] -= self.above
        heights[-1] -= self.below
        return heights


@dataclass(frozen=True, slots=True)
class ArrangedColumn:
    """A column: left edge and width in points, and the blocks from ``first`` to before ``end``.

    ``fill`` is the share of the height that the blocks need, with gaps of GAP; a column that ``stretches`` looks full
    all the same.
    """

    left: float
    width: float
    first: int
    end: int
    fill: float
    stretches: bool = False

    @property
    def filled(self) -> float:
        """How full the column looks."""
        return 1.0 if self.stretches else self.fill


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The type size, the gap between blocks and the width that the columns share, in points; the columns by page."""

    size: float
    gap: float
    width: float
    pages: tuple[tuple[ArrangedColumn, ...], ...]

    @property
    def emptiest(self) -> float:
        """The fill of the emptiest column."""
        return min(column.filled for page in self.pages for column in page)

    @property
    def fullest(self) -> float:
        """The fill of the fullest column; more than 1 if the blocks do not fit."""
        return max(column.fill for page in self.pages for column in page)

    @property
    def widest(self) -> float:
        """The width of the widest column, in ems."""
        return max(column.width for column in self.pages[0]) / self.size

    @property
    def faults(self) -> int:
        """The number of faults of an arrangement that fits: uneven columns, and columns too wide to read."""
        is_even = self.emptiest >= min(EVEN, NEARLY * self.fullest)
        return (not is_even) + (self.widest > WIDEST)


SHARES: Sequence[Sequence[int]] = (
    (1,),
    (1, 1), (5, 4), (4, 5), (3, 2), (2, 3), (2, 1), (1, 2),
    (1, 1, 1), (4, 3, 3), (3, 4, 3), (3, 3, 4), (3, 4, 4), (4, 3, 4), (4, 4, 3), (2, 1, 1), (1, 2, 1), (1, 1, 2),
    (1, 1, 1, 1),
)  # fmt: skip
"""The relative widths that columns may have."""

NARROWEST = 15.0
"""The least width of a column, in em: in narrower columns text is all line ends."""

WIDEST = 46.0
"""The greatest width of a column, in em: in wider columns the eye loses the line."""

EVEN = 0.7
"""The least fill wanted of every column, unless the whole panel is emptier."""

NEARLY = 0.9
"""The least fill wanted of a column of an emptier panel, as a share of the fill of the fullest column."""

BALANCE_WORTH = 1.0
"""Points by which the type may be smaller for the sake of evenly filled columns."""

_SPREAD = 0.97
"""The share of a column's rest that goes between its blocks at most; the rest allows for rounding."""


def arrange(blocks: Sequence[SizedBlock], area: PageArea, scale: TypeScale, smallest: float) -> Arrangement | None:
    """The best arrangement in a size of the scale that is at least ``smallest``; None if nothing fits.

    Before the type becomes small, another page is taken, if the area allows another page.
    """
    sizes = [size for size in scale.sizes if size >= smallest and _each_fits_alone(blocks, area, size)]
    most = min(area.pages, len(blocks))
    for pages in range(1, most + 1):
        small = pages < most and min(scale.usual - BALANCE_WORTH, max(sizes, default=0))
        found = _best_on_pages(blocks, area, pages, [size for size in sizes if size >= small], scale.usual)
        if found is not None:
            return found
    return None


def _each_fits_alone(blocks: Sequence[SizedBlock], area: PageArea, size: float) -> bool:
    """Whether each block fits on a page of its own."""
    return all(any(height <= area.height for height in _heights(block, area, size)) for block in blocks)


def _best_on_pages(
    blocks: Sequence[SizedBlock], area: PageArea, pages: int, sizes: Sequence[float], usual: float
) -> Arrangement | None:
    """The arrangement in the largest size that fits without half-empty or overwide columns.

    Where each size has such columns, the largest that fits; for good columns the type is only a little smaller than
    ``usual``, or than the largest that fits.
    """
    first: Arrangement | None = None
    for size in sizes:
        if first is not None and min(first.size, usual) - size > BALANCE_WORTH:
            break
        found = min(arrangements(blocks, area, pages, size, most=1), key=_unevenness, default=None)
        if found is not None and not found.faults:
            return found
        first = first or found
    return first


def _unevenness(found: Arrangement) -> tuple[int, float]:
    """The cost of an arrangement: the number of faults, then the difference between the fills of the columns.

    Many columns, unequal columns and wide columns cost more than small differences in fill.
    """
    widths = [column.width for column in found.pages[0]]
    unequal, too_wide = max(widths) / min(widths) - 1, max(0, found.widest / WIDEST - 1)
    price = 0.02 * len(widths) + 0.04 * unequal + 0.3 * too_wide
    fills = [column.filled for page in found.pages for column in page]
    return found.faults, max(fills) - min(fills) + price


def arrangements(
    blocks: Sequence[SizedBlock], area: PageArea, pages: int, size: float, most: float = inf
) -> Iterator[Arrangement]:
    """For each set of columns wide enough for all blocks, the arrangement with the least full fullest column.

    Where blocks stretch, also the arrangement with the fullest emptiest column. No column is fuller than ``most``.
    """
    stretches = any(block.stretches for block in blocks)
    for shares in SHARES:
        widths = _widths(shares, area.width)
        if len(shares) > 1 and min(widths) < NARROWEST * size:
            continue
        columns = [(width, height) for height in area.heights(pages) for width in widths]
        for price in (_fullness, _emptiness) if stretches else (_fullness,):
            ends = _column_ends(blocks, columns, size, price, most)
            if ends is not None:
                yield _arrangement(blocks, area, shares, ends, size)


def min_height(block: SizedBlock, area: PageArea, size: float) -> float:
    """The least height of a block in any column: text is lowest in a wide column, a chart in a narrow one."""
    return min(_heights(block, area, size))


def _heights(block: SizedBlock, area: PageArea, size: float) -> Iterator[float]:
    """The heights of a block in all columns that are wide enough, the widest first."""
    for shares in SHARES:
        for width in _widths(shares, area.width):
            if width >= block.min_content(size):
                yield block.height(width, size)


def _widths(shares: Sequence[int], width: float) -> list[float]:
    unit = (width - (len(shares) - 1) * GUTTER * MILLIMETRE) / sum(shares)
    return [share * unit for share in shares]


def _fullness(column: _FilledColumn) -> float:
    """The cost of a column that should be as empty as possible."""
    return column.fill


def _emptiness(column: _FilledColumn) -> float:
    """The cost of a column that should look as full as possible, but not be too full."""
    if column.fill > 1:
        return inf
    return 0.0 if column.stretches else 1 - column.fill


def _column_ends(
    blocks: Sequence[SizedBlock],
    columns: Sequence[tuple[float, float]],
    size: float,
    price: Callable[[_FilledColumn], float],
    most: float,
) -> list[int] | None:
    """The end of each column: chosen so that the dearest column costs least and no column is blank.

    ``columns`` are widths and heights. None if a block is too wide for its column, if a column must be fuller than
    ``most``, or if there are fewer blocks than columns. Dynamic programming from the first column on: for each number
    of blocks, the best way to fill the columns so far.
    """
    if len(blocks) < len(columns) or min(height for _, height in columns) <= 0:
        return None
    best: list[tuple[float, list[int]] | None] = [(0.0, []), *([None] * len(blocks))]
    for width, height in columns:
        before, best = best, [None] * (len(blocks) + 1)
        for first, found in enumerate(before):
            if found is not None:
                for column in _columns_from(blocks, first, width, height, size, most):
                    dearest = max(found[0], price(column))
                    known = best[column.end]
                    if known is None or dearest < known[0]:
                        best[column.end] = dearest, [*found[1], column.end]
    last = best[-1]
    return last[1] if last else None


class _FilledColumn(NamedTuple):
    """A column that ends before the block ``end``, how full the column is, and whether the column stretches."""

    end: int
    fill: float
    stretches: bool


def _columns_from(
    blocks: Sequence[SizedBlock], first: int, width: float, height: float, size: float, most: float = inf
) -> Iterator[_FilledColumn]:
    """The columns that start with the block ``first`` and end before any later block, up to a fill of ``most``."""
    used, stretches = -GAP * MILLIMETRE, False
    for end, block in enumerate(blocks[first:], start=first + 1):
        if block.min_content(size) > width:
            return
        used += GAP * MILLIMETRE + block.height(width, size)
        if used / height > most:
            return
        stretches = stretches or block.stretches
        if not block.with_next or end == len(blocks):
            yield _FilledColumn(end, used / height, stretches)


def _arrangement(
    blocks: Sequence[SizedBlock], area: PageArea, shares: Sequence[int], ends: Sequence[int], size: float
) -> Arrangement:
    widths, heights = _widths(shares, area.width), area.heights(len(ends) // len(shares))
    columns: list[ArrangedColumn] = []
    for number, (first, end) in enumerate(pairwise([0, *ends])):
        page, place = divmod(number, len(shares))
        left = sum(widths[:place]) + place * GUTTER * MILLIMETRE
        *_, (_, fill, stretches) = _columns_from(blocks[:end], first, widths[place], heights[page], size)
        columns.append(ArrangedColumn(left, widths[place], first, end, fill, stretches))
    column_heights = [height for height in heights for _ in shares]
    pages = (tuple(columns[start : start + len(shares)]) for start in range(0, len(columns), len(shares)))
    return Arrangement(size, _common_gap(columns, column_heights, size), area.width, tuple(pages))


def _common_gap(columns: Sequence[ArrangedColumn], heights: Sequence[float], size: float) -> float:
    """The gap of all columns, in points: as wide as each column has room for, from GAP to WIDEST_GAP."""
    narrow = GAP * MILLIMETRE
    rooms = (
        narrow + _SPREAD * height * (1 - column.fill) / (column.end - column.first - 1)
        for column, height in zip(columns, heights, strict=True)
        if column.end - column.first > 1
    )
    return max(min([WIDEST_GAP * BODY.line_height * size, *rooms]), narrow)
