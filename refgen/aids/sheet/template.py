"""A sheet laid out once for all characters, and pages laid out for a single character.

In: a blank sheet and its format. Out: a SheetTemplate: places of fields, and PDFs of pages. In: a SheetTemplate and a
Placing. Out: the drawing of a character; or pages that WeasyPrint lays out: the sheet with all values (for texts in
ligatures, right-to-left scripts or other fonts), and continuation pages with the values for which a sheet has no room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from refgen.aids.sheet.drawing import Overlay, Overlays, Placer, Placing, boxes_of_tracks
from refgen.aids.sheet.fields import FieldBox, field_boxes, normalized_text
from refgen.aids.sheet.form_fields import FormTemplate, PdfFieldValue, draw_fields
from refgen.aids.sheet.form_pdf import form_pdf, print_base, repeatable_form
from refgen.aids.sheet.growing_pdf import HEADING, BasePdf, spoken_element
from refgen.aids.sheet.parts import SheetPages
from refgen.aids.sheet.planner import SheetFields, continuation_html, fit_sheet, sheet_html
from refgen.blocks.letters import SettableWords
from refgen.characters.sheet import CharacterSheet
from refgen.errors import RefgenError
from refgen.game import SystemInfo
from refgen.layout.engine import lay_out, write, write_with_missing
from refgen.layout.page_format import PageFormat
from refgen.layout.templates import loaded_files
from refgen.look.look import Look

if TYPE_CHECKING:  # a sheet that does not calculate loads no scripts
    from refgen.aids.sheet.interactive import Calculation

NAME = "sheet"
"""The name of the sheet in errors."""

_PREFIX = "continued-"
"""The prefix of tag ids on pages that may stand after those of a form."""


class CharacterDrawing(NamedTuple):
    """A character: the overlay of each page of the sheet, and the values of its fields, if it has any."""

    overlays: Sequence[Overlay]
    values: Sequence[PdfFieldValue] = ()


@dataclass(frozen=True)
class SheetTemplate:
    """A sheet that was laid out: the pages, the places of the fields, and the calculation of computed fields.

    ``faults`` are the errors of blocks and letters that no font has.
    """

    system: SystemInfo
    sheet: CharacterSheet
    page_format: PageFormat
    pages: SheetPages
    boxes: tuple[FieldBox, ...]
    calculation: Calculation | None = None
    faults: tuple[RefgenError, ...] = ()

    @classmethod
    def of(cls, system: SystemInfo, sheet: CharacterSheet, page_format: PageFormat) -> SheetTemplate:
        """Lay a sheet out. Raises RenderError when it fits in no way."""
        words = SettableWords()
        system = words.system(system)
        fitted = fit_sheet(system, sheet, page_format, NAME)
        boxes = field_boxes(fitted.laid_out, fitted.pages.fields())
        return cls(system, sheet, page_format, fitted.pages, boxes, faults=(*words.faults, *fitted.faults))

    @property
    def look(self) -> Look:
        """The look in which the sheet is set."""
        return replace(self.system.look, theme=str(self.page_format.theme))

    @cached_property
    def placer(self) -> Placer:
        """The placer that sets characters into the fields."""
        return Placer(self.sheet, self.boxes)

    @cached_property
    def optional(self) -> frozenset[str]:
        """The names of the boxes that not every character has, and that are drawn with each character."""
        return frozenset(box.name for boxes in boxes_of_tracks(self.sheet).values() for box in boxes)

    @cached_property
    def form(self) -> FormTemplate:
        """The pages with fields, for a PDF of each character."""
        return FormTemplate.of(self._form_pdf)

    @cached_property
    def repeated_form(self) -> FormTemplate:
        """The pages with fields, for a PDF of many characters."""
        return FormTemplate.of(repeatable_form(self._form_pdf))

    @cached_property
    def print_base(self) -> BasePdf:
        """The pages without fields and without tags."""
        return print_base(self._form_pdf)

    @cached_property
    def _form_pdf(self) -> bytes:
        html = sheet_html(self.system, self.pages, self.page_format, SheetFields(unseen=self.optional))
        return form_pdf(write(lay_out(html, NAME, loaded_files()), NAME), self.boxes, self.optional, self.calculation)

    @cached_property
    def _overlays(self) -> Overlays:
        parts = [placed.part for page in self.pages.pages for placed in page.parts()]
        return Overlays(self.sheet, parts, self.boxes, len(self.pages.pages), self.system.words)

    def draw(self, placing: Placing, form: FormTemplate | None = None) -> CharacterDrawing:
        """A character drawn for print, or as field values of a form, where the name is read but not drawn."""
        if form is None:
            return CharacterDrawing(self._overlays.draw(placing))
        headings = [[spoken_element(HEADING, [placing.filled.character.name])], *([] for _ in self.pages.pages[1:])]
        resources, calculates = form.base.pages[0].resources, self.calculation is not None
        values = draw_fields(placing, form.fields, self.optional, resources, calculates=calculates)
        return CharacterDrawing([Overlay(b"", heading) for heading in headings], values)


class LaidOutPdf(NamedTuple):
    """A PDF, and the letters in it that no font on this machine has."""

    data: bytes
    missing: frozenset[str]


def lay_out_sheet(template: SheetTemplate, placing: Placing) -> LaidOutPdf:
    """The pages of the sheet with all values, each field in its place in the template."""
    filled, name = placing.filled, placing.filled.character.name
    lines = {each.box.name: "\n".join(each.lines) if each in placing.cut else each.text for each in placing.written}
    sizes = {each.box.name: each.size for each in placing.written if each.size != each.box.size}
    fields = SheetFields({**filled.texts, **lines}, filled.boxes, sizes=sizes)
    pages = replace(template.pages, sheet=replace(template.pages.sheet, character=name))
    return _laid_out(sheet_html(template.system, pages, template.page_format, fields), name)


def lay_out_continuation(template: SheetTemplate, placing: Placing) -> LaidOutPdf:
    """The continuation pages: the values for which the sheet has no room."""
    name, parts = placing.filled.character.name, list(_continuations(template, placing))
    return _laid_out(continuation_html(template.system, name, parts, template.page_format), name)


def _laid_out(html: str, name: str) -> LaidOutPdf:
    return LaidOutPdf(*write_with_missing(lay_out(html, name, loaded_files()), name, _PREFIX))


def _continuations(template: SheetTemplate, placing: Placing) -> Iterator[Mapping[str, Any]]:
    """The parts of continuation pages: texts that were cut, in full; then lines of lists without room on the sheet."""
    texts = placing.filled.texts
    for each in placing.cut:
        yield {"title": each.box.field.label, "text": normalized_text(texts[each.box.name], each.box), "rows": ()}
    printed = Counter[str]()
    for page in template.pages.pages:
        printed.update({placed.part.id: len(placed.part.rows) for placed in page.parts()})
    for part in template.sheet.parts():
        last = placing.filled.lines.get(part.id, 0)
        if part.pattern is not None and last > printed[part.id]:
            lines = ((str(number), part.line(number).fields) for number in range(printed[part.id] + 1, last + 1))
            rows = [[number, *(texts.get(field.name, "") for field in fields)] for number, fields in lines]
            yield {"title": part.title, "heads": part.heads, "rows": rows}
