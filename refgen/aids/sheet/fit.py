"""A sheet is made to fit: its parts are arranged by their estimated heights, then laid out.

In: a sheet, its format, and how to make the HTML of some of its pages. Out: its HTML and its layout. Most often one
layout is enough; where an estimate was too low, the page is arranged with less room and laid out again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refgen.aids.sheet.pages import PlacedPage, SheetPages
from refgen.aids.sheet.planner import Planner
from refgen.characters.sheet.model import CharacterSheet
from refgen.errors import RenderError
from refgen.layout.engine import Page
from refgen.render.layout_cache import LayoutCache, parts_of
from refgen.render.page_format import PageFormat

MAX_LAYOUTS = 4
"""How often a sheet is laid out at most: what does not fit then is a fault of refgen."""

MakeHtml = Callable[[SheetPages], str]
"""Makes the HTML of some pages of a sheet."""


@dataclass(frozen=True, slots=True)
class FittedSheet:
    """A sheet that fits: its pages, their HTML, and the same pages laid out."""

    pages: SheetPages
    html: str
    laid_out: Sequence[Page]


def fit_sheet(make: MakeHtml, sheet: CharacterSheet, page_format: PageFormat, name: str) -> FittedSheet:
    """Arrange and lay out a sheet. Raises RenderError when a page fits in no way."""
    planner = Planner(sheet, page_format)
    cache = LayoutCache[PlacedPage](lambda parts: make(SheetPages(sheet, tuple(parts.values()))), name)
    for _ in range(MAX_LAYOUTS):
        pages = planner.pages()
        laid_out = cache.pages([{page.number: page} for page in pages.pages])
        found = parts_of(laid_out)
        too_full = [page for page in pages.pages if found[page.number].overflows]
        if not too_full:
            return FittedSheet(pages, make(pages), laid_out)
        planner.learn(too_full, found)
    raise RenderError(f"{name}: no arrangement of its parts fits", hint="This is a fault in refgen: please tell us.")
