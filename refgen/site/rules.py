"""The rule documents of a game as pages to read, on which every number says what becomes of it.

In: a game. Out: a RulesPage for each document, and a page that lists them where there are several.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, repeat
from typing import ClassVar

from refgen.aids.sheet.names import slug
from refgen.aids.typeset import typeset
from refgen.checks.links import may_be_followed
from refgen.game.game import Game
from refgen.readers.document import Grid, ListBlock, Section
from refgen.rules.model import Table
from refgen.site import address
from refgen.site.document import Printed, blocks_of
from refgen.site.explanation import Explanation, Explanations, in_game
from refgen.site.page import Head, Link, Part
from refgen.site.text import Inlines, Run, runs
from refgen.source import Passage
from refgen.span import Span

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
    """What is known of a number: its anchor, the words around it, and the explanation."""

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


class Anchors:
    """The anchors of a game's documents: of each section, and of the block that a line stands in."""

    def __init__(self, game: Game) -> None:
        self._sections = {section.text.span: "" for section in game.sections}
        self._names: dict[str, str] = {}
        names = _documents(game)
        taken: dict[str, set[str]] = {file: set() for file in names}
        for section in game.sections:
            file = section.text.source.name
            anchor = _unused(slug(section.title) or "top", taken[file])
            taken[file].add(anchor)
            self._sections[section.text.span] = anchor
            for name in filter(None, (section.id, anchor)):
                self._names.setdefault(name, f"{names[file]}#{anchor}")
        self._paths = names

    def of(self, section: Section) -> str:
        """The anchor of a section on its page."""
        return self._sections[section.text.span]

    def path(self, file: str) -> str:
        """The page of a document."""
        return self._paths[file]

    def target(self, written: str) -> str:
        """Where an address leads that a document writes: elsewhere, or to a place on the pages; "" for nowhere."""
        if not may_be_followed(written):
            return ""
        path, _, anchor = written.partition("#")
        if "://" in path or path.startswith("mailto:"):
            return written
        if not path:
            return self._names.get(anchor) or self._names.get(slug(anchor), "")
        known = next((name for name in self._paths if name.endswith(f"/{path.removeprefix('./')}")), "")
        return self._paths[known] + (f"#{slug(anchor)}" if anchor else "") if known else ""


def _documents(game: Game) -> Mapping[str, str]:
    """The page of each document, by the name of its file."""
    files = [source.name for source in game.ruleset.documents]
    if len(files) == 1:
        return {files[0]: address.rules(game.id)}
    taken: set[str] = set()
    found = {}
    for file in files:
        name = _unused(slug(file.partition("/")[2].rpartition(".")[0]) or "document", taken)
        taken.add(name)
        found[file] = address.rules(game.id, name)
    return found


def _unused(name: str, taken: Collection[str]) -> str:
    numbers = (f"{name}-{number}" for number in count(2))
    return next(candidate for candidate in chain([name], numbers) if candidate not in taken)


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
    for file, path in _documents(game).items():
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
    lines: set[str] = field(default_factory=set)

    def section(self, section: Section, level: int, tables: Sequence[Table]) -> RulesSection:
        """A section with all that it prints."""
        blocks = tuple(self._block(printed, tables) for printed in blocks_of(section, tables))
        return RulesSection(section.title, level, self.anchors.of(section), blocks)

    def _block(self, printed: Printed, tables: Sequence[Table]) -> Block:
        anchor = _unused(f"line-{printed.span.line}", self.lines)
        self.lines.add(anchor)
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
        return tuple(runs(passage, self.inlines.within(passage.span), notes, self.anchors.target))

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
