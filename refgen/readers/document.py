"""The common form of rule documents, whatever their format.

A ``Document`` is a flat list of sections in the order of the document. A section holds its own text only
(up to the next heading of any level): paragraphs, lists, and grids. Nothing here knows any rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from html import unescape

from refgen.catalog import counted
from refgen.source import Lines, Passage, SourceFile, plain_text
from refgen.span import Span


class Format(StrEnum):
    """The format of a rule document."""

    MARKDOWN = "markdown"
    DOCBOOK = "docbook"
    PLAINTEXT = "plaintext"
    FLATTENED = "flattened"
    HTML = "html"
    CSV = "csv"
    TSV = "tsv"
    DOCX = "docx"
    ODT = "odt"
    MEDIAWIKI = "mediawiki"
    RST = "rst"
    ORG = "org"
    LATEX = "latex"


BINARY = frozenset({Format.DOCX, Format.ODT})
"""The formats of binary files."""


# fmt: off
INLINE_TAGS = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "img", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub",
    "sup", "time", "tt", "u", "var", "wbr",
}
# fmt: on
"""The elements of HTML that stand within a line of text, also in Markdown."""


@dataclass(frozen=True, slots=True)
class RawCell:
    """A cell as printed: ``text`` with its white space collapsed, "" when blank."""

    text: str
    span: Span

    @classmethod
    def of(cls, passage: Passage) -> RawCell:
        """The cell that a passage holds, its span without surrounding blanks."""
        return cls(plain_text(passage.text), passage.strip().span)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as printed. ``header_rows`` of the ``rows`` are its head.

    ``notes`` are the footnotes of its cells, each after the words of the cell with the mark. Rows may have different
    lengths in plain text, whose columns are parted by blanks, and in CSV and TSV.
    """

    rows: tuple[tuple[RawCell, ...], ...]
    header_rows: int
    span: Span
    caption: str = ""
    id: str = ""
    notes: tuple[RawCell, ...] = ()

    def __repr__(self) -> str:
        columns = max(map(len, self.rows), default=0)
        return f"<Grid {self.span}: {counted(len(self.body), 'row')}, {counted(columns, 'column')}>"

    @property
    def header(self) -> tuple[str, ...]:
        """The words over each column, joined from top to bottom where the head has several rows."""
        return joined_heads(self.rows[: self.header_rows])

    @property
    def body(self) -> tuple[tuple[RawCell, ...], ...]:
        """The rows under the head."""
        return self.rows[self.header_rows :]


def joined_heads(rows: Sequence[Sequence[RawCell]]) -> tuple[str, ...]:
    """The words over each column, joined from top to bottom; a cell that spans several rows counts once."""
    columns = zip(*rows, strict=False)
    return tuple(plain_text(" ".join(cell.text for cell in dict.fromkeys(column))) for column in columns)


@dataclass(frozen=True, slots=True)
class ItemList:
    """A list: one passage an item, white space collapsed. Numbered items keep their number: it is data."""

    items: tuple[Passage, ...]

    @property
    def span(self) -> Span:
        """The printed place of the list, from the first item to the last."""
        return self.items[0].source.span(self.items[0].origins[0], self.items[-1].origins[-1])


class Inline(StrEnum):
    """The kind of an inline mark: emphasis or a link."""

    EMPHASIS = "em"
    STRONG = "strong"
    LINK = "a"


@dataclass(frozen=True, slots=True)
class InlineMark:
    """The place of words that stand out or are a link; ``address`` is the address of the link as written."""

    kind: Inline
    span: Span
    address: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the text under it; the text before the first heading has ``level`` 0 and no title.

    ``blocks`` are stretches of raw text that may hold a table without markup, such as the lines between two blank
    lines, or the text between [TABLE] and [END TABLE]. ``id`` is the target of links inside the document.
    """

    title: str
    level: int
    text: Passage
    paragraphs: tuple[Passage, ...] = ()
    lists: tuple[ItemList, ...] = ()
    grids: tuple[Grid, ...] = ()
    blocks: tuple[Passage, ...] = ()
    id: str = ""

    @property
    def wording(self) -> Iterator[str]:
        """The words of the section, with its markup; some stand there twice."""
        yield self.text.text
        yield from self.words_read

    @property
    def words_read(self) -> Iterator[str]:
        """The words of the section without its title, as they are read; some stand there twice."""
        yield from (text.text for text in (*self.paragraphs, *self.blocks))
        yield from (item.text for block in self.lists for item in block.items)
        yield from (cell.text for grid in self.grids for row in grid.rows for cell in row)

    @property
    def title_key(self) -> str:
        """The title as titles are compared: without case, runs of blanks as one."""
        return plain_text(self.title).casefold()


@dataclass(frozen=True, slots=True)
class Fault:
    """A place where the format mends the document in silence, such as a dropped cell or a padded row.

    The document is read as its format says, but a table that is used must have no faults. ``is_doubtful``: an author
    may have meant otherwise, unlike with words that are no rules.
    """

    message: str
    span: Span
    hint: str
    is_doubtful: bool = True


@dataclass(frozen=True, slots=True)
class Note:
    """An oddity, such as an empty row, and how it was read. A table may have any number of notes.

    ``is_doubtful``: an author may have meant otherwise, as where a row lacks a cell, or rules may be left out.
    """

    message: str
    span: Span
    reading: str
    is_doubtful: bool = False


LEFT_OUT = "left out"
"""The reading of a Note about a place with words that are no part of the rules."""

STRUCK, HIDDEN = "this is struck out", "this is hidden"
"""The messages of Notes on words that their author took out, and on words that no reader of the document sees."""


_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> set[str]:
    """The words of a text in small letters, without signs."""
    return set(_WORD.findall(text.casefold()))


def words_read(sections: Iterable[Section]) -> set[str]:
    """The words of sections, of their titles and captions."""
    texts = ((section.title, *(grid.caption for grid in section.grids), *section.words_read) for section in sections)
    return {word for some in texts for text in some for word in words_of(text)}


def with_new_words(notes: Sequence[Note], text: Passage, sections: Iterable[Section]) -> Iterator[Note]:
    """Of notes on words that stand apart from the text, those at a word that the sections do not have as well."""
    known = words_read(sections) if notes else set()
    printed = text.source.text
    return (note for note in notes if not words_of(unescape(printed[note.span.start : note.span.end])) <= known)


@dataclass(frozen=True)
class Document:
    """A rule document as read. ``others`` are the further files of a game whose rules stand in several files.

    ``marks`` are the words that stand out, and the links; formats that pandoc parses have none. ``entity_letters``
    count what the entities of its XML stand for, each as often as it is named.
    """

    source: SourceFile
    format: Format
    text: Passage
    sections: tuple[Section, ...]
    faults: tuple[Fault, ...] = ()
    notes: tuple[Note, ...] = ()
    others: tuple[SourceFile, ...] = ()
    marks: tuple[InlineMark, ...] = field(default=(), repr=False)
    entity_letters: int = 0

    def __repr__(self) -> str:
        held = f"{counted(len(self.sections), 'section')}, {counted(len(self.tables), 'table')}"
        return f"<Document {self.name}: {self.format}, {held}>"

    @property
    def name(self) -> str:
        """The name of its file; of several files, the first name and the number of further files."""
        return f"{self.source.name} and {len(self.others)} more" if self.others else self.source.name

    def printed(self, span: Span) -> str:
        """The text at a place in a file of the document."""
        return self._texts[span.file][span.start : span.end]

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        return {source.name: source.text for source in (self.source, *self.others)}

    @property
    def wording(self) -> str:
        """All words of the document; some stand there twice."""
        return "\n".join(text for section in self.sections for text in section.wording)

    @property
    def tables(self) -> tuple[Grid, ...]:
        """Every table of the document as it is printed, in order."""
        return tuple(grid for section in self.sections for grid in section.grids)

    @property
    def left_out(self) -> tuple[Span, ...]:
        """The places of words that are no part of the rules, such as the navigation of a page."""
        return tuple(note.span for note in self.notes if note.reading == LEFT_OUT)

    def left_out_by_kind(self) -> Iterator[Fault]:
        """A fault for each kind of words that are no part of the rules, at the first place."""
        kinds: dict[tuple[str, bool], list[Span]] = {}
        for note in self.notes:
            if note.reading == LEFT_OUT:
                kinds.setdefault((note.message, note.is_doubtful), []).append(note.span)
        for (message, is_doubtful), (first, *more) in kinds.items():
            also = f", as at {len(more)} further places" if more else ""
            yield Fault(message, first, f"It is left out{also}.", is_doubtful)

    def titled(self, title: str) -> list[Section]:
        """The sections under a heading, compared without case and surrounding blanks."""
        return self._by_title.get(plain_text(title).casefold(), [])

    @cached_property
    def _by_title(self) -> Mapping[str, list[Section]]:
        found: dict[str, list[Section]] = {}
        for section in self.sections:
            found.setdefault(section.title_key, []).append(section)
        return found


@dataclass(kw_only=True)
class SectionBuilder:
    """The parts of the section that a reader is at, the finished sections before, and the faults and notes of all.

    ``start`` is where the text of the section begins: an offset, or the number of a line.
    """

    sections: list[Section] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    title: str = ""
    level: int = 0
    id: str = ""
    start: int = 0
    paragraphs: list[Passage] = field(default_factory=list)
    lists: list[ItemList] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)

    def end_section(self, text: Passage, end: int, *, keep: bool = False) -> None:
        """Finish the section, which has this text; the next section starts at ``end``.

        A section without heading and blocks is no section, unless it is to be kept.
        """
        if self.level or self.paragraphs or self.lists or self.grids or keep:
            blocks = tuple(self.paragraphs), tuple(self.lists), tuple(self.grids)
            self.sections.append(Section(self.title, self.level, text, *blocks, id=self.id))
        self.paragraphs, self.lists, self.grids, self.start = [], [], [], end


def position_span(lines: Lines, line: int, column: int) -> Span:
    """The place of a line and column (each from 1) that a parser names, as far as the lines of the text have them."""
    row = lines[min(max(line, 1), len(lines)) - 1] if len(lines) else lines.text
    return row[max(column - 1, 0) :].span


def join_documents(documents: Sequence[Document]) -> Document:
    """Several documents as one document, whose places name their files."""
    first, *others = documents
    if not others:
        return first
    return replace(
        first,
        sections=tuple(section for document in documents for section in document.sections),
        faults=tuple(fault for document in documents for fault in document.faults),
        notes=tuple(note for document in documents for note in document.notes),
        others=tuple(document.source for document in others),
        marks=tuple(mark for document in documents for mark in document.marks),
    )
