"""The document of a word processor's file: its blocks as a text, and the sections, lists and tables of that text.

In: the blocks of a file. Out: a Document. Such a file has no lines, so its text is written here: headings, paragraphs
and list items a line each, rows of tables a line with bars, words that are left out behind all sections. Spans point
into the written text, and their ``place`` says what a person finds: "Combat, table 3, row 2".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from refgen.readers.document import (
    LEFT_OUT,
    Document,
    Format,
    Grid,
    ItemList,
    Note,
    RawCell,
    Section,
    words_of,
    words_read,
)
from refgen.readers.grids import Row, SpanningCell, fill_spans, hang_footnotes, is_blank
from refgen.readers.heads import looks_like_head
from refgen.readers.office.flow import Block, LeftOut, TextBox, TextCell, TextNote, TextParagraph, TextTable
from refgen.source import Passage, SourceFile

Range = tuple[int, int]
"""Where words stand in the written text."""

Finish = Callable[[SourceFile, "_SectionParts"], None]
"""Adds a block to its section, once the whole text is written."""

_TABLE_IN_CELL = "a table stands in this cell"


def make_document(blocks: Sequence[Block], apart: Sequence[LeftOut], name: str, document_format: Format) -> Document:
    """The document of some blocks. ``apart`` are words in other parts of the file, which are left out."""
    writer = _TextWriter()
    writer.blocks(blocks)
    writer.leave_out(apart, "beside the text")
    source = SourceFile(name, "".join(writer.pieces), tuple(writer.places))
    sections, notes = [], []
    for number, (heading, start) in enumerate(writer.headings):
        end = writer.headings[number + 1][1] if number + 1 < len(writer.headings) else writer.end
        parts = _SectionParts()
        for finish in heading.finish:
            finish(source, parts)
        if heading.level or heading.finish:
            sections.append(parts.section(heading, source.passage[start:end]))
        notes += parts.notes
    left_out = _notes_on(writer.left_out, source, words_read(sections))
    return Document(source, document_format, source.passage, tuple(sections), notes=(*notes, *left_out))


def _notes_on(left_out: Sequence[tuple[Range, LeftOut]], source: SourceFile, known: set[str]) -> Iterator[Note]:
    """A note on words that are left out; on words that stand apart, where the text does not have them as well."""
    for place, words in left_out:
        if not words.stand_apart or not words_of(words.words) <= known:
            yield Note(words.reason, source.span(*place), LEFT_OUT)


@dataclass
class _Heading:
    """A heading, and what finishes each block under the heading."""

    title: str
    level: int
    finish: list[Finish] = field(default_factory=list)


@dataclass
class _SectionParts:
    """The parts of a section, while they are made."""

    paragraphs: list[Passage] = field(default_factory=list)
    lists: list[ItemList] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def section(self, heading: _Heading, text: Passage) -> Section:
        return Section(heading.title, heading.level, text, tuple(self.paragraphs), tuple(self.lists), tuple(self.grids))


@dataclass
class _TextWriter:
    """Writes the text of blocks, and remembers what finishes each block. ``end`` is where the sections end."""

    pieces: list[str] = field(default_factory=list)
    places: list[tuple[int, str]] = field(default_factory=list)
    headings: list[tuple[_Heading, int]] = field(default_factory=lambda: [(_Heading("", 0), 0)])
    position: int = 0
    end: int = 0
    tables: int = 0
    paragraphs: int = 0
    apart: list[tuple[LeftOut, str]] = field(default_factory=list)
    left_out: list[tuple[Range, LeftOut]] = field(default_factory=list)

    def blocks(self, blocks: Sequence[Block]) -> None:
        """Write some blocks; a list is a run of paragraphs with a depth."""
        joined = list(_with_captions(_join_run_ons(blocks)))
        for in_list, run in groupby(joined, key=lambda pair: isinstance(pair[0], TextParagraph) and pair[0].depth > 0):
            if in_list:
                self._list([block for block, _ in run if isinstance(block, TextParagraph)])
            else:
                for block, caption in run:
                    self._block(block, caption)

    def leave_out(self, apart: Sequence[LeftOut], place: str) -> None:
        """Write the words that are left out, behind all sections."""
        self.end = self.position
        for words, where in (*self.apart, *((words, place) for words in apart)):
            self.places.append((self.position, where))
            self.left_out.append((self._write(words.words), words))
            self._write("\n\n")

    def _write(self, text: str) -> Range:
        start = self.position
        self.pieces.append(text)
        self.position += len(text)
        return start, self.position

    def _at(self, place: str) -> str:
        """Say that the words from here on stand at a place under the heading."""
        title = self.headings[-1][0].title
        where = f"{title}, {place}" if title and place else title or place
        self.places.append((self.position, where))
        return where

    def _finish(self, finish: Finish) -> None:
        self.headings[-1][0].finish.append(finish)

    def _block(self, block: Block, caption: str) -> None:
        match block:
            case TextParagraph(level=0):
                self._paragraph(block)
            case TextParagraph():
                self._heading(block)
            case TextTable():
                self._table(block, caption)
            case TextBox(blocks=blocks):
                self.blocks(blocks)

    def _heading(self, paragraph: TextParagraph) -> None:
        title = " ".join(_without_marks(paragraph).split())
        self.headings.append((_Heading(title, paragraph.level), self.position))
        self.tables = self.paragraphs = 0
        self._note_words(paragraph, self._at(""))
        self._write(f"{title}\n\n")
        self._notes_below(paragraph.notes)

    def _paragraph(self, paragraph: TextParagraph) -> None:
        self.paragraphs += 1
        place = self._at(f"paragraph {self.paragraphs}")
        self._note_words(paragraph, place)
        if text := _without_marks(paragraph).strip():
            self._prose(text)
        self._notes_below(paragraph.notes)

    def _prose(self, text: str) -> None:
        written = self._write(text)
        self._write("\n\n")
        self._finish(lambda source, parts: parts.paragraphs.append(_passage(source, written)))

    def _notes_below(self, notes: Sequence[TextNote]) -> None:
        """The footnotes of a block are paragraphs behind the block."""
        for note in notes:
            self._at(f"footnote {note.mark.strip('[^]')}")
            self._prose(note.words)

    def _note_words(self, paragraph: TextParagraph, place: str) -> None:
        self.apart += [(words, place) for words in paragraph.left_out]

    def _list(self, items: Sequence[TextParagraph]) -> None:
        """A list, then each list inside its items, which are part of the items as well."""
        self.paragraphs += 1
        place = self._at(f"list {self.paragraphs}")
        ranges = [(item.depth, self._item(item, place)) for item in items]
        self._write("\n")
        for lists in _nested_lists(ranges):
            self._finish(lambda source, parts, found=lists: parts.lists.append(_item_list(source, found)))  # type: ignore[misc]
        self._notes_below([note for item in items for note in item.notes])

    def _item(self, item: TextParagraph, place: str) -> Range:
        self._note_words(item, place)
        label = f"{item.label} " if item.label else ""
        written = self._write(f"{label}{_without_marks(item).strip()}")
        self._write("\n")
        return written

    def _table(self, table: TextTable, caption: str) -> None:
        """A table, then its footnotes, and the tables and boxes in its cells."""
        self.tables += 1
        start, number = self.position, self.tables
        rows = [self._row(cells, number, row) for row, cells in enumerate(table.rows, start=1)]
        extent = (start, self.position)
        self._write("\n")
        inside = [inner for cells in table.rows for cell in cells for inner in cell.blocks]
        notes = tuple(note for block in inside if isinstance(block, TextParagraph) for note in block.notes)
        layout = _TableLayout(rows, extent, table, caption, notes)
        self._notes_of_table(layout)
        self.blocks([block for block in inside if not isinstance(block, TextParagraph)])

    def _notes_of_table(self, layout: _TableLayout) -> None:
        written = []
        for note in layout.notes:
            self._at(f"table {self.tables}, footnote {note.mark.strip('[^]')}")
            written.append((note.mark, self._write(note.words)))
            self._write("\n\n")
        self._finish(lambda source, parts: layout.add(source, parts, dict(written)))

    def _row(self, cells: Sequence[TextCell], table: int, row: int) -> Sequence[tuple[TextCell, Range]]:
        made = [(cell, self._cell(cell, table, row)) for cell in cells]
        self._write("\n")
        return made

    def _cell(self, cell: TextCell, table: int, row: int) -> Range:
        place = self._at(f"table {table}, row {row}")
        paragraphs = [block for block in cell.blocks if isinstance(block, TextParagraph)]
        self.apart += [(words, place) for paragraph in paragraphs for words in paragraph.left_out]
        written = self._write("\n".join(filter(None, map(_in_cell, paragraphs))))
        self._write(" | ")
        return written


@dataclass(frozen=True)
class _TableLayout:
    """A table whose cells are written: each with its place, in rows; ``notes`` are the footnotes of its cells."""

    rows: Sequence[Sequence[tuple[TextCell, Range]]]
    extent: Range
    table: TextTable
    caption: str
    notes: Sequence[TextNote]

    def add(self, source: SourceFile, parts: _SectionParts, notes: dict[str, Range]) -> None:
        """Add the table to its section, and a paragraph for each footnote."""
        made = fill_spans([[[_spanning(source, cell, place) for cell, place in row] for row in self.rows]])
        rows = [row for row in made.rows if row and not is_blank(row)]
        blank = [row for row in made.rows if row and is_blank(row)]
        parts.notes += [*made.notes, *(Note("this table row is empty", row[0].span, "skipped") for row in blank)]
        parts.notes += list(self._inner_tables(source))
        grid = Grid(tuple(rows), self._head(rows), source.passage[slice(*self.extent)].span, self.caption)
        words = {mark: _passage(source, place) for mark, place in notes.items()}
        parts.grids.append(hang_footnotes(source, grid, words))
        parts.paragraphs += words.values()

    def _head(self, rows: Sequence[Row]) -> int:
        """How many rows the head has. Where no row is marked, it is the first row, unless the head was taken off."""
        if self.table.head_rows:
            return min(self.table.head_rows, len(rows))
        return int(len(rows) > 1 and (not self.table.is_headless or looks_like_head(rows)))

    def _inner_tables(self, source: SourceFile) -> Iterator[Note]:
        for cell, place in (entry for row in self.rows for entry in row):
            if any(isinstance(block, TextTable) for block in cell.blocks):
                yield Note(_TABLE_IN_CELL, source.span(*place), "read as a table of its own, behind this table")


def _spanning(source: SourceFile, cell: TextCell, place: Range) -> SpanningCell:
    return SpanningCell(RawCell.of(source.passage[slice(*place)]), cell.rows, cell.columns)


def _passage(source: SourceFile, place: Range) -> Passage:
    return source.passage[slice(*place)].collapsed()


def _item_list(source: SourceFile, items: Sequence[Range]) -> ItemList:
    return ItemList(tuple(_passage(source, item) for item in items))


def _nested_lists(items: Sequence[tuple[int, Range]]) -> Iterator[Sequence[Range]]:
    """The items of a list and of each list inside its items, in order; an item holds the deeper items behind it."""
    if not items:
        return
    depth = items[0][0]
    starts = [number for number, (own, _) in enumerate(items) if own <= depth] + [len(items)]
    spans = list(pairwise(starts))
    yield [(items[first][1][0], items[end - 1][1][1]) for first, end in spans]
    for first, end in spans:
        yield from _nested_lists(items[first + 1 : end])


def _without_marks(paragraph: TextParagraph) -> str:
    text = paragraph.text
    for note in paragraph.notes:
        text = text.replace(note.mark, "")
    return text


def _in_cell(paragraph: TextParagraph) -> str:
    """The words of a paragraph in a cell, with the marks of footnotes at its end.

    The number of a list item without words is the whole cell, without the point behind the number.
    """
    text = "".join([_without_marks(paragraph).strip(), *(note.mark for note in paragraph.notes)])
    if not text:
        return paragraph.label.rstrip(".):")
    return f"{paragraph.label} {text}" if paragraph.label else text


def _join_run_ons(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks in which a paragraph that runs on is one with the next paragraph."""
    waiting: TextParagraph | None = None
    for block in blocks:
        if waiting is not None and isinstance(block, TextParagraph):
            block = replace(block, text=waiting.text + block.text, left_out=waiting.left_out + block.left_out)
        elif waiting is not None:
            yield replace(waiting, runs_on=False)
        waiting = block if isinstance(block, TextParagraph) and block.runs_on else None
        if waiting is None:
            yield block
    if waiting is not None:
        yield replace(waiting, runs_on=False)


def _with_captions(blocks: Iterator[Block]) -> Iterator[tuple[Block, str]]:
    """Each block with its caption: the caption directly above a table, else the one directly below."""
    waiting = list(blocks)
    number = 0
    while number < len(waiting):
        block, after = waiting[number], waiting[number + 1 : number + 3]
        if _is_caption(block) and after and isinstance(after[0], TextTable):
            yield after[0], _caption(block)
            number += 2
        elif isinstance(block, TextTable) and after and _is_caption(after[0]) and not isinstance(after[-1], TextTable):
            yield block, _caption(after[0])
            number += 2
        else:
            yield block, ""
            number += 1


def _is_caption(block: Block) -> bool:
    return isinstance(block, TextParagraph) and block.is_caption and not block.left_out and not block.notes


def _caption(block: Block) -> str:
    return " ".join(block.text.split()) if isinstance(block, TextParagraph) else ""
