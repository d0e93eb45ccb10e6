import pytest

from refgen.readers.document import Document
from refgen.readers.markdown import read_markdown, split_row
from refgen.source import SourceFile


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
        ("a missing cell", "a | b\n--|--\n| 1 |", ["1", ""], "has 1 cell, its head has 2", "rules.md:3:3"),
        ("an empty end", "a | b | c\n--|--|--\n1 | 2", ["1", "2", ""], "has 2 cells, its head has 3", "rules.md:3:1"),
        (
            "prose below",
            "a | b\n--|--\n1 | 2\nNote: this",
            ["Note: this", ""],
            "has 1 cell, its head has 2",
            "rules.md:4:1",
        ),
    ],
)
def test_rows_read_as_github_shows_them_and_what_it_mends_is_told(
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


def test_raw_html_stays_text() -> None:
    assert cells(read("a | b\n--|--\n<b>1</b> | 2"))[1] == ["<b>1</b>", "2"]
