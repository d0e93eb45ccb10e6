"""A sheet that is laid out once for all characters, and what is laid out for a single one.

In: a blank sheet and its format. Out: a Stencil: the places of its fields, and PDFs of its pages to set characters
onto: without fields, for print, and with fields, tagged. In: a Stencil and a Placing. Out: pages that WeasyPrint lays
out with all values, for texts with letters that are no glyphs of their own, that run from right to left, or that
another font has; the pages that go on with what a sheet has no room for; and the letters that no font of this machine
has.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from refgen.aids.sheet.fill.calculation import Calculation
from refgen.aids.sheet.fill.fillable import FillableSheet
from refgen.aids.sheet.fill.flat import Overlays
from refgen.aids.sheet.fill.geometry import FieldBox, field_boxes
from refgen.aids.sheet.fill.placing import Placer, Placing, boxes_of_tracks
from refgen.aids.sheet.fill.tagging import MARKED, PARAGRAPH
from refgen.aids.sheet.fill.text import RESOURCE, fill_font, plain, widen
from refgen.aids.sheet.html import SheetFields, continuation_html, sheet_html
from refgen.aids.sheet.pages import PlacedPage, SheetPages
from refgen.aids.sheet.planner import fit_sheet
from refgen.characters.filling import Filled, filled_row
from refgen.characters.form import name_of_boxes
from refgen.characters.sheet.model import CharacterSheet, Field, Part, SheetRow
from refgen.game.system_info import SystemInfo
from refgen.layout.engine import lay_out, write, write_untagged, write_with_missing
from refgen.render.assets import assets
from refgen.render.page_format import PageFormat

NAME = "sheet"
"""What errors call it."""

_MARKS = frozenset({"BDC", "BMC", "EMC", "DP", "MP"})
"""The operators of marked content (ISO 32000-1, 14.6)."""


@dataclass(frozen=True, slots=True)
class BasePage:
    """A page of a base: the numbers of its objects, and its size in points."""

    contents: int
    resources: int
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Base:
    """The bytes of a PDF to set characters onto, and the numbers of its objects."""

    data: bytes
    pages: Sequence[BasePage]
    root: int
    info: int
    font: int


@dataclass(frozen=True)
class Stencil:
    """A sheet that was laid out: its pages, the places of its fields, and how they calculate, if they are to."""

    system: SystemInfo
    sheet: CharacterSheet
    page_format: PageFormat
    pages: SheetPages
    boxes: tuple[FieldBox, ...]
    calculation: Calculation | None = None

    @classmethod
    def of(cls, system: SystemInfo, sheet: CharacterSheet, page_format: PageFormat) -> Stencil:
        """Lay a sheet out. Raises RenderError when it fits in no way."""
        fitted = fit_sheet(lambda pages: sheet_html(system, pages, page_format), sheet, page_format, NAME)
        fields = [field for page in fitted.pages.pages for field in page.fields()]
        return cls(system, sheet, page_format, fitted.pages, field_boxes(fitted.laid_out, fields))

    @cached_property
    def placer(self) -> Placer:
        """What puts characters into its fields."""
        return Placer(self.sheet, self.boxes, fill_font())

    @cached_property
    def overlays(self) -> Overlays:
        """What draws characters over its pages."""
        parts = [placed.part for page in self.pages.pages for placed in page.parts()]
        return Overlays(self.sheet, parts, self.boxes, len(self.pages.pages))

    @property
    def unseen(self) -> frozenset[str]:
        """The boxes that are drawn with each character."""
        return frozenset(box.name for boxes in boxes_of_tracks(self.sheet).values() for box in boxes)

    @cached_property
    def flat(self) -> Base:
        """Its pages without fields and without tags."""
        html = sheet_html(self.system, self.pages, self.page_format, SheetFields(as_text=True, unseen=self.unseen))
        with _opened(write_untagged(lay_out(html, NAME, assets()), NAME)) as pdf:
            font = widen(pdf)
            without_tags(pdf)
            for page in pdf.pages:
                _prepare(pdf, page, font)
            return _saved(pdf)

    @cached_property
    def fillable(self) -> FillableSheet:
        """Its pages with fields, for characters, each of whom has boxes of his own."""
        html = sheet_html(self.system, self.pages, self.page_format, SheetFields(unseen=self.unseen))
        return FillableSheet.of(write(lay_out(html, NAME, assets()), NAME), self.boxes, self.unseen, self.calculation)


def _opened(data: bytes) -> Any:
    import pikepdf

    return pikepdf.open(io.BytesIO(data))


def without_tags(pdf: Any) -> None:
    """Take out all that makes a PDF tagged: its pages are to be repeated, each for another character."""
    import pikepdf

    for key in ("/StructTreeRoot", "/MarkInfo", "/Metadata", "/Outlines", "/Names"):
        if key in pdf.Root:
            del pdf.Root[key]
    for page in pdf.pages:
        kept = [step for step in pikepdf.parse_content_stream(page) if str(step[1]) not in _MARKS]
        page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(kept))
        for key in ("/StructParents", "/Tabs"):
            if key in page:
                del page[key]


def _prepare(pdf: Any, page: Any, font: Any) -> None:
    """Mark a page's contents, and let what is drawn behind them find the plain coordinates, and the font."""
    page.Contents = pdf.make_stream(MARKED % (PARAGRAPH, 0, b"q\n" + page.Contents.read_bytes() + b"\nQ\n"))
    page.Resources = pdf.make_indirect(page.Resources)
    page.Resources.Font[RESOURCE] = font


def _saved(pdf: Any) -> Base:
    """The bytes of a PDF, with its cross references in a stream, and the numbers that its objects have in it."""
    import pikepdf

    data = io.BytesIO()
    pdf.save(data, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    with pikepdf.open(data) as saved:
        pages = [
            BasePage(
                page.Contents.objgen[0],
                page.Resources.objgen[0],
                float(page.MediaBox[2]),
                float(page.MediaBox[3]),
            )
            for page in saved.pages
        ]
        font = saved.pages[0].Resources.Font[RESOURCE]
        return Base(data.getvalue(), pages, saved.Root.objgen[0], saved.docinfo.objgen[0], font.objgen[0])


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A PDF, and the letters in it that no font of this machine has."""

    data: bytes
    missing: frozenset[str]


@dataclass(frozen=True, slots=True)
class Continued:
    """What goes on on another page: a text in full, or lines of a list with their heads."""

    title: str
    text: str = ""
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def lay_out_sheet(stencil: Stencil, placing: Placing) -> LaidOut:
    """The pages of the sheet, each field where the stencil has it."""
    shown = {each.box.name: "\n".join(each.lines) if each in placing.cut else each.text for each in placing.written}
    pages = SheetPages(
        replace(stencil.pages.sheet, character=placing.filled.character.name),
        tuple(_filled(page, placing.filled, shown) for page in stencil.pages.pages),
    )
    sizes = {each.box.name: each.size for each in placing.written if each.size != each.box.size}
    html = sheet_html(stencil.system, pages, stencil.page_format, SheetFields(as_text=True, sizes=sizes))
    return _laid_out(html, placing)


def go_on(stencil: Stencil, placing: Placing) -> LaidOut:
    """The pages that go on with what the sheet has no room for."""
    name = placing.filled.character.name
    html = continuation_html(stencil.system, name, list(_continued(stencil, placing)), stencil.page_format)
    return _laid_out(html, placing)


def _laid_out(html: str, placing: Placing) -> LaidOut:
    name = placing.filled.character.name
    return LaidOut(*write_with_missing(lay_out(html, name, assets()), name))


def _filled(page: PlacedPage, filled: Filled, shown: Mapping[str, str]) -> PlacedPage:
    columns = tuple(
        replace(
            column,
            parts=tuple(
                replace(
                    placed, part=replace(placed.part, rows=tuple(_row(row, filled, shown) for row in placed.part.rows))
                )
                for placed in column.parts
            ),
        )
        for column in page.columns
    )
    named = page.named and replace(page.named, value=shown.get(page.named.name, ""))
    return replace(page, columns=columns, named=named)


def _row(row: SheetRow, filled: Filled, shown: Mapping[str, str]) -> SheetRow:
    """A row with its values; of boxes whose number is known, those that are there are drawn like any other."""
    known = row.boxes is not None and name_of_boxes(row) in filled.boxes

    def set_(field: Field) -> Field:
        field = replace(field, value=shown.get(field.name, field.value))
        return replace(field, optional=False) if known else field

    filled_in = filled_row(row, filled)
    return replace(filled_in, fields=tuple(map(set_, filled_in.fields)))


def _continued(stencil: Stencil, placing: Placing) -> Iterator[Continued]:
    """Texts that were cut, in full; then the lines that the sheet has not."""
    for each in placing.cut:
        yield Continued(each.box.field.label, plain(placing.filled.texts[each.box.name], each.box))
    for part in stencil.sheet.parts():
        if part.pattern is not None and placing.filled.lines.get(part.id, 0) > _printed(stencil, part):
            yield _lines(stencil, part, placing.filled)


def _printed(stencil: Stencil, part: Part) -> int:
    """How many lines of a list the sheet has."""
    pages = (placed.part for page in stencil.pages.pages for placed in page.parts())
    return sum(len(placed.rows) for placed in pages if placed.id == part.id)


def _lines(stencil: Stencil, part: Part, filled: Filled) -> Continued:
    """The lines of a list that the sheet has not."""
    numbers = range(_printed(stencil, part) + 1, filled.lines[part.id] + 1)
    lines = ((str(number), part.line(number).fields) for number in numbers)
    rows = [[number, *(filled.texts.get(field.name, "") for field in fields)] for number, fields in lines]
    return Continued(part.title, heads=part.heads, rows=rows)
