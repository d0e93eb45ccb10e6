"""Our documents tell the originals in other words: every computed number is the same."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import pytest

from refgen.resolver.computed import ComputedTables
from refgen.rules.model import RuleTable
from tests.conftest import computed
from tests.originals.conftest import from_original
from tests.resolver.systems.test_atari import OWN, example
from tests.resolver.systems.test_history import GRIDS


@cache
def of_original(system: str) -> Mapping[str, RuleTable]:
    return ComputedTables(from_original(system))


def numbers(table: RuleTable) -> list[list[Fraction | None]]:
    return [[cell.exact for cell in row] for row in table.rows]


@pytest.mark.parametrize("system", ["fudge-1995", "polyhedral-fudge"])
def test_every_table_of_the_original_has_the_same_numbers(system: str) -> None:
    for table_id, table in computed(system).items():
        assert numbers(table) == numbers(of_original(system)[table_id]), table_id


@pytest.mark.parametrize(
    ("system", "table_id"),
    [
        *(("interactive-history", table_id) for table_id in GRIDS),
        *(("atari-isev", table_id) for table_id in (*OWN, "initiative-traits", "scale-factors", "still-ticking")),
    ],
)
def test_ours_and_the_original_give_the_same_numbers(system: str, table_id: str) -> None:
    assert numbers(computed(system)[table_id]) == numbers(of_original(system)[table_id])


def test_worked_examples_of_the_original() -> None:
    example(lambda: of_original("atari-isev"))
