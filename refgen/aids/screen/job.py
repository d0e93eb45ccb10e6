"""A GM screen in one format: laid out, read back, and drafted.

In: a screen, the system that the screen belongs to, and a format. Out: HTML, PDF, and a preview of every page.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from refgen.aids.kind import AidJob, MadeFiles, numbered_previews
from refgen.aids.screen.expected import expected, tabs
from refgen.aids.screen.fit import estimate_screen, fit_screen
from refgen.aids.screen.html import screen_html
from refgen.aids.screen.model import GmScreen
from refgen.aids.screen.pages import PanelPage
from refgen.render.layout_cache import KeptPages
from refgen.render.page_format import PageFormat
from refgen.render.preview import previews
from refgen.render.readback.aid import Rendered, read_back


@dataclass(frozen=True, slots=True)
class ScreenJob(AidJob):
    """A screen in one format, so that a single screen keeps several workers busy."""

    aid: GmScreen

    @property
    def html_paths(self) -> frozenset[str]:
        """The path of the page of the format."""
        return frozenset(f"{self.path(each)}.html" for each in self.formats)

    def make(self, kept: KeptPages | None = None) -> MadeFiles:
        """The HTML and PDF; panels that do not fit are left out, each with an error."""
        page_format = self._format
        name = self.path(page_format)
        fitted = fit_screen(self._html, self.aid, page_format, name, kept)
        rendered = Rendered(name, fitted.html, fitted.pdf, fitted.measured)
        mismatches = read_back(expected(self.system, fitted.pages), rendered, tabs(fitted.pages))
        shown = name if page_format.unlike(self.names.usual) else self.name  # usual formats differ in their paper alone
        pictures = numbered_previews(shown, previews(fitted.pdf, sys.maxsize))
        files = {f"{name}.pdf": fitted.pdf, f"{name}.html": fitted.html.encode()}
        return MadeFiles(files, pictures, fitted.faults, mismatches)

    def draft(self) -> MadeFiles:
        """The HTML by estimated heights, and the errors of panels that do not fit by these."""
        pages, across, faults = estimate_screen(self.aid, self._format)
        return MadeFiles({f"{self.path(self._format)}.html": self._html(pages, across).encode()}, errors=faults)

    def _html(self, pages: Sequence[PanelPage], across: int) -> str:
        return screen_html(self.system, pages, self._format, across)

    @property
    def _format(self) -> PageFormat:
        (page_format,) = self.formats
        return page_format
