"""Documents that pandoc parses (``refgen[pandoc]``): MediaWiki, reStructuredText, Org and LaTeX.

In: the passage of a text. Out: its sections with paragraphs, lists and tables.

Pandoc's syntax tree has no places, so the words of a text are searched in the text (``word_places``). Rows that pandoc
pads and cells that pandoc drops are Faults. The span of a cell on several lines goes from the first word to the last,
with words of other columns between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from refgen.errors import ReadError
from refgen.readers.document import (
    LEFT_OUT,
    Document,
    Fault,
    Format,
    Grid,
    ItemList,
    Note,
    RawCell,
    SectionBuilder,
    position_span,
    with_new_words,
    words_read,
)
from refgen.readers.grids import SpanningCell, fill_spans, hang_footnotes
from refgen.readers.markup import stands_apart
from refgen.readers.pandoc.latex_markup import rewrite_latex
from refgen.readers.pandoc.losses import PlacedTable, lost_words, short_row, table_end, table_start, unread_words
from refgen.readers.pandoc.program import PandocError, convert, too_deep
from refgen.readers.pandoc.rewriting import RewrittenText
from refgen.readers.pandoc.syntax_tree import (
    LISTS,
    NESTED,
    blocks_of_item,
    footnotes,
    list_items,
    nested_blocks,
    settings,
    table_parts,
    title_page,
    titles,
    word_pieces,
)
from refgen.readers.pandoc.wiki_markup import rewrite_mediawiki, rewrite_org, rewrite_rst
from refgen.readers.pandoc.word_places import Locator
from refgen.source import Passage, plain_text

_TAG = re.compile(r"<[^<>]*>")
_TRANSITION = re.compile(r"(?<=\n\n)[ \t]*(?P<line>([!$%&()\[\]{}|@,;?/\\])\2{3,})[ \t]*(?=\n\s*\n)")
"""A line of signs that reStructuredText reads as a rule across the page, though nobody draws rules with them."""


_REWRITERS: Mapping[Format, Callable[[Passage], RewrittenText]] = {
    Format.LATEX: rewrite_latex,
    Format.MEDIAWIKI: rewrite_mediawiki,
    Format.RST: rewrite_rst,
    Format.ORG: rewrite_org,
}


def read_pandoc(text: Passage, document_format: Format) -> Document:
    """Read a text through pandoc. Raises ReadError when pandoc refuses it, or is not installed."""
    written = _REWRITERS[document_format](text)
    try:
        converted = convert(written.text.text.encode(), document_format, "json")
    except PandocError as error:
        raise ReadError(
            f"pandoc cannot read this as {document_format}: {error.reason}",
            span=position_span(written.text.lines(), error.line, error.column),
            hint=error.hint or 'Mend it there, or have it read as it stands with format = "plaintext".',
        ) from error
    lines = written.text.lines()
    faults = tuple(
        Fault(f"pandoc: {message.words}", position_span(lines, message.line, message.column), "Mend it there.")
        for message in converted.messages
    )
    if document_format is Format.RST:
        faults += tuple(_transitions(text))
    tree = converted.ast
    builder = _read_tree(tree, Locator(written.text, document_format, document_format is Format.RST), written)
    apart = [Note(message, _find_words(words, text).span, LEFT_OUT) for message, words in _words_apart(tree)]
    notes = (*with_new_words(apart, text, builder.sections), *builder.unread())
    return builder.document(text, faults, (*written.notes, *notes))


def _transitions(text: Passage) -> Iterator[Fault]:
    for line in _TRANSITION.finditer(text.text):
        hint = "Write it in a sentence, or with a backslash before it."
        yield Fault("this is left out, for a line of signs is drawn as a rule", text.group(line, "line").span, hint)


def _words_apart(tree: Any) -> Iterator[tuple[str, str]]:
    """A message on each text that stands apart, such as a title of a link or a setting, and its words."""
    try:
        for name, words in (*titles(tree["blocks"]), *settings(tree["meta"])):
            yield stands_apart(name), plain_text(words)
    except RecursionError as error:
        raise too_deep() from error


MOST_SEARCHED = 20
"""The most words of a title that are searched in the text."""


def _find_words(words: str, text: Passage) -> Passage:
    """The first place of words, whatever marks are between; the start of the text if there is none."""
    found = re.search(r"\W+".join(re.findall(r"\w+", words)[:MOST_SEARCHED]), text.text)
    return text.group(found) if found else text[:0]


def _read_tree(tree: Any, locator: Locator, written: RewrittenText) -> _TreeBuilder:
    """The title page and the blocks of a document."""
    builder, text, end = _TreeBuilder(locator, written), written.text, len(written.text)
    try:
        builder.read(title_page(tree["meta"]))
        locator.position = 0  # a title may stand anywhere before the text
        builder.read(tree["blocks"])
    except RecursionError as error:
        raise too_deep(text[:0].span) from error
    builder.end_section(text[builder.start : end], end)
    return builder


@dataclass
class _TreeBuilder(SectionBuilder):
    """The sections of a syntax tree, and its tables."""

    locator: Locator
    written: RewrittenText
    tables: list[PlacedTable] = field(default_factory=list)
    notes_of_cells: dict[str, Passage] = field(default_factory=dict)
    """The footnotes of the table that is read, by their marks."""

    cells_found: list[tuple[int, int]] = field(default_factory=list)
    """Where the words of the cells of that table stand."""

    def read(self, blocks: Sequence[Any]) -> None:
        for block in blocks:
            self._block(block["t"], block.get("c"))
            if block["t"] not in NESTED:
                self._footnotes(block)

    def document(self, text: Passage, faults: Sequence[Fault], notes: Iterable[Note]) -> Document:
        """The document with this text, and with some more faults and notes."""
        all_faults = (*faults, *self.faults, *self.losses())
        all_notes = (*self.notes, *self.locator.left_out, *notes)
        return Document(text.source, self.locator.format, text, tuple(self.sections), all_faults, all_notes)

    def unread(self) -> Iterator[Note]:
        """Notes on all words outside tables that pandoc left out. To be called when all words have been placed."""
        tables = [(table.start, table.end) for table in self.tables]
        return unread_words(self.locator, words_read(self.sections), tables)

    def losses(self) -> Iterator[Fault]:
        """Faults for words of tables that pandoc lost. To be called when all words have been placed."""
        found = sorted(self.locator.found)
        for table in self.tables:
            yield from lost_words(self.locator, found, table)

    def _block(self, kind: str, content: Any) -> None:
        if kind == "Header":
            self._heading(content)
        elif kind == "Table":
            self.grids.append(self._grid(content))
        elif kind in LISTS:
            self._list(kind, content)
        elif kind in NESTED:
            self.read(nested_blocks(kind, content))
        elif kind == "RawBlock" and content[0] == "html":
            self._raw_html(content[1])
        else:
            self._paragraph(word_pieces([{"t": kind, "c": content}]))

    def _raw_html(self, html: str) -> None:
        """A fault for raw HTML with words."""
        place = self.locator.place(_TAG.sub(" ", html).split())
        if place.text:
            self.faults.append(Fault("this HTML is left out", place.span, "Write it as the rest of the document is."))

    def _paragraph(self, words: Sequence[str], *, stay: bool = False) -> None:
        if words:
            self.paragraphs.append(self.locator.place(words, stay=stay))

    def _footnotes(self, block: Any) -> None:
        """Add the footnotes of a block as paragraphs after the block, wherever the source has the footnotes."""
        for footnote in footnotes(block):
            self._paragraph(word_pieces(footnote), stay=True)

    def _heading(self, content: Any) -> None:
        level, _, inlines = content
        words = word_pieces([{"t": "Plain", "c": inlines}])
        before = len(self.locator.found)
        title = self.locator.place(words)
        found = self.locator.found[before:]
        start = found[0][0] if found else self.locator.position
        self.end_section(self.locator.text[self.start : start], start)
        self.title, self.level = plain_text(title.text), level

    def _list(self, kind: str, content: Any) -> None:
        """Add a list, then the lists and tables inside its items, which are part of the items as well."""
        start = self.locator.position
        numbers = list_items(kind, content)
        if items := tuple(self._item(number, blocks) for number, blocks in numbers):
            self.lists.append(ItemList(items))
        end, self.locator.position = self.locator.position, start
        for inner in (block for _, blocks in numbers for block in blocks_of_item(blocks)):
            self._block(inner["t"], inner["c"])  # ``read`` adds the footnotes of the whole list
        self.locator.position = max(end, self.locator.position)

    def _item(self, number: str, blocks: Sequence[Any]) -> Passage:
        item = self.locator.place(word_pieces(blocks))
        return Passage.joined([item[:0].replaced(number), item]) if number else item

    def _grid(self, content: Any) -> Grid:
        parts = table_parts(content)
        not_found = len(self.locator.not_found)
        self.notes_of_cells, self.cells_found = {}, []
        made = fill_spans([[self._row(row, parts.width) for row in group] for group in parts.groups])
        self.faults.extend(made.faults)
        self.notes.extend(made.notes)
        table = self._extent(self.cells_found, self.locator.not_found[not_found:])
        head = self.written.head_rows(table.start, parts.head_rows)
        grid = Grid(
            tuple(row for row in made.rows if row),
            sum(1 for row in made.rows[:head] if row),
            self.locator.text[table.start : table.end].span,
            parts.caption,
            parts.id,
        )
        self.paragraphs += self.notes_of_cells.values()
        return hang_footnotes(self.locator.text.source, grid, self.notes_of_cells)

    def _row(self, row: Sequence[Any], width: int) -> list[SpanningCell]:
        before = len(self.cells_found)
        made = [SpanningCell(self._cell(blocks), rows, columns) for _, _, rows, columns, blocks in row]
        found = self.cells_found[before:]
        if found:
            self._check_short(made, found[0][0], width)
            self.locator.position = max(self.locator.position, *(end for _, end in found))  # cells stand side by side
        return made

    def _cell(self, blocks: Sequence[Any]) -> RawCell:
        """A cell with the marks of its footnotes at its end; equal footnotes have the same mark."""
        before = len(self.locator.found)
        cell = RawCell.of(self.locator.place(word_pieces(blocks), cell=True))
        self.cells_found += self.locator.found[before:]
        marks = ""
        for footnote in filter(word_pieces, footnotes(blocks)):
            words = self.locator.place(word_pieces(footnote), stay=True)
            known = (mark for mark, note in self.notes_of_cells.items() if note.text == words.text)
            mark = next(known, f"[^{len(self.notes_of_cells) + 1}]")
            self.notes_of_cells.setdefault(mark, words)
            marks += mark
        return replace(cell, text=cell.text + marks)

    def _check_short(self, row: Sequence[SpanningCell], place: int, width: int) -> None:
        """Add a fault for a short row. LaTeX has a blank cell under a cell that spans rows; other formats have none."""
        cells = width - sum(cell.columns - 1 for cell in row) if self.locator.format is Format.LATEX else len(row)
        text, searched = self.locator.text, self.locator.searched
        self.faults.extend(short_row(text, searched, self.locator.format, place, cells))

    def _extent(self, found: Sequence[tuple[int, int]], not_found: Sequence[str]) -> PlacedTable:
        """The place of a table, whose words are checked for losses; ``not_found`` stand there in another spelling."""
        text, position = self.locator.text, self.locator.position
        if not found:
            return PlacedTable(position, position)
        start = table_start(text, self.locator.format, min(start for start, _ in found))
        end = table_end(text, self.locator.format, max(end for _, end in found))
        self.tables.append(PlacedTable(start, end, tuple(not_found)))
        return self.tables[-1]
