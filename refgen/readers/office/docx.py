"""Office Open XML (docx, ECMA-376): the blocks of the text of a file.

In: the bytes of a file. Out: a Document. Of fields the result is read, of alternatives the first, of tracked changes
the inserted words. Deleted, struck and hidden words are left out, with a note each; text boxes and tables in cells are
read behind their paragraph or table. Elements with words that no function here reads are left out with a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from refgen.readers.document import STRUCK, Document, Format
from refgen.readers.markup import stands_apart
from refgen.readers.office.archive import Archive, attribute, child, children, local
from refgen.readers.office.document import make_document
from refgen.readers.office.docx_styles import Styles, is_on
from refgen.readers.office.docx_words import AROUND, NOTES, TAKEN_OUT, DocxWords, count_of
from refgen.readers.office.flow import (
    Block,
    LeftOut,
    TextCell,
    TextNote,
    TextParagraph,
    TextTable,
    words_in,
)
from refgen.source import plain_text

_MAIN = "word/document.xml"
_WORDS = ("{*}t", "{*}delText")
_PARAGRAPHS = {"p", "oMath", "oMathPara"}
_NO_TEXT = frozenset({"styles", "numbering", "settings", "webSettings", "fontTable", "stylesWithEffects", "people"})
_CONTENTS = "this is a table of contents"


def read_docx(raw: bytes, name: str) -> Document:
    """Read a docx file. Raises ReadError for a file that is damaged, too large or nests too deep."""
    archive = Archive(raw, name, Format.DOCX)
    body = child(archive.root(_MAIN), "body")
    if body is None:
        raise archive.damaged()
    reader = _DocxReader(archive, Styles(archive.root("word/styles.xml"), archive.root("word/numbering.xml")))
    blocks = tuple(reader.blocks(body))
    apart = [*reader.unread(body), *reader.other_parts()]
    return make_document(blocks, apart, name, Format.DOCX)


@dataclass
class _DocxReader:
    """Makes blocks of elements; ``seen`` are the elements with words that are read, or left out with a note."""

    archive: Archive
    styles: Styles
    seen: set[Any] = field(default_factory=set)
    notes: int = 0

    def blocks(self, container: Any) -> Iterator[Block]:
        """The blocks of the text, of a cell or of a text box."""
        for element in children(container):
            name = local(element)
            if words := self._left_out_whole(name, element):
                yield TextParagraph("", left_out=(words,))
            elif name in _PARAGRAPHS:
                yield from self._paragraph(element)
            elif name == "tbl":
                yield self._table(element)
            elif name == "AlternateContent":
                yield from self.blocks(self.alternative(element))
            elif name in AROUND:
                yield from self.blocks(element)

    def _left_out_whole(self, name: str, element: Any) -> LeftOut | None:
        """The words of an element that is no part of the text."""
        if name == "sdt" and _is_contents(element):
            return LeftOut(self.all_words(element), _CONTENTS)
        if name == "altChunk":
            return LeftOut(self._target(element), "this embedded text is left out")
        return LeftOut(self.all_words(element), STRUCK) if name in TAKEN_OUT else None

    def unread(self, body: Any) -> Iterator[LeftOut]:
        """The words of the text that nothing read."""
        for element in body.iter(*_WORDS):
            if element not in self.seen and (element.text or "").strip():
                yield LeftOut(plain_text(element.text), "this is left out")

    def other_parts(self) -> Iterator[LeftOut]:
        """The paragraphs of headers, remarks and charts."""
        for part in self.archive.names:
            folder, _, file = part.partition("/")
            if folder != "word" or not file.endswith(".xml") or file.startswith(("glossary/", "theme/")):
                continue
            if part == _MAIN or file.removesuffix(".xml") in _NO_TEXT:
                continue
            for words in dict.fromkeys(_paragraphs_of(self.archive.root(part))):
                yield LeftOut(words, f"this is left out of {part}", stand_apart=True)

    def footnote(self, reference: Any) -> TextNote:
        """The words of a footnote, under a mark of its own."""
        self.notes += 1
        wanted = attribute(reference, "id")
        for note in children(self.archive_part(NOTES[local(reference)])):
            if attribute(note, "id") == wanted:
                words = (block.text for block in self.blocks(note) if isinstance(block, TextParagraph))
                return TextNote(f"[^{self.notes}]", plain_text(" ".join(words)))
        return TextNote(f"[^{self.notes}]", "")

    def archive_part(self, part: str) -> Any:
        """The root of a part, read once."""
        if part not in self._parts:
            self._parts[part] = self.archive.root(part)
        return self._parts[part]

    _parts: dict[str, Any] = field(default_factory=dict)

    def all_words(self, element: Any) -> str:
        """The words of an element that is left out whole."""
        inner = list(element.iter(*_WORDS))
        self.seen.update(inner)
        return plain_text("".join(part.text or "" for part in inner))

    def _target(self, chunk: Any) -> str:
        """The name of the file that stands in place of a text."""
        relations = self.archive.root("word/_rels/document.xml.rels")
        wanted = attribute(chunk, "id")
        return next((attribute(one, "Target") for one in children(relations) if attribute(one, "Id") == wanted), wanted)

    def alternative(self, element: Any) -> Any:
        """The first of some alternatives with words or boxes; the others say the same again."""
        ways = list(children(element))
        chosen = next((way for way in ways if any(True for _ in way.iter("{*}txbxContent", *_WORDS))), None)
        for way in ways:
            if way is not chosen and chosen is not None:
                self.seen.update(way.iter(*_WORDS))
        return chosen if chosen is not None else (ways[0] if ways else element)

    def _paragraph(self, element: Any) -> Iterator[Block]:
        properties = child(element, "pPr")
        style = attribute(child(properties, "pStyle"), "val") if child(properties, "pStyle") is not None else ""
        words = DocxWords(self, style)
        words.read(element)
        name = self.styles.name(style)
        if name.startswith(("toc ", "table of figures")):
            yield TextParagraph("", left_out=(LeftOut(plain_text(words.text), _CONTENTS),))
            return
        place = self.styles.list_place(properties)
        level = self.styles.heading_level(properties)
        frame = child(properties, "framePr")
        in_list = place is not None and not level
        yield TextParagraph(
            words.text,
            level=level if words.text.strip() else 0,
            depth=place.depth + 1 if in_list and place and words.text.strip() else 0,
            label=place.label if in_list and place else "",
            is_caption=name in ("caption", "table caption"),
            runs_on=_mark_is_deleted(properties) or (frame is not None and attribute(frame, "dropCap") in _DROPPED),
            notes=tuple(words.footnotes),
            left_out=tuple(words.left_out()),
        )
        yield from words.boxes

    def _table(self, table: Any) -> TextTable:
        """The rows of a table, whose cells may go on in the row below."""
        rows: list[list[_CellParts]] = []
        above: dict[int, _CellParts] = {}
        heads, gone = 0, []
        for row in _parts(table, "tr"):
            properties = child(row, "trPr")
            if child(properties, "del") is not None or is_on(child(properties, "hidden")):
                gone.append(LeftOut(self.all_words(row), STRUCK))
                continue
            heads += is_on(child(properties, "tblHeader")) and heads == len(rows)
            made, above = self._row(row, properties, above)
            rows.append(made)
        cells = [[cell.cell() for cell in row] for row in rows]
        gone += [
            LeftOut(words, stands_apart("alternative text"), stand_apart=True) for words in _alternative_texts(table)
        ]
        if gone and cells and cells[0]:
            cells[0][0] = replace(cells[0][0], blocks=(*cells[0][0].blocks, TextParagraph("", left_out=tuple(gone))))
        look = child(table, "tblPr", "tblLook")
        is_headless = look is not None and attribute(look, "firstRow", "1") in ("0", "false", "off")
        return TextTable(tuple(map(tuple, cells)), heads, is_headless)

    def _row(
        self, row: Any, properties: Any, above: dict[int, _CellParts]
    ) -> tuple[list[_CellParts], dict[int, _CellParts]]:
        """The cells that begin in a row, and all cells that the row has, by the column of the grid."""
        made: list[_CellParts] = []
        here: dict[int, _CellParts] = {}
        column = count_of(properties, "gridBefore")
        if column:
            made.append(_CellParts((), columns=column))
        for cell in _parts(row, "tc"):
            settings = child(cell, "tcPr")
            goes_on, merged = child(settings, "vMerge"), child(settings, "hMerge")
            span = max(1, count_of(settings, "gridSpan"))
            blocks = tuple(self.blocks(cell))
            if merged is not None and attribute(merged, "val", "continue") == "continue" and made:
                made[-1].columns += span
                made[-1].blocks += _unseen(blocks)
            elif goes_on is not None and attribute(goes_on, "val", "continue") == "continue" and column in above:
                here[column] = above[column]
                above[column].rows += 1
                above[column].blocks += _unseen(blocks)
            else:
                here[column] = _CellParts(blocks, columns=span)
                made.append(here[column])
            column += span
        if after := count_of(properties, "gridAfter"):
            made.append(_CellParts((), columns=after))
        return made, here


_DROPPED = ("drop", "margin")


@dataclass(eq=False)
class _CellParts:
    """A cell that may grow to the right and downwards while its table is read."""

    blocks: tuple[Block, ...]
    rows: int = 1
    columns: int = 1

    def cell(self) -> TextCell:
        return TextCell(self.blocks, self.rows, self.columns)


_Growing = dict[int, "_CellParts"]
"""The cells that a row has, by the column of the grid in which each begins."""


def _parts(element: Any, name: str) -> Iterator[Any]:
    """The rows of a table or the cells of a row, also those in elements that only stand around them."""
    for inner in children(element):
        if local(inner) == name:
            yield inner
        elif local(inner) in AROUND:
            yield from _parts(inner, name)


def _alternative_texts(table: Any) -> Iterator[str]:
    """The words that stand for a table where it is not seen."""
    for name in ("tblCaption", "tblDescription"):
        said = child(table, "tblPr", name)
        if said is not None and (words := plain_text(attribute(said, "val"))):
            yield words


def _is_contents(element: Any) -> bool:
    gallery = child(element, "sdtPr", "docPartObj", "docPartGallery")
    return gallery is not None and attribute(gallery, "val") == "Table of Contents"


def _mark_is_deleted(properties: Any) -> bool:
    """Whether the end of a paragraph was deleted while changes were tracked."""
    return child(properties, "rPr", "del") is not None


def _unseen(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks of a cell that another covers, as words that are left out."""
    words = plain_text(" ".join(words_in(blocks)))
    return (TextParagraph("", left_out=(LeftOut(words, "another cell covers this"),)),) if words else ()


def _paragraphs_of(root: Any) -> Iterator[str]:
    """The paragraphs of a header, a remark or a chart, and words that stand in no paragraph."""
    if root is None:
        return
    paragraphs = list(root.iter("{*}p"))
    for paragraph in paragraphs:
        yield plain_text(" ".join(part.text or "" for part in paragraph.iter("{*}t")))
    yield plain_text(" ".join(part.text or "" for part in root.iter("{*}v")))
