"""Computed tables: each ``[derived.*]`` of system.toml becomes a Table that follows from the printed ones.

In: a Ruleset. Out: its computed tables by id, every cell with its exact number and its rounded text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from refgen.errors import RefgenError, ResolverError
from refgen.resolver.armies import armies
from refgen.resolver.degrees import bands
from refgen.resolver.odds import at_least, matrix, odds, step_dice
from refgen.resolver.opposed import opposed
from refgen.resolver.wounds import wound_chart
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
    "armies": armies,
    "wound-chart": wound_chart,
}


def derive(ruleset: Ruleset) -> Mapping[str, Table]:
    """All computed tables of a ruleset. Raises ResolverError at the entry of system.toml that cannot be met."""
    tables = {}
    for table_id, spec in ruleset.spec.derived.items():
        if table_id in ruleset.tables:
            raise _at(ruleset, table_id, f'"{table_id}" is both a printed and a computed table')
        try:
            tables[table_id] = BUILDERS[spec.kind](ruleset, table_id, spec)
        except RefgenError as error:
            raise _at(ruleset, table_id, error.message, error.hint) from error
    return tables


def _at(ruleset: Ruleset, table_id: str, message: str, hint: str = "") -> ResolverError:
    return ResolverError(message, span=locate(ruleset.spec_source, ("derived", table_id)), hint=hint)
