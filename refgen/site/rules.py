"""The rule documents of a game as pages to read, on which every number says what becomes of it.

In: nothing. Out: records of what a page shows, and where each line of a document stands on them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from refgen.site.explanation import Explanation, in_game
from refgen.site.page import Head, Link
from refgen.site.text import Run
from refgen.span import Span

Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or ``raw`` text whose lines and blanks are kept."""

    runs: Runs
    raw: bool = False
    kind: str = "paragraph"


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Runs, ...]
    kind: str = "list"


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table as printed; ``heads`` are the rows of its head, and ``pages`` lead to what is known of it."""

    caption: str
    heads: tuple[tuple[Runs, ...], ...]
    rows: tuple[tuple[Runs, ...], ...]
    pages: tuple[Link, ...]
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the document, the line it begins on, and its anchor."""

    line: int
    anchor: str
    content: Paragraph | Items | PrintedTable


@dataclass(frozen=True, slots=True)
class RulesSection:
    """A section: its title at its ``level`` (from 2, below that of the page), its anchor, and its blocks."""

    title: str
    level: int
    anchor: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class NumberNote:
    """What is known of a number: its anchor, the words around it, and the explanation."""

    anchor: str
    where: str
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A rule document: its file, its sections, and what is known of its numbers."""

    template: ClassVar[str] = "rules"
    head: Head
    file: str
    sections: tuple[RulesSection, ...]
    notes: tuple[NumberNote, ...]


@dataclass(frozen=True, slots=True)
class DocumentsPage:
    """The rule documents of a game with several."""

    template: ClassVar[str] = "documents"
    head: Head
    documents: tuple[Link, ...]


class Lines:
    """The places of a game's documents on their pages."""

    def __init__(self, pages: Iterable[RulesPage]) -> None:
        self._files = {
            page.file: (
                page.head.path,
                [(block.line, block.anchor) for section in page.sections for block in section.blocks],
            )
            for page in pages
        }

    def links(self, spans: Iterable[Span]) -> Iterator[Link]:
        """Where each line stands, in the order of the documents: the block that begins on it, or last before it."""
        for file, line in sorted({(span.file, span.line) for span in spans}):
            path, blocks = self._files[file]
            number = bisect_right(blocks, line, key=lambda block: block[0])
            anchor = f"#{blocks[number - 1][1]}" if number else ""
            yield Link(f"{in_game(file)}:{line}", f"{path}{anchor}")
