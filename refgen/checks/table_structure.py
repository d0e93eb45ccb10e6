"""Checks of every printed table, without an entry of proof.toml: no row is lost, doubled or moved.

In: a ruleset. Out: a finding for each missing or doubled row, and for each cell out of order in its column. Key columns
are those by which system.toml finds rows or counts a ladder, and those that are an axis.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, repeat

from pydantic import BaseModel

from refgen.catalog import fold_look
from refgen.checks.comparison import ChecksSpec, CheckSubject, comparison_id, place, places, row_names
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.checks.sequence import SequenceBreak, find_unsorted, gaps, gaps_in_cells, out_of_order
from refgen.checks.subheads import is_one_row, row_identities
from refgen.errors import CheckError, RefgenError, is_among
from refgen.look_alikes import show_name
from refgen.notation.formula_tree import NAME
from refgen.notation.values import Level, Number, Text
from refgen.resolver.lookup import column_of, ladder_of, table_of
from refgen.rules.model import Cell, Ruleset, RuleTable
from refgen.rules.schema import ColumnSpec, RowCountSpec, RulesSpec, TableSpec
from refgen.words import Phrase

COVERS = "partition"
"""The kind of check of a column that may stand in any order."""
ORDERS = (COVERS, "steps", "monotone")
"""The kinds of checks that define the order of a column, unless they are likely alone."""


def check_tables(ruleset: Ruleset[ChecksSpec]) -> tuple[list[Finding], list[RefgenError]]:
    """The findings on all printed tables, and the errors of their ``row_counts``."""
    keys = keys_of(ruleset.spec)
    checks = [check for check in ruleset.spec.checks.values() if check.kind in ORDERS and not check.likely]
    checked = {(getattr(check, "table", ""), getattr(check, "column", "")): check.kind for check in checks}
    numbers = {(ladder.table, ladder.value or ""): name for name, ladder in ruleset.spec.ladders.items()}
    found: list[Finding] = []
    errors: list[RefgenError] = []
    for table_id, printed in ruleset.tables.items():
        table = _TableCheck(ruleset, printed, ruleset.spec.tables[table_id], keys, checked, numbers)
        try:
            found += table.findings()
        except RefgenError as error:
            span = ruleset.files.at("row_counts", table_id)
            known = is_among(error, ruleset.errors)
            errors.append(error if known else CheckError(error.message, span=span, hint=error.hint))
    return found, errors


@dataclass(frozen=True, slots=True)
class _Fault:
    """A fault of a cell, or of its whole table: the text that would fit there, and the reason."""

    what: str
    printed: str
    expected: str
    rule: str
    severity: Severity
    row: int | None = None
    column: int = 0
    beside: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class _TableCheck:
    """The checks of a printed table; ``keys`` are its key columns, ``checked`` the columns that a check orders.

    ``numbers`` are the columns with the numbers of ladders, with the ladders.
    """

    ruleset: Ruleset
    table: RuleTable
    spec: TableSpec
    keys: frozenset[Key]
    checked: Mapping[Key, str]
    numbers: Mapping[Key, str]

    def findings(self) -> Iterator[Finding]:
        """All findings on the table."""
        names = row_names(self.table)
        doubled = self._double_faults()
        doubled_rows = {row for pair in doubled for row in pair}
        moved = [fault for fault in (*self._out_of_order(), *self._gaps_across()) if fault.row not in doubled_rows]
        for fault in (*self._rows(), *doubled.values(), *self._merged_rows(), *moved):
            yield self._finding(fault, "" if fault.row is None else names[fault.row])

    def _rows(self) -> Iterator[_Fault]:
        """Faults of the number of rows (`row_counts`), and of rows that `row_counts` or `row_numbers` do not list."""
        match self.ruleset.spec.row_counts.get(self.table.id):
            case int(wanted) if wanted != len(self.table.rows):
                yield self._table_fault(_row_count(wanted), Phrase("check-table-has", rows=_row_count(wanted)))
            case RowCountSpec(ladder=str(ladder)):
                levels: dict[object, str] = {
                    fold_look(level.name): level.name for level in ladder_of(self.ruleset, ladder).levels
                }
                at = next((at for at, column in enumerate(self.spec.columns) if column.ladder == ladder), 0)
                yield from self._row_faults(at, levels, Phrase("check-each-level", ladder=ladder))
            case RowCountSpec(of=of) if of:
                table, _, column = of.partition(".")
                cells = {_cell_identity(cell): cell.text for cell in column_of(table_of(self.ruleset, table), column)}
                yield from self._row_faults(0, cells, Phrase("check-each-row", table=table))
        if numbers := self.spec.numbers:
            held: dict[object, str] = {Number(Fraction(number)): str(number) for number in numbers}
            rule = Phrase("check-rows-from", low=numbers[0], high=numbers[-1])
            yield from self._row_faults(self.spec.numbered, held, rule)

    def _row_faults(self, at: int, wanted: Mapping[object, str], rule: str) -> Iterator[_Fault]:
        """Faults of wanted entries without a row and of rows without a wanted entry, paired if equally many."""
        held = [_cell_identity(row[at]) for row in self.table.rows]
        missing = [name for identity, name in wanted.items() if identity not in held]
        odd = [row for row, identity in enumerate(held) if identity not in wanted]
        if missing and len(missing) != len(odd):
            yield self._table_fault(Phrase("check-one-for", names=", ".join(missing)), rule)
        expected = missing if len(missing) == len(odd) else repeat(Phrase("check-no-row"))
        for row, name in zip(odd, expected, strict=False):
            yield _Fault("rows", self.table.rows[row][at].text, name, rule, Severity.ERROR, row, at)

    def _table_fault(self, expected: str, rule: str) -> _Fault:
        return _Fault("rows", _row_count(len(self.table.rows)), expected, rule, Severity.ERROR)

    def _double_faults(self) -> Mapping[tuple[int, int], _Fault]:
        """A fault for each two equal rows or keys, by the positions of the lower and of the upper row.

        A table of one column that nothing looks up is a list, which may name a thing twice; so may the parts of a table
        under subheads, and rows that go on with the row above.
        """
        keys = [at for at, column in enumerate(self.spec.columns) if (self.table.id, column.id) in self.keys]
        found: dict[tuple[int, int], _Fault] = {}
        rows = [tuple(cell.text for cell in row) for row in self.table.rows]
        header = [column.head for column in self.table.columns]
        identities = rows if keys else row_identities(self.table.rows, header)
        for pair in _repeated_positions(identities) if keys or len(self.spec.columns) > 1 else ():
            lower, upper = (self.table.rows[row] for row in pair)
            if not lower[0].text or is_one_row(lower, upper):  # the row goes on with what an upper row names
                continue
            found[pair] = self._doubled_fault(pair, keys[0] if keys else 0, "key" if keys else "row")
        for at in keys:
            odd = self._sequence_breaks(at, self.spec.columns[at], [row[at] for row in self.table.rows])
            for pair in _repeated_positions([_cell_identity(row[at]) for row in self.table.rows]):
                found.setdefault(pair, self._doubled_fault(pair, at, "key", odd))
        return found

    def _doubled_fault(self, pair: tuple[int, int], at: int, what: str, odd: Sequence[SequenceBreak] = ()) -> _Fault:
        """The fault of two equal rows: of the row that breaks the order of its column, or else of the lower row."""
        lower, upper = pair
        cells = [self.table.rows[row][at] for row in pair]
        breaks = [any(found.cell is cell for found in odd) for cell in cells]
        if breaks == [False, True]:
            lower, cells = upper, cells[::-1]
        rule = Phrase("check-found-by") if what == "key" else Phrase("check-not-twice")
        severity = Severity.ERROR if what == "key" else Severity.WARNING
        printed, once = show_name(cells[0].text), Phrase("check-text-once", text=show_name(cells[1].text))
        return _Fault(what, printed, once, rule, severity, lower, at, (cells[1],))

    def _merged_rows(self) -> Iterator[_Fault]:
        """Faults of rows read by a sentence that took two equal rows for one row."""
        if not (self.spec.row or self.spec.row_pattern) or self.table.span is None:
            return
        text, spans = self.ruleset.document.text, [[cell.span for cell in row if cell.span] for row in self.table.rows]
        starts = [min((span.start for span in row), default=self.table.span.end) for row in spans]
        for row, (start, end) in enumerate(pairwise([*starts, self.table.span.end])):
            if once := " ".join(repeated_words(text[start:end].split())):
                yield _Fault("row", f"{once} {once}", once, Phrase("check-not-twice"), Severity.WARNING, row)

    def _out_of_order(self) -> Iterator[_Fault]:
        for at, column in enumerate(self.spec.columns):
            cells = [row[at] for row in self.table.rows]
            for odd in self._sequence_breaks(at, column, cells):
                yield self._order_fault(odd, next(row for row, cell in enumerate(cells) if cell is odd.cell), at)

    def _sequence_breaks(self, at: int, column: ColumnSpec, cells: Sequence[Cell]) -> Sequence[SequenceBreak]:
        """The cells of a column that break its order: the ``order`` of the column, or that of a key or first column."""
        key = (self.table.id, column.id)
        ladder_of_its_own = self.ruleset.spec.ladders.get(column.ladder or "")
        if ladder_of_its_own is not None and ladder_of_its_own.table == self.table.id and not column.order:
            return []  # the numbers of the ladder are checked in their own column
        inside = list(gaps_in_cells(cells))
        if column.order == "" and key in self.checked:
            return [*inside, *find_unsorted(cells)] if self.checked[key] == COVERS else inside
        if column.order or at == 0 or key in self.keys:
            ladder = self.ruleset.ladders.get(column.ladder or self.numbers.get(key, ""))
            return [*inside, *out_of_order(cells, column.order, ladder)]
        return [*inside, *gaps(cells)]

    def _gaps_across(self) -> Iterator[_Fault]:
        """Ranges with a gap or overlap from column to column, in a row where most have none."""
        ranged = [at for at, column in enumerate(self.spec.columns) if column.type == "interval"]
        for row, cells in enumerate(self.table.rows) if len(ranged) > 2 else ():
            for odd in gaps([cells[at] for at in ranged]):
                yield self._order_fault(odd, row, next(at for at in ranged if cells[at] is odd.cell))

    @staticmethod
    def _order_fault(odd: SequenceBreak, row: int, at: int) -> _Fault:
        return _Fault("order", odd.cell.text, odd.expected, odd.rule, Severity.WARNING, row, at, odd.beside)

    def _finding(self, fault: _Fault, row: str) -> Finding:
        cell = None if fault.row is None else self.table.rows[fault.row][fault.column]
        span = self.table.span if cell is None else place(cell, self.table)
        if span is None:
            raise CheckError(f'"{self.table.id}" is computed, not printed')
        column = self.table.columns[fault.column]
        name = comparison_id(fault.what, self.table.id, *(() if cell is None else (column.id, row)))
        title = "" if cell is None else column.title
        return Finding.about(
            CheckSubject(name, fault.printed, span, self.table.id, self.table.title, row, title),
            FindingKind.STRUCTURE,
            fault.severity,
            system=self.ruleset.id,
            rule=fault.rule,
            computed=fault.expected,
            sources=places(*fault.beside),
        )


def _repeated_positions(identities: Sequence[object]) -> Iterator[tuple[int, int]]:
    """The positions of repeated entries, each with the position of the first such entry."""
    first: dict[object, int] = {}
    for at, identity in enumerate(identities):
        if identity is not None and (other := first.setdefault(identity, at)) != at:
            yield at, other


def _cell_identity(cell: Cell) -> object:
    """A value that is equal for cells with the same content; None for a blank."""
    match cell.value:
        case None:
            return None
        case Level(name=name) | Text(text=name):
            return fold_look(name)
    return cell.value


def _row_count(rows: int) -> str:
    return Phrase("check-rows", count=rows)


Key = tuple[str, str]
"""The ids of a table and of its column."""

_LOOKED_UP = re.compile(rf"\bat\(\{{({NAME})\.({NAME})\}}|\{{({NAME})\.{NAME}\s+at\b")
"""The column of keys of at(), or the table of a look-up, which goes by its first column."""


def keys_of(spec: RulesSpec) -> frozenset[Key]:
    """The columns by which any entry of system.toml finds a row, or that are an axis."""
    found = {(ladder.table, name) for ladder in spec.ladders.values() for name in (ladder.level, ladder.value) if name}
    first = {name: table.columns[0].id for name, table in spec.tables.items() if table.columns}
    return frozenset((*found, *((table, key or first.get(table, "")) for table, key in _keys_in(spec))))


def _keys_in(entry: object) -> Iterator[Key]:
    """The keys that an entry, or a part of the entry, names; the column is "" for the first column of the table."""
    match entry:
        case str() if "at" in entry:
            yield from ((table or looked_into, key) for table, key, looked_into in _LOOKED_UP.findall(entry))
        case BaseModel():
            held = vars(entry)
            yield from _keys_of_entry(held)
            for value in held.values():
                yield from _keys_in(value)
        case Mapping():
            for value in entry.values():
                yield from _keys_in(value)
        case list():
            for value in entry:
                yield from _keys_in(value)


def _keys_of_entry(held: Mapping[str, object]) -> Iterator[Key]:
    """The keys that an entry names itself: an axis by `of`, a check or a track by its table and key."""
    if isinstance(of := held.get("of"), str) and "." in of:
        table, _, column = of.partition(".")
        yield table, column
    tables = (held.get("table"), held.get("printed"))
    keys = (held.get("key"), held.get("level") if "change" in held else None)
    yield from ((table, key) for table in tables for key in keys if isinstance(table, str) and isinstance(key, str))
    if isinstance(computed := held.get("computed"), str):
        key = held.get("computed_key") or held.get("key")
        yield from [(computed, key)] if isinstance(key, str) else []


WORDS_OF_A_ROW = 3
"""Fewer words that follow themselves are a row that stands twice only if they are all words of the text."""


def repeated_words(words: Sequence[str]) -> Sequence[str]:
    """The first words that are repeated directly, () where none are."""
    half = len(words) // 2
    if half and words[:half] == words[half:]:
        return words[:half]
    starts: dict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(words):
        for start in starts[word]:
            count = at - start
            if count >= WORDS_OF_A_ROW and words[start:at] == words[at : at + count]:
                return words[start:at]
        starts[word].append(at)
    return ()
