"""Where every value stands in a file of TOML or JSON, so that an error can point at its line.

In: the text of a file that has been parsed without fault. Out: the places of keys and items by their paths:
("skills", 1, "level"). Neither parser of the standard library tells.
"""

from __future__ import annotations

import json
import re

from refgen.errors import RulesError
from refgen.source import SourceFile
from refgen.span import Span

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'', re.DOTALL)
_SCALAR = re.compile(r"[^,\]}\n#]+")
_KEY = re.compile(r'[ \t]*("(?:[^"\\]|\\.)*"|\'[^\']*\'|[\w-]+)[ \t]*')
_HEADER = re.compile(r"\[(\[)?([^\[\]\n]+)\]\]?")


class Places:
    """The places of all values of a file. Raises RulesError for one that is nested too deeply."""

    def __init__(self, source: SourceFile, *, toml: bool) -> None:
        self.source = source
        self.text = source.text
        self.found: dict[Path, tuple[int, int]] = {}
        try:
            if toml:
                self._toml()
            else:
                self._value(self._skip(0), ())
        except RecursionError as error:
            hint = "Write fewer brackets in one another."
            raise RulesError(
                "lists or tables stand too deep in one another", span=source.span(0, 0), hint=hint
            ) from error

    def span(self, path: Path) -> Span:
        """Where a value stands; where it is not written out, what holds it."""
        while path and path not in self.found:
            path = path[:-1]
        start, end = self.found.get(path, (0, 0))
        return self.source.span(start, min(end, self._line_end(start)))

    def _line_end(self, start: int) -> int:
        end = self.text.find("\n", start)
        return len(self.text) if end < 0 else end

    def _skip(self, place: int) -> int:
        match = _BLANK.match(self.text, place)
        return match.end() if match else place

    def _value(self, place: int, path: Path) -> int:
        """Remember the value that begins at a place; where it ends."""
        end = self._end(place, path)
        self.found.setdefault(path, (place, end))
        return end

    def _end(self, place: int, path: Path) -> int:
        match self.text[place : place + 1]:
            case "[":
                return self._items(place + 1, path)
            case "{":
                return self._entries(place + 1, path)
        found = _STRING.match(self.text, place) or _SCALAR.match(self.text, place)
        return found.end() if found else place + 1

    def _items(self, place: int, path: Path) -> int:
        number = 0
        while (place := self._skip(place)) < len(self.text) and self.text[place] != "]":
            if self.text[place] == ",":
                place += 1
                continue
            place = self._value(place, (*path, number))
            number += 1
        return place + 1

    def _entries(self, place: int, path: Path) -> int:
        while (place := self._skip(place)) < len(self.text) and self.text[place] != "}":
            if self.text[place] == ",":
                place += 1
                continue
            place = self._entry(place, path)
        return place + 1

    def _entry(self, place: int, path: Path) -> int:
        """A key, the sign after it, and its value."""
        start, inner = place, path
        while match := _KEY.match(self.text, place):
            inner = (*inner, _plain(match[1]))
            place = match.end()
            if self.text[place : place + 1] != ".":
                break
            place += 1
        if self.text[place : place + 1] not in ("=", ":"):
            return max(self._line_end(start), start + 1)
        end = self._value(self._skip(place + 1), inner)
        self.found[inner] = start, end
        return end

    def _toml(self) -> None:
        """Headers and keys, line by line."""
        path: Path = ()
        counts: dict[Path, int] = {}
        place = 0
        while (place := self._skip(place)) < len(self.text):
            if header := _HEADER.match(self.text, place):
                path = self._header(header, counts)
                self.found.setdefault(path, header.span())
                place = header.end()
            else:
                place = self._entry(place, path)

    def _header(self, header: re.Match[str], counts: dict[Path, int]) -> Path:
        """The path of a header, with the number of each array of tables on the way."""
        path: Path = ()
        parts = [_plain(part[1]) for part in _KEY.finditer(header[2])]
        for place, part in enumerate(parts):
            path = (*path, part)
            if header[1] and place == len(parts) - 1:
                counts[path] = counts.get(path, -1) + 1
            if path in counts:
                path = (*path, counts[path])
        return path


def _plain(key: str) -> str:
    if key.startswith('"'):
        return str(json.loads(key))
    return key.strip("'")
