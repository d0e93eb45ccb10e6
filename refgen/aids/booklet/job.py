"""A reference booklet: laid out once, and put on each of its papers.

In: a booklet, the system that the booklet is of, and formats. Out: a PDF for each format, and previews.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from refgen.aids.booklet.area import LAID_OUT
from refgen.aids.booklet.expected import expected
from refgen.aids.booklet.fit import fit_booklet
from refgen.aids.booklet.html import booklet_html
from refgen.aids.booklet.model import Booklet
from refgen.aids.booklet.paper import on_paper
from refgen.aids.kind import AidJob, MadeFiles, numbered_previews
from refgen.render.layout_cache import KeptPages
from refgen.render.page_format import PageFormat
from refgen.render.preview import previews
from refgen.render.readback.aid import pdf_mismatches

PREVIEWED = 5
"""Pages with a preview: the cover, the contents and some tables; the rest look much like these."""


@dataclass(frozen=True, slots=True)
class BookletJob(AidJob):
    """A booklet on all its papers, whose pages are alike but for their margins."""

    aid: Booklet

    def make(self, kept: KeptPages | None = None) -> MadeFiles:
        """A PDF for each paper."""
        name = self.path(PageFormat(LAID_OUT))
        fitted = fit_booklet(partial(booklet_html, self.system), self.system, self.aid, name, kept)
        model = expected(self.system, fitted.pages)
        mismatches = [*pdf_mismatches(model, fitted.pdf, fitted.measured, f"{name}.pdf")]
        files = {f"{self.path(each)}.pdf": on_paper(fitted.pdf, each.paper) for each in self.formats}
        pictures = numbered_previews(self.name, previews(fitted.pdf, PREVIEWED))
        return MadeFiles(files, pictures, mismatches=mismatches)
