"""The encoding of a document: UTF-8, or the one that its XML declaration names.

In: the bytes of a document. Out: a SourceFile with its text. Whatever Python has a text codec for is read; the rest is
refused by its name.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from refgen.errors import ReadError, SourceError
from refgen.readers.patch import unwrap
from refgen.source import SourceFile

_DECLARED = re.compile(r"""\s*<\?xml\s[^>]*?\bencoding\s*=\s*["'](?P<encoding>[A-Za-z][\w.-]*)["']""", re.ASCII)
_HEAD = 10_000
"""As many bytes hold the first line of a document, with what a patch says before it."""

_SAME = {"utf-8", "utf-8-sig", "ascii"}
"""What UTF-8 is read as anyway: a byte outside it is told as such."""

_OTHER_MEANING = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "charmap", "undefined"}
"""Codecs of Python that give text, and are the encoding of no document."""

_UTF_8 = "Save the document as UTF-8, and say so in its first line."


def decoded(raw: bytes, name: str) -> SourceFile:
    """The text of a document. Raises SourceError and ReadError."""
    encoding = _declared(raw, name)
    if encoding is None or _codec(encoding, name) in _SAME:
        return SourceFile.decoded(raw, name)
    source = SourceFile.decoded(raw, name, encoding)
    if _declared_in(source) != encoding or not _is_whole(source.text):
        raise SourceError(f'{name} says encoding="{encoding}", and is in another', hint=_UTF_8)
    if not raw.isascii() and _is_utf_8(raw):
        raise SourceError(f'{name} says encoding="{encoding}", and its bytes are UTF-8', hint=_UTF_8)
    return source


def _declared(raw: bytes, name: str) -> str | None:
    """The encoding that a document, or the document in a patch, names in its first line."""
    return _declared_in(SourceFile(name, raw.decode("latin-1"))) if b"<?xml" in raw[:_HEAD] else None


def _declared_in(source: SourceFile) -> str | None:
    try:
        found = _DECLARED.match(unwrap(SourceFile(source.name, source.text[:_HEAD]).passage).text.lstrip("\ufeff"))
    except ReadError:  # a patch that cannot be read is told of by whoever reads it
        return None
    return found["encoding"] if found else None


def _codec(encoding: str, name: str) -> str:
    """Python's name for an encoding."""
    known = "undefined"
    with suppress(LookupError):  # of a codec that is none, or none of text
        with suppress(UnicodeError):
            b" ".decode(encoding)
        known = codecs.lookup(encoding).name
    if known in _OTHER_MEANING:
        raise SourceError(f'{name} says encoding="{encoding}", which refgen does not read', hint=_UTF_8)
    return known


def _is_whole(text: str) -> bool:
    """Whether a text has no half of a pair of surrogates, which UTF-7 lets through."""
    return _is_utf_8(text.encode("utf-8", "surrogatepass"))


def _is_utf_8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
