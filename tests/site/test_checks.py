"""Explanations of numbers: print, place, exact number, rule and verdict."""

from __future__ import annotations

import pytest

from refgen.checks.coverage import Status
from refgen.site.checks import Explanation, Explanations, line_references
from refgen.span import Span
from tests.conftest import game


def explained(system: str, table: str, row: str | int, column: str | int) -> Explanation | None:
    made = game(system)
    return Explanations(made).of_cell(made.tables[table], made.tables[table][row, column])


def test_a_computed_number_says_its_fraction_its_sources_and_its_rule() -> None:
    found = explained("fudge-1995", "action-odds", "Great", "Great")
    assert found is not None
    assert (found.printed, found.exact, found.verdict) == ("", "50/81", "")
    assert found.places.startswith("fudge3.txt:")
    assert found.rule


def test_a_printed_number_that_is_compared_says_with_what() -> None:
    found = explained("harmonies", "odds", 1, "odds")
    assert found is not None
    assert (found.printed, found.exact, found.verdict) == ("0.6%", "3/500", "agrees with the rules")
    assert found.places.startswith("actions.xml:")


@pytest.mark.parametrize("system", ["harmonies", "interactive-history", "polyhedral-fudge"])
def test_a_number_that_differs_says_why_it_stands(system: str) -> None:
    made = game(system)
    accepted = next(one for one in made.check().accepted if one.row and one.table in made.tables and one.exact)
    assert accepted.accepted is not None
    found = Explanations(made).of_print(accepted.span, accepted.printed)
    assert found is not None
    assert accepted.computed in found.verdict
    assert accepted.accepted.reason in found.verdict


def test_words_need_no_explanation() -> None:
    assert explained("harmonies", "action-types", 0, 0) is None


@pytest.mark.slow
def test_a_number_that_the_game_sets_says_so() -> None:
    made = game("fudge-1995")
    pinned = next(entry for entry in made.coverage().entries if entry.status is Status.PINNED)
    found = Explanations(made).of_print(pinned.span, pinned.text)
    assert found is not None
    assert found.verdict.startswith("set by the game")


def test_places_name_each_file_and_each_line_once() -> None:
    places = [("a.md", 12), ("a.md", 3), ("b.md", 4), ("a.md", 12)]
    assert line_references(Span(file, 0, 1, line, 1, line, 2) for file, line in places) == "a.md:3, 12, b.md:4"
