"""Pins: what a game decrees, beside what it decreed when its author last took that as it is.

In: a ruleset, its decreed.toml, and the findings of its checks. Out: a note for each decreed number that differs from
its pin, has none, or is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refgen.checks.cells import comparison_id
from refgen.checks.decreed import DecreedRow, Pins, PinsSpec, decreed_columns, decreed_facts, decreed_rows, load_pins
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.notation.canonical import canonical
from refgen.rules.model import Ruleset, Table
from refgen.rules.toml import locate
from refgen.source import SourceFile
from refgen.span import Span

CHANGED = "changed since it was last pinned"
NEW = "not pinned yet"
GONE = "no longer there"


def check_pins(ruleset: Ruleset, folder: Path, findings: Sequence[Finding]) -> Iterator[Finding]:
    """A note for each number that is not as it was pinned. What an open finding is about is not told again.

    None where the folder has no decreed.toml. Raises RulesError for a malformed one.
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
        for fact in decreed_facts(self.ruleset):
            pin, value = pinned.get(fact.id, ""), canonical(fact.value)
            if value != pin and not self._is_told(fact.span):
                printed = value if self.ruleset.spec.facts[fact.id].type == "text" else fact.text
                yield self._note(printed, pin, fact.span, "facts", row=fact.id, column=fact.title)
        for fact_id, pin in pinned.items():
            spec = self.ruleset.spec.facts.get(fact_id)
            if spec is None or not spec.decreed:  # else this edition does not say it, or it could not be read
                yield self._gone(("facts", fact_id), "facts", pin, row=fact_id, column=spec.title if spec else fact_id)

    def _of_table(self, table: Table, pinned: Mapping[str, Mapping[str, str]]) -> Iterator[Finding]:
        rows = dict(decreed_rows(self.ruleset, table))
        is_torn = self._is_torn(table)
        pairs = {name: name for name in rows if name in pinned} | ({} if is_torn else _renamed(rows, list(pinned)))
        for name, row in rows.items():
            if name in pairs:
                yield from self._of_row(table, name, row, (pairs[name], pinned[pairs[name]]))
            elif row and not is_torn:
                printed, span = ", ".join(cell.printed for cell in row.values()), next(iter(row.values())).span
                yield self._note(printed, "", span, table.id, title=table.title, row=name)
        lost = [] if is_torn else [name for name in pinned if name not in pairs.values()]
        for name in lost:
            pin = ", ".join(pinned[name].values())
            yield self._gone(("tables", table.id, name), table.id, pin, title=table.title, row=name)

    def _of_row(
        self, table: Table, name: str, row: DecreedRow, pinned: tuple[str, Mapping[str, str]]
    ) -> Iterator[Finding]:
        """The notes about a row; ``pinned`` is the name by which it was pinned, and its values."""
        columns = decreed_columns(self.ruleset, table.id)
        for column in dict.fromkeys((*row, *pinned[1])):
            cell, pin = row.get(column), pinned[1].get(column, "")
            title = table.columns[columns[column]].title if column in columns else column
            names = {"title": table.title, "row": name, "column": title}
            if cell is None:
                yield self._gone(("tables", table.id, pinned[0], column), table.id, pin, **names)
            elif cell.value != pin and not self._is_told(cell.span):
                yield self._note(cell.printed, pin, cell.span, table.id, **names)

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
        """Whether an open finding is about what stands there, or about what follows from it."""
        return any(
            place.file == span.file and span.start <= place.start and place.end <= span.end
            for finding in self.is_open
            for place in (finding.span, *finding.sources)
        )

    def _is_torn(self, table: Table) -> bool:
        """Whether an open finding says that rows of a table are lost, doubled or moved."""
        return any(one.kind is FindingKind.STRUCTURE and one.table == table.id for one in self.is_open)


def _renamed(rows: Mapping[str, DecreedRow], pinned: Sequence[str]) -> dict[str, str]:
    """The rows that were pinned by other names, where as many are left of either: one by one in their order."""
    left = [name for name, row in rows.items() if row and name not in pinned]
    unpaired = [name for name in pinned if name not in rows]
    return dict(zip(left, unpaired, strict=True)) if len(left) == len(unpaired) else {}
