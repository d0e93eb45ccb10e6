"""The list of tables and the page of a table, read back.

In: the page, and the root of its HTML. Out: its faults.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from refgen.blocks.pieces import COMPUTED, Piece
from refgen.render.readback.align import align, normalized
from refgen.render.readback.html_pages import texts
from refgen.render.readback.places import Fault
from refgen.site.readback.elements import cells, href, in_order
from refgen.site.readback.files import downloads
from refgen.site.tables import Note, TablePage, TablesPage

_NUMBERS = etree.XPath("//a[starts-with(@href, '#n.')]")
_UNSIGNED = etree.XPath(".//text()[not(ancestor::sup)]", smart_strings=False)
"""The texts of a link to a number, but for the sign of a footnote."""


def table_faults(page: TablePage, root: Any) -> Iterator[Fault]:
    """The faults of a page of a table: its cells, its notes, and the explanations of its numbers."""
    yield from _table(page, root)
    yield from _notes(page, root)
    yield from downloads(page.downloads, page.head, root)


def _table(page: TablePage, root: Any) -> Iterator[Fault]:
    """The faults of a table and of the words under the table."""
    sections = root.xpath("//div[@id = $id]", id=page.anchor)
    if len(sections) != 1:
        yield f'"{page.head.title}"', "is not there" if not sections else f"is there {len(sections)} times"
        return
    found = [text for element in sections[0].xpath("./*[not(contains(@class, 'links'))]") for text in texts(element)]
    yield from align(list(_pieces(page)), found).faults


def _pieces(page: TablePage) -> Iterator[Piece]:
    where = f'"{page.head.title}"'
    yield from page.block.content_pieces(where)
    yield Piece(page.rule, f"{where}, rule")
    yield Piece(page.block.note, f"{where}, note")
    yield from page.block.footnote_pieces(where)
    if page.sources:
        yield Piece("Follows from" if page.block.computed else "Stands at", f"{where}, sources")
        yield Piece(", ".join(link.title for link in page.sources), f"{where}, sources")


def _notes(page: TablePage, root: Any) -> Iterator[Fault]:
    """The faults of the notes that explain numbers, and of the links between numbers and notes."""
    pieces = [Piece(text, f'number "{note.where}"') for note in page.notes.values() for text in _note(page, note)]
    yield from align(pieces, cells(root.xpath("//section[@id = 'numbers']//tbody/tr/*"))).faults
    wanted = [(f"#{note.anchor}", normalized(note.shown)) for note in page.notes.values()]
    found = [(link.get("href"), _shown(link)) for link in _NUMBERS(root)]
    yield from in_order("number", wanted, found)


def _shown(link: Any) -> str:
    return normalized("".join(_UNSIGNED(link)) if len(link) else link.text or "")


def _note(page: TablePage, note: Note) -> Iterator[str]:
    known = note.explanation
    yield note.where
    if page.block.computed:
        yield from (known.exact, known.places)
    else:
        yield from (known.printed, known.places, known.exact, known.rule, known.verdict)


def list_faults(page: TablesPage, root: Any) -> Iterator[Fault]:
    """Each table under its subject, with its size, and a link to its page."""
    pieces = []
    for subject in page.subjects:
        pieces.append(Piece(subject.title, "subject"))
        for table in subject.tables:
            where = f'"{table.link.title}"'
            pieces.append(Piece(table.link.title, where))
            if table.computed:
                pieces.append(Piece(COMPUTED, f"{where}, tag"))
            pieces.append(Piece(f"{table.rows} × {table.columns}", f"{where}, size"))
    yield from align(pieces, [text for section in root.find_class("subject") for text in texts(section)]).faults
    wanted = [href(page.head, table.link.path) for subject in page.subjects for table in subject.tables]
    yield from in_order("link", wanted, [str(link) for link in root.xpath("//ul[@class = 'contents']//a/@href")])
