"""The zip archive of a word processor's file, and the XML in it.

In: the bytes of a file. Out: its parts, each as the root of a tree. Nothing is unpacked to disk; sizes are bounded
before a part is unpacked; a part with a document type declaration is refused, so that it has no entities.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from lzma import LZMAError
from typing import Any
from zipfile import BadZipFile, ZipFile

from lxml import etree

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.readers.document import Format

_DAMAGED_ZIP = (BadZipFile, zlib.error, LZMAError, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
_BROKEN = (*_DAMAGED_ZIP, struct.error, etree.XMLSyntaxError, LookupError)
"""How Python says that a zip file, or the XML in it, is damaged, or in an encoding that nobody knows."""


class Archive:
    """The parts of a word processor's file by their names."""

    def __init__(self, raw: bytes, name: str, document_format: Format) -> None:
        """Open a file. Raises ReadError for a damaged archive, and for one that is too large once it is unpacked."""
        self.name = name
        self.format = document_format
        self._zip = self._try(lambda: ZipFile(BytesIO(raw)))
        parts = self._zip.infolist()
        if sum(part.file_size for part in parts if part.filename.endswith(".xml")) > limits().file_bytes:
            raise ReadError(f"{name} is too large, once it is unpacked", hint=limit_hint("file_bytes"))
        self.names = tuple(part.filename for part in parts)

    def root(self, part: str) -> Any:
        """The root element of a part; None for a part that is not there. Raises ReadError for one that is damaged."""
        if part not in self.names:
            return None
        parser = etree.XMLParser(
            resolve_entities=False, load_dtd=False, no_network=True, remove_comments=True, remove_pis=True
        )
        root = self._try(lambda: etree.fromstring(self._zip.read(part), parser))
        if root.getroottree().docinfo.doctype:
            raise self.damaged()
        _check_depth(root, self.name)
        return root

    def damaged(self) -> ReadError:
        """The error of a file that is no whole file of its format."""
        hint = "Open it in a word processor and save it again."
        return ReadError(f"{self.name} is no whole {self.format} file", hint=hint)

    def _try(self, work: Any) -> Any:
        try:
            return work()
        except _BROKEN as error:
            raise self.damaged() from error


def _check_depth(root: Any, name: str) -> None:
    """Raise ReadError for elements that nest deeper than the limit."""
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > limits().xml_depth:
            raise ReadError(f"{name}: its elements nest too deep", hint=limit_hint("xml_depth"))


def local(element: Any) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute(element: Any, name: str, default: str = "") -> str:
    """The attribute of an element, in whatever namespace."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return default


def child(element: Any, *path: str) -> Any:
    """The first element along a path of names; None if there is none."""
    for name in path:
        element = next((inner for inner in children(element) if local(inner) == name), None)
        if element is None:
            return None
    return element


def children(element: Any) -> Iterator[Any]:
    """The elements in an element."""
    return element.iterchildren("*") if element is not None else iter(())


def number(written: str, default: int, most: int = 1_000_000) -> int:
    """A whole number as written, at most ``most``; ``default`` for none."""
    digits = written.strip().removeprefix("-")
    return min(int(written), most) if digits.isdecimal() and len(digits) < 10 else default
