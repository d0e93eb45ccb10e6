"""A sheet that is laid out once for all characters.

In: a blank sheet and its format. Out: a SheetTemplate: the places of its fields, PDFs of its pages that characters are
written behind, and what is drawn of each character.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from refgen.aids.sheet.fill.calculation import Calculation
from refgen.aids.sheet.fill.form import FieldValue, FormValues
from refgen.aids.sheet.fill.form_pdf import FormTemplate, form_pdf, print_base
from refgen.aids.sheet.fill.geometry import FieldBox, field_boxes
from refgen.aids.sheet.fill.overlay import Overlay, Overlays
from refgen.aids.sheet.fill.placing import Placer, Placing, boxes_of_tracks
from refgen.aids.sheet.fill.source_pdf import Base
from refgen.aids.sheet.fill.trees import HEADING, spoken
from refgen.aids.sheet.html import SheetFields, sheet_html
from refgen.aids.sheet.pages import SheetPages
from refgen.aids.sheet.planner import fit_sheet
from refgen.characters.sheet.model import CharacterSheet
from refgen.game.system_info import SystemInfo
from refgen.layout.engine import lay_out, write
from refgen.render.assets import assets
from refgen.render.page_format import PageFormat

NAME = "sheet"
"""What errors call it."""


class Drawing(NamedTuple):
    """A character: what is drawn over each page of the sheet, and the values of its fields if it has any."""

    overlays: Sequence[Overlay]
    values: Sequence[FieldValue] = ()


@dataclass(frozen=True)
class SheetTemplate:
    """A sheet that was laid out: its pages, the places of its fields, and how they calculate, if they are to."""

    system: SystemInfo
    sheet: CharacterSheet
    page_format: PageFormat
    pages: SheetPages
    boxes: tuple[FieldBox, ...]
    calculation: Calculation | None = None

    @classmethod
    def of(cls, system: SystemInfo, sheet: CharacterSheet, page_format: PageFormat) -> SheetTemplate:
        """Lay a sheet out. Raises RenderError when it fits in no way."""
        fitted = fit_sheet(lambda pages: sheet_html(system, pages, page_format), sheet, page_format, NAME)
        fields = [field for page in fitted.pages.pages for field in page.fields()]
        return cls(system, sheet, page_format, fitted.pages, field_boxes(fitted.laid_out, fields))

    @cached_property
    def placer(self) -> Placer:
        """What puts characters into its fields."""
        return Placer(self.sheet, self.boxes)

    @property
    def optional(self) -> frozenset[str]:
        """The boxes that not every character has: they are drawn with each."""
        return frozenset(box.name for boxes in boxes_of_tracks(self.sheet).values() for box in boxes)

    @cached_property
    def form(self) -> FormTemplate:
        """Its pages with fields, for a PDF of each character."""
        return FormTemplate.of(self._form_pdf)

    @cached_property
    def repeated_form(self) -> FormTemplate:
        """The same, for a PDF of many characters."""
        return FormTemplate.of(self._form_pdf, repeats=True)

    @cached_property
    def print_base(self) -> Base:
        """Its pages without fields and without tags."""
        return print_base(self._form_pdf)

    @cached_property
    def _form_pdf(self) -> bytes:
        html = sheet_html(self.system, self.pages, self.page_format, SheetFields(unseen=self.optional))
        return form_pdf(write(lay_out(html, NAME, assets()), NAME), self.boxes, self.optional, self.calculation)

    @cached_property
    def _overlays(self) -> Overlays:
        parts = [placed.part for page in self.pages.pages for placed in page.parts()]
        return Overlays(self.sheet, parts, self.boxes, len(self.pages.pages))

    @cached_property
    def _form_values(self) -> FormValues:
        return FormValues(self.boxes, self.optional)

    def prepare(self, *, editable: bool, merged: bool) -> None:
        """Lay out what is needed to set characters onto it, so that other processes need not."""
        if not editable:
            _ = self.print_base
        elif merged:
            _ = self.repeated_form
        else:
            _ = self.form

    def draw(self, placing: Placing, *, editable: bool, merged: bool) -> Drawing:
        """A character in print; or with fields, in a PDF of many or by itself, the name a heading that is not drawn."""
        if not editable:
            return Drawing(self._overlays.draw(placing))
        headings = [[spoken(HEADING, [placing.filled.character.name])], *([] for _ in self.pages.pages[1:])]
        base = self.repeated_form.base if merged else self.form.base
        values = self._form_values.draw(placing, base.pages[0].resources)
        return Drawing([Overlay(b"", heading) for heading in headings], values)
