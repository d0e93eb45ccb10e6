"""Computed tables and explorers: what follows from the printed tables of a ruleset, made when first asked for.

In: a Ruleset. Out: the table of each ``[derived.*]`` entry of system.toml, by id; and of each ``[explorers.*]`` entry
an Explorer, a grid that answers one combination of its axes at a time. A new kind of table is a module in ``tables``
and a line in TABLE_KINDS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Discriminator, Tag

from refgen.catalog import did_you_mean
from refgen.errors import RefgenError, ResolverError, is_among
from refgen.limits import limit_hint, limits
from refgen.notation.formula_parser import parse_formula
from refgen.resolver.chains.moves import ChainsSpec
from refgen.resolver.chains.tracks import TrackTableSpec, track_table
from refgen.resolver.formula.axis import Axis, AxisEntry
from refgen.resolver.formula.compiler import asks_chains
from refgen.resolver.lookup import ComputedSpec, find_named, placed_at, places_named, words_of
from refgen.resolver.rolls import ActionsSpec
from refgen.resolver.tables.conditions import ConditionsSpec, conditions
from refgen.resolver.tables.fit import FitSpec, fit
from refgen.resolver.tables.grid import OpenGrid, grid, open_grid
from refgen.resolver.tables.grid_spec import GridSpec, MatrixSpec, OddsSpec, expand_grid
from refgen.rules.field_types import Identifier
from refgen.rules.model import Cell, Column, Ruleset, RuleTable
from refgen.rules.toml import Strict
from refgen.span import Span

FIGURE_TITLES = {True: "chance", False: "number"}
"""The title of the only figure of each entry across, by whether it is a chance."""


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
    spec = _grid_of_explorer(ruleset, entry)
    opened = open_grid(ruleset, spec, "explorer_figures")
    _check_chains(ruleset, spec, opened.combinations)
    alone, cells = (
        len(spec.all_columns),
        [cell.title for cell in spec.all_cells] or [ruleset.words(FIGURE_TITLES[spec.show == "percent"])],
    )
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


def _grid_of_explorer(ruleset: Ruleset[ExplorersSpec], entry: TableExplorerSpec | GridExplorerSpec) -> GridSpec:
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
    most = limits().explorer_chains
    if combinations > most and any(asks_chains(parse_formula(text)) for text in texts):
        message = f"the explorer asks its chains for {combinations:,} combinations; refgen follows at most {most:,}"
        hint = f"`first` and `last` name a part of a ladder or table. {limit_hint('explorer_chains')}"
        raise ResolverError(message, hint=hint)


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


class ResolverSpec(ExplorersSpec, ActionsSpec):
    """A system.toml with computed tables and explorers, and all that they may be made of."""


def _grid_table(ruleset: Ruleset[ResolverSpec], table_id: str, spec: ComputedSpec) -> RuleTable:
    """The table of a grid, or of a short form of a grid."""
    return grid(ruleset, table_id, expand_grid(ruleset, table_id, spec))


TABLE_KINDS: Mapping[type[ComputedSpec], Callable[[Ruleset[ResolverSpec], str, Any], RuleTable]] = {
    **dict.fromkeys((GridSpec, OddsSpec, MatrixSpec), _grid_table),
    TrackTableSpec: track_table,
    FitSpec: fit,
    ConditionsSpec: conditions,
}
"""The model of each kind of entry, and what builds its table from a ruleset, an id and the entry."""

RENAMED_TABLE_KINDS = {
    "wound-chart": "track",
    **dict.fromkeys(("opposed", "bands", "step-dice", "at-least", "law"), "grid"),
}
"""Former names of kinds, with the names of today."""


MAX_PLACES_NAMED = 3
"""The most places of the document that the error of a table names."""

MAX_NESTED = 10
"""The most tables that wait for one another; in a longer chain, all tables above are computed from the top."""


class ComputedTables(Mapping[str, RuleTable]):
    """The computed tables of a ruleset by id, in the order of system.toml; each is computed once, when asked for.

    A table may use printed tables, and computed tables whose entries stand above its own. Asking for a table that
    cannot be computed raises ResolverError at the entry in system.toml, or the error of the table or fact that could
    not be read, every time; all other tables can still be had.
    """

    def __init__(self, ruleset: Ruleset[ResolverSpec]) -> None:
        """Raises ResolverError for an id that a printed table has too."""
        self._ruleset = ruleset
        self._known: dict[str, RuleTable | RefgenError] = {}
        self._nested = 0
        for table_id in ruleset.spec.derived:
            if table_id in ruleset.tables:
                raise self._error_at(table_id, f'"{table_id}" is both a printed and a computed table')

    def __getitem__(self, table_id: str) -> RuleTable:
        if table_id not in self._known:
            self._known[table_id] = self._compute_table(table_id)
        found = self._known[table_id]
        if isinstance(found, RefgenError):
            raise found.with_traceback(None)
        return found

    def __contains__(self, table_id: object) -> bool:
        return table_id in self._ruleset.spec.derived

    def __iter__(self) -> Iterator[str]:
        return iter(self._ruleset.spec.derived)

    def __len__(self) -> int:
        return len(self._ruleset.spec.derived)

    def _compute_table(self, table_id: str) -> RuleTable | RefgenError:
        spec = self._ruleset.spec.derived[table_id]
        usable = _UsableTables(self._ruleset.tables, self, table_id)
        self._nested += 1
        try:
            if self._nested > MAX_NESTED:
                usable.compute()
            return TABLE_KINDS[type(spec)](replace(self._ruleset, tables=usable), table_id, spec)
        except RefgenError as error:
            return self._place_error(table_id, error)
        finally:
            self._nested -= 1

    def _place_error(self, table_id: str, error: RefgenError) -> RefgenError:
        """An error placed at the entry of a table; the error of another table or of an action has its place already."""
        known = (one for one in self._known.values() if isinstance(one, RefgenError))
        is_placed = error.span is not None and error.span.file == self._ruleset.files.system.name
        if is_placed or is_among(error, (*known, *self._ruleset.errors)):
            return error
        places = places_named(self._ruleset, self._ruleset.spec.derived[table_id].model_dump(exclude={"kind", "title"}))
        hints = [error.hint, *[f"It takes {name} from {span}." for name, span in places[:MAX_PLACES_NAMED]]]
        placed = self._error_at(table_id, error.message, " ".join(filter(None, hints)))
        placed.__cause__ = error
        return placed

    def _error_at(self, table_id: str, message: str, hint: str = "") -> ResolverError:
        return ResolverError(message, span=self._ruleset.files.at("derived", table_id), hint=hint)


@dataclass(frozen=True)
class _UsableTables(Mapping[str, RuleTable]):
    """The tables that an entry may use: printed tables, then computed tables whose entries stand above."""

    printed: Mapping[str, RuleTable]
    computed: ComputedTables
    entry: str

    def __getitem__(self, table_id: str) -> RuleTable:
        if table_id in self.printed:
            return self.printed[table_id]
        if table_id in self._tables_above():
            return self.computed[table_id]
        raise KeyError(table_id)

    def __contains__(self, table_id: object) -> bool:
        return table_id in self.printed or table_id in self._tables_above()

    def __iter__(self) -> Iterator[str]:
        yield from self.printed
        yield from self._tables_above()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _tables_above(self) -> Sequence[str]:
        return list(takewhile(lambda table_id: table_id != self.entry, self.computed))

    def compute(self) -> None:
        """Compute the tables above the entry, from the top; a failure is raised when that table is asked for."""
        for table_id in self._tables_above():
            with suppress(RefgenError):
                self.computed[table_id]
