"""A booklet is made to fit: its pages are planned by estimated heights, then laid out, and measured.

In: a booklet, and how to make the HTML of its pages. Out: its HTML and its layout. Most often one layout is enough;
where an estimate was too low, all is planned with less room and laid out again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refgen.aids.booklet import Booklet
from refgen.aids.system_info import SystemInfo
from refgen.errors import RenderError
from refgen.render.booklet.pages import BookletPages
from refgen.render.booklet.planner import Planner
from refgen.render.measure import PartBoxes, measure
from refgen.render.pdf import layout
from refgen.render.units import PIXEL

MAX_LAYOUTS = 4
"""How often a booklet is laid out at most: what does not fit then is a fault of refgen."""


@dataclass(frozen=True, slots=True)
class FittedBooklet:
    """A booklet that fits: its pages, their HTML, the layout, and what was measured on each page."""

    pages: BookletPages
    html: str
    document: Any
    measured: Sequence[Mapping[int, PartBoxes]]


def fit_booklet(make: Callable[[BookletPages], str], system: SystemInfo, booklet: Booklet, name: str) -> FittedBooklet:
    """Plan and lay out a booklet. Raises RenderError when a page fits in no way."""
    planner = Planner(system, booklet)
    for _ in range(MAX_LAYOUTS):
        pages = planner.pages()
        html = make(pages)
        document = layout(html, name)
        measured = [measure(page) for page in document.pages]
        too_full = [boxes.overflow for page in measured for boxes in page.values() if boxes.overflows]
        if not too_full and len(measured) == len(pages.pages):
            return FittedBooklet(pages, html, document, measured)
        planner.height -= max(too_full, default=1.0) * PIXEL + 1
    raise RenderError(f"{name}: its tables fit in no way", hint="This is a fault in refgen: please tell us.")
