"""``refgen check --coverage``: what it says, and when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import refgen
from refgen.cli import main
from tests.checks.small import CHECKS, write

MORE = ("## Crossing\n", "## Crossing\n\nTwo rivers meet here.\n")
STEPS = """
[checks.steps]
kind = "steps"
table = "depths"
column = "step"
"""

SUMMARY = """\
crossing: 25 numbers, 3 read and not checked, 1 unlisted
  compared   14  depths 6, facts 5, odds 3
  source      7  facts 4, odds 3
  read        3  depths 3
  unlisted    1
crossing/rules.md:3:1: unlisted: Two, in "Two rivers meet here."
crossing/rules.md:5:6: source: 2d6 (dice), of chance, range, planks, cover
"""


def project(folder: Path, *changes: tuple[str, str], checks: str = CHECKS) -> Path:
    write(folder / "content", *changes, checks=checks)
    (folder / "refgen.toml").write_text("", encoding="utf-8")
    return folder


def run(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", "--coverage", "--project", str(folder), *arguments])


def test_a_summary_by_tables_and_facts_then_every_number(tmp_path: Path) -> None:
    lines = run(project(tmp_path, MORE, checks=CHECKS.replace(STEPS, ""))).stdout.splitlines()
    assert lines[:7] == SUMMARY.splitlines()
    assert len(lines) == 5 + 25


@pytest.mark.slow
def test_strict_fails_where_a_number_is_unlisted_and_only_there(tmp_path: Path) -> None:
    bare = project(tmp_path / "bare", MORE)
    assert [run(bare).exit_code, run(bare, "--strict").exit_code] == [0, 1]
    said = project(tmp_path / "said", MORE, checks=CHECKS + '\n[ignored]\nremark = "Two rivers"\n')
    assert run(said, "--strict").exit_code == 0
    surplus = project(tmp_path / "surplus", checks=CHECKS + '\n[ignored]\nremark = "Two rivers"\n')
    result = run(surplus, "--strict")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1].endswith('unfound: "Two rivers" (remark) has no number that nothing reads')


def test_open_findings_still_fail(tmp_path: Path) -> None:
    assert run(project(tmp_path, ("58%", "59%"))).exit_code == 1


@pytest.mark.parametrize("known", ["sarif", "github"])
def test_formats_for_findings_are_refused(tmp_path: Path, known: str) -> None:
    result = run(project(tmp_path), "--format", known)
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, "Error: --coverage is shown as text or json")


def test_a_coverage_can_be_written_down(tmp_path: Path) -> None:
    folder = project(tmp_path, MORE)
    found = refgen.project(folder).games["crossing"].coverage()
    assert repr(found) == "<Coverage crossing: 25 numbers, 1 open>"
    assert str(found).splitlines() == run(folder).stdout.splitlines()
    assert json.loads(found.to_json()) == json.loads(run(folder, "--format", "json").stdout)


def test_what_cannot_be_read_is_unlisted_and_hides_nothing_else(tmp_path: Path) -> None:
    result = run(project(tmp_path, ("25%", "a quarter")))
    assert result.exit_code == 2
    assert result.stderr.startswith('crossing/rules.md:8:10: "a quarter" is not a percentage')
    lines = result.stdout.splitlines()
    assert lines[0] == "crossing: 23 numbers, 0 read and not checked, 5 unlisted"
    assert "crossing/rules.md:16:18: compared: 3 (depths.step), by steps" in lines
