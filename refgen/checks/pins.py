"""Pins: numbers and words that no check can compare, as they were when the author of the game last accepted them.

In: a ruleset, a pins.toml, and findings. Out: the pins of the ruleset as it is now; a note for each pinned number that
differs from its pin, has no pin, or is gone, and for words that stand where other words were pinned (words that are
reworded are no note). Each number is a text that is the same for equal values, however printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refgen.checks.comparison import CheckSubject, comparison_id, row_names
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.errors import RulesError
from refgen.files import path_inside
from refgen.notation.figures import canonical
from refgen.notation.printed_numbers import numbers_in
from refgen.rules.field_types import Identifier
from refgen.rules.model import Cell, Fact, Ruleset, RuleTable
from refgen.rules.places import locate
from refgen.rules.toml import Strict, load_toml
from refgen.source import SourceFile
from refgen.span import Span
from refgen.words import Phrase

PINS_NAME = "pins.toml"
OLD_NAME = "decreed.toml"

NAME_LENGTH = 48
"""The most characters of the name of a row, and of pinned words."""

LABEL_WORDS = 2
"""The most words of a label. Of other editions only labels are pinned: sentences of other authors are not copied."""

CUT = "…"
"""The sign at the end of words that are cut."""

BLANK = "(blank)"
"""The name of a row whose first cell is blank."""


Rows = dict[str, dict[Identifier, str]]
"""The values of cells, by row and column."""


class Pins(Strict):
    """The values of facts and of the cells of tables. Rows that are named by words stand in their order."""

    facts: dict[Identifier, str] = {}
    tables: dict[Identifier, Rows] = {}


class PinsSpec(Pins):
    """A whole pins.toml: the pins of the game's own document, and the pins of other editions that differ.

    The pins of an edition are facts and whole tables.
    """

    editions: dict[Identifier, Pins] = {}

    def of(self, edition: str) -> Pins:
        """The pins of an edition; "" is the game's own document."""
        other = self.editions.get(edition, Pins())
        return Pins(facts=self.facts | other.facts, tables=self.tables | other.tables)

    def with_pins(self, ruleset: Ruleset) -> PinsSpec:
        """The file with the current pins of a document; of another edition, with the pins that differ."""
        pins = pins_of(ruleset)
        if not ruleset.edition:
            return PinsSpec(facts=pins.facts, tables=pins.tables, editions=self.editions)
        facts = {fact: pin for fact, pin in pins.facts.items() if self.facts.get(fact) != pin}
        tables = {}
        for table, rows in pins.tables.items():
            labels, current = (_labels(ruleset, table, pinned) for pinned in (rows, self.tables.get(table, {})))
            if [*labels.values()] != [*current.values()]:  # the names of rows may differ
                tables[table] = labels
        editions = self.editions | {ruleset.edition: Pins(facts=facts, tables=tables)}
        return PinsSpec(facts=self.facts, tables=self.tables, editions=editions)


def _labels(ruleset: Ruleset, table: str, rows: Rows) -> Rows:
    """The rows of a table without sentences; rows with sentences alone are left out."""
    words = {column.id for column in ruleset.spec.tables[table].columns if column.type == "text"}
    kept = {
        name: {column: value for column, value in row.items() if column not in words or _is_label(value)}
        for name, row in rows.items()
    }
    return {name: row for name, row in kept.items() if row}


def _is_label(pin: str) -> bool:
    """Whether pinned words are a label: they have a number, or are few."""
    return any(numbers_in(pin)) or (len(pin.split()) <= LABEL_WORDS and not pin.endswith(CUT))


def load_pins(folder: Path) -> tuple[PinsSpec, SourceFile] | None:
    """The pins of a system; None when its folder has no pins.toml. Raises RulesError for a malformed one."""
    if (folder / OLD_NAME).exists():
        old = SourceFile.read(path_inside(folder, OLD_NAME), f"{folder.name}/{OLD_NAME}")
        hint = f"Call the file {PINS_NAME}."
        raise RulesError(f"{OLD_NAME} is called {PINS_NAME} now", span=old.span(0, 0), hint=hint)
    if not (folder / PINS_NAME).exists():
        return None
    source = SourceFile.read(path_inside(folder, PINS_NAME), f"{folder.name}/{PINS_NAME}")
    return load_toml(source, PinsSpec), source


def pins_of(ruleset: Ruleset) -> Pins:
    """The pins of a ruleset as it is now. A row that is named by words is listed, even without pinned cells."""
    facts = {fact.id: canonical(fact.value) for fact in pinned_facts(ruleset)}
    tables = {}
    for table in ruleset.printed_tables:
        rows = pinned_rows(ruleset, table).items()
        tables[table.id] = {
            name: {column: cell.value for column, cell in row.items()}
            for name, row in rows
            if row or goes_by_words(table)
        }
    return Pins(
        facts={fact: value for fact, value in facts.items() if value},
        tables={table: rows for table, rows in tables.items() if rows},
    )


@dataclass(frozen=True, slots=True)
class PinnedCell:
    """A pinned cell: value, printed number or words, and place."""

    value: str
    printed: str
    span: Span


PinnedRow = Mapping[str, PinnedCell]
"""The pinned cells of a row, by the ids of their columns."""


def pinned_facts(ruleset: Ruleset) -> Iterator[Fact]:
    """The facts whose numbers the game sets."""
    return (fact for fact in ruleset.facts.values() if ruleset.spec.why_pinned(fact.id))


def goes_by_words(table: RuleTable) -> bool:
    """Whether the rows of a table are named by words, which no check compares."""
    return table.columns[0].type == "text"


def pinned_columns(ruleset: Ruleset, table: RuleTable) -> Mapping[str, int]:
    """The positions of the pinned columns of a table, by id: the columns that proof.toml pins, and columns of words.

    Where no check compares the names of the rows (words, or a pinned column), all further columns are pinned.
    """
    columns = ruleset.spec.tables[table.id].columns
    is_free = goes_by_words(table) or ruleset.spec.why_pinned(table.id, columns[0].id)
    return {
        column.id: at
        for at, column in enumerate(columns)
        if ruleset.spec.why_pinned(table.id, column.id) or (at > 0 and (is_free or column.type == "text"))
    }


def pinned_rows(ruleset: Ruleset, table: RuleTable) -> Mapping[str, PinnedRow]:
    """The pinned cells of each row of a table, by the unique name of the row."""
    columns = pinned_columns(ruleset, table)
    return {
        name: {column: one for column, at in columns.items() if (one := _pin_cell(table, cells, at)) is not None}
        for name, cells in zip(_row_names(table), table.rows, strict=True)
    }


def _pin_cell(table: RuleTable, cells: Sequence[Cell], at: int) -> PinnedCell | None:
    """The pinned part of a cell: its value, or the first words of a text without numbers; None for a blank cell."""
    cell, is_words = cells[at], table.columns[at].type == "text"
    span = cell.span or table.span
    value = canonical(cell.value) or (_shorten_words(cell.text) if is_words and at > 0 else "")
    if not value or span is None:
        return None
    return PinnedCell(value, value if is_words else cell.text, span)


def _row_names(table: RuleTable) -> Iterator[str]:
    """The names of rows: their first words. Equal names are numbered."""
    seen: Counter[str] = Counter()
    for name in row_names(table):
        short = _shorten_words(name) or BLANK
        seen[short] += 1
        yield f"{short} {seen[short]}" if seen[short] > 1 else short


def _shorten_words(words: str) -> str:
    return words if len(words) <= NAME_LENGTH else words[:NAME_LENGTH].rstrip() + CUT


CHANGED = Phrase("check-pin-changed")
NEW = Phrase("check-pin-new")
GONE = Phrase("check-pin-gone")


def check_pins(ruleset: Ruleset, folder: Path, findings: Sequence[Finding]) -> Iterator[Finding]:
    """A note for each number that is not as it was pinned, unless an open finding is about that number.

    There are none where the folder has no pins.toml. Raises RulesError for a malformed one.
    """
    if (loaded := load_pins(folder)) is not None:
        pins, source = loaded
        is_open = [
            named for finding in findings if finding.is_open for named in (finding, *finding.rivals, *finding.effects)
        ]
        yield from _PinNotes(ruleset, pins, source, is_open).all(pins.of(ruleset.edition))


@dataclass(frozen=True, slots=True)
class _PinNotes:
    """The notes about a ruleset and its file of pins; ``is_open`` are the open findings."""

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
                yield self._loss(("tables", table_id), table_id, title=table_id)

    def _of_facts(self, pinned: Mapping[str, str]) -> Iterator[Finding]:
        for fact in pinned_facts(self.ruleset):
            pin, value = pinned.get(fact.id, ""), canonical(fact.value)
            if value != pin and not self._is_told(fact.span):
                printed = value if self.ruleset.spec.facts[fact.id].type == "text" else fact.text
                yield self._note(printed, pin, fact.span, "facts", row=fact.id, column=fact.title)
        for fact_id, pin in pinned.items():
            spec = self.ruleset.spec.facts.get(fact_id)
            if not self.ruleset.spec.why_pinned(fact_id):  # else the fact is not in this edition, or cannot be read
                yield self._loss(("facts", fact_id), "facts", pin, row=fact_id, column=spec.title if spec else fact_id)

    def _of_table(self, table: RuleTable, pinned: Rows) -> Iterator[Finding]:
        rows = pinned_rows(self.ruleset, table)
        is_torn = self._is_torn(table)
        names = {name: name for name in rows if name in pinned} | ({} if is_torn else _match_renamed(rows, pinned))
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
                yield self._loss(("tables", table.id, both.names[name], column), table.id, pin, **names)
            elif not self._is_told(cell.span):
                yield self._note(cell.printed, pin, cell.span, table.id, **names)

    def _of_order(self, both: _TablePins) -> Iterator[Finding]:
        """The notes about rows without pinned cells, named by words, that changed places."""
        table, first = both.table, both.table.columns[0]
        cells = {name: row[0] for name, row in zip(both.rows, table.rows, strict=True) if name in both.names}
        paired = {*both.names.values()}
        before = [name for name in both.pinned if name in paired]
        for (name, cell), pin in zip(cells.items(), before, strict=True) if goes_by_words(table) else ():
            is_bare = both.rows[name].keys() <= {first.id}
            if is_bare and both.names[name] != pin and cell.span is not None and not self._is_told(cell.span):
                yield self._note(name, pin, cell.span, table.id, title=table.title, row=name, column=first.title)

    def _of_lone_rows(self, both: _TablePins) -> Iterator[Finding]:
        """The notes about rows with numbers that were not pinned, and about pinned rows that are gone."""
        table, paired = both.table, {*both.names.values()}
        for name in (name for name in both.rows if name not in both.names):
            cells = [cell for column, cell in both.rows[name].items() if not both.is_words(column, cell.value)]
            if cells:
                printed = ", ".join(cell.printed for cell in cells)
                yield self._note(printed, "", cells[0].span, table.id, title=table.title, row=name)
        for name in (name for name in both.pinned if name not in paired):
            pins = [pin for column, pin in both.pinned[name].items() if not both.is_words(column, pin)]
            if pins:
                yield self._loss(("tables", table.id, name), table.id, ", ".join(pins), title=table.title, row=name)

    def _loss(self, path: Sequence[str], table: str, pin: str = "", **names: str) -> Finding:
        """The note about a number that is gone, at its pin."""
        other = self.file.editions.get(self.ruleset.edition, Pins())
        is_other = path[1] in (*other.facts, *other.tables)
        place = locate(self.source, ("editions", self.ruleset.edition, *path) if is_other else path)
        return self._note("", pin, place, table, **names)

    def _note(
        self, printed: str, pin: str, span: Span, table: str, *, title: str = "", row: str = "", column: str = ""
    ) -> Finding:
        place = (row,) if table == "facts" else (table, row, column)
        subject = CheckSubject(comparison_id("pins", *place), printed, span, table, title, row, column)
        rule = GONE if not printed else CHANGED if pin else NEW
        system = self.ruleset.id
        return Finding.about(subject, FindingKind.PIN, Severity.QUESTION, system=system, rule=rule, computed=pin)

    def _is_told(self, span: Span) -> bool:
        """Whether an open finding is about a place, or about a number that follows from the place."""
        return any(
            place.file == span.file and span.start <= place.start and place.end <= span.end
            for finding in self.is_open
            for place in (finding.span, *finding.sources)
        )

    def _is_torn(self, table: RuleTable) -> bool:
        """Whether an open finding says that rows of a table are lost, doubled or moved."""
        return any(found.kind is FindingKind.STRUCTURE and found.table == table.id for found in self.is_open)


@dataclass(frozen=True, slots=True)
class _TablePins:
    """A table and its pins; ``names`` has the pinned name for the name of each row that was pinned."""

    table: RuleTable
    rows: Mapping[str, PinnedRow]
    pinned: Rows
    names: Mapping[str, str]

    def differ(self, column: str, value: str, pin: str) -> bool:
        """Whether a cell differs from its pin. Words may be reworded, but not be those of another pinned row."""
        if value == pin or not (self.is_words(column, value) and self.is_words(column, pin)):
            return value != pin
        return value != "" and any(row.get(column) == value for row in self.pinned.values())

    def is_words(self, column: str, value: str) -> bool:
        """Whether a pin is blank, or words without a number."""
        at = self.table.index(column)
        return at is not None and self.table.columns[at].type == "text" and not any(numbers_in(value))


def _match_renamed(rows: Mapping[str, PinnedRow], pinned: Rows) -> dict[str, str]:
    """The pinned names of renamed rows: of the rest, in order, where as many rows as pins are left."""
    left = [name for name, row in rows.items() if row and name not in pinned]
    unpaired = [name for name, pins in pinned.items() if pins and name not in rows]
    return dict(zip(left, unpaired, strict=True)) if len(left) == len(unpaired) else {}
