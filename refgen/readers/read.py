"""Read a rule document of any format: find out its encoding and format, unwrap patches, call the reader of the format.

In: the path or the bytes of a document. Out: a Document; or its visible paragraphs, which are all words that people
see of the document (titles, captions and cells among them), without markup.

The encoding is UTF-8 unless an XML declaration names another that Python has a text codec for. Of a patch (hg or git)
that creates a file, the lines of that file are read without their ``+``; their spans point into the patch.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from pkgutil import resolve_name

from refgen.errors import ReadError, RefgenError, SourceError
from refgen.files import read_bytes, refuse_address
from refgen.limits import limit_hint, limits
from refgen.readers.damage import find_dates, find_words_under_dice
from refgen.readers.document import BINARY, Document, Format
from refgen.readers.grids import part_footnotes, refuse_large
from refgen.readers.heads import find_heads
from refgen.readers.unread_formats import refuse_bytes, refuse_name, refuse_text
from refgen.source import Passage, SourceFile

_HUNK = re.compile(r"^@@ -0,0 \+1(?:,\d+)? @@.*$", re.MULTILINE)
_NEW_FILE = re.compile(r"^--- .*\r?\n\+\+\+ .*\r?\n@@ ", re.MULTILINE)


def unwrap_patch(text: Passage) -> Passage:
    """The file that a patch creates, or ``text`` itself when it is no patch.

    Raises ReadError for a patch that changes an existing file: half a document cannot be read.
    """
    if not _NEW_FILE.search(text.text):
        return text
    hunk = _HUNK.search(text.text)
    if hunk is None:
        raise ReadError(
            "the patch changes a file instead of creating one",
            span=text.span,
            hint="Apply the patch, then read the file.",
        )
    added = []
    for line in text[hunk.end() :].lines():
        if line.text.startswith("+"):
            added.append(line[1:])
        elif line.text.strip():
            break
    if not added:
        raise ReadError("the patch creates an empty file", span=text.group(hunk).span)
    return Passage.joined(added, "\n")


_DECLARED = re.compile(r"""\s*<\?xml\s[^>]*?\bencoding\s*=\s*["'](?P<encoding>[A-Za-z][\w.-]*)["']""", re.ASCII)
_HEAD = 10_000
"""The first line of a document, also of one in a patch, stands within so many bytes."""

_SAME = {"utf-8", "utf-8-sig", "ascii"}
"""Encodings that are read as UTF-8, which refuses a wrong byte by its place."""

_OTHER_MEANING = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "charmap", "undefined"}
"""Text codecs of Python that are the encoding of no document."""

_UTF_8 = "Save the document as UTF-8, and say so in its first line."


def decode_document(raw: bytes, name: str) -> SourceFile:
    """The text of a document. Raises SourceError and ReadError."""
    encoding = _declared_encoding(raw, name)
    if encoding is None or _codec(encoding, name) in _SAME:
        return SourceFile.decoded(raw, name)
    source = SourceFile.decoded(raw, name, encoding)
    has_lone_surrogates = not _is_utf_8(source.text.encode("utf-8", "surrogatepass"))  # UTF-7 lets them through
    if _declared_in(source) != encoding or has_lone_surrogates:
        raise SourceError(f'{name} says encoding="{encoding}", and is in another', hint=_UTF_8)
    if not raw.isascii() and _is_utf_8(raw):
        raise SourceError(f'{name} says encoding="{encoding}", and its bytes are UTF-8', hint=_UTF_8)
    return source


def _declared_encoding(raw: bytes, name: str) -> str | None:
    """The encoding that a document, or the document in a patch, names in its first line."""
    return _declared_in(SourceFile(name, raw.decode("latin-1"))) if b"<?xml" in raw[:_HEAD] else None


def _declared_in(source: SourceFile) -> str | None:
    try:
        found = _DECLARED.match(
            unwrap_patch(SourceFile(source.name, source.text[:_HEAD]).passage).text.lstrip("\ufeff")
        )
    except ReadError:  # the patch is refused when it is read
        return None
    return found["encoding"] if found else None


def _codec(encoding: str, name: str) -> str:
    """Python's name for an encoding."""
    known = "undefined"
    with suppress(LookupError):  # no codec, or no text codec
        with suppress(UnicodeError):
            b" ".decode(encoding)
        known = codecs.lookup(encoding).name
    if known in _OTHER_MEANING:
        raise SourceError(f'{name} says encoding="{encoding}", which refgen does not read', hint=_UTF_8)
    return known


def _is_utf_8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


READERS = {
    Format.MARKDOWN: "refgen.readers.markdown:read_markdown",
    Format.DOCBOOK: "refgen.readers.docbook:read_docbook",
    Format.HTML: "refgen.readers.html:read_html",
    Format.PLAINTEXT: "refgen.readers.plaintext:read_plaintext",
    Format.FLATTENED: "refgen.readers.plaintext:read_flattened",
    Format.CSV: "refgen.readers.delimited:read_csv",
    Format.TSV: "refgen.readers.delimited:read_tsv",
}
"""The reader of each format of texts that refgen parses itself; its module is imported when it is needed."""

FROM_BYTES = {
    Format.DOCX: "refgen.readers.office.docx:read_docx",
    Format.ODT: "refgen.readers.office.odt:read_odt",
}
"""The reader of each format of binary files."""

WORDS = {
    Format.MARKDOWN: "refgen.readers.markdown_words:words_of_markdown",
    Format.DOCBOOK: "refgen.readers.docbook:words_of_docbook",
    Format.HTML: "refgen.readers.html:words_of_html",
}
"""For each format with markup, the function that leaves the markup out."""

THROUGH_PANDOC = frozenset({Format.MEDIAWIKI, Format.RST, Format.ORG, Format.LATEX})
"""The text formats that pandoc parses."""

_SUFFIXES = {
    Format.MARKDOWN: {".md", ".markdown", ".mkd"},
    Format.DOCBOOK: {".xml", ".sgml", ".docbook", ".dbk"},
    Format.HTML: {".html", ".htm", ".xhtml"},
    Format.CSV: {".csv"},
    Format.TSV: {".tsv", ".tab"},
    Format.DOCX: {".docx"},
    Format.ODT: {".odt"},
    Format.MEDIAWIKI: {".mediawiki", ".wiki"},
    Format.RST: {".rst"},
    Format.ORG: {".org"},
    Format.LATEX: {".tex", ".latex"},
}
_AROUND = {".patch", ".diff", ".bak", ".orig"}
"""Suffixes behind the suffix of a format."""

_HTML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+)?html\b", re.IGNORECASE)


def open_document(
    path: Path, name: str | None = None, document_format: Format | None = None, *, typed: bool = False
) -> Document:
    """Read the document at ``path``, text or binary; spans show ``name`` for its path.

    A path that the user ``typed`` may be a link or a pipe.
    """
    shown = name if name is not None else str(path)
    refuse_address(shown)
    refuse_name(path, shown)
    known = document_format or _by_suffix(path.name)
    raw = read_bytes(path, shown, typed=typed)
    if known in BINARY:
        read: Callable[[bytes, str], Document] = resolve_name(FROM_BYTES[known])
        document = read(raw, shown)
        DocumentSize().add(document.text.text, shown)
        return _finish_document(document)
    refuse_bytes(raw, shown)
    return read_document(decode_document(raw, shown), document_format)


def read_document(source: SourceFile, document_format: Format | None = None) -> Document:
    """Read a document that is text in the given format, or in the one that its name or first characters show."""
    DocumentSize().add(source.text, source.name)
    text = unwrap_patch(source.passage)
    if not text.text.strip():
        raise ReadError(
            "the document is empty", span=source.span(0, 0), hint="Write the rules into it, or name another file."
        )
    known = document_format or guess_format(source.name, text.text)
    if known is Format.PLAINTEXT and document_format is None:
        refuse_text(source)
    if known in BINARY:
        raise ReadError(f"{known} is not text", span=source.span(0, 0), hint="Name the file itself, not its text.")
    return _finish_document(_read_text(text, known))


def _read_text(text: Passage, document_format: Format) -> Document:
    if document_format in THROUGH_PANDOC:
        from refgen.readers.pandoc.reader import read_pandoc  # most runs read no such document

        return read_pandoc(text, document_format)
    read: Callable[[Passage], Document] = resolve_name(READERS[document_format])
    return read(text)


@dataclass(slots=True)
class DocumentSize:
    """The letters, lines, signs of markup and letters of entities of the documents of a game so far."""

    letters: int = 0
    lines: int = 0
    marks: int = 0
    entity_letters: int = 0

    def add(self, text: str, name: str, entity_letters: int = 0, rest: Iterable[Path] = ()) -> None:
        """Count a text, and the letters of its entities.

        Raises ReadError for more than a game may have; the error tells the size with the ``rest`` of its files.
        """
        self._count(text, entity_letters)
        if (excess := self._excess()) is None:
            return
        for path in rest:
            with suppress(RefgenError):
                self._count(decode_document(read_bytes(path, path.name), path.name).text)
        limit, words = excess
        raise ReadError(
            f"{name} has {getattr(self, limit.removeprefix('document_')):,} {words}", hint=limit_hint(limit)
        )

    def _count(self, text: str, entity_letters: int = 0) -> None:
        self.letters += len(text)
        self.lines += text.count("\n")
        self.marks += sum(map(text.count, "*_`[<&"))
        self.entity_letters += entity_letters

    def _excess(self) -> tuple[str, str] | None:
        """The first limit that is passed, and the words for what the limit counts."""
        most = limits()
        passed = {
            ("document_letters", "letters"): self.letters > most.document_letters,
            ("document_lines", "lines"): self.lines > most.document_lines,
            ("document_marks", "signs of markup"): self.marks > most.document_marks,
            ("entity_letters", "letters in the place of entities"): self.entity_letters > most.entity_letters,
        }
        return next((limit for limit, is_passed in passed.items() if is_passed), None)


def _finish_document(document: Document) -> Document:
    """A document with the footnotes of its tables, and what is told of columns under dice.

    Raises ReadError for tables that are too large.
    """
    taken = 0
    for table in document.tables:
        taken += sum(map(len, table.rows))
        refuse_large(max(map(len, table.rows), default=0), taken, table.span)
    document = part_footnotes(find_heads(document))
    notes, faults = find_words_under_dice(document), find_dates(document)
    return replace(document, notes=(*document.notes, *notes), faults=(*document.faults, *faults))


def guess_format(name: str, text: str) -> Format:
    """The format of a document, guessed from its suffix or else from its content."""
    known = _by_suffix(name)
    if _HTML.match(text) and known in (None, Format.DOCBOOK):
        return Format.HTML
    if known:
        return known
    if text.lstrip().startswith("<"):
        return Format.DOCBOOK
    return Format.FLATTENED if "[END TABLE]" in text else Format.PLAINTEXT


def _by_suffix(name: str) -> Format | None:
    """The format that the last suffix of a name says; of a patch or a copy, the suffix before."""
    suffix = next((own for own in reversed(PurePath(name.lower()).suffixes) if own not in _AROUND), "")
    return next((known for known, some in _SUFFIXES.items() if suffix in some), None)


def is_document_name(name: str) -> bool:
    """Whether a file may be a rule document by its name: its suffix is that of a format, or of plain text."""
    return _by_suffix(name) is not None or PurePath(name).suffix.lower() == ".txt"


_BETWEEN_PARAGRAPHS = re.compile(r"\n[^\S\xa0]*\n")


def visible_paragraphs(source: SourceFile, document_format: Format | None = None) -> Sequence[Passage]:
    """The paragraphs of a file in the given format, or in the one that its name or first characters show."""
    text = unwrap_patch(source.passage)
    known = document_format or guess_format(source.name, text.text)
    if known in THROUGH_PANDOC:
        return list(_words_of(read_document(source, known)))
    without_markup: Callable[[Passage], Passage] | None = resolve_name(WORDS[known]) if known in WORDS else None
    words = without_markup(text) if without_markup else text
    return [paragraph.collapsed() for paragraph in words.split(_BETWEEN_PARAGRAPHS) if paragraph.text.strip()]


def paragraphs_in(document: Document) -> Sequence[Passage]:
    """The visible paragraphs of a document that is read already."""
    if document.format in THROUGH_PANDOC:
        return list(_words_of(document))
    return visible_paragraphs(document.source, document.format)


def _words_of(document: Document) -> Iterator[Passage]:
    """The paragraphs, list items and cells that a reader made of a document."""
    for section in document.sections:
        yield from section.paragraphs
        for block in section.lists:
            yield from block.items
        for cell in (cell for grid in section.grids for row in grid.rows for cell in row):
            yield document.source.passage[cell.span.start : cell.span.end].collapsed()
