"""Odds as tables: of one roll, of traits against difficulties, of several ways to roll side by side.

In: a Ruleset and an entry of system.toml. Out: a computed Table of chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from refgen.errors import ResolverError
from refgen.notation.formula import parse_formula
from refgen.notation.values import DiceText, Level
from refgen.resolver.action import ActionsSpec, action_of, degree_of, number_of_entry
from refgen.resolver.cells import ComputedSpec, chance_cell, column_id, computed, number_cell, word_cell
from refgen.resolver.dice.chance_matrix import chance_rows
from refgen.resolver.formula.axis import Axis, Entry, constant, part_of
from refgen.resolver.formula.evaluate import Formulas
from refgen.resolver.formula.scope import Named, Names, Scope
from refgen.resolver.lookup import column_of, dice_of, ladder_of, number_of, rests_on_dice, roll_of, table_of, words_of
from refgen.rules.model import Cell, Column, Ruleset, Table
from refgen.rules.schema import FormulaText, Identifier
from refgen.rules.toml import Strict
from refgen.span import Span

DIE = "die"
"""What the roll of step dice calls the die of a trait."""


class OddsSpec(ComputedSpec):
    """For each level of a ladder (or each outcome): the chance to roll exactly that, and at least that."""

    kind: Literal["odds"]
    dice: str
    ladder: Identifier | None = None


def odds(ruleset: Ruleset, table_id: str, spec: OddsSpec) -> Table:
    """Each outcome of a roll, the chance of exactly that, and of at least that."""
    rolled, rests_on = roll_of(ruleset, spec.dice), rests_on_dice(ruleset, spec.dice)
    columns = [
        Column("value", "Roll", "number"),
        Column("exactly", "Exactly", "percent"),
        Column("at-least", "At least", "percent"),
    ]
    levels: Sequence[Level | None]
    if spec.ladder is None:
        levels, values = [None] * len(rolled.outcomes), sorted(rolled.outcomes, reverse=True)
    else:
        levels = ladder_of(ruleset, spec.ladder).levels
        values = [level.value for level in levels if level is not None]
        columns.insert(1, Column("level", "Level"))
    rows = []
    for level, value in zip(levels, values, strict=True):
        cells = [
            number_cell(value),
            chance_cell(rolled.exactly(value), spec, rests_on),
            chance_cell(rolled.at_least(value), spec, rests_on),
        ]
        if level is not None:
            cells.insert(1, word_cell(level.name))
        rows.append(tuple(cells))
    return computed(table_id, spec, columns, rows, f"The odds of {dice_of(ruleset, spec.dice)}.")


class MatrixSpec(ComputedSpec):
    """The chance of an action to reach each difficulty, for every trait, with a modifier where one is given."""

    kind: Literal["matrix"]
    action: Identifier
    modifier: FormulaText = ""
    from_trait: str = ""
    to_trait: str = ""
    from_difficulty: str = ""
    to_difficulty: str = ""


def matrix(ruleset: Ruleset[ActionsSpec], table_id: str, spec: MatrixSpec) -> Table:
    """The chance that an action reaches the difficulty, for each trait (rows) and difficulty (columns)."""
    action = action_of(ruleset, spec.action)
    if action.difficulty is None:
        raise ResolverError(f'the action "{spec.action}" has no difficulties')
    traits = part_of(action.trait.entries, spec.from_trait, spec.to_trait)
    difficulties = part_of(action.difficulty.entries[::-1], spec.from_difficulty, spec.to_difficulty)
    goals = [(number_of_entry(action.difficulty, entry), entry.shown.rests_on) for entry in difficulties]
    modifier = constant(ruleset, spec.modifier)
    values = [_value(action.trait, trait) for trait in traits]
    heads = [Column("trait", "Trait"), *([Column("value", "", "number")] if any(values) else [])]
    columns = [Column(column_id(entry.shown.text), entry.shown.text, "percent", entry.unit) for entry in difficulties]
    degrees = [action.degree(trait, modifier) for trait in traits]
    found = chance_rows([(degree.rolled, degree.added) for degree in degrees], [goal for goal, _ in goals])
    rows = []
    for trait, value, degree, row in zip(traits, values, degrees, found, strict=True):
        chances = (
            chance_cell(chance, spec, (*degree.rests_on, *where)) for chance, (_, where) in zip(row, goals, strict=True)
        )
        shown = [value or Cell("")] if any(values) else []
        rows.append((word_cell(trait.shown.text), *shown, *chances))
    rule = f"Chance that {action.words(modifier)} reaches the difficulty."
    return computed(table_id, spec, [*heads, *columns], rows, rule)


def _value(axis: Axis, trait: Entry) -> Cell | None:
    """The number of a trait that has a name; None for one that is shown by its number, or has none."""
    number = trait.named[axis.column.id].number
    return number_cell(number) if isinstance(number, int) and axis.column.type == "level" else None


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
    rolls = [(roll_of(ruleset, way.dice, reach), rests_on_dice(ruleset, way.dice)) for way in spec.rolls]
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
    title = next(own.title for own in table_of(ruleset, printed).columns if own.id == column)
    columns = [Column(column, title, "number"), *(Column(way.id, way.title, "percent") for way in spec.rolls)]
    dice = ", ".join(dice_of(ruleset, way.dice) for way in spec.rolls)
    goal = "the number plus the roll reaches 0" if spec.shift else "the roll reaches the number"
    return computed(table_id, spec, columns, rows, f"Chance that {goal}: {dice}.")


def _same(cell: Cell) -> Cell:
    return Cell(cell.text, cell.value, rests_on=_place(cell))


def _place(cell: Cell) -> tuple[Span, ...]:
    return (cell.span,) if cell.span else cell.rests_on


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
            *(chance_cell(degree.reaches(level.value), spec, degree.rests_on) for degree in degrees),
        )
        for level in ladder_of(ruleset, spec.targets).levels
    ]
    rolled = words_of(ruleset, spec.roll.replace(f"{{{DIE}}}", "the die"))
    return computed(table_id, spec, columns, rows, f"Chance that {rolled} of the trait reaches the level's number.")
