"""Explorers: grids to be asked one combination at a time, by choosing an entry of each axis.

In: an entry of ``[explorers.*]``, which is a grid of its own, or names a computed table that is one. Out: an Explorer,
with every combination worked out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Discriminator, Tag

from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.resolver.cells import ComputedSpec
from refgen.resolver.chains.moves import ChainsSpec
from refgen.resolver.formula.axis import Axis, AxisEntry
from refgen.resolver.formula.compiler import asks_chains
from refgen.resolver.lookup import find_named, placed_at, words_of
from refgen.resolver.tables.grid import OpenGrid, open_grid
from refgen.resolver.tables.grid_spec import GridSpec
from refgen.rules.field_types import Identifier
from refgen.rules.model import Cell, Column, Ruleset
from refgen.rules.toml import Strict
from refgen.span import Span
from refgen.suggestion import did_you_mean

MAX_FIGURES = 20_000
"""More figures than a page holds that opens at once."""

CELL = {True: "Chance", False: "Number"}
"""What the only figure of each entry across is called."""

MAX_RUNS = 1_000
"""So many combinations may ask a chain: each is a chain of its own."""


class TableExplorerSpec(Strict):
    """An explorer of the computed ``table``; ``start`` says which entries are chosen at first, by what is shown."""

    table: Identifier
    start: dict[Identifier, str] = {}


class GridExplorerSpec(GridSpec):
    """An explorer with formulas of its own, written as a grid: each entry of a row axis may be chosen."""

    kind: Literal["grid"] = "grid"
    start: dict[Identifier, str] = {}


def _kind_of_entry(written: Any) -> str:
    is_of_table = isinstance(written, TableExplorerSpec) if isinstance(written, BaseModel) else "table" in written
    return "table" if is_of_table else "grid"


ExplorerSpec = Annotated[
    Annotated[TableExplorerSpec, Tag("table")] | Annotated[GridExplorerSpec, Tag("grid")], Discriminator(_kind_of_entry)
]


class ExplorersSpec(ChainsSpec):
    """A system.toml with explorers, and the computed tables that they may be of."""

    derived: dict[Identifier, ComputedSpec] = {}
    explorers: dict[Identifier, ExplorerSpec] = {}


@dataclass(frozen=True, slots=True)
class Explorer:
    """The axes of a question, and the answers.

    ``start`` are the entries of the axes that are chosen at first. An answer has a figure for each of ``columns``, and
    then for each entry ``across`` one for each of ``cells``.
    """

    id: str
    title: str
    rule: str
    note: str
    grid: OpenGrid
    start: Sequence[AxisEntry]
    columns: Sequence[Column]
    across_title: str
    across: Sequence[str]
    cells: Sequence[str]
    span: Span

    def answer(self, entries: Sequence[AxisEntry]) -> Sequence[Cell] | None:
        """The figures for an entry of each axis; None for a combination that there is not. Raises ResolverError."""
        with placed_at(self.span):
            return self.grid.cells(entries)


def make_explorer(ruleset: Ruleset[ExplorersSpec], explorer_id: str) -> Explorer:
    """An explorer by its id, after the figures for the entries chosen at first could be worked out.

    Raises ResolverError at its entry for what a grid cannot be, and for more than is worked out.
    """
    span = ruleset.files.at("explorers", explorer_id)
    with placed_at(span):
        found = _explorer_of(ruleset, explorer_id, span)
    found.answer(found.start)
    return found


def _explorer_of(ruleset: Ruleset[ExplorersSpec], explorer_id: str, span: Span) -> Explorer:
    entry = ruleset.spec.explorers[explorer_id]
    spec = _grid(ruleset, entry)
    opened = open_grid(ruleset, spec, MAX_FIGURES)
    _check_chains(ruleset, spec, opened.combinations)
    alone, cells = len(spec.all_columns), [cell.title for cell in spec.all_cells] or [CELL[spec.show == "percent"]]
    across = opened.columns[alone :: len(cells)]
    return Explorer(
        explorer_id,
        spec.title,
        words_of(ruleset, spec.rule),
        spec.note,
        opened,
        _start_entries(opened.axes, entry.start),
        opened.columns[:alone],
        opened.across.column.title if opened.across else "",
        [column.unit if spec.all_cells else column.title for column in across],
        cells,
        span,
    )


def _grid(ruleset: Ruleset[ExplorersSpec], entry: TableExplorerSpec | GridExplorerSpec) -> GridSpec:
    """The grid that an explorer is. Raises ResolverError for a table that is none.

    An explorer of a table also answers for the rows that the table leaves out to be short.
    """
    if isinstance(entry, GridExplorerSpec):
        return entry
    spec = find_named(ruleset.spec.derived, entry.table, "computed table")
    if not isinstance(spec, GridSpec):
        hint = "Write its grid out: refgen tables --expand."
        raise ResolverError(f'"{entry.table}" is no grid, and cannot be an explorer', hint=hint)
    return spec.model_copy(update={"where": ""})


def _check_chains(ruleset: Ruleset[ChainsSpec], spec: GridSpec, combinations: int) -> None:
    """Refuse more combinations than chains are followed for."""
    shared = [ruleset.spec.formulas[spec.use]] if spec.use in ruleset.spec.formulas else []
    texts = [text for bound in (spec, *shared) for text in bound.let.values()]
    texts += [column.formula for column in (*spec.all_columns, *spec.all_cells)] + [
        text for text in (spec.cell,) if text
    ]
    if combinations > MAX_RUNS and any(asks_chains(parse_formula(text)) for text in texts):
        message = f"the explorer asks its chains for {combinations:,} combinations; refgen follows at most {MAX_RUNS:,}"
        raise ResolverError(message, hint="Take fewer entries: `first` and `last` name a part of a ladder or table.")


def _start_entries(axes: Sequence[Axis], start: Mapping[str, str]) -> Sequence[AxisEntry]:
    """The entries that are chosen at first: by name in ``start``, else the middle entry of each axis."""
    ids = [axis.column.id for axis in axes]
    if unknown := [name for name in start if name not in ids]:
        raise ResolverError(f'`start` names "{unknown[0]}", which is no axis', hint=did_you_mean(unknown[0], ids))
    return [_start_entry(axis, start.get(axis.column.id)) for axis in axes]


def _start_entry(axis: Axis, wanted: str | None) -> AxisEntry:
    shown = [entry.shown.text for entry in axis.entries]
    if doubled := [text for text in shown if shown.count(text) > 1]:
        raise ResolverError(f'the axis "{axis.column.id}" shows "{doubled[0]}" twice, of which one is to be chosen')
    if wanted is None:
        return axis.entries[len(shown) // 2]
    if wanted not in shown:
        hint = did_you_mean(wanted, shown)
        raise ResolverError(f'the axis "{axis.column.id}" has no "{wanted}" to start with', hint=hint)
    return axis.entries[shown.index(wanted)]
