"""The dice of random tables: from a check, from the head over the row numbers, or from these numbers alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.rolled_tables import TableRoll, table_roll
from refgen.game import load_game
from tests.checks.small import SPEC, parted
from tests.conftest import game

COVER = '[checks.cover]\nkind = "partition"\ntable = "finds"\ncolumn = "at"\ndice = "{dice}"\n'


def roll_of(folder: Path, head: str, numbers: str, checks: str = "", *, language: str = "en") -> TableRoll | None:
    """The dice of a table with these row numbers under a head, in a game in whose text somebody rolls 2d6."""
    rows = "".join(f"| {number} | find {number} |\n" for number in numbers.split())
    (folder / "rules.md").write_text(f"# Crossing\n\nRoll 2d6 to cross.\n\n| {head} | Find |\n|--|--|\n{rows}", "utf-8")
    columns = f'[{{ id = "{"at" if head else "column-1"}", type = "interval" }}, "find"]'
    table = f'[tables.finds]\ntitle = "Finds"\nheader = ["{head}", "Find"]\ncolumns = {columns}\n'
    fact = '[facts]\ndice = { title = "Dice", text = "Roll {dice} to cross", type = "dice" }\n'
    document = f'{{ file = "rules.md", language = "{language}" }}'
    start = SPEC.partition("[tables")[0].replace('"rules.md"', document)
    rules, proofs = parted(checks)
    (folder / "system.toml").write_text(start + table + fact + rules, encoding="utf-8")
    (folder / "proof.toml").write_text(proofs, encoding="utf-8")
    found = load_game(folder)
    return table_roll(found.ruleset, found.tables["finds"])


@pytest.mark.parametrize(
    ("head", "numbers", "dice"),
    [
        ("d6", "1 2-3 4-6", "d6"),
        ("Roll (2d6)", "2-6 7 8-12", "2d6"),
        ("d%", "01-50 51-99 00", "d%"),
        ("d10", "1-4 5-9 0", "d10"),  # a die with ten faces prints its 10 as 0
        ("Roll", "1 2 3 4 5 6", "d6"),
        ("", "01-25 26-50 51-75 76-100", "d100"),
        ("", "11 12-16 21-46 51-66", "d66"),
        ("", "1 2 3 4 5 6", None),  # ranks, days or steps, for all that anybody says
        ("Damage", "1-5 6-10 11-15 16-20", None),
        ("d6", "1-3 4-5", None),  # no row for a 6
        ("2d6", "2-6 7-9 10+", None),  # a roll with a modifier
        ("d6", "1-3 3-6", None),
        ("１ｄ６", "１〜３ 4～5 ６", "1d6"),
        ("d6", "1/2 3&4 5—6", "d6"),
        ("d6", "1,3,5 2,4,6", "d6"),
        ("d6", "1,3,5 2,4", None),
    ],
)
def test_a_table_with_exactly_one_row_for_each_result_is_rolled_on(
    tmp_path: Path, head: str, numbers: str, dice: str | None
) -> None:
    found = roll_of(tmp_path, head, numbers)
    assert (found.dice if found else None) == dice


def test_the_dice_are_those_of_a_check_of_the_game(tmp_path: Path) -> None:
    found = roll_of(tmp_path, "Found", "2-6 7-11 12", COVER)
    assert found is not None
    assert (found.dice, [(row.low, row.high) for row in found.rows]) == ("2d6", [(2, 6), (7, 11), (12, 12)])


def test_dice_are_written_as_the_document_writes_them(tmp_path: Path) -> None:
    headed, counted = (roll_of(tmp_path, head, "1-2 3 4 5-6", language="de") for head in ("1d6", "Wurf"))
    assert headed is not None
    assert counted is not None
    assert (headed.shown, counted.shown) == ("1d6", "W6")


def test_a_title_that_names_dice_is_left_as_it_is() -> None:
    tables = game("fudge-1995").tables
    titles = ("A d6 for an NPC", "How much worse or better the NPC does")
    rolls = [game("fudge-1995").table_roll(tables[title]) for title in titles]
    assert [roll and roll.titled(title) for roll, title in zip(rolls, titles, strict=True)] == [
        "A d6 for an NPC",
        "How much worse or better the NPC does (d6)",
    ]
