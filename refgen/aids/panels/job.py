"""The jobs of panels (screens, session sheets): fitted to their pages, written as HTML or PDF, and read back.

In: an aid of panels and a page format. Out: the files, and mismatches between the pages and the aid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from refgen.aids.kind import AidJob, MadeFiles, fit_pages, preview_files
from refgen.aids.panels.model import PanelFrame, PanelPage, Panels, on_sheets
from refgen.aids.panels.planner import PanelPlanner
from refgen.errors import RefgenError
from refgen.game import SystemInfo
from refgen.layout.layout_cache import KeptPages, LayoutCache
from refgen.layout.page_format import PageFormat
from refgen.layout.pieces import ExpectedPart, Piece, box_pieces, header
from refgen.layout.readback.compare import AidOutput, read_back
from refgen.layout.templates import aid_html
from refgen.words import Words


def expected_parts(system: SystemInfo, pages: Sequence[PanelPage]) -> list[ExpectedPart]:
    """The texts that must be read on each panel, page by page."""
    return [_panel(system, page) for page in pages]


def tab_labels(pages: Sequence[PanelPage], words: Words) -> list[str]:
    """The labels of the tabs above the panels."""
    return [words("all-panels"), *(page.title for page in pages)]


def _panel(system: SystemInfo, page: PanelPage) -> ExpectedPart:
    edge = [Piece(text, f'edge, "{level}"') for value, level in page.panel.edge for text in (level, value)]
    pieces = [*header(page.title, system.title, page.place), *edge]
    for box, column in enumerate(page.columns):
        blocks = (block.panel_block.block for block in column.blocks)
        pieces += box_pieces(box, [piece for block in blocks for piece in block.pieces(page.title)])
    footer = Piece(page.foot, "footer")
    return ExpectedPart(page.title, (*pieces, footer), is_extended=bool(system.look.templates))


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedPanels(AidOutput):
    """The output of panels that fit, and their pages. ``faults`` say which panels could not be made."""

    pages: Sequence[PanelPage]
    faults: Sequence[RefgenError]


def fit_panels(
    system: SystemInfo, page_title: str, aid: Panels, page_format: PageFormat, name: str, kept: KeptPages | None = None
) -> FittedPanels:
    """Arrange and lay out panels; some pages may be ``kept``. Raises RenderError when no panel can be made."""
    planner = PanelPlanner(aid, page_format, system.words)

    def make(pages: Sequence[PanelPage]) -> str:
        return panels_html(system, page_title, pages, page_format, planner.across)

    fitted = fit_pages(planner, LayoutCache[PanelPage](lambda parts: make(list(parts.values())), name, kept))
    html, pages = make(fitted.pages), fitted.pages
    return FittedPanels(name, html, fitted.pdf, fitted.measured, pages=pages, faults=planner.faults)


def estimate_panels(
    aid: Panels, page_format: PageFormat, words: Words
) -> tuple[tuple[PanelPage, ...], int, Sequence[RefgenError]]:
    """The pages by estimated heights, how many stand side by side, and the errors of panels that do not fit.

    Raises RenderError if no panel fits.
    """
    planner = PanelPlanner(aid, page_format, words)
    pages = tuple(page for sheet in planner.sheets() for page in sheet)
    return pages, planner.across, planner.faults


def panels_html(
    system: SystemInfo,
    page_title: str,
    pages: Sequence[PanelPage],
    page_format: PageFormat,
    across: int = 1,
    *,
    printed: bool = False,
) -> str:
    """The HTML of some pages: one panel a page, or all of a side on one sheet, ``across`` side by side."""
    sheets = on_sheets(pages, page_format.imposition)
    frames = {page.number: PanelFrame(page.panel, page_format) for page in pages}
    values = {"page_title": page_title, "across": across, "frames": frames, "printed": printed}
    return aid_html("panels/panels.html", system, page_format=page_format, sheets=sheets, **values)


@dataclass(frozen=True, slots=True)
class PanelsJob(AidJob):
    """A GM screen, or another aid of panels, in one format: an aid in several formats keeps several workers busy."""

    page_title: ClassVar[str] = "gm-screen"
    """The id of the text for the aid in the title of the HTML pages."""

    @property
    def panels(self) -> Panels:
        """The panels of the aid in the format of the job: the aid itself, unless a kind arranges it by the paper."""
        panels: Panels = self.aid
        return panels

    @property
    def html_paths(self) -> frozenset[str]:
        """The path of the HTML page in the format of the job."""
        return frozenset(f"{self.path(each)}.html" for each in self.formats)

    def make(self, kept: KeptPages | None = None) -> MadeFiles:
        """The HTML and PDF; panels that do not fit are left out, each with an error."""
        page_format = self.page_format
        name = self.path(page_format)
        fitted = fit_panels(self.system, self.page_title, self.panels, page_format, name, kept)
        labels = tab_labels(fitted.pages, self.system.words)
        mismatches = read_back(expected_parts(self.system, fitted.pages), fitted, labels)
        shown = name if page_format.unlike(self.names.usual) else self.name  # usual formats differ in their paper alone
        pictures = preview_files(shown, fitted.pdf)
        files = {f"{name}.pdf": fitted.pdf, f"{name}.html": fitted.html.encode()}
        return MadeFiles(files, pictures, fitted.faults, mismatches)

    def draft(self, *, printed: bool = False) -> MadeFiles:
        """The HTML by estimated heights, read back, and the errors of panels that do not fit."""
        name, words = self.path(self.page_format), self.system.words
        pages, across, faults = estimate_panels(self.panels, self.page_format, words)
        html = panels_html(self.system, self.page_title, pages, self.page_format, across, printed=printed)
        mismatches = read_back(expected_parts(self.system, pages), AidOutput(name, html), tab_labels(pages, words))
        return MadeFiles({f"{name}.html": html.encode()}, errors=faults, mismatches=mismatches)

    @property
    def page_format(self) -> PageFormat:
        """The one format of the job."""
        (page_format,) = self.formats
        return page_format
