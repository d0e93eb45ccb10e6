"""The dice of random tables, from words and from row numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from refgen.checks.comparison import Verdict
from refgen.proposals.draft import Entry, GameDraft
from refgen.proposals.random_tables import random_tables, roll_entries
from tests.proposals.drafts import DOCUMENTS, document_draft, draft_of, foreign_draft, made_game, shown


def table(*numbers: str, head: str = "", title: str = "Weather", text: str = "") -> str:
    """A document with one table of these row numbers."""
    rows = "\n".join(f"| {number} | sky {place} |" for place, number in enumerate(numbers))
    return f"# Game\n\n## {title}\n\n{text}\n\n| {head} | Sky |\n|--|--|\n{rows}\n"


BANDS = ("2", "3-5", "6-8", "9-11", "12")
SIX = tuple("123456")


def entries_of(draft: GameDraft) -> Sequence[Entry]:
    """The entries of the random tables of a draft."""
    return roll_entries(draft, random_tables(draft))


def dice(text: str, language: str = "en") -> list[tuple[str, bool]]:
    return [(found.dice, found.certain) for found in random_tables(draft_of(text, language))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (table(*SIX, head="d6"), "d6"),
        (table(*SIX, head="Roll (1D6)"), "1d6"),
        (table(*SIX, head="1W6"), "1d6"),
        (table(*SIX, head="１Ｗ６"), "1d6"),
        (table("1/2", "3/4", "5 & 6", head="d6"), "d6"),
        (table("1, 3, 5", "2, 4, 6", head="d6"), "d6"),
        (table("１〜３", "４～６", head="１ｄ６"), "1d6"),
        (table(*SIX, title="Names & skies (d6)"), "d6"),
        (table(*SIX, text="Roll 1d6 for the sky."), "1d6"),
        (table(*SIX, head="Roll"), "d6"),
        (table("1-3", "4-14", "15-19", "20"), "d20"),
        (table("01-50", "51-90", "91-99", "00"), "d100"),
        (table(*BANDS), "2d6"),
        (table("2-", *map(str, range(3, 12)), "12+", head="2d6"), "2d6"),
        (table(*(f"{tens}{ones}" for tens in SIX for ones in SIX)), "d66"),
        (table(*map(str, range(10)), head="d10"), "d10"),
        (table(*"1234567890", text="Roll 1d10, or pick."), "1d10"),
    ],
)
def test_dice_that_are_certain(text: str, found: str) -> None:
    assert dice(text) == [(found, True)]


@pytest.mark.parametrize(
    "text",
    [
        table(*SIX),  # may as well count the rows
        table(*SIX, head="Level"),
        table(*BANDS, head="Strength"),
        table("2-4", "5-7", "8-12", head="d6 + Level"),
        table(*SIX, text="A d8 says how long."),
        table(*SIX, title="Spells (d20)"),
        table("1-3", "4-6"),
        table("a", "b", "c", "d", head="d4"),
        table(*SIX, head="Dice", text="Roll 1d6."),  # how many dice
        table("3-9", "10-11", "12-18", head="Score", text="Roll 3d6 for each ability."),
    ],
)
def test_no_dice(text: str) -> None:
    assert dice(text) == []


def test_a_title_farther_above_names_the_dice_of_the_tables_under_it() -> None:
    text = table(*SIX, title="Traits (d6)").replace("\n\n\n", "\n\n### Hair\n\n")
    entries = entries_of(draft_of(text))
    assert shown(entries) == [
        '[checks.hair-results] die: d6 in the title "Traits (d6)" at rules.md:3:1; 6 of 6 results have a row'
    ]


def test_a_result_without_a_row_or_with_two_is_reported() -> None:
    entries = entries_of(draft_of(table("1", "2", "3", "3", "5", "6", head="d6")))
    assert shown(entries) == [
        "[checks.weather-results] die: d6 over the rows at rules.md:7:3; 4 of 6 results have one row; "
        'no row has 4; several rows have 3: "3" at rules.md:11:3 and "3" at rules.md:12:3'
    ]
    assert [entry.is_likely for entry in entries] == [True]


def test_dice_in_a_heading_far_above_may_be_those_of_something_else() -> None:
    text = table("1", "2", "3", "4", "5", head="Level").replace("# Game", "# Game of d6")
    (entry,) = entries_of(draft_of(text))
    assert (entry.certain, entry.is_likely) == (False, False)


def test_open_ends_without_words_may_be_of_a_roll_with_a_modifier() -> None:
    assert dice(table("2", "3-5", "6-8", "9+", head="Roll")) == [("2d6", False)]


def test_rows_are_checked_and_those_that_are_not_equally_likely_have_chances(tmp_path: Path) -> None:
    draft = draft_of(table(*BANDS, head="2d6"))
    game = made_game(tmp_path, draft, entries_of(draft))
    report = game.check()
    assert [judged.verdict for judged in report.judged] == [Verdict.AGREES] * 5
    chances = game.tables["weather-chances"].column("%")
    assert [cell.exact for cell in chances] == [Fraction(ways, 36) for ways in (1, 9, 16, 9, 1)]
    assert game.named_rolls["weather-roll"].title == "Weather (2d6)"


def test_a_die_with_ten_faces_prints_its_10_as_0(tmp_path: Path) -> None:
    draft = draft_of(table("1-5", "6-9", "0", head="d10"))
    report = made_game(tmp_path, draft, entries := entries_of(draft)).check()
    assert [entry.heading for entry in entries] == ["[checks.weather-results]"]
    assert [judged.verdict for judged in report.judged] == [Verdict.AGREES] * 3


def test_rows_beyond_the_dice_are_checked_as_a_sequence(tmp_path: Path) -> None:
    draft = draft_of(table("0 or less", *map(str, range(1, 9)), "9+", head="d6"))
    entries = entries_of(draft)
    assert [entry.lines[0] for entry in entries] == ['kind = "steps"']
    assert "goes beyond, as for a roll with a modifier" in entries[0].evidence[0]
    assert not [finding for finding in made_game(tmp_path, draft, entries).check().findings if finding.is_open]


@pytest.mark.slow
def test_every_table_of_mausritter_that_names_its_dice_is_known() -> None:
    draft = foreign_draft("mausritter-fi/mausritter-fi.md", "fi")
    found = list(random_tables(draft))
    assert len(found) == 50
    assert all(table.certain and table.dice == table.table.found.header[0] for table in found)


@pytest.mark.parametrize(
    ("name", "dice"),
    [
        ("nebelgrenze.md", ["d6", "d20"]),
        ("salt-and-splinter.md", ["d8"]),
        ("quiet-parish.txt", ["1d100"]),
    ],
)
def test_the_random_tables_of_games_that_nobody_has_described(name: str, dice: list[str]) -> None:
    found = list(random_tables(document_draft(DOCUMENTS / name)))
    assert [table.dice for table in found if table.certain][-len(dice) :] == dice


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "dice"),
    [
        ("worlds.html", [("2d6", False)]),  # rolled with a modifier, says the text
        ("trade-and-commerce.html", [("d66", True)]),
        ("character-creation.html", [("d6", True), ("1d6", True), ("1d6", True), ("2d6", True)]),
        ("vehicle-design.html", []),
    ],
)
def test_the_random_tables_of_cepheus(name: str, dice: list[tuple[str, bool]]) -> None:
    assert [(found.dice, found.certain) for found in random_tables(foreign_draft(f"cepheus/{name}"))] == dice
