"""Traits that are dice: the chance of each die to reach each level.

In: a table of dice, and a ladder. Out: a computed Table of chances.
"""

from __future__ import annotations

from typing import Literal

from refgen.notation.formula import parse_formula
from refgen.notation.values import DiceText, Level
from refgen.resolver.action import degree_of
from refgen.resolver.cells import ComputedSpec, chance_cell, column_id, computed, number_cell, word_cell
from refgen.resolver.formula.evaluate import Formulas
from refgen.resolver.formula.scope import Named, Names, Scope
from refgen.resolver.lookup import column_of, ladder_of, table_of, words_of
from refgen.rules.model import Column, Ruleset, Table
from refgen.rules.schema import FormulaText, Identifier

DIE = "die"
"""The name that the roll of step dice has for the die of a trait."""


class StepDiceSpec(ComputedSpec):
    """Traits that are dice: the chance of each trait's die to reach each level's number.

    ``roll`` is a formula of {die}, such as "explode({die})".
    """

    kind: Literal["step-dice"]
    table: Identifier
    level: Identifier
    die: Identifier
    roll: FormulaText = "{die}"
    targets: Identifier


def step_dice(ruleset: Ruleset, table_id: str, spec: StepDiceSpec) -> Table:
    """Traits that are dice: the chance that each trait's die reaches the number of each level."""
    table = table_of(ruleset, spec.table)
    dice = [
        (level.value, die)
        for level, die in zip(column_of(table, spec.level), column_of(table, spec.die), strict=True)
        if isinstance(level.value, Level) and isinstance(die.value, DiceText) and die.value.expression
    ]
    dice.sort(key=lambda pair: pair[0].value)
    roll = Formulas(Names(ruleset, {DIE: True})).shifted_roll(parse_formula(spec.roll))
    degrees = [degree_of(roll, Scope({DIE: Named.of(die)}), spec.title) for _, die in dice]
    columns = [
        Column("value", "", "number"),
        Column("level", "Level"),
        *(Column(column_id(level.name), level.name, "percent", unit=die.text) for level, die in dice),
    ]
    rows = [
        (
            number_cell(level.value, signed=False),
            word_cell(level.name),
            *(chance_cell(degree.reaches(level.value), spec, degree.sources) for degree in degrees),
        )
        for level in ladder_of(ruleset, spec.targets).levels
    ]
    rolled = words_of(ruleset, spec.roll.replace(f"{{{DIE}}}", "the die"))
    return computed(table_id, spec, columns, rows, f"Chance that {rolled} of the trait reaches the level's number.")
