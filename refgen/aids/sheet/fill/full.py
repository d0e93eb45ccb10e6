"""The full way: pages that WeasyPrint lays out, for what cannot be set onto a stencil.

In: a Stencil and a Placing. Out: the pages of the sheet with all values, for texts with letters that are no glyphs of
their own, that run from right to left, or that another font has; and the pages that go on with what a sheet has no
room for. Both as PDFs without fields, tagged; and the letters that no font of this machine has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from refgen.aids.sheet.fill.placing import Placing
from refgen.aids.sheet.fill.stencil import Stencil
from refgen.aids.sheet.fill.text import plain
from refgen.aids.sheet.html import SheetFields, continuation_html, sheet_html
from refgen.aids.sheet.pages import PlacedPage, SheetPages
from refgen.characters.filling import Filled, filled_row
from refgen.characters.form import name_of_boxes
from refgen.characters.sheet.model import Field, Part, SheetRow
from refgen.layout.engine import lay_out, write_with_missing
from refgen.render.assets import assets


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
