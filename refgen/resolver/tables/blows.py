"""One blow: the points of damage that get through, the wounds that come of them, and what Scale changes.

In: rules of blows. Out: a computed Table.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Literal

from pydantic import Field

from refgen.resolver.cells import chance_cell, column_id, computed, number_cell, word_cell
from refgen.resolver.combat.blows import Weights, total_weight
from refgen.resolver.combat.melee import BlowsSpec, BlowTable, Melee, Side, Sides, melee_of
from refgen.resolver.combat.wound_track import WoundWeights
from refgen.resolver.lookup import number_of_fact
from refgen.rules.model import Cell, Column, Ruleset, Table
from refgen.rules.schema import Identifier
from refgen.span import Span

_ROW_TITLES = {"attack": "Attack", "avoid": "Avoidance", "basic": "Basic damage", "health": "Health"}


class BlowPointsSpec(BlowTable):
    """Points of damage that get through (rows) for each basic damage less armour (columns).

    Each row has the chance of exactly so many; with ``or_more`` of so many or more.
    """

    kind: Literal["blow-points"]
    or_more: bool = False


def blow_points(ruleset: Ruleset[BlowsSpec], table_id: str, spec: BlowPointsSpec) -> Table:
    """Points that get through (rows) for each basic damage less armour (columns), lowest first."""
    melee = melee_of(ruleset, spec.blow)
    basics = melee.ladder.levels[::-1]
    by_column = [_by_points(melee, melee.sides(spec, basic=level.name)) for level in basics]
    columns = [
        Column("points", "Points", "number"),
        *(Column(_basic_id(level.value), number_cell(level.value).text, "percent") for level in basics),
    ]
    sources = melee.sources(spec)
    rows = []
    for points in range(1 if spec.or_more else 0, max(max(weights) for weights in by_column) + 1):
        chances = (_at_least(weights, points) if spec.or_more else _chance(weights, points) for weights in by_column)
        rows.append((_points_cell(points), *(chance_cell(chance, spec, sources) for chance in chances)))
    many = "at least so many points" if spec.or_more else "exactly so many points"
    return computed(table_id, spec, columns, rows, f"{melee.fixed(spec)}: chance that {many} get through.")


def _basic_id(number: int) -> str:
    return f"basic{number:+d}"


def _points_cell(points: int) -> Cell:
    return number_cell(points, signed=False)


def _by_points(melee: Melee, sides: Sides) -> Weights[int]:
    """How often so many points get through, grazes and others together."""
    found: dict[int, int] = {}
    for (points, _), weight in melee.points(sides.attack).items():
        found[points] = found.get(points, 0) + weight
    return found


def _chance(weights: Weights[int], outcome: int) -> Fraction:
    return Fraction(weights.get(outcome, 0), total_weight(weights))


def _at_least(weights: Weights[int], outcome: int) -> Fraction:
    return Fraction(sum(weight for number, weight in weights.items() if number >= outcome), total_weight(weights))


class BlowWoundsSpec(BlowTable):
    """The chance that one blow on somebody unhurt leads to each wound status, row by row."""

    kind: Literal["blow-wounds"]
    rows: Side


def blow_wounds(ruleset: Ruleset[BlowsSpec], table_id: str, spec: BlowWoundsSpec) -> Table:
    """The chance of each wound status, for each level of one side."""
    melee = melee_of(ruleset, spec.blow)
    sources = melee.sources(spec)
    rows = [
        (label, *_status_cells(melee, melee.wounds(sides), spec, sources))
        for label, sides in melee.rows(spec, spec.rows)
    ]
    columns = [row_column(spec.rows), *_status_columns(melee)]
    return computed(table_id, spec, columns, rows, f"{melee.fixed(spec, spec.rows)}: one blow on somebody unhurt.")


def row_column(side: Side) -> Column:
    """The column at the head of the rows, which holds the side that varies."""
    return Column(side, _ROW_TITLES[side], "number" if side == "basic" else "level")


def _status_columns(melee: Melee) -> list[Column]:
    names = ["No wound", *(status.name for status in melee.statuses)]
    return [Column(column_id(name), name, "percent") for name in names]


def _status_cells(
    melee: Melee, wounds: WoundWeights, spec: BlowWoundsSpec | ScalesSpec, sources: tuple[Span, ...]
) -> list[Cell]:
    total = total_weight(wounds)
    outcomes = (None, *range(len(melee.statuses)))
    return [chance_cell(Fraction(wounds.get(outcome, 0), total), spec, sources) for outcome in outcomes]


class ScalesSpec(BlowTable):
    """What each difference in Scale does to a blow; ``scales`` are facts, their differences are the rows."""

    kind: Literal["scales"]
    scales: list[Identifier] = Field(min_length=2)


def scales(ruleset: Ruleset[BlowsSpec], table_id: str, spec: ScalesSpec) -> Table:
    """For each difference in Scale, the attacker's less the target's: what a hit needs, and what a blow does."""
    melee = melee_of(ruleset, spec.blow)
    known = [number_of_fact(ruleset, name) for name in spec.scales]
    farthest = max(known) - min(known)
    sources = melee.sources(spec, *spec.scales)
    sides = melee.sides(spec)
    rows: list[tuple[Cell, ...]] = []
    for difference in range(farthest, -farthest - 1, -1):
        scaled = replace(sides, attack=sides.attack._replace(scale=difference))
        rows.append(
            (
                number_cell(difference),
                word_cell(melee.level(melee.blows.minimum + difference)),
                number_cell(difference),
                chance_cell(melee.hits(scaled.attack), spec, sources),
                *_status_cells(melee, melee.wounds(scaled), spec, sources),
            )
        )
    columns = [
        Column("difference", "Larger by", "number"),
        Column("needs", "A hit needs", "level"),
        Column("damage", "Damage", "modifier"),
        Column("hits", "Hits", "percent"),
        *_status_columns(melee),
    ]
    return computed(table_id, spec, columns, rows, f"{melee.fixed(spec)}: attacker's Scale less the target's.")
