"""``--strict``: what counts besides open findings are questions; remarks never count, nor does what is accepted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refgen.cli import main
from tests.checks.small import CHECKS, write
from tests.conftest import SYSTEMS

LINE = "Two boats carry"
"""Words of the document before which a case puts a paragraph of its own."""

ODDS = """
[tables.signs]
title = "Signs on 2d6"
header = ["2d6", "Chance"]
columns = [{ id = "roll", type = "number" }, { id = "chance", type = "percent" }]
"""
SIGNS = "\n\n2d6 | Chance\n--- | ---\n7 | %s\n12 | 3%%\n\n"
SHORT = "\n\n| 2d6 | Chance |\n|---|---|\n| 7 | 17% |\n| 12 |\n\n"
READ = """
[tables.read]
title = "Read"
header = ["Band"]
columns = [{ id = "band", type = "interval", read = { "+7" = "7.." } }]
"""

QUESTIONS = {
    "a chance that its dice cannot give": (SIGNS % "15%", ODDS, "chance/signs/7/chance"),
    "a row without a cell": (SHORT, ODDS, "defects/uneven-row/signs/12"),
    "lines that are no table": ("\n\nSign | Odds\nHeron | 1\n\n", "", "faults/sign"),
    "code": ("\n\n```\nHeron 1\n```\n\n", "", "faults/heron-1"),
}
REMARKS = {
    "a print that system.toml reads as something else": (
        "\n\n| Band |\n|---|\n| +7 |\n\n",
        READ,
        "readings/read/+7/band",
    ),
    "a defect that system.toml names": (
        "Mind the the gap. ",
        '[defects.twice]\ntitle = "a word twice"\ntext = "the the gap"\nrepair = "the gap"\n',
        "defects/twice",
    ),
    "a link that pages leave out": ("Mind [the gap](ftp://gap). ", "", "links/1"),
    "words that are no rules": ("\n\n<nav>Mind the gap.</nav>\n\n", "", "faults/mind-the-gap"),
}


def project(folder: Path, before: str, entries: str = "", *changes: tuple[str, str], errata: str = "") -> Path:
    """A project with the game, a paragraph before a line of its document, and more entries."""
    write(folder, (LINE, f"{before}{LINE}"), *changes, checks=CHECKS + entries, errata=errata)
    (folder / "refgen.toml").touch()
    return folder


def check(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["check", "--project", str(folder), *options], catch_exceptions=False)


def findings(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(check(folder, "--format", "json").stdout)["findings"]
    return found


@pytest.mark.parametrize(("before", "entries", "name"), QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_counts_when_strict_until_it_is_answered(
    tmp_path: Path, before: str, entries: str, name: str
) -> None:
    folder = project(tmp_path, before, entries)
    assert [(one["id"], one["severity"]) for one in findings(folder)] == [(name, "question")]
    assert (check(folder).exit_code, check(folder, "--strict").exit_code) == (0, 1)
    assert check(folder, "--accept", name, "--reason", "It is meant so.").exit_code == 0
    assert check(folder, "--strict").exit_code == 0
    assert "accepted: " in check(folder).stdout
    assert "Accepted: It is meant so. [" in check(folder).stdout


@pytest.mark.parametrize(("before", "entries", "name"), REMARKS.values(), ids=REMARKS)
def test_a_remark_never_counts_and_there_is_nothing_to_accept(
    tmp_path: Path, before: str, entries: str, name: str
) -> None:
    folder = project(tmp_path, before, entries)
    assert [(one["id"], one["severity"]) for one in findings(folder)] == [(name, "remark")]
    assert (check(folder).exit_code, check(folder, "--strict").exit_code) == (0, 0)
    assert f"{name} is nothing to accept" in check(folder, "--accept", name, "--reason", "So be it.").stderr


def test_an_answer_lapses_with_what_it_answered(tmp_path: Path) -> None:
    folder = project(tmp_path, SIGNS % "15%", ODDS)
    check(folder, "--accept", "chance/signs/7/chance", "--reason", "It is meant so.")
    rules = folder / "crossing" / "rules.md"
    rules.write_text(rules.read_text(encoding="utf-8").replace("15%", "10%"), encoding="utf-8")
    assert check(folder).exit_code == 0
    lapsed = check(folder, "--strict")
    assert (lapsed.exit_code, "Its erratum lapsed" in lapsed.stdout) == (1, True)


def test_a_finding_that_is_accepted_never_counts(tmp_path: Path) -> None:
    folder = project(tmp_path, "", "", ("hold 6", "hold 7"))
    assert (check(folder).exit_code, check(folder, "--strict").exit_code) == (1, 1)
    check(folder, "--accept", "hold", "--reason", "The ferryman stands.")
    assert (check(folder).exit_code, check(folder, "--strict").exit_code) == (0, 0)


def test_every_format_tells_questions_from_remarks(tmp_path: Path) -> None:
    before = REMARKS["a link that pages leave out"][0] + SIGNS % "15%"
    folder = project(tmp_path, before, ODDS)
    lines = check(folder).stdout.splitlines()
    assert sorted(line.split(": ")[1] for line in lines[:2]) == ["question", "remark"]
    assert (
        lines[-1]
        == "crossing: 17 of 29 numbers compared; 15 comparisons, 15 agree, 0 rounding, 0 accepted, 0 open, 1 question"
    )
    assert json.loads(check(folder, "--format", "json").stdout)["summary"][0]["questions"] == 1
    (run,) = json.loads(check(folder, "--format", "sarif").stdout)["runs"]
    levels = {result["ruleId"]: (result.get("kind"), result["level"]) for result in run["results"]}
    assert levels == {"chance": (None, "note"), "link": ("informational", "none")}
    notices = [line for line in check(folder, "--format", "github").stdout.splitlines() if line.startswith("::notice ")]
    assert sorted(line.split("::")[2].split(": ")[0] for line in notices) == ["question", "remark"]


@pytest.mark.slow
def test_a_strict_build_fails_for_a_question_and_passes_once_it_is_answered(tmp_path: Path) -> None:
    folder = project(tmp_path, SIGNS % "15%", ODDS)
    build = ["build", "--project", str(folder), "-o", str(tmp_path / "out"), "--only", "data", "--jobs", "1"]
    loose, strict = (CliRunner().invoke(main, [*build, *more]) for more in ((), ("--strict",)))
    assert (loose.exit_code, strict.exit_code) == (0, 1)
    assert "1 question (refgen check shows all)" in strict.stdout
    check(folder, "--accept", "chance/signs/7/chance", "--reason", "It is meant so.")
    assert CliRunner().invoke(main, [*build, "--strict"]).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_bundled_games_have_no_question(system: str) -> None:
    assert CliRunner().invoke(main, ["check", system, "--strict"]).exit_code == 0
