"""The fields of a PDF form, and the values of characters in these fields, with an appearance that every viewer shows.

In: the places of fields, and the Placing of a character. Out: the PDF entries of each field and of its value, with the
content stream of its appearance (ISO 32000-1, 12.7). In: the PDF of a sheet with blank fields. Out: a FormTemplate,
which writes the PDF of one character, or copies of the fields for the pages of another character.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import pikepdf
from pikepdf import Dictionary

from refgen.aids.sheet.drawing import Placing, frame_operators, ink, text_operators, tick_operators
from refgen.aids.sheet.fields import RESOURCE, SIMPLE, FieldBox, FieldText
from refgen.aids.sheet.form_fonts import is_simple
from refgen.aids.sheet.growing_pdf import (
    BasePdf,
    GrowingPdf,
    ObjectParts,
    compressed_stream,
    parts_of,
    references,
    renumber_references,
    text_string,
    uncompressed_stream,
)
from refgen.characters.sheet import AGAIN, FieldKind
from refgen.layout.pdf_objects import saved_pdf

if TYPE_CHECKING:  # a PDF of one character is no book
    from refgen.aids.sheet.character_book import TagTree


PRINTED, HIDDEN = 4, 2
"""The flags of annotations (table 165)."""


MULTILINE, COMBO = 1 << 12, 1 << 17
"""The flags of fields (tables 228, 230)."""


TICKED_STATE = b"/Yes"
"""The state of a ticked box, under the one name that qpdf and PyPDFForm know."""


ADAPTING = frozenset({FieldKind.TEXT, FieldKind.AREA})
"""Kinds of fields for which the viewer chooses the type size, since the text that is typed may be long."""


class PdfFieldValue(NamedTuple):
    """The PDF entries of the value of a field, and its appearance; b"" for a box, whose states have appearances."""

    name: str
    entries: bytes
    appearance: bytes = b""


def draw_fields(
    placing: Placing, names: Iterable[str], optional: frozenset[str], resources: int, *, calculates: bool = False
) -> Sequence[PdfFieldValue]:
    """The values of the fields ``names`` of a character that are not blank.

    Not every character has the ``optional`` boxes. The object with the number ``resources`` names the fonts. Viewers
    calculate the computed fields if the form ``calculates``.
    """
    repeated = [name.removesuffix(AGAIN) for name in names if name.endswith(AGAIN)]
    drawn = [PdfFieldValue(name + AGAIN, b"/V" + text_string(placing.text(name))) for name in repeated]
    for each in placing.written:
        value = b"" if each.box.name.partition(AGAIN)[0] in repeated else b"/V" + text_string(each.text)
        font = default_appearance(each.box, each.text, calculates=calculates)
        drawn.append(PdfFieldValue(each.box.name, font + value, _appearance(each, resources)))
    there = {box.name for boxes in placing.rows for box in boxes}
    ticked = {box.name for box in placing.ticked}
    for name in sorted(ticked.union(optional.intersection(names))):
        flags = HIDDEN if name in optional - there else PRINTED
        drawn.append(PdfFieldValue(name, box_state(on=name in ticked, flags=flags)))
    return drawn


def box_state(*, on: bool, flags: int = PRINTED) -> bytes:
    """The entries of a box, ticked (``on``) or not."""
    state = TICKED_STATE if on else b"/Off"
    return b"/F %d/V%b/AS%b" % (flags, state, state)


def field_entries(box: FieldBox) -> bytes:
    """The entries of a widget for its place and its kind of field."""
    rect = b"%.3f %.3f %.3f %.3f" % (box.left, box.bottom, box.left + box.width, box.bottom + box.height)
    label = text_string(box.field.label)
    return b"/Type/Annot/Subtype/Widget/Rect[%b]/TU%b%b" % (rect, label, _kind_entries(box))


def _kind_entries(box: FieldBox) -> bytes:
    if box.is_box:
        return b"/FT/Btn/MK<</CA(8)>>"
    if box.field.kind is FieldKind.CHOICE:
        choices = b" ".join(map(text_string, ("", *box.field.choices)))
        return b"/F %d/FT/Ch/Ff %d/Opt[%b]" % (PRINTED, COMBO, choices)
    return b"/F %d/FT/Tx%b" % (PRINTED, b"/Ff %d" % MULTILINE if box.is_area else b"")


def default_appearance(box: FieldBox, text: str = "", *, calculates: bool = False) -> bytes:
    """The entry for the font and the type size in which other programs draw a new value of a field with this text.

    The font is the simple one as long as it has the letters of the text. A field that viewers calculate if the form
    ``calculates`` has the font of fields: a viewer may leave out a letter that the font lacks, and with it a minus.
    """
    is_calculated = calculates and box.field.kind is FieldKind.COMPUTED
    font = SIMPLE if is_simple(text) and not is_calculated else RESOURCE
    size = 0.0 if box.field.kind in ADAPTING else box.size
    return b"/DA(%b rg %b %g Tf)" % (ink(), font.encode("ascii"), size)


def appearance_entries(box: FieldBox, resources: int) -> bytes:
    """The entries of an appearance stream. The object ``resources`` names the font."""
    return b"/Subtype/Form/BBox[0 0 %g %g]/Resources %d 0 R" % (box.width, box.height, resources)


def _appearance(each: FieldText, resources: int) -> bytes:
    """The appearance stream of a text in its field. It has no clip, since the text fits."""
    lines = text_operators(each._replace(box=each.box.at_origin))
    contents = b"/Tx BMC q BT %b rg /Fill %g Tf\n%bET Q EMC" % (ink(), each.size, lines)
    return (compressed_stream if len(contents) > 500 else uncompressed_stream)(
        contents, appearance_entries(each.box, resources)
    )


def box_contents(box: FieldBox, *, on: bool, is_framed: bool) -> bytes:
    """The contents of a box's appearance, without border (not ``is_framed``) where the page has the border."""
    border = (ink() + b" rg " + frame_operators(box.at_origin) + b"f*\n") if is_framed else b""
    return border + ink() + b" RG\n" + tick_operators(box.at_origin) if on else border


def write_values(pdf: GrowingPdf, values: Iterable[PdfFieldValue], numbers: Mapping[str, int]) -> Mapping[int, bytes]:
    """Write the appearances of values. Returns the end of each field's object, by its number."""
    ends = {}
    for name, entries, shown in values:
        seen = b"/AP<</N %d 0 R>>" % pdf.add_stream(shown) if shown else b""
        ends[numbers[name]] = b"%b%b>>" % (entries, seen)
    return ends


def fields_of(pdf: Any) -> Iterator[tuple[str, Any]]:
    """The widgets of fields, and the fields with several widgets, each with the name that its FieldBox has."""
    for number, page in enumerate(pdf.pages, start=1):
        for widget in widgets_of(page):
            name = _full_name(widget)
            if "/T" in widget:
                yield name, widget
            elif widget.Parent.Kids[0].objgen == widget.objgen:
                yield from ((name, widget), (name + AGAIN, widget.Parent))
            else:
                yield f"{name}{AGAIN}{number}", widget


def widgets_of(page: Any) -> list[Any]:
    """The widgets of the fields of a page, without the links of a template."""
    return [note for note in page.obj.get("/Annots", []) if note.Subtype == "/Widget"]


def _full_name(field: Any) -> str:
    """The full name of a field, which begins with the name of its group."""
    known = [_full_name(field.Parent)] if "/Parent" in field else []
    return ".".join(filter(None, [*known, str(field.get("/T", ""))]))


class BlankAppearance(NamedTuple):
    """The appearance of a blank field: the number of its stream, and the stream as an object."""

    number: int
    stream: bytes


def _blank_appearances(pdf: Any) -> Iterator[tuple[int, BlankAppearance]]:
    """The appearances of the fields to write in, each with the number of its field."""
    for _, field in fields_of(pdf):
        shown = field.get("/AP", {}).get("/N")
        if isinstance(shown, pikepdf.Stream):
            yield field.objgen[0], BlankAppearance(shown.objgen[0], b"".join(ObjectParts.of(shown)))


@dataclass(frozen=True, slots=True)
class FormTemplate:
    """A sheet with blank fields, and the ``parts`` of the PDF objects of its fields, by object number.

    ``fields`` are the object numbers of fields by name ("": the group of all fields), ``widgets`` the object numbers of
    the widgets on each of the ``pages``. ``blanks`` are the appearances of blank fields that are written in, by the
    number of the field: programs that fill forms write over an appearance, so that each field has an appearance of its
    own. ``script`` is the number of the script with the values for which a sheet had no room, 0 for no such script.
    """

    base: BasePdf
    fields: Mapping[str, int]
    widgets: Sequence[Sequence[int]]
    parts: Mapping[int, ObjectParts]
    blanks: Mapping[int, BlankAppearance]
    pages: Sequence[int]
    script: int

    @classmethod
    def of(cls, form: bytes) -> FormTemplate:
        """The template of a sheet that ``form_pdf`` or ``repeatable_form`` made."""
        with pikepdf.open(io.BytesIO(form)) as pdf:
            fields = {"": pdf.Root.AcroForm.Fields[0].objgen[0]} | {name: one.objgen[0] for name, one in fields_of(pdf)}
            widgets = [[widget.objgen[0] for widget in widgets_of(page)] for page in pdf.pages]
            pages = [page.obj.objgen[0] for page in pdf.pages]
            parts = parts_of(pdf, [pdf.Root.AcroForm.Fields.unparse()], pages, streams=False)
            known: Any = pdf.Root.get("/Names", Dictionary())
            scripts = known.get("/JavaScript", Dictionary()).get("/Names", [])
            script = scripts[1].objgen[0] if len(scripts) else 0
            return cls(BasePdf.of(form), fields, widgets, parts, dict(_blank_appearances(pdf)), pages, script)

    def write(self, title: str, values: Iterable[PdfFieldValue], script: str, others: Sequence[bytes] = ()) -> bytes:
        """The PDF of a character's sheet, followed by the pages of the PDFs ``others``."""
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
        from refgen.layout.join import join_pages  # only where lists of a sheet go on on further pages

        with ExitStack() as opened:
            whole, *more = (opened.enter_context(pikepdf.open(each)) for each in (file, *map(io.BytesIO, others)))
            join_pages(whole, more)
            return saved_pdf(whole)

    def copy(
        self, pdf: GrowingPdf, tags: TagTree, pages: Sequence[int], name: str, values: Iterable[PdfFieldValue]
    ) -> tuple[int, Sequence[bytes]]:
        """Write a copy of the fields, on other pages, in a group called ``name``."""
        numbers = {number: pdf.reserve() for number in self.parts} | dict(zip(self.pages, pages, strict=True))
        ends = {**write_values(pdf, values, self.fields), self.fields[""]: b"/T%b>>" % text_string(name)}
        blanks = {one.number: pdf.add_stream(one.stream) for field, one in self.blanks.items() if field not in ends}
        found_by = {
            widget: tags.field(numbers[widget], page)
            for page, widgets in zip(pages, self.widgets, strict=True)
            for widget in widgets
        }
        for number, (start, end) in self.parts.items():
            own_end = ends.get(number) or (renumber_references(end, blanks) if number in self.blanks else end)
            pdf.put(numbers[number], renumber_references(start, numbers) + found_by.get(number, b"") + own_end)
        notes = [references(numbers[widget] for widget in widgets) for widgets in self.widgets]
        return numbers[self.fields[""]], [b"/Annots[%b]" % each for each in notes]
