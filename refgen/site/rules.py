"""The rule documents of a game as pages to read, on which every number says what becomes of it.

In: the sections of a game's documents, and its tables. Out: a RulesPage for each document, made section by section:
paragraphs, lists and tables in the order in which the document prints them, each once (the reader of plain text gives
the words of lists and tables as paragraphs too, that of DocBook those of lists), and each number with what is known of
it; and where each line of a document stands on the pages.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, repeat
from typing import ClassVar

from refgen.blocks.typesetting import typeset
from refgen.game.game import GameModel
from refgen.readers.document import Grid, ListBlock, Section
from refgen.rules.model import RuleTable
from refgen.site import address
from refgen.site.anchors import Anchors, unused
from refgen.site.explanation import Explanation, Explanations, in_game
from refgen.site.page import Head, Link, Part
from refgen.site.text import Inlines, Run, runs
from refgen.source import Passage
from refgen.span import Span

RAGGED = ("grid", "ragged")
"""Layouts of tables that are tables to the eye; the rows of others stand in lists and sentences."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A block of a document, and where it stands.

    It is a paragraph, a list, a grid as its format marks it, a table that only system.toml knows, or (``is_raw``) a
    stretch of which nothing is known.
    """

    span: Span
    content: Passage | ListBlock | Grid | RuleTable
    is_raw: bool = False


def blocks_of(section: Section, tables: Sequence[RuleTable]) -> Sequence[Printed]:
    """The blocks of a section, in order; ``tables`` are those of the game that stand in it.

    Where columns are a matter of blanks (the section then has raw stretches), what looks like a table is one only when
    the game has it.
    """
    known = [(table.span, table) for table in tables if table.span and table.layout in RAGGED]
    grids = [grid for grid in section.grids if not section.blocks or _overlaps(grid.span, [span for span, _ in known])]
    found = [Printed(grid.span, grid) for grid in grids]
    shown = [one.span for one in found]
    found += [Printed(span, table) for span, table in known if not _overlaps(span, shown)]
    found += [Printed(_extent(block), block) for block in section.lists if block.items]
    taken = [one.span for one in found]
    found += [Printed(rest.span, rest) for paragraph in section.paragraphs for rest in _without(paragraph, taken)]
    shown = [one.span for one in found]
    found += [Printed(block.span, block, is_raw=True) for block in section.blocks if not _overlaps(block.span, shown)]
    return sorted(found, key=lambda one: one.span)


def _extent(block: ListBlock) -> Span:
    first, last = block.items[0].span, block.items[-1].span
    return Span(first.file, first.start, last.end, first.line, first.column, last.end_line, last.end_column)


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(span.file == other.file and span.start < other.end and other.start < span.end for other in others)


def _without(paragraph: Passage, taken: Sequence[Span]) -> Iterator[Passage]:
    """The parts of a paragraph outside some stretches; marks without a word are left out."""
    position = 0
    for span in sorted(taken):
        start = bisect_left(paragraph.origins, span.start, hi=len(paragraph))
        end = bisect_left(paragraph.origins, span.end, lo=start, hi=len(paragraph))
        if span.file == paragraph.source.name and start < end:
            yield from _words(paragraph[position:start])
            position = end
    yield from _words(paragraph[position:])


def _words(passage: Passage) -> Iterator[Passage]:
    if any(character.isalnum() for character in passage.text):
        yield passage.strip()


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or ``raw`` text whose lines and blanks are kept."""

    runs: Runs
    raw: bool = False
    kind: str = "paragraph"


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Runs, ...]
    kind: str = "list"


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table as printed; ``heads`` are the rows of its head, and ``pages`` lead to what is known of it."""

    caption: str
    heads: tuple[tuple[Runs, ...], ...]
    rows: tuple[tuple[Runs, ...], ...]
    pages: tuple[Link, ...]
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the document, the line it begins on, and its anchor."""

    line: int
    anchor: str
    content: Paragraph | Items | PrintedTable


@dataclass(frozen=True, slots=True)
class RulesSection:
    """A section: its title at its ``level`` (from 2, below that of the page), its anchor, and its blocks."""

    title: str
    level: int
    anchor: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class NumberNote:
    """A number of a document: its anchor, the words around the number, and its explanation."""

    anchor: str
    where: str
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A rule document: its file, its sections, and what is known of its numbers."""

    template: ClassVar[str] = "rules"
    head: Head
    file: str
    sections: tuple[RulesSection, ...]
    notes: tuple[NumberNote, ...]


@dataclass(frozen=True, slots=True)
class DocumentsPage:
    """The rule documents of a game with several."""

    template: ClassVar[str] = "documents"
    head: Head
    documents: tuple[Link, ...]


class Lines:
    """The places of a game's documents on their pages."""

    def __init__(self, pages: Iterable[RulesPage]) -> None:
        self._files = {
            page.file: (
                page.head.path,
                [(block.line, block.anchor) for section in page.sections for block in section.blocks],
            )
            for page in pages
        }

    def links(self, spans: Iterable[Span]) -> Iterator[Link]:
        """Where each line stands, in the order of the documents: the block that begins on it, or last before it."""
        for file, line in sorted({(span.file, span.line) for span in spans}):
            path, blocks = self._files[file]
            number = bisect_right(blocks, line, key=lambda block: block[0])
            anchor = f"#{blocks[number - 1][1]}" if number else ""
            yield Link(f"{in_game(file)}:{line}", f"{path}{anchor}")


def make_rules(game: GameModel, explanations: Explanations, head: Callable[[str, str], Head]) -> Iterator[RulesPage]:
    """A page for each document; ``head`` makes the head of a page of its path and title."""
    anchors, inlines = Anchors(game), Inlines(game.ruleset.inline)
    tables: dict[str, list[RuleTable]] = defaultdict(list)
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


def _title(game: GameModel, file: str, sections: Sequence[Section]) -> str:
    """The title of a document: its first heading, where a game has several documents."""
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


def _within(section: Section, tables: Sequence[RuleTable]) -> Sequence[RuleTable]:
    return [table for table in tables if table.span and section.text.span.holds(table.span)]


@dataclass
class _Writer:
    """Goes through the sections of a document, and collects what is known of its numbers."""

    game: GameModel
    anchors: Anchors
    inlines: Inlines
    explanations: Explanations
    notes: list[NumberNote] = field(default_factory=list)

    def section(self, section: Section, level: int, tables: Sequence[RuleTable]) -> RulesSection:
        """A section with all that it prints."""
        blocks = tuple(self._block(printed, tables) for printed in blocks_of(section, tables))
        return RulesSection(section.title, level, self.anchors.of(section), blocks)

    def _block(self, printed: Printed, tables: Sequence[RuleTable]) -> Block:
        taken = self.anchors.taken[printed.span.file]
        anchor = unused(f"line-{printed.span.line}", taken)
        taken.add(anchor)
        return Block(printed.span.line, anchor, self._content(printed, tables))

    def _content(self, printed: Printed, tables: Sequence[RuleTable]) -> Paragraph | Items | PrintedTable:
        match printed.content:
            case Grid() as grid:
                return self._grid(grid, [table for table in tables if table.span and grid.span.holds(table.span)])
            case RuleTable() as table:
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

    def _grid(self, grid: Grid, tables: Sequence[RuleTable]) -> PrintedTable:
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

    def _table(self, table: RuleTable) -> PrintedTable:
        heads = tuple(f"{column.title} {column.unit}".strip() for column in table.columns)
        rows = tuple(
            tuple(
                self._cell(cell.text, cell.span, _where(row[0].text, name))
                for cell, name in zip(row, heads, strict=True)
            )
            for row in table.rows
        )
        return PrintedTable("", (tuple((Run(head),) for head in heads),), rows, self._pages([table]))

    def _pages(self, tables: Sequence[RuleTable]) -> tuple[Link, ...]:
        return tuple(Link(table.title, address.table(self.game.id, table.id)) for table in tables)


def _where(row: str, column: str) -> str:
    return ", ".join(dict.fromkeys(filter(None, (row, column))))
