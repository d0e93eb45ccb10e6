"""Odds of an action: the chance of each trait to reach each difficulty.

In: an action. Out: a computed Table of chances.
"""

from __future__ import annotations

from typing import Literal

from refgen.errors import ResolverError
from refgen.resolver.action import ActionsSpec, action_of, number_of_entry
from refgen.resolver.cells import ComputedSpec, chance_cell, column_id, computed, number_cell, word_cell
from refgen.resolver.dice.chance_matrix import chance_rows
from refgen.resolver.formula.axis import Axis, Entry, constant, part_of
from refgen.rules.field_types import FormulaText, Identifier
from refgen.rules.model import Cell, Column, Ruleset, Table


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
    goals = [(number_of_entry(action.difficulty, entry), entry.shown.sources) for entry in difficulties]
    modifier = constant(ruleset, spec.modifier)
    values = [_value(action.trait, trait) for trait in traits]
    heads = [Column("trait", "Trait"), *([Column("value", "", "number")] if any(values) else [])]
    columns = [Column(column_id(entry.shown.text), entry.shown.text, "percent", entry.unit) for entry in difficulties]
    degrees = [action.degree(trait, modifier) for trait in traits]
    found = chance_rows([(degree.rolled, degree.added) for degree in degrees], [goal for goal, _ in goals])
    rows = []
    for trait, value, degree, row in zip(traits, values, degrees, found, strict=True):
        chances = (
            chance_cell(chance, spec, (*degree.sources, *where)) for chance, (_, where) in zip(row, goals, strict=True)
        )
        shown = [value or Cell("")] if any(values) else []
        rows.append((word_cell(trait.shown.text), *shown, *chances))
    rule = f"Chance that {action.words(modifier)} reaches the difficulty."
    return computed(table_id, spec, [*heads, *columns], rows, rule)


def _value(axis: Axis, trait: Entry) -> Cell | None:
    """The number of a trait that has a name; None for one that is shown by its number, or has none."""
    number = trait.named[axis.column.id].number
    signed = not trait.unit or trait.unit.startswith("+")
    return number_cell(number, signed) if isinstance(number, int) and axis.column.type == "level" else None
