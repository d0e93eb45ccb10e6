"""Rule documents, read back.

In: the page, and the root of its HTML. Out: its faults.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from refgen.blocks.pieces import Piece
from refgen.render.readback.align import align
from refgen.render.readback.html_pages import texts
from refgen.render.readback.places import Fault
from refgen.site.readback.elements import cells, href, in_order
from refgen.site.rules import DocumentsPage, Items, NumberNote, Paragraph, PrintedTable, RulesPage, RulesSection, Runs
from refgen.site.text import Run


def document_faults(page: RulesPage, root: Any) -> Iterator[Fault]:
    """The words of a document, and what is known of its numbers."""
    yield from _document(page, root)
    yield from _number_notes(page, root)


def documents_faults(page: DocumentsPage, root: Any) -> Iterator[Fault]:
    """The links to all documents, in order."""
    wanted = [href(page.head, link.path) for link in page.documents]
    yield from in_order("link", wanted, [str(link) for link in root.xpath("//ul[@class = 'contents']//a/@href")])


def _document(page: RulesPage, root: Any) -> Iterator[Fault]:
    """The words of a document, section by section, in order."""
    pieces = [piece for section in page.sections for piece in _section(page, section)]
    found = [text for element in root.find_class("document") for text in texts(element)]
    yield from align(pieces, found).faults


def _section(page: RulesPage, section: RulesSection) -> Iterator[Piece]:
    where = f'"{section.title}"'
    if section.title and section.title != page.head.title:
        yield Piece(f"{section.title} #", f"{where}, heading")
    for block in section.blocks:
        yield from (Piece(text, f"{where}, {block.anchor}") for text in _block(block.content))


def _block(content: Paragraph | Items | PrintedTable) -> Iterator[str]:
    words = map(_joined, _passages(content))
    if isinstance(content, PrintedTable):
        yield content.caption
        yield from words
        yield ", ".join(link.title for link in content.pages)
    else:
        yield from words


def _passages(content: Paragraph | Items | PrintedTable) -> Iterator[Runs]:
    """The words of a block, paragraph by paragraph, item by item or cell by cell."""
    match content:
        case Paragraph():
            yield content.runs
        case Items():
            yield from content.items
        case PrintedTable():
            yield from (cell for row in (*content.heads, *content.rows) for cell in row)


def _joined(runs: Sequence[Run]) -> str:
    return "".join(run.text for run in runs)


def _number_notes(page: RulesPage, root: Any) -> Iterator[Fault]:
    """What is known of each number, and the links of numbers to it; one within another link has none of its own."""
    pieces = [Piece(text, f'number "{note.where}"') for note in page.notes for text in _known(note)]
    yield from align(pieces, cells(root.xpath("//section[@id = 'numbers']//tbody/tr/*"))).faults
    blocks = (block.content for section in page.sections for block in section.blocks)
    wanted = [f"#{run.note}" for content in blocks for runs in _passages(content) for run in runs if run.note]
    yield from in_order("number", wanted, [str(link) for link in root.xpath("//a[starts-with(@href, '#n.')]/@href")])


def _known(note: NumberNote) -> Iterator[str]:
    known = note.explanation
    yield from (note.where, known.printed, known.places, known.exact, known.rule, known.verdict)
