"""The first pages, of the site and of a game, read back: games with their numbers, files and pictures.

In: the page, and the root of its HTML. Out: its faults.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from refgen.blocks.pieces import Piece
from refgen.render.readback.align import align
from refgen.render.readback.html_pages import texts
from refgen.render.readback.places import Fault
from refgen.site.home import HomePage, OverviewPage
from refgen.site.page import Download, Head
from refgen.site.readback.elements import href, in_order, numbers


def overview_faults(page: OverviewPage, root: Any) -> Iterator[Fault]:
    """The pictures and the files of all aids."""
    yield from _previews(page, root)
    yield from downloads([one for aid in page.aids for one in aid.downloads], page.head, root)


def _previews(page: OverviewPage, root: Any) -> Iterator[Fault]:
    """Each picture with its words, its size, and the page it leads to, in order; and no other picture."""
    wanted = [
        (href(page.head, one.picture), one.alt, str(one.width), str(one.height), href(page.head, one.path))
        for aid in page.aids
        for one in aid.previews
    ]
    yield from in_order("picture", wanted, [*map(_picture, root.xpath("//img"))])


def _picture(image: Any) -> tuple[str, ...]:
    attributes = (image.get(name, "") for name in ("src", "alt", "width", "height"))
    return *attributes, image.getparent().get("href", "")


def downloads(files: Sequence[Download], head: Head, root: Any) -> Iterator[Fault]:
    """Each file with the words and the file type that it is offered by, in order; and no other."""
    wanted = [(href(head, one.path), one.title, one.file_type if one.file_type != one.title else "") for one in files]
    found = [
        (link.get("href", ""), link.text_content(), "".join(link.getparent().xpath("./span/text()")))
        for link in root.xpath("//ul[@class = 'links']//a")
    ]
    yield from in_order("download", wanted, found)


def home_faults(page: HomePage, root: Any) -> Iterator[Fault]:
    """Each game with its title and its numbers."""
    pieces = []
    for game, _ in page.games:
        counts = (game.printed, game.computed, game.compared, game.findings)
        pieces += [Piece(text, f'"{game.title}"') for text in (game.title, *map(str, counts))]
    found = []
    for card in root.xpath("//article"):
        found += [text for title in card.xpath("./h2") for text in texts(title)]
        found += [number for line in card.find_class("numbers") for number in numbers(line)]
    yield from align(pieces, found).faults
