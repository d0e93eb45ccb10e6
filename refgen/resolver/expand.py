"""Short forms of computed tables, written out as the grids that they stand for.

In: an entry of ``[derived.*]``. Out: a GridSpec that gives the same figures.
"""

from __future__ import annotations

from refgen.errors import ResolverError
from refgen.resolver.action import DIFFICULTY, MODIFIER, TRAIT, ActionsSpec, action_of
from refgen.resolver.cells import ComputedSpec
from refgen.resolver.formula.axis import AxisSpec
from refgen.resolver.lookup import dice_of, ladder_of
from refgen.resolver.tables.grid import FormulaColumn, GridSpec
from refgen.resolver.tables.matrix import MatrixSpec
from refgen.resolver.tables.odds import OddsSpec
from refgen.rules.model import Ruleset


def expanded(ruleset: Ruleset[ActionsSpec], table_id: str, spec: ComputedSpec) -> GridSpec:
    """The grid of an entry. Raises ResolverError for a kind of table that is no grid."""
    match spec:
        case GridSpec():
            return spec
        case OddsSpec():
            return _odds(ruleset, spec)
        case MatrixSpec():
            return _matrix(ruleset, spec)
    raise ResolverError(f'"{table_id}" is no grid: its kind is {spec.kind}', hint="Matrices and odds are written out.")


def _odds(ruleset: Ruleset, spec: OddsSpec) -> GridSpec:
    questions = [("exactly", "Exactly", "=="), ("at-least", "At least", ">=")]
    columns = [
        FormulaColumn(id=name, title=title, formula=f"chance({spec.dice} {sign} {{value}})")
        for name, title, sign in questions
    ]
    if spec.ladder is None:
        rows = AxisSpec(id="value", title="Roll", values=spec.dice, reverse=True, signed=True)
    else:
        low, high = f"{{{spec.ladder}.lowest}}", f"{{{spec.ladder}.highest}}"
        signed = ladder_of(ruleset, spec.ladder).signed
        rows = AxisSpec(id="value", title="Roll", low=low, high=high, reverse=True, signed=signed)
        level = FormulaColumn(id="level", title="Level", formula="{value}", show="level", ladder=spec.ladder)
        columns.insert(0, level)
    return _grid(spec, rows=[rows], columns=columns, rule=f"The odds of {dice_of(ruleset, spec.dice)}.")


def _matrix(ruleset: Ruleset[ActionsSpec], spec: MatrixSpec) -> GridSpec:
    known, action = action_of(ruleset, spec.action), ruleset.spec.actions[spec.action]
    if action.difficulty is None:
        raise ResolverError(f'the action "{spec.action}" has no difficulties')
    trait = _part(action.trait, spec.from_trait, spec.to_trait, id=TRAIT, title="Trait")
    reverse = not action.difficulty.reverse
    ends = spec.from_difficulty, spec.to_difficulty
    across = _part(action.difficulty, *ends, id=DIFFICULTY, reverse=reverse, short_ids=True)
    modifier = f" + {spec.modifier}" if spec.modifier else ""
    roll = action.roll.replace(f" + {{{MODIFIER}}}", modifier).replace(f"{{{action.trait.id}", f"{{{TRAIT}")
    value = FormulaColumn(id="value", title="", formula=f"{{{TRAIT}}}", show="signed")
    columns = [value] if known.trait.column.type == "level" else []
    rule = f"Chance that {known.words()} reaches the difficulty."
    cell = f"chance({roll} >= {{{DIFFICULTY}}})"
    return _grid(spec, rows=[trait], columns=columns, across=across, cell=cell, rule=rule)


def _part(axis: AxisSpec, first: str, last: str, **changes: object) -> AxisSpec:
    """An axis from one entry to another, called by another name."""
    ends = {name: end for name, end in (("first", first), ("last", last)) if end}
    return axis.model_copy(update={**changes, **ends})


def _grid(spec: ComputedSpec, **parts: object) -> GridSpec:
    shared = {"title": spec.title, "note": spec.note, "places": spec.places, "rounding": spec.rounding}
    given = {name: value for name, value in shared.items() if value != ComputedSpec.model_fields[name].default}
    return GridSpec.model_validate({**given, **parts})
