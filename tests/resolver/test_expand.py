"""Short forms of computed tables: the grids that they are written out as give the same figures."""

from __future__ import annotations

import tomllib

import pytest

from refgen.errors import ResolverError
from refgen.export.system_toml import toml_entry
from refgen.resolver.computed import ComputedTables
from refgen.resolver.tables.grid import grid
from refgen.resolver.tables.grid_spec import GridSpec, expanded
from tests.conftest import SYSTEMS, game, ours
from tests.resolver.systems.small import small

SHORT = ("odds", "matrix")
SMALL = ("fate", "pool", "roll-over", "step-dice")


@pytest.mark.parametrize("system", [*SYSTEMS, *SMALL])
def test_a_short_form_is_the_grid_that_it_is_written_out_as(system: str) -> None:
    ruleset = ours(system) if system in SYSTEMS else small(system)
    tables = ComputedTables(ruleset)
    for table_id, spec in ruleset.spec.derived.items():
        if spec.kind in SHORT:
            written = grid(ruleset, table_id, expanded(ruleset, table_id, spec))
            short = tables[table_id]
            assert [column.title for column in written.columns] == [column.title for column in short.columns]
            assert [column.id for column in written.columns] == [column.id for column in short.columns]
            for row, other in zip(written.rows, short.rows, strict=True):
                assert [cell.text for cell in row] == [cell.text for cell in other]
                for cell, same in zip(row, other, strict=True):
                    assert same.exact is None or cell.exact == same.exact
                    assert {*same.sources} <= {*cell.sources}


def test_a_grid_that_is_written_out_can_be_read_again() -> None:
    for table_id, spec in ours("fudge-1995").spec.derived.items():
        if spec.kind in ("grid", *SHORT):
            text = toml_entry("grid", game("fudge-1995").grid_of(table_id))
            assert GridSpec.model_validate(tomllib.loads(text)["grid"]).title == spec.title


def test_what_is_no_grid_is_not_written_out() -> None:
    ruleset = ours("harmonies")
    with pytest.raises(ResolverError, match='"odds-fit" is no grid: its kind is fit'):
        expanded(ruleset, "odds-fit", ruleset.spec.derived["odds-fit"])
