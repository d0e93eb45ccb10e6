"""Computed tables: each ``[derived.*]`` of system.toml becomes a Table that follows from the printed ones.

In: a Ruleset. Out: its computed tables by id, every cell with its exact number and its rounded text.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from refgen.errors import RefgenError, ResolverError
from refgen.resolver.tables.conditions import conditions
from refgen.resolver.tables.degrees import bands
from refgen.resolver.tables.fit import fit
from refgen.resolver.tables.grid import grid
from refgen.resolver.tables.law import laws
from refgen.resolver.tables.melee import (
    blow_points,
    blow_wounds,
    fight_length,
    flurry,
    scales,
    spared_wounds,
    sweep,
)
from refgen.resolver.tables.odds import at_least, matrix, odds, step_dice
from refgen.resolver.tables.opposed import opposed
from refgen.resolver.tables.wounds import wound_chart
from refgen.rules.model import Ruleset, Table
from refgen.rules.toml import locate

Builder = Callable[[Ruleset, str, Any], Table]

BUILDERS: dict[str, Builder] = {
    "odds": odds,
    "matrix": matrix,
    "at-least": at_least,
    "step-dice": step_dice,
    "bands": bands,
    "opposed": opposed,
    "grid": grid,
    "wound-chart": wound_chart,
    "conditions": conditions,
    "law": laws,
    "fit": fit,
    "blow-points": blow_points,
    "blow-wounds": blow_wounds,
    "scales": scales,
    "fight": fight_length,
    "spared-wounds": spared_wounds,
    "sweep": sweep,
    "flurry": flurry,
}


def derive(ruleset: Ruleset) -> Mapping[str, Table]:
    """All computed tables of a ruleset; one may use those above it.

    Raises ResolverError at the entry of system.toml that cannot be met.
    """
    tables: dict[str, Table] = {}
    so_far = replace(ruleset, tables=ChainMap(tables, dict(ruleset.tables)))
    for table_id, spec in ruleset.spec.derived.items():
        if table_id in ruleset.tables:
            raise _at(ruleset, table_id, f'"{table_id}" is both a printed and a computed table')
        try:
            tables[table_id] = BUILDERS[spec.kind](so_far, table_id, spec)
        except RefgenError as error:
            raise _at(ruleset, table_id, error.message, error.hint) from error
    return tables


def _at(ruleset: Ruleset, table_id: str, message: str, hint: str = "") -> ResolverError:
    return ResolverError(message, span=locate(ruleset.spec_source, ("derived", table_id)), hint=hint)
