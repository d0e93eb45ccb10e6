"""The site read back: cells, facts, findings, numbers and links."""

from __future__ import annotations

from functools import cache
from html import escape

import pytest

from refgen.aids.site import AidLinks, Download, Preview, SystemPage, SystemSummary, make_system_page
from refgen.checks.finding import Finding
from refgen.render.assets import assets
from refgen.render.html import index_html, system_page_html
from refgen.render.readback.grounds import SURPLUS
from refgen.render.readback.site import read_back_site
from tests.conftest import game

NAME = "harmonies/index.html"
PREVIEW = Preview("sheet-1.png", "sheet-a4.pdf#page=1", "Sheet, page 1", 566, 800)
AIDS = [
    AidLinks("Sheet", "To fill in.", (Download("A4", "sheet-a4.pdf", "PDF"),), (PREVIEW,)),
    AidLinks("Data", "For programs.", (Download("Tables", "tables.json", "JSON"),)),
]
MADE = ("sheet-a4.pdf", "sheet-1.png", "tables.json")
FILES = [*assets(), *(f"harmonies/{name}" for name in MADE), NAME, "index.html"]


@cache
def page() -> SystemPage:
    return make_system_page(game("harmonies"), AIDS)


@cache
def made() -> dict[str, str]:
    return {NAME: system_page_html(page()), "index.html": index_html([(SystemSummary.of(page()), AIDS)])}


def found(pages: dict[str, str], files: list[str] = FILES) -> list[str]:
    data = {name: text.encode() for name, text in pages.items()}
    return [str(fault) for fault in read_back_site([page()], [SystemSummary.of(page())], data, files)]


def changed(name: str, old: str, new: str) -> dict[str, str]:
    assert old in made()[name]
    return made() | {name: made()[name].replace(old, new, 1)}


def test_the_site_is_what_it_says() -> None:
    assert found(made()) == []


def test_a_cell_of_every_table() -> None:
    """The last cell of each table is changed: all of them are named, and nothing else is."""
    html, expected = made()[NAME], []
    for table in (*page().printed, *page().computed):
        cell = table.block.rows[-1][-1].text
        before, section, after = html.partition(f'<section class="block" id="{table.id}">')
        rows, end, rest = after.partition("</tbody>")
        assert rows.count(f">{escape(cell)}</t") >= 1
        head, _, tail = rows.rpartition(f">{escape(cell)}</t")
        html = before + section + head + ">changed</t" + tail + end + rest
        where = f'"{table.block.title}", row {len(table.block.rows)}, column {len(table.block.columns)}'
        expected.append(f'{NAME}: {where}: "{cell}" is not there, but "changed"')
    assert found(made() | {NAME: html}) == expected


def test_a_fact() -> None:
    fact = page().facts[0]
    html = changed(
        NAME, f'<th scope="row">{fact.title}</th><td class="end">{fact.figure}', f"<th>{fact.title}</th><td>x"
    )
    assert any(line.startswith(f'{NAME}: fact "{fact.title}": "{fact.figure}') for line in found(html))


def test_a_number_on_the_first_page() -> None:
    tables = len(page().printed)
    html = changed("index.html", f"{tables} tables printed", f"{tables + 1} tables printed")
    assert found(html) == [f'index.html: "{page().system.title}": "{tables}" is not there, but "{tables + 1}"']


def finding() -> Finding:
    """One with a figure, accepted, with its place and its reason."""
    return next(one for one in page().findings if one.exact and one.accepted)


@pytest.mark.parametrize("column", ["printed", "computed", "exact", "rule", "span"])
def test_a_cell_of_a_finding(column: str) -> None:
    one = finding()
    before, row, rest = made()[NAME].partition(f'<tr id="finding-{one.id.replace("/", "-")}">')
    cell = f"<td>{escape(str(getattr(one, column)))}</td>".replace(
        "<td>", '<td class="place">' if column == "span" else "<td>"
    )
    assert cell in rest
    html = before + row + rest.replace(cell, "<td>changed</td>", 1)
    wanted = str(getattr(one, column))
    assert f'{NAME}: finding "{one.id}": "{wanted}" is not there, but "changed"' in found(made() | {NAME: html})


def test_the_reason_of_a_finding() -> None:
    one = finding()
    assert one.accepted is not None
    lines = found(changed(NAME, f"accepted: {escape(one.accepted.reason)}", "accepted: so be it"))
    assert len(lines) == 1
    assert lines[0].endswith('is not there, but "accepted:sobeit"')


def test_how_many_numbers_were_compared() -> None:
    compared = page().report.compared
    html = changed(NAME, f"{compared} printed numbers", f"{compared + 1} printed numbers")
    assert found(html) == [f'{NAME}: checks, counts: "{compared}" is not there, but "{compared + 1}"']


def test_a_tint_that_the_site_does_not_have() -> None:
    """Nothing is drawn behind the tables of the site."""
    (line,) = found(changed(NAME, '<td class="end">', '<td class="heat heat-3">'))
    assert line.endswith(SURPLUS)


@pytest.mark.parametrize(
    ("title", "old", "new", "line"),
    [
        (
            "a title of the contents",
            '<li><a href="#facts">Facts',
            '<li><a href="#facts">Figures',
            "contents: #facts, Figures in place of #facts, Facts",
        ),
        (
            "a place of the contents",
            '<li><a href="#facts">Facts',
            '<li><a href="#checks">Facts',
            "contents: #checks, Facts in place of #facts, Facts",
        ),
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
    assert found(changed(NAME, old, new)) == [f"{NAME}: {line}"], title


@pytest.mark.parametrize(
    ("title", "name", "old", "new", "line"),
    [
        ("a dead link", NAME, 'href="tables.json"', 'href="table.json"', 'the link "table.json" leads nowhere'),
        ("a dead anchor", NAME, 'href="#checks"', 'href="#check"', 'the link "#check" leads nowhere'),
        (
            "a dead anchor of another page",
            "index.html",
            'href="harmonies/index.html"',
            'href="harmonies/index.html#no"',
            'the link "harmonies/index.html#no" leads nowhere',
        ),
        ("a doubled id", NAME, 'id="aids"', 'id="checks"', 'two elements have the id "checks"'),
        ("a character", NAME, "All systems", "All systems 中", "no font of ours has a glyph for 中 (U+4E2D)"),
    ],
)
def test_faults_of_a_page(title: str, name: str, old: str, new: str, line: str) -> None:
    assert f"{name}: {line}" in found(changed(name, old, new)), title


def test_links_to_elsewhere_are_left_alone() -> None:
    assert found(changed(NAME, 'href="../index.html"', 'href="https://example.invalid/"')) == []


def test_a_file_that_was_not_made() -> None:
    there = [name for name in FILES if name != "harmonies/tables.json"]
    assert found(made(), there) == [
        f'{NAME}: the link "tables.json" leads nowhere',
        'index.html: the link "harmonies/tables.json" leads nowhere',
    ]


def test_a_table_that_is_missing() -> None:
    table = page().printed[0]
    html = changed(NAME, f'<section class="block" id="{table.id}">', '<section class="block">')
    assert f'{NAME}: "{table.block.title}": is not there' in found(html)


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
    assert found(changed(NAME, old, new)) == [f"{NAME}: picture 1: {there} in place of {expected}"], title


def test_a_picture_that_was_not_made() -> None:
    there = [name for name in FILES if name != "harmonies/sheet-1.png"]
    assert found(made(), there) == [f'{NAME}: the link "sheet-1.png" leads nowhere']
