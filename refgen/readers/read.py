"""Any rule document: find out its format, unwrap it, and hand it to its reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path, PurePath

from refgen.errors import ReadError
from refgen.files import read_bytes
from refgen.limits import limit_hint, limits
from refgen.readers.delimited import read_csv, read_tsv
from refgen.readers.document import BINARY, Document, Format
from refgen.readers.encoding import decoded
from refgen.readers.flattened import read_flattened
from refgen.readers.footnotes import part_footnotes
from refgen.readers.patch import unwrap
from refgen.readers.plaintext import read_plaintext
from refgen.readers.rows import refuse_large
from refgen.source import Passage, SourceFile

# The readers that rest on a parser of their own are imported when a document is theirs: most runs read one format.


def _markdown(text: Passage) -> Document:
    from refgen.readers.markdown import read_markdown

    return read_markdown(text)


def _docbook(text: Passage) -> Document:
    from refgen.readers.docbook import read_docbook

    return read_docbook(text)


def _html(text: Passage) -> Document:
    from refgen.readers.html import read_html

    return read_html(text)


def _pandoc(text: Passage, document_format: Format) -> Document:
    from refgen.readers.pandoc.read import read_pandoc

    return read_pandoc(text, document_format)


READERS: dict[Format, Callable[[Passage], Document]] = {
    Format.MARKDOWN: _markdown,
    Format.DOCBOOK: _docbook,
    Format.PLAINTEXT: read_plaintext,
    Format.FLATTENED: read_flattened,
    Format.HTML: _html,
    Format.CSV: read_csv,
    Format.TSV: read_tsv,
    **{
        document_format: partial(_pandoc, document_format=document_format)
        for document_format in (Format.MEDIAWIKI, Format.RST, Format.ORG, Format.LATEX)
    },
}
"""The reader of each format that is text."""

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
_AS_TEXT = "Save it as docx, odt, HTML or plain text."
_AS_CSV = "Export each of its sheets as CSV."
_UNREADABLE = {
    ".pdf": "Find the source it was made from, or take its text (pdftotext -layout FILE.pdf FILE.txt) and mend that.",
    ".doc": _AS_TEXT,
    ".rtf": _AS_TEXT,
    ".epub": "Unpack it (it is a zip file) and name the HTML pages in it.",
    ".xls": _AS_CSV,
    ".xlsx": _AS_CSV,
    ".ods": _AS_CSV,
}
_HTML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+)?html\b", re.IGNORECASE)


def open_document(
    path: Path, name: str | None = None, document_format: Format | None = None, *, typed: bool = False
) -> Document:
    """Read the document at ``path``, text or not; ``name`` is shown for it in spans.

    A path that somebody ``typed`` may be a link or a pipe.
    """
    shown = name if name is not None else str(path)
    _refuse_what_is_no_text(path, shown)
    known = document_format or _by_suffix(path.name)
    raw = read_bytes(path, shown, typed=typed)
    if known in BINARY:
        from refgen.readers.pandoc.read import read_binary

        document = read_binary(raw, shown, known)
        refuse_long(len(document.text), shown)
        return _finished(document)
    return read_document(decoded(raw, shown), document_format)


def _refuse_what_is_no_text(path: Path, shown: str) -> None:
    """Refuse files of kinds that no reader knows, with what to do about it."""
    if hint := _UNREADABLE.get(path.suffix.lower()):
        raise ReadError(f"{shown} is a {path.suffix[1:].upper()} file, which refgen does not read", hint=hint)


def read_document(source: SourceFile, document_format: Format | None = None) -> Document:
    """Read a document that is text in the given format, or in the one that its name or first characters show."""
    refuse_long(len(source.text), source.name)
    text = unwrap(source.passage)
    if not text.text.strip():
        raise ReadError(
            "the document is empty", span=source.span(0, 0), hint="Write the rules into it, or name another file."
        )
    known = document_format or guess_format(source.name, text.text)
    if known not in READERS:
        raise ReadError(f"{known} is not text", span=source.span(0, 0), hint="Name the file itself, not its text.")
    return _finished(READERS[known](text))


def refuse_long(letters: int, name: str) -> None:
    """Raise ReadError for more letters than the documents of a game may have."""
    if letters > limits().document_letters:
        raise ReadError(f"{name} has {letters:,} letters", hint=limit_hint("document_letters"))


def _finished(document: Document) -> Document:
    """A document with the footnotes of its tables, none of which is too large."""
    for table in document.tables:
        refuse_large(max(map(len, table.rows), default=0), sum(map(len, table.rows)), table.span)
    return part_footnotes(document)


def guess_format(name: str, text: str) -> Format:
    """The format that a document seems to be in: by its suffix, then by its content."""
    if known := _by_suffix(name):
        return known
    if _HTML.match(text):
        return Format.HTML
    if text.lstrip().startswith("<"):
        return Format.DOCBOOK
    return Format.FLATTENED if "[END TABLE]" in text else Format.PLAINTEXT


def _by_suffix(name: str) -> Format | None:
    suffixes = {suffix.lower() for suffix in PurePath(name).suffixes}
    return next((known for known, some in _SUFFIXES.items() if suffixes & some), None)
