"""The PDF of a blank sheet, prepared for the values of characters.

In: the PDF of a sheet that WeasyPrint wrote with fields, and the places of the fields. Out: the PDF with fields that
every viewer shows alike and whose font has every letter of Latin, Greek and Cyrillic; with a Calculation, computed
fields follow the typed values. From that PDF: the pages to be repeated in one PDF for many characters, with or without
fields.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from refgen.aids.sheet.drawing import ink
from refgen.aids.sheet.fields import SIMPLE, FieldBox
from refgen.aids.sheet.form_fields import (
    TICKED_STATE,
    appearance_entries,
    box_contents,
    box_state,
    default_appearance,
    field_entries,
    fields_of,
)
from refgen.aids.sheet.form_fonts import embed_form_fonts
from refgen.aids.sheet.growing_pdf import (
    HEADING,
    MARKED,
    PARAGRAPH,
    BasePdf,
    GrowingPdf,
    dictionary_entries,
    remove_entries,
    uncompressed_stream,
)
from refgen.characters.sheet import AGAIN
from refgen.layout.pdf_objects import saved_pdf

if TYPE_CHECKING:  # a sheet that does not calculate loads no scripts
    from refgen.aids.sheet.interactive import Calculation

_CLAIM = re.compile(rb'<rdf:Description rdf:about="" pdfuaid:part="1"\s*/>')
"""The claim in the metadata that a PDF is PDF/UA-1."""


_MARKS = frozenset({"BDC", "BMC", "EMC", "DP", "MP"})
"""The operators of marked content (ISO 32000-1, 14.6)."""


_BINDING = ("/T", "/P", "/Parent", "/StructParent")
"""The entries of a widget that bind it to its name, its page and its tag."""


def form_pdf(
    data: bytes,
    boxes: Iterable[FieldBox],
    optional: frozenset[str] = frozenset(),
    calculation: Calculation | None = None,
) -> bytes:
    """A PDF of WeasyPrint with an appearance for every field; ``optional`` boxes have their border in the appearance.

    With a ``calculation``, computed fields are calculated by the viewer, and the PDF no longer claims to be PDF/UA.
    """
    known = {box.name: box for box in boxes}
    with pikepdf.open(io.BytesIO(data)) as pdf:
        fonts, form = embed_form_fonts(pdf), pdf.Root.AcroForm
        for page in pdf.pages:
            page.Resources = pdf.make_indirect(page.Resources)
            for name, font in fonts.items():
                page.Resources.Font[name] = font
        form.NeedAppearances = False
        form.DR = Dictionary(Font=Dictionary(fonts))
        form.DA = String(f"{ink().decode()} rg {SIMPLE} 0 Tf")
        _group_fields(pdf)
        grouped = saved_pdf(pdf)
    blank = _with_blank_fields(grouped, known, optional, calculates=calculation is not None)
    with pikepdf.open(io.BytesIO(blank)) as pdf:
        if calculation is not None:
            calculation.add_to(pdf, dict(fields_of(pdf)), list(known.values()), optional)
            _drop_claim(pdf)
        return saved_pdf(pdf)


def _with_blank_fields(
    data: bytes, boxes: Mapping[str, FieldBox], optional: frozenset[str], *, calculates: bool
) -> bytes:
    """The PDF with appearances for its blank fields, one for each field to write in; boxes of the same size share two.

    Programs that fill a form write over the appearance of a field, and leave those of boxes.
    """
    with pikepdf.open(io.BytesIO(data)) as pdf:
        fields = [
            (name, field.objgen[0], dictionary_entries(field, _BINDING))
            for name, field in fields_of(pdf)
            if name in boxes
        ]
        resources = pdf.pages[0].Resources.objgen[0]
    file = io.BytesIO()
    growing = GrowingPdf(file, data)
    shared = cache(growing.add_stream)
    for name, number, binding in fields:
        box = boxes[name]
        shown = partial(uncompressed_stream, entries=appearance_entries(box, resources))
        if box.is_box:
            is_framed = name in optional
            off, on = (shared(shown(box_contents(box, on=on, is_framed=is_framed))) for on in (False, True))
            value = b"%b/AP<</N<<%b %d 0 R/Off %d 0 R>>>>" % (box_state(on=False), TICKED_STATE, on, off)
        else:
            blank = b"/V()" if b"/T " in binding else b"", growing.add_stream(shown(b""))
            value = b"%b%b/AP<</N %d 0 R>>" % (default_appearance(box, calculates=calculates), *blank)
        growing.put(number, b"<<%b%b%b>>" % (binding, field_entries(box), value))
    growing.finish()
    return file.getvalue()


def _group_fields(pdf: Any) -> None:
    """Put each field into the group named in its full name, since WeasyPrint writes all fields at one level.

    A field that stands on several pages becomes one field with several widgets.
    """
    fields = {str(field.T): field for field in pdf.Root.AcroForm.Fields}
    for name in [name for name in fields if AGAIN in name]:
        widgets = [fields[name.partition(AGAIN)[0]], fields.pop(name)]
        if "/Kids" in widgets[0]:
            widgets[:1] = widgets[0].Kids
        field = pdf.make_indirect(Dictionary(FT=Name.Tx, Kids=Array(widgets), V=String(""), TU=widgets[0].TU))
        for widget in widgets:
            widget.Parent = field
            remove_entries(widget, "/T")
        fields[name.partition(AGAIN)[0]] = field
    levels = range(1, 1 + max(name.count(".") for name in fields))
    paths = [name.split(".")[:-1] for name in fields]
    known = dict.fromkeys(".".join(path[:level]) for level in levels for path in paths if level <= len(path))
    groups = {name: pdf.make_indirect(Dictionary(Kids=Array())) for name in known} | {"": Dictionary(Kids=Array())}
    for name, field in fields.items():
        _add_to_group(groups, name, field)
    pdf.Root.AcroForm.Fields = groups[""].Kids


def _add_to_group(groups: Mapping[str, Any], name: str, field: Any) -> None:
    """Put a field into its group, and a group that is new into the group above."""
    group, _, last = name.rpartition(".")
    field.T = String(last)
    groups[group].Kids.append(field)
    if group:
        field.Parent = groups[group]
        if "/T" not in groups[group]:
            _add_to_group(groups, group, groups[group])


def print_base(form: bytes) -> BasePdf:
    """The pages of a sheet that ``form_pdf`` made, without fields, to be repeated."""
    with pikepdf.open(io.BytesIO(form)) as pdf:
        _untag(pdf)
        remove_entries(pdf.Root, "/AcroForm")
        for page in pdf.pages:
            remove_entries(page.obj, "/Annots")
            remove_entries(page.Resources.Font, SIMPLE)  # a font for what programs fill in
        return BasePdf.of(saved_pdf(pdf))


def repeatable_form(form: bytes) -> bytes:
    """A sheet whose pages can be repeated: all fields in one group, and a mark for the name on the first page."""
    with pikepdf.open(io.BytesIO(form)) as pdf:
        _untag(pdf)
        group = pdf.make_indirect(Dictionary(Kids=pdf.Root.AcroForm.Fields))
        for field in group.Kids:
            field.Parent = group
        pdf.Root.AcroForm.Fields = Array([group])
        first = pdf.pages[0]
        first.Contents = pdf.make_stream(first.Contents.read_bytes() + MARKED % (HEADING, 1, b""))
        return saved_pdf(pdf)


def _untag(pdf: Any) -> None:
    """Remove the tags of a PDF, and mark the contents of each page as one paragraph."""
    _drop_claim(pdf)
    remove_entries(pdf.Root, "/StructTreeRoot", "/MarkInfo", "/Outlines", "/Names")
    for page in pdf.pages:
        kept = [step for step in pikepdf.parse_content_stream(page) if str(step[1]) not in _MARKS]
        contents = b"q\n" + pikepdf.unparse_content_stream(kept) + b"\nQ\n"
        page.Contents = pdf.make_stream(MARKED % (PARAGRAPH, 0, contents))
        for holder in (page.obj, *page.get("/Annots", [])):
            remove_entries(holder, "/StructParents", "/StructParent", "/Tabs")


def _drop_claim(pdf: Any) -> None:
    """Remove the claim of a PDF to be PDF/UA."""
    pdf.Root.Metadata.write(_CLAIM.sub(b"", pdf.Root.Metadata.read_bytes()))
