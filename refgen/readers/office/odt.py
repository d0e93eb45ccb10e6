"""OpenDocument texts (odt, ISO/IEC 26300): the blocks of the text of a file.

In: the bytes of a file. Out: a Document. Fields, drop-down lists and content controls are read as they are shown.
Deleted, struck and hidden words are left out, with a note each; text boxes and tables in cells are read behind their
paragraph or table. Text that no function here reads is left out with a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.readers.document import HIDDEN, STRUCK, Document, Format
from refgen.readers.markup import stands_apart
from refgen.readers.office.archive import Archive, attribute, child, children, local, number
from refgen.readers.office.document import make_document
from refgen.readers.office.flow import (
    Block,
    LeftOut,
    TextBox,
    TextCell,
    TextNote,
    TextParagraph,
    TextTable,
    WordRuns,
    words_in,
)
from refgen.readers.office.numbering import ListCounter
from refgen.readers.office.odt_styles import OdtStyles
from refgen.readers.word_settings import Setting
from refgen.source import plain_text

_AROUND = {
    "section",
    "index-body",
    "meta",
    "list-header",
    "list-item",
    "table-header-rows",
    "table-row-group",
    "table-rows",
}
_CONTENTS = {"table-of-content", "illustration-index", "table-index", "alphabetical-index", "bibliography"}
_DRAWINGS = {"frame", "custom-shape", "rect", "g", "control"}
_BLANKS = {"s", "tab", "line-break"}
_APART = {
    "annotation": "this remark is left out",
    "ruby-text": "this is set small beside a word",
    "script": "this is meant for programs alone",
}
"""The elements in a paragraph whose words are no part of the text, and why."""

_OF_PICTURES = {"title": stands_apart("title"), "desc": stands_apart("desc")}
"""The elements in a drawing that stand for the drawing."""

_NO_WORDS = {"note-citation", "tracked-changes", "sequence-decls", "variable-decls", "user-field-decls", "forms"}
_HIDDEN_FIELDS = {"hidden-text", "hidden-paragraph"}


def read_odt(raw: bytes, name: str) -> Document:
    """Read an odt file. Raises ReadError for a file that is damaged, too large or nests too deep."""
    archive = Archive(raw, name, Format.ODT)
    content, styles = archive.root("content.xml"), archive.root("styles.xml")
    text = child(content, "body", "text")
    if text is None:
        raise archive.damaged()
    reader = _OdtReader(archive, OdtStyles((content, styles)))
    blocks = (*reader.deleted(text), *reader.blocks(text))
    apart = [*reader.unread(text), *reader.other_parts(styles)]
    return make_document(blocks, apart, name, Format.ODT)


@dataclass
class _OdtReader:
    """Makes blocks of elements; ``seen`` are the elements whose text is read, and those whose tail is."""

    archive: Archive
    styles: OdtStyles
    counters: dict[str, ListCounter] = field(default_factory=dict)
    seen: set[Any] = field(default_factory=set)
    seen_tails: set[Any] = field(default_factory=set)
    notes: int = 0
    cells: int = 0

    def blocks(self, container: Any) -> Iterator[Block]:
        """The blocks of the text, of a cell, an item or a text box."""
        for element in children(container):
            name = local(element)
            if reason := _reason_to_leave_out(name, element):
                yield _left_out(self.all_words(element), reason)
            elif name in ("p", "h"):
                yield from self._paragraph(element)
            elif name == "list":
                yield from self._list(element, 0, "")
            elif name == "table":
                yield self._table(element)
            elif name in _DRAWINGS:
                yield from self._picture(element)
            elif name in _AROUND:
                yield from self.blocks(element)

    def deleted(self, text: Any) -> Iterator[Block]:
        """The words that were deleted while changes were tracked: they stand before the text."""
        for change in text.iter("{*}deletion"):
            words = [plain_text("".join(part.itertext())) for part in change.iter("{*}p", "{*}h")]
            self.seen.update(change.iter("*"))
            self.seen_tails.update(change.iter("*"))
            yield _left_out(plain_text(" ".join(words)), STRUCK)

    def unread(self, text: Any) -> Iterator[LeftOut]:
        """The words of the text that nothing read."""
        for element in text.iter("*"):
            skipped = any(local(one) in _NO_WORDS for one in (element, *element.iterancestors()))
            for words, seen in ((element.text, self.seen), (element.tail, self.seen_tails)):
                if not skipped and element not in seen and (words or "").strip() and element is not text:
                    yield LeftOut(plain_text(words or ""), "this is left out")

    def other_parts(self, styles: Any) -> Iterator[LeftOut]:
        """The paragraphs of headers, footers and objects."""
        parts = [("styles.xml", styles)]
        parts += [(part, self.archive.root(part)) for part in self.archive.names if part.endswith("/content.xml")]
        for part, root in parts:
            paragraphs = root.iter("{*}p") if root is not None else ()
            for words in dict.fromkeys(plain_text(" ".join(paragraph.itertext())) for paragraph in paragraphs):
                yield LeftOut(words, f"this is left out of {part}", stand_apart=True)

    def all_words(self, element: Any) -> str:
        """The words of an element that is left out whole."""
        self.seen.update(element.iter("*"))
        self.seen_tails.update(one for one in element.iter("*") if one is not element)
        return plain_text(" ".join(element.itertext()))

    def _paragraph(self, element: Any, depth: int = 0, label: str = "") -> Iterator[Block]:
        style = attribute(element, "style-name")
        setting = self.styles.setting("paragraph", style, Setting.PLAIN)
        words = _ParagraphWords(self)
        words.read(element, Setting.HIDDEN if _is_hidden(element) else setting)
        is_heading = local(element) == "h" and attribute(element, "is-list-header") != "true"
        level = max(1, number(attribute(element, "outline-level"), 1)) if is_heading else 0
        yield TextParagraph(
            words.text,
            level=level if words.text.strip() else 0,
            depth=0 if level or not words.text.strip() else depth,
            label=label,
            is_caption=any("caption" in name for name in self.styles.names(style)),
            notes=tuple(words.footnotes),
            left_out=tuple(words.left_out()),
        )
        yield from words.boxes

    def _list(self, element: Any, depth: int, style: str) -> Iterator[Block]:
        """The items of a list, each with its number; a list in an item is a list of the next level."""
        style = attribute(element, "style-name", style)
        for item in children(element):
            label = ""
            if local(item) == "list-item":
                label = self._label(element, item, depth, style)
            for block in children(item):
                if local(block) == "list":
                    yield from self._list(block, depth + 1, style)
                elif local(block) in ("p", "h"):
                    yield from self._paragraph(block, depth + 1, label)
                    label = ""
                else:
                    yield from self.blocks(item)
                    break

    def _label(self, element: Any, item: Any, depth: int, style: str) -> str:
        """The label of an item. The first item of a list begins its numbers anew, unless the list goes on."""
        goes_on = attribute(element, "continue-numbering") == "true" or attribute(element, "continue-list")
        if depth == 0 and not goes_on and item is child(element, "list-item"):
            self.counters.pop(style, None)
        start = attribute(item, "start-value")
        levels = self.styles.levels(style or self._style_of_item(item))
        counter = self.counters.setdefault(style, ListCounter())
        return counter.label(levels, depth, number(start, 1) if start else None)

    def _style_of_item(self, item: Any) -> str:
        paragraph = child(item, "p")
        return self.styles.list_of(attribute(paragraph, "style-name")) if paragraph is not None else ""

    def _table(self, table: Any) -> TextTable:
        """The rows of a table; cells and rows that are repeated stand there as often."""
        rows: list[tuple[TextCell, ...]] = []
        heads = 0
        for row, is_head in _rows(table, False):
            cells = tuple(self._cells(row))
            if attribute(row, "visibility") in ("collapse", "filter"):
                words = plain_text(" ".join(words for cell in cells for words in words_in(cell.blocks)))
                cells = (TextCell((_left_out(words, HIDDEN),)),) if words else ()
            times = (
                self._bounded(attribute(row, "number-rows-repeated"), len(cells)) if any(c.blocks for c in cells) else 1
            )
            heads += times if is_head and heads == len(rows) else 0
            rows += [cells] * times
        return TextTable(tuple(rows), heads)

    def _cells(self, row: Any) -> Iterator[TextCell]:
        for cell in children(row):
            if local(cell) == "covered-table-cell":
                if words := self.all_words(cell):
                    yield TextCell((_left_out(words, "another cell covers this"),), columns=0)
            elif local(cell) == "table-cell":
                blocks = tuple(self.blocks(cell))
                rows, columns = (
                    max(1, number(attribute(cell, f"number-{what}-spanned"), 1)) for what in ("rows", "columns")
                )
                times = number(attribute(cell, "number-columns-repeated"), 1)
                if any(words_in(blocks)):
                    yield from [TextCell(blocks, rows, columns)] * self._bounded(str(times), 1)
                else:
                    yield TextCell(blocks, rows, columns * max(1, min(times, limits().table_columns)))

    def _bounded(self, times: str, cells: int) -> int:
        """How often cells are repeated. Raises ReadError for more cells than a document may have."""
        count = max(1, number(times, 1))
        self.cells += count * cells
        if self.cells > limits().table_cells:
            message = f"{self.archive.name}: its tables have more than {limits().table_cells:,} cells"
            raise ReadError(message, hint=limit_hint("table_cells"))
        return count

    def _picture(self, frame: Any) -> Iterator[Block]:
        """The boxes of text in a drawing, then the words that stand for pictures."""
        words = _ParagraphWords(self)
        words.picture(frame)
        yield from words.boxes
        if apart := tuple(words.left_out()):
            yield TextParagraph("", left_out=apart)


class _ParagraphWords(WordRuns):
    """The words of a paragraph as they are read."""

    def __init__(self, reader: _OdtReader) -> None:
        super().__init__()
        self.reader = reader

    def read(self, element: Any, setting: Setting) -> None:
        """Add the text of an element and of the elements in it."""
        self.reader.seen.add(element)
        self.add(element.text or "", setting)
        for inner in children(element):
            self._inner(inner, setting)
            self.reader.seen_tails.add(inner)
            self.add(inner.tail or "", setting)

    def _inner(self, inner: Any, setting: Setting) -> None:
        name = local(inner)
        if name == "a" and (title := plain_text(attribute(inner, "title") or attribute(inner, "name"))):
            self.apart.append(LeftOut(title, stands_apart("title"), stand_apart=True))
        if name == "span":
            self.read(inner, self.reader.styles.setting("text", attribute(inner, "style-name"), setting))
        elif name in _BLANKS:
            self.add(" " * min(number(attribute(inner, "c"), 1), 1000), setting)
        elif name == "note":
            self._footnote(inner)
        elif name in _DRAWINGS:
            self.picture(inner)
        elif name in _APART:
            self._leave_out(inner, _APART[name])
        elif name not in _NO_WORDS:
            self.read(inner, Setting.HIDDEN if name in _HIDDEN_FIELDS else setting)

    def _leave_out(self, element: Any, reason: str, *, stand_apart: bool = False) -> None:
        if words := self.reader.all_words(element):
            self.apart.append(LeftOut(words, reason, stand_apart))

    def _footnote(self, note: Any) -> None:
        reader, body = self.reader, child(note, "note-body")
        reader.notes += 1
        words = plain_text(" ".join(words_in(tuple(reader.blocks(body))))) if body is not None else ""
        if words:
            self.footnotes.append(TextNote(f"[^{reader.notes}]", words))
            self.add(f"[^{reader.notes}]", Setting.PLAIN)

    def picture(self, frame: Any) -> None:
        """Add the boxes of text in a drawing, and the words that stand for a picture."""
        for inner in children(frame):
            if local(inner) == "text-box":
                self.boxes.append(TextBox(tuple(self.reader.blocks(inner))))
            elif local(inner) in ("p", "list"):
                self.boxes.append(TextBox(tuple(self.reader.blocks(frame))))
                return
            elif local(inner) in _OF_PICTURES:
                self._leave_out(inner, _OF_PICTURES[local(inner)], stand_apart=True)
            else:
                self.picture(inner)


def _reason_to_leave_out(name: str, element: Any) -> str:
    """Why a block is no part of the text; "" for one that is."""
    if name == "section" and attribute(element, "display") in ("none", "condition"):
        return HIDDEN
    return "this is a table of contents" if name in _CONTENTS else ""


def _left_out(words: str, reason: str) -> TextParagraph:
    return TextParagraph("", left_out=(LeftOut(words, reason),) if words else ())


def _rows(table: Any, in_head: bool) -> Iterator[tuple[Any, bool]]:
    """The rows of a table, and whether each is marked as its head."""
    for element in children(table):
        if local(element) == "table-row":
            yield element, in_head
        elif local(element) in _AROUND:
            yield from _rows(element, in_head or local(element) == "table-header-rows")


def _is_hidden(paragraph: Any) -> bool:
    hidden = child(paragraph, "hidden-paragraph")
    return hidden is not None and attribute(hidden, "is-hidden") == "true"
