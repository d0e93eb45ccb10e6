"""What a document without a system.toml shows of itself: row numbers, columns that rise, chances of dice."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import refgen
from refgen.checks.dice import chance_findings
from refgen.checks.document_tables import document_report
from refgen.checks.finding import Severity
from refgen.cli import main
from tests.conftest import SYSTEMS

FOREIGN = Path(__file__).resolve().parents[3] / "shared" / "foreign"


def document(folder: Path, head: str, *rows: str, title: str = "Things") -> Path:
    columns = head.count("|") + 1
    lines = [head, "|".join(["---"] * columns), *rows]
    path = folder / "rules.md"
    path.write_text(f"# {title}\n\n" + "\n".join(f"| {line} |" for line in lines) + "\n", encoding="utf-8")
    return path


def told(path: Path) -> list[tuple[str, str]]:
    """What is told of a document: each print, and what would do."""
    return [(finding.printed, finding.computed) for finding in document_report(refgen.read(path)).findings]


PAIRS = " ".join(f"{low}{high}" for low in range(1, 7) for high in range(low, 7))
"""The results of two dice of six of which the lower stands first."""


@pytest.mark.parametrize(
    ("title", "head", "numbers", "expected"),
    [
        ("a die of six", "d6", "1 2 3 4 5 6", []),
        ("ranges of a d20", "d20", "1-5 6-13 14-17 18-20", []),
        ("percentile dice", "D%", "01-30 31-60 61-90 91-00", []),
        ("dice read as digits", "d66", "11-16 21-26 31-36 41-46 51-56 61-66", []),
        ("beyond two dice, for modifiers", "2d6", "0 1 2 3 4 5 6 7 8 9 10 11 12 13", []),
        ("without end", "Roll 2d6", "2- 3-5 6-8 9-11 12+", []),
        ("dice with a number that nobody knows", "d6 + Level", "3 4 5 6 7 8", []),
        ("a ten that is printed as 0", "d10", "1 2 3 4 5 6 7 8 9 0", []),
        ("a ten that is printed as 0, without a die", "#", "1 2 3 4 5 6 7 8 9 0", []),
        ("a number twice", "d6", "1 2 3 3 5 6", [("3", "4")]),
        ("a number lost", "d6", "1 2 4 5 6", [("4", "3")]),
        ("a last number too high", "d6", "1 2 3 4 5 7", [("7", "6")]),
        ("a range too long", "d20", "1-5 6-13 14-17 18-21", [("18-21", "a row of 1 to 20")]),
        ("a range too short", "d20", "1-5 6-13 14-17 18-19", [("18-19", "20")]),
        ("ranges that overlap", "d20", "1-5 5-13 14-17 18-20", [("5-13", "another number")]),
        ("ranges with a gap", "2d6", "2 3-5 7-8 9-11 12", [("7-8", "6")]),
        ("no dice, in a row", "No.", "1 2 3 4 5 6", []),
        ("no dice, one wrong", "No.", "1 2 3 3 5 6", [("3", "4 after 3")]),
        ("no dice, one lost", "No.", "1 2 3 5 6 7", [("5", "4 after 3")]),
        ("no numbers of rows", "TL", "5 8 11 14 15 20", []),
        ("something else", "d6 damage", "10 20 30 40", []),
        ("two dice of which the lower stands first", "d66", PAIRS, []),
        ("the same in ranges", "D66", "11-16 22-26 33-36 44-46 55-56 66", []),
        ("two dice of which the higher stands first", "d66", "11 21-22 31-33 41-44 51-55 61-66", []),
        ("a pair lost", "d66", PAIRS.replace("34 ", ""), [("35", "34")]),
        ("a pair twice", "d66", PAIRS.replace("34", "35"), [("35", "34")]),
        ("a range of pairs too short", "d66", "11-16 22-26 33-35 44-46 55-56 66", [("44-46", "36")]),
        ("some results alone", "2d6", "2 7 12", []),
        ("bounds", "2d6", "6+ 8+ 10+", []),
        ("half of the results, in a row", "d6", "1 2 3", [("3", "4, 5, 6")]),
        ("no dice, numbers that skip at the end", "Level", "1 2 3 4 5 6 8 10", []),
        ("no dice, numbers that skip on the way", "Level", "1 2 3 4 6 8 9 10", []),
        ("no dice, one lost before numbers that skip", "Level", "1 2 3 5 6 7 9 11", [("5", "4 after 3")]),
        ("no dice, numbers that skip at both ends", "Factor", "0 2 4 5 6 7 9+", []),
        ("no dice, a larger step", "Level", "1 2 3 5 6 7", [("5", "4 after 3")]),
        ("how the numbers go on", "Strength", "1 2 3 4 5 6 7 8 +10", []),
        ("how larger numbers go on", "Strength", "10 12 15 19 24 30 37 45 +10", []),
        ("a further roll in a row", "d6", "1 2-3 1-3 4-6 4-6", []),
        ("a further roll that lacks a result", "d6", "1 2-3 1-3 5-6 4-6", [("5-6", "4")]),
        ("one table behind the other", "d6", "1 2 3 4 5 6 1-3 4-6", []),
    ],
)
def test_row_numbers_cover_their_die_once(
    title: str, head: str, numbers: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    rows = [f"{number} | thing {chr(97 + place)}" for place, number in enumerate(numbers.split())]
    found = told(document(tmp_path, f"{head} | Thing", *rows))
    assert found == expected, title


GERMAN = (
    "Wer den Weg verliert, der würfelt. In diesem Spiel ist jeder eine Person, und die Spielleitung sagt, was in der "
    "Stadt geschieht. Wenn es nicht leicht ist, wird mit zwei Würfeln geworfen und der Wert der Fertigkeit addiert."
)


@pytest.mark.parametrize(
    ("head", "cells", "expected"),
    [
        ("W6", ["1", "2 bis 3", "ab 4"], []),
        ("W6", ["1", "2 bis 3", "3 bis 5", "6"], [("3 bis 5", "another number")]),
        ("Aussicht (2W6)", ["41,7 %", "58,3 %"], []),
        ("Aussicht (2W6)", ["41,7 %", "43,0 %"], [("43,0 %", "41.7% or 44.4%")]),
    ],
)
def test_a_document_is_checked_in_its_language(
    head: str, cells: list[str], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    path = document(tmp_path, f"{head} | Ding", *(f"{cell} | Ding {chr(97 + at)}" for at, cell in enumerate(cells)))
    assert told(path) == []
    path.write_text(path.read_text(encoding="utf-8").replace("\n\n", f"\n\n{GERMAN}\n\n", 1), encoding="utf-8")
    assert told(path) == expected


@pytest.mark.parametrize(
    ("title", "head", "rows", "expected"),
    [
        ("some results with chances", "2d6 | Chance", ["2 | 2.8%", "3 | 5.6%", "12 | 2.8%"], []),
        ("bounds with chances", "2d6 | Chance", ["6+ | 72%", "8-9 | 25%", "10+ | 17%"], []),
        ("chances as fractions", "2d6 | Ways", ["2 | 1/36", "3 | 2/36", "12 | 1/36"], []),
        ("chances in words", "2d6 | Odds", ["2 | 1 in 36", "3 | 2 in 36"], []),
        (
            "a result lost among chances",
            "d6 | Chance",
            [f"{number} | 17%" for number in (1, 2, 4, 5, 6)],
            [("4", "3")],
        ),
        ("subheads", "d6 | Thing", ["**Low** |", "1-2 | a", "3 | b", "**High** |", "4 | c", "5-6 | d"], []),
        ("a row lost under a subhead", "d6 | Thing", ["**Low** |", "1-3 | b", "**High** |", "5-6 | d"], [("5-6", "4")]),
        ("a head again", "d6 | Thing", ["1 | a", "2-3 | b", "d6 | Thing", "4-6 | c"], []),
        ("a row lost behind a head", "d6 | Thing", ["1 | a", "2-3 | b", "d6 | Thing", "5-6 | c"], [("5-6", "4")]),
    ],
)
def test_rows_may_be_some_results_or_no_data(
    title: str, head: str, rows: list[str], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert told(document(tmp_path, head, *rows)) == expected, title


@pytest.mark.parametrize(
    ("title", "first", "second", "expected"),
    [
        ("going on", "d6 1 2 3", "d6 4 5 6", []),
        ("a row lost in between", "d6 1 2 3", "d6 5 6", [("5", "4")]),
        ("without dice", "No. 1 2 3 4", "No. 5 6 7 8", []),
        ("two tables", "d6 1 2 3 4 5 6", "d6 1 2 3 4 5 6", []),
        ("other dice", "d6 1 2 3", "d4 1 2 3 4", [("3", "4, 5, 6")]),
    ],
)
def test_a_table_goes_on_behind_the_break_of_a_page_with_its_head_again(
    title: str, first: str, second: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    tables = []
    for dice, *numbers in (first.split(), second.split()):
        tables.append(f"| {dice} | Thing |\n|--|--|\n" + "\n".join(f"| {number} | a thing |" for number in numbers))
    path = tmp_path / "rules.md"
    path.write_text("# Things\n\n" + "\n\n17\n\n".join(tables) + "\n", encoding="utf-8")
    assert told(path) == expected, title


def test_a_cell_that_spans_two_rows_is_one_row_number(tmp_path: Path) -> None:
    path = tmp_path / "rules.html"
    rows = "<tr><td>1</td><td>a</td></tr><tr><td rowspan=2>2-3</td><td>b</td></tr><tr><td>c</td></tr>"
    more = "<tr><td colspan=2>A note below the table.</td></tr>"
    head = "<tr><th>d6</th><th>Thing</th></tr>"
    path.write_text(f"<h1>Things</h1><table>{head}{rows}{more}</table>", encoding="utf-8")
    assert told(path) == [("2-3", "4, 5, 6")]
    path.write_text(path.read_text(encoding="utf-8").replace("2-3", "2-6"), encoding="utf-8")
    assert told(path) == []


def test_a_folded_table_is_one(tmp_path: Path) -> None:
    rows = [f"{one} | a | {one + 3} | b | {one + 6} | c" for one in (1, 2, 3)]
    assert told(document(tmp_path, "d9 | A | d9 | B | d9 | C", *rows)) == []
    assert told(document(tmp_path, "d10 | A | d10 | B | d10 | C", *rows)) == [("9", "10")]
    whole = [f"{one} | a | {one + 4} | b | {one + 8} | c" for one in (1, 2, 3, 4)]
    assert told(document(tmp_path, "| A | | B | | C", *whole)) == []
    assert told(document(tmp_path, "| A | | B | | C", *whole[:-1])) == [("5", "4 after 3")]


@pytest.mark.parametrize(
    ("title", "numbers", "expected"),
    [
        ("all rise", "1 3 4 10 12 20 21 30", []),
        ("one too low", "1 3 4 10 12 2 21 30", [("2", "more than 12")]),
        ("one too high", "1 3 4 10 42 20 21 30", [("42", "more than 10")]),
        ("too few to tell", "1 3 4 10 2", []),
        ("two blocks", "1 3 4 10 1 3 4 10", []),
        ("no way at all", "5 3 9 1 7 2 8 4", []),
        ("one that does not fall", "30 21 20 12 10 11 3 1", [("11", "another number")]),
    ],
)
def test_a_column_rises_everywhere_or_nowhere(
    title: str, numbers: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    rows = [f"thing {chr(97 + place)} | {number}" for place, number in enumerate(numbers.split())]
    path = document(tmp_path, "Thing | Cost", *rows)
    assert told(path) == expected, title
    assert {finding.severity for finding in document_report(refgen.read(path)).findings} <= {Severity.QUESTION}


@pytest.mark.parametrize(
    ("title", "head", "chances", "expected"),
    [
        ("chances of one die, rounded in any way", "d6", "16% 17% 33% 34% 50% 83.3% 100%", []),
        ("no chance of one die", "d6", "17% 35% 50%", [("35%", "33% or 50%")]),
        ("chances of two dice", "Chance (2d6)", "2.8% 8.3% 41.7% 58.3%", []),
        ("no chance of two dice", "Chance (2d6)", "2.8% 8.4% 43.0%", [("43.0%", "41.7% or 44.4%")]),
        ("a chance of twenty sides", "d20", "5% 12% 95%", [("12%", "10% or 15%")]),
        ("too many ways to tell", "4d6", "1% 2% 37%", []),
        ("no dice", "Chance", "17% 35% 50%", []),
    ],
)
def test_percentages_are_chances_of_their_dice(
    title: str, head: str, chances: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    rows = [f"thing {chr(97 + place)} | {chance}" for place, chance in enumerate(chances.split())]
    path = document(tmp_path, f"Thing | {head}", *rows)
    found = [finding for finding in document_report(refgen.read(path)).findings if finding.kind == "chance"]
    assert [(finding.printed, finding.computed) for finding in found] == expected, title
    assert list(chance_findings("none", [])) == []


def read(path: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["read", str(path), "--check", *options])


def test_the_command_tells_each_place_and_exits_with_1_for_findings(tmp_path: Path) -> None:
    path = document(tmp_path, "d6 | Thing", *(f"{number} | thing" for number in (1, 2, 3, 3, 5, 6)))
    done = read(path)
    assert done.exit_code == 1
    assert f"{path}:8:3: warning: Things, row 3, column d6: printed 3, expected 4." in done.stdout
    data = json.loads(read(path, "--format", "json").stdout)
    assert [(one["kind"], one["span"]["line"], one["severity"]) for one in data["findings"]] == [
        ("structure", 8, "warning")
    ]
    sound = document(tmp_path, "d6 | Thing", *(f"{number} | thing" for number in range(1, 7)))
    assert read(sound).exit_code == 0
    assert read(sound, "--format", "toml").exit_code == 2


def test_the_command_says_how_many_of_the_tables_with_dice_are_checked(tmp_path: Path) -> None:
    tables = [
        "| d6 | Thing |\n|--|--|\n" + "\n".join(f"| {number} | thing |" for number in range(1, 7)),
        "| Thing | Chance (2d6) |\n|--|--|\n| lamp | 17% |",
        "| d6 | Thing |\n|--|--|\n| low | a lamp |\n| high | a rope |",
        "| d6 | Thing |\n|--|--|\n| 1-3 |\n| 4-6 | a rope | and a lamp |",
        "| d8 damage | Weapon |\n|--|--|\n| 10 | pike |\n| 20 | sword |",
        "| Damage | d4 | d6 | d8 |\n|--|--|--|--|\n| Fire | 10 gp | 20 gp | 30 gp |",
        "| Weapon | Damage |\n|--|--|\n| pike | d8 |",
    ]
    path = tmp_path / "rules.md"
    path.write_text("# Things\n\n" + "\n\n".join(tables) + "\n", encoding="utf-8")
    assert "rules.md: 3 of 5 tables with dice checked; " in read(path).stdout
    extent = {"counted": "tables with dice", "compared": 3, "total": 5}
    assert json.loads(read(path, "--format", "json").stdout)["summary"][0]["extent"] == extent


def test_a_chance_that_nothing_compares_is_a_note_of_a_game(tmp_path: Path) -> None:
    folder = tmp_path / "luck"
    folder.mkdir()
    document(folder, "Thing | 2d6", "lamp | 17%", "rope | 40%")
    (folder / "system.toml").write_text(
        'title = "Luck"\nabout = "Chances."\ndocument = "rules.md"\naccent = "#123456"\nsource = "made for the tests"\n'
        '[tables.odds]\ntitle = "Odds"\nheader = ["Thing", "2d6"]\n'
        'columns = [{ id = "thing" }, { id = "chance", title = "2d6", type = "percent" }]\n',
        encoding="utf-8",
    )
    report = refgen.load(folder).check()
    assert [(one.kind, one.printed, one.severity) for one in report.findings] == [("chance", "40%", Severity.QUESTION)]
    assert report.open == ()


@pytest.mark.parametrize("system", SYSTEMS)
def test_our_own_documents_are_told_nothing_of(system: str) -> None:
    folder = Path(refgen.__file__).parents[1] / "content" / system
    named = re.search(r'document = (?:\{ file = )?"([^"]+)"', (folder / "system.toml").read_text(encoding="utf-8"))
    assert named is not None
    assert document_report(refgen.read(folder / named[1])).findings == ()


@pytest.mark.slow
@pytest.mark.skipif(not FOREIGN.is_dir(), reason="the documents of other people are not here")
@pytest.mark.parametrize(
    ("files", "tables", "wrong", "asked"),
    [
        ("*/*.md", 150, [("cairn-russian.md", "6")], ["Agility", "Wit"]),
        pytest.param("*/*.html", 200, [], ["Probe", "Agility", "Wit"], marks=pytest.mark.soak),
    ],
)
def test_documents_of_other_people_are_told_one_thing_that_is_wrong(
    files: str, tables: int, wrong: list[tuple[str, str]], asked: list[str]
) -> None:
    documents = [refgen.read(path) for path in sorted(FOREIGN.glob(files))]
    assert sum(len(one.tables) for one in documents) > tables
    found = [finding for one in documents for finding in document_report(one).findings]
    assert [(Path(one.span.file).name, one.printed) for one in found if one.is_open] == wrong
    assert [one.printed for one in found if one.is_asked] == asked  # names that stand twice
