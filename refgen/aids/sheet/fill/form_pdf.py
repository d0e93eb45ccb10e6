"""A sheet with fields, ready for characters: tagged, every field with an appearance.

In: the PDF of a sheet that WeasyPrint wrote with fields, and the places of the fields. Out: the PDF with fields that
every viewer shows alike and whose font has every letter of Latin, Greek and Cyrillic; with a Calculation, computed
fields follow the typed values. From that PDF a FormTemplate, which writes the PDF of one character; or a base, with or
without fields, whose pages are repeated in one PDF for many characters.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from refgen.aids.sheet.fill.calculation import ACTION, NOTHING_UNPLACED, Calculation
from refgen.aids.sheet.fill.drawing import (
    INK,
    FieldValue,
    appearance_entries,
    box_contents,
    box_state,
    field_entries,
    write_values,
)
from refgen.aids.sheet.fill.fields import FieldBox
from refgen.aids.sheet.fill.font import RESOURCE, widen
from refgen.aids.sheet.fill.growing_pdf import (
    HEADING,
    MARKED,
    PARAGRAPH,
    GrowingPdf,
    Tags,
    references,
    text_string,
    uncompressed,
)
from refgen.aids.sheet.fill.source_pdf import Base, ObjectParts, drop, entries, parts_of, renumbered, saved
from refgen.characters.sheet import AGAIN
from refgen.render.join import join_pages

_CLAIM = re.compile(rb'<rdf:Description rdf:about="" pdfuaid:part="1"\s*/>')
"""The claim in the metadata that a PDF is PDF/UA-1."""

_MARKS = frozenset({"BDC", "BMC", "EMC", "DP", "MP"})
"""The operators of marked content (ISO 32000-1, 14.6)."""

_BINDING = ("/T", "/P", "/Parent", "/StructParent")
"""The entries of a widget that bind it to its name, its page and its tag."""

_UNPLACED, _SCRIPT = "1", "2"
"""The names of a document's scripts, which viewers run in the order of their names; the first has the values for which
a sheet had no room.
"""


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
        font, form = widen(pdf), pdf.Root.AcroForm
        for page in pdf.pages:
            page.Resources = pdf.make_indirect(page.Resources)
            page.Resources.Font[RESOURCE] = font
        form.NeedAppearances = False
        form.DR = Dictionary(Font=Dictionary({RESOURCE: font}))
        form.DA = String(f"{INK.decode()} rg {RESOURCE} 0 Tf")
        _group_fields(pdf)
        grouped = saved(pdf)
    with pikepdf.open(io.BytesIO(_with_blank_fields(grouped, known, optional))) as pdf:
        if calculation is not None:
            _add_scripts(pdf, calculation, known, optional)
        return saved(pdf)


def _with_blank_fields(data: bytes, boxes: Mapping[str, FieldBox], optional: frozenset[str]) -> bytes:
    """The PDF with appearances for its blank fields; fields of the same size share one."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        fields = [(name, field.objgen[0], entries(field, _BINDING)) for name, field in _fields(pdf) if name in boxes]
        resources = pdf.pages[0].Resources.objgen[0]
    file, known = io.BytesIO(), dict[bytes, int]()
    growing = GrowingPdf(file, data)

    def shown(box: FieldBox, contents: bytes) -> int:
        stream = uncompressed(contents, appearance_entries(box, resources))
        if stream not in known:
            known[stream] = growing.add_stream(stream)
        return known[stream]

    for name, number, binding in fields:
        box = boxes[name]
        if box.is_box:
            off, on = (shown(box, box_contents(box, on=on, is_framed=name in optional)) for on in (False, True))
            value = b"%b/AP<</N<</on %d 0 R/Off %d 0 R>>>>" % (box_state(on=False), on, off)
        else:
            value = b"%b/AP<</N %d 0 R>>" % (b"/V()" if b"/T " in binding else b"", shown(box, b"/Tx BMC EMC"))
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
        field = pdf.make_indirect(Dictionary(FT=Name.Tx, Kids=Array(widgets), V=String("")))
        for widget in widgets:
            widget.Parent = field
            drop(widget, "/T")
        fields[name.partition(AGAIN)[0]] = field
    levels = range(1, 1 + max(name.count(".") for name in fields))
    paths = [name.split(".")[:-1] for name in fields]
    known = dict.fromkeys(".".join(path[:level]) for level in levels for path in paths if level <= len(path))
    groups = {name: pdf.make_indirect(Dictionary(Kids=Array())) for name in known} | {"": Dictionary(Kids=Array())}
    for name, field in fields.items():
        _hang(groups, name, field)
    pdf.Root.AcroForm.Fields = groups[""].Kids


def _hang(groups: Mapping[str, Any], name: str, field: Any) -> None:
    """Put a field into its group, and the group into the group above, unless it is there already."""
    group, _, last = name.rpartition(".")
    field.T = String(last)
    groups[group].Kids.append(field)
    if group:
        field.Parent = groups[group]
        if "/T" not in groups[group]:
            _hang(groups, group, groups[group])


def _add_scripts(pdf: Any, calculation: Calculation, boxes: Mapping[str, FieldBox], optional: frozenset[str]) -> None:
    """Add the scripts of a document and the actions by which computed fields run them."""
    fields = dict(_fields(pdf))
    sheet = pdf.make_stream(calculation.script(list(boxes.values()), optional))
    scripts = {_UNPLACED: String(NOTHING_UNPLACED), _SCRIPT: sheet}
    actions = [(String(name), _javascript(pdf, script)) for name, script in scripts.items()]
    pdf.Root.Names.JavaScript = Dictionary(Names=Array([part for pair in actions for part in pair]))
    action = pdf.make_indirect(Dictionary(C=_javascript(pdf, String(ACTION))))
    order = [fields[name] for name in calculation.order(boxes.values())]
    for field in order:
        field.AA = action
    pdf.Root.AcroForm.CO = Array(order)
    _drop_claim(pdf)


def _javascript(pdf: Any, script: Any) -> Any:
    """An action that runs a script."""
    return pdf.make_indirect(Dictionary(S=Name.JavaScript, JS=script))


def _drop_claim(pdf: Any) -> None:
    """Remove the claim of a PDF to be PDF/UA."""
    pdf.Root.Metadata.write(_CLAIM.sub(b"", pdf.Root.Metadata.read_bytes()))


def _fields(pdf: Any) -> Iterator[tuple[str, Any]]:
    """The widgets of fields, and the fields with several widgets, each with its name as FieldBoxes have it."""
    for number, page in enumerate(pdf.pages, start=1):
        for widget in page.obj.get("/Annots", []):
            name = _name(widget)
            if "/T" in widget:
                yield name, widget
            elif widget.Parent.Kids[0].objgen == widget.objgen:
                yield from ((name, widget), (name + AGAIN, widget.Parent))
            else:
                yield f"{name}{AGAIN}{number}", widget


def _name(field: Any) -> str:
    """The full name of a field, which begins with the name of its group."""
    known = [_name(field.Parent)] if "/Parent" in field else []
    return ".".join(filter(None, [*known, str(field.get("/T", ""))]))


@dataclass(frozen=True, slots=True)
class FormTemplate:
    """A sheet with blank fields, and the ``parts`` that its fields are made of.

    ``fields`` are the object numbers of fields by name ("": the group of all fields); ``widgets`` are those on each of
    the ``pages``. ``script`` is the number of the script with the values for which a sheet had no room, 0 for no such
    script.
    """

    base: Base
    fields: Mapping[str, int]
    widgets: Sequence[Sequence[int]]
    parts: Mapping[int, ObjectParts]
    pages: Sequence[int]
    script: int

    @classmethod
    def of(cls, form: bytes, *, repeats: bool = False) -> FormTemplate:
        """The sheet that ``form_pdf`` made; its tags are removed if its pages are to be repeated."""
        form = _repeatable(form) if repeats else form
        with pikepdf.open(io.BytesIO(form)) as pdf:
            fields = {"": pdf.Root.AcroForm.Fields[0].objgen[0]} | {name: one.objgen[0] for name, one in _fields(pdf)}
            widgets = [[widget.objgen[0] for widget in page.get("/Annots", [])] for page in pdf.pages]
            pages = [page.obj.objgen[0] for page in pdf.pages]
            parts = parts_of(pdf, [pdf.Root.AcroForm.Fields.unparse()], pages, streams=False)
            known: Any = pdf.Root.get("/Names", Dictionary())
            scripts = known.get("/JavaScript", Dictionary()).get("/Names", [])
            return cls(Base.of(form), fields, widgets, parts, pages, scripts[1].objgen[0] if len(scripts) else 0)

    def write(self, title: str, values: Iterable[FieldValue], script: str, others: Sequence[bytes] = ()) -> bytes:
        """The PDF of a character's sheet; the pages of the PDFs ``others`` come after it."""
        file = io.BytesIO()
        pdf = GrowingPdf(file, self.base.data)
        for number, end in write_values(pdf, values, self.fields).items():
            pdf.put(number, self.parts[number].start + end)
        if self.script:
            pdf.put(self.script, b"<</S/JavaScript/JS%b>>" % text_string(script))
        self.base.write_title(pdf, title)
        pdf.finish()
        if not others:
            return file.getvalue()
        with ExitStack() as opened:
            whole, *more = (opened.enter_context(pikepdf.open(each)) for each in (file, *map(io.BytesIO, others)))
            join_pages(whole, more)
            return saved(whole)

    def copy(
        self, pdf: GrowingPdf, tags: Tags, pages: Sequence[int], name: str, values: Iterable[FieldValue]
    ) -> tuple[int, Sequence[bytes]]:
        """Write a copy of the fields, on other pages, in a group called ``name``."""
        numbers = {number: pdf.reserve() for number in self.parts} | dict(zip(self.pages, pages, strict=True))
        ends = {**write_values(pdf, values, self.fields), self.fields[""]: b"/T%b>>" % text_string(name)}
        found_by = {
            widget: tags.field(numbers[widget], page)
            for page, widgets in zip(pages, self.widgets, strict=True)
            for widget in widgets
        }
        for number, (start, end) in self.parts.items():
            found = found_by.get(number, b"")
            pdf.put(numbers[number], renumbered(start, numbers) + found + ends.get(number, end))
        notes = [references(numbers[widget] for widget in widgets) for widgets in self.widgets]
        return numbers[self.fields[""]], [b"/Annots[%b]" % each for each in notes]


def print_base(form: bytes) -> Base:
    """The pages of a sheet that ``form_pdf`` made, without fields, to be repeated."""
    with pikepdf.open(io.BytesIO(form)) as pdf:
        _untag(pdf)
        drop(pdf.Root, "/AcroForm")
        for page in pdf.pages:
            drop(page.obj, "/Annots")
        return Base.of(saved(pdf))


def _repeatable(form: bytes) -> bytes:
    """A sheet whose pages are to be repeated: all fields in one group, and a mark on the first page for the name."""
    with pikepdf.open(io.BytesIO(form)) as pdf:
        _untag(pdf)
        group = pdf.make_indirect(Dictionary(Kids=pdf.Root.AcroForm.Fields))
        for field in group.Kids:
            field.Parent = group
        pdf.Root.AcroForm.Fields = Array([group])
        first = pdf.pages[0]
        first.Contents = pdf.make_stream(first.Contents.read_bytes() + MARKED % (HEADING, 1, b""))
        return saved(pdf)


def _untag(pdf: Any) -> None:
    """Remove the tags of a PDF, and mark the contents of each page as one paragraph."""
    _drop_claim(pdf)
    drop(pdf.Root, "/StructTreeRoot", "/MarkInfo", "/Outlines", "/Names")
    for page in pdf.pages:
        kept = [step for step in pikepdf.parse_content_stream(page) if str(step[1]) not in _MARKS]
        contents = b"q\n" + pikepdf.unparse_content_stream(kept) + b"\nQ\n"
        page.Contents = pdf.make_stream(MARKED % (PARAGRAPH, 0, contents))
        for holder in (page.obj, *page.get("/Annots", [])):
            drop(holder, "/StructParents", "/StructParent", "/Tabs")
