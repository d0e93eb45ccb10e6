"""Computed tables of the five systems, with literal answers worked out by hand or printed in the documents."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.conftest import SYSTEMS, computed, texts

F = Fraction


@pytest.mark.parametrize(
    ("system", "table", "row", "column", "expected"),
    [
        ("interactive-history", "roll-odds", "0", "exactly", F(19, 81)),
        ("interactive-history", "roll-odds", "+2", "at-least", F(15, 81)),
        ("interactive-history", "open-odds", "+4", "exactly", F(1, 81) * F(50, 81)),
        ("interactive-history", "task-odds", "Good", "normal", F(50 + 16, 81)),
        ("interactive-history", "battle-odds", "0", "draw", F(1107, 6561)),
        ("interactive-history", "success-odds", "Marginal result", "0", F(19, 81)),
        ("fudge-1995", "techniques", "+2", "three-d6", F(35, 216)),
        ("fudge-1995", "techniques", "+2", "percentile", F(18, 100)),
        ("fudge-1995", "techniques", "+1", "four-d6", F(505, 1296)),
        ("atari-isev", "action-odds", "Fair", "great", F(15, 81)),
        ("harmonies", "candidate-odds", "+0", "d10", F(55, 100)),
        ("polyhedral-fudge", "plain-odds", "5", "good", F(1, 2)),
        ("polyhedral-fudge", "exploding-odds", "7", "mediocre", F(1, 8)),
        ("polyhedral-fudge", "snake-odds", "1", "fair", F(35, 36)),
    ],
)
def test_chances(system: str, table: str, row: str, column: str, expected: Fraction) -> None:
    assert computed(system)[table][row, column].exact == expected


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_column_of_a_computed_table_has_an_id_of_its_own(system: str) -> None:
    for table in computed(system).values():
        ids = [column.id for column in table.columns]
        assert len(ids) == len(set(ids)), table.id


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_computed_table_states_its_rule(system: str) -> None:
    for table in computed(system).values():
        assert table.rule.endswith(".")
        assert table.computed


def test_bands_of_success_cover_every_result() -> None:
    table = computed("interactive-history")["success-odds"]
    for index in range(1, len(table.columns)):
        assert sum(row[index].exact or 0 for row in table.rows) == 1


def test_the_wound_chart_is_expanded_for_every_level() -> None:
    table = computed("atari-isev")["wound-levels"]
    assert texts(table, "level", "scratched", "hurt", "very-hurt", "incapacitated", "near-death") == [
        ["Legendary", "1-2 (5)", "3-4 (3)", "5-6 (2)", "7-8", "9+"],
        ["Superb", "1-3 (4)", "4-6 (2)", "7-8", "9-10", "11+"],
        ["Great", "1-2 (4)", "3-4 (2)", "5-6", "7-8", "9+"],
        ["Good", "1-2 (4)", "3-4", "5-6", "7-8", "9+"],
        ["Fair", "1-2 (3)", "3-4", "5-6", "7-8", "9+"],
        ["Mediocre", "1-2 (2)", "3-4", "5-6", "7-8", "9+"],
        ["Poor", "1 (2)", "2-3", "4-5", "6-7", "8+"],
        ["Terrible", "1", "2", "3-4", "5-6", "7+"],
    ]


def test_armies_are_population_times_share_and_shift_by_the_cells_that_say_so() -> None:
    table = computed("interactive-history")["army-sizes"]
    assert texts(table, "size", "nominal", "standing", "provisional")[4:6] == [
        ["Fair", "30,000", "10,000", "100,000"],
        ["Mediocre", "10,000", "3,000", "30,000"],
    ]
