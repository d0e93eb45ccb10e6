"""The words of a word processor's file that pandoc does not read: headers and footers of pages, remarks, charts.

In: the bytes of a docx or odt file, and all that pandoc read of the file. Out: each paragraph with a word that pandoc
did not read, with the part of the file that holds the paragraph.

Both formats are zip files of XML. In docx, the elements ``t`` hold words, and ``v`` those of charts; in odt, all text
of paragraphs and of the body is words. Words that were deleted while changes were tracked are none.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from lzma import LZMAError
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.readers.document import Format, words_of
from refgen.source import plain_text

_PARTS = {
    Format.DOCX: re.compile(r"word/(?!glossary/).*\.xml"),
    Format.ODT: re.compile(r"(?:.*/)?(?:content|styles)\.xml"),
}
_OF_DOCX = {"t", "v"}
_PARAGRAPHS = {"annotation", "creator", "date", "desc", "h", "p", "title"}
_BLANKS = {"br", "cr", "line-break", "noBreakHyphen", "s", "softHyphen", "tab"}
_ATTRIBUTES = {"alt", "descr", "title"}
_OF_ELEMENTS = {"a": {"name"}, "tblCaption": {"val"}, "tblDescription": {"val"}}
_NO_WORDS = {"note-citation", "tracked-changes"}
_DAMAGED_ZIP = (BadZipFile, zlib.error, LZMAError, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
_BROKEN = (*_DAMAGED_ZIP, struct.error, expat.ExpatError, LookupError)
"""How Python says that a zip file, or the XML in it, is damaged, or in an encoding that nobody knows."""


def unread_paragraphs(raw: bytes, name: str, document_format: Format, read: set[str]) -> Iterator[tuple[str, str]]:
    """A message and the words of each paragraph with a word not in ``read``. Raises ReadError for a damaged file."""
    known = set(read)
    try:
        with ZipFile(BytesIO(raw)) as archive:
            for part in _xml_parts(archive, name, document_format):
                for paragraph in _paragraphs(archive.read(part), document_format):
                    words = words_of(paragraph)
                    if not words <= known:
                        known |= words
                        yield f"this is left out of {part}", plain_text(paragraph)
    except _BROKEN as error:
        hint = "Open it in a word processor and save it again."
        raise ReadError(f"{name} is no whole {document_format} file", hint=hint) from error


def _xml_parts(archive: ZipFile, name: str, document_format: Format) -> list[str]:
    """The parts that may hold words. Raises ReadError if they are larger than files may be."""
    parts = [part for part in archive.infolist() if _PARTS[document_format].fullmatch(part.filename)]
    if sum(part.file_size for part in parts) > limits().file_bytes:
        raise ReadError(f"{name} is too large, once it is unpacked", hint=limit_hint("file_bytes"))
    return [part.filename for part in parts]


def _paragraphs(xml: bytes, document_format: Format) -> list[str]:
    collector = _Paragraphs(document_format)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = collector.open
    parser.EndElementHandler = collector.close
    parser.CharacterDataHandler = collector.add
    parser.Parse(xml, True)
    return [*collector.found, " ".join(collector.open_paragraphs[0])]


def _local(name: str) -> str:
    """A name without the prefix of its vocabulary."""
    return name.rpartition(":")[2]


@dataclass
class _Paragraphs:
    """Collects the paragraphs of a part; a paragraph inside another paragraph, as that of a remark, is collected apart.

    ``around`` are the names of the open elements; ``open_paragraphs`` are the words so far outside all paragraphs, and
    of each open paragraph.
    """

    document_format: Format
    found: list[str] = field(default_factory=list)
    around: list[str] = field(default_factory=list)
    open_paragraphs: list[list[str]] = field(default_factory=lambda: [[]])
    hidden: int = 0
    bodies: int = 0

    def open(self, qualified_name: str, attributes: Mapping[str, str]) -> None:
        """Open an element; attributes with words are paragraphs."""
        name = _local(qualified_name)
        wanted = _ATTRIBUTES | _OF_ELEMENTS.get(name, set())
        self.found += [words for attribute, words in attributes.items() if _local(attribute) in wanted]
        self.around.append(name)
        self.hidden += name in _NO_WORDS
        self.bodies += name == "body"
        if name in _PARAGRAPHS:
            self.open_paragraphs.append([])
        elif name in _BLANKS:
            self.open_paragraphs[-1].append(" ")

    def close(self, _: str) -> None:
        """Close the innermost element."""
        name = self.around.pop()
        self.hidden -= name in _NO_WORDS
        self.bodies -= name == "body"
        if name in _PARAGRAPHS:
            self.found.append("".join(self.open_paragraphs.pop()))

    def add(self, words: str) -> None:
        """Add text to the innermost paragraph, if it is words."""
        if self.document_format is Format.DOCX:
            is_words = self.around[-1] in _OF_DOCX
        else:
            is_words = len(self.open_paragraphs) > 1 or self.bodies > 0
        if is_words and not self.hidden:
            self.open_paragraphs[-1].append(words)
