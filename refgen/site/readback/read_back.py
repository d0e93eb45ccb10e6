"""All pages of the site against their HTML.

In: the pages as they were to be shown, the HTML of each, and the paths of all files of the build. Out: the mismatches:
words, cells, notes, findings, counts, downloads and pictures that are not there, characters without a glyph, links that
lead nowhere or elsewhere than they say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from refgen.blocks.typesetting import Piece
from refgen.render.readback.align import align
from refgen.render.readback.html_pages import all_text, dead_links, doubled_ids, ids, own_texts, read_html, whole_text
from refgen.render.readback.mismatch import Mismatch
from refgen.render.readback.places import TEXT, Fault, without_glyph
from refgen.site.characters import CharactersPage
from refgen.site.checks import ChecksPage
from refgen.site.comparison import ComparisonPage
from refgen.site.dice import DicePage
from refgen.site.explorers import ExplorersPage
from refgen.site.game_pages import SitePage
from refgen.site.glossary import GlossaryPage
from refgen.site.home import HomePage, OverviewPage
from refgen.site.odds import OddsPage
from refgen.site.readback.pages import (
    characters_faults,
    checks_faults,
    comparison_faults,
    dice_faults,
    document_faults,
    documents_faults,
    explorers_faults,
    glossary_faults,
    home_faults,
    list_faults,
    odds_faults,
    overview_faults,
    table_faults,
)
from refgen.site.rules import DocumentsPage, RulesPage
from refgen.site.tables import TablePage, TablesPage

FAULTS: Mapping[type, Callable[[Any, Any], Iterator[Fault]]] = {
    HomePage: home_faults,
    ComparisonPage: comparison_faults,
    OverviewPage: overview_faults,
    RulesPage: document_faults,
    DocumentsPage: documents_faults,
    TablesPage: list_faults,
    TablePage: table_faults,
    OddsPage: odds_faults,
    ExplorersPage: explorers_faults,
    DicePage: dice_faults,
    GlossaryPage: glossary_faults,
    CharactersPage: characters_faults,
    ChecksPage: checks_faults,
}
"""What finds the faults of a page, by its kind."""


def read_back_site(pages: Sequence[SitePage], made: Mapping[str, bytes], files: Collection[str]) -> list[Mismatch]:
    """Compare the pages of a site with their HTML: ``made`` has it by path, ``files`` are all paths of the build."""
    there = frozenset(files)
    roots = {name: read_html(data) for name, data in made.items() if name.endswith(".html")}
    anchors = {name: ids(root) for name, root in roots.items()}
    found = {name: [*_sound(root), *_dead(root, name, there, anchors)] for name, root in roots.items()}
    for page in pages:
        root = roots[page.head.path]
        found[page.head.path] = [*_heading(page, root), *FAULTS[type(page)](page, root), *found[page.head.path]]
    return [Mismatch(name, where, what) for name, faults in found.items() for where, what in faults]


def _heading(page: SitePage, root: Any) -> Sequence[Fault]:
    """The title of a page, without its tag."""
    found = [text for heading in root.iter("h1") for text in own_texts(heading)]
    return align([Piece(page.head.title, "heading")], found).faults


def _sound(root: Any) -> Iterator[Fault]:
    """The faults that any page may have."""
    if without_glyph(whole_text(root), TEXT) and (lacking := without_glyph(all_text(root), TEXT)):
        yield "", f"no font of ours has a glyph for {lacking}"
    yield from (("", f'two elements have the id "{name}"') for name in doubled_ids(root))


def _dead(root: Any, name: str, files: Collection[str], anchors: Mapping[str, Collection[str]]) -> Iterator[Fault]:
    yield from (("", f'the link "{link}" leads nowhere') for link in dead_links(root, name, files, anchors))
