"""All pages of a game.

In: a game and the files made for it. Out: its pages, in the order of their navigation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from refgen.aids.system_info import SystemInfo
from refgen.game.game import Game
from refgen.rules.model import Table
from refgen.site import address
from refgen.site.checks import ChecksPage, make_checks
from refgen.site.explanation import Explanations
from refgen.site.files import AidLinks
from refgen.site.glossary import GlossaryPage, make_glossary
from refgen.site.home import GameSummary, HomePage
from refgen.site.overview import OverviewPage, make_overview
from refgen.site.page import Head, Link, Part
from refgen.site.tables import TablePage, TablesPage, grouped_tables, make_table, make_tables

SitePage = HomePage | OverviewPage | TablesPage | TablePage | GlossaryPage | ChecksPage

ADDRESSES = {
    Part.OVERVIEW: address.overview,
    Part.TABLES: address.tables,
    Part.GLOSSARY: address.glossary,
    Part.CHECKS: address.checks,
}


def make_pages(game: Game, aids: Sequence[AidLinks]) -> Iterator[SitePage]:
    """The pages of a game, one after the other."""
    heads = _Heads(game)
    groups = grouped_tables(game)
    yield make_overview(heads.part(Part.OVERVIEW), GameSummary.of(game), aids)
    yield make_tables(heads.part(Part.TABLES), game, groups)
    yield from _table_pages(game, heads, groups)
    yield make_glossary(heads.part(Part.GLOSSARY), game)
    yield make_checks(heads.part(Part.CHECKS), game)


def _table_pages(game: Game, heads: _Heads, groups: Mapping[str, Sequence[Table]]) -> Iterator[TablePage]:
    explanations = Explanations(game)
    ordered = list(chain.from_iterable(groups.values()))
    links = [None, *(Link(table.title, address.table(game.id, table.id)) for table in ordered), None]
    subjects = {table.id: title for title, group in groups.items() for table in group}
    for number, table in enumerate(ordered):
        head = heads.table(table.id, table.title, links[number], links[number + 2])
        yield make_table(head, game, table, subjects[table.id], explanations)


class _Heads:
    """The heads of a game's pages."""

    def __init__(self, game: Game) -> None:
        self._system = SystemInfo.of(game)
        self._navigation = tuple(Link(part.value, ADDRESSES[part](game.id)) for part in Part)

    def part(self, part: Part) -> Head:
        """The head of the page of a part."""
        system = self._system
        title = system.title if part is Part.OVERVIEW else part.value
        description = system.about if part is Part.OVERVIEW else f"{part.value} of {system.title}."
        return Head(ADDRESSES[part](system.id), title, description, system, part, self._navigation)

    def table(self, table_id: str, title: str, previous: Link | None, following: Link | None) -> Head:
        """The head of the page of a table."""
        system = self._system
        path, description = address.table(system.id, table_id), f"{title}, a table of {system.title}."
        return Head(path, title, description, system, Part.TABLES, self._navigation, previous, following)
