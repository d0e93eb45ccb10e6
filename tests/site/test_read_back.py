"""The site read back: cells, notes, facts, findings, numbers and links."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from html import escape

import pytest

from refgen.checks.finding import Finding
from refgen.layout.templates import assets
from refgen.site.characters import CharactersPage, character_files
from refgen.site.checks import ChecksPage
from refgen.site.comparison import comparison_data, make_comparison
from refgen.site.game_pages import SitePage, make_pages
from refgen.site.html import MANIFEST, page_html
from refgen.site.odds import ExplorersPage
from refgen.site.page import AidLinks, Download, GameSummary, GlossaryPage, Preview, make_dice, make_home
from refgen.site.read_back import read_back_site
from refgen.site.tables import TablePage
from tests.conftest import game

HOME, OVERVIEW, TABLES = "index.html", "harmonies/index.html", "harmonies/tables.html"
ODDS, LAW = "harmonies/tables/odds.html", "harmonies/tables/law-odds.html"
EXPLORE, DICE = "harmonies/explore.html", "dice.html"
GLOSSARY, CHECKS = "harmonies/glossary.html", "harmonies/checks.html"
PREVIEW = Preview("harmonies/sheet-1.png", "harmonies/sheet-a4.pdf#page=1", "Sheet, page 1", 566, 800)
AIDS = [
    AidLinks("Sheet", "To fill in.", (Download("A4", "harmonies/sheet-a4.pdf", "PDF"),), (PREVIEW,)),
    AidLinks("Data", "For programs.", (Download("Tables", "harmonies/tables.json", "JSON"),)),
]
MADE = ("sheet-a4.pdf", "sheet-1.png", "tables.json")


@cache
def pages() -> dict[str, SitePage]:
    first: list[SitePage] = [
        make_home([(GameSummary.of(game("harmonies")), AIDS)]),
        make_comparison([comparison_data(game("harmonies"))]),
        make_dice(),
    ]
    own = list(make_pages(game("harmonies"), AIDS))
    head, explorers = replace(own[0].head, path=EXPLORE, title="Explore"), game("interactive-history").explorers
    explored = ExplorersPage(head, list(explorers.values()))
    return {page.head.path: page for page in (*own, explored, *first)}


@cache
def made(name: str) -> str:
    return page_html(pages()[name])


@cache
def files() -> list[str]:
    tables = (page for page in pages().values() if isinstance(page, TablePage))
    downloads = [file.path for page in tables for file in page.downloads]
    (characters,) = (page for page in pages().values() if isinstance(page, CharactersPage))
    own = character_files(characters, game("harmonies"))
    return [*assets(), MANIFEST, *(f"harmonies/{name}" for name in MADE), *downloads, *own, *pages()]


def found(changed_pages: dict[str, str], there: list[str] | None = None) -> list[str]:
    """The faults of the whole site, of which only some pages are looked at: links need them all."""
    data = {name: text.encode() for name, text in changed_pages.items()}
    return [str(fault) for fault in read_back_site([pages()[name] for name in data], data, there or files())]


def changed(name: str, old: str, new: str) -> dict[str, str]:
    assert old in made(name)
    return {name: made(name).replace(old, new, 1)}


@pytest.mark.slow
def test_the_site_is_what_it_says() -> None:
    assert found({name: made(name) for name in pages()}) == []


@pytest.mark.parametrize("name", [ODDS, LAW])
def test_a_cell_of_a_table(name: str) -> None:
    page = pages()[name]
    assert isinstance(page, TablePage)
    cell = page.block.rows[-1][-1].text
    head, figure, tail = made(name).partition("</tbody>")[0].rpartition(f">{escape(cell)}<")
    html = made(name).replace(head + figure + tail, f"{head}>changed<{tail}", 1)
    where = f'"{page.head.title}", row {len(page.block.rows)}, column {len(page.block.columns)}'
    assert f'{name}: {where}: "{cell}" is not there, but "changed"' in found({name: html})


@pytest.mark.slow
def test_a_number_and_what_it_rests_on() -> None:
    page = pages()[LAW]
    assert isinstance(page, TablePage)
    (row, column), note = next(iter(page.notes.items()))
    line = f'{LAW}: number "{note.where}": "{note.explanation.exact}" is not there, but "1/2"'
    assert found(changed(LAW, f"<td>{note.explanation.exact}<", "<td>1/2<")) == [line]
    elsewhere = found(changed(LAW, f"href=#{note.anchor}>", "href=#n.1.3>"))
    shown = page.block.rows[row - 1][column - 1].text
    assert elsewhere == [f"{LAW}: number 1: #n.1.3, {shown} in place of #{note.anchor}, {shown}"]


def test_a_table_of_the_list() -> None:
    (line,) = found(changed(TABLES, "40 × 2", "41 × 2"))
    assert line.endswith('is not there, but "41×2"')


def test_a_fact() -> None:
    page = pages()[GLOSSARY]
    assert isinstance(page, GlossaryPage)
    fact = page.facts[0]
    html = changed(GLOSSARY, f'{fact.title}</th><td class="end">{fact.figure}', f'{fact.title}</th><td class="end">x')
    assert any(line.startswith(f'{GLOSSARY}: fact "{fact.title}": "{fact.figure}') for line in found(html))


@pytest.mark.slow
def test_what_the_explorers_look_up() -> None:
    html = changed(EXPLORE, '["41.6%", "101/243"]', '["41.7%", "101/243"]')
    assert f"{EXPLORE}: explorers: the page looks up other figures than were worked out" in found(html)


def test_an_example_of_dice() -> None:
    html = changed(DICE, "1 to 100</td>", "0 to 99</td>")
    assert found(html) == [f'{DICE}: example "d%": "1 to 100" is not there, but "0to99"']


def test_a_number_on_the_first_page() -> None:
    tables = len(game("harmonies").printed)
    html = changed(HOME, f"{tables} tables printed", f"{tables + 1} tables printed")
    assert found(html) == [f'{HOME}: "Harmonies": "{tables}" is not there, but "{tables + 1}"']


def test_a_chance_of_a_roll_and_a_level_of_a_ladder() -> None:
    html = made("compare.html")
    assert any(
        "is not there" in line for line in found({"compare.html": html.replace("standard deviation", "variance", 1)})
    )


def finding() -> Finding:
    """One with a figure, accepted, with its place and its reason."""
    page = pages()[CHECKS]
    assert isinstance(page, ChecksPage)
    return next(one.finding for one in page.findings if one.finding.exact and one.finding.accepted)


@pytest.mark.parametrize("column", ["printed", "computed", "exact", "rule", "span"])
def test_a_cell_of_a_finding(column: str) -> None:
    one = finding()
    before, row, rest = made(CHECKS).partition(f'<tr id="finding-{one.id.replace("/", "-")}">')
    cell = f"<td>{escape(str(getattr(one, column)))}</td>".replace(
        "<td>", '<td class="place">' if column == "span" else "<td>"
    )
    assert cell in rest
    html = before + row + rest.replace(cell, "<td>changed</td>", 1)
    wanted = str(getattr(one, column))
    assert f'{CHECKS}: finding "{one.id}": "{wanted}" is not there, but "changed"' in found({CHECKS: html})


def test_the_reason_of_a_finding() -> None:
    one = finding()
    assert one.accepted is not None
    lines = found(changed(CHECKS, f"accepted: {escape(one.accepted.reason)}", "accepted: so be it"))
    assert len(lines) == 1
    assert lines[0].endswith('is not there, but "accepted:sobeit"')


def test_how_many_numbers_were_compared() -> None:
    extent = game("harmonies").extent
    compared, total = extent.compared, extent.total
    html = changed(CHECKS, f"{compared} of {total} printed numbers", f"{compared + 1} of {total} printed numbers")
    assert found(html) == [f'{CHECKS}: checks, counts: "{compared}" is not there, but "{compared + 1}"']


@pytest.mark.parametrize(
    ("title", "old", "new", "line"),
    [
        (
            "another file",
            '<a href="tables.json">Tables</a>',
            '<a href="sheet-a4.pdf">Tables</a>',
            "download 2: sheet-a4.pdf, Tables, JSON in place of tables.json, Tables, JSON",
        ),
        (
            "another type",
            '<span class="form">JSON</span>',
            '<span class="form">CSV</span>',
            "download 2: tables.json, Tables, CSV in place of tables.json, Tables, JSON",
        ),
    ],
)
def test_what_leads_elsewhere_than_it_says(title: str, old: str, new: str, line: str) -> None:
    assert found(changed(OVERVIEW, old, new)) == [f"{OVERVIEW}: {line}"], title


@pytest.mark.parametrize(
    ("title", "name", "old", "new", "line"),
    [
        ("a dead link", OVERVIEW, 'href="tables.json"', 'href="table.json"', 'the link "table.json" leads nowhere'),
        ("a dead anchor", OVERVIEW, 'href="#main"', 'href="#man"', 'the link "#man" leads nowhere'),
        ("a doubled id", OVERVIEW, 'id="aids"', 'id="main"', 'two elements have the id "main"'),
        ("a character", OVERVIEW, "To fill in.", "中", "no font of ours has a glyph for 中 (U+4E2D)"),
    ],
)
def test_faults_of_a_page(title: str, name: str, old: str, new: str, line: str) -> None:
    assert f"{name}: {line}" in found(changed(name, old, new)), title


@pytest.mark.slow
def test_a_dead_anchor_of_another_page() -> None:
    pages_of_site = {name: made(name) for name in pages()} | changed(
        HOME, 'href="harmonies/index.html"', 'href="harmonies/index.html#no"'
    )
    assert found(pages_of_site) == [f'{HOME}: the link "harmonies/index.html#no" leads nowhere']


def test_links_to_elsewhere_are_left_alone() -> None:
    assert found(changed(OVERVIEW, 'href="../index.html"', 'href="https://example.invalid/"')) == []


def test_a_file_that_was_not_made() -> None:
    there = [name for name in files() if name != "harmonies/tables.json"]
    assert found({OVERVIEW: made(OVERVIEW)}, there) == [f'{OVERVIEW}: the link "tables.json" leads nowhere']


def test_a_table_that_is_missing() -> None:
    html = changed(ODDS, '<div class="block" id="odds">', '<div class="block">')
    assert f'{ODDS}: "Odds of success": is not there' in found(html)


@pytest.mark.parametrize(
    ("title", "old", "new", "there"),
    [
        ("other words", 'alt="Sheet, page 1"', 'alt="Sheet"', "sheet-1.png, Sheet, 566, 800, sheet-a4.pdf#page=1"),
        ("another size", ' width="566"', "", "sheet-1.png, Sheet, page 1, , 800, sheet-a4.pdf#page=1"),
        ("another place", "sheet-a4.pdf#page=1", "sheet-a4.pdf", "sheet-1.png, Sheet, page 1, 566, 800, sheet-a4.pdf"),
        ("no picture", "<img ", "<i ", "none"),
    ],
)
def test_a_picture(title: str, old: str, new: str, there: str) -> None:
    expected = "sheet-1.png, Sheet, page 1, 566, 800, sheet-a4.pdf#page=1"
    assert found(changed(OVERVIEW, old, new)) == [f"{OVERVIEW}: picture 1: {there} in place of {expected}"], title
