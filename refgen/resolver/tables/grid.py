"""Tables that formulas fill: every combination of some rows, with a formula for each column.

In: a GridSpec. Out: a Table whose cells hold the exact number, its rounded text, and its sources.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Literal, Self

from pydantic import Field, model_validator

from refgen.errors import ResolverError
from refgen.notation.formula import MAX_DEPTH, Formula, depth_of, names_in, parse_formula
from refgen.notation.read import NotationName
from refgen.notation.rounding import decimal, units
from refgen.notation.values import Number, fraction
from refgen.resolver.cells import ComputedSpec, chance_cell, column_id, computed
from refgen.resolver.formula.axis import Axis, AxisSpec, Entry, beyond, read_axis
from refgen.resolver.formula.evaluate import Formulas
from refgen.resolver.formula.scope import Evaluate, Named, Names, Rational, Scope
from refgen.resolver.lookup import ladder_of, words_of
from refgen.rules.model import Cell, Column, Ruleset, Table
from refgen.rules.schema import FormulaText, Identifier
from refgen.rules.toml import Strict

MAX_CELLS = 200_000
MAX_MENTIONS = 100
"""How many formulas with a name may stand in one, however deep."""

Shown = Literal["percent", "number", "signed", "level", "times"]
"""How a number is shown: a chance, a plain or a signed number, a level of a ladder, or one to so many ("1:3")."""


class FormulaColumn(Strict):
    """A column that a formula fills. ``places`` are those of the table unless given.

    A number that is no level of the ladder is shown by its distance from the nearest ("Superb +1").
    """

    id: Identifier
    title: str
    formula: FormulaText
    show: Shown = "percent"
    ladder: Identifier | None = None
    places: int | None = Field(None, ge=0, le=6)
    unit: str = ""


class GridSpec(ComputedSpec):
    """A table that formulas fill: a row for each combination of the axes in ``rows``.

    ``columns`` are filled one by one; ``across`` adds a column for each of its values, filled by ``cell``.
    ``let`` names formulas that others use; one may use those before it. ``where`` keeps the rows for which it is not 0.
    ``rule`` says in words how the numbers follow; facts stand in it in braces.
    """

    kind: Literal["grid"]
    rows: list[AxisSpec] = Field(min_length=1, max_length=4)
    let: dict[Identifier, FormulaText] = {}
    where: FormulaText = ""
    columns: list[FormulaColumn] = []
    across: AxisSpec | None = None
    cell: FormulaText = ""
    show: Shown = "percent"
    ladder: Identifier | None = None
    rule: str

    @model_validator(mode="after")
    def _filled(self) -> Self:
        if (self.across is None) != (not self.cell):
            raise ValueError("`across` and `cell` belong together")
        if self.across is None and not self.columns:
            raise ValueError("a grid needs `columns`, or `across` and `cell`")
        return self


TYPES: Mapping[Shown, NotationName] = {"level": "level", "percent": "percent", "number": "number", "signed": "number"}

_NAME = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class _FilledColumn:
    """A column: its head, what its formula may name besides the row, the formula, and how its numbers are shown."""

    head: Column
    entry: Entry
    evaluate: Evaluate
    show: Callable[[Rational, Scope], Cell]


def grid(ruleset: Ruleset, table_id: str, spec: GridSpec) -> Table:
    """Fill a grid. Raises ResolverError for a name that is not there, or a formula that has no answer."""
    wanted = _names_in(spec)
    axes = [read_axis(ruleset, axis, wanted) for axis in spec.rows]
    across = read_axis(ruleset, spec.across, wanted) if spec.across else None
    _check_names([*axes, *([across] if across else [])])
    _check_size(axes, across, spec)
    formulas = Formulas(Names(ruleset, _names(axes), _let(spec)))
    filled = [*_columns(ruleset, spec, formulas), *_across(ruleset, spec, formulas, across)]
    kept = formulas.number(parse_formula(spec.where)) if spec.where else None
    rows = []
    for entries in product(*(axis.entries for axis in axes)):
        named: dict[str, Named] = {}
        for entry in entries:
            named |= entry.named
        scope = Scope(named)
        if kept is None or kept(scope):
            rows.append((*[entry.shown for entry in entries], *[_fill(column, scope) for column in filled]))
    columns = [*(axis.column for axis in axes), *(column.head for column in filled)]
    return computed(table_id, spec, columns, rows, words_of(ruleset, spec.rule))


def _names_in(spec: GridSpec) -> Collection[str]:
    """Every name that stands in a formula of the grid."""
    texts = [*spec.let.values(), *(column.formula for column in spec.columns), spec.where, spec.cell]
    return {name for text in texts for name in _NAME.findall(text)}


def _check_names(axes: Sequence[Axis]) -> None:
    ids = [axis.column.id for axis in axes]
    for name in ids:
        if ids.count(name) > 1:
            raise ResolverError(f'two axes are called "{name}"')


def _check_size(axes: Sequence[Axis], across: Axis | None, spec: GridSpec) -> None:
    columns = len(axes) + len(spec.columns) + (len(across.entries) if across else 0)
    cells = prod(len(axis.entries) for axis in axes) * columns
    if cells > MAX_CELLS:
        raise ResolverError(f"the grid has {cells:,} cells; refgen fills at most {MAX_CELLS:,}")


def _names(axes: Sequence[Axis]) -> Mapping[str, bool]:
    """What the formulas of a row may name, each with whether it stands for dice."""
    return {name: dice for axis in axes for name, dice in axis.names.items()}


def _let(spec: GridSpec) -> Mapping[str, Formula]:
    """The formulas with a name. Raises ResolverError for one that names a later one, or that grows too large."""
    let: dict[str, Formula] = {}
    depths: dict[str, int] = {}
    mentions: dict[str, int] = {}
    for name, text in spec.let.items():
        formula = parse_formula(text)
        used = [other for other in names_in(formula) if other in spec.let]
        if later := [other for other in used if other not in let]:
            raise ResolverError(f'`let` names "{name}" by "{later[0]}", which comes after it')
        mentions[name] = sum(1 + mentions[other] for other in used)
        depths[name] = depth_of(formula, depths) + 1
        if mentions[name] > MAX_MENTIONS or depths[name] > MAX_DEPTH:
            raise ResolverError(f'`let` makes "{name}" too large: too many formulas stand in one another')
        let[name] = formula
    return let


def _columns(ruleset: Ruleset, spec: GridSpec, formulas: Formulas) -> Iterator[_FilledColumn]:
    for column in spec.columns:
        head = Column(column.id, column.title, TYPES.get(column.show, "text"), column.unit)
        evaluate = formulas.number(parse_formula(column.formula))
        yield _FilledColumn(head, _NOTHING, evaluate, _shower(ruleset, spec, column))


def _across(ruleset: Ruleset, spec: GridSpec, formulas: Formulas, across: Axis | None) -> Iterator[_FilledColumn]:
    if across is None:
        return
    crossing = replace(formulas, names=replace(formulas.names, across=across.names))
    evaluate = crossing.number(parse_formula(spec.cell))
    show = _shower(ruleset, spec, FormulaColumn(id="x", title="", formula="", show=spec.show, ladder=spec.ladder))
    for entry in across.entries:
        title = entry.shown.text
        head = Column(column_id(f"{across.column.id} {title}"), title, TYPES.get(spec.show, "text"), entry.unit)
        yield _FilledColumn(head, entry, evaluate, show)


_NOTHING = Entry(Cell(""), {})


def _fill(column: _FilledColumn, scope: Scope) -> Cell:
    scope.begin_cell(column.entry.named)
    return column.show(column.evaluate(scope), scope)


def _shower(ruleset: Ruleset, spec: GridSpec, column: FormulaColumn) -> Callable[[Rational, Scope], Cell]:
    places = spec.places if column.places is None else column.places
    if column.show == "percent":
        return lambda number, scope: chance_cell(number, spec, scope.sources, places)
    if column.show == "level":
        ladder = ladder_of(ruleset, column.ladder or "")

        def level(number: Rational, scope: Scope) -> Cell:
            found = beyond(ladder, units(number, 0, spec.rounding))
            return Cell(found.name, found, exact=_exact(number), sources=scope.sources)

        return level

    def plain(number: Rational, scope: Scope) -> Cell:
        text = _digits(decimal(number, places, spec.rounding))
        if column.show == "signed" and number > 0:
            text = f"+{text}"
        if column.show == "times":
            text = f"1:{text}"
        exact = _exact(number)
        return Cell(scope.bound + text, Number(exact, scope.bound), None, exact, scope.sources)

    return plain


def _exact(number: Rational) -> Fraction:
    return fraction(number) if isinstance(number, int) else number


def _digits(text: str) -> str:
    """A decimal with its thousands apart."""
    whole, point, part = text.removeprefix("-").partition(".")
    return "-" * text.startswith("-") + f"{int(whole):,}{point}{part}"
