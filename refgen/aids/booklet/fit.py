"""A booklet is made to fit: its pages are planned by estimated heights, then laid out, and measured.

In: a booklet, and how to make the HTML of some of its pages. Out: its pages and its PDF. Most often one layout is
enough; where an estimate was too low, all is planned with less room, and the pages that become others are laid out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refgen.aids.booklet.model import Booklet
from refgen.aids.booklet.pages import BookletPage, BookletPages, Heading, Title
from refgen.aids.booklet.planner import Planner
from refgen.errors import RenderError
from refgen.game.system_info import SystemInfo
from refgen.layout.engine import PartBoxes
from refgen.layout.units import PIXEL
from refgen.render.layout_cache import KeptPages, LayoutCache

MAX_LAYOUTS = 4
"""How often a booklet is laid out at most: what does not fit then fits no page."""

LONGEST_QUOTED = 60
"""Letters of a title that fits no page."""

MakeHtml = Callable[[Sequence[BookletPage]], str]
"""Makes the HTML of some pages."""


@dataclass(frozen=True, slots=True)
class FittedBooklet:
    """A booklet that fits: its pages, their PDF, and what was measured on each."""

    pages: BookletPages
    pdf: bytes
    measured: Sequence[Mapping[int, PartBoxes]]


def fit_booklet(
    make: MakeHtml, system: SystemInfo, booklet: Booklet, name: str, kept: KeptPages | None = None
) -> FittedBooklet:
    """Plan and lay out a booklet; some pages may be ``kept``. Raises RenderError when a page fits in no way."""
    planner = Planner(system, booklet)
    cache = LayoutCache[BookletPage](lambda parts: make(list(parts.values())), name, kept)
    for _ in range(MAX_LAYOUTS):
        pages = planner.pages()
        contents = [{page.number: page} for page in pages.pages]
        measured = [page.parts for page in cache.pages(contents)]
        too_full = {number: boxes.overflow for page in measured for number, boxes in page.items() if boxes.overflows}
        if not too_full:
            return FittedBooklet(pages, cache.write(contents), measured)
        planner.height -= max(too_full.values()) * PIXEL + 1
    fullest = pages.pages[max(too_full, key=too_full.__getitem__)]
    hint = "Shorten its longest words and texts."
    raise RenderError(f"{name}: {_excerpt(fullest)} fits no page of a booklet", hint=hint)


def _excerpt(page: BookletPage) -> str:
    """What a page shows, in words: the beginning of its first title, or of the chapter that its head names."""
    titles = (placed.item.text for placed in page.items if isinstance(placed.item, Title | Heading))
    title = next(titles, page.chapter)
    if not title:
        return "what stands on the cover"
    return f'"{title}"' if len(title) <= LONGEST_QUOTED else f'"{title[:LONGEST_QUOTED]}…"'
