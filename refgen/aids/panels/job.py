"""Panels in one format: laid out, read back, and drafted.

In: an aid that comes to panels, the system that the aid belongs to, and a format. Out: HTML, PDF, and a preview of
every page.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from refgen.aids.kind import AidJob, MadeFiles, numbered_previews
from refgen.aids.panels.expected import expected, tabs
from refgen.aids.panels.fit import estimate_panels, fit_panels
from refgen.aids.panels.html import panels_html
from refgen.aids.panels.model import Panels
from refgen.aids.panels.pages import PanelPage
from refgen.render.layout_cache import KeptPages
from refgen.render.page_format import PageFormat
from refgen.render.preview import previews
from refgen.render.readback.aid import Rendered, read_back


@dataclass(frozen=True, slots=True)
class PanelsJob(AidJob):
    """Panels in one format, so that a single aid keeps several workers busy."""

    called: ClassVar[str]
    """What such an aid is called in the titles of its pages."""

    @property
    @abstractmethod
    def panels(self) -> Panels:
        """The panels of the aid in the format of the job. Raises RefgenError when there are none."""

    @property
    def html_paths(self) -> frozenset[str]:
        """The path of the page of the format."""
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
        """The HTML by estimated heights, and the errors of panels that do not fit by these."""
        pages, across, faults = estimate_panels(self.panels, self.page_format)
        return MadeFiles({f"{self.path(self.page_format)}.html": self._html(pages, across).encode()}, errors=faults)

    def _html(self, pages: Sequence[PanelPage], across: int) -> str:
        return panels_html(self.system, self.called, pages, self.page_format, across)

    @property
    def page_format(self) -> PageFormat:
        """The one format of the job."""
        (page_format,) = self.formats
        return page_format
