"""Opposed rolls: two sides roll the same dice, the better result wins.

In: the dice, and the ladder; the differences shown reach as far as the ladder does from its zero. Out: the chance
to win, to draw and to lose.
"""

from __future__ import annotations

from typing import Literal

from refgen.resolver.cells import ComputedSpec, chance_cell, computed, number_cell
from refgen.resolver.lookup import dice_of, ladder_of, roll_of
from refgen.rules.model import Column, Ruleset, Table
from refgen.rules.schema import Identifier


class OpposedSpec(ComputedSpec):
    """Two sides roll: the chance that the first wins, draws and loses, for each difference of their values."""

    kind: Literal["opposed"]
    dice: str
    ladder: Identifier


def opposed(ruleset: Ruleset, table_id: str, spec: OpposedSpec) -> Table:
    """For each difference of the two traits: the chance that the first side wins, that they draw, that it loses."""
    rolled = roll_of(ruleset, spec.dice)
    margin = rolled.less(rolled)
    ladder = ladder_of(ruleset, spec.ladder)
    farthest = max(ladder.highest, -ladder.lowest)
    differences = range(farthest, -farthest - 1, -1)
    columns = [
        Column("difference", "Difference", "number"),
        Column("win", "Win", "percent"),
        Column("draw", "Draw", "percent"),
        Column("lose", "Lose", "percent"),
    ]
    rows = []
    for difference in differences:
        win, not_lost = margin.at_least(1 - difference), margin.at_least(-difference)
        chances = (win, not_lost - win, 1 - not_lost)
        rows.append((number_cell(difference), *(chance_cell(chance, spec) for chance in chances)))
    rule = f"Both sides roll {dice_of(ruleset, spec.dice)}; the difference is trait against trait."
    return computed(table_id, spec, columns, rows, rule)
