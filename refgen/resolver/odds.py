"""Odds as tables: of one roll, of traits against difficulties, of several ways to roll side by side.

In: a Ruleset and an entry of system.toml. Out: a computed Table of chances.
"""

from __future__ import annotations

from collections.abc import Sequence

from refgen.errors import ResolverError
from refgen.notation.values import DiceText, Level
from refgen.resolver.lookup import (
    chance_cell,
    column_of,
    computed,
    dice_of,
    ladder_of,
    number_cell,
    number_of,
    roll_of,
    table_of,
    word_cell,
)
from refgen.rules.model import Cell, Column, Ruleset, Table
from refgen.rules.schema import AtLeastSpec, MatrixSpec, OddsSpec, StepDiceSpec


def odds(ruleset: Ruleset, table_id: str, spec: OddsSpec) -> Table:
    """Each outcome of a roll, the chance of exactly that, and of at least that."""
    rolled = roll_of(ruleset, spec.dice)
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
            chance_cell(rolled.exactly(value), spec),
            chance_cell(rolled.at_least(value), spec),
        ]
        if level is not None:
            cells.insert(1, word_cell(level.name))
        rows.append(tuple(cells))
    return computed(table_id, spec, columns, rows, f"The odds of {dice_of(ruleset, spec.dice)}.")


def _part(levels: Sequence[Level], first: str, last: str) -> Sequence[Level]:
    """The levels from one name to another, both included; "" for the end of the ladder."""
    names = [level.name for level in levels]
    for name in (first, last):
        if name and name not in names:
            raise ResolverError(f'the ladder has no level "{name}"', hint=f"It has {', '.join(names)}.")
    start = names.index(first) if first else 0
    end = names.index(last) + 1 if last else len(names)
    return levels[start:end]


def matrix(ruleset: Ruleset, table_id: str, spec: MatrixSpec) -> Table:
    """The chance that trait + roll reaches the difficulty, for each trait level (rows) and difficulty (columns)."""
    rolled = roll_of(ruleset, spec.dice)
    traits = _part(ladder_of(ruleset, spec.traits).levels, spec.from_trait, spec.to_trait)
    difficulties = _part(ladder_of(ruleset, spec.difficulties).levels[::-1], spec.from_difficulty, spec.to_difficulty)
    columns = [
        Column("trait", "Trait"),
        Column("value", "", "number"),
        *(
            Column(column_id(level.name), level.name, "percent", unit=number_cell(level.value).text)
            for level in difficulties
        ),
    ]
    rows = [
        (
            word_cell(trait.name),
            number_cell(trait.value),
            *(chance_cell(rolled.at_least(level.value - trait.value), spec) for level in difficulties),
        )
        for trait in traits
    ]
    rule = f"Chance that trait plus {dice_of(ruleset, spec.dice)} reaches the difficulty."
    return computed(table_id, spec, columns, rows, rule)


def column_id(title: str) -> str:
    """A column id made from a title."""
    return "-".join(word for word in "".join(c if c.isalnum() else " " for c in title.lower()).split())


def at_least(ruleset: Ruleset, table_id: str, spec: AtLeastSpec) -> Table:
    """For each number of a printed column, the chance that each way to roll reaches it."""
    printed, _, column = spec.rows.partition(".")
    keys = list(column_of(table_of(ruleset, printed), column))
    reach = max(abs(int(number_of(cell))) for cell in keys) + 1
    rolls = [roll_of(ruleset, way.dice, reach) for way in spec.rolls]
    sign = -1 if spec.shift else 1
    rows = [
        (_same(cell), *(chance_cell(way.at_least(sign * int(number_of(cell))), spec) for way in rolls)) for cell in keys
    ]
    title = next(own.title for own in table_of(ruleset, printed).columns if own.id == column)
    columns = [Column(column, title, "number"), *(Column(way.id, way.title, "percent") for way in spec.rolls)]
    dice = ", ".join(dice_of(ruleset, way.dice) for way in spec.rolls)
    goal = "the number plus the roll reaches 0" if spec.shift else "the roll reaches the number"
    return computed(table_id, spec, columns, rows, f"Chance that {goal}: {dice}.")


def _same(cell: Cell) -> Cell:
    return Cell(cell.text, cell.value)


def _treated(treatment: str, die: str) -> str:
    """A trait's die with a treatment: "explode({die})" of "d12+1" is "explode(d12)+1", for only dice explode."""
    change = min((at for sign in "+-" if (at := die.find(sign)) > 0), default=len(die))
    return treatment.replace("{die}", die[:change]) + die[change:]


def step_dice(ruleset: Ruleset, table_id: str, spec: StepDiceSpec) -> Table:
    """Traits that are dice: the chance that each trait's die reaches the number of each level."""
    table = table_of(ruleset, spec.table)
    ladder = ladder_of(ruleset, spec.targets)
    dice = [
        (level.value, die.value.expression)
        for level, die in zip(column_of(table, spec.level), column_of(table, spec.die), strict=True)
        if isinstance(level.value, Level) and isinstance(die.value, DiceText) and die.value.expression
    ]
    dice.sort(key=lambda pair: pair[0].value)
    reach = ladder.highest + 1
    rolls = [roll_of(ruleset, _treated(spec.roll, die), reach) for _, die in dice]
    columns = [
        Column("value", "", "number"),
        Column("level", "Level"),
        *(Column(column_id(level.name), level.name, "percent", unit=die) for level, die in dice),
    ]
    rows = [
        (
            number_cell(level.value, signed=False),
            word_cell(level.name),
            *(chance_cell(rolled.at_least(level.value), spec) for rolled in rolls),
        )
        for level in ladder.levels
    ]
    roll_words = spec.roll.replace("{die}", "the die")
    return computed(table_id, spec, columns, rows, f"Chance that {roll_words} of the trait reaches the level's number.")
