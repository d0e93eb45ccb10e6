"""What must be read on the pages of a sheet.

In: the pages, and the system that the sheet is of. Out: the pages in order, each with its pieces of text in reading
order and its fields. The order of the template is repeated here on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator

from refgen.aids.sheet.pages import PlacedColumn, PlacedPage, SetPart, SheetPages
from refgen.blocks.pieces import Piece
from refgen.characters.sheet.model import CharacterSheet, Field, Part, SheetRow
from refgen.game.system_info import SystemInfo
from refgen.render.readback.expected import ExpectedPart, boxed, header


def expected(system: SystemInfo, sheet: SheetPages) -> list[ExpectedPart]:
    """The pages, in order."""
    return [_page(system, sheet.sheet, page) for page in sheet.pages]


def _page(system: SystemInfo, sheet: CharacterSheet, page: PlacedPage) -> ExpectedPart:
    named = [page.named] if page.named else []
    pieces = [*header(sheet.title, system, *(field.label for field in named), page.place)]
    holders: dict[str, int] = {}
    for box, column in enumerate(page.columns):
        pieces += boxed(box, [piece for placed in column.parts for piece in _part(placed)])
        holders |= {field.name: box for field in _fields(column)}
    pieces.append(Piece(f"{system.source}. {system.rounding}", "footer"))
    fields = (*named, *(field for column in page.columns for field in _fields(column)))
    return ExpectedPart(f"page {page.number + 1}", tuple(pieces), fields, holders=holders)


def _fields(column: PlacedColumn) -> Iterator[Field]:
    """The fields of a column: of the boxes of a track, those that are there."""
    rows = (row for placed in column.parts for row in placed.part.rows)
    return (field for row in rows for field in row.fields if not field.absent)


def _part(placed: SetPart) -> Iterator[Piece]:
    part = placed.part
    where = f'"{part.title}"'
    yield Piece(part.title, f"{where}, title")
    if part.block:
        yield from part.block.pieces(part.title)
    for column, _ in placed.dealt:
        for head in part.heads:
            yield Piece(head, f'{where}, head "{head}"')
        for row in column:
            yield from _row(row, part, where)
    yield Piece(part.note, f"{where}, note")


def _row(row: SheetRow, part: Part, where: str) -> Iterator[Piece]:
    if part.layout != "area":
        yield Piece(row.label, f'{where}, label "{row.label}"')
    if part.layout == "tracks":
        yield Piece(row.note, f'{where}, note of "{row.label}"')
