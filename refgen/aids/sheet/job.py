"""A blank sheet: laid out for each paper, and as a form for browsers.

In: a sheet or its form, the system that the sheet is of, and formats. Out: PDFs with fields, the page, and a preview.
"""

from __future__ import annotations

from dataclasses import dataclass

from refgen.aids.kind import AidJob, MadeFiles, numbered_previews
from refgen.aids.sheet.expected import expected
from refgen.aids.sheet.fill.calculation import Calculation
from refgen.aids.sheet.fill.fields import field_boxes
from refgen.aids.sheet.fill.form_pdf import form_pdf
from refgen.aids.sheet.form import SheetForm
from refgen.aids.sheet.form_readback import form_mismatches
from refgen.aids.sheet.html import form_html, sheet_html
from refgen.aids.sheet.pages import SheetPages
from refgen.aids.sheet.planner import Planner, fit_sheet
from refgen.characters.sheet.model import CharacterSheet
from refgen.errors import RefgenError
from refgen.layout.engine import write
from refgen.render.assets import assets
from refgen.render.layout_cache import KeptPages
from refgen.render.page_format import PageFormat
from refgen.render.preview import previews
from refgen.render.readback.aid import Rendered, read_back
from refgen.render.readback.mismatch import Mismatch


@dataclass(frozen=True, slots=True)
class SheetJob(AidJob):
    """A sheet on paper; ``calculation`` is how its fields follow from each other, if they are to in viewers of PDFs."""

    aid: CharacterSheet
    calculation: Calculation | None = None

    def make(self, kept: KeptPages | None = None) -> MadeFiles:  # noqa: ARG002  # its pages are laid out together
        """A PDF for each format; one that does not fit takes no other down."""
        files: dict[str, bytes] = {}
        errors: list[RefgenError] = []
        mismatches: list[Mismatch] = []
        for page_format in self.formats:
            try:
                pdf, found = self._made(page_format)
            except RefgenError as error:
                errors.append(error)
            else:
                files[f"{self.path(page_format)}.pdf"] = pdf
                mismatches += found
        first = next(iter(files.values()), None)
        pictures = numbered_previews(self.name, previews(first, 1)) if first else {}
        return MadeFiles(files, pictures, errors, mismatches)

    def _made(self, page_format: PageFormat) -> tuple[bytes, list[Mismatch]]:
        """The PDF of a format, and what it says otherwise than the sheet. Raises RenderError where nothing fits."""
        name = self.path(page_format)

        def make(pages: SheetPages) -> str:
            return sheet_html(self.system, pages, page_format)

        fitted = fit_sheet(make, self.aid, page_format, name)
        fields = [field for page in fitted.pages.pages for field in page.fields()]
        boxes = field_boxes(fitted.laid_out, fields)
        pdf = form_pdf(write(fitted.laid_out, name), boxes, calculation=self.calculation)
        rendered = Rendered(name, fitted.html, pdf, [page.parts for page in fitted.laid_out])
        return pdf, read_back(expected(self.system, fitted.pages), rendered)

    def draft(self) -> MadeFiles:
        """No page, for this sheet is on paper alone. Raises RenderError where it does not fit by estimated heights."""
        for page_format in self.formats:
            Planner(self.aid, page_format).pages()
        return MadeFiles()


@dataclass(frozen=True, slots=True)
class FormJob(AidJob):
    """A sheet to be filled in with a browser, which goes by no paper."""

    aid: SheetForm

    @property
    def html_paths(self) -> frozenset[str]:
        """The path of the form."""
        return frozenset({f"{self.name}.html"})

    def make(self, kept: KeptPages | None = None) -> MadeFiles:  # noqa: ARG002  # there is nothing to lay out
        """The page, read back."""
        file, html = f"{self.name}.html", form_html(self.system, self.aid)
        return MadeFiles({file: html.encode()}, mismatches=form_mismatches(self.aid, html, file, assets()))

    def draft(self) -> MadeFiles:
        """The page as it will be: it takes no layout."""
        return self.make()
