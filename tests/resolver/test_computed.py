"""Computed tables are computed when they are asked for: each once, with what it needs and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from refgen.errors import ResolverError
from refgen.game import GameRules, SystemSpec
from refgen.resolver import computed
from refgen.resolver.computed import TABLE_KINDS, ComputedTables, ResolverSpec
from refgen.resolver.lookup import ComputedSpec
from refgen.rules.load import load_ruleset
from refgen.rules.model import Ruleset, RuleTable
from tests.conftest import SYSTEMS, ours
from tests.resolver.systems.small import FOLDER

ENTRIES = """
[derived.first]
kind = "grid"
title = "First"
rule = "The number or more."
rows = [{ id = "value", of = "skills.value" }]
columns = [{ id = "odds", title = "Odds", formula = "chance(4dF >= {value})" }]

[derived.second]
kind = "grid"
title = "Second"
rule = "The number or more."
rows = [{ id = "value", of = "first.value" }]
columns = [{ id = "odds", title = "Odds", formula = "chance(d6 >= {value})" }]

[derived.broken]
kind = "odds"
title = "Broken"
dice = "{no-such-fact}"

[derived.on-broken]
kind = "grid"
title = "On broken"
rule = "The number or more."
rows = [{ id = "value", of = "broken.value" }]
columns = [{ id = "odds", title = "Odds", formula = "chance(d6 >= {value})" }]

[derived.too-early]
kind = "grid"
title = "Too early"
rule = "The number or more."
rows = [{ id = "value", of = "last.value" }]
columns = [{ id = "odds", title = "Odds", formula = "chance(d6 >= {value})" }]

[derived.last]
kind = "grid"
title = "Last"
rule = "The number or more."
rows = [{ id = "value", of = "second.value" }]
columns = [{ id = "odds", title = "Odds", formula = "chance(d8 >= {value})" }]
"""


def with_entries(folder: Path, entries: str) -> GameRules:
    """A small system with more computed tables."""
    copytree(FOLDER / "fate", folder / "fate")
    with (folder / "fate" / "system.toml").open("a", encoding="utf-8") as file:
        file.write(entries)
    return load_ruleset(folder / "fate", SystemSpec)


def line_of(ruleset: GameRules, text: str) -> int:
    return ruleset.files.system.text.splitlines().index(text) + 1


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the tables that are computed, one after the other."""
    ids: list[str] = []

    def watched(build: Callable[..., RuleTable]) -> Callable[..., RuleTable]:
        def watch(ruleset: Ruleset[ResolverSpec], table_id: str, spec: ComputedSpec) -> RuleTable:
            ids.append(table_id)
            table: RuleTable = build(ruleset, table_id, spec)
            return table

        return watch

    monkeypatch.setattr(computed, "TABLE_KINDS", {model: watched(build) for model, build in TABLE_KINDS.items()})
    return ids


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_ids_are_known_without_computing_anything(system: str, asked: list[str]) -> None:
    tables = ComputedTables(ours(system))
    assert list(tables) == list(ours(system).spec.derived)
    assert len(tables) == len(ours(system).spec.derived)
    assert next(iter(tables)) in tables
    assert "no-such-table" not in tables
    with pytest.raises(KeyError):
        tables["no-such-table"]
    assert asked == []


@pytest.mark.parametrize(
    ("table", "computed"),
    [
        ("roll-odds", ["roll-odds"]),
        ("first", ["first"]),
        ("second", ["second", "first"]),
        ("last", ["last", "second", "first"]),
    ],
)
def test_a_table_is_computed_with_what_it_needs(
    tmp_path: Path, asked: list[str], table: str, computed: list[str]
) -> None:
    tables = ComputedTables(with_entries(tmp_path, ENTRIES))
    assert tables[table].id == table
    assert asked == computed
    assert tables[table] is tables[table]
    assert asked == computed


def test_a_table_that_fails_says_so_each_time_and_leaves_the_others(tmp_path: Path, asked: list[str]) -> None:
    ruleset = with_entries(tmp_path, ENTRIES)
    tables = ComputedTables(ruleset)
    for _ in range(2):
        for table in ("broken", "on-broken"):
            with pytest.raises(ResolverError, match='there is no fact "no-such-fact"') as caught:
                tables[table]
            assert caught.value.span is not None
            assert caught.value.span.line == line_of(ruleset, "[derived.broken]"), "where the fault is"
    assert asked == ["broken", "on-broken"]
    assert tables["last"].computed


def test_an_entry_uses_only_tables_that_stand_above_it(tmp_path: Path) -> None:
    ruleset = with_entries(tmp_path, ENTRIES)
    with pytest.raises(ResolverError, match='there is no table "last"') as caught:
        ComputedTables(ruleset)["too-early"]
    assert caught.value.span is not None
    assert caught.value.span.line == line_of(ruleset, "[derived.too-early]")
    assert caught.value.hint.startswith(
        "There are skills, margins, roll-odds, contests, first, second, broken and on-broken."
    )


def test_no_table_is_both_printed_and_computed(tmp_path: Path) -> None:
    ruleset = with_entries(tmp_path, ENTRIES.replace("[derived.last]", "[derived.skills]"))
    with pytest.raises(ResolverError, match='"skills" is both a printed and a computed table') as caught:
        ComputedTables(ruleset)
    assert caught.value.span is not None
    assert caught.value.span.line == line_of(ruleset, "[derived.skills]")


@pytest.mark.slow
def test_a_long_chain_is_no_deeper_than_python_goes(tmp_path: Path) -> None:
    link = '[derived.t{}]\nkind = "grid"\ntitle = ""\nrule = ""\nrows = [{{id = "value", of = "{}.value"}}]\n'
    link += 'columns = [{{id = "same", title = "", formula = "{{value}}"}}]\n'
    chain = [link.format(number, f"t{number - 1}" if number else "skills") for number in range(400)]
    assert ComputedTables(with_entries(tmp_path, "\n" + "\n".join(chain)))["t399"].rows
