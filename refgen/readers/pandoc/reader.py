"""Documents that pandoc parses (``refgen[pandoc]``): docx, odt, MediaWiki, reStructuredText, Org and LaTeX.

In: the passage of a text, or the bytes of a word processor's file. Out: its sections with paragraphs, lists and tables.

Pandoc's syntax tree has no places, so the words of a text are searched in the text (``word_places``). Rows that pandoc
pads and cells that pandoc drops are Faults. The source of a docx or odt file is its plain-text rendering by pandoc, and
spans point into the rendering. The span of a cell on several lines goes from the first word to the last, with
words of other columns between.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from refgen.errors import ReadError
from refgen.readers.document import (
    BINARY,
    Document,
    Fault,
    Format,
    Grid,
    ItemList,
    RawCell,
    SectionBuilder,
    position_span,
)
from refgen.readers.grids import SpanningCell, fill_spans
from refgen.readers.pandoc.syntax_tree import (
    LISTS,
    NESTED,
    PandocError,
    PandocOutput,
    blocks_of_item,
    convert,
    footnotes,
    list_items,
    table_parts,
    without_widths,
    word_pieces,
)
from refgen.readers.pandoc.word_places import Locator, lost_words, short_row, table_end
from refgen.source import Passage, SourceFile, plain
from refgen.span import Span

_TAG = re.compile(r"<[^<>]*>")
_TRANSITION = re.compile(r"(?<=\n\n)[ \t]*(?P<line>([!$%&()\[\]{}|@,;?/\\])\2{3,})[ \t]*(?=\n\s*\n)")
"""A line of signs that reStructuredText reads as a rule across the page, though nobody draws rules with them."""


def read_pandoc(text: Passage, document_format: Format) -> Document:
    """Read a text through pandoc. Raises ReadError when pandoc refuses it, or is not installed."""
    try:
        converted = convert(text.text.encode(), document_format, "json")
    except PandocError as error:
        raise ReadError(
            f"pandoc cannot read this as {document_format}: {error.reason}",
            span=position_span(text, error.line, error.column),
            hint=error.hint or 'Mend it there, or have it read as it stands with format = "plaintext".',
        ) from error
    faults = tuple(
        Fault(f"pandoc: {message.words}", position_span(text, message.line, message.column), "Mend it there.")
        for message in converted.messages
    )
    if document_format is Format.RST:
        faults += tuple(_transitions(text))
    return _document(converted, Locator(text, document_format, document_format is Format.RST), faults)


def _transitions(text: Passage) -> Iterator[Fault]:
    for line in _TRANSITION.finditer(text.text):
        hint = "Write it in a sentence, or with a backslash before it."
        yield Fault("this is left out, for a line of signs is drawn as a rule", text.group(line, "line").span, hint)


def read_binary(raw: bytes, name: str, document_format: Format) -> Document:
    """Read a word processor's file. Spans point into the plain-text rendering of the file."""
    try:
        converted = convert(raw, document_format, "json")
        ast = json.dumps(without_widths(converted.ast)).encode()
        rendered = convert(ast, "json", "plain").text
    except PandocError as error:
        hint = error.hint or "Open it in a word processor and save it again."
        raise ReadError(f"{name}: pandoc cannot read this as {document_format}: {error.reason}", hint=hint) from error
    except RecursionError as error:
        raise _too_deep(None) from error
    return _document(converted, Locator(SourceFile(name, rendered).passage, document_format, True), ())


def _document(converted: PandocOutput, locator: Locator, faults: tuple[Fault, ...]) -> Document:
    builder, text = _TreeBuilder(locator), locator.text
    try:
        builder.read(converted.ast["blocks"])
    except RecursionError as error:
        raise _too_deep(text[:0].span) from error
    builder.end_section(text[builder.start :], len(text))
    sections = tuple(builder.sections)
    all_faults = (*faults, *builder.faults, *builder.losses())
    return Document(text.source, locator.format, text, sections, all_faults, tuple(builder.notes))


def _too_deep(span: Span | None) -> ReadError:
    return ReadError("the document nests too deep", span=span, hint="Take quotes and lists out of each other.")


@dataclass
class _TreeBuilder(SectionBuilder):
    """The sections of a syntax tree; ``tables`` are where the tables stand whose words all have been found."""

    locator: Locator
    tables: list[tuple[int, int]] = field(default_factory=list)

    def read(self, blocks: Sequence[Any]) -> None:
        for block in blocks:
            self._block(block["t"], block.get("c"))
            if block["t"] not in NESTED:
                self._footnotes(block)

    def losses(self) -> Iterator[Fault]:
        """Faults for words of tables that pandoc lost. To be called when all words have been placed."""
        for start, end in self.tables:
            yield from lost_words(self.locator.text, self.locator.searched, self.locator.found, start, end)

    def _block(self, kind: str, content: Any) -> None:
        if kind == "Header":
            self._heading(content)
        elif kind == "Table":
            self.grids.append(self._grid(content))
        elif kind in LISTS:
            self._list(kind, content)
        elif kind == "DefinitionList":
            for term, definitions in content:
                self._paragraph(word_pieces([{"t": "Plain", "c": term}]))
                self.read([block for blocks in definitions for block in blocks])
        elif kind in NESTED:
            self.read(content if kind == "BlockQuote" else content[-1])
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
        self.title, self.level = plain(title.text), level

    def _list(self, kind: str, content: Any) -> None:
        """Add a list, then the lists and tables inside its items, which are part of the items as well."""
        start = self.locator.position
        numbers = list_items(kind, content)
        made = ItemList(tuple(self._item(number, blocks) for number, blocks in numbers))
        self.lists.append(made)
        end, self.locator.position = self.locator.position, start
        self.read([block for _, blocks in numbers for block in blocks_of_item(blocks)])
        self.locator.position = max(end, self.locator.position)

    def _item(self, number: str, blocks: Sequence[Any]) -> Passage:
        item = self.locator.place(word_pieces(blocks))
        return Passage.joined([item[:0].replaced(number), item]) if number else item

    def _grid(self, content: Any) -> Grid:
        parts = table_parts(content)
        before, not_found = len(self.locator.found), self.locator.not_found
        made = fill_spans([[self._row(row, parts.width) for row in group] for group in parts.groups])
        self.faults.extend(made.faults)
        self.notes.extend(made.notes)
        span = self._extent(self.locator.found[before:], complete=self.locator.not_found == not_found)
        head = sum(1 for row in made.rows[: parts.head_rows] if row)
        return Grid(tuple(row for row in made.rows if row), head, span, parts.caption, parts.id)

    def _row(self, row: Sequence[Any], width: int) -> list[SpanningCell]:
        before = len(self.locator.found)
        made = [
            SpanningCell(RawCell.of(self.locator.place(word_pieces(blocks), cell=True)), rows, columns)
            for _, _, rows, columns, blocks in row
        ]
        found = self.locator.found[before:]
        if found:
            self._check_short(made, found[0][0], width)
            self.locator.end_row(max(end for _, end in found))
        return made

    def _check_short(self, row: Sequence[SpanningCell], place: int, width: int) -> None:
        """Add a fault for a short row. LaTeX has a blank cell under a cell that spans rows; other formats have none."""
        cells = width - sum(cell.columns - 1 for cell in row) if self.locator.format is Format.LATEX else len(row)
        text, searched = self.locator.text, self.locator.searched
        self.faults.extend(short_row(text, searched, self.locator.format, place, cells))

    def _extent(self, found: Sequence[tuple[int, int]], *, complete: bool) -> Span:
        """The place of a table. Its words are checked for losses if each cell was found (``complete``)."""
        text = self.locator.text
        if not found:
            return text[self.locator.position : self.locator.position].span
        start = min(start for start, _ in found)
        end = table_end(text, self.locator.format, max(end for _, end in found))
        if complete and self.locator.format not in BINARY:
            self.tables.append((start, end))
        return text[start:end].span
