"""Odds of dice: of each outcome of a roll, and of several ways to roll side by side.

In: dice, and perhaps a printed column of numbers to reach. Out: a computed Table of chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from refgen.notation.values import Level
from refgen.resolver.cells import ComputedSpec, chance_cell, computed, number_cell, word_cell
from refgen.resolver.lookup import column_of, dice_of, ladder_of, number_of, roll_of, sources_of_dice, table_of
from refgen.rules.model import Cell, Column, Ruleset, Table
from refgen.rules.schema import Identifier
from refgen.rules.toml import Strict
from refgen.span import Span


class OddsSpec(ComputedSpec):
    """For each level of a ladder (or each outcome): the chance to roll exactly that, and at least that."""

    kind: Literal["odds"]
    dice: str
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


class DiceColumn(Strict):
    """One way to roll, as a column of a comparison."""

    id: Identifier
    title: str
    dice: str


class AtLeastSpec(ComputedSpec):
    """Several ways to roll side by side: the chance to reach each number of a printed column.

    With ``shift`` the number is added to the roll and the sum must reach 0 (a difficulty that helps).
    """

    kind: Literal["at-least"]
    rows: str
    rolls: list[DiceColumn]
    shift: bool = False


def at_least(ruleset: Ruleset, table_id: str, spec: AtLeastSpec) -> Table:
    """For each number of a printed column, the chance that each way to roll reaches it."""
    printed, _, column = spec.rows.partition(".")
    keys = list(column_of(table_of(ruleset, printed), column))
    reach = max(abs(int(number_of(cell))) for cell in keys) + 1
    rolls = [(roll_of(ruleset, way.dice, reach), sources_of_dice(ruleset, way.dice)) for way in spec.rolls]
    sign = -1 if spec.shift else 1
    rows = [
        (
            _same(cell),
            *(
                chance_cell(way.at_least(sign * int(number_of(cell))), spec, (*where, *_place(cell)))
                for way, where in rolls
            ),
        )
        for cell in keys
    ]
    title = next(listed.title for listed in table_of(ruleset, printed).columns if listed.id == column)
    columns = [Column(column, title, "number"), *(Column(way.id, way.title, "percent") for way in spec.rolls)]
    dice = ", ".join(dice_of(ruleset, way.dice) for way in spec.rolls)
    goal = "the number plus the roll reaches 0" if spec.shift else "the roll reaches the number"
    return computed(table_id, spec, columns, rows, f"Chance that {goal}: {dice}.")


def _same(cell: Cell) -> Cell:
    return Cell(cell.text, cell.value, sources=_place(cell))


def _place(cell: Cell) -> tuple[Span, ...]:
    return (cell.span,) if cell.span else cell.sources
