"""Every number of the five documents is checked, or says why not; what says so is true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from refgen.checks.coverage import NumberCoverage, Status, coverage
from refgen.game import GameModel
from tests.conftest import SYSTEMS, game

COMPARED = (Status.COMPARED, Status.QUOTED)


@cache
def covered(system: str) -> NumberCoverage:
    return game(system).coverage()


def said_to_be_pinned(of: GameModel) -> Iterator[str]:
    """Facts, columns, and tables (with a dot behind) that are pinned."""
    spec = of.ruleset.spec
    names = (name for names in spec.pinned.values() for name in names)
    yield from (f"{name}." if name in spec.tables else name for name in names)


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_number_is_unlisted_and_none_is_read_and_not_checked(system: str) -> None:
    found = covered(system)
    assert [(str(entry.span), entry.text, entry.words) for entry in found.open] == []
    assert found.unfound == ()


PINNED = {
    "posture.attack": "opposite postures that change places agree with every check",
    "die-colors.color": "a color that stands there twice agrees with every check",
}
"""What is compared and pinned all the same: a change of it can agree with every check, but not with its pin."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_said_to_be_pinned_of_which_every_number_is_compared(system: str) -> None:
    free = [name for entry in covered(system).entries if entry.status not in COMPARED for name in entry.of]
    said = [name for name in said_to_be_pinned(game(system)) if name not in PINNED]
    assert [name for name in said if not any(of == name or of.partition(".")[0] + "." == name for of in free)] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_entry_is_what_stands_at_its_place(system: str) -> None:
    texts = {source.name: source.text for source in game(system).ruleset.documents}
    for entry in covered(system).entries:
        assert " ".join(texts[entry.span.file][entry.span.start : entry.span.end].split()) == entry.text


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_typed_column_and_every_fact_has_entries(system: str) -> None:
    ruleset, found = game(system).ruleset, {name for entry in covered(system).entries for name in entry.of}
    columns = {
        f"{table_id}.{column.id}"
        for table_id, table in ruleset.spec.tables.items()
        for column, *cells in zip(table.columns, *ruleset.tables[table_id].rows, strict=True)
        if column.type != "text" and any(cell.value is not None and cell.text for cell in cells)
    }
    facts = {name for name in ruleset.facts if ruleset.spec.facts[name].type != "text"}
    assert columns | facts <= found


def test_a_number_that_no_fact_holds_any_more_is_unlisted() -> None:
    ruleset = game("harmonies").ruleset
    without = {name: fact for name, fact in ruleset.facts.items() if name != "extra-action"}
    entries = coverage(replace(ruleset, facts=without), game("harmonies").check()).entries
    unlisted = [entry for entry in entries if entry.status is Status.UNLISTED]
    assert [(entry.span.line, entry.text) for entry in unlisted] == [(328, "three")]
