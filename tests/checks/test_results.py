"""A fault hides no other finding."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

import refgen
from refgen.checks.finding import CheckReport, FindingKind, Severity
from refgen.cli import main
from refgen.errors import FileErrors, RefgenError
from refgen.files import bundled_folder
from refgen.game import SystemSpec
from refgen.rules.load import load_ruleset
from tests.checks.small import CHECKS, SPEC, checked, write

HALF = ("50%", "half")
"""A cell of the table of odds that is no percentage."""


def not_compared(report: CheckReport) -> list[tuple[str, str, str]]:
    """The checks that could not compare, each with its place and why."""
    findings = [found for found in report.findings if found.kind is FindingKind.NOT_COMPARED]
    assert all((found.severity, found.is_open) == (Severity.ERROR, True) for found in findings)
    return [(found.id, str(found.span).removeprefix("crossing/rules.md:"), found.rule) for found in findings]


def test_one_bad_cell_leaves_the_other_tables(tmp_path: Path) -> None:
    report = checked(tmp_path, HALF, ("hold 6", "hold 7"))
    (error,) = report.errors
    assert str(error.span) == "crossing/rules.md:9:10"
    assert not_compared(report) == [("mirror", "9:10", error.message), ("rising", "9:10", error.message)]
    assert [finding.id for finding in report.findings if finding.kind is FindingKind.NUMBER] == ["hold"]


def test_a_sentence_that_is_not_there_leaves_the_other_facts(tmp_path: Path) -> None:
    report = checked(tmp_path, ("so they hold 6", "a load of 6"))
    (error,) = report.errors
    assert error.message == 'the fact "hold" is not in the document'
    assert [name for name, _, _ in not_compared(report)] == ["hold"]
    assert report.compared == 14


def test_a_typo_leaves_the_other_values_of_its_sentence_whole(tmp_path: Path) -> None:
    spec = SPEC.replace("gives {range}.", "Roll {again} to cross the river, which gives {range}.").replace(
        "[facts]", '[facts]\nagain = { title = "Dice again", type = "dice" }'
    )
    folder = write(tmp_path, ("Roll 2d6", "Roll 2e6"))
    (folder / "system.toml").write_text(spec, encoding="utf-8")
    ruleset = load_ruleset(folder, SystemSpec, partial=True)
    assert {str(error.span) for error in ruleset.errors} == {"crossing/rules.md:3:6"}
    assert ruleset.facts["range"].text == "2 to 12"


def test_a_table_of_dice_that_cannot_be_read_is_reported_once(tmp_path: Path) -> None:
    entries = "".join(
        f'\n[derived.by-{name}]\nkind = "grid"\ntitle = "By {name}"\nrule = "as the odds say"\n'
        f'rows = [{{ id = "margin", numbers = [0] }}]\n'
        f'columns = [{{ id = "odds", title = "Odds", formula = "{formula}" }}]\n'
        for name, formula in (
            ("chances", "chance(chances(odds) >= {margin})"),
            ("cell", "at({odds.margin}, 0, {odds.odds})"),
        )
    )
    report = checked(tmp_path, HALF, checks=entries)
    assert [str(error.span) for error in report.errors] == ["crossing/rules.md:9:10"]


def test_all_that_is_wrong_is_reported_at_once(tmp_path: Path) -> None:
    folder = write(tmp_path, HALF, ("6-8 ", "6to8"), ("so they hold 6", "a load of 6"))
    with pytest.raises(FileErrors) as caught:
        load_ruleset(folder, SystemSpec)
    assert [str(error.span) for error in caught.value.errors] == [
        "crossing/system.toml:25:1",
        "crossing/rules.md:9:10",
        "crossing/rules.md:15:10",
    ]


def test_what_cannot_be_read_says_so_when_it_is_asked_for_and_is_left_out_else(tmp_path: Path) -> None:
    ruleset = load_ruleset(write(tmp_path, HALF), SystemSpec, partial=True)
    assert list(ruleset.tables) == ["depths"]
    assert "odds" in ruleset.tables
    with pytest.raises(RefgenError, match="half") as caught:
        ruleset.tables["odds"]
    assert ruleset.errors == (caught.value,)


@pytest.mark.parametrize("name", ["depths", "Depths", "Depths!"])
def test_a_table_of_a_project_that_cannot_be_read_says_why_by_whatever_name(tmp_path: Path, name: str) -> None:
    system = write(tmp_path / "content", ("| 6-8 ", "| six "))
    title = "Depths!" if name == "Depths!" else "Depths"
    text = (system / "system.toml").read_text(encoding="utf-8").replace('title = "Depths"', f'title = "{title}"')
    (system / "system.toml").write_text(text, encoding="utf-8")
    (tmp_path / "refgen.toml").touch()
    tables = refgen.project(tmp_path).partial["crossing"].tables
    assert list(tables) == ["odds"]
    with pytest.raises(refgen.RefgenError, match='"six" is not a range'):
        tables[name]


UNREAD_TABLES = [
    ("interactive-history", "details.md", "Result | Success value", "Zork | Success value"),
    ("interactive-history", "system.toml", 'Number of actions"\nnth = 1', 'Nowhere"\nnth = 1'),
    ("polyhedral-fudge", "polyhedral-fudge.txt", "13-16 Incapacitated", "Incapacitated 13-16"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("system", "file", "old", "new"), UNREAD_TABLES)
def test_an_aid_that_shows_a_table_that_cannot_be_read_adds_no_error_of_its_own(
    tmp_path: Path, system: str, file: str, old: str, new: str
) -> None:
    copy = copytree(bundled_folder("content") / system, tmp_path / "content" / system)
    (tmp_path / "refgen.toml").touch()
    text = (copy / file).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (copy / file).write_text(text.replace(old, new), encoding="utf-8")
    result = CliRunner().invoke(main, ["check", "--project", str(tmp_path)], catch_exceptions=False)
    assert result.exit_code == 2
    assert result.stdout.splitlines()[-1].endswith(" 1 error"), result.stderr


BROKEN = """
[derived.broken]
kind = "odds"
title = "Broken"
dice = "{boats}d6"

[derived.upon]
kind = "grid"
title = "Upon it"
rule = "What the other says."
rows = [{ id = "total", of = "broken.total" }]
columns = [{ id = "same", title = "Same", formula = "{total}" }]

[checks.broken]
kind = "compare"
printed = "odds"
computed = "broken"
key = "margin"
columns = { odds = "exactly" }
rule = "the odds"

[checks.upon]
kind = "compare"
printed = "odds"
computed = "upon"
key = "margin"
columns = { odds = "same" }
rule = "the odds"
"""


def test_a_computed_table_that_fails_is_reported_once_with_what_it_takes_from_the_document(tmp_path: Path) -> None:
    report = checked(tmp_path, ("Two boats", "0 boats"), checks=BROKEN)
    (error,) = report.errors
    assert str(error.span).startswith("crossing/system.toml:")
    assert "It takes boats from crossing/rules.md:4:1." in error.hint
    place = "6:1"
    assert not_compared(report) == [("broken", place, error.message), ("upon", place, error.message)]
    rests_on = ["4:1", "6:1"]
    for finding in report.findings:
        cause, *document = finding.sources
        assert cause == error.span
        assert sorted(f"{span.line}:{span.column}" for span in document) == rests_on


def test_a_check_that_is_wrong_itself_leaves_the_others(tmp_path: Path) -> None:
    report = checked(tmp_path, ("2 to 12", "2 to 11"), checks=CHECKS.replace("{boats} * {seats}", "{boots} * {seats}"))
    (error,) = report.errors
    assert "boots" in error.message
    assert [(finding.id, finding.kind) for finding in report.findings] == [
        ("hold", FindingKind.NOT_COMPARED),
        ("range", FindingKind.NUMBER),
    ]


ACTION = """
[ladders.depth]
table = "depths"
level = "depth"
value = "step"

[actions.wade]
title = "Wade"
roll = "{dice} + {trait}"
trait = { id = "trait", ladder = "depth" }
difficulty = { id = "difficulty", ladder = "depth" }
bands = { of = "depths.depth", range = "rolls" }

[rolls.splash]
title = "Splash"
roll = "{dice} + 1"
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('"trait", ladder = "depth"', '"trait", ladder = "dept"', 32, 'there is no ladder "dept". Did you mean depth?'),
        (
            '"trait", ladder = "depth"',
            '"trait", of = "depth.step"',
            32,
            'there is no table "depth". Did you mean depths?',
        ),
        ('"trait", ladder = "depth"', '"trait", of = "depths.stride"', 32, '"depths.stride" is no column.'),
        (
            '"trait", ladder = "depth"',
            '"trait", of = "depths.depth"',
            32,
            "is no number, and a formula asks for {trait}",
        ),
        ('"difficulty", ladder = "depth"', '"difficulty", ladder = "d"', 32, 'there is no ladder "d".'),
        ("{dice} + {trait}", "{dise} + {trait}", 32, 'the words name "dise", which is no fact. Did you mean dice?'),
        ("{dice} + {trait}", "{trait}", 32, "there are no dice in it"),
        ("depths.depth", "depths.width", 32, 'table "depths" has no column "width"'),
        ('range = "rolls"', 'range = "step"', 32, "is not a range of results"),
        (
            'id = "trait"',
            'id = "skill"',
            32,
            "{trait} is called by the id of its axis: {skill}",
        ),
        ("{dice} + 1", "{dise} + 1", 39, 'a formula asks for "dise", which is not there'),
    ],
)
def test_an_action_or_a_roll_that_names_what_is_not_there_is_reported_at_its_entry(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    def check(text: str) -> tuple[int, str]:
        (system / "system.toml").write_text(SPEC + text, encoding="utf-8")
        result = CliRunner().invoke(main, ["check", "--project", str(tmp_path)], catch_exceptions=False)
        return result.exit_code, result.stderr.replace("\n  hint: ", ". ")

    system = write(tmp_path / "content")
    (tmp_path / "refgen.toml").touch()
    assert check(ACTION) == (0, "")
    assert ACTION.count(old) == 1
    code, shown = check(ACTION.replace(old, new))
    assert code == 2
    (error,) = shown.splitlines()
    assert error.startswith(f"crossing/system.toml:{line}:1: ")
    assert message in error


def test_a_matrix_of_an_action_that_is_wrong_adds_no_error_of_its_own(tmp_path: Path) -> None:
    matrix = '\n[derived.odds-of]\nkind = "matrix"\ntitle = "Odds"\naction = "wade"\n'
    system = write(
        tmp_path / "content",
        checks=CHECKS + ACTION.replace('"trait", ladder', '"trait", reverse = true, ladder') + matrix,
    )
    (tmp_path / "refgen.toml").touch()
    assert refgen.project(tmp_path).check("crossing").errors == ()
    text = (system / "system.toml").read_text(encoding="utf-8").replace("{dice} + {trait}", "{dise} + {trait}")
    (system / "system.toml").write_text(text, encoding="utf-8")
    (error,) = refgen.project(tmp_path).check("crossing").errors
    assert str(error.span) == "crossing/system.toml:32:1"
