"""A booklet is made to fit: its pages are planned by estimated heights, then laid out, and measured.

In: a booklet, and how to make the HTML of some of its pages. Out: its pages and its PDF. Most often one layout is
enough; where an estimate was too low, all is planned with less room, and the pages that become others are laid out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refgen.aids.booklet import Booklet
from refgen.aids.system_info import SystemInfo
from refgen.errors import RenderError
from refgen.layout.engine import PartBoxes
from refgen.layout.units import PIXEL
from refgen.render.booklet.pages import BookletPage, BookletPages
from refgen.render.booklet.planner import Planner
from refgen.render.layout_cache import KeptPages, LayoutCache

MAX_LAYOUTS = 4
"""How often a booklet is laid out at most: what does not fit then is a fault of refgen."""

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
        too_full = [boxes.overflow for page in measured for boxes in page.values() if boxes.overflows]
        if not too_full:
            return FittedBooklet(pages, cache.write(contents), measured)
        planner.height -= max(too_full) * PIXEL + 1
    raise RenderError(f"{name}: its tables fit in no way", hint="This is a fault in refgen: please tell us.")
