"""The full wound chart of every level as a table.

In: the changes that a document prints. Out: a row for each level: damage, and boxes in brackets.
"""

from __future__ import annotations

from refgen.resolver.cells import computed, word_cell
from refgen.resolver.combat.wound_chart import Status, WoundChartSpec, charts_of, lightest_first
from refgen.rules.model import Cell, Column, Ruleset, Table


def wound_chart(ruleset: Ruleset, table_id: str, spec: WoundChartSpec) -> Table:
    """The full wound chart of every level, best first: damage, and boxes in brackets."""
    charts = charts_of(ruleset, spec)
    statuses = lightest_first(charts.statuses)
    columns = [
        Column("level", spec.head, "level"),
        *(Column(_slug(status.name), status.name, "interval") for status in statuses),
    ]
    rows = [
        (word_cell(level.name), *(_cell(status) for status in charts.of(level.name))) for level in charts.levels.levels
    ]
    rule = "Each chart is the one it builds on with its printed changes; points of damage, and boxes in brackets."
    return computed(table_id, spec, columns, rows, rule)


def _cell(status: Status) -> Cell:
    low, high = status.damage.low, status.damage.high
    damage = f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}"
    text = damage if status.boxes == 1 else f"{damage} ({status.boxes})"
    return Cell(text, status.damage)


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-")
