"""A PDF of characters, one after the other, with an entry of the outline for each.

In: a SheetTemplate, and what was drawn of characters. Out: a PDF in a file, written from front to back.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import BinaryIO

from refgen.aids.sheet.fill.drawing import INK
from refgen.aids.sheet.fill.growing_pdf import GrowingPdf, references
from refgen.aids.sheet.fill.source_pdf import graft
from refgen.aids.sheet.fill.template import Drawing, SheetTemplate
from refgen.aids.sheet.fill.trees import Outline, PageTree, Tags
from refgen.characters.character import Character

_PRINTED = b"/S/P"
"""The entries of the element that is printed on every sheet, which is read as it is drawn."""


class Book:
    """Characters on the pages of a sheet: in print, or ``editable``, each with fields under a name of its own."""

    def __init__(self, file: BinaryIO, template: SheetTemplate, *, editable: bool = False) -> None:
        self.form = template.repeated_form if editable else None
        self.base = self.form.base if self.form else template.print_base
        self.pdf = GrowingPdf(file, self.base.data)
        self.pages, self.outline, self.tags = PageTree(self.pdf), Outline(self.pdf), Tags(self.pdf)
        self.groups: list[int] = []

    def add(self, character: Character, drawing: Drawing | None, others: Iterable[bytes] = ()) -> None:
        """Add a character: what was drawn, if anything was, then the pages of other PDFs."""
        self.tags.begin()
        pages = [] if drawing is None else self._stamped(character, drawing)
        for other in others:
            pages += graft(other, self.pdf, self.pages, self.tags)
        self.tags.end(character.name)
        self.outline.add(character.name, pages[0])

    def _stamped(self, character: Character, drawing: Drawing) -> list[int]:
        """Write the pages of the sheet, over which something was drawn. Returns their numbers."""
        numbers = [self.pdf.reserve() for _ in self.base.pages]
        parts = zip(numbers, drawing.overlays, strict=True)
        tags = [self.tags.page(number, [_PRINTED, *overlay.elements]) for number, overlay in parts]
        fields: Iterable[bytes] = repeat(b"")
        if self.form:
            group, fields = self.form.copy(self.pdf, self.tags, numbers, character.file_name, drawing.values)
            self.groups.append(group)
        for number, page, overlay, *more in zip(numbers, self.base.pages, drawing.overlays, fields, tags, strict=False):
            own = [self.pdf.add_stream(overlay.contents)] if overlay.contents else []
            size = page.width, page.height, page.resources, references([page.contents, *own])
            entries = b"/MediaBox[0 0 %.3f %.3f]/Resources %d 0 R/Contents[%b]" % size
            self.pages.add(number, b"".join([entries, *more]))
        return numbers

    def finish(self, title: str) -> None:
        """Write what comes last."""
        entries = self.pages.finish() + self.outline.finish() + self.tags.finish()
        if self.groups:
            fields = references(self.groups), self.base.pages[0].resources, INK
            entries += b"/AcroForm<</Fields[%b]/DR %d 0 R/DA(%b rg /Fill 0 Tf)>>" % fields
        shown = b"/PageMode/UseOutlines/ViewerPreferences<</DisplayDocTitle true>>/Lang(en)"
        metadata = b"/Metadata %d 0 R" % self.base.metadata_number
        self.base.write_title(self.pdf, title)
        self.pdf.put(self.base.root, b"<</Type/Catalog%b%b%b>>" % (entries, shown, metadata))
        self.pdf.finish()
