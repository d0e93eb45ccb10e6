"""The tables of a game: a list of them by subject, and a page for each.

In: a game. Out: TablesPage and TablePage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from refgen.blocks.table_block import TableBlock, show_table
from refgen.blocks.table_cells import ShownCell
from refgen.blocks.typesetting import typeset
from refgen.checks.finding import Finding
from refgen.game import GameModel
from refgen.rules.model import RuleTable
from refgen.site import address
from refgen.site.address import SitePart
from refgen.site.checks import Explanations, NumberNote, anchor_of
from refgen.site.document_text import PAGE_IDS, unused_name
from refgen.site.page import Download, Head, Link
from refgen.site.rules import LinePlaces, where_in_table

DOWNLOADS = {"csv": "CSV", "json": "JSON", "md": "Markdown"}
"""The formats of a table's downloads, by the suffix of the file."""

ROLLED = {
    "foundry": ("foundry.json", "Foundry VTT", "JSON"),
    "roll20": ("roll20.txt", "Roll20", "TXT"),
    "tts": ("tts.json", "Tabletop Simulator", "JSON"),
}
"""The further downloads of a random table: the suffix, title and type of the file, by its format."""


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table in a list: its page, whether it is computed, and its size."""

    link: Link
    computed: bool
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class TableSubject:
    """A section of the rules and the tables that belong to it."""

    title: str
    tables: tuple[ListedTable, ...]


@dataclass(frozen=True, slots=True)
class TablesPage:
    """All tables by subject."""

    template: ClassVar[str] = "tables"
    head: Head
    subjects: tuple[TableSubject, ...]


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table as the document prints it or as it follows from the rules.

    The table stands at ``anchor``. ``notes`` explain its numbers, by row and column, both from 1; ``sources`` lead to
    the place of a printed table, or to all lines that a computed table follows from.
    """

    template: ClassVar[str] = "table"
    head: Head
    anchor: str
    block: TableBlock
    rule: str
    subject: str
    downloads: tuple[Download, ...]
    notes: Mapping[tuple[int, int], NumberNote]
    findings: tuple[tuple[Finding, Link], ...]
    sources: tuple[Link, ...]

    @property
    def rows(self) -> Iterator[Iterator[tuple[ShownCell, str]]]:
        """The rows of cells, each cell with the anchor of its note ("" for a cell without a note)."""
        anchors = {place: note.anchor for place, note in self.notes.items()}
        for row, cells in enumerate(self.block.rows, start=1):
            yield ((cell, anchors.get((row, column), "")) for column, cell in enumerate(cells, start=1))


def make_tables(head: Head, game: GameModel, groups: Mapping[str, Sequence[RuleTable]]) -> TablesPage:
    """The list of a game's tables."""
    subjects = (
        TableSubject(title, tuple(_listed_table(game.id, table) for table in group)) for title, group in groups.items()
    )
    return TablesPage(head, tuple(subjects))


def make_table(
    head: Head, game: GameModel, table: RuleTable, subject: str, explanations: Explanations, lines: LinePlaces
) -> TablePage:
    """The page of a table."""
    block = show_table(table, marks={} if table.computed else game.marks, words=game.words)
    files = [(suffix, title, title) for suffix, title in DOWNLOADS.items()]
    if game.table_roll(table):
        files += ROLLED.values()
    downloads = (
        Download(title, address.table(game.id, table.id, suffix), file_type) for suffix, title, file_type in files
    )
    notes = dict(_notes(table, block, explanations))
    checks_page = address.part_page(game.id, SitePart.CHECKS)
    findings = tuple(
        (
            finding.in_words(game.words),
            Link(f"{finding.row} {finding.column}".strip(), f"{checks_page}#{anchor_of(finding)}"),
        )
        for finding in game.check().findings
        if finding.table == table.id
    )
    spans = [table.span] if table.span else [span for row in table.rows for cell in row for span in cell.sources]
    sources = tuple(lines.links(spans))
    rule = typeset(table.explained_in(game.words))
    return TablePage(
        head, unused_name(table.id, PAGE_IDS), block, rule, subject, tuple(downloads), notes, findings, sources
    )


def _listed_table(game: str, table: RuleTable) -> ListedTable:
    link = Link(table.title, address.table(game, table.id))
    return ListedTable(link, table.computed, len(table.rows), len(table.columns))


def _notes(
    table: RuleTable, block: TableBlock, explanations: Explanations
) -> Iterator[tuple[tuple[int, int], NumberNote]]:
    """The notes on the numbers in the cells of a table, by row and column, both counted from 1."""
    first = next((row for row in block.rows if row[0].columns == 1), ())
    named = next((number for number, cell in enumerate(first) if cell.header), 0)
    for row, (cells, shown) in enumerate(zip(table.rows, block.rows, strict=True), start=1):
        for column, cell in enumerate(cells, start=1):
            if shown[column - 1].columns and (explanation := explanations.of_cell(table, cell)):
                head = block.columns[column - 1]
                where = where_in_table(shown[named].text, f"{head.title} {head.under}".strip())
                yield (row, column), NumberNote(f"n.{row}.{column}", where, explanation)
