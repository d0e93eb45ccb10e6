"""What must be read on the pages of a booklet.

In: the pages, and the system that the booklet is of. Out: the pages in order, each with its pieces of text in reading
order. The order of the template is repeated here on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator

from refgen.aids.booklet.pages import (
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
from refgen.blocks.pieces import COMPUTED, Piece
from refgen.game.system_info import SystemInfo
from refgen.render.readback.expected import ExpectedPart, boxed


def expected(system: SystemInfo, booklet: BookletPages) -> list[ExpectedPart]:
    """The pages, in order."""
    return [_page(system, page) for page in booklet.pages]


def _page(system: SystemInfo, page: BookletPage) -> ExpectedPart:
    """What stands on a page, then its head and its number; the first has neither."""
    name = f"page {page.number + 1}"
    pieces = boxed(0, [piece for placed in page.items for piece in _item(system, placed.item, name)])
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
