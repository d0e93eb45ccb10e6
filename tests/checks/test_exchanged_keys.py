"""Two numbers by which rows are found, and that change places, are a finding in each of the five games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

from refgen.checks.run import check
from refgen.checks.sequence import place_in_order
from refgen.checks.table_structure import check_tables, keys_of
from refgen.cli import main
from refgen.files import bundled_folder
from refgen.game import GameRules
from refgen.resolver.computed import ComputedTables
from refgen.rules.model import RuleTable
from tests.conftest import SYSTEMS, ours


def sorted_keys(ruleset: GameRules) -> Iterator[tuple[RuleTable, int]]:
    """The first columns and key columns whose numbers and ranges rise or fall all the way, by table and position."""
    keys = keys_of(ruleset.spec)
    for table in ruleset.tables.values():
        for at, column in enumerate(ruleset.spec.tables[table.id].columns):
            places = [place for row in table.rows if (place := place_in_order(row[at])) is not None]
            is_key = at == 0 or (table.id, column.id) in keys
            if is_key and column.type != "level" and places in (sorted(set(places)), sorted(set(places))[::-1]):
                yield table, at


def with_exchanged(table: RuleTable, at: int, upper: int, lower: int) -> RuleTable:
    """The table after the prints of two cells of a column changed places."""
    rows = [list(row) for row in table.rows]
    above, below = rows[upper][at], rows[lower][at]
    rows[upper][at], rows[lower][at] = replace(below, span=above.span), replace(above, span=below.span)
    return replace(table, rows=tuple(map(tuple, rows)))


def open_findings(ruleset: GameRules) -> set[str]:
    return {finding.id for finding in check(ruleset, ComputedTables(ruleset)).open}


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_two_keys_that_change_places_are_found(system: str) -> None:
    ruleset = ours(system)
    before, of_tables = open_findings(ruleset), len(check_tables(ruleset)[0])
    unseen = []
    for table, at in sorted_keys(ruleset):
        numbered = [row for row, cells in enumerate(table.rows) if place_in_order(cells[at]) is not None]
        for upper, lower in pairwise(numbered):
            tables = {**ruleset.tables, table.id: with_exchanged(table, at, upper, lower)}
            changed = replace(ruleset, tables=tables, kept={})
            if len(check_tables(changed)[0]) <= of_tables and open_findings(changed) <= before:
                unseen.append(f"{table.id}, {table.rows[upper][at].text} and {table.rows[lower][at].text}")
    assert unseen == []


def test_the_command_reports_them_where_they_stand(tmp_path: Path) -> None:
    copy = copytree(bundled_folder("content") / "interactive-history", tmp_path / "content" / "interactive-history")
    (tmp_path / "refgen.toml").touch()
    text = (copy / "details.md").read_text(encoding="utf-8")
    exchanged = text.replace("1.5x the time -> +1\n* 2x", "2x the time -> +1\n* 1.5x")
    assert exchanged != text
    (copy / "details.md").write_text(exchanged, encoding="utf-8")
    result = CliRunner().invoke(main, ["check", "--project", str(tmp_path)])
    assert result.exit_code == 1
    assert "details.md:183:3: warning: Strategic action: more time, row 1.5, column Time: printed 1.5" in result.stdout
