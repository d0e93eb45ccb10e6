"""Degrees of success: how likely each named band of results is.

In: a table of bands and an action. Out: the chance of each band, for each trait of the action.
"""

from __future__ import annotations

from typing import Literal

from refgen.errors import ResolverError
from refgen.notation.values import Interval
from refgen.resolver.action import ActionsSpec, action_of
from refgen.resolver.cells import ComputedSpec, chance_cell, column_id, computed, word_cell
from refgen.resolver.lookup import column_of, table_of
from refgen.rules.model import Column, Ruleset, Table
from refgen.rules.schema import Identifier


class BandsSpec(ComputedSpec):
    """Degrees of success: the chance of each band of a table, for every trait of an action."""

    kind: Literal["bands"]
    action: Identifier
    table: Identifier
    range: Identifier
    label: Identifier


def bands(ruleset: Ruleset[ActionsSpec], table_id: str, spec: BandsSpec) -> Table:
    """The chance of each band (rows) for each trait, worst first (columns)."""
    table = table_of(ruleset, spec.table)
    action = action_of(ruleset, spec.action)
    degrees = [(entry, action.degree(entry)) for entry in action.trait.entries[::-1]]
    columns = [
        Column("band", "Result"),
        *(Column(column_id(entry.shown.text), entry.shown.text, "percent", entry.unit) for entry, _ in degrees),
    ]
    rows = []
    for label, cell in zip(column_of(table, spec.label), column_of(table, spec.range), strict=True):
        band, place = cell.value, (cell.span,) if cell.span else ()
        if not isinstance(band, Interval):
            raise ResolverError(f'"{cell.text}" at {cell.span} is not a range of results')
        chances = (
            chance_cell(degree.between(band.low, band.high), spec, (*place, *degree.sources)) for _, degree in degrees
        )
        rows.append((word_cell(label.text), *chances))
    return computed(table_id, spec, columns, rows, f"Chance that {action.words()} falls into the band.")
