"""The page breaks of a booklet, by estimated heights.

In: a booklet. Out: its pages, with all page numbers. A table that does not fit is continued on the next page, under its
title and head; no title stands without rows, and no row stands alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from refgen.aids.booklet.model import Booklet, BookletTable, Chapter, LinkedText
from refgen.aids.booklet.pages import (
    CHAPTER_ABOVE,
    CHAPTER_BELOW,
    CHAPTER_GAP,
    CHAPTER_SIZE,
    GAP,
    HEIGHT,
    LINE,
    SIZE,
    WIDTH,
    BookletPage,
    ContentsLine,
    ContentsLines,
    Cover,
    Heading,
    Item,
    PlacedItem,
    SetTable,
    TableNote,
    TableTitle,
    set_table,
)
from refgen.blocks.measure import ON_PANELS, measure_note, measure_title
from refgen.errors import RenderError
from refgen.game import SystemInfo
from refgen.layout import lengths
from refgen.layout.engine import PartBoxes
from refgen.layout.lengths import PIXEL, TITLE
from refgen.layout.metrics import Face
from refgen.layout.sizing import breakable_text
from refgen.words import COMPUTED, Words

FEWEST_ROWS = 3
"""The fewest rows of a table on a page, if the table has as many."""

EMPTY_SHARE = 0.3
"""A table that fits on a page of its own is broken where moving the table would leave this share of a page empty."""

LONGEST_QUOTED = 60
"""An error message quotes at most so many letters of a title."""

LONGEST_NUMBER = 888
"""A placeholder for page numbers that are not known yet: as wide as any page number."""


@dataclass(slots=True)
class _Flow:
    """Pages of ``height`` points that are filled one after the other: ``room`` is the height left on the last page.

    The running head of a page is the ``chapter`` at its beginning.
    """

    height: float
    chapter: str = ""
    pages: list[list[PlacedItem]] = field(default_factory=list)
    chapters: list[str] = field(default_factory=list)
    room: float = 0.0

    @property
    def is_at_top(self) -> bool:
        return not self.pages or not self.pages[-1]

    def turn(self) -> None:
        """Begin a page."""
        self.pages.append([])
        self.chapters.append(self.chapter)
        self.room = self.height

    def put(self, item: Item, height: float, above: float = 0.0) -> None:
        """Put an item of a ``height`` on the page, ``above`` points below the item before it."""
        above = 0.0 if self.is_at_top else above
        self.pages[-1].append(PlacedItem(item, round(above, 2)))
        self.room -= height + above


@dataclass
class BookletPlanner:
    """Plans the pages of a booklet; ``height`` is the assumed height of the text area in points."""

    system: SystemInfo
    booklet: Booklet
    height: float = HEIGHT

    @cached_property
    def _set_tables(self) -> Mapping[str, list[SetTable]]:
        """The parts of each table, by the anchor of the table."""
        tables = (table for chapter in self.booklet.chapters for table in chapter.tables)
        return {table.anchor: set_table(table.block) for table in tables}

    def sheets(self) -> Sequence[tuple[BookletPage]]:
        """All pages, each on a sheet of paper of its own."""
        return [(page,) for page in self.pages()]

    def learn(self, too_full: Sequence[BookletPage], measured: Mapping[int, PartBoxes]) -> None:
        """Assume that pages have less room, by as much as the fullest page overflowed."""
        self.height -= max(measured[page.number].overflow for page in too_full) * PIXEL + 1

    def error(self, name: str, fullest: BookletPage) -> RenderError:
        """The error for a page that was too full in every layout."""
        hint = "Shorten its longest words and texts."
        return RenderError(f"{name}: {_excerpt(fullest)} fits no page of a booklet", hint=hint)

    def pages(self) -> Sequence[BookletPage]:
        """All pages: the cover, the contents and the chapters."""
        flow = _Flow(self.height)
        for chapter in self.booklet.chapters:
            self._put_chapter(flow, chapter)
        before = 1 + len(self._contents({}))
        numbers = {
            placed.item.anchor: number
            for number, page in enumerate(flow.pages, start=before + 1)
            for placed in page
            if isinstance(placed.item, Heading | TableTitle) and placed.item.anchor
        }
        front = [(PlacedItem(Cover(self._cover())),), *self._contents(numbers)]
        contents = self.system.words("contents")
        names = ["", *(contents for _ in front[1:]), *flow.chapters]
        pages = [*front, *(tuple(_with_page_numbers(placed, numbers) for placed in page) for page in flow.pages)]
        return [
            BookletPage(number, chapter, items)
            for number, (chapter, items) in enumerate(zip(names, pages, strict=True))
        ]

    def _cover(self) -> tuple[str, ...]:
        about = [self.system.about] if self.system.about else []
        rounding = [self.system.rounding] if self.booklet.is_computed else []
        return *about, *self.booklet.about, f"{self.system.source}.", *rounding

    def _contents(self, numbers: Mapping[str, int]) -> list[tuple[PlacedItem, ...]]:
        """The pages of the table of contents; how many there are does not depend on the page ``numbers``."""
        flow = _Flow(self.height)
        lines: list[ContentsLine] = []
        flow.turn()
        title = self.system.words("contents")
        flow.put(Heading(title, "contents"), _heading_height(title))
        for line in self._contents_lines(numbers):
            height = _contents_line_height(line)
            if height > flow.room:
                flow.put(ContentsLines(tuple(lines)), 0)
                lines = []
                flow.turn()
            lines.append(line)
            flow.room -= height
        flow.put(ContentsLines(tuple(lines)), 0)
        return [tuple(page) for page in flow.pages]

    def _contents_lines(self, numbers: Mapping[str, int]) -> Iterator[ContentsLine]:
        """A line for each chapter and each table; a page whose number is not known yet has the placeholder."""
        for chapter in self.booklet.chapters:
            yield ContentsLine(
                chapter.title, chapter.anchor, numbers.get(chapter.anchor, LONGEST_NUMBER), is_chapter=True
            )
            for table in chapter.tables:
                page = numbers.get(table.anchor, LONGEST_NUMBER)
                yield ContentsLine(table.block.title, table.anchor, page, is_chapter=False)

    def _put_chapter(self, flow: _Flow, chapter: Chapter) -> None:
        """Put a chapter on this page, if the first table can begin here too, and on further pages."""
        flow.chapter = chapter.title
        heading, first = _heading_height(chapter.title), chapter.tables[0]
        opening = CHAPTER_GAP + heading + _title_height(first.block.title, first.block.tag)
        opening += _opening_height(self._set_tables[first.anchor][0], _notes(first, self.system.words))
        if not flow.pages or flow.room < opening:
            flow.turn()
        flow.put(Heading(chapter.title, chapter.anchor), heading, CHAPTER_GAP)
        for number, table in enumerate(chapter.tables):
            self._put_table(flow, table, above=GAP if number else 0.0)

    def _put_table(self, flow: _Flow, table: BookletTable, above: float) -> None:
        """Put all parts of a table on this page and further pages, and the notes under the last part."""
        block, words = table.block, self.system.words
        notes = _notes(table, words)
        title = TableTitle(block.title, table.anchor, block.tag, words("table-continued", title=block.title))
        *others, last = self._set_tables[table.anchor]
        for part in others:
            self._put_part(flow, part, title, 0.0, above)
            title, above = replace(title, anchor=""), GAP
        self._put_part(flow, last, title, sum(map(_note_height, notes)), above)
        for note in notes:
            height = _note_height(note)
            if height > flow.room:
                flow.turn()
            flow.put(note, height)

    def _put_part(self, flow: _Flow, part: SetTable, title: TableTitle, tail: float, above: float) -> None:
        """Put a table, or some columns of a table, on this page and as many further pages as the rows need.

        ``tail`` is the height of the notes that stand with the last row.
        """
        start = 0
        while start < len(part.rows) or start == 0:
            opening = above + _title_height(title.words, title.tag) + part.head
            room = flow.room - opening
            stop = _break_row(part, start, room, tail)
            whole = sum(part.rows[start:]) + tail
            alone = whole + opening <= self.height
            is_left = stop < len(part.rows) and not flow.is_at_top
            is_poor = stop - start < FEWEST_ROWS or part.whole or (alone and flow.room < EMPTY_SHARE * self.height)
            if is_left and is_poor and not isinstance(flow.pages[-1][-1].item, Heading):
                flow.turn()
                continue
            stop = max(stop, start + 1)
            flow.put(title, _title_height(title.words, title.tag), above)
            flow.put(part.slice(start, stop), part.head + sum(part.rows[start:stop]))
            start, title = stop, replace(title, anchor="")
            if start < len(part.rows):
                flow.turn()


def _excerpt(page: BookletPage) -> str:
    """The name of a page in an error message: the first title, or the chapter."""
    titles = (placed.item.text for placed in page.items if isinstance(placed.item, TableTitle | Heading))
    title = next(titles, page.chapter)
    if not title:
        return "the text of the cover"
    return f'"{title}"' if len(title) <= LONGEST_QUOTED else f'"{title[:LONGEST_QUOTED]}…"'


def _break_row(part: SetTable, start: int, room: float, tail: float) -> int:
    """The row before which a table is broken: notes stay with the last row, no row stands alone on the next page."""
    stop, count = start, len(part.rows)
    while stop < count and part.rows[stop] <= room:
        room -= part.rows[stop]
        stop += 1
    if (stop == count and tail > room) or stop == count - 1:
        return max(count - 2, start) if count - start > FEWEST_ROWS else start
    return stop


def _opening_height(part: SetTable, notes: Sequence[TableNote]) -> float:
    """The least height, in points, that a table needs to begin on a page, without its title."""
    if part.whole or len(part.rows) <= FEWEST_ROWS:
        return part.head + sum(part.rows) + sum(map(_note_height, notes))
    return part.head + sum(part.rows[:FEWEST_ROWS])


def _heading_height(text: str) -> float:
    lines = breakable_text(text, Face.SERIF).lines(WIDTH / CHAPTER_SIZE)
    return lines * TITLE.line_height * CHAPTER_SIZE + CHAPTER_BELOW


def _title_height(text: str, tag: str) -> float:
    marked = f"{text}\u00a0{COMPUTED}" if tag else text
    return measure_title(marked).height(WIDTH, SIZE) + TITLE.size(SIZE) * lengths.TITLE_MARGIN


def _note_height(note: TableNote) -> float:
    text = f"{note.sign} {note.text}".strip()
    return measure_note(text, ON_PANELS, above=lengths.NOTE_MARGIN).height(WIDTH, SIZE)


def _contents_line_height(line: ContentsLine) -> float:
    """The height of a line of the contents in points; long titles break."""
    face = Face.SEMIBOLD if line.is_chapter else Face.REGULAR
    indent = 0.0 if line.is_chapter else lengths.STEP_INDENT
    room = (
        WIDTH / SIZE - 4 * lengths.CELL_PADDING_INLINE - indent - breakable_text(str(LONGEST_NUMBER), face).max_content
    )
    lines = breakable_text(line.title, face).lines(room)
    return (lines * LINE + CHAPTER_ABOVE * line.is_chapter) * SIZE


def _notes(table: BookletTable, words: Words) -> list[TableNote]:
    """The lines under a table: notes, place in the document, sources of a computed table, findings, footnotes."""
    notes = [TableNote((LinkedText(text),)) for text in table.notes]
    if table.place:
        notes.append(TableNote((LinkedText(words("stands-at-place", place=table.place)),)))
    if table.follows_from:
        notes.append(TableNote(tuple(_reference_text("follows-from-tables", table.follows_from, words))))
    if table.differs:
        notes.append(TableNote(tuple(_reference_text("differs-see", table.differs, words))))
    notes += [TableNote((LinkedText(note.text),), note.sign) for note in table.block.footnotes]
    return notes


def _reference_text(name: str, references: Sequence[LinkedText], words: Words) -> Iterator[LinkedText]:
    """A text with references at {references}, whose page numbers are placeholders."""
    begin, end = words(name, references="\n").split("\n")
    yield LinkedText(begin)
    for number, reference in enumerate(references):
        yield LinkedText(words("title-and-page", title=reference.text, page=LONGEST_NUMBER), reference.anchor)
        yield LinkedText("; " if number < len(references) - 1 else end)


def _with_page_numbers(placed: PlacedItem, numbers: Mapping[str, int]) -> PlacedItem:
    """An item with page numbers in place of the placeholders of its references."""
    if not isinstance(placed.item, TableNote):
        return placed
    words = tuple(
        replace(part, text=str(numbers[part.anchor]).join(part.text.rsplit(str(LONGEST_NUMBER), 1)))
        if part.anchor
        else part
        for part in placed.item.words
    )
    return replace(placed, item=replace(placed.item, words=words))
