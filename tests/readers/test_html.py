import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refgen.errors import ReadError, RefgenError
from refgen.readers.document import Document
from refgen.readers.html import read_html
from refgen.source import SourceFile, plain_text
from tests.readers.places import faults, notes, places, printed, texts, the_grid

WIKI_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="UTF-8"><title>Odds - A Wiki</title>
<style>.wikitable td { color: red }</style>
<script>if (a < b) document.write("<table><tr><td>no</td></tr></table>");</script></head>
<body><p>Roll &amp; add<br>the <b>lev</b>el.</p>
<h2><span id="Odds">Odds</span></h2>
<!-- <td>nor this</td> -->
<table class="wikitable" id="odds">
<caption>Chances&nbsp;of success</caption>
<tbody><tr>
<th rowspan="2">Level</th>
<th colspan="2" title="a > b">Odds</th></tr>
<tr><th>d%</th><th>3d6</th></tr>
<tr><td>Good</td><td>&lt;5&percnt;</td><td>&#8722;1</td></tr>
<tr><td rowspan="2"><b>F</b>air<br>one</td><td>50%</td><td>&nbsp;</td></tr>
<tr><td colspan="2"><p>even</p><p>odds</p></td></tr>
</tbody></table>
<p>Then:</p>
<ol start="3"><li>wait</li><li>roll<ul><li>twice</li></ul></li></ol>
</body></html>
"""


def read(text: str) -> Document:
    return read_html(SourceFile("page.html", text).passage)


class TestAWikiPage:
    def test_sections_hold_their_prose_and_lists(self) -> None:
        before, odds = read(WIKI_PAGE).sections
        assert (before.title, before.level, [text.text for text in before.paragraphs]) == (
            "",
            0,
            ["Roll & add the level."],
        )
        assert (odds.title, odds.level, [text.text for text in odds.paragraphs]) == ("Odds", 2, ["Then:"])
        assert [[item.text for item in block.items] for block in odds.lists] == [
            ["3. wait", "4. roll twice"],
            ["twice"],
        ]

    def test_spans_are_repeated_until_the_table_is_a_rectangle(self) -> None:
        grid = the_grid(read(WIKI_PAGE))
        assert (grid.header_rows, grid.caption, grid.id) == (2, "Chances of success", "odds")
        assert grid.header == ("Level", "Odds d%", "Odds 3d6")
        assert texts(grid) == [
            ["Level", "Odds", "Odds"],
            ["Level", "d%", "3d6"],
            ["Good", "<5%", "\u22121"],
            ["Fair one", "50%", ""],
            ["Fair one", "even odds", "even odds"],
        ]

    def test_every_cell_knows_its_place_repeated_or_not(self) -> None:
        assert places(read(WIKI_PAGE)) == [
            ["11:17", "12:31", "12:31"],
            ["11:17", "13:9", "13:20"],
            ["14:9", "14:22", "14:44"],
            ["15:24", "15:48", "15:60"],
            ["15:24", "16:24", "16:24"],
        ]

    def test_the_source_at_a_span_is_the_cell_with_its_markup(self) -> None:
        assert printed(read(WIKI_PAGE))[2:] == [
            ["Good", "&lt;5&percnt;", "&#8722;1"],
            ["F</b>air<br>one", "50%", ""],
            ["F</b>air<br>one", "even</p><p>odds", "even</p><p>odds"],
        ]

    def test_the_table_knows_where_it_stands(self) -> None:
        span = the_grid(read(WIKI_PAGE)).span
        assert WIKI_PAGE[span.start : span.end].startswith('<table class="wikitable"')
        assert WIKI_PAGE[span.start : span.end].endswith("</table>")

    def test_it_has_no_faults(self) -> None:
        assert faults(read(WIKI_PAGE)) == []

    def test_windows_line_ends_make_no_difference(self) -> None:
        document = read(WIKI_PAGE.replace("\n", "\r\n"))
        assert texts(the_grid(document)) == texts(the_grid(read(WIKI_PAGE)))
        assert places(document) == places(read(WIKI_PAGE))


@pytest.mark.parametrize(
    ("title", "text", "expected", "head"),
    [
        ("no end tags", "<table><tr><th>a<th>b<tr><td>1<td>2</table>", [["a", "b"], ["1", "2"]], 1),
        ("a thead", "<table><thead><tr><td>a</thead><tr><td>1</table>", [["a"], ["1"]], 1),
        ("a tfoot first", "<table><tfoot><tr><td>z<tbody><tr><td>1</table>", [["1"], ["z"]], 0),
        ("heads of rows", "<table><tr><th>a<td>1<tr><th>b<td>2</table>", [["a", "1"], ["b", "2"]], 0),
        ("cells without a row", "<table><td>1<td>2</table>", [["1", "2"]], 0),
        ("rowspan 0 to the end", "<table><tr><td rowspan=0>a<td>1<tr><td>2</table>", [["a", "1"], ["a", "2"]], 0),
        ("a span ends with its group", "<table><thead><tr><th rowspan=9>a<tbody><tr><td>1</table>", [["a"], ["1"]], 1),
        ("a span over no column", "<table><tr><td colspan=9>a<tr><td>1<td>2</table>", [["a", "a"], ["1", "2"]], 0),
        ("a span that is no number", "<table><tr><td colspan=x>a</table>", [["a"]], 0),
        ("an empty row", "<table><tr><tr><td>a</table>", [["a"]], 0),
        ("capitals", "<TABLE><TR><TD>a</TD></TR></TABLE>", [["a"]], 0),
        ("a script in a cell", "<table><tr><td>a<script>x</td></script>b</table>", [["ab"]], 0),
        ("a tag of another kind", "<table><tr><td><o:p>a</o:p></table>", [["a"]], 0),
        ("an ampersand alone", "<table><tr><td>D&D & more</table>", [["D&D & more"]], 0),
        ("a reference to nothing", "<table><tr><td>&#<td>&#x<td>&#z</table>", [["&#", "&#x", "&#z"]], 0),
        ("less than", "<table><tr><td>1 < 2</table>", [["1 < 2"]], 0),
    ],
)
def test_malformed_tables_read_as_browsers_do(title: str, text: str, expected: list[list[str]], head: int) -> None:
    document = read(text)
    assert (texts(the_grid(document)), the_grid(document).header_rows) == (expected, head), title
    assert faults(document) == [], title


def test_a_short_row_is_shown_with_blanks_and_is_noted() -> None:
    document = read("<table><tr><td>1<td>2<td>3\n<tr><td>4</table>")
    assert texts(the_grid(document)) == [["1", "2", "3"], ["4", "", ""]]
    assert notes(document) == [("2:9", "this table row has 1 cell, its table has 3", "the rest is blank")]
    assert faults(document) == []


def test_raised_figures_are_not_read_as_digits_of_the_number_before_them() -> None:
    document = read("<p>10<sup>2</sup><table><tr><td>5<sup>1</sup><td>x<sup>th</sup></table>")
    assert texts(the_grid(document)) == [["5¹", "xth"]]
    assert document.sections[0].paragraphs[0].text == "10²"


def test_an_empty_row_is_skipped_and_noted() -> None:
    document = read("<table><tr><td>1<td>2\n<tr><td> <td>\n<tr><td>3<td>4</table>")
    assert texts(the_grid(document)) == [["1", "2"], ["3", "4"]]
    assert notes(document) == [("2:9", "this table row is empty", "skipped")]


def test_cells_that_overlap_are_a_fault() -> None:
    document = read("<table><tr><td>1<td rowspan=2>2<td>3\n<tr><td colspan=2>4<td>5</table>")
    assert texts(the_grid(document)) == [["1", "2", "3"], ["4", "2", "5"]]
    assert faults(document) == [("2:19", "this cell overlaps another that stretches down")]


@pytest.mark.parametrize("span", ["rowspan=1000001", "colspan=1001", "colspan=99999999999999999999"])
def test_an_absurd_span_is_refused_at_its_cell(span: str) -> None:
    with pytest.raises(ReadError, match=r"a cell over [\d,]+ (rows|columns)") as caught:
        read(f"<table>\n<tr><td {span}>a</table>")
    assert caught.value.span is not None
    assert caught.value.span.line == 2


@pytest.mark.slow
def test_a_table_of_too_many_cells_is_refused() -> None:
    with pytest.raises(ReadError, match="more than 200,000 cells"):
        read("<table>" + "<tr><td colspan=1000>a" * 201 + "</table>")


def test_a_page_that_nests_too_deep_is_refused_instead_of_cut() -> None:
    with pytest.raises(ReadError, match="nest too deep") as caught:
        read("<p>a</p>" + "<div>" * 300 + "b")
    assert str(caught.value.span) == "page.html:1:1509"


@pytest.mark.parametrize(
    ("title", "rest"),
    [("a comment", "<!-- <td>3"), ("a tag", '<td title="3'), ("a script", "<script>3"), ("an end tag", "</td")],
)
def test_what_is_never_closed_hides_the_rest_and_is_a_fault(title: str, rest: str) -> None:
    document = read("<table><tr><td>1\n<td>2" + rest)
    assert texts(the_grid(document)) == [["1", "2"]], title
    ((place, message),) = faults(document)
    assert (place.split(":")[0], message) == ("2", "this is never closed")


def test_a_declaration_that_no_browser_knows_is_refused() -> None:
    with pytest.raises(ReadError, match="this declaration cannot be read") as caught:
        read("<p>a\n<![x]>b")
    assert str(caught.value.span) == "page.html:2:1"


def test_a_table_that_lays_out_the_page_is_none() -> None:
    document = read("<table><tr><td><h1>Odds</h1>Roll.<td><table><tr><td>1</table></table>")
    assert [(section.title, [text.text for text in section.paragraphs]) for section in document.sections] == [
        ("Odds", ["Roll."])
    ]
    assert texts(the_grid(document)) == [["1"]]


def test_a_heading_ends_where_the_next_begins() -> None:
    assert [(section.title, section.level) for section in read("<h1>One<h2>Two</h2>text").sections] == [
        ("One", 1),
        ("Two", 2),
    ]


def test_nothing_is_fetched_or_opened() -> None:
    document = read('<!DOCTYPE html SYSTEM "file:///etc/passwd" [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>a &x; b')
    assert "root:" not in "".join(text.text for section in document.sections for text in section.paragraphs)


TAGS = [
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<th>",
    "</td>",
    "<td rowspan=2>",
    "<td colspan=3>",
    "<b>",
    "</b>",
    "<p>",
]
WORDS = [
    "x",
    " ",
    "\n",
    "&lt;",
    "&amp",
    "&#45;",
    "5%",
    "&nbsp;",
    "<",
    "&",
    "<br>",
    "<!--",
    "-->",
    "<h2>",
    "<li>",
    "<ul>",
]


@pytest.mark.slow
@given(st.lists(st.sampled_from(TAGS + WORDS), max_size=40).map("".join))
@settings(max_examples=400)
def test_every_cell_is_the_source_at_its_span_without_markup(text: str) -> None:
    try:
        document = read(text)
    except RefgenError:
        return
    for section in document.sections:
        for grid in section.grids:
            for row in grid.rows:
                assert len(row) == len(grid.rows[0])
                for cell in row:
                    raw = text[cell.span.start : cell.span.end]
                    shown = unescape(re.sub(r"<!--.*?-->|<[a-z/!][^>]*>", "", raw, flags=re.DOTALL))
                    assert plain_text(shown).replace(" ", "") == cell.text.replace(" ", "")
