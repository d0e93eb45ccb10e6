"""Panels are made to fit: each panel is arranged by the estimated heights of its blocks, then laid out.

In: panels, their format, and how to make the HTML of some of its pages. Out: their HTML and PDF. Most often one
layout is enough; where an estimate was too low, the panel is arranged by measured heights and laid out again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refgen.aids.panels.model import Panels
from refgen.aids.panels.pages import PanelPage, PanelPages, on_sheets
from refgen.aids.panels.planner import Planner
from refgen.errors import RefgenError, RenderError
from refgen.layout.engine import PartBoxes
from refgen.render.layout_cache import KeptPages, LayoutCache, parts_of
from refgen.render.page_format import PageFormat

MAX_LAYOUTS = 4
"""How often panels are laid out at most: what does not fit then is a fault of refgen."""

MakeHtml = Callable[[Sequence[PanelPage], int], str]
"""Makes the HTML of some pages of panels, on sheets that have room for so many side by side."""


@dataclass(frozen=True, slots=True)
class FittedPanels:
    """Panels that fit: their pages, HTML and PDF, and what was measured on each sheet.

    ``faults`` say which panels could not be made.
    """

    pages: PanelPages
    html: str
    pdf: bytes
    measured: Sequence[Mapping[int, PartBoxes]]
    faults: Sequence[RefgenError]


def fit_panels(
    make: MakeHtml, aid: Panels, page_format: PageFormat, name: str, kept: KeptPages | None = None
) -> FittedPanels:
    """Arrange and lay out panels; some pages may be ``kept``. Raises RenderError when no panel can be made."""
    planner = Planner(aid, page_format)
    planner.arrange(range(len(aid.panels)))
    across = 1
    cache = LayoutCache[PanelPage](lambda parts: make(list(parts.values()), across), name, kept)
    for _ in range(MAX_LAYOUTS):
        pages = planner.pages()
        sheets = on_sheets(pages.pages, page_format.imposition)
        across = max(map(len, sheets))
        contents = [{page.number: page for page in sheet} for sheet in sheets]
        laid_out = cache.pages(contents)
        found = parts_of(laid_out)
        too_full = [page for page in pages.pages if found[page.number].overflows]
        if not too_full:
            measured = [sheet.parts for sheet in laid_out]
            return FittedPanels(pages, make(pages.pages, across), cache.write(contents), measured, planner.faults)
        planner.learn(too_full, found)
    raise RenderError(f"{name}: no arrangement of its blocks fits", hint="This is a fault in refgen: please tell us.")


def estimate_panels(aid: Panels, page_format: PageFormat) -> tuple[Sequence[PanelPage], int, Sequence[RefgenError]]:
    """The pages as arranged by estimates, how many stand side by side, and the faults of panels that do not fit.

    Raises RenderError when no panel fits.
    """
    planner = Planner(aid, page_format)
    planner.arrange(range(len(aid.panels)))
    pages = planner.pages().pages
    return pages, max(map(len, on_sheets(pages, page_format.imposition))), planner.faults
