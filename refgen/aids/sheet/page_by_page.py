"""The parts of a sheet over several pages of paper, each with columns of its own.

In: parts that know how high they are, and the area that pages have. Out: an arrangement for each page, in the order of
the parts. Pages are filled as far as they can be: what is least is the paper that stays blank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from refgen.aids.distribute import Arrangement, Column, PageArea, SizedBlock, arrange, faults
from refgen.render.page_format import TypeScale

UNEVEN = 0.25
"""The share of a page that may be left blank for the sake of columns that are as full as each other."""

_Found = tuple[float, tuple[Arrangement, ...]]
"""Some pages: what is wrong with them, and what stands on them."""


def page_by_page(blocks: Sequence[SizedBlock], area: PageArea, size: float) -> Sequence[Arrangement] | None:
    """The pages, as many as the area has; None where they do not fit."""
    heights = area.heights(area.pages)

    @cache
    def best(page: int, first: int) -> _Found | None:
        """The best pages from one on, which begins with a block."""
        rest = area.pages - page - 1
        found = (_before(one, best(page + 1, end) if rest else _NOTHING) for end, one in ends(page, first, rest))
        return min((each for each in found if each is not None), key=lambda each: each[0], default=None)

    def ends(page: int, first: int, rest: int) -> Iterator[tuple[int, Arrangement]]:
        """The ways to fill a page: before which block it ends, and its columns. Each page after it has a block."""
        for end in range(first + 1, len(blocks) - rest + 1) if rest else (len(blocks),):
            one = PageArea(area.width, heights[page])
            found = arrange(blocks[first:end], one, TypeScale((size,), size), size)
            if found is not None:
                yield end, _moved(found, first)

    pages = best(0, 0)
    return None if pages is None else pages[1]


_NOTHING: _Found = 0.0, ()


def _before(page: Arrangement, others: _Found | None) -> _Found | None:
    """A page before others."""
    if others is None:
        return None
    wrong, pages = others
    return wrong + UNEVEN * faults(page) + blank(page), (page, *pages)


def blank(page: Arrangement) -> float:
    """The share of a page that stays blank."""
    (columns,) = page.pages
    return sum(column.width * (1 - column.filled) for column in columns) / page.width


def _moved(page: Arrangement, first: int) -> Arrangement:
    """The same with the numbers that its blocks have among all."""
    (columns,) = page.pages
    return replace(page, pages=(tuple(_shifted(column, first) for column in columns),))


def _shifted(column: Column, first: int) -> Column:
    return replace(column, first=column.first + first, end=column.end + first)
