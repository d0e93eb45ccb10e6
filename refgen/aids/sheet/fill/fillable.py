"""A sheet with fields, ready for characters: tagged, every field with an appearance.

In: the PDF of a sheet that WeasyPrint wrote with fields, and the places of these. Out: the same with fields that every
viewer shows alike and whose font has every letter of Latin, Greek and Cyrillic; then, for a character, the same with
what is written in them. With a Calculation, computed fields follow what is typed. Such a PDF does not claim to be
PDF/UA: values change without a word to whoever hears them read.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, BinaryIO

from refgen.aids.sheet.fill.append import GrowingPdf, metadata, references, text_string
from refgen.aids.sheet.fill.calculation import ACTION, Calculation, beyond
from refgen.aids.sheet.fill.flat import INK
from refgen.aids.sheet.fill.form import FieldNames, Widgets, shared
from refgen.aids.sheet.fill.geometry import FieldBox
from refgen.aids.sheet.fill.placing import Placing
from refgen.aids.sheet.fill.text import RESOURCE, widen
from refgen.aids.sheet.fill.transplant import Grafted, transplant
from refgen.characters.sheet.model import AGAIN

_TITLE = re.compile(rb"(<dc:title>.*?<rdf:li[^>]*>).*?(</rdf:li>)", re.DOTALL)

_CLAIM = re.compile(rb'<rdf:Description rdf:about="" pdfuaid:part="1"/>')
"""How the metadata say that a PDF is PDF/UA-1."""

_BEYOND, _SCRIPT = "1", "2"
"""The names of a document's scripts: viewers run them in the order of their names."""


@dataclass(frozen=True, slots=True)
class _Tree:
    """The structure tree of a sheet: the numbers of its objects, and their contents but for what is added."""

    document: int
    entries: bytes
    kids: bytes
    parents: int
    numbered: bytes
    following: int

    @classmethod
    def of(cls, pdf: Any) -> _Tree:
        """The tree of a PDF of WeasyPrint's: one document, and one node with the elements of all pages."""
        document, parents = pdf.Root.StructTreeRoot.K[0], pdf.Root.StructTreeRoot.ParentTree
        entries = b"".join(key.encode() + b" " + value.unparse() for key, value in document.items() if key != "/K")
        kids, nums = list(document.K), parents.Nums
        return cls(
            document.objgen[0],
            entries,
            references(kid.objgen[0] for kid in kids),
            parents.objgen[0],
            nums.unparse()[1:-1],
            max(int(number) for number in list(nums)[::2]) + 1,
        )

    def grow(self, pdf: GrowingPdf, others: Sequence[Grafted]) -> None:
        """Add the elements of more pages, which are numbered from ``following`` on."""
        kids = references(kid for other in others for kid in other.kids)
        pdf.put(self.document, b"<<%b/K[%b %b]>>" % (self.entries, self.kids, kids))
        pages = enumerate((page for other in others for page in other.pages), start=self.following)
        more = b" ".join(b"%d%b" % (number, page.elements) for number, page in pages)
        pdf.put(self.parents, b"<</Nums[%b %b]>>" % (self.numbered, more))


@dataclass(frozen=True, slots=True)
class _Several:
    """A field with widgets on several pages: its number, what names it, and its widgets."""

    number: int
    named: bytes
    kids: bytes

    @classmethod
    def of(cls, field: Any) -> _Several:
        """The field of a PDF of pikepdf's."""
        group = b"/Parent %d 0 R" % field.Parent.objgen[0] if "/Parent" in field else b""
        named = b"/T%b%b" % (text_string(str(field.T)), group)
        return cls(field.objgen[0], named, references(kid.objgen[0] for kid in field.Kids))


@dataclass(frozen=True, slots=True)
class FillableSheet:
    """The bytes of a sheet with blank fields, and the numbers of its objects.

    ``widgets`` are those of the fields by their names, ``places`` what binds each to its page. ``drawn`` are the boxes
    whose border is drawn with the field. ``several`` are the fields with widgets on several pages: the number of each,
    and what it holds besides its text. ``beyond`` is the number of the script that holds what a sheet had no room
    for; 0 where nothing calculates.
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
    tags: _Tree
    several: Mapping[str, _Several]
    beyond: int

    @classmethod
    def of(
        cls,
        data: bytes,
        boxes: Iterable[FieldBox],
        drawn: frozenset[str] = frozenset(),
        calculation: Calculation | None = None,
    ) -> FillableSheet:
        """Give every field of a PDF of WeasyPrint's an appearance, and computed ones what they calculate by."""
        known = {box.name: box for box in boxes}
        ready = _with_font(data)
        if calculation is not None:
            ready = _calculating(ready, calculation, known, drawn)
        rough = cls._numbered(ready, known, drawn)
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
            fields = list(_widgets(pdf))
            return cls(
                data,
                [int(page.objgen[0]) for page in pdf.pages],
                pdf.pages[0].Resources.objgen[0],
                pdf.Root.Pages.objgen[0],
                b"".join(key.encode() + value.unparse() for key, value in pdf.docinfo.items() if key != "/Title"),
                pdf.docinfo.objgen[0],
                pdf.Root.Metadata.read_bytes(),
                pdf.Root.Metadata.objgen[0],
                {name: one.objgen[0] for name, _, one in fields},
                {name: _place(page, one) for name, page, one in fields},
                boxes,
                drawn,
                _Tree.of(pdf),
                {name: _Several.of(one.Parent) for name, _, one in fields if "/T" not in one and AGAIN not in name},
                _script_number(pdf, _BEYOND),
            )

    def fill(self, file: BinaryIO, title: str, placing: Placing, others: Iterable[bytes] = ()) -> None:
        """Write the sheet of a character. ``others`` are PDFs whose pages come after it."""
        pdf = GrowingPdf(file, self.data)
        widgets = Widgets(pdf, self.resources, self.drawn, self.boxes)
        for name, data in widgets.all(placing, self.places).items():
            pdf.put(self.widgets[name], data)
        if grafted := [transplant(other, pdf, self.tags.document) for other in others]:
            more = [page for other in grafted for page in other.pages]
            for number, page in enumerate(more, start=self.tags.following):
                entries = b"/Parent %d 0 R/Tabs/S/StructParents %d%b" % (self.tree, number, page.entries)
                pdf.put(page.number, b"<</Type/Page%b>>" % entries)
            numbers = [*self.pages, *(page.number for page in more)]
            pdf.put(self.tree, b"<</Type/Pages/Count %d/Kids[%b]>>" % (len(numbers), references(numbers)))
            self.tags.grow(pdf, grafted)
        for name, field in self.several.items():
            pdf.put(field.number, shared(field.named, field.kids, placing.text(name)))
        if self.beyond and placing.beyond:
            pdf.put(self.beyond, _action(text_string(beyond(placing.filled, placing.beyond).decode())))
        pdf.put(self.info_number, b"<<%b/Title%b>>" % (self.info, text_string(title)))
        pdf.put_stream(self.metadata_number, self._metadata(title))
        pdf.finish()

    def _metadata(self, title: str) -> bytes:
        named = escape(title).encode()
        return metadata(_TITLE.sub(lambda match: match[1] + named + match[2], self.metadata, count=1))


def _place(page: int, widget: Any) -> bytes:
    """What binds a widget to its page, its name and its tag."""
    tag = b"/StructParent %d" % int(widget.StructParent) if "/StructParent" in widget else b""
    group = b"/Parent %d 0 R" % widget.Parent.objgen[0] if "/Parent" in widget else b""
    action = b"/AA %d 0 R" % widget.AA.objgen[0] if "/AA" in widget else b""
    name = b"/T" + text_string(str(widget.T)) if "/T" in widget else b""
    return b"%b/P %d 0 R%b%b%b" % (name, page, group, tag, action)


def _widgets(pdf: Any) -> Iterator[tuple[str, int, Any]]:
    """The widgets of fields: the name of each, the number of its page, and itself."""
    for number, page in enumerate(pdf.pages, start=1):
        for one in page.obj.get("/Annots", []):
            if "/T" in one:
                yield _name(one), int(page.objgen[0]), one
            elif "/Parent" in one:
                again = "" if one.Parent.Kids[0].objgen == one.objgen else f"{AGAIN}{number}"
                yield _name(one.Parent) + again, int(page.objgen[0]), one


def _name(field: Any) -> str:
    """The whole name of a field: that of its group comes first."""
    name = str(field.T)
    return f"{_name(field.Parent)}.{name}" if "/Parent" in field else name


def _group_fields(pdf: Any) -> None:
    """Put fields under the groups that their names say: WeasyPrint gives them whole names, which have no dots."""
    import pikepdf

    fields = {str(field.T): field for field in pdf.Root.AcroForm.Fields}
    known = FieldNames(fields)
    for name, widgets in known.widgets.items():
        kids = pikepdf.Array([fields[widget] for widget in widgets])
        field = pdf.make_indirect(pikepdf.Dictionary(FT=pikepdf.Name.Tx, Kids=kids, V=pikepdf.String("")))
        for widget in kids:
            widget.Parent = field
            del widget.T
        fields[name] = field
    groups = known.groups
    every = (name for names in groups.values() for name in names)
    made = {name: fields.get(name) or pdf.make_indirect(pikepdf.Dictionary()) for name in every}
    for group, names in groups.items():
        for name in names:
            made[name].T = pikepdf.String(name.rpartition(".")[2])
            if group:
                made[name].Parent = made[group]
        if group:
            made[group].Kids = pikepdf.Array([made[name] for name in names])
    pdf.Root.AcroForm.Fields = pikepdf.Array([made[name] for name in groups[""]])


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
        _group_fields(pdf)
        return _saved(pdf)


def _calculating(data: bytes, calculation: Calculation, boxes: Mapping[str, FieldBox], drawn: frozenset[str]) -> bytes:
    """The PDF with its scripts, whose computed fields run them."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as pdf:
        sheet = pdf.make_stream(calculation.script(list(boxes.values()), drawn))
        scripts = {_BEYOND: pikepdf.String("var refgenBeyond = {};"), _SCRIPT: sheet}
        actions = [(pikepdf.String(name), _javascript(pdf, script)) for name, script in scripts.items()]
        pdf.Root.Names.JavaScript = pikepdf.Dictionary(Names=pikepdf.Array([part for pair in actions for part in pair]))
        action = pdf.make_indirect(pikepdf.Dictionary(C=_javascript(pdf, pikepdf.String(ACTION.decode()))))
        fields = {name: one for name, _, one in _widgets(pdf)}
        order = [fields[name] for name in calculation.order(boxes.values())]
        for field in order:
            field.AA = action
        pdf.Root.AcroForm.CO = pikepdf.Array(order)
        pdf.Root.Metadata.write(_CLAIM.sub(b"", pdf.Root.Metadata.read_bytes()))
        return _saved(pdf)


def _javascript(pdf: Any, script: Any) -> Any:
    """An action that runs a script."""
    import pikepdf

    return pdf.make_indirect(pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=script))


def _action(script: bytes) -> bytes:
    """The same as an object, of a script that is a string."""
    return b"<</S/JavaScript/JS%b>>" % script


def _script_number(pdf: Any, name: str) -> int:
    """The number of a script of a document; 0 where there is none of that name."""
    names = list(pdf.Root.get("/Names", {}).get("/JavaScript", {}).get("/Names", []))
    return next((action.objgen[0] for key, action in zip(names[::2], names[1::2], strict=True) if str(key) == name), 0)


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
