"""What is laid out for a single character, by WeasyPrint.

In: a SheetTemplate and a Placing. Out: the pages of a sheet with all values, for texts with letters that are no glyphs
of their own, that run from right to left, or that another font has; and the pages that go on with what a sheet has no
room for; with the letters that no font of this machine has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from refgen.aids.sheet.fill.placing import Placing
from refgen.aids.sheet.fill.template import SheetTemplate
from refgen.aids.sheet.fill.text import plain
from refgen.aids.sheet.html import SheetFields, continuation_html, sheet_html
from refgen.layout.engine import lay_out, write_with_missing
from refgen.render.assets import assets

_PREFIX = "continued-"
"""What the ids of tags begin with, on pages that may stand behind those of a form."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A PDF, and the letters in it that no font of this machine has."""

    data: bytes
    missing: frozenset[str]


@dataclass(frozen=True, slots=True)
class Continuation:
    """What goes on on another page: a text in full, or lines of a list with their heads."""

    title: str
    text: str = ""
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def lay_out_sheet(template: SheetTemplate, placing: Placing) -> LaidOut:
    """The pages of the sheet, each field where the template has it."""
    filled, name = placing.filled, placing.filled.character.name
    lines = {each.box.name: "\n".join(each.lines) if each in placing.cut else each.text for each in placing.written}
    sizes = {each.box.name: each.size for each in placing.written if each.size != each.box.size}
    fields = SheetFields({**filled.texts, **lines}, filled.boxes, sizes=sizes)
    pages = replace(template.pages, sheet=replace(template.pages.sheet, character=name))
    return _laid_out(sheet_html(template.system, pages, template.page_format, fields), name)


def lay_out_continuation(template: SheetTemplate, placing: Placing) -> LaidOut:
    """The pages that go on with what the sheet has no room for."""
    name, parts = placing.filled.character.name, list(_continuations(template, placing))
    return _laid_out(continuation_html(template.system, name, parts, template.page_format), name)


def _laid_out(html: str, name: str) -> LaidOut:
    return LaidOut(*write_with_missing(lay_out(html, name, assets()), name, _PREFIX))


def _continuations(template: SheetTemplate, placing: Placing) -> Iterator[Continuation]:
    """Texts that were cut, in full; then the lines of lists that the sheet has not."""
    texts = placing.filled.texts
    for each in placing.cut:
        yield Continuation(each.box.field.label, plain(texts[each.box.name], each.box))
    printed = Counter[str]()
    for page in template.pages.pages:
        printed.update({placed.part.id: len(placed.part.rows) for placed in page.parts()})
    for part in template.sheet.parts():
        last = placing.filled.lines.get(part.id, 0)
        if part.pattern is not None and last > printed[part.id]:
            lines = ((str(number), part.line(number).fields) for number in range(printed[part.id] + 1, last + 1))
            rows = [[number, *(texts.get(field.name, "") for field in fields)] for number, fields in lines]
            yield Continuation(part.title, heads=part.heads, rows=rows)
