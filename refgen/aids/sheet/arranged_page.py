"""A page of a sheet in one type size: its parts in columns, with the height left over shared out among them.

In: the measured parts of the page, and the area of the paper for parts. Out: the placed columns of one page of paper or
of several, in the order of the parts: pages are filled as far as possible, so that the least paper stays blank. The
height left in a column goes to its parts that stretch: whole lines first, then areas. All columns of a page have the
same gap between parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import inf

from refgen.aids.distribute import GAP, SHARES, STRETCH, ArrangedColumn, Arrangement, PageArea, SizedBlock, arrange
from refgen.aids.sheet.parts import MeasuredPart, PlacedColumn, SetPart
from refgen.characters.sheet import SheetPage
from refgen.errors import AidError
from refgen.layout.lengths import MILLIMETRE, SHEET_LINE
from refgen.layout.page_format import TypeScale


def shared_lines(least: Sequence[int], more: int) -> list[int]:
    """The additional lines of each part, so that all parts grow by about the same factor.

    A part with 0 in ``least`` gets no line. Each line goes to the part whose lines are the smallest multiple of its
    least.
    """
    lines = list(least)
    growing = [place for place, count in enumerate(least) if count]
    for _ in range(more if growing else 0):
        place = min(growing, key=lambda place: ((lines[place] + 1) / least[place], place))
        lines[place] += 1
    return [now - before for now, before in zip(lines, least, strict=True)]


UNEVEN = 0.25
"""The share of a page that may be left blank to make columns equally full."""

_Found = tuple[float, tuple[Arrangement, ...]]
"""Some pages: their cost, and the arrangement of each."""


def arrange_page_by_page(blocks: Sequence[SizedBlock], area: PageArea, size: float) -> Sequence[Arrangement] | None:
    """The arrangements of as many pages as the area has; None if the blocks do not fit."""
    heights = area.heights(area.pages)

    @cache
    def best(page: int, first: int) -> _Found | None:
        """The cheapest way to set the blocks from ``first`` on, on the pages from ``page`` on."""
        rest = area.pages - page - 1
        later = ((one, best(page + 1, end) if rest else _NOTHING) for end, one in ends(page, first, rest))
        found = (_with_later_pages(one, pages) for one, pages in later if pages is not None)
        return min(found, key=lambda each: each[0], default=None)

    def ends(page: int, first: int, rest: int) -> Iterator[tuple[int, Arrangement]]:
        """The ways to fill a page: the first block of the next page, and the columns. Each later page needs a block."""
        for end in range(first + 1, len(blocks) - rest + 1) if rest else (len(blocks),):
            one = PageArea(area.width, heights[page])
            found = arrange(blocks[first:end], one, TypeScale((size,), size), size)
            if found is not None:
                yield end, _renumbered_page(found, first)

    pages = best(0, 0)
    return None if pages is None else pages[1]


_NOTHING: _Found = 0.0, ()


def _with_later_pages(page: Arrangement, later: _Found) -> _Found:
    """The cost and the arrangements of a page and the pages after it."""
    cost, pages = later
    return cost + UNEVEN * page.faults + blank_share(page), (page, *pages)


def blank_share(page: Arrangement) -> float:
    """The share of a page that is left blank."""
    (columns,) = page.pages
    return sum(column.width * (1 - column.filled) for column in columns) / page.width


def _renumbered_page(page: Arrangement, first: int) -> Arrangement:
    """A page whose columns count the blocks from the first block of all pages."""
    (columns,) = page.pages
    renumbered = (replace(column, first=column.first + first, end=column.end + first) for column in columns)
    return replace(page, pages=(tuple(renumbered),))


LOOSEST = 1.0
"""The share by which lines may be higher in large print, in a column that nothing else fills."""

SPARE = 0.6
"""Points of a column that stay free, since estimates are rounded."""


@dataclass(frozen=True, slots=True)
class PageBands:
    """The parts of a page: full-width parts above, parts in columns, and full-width parts below."""

    head: Sequence[MeasuredPart]
    columns: Sequence[MeasuredPart]
    foot: Sequence[MeasuredPart]

    @classmethod
    def of(cls, page: SheetPage, measured: Mapping[str, MeasuredPart]) -> PageBands:
        """The bands of a page. Raises AidError for a wide part between others."""
        parts = [measured[part.id] for part in page.parts]
        narrow = [place for place, each in enumerate(parts) if not each.part.wide]
        first, end = (narrow[0], narrow[-1] + 1) if narrow else (len(parts), len(parts))
        for each in parts[first:end]:
            if each.part.wide:
                message = f'"{each.part.title}" is as wide as the page, and stands between parts that are not'
                raise AidError(message, span=each.part.place, hint="Put it before all of them, or after.")
        return cls(parts[:first], parts[first:end], parts[end:])

    def taken(self, width: float, size: float) -> float:
        """The height of the wide parts, with the gaps between them and the columns."""
        gap = 0.0 if self.columns else GAP * MILLIMETRE
        return sum(height_with_gaps(wide, width, size) for wide in (self.head, self.foot)) - gap


def height_with_gaps(wide: Sequence[MeasuredPart], width: float, size: float) -> float:
    """The height of wide parts, each with the gap between it and what comes next."""
    return sum(each.height(width, size) + GAP * MILLIMETRE for each in wide)


class ArrangedPage:
    """A page of a sheet in one type size, on up to ``most`` pages of paper.

    A page of paper without parts that stretch is set in one of the ``larger`` sizes if it has room.
    """

    def __init__(
        self, bands: PageBands, width: float, height: float, size: float, most: int, larger: Sequence[float] = ()
    ) -> None:
        self.bands, self.width, self.height, self.size, self.most = bands, width, height, size, most
        self.larger = larger

    @property
    def _room(self) -> float:
        """The height for the columns of a single page; without columns, the height that all wide parts leave."""
        return self.height - self.bands.taken(self.width, self.size)

    @property
    def fits(self) -> bool:
        """Whether all parts fit."""
        if any(each.min_content(self.size) > self.width for each in (*self.bands.head, *self.bands.foot)):
            return False
        return self._room >= 0 if not self.bands.columns else self._arrangement is not None

    @property
    def faults(self) -> int:
        """The number of faults of the columns: uneven or overwide ones, and in large print pages left too blank."""
        pages = self._arrangement or ()
        return sum(page.faults + (bool(self.larger) and blank_share(page) > UNEVEN) for page in pages)

    @cached_property
    def _arrangement(self) -> Sequence[Arrangement] | None:
        """The pages of paper; in large print the columns of each page are arranged by themselves."""
        if not self.bands.columns or self._least_pages > self.most:
            return None
        above, below = (height_with_gaps(wide, self.width, self.size) for wide in (self.bands.head, self.bands.foot))
        area = PageArea(self.width, self.height - SPARE, self.most, above, below)
        if self.larger and self.most > 1:
            return arrange_page_by_page(self.bands.columns, area, self.size)
        found = arrange(self.bands.columns, area, TypeScale((self.size,), self.size), self.size)
        return None if found is None else [replace(found, pages=(columns,)) for columns in found.pages]

    @property
    def _least_pages(self) -> float:
        """The least number of pages that the parts take, in as many columns as possible."""
        return sum(each.height(self.width, self.size) for each in self.bands.columns) / (self.height * len(SHARES[-1]))

    def pages(self) -> Iterator[tuple[float, tuple[PlacedColumn, ...]]]:
        """The type size and the columns of each page of paper, from the upper left corner to the lower right.

        Wide parts stand above the columns of the first page, and below the columns of the last.
        """
        if self._arrangement is None:
            parts = [*self.bands.head, *self.bands.foot]
            yield self.size, ((self._fill_column(parts, 0.0, 0.0, self.width, self.height),) if parts else ())
            return
        last = len(self._arrangement) - 1
        for number, found in enumerate(self._arrangement):
            head, foot = self.bands.head if number == 0 else (), self.bands.foot if number == last else ()
            larger = None if head or foot else self._set_larger(*found.pages)
            if larger is None:
                yield self.size, tuple(self._columns(head, found, foot))
            else:
                yield from larger.pages()

    def _set_larger(self, columns: Sequence[ArrangedColumn]) -> ArrangedPage | None:
        """The parts of a page in the largest type that fits; None if a column stretches or no larger type fits."""
        if any(column.stretches for column in columns):
            return None
        bands = PageBands((), self.bands.columns[columns[0].first : columns[-1].end], ())
        pages = (ArrangedPage(bands, self.width, self.height, size, 1) for size in self.larger if size > self.size)
        return next((page for page in pages if page.fits and page.faults <= self.faults), None)

    def _columns(
        self, head: Sequence[MeasuredPart], found: Arrangement, foot: Sequence[MeasuredPart]
    ) -> Iterator[PlacedColumn]:
        """The columns of a page, with gaps wider than GAP only where no column stretches."""
        gap, (columns,) = GAP * MILLIMETRE, found.pages
        between = gap if any(column.stretches for column in columns) else found.gap
        above, below = (height_with_gaps(wide, self.width, self.size) for wide in (head, foot))
        room = self.height - above - below
        if head:
            yield self._fill_column(head, 0.0, 0.0, self.width, above - gap)
        for column in columns:
            parts = self.bands.columns[column.first : column.end]
            yield self._fill_column(parts, column.left, above, column.width, room, between)
        if foot:
            yield self._fill_column(foot, 0.0, above + room + gap, self.width, below - gap)

    def _fill_column(
        self,
        parts: Sequence[MeasuredPart],
        left: float,
        top: float,
        width: float,
        height: float,
        gap: float = GAP * MILLIMETRE,
    ) -> PlacedColumn:
        """A column of parts with a gap between each two, in points; additional lines and areas fill the column."""
        line = SHEET_LINE * self.size
        needed = sum(each.height(width, self.size) for each in parts) + (len(parts) - 1) * gap
        rest = height - SPARE - needed
        least = [each.part.least if each.stretches else 0 for each in parts]
        more = shared_lines(least, max(int(rest / line), 0))
        rest -= sum(more) * line
        lines = sum(each.rows.lines(width / self.size) for each in parts)
        looser = min(rest / (lines * line), LOOSEST) if self.larger and lines and not any(least) and rest > 0 else 0.0
        rest -= lines * line * looser
        areas = [each for each in parts if each.stretches and each.part.layout == "area"]
        extra = rest / len(areas) if areas and rest > 0 else 0.0
        placed = (self._set(each, width, count, extra) for each, count in zip(parts, more, strict=True))
        height_of_lines = round(SHEET_LINE * (1 + looser), 3) if looser else None
        parts_set = tuple(replace(one, line=height_of_lines) if height_of_lines else one for one in placed)
        return PlacedColumn(round(left, 2), round(top, 2), round(width, 2), round(height, 2), round(gap, 2), parts_set)

    def _set(self, measured: MeasuredPart, width: float, more: int, extra: float) -> SetPart:
        """A part with so many more lines; an area also grows by ``extra`` points."""
        part, rows = measured.part, measured.rows
        if part.layout == "area":
            lines = part.least + more
            return SetPart(part, rows, 1, round(lines * SHEET_LINE * self.size + extra * part.stretches, 2))
        if part.pattern is not None:
            part = part.with_lines(len(part.rows) + more)
        widest = STRETCH * measured.block.max_content(self.size) if measured.block else inf
        table_width = round(widest / self.size, 2) if widest < width else None
        return SetPart(part, rows, rows.columns(width / self.size), table_width=table_width)
