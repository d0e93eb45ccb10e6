"""A sheet that is laid out once, for all characters.

In: a blank sheet and its format. Out: a Stencil: the places of its fields, and PDFs of its pages to set characters
onto: without fields, for print, and with fields, tagged.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from refgen.aids.sheet.fill.calculation import Calculation
from refgen.aids.sheet.fill.fillable import FillableSheet
from refgen.aids.sheet.fill.flat import Overlays
from refgen.aids.sheet.fill.font import RESOURCE, fill_font, widen
from refgen.aids.sheet.fill.geometry import FieldBox, field_boxes
from refgen.aids.sheet.fill.placing import Placer, boxes_of_tracks
from refgen.aids.sheet.fill.tagging import MARKED, PARAGRAPH
from refgen.aids.sheet.fit import fit_sheet
from refgen.aids.sheet.html import SheetFields, sheet_html
from refgen.aids.sheet.pages import SheetPages
from refgen.characters.sheet.model import CharacterSheet
from refgen.game.system_info import SystemInfo
from refgen.layout.engine import lay_out, write, write_untagged
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
