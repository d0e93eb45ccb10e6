"""A PDF of characters, one after the other, with an entry of the outline for each.

In: a Stencil and Placings. Out: a PDF in a file, written from front to back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import BinaryIO

from refgen.aids.sheet.fill.append import GrowingPdf, Outline, PageTree, metadata, references, text_string
from refgen.aids.sheet.fill.flat import INK, Drawn
from refgen.aids.sheet.fill.form import FieldNames, Widgets
from refgen.aids.sheet.fill.placing import Placing
from refgen.aids.sheet.fill.stencil import BasePage, Stencil
from refgen.aids.sheet.fill.tagging import HEADING, MARKED, PRINTED, Tags, spoken
from refgen.aids.sheet.fill.transplant import transplant

_XMP = b"""<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">%b</rdf:li></rdf:Alt></dc:title>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""
"""The title, for programs that look for it there."""


class Book:
    """Characters on the pages of a stencil: flattened, or ``editable``, each with fields under a name of its own."""

    def __init__(self, file: BinaryIO, stencil: Stencil, *, editable: bool = False) -> None:
        self.base = stencil.flat
        self.stencil = stencil
        self.pdf = GrowingPdf(file, self.base.data)
        self.tree = PageTree(self.pdf)
        self.tags = Tags(self.pdf)
        self.outline = Outline(self.pdf)
        self.shared = [_page_entries(page) for page in self.base.pages]
        boxes = {box.name: box for box in stencil.boxes}
        self.widgets = Widgets(self.pdf, self.base.pages[0].resources, stencil.unseen, boxes) if editable else None
        self.names = FieldNames(boxes)
        self.heading = self.pdf.stream(MARKED % (HEADING, 1, b"")) if editable else 0
        self.forms: list[int] = []

    def add(self, placing: Placing, others: Iterable[bytes] = ()) -> None:
        """Set a character onto the stencil. ``others`` are PDFs whose pages come after it."""
        if self.widgets is None:
            self.add_drawn(placing.filled.character.name, self.stencil.overlays.draw(placing), others)
            return
        self.tags.begin(placing.filled.character.name)
        self._end(placing.filled.character.name, self._with_fields(placing, self.widgets), others)

    def add_drawn(self, title: str, drawn: Iterable[Drawn], others: Iterable[bytes] = ()) -> None:
        """The same, flattened, of what was drawn elsewhere."""
        self.tags.begin(title)
        self._end(title, self._flattened(drawn), others)

    def add_laid_out(self, title: str, pdfs: Iterable[bytes]) -> None:
        """Pages that were laid out in full."""
        self.tags.begin(title)
        self._end(title, 0, pdfs)

    def _end(self, title: str, first: int, others: Iterable[bytes]) -> None:
        """Add the pages of other PDFs, and what leads to the ``first`` page of a character."""
        more = [page for data in others for page in self._grafted(data)]
        self.tags.end()
        self.outline.add(title, first or more[0])

    def _grafted(self, data: bytes) -> Iterator[int]:
        found = transplant(data, self.pdf, self.tags.sections[-1])
        self.tags.graft(found.kids)
        for page in found.pages:
            yield self.tree.add(page.entries + self.tags.grafted(page.elements), page.number)

    def _flattened(self, drawn: Iterable[Drawn]) -> int:
        """The pages of a character, whose values are drawn over them. Returns the number of the first."""
        pages = [self.pdf.reserve() for _ in self.base.pages]
        for number, page, entries, values in zip(pages, self.base.pages, self.shared, drawn, strict=True):
            contents, tags = self.pdf.add_stream(values.contents), self.tags.page(number, [PRINTED, *values.elements])
            self.tree.add(b"%b/Contents[%d 0 R %d 0 R]%b" % (entries, page.contents, contents, tags), number)
        return pages[0]

    def _with_fields(self, placing: Placing, widgets: Widgets) -> int:
        """The same, whose fields are those of a group named like its file."""
        pages = [self.pdf.reserve() for _ in self.base.pages]
        heading = spoken(HEADING, [placing.filled.character.name])
        marks = [self.tags.page(number, [PRINTED, heading][: 1 if place else 2]) for place, number in enumerate(pages)]
        numbers = self.names.write(self.pdf, placing.filled.character.file_name, placing.text)
        places = {
            box.name: b"%b/P %d 0 R%b"
            % (
                self.names.place(box.name, numbers),
                pages[box.page],
                self.tags.field(numbers[box.name], pages[box.page]),
            )
            for box in self.stencil.boxes
        }
        written = widgets.all(placing, places)
        fields: list[list[int]] = [[] for _ in pages]
        for box in self.stencil.boxes:
            data = written.get(box.name) or widgets.blank(box, places[box.name])
            fields[box.page].append(self.pdf.put(numbers[box.name], data))
        for number, page, entries, kids, tags in zip(pages, self.base.pages, self.shared, fields, marks, strict=True):
            contents = references([page.contents, self.heading] if number == pages[0] else [page.contents])
            entries += b"/Contents[%b]/Annots[%b]%b" % (contents, references(kids), tags)
            self.tree.add(entries, number)
        self.forms.append(numbers[""])
        return pages[0]

    def finish(self, title: str) -> None:
        """Write what comes last."""
        pages, outline = self.tree.finish(), self.outline.finish()
        entries = b"/Pages %d 0 R/Outlines %d 0 R%b%b" % (pages, outline, self.tags.finish(), self._form())
        shown = b"/PageMode/UseOutlines/ViewerPreferences<</DisplayDocTitle true>>/Lang(en)"
        entries += b"/Metadata %d 0 R" % self.pdf.add_stream(metadata(_XMP % escape(title).encode()))
        self.pdf.put(self.base.root, b"<</Type/Catalog%b%b>>" % (entries, shown))
        self.pdf.put(self.base.info, b"<</Title%b/Producer(refgen)>>" % text_string(title))
        self.pdf.finish()

    def _form(self) -> bytes:
        """The entry of the catalog for the fields of all characters."""
        if not self.forms:
            return b""
        resources = b"/DR<</Font<</Fill %d 0 R>>>>/DA(%b rg /Fill 0 Tf)" % (self.base.font, INK)
        return b"/AcroForm<</Fields[%b]%b>>" % (references(self.forms), resources)


def _page_entries(page: BasePage) -> bytes:
    return b"/MediaBox[0 0 %.3f %.3f]/Resources %d 0 R" % (page.width, page.height, page.resources)
