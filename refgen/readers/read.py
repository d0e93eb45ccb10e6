"""Any rule document: find out its format, unwrap it, and hand it to its reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from refgen.errors import ReadError
from refgen.readers.docbook import read_docbook
from refgen.readers.document import Document, Format
from refgen.readers.flattened import read_flattened
from refgen.readers.markdown import read_markdown
from refgen.readers.patch import unwrap
from refgen.readers.plaintext import read_plaintext
from refgen.source import Passage, SourceFile

READERS: dict[Format, Callable[[Passage], Document]] = {
    Format.MARKDOWN: read_markdown,
    Format.DOCBOOK: read_docbook,
    Format.PLAINTEXT: read_plaintext,
    Format.FLATTENED: read_flattened,
}

_MARKDOWN_SUFFIXES = {".md", ".markdown", ".mkd"}
_DOCBOOK_SUFFIXES = {".xml", ".sgml", ".docbook", ".dbk"}


def read_document(source: SourceFile, document_format: Format | None = None) -> Document:
    """Read a document in the given format, or in the one its name and first characters tell."""
    text = unwrap(source.passage)
    if not text.text.strip():
        raise ReadError(
            "the document is empty", span=source.span(0, 0), hint="Write the rules into it, or name another file."
        )
    return READERS[document_format or guess_format(source.name, text.text)](text)


def guess_format(name: str, text: str) -> Format:
    """The format that a document seems to be in: by its suffix, then by its content."""
    suffixes = {suffix.lower() for suffix in PurePath(name).suffixes}
    if suffixes & _MARKDOWN_SUFFIXES:
        return Format.MARKDOWN
    if suffixes & _DOCBOOK_SUFFIXES or text.lstrip().startswith("<"):
        return Format.DOCBOOK
    return Format.FLATTENED if "[END TABLE]" in text else Format.PLAINTEXT
