"""Pins: what nothing can compare, beside what it was when the author of the game last took it as it is.

In: a ruleset, its pins.toml, and the findings of its checks. Out: a note for each pinned number that differs from
its pin, has none, or is gone; and for words that stand where others were pinned, but not for words that are reworded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refgen.checks.comparison import comparison_id
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.checks.pinned import (
    PinnedRow,
    Pins,
    PinsSpec,
    Rows,
    goes_by_words,
    load_pins,
    pinned_facts,
    pinned_rows,
)
from refgen.notation.canonical import canonical
from refgen.notation.running import numbers_in
from refgen.rules.model import Ruleset, RuleTable
from refgen.rules.toml import locate
from refgen.source import SourceFile
from refgen.span import Span

CHANGED = "changed since it was last pinned"
NEW = "not pinned yet"
GONE = "no longer there"


def check_pins(ruleset: Ruleset, folder: Path, findings: Sequence[Finding]) -> Iterator[Finding]:
    """A note for each number that is not as it was pinned. What an open finding is about is not told again.

    None where the folder has no pins.toml. Raises RulesError for a malformed one.
    """
    if (loaded := load_pins(folder)) is not None:
        pins, source = loaded
        is_open = [
            one for finding in findings if finding.is_open for one in (finding, *finding.rivals, *finding.effects)
        ]
        yield from _Notes(ruleset, pins, source, is_open).all(pins.of(ruleset.edition))


@dataclass(frozen=True, slots=True)
class _Notes:
    """What makes notes: the file of the pins, for what is gone, and the findings that tell enough."""

    ruleset: Ruleset
    file: PinsSpec
    source: SourceFile
    is_open: Sequence[Finding]

    def all(self, pins: Pins) -> Iterator[Finding]:
        """The notes about facts, then those about tables."""
        yield from self._of_facts(pins.facts)
        for table in self.ruleset.printed_tables:
            yield from self._of_table(table, pins.tables.get(table.id, {}))
        for table_id in pins.tables:
            if table_id not in self.ruleset.spec.tables:
                yield self._gone(("tables", table_id), table_id, title=table_id)

    def _of_facts(self, pinned: Mapping[str, str]) -> Iterator[Finding]:
        for fact in pinned_facts(self.ruleset):
            pin, value = pinned.get(fact.id, ""), canonical(fact.value)
            if value != pin and not self._is_told(fact.span):
                printed = value if self.ruleset.spec.facts[fact.id].type == "text" else fact.text
                yield self._note(printed, pin, fact.span, "facts", row=fact.id, column=fact.title)
        for fact_id, pin in pinned.items():
            spec = self.ruleset.spec.facts.get(fact_id)
            if not self.ruleset.spec.why_pinned(fact_id):  # else this edition does not say it, or it cannot be read
                yield self._gone(("facts", fact_id), "facts", pin, row=fact_id, column=spec.title if spec else fact_id)

    def _of_table(self, table: RuleTable, pinned: Rows) -> Iterator[Finding]:
        rows = pinned_rows(self.ruleset, table)
        is_torn = self._is_torn(table)
        names = {name: name for name in rows if name in pinned} | ({} if is_torn else _renamed(rows, pinned))
        both = _TablePins(table, rows, pinned, names)
        for name in filter(names.__contains__, rows):
            yield from self._of_row(both, name)
        if not is_torn:
            yield from self._of_order(both)
            yield from self._of_lone_rows(both)

    def _of_row(self, both: _TablePins, name: str) -> Iterator[Finding]:
        """The notes about the cells of a row."""
        table, row, pins = both.table, both.rows[name], both.pinned[both.names[name]]
        for column in dict.fromkeys((*row, *pins)):
            cell, pin = row.get(column), pins.get(column, "")
            at = table.index(column)
            names = {"title": table.title, "row": name, "column": column if at is None else table.columns[at].title}
            if not both.differ(column, cell.value if cell else "", pin):
                continue
            if cell is None:
                yield self._gone(("tables", table.id, both.names[name], column), table.id, pin, **names)
            elif not self._is_told(cell.span):
                yield self._note(cell.printed, pin, cell.span, table.id, **names)

    def _of_order(self, both: _TablePins) -> Iterator[Finding]:
        """The notes about rows that changed places, of those that go by words and have nothing pinned beside these."""
        table, first = both.table, both.table.columns[0]
        cells = {name: row[0] for name, row in zip(both.rows, table.rows, strict=True) if name in both.names}
        paired = {*both.names.values()}
        before = [name for name in both.pinned if name in paired]
        for (name, cell), pin in zip(cells.items(), before, strict=True) if goes_by_words(table) else ():
            is_bare = both.rows[name].keys() <= {first.id}
            if is_bare and both.names[name] != pin and cell.span is not None and not self._is_told(cell.span):
                yield self._note(name, pin, cell.span, table.id, title=table.title, row=name, column=first.title)

    def _of_lone_rows(self, both: _TablePins) -> Iterator[Finding]:
        """The notes about rows with numbers that were not pinned, and about pinned ones that are gone."""
        table, paired = both.table, {*both.names.values()}
        for name in (name for name in both.rows if name not in both.names):
            cells = [cell for column, cell in both.rows[name].items() if not both.is_words(column, cell.value)]
            if cells:
                printed = ", ".join(cell.printed for cell in cells)
                yield self._note(printed, "", cells[0].span, table.id, title=table.title, row=name)
        for name in (name for name in both.pinned if name not in paired):
            pins = [pin for column, pin in both.pinned[name].items() if not both.is_words(column, pin)]
            if pins:
                yield self._gone(("tables", table.id, name), table.id, ", ".join(pins), title=table.title, row=name)

    def _gone(self, path: Sequence[str], table: str, pin: str = "", **names: str) -> Finding:
        """The note about a number that is no longer there, where its pin stands."""
        other = self.file.editions.get(self.ruleset.edition, Pins())
        is_other = path[1] in (*other.facts, *other.tables)
        place = locate(self.source, ("editions", self.ruleset.edition, *path) if is_other else path)
        return self._note("", pin, place, table, **names)

    def _note(
        self, printed: str, pin: str, span: Span, table: str, *, title: str = "", row: str = "", column: str = ""
    ) -> Finding:
        place = (row,) if table == "facts" else (table, row, column)
        return Finding(
            id=comparison_id("pins", *place),
            kind=FindingKind.PIN,
            system=self.ruleset.id,
            printed=printed,
            computed=pin,
            rule=GONE if not printed else CHANGED if pin else NEW,
            severity=Severity.NOTE,
            span=span,
            table=table,
            title=title,
            row=row,
            column=column,
        )

    def _is_told(self, span: Span) -> bool:
        """Whether an open finding is about the pinned place, or about a number that follows from the place."""
        return any(
            place.file == span.file and span.start <= place.start and place.end <= span.end
            for finding in self.is_open
            for place in (finding.span, *finding.sources)
        )

    def _is_torn(self, table: RuleTable) -> bool:
        """Whether an open finding says that rows of a table are lost, doubled or moved."""
        return any(one.kind is FindingKind.STRUCTURE and one.table == table.id for one in self.is_open)


@dataclass(frozen=True, slots=True)
class _TablePins:
    """A table and its pins: its rows as they are, and the ``names`` by which they were pinned."""

    table: RuleTable
    rows: Mapping[str, PinnedRow]
    pinned: Rows
    names: Mapping[str, str]

    def differ(self, column: str, value: str, pin: str) -> bool:
        """Whether a cell is not as it was pinned. Words may be reworded, but not stand where others were pinned."""
        if value == pin or not (self.is_words(column, value) and self.is_words(column, pin)):
            return value != pin
        return value != "" and any(row.get(column) == value for row in self.pinned.values())

    def is_words(self, column: str, value: str) -> bool:
        """Whether what is pinned of a cell are words without a number, or nothing."""
        at = self.table.index(column)
        return at is not None and self.table.columns[at].type == "text" and not any(numbers_in(value))


def _renamed(rows: Mapping[str, PinnedRow], pinned: Rows) -> dict[str, str]:
    """The rows that were pinned by other names, where as many are left of either: one by one in their order."""
    left = [name for name, row in rows.items() if row and name not in pinned]
    unpaired = [name for name, pins in pinned.items() if pins and name not in rows]
    return dict(zip(left, unpaired, strict=True)) if len(left) == len(unpaired) else {}
