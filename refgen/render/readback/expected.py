"""What the pages of an aid must say, piece by piece.

In: an aid and the system it belongs to. Out: its parts (panels, pages, cards) in order, each with its pieces of text
in reading order and its fields. Like the pieces of blocks, this repeats the order of the templates on purpose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.aids.sheet.model import CharacterSheet, Field, Part, SheetRow
from refgen.aids.system_info import SystemInfo
from refgen.blocks.pieces import COMPUTED, Piece
from refgen.render.booklet.pages import (
    BOOKLET,
    BookletPage,
    BookletPages,
    Contents,
    Cover,
    Heading,
    Item,
    Note,
    Slice,
    Title,
)
from refgen.render.card.faces import Back, Faces, Front
from refgen.render.readback.places import Fault
from refgen.render.screen.pages import PanelPage, ScreenPages
from refgen.render.sheet.pages import PlacedColumn, PlacedPage, SetPart, SheetPages


@dataclass(frozen=True, slots=True)
class ExpectedPart:
    """A part of an aid: what it is called, the pieces on it, and the fields to fill in.

    ``holders`` are the boxes of the part that must hold each field, by the names of the fields.
    """

    name: str
    pieces: tuple[Piece, ...]
    fields: tuple[Field, ...] = ()
    holders: Mapping[str, int] = field(default_factory=dict)


ShownAid = ScreenPages | Faces | SheetPages | BookletPages
"""An aid as it is shown; each on its pages or cards, for what stands where is settled when they are set."""


def expected(system: SystemInfo, aid: ShownAid) -> list[ExpectedPart]:
    """The parts of an aid, in order."""
    if isinstance(aid, ScreenPages):
        return [_panel(system, page) for page in aid.pages]
    if isinstance(aid, Faces):
        return [*(_front(face.front) for face in aid.fronts), *map(_back, aid.backs)]
    if isinstance(aid, BookletPages):
        return [_booklet_page(system, page) for page in aid.pages]
    return [_sheet_page(system, aid.sheet, page) for page in aid.pages]


def tabs(aid: ShownAid) -> list[str]:
    """What the tabs above the panels of a screen say; other aids have none."""
    return ["All", *(page.title for page in aid.pages)] if isinstance(aid, ScreenPages) else []


def _panel(system: SystemInfo, page: PanelPage) -> ExpectedPart:
    edge = [Piece(text, f'edge, "{level}"') for value, level in page.panel.edge for text in (level, value)]
    pieces = [*_header(page.title, system, page.place), *edge]
    for box, column in enumerate(page.columns):
        blocks = (block.panel_block.block for block in column.blocks)
        pieces += _boxed(box, [piece for block in blocks for piece in block.pieces(page.title)])
    return ExpectedPart(page.title, (*pieces, Piece(page.panel.source, "footer")))


def _front(front: Front) -> ExpectedPart:
    title = front.title
    blocks = [piece for block in front.blocks for piece in block.pieces(title)]
    footer = Piece(front.footer, f'"{title}", footer')
    return ExpectedPart(title, (Piece(title, f'"{title}", title'), *_boxed(0, blocks), footer))


def _back(back: Back) -> ExpectedPart:
    pieces = (Piece(back.system.title, "back, title"), Piece(back.words, "back, words"))
    return ExpectedPart("back", tuple(_boxed(0, pieces)))


def _booklet_page(system: SystemInfo, page: BookletPage) -> ExpectedPart:
    """What stands on a page, then its head and its number; the first has neither."""
    name = f"page {page.number + 1}"
    pieces = _boxed(0, [piece for placed in page.items for piece in _item(system, placed.item, name)])
    around = (system.title, page.chapter, str(page.number + 1)) if page.number else ()
    return ExpectedPart(name, (*pieces, *(Piece(text, f"{name}, margin") for text in around)))


def _item(system: SystemInfo, item: Item, name: str) -> Iterator[Piece]:
    match item:
        case Cover():
            yield from (Piece(text, "cover") for text in (system.title, BOOKLET, *item.lines))
        case Heading():
            yield Piece(item.text, f"{name}, heading")
        case Contents():
            yield from (
                Piece(text, f'contents, "{line.title}"') for line in item.lines for text in (line.title, str(line.page))
            )
        case Title():
            yield Piece(item.words, f'"{item.text}", title')
            yield Piece(COMPUTED if item.computed else "", f'"{item.text}", tag')
        case Slice():
            yield from item.block.content_pieces(f"{name}, {item.block.columns[0].title}")
        case Note():
            yield Piece(item.sign, f"{name}, note")
            yield Piece(item.text, f"{name}, note")


def _sheet_page(system: SystemInfo, sheet: CharacterSheet, page: PlacedPage) -> ExpectedPart:
    named = [page.named] if page.named else []
    pieces = [*_header(sheet.title, system, *(field.label for field in named), page.place)]
    holders: dict[str, int] = {}
    for box, column in enumerate(page.columns):
        pieces += _boxed(box, [piece for placed in column.parts for piece in _part(placed)])
        holders |= {field.name: box for field in _fields(column)}
    pieces.append(Piece(f"{system.source}. {system.rounding}", "footer"))
    fields = (*named, *(field for column in page.columns for field in _fields(column)))
    return ExpectedPart(f"page {page.number + 1}", tuple(pieces), fields, holders=holders)


def _fields(column: PlacedColumn) -> Iterator[Field]:
    """The fields of a column: of the boxes of a track, those that are there."""
    rows = (row for placed in column.parts for row in placed.part.rows)
    return (field for row in rows for field in row.fields if not field.absent)


def _header(title: str, system: SystemInfo, *rest: str) -> Iterator[Piece]:
    for text in (title, system.title, *rest):
        yield Piece(text, "header")


def _boxed(box: int, pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces of a box: what is painted last comes last."""
    for painted in (False, True):
        for piece in pieces:
            if piece.painted == painted:
                yield piece._replace(box=box)


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


def named_once(wanted: Iterable[str], found: Sequence[str]) -> Iterator[Fault]:
    """The fields that are not there once, and those that should not be there."""
    counts = Counter(found)
    for name in wanted:
        if counts[name] != 1:
            yield f'field "{name}"', "is not there" if not counts[name] else f"is there {counts[name]} times"
        del counts[name]
    yield from ((f'field "{name}"', "is there, which the model does not have") for name in counts)
