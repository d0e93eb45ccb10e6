from pathlib import Path

import pytest

from refgen.readers.document import Document
from refgen.readers.markdown import read_markdown
from refgen.readers.read import open_document
from refgen.source import SourceFile
from tests.readers.places import printed, the_grid

OPEND6 = Path(__file__).parents[3] / "shared/foreign/opend6"

SIMPLE = """  Level   Target
  ------- --------
  Easy    6--10
  *Hard*  \\-
"""
RULED = """-------------------
 Level   What it
         is
 ------- ----------
 Easy    one
         two

 Hard

 -------------------
"""
HEADLESS = "---- ----\n a    1\n b    2\n---- ----\n"
DRAWN = """+---------+------+-----+
| Level   | Odds       |
+=========+======+=====+
| Easy    | 1    | 2   |
+---------+------+     |
| Hard as | a\\|b |     |
| nails   |      |     |
+---------+------+-----+
"""
WIDE = "難易度   目標\n-------- ------\n易しい   5\n"


def read(text: str) -> Document:
    return read_markdown(SourceFile("rules.md", text).passage)


@pytest.mark.parametrize(
    ("text", "head", "cells"),
    [
        (SIMPLE, 1, [["Level", "Target"], ["Easy", "6–10"], ["Hard", "-"]]),
        (RULED, 1, [["Level", "What it is"], ["Easy", "one two"], ["Hard", ""]]),
        (HEADLESS, 0, [["a", "1"], ["b", "2"]]),
        (HEADLESS.replace(" b ", "\n b "), 0, [["a", "1"], ["b", "2"]]),
        (RULED.replace("\n\n Hard\n\n", "\n"), 1, [["Level", "What it is"], ["Easy", "one"], ["", "two"]]),
        (DRAWN, 1, [["Level", "Odds", "Odds"], ["Easy", "1", "2"], ["Hard as nails", "a|b", "2"]]),
        (DRAWN.replace("=", "-"), 0, [["Level", "Odds", "Odds"], ["Easy", "1", "2"], ["Hard as nails", "a|b", "2"]]),
        (WIDE, 1, [["難易度", "目標"], ["易しい", "5"]]),
        ("> a  b\n> -- --\n> 1  2\n", 1, [["a", "b"], ["1", "2"]]),
        ("- item\n\n  a  b\n  -- --\n  1  2\n", 1, [["a", "b"], ["1", "2"]]),
        (
            "                a    b\n  ------------- ---- ----\n  x             1    2\n",
            1,
            [["", "a", "b"], ["x", "1", "2"]],
        ),
    ],
)
def test_tables_are_read_as_pandoc_reads_them(text: str, head: int, cells: list[list[str]]) -> None:
    grid = the_grid(read(text))
    assert (grid.header_rows, [[cell.text for cell in row] for row in grid.rows]) == (head, cells)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (SIMPLE.replace("\n", "\r\n"), [["Level", "Target"], ["Easy", "6--10"], ["*Hard*", "\\-"]]),
        ("> a  b\n> -- --\n> 1  22\n", [["a", "b"], ["1", "22"]]),
        (WIDE, [["難易度", "目標"], ["易しい", "5"]]),
        ("- item\n\n  a  b\n  -- --\n  1  2\n", [["a", "b"], ["1", "2"]]),
    ],
)
def test_each_cell_knows_its_place(text: str, cells: list[list[str]]) -> None:
    assert printed(read(text)) == cells


def test_a_cell_of_several_lines_reaches_from_its_first_word_to_its_last() -> None:
    cell = the_grid(read(RULED)).rows[1][1]
    assert (cell.span.line, cell.span.column, cell.span.end_line, cell.span.end_column) == (5, 10, 6, 13)


@pytest.mark.parametrize(
    "text",
    [
        "Right Left\n----- ----\nlong words\n",  # a word reaches over the edge of a column
        "---- ----\n a    1\n b    2\n",  # no rule below
        "-----\nWords\n\n-----\n",  # nothing parts the columns
        "---- ----\n a\n b\n---- ----\n",  # no words but in one column
        "+---+---+\n| a | b |\n+===+====+\n| 1 | 2 |\n+---+---+\n",
        "+---+---+\n| a | b |\n+---+---+\n+---+---+\n",  # a row without lines
        "| a | b\n+---+\n",
    ],
)
def test_lines_that_make_no_table_stay_text(text: str) -> None:
    (section,) = read(text).sections
    words = " ".join(paragraph.text for paragraph in section.paragraphs).split()
    assert section.grids == ()
    assert {word for word in text.split() if word.isalnum()} <= set(words)


@pytest.mark.parametrize(
    ("text", "caption", "table_id"),
    [
        (f"{SIMPLE}\n: **Odds** of *all* {{#odds .wide}}\n", "Odds of all", "odds"),
        (f"{SIMPLE}\nTable: Odds of\nall\n", "Odds of all", ""),
        (f"Table: Odds\n\n{SIMPLE}\n: No caption\n", "Odds", ""),
        (f": Odds\n\n{SIMPLE}", "Odds", ""),
        ("a | b\n--|--\n1 | 2\n\n: Odds\n", "Odds", ""),
        ("a | b\n--|--\n1 | 2\n\nTable: Odds\n", "Odds", ""),
        (f"{SIMPLE}\nProse.\n", "", ""),
    ],
)
def test_a_caption_stands_above_or_below(text: str, caption: str, table_id: str) -> None:
    grid = the_grid(read(text))
    assert (grid.caption, grid.id) == (caption, table_id)


def test_a_caption_between_two_tables_is_that_of_the_upper_table() -> None:
    document = read(f"{SIMPLE}\nTable: Odds\n\n{HEADLESS}")
    assert [grid.caption for grid in document.tables] == ["Odds", ""]
    assert document.sections[0].paragraphs == ()


def test_raw_blocks_for_other_formats_are_noted() -> None:
    (note,) = read("```{=latex}\n\\newpage\n```\n").notes
    assert (note.message, note.reading) == ("this is meant for latex alone", "left out")


@pytest.mark.slow
@pytest.mark.skipif(not OPEND6.exists(), reason="the documents of other games are not here")
def test_the_tables_of_open_d6_are_those_of_its_html() -> None:
    ours, theirs = (open_document(OPEND6 / name) for name in ("opend6-pandoc.md", "opend6.html"))
    assert len(ours.tables) == 21
    for grid, other in zip(ours.tables, theirs.tables, strict=True):
        assert (grid.caption, grid.header_rows) == (other.caption, other.header_rows)
        assert [[cell.text for cell in row] for row in grid.rows] == [
            [cell.text.replace("’", "'") for cell in row] for row in other.rows
        ]
