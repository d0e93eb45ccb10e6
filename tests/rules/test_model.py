"""Tables, rulesets and documents as somebody explores them: cells by name, plain values, reprs of one line."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refgen.errors import RulesError
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import NotationName, read_value
from refgen.notation.values import Level, Number, Percent, Text
from refgen.readers.document import Document
from refgen.readers.read import read_document
from refgen.rules.model import Cell, Column, PlainValue, RuleTable
from refgen.source import SourceFile
from tests.conftest import computed, ours

LADDER = Ladder((Level("Good", 1), Level("Fair", 0)))


def printed(text: str, notation: NotationName = "text") -> Cell:
    return Cell(text, read_value(notation, text, LADDER) if text else None)


TABLE = RuleTable(
    "blows",
    "Blows",
    (Column("blow", "Blow"), Column("hit", "Chance to hit"), Column("kill", "Chance to hit"), Column("note", "Note")),
    (
        (printed("Knight’s blow"), printed("50%", "percent"), printed("100%", "percent"), printed("")),
        (printed("Half-swing"), printed("30%", "percent"), printed("0%", "percent"), printed("slow")),
        (printed("Feint"), printed("10%", "percent"), printed("5%", "percent"), printed("a")),
        (printed("Feint"), printed("20%", "percent"), printed("6%", "percent"), printed("b")),
    ),
)


@pytest.mark.parametrize(
    ("title", "row", "column", "text"),
    [
        ("by the names as they are", "Half-swing", "note", "slow"),
        ("a column by its title", "Half-swing", "Note", "slow"),
        ("case and typography make no difference", "knight's  BLOW", "NOTE", ""),
        ("a blank for a hyphen", "half swing", "hit", "30%"),
        ("by numbers, from 0", 1, 1, "30%"),
        ("a row that goes by the name of another", 3, "note", "b"),
    ],
)
def test_a_cell_is_found_by_its_row_and_column(title: str, row: str | int, column: str | int, text: str) -> None:
    assert TABLE[row, column].text == text, title


@pytest.mark.parametrize(
    ("title", "row", "column", "message", "hint"),
    [
        ("a typo in a row", "Half-swin", "note", 'table "blows" has no row "Half-swin"', "Did you mean Half-swing?"),
        ("a typo in a column", 0, "nte", 'table "blows" has no column "nte"', "Did you mean note?"),
        ("no such column", 0, "xyz", 'table "blows" has no column "xyz"', "There are blow"),
        ("a row that is there twice", "Feint", 0, 'table "blows" has 2 rows "Feint"', "Take it by its number: 2 or 3."),
        (
            "a title that two columns share",
            0,
            "Chance to hit",
            'table "blows" has 2 columns "Chance to hit"',
            "Take it by its number: 1 or 2.",
        ),
        ("a row behind the last", 4, 0, 'table "blows" has no row 4', "Count from 0; it has 4 rows."),
        ("a row before the first", -1, 0, 'table "blows" has no row -1', "Count from 0; it has 4 rows."),
    ],
)
def test_a_wrong_name_is_refused_with_the_nearest(
    title: str, row: str | int, column: str | int, message: str, hint: str
) -> None:
    with pytest.raises(RulesError) as caught:
        TABLE[row, column]
    assert caught.value.message == message, title
    assert hint in caught.value.hint


def test_a_name_that_is_not_there_is_a_key_error_too() -> None:
    with pytest.raises(KeyError):
        TABLE.column("xyz")


def test_a_column_is_its_cells_from_top_to_bottom() -> None:
    assert [cell.text for cell in TABLE.column("kill")] == ["100%", "0%", "5%", "6%"]
    assert TABLE.column("Note") == TABLE.column("note") == TABLE.column(3)


def test_records_are_rows_by_title_and_later_columns_of_one_title_have_their_id() -> None:
    half = Fraction(1, 2)
    assert TABLE.records()[:2] == [
        {"Blow": "Knight’s blow", "Chance to hit": half, "Chance to hit (kill)": 1, "Note": None},
        {"Blow": "Half-swing", "Chance to hit": Fraction(3, 10), "Chance to hit (kill)": 0, "Note": "slow"},
    ]
    assert [list(record) for record in TABLE.records()] == [[*TABLE.records()[0]]] * 4


def test_records_of_columns_that_share_their_ids_too_have_all_of_them() -> None:
    columns = tuple(Column(name, "Roll") for name in ("roll", "roll", "2", "roll"))
    (record,) = RuleTable("rolls", "Rolls", columns, (tuple(map(printed, "abcd")),)).records()
    assert record == {"Roll": "a", "Roll (roll)": "b", "Roll (2)": "c", "Roll (4)": "d"}


@pytest.mark.parametrize(
    ("title", "cell", "value"),
    [
        ("words", printed("often"), "often"),
        ("words that stand for a damaged print", Cell("oft en", Text("often")), "often"),
        ("a blank", printed(""), None),
        ("a blank that means never", Cell("", Percent(Fraction(0))), 0),
        ("a whole number", printed("3", "number"), 3),
        ("a number of millions", printed("500 mil", "number"), 500_000_000),
        ("a number that is not whole", printed("2.5", "number"), Fraction(5, 2)),
        ("a bound is more than a number", printed(">500 mil", "number"), ">500 mil"),
        ("a chance", printed("97.5%", "percent"), Fraction(39, 40)),
        ("a number with its chance", printed("+4 (1%)", "weighted"), "+4 (1%)"),
        ("a range", printed("3-4", "interval"), "3-4"),
        ("a range of one", printed("3", "interval"), 3),
        ("an open range", printed("17+", "interval"), "17+"),
        ("a change", printed("-2", "modifier"), -2),
        ("a change either way", printed("±1", "modifier"), "±1"),
        ("a change of something", printed("Scope-1", "modifier"), "Scope-1"),
        ("dice", printed("4dF", "dice"), "4dF"),
        ("a level", printed("Good", "level"), "Good"),
        ("a computed number", Cell("62%", Percent(Fraction(62, 100)), exact=Fraction(50, 81)), Fraction(50, 81)),
        ("a computed whole number", Cell("2", Number(Fraction(2)), exact=Fraction(2)), Fraction(2)),
        ("a computed bound", Cell(">99%", Number(Fraction(1), ">"), exact=Fraction(1)), ">99%"),
        ("a computed level", Cell("Good", Level("Good", 1), exact=Fraction(1)), "Good"),
    ],
)
def test_a_plain_value_is_the_number_or_the_words(title: str, cell: Cell, value: PlainValue) -> None:
    assert cell.plain_value == value, title
    assert type(cell.plain_value) is type(value)


def test_computed_tables_have_exact_records() -> None:
    table = computed("fudge-1995")["roll-odds"]
    assert table.records()[1] == {"Roll": 3, "Exactly": Fraction(4, 81), "At least": Fraction(5, 81)}


DOCUMENT = """# Odds

Roll 4dF.

Level | Odds
------|-----
Good  | 5%

# Wounds

A | B
--|--
1 | 2

C
-
3
"""


def document() -> Document:
    return read_document(SourceFile("rules.md", DOCUMENT))


def test_the_tables_of_a_document_are_its_grids_in_order() -> None:
    assert [(str(grid.span), grid.header) for grid in document().tables] == [
        ("rules.md:5:1", ("Level", "Odds")),
        ("rules.md:11:1", ("A", "B")),
    ]


def test_reprs_are_one_line() -> None:
    read, table = document(), ours("fudge-1995").tables["success-rates"]
    assert repr(read) == "<Document rules.md: markdown, 3 sections, 2 tables>"
    assert repr(read.tables[0]) == "<Grid rules.md:5:1: 1 row, 2 columns>"
    assert repr(read.source) == "<SourceFile rules.md: 18 lines>"
    assert repr(read.sections[0].paragraphs[0]) == "<Passage rules.md:3:1: 'Roll 4dF.'>"
    assert len(repr(read.text)) < 90
    assert repr(TABLE) == "<RuleTable blows: 4 rows, 4 columns>"
    assert repr(TABLE[0, 1]) == "<Cell '50%'>"
    assert repr(Cell("62%", exact=Fraction(50, 81))) == "<Cell '62%': 50/81>"
    assert repr(table[0, 0]) == f"<Cell {table[0, 0].text!r} at {table[0, 0].span}>"
    ruleset = ours("fudge-1995")
    assert repr(ruleset) == f"<Ruleset fudge-1995: {len(ruleset.tables)} tables, {len(ruleset.facts)} facts>"
