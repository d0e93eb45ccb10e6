"""Every kind of page is HTML as its standard has it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import get_args

import pytest

from refgen.site.address import SiteAddress
from refgen.site.comparison import comparison_data, make_comparison
from refgen.site.game_pages import SitePage, make_pages
from refgen.site.html import page_html, redirect_html
from refgen.site.odds import ExplorersPage
from refgen.site.page import AidLinks, Download, GameSummary, Head, Link, Preview, make_dice, make_home
from refgen.site.rules import DocumentsPage, RulesPage
from refgen.words import ENGLISH
from tests.conftest import SYSTEMS, game
from tests.layout.html_faults import faults_of

AIDS = [
    AidLinks(
        "Sheet & more",
        "To fill in.",
        (Download("A4", "fudge-1995/sheet-a4.pdf", "PDF"),),
        (Preview("fudge-1995/sheet-1.png", "fudge-1995/sheet-a4.pdf#page=1", 'Sheet, "page" 1', 566, 800),),
    )
]
PUBLISHED = SiteAddress("https://example.org/rules/", {"old.html": "fudge-1995/rules.html"})


@cache
def pages() -> list[SitePage]:
    """The pages of a game whose names have what URLs do not."""
    fudge = game("fudge-1995")
    documents = DocumentsPage(
        Head("fudge-1995/rules.html", "Rules", "All rules.", ENGLISH), (Link("A <b>", "a b.html#50%"),)
    )
    home = make_home([(GameSummary.of(fudge), AIDS)])
    first: list[SitePage] = [home, make_comparison([comparison_data(fudge)]), make_dice()]
    explorers = [page for page in make_pages(game("polyhedral-fudge"), []) if isinstance(page, ExplorersPage)]
    return [*make_pages(fudge, AIDS), *explorers, *first, documents]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind.__name__ for kind in get_args(SitePage)])
def test_every_kind_of_page_is_valid(kind: str) -> None:
    of_kind = [page for page in pages() if type(page).__name__ == kind]
    assert of_kind, f"the game has no {kind}: let these pages have one"
    found = {page.head.path: faults_of(page_html(page, PUBLISHED)) for page in of_kind}
    assert {path: faults for path, faults in found.items() if faults} == {}


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_headings_of_rules_skip_no_level_whatever_a_document_begins_with(system: str) -> None:
    page = next(page for page in make_pages(game(system), []) if isinstance(page, RulesPage))
    levels = [1, *(section.level for section in page.sections if section.title and section.title != page.head.title)]
    assert all(below <= level + 1 for level, below in pairwise(levels))
    assert faults_of(page_html(page)) == []


def test_a_page_that_leads_on_is_valid() -> None:
    assert faults_of(redirect_html("old.html", "fudge-1995/rules.html#a-b", PUBLISHED)) == []


PAGE = '<!DOCTYPE html><html lang="en"><head><title>A</title></head><body><main><h1>A</h1>{}</main></body></html>'


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<p><div></div></p>", "unexpected-end-tag"),
        ("<table><tr><td>1</table></table>", "unexpected-end-tag"),
        ('<p id="a"></p><p id="a"></p>', 'two elements have the id "a"'),
        ('<p id="a b"></p>', 'the id "a b" has a blank'),
        ('<a href="a.html"><button>A</button></a>', "<button> stands in another control"),
        ("<div><li>A</li></div>", "<li> stands in <div>"),
        ('<a href="#50%">A</a>', '"#50%" is no URL'),
        ('<a href="a b.html">A</a>', '"a b.html" is no URL'),
        ('<img src="a.png"/>', "a picture says nothing"),
        ("<select><option></option></select>", "an option is empty"),
        ('<label for="b">A</label>', 'for="b" is nowhere'),
        ("<h1>B</h1>", "there is not one <h1> and one <main>"),
        ('<section id="a"><p>A</p></section>', 'the section "a" has no heading'),
        ("<h3>B</h3>", "<h3> follows <h1>"),
    ],
)
def test_what_is_not_valid(html: str, fault: str) -> None:
    assert any(fault in found for found in faults_of(PAGE.format(html)))


def test_a_plain_page_is_valid() -> None:
    assert faults_of(PAGE.format('<section><h2>B</h2><a href="a.html#%C3%B6">A</a></section>')) == []
