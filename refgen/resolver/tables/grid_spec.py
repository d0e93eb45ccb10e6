"""Grids as system.toml describes them, and the short forms of grids: the odds of dice, and of an action for each trait.

In: entries of ``[derived.*]``. Out: GridSpecs; a short form is the GridSpec that it stands for.
"""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from refgen.errors import ResolverError
from refgen.resolver.formula.axis import AxisSpec, constant
from refgen.resolver.formula.names import BoundSpec
from refgen.resolver.lookup import ComputedSpec, dice_of, ladder_of
from refgen.resolver.rolls import MODIFIER, ActionsSpec, roll_of
from refgen.rules.field_types import Columns, FormulaText, Identifier
from refgen.rules.model import Ruleset
from refgen.rules.toml import Strict

Shown = Literal["percent", "number", "signed", "modifier", "level", "times", "name"]
"""How a number is shown: a chance, a plain or a signed number, a change to something, a level of a ladder, one to so
many ("1:3"), or what the first axis shows for that number."""


def _with_title(written: Any) -> Any:
    if isinstance(written, dict) and "title" not in written and isinstance(name := written.get("id"), str):
        return {**written, "title": name.replace("-", " ").capitalize()}
    return written


class FormulaColumn(Strict):
    """A column that a formula fills. ``places`` are those of the table unless given, ``title`` is its id in words.

    A number that is no level of the ladder is shown by its distance from the nearest ("Superb +1"). ``assume`` has
    the numbers that names stand for in this column.
    """

    id: Identifier
    title: str = ""
    formula: FormulaText
    show: Shown = "percent"
    ladder: Identifier | None = None
    places: int | None = Field(None, ge=0, le=6)
    unit: str = ""
    assume: dict[Identifier, FormulaText] = {}

    _with_title = model_validator(mode="before")(_with_title)


class ContestSpec(Strict):
    """Two sides that roll: three columns say how often ``you`` come to more than the ``foe``, to as much, and to less.

    Both are formulas over dice. ``win``, ``draw`` and ``lose`` are the heads of the columns, and their ids.
    """

    you: FormulaText
    foe: FormulaText = "0"
    win: str = "Win"
    draw: str = "Draw"
    lose: str = "Lose"

    @property
    def columns(self) -> list[FormulaColumn]:
        """The columns for which the contest stands."""
        signs = {"win": ">", "draw": "==", "lose": "<"}
        return [
            FormulaColumn(id=name, title=getattr(self, name), formula=f"chance(({self.you}) {sign} ({self.foe}))")
            for name, sign in signs.items()
        ]


class GridSpec(ComputedSpec, BoundSpec):
    """A table that formulas fill: a row for each combination of the axes in ``rows``.

    ``columns`` have a formula each; ``across`` adds a column for each of its values, filled by ``cell``, or several
    columns for each value, filled by ``cells``. ``contest`` stands for three columns: for each value across in a grid
    without ``cell``, else before ``columns``. ``assume`` gives names the same number in the whole grid. ``where`` keeps
    the rows in which the formula is not 0. ``rule`` says in words how the numbers follow, with facts in braces.
    """

    kind: Literal["grid"] = "grid"
    rows: list[AxisSpec] = Field(min_length=1, max_length=4)
    assume: dict[Identifier, FormulaText] = {}
    where: FormulaText = ""
    columns: Columns[FormulaColumn] = []
    contest: ContestSpec | None = None
    across: AxisSpec | None = None
    cell: FormulaText = ""
    cells: Columns[FormulaColumn] = []
    show: Shown = "percent"
    ladder: Identifier | None = None
    rule: str

    @model_validator(mode="after")
    def _check_cells(self) -> Self:
        if (self.across is None) != (not self.cell and not self.all_cells) or (self.cell and self.all_cells):
            raise ValueError("`across` and `cell` belong together, or `across` and `cells`")
        if self.across is None and not self.all_columns:
            raise ValueError("a grid needs `columns`, or `across` and `cell`")
        return self

    @property
    def all_columns(self) -> list[FormulaColumn]:
        """The columns that have a formula each, without those for each value across."""
        return self.columns if self.contest is None or self._contests_across else self.contest.columns + self.columns

    @property
    def all_cells(self) -> list[FormulaColumn]:
        """The columns for each value across, where there are several."""
        return self.contest.columns if self.contest is not None and self._contests_across else self.cells

    @property
    def _contests_across(self) -> bool:
        return self.across is not None and not self.cell and not self.cells


class OddsSpec(ComputedSpec):
    """For each level of a ladder (or each outcome): the chance to roll exactly that, and at least that."""

    kind: Literal["odds"]
    dice: FormulaText
    ladder: Identifier | None = None


class MatrixSpec(ComputedSpec):
    """The chance of an action to reach each difficulty, for every trait, with a modifier where one is given."""

    kind: Literal["matrix"]
    action: Identifier
    modifier: FormulaText = ""
    from_trait: str = ""
    to_trait: str = ""
    from_difficulty: str = ""
    to_difficulty: str = ""


def expand_grid(ruleset: Ruleset[ActionsSpec], table_id: str, spec: ComputedSpec) -> GridSpec:
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
    words = ruleset.words
    questions = [("exactly", words("exactly"), "=="), ("at-least", words("at-least"), ">=")]
    columns = [
        FormulaColumn(id=name, title=title, formula=f"chance({spec.dice} {sign} {{value}})")
        for name, title, sign in questions
    ]
    if spec.ladder is None:
        signed = roll_of(ruleset, spec.dice).outcomes[0] < 0
        rows = AxisSpec(id="value", title=words("roll"), values=spec.dice, reverse=True, signed=signed)
    else:
        ladder = ladder_of(ruleset, spec.ladder)
        numbers = [level.value for level in ladder.levels]
        rows = AxisSpec(id="value", title=words("roll"), numbers=numbers, signed=ladder.signed)
        level = FormulaColumn(id="level", title=words("level"), formula="{value}", show="level", ladder=spec.ladder)
        columns.insert(0, level)
    return _grid(spec, rows=[rows], columns=columns, rule=words("rule-odds-of", dice=dice_of(ruleset, spec.dice)))


def _matrix(ruleset: Ruleset[ActionsSpec], spec: MatrixSpec) -> GridSpec:
    from refgen.resolver.action_reader import action_of

    known, action = action_of(ruleset, spec.action), ruleset.spec.actions[spec.action]
    if action.difficulty is None:
        raise ResolverError(f'the action "{spec.action}" has no difficulties')
    title = action.trait.title or action.trait.id.replace("-", " ").capitalize()
    trait = _part(action.trait, spec.from_trait, spec.to_trait, title=title)
    order = {} if action.difficulty.ladder is None else {"reverse": not action.difficulty.reverse}
    across = _part(action.difficulty, spec.from_difficulty, spec.to_difficulty, **order, short_ids=True)
    shown: Shown = "signed" if any(entry.unit[:1] in ("", "+") for entry in known.trait.entries) else "number"
    value = FormulaColumn(id="value", title="", formula=f"{{{action.trait.id}}}", show=shown)
    columns = [value] if known.trait.column.type == "level" else []
    target, sign = action.target or f"{{{action.difficulty.id}}}", "<=" if action.at_most else ">="
    if action.names_of(action.difficulty) and not action.target:
        target = "0"
    roll, goal = (_with_modifier(text, spec.modifier) for text in (action.roll, target))
    words = ruleset.words
    success = known.success_words(constant(ruleset, spec.modifier), words)
    rule = words("rule-chance-that", success=success)
    return _grid(spec, rows=[trait], columns=columns, across=across, cell=f"chance({roll} {sign} {goal})", rule=rule)


def _with_modifier(formula: str, modifier: str) -> str:
    """A formula of an action with a modifier in its place."""
    added = formula.replace(f" + {{{MODIFIER}}}", f" + {modifier}" if modifier else "")
    return added.replace(f"{{{MODIFIER}}}", f"({modifier or 0})")


def _part(axis: AxisSpec, first: str, last: str, **changes: object) -> AxisSpec:
    """An axis from one entry to another, called by another name."""
    ends = {name: end for name, end in (("first", first), ("last", last)) if end}
    return axis.model_copy(update={**changes, **ends})


def _grid(spec: ComputedSpec, **parts: object) -> GridSpec:
    shared = {"title": spec.title, "note": spec.note, "places": spec.places, "rounding": spec.rounding}
    given = {name: value for name, value in shared.items() if value != ComputedSpec.model_fields[name].default}
    return GridSpec.model_validate({**given, **parts})
