"""Computed tables: each ``[derived.*]`` of system.toml becomes a Table that follows from the printed ones.

In: a Ruleset. Out: the computed tables by id, each computed when it is first asked for. A new kind of table is a
module in ``tables`` and a line in TABLE_KINDS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from refgen.errors import RefgenError, ResolverError, is_among
from refgen.resolver.action import ActionsSpec
from refgen.resolver.cells import ComputedSpec
from refgen.resolver.chains.tracks import TrackTableSpec, track_table
from refgen.resolver.lookup import places_named
from refgen.resolver.tables.conditions import ConditionsSpec, conditions
from refgen.resolver.tables.explorer import ExplorersSpec
from refgen.resolver.tables.fit import FitSpec, fit
from refgen.resolver.tables.grid import grid
from refgen.resolver.tables.grid_spec import GridSpec, MatrixSpec, OddsSpec, matrix, odds
from refgen.rules.model import Ruleset, RuleTable


class ResolverSpec(ExplorersSpec, ActionsSpec):
    """A system.toml with computed tables and explorers, and all that they may be made of."""


TABLE_KINDS: Mapping[type[ComputedSpec], Callable[[Ruleset[ResolverSpec], str, Any], RuleTable]] = {
    OddsSpec: odds,
    MatrixSpec: matrix,
    GridSpec: grid,
    TrackTableSpec: track_table,
    FitSpec: fit,
    ConditionsSpec: conditions,
}
"""The model of each kind of entry, and what builds its table from a ruleset, an id and the entry."""

RENAMED_TABLE_KINDS = {
    "wound-chart": "track",
    **dict.fromkeys(("opposed", "bands", "step-dice", "at-least", "law"), "grid"),
}
"""Kinds by the names they had before."""


SHOWN = 3
"""So many places of the document are named, at most, where a table cannot be computed."""

MAX_NESTED = 10
"""So many tables may wait for one another; in a longer chain all tables above are computed from the top."""


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
                raise self._at(table_id, f'"{table_id}" is both a printed and a computed table')

    def __getitem__(self, table_id: str) -> RuleTable:
        if table_id not in self._known:
            self._known[table_id] = self._computed(table_id)
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

    def _computed(self, table_id: str) -> RuleTable | RefgenError:
        spec = self._ruleset.spec.derived[table_id]
        usable = _UsableTables(self._ruleset.tables, self, table_id)
        self._nested += 1
        try:
            if self._nested > MAX_NESTED:
                usable.compute()
            return TABLE_KINDS[type(spec)](replace(self._ruleset, tables=usable), table_id, spec)
        except RefgenError as error:
            return self._placed(table_id, error)
        finally:
            self._nested -= 1

    def _placed(self, table_id: str, error: RefgenError) -> RefgenError:
        """An error placed at the entry of a table; the error of another table or of an action has its place already."""
        known = (one for one in self._known.values() if isinstance(one, RefgenError))
        is_placed = error.span is not None and error.span.file == self._ruleset.files.system.name
        if is_placed or is_among(error, (*known, *self._ruleset.errors)):
            return error
        places = places_named(self._ruleset, self._ruleset.spec.derived[table_id].model_dump(exclude={"kind", "title"}))
        hints = [error.hint, *[f"It takes {name} from {span}." for name, span in places[:SHOWN]]]
        placed = self._at(table_id, error.message, " ".join(filter(None, hints)))
        placed.__cause__ = error
        return placed

    def _at(self, table_id: str, message: str, hint: str = "") -> ResolverError:
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
        if table_id in self._above():
            return self.computed[table_id]
        raise KeyError(table_id)

    def __contains__(self, table_id: object) -> bool:
        return table_id in self.printed or table_id in self._above()

    def __iter__(self) -> Iterator[str]:
        yield from self.printed
        yield from self._above()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _above(self) -> Sequence[str]:
        return list(takewhile(lambda table_id: table_id != self.entry, self.computed))

    def compute(self) -> None:
        """Compute the tables above the entry, from the top; a failure is raised when that table is asked for."""
        for table_id in self._above():
            with suppress(RefgenError):
                self.computed[table_id]
