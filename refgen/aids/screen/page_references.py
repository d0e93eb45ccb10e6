"""The pages of the printed book on which the blocks of a screen stand.

In: a game, and the blocks of a screen. Out: the pages of each block: the page that system.toml says of the table or of
a section around the block, else the page in the document, where the document marks pages: by form feeds, as pdftotext
writes, or by page breaks of HTML, as EPUB has.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from refgen.aids.reference_lists import SectionIndex
from refgen.blocks.kinds import BlockSpec, printed_spans
from refgen.game import GameModel
from refgen.readers.document import Section
from refgen.source import plain_text
from refgen.span import Span

MOST_PAGES = 3
"""The facts of a text may stand all over a book: more pages are no reference."""

_NUMBER = re.compile(r"(\d+)")
_BREAK = re.compile(r"\f|<[^<>]*(?:doc-pagebreak|type=[\"']pagebreak)[^<>]*>")
_LABEL = re.compile(r"(?:aria-label|title)=[\"'](?:[^\"']*\s)?([^\"'\s]+)[\"']")


@dataclass(frozen=True)
class PageIndex:
    """The pages of the documents of a game."""

    game: GameModel

    @property
    def is_known(self) -> bool:
        """Whether any page is known."""
        tables = self.game.ruleset.spec.tables.values()
        return (
            bool(self._pages_by_title)
            or any(table.page for table in tables)
            or any(len(p) > 1 for _, p in self._marked_pages.values())
        )

    def pages(self, spec: BlockSpec) -> Sequence[str]:
        """The pages of a block in order; none where nobody says a page, or where the pages are too many."""
        found = {page for page in self._pages(spec) if page}
        return sorted(found, key=_by_number) if len(found) <= MOST_PAGES else []

    def _pages(self, spec: BlockSpec) -> Iterator[str]:
        if spec.table is None:
            yield from map(self._page_at, printed_spans(self.game, spec))
            return
        table = self.game.tables[spec.table]
        printed = self.game.ruleset.spec.tables.get(table.id)
        if printed and printed.page:
            yield str(printed.page)
        elif table.span:
            yield self._page_at(table.span)
        elif section := self._sections.of(table):
            yield self._page_of(section) or self._page_at(section.text.span)

    def _page_at(self, span: Span) -> str:
        """The page of a place in a document; "" where nothing tells the page."""
        section = self._sections.section(span)
        if section and (page := self._page_of(section)):
            return page
        starts, pages = self._marked_pages.get(span.file, ([0], [""]))
        return pages[bisect_right(starts, span.start) - 1]

    def _page_of(self, section: Section) -> str:
        """The page that system.toml gives for a section, or for the nearest section around the section; "" for none."""
        said = (self._pages_by_title.get(outer.title_key, "") for outer in reversed(self._sections.path(section)))
        return next(filter(None, said), "")

    @cached_property
    def _sections(self) -> SectionIndex:
        return SectionIndex(self.game)

    @cached_property
    def _pages_by_title(self) -> Mapping[str, str]:
        """The pages of sections by title, as titles are compared."""
        return {plain_text(title).casefold(): str(page) for title, page in self.game.ruleset.spec.pages.items()}

    @cached_property
    def _marked_pages(self) -> Mapping[str, tuple[Sequence[int], Sequence[str]]]:
        """By the name of each document: where its pages begin, and the pages."""
        found = {}
        for document in self.game.ruleset.documents:
            breaks = [*_BREAK.finditer(document.text)]
            pages = [_page_after(number, match[0]) for number, match in enumerate(breaks, start=2)]
            first = "1" if breaks and breaks[0][0] == "\f" else ""
            found[document.name] = [0, *(match.end() for match in breaks)], [first, *pages]
        return found


def _by_number(page: str) -> list[int | str]:
    """The words and the numbers of a page, by which 9 comes before 34–35, and this before 101."""
    return [int(part) if part.isdecimal() else part for part in _NUMBER.split(page)]


def _page_after(number: int, mark: str) -> str:
    """The page that begins at a mark: what the mark of HTML says, or its number among form feeds."""
    if mark == "\f":
        return str(number)
    label = _LABEL.search(mark)
    return label[1] if label else ""
