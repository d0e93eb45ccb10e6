"""The rule documents of a game as pages to read, on which every number is explained.

In: the sections of a game's documents, and its tables. Out: a RulesPage for each document, made section by section:
paragraphs, lists and tables in the order of the document, each once (the reader of plain text gives the words of lists
and tables as paragraphs too, the reader of DocBook the words of lists), and an explanation of each number. Also the
place on the pages of each line of a document.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, repeat
from operator import attrgetter
from typing import ClassVar, TypeVar

from refgen.aids.reference_lists import path_in_game
from refgen.blocks.table_cells import is_band
from refgen.blocks.typesetting import typeset
from refgen.game import GameModel
from refgen.readers.document import Grid, InlineMark, ItemList, RawCell, Section
from refgen.rules.model import Cell, RuleTable
from refgen.site import address
from refgen.site.address import SitePart
from refgen.site.checks import Explanations, NumberNote
from refgen.site.document_text import Anchors, DocumentRun, text_runs, unused_name
from refgen.site.page import Head, Link
from refgen.source import Passage
from refgen.span import Span, SpanIndex, begins_within

RAGGED = ("grid", "ragged")
"""Layouts of tables that a document prints as tables; the rows of other layouts stand in lists and sentences."""


@dataclass(frozen=True, slots=True)
class PrintedBlock:
    """A block of a document, and its place.

    ``content`` is a paragraph, a list, a grid that the document's format marks, a table that only system.toml marks, or
    (``is_raw``) text in no known form.
    """

    span: Span
    content: Passage | ItemList | Grid | RuleTable
    is_raw: bool = False


def blocks_of(section: Section, tables: Sequence[RuleTable]) -> Sequence[PrintedBlock]:
    """The blocks of a section, in order; ``tables`` are the game's tables in the section.

    Where columns are parted by blanks alone (the section then has raw blocks), a grid counts as a table only when the
    game has a table at that place. A footnote that is written within its table follows the table.
    """
    known = [(table.span, table) for table in tables if table.span and table.layout in RAGGED]
    grids = [grid for grid in section.grids if not section.blocks or _overlaps(grid.span, [span for span, _ in known])]
    found = [PrintedBlock(grid.span, grid) for grid in grids]
    shown = [one.span for one in found]
    found += [PrintedBlock(span, table) for span, table in known if not _overlaps(span, shown)]
    found += [PrintedBlock(block.span, block) for block in section.lists if block.items]
    taken = [one.span for one in found]
    is_footnote = begins_within(note.span for grid in section.grids for note in grid.notes)
    found += [
        PrintedBlock(rest.span, rest)
        for paragraph in section.paragraphs
        for rest in _parts_outside(paragraph, () if is_footnote(paragraph.origins[0]) else taken)
    ]
    shown = [one.span for one in found]
    found += [
        PrintedBlock(block.span, block, is_raw=True) for block in section.blocks if not _overlaps(block.span, shown)
    ]
    return sorted(found, key=lambda one: one.span)


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(span.file == other.file and span.start < other.end and other.start < span.end for other in others)


def _parts_outside(paragraph: Passage, taken: Sequence[Span]) -> Iterator[Passage]:
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


Runs = tuple[DocumentRun, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or ``raw`` text whose lines and blanks are kept."""

    runs: Runs
    raw: bool = False
    kind: str = "paragraph"

    @property
    def passages(self) -> Iterable[Runs]:
        """The words of the paragraph as one passage."""
        return (self.runs,)


@dataclass(frozen=True, slots=True)
class RulesList:
    """A list."""

    items: tuple[Runs, ...]
    kind: str = "list"

    @property
    def passages(self) -> Iterable[Runs]:
        """The words of the list, item by item."""
        return self.items


@dataclass(frozen=True, slots=True)
class RulesTable:
    """A table as printed; ``heads`` are the rows of its head, and ``pages`` lead to the pages of the game's tables.

    A row of one cell is as wide as the table.
    """

    caption: str
    heads: tuple[tuple[Runs, ...], ...]
    rows: tuple[tuple[Runs, ...], ...]
    pages: tuple[Link, ...]
    kind: str = "table"

    @property
    def width(self) -> int:
        """The number of columns."""
        return max(map(len, (*self.heads, *self.rows)), default=0)

    @property
    def passages(self) -> Iterable[Runs]:
        """The words of the table, cell by cell."""
        return (cell for row in (*self.heads, *self.rows) for cell in row)


@dataclass(frozen=True, slots=True)
class DocumentBlock:
    """A block of a page: the first line of the block in the document, its anchor and its content."""

    line: int
    anchor: str
    content: Paragraph | RulesList | RulesTable


@dataclass(frozen=True, slots=True)
class RulesSection:
    """A section: its title, the ``level`` of its heading (2 or more; the page has 1), its anchor, and its blocks."""

    title: str
    level: int
    anchor: str
    blocks: tuple[DocumentBlock, ...]


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A rule document: its file, its sections, and the explanations of its numbers."""

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


class LinePlaces:
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
        """Links to the lines of some spans, in document order: to the last block that begins on or before each line."""
        for file, line in sorted({(span.file, span.line) for span in spans}):
            path, blocks = self._files[file]
            number = bisect_right(blocks, line, key=lambda block: block[0])
            anchor = f"#{blocks[number - 1][1]}" if number else ""
            yield Link(f"{path_in_game(file)}:{line}", f"{path}{anchor}")


def make_rules(game: GameModel, explanations: Explanations, head: Callable[[str, str], Head]) -> Iterator[RulesPage]:
    """A page for each document; ``head`` makes the head of a page from its path and title."""
    anchors, inlines = Anchors(game), SpanIndex(game.ruleset.inline, attrgetter("span"))
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
            writer.section(section, level, _tables_within(section, tables[file]))
            for section, level in zip(sections, _levels(sections, title), strict=True)
        )
        yield RulesPage(head(path, title), file, made, tuple(writer.notes))


def _title(game: GameModel, file: str, sections: Sequence[Section]) -> str:
    """The title of a document: its first heading, where a game has several documents."""
    if len(game.ruleset.documents) == 1:
        return game.words(SitePart.RULES)
    return next((section.title for section in sections if section.title), file)


def _levels(sections: Sequence[Section], page: str) -> Iterator[int]:
    """The level of each section's heading: one more than the heading of the section around the section."""
    above: list[int] = []
    for section in sections:
        if section.title and section.title != page:
            above = [*(level for level in above if level < section.level), section.level]
        yield min(len(above) + 1, 6)


def _tables_within(section: Section, tables: Sequence[RuleTable]) -> Sequence[RuleTable]:
    place = section.text.span
    return [table for table in tables if table.span and place.holds(table.span)]


@dataclass
class _Writer:
    """Makes the sections of a page, and collects the notes on the numbers in them."""

    game: GameModel
    anchors: Anchors
    inlines: SpanIndex[InlineMark]
    explanations: Explanations
    notes: list[NumberNote] = field(default_factory=list)

    def section(self, section: Section, level: int, tables: Sequence[RuleTable]) -> RulesSection:
        """A section with all of its blocks."""
        blocks = tuple(self._block(printed, tables) for printed in blocks_of(section, tables))
        return RulesSection(section.title, level, self.anchors.of(section), blocks)

    def _block(self, printed: PrintedBlock, tables: Sequence[RuleTable]) -> DocumentBlock:
        taken = self.anchors.taken[printed.span.file]
        anchor = unused_name(f"line-{printed.span.line}", taken)
        taken.add(anchor)
        return DocumentBlock(printed.span.line, anchor, self._content(printed, tables))

    def _content(self, printed: PrintedBlock, tables: Sequence[RuleTable]) -> Paragraph | RulesList | RulesTable:
        match printed.content:
            case Grid() as grid:
                return self._grid(grid, [table for table in tables if table.span and grid.span.holds(table.span)])
            case RuleTable() as table:
                return self._table(table)
            case ItemList() as block:
                return RulesList(tuple(self._runs(item) for item in block.items))
            case passage:
                return Paragraph(self._runs(passage), raw=printed.is_raw)

    def _runs(self, passage: Passage) -> Runs:
        entries = self.explanations.entries(passage.span)
        notes = {entry.span: self._note(entry.span, entry.text, entry.words) for entry in entries}
        target = partial(self.anchors.target, passage.source.name)
        return tuple(text_runs(passage, self.inlines.within(passage.span), notes, target))

    def _note(self, span: Span, printed: str, where: str) -> str:
        """The anchor of the note on a print, "" for a print without an explanation."""
        explanation = self.explanations.of_print(span, printed)
        if explanation is None:
            return ""
        self.notes.append(NumberNote(f"n.{len(self.notes) + 1}", where, explanation))
        return self.notes[-1].anchor

    def _cell(self, text: str, span: Span | None, where: str) -> Runs:
        note = self._note(span, text, where) if span and text else ""
        return (DocumentRun(typeset(text), note=note),)

    def _grid(self, grid: Grid, tables: Sequence[RuleTable]) -> RulesTable:
        heads = tuple(
            tuple(self._cell(cell.text, cell.span, self.game.words("head-of-table")) for cell in row)
            for row in grid.rows[: grid.header_rows]
        )
        names = grid.header or ("",) * max(map(len, grid.rows), default=0)
        rows = tuple(
            tuple(
                self._cell(cell.text, cell.span, where_in_table(row[0].text, name))
                for cell, name in zip(_without_repeats(row), chain(names, repeat("")), strict=False)
            )
            for row in grid.body
        )
        return RulesTable(grid.caption, heads, rows, self._pages(tables))

    def _table(self, table: RuleTable) -> RulesTable:
        heads = tuple(f"{column.head} {column.unit}".strip() for column in table.columns)
        rows = tuple(
            tuple(
                self._cell(cell.text, cell.span, where_in_table(row[0].text, name))
                for cell, name in zip(_without_repeats(row), heads, strict=False)
            )
            for row in table.rows
        )
        head_rows = (tuple((DocumentRun(head),) for head in heads),) if any(heads) else ()
        return RulesTable("", head_rows, rows, self._pages([table]))

    def _pages(self, tables: Sequence[RuleTable]) -> tuple[Link, ...]:
        return tuple(Link(table.title, address.table(self.game.id, table.id)) for table in tables)


_PrintedCell = TypeVar("_PrintedCell", Cell, RawCell)


def _without_repeats(row: Sequence[_PrintedCell]) -> Sequence[_PrintedCell]:
    """A row; of one cell over all columns, that cell once."""
    return row[:1] if is_band(row) else row


def where_in_table(row: str, column: str) -> str:
    """The names of a row and of a column, as far as each has one, and once where both are alike."""
    return ", ".join(dict.fromkeys(filter(None, (row, column))))
