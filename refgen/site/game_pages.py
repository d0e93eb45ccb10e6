"""All pages of a game.

In: a game and the files made for it. Out: its pages, in the order of their navigation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from refgen.aids.reference_lists import SectionIndex
from refgen.characters.make_sheet import has_sheet
from refgen.game import GameModel, SystemInfo
from refgen.site import address
from refgen.site.address import SitePart
from refgen.site.characters import CharactersPage, make_characters
from refgen.site.checks import ChecksPage, Explanations, make_checks
from refgen.site.comparison import ComparisonPage
from refgen.site.odds import ExplorersPage, OddsPage, make_odds
from refgen.site.page import (
    AidLinks,
    DicePage,
    GameSummary,
    GlossaryPage,
    Head,
    HomePage,
    Link,
    OverviewPage,
    make_glossary,
)
from refgen.site.rules import DocumentsPage, LinePlaces, RulesPage, make_rules
from refgen.site.tables import TablePage, TablesPage, make_table, make_tables

SitePage = (
    HomePage
    | ComparisonPage
    | DicePage
    | OverviewPage
    | RulesPage
    | DocumentsPage
    | TablesPage
    | TablePage
    | OddsPage
    | ExplorersPage
    | CharactersPage
    | GlossaryPage
    | ChecksPage
)


def make_pages(game: GameModel, aids: Sequence[AidLinks]) -> Iterator[SitePage]:
    """The pages of a game, in the order of its navigation."""
    heads = _Heads(game)
    groups, explanations = SectionIndex(game).grouped(game.tables), Explanations(game)
    yield OverviewPage(heads.part(SitePart.OVERVIEW), GameSummary.of(game), tuple(aids))
    documents = list(make_rules(game, explanations, heads.document))
    if len(documents) > 1:
        links = tuple(Link(page.head.title, page.head.path) for page in documents)
        yield DocumentsPage(heads.part(SitePart.RULES), links)
    yield from _in_order(documents)
    yield make_tables(heads.part(SitePart.TABLES), game, groups)
    lines = LinePlaces(documents)
    tables = [(subject, table) for subject, group in groups.items() for table in group]
    yield from _in_order(
        make_table(heads.table(table.id, table.title), game, table, subject, explanations, lines)
        for subject, table in tables
    )
    if game.actions:
        yield make_odds(heads.part(SitePart.ODDS), game)
    if game.explorers:
        yield ExplorersPage(heads.part(SitePart.EXPLORE), list(game.explorers.values()))
    if has_sheet(game):
        yield make_characters(heads.part(SitePart.CHARACTERS), game, aids)
    yield make_glossary(heads.part(SitePart.GLOSSARY), game)
    yield make_checks(heads.part(SitePart.CHECKS), game)


def _in_order(pages: Iterable[RulesPage | TablePage]) -> Iterator[RulesPage | TablePage]:
    """Pages in reading order, each with links to the previous and the next page."""
    made = list(pages)
    links: list[Link | None] = [None, *(Link(page.head.title, page.head.path) for page in made), None]
    for number, page in enumerate(made):
        yield replace(page, head=replace(page.head, previous=links[number], following=links[number + 2]))


class _Heads:
    """The heads of a game's pages."""

    def __init__(self, game: GameModel) -> None:
        self._system = SystemInfo.of(game)
        there = {
            SitePart.ODDS: bool(game.actions),
            SitePart.EXPLORE: bool(game.explorers),
            SitePart.CHARACTERS: has_sheet(game),
        }
        parts = [part for part in SitePart if there.get(part, True)]
        self._navigation = tuple(Link(game.words(part), address.part_page(game.id, part)) for part in parts)

    def part(self, part: SitePart) -> Head:
        """The head of the page of a part."""
        system, words = self._system, self._system.words
        title, description = system.title, system.about
        if part is not SitePart.OVERVIEW:
            title = words(part)
            description = words("part-of-game", part=title, game=system.title)
        return self._head(address.part_page(system.id, part), title, description, part)

    def document(self, path: str, title: str) -> Head:
        """The head of the page of a rule document."""
        description = self._system.words("rules-of-game", game=self._system.title, document=title)
        return self._head(path, title, description, SitePart.RULES)

    def table(self, table_id: str, title: str) -> Head:
        """The head of the page of a table."""
        system = self._system
        description = system.words("table-of-game", table=title, game=system.title)
        return self._head(address.table(system.id, table_id), title, description, SitePart.TABLES)

    def _head(self, path: str, title: str, description: str, part: SitePart) -> Head:
        return Head(path, title, description, self._system.words, self._system, part, self._navigation)
