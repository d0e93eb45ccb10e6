"""Rule documents are made into pages: section by section, each number with what is known of it.

In: a game. Out: a RulesPage for each document.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, repeat

from refgen.blocks.pieces import typeset
from refgen.game.game import Game
from refgen.readers.document import Grid, ListBlock, Section
from refgen.rules.model import Table
from refgen.site import address
from refgen.site.anchors import Anchors, unused
from refgen.site.document import Printed, blocks_of
from refgen.site.explanation import Explanations
from refgen.site.page import Head, Link, Part
from refgen.site.rules import Block, Items, NumberNote, Paragraph, PrintedTable, RulesPage, RulesSection, Runs
from refgen.site.text import Inlines, Run, runs
from refgen.source import Passage
from refgen.span import Span


def make_rules(game: Game, explanations: Explanations, head: Callable[[str, str], Head]) -> Iterator[RulesPage]:
    """A page for each document; ``head`` makes the head of a page of its path and title."""
    anchors, inlines = Anchors(game), Inlines(game.ruleset.inline)
    tables: dict[str, list[Table]] = defaultdict(list)
    for table in game.printed.values():
        if table.span:
            tables[table.span.file].append(table)
    in_file: dict[str, list[Section]] = defaultdict(list)
    for section in game.sections:
        in_file[section.text.source.name].append(section)
    for file, path in anchors.pages.items():
        sections = in_file[file]
        writer, title = _Writer(game, anchors, inlines, explanations), _title(game, file, sections)
        made = tuple(
            writer.section(section, level, _within(section, tables[file]))
            for section, level in zip(sections, _levels(sections, title), strict=True)
        )
        yield RulesPage(head(path, title), file, made, tuple(writer.notes))


def _title(game: Game, file: str, sections: Sequence[Section]) -> str:
    """What a document is called: by its first heading, where there are several."""
    if len(game.ruleset.documents) == 1:
        return Part.RULES.value
    return next((section.title for section in sections if section.title), file)


def _levels(sections: Sequence[Section], page: str) -> Iterator[int]:
    """The level of each section's heading below that of the ``page``, one further down than what it stands in."""
    above: list[int] = []
    for section in sections:
        if section.title and section.title != page:
            above = [*(level for level in above if level < section.level), section.level]
        yield min(len(above) + 1, 6)


def _within(section: Section, tables: Sequence[Table]) -> Sequence[Table]:
    return [table for table in tables if table.span and section.text.span.holds(table.span)]


@dataclass
class _Writer:
    """Goes through the sections of a document, and collects what is known of its numbers."""

    game: Game
    anchors: Anchors
    inlines: Inlines
    explanations: Explanations
    notes: list[NumberNote] = field(default_factory=list)

    def section(self, section: Section, level: int, tables: Sequence[Table]) -> RulesSection:
        """A section with all that it prints."""
        blocks = tuple(self._block(printed, tables) for printed in blocks_of(section, tables))
        return RulesSection(section.title, level, self.anchors.of(section), blocks)

    def _block(self, printed: Printed, tables: Sequence[Table]) -> Block:
        taken = self.anchors.taken[printed.span.file]
        anchor = unused(f"line-{printed.span.line}", taken)
        taken.add(anchor)
        return Block(printed.span.line, anchor, self._content(printed, tables))

    def _content(self, printed: Printed, tables: Sequence[Table]) -> Paragraph | Items | PrintedTable:
        match printed.content:
            case Grid() as grid:
                return self._grid(grid, [table for table in tables if table.span and grid.span.holds(table.span)])
            case Table() as table:
                return self._table(table)
            case ListBlock() as block:
                return Items(tuple(self._runs(item) for item in block.items))
            case passage:
                return Paragraph(self._runs(passage), raw=printed.is_raw)

    def _runs(self, passage: Passage) -> Runs:
        entries = self.explanations.entries(passage.span)
        notes = {entry.span: self._note(entry.span, entry.text, entry.words) for entry in entries}
        target = partial(self.anchors.target, passage.source.name)
        return tuple(runs(passage, self.inlines.within(passage.span), notes, target))

    def _note(self, span: Span, printed: str, where: str) -> str:
        """The anchor of what is known of a print, "" where nothing is."""
        explanation = self.explanations.of_print(span, printed)
        if explanation is None:
            return ""
        self.notes.append(NumberNote(f"n.{len(self.notes) + 1}", where, explanation))
        return self.notes[-1].anchor

    def _cell(self, text: str, span: Span | None, where: str) -> Runs:
        note = self._note(span, text, where) if span and text else ""
        return (Run(typeset(text), note=note),)

    def _grid(self, grid: Grid, tables: Sequence[Table]) -> PrintedTable:
        heads = tuple(
            tuple(self._cell(cell.text, cell.span, "Head of the table") for cell in row)
            for row in grid.rows[: grid.header_rows]
        )
        names = grid.header or ("",) * max(map(len, grid.rows), default=0)
        rows = tuple(
            tuple(
                self._cell(cell.text, cell.span, _where(row[0].text, name))
                for cell, name in zip(row, chain(names, repeat("")), strict=False)
            )
            for row in grid.body
        )
        return PrintedTable(grid.caption, heads, rows, self._pages(tables))

    def _table(self, table: Table) -> PrintedTable:
        heads = tuple(f"{column.title} {column.unit}".strip() for column in table.columns)
        rows = tuple(
            tuple(
                self._cell(cell.text, cell.span, _where(row[0].text, name))
                for cell, name in zip(row, heads, strict=True)
            )
            for row in table.rows
        )
        return PrintedTable("", (tuple((Run(head),) for head in heads),), rows, self._pages([table]))

    def _pages(self, tables: Sequence[Table]) -> tuple[Link, ...]:
        return tuple(Link(table.title, address.table(self.game.id, table.id)) for table in tables)


def _where(row: str, column: str) -> str:
    return ", ".join(dict.fromkeys(filter(None, (row, column))))
