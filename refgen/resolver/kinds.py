"""The kinds of computed tables: a line each. A new kind is a module in ``tables`` and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from refgen.resolver.action import ActionsSpec
from refgen.resolver.cells import ComputedSpec
from refgen.resolver.tables.conditions import ConditionsSpec, conditions
from refgen.resolver.tables.explorer import ExplorersSpec
from refgen.resolver.tables.fit import FitSpec, fit
from refgen.resolver.tables.grid import GridSpec, grid
from refgen.resolver.tables.matrix import MatrixSpec, matrix
from refgen.resolver.tables.odds import OddsSpec, odds
from refgen.resolver.tables.track import TrackTableSpec, track_table
from refgen.rules.model import Ruleset, Table


class ResolverSpec(ExplorersSpec, ActionsSpec):
    """A system.toml with computed tables and explorers, and all that they may be made of."""


Builder = Callable[[Ruleset[ResolverSpec], str, ComputedSpec], Table]
"""Makes a table of a ruleset, its id and its entry in system.toml. Raises RefgenError for what the rules lack."""

_Spec = TypeVar("_Spec", bound=ComputedSpec)


def _kind(
    model: type[_Spec], build: Callable[[Ruleset[ResolverSpec], str, _Spec], Table]
) -> tuple[type[ComputedSpec], Builder]:
    def build_any(ruleset: Ruleset[ResolverSpec], table_id: str, spec: ComputedSpec) -> Table:
        if not isinstance(spec, model):
            raise TypeError(f"{type(spec).__name__} is no {model.__name__}")
        return build(ruleset, table_id, spec)

    return model, build_any


TABLE_KINDS: Mapping[type[ComputedSpec], Builder] = dict(
    [
        _kind(OddsSpec, odds),
        _kind(MatrixSpec, matrix),
        _kind(GridSpec, grid),
        _kind(TrackTableSpec, track_table),
        _kind(FitSpec, fit),
        _kind(ConditionsSpec, conditions),
    ]
)
"""The model of each kind of entry, and what makes a table of one."""

RENAMED_TABLE_KINDS = {
    "wound-chart": "track",
    **dict.fromkeys(("opposed", "bands", "step-dice", "at-least", "law"), "grid"),
}
"""Kinds by the names they had before."""
