"""A sheet with fields, ready for characters: tagged, every field with an appearance.

In: the PDF of a sheet that WeasyPrint wrote with fields, and the places of these. Out: the same with fields that every
viewer shows alike and whose font has every letter of Latin, Greek and Cyrillic; then, for a character, the same with
what is written in them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, BinaryIO

from refgen.render.fill.append import GrowingPdf, references, text_string
from refgen.render.fill.flat import INK
from refgen.render.fill.font import RESOURCE, widen
from refgen.render.fill.form import Widgets
from refgen.render.fill.geometry import FieldBox
from refgen.render.fill.placing import Placing
from refgen.render.fill.transplant import transplant

_TITLE = re.compile(rb"(<dc:title>.*?<rdf:li[^>]*>).*?(</rdf:li>)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FillableSheet:
    """The bytes of a sheet with blank fields, and the numbers of its objects.

    ``widgets`` are those of the fields by their names, ``places`` what binds each to its page. ``drawn`` are the boxes
    whose border is drawn with the field.
    """

    data: bytes
    pages: Sequence[int]
    resources: int
    tree: int
    info: bytes
    info_number: int
    metadata: bytes
    metadata_number: int
    widgets: Mapping[str, int]
    places: Mapping[str, bytes]
    boxes: Mapping[str, FieldBox]
    drawn: frozenset[str]

    @classmethod
    def of(cls, data: bytes, boxes: Iterable[FieldBox], drawn: frozenset[str] = frozenset()) -> FillableSheet:
        """Give every field of a PDF of WeasyPrint's an appearance."""
        known = {box.name: box for box in boxes}
        rough = cls._numbered(_with_font(data), known, drawn)
        file = io.BytesIO()
        pdf = GrowingPdf(file, rough.data)
        widgets = Widgets(pdf, rough.resources, drawn, known)
        for name, number in rough.widgets.items():
            pdf.put(number, widgets.blank(known[name], rough.places[name]))
        pdf.finish()
        return cls._numbered(_compact(file.getvalue()), known, drawn)

    @classmethod
    def _numbered(cls, data: bytes, boxes: Mapping[str, FieldBox], drawn: frozenset[str]) -> FillableSheet:
        """A PDF with the numbers of its objects."""
        import pikepdf

        with pikepdf.open(io.BytesIO(data)) as pdf:
            annotations = [(int(page.objgen[0]), one) for page in pdf.pages for one in page.obj.get("/Annots", [])]
            fields = [(page, one) for page, one in annotations if "/T" in one]
            return cls(
                data,
                [int(page.objgen[0]) for page in pdf.pages],
                pdf.pages[0].Resources.objgen[0],
                pdf.Root.Pages.objgen[0],
                b"".join(key.encode() + value.unparse() for key, value in pdf.docinfo.items() if key != "/Title"),
                pdf.docinfo.objgen[0],
                pdf.Root.Metadata.read_bytes(),
                pdf.Root.Metadata.objgen[0],
                {str(one.T): one.objgen[0] for _, one in fields},
                {str(one.T): _place(page, one) for page, one in fields},
                boxes,
                drawn,
            )

    def fill(self, file: BinaryIO, title: str, placing: Placing, others: Iterable[bytes] = ()) -> None:
        """Write the sheet of a character. ``others`` are PDFs whose pages come after it."""
        pdf = GrowingPdf(file, self.data)
        widgets = Widgets(pdf, self.resources, self.drawn, self.boxes)
        for name, data in widgets.all(placing, self.places).items():
            pdf.put(self.widgets[name], data)
        pages = [entries for other in others for entries in transplant(other, pdf)]
        if pages:
            more = [pdf.add(b"<</Type/Page/Parent %d 0 R%b>>" % (self.tree, entries)) for entries in pages]
            numbers = [*self.pages, *more]
            pdf.put(self.tree, b"<</Type/Pages/Count %d/Kids[%b]>>" % (len(numbers), references(numbers)))
        pdf.put(self.info_number, b"<<%b/Title%b>>" % (self.info, text_string(title)))
        pdf.put(self.metadata_number, self._metadata(title))
        pdf.finish()

    def _metadata(self, title: str) -> bytes:
        named = escape(title).encode()
        data = _TITLE.sub(lambda match: match[1] + named + match[2], self.metadata, count=1)
        return b"<</Type/Metadata/Subtype/XML/Length %d>>stream\n%b\nendstream" % (len(data), data)


def _place(page: int, widget: Any) -> bytes:
    """What binds a widget to its page, its name and its tag."""
    tag = b"/StructParent %d" % int(widget.StructParent) if "/StructParent" in widget else b""
    return b"/T%b/P %d 0 R%b" % (text_string(str(widget.T)), page, tag)


def _with_font(data: bytes) -> bytes:
    """The PDF with the whole font, and no need for viewers to make appearances."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as pdf:
        font = widen(pdf)
        for page in pdf.pages:
            page.Resources = pdf.make_indirect(page.Resources)
            page.Resources.Font[RESOURCE] = font
        form = pdf.Root.AcroForm
        form.NeedAppearances = False
        form.DR = pikepdf.Dictionary(Font=pikepdf.Dictionary({RESOURCE: font}))
        form.DA = pikepdf.String(f"{INK.decode()} rg {RESOURCE} 0 Tf")
        return _saved(pdf)


def _compact(data: bytes) -> bytes:
    """A PDF without what no object refers to."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as pdf:
        return _saved(pdf)


def _saved(pdf: Any) -> bytes:
    import pikepdf

    data = io.BytesIO()
    pdf.save(data, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return data.getvalue()
