"""Several attacks in one round: a sweep at several opponents, and a flurry of attacks on one.

In: rules of blows. Out: a computed Table.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from pydantic import Field

from refgen.errors import ResolverError
from refgen.resolver.cells import chance_cell, computed, number_cell
from refgen.resolver.combat.blows import hits_in_a_row, hits_in_all
from refgen.resolver.combat.melee import BlowsSpec, BlowTable, Melee, Sides, melee_of
from refgen.resolver.lookup import number_of_fact
from refgen.resolver.tables.blows import row_column
from refgen.rules.model import Cell, Column, Ruleset, Table
from refgen.rules.schema import Identifier

MAX_ATTACKS = 12
"""More in one round are a typo."""


class SweepSpec(BlowTable):
    """One sweep at several opponents: the chance to hit the first, the first two, …; the first miss ends it.

    ``first`` and ``second`` are facts with the changes to the first two attacks; the next go on by the same step.
    """

    kind: Literal["sweep"]
    rows: Literal["attack", "avoid"]
    first: Identifier
    second: Identifier
    opponents: int = Field(ge=2, le=12)


def sweep(ruleset: Ruleset[BlowsSpec], table_id: str, spec: SweepSpec) -> Table:
    """The chance that a sweep hits the first opponent, the first two, and so on."""
    melee = melee_of(ruleset, spec.blow)
    first, second = number_of_fact(ruleset, spec.first), number_of_fact(ruleset, spec.second)
    changes = [first + (second - first) * number for number in range(spec.opponents)]
    sources = melee.sources(spec, spec.first, spec.second)
    rows: list[tuple[Cell, ...]] = [
        (label, *(chance_cell(chance, spec, sources) for chance in hits_in_a_row(_hits(melee, sides, changes))))
        for label, sides in melee.rows(spec, spec.rows)
    ]
    columns = [
        row_column(spec.rows),
        *(
            Column(f"opponents-{number}", f"{number} or more", "percent", unit=number_cell(change).text)
            for number, change in enumerate(changes, 1)
        ),
    ]
    return computed(
        table_id, spec, columns, rows, f"{melee.fixed(spec, spec.rows)}: chance to hit so many in one sweep."
    )


def _hits(melee: Melee, sides: Sides, changes: Sequence[int], avoided: int | None = None) -> list[Fraction]:
    """The chance of each attack to hit, the attack being changed; only the first ``avoided`` are avoided."""
    attacks = (sides.attack._replace(trait=sides.attack.trait + change) for change in changes)
    return [
        melee.hits(attack if avoided is None or number < avoided else attack._replace(avoid=None))
        for number, attack in enumerate(attacks)
    ]


class FlurrySpec(BlowTable):
    """Several attacks on one target in a round: the chance of each number of hits.

    ``attacks`` and ``later`` are facts: how many attacks, and the change to all but the first. ``avoided`` is the fact
    with the number of attacks, counted from the first, that the target can avoid.
    """

    kind: Literal["flurry"]
    rows: Literal["attack", "avoid"]
    attacks: Identifier
    later: Identifier
    avoided: Identifier


def flurry(ruleset: Ruleset[BlowsSpec], table_id: str, spec: FlurrySpec) -> Table:
    """The chance of no hit, of one, of two … with several attacks on one target."""
    melee = melee_of(ruleset, spec.blow)
    attacks, avoided = number_of_fact(ruleset, spec.attacks), number_of_fact(ruleset, spec.avoided)
    if not 1 <= attacks <= MAX_ATTACKS:
        raise ResolverError(f"{attacks} attacks in a round are not between 1 and {MAX_ATTACKS}")
    changes = [0, *[number_of_fact(ruleset, spec.later)] * (attacks - 1)]
    sources = melee.sources(spec, spec.attacks, spec.later, spec.avoided)
    rows: list[tuple[Cell, ...]] = [
        (label, *(chance_cell(chance, spec, sources) for chance in hits_in_all(_hits(melee, sides, changes, avoided))))
        for label, sides in melee.rows(spec, spec.rows)
    ]
    columns = [
        row_column(spec.rows),
        *(Column(f"hits-{number}", _hits_title(number), "percent") for number in range(attacks + 1)),
    ]
    rule = f"{melee.fixed(spec, spec.rows)}: chance of so many hits with {attacks} attacks, {avoided} of them avoided."
    return computed(table_id, spec, columns, rows, rule)


def _hits_title(number: int) -> str:
    return "No hit" if number == 0 else f"{number} hit{'s' if number > 1 else ''}"
