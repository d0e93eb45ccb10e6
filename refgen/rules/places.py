"""The places of values in TOML and JSON files, which neither tomllib nor json tells.

In: a file, and the path of a value ("skills", 1, "level"). Out: the place of the key or item.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from refgen.errors import RulesError
from refgen.source import SourceFile
from refgen.span import Span

KeyPath = Sequence[str | int]
"""The keys, and the numbers in lists, that lead to a value of a file."""

_Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n,]+|#[^\n]*)*")
"""The text between two values: blanks, commas, and comments."""

_CLOSING = {"[": "]", "{": "}"}
_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'', re.DOTALL)
_SCALAR = re.compile(r"[^,\]}\n#]+")
_KEY = re.compile(r'[ \t]*("(?:[^"\\]|\\.)*"|\'[^\']*\'|[\w-]+)[ \t]*')
_HEADER = re.compile(r"\[(\[)?([^\[\]\n]+)\]\]?")


class Places:
    """The places of all values of a TOML or JSON file. Raises RulesError for a file that is nested too deeply."""

    def __init__(self, source: SourceFile, *, toml: bool) -> None:
        self.source = source
        self.text = source.text
        self.found: dict[_Path, tuple[int, int]] = {}
        self.headers: list[int] = []
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

    def span(self, path: KeyPath) -> Span:
        """The place of a value, or of the first value in it; of a value that is not written, the place around it."""
        paths = (tuple(path[:depth]) for depth in range(len(path), 0, -1))
        start, end = next((self._first_places[known] for known in paths if known in self._first_places), (0, 0))
        return self.source.span(start, min(end, self._line_end(start)))

    @cached_property
    def _first_places(self) -> Mapping[_Path, tuple[int, int]]:
        """The place of each value, and of each path without a place of its own that of the first value in it."""
        first: dict[_Path, tuple[int, int]] = {}
        for path, place in self.found.items():
            for depth in range(len(path) - 1, 0, -1):
                if path[:depth] in first:  # and so are all paths to it
                    break
                first[path[:depth]] = place
        return {**first, **self.found}

    def _line_end(self, start: int) -> int:
        end = self.text.find("\n", start)
        return len(self.text) if end < 0 else end

    def _skip(self, place: int) -> int:
        match = _BLANK.match(self.text, place)
        return match.end() if match else place

    def _value(self, place: int, path: _Path) -> int:
        """Remember the value that begins at a place. Returns the place of its end."""
        end = self._end(place, path)
        self.found.setdefault(path, (place, end))
        return end

    def _end(self, place: int, path: _Path) -> int:
        opening = self.text[place : place + 1]
        if opening in _CLOSING:
            return self._read_inside(place + 1, path, _CLOSING[opening])
        found = _STRING.match(self.text, place) or _SCALAR.match(self.text, place)
        return found.end() if found else place + 1

    def _read_inside(self, place: int, path: _Path, closing: str) -> int:
        """Remember the items of a list, or the entries of a table, up to the ``closing`` bracket."""
        number = 0
        while (place := self._skip(place)) < len(self.text) and self.text[place] != closing:
            place = self._entry(place, path) if closing == "}" else self._value(place, (*path, number))
            number += 1
        return place + 1

    def _entry(self, place: int, path: _Path) -> int:
        """Remember the value of a key. Returns the place of its end."""
        start, inner = place, path
        while match := _KEY.match(self.text, place):
            inner = (*inner, _unquote_key(match[1]))
            start, place = match.span(1)[0], match.end()
            if self.text[place : place + 1] != ".":
                break
            self.found.setdefault(inner, match.span(1))
            place += 1
        if self.text[place : place + 1] not in ("=", ":"):
            return max(self._line_end(start), start + 1)
        end = self._value(self._skip(place + 1), inner)
        self.found[inner] = start, end
        return end

    def _toml(self) -> None:
        """Headers and keys, line by line."""
        path: _Path = ()
        counts: dict[_Path, int] = {}
        place = 0
        while (place := self._skip(place)) < len(self.text):
            if header := _HEADER.match(self.text, place):
                path = self._header(header, counts)
                self.found.setdefault(path, header.span())
                self.headers.append(header.start())
                place = header.end()
            else:
                place = self._entry(place, path)

    def _header(self, header: re.Match[str], counts: dict[_Path, int]) -> _Path:
        """The path of a header, with an index for each array of tables."""
        path: _Path = ()
        parts = [_unquote_key(part[1]) for part in _KEY.finditer(header[2])]
        for place, part in enumerate(parts):
            path = (*path, part)
            if header[1] and place == len(parts) - 1:
                counts[path] = counts.get(path, -1) + 1
            if path in counts:
                path = (*path, counts[path])
        return path


def _unquote_key(key: str) -> str:
    """The name that a key writes; TOML has tabs and escapes of eight digits in quotes, JSON has not."""
    if not key.startswith('"'):
        return key.strip("'")
    try:
        return str(json.loads(key, strict=False))
    except ValueError:
        return next(iter(tomllib.loads(f"{key} = 0")))


@lru_cache(maxsize=32)
def toml_places(source: SourceFile) -> Places:
    """The places of all values of a TOML file."""
    return Places(source, toml=True)


def locate(source: SourceFile, path: KeyPath) -> Span:
    """Where a key path stands in a TOML file; the nearest enclosing place when the path is not written out."""
    return toml_places(source).span(path)


def entry_lines(source: SourceFile, path: KeyPath) -> tuple[int, int]:
    """Where an entry under a header of its own starts and ends, without the comments and blank lines behind it."""
    places = toml_places(source)
    start = places.span(path).start
    end = next((header for header in places.headers if header > start), len(source.text))
    lines = source.text[start:end].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return start, start + sum(map(len, lines))
