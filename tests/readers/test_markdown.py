import pytest

from refgen.readers.document import Document
from refgen.readers.markdown import read_markdown, split_row
from refgen.source import SourceFile
from tests.readers.places import faults, notes, places, texts, the_grid


def read(text: str) -> Document:
    return read_markdown(SourceFile("rules.md", text).passage)


def cells(document: Document) -> list[list[str]]:
    (grid,) = [grid for section in document.sections for grid in section.grids]
    return [[cell.text for cell in row] for row in grid.rows]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("no outer bars", "a | b\n--|--\n1 | 2", [["a", "b"], ["1", "2"]]),
        ("outer bars", "| a | b |\n|---|---|\n| 1 | 2 |", [["a", "b"], ["1", "2"]]),
        ("alignment", "a | b\n:-|-:\n1 | 2", [["a", "b"], ["1", "2"]]),
        ("an escaped bar", "a | b\n--|--\n1 \\| x | 2", [["a", "b"], ["1 | x", "2"]]),
        ("a blank cell", "| a | b |\n|---|---|\n|  | 2 |", [["a", "b"], ["", "2"]]),
        ("emphasis and code", "a | b\n--|--\n*1* | `2`", [["a", "b"], ["1", "2"]]),
        ("a link", "a | b\n--|--\n[1](http://x.invalid) | 2", [["a", "b"], ["1", "2"]]),
        ("an entity", "a | b\n--|--\n&lt; -7 | 2", [["a", "b"], ["< -7", "2"]]),
        ("in a quote", "> a | b\n> --|--\n> 1 | 2", [["a", "b"], ["1", "2"]]),
        ("in a list", "- item\n\n  a | b\n  --|--\n  1 | 2", [["a", "b"], ["1", "2"]]),
        ("a bar in code", "a | b\n--|--\n`1 \\| x` | 2", [["a", "b"], ["1 | x", "2"]]),
        ("a head only", "a | b\n--|--\n", [["a", "b"]]),
    ],
)
def test_tables(title: str, text: str, expected: list[list[str]]) -> None:
    assert cells(read(text)) == expected, title


@pytest.mark.parametrize(
    ("title", "text", "shown", "message", "place"),
    [
        ("a surplus cell", "a | b\n--|--\n1 | 2 | 3", ["1", "2"], "has 3 cells, its head has 2", "rules.md:3:9"),
        (
            "prose below",
            "a | b\n--|--\n1 | 2\nNote: this",
            ["Note: this", ""],
            "has 1 cell, its head has 2",
            "rules.md:4:1",
        ),
    ],
)
def test_rows_read_as_github_shows_them_and_what_it_mends_is_reported(
    title: str, text: str, shown: list[str], message: str, place: str
) -> None:
    document = read(text)
    assert cells(document)[-1] == shown, title
    (fault,) = document.faults
    assert message in fault.message
    assert str(fault.span) == place
    assert fault.hint


def test_cells_in_a_quote_know_their_place() -> None:
    (grid,) = read("> a | b\n> --|--\n> 1 | 22").sections[0].grids
    assert [str(cell.span) for cell in grid.rows[1]] == ["rules.md:3:3", "rules.md:3:7"]


def test_cells_know_their_line_and_column() -> None:
    document = read("---\ntitle: x\n---\n# A\n\none | two\n----|----\n 1  | 22")
    (grid,) = document.sections[-1].grids
    assert [str(cell.span) for cell in grid.rows[1]] == ["rules.md:8:2", "rules.md:8:7"]


def test_sections_hold_their_own_text_only() -> None:
    document = read("before\n\n# One\n\nfirst\n\n## Two\n\nsecond\n")
    assert [(section.title, section.level) for section in document.sections] == [("", 0), ("One", 1), ("Two", 2)]
    assert [paragraph.text for section in document.sections for paragraph in section.paragraphs] == [
        "before",
        "first",
        "second",
    ]


def test_numbered_items_keep_their_number_and_bullets_lose_their_mark() -> None:
    document = read("1. extra: -1\n2. more: -2\n\nthen\n\n* 1/2 of\n  time\n* rest\n")
    items = [[item.text for item in block.items] for block in document.sections[0].lists]
    assert items == [["1. extra: -1", "2. more: -2"], ["1/2 of time", "rest"]]


def test_a_row_is_split_where_its_bars_are() -> None:
    row = SourceFile("rules.md", "| a | b \\| c |").passage
    assert [cell.text for cell in split_row(row)] == ["a", "b \\| c"]


def test_formatting_in_html_is_dropped_and_other_tags_stay_text() -> None:
    assert cells(read("a | b\n--|--\n<b>1</b> | 2"))[1] == ["1", "2"]
    assert cells(read("a | b\n--|--\n<level> | 2<sup>1</sup>"))[1] == ["<level>", "2¹"]
    assert cells(read("a | b\n--|--\none<br>two | 2<br/>"))[1] == ["one two", "2"]


@pytest.mark.parametrize(
    ("title", "row", "shown", "place", "message", "reading"),
    [
        (
            "a missing cell",
            "| 1 |",
            ["1", "", ""],
            "3:3",
            "this table row has 1 cell, its head has 3",
            "the rest of it is blank",
        ),
        (
            "an empty end",
            "1 | 2",
            ["1", "2", ""],
            "3:1",
            "this table row has 2 cells, its head has 3",
            "the rest of it is blank",
        ),
        (
            "blank cells beyond the head",
            "1 | 2 | 3 | | |",
            ["1", "2", "3"],
            "3:13",
            "this table row has 5 cells, its head has 3",
            "without the blank cells at its end",
        ),
        ("an empty row", "| | | |", ["a", "b", "c"], "3:3", "this table row is empty", "skipped"),
    ],
)
def test_rows_that_people_leave_uneven_are_evened_and_noted(
    title: str, row: str, shown: list[str], place: str, message: str, reading: str
) -> None:
    document = read(f"a | b | c\n--|--|--\n{row}")
    assert cells(document)[-1] == shown, title
    assert (faults(document), notes(document)) == ([], [(place, message, reading)])


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("emphasis", "Roll **2d6** and _add_ `1`.", "Roll 2d6 and add 1."),
        ("a link", "See [the odds](http://x.invalid/odds 'odds') of odds.", "See the odds of odds."),
        ("an image", "A ![die](d6.png) falls.", "A die falls."),
        ("a break", "one<br>two<br/>\nthree  \nfour\\\nfive", "one two three four five"),
        ("entities and escapes", "5 \\* 2 &lt; *d6* &amp; more", "5 * 2 < d6 & more"),
        ("a tag that is no HTML", "Roll <dice>.", "Roll <dice>."),
        ("a comment", "Roll <!-- never --> 1d6.", "Roll 1d6."),
        ("in a quote", "> Roll **2d6**\n> twice.", "Roll 2d6 twice."),
        ("no marks", "Roll 2d6.", "Roll 2d6."),
    ],
)
def test_paragraphs_lose_their_marks(title: str, text: str, expected: str) -> None:
    (paragraph,) = read(text).sections[0].paragraphs
    assert paragraph.text == expected, title


def test_words_between_marks_know_their_place() -> None:
    text = "Roll **2d6** and [add](http://2d6.invalid) &lt;3."
    (paragraph,) = read(text).sections[0].paragraphs
    for word in ("Roll", "2d6", "and", "add", "3"):
        start = paragraph.text.index(word)
        span = paragraph[start : start + len(word)].span
        assert text[span.start : span.end] == word


def test_items_lose_their_marks_and_keep_what_they_hold() -> None:
    document = read("* **Hurt**: lose *1*\n  - nested **x**\n* [Dead](#d)<br>and gone\n")
    items = [[item.text for item in block.items] for block in document.sections[0].lists]
    assert items == [["Hurt: lose 1 - nested x", "Dead and gone"], ["nested x"]]


@pytest.mark.parametrize(
    ("title", "above", "caption"),
    [
        ("a bold line", "**Armor**", "Armor"),
        ("a bold line and an empty one", "__Armor:__\n", "Armor"),
        ("the word table", "Table 3: Armor\n", "Table 3: Armor"),
        ("prose", "Armor protects.\n", ""),
        ("bold words in prose", "**Armor** protects.\n", ""),
        ("a bold line further up", "**Armor**\n\nIt protects.\n", ""),
    ],
)
def test_a_line_just_above_a_table_is_its_caption(title: str, above: str, caption: str) -> None:
    assert the_grid(read(f"{above}\na | b\n--|--\n1 | 2")).caption == caption, title


def test_a_blank_head_is_none() -> None:
    grid = the_grid(read("| | |\n|--|--|\n| 1 | 2 |"))
    assert (grid.header_rows, texts(grid)) == (0, [["1", "2"]])


def test_a_table_in_html_is_read_over_its_empty_lines() -> None:
    document = read("# Odds\n\n<table>\n<tr><th>a<th>b\n\n    <tr><td>1</td>\n\n<td>2</table>\n\nThen roll.")
    assert texts(the_grid(document)) == [["a", "b"], ["1", "2"]]
    assert places(document)[1] == ["6:13", "8:5"]
    assert [paragraph.text for paragraph in document.sections[0].paragraphs] == ["Then roll."]


def test_paragraphs_and_lists_in_html_are_read() -> None:
    (section,) = read("<div><p>Roll 2d6.</p><ul><li>twice</ul></div>").sections
    assert [paragraph.text for paragraph in section.paragraphs] == ["Roll 2d6."]
    assert [[item.text for item in block.items] for block in section.lists] == [["twice"]]


def test_rows_of_bars_without_a_line_of_dashes_are_reported() -> None:
    document = read("a | b\n1 | 2\n")
    assert document.tables == ()
    assert faults(document) == [("1:1", "these lines are parted by bars, but they are no table")]
    assert faults(read("this | that\n")) == []
