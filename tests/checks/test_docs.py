"""docs/checks.md: its figures are those of the checks, and every kind of check is in it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from refgen.checks.comparison import CheckSpec, Verdict
from refgen.checks.coverage import NumberCoverage, extent_of
from refgen.checks.results import CHECK_KINDS
from refgen.checks.run import check
from refgen.export.check import report_lines
from refgen.export.coverage import coverage_lines
from refgen.files import bundled_folder
from refgen.game import GameModel, load_game
from tests.checks.mutation.front_door import OURS, documents
from tests.conftest import SYSTEMS, computed, game, ours

DOCS = Path(__file__).resolve().parents[2] / "docs"


def text() -> str:
    return (DOCS / "checks.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return text().partition(f"## {title}\n")[2].partition("\n## ")[0]


def row(title: str, document: str) -> list[str]:
    """The figures of a document in the table of a section."""
    (found,) = re.findall(rf"^\| {re.escape(document)} \|(.*)\|$", section(title), re.MULTILINE)
    return [cell.strip() for cell in found.split("|")]


def figures(system: str) -> list[str]:
    """A row of the table: numbers compared, and what came of the comparisons."""
    report = check(ours(system), computed(system), bundled_folder("content") / system)
    differ = sum(judged.verdict is Verdict.DIFFERS for judged in report.judged)
    extent = extent_of(ours(system), report)
    counts = [extent.total, extent.compared, report.compared, report.agreeing, report.rounding, differ]
    return [str(count) for count in (*counts, len(report.accepted), len(report.open))]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_figures_of_a_document_are_true(system: str) -> None:
    assert row("The five documents", ours(system).title) == figures(system)


def statuses_in_docs(title: str) -> list[str]:
    """The row of a document in the table of statuses."""
    return row("Coverage", title)


def statuses_of(found: NumberCoverage) -> list[str]:
    """How many numbers there are, and how many of each status."""
    return [str(count) for count in (len(found.entries), *found.counts.values())]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_statuses_of_the_numbers_of_a_document_are_true(system: str) -> None:
    assert statuses_in_docs(ours(system).title) == statuses_of(game(system).coverage())


def test_the_example_of_a_coverage_is_one() -> None:
    (example,) = re.findall(r"```text\n(.*?)```", section("Coverage"), re.DOTALL)
    lines = list(coverage_lines([game("harmonies").coverage()]))
    assert [line for line in example.splitlines() if line not in lines] == []


@pytest.mark.slow
def test_the_examples_of_pins_are_some() -> None:
    (toml,) = re.findall(r"```toml\n(.*?)```", section("Pins"), re.DOTALL)
    pinned = (bundled_folder("content") / "atari-isev" / "pins.toml").read_text(encoding="utf-8").splitlines()
    assert [line for line in toml.splitlines() if line not in pinned] == []
    document = documents()[f"atari-isev.{OURS}"]
    outcome = document.check(document.text.replace("Behind enemy: +2", "Behind enemy: -2"))
    assert outcome.report is not None
    name = "atari-isev/mechanics.txt"
    (note,) = [line.replace(outcome.source.name, name) for line in report_lines([outcome.report]) if "[pins/" in line]
    (example,) = re.findall(r"```text\n(.*?)```", section("Pins"), re.DOTALL)
    assert example.split() == note.split()


def kind_of(spec: type[CheckSpec]) -> str:
    (kind,) = get_args(spec.model_fields["kind"].annotation)
    return str(kind)


def test_every_kind_of_check_is_reported() -> None:
    told = re.findall(r"^\| `([a-z-]+)` \|", section("Every kind of check").partition("```")[0], re.MULTILINE)
    assert told == [kind_of(spec) for spec in CHECK_KINDS]


@pytest.fixture
def ford(tmp_path: Path) -> GameModel:
    """The game on which the page tries every kind of check."""
    folder = tmp_path / "ford"
    folder.mkdir()
    texts = re.findall(r"```(?:markdown|toml)\n(.*?)```", section("Every kind of check"), re.DOTALL)
    for name, content in zip(("rules.md", "system.toml", "proof.toml"), texts, strict=True):
        (folder / name).write_text(content, encoding="utf-8")
    return load_game(folder)


def test_every_kind_and_every_key_of_a_check_has_an_example(ford: GameModel) -> None:
    examples = list(ford.ruleset.spec.checks.values())
    assert {type(spec) for spec in examples} == {*CHECK_KINDS}
    for kind in CHECK_KINDS:
        keys = {key for spec in examples if type(spec) is kind for key in spec.model_fields_set}
        missing = kind.model_fields.keys() - keys - CheckSpec.model_fields.keys()
        assert (kind_of(kind), missing) == (kind_of(kind), set())
    said = {key for spec in examples for key in spec.model_fields_set}
    assert said >= CheckSpec.model_fields.keys()


def test_the_examples_of_checks_compare_as_the_page_says(ford: GameModel) -> None:
    report = ford.check()
    assert (report.findings, report.errors) == ((), ())
    assert {*ford.ruleset.spec.checks} == {j.comparison.subject.id.split("/")[0] for j in report.judged}
    last = list(report_lines([replace(report, extent=ford.extent)]))[-1]
    assert f"    {last}\n" in section("Every kind of check")


def test_the_example_of_a_finding_is_one() -> None:
    report = check(ours("atari-isev"), computed("atari-isev"), bundled_folder("content") / "atari-isev")
    example = re.findall(r"```text\n(.*?)```", text(), re.DOTALL)[0]
    assert " ".join(example.split()) == " ".join(next(report_lines([report])).split())
