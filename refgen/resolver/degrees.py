"""Degrees of success: how likely each named band of results is.

In: a table of bands and the dice. Out: the chance of each band, for each net value of trait against difficulty.
"""

from __future__ import annotations

from refgen.errors import ResolverError
from refgen.notation.values import Interval
from refgen.resolver.lookup import (
    chance_cell,
    column_of,
    computed,
    dice_of,
    ladder_of,
    roll_of,
    table_of,
    word_cell,
)
from refgen.rules.model import Column, Ruleset, Table
from refgen.rules.schema import BandsSpec


def bands(ruleset: Ruleset, table_id: str, spec: BandsSpec) -> Table:
    """The chance of each band (rows) for each net value, trait minus difficulty (columns)."""
    table = table_of(ruleset, spec.table)
    nets = sorted(level.value for level in ladder_of(ruleset, spec.ladder).levels)
    rolled = roll_of(ruleset, spec.dice)
    columns = [
        Column("band", "Net value"),
        *(Column(f"net{net:+d}", f"{net:+d}" if net else "0", "percent") for net in nets),
    ]
    rows = []
    for label, cell in zip(column_of(table, spec.label), column_of(table, spec.range), strict=True):
        band = cell.value
        if not isinstance(band, Interval):
            raise ResolverError(f'"{cell.text}" at {cell.span} is not a range of results')
        chances = (rolled.between(*(_shifted(end, -net) for end in (band.low, band.high))) for net in nets)
        rows.append((word_cell(label.shown), *(chance_cell(chance, spec) for chance in chances)))
    rule = f"Chance that net value plus {dice_of(ruleset, spec.dice)} falls into the band."
    return computed(table_id, spec, columns, rows, rule)


def _shifted(end: int | None, by: int) -> int | None:
    return None if end is None else end + by
