"""The search index: the words of each page of the site, part by part.

In: pages. Out: IndexedPages, which a build keeps beside a game's pages, so that a build of other games can still index
them; and all of them as one script.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypedDict

from refgen.site.characters import CharactersPage
from refgen.site.odds import ExplorersPage
from refgen.site.page import GlossaryPage, Head, OverviewPage
from refgen.site.rules import Paragraph, RulesList, RulesPage, RulesTable
from refgen.site.tables import TablePage

FOLDER = "assets/search"
"""The folder of the search in the output; every file in it is made for the whole site."""

PAGES = f"{FOLDER}/pages.js"
"""The words of all pages as a script, for sites opened from a disk: browsers fetch no index from there."""


class IndexedPart(TypedDict):
    """A part of a page with an anchor and a title, both "" for the words above the first such part."""

    anchor: str
    title: str
    text: str


class IndexedPage(TypedDict):
    """A page: its path in the output, the title of its game ("" for none), and the name of its part of the site."""

    path: str
    title: str
    game: str
    kind: str
    parts: list[IndexedPart]


def indexed_pages(pages: Iterable[Any]) -> list[IndexedPage]:
    """The indexed words of some pages. Pages that only list other pages are found by their titles."""
    return [_index_page(page, page.head) for page in pages]


def pages_script(pages: Iterable[IndexedPage]) -> bytes:
    """The pages as a classic script, which a page from a disk can load."""
    listed = b",".join(json.dumps(page, ensure_ascii=False, separators=(",", ":")).encode() for page in pages)
    return b"window.refgenPages = [%b];\n" % listed


def _index_page(page: Any, head: Head) -> IndexedPage:
    parts = list(_PARTS.get(type(page), _described_parts)(page))
    game = head.game.title if head.game else ""
    return IndexedPage(path=head.path, title=head.title, game=game, kind=head.part_title, parts=parts)


def _part(*texts: str, anchor: str = "", title: str = "") -> IndexedPart:
    return IndexedPart(anchor=anchor, title=title, text=" ".join(filter(None, texts)))


def _described_parts(page: Any) -> Iterator[IndexedPart]:
    yield _part(page.head.description)


def _rules(page: RulesPage) -> Iterator[IndexedPart]:
    for section in page.sections:
        words = [text for block in section.blocks for text in _words(block.content)]
        title = "" if section.title == page.head.title else section.title
        yield _part(*words, anchor=section.anchor if title else "", title=title)


def _words(content: Paragraph | RulesList | RulesTable) -> Iterator[str]:
    if isinstance(content, RulesTable):
        yield content.caption
    yield from ("".join(run.text for run in runs) for runs in content.passages)


def _table(page: TablePage) -> Iterator[IndexedPart]:
    heads = (text for column in page.block.columns for text in (column.title, column.under))
    cells = (cell.text for row in page.block.rows for cell in row)
    yield _part(page.subject, page.rule, page.block.note, *heads, *cells)


def _overview(page: OverviewPage) -> Iterator[IndexedPart]:
    yield _part(page.head.description)
    for aid in page.aids:
        yield _part(aid.about, *(file.title for file in aid.downloads), anchor=aid.anchor, title=aid.title)


def _glossary(page: GlossaryPage) -> Iterator[IndexedPart]:
    yield _part(page.head.description)
    for ladder in page.ladders:
        levels = (text for level in ladder.levels for text in level)
        yield _part(*levels, anchor=f"ladder-{ladder.id}", title=ladder.id)
    for roll in page.rolls:
        yield _part(roll.expression, anchor=f"roll-{roll.id}", title=roll.title)
    for fact in page.facts:
        yield _part(fact.figure, fact.unit, anchor=f"fact-{fact.id}", title=fact.title)


def _explorers(page: ExplorersPage) -> Iterator[IndexedPart]:
    for explorer in page.explorers:
        yield _part(explorer.title, explorer.rule, explorer.note)


def _characters(page: CharactersPage) -> Iterator[IndexedPart]:
    yield _part(page.head.description)
    for character in page.characters:
        words = (text for part in character.parts for line in part.lines for text in line)
        yield _part(*words, anchor=f"character-{character.anchor}", title=character.name)


_PARTS: Mapping[type, Callable[[Any], Iterator[IndexedPart]]] = {
    RulesPage: _rules,
    TablePage: _table,
    OverviewPage: _overview,
    GlossaryPage: _glossary,
    ExplorersPage: _explorers,
    CharactersPage: _characters,
}
"""The function that gives the searched words of a page, by the class of the page."""
