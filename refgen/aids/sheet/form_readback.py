"""A form for browsers against its sheet.

In: a SheetForm as it was to be shown, and the page that was made of it. Out: the mismatches: words, fields and labels
that are not there or stand elsewhere, ids that are there twice, dead links.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from refgen.aids.sheet.form import SheetForm
from refgen.blocks.pieces import Piece
from refgen.characters.sheet.model import Part, SheetRow
from refgen.render.readback.align import align
from refgen.render.readback.expected import named_once
from refgen.render.readback.html_pages import dead_links, doubled_ids, ids, read_html, texts
from refgen.render.readback.mismatch import Mismatch
from refgen.render.readback.places import Fault

ADD = "Add a line"
"""What the button under a list says."""

_FIELDS = "self::input or self::select or self::textarea or self::output"


def form_mismatches(form: SheetForm, page: str, file: str, files: Collection[str]) -> list[Mismatch]:
    """What is wrong with the page of a form, whose links may lead to ``files``."""
    root = read_html(page)
    sections = root.xpath("//form[@id = 'sheet']//section[starts-with(@aria-labelledby, 'part-')]")
    titles = [section.get("aria-labelledby").removeprefix("part-") for section in sections]
    faults = [*named_once((part.id for part in form.sheet.parts()), titles), *_fields(form, root)]
    if not faults:
        for part, section in zip(form.sheet.parts(), sections, strict=True):
            faults += align([piece for piece in _pieces(part) if not piece.painted], texts(section)).faults
    faults += [("", f'two elements have the id "{name}"') for name in doubled_ids(root)]
    faults += [("", f'the link "{link}" leads nowhere') for link in dead_links(root, file, files, {file: ids(root)})]
    return [Mismatch(file, where, what) for where, what in faults]


def _fields(form: SheetForm, root: Any) -> Iterator[Fault]:
    found = root.xpath(f"//form[@id = 'sheet']//*[{_FIELDS}][not(ancestor::template)]")
    labels = {field.name: field.label for field in form.sheet.fields()}
    yield from named_once(labels, [field.get("id") for field in found])
    for field in found:
        name, label = field.get("id"), field.get("aria-label")
        if name in labels and label != labels[name]:
            yield f'field "{name}"', f'label "{label}" in place of "{labels[name]}"'


def _pieces(part: Part) -> Iterator[Piece]:
    """What a part says, in the order of the template."""
    where = f'"{part.title}"'
    yield Piece(part.title, f"{where}, title")
    if part.block:
        yield from part.block.pieces(part.title)
    if part.layout == "tracks":
        yield from (Piece(head, f'{where}, head "{head}"') for head in part.heads)
    for number, row in enumerate(part.rows, start=1):
        yield from (Piece(text, f"{where}, line {number}") for text in _line(part, row))
    if part.pattern:
        yield Piece(ADD, f"{where}, button")
    yield Piece(part.note, f"{where}, note")


def _line(part: Part, row: SheetRow) -> Iterator[str]:
    """The words of a line: its label, those over its fields, and its note."""
    if part.layout != "area":
        yield row.label
    if part.layout in ("rows", "lines"):
        yield from part.heads
    yield row.note
