"""The numbers that system.toml marks as decreed, and the file in which they are pinned (decreed.toml).

In: a ruleset, or the folder of a game. Out: the numbers as they are now, and as they were when they were last pinned.
Each is a text that is the same for equal values, however they are printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from refgen.checks.cells import row_names
from refgen.files import inside
from refgen.notation.canonical import canonical
from refgen.rules.field_types import Identifier
from refgen.rules.model import Fact, Ruleset, Table
from refgen.rules.toml import Strict, load_toml
from refgen.source import SourceFile
from refgen.span import Span

PINS_NAME = "decreed.toml"

NAME_LENGTH = 48
"""Characters of the words by which a row goes."""

BLANK = "(blank)"
"""What a row goes by whose first cell is blank."""


class Pins(Strict):
    """The values of facts, and those of the cells of tables by row and column."""

    facts: dict[Identifier, str] = {}
    tables: dict[Identifier, dict[str, dict[Identifier, str]]] = {}


class PinsSpec(Pins):
    """A whole decreed.toml: the pins of the game's own document, and what other editions have instead.

    The pins of an edition are facts and whole tables.
    """

    editions: dict[Identifier, Pins] = {}

    def of(self, edition: str) -> Pins:
        """The pins of an edition; of the game's own document when that is ""."""
        other = self.editions.get(edition, Pins())
        return Pins(facts=self.facts | other.facts, tables=self.tables | other.tables)

    def with_pins(self, edition: str, pins: Pins) -> PinsSpec:
        """The same with other pins of one edition; only those that differ from the game's own are kept."""
        if not edition:
            tables = {table: rows for table, rows in pins.tables.items() if rows}
            return PinsSpec(facts=pins.facts, tables=tables, editions=self.editions)
        facts = {fact: pin for fact, pin in pins.facts.items() if self.facts.get(fact) != pin}
        current = {table: [*rows.values()] for table, rows in self.tables.items()}  # rows may go by other words
        tables = {table: rows for table, rows in pins.tables.items() if current.get(table, []) != [*rows.values()]}
        editions = self.editions | {edition: Pins(facts=facts, tables=tables)}
        return PinsSpec(facts=self.facts, tables=self.tables, editions=editions)


def load_pins(folder: Path) -> tuple[PinsSpec, SourceFile] | None:
    """The pins of a system; None when its folder has no decreed.toml. Raises RulesError for a malformed one."""
    if not (folder / PINS_NAME).exists():
        return None
    source = SourceFile.read(inside(folder, PINS_NAME), f"{folder.name}/{PINS_NAME}")
    return load_toml(source, PinsSpec), source


def pins_of(ruleset: Ruleset) -> Pins:
    """The pins of the numbers as they are now."""
    facts = {fact.id: canonical(fact.value) for fact in decreed_facts(ruleset)}
    tables = {
        table.id: {
            name: {column: one.value for column, one in row.items()}
            for name, row in decreed_rows(ruleset, table)
            if row
        }
        for table in ruleset.printed_tables
    }
    return Pins(facts={fact: value for fact, value in facts.items() if value}, tables=tables)


@dataclass(frozen=True, slots=True)
class DecreedCell:
    """A cell with a decreed number: its value, the number as it is printed, and where."""

    value: str
    printed: str
    span: Span


DecreedRow = Mapping[str, DecreedCell]
"""The decreed cells of a row, by the ids of their columns."""


def decreed_facts(ruleset: Ruleset) -> Iterator[Fact]:
    """The facts that are marked as decreed."""
    return (fact for fact in ruleset.facts.values() if ruleset.spec.facts[fact.id].decreed)


def decreed_columns(ruleset: Ruleset, table: str) -> Mapping[str, int]:
    """The positions of the decreed columns of a table, by id."""
    spec = ruleset.spec.tables[table]
    return {column.id: at for at, column in enumerate(spec.columns) if column.decreed or spec.decreed}


def decreed_rows(ruleset: Ruleset, table: Table) -> Iterator[tuple[str, DecreedRow]]:
    """The rows of a table with decreed columns, by names of which each is another one, and their decreed numbers."""
    columns = decreed_columns(ruleset, table.id)
    for name, cells in zip(_names(table), table.rows, strict=True) if columns else ():
        row = {}
        for column, at in columns.items():
            cell = cells[at]
            if (value := canonical(cell.value)) and (span := cell.span or table.span) is not None:
                row[column] = DecreedCell(value, value if table.columns[at].type == "text" else cell.text, span)
        yield name, row


def _names(table: Table) -> Iterator[str]:
    """What the rows go by: their first words. Those with the same are told apart by a number."""
    seen: Counter[str] = Counter()
    for name in row_names(table):
        short = (name if len(name) <= NAME_LENGTH else f"{name[:NAME_LENGTH].rstrip()}…") or BLANK
        seen[short] += 1
        yield f"{short} {seen[short]}" if seen[short] > 1 else short
