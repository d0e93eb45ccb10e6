"""docs/checks.md: its figures are those of the checks, and every kind of check is in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from refgen.bundle import bundled
from refgen.checks.comparison import Verdict
from refgen.checks.kinds import CHECK_KINDS
from refgen.checks.run import check
from refgen.export.check_text import report_lines
from tests.conftest import SYSTEMS, computed, ours
from tests.content.test_coverage import listed

DOCS = Path(__file__).resolve().parents[2] / "docs"


def text() -> str:
    return (DOCS / "checks.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return text().partition(f"## {title}\n")[2].partition("\n## ")[0]


def figures(system: str) -> list[str]:
    """A row of the table: numbers that follow, numbers compared, and what came of the comparisons."""
    report = check(ours(system), computed(system), bundled("content") / system)
    places = {judged.comparison.subject.span for judged in report.judged if judged.comparison.subject.row}
    restated = sum(reason.startswith("restatement") for _, reason in listed(system))
    differ = sum(judged.verdict is Verdict.DIFFERS for judged in report.judged)
    counts = [len(places) + restated, len(places), report.compared, report.agreeing, report.rounding, differ]
    return [str(count) for count in (*counts, len(report.accepted), len(report.open))]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_figures_of_a_document_are_true(system: str) -> None:
    (row,) = re.findall(rf"^\| {re.escape(ours(system).title)} \|(.*)\|$", text(), re.MULTILINE)
    assert [cell.strip() for cell in row.split("|")] == figures(system)


def test_every_kind_of_check_is_told() -> None:
    kinds = [get_args(spec.model_fields["kind"].annotation)[0] for spec in CHECK_KINDS]
    assert re.findall(r"^\| `([a-z-]+)` \|", section("What is compared"), re.MULTILINE) == kinds


def test_the_example_of_a_finding_is_one() -> None:
    report = check(ours("atari-isev"), computed("atari-isev"), bundled("content") / "atari-isev")
    example = re.findall(r"```text\n(.*?)```", text(), re.DOTALL)[0]
    assert " ".join(example.split()) == " ".join(next(report_lines([report])).split())
