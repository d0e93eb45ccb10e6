"""Texts and numbers that nothing can compare, and their pins in pins.toml.

In: a ruleset, or the folder of a game. Out: the numbers that proof.toml says are pinned, and the words and the
numbers that stand beside what rows go by, as they are now and as they were when they were last pinned. Each number is a
text that is the same for equal values, however they are printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refgen.checks.comparison import row_names
from refgen.errors import RulesError
from refgen.files import inside
from refgen.notation.canonical import canonical
from refgen.notation.running import numbers_in
from refgen.rules.field_types import Identifier
from refgen.rules.model import Cell, Fact, Ruleset, RuleTable
from refgen.rules.toml import Strict, load_toml
from refgen.source import SourceFile
from refgen.span import Span

PINS_NAME = "pins.toml"
OLD_NAME = "decreed.toml"

NAME_LENGTH = 48
"""Characters of the words by which a row goes, and of those that are pinned."""

LABEL_WORDS = 2
"""Words of the longest cell of another edition whose words are pinned: a label. Sentences of others are not copied."""

CUT = "…"
"""What stands for the rest of longer words."""

BLANK = "(blank)"
"""What a row goes by whose first cell is blank."""


Rows = dict[str, dict[Identifier, str]]
"""The values of cells, by row and column."""


class Pins(Strict):
    """The values of facts, and those of the cells of tables; rows that go by words stand in their order."""

    facts: dict[Identifier, str] = {}
    tables: dict[Identifier, Rows] = {}


class PinsSpec(Pins):
    """A whole pins.toml: the pins of the game's own document, and what other editions have instead.

    The pins of an edition are facts and whole tables.
    """

    editions: dict[Identifier, Pins] = {}

    def of(self, edition: str) -> Pins:
        """The pins of an edition; of the game's own document when that is ""."""
        other = self.editions.get(edition, Pins())
        return Pins(facts=self.facts | other.facts, tables=self.tables | other.tables)

    def with_pins(self, ruleset: Ruleset) -> PinsSpec:
        """The same with the pins of a document; of another edition, those that differ from the game's own."""
        pins = pins_of(ruleset)
        if not ruleset.edition:
            return PinsSpec(facts=pins.facts, tables=pins.tables, editions=self.editions)
        facts = {fact: pin for fact, pin in pins.facts.items() if self.facts.get(fact) != pin}
        tables = {}
        for table, rows in pins.tables.items():
            labels, current = (_labels(ruleset, table, some) for some in (rows, self.tables.get(table, {})))
            if [*labels.values()] != [*current.values()]:  # rows may go by other words
                tables[table] = labels
        editions = self.editions | {ruleset.edition: Pins(facts=facts, tables=tables)}
        return PinsSpec(facts=self.facts, tables=self.tables, editions=editions)


def _labels(ruleset: Ruleset, table: str, rows: Rows) -> Rows:
    """The rows of a table without sentences; those that have nothing else are left out."""
    words = {column.id for column in ruleset.spec.tables[table].columns if column.type == "text"}
    kept = {
        name: {column: value for column, value in row.items() if column not in words or _is_label(value)}
        for name, row in rows.items()
    }
    return {name: row for name, row in kept.items() if row}


def _is_label(pin: str) -> bool:
    """Whether what is pinned of words are numbers, or a few words."""
    return any(numbers_in(pin)) or (len(pin.split()) <= LABEL_WORDS and not pin.endswith(CUT))


def load_pins(folder: Path) -> tuple[PinsSpec, SourceFile] | None:
    """The pins of a system; None when its folder has no pins.toml. Raises RulesError for a malformed one."""
    if (folder / OLD_NAME).exists():
        old = SourceFile.read(inside(folder, OLD_NAME), f"{folder.name}/{OLD_NAME}")
        hint = f"Call the file {PINS_NAME}."
        raise RulesError(f"{OLD_NAME} is called {PINS_NAME} now", span=old.span(0, 0), hint=hint)
    if not (folder / PINS_NAME).exists():
        return None
    source = SourceFile.read(inside(folder, PINS_NAME), f"{folder.name}/{PINS_NAME}")
    return load_toml(source, PinsSpec), source


def pins_of(ruleset: Ruleset) -> Pins:
    """The pins of what is pinned, as it is now. A row that goes by words has its place, even with nothing beside it."""
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
    """A cell that is pinned: its value, the number or the words as they are printed, and where."""

    value: str
    printed: str
    span: Span


PinnedRow = Mapping[str, PinnedCell]
"""The pinned cells of a row, by the ids of their columns."""


def pinned_facts(ruleset: Ruleset) -> Iterator[Fact]:
    """The facts whose numbers the game sets."""
    return (fact for fact in ruleset.facts.values() if ruleset.spec.why_pinned(fact.id))


def goes_by_words(table: RuleTable) -> bool:
    """Whether the rows of a table go by words, which nothing compares."""
    return table.columns[0].type == "text"


def pinned_columns(ruleset: Ruleset, table: RuleTable) -> Mapping[str, int]:
    """The positions of the columns of a table that are pinned, by id: those that the game sets, and words.

    Where the rows go by words or by what the game sets, nothing compares that: all that stands beside it is pinned.
    """
    columns = ruleset.spec.tables[table.id].columns
    is_free = goes_by_words(table) or ruleset.spec.why_pinned(table.id, columns[0].id)
    return {
        column.id: at
        for at, column in enumerate(columns)
        if ruleset.spec.why_pinned(table.id, column.id) or (at > 0 and (is_free or column.type == "text"))
    }


def pinned_rows(ruleset: Ruleset, table: RuleTable) -> Mapping[str, PinnedRow]:
    """The rows of a table, by names of which each is another one, and their pinned cells."""
    columns = pinned_columns(ruleset, table)
    return {
        name: {column: one for column, at in columns.items() if (one := _pinned(table, cells, at)) is not None}
        for name, cells in zip(_row_names(table), table.rows, strict=True)
    }


def _pinned(table: RuleTable, cells: Sequence[Cell], at: int) -> PinnedCell | None:
    """The pinned part of a cell: the numbers among words, else the first words; None for a blank cell."""
    cell, is_words = cells[at], table.columns[at].type == "text"
    span = cell.span or table.span
    value = canonical(cell.value) or (_shortened(cell.text) if is_words and at > 0 else "")
    if not value or span is None:
        return None
    return PinnedCell(value, value if is_words else cell.text, span)


def _row_names(table: RuleTable) -> Iterator[str]:
    """The keys of rows: their first words. Rows with equal first words are told apart by a number."""
    seen: Counter[str] = Counter()
    for name in row_names(table):
        short = _shortened(name) or BLANK
        seen[short] += 1
        yield f"{short} {seen[short]}" if seen[short] > 1 else short


def _shortened(words: str) -> str:
    return words if len(words) <= NAME_LENGTH else words[:NAME_LENGTH].rstrip() + CUT
