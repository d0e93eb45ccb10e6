"""A build reads back what it made: pages that are not as the tables say are warned of, and fail a strict build."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refgen.aids.cards import job
from refgen.aids.cards.job import deck_html
from refgen.checks import run
from refgen.cli import main

pytestmark = pytest.mark.slow

SYSTEM = "harmonies"


@pytest.fixture(autouse=True)
def _no_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the checks find fails a strict build as well, and is not the subject here."""
    check = run.check
    monkeypatch.setattr(run, "check", lambda *arguments: replace(check(*arguments), findings=()))


def build(output: Path, *more: str) -> Result:
    arguments = ["build", SYSTEM, "--only", "card", "--paper", "a4", "-q", "--jobs", "1", "-o", str(output), *more]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def test_a_figure_that_a_template_changes_is_named_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = deck_html

    def wrong(*arguments: Any) -> str:
        return right(*arguments).replace('<td class="end">97.5%</td>', '<td class="end">79.5%</td>')

    monkeypatch.setattr(job, "deck_html", wrong)
    result = build(tmp_path / "build")
    warnings = result.stderr.splitlines()
    assert result.exit_code == 0
    assert warnings
    assert {warning.split(":")[1].strip() for warning in warnings} == {
        f"{SYSTEM}/cards.html",
        f"{SYSTEM}/cards.pdf",
    }
    assert all(warning.startswith("warning: ") for warning in warnings)
    assert all(warning.endswith('"97.5%" is not there, but "79.5%"') for warning in warnings)
    assert build(tmp_path / "build", "--strict").exit_code == 1


def test_pages_that_are_as_the_tables_say_pass(tmp_path: Path) -> None:
    result = build(tmp_path / "build", "--strict")
    assert (result.stderr, result.exit_code) == ("", 0)
