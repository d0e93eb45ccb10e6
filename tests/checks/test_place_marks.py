"""Marks of places, without the checks of all others: the same as those of the whole report, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from refgen.bundle import bundled
from refgen.checks.finding import Finding, Mark, marks
from refgen.checks.results import PlaceMarks
from refgen.game.game import GameModel
from refgen.game.spec import SystemSpec
from refgen.rules.load import load_ruleset
from refgen.span import Span
from tests.checks.small import write
from tests.conftest import SYSTEMS, game


def places(game: GameModel, subject: str = "") -> set[Span]:
    """Where tables, their cells and facts are printed: all, or those of one id."""
    tables = [table for table in game.ruleset.printed_tables if subject in ("", table.id)]
    cells = {cell.span for table in tables for row in table.rows for cell in row}
    facts = {fact.span for fact in (*game.facts.values(), *game.ruleset.restated) if subject in ("", fact.id)}
    return {span for span in (*cells, *(table.span for table in tables), *facts) if span is not None}


def of_places(game: GameModel) -> Mapping[Span, Mark]:
    """The mark of each place, asked for by itself, of a game whose checks have not run yet."""
    held = GameModel(game.ruleset, game.folder).marks
    assert isinstance(held, PlaceMarks)
    return {place: held[place] for place in places(game) if place in held}


def assert_the_same_as_of_the_report(game: GameModel) -> None:
    assert of_places(game) == dict(marks(game.check().findings))


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_mark_of_a_bundled_game_is_that_of_its_report(system: str) -> None:
    assert_the_same_as_of_the_report(game(system))
    assert of_places(game(system))


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_where_all_findings_are_accepted_the_report_is_not_asked_for(system: str) -> None:
    def report() -> list[Finding]:
        raise AssertionError("all checks ran")

    held = PlaceMarks(game(system).ruleset, game(system).computed, bundled("content") / system, report)
    assert {place for place in places(game(system)) if place in held} == set(marks(game(system).check().findings))


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_without_its_errata_every_finding_is_open_and_the_marks_are_those_of_the_report(system: str) -> None:
    assert_the_same_as_of_the_report(GameModel(game(system).ruleset))


ACCEPTED = """\
[[errata]]
finding = "mirror/-1"
printed = "24%"
computed = "25%"
reason = "So be it."
print = "both"
"""


@pytest.mark.parametrize(
    ("title", "changes", "errata"),
    [
        ("two that mirror each other", [("25%", "24%")], ""),
        ("of which one is accepted", [("25%", "24%")], ACCEPTED),
        ("accepted, while another is open", [("25%", "24%"), ("2-5", "2-6")], ACCEPTED),
        ("accepted when something else was printed", [("25%", "23%")], ACCEPTED),
        ("two ranges that overlap", [("2-5", "2-6")], ""),
        ("a number in prose", [("they hold 6", "they hold 7")], ""),
        ("errata that cannot be read", [("25%", "24%")], "[["),
        ("rows that stand there twice", [("0      | 50%", "-1     | 25%")], ""),
        ("nothing wrong", [], ""),
    ],
)
def test_marks_of_a_document_with_open_findings(
    title: str, changes: Sequence[tuple[str, str]], errata: str, tmp_path: Path
) -> None:
    folder = write(tmp_path, *changes, errata=errata)
    assert_the_same_as_of_the_report(GameModel(load_ruleset(folder, SystemSpec, partial=True), folder))


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_check_speaks_of_its_subject_alone(system: str) -> None:
    """On which the marks of a place rest."""
    ruleset = game(system).ruleset
    subjects = {name: spec.subject for name, spec in ruleset.spec.checks.items()}
    for about in (judged.comparison.subject for judged in game(system).check().judged):
        subject = about.row if about.table == "facts" else about.table
        assert subject == subjects.get(about.id.partition("/")[0], subject)
        assert about.span in places(game(system), subject)
