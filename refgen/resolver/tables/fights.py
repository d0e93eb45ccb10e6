"""Fights blow by blow: how many it takes to a wound status, and what a point does that weakens a blow.

In: rules of blows. Out: a computed Table.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Literal

from pydantic import Field

from refgen.errors import ResolverError
from refgen.notation.rounding import Rounding, decimal, rounded
from refgen.notation.values import Number, as_number
from refgen.resolver.cells import chance_cell, computed, number_cell, word_cell
from refgen.resolver.combat.blows import total_weight
from refgen.resolver.combat.melee import BlowsSpec, BlowTable, Melee, Side, melee_of
from refgen.resolver.lookup import number_of_fact
from refgen.resolver.tables.blows import row_column
from refgen.rules.model import Cell, Column, Ruleset, Table
from refgen.rules.schema import Identifier
from refgen.rules.toml import Strict
from refgen.span import Span


class Mitigation(Strict):
    """What a point does that weakens a blow: ``share`` is the fact with the part of its wound levels that remains.

    Levels count from the lightest status as 1; ``rounding`` settles parts of a level. ``points`` is the fact with the
    most points there are to spend.
    """

    points: Identifier
    share: Identifier
    rounding: Rounding


class FightSpec(BlowTable):
    """How many blows bring somebody to the status ``goal``: the expected number, and the chance for each number.

    ``rounds`` is how many are shown; ``mean_places`` the decimals of the expected number. With ``mitigation`` there is
    one for each number of points that may weaken a blow each.
    """

    renamed: ClassVar = {"sparing": "mitigation"}

    kind: Literal["fight"]
    rows: Side
    goal: str
    rounds: int = Field(ge=1, le=12)
    mean_places: int = Field(1, ge=0, le=6)
    mitigation: Mitigation | None = None


def fight_length(ruleset: Ruleset[BlowsSpec], table_id: str, spec: FightSpec) -> Table:
    """The expected number of blows until a status, and the chance that it is reached within 1, 2, … of them."""
    melee = melee_of(ruleset, spec.blow)
    mitigation = spec.mitigation
    goal, points = melee.goal(spec.goal), number_of_fact(ruleset, mitigation.points) if mitigation else 0
    sources = melee.sources(spec, *([mitigation.points, mitigation.share] if mitigation else []))
    mitigated = _mitigated(melee, mitigation) if mitigation else None
    rows: list[tuple[Cell, ...]] = []
    for label, sides in melee.rows(spec, spec.rows):
        fought = melee.fight(sides, goal, mitigated)
        means = _mean_cells(fought.expected(points), points + 1, spec, sources)
        rows.append((label, *means, *(chance_cell(chance, spec, sources) for chance in fought.within(spec.rounds))))
    columns = [
        row_column(spec.rows),
        Column("mean", "Attacks on average", "number"),
        *(Column(f"mean-{number}", _with_points(number), "number") for number in range(1, points + 1)),
        *(Column(f"within-{number}", f"Within {number}", "percent") for number in range(1, spec.rounds + 1)),
    ]
    rule = (
        f"{melee.fixed(spec, spec.rows)}: attacks until {spec.goal} or worse, one after the other on the same target."
    )
    return computed(table_id, spec, columns, rows, rule)


def _with_points(number: int) -> str:
    return f"With {number} point{'s' if number > 1 else ''}"


def _mean_cells(means: Sequence[Fraction] | None, count: int, spec: FightSpec, sources: tuple[Span, ...]) -> list[Cell]:
    """Expected numbers; dashes where the fight may never end."""
    if means is None:
        return [Cell("–", sources=sources)] * count
    texts = (decimal(mean, spec.mean_places, spec.rounding) for mean in means)
    return [Cell(text, Number(mean), exact=mean, sources=sources) for text, mean in zip(texts, means, strict=True)]


def _mitigated(melee: Melee, mitigation: Mitigation) -> tuple[int | None, ...]:
    """What a point makes of each status: the share of its levels, counted from the lightest as 1; None for no wound."""
    fact = melee.ruleset.facts.get(mitigation.share)
    share = as_number(fact.value) if fact else None
    if share is None or not 0 <= share <= 1:
        raise ResolverError(f'"{mitigation.share}" is not a fact with a share between 0 and 1')
    left = (int(rounded(place * share, rule=mitigation.rounding)) for place in range(1, len(melee.statuses) + 1))
    return tuple(place - 1 if place else None for place in left)


class MitigatedWoundsSpec(BlowTable):
    """What each wound status becomes when a point weakens the blow, and how likely each is without and with it."""

    renamed: ClassVar = {"sparing": "mitigation"}

    kind: Literal["mitigated-wounds"]
    mitigation: Mitigation


def mitigated_wounds(ruleset: Ruleset[BlowsSpec], table_id: str, spec: MitigatedWoundsSpec) -> Table:
    """Each wound status, what a point makes of it, and the chance of it without the point and with it."""
    melee = melee_of(ruleset, spec.blow)
    sources = melee.sources(spec, spec.mitigation.share)
    mitigated = _mitigated(melee, spec.mitigation)
    plain = melee.wounds(melee.sides(spec))
    with_point: dict[int | None, int] = {}
    for status, weight in plain.items():
        less = None if status is None else mitigated[status]
        with_point[less] = with_point.get(less, 0) + weight
    names: dict[int | None, str] = {None: "No wound"}
    names.update(enumerate(status.name for status in melee.statuses))
    total = total_weight(plain)
    rows: list[tuple[Cell, ...]] = [
        (
            word_cell(name),
            number_cell(0 if status is None else status + 1, signed=False),
            word_cell(names[None if status is None else mitigated[status]]),
            *(chance_cell(Fraction(weights.get(status, 0), total), spec, sources) for weights in (plain, with_point)),
        )
        for status, name in names.items()
    ]
    columns = [
        Column("status", "Wound", "level"),
        Column("levels", "Levels", "number"),
        Column("becomes", "With a point", "level"),
        Column("without", "Chance without", "percent"),
        Column("with", "Chance with", "percent"),
    ]
    return computed(table_id, spec, columns, rows, f"{melee.fixed(spec)}: one blow on somebody unhurt.")
