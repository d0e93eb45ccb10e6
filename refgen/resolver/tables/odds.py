"""Odds of dice: of each outcome of a roll, and of several ways to roll side by side.

In: dice, and perhaps a printed column of numbers to reach. Out: a computed Table of chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from refgen.notation.values import Level
from refgen.resolver.cells import ComputedSpec, chance_cell, computed, number_cell, word_cell
from refgen.resolver.lookup import dice_of, ladder_of, sources_of_dice
from refgen.resolver.rolls import roll_of
from refgen.rules.field_types import Identifier, RolledText
from refgen.rules.model import Column, Ruleset, Table


class OddsSpec(ComputedSpec):
    """For each level of a ladder (or each outcome): the chance to roll exactly that, and at least that."""

    kind: Literal["odds"]
    dice: RolledText
    ladder: Identifier | None = None


def odds(ruleset: Ruleset, table_id: str, spec: OddsSpec) -> Table:
    """Each outcome of a roll, the chance of exactly that, and of at least that."""
    rolled, sources = roll_of(ruleset, spec.dice), sources_of_dice(ruleset, spec.dice)
    columns = [
        Column("value", "Roll", "number"),
        Column("exactly", "Exactly", "percent"),
        Column("at-least", "At least", "percent"),
    ]
    levels: Sequence[Level | None]
    if spec.ladder is None:
        levels, values = [None] * len(rolled.outcomes), sorted(rolled.outcomes, reverse=True)
        signed = values[-1] < 0
    else:
        levels, signed = ladder_of(ruleset, spec.ladder).levels, ladder_of(ruleset, spec.ladder).signed
        values = [level.value for level in levels if level is not None]
        columns.insert(1, Column("level", "Level"))
    rows = []
    for level, value in zip(levels, values, strict=True):
        cells = [
            number_cell(value, signed),
            chance_cell(rolled.exactly(value), spec, sources),
            chance_cell(rolled.at_least(value), spec, sources),
        ]
        if level is not None:
            cells.insert(1, word_cell(level.name))
        rows.append(tuple(cells))
    return computed(table_id, spec, columns, rows, f"The odds of {dice_of(ruleset, spec.dice)}.")
