"""The jobs of panels (screens, session sheets): fitted to their pages, written as HTML or PDF, and read back.

In: an aid of panels and a page format. Out: the files, and mismatches between the pages and the aid.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from refgen.aids.kind import AidJob, MadeFiles, numbered_previews
from refgen.aids.panels.model import Panels
from refgen.aids.panels.pages import PanelPage, PanelPages, on_sheets
from refgen.aids.panels.panel_area import is_tight
from refgen.aids.panels.planner import Planner
from refgen.errors import RefgenError, RenderError
from refgen.game.system_info import SystemInfo
from refgen.layout.engine import PartBoxes
from refgen.layout.layout_cache import KeptPages, LayoutCache, parts_of
from refgen.layout.page_format import PageFormat
from refgen.layout.preview import previews
from refgen.layout.readback.compare import Rendered, read_back
from refgen.layout.readback.expected import ExpectedPart, Piece, boxed, header
from refgen.layout.templates import aid_html


def expected(system: SystemInfo, panels: PanelPages) -> list[ExpectedPart]:
    """The texts that must be read on each panel, page by page."""
    return [_panel(system, page) for page in panels.pages]


def tabs(panels: PanelPages) -> list[str]:
    """The labels of the tabs above the panels."""
    return ["All", *(page.title for page in panels.pages)]


def _panel(system: SystemInfo, page: PanelPage) -> ExpectedPart:
    edge = [Piece(text, f'edge, "{level}"') for value, level in page.panel.edge for text in (level, value)]
    pieces = [*header(page.title, system.title, page.place), *edge]
    for box, column in enumerate(page.columns):
        blocks = (block.panel_block.block for block in column.blocks)
        pieces += boxed(box, [piece for block in blocks for piece in block.pieces(page.title)])
    return ExpectedPart(page.title, (*pieces, Piece(page.panel.source, "footer")))


MAX_LAYOUTS = 4
"""Panels are laid out at most so many times; blocks that still overflow then are a fault of refgen."""

MakeHtml = Callable[[Sequence[PanelPage], int], str]
"""Makes the HTML of some pages of panels, on sheets with room for so many pages side by side."""


@dataclass(frozen=True, slots=True)
class FittedPanels:
    """Panels that fit: their pages, HTML and PDF, and the boxes measured on each sheet.

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
    """The pages by estimated heights, how many stand side by side, and the faults of panels that do not fit.

    Raises RenderError if no panel fits.
    """
    planner = Planner(aid, page_format)
    planner.arrange(range(len(aid.panels)))
    pages = planner.pages().pages
    return pages, max(map(len, on_sheets(pages, page_format.imposition))), planner.faults


def panels_html(
    system: SystemInfo, called: str, pages: Sequence[PanelPage], page_format: PageFormat, across: int = 1
) -> str:
    """The HTML of some pages: one panel a page, or all of a side on one sheet, ``across`` side by side."""
    sheets = on_sheets(pages, page_format.imposition)
    values = {"called": called, "across": across, "is_tight": partial(is_tight, page_format)}
    return aid_html("panels/panels.html", system, page_format=page_format, sheets=sheets, **values)


@dataclass(frozen=True, slots=True)
class PanelsJob(AidJob):
    """Panels in one format, so that a single aid keeps several workers busy."""

    called: ClassVar[str]
    """The words for this kind of aid in the titles of its pages."""

    @property
    @abstractmethod
    def panels(self) -> Panels:
        """The panels of the aid in the format of the job. Raises RefgenError if it has none."""

    @property
    def html_paths(self) -> frozenset[str]:
        """The path of the HTML page in the format of the job."""
        return frozenset(f"{self.path(each)}.html" for each in self.formats)

    def make(self, kept: KeptPages | None = None) -> MadeFiles:
        """The HTML and PDF; panels that do not fit are left out, each with an error."""
        page_format = self.page_format
        name = self.path(page_format)
        fitted = fit_panels(self._html, self.panels, page_format, name, kept)
        rendered = Rendered(name, fitted.html, fitted.pdf, fitted.measured)
        mismatches = read_back(expected(self.system, fitted.pages), rendered, tabs(fitted.pages))
        shown = name if page_format.unlike(self.names.usual) else self.name  # usual formats differ in their paper alone
        pictures = numbered_previews(shown, previews(fitted.pdf, sys.maxsize))
        files = {f"{name}.pdf": fitted.pdf, f"{name}.html": fitted.html.encode()}
        return MadeFiles(files, pictures, fitted.faults, mismatches)

    def draft(self) -> MadeFiles:
        """The HTML by estimated heights, and the errors of panels that do not fit."""
        pages, across, faults = estimate_panels(self.panels, self.page_format)
        return MadeFiles({f"{self.path(self.page_format)}.html": self._html(pages, across).encode()}, errors=faults)

    def _html(self, pages: Sequence[PanelPage], across: int) -> str:
        return panels_html(self.system, self.called, pages, self.page_format, across)

    @property
    def page_format(self) -> PageFormat:
        """The one format of the job."""
        (page_format,) = self.formats
        return page_format
