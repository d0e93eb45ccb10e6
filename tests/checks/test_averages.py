"""Printed averages: a number in brackets behind dice, or before dice in brackets, is the mean of the dice."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import refgen
from refgen.checks.document_tables import document_report
from refgen.checks.finding import Severity
from refgen.cli import main


def told(folder: Path, text: str) -> list[tuple[str, str, int]]:
    """Each average that is told of a document: its print, what would do, and its line."""
    path = folder / "rules.md"
    path.write_text(f"# Rules\n\n{text}\n", encoding="utf-8")
    report = document_report(refgen.read(path))
    assert {finding.severity for finding in report.findings} <= {Severity.QUESTION}
    return [(one.printed, one.computed, one.span.line) for one in report.findings]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("behind dice", "A goblin has 2d8+2 (19) hits.", [("19", "11")]),
        ("before dice", "Hit Points 19 (2d8+2)", [("19", "11")]),
        ("with blanks and a minus", "Hit: 9 (1d8 − 1) damage", [("9", "3 or 4")]),
        ("with marks of emphasis", "**Hit Points** 19 (*2d8 + 2*)", [("19", "11")]),
        ("with a word", "It takes 3d6 (average 12) damage.", [("12", "10 or 11")]),
        ("of kept dice", "Roll 4d6kh3 (16).", [("16", "12 or 13")]),
        ("of several dice", "The dragon breathes 2d6+1d4+3 (15).", [("15", "12 or 13")]),
        ("of wide dice", "Damage is ２ｄ６ (8) and ３ｄ６－１ (9.5).", [("8", "7")]),
        ("of a product", "They find 2d4×10 (60) coins.", [("60", "50")]),
        ("in a list", "- wolf: 2d8+2 (11)\n- bear: 5d8+10 (22)", [("22", "32 or 33")]),
        ("rounded down, rounded up", "4 (1d8), 5 (1d8), 13 (3d8), 14 (3d8), 7 (2d6)", []),
        ("with a half", "4.5 (1d8), 4½ (1d8), 1d6 (3.5)", []),
        ("a wrong half", "4.5 (1d8) and 6.5 (2d6)", [("6.5", "7")]),
        ("a range", "It is worth 1–4 (1d4) coins.", []),
        ("a bonus", "Longsword +7 (1d8+3).", []),
        ("dice before dice", "Appearing: 1d6 (2d6).", []),
        ("half a die", "Hit dice ½d8 (2) or 1/2 d8 (2).", []),
        ("a list in the text", "(1) Roll 1d6 (2) add the trait (3) look below.", []),
        ("a roll in an example", "Ada rolls 2d6 (9) and adds 2.", []),
        ("no mean at all", "Dagger 1d4 (1), axe 1d6 (2), pike 1d10 (3).", []),
        ("a last part of more dice", "It takes 3d8 plus 2d6 (20).", []),
        ("dice without end", "Roll d6! (5).", []),
    ],
)
def test_a_number_beside_dice_is_their_mean(
    title: str, text: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert [found[:2] for found in told(tmp_path, text)] == expected, title


def test_a_column_of_other_numbers_has_no_averages(tmp_path: Path) -> None:
    rows = "\n".join(f"| {name} | {hits} | {weapon} |" for name, hits, weapon in BEASTS)
    table = f"| Beast | Hits | Weapon |\n|--|--|--|\n{rows}"
    assert told(tmp_path, table) == [("19", "11", 6)]


BEASTS = [
    ("wolf", "2d8+2 (11)", "1d4 (10)"),
    ("bear", "2d8+2 (19)", "1d6 (20)"),
    ("boar", "3d8+9 (22)", "1d8 (30)"),
]


def test_units_behind_averages_are_those_of_most(tmp_path: Path) -> None:
    lines = [f"{name}, {hits.replace(')', ' hp)')}, each 1d4 (2 rounds)." for name, hits, _ in BEASTS]
    assert [found[:2] for found in told(tmp_path, "\n\n".join(lines))] == [("19", "11")]
    assert told(tmp_path, "It lasts 1d4 (9 rounds).") == []


def test_averages_are_read_in_the_language_of_the_document(tmp_path: Path) -> None:
    german = (
        "Wer den Weg verliert, der würfelt. In diesem Spiel ist jeder eine Person, und die Spielleitung sagt, was in "
        "der Stadt geschieht. Wenn es nicht leicht ist, wird mit zwei Würfeln geworfen und der Wert addiert."
    )
    text = f"{german}\n\nEin Wolf hat 2W8+2 (19) Treffer und macht 1W8 (4,5) Schaden, im Mittel 2W6 (Durchschnitt 9)."
    assert [found[:2] for found in told(tmp_path, text)] == [("19", "11"), ("9", "7")]


SYSTEM = """\
title = "Luck"
about = "Beasts."
document = "rules.md"
accent = "#123456"
source = "made for the tests"

[tables.beasts]
title = "Beasts"
header = ["Beast", "Hits"]
columns = ["beast", "hits"]
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "luck"
    folder.mkdir()
    rows = "\n".join(f"| {name} | {hits} |" for name, hits, _ in BEASTS)
    text = f"# Beasts\n\nA boar rams for 9 (2d8).\n\n| Beast | Hits |\n|--|--|\n{rows}\n"
    (folder / "rules.md").write_text(text, encoding="utf-8")
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    return folder


def test_averages_of_a_game_are_compared_without_an_entry(game: Path) -> None:
    report = refgen.load(game).check()
    assert [(one.id, one.printed, one.computed, one.severity) for one in report.findings] == [
        ("averages/bear/2d8+2", "19", "11", Severity.QUESTION)
    ]
    assert (report.compared, report.agreeing) == (4, 3)
    assert report.extent is not None
    assert report.extent.compared == 4
    numbers = [entry for entry in refgen.load(game).coverage().entries if entry.by == ("averages",)]
    assert [(one.text, one.status) for one in numbers if one.text == "19"] == [("19", "compared")]


def test_an_average_is_accepted_as_any_number_and_stays_so_until_it_changes(game: Path) -> None:
    project = game.parent
    (project / "refgen.toml").write_text('content = "."\n', encoding="utf-8")
    (project / "content").mkdir()
    game.rename(project / "content" / "luck")
    (project / "refgen.toml").write_text("", encoding="utf-8")
    refgen.project(project).accept("luck", "averages/bear/2d8+2", "A strong one.")
    assert [one.id for one in refgen.project(project).check("luck").accepted] == ["averages/bear/2d8+2"]
    rules = project / "content" / "luck" / "rules.md"
    rules.write_text(rules.read_text(encoding="utf-8").replace("(19)", "(11)"), encoding="utf-8")
    (gone,) = refgen.project(project).check("luck").open
    assert gone.rule == "averages/bear/2d8+2 is no longer found; its erratum can go"


def test_the_command_tells_the_place_and_the_mean(tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_text("# Beasts\n\nA bear has 2d8+2 (19) hits.\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["read", str(path), "--check"])
    assert f"{path}:3:19: question: 2d8+2 (19): printed 19, by the pattern 11. Rule: the mean of 2d8+2." in done.stdout
