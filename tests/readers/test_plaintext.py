"""Tables of plain text, and of comma- and tab-separated values."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.errors import ReadError
from refgen.readers.delimited import read_csv, read_tsv
from refgen.readers.document import Document
from refgen.readers.plaintext import read_plaintext
from refgen.source import SourceFile, plain_text
from tests.readers.places import faults, notes, places, printed, texts, the_grid

EXPORT = 'Level,Odds,"Effect, if any"\r\nGood,50%,"He says ""stop"".\r\nThen rolls."\r\n Fair , 1/2,\r\n"","",""\r\n'


def read(text: str) -> Document:
    return read_csv(SourceFile("odds.csv", text).passage)


class TestASpreadsheetExport:
    def test_it_is_one_section_with_one_table(self) -> None:
        (section,) = read(EXPORT).sections
        assert (section.title, section.level, len(section.grids)) == ("", 0, 1)
        assert the_grid(read(EXPORT)).header == ("Level", "Odds", "Effect, if any")

    def test_cells(self) -> None:
        assert texts(the_grid(read(EXPORT)))[1:] == [
            ["Good", "50%", 'He says "stop". Then rolls.'],
            ["Fair", "1/2", ""],
        ]

    def test_places(self) -> None:
        assert places(read(EXPORT)) == [
            ["1:1", "1:7", "1:13"],
            ["2:1", "2:6", "2:11"],
            ["4:2", "4:9", "4:13"],
        ]

    def test_a_span_is_what_stands_between_the_quotes(self) -> None:
        assert printed(read(EXPORT))[1] == ["Good", "50%", 'He says ""stop"".\r\nThen rolls.']

    def test_it_has_no_faults(self) -> None:
        assert faults(read(EXPORT)) == []

    def test_its_empty_row_is_skipped_and_noted(self) -> None:
        assert notes(read(EXPORT)) == [("5:2", "this table row is empty", "skipped")]


def test_tabs_part_the_fields_of_tsv_and_commas_do_not() -> None:
    document = read_tsv(SourceFile("odds.tsv", 'a\tb\n1,5\t"x\ty"\n').passage)
    assert texts(the_grid(document)) == [["a", "b"], ["1,5", "x y"]]
    assert places(document) == [["1:1", "1:3"], ["2:1", "2:6"]]


def test_a_long_row_keeps_its_cells_and_is_a_fault() -> None:
    document = read("a,b\n2,3\n4,5,6\n")
    assert texts(the_grid(document)) == [["a", "b"], ["2", "3"], ["4", "5", "6"]]
    assert faults(document) == [("3:5", "this table row has 3 cells, its head has 2")]


def test_a_short_row_and_blanks_at_the_end_of_a_row_are_evened_and_noted() -> None:
    document = read("a,b\n1\n4,5,,\n")
    assert texts(the_grid(document)) == [["a", "b"], ["1", ""], ["4", "5"]]
    assert faults(document) == []
    assert notes(document) == [
        ("2:1", "this table row has 1 cell, its head has 2", "the rest of it is blank"),
        ("3:5", "this table row has 4 cells, its head has 2", "without the blank cells at its end"),
    ]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("semicolons", "a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
        ("tabs", "a\tb\n1,5\t2\n", [["a", "b"], ["1,5", "2"]]),
        ("a comma in quotes alone", '"a, b";c\n1;2\n', [["a, b", "c"], ["1", "2"]]),
        ("commas come first", "a;b,c\n1;2,3\n", [["a;b", "c"], ["1;2", "3"]]),
        ("one column", "a\n1\n", [["a"], ["1"]]),
    ],
)
def test_the_head_shows_what_parts_the_fields(title: str, text: str, expected: list[list[str]]) -> None:
    assert texts(the_grid(read(text))) == expected, title


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("no line break at the end", "a,b\n1,2", [["a", "b"], ["1", "2"]]),
        ("a blank last field", "a,b\n1,", [["a", "b"], ["1", ""]]),
        ("empty lines", "a\n\n\n1\n", [["a"], ["1"]]),
        ("old line ends", "a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
        ("a quote inside a word", 'a\n5" gun\n', [["a"], ['5" gun']]),
    ],
)
def test_rows(title: str, text: str, expected: list[list[str]]) -> None:
    assert texts(the_grid(read(text))) == expected, title


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ('a,b\n1,"2\n3,4\n', "this quote is never closed", "odds.csv:2:3"),
        ('a,b\n"1"x,2\n', "words follow the closing quote of a field", "odds.csv:2:4"),
    ],
)
def test_a_stray_quote_is_refused_at_its_place(text: str, message: str, place: str) -> None:
    with pytest.raises(ReadError, match=message) as caught:
        read(text)
    assert str(caught.value.span) == place


@pytest.mark.slow
@given(
    st.lists(
        st.lists(st.text(alphabet='ab ,"\n', max_size=6).map("c".__add__), min_size=2, max_size=4),
        min_size=1,
        max_size=5,
    )
)
def test_whatever_the_standard_library_writes_is_read_back(rows: list[list[str]]) -> None:
    written = io.StringIO(newline="")
    csv.writer(written).writerows(rows)
    head, *body = [[plain_text(cell) for cell in row] for row in rows]
    width = len(head)
    evened = [row if any(row[width:]) else [*row, *[""] * width][:width] for row in body if any(row)]
    assert texts(the_grid(read(written.getvalue()))) == [head, *evened]


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("1   rain\n2   sun\n3   fog", 0),
        ("1-8   rain\n9     sun\n0     fog", 0),
        ("01-95   rain\n96-99   sun\n00      fog", 0),
        ("Roll  Sky\n1     rain\n2     sun", 1),
        ("0   rain\n2   sun\n3   fog", 1),
        ("1   2   3\n2   4   6\n3   6   9", 1),  # heads of a table of products
    ],
)
def test_rows_of_plain_text_that_are_numbered_from_the_first_have_no_head(text: str, heads: int) -> None:
    document = read_plaintext(SourceFile("sky.txt", f"{text}\n").passage)
    assert the_grid(document).header_rows == heads
