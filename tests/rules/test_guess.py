"""What the words of a table seem to be."""

from __future__ import annotations

import pytest

from refgen.languages import language_of
from refgen.notation.printed_cell import NotationName
from refgen.notation.printed_numbers import NotationStyle
from refgen.rules.guess import ColumnGuess, guess_column, guess_notation, ladder_columns, slug, unused_name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Numeric Value", "numeric-value"),
        ("Military%", "military"),
        ("1-20", "1-20"),
        ("Élan (héros)", "elan-heros"),
        ("one two three four five six seven", "one-two-three-four-five-six"),
        ("骰子", "touzi"),
        ("Бросок кости", "brosok-kosti"),
        ("Ζάρι größe", "zari-grosse"),
        ("🎲", "column-1"),
        ("", "column-1"),
        ("x" * 99, "x" * 60),
    ],
)
def test_slug(text: str, expected: str) -> None:
    assert slug(text, "column-1") == expected


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert [unused_name("odds", []), unused_name("odds", ["odds"]), unused_name("odds", ["odds", "odds-2"])] == [
        "odds",
        "odds-2",
        "odds-3",
    ]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["1%", "97.5%", ""], "percent"),
        (["+1 (19%)", "-1 (19%)"], "weighted"),
        (["+1", ">500 mil", "1/4"], "number"),
        (["1-4", "17+", "5"], "interval"),
        (["±1 (Phl.or.)", "Scope-1"], "modifier"),
        (["none", "d12+5"], "dice"),
        (["-", "–", "5"], "number"),
        (["-", "—"], "text"),
        (["01–90", "91–99", "00"], "interval"),
        (["98", "99", "00"], "interval"),
        (["01", "02", "00"], "interval"),
        (["6-", "7–9", "10+"], "interval"),
        (["6 or less", "7 or more"], "interval"),
        (["½", "1/4", "2"], "number"),
        (["30/120", "20/60"], "text"),
        (["16 (+3)", "8 (–1)", "—"], "score"),
        (["5 gp", "10 gp", "—"], "quantity"),
        (["1 minute", "10 minutes"], "quantity"),
        (["5 gp", "2 sp"], "text"),
        (["DC 15", "DC 20"], "quantity"),
        (["1d4 bludgeoning", "1d6 + 1 fire"], "dice"),
        (["Room 3", "Room 4"], "text"),
        (["Cr500", "Cr1,000", "—"], "quantity"),
        (["MCr0.4", "MCr 1.5"], "quantity"),
        (["Cr500", "KCr1.5"], "text"),
        (["x0.5", "x2", "0.5x"], "quantity"),
        (["5 €", "€10"], "quantity"),
        (["0.25-ton", "1-ton"], "quantity"),
        (["3D6/round", "1D6/hour", "None"], "dice"),
        (["-6 or lower", "-1 to -5", "0 to +5", "+6 or higher"], "interval"),
        (["0", "10+", "1,000+", "10,000+"], "interval"),
        (["11-16", "21-26"], "interval"),
        (["01–05", "06"], "interval"),
        (["Law Level –5", "Law Level +0"], "modifier"),
        (["5D6", "12D6 + 1 radiation hit"], "text"),
        (["5D", "+2D"], "text"),
        (["007", "008"], "text"),
        (["Gun Combat-0", "Pilot-1"], "text"),
        (["Gun Combat-2", "Pilot-1"], "text"),
        (["A-1", "A-2"], "text"),
        (["Mk2", "Mk3"], "text"),
        (["A1", "A2"], "text"),
        (["9", "10 (A)", "11 (B)"], "text"),
        (["A867A74-A", "C564000-0"], "text"),
        (["+2/+4", "+1/+3"], "text"),
        (["1d4 bludgeoning", "1d6 + 1 fire", "none"], "dice"),
        (["Good", "Fair"], "text"),
        (["1", "Fair"], "text"),
        (["", ""], "text"),
        (["9" * 5000], "text"),
        (["1—2", "3‒4", "5〜6"], "interval"),
        (["３３％", "5\u202f%"], "percent"),
        (["1'500", "2\u2009500", "900"], "number"),
        (["1'500 gp", "5 gp"], "quantity"),
        (["‒1", "—2", "+3"], "number"),
        (["10²", "10³"], "number"),
        (["¹⁄₂", "¼"], "number"),
        (["1-3", "1-6"], "interval"),
        (["1-3", "1d6"], "text"),
        (["1/2", "1-2"], "text"),
    ],
)
def test_the_narrowest_notation_that_reads_every_cell(texts: list[str], expected: NotationName) -> None:
    assert guess_notation(texts) == expected


@pytest.mark.parametrize(
    ("tag", "texts", "expected"),
    [
        ("de", ["ab 5", "3 bis 4", "1 oder 2"], "interval"),
        ("de", ["2W6", "1W6+1", "keine"], "dice"),
        ("de", ["1.250", "12,5"], "number"),
        ("de", ["1.000+", "100–999"], "interval"),
        ("ru", ["до 3", "от 4 до 6", "7 и более"], "interval"),
        ("fi", ["1T6", "T20"], "dice"),
        ("en", ["2W6", "1W6+1"], "text"),
    ],
)
def test_a_notation_is_guessed_in_the_language_of_the_document(
    tag: str, texts: list[str], expected: NotationName
) -> None:
    language = language_of(tag)
    assert guess_notation(texts, NotationStyle(language.decimal, (), language)) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["+4", "(+3)", "", "+2"], ColumnGuess("text", "text", 3, "number", [1])),
        (["5%", "6%", "7"], ColumnGuess("text", "text", 3, "percent", [2])),
        (["5%", "7"], ColumnGuess("text", "text", 2)),
        (["+4", "Good", "Fair", "1"], ColumnGuess("text", "text", 4)),
        (["1-2", "3", "4", "—", "5", "6 or so"], ColumnGuess("text", "text", 5, "interval", [5])),
        (["1-2", "3"], ColumnGuess("interval", "text", 2)),
        (["1", "2"], ColumnGuess("number", "interval", 2)),
        (["5%", ""], ColumnGuess("percent", "text", 1)),
    ],
)
def test_a_column_is_guessed_from_every_cell(texts: list[str], expected: ColumnGuess) -> None:
    assert guess_column(texts) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["1/2", "3/4", "5/6"], "interval"),
        (["1 & 2", "3 & 4"], "interval"),
        (["1, 3, 5", "2, 4, 6"], "interval"),
        (["½", "¾", "5/6"], "interval"),
        (["1", "2", "3"], "number"),
        (["1/2", "1", "2"], "number"),  # a half, one and two Hit Dice
        (["1-3", "4 or so"], "text"),
    ],
)
def test_lists_are_results_under_a_die(texts: list[str], expected: NotationName) -> None:
    assert guess_column(texts, under_die=True).notation == expected
    assert expected != "interval" or guess_column(texts).notation != "interval"


def test_under_a_die_a_comma_is_no_decimal_mark() -> None:
    german = language_of("de")
    style = NotationStyle(german.decimal, (), german)
    assert guess_column(["1,2", "3,4"], style, under_die=True).notation == "interval"
    assert guess_column(["1,2", "3,4"], style).notation == "number"


COLUMNS: list[tuple[str, NotationName]] = [("level", "text"), ("value", "number")]


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        ("a ladder", [["Good", "+1"], ["Fair", "0"], ["Poor", "-1"]], ("level", "value")),
        ("upside down", [["Poor", "-1"], ["Fair", "0"], ["Good", "+1"]], ("level", "value")),
        ("with a gap", [["Good", "+2"], ["Fair", "0"], ["Poor", "-1"]], None),
        ("a name twice", [["Good", "+1"], ["Good", "0"], ["Poor", "-1"]], None),
        ("a blank number", [["Good", "+1"], ["Fair", ""], ["Poor", "-1"]], None),
        ("too short", [["Good", "+1"], ["Fair", "0"]], None),
        ("decimals", [["Rope", "0,5"], ["Lamp", "1,5"], ["Bell", "2,5"]], None),
        ("dashes", [["Good", "+1"], ["Fair", "0"], ["Poor", "‒1"]], ("level", "value")),
    ],
)
def test_words_beside_numbers_that_count_may_be_a_ladder(
    title: str, rows: list[list[str]], expected: tuple[str, str] | None
) -> None:
    assert ladder_columns(COLUMNS, rows) == expected, title
