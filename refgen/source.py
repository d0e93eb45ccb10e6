"""Text that knows where it was printed: files, and passages that remember their origin.

In: the bytes of a file. Out: a ``SourceFile``, and ``Passage`` values cut from it. Each character of a passage keeps
its offset in the file, however the passage is sliced, joined or collapsed, so that the span of a cell points into the
document as the author sees it.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from textwrap import shorten
from typing import overload
from unicodedata import normalize

from refgen.errors import SourceError
from refgen.files import read_bytes
from refgen.span import Span

_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_WORD = re.compile(r"[^ \t\r\n\f\v]+")


@dataclass(frozen=True)
class SourceFile:
    """The decoded text of one file and the name it is shown by.

    A file that has no lines for its readers, such as a word processor's, has ``places``: an offset from which on a
    place begins, and the words for the place, in rising order.
    """

    name: str
    text: str
    places: tuple[tuple[int, str], ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        return f"<SourceFile {self.name}: {len(self._line_starts)} lines>"

    @classmethod
    def read(cls, path: Path, name: str | None = None, *, typed: bool = False) -> SourceFile:
        """Read ``path`` as UTF-8; one that somebody ``typed`` may be a link or a pipe.

        A letter and the accents behind it are one character (NFC), in whatever file.

        Raises SourceError when the file cannot be opened, is too large, is not UTF-8 or holds NUL bytes;
        the span points at the offending byte.
        """
        shown = name if name is not None else str(path)
        return cls.decoded(read_bytes(path, shown, typed=typed), shown)

    @classmethod
    def decoded(cls, raw: bytes, name: str, encoding: str = "UTF-8") -> SourceFile:
        """The text of some bytes. Raises SourceError where these are in another encoding, or hold NUL bytes."""
        return cls(name, _decode(raw, name, encoding))

    @cached_property
    def _line_starts(self) -> array[int]:
        breaks = (match.end() for match in _LINE_BREAK.finditer(self.text))
        return array("I", [0, *breaks])

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span between two character offsets."""
        return Span(self.name, start, end, *self.position(start), *self.position(end), self._place(start))

    def _place(self, offset: int) -> str:
        number = bisect_right(self.places, offset, key=itemgetter(0)) if self.places else 0
        return self.places[number - 1][1] if number else ""

    def line_span(self, line: int) -> Span:
        """The span of a whole line, counted from 1."""
        start = self._line_starts[line - 1]
        end = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
        return self.span(start, start + len(self.text[start:end].rstrip("\r\n")))

    @cached_property
    def passage(self) -> Passage:
        """The whole text as a passage."""
        return Passage(self, self.text, range(len(self.text) + 1))


def _decode(raw: bytes, name: str, encoding: str) -> str:
    codec = "utf-8-sig" if encoding == "UTF-8" else encoding
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError as error:
        before = SourceFile(name, raw[: error.start].decode(codec, "replace"))
        span = before.span(len(before.text), len(before.text))
        raise SourceError(
            f"byte 0x{raw[error.start]:02x} is not {encoding}", span=span, hint="Save the file as UTF-8 and try again."
        ) from error
    if (nul := text.find("\0")) >= 0:
        span = SourceFile(name, text).span(nul, nul + 1)
        raise SourceError("the file holds a NUL byte: it is not text", span=span, hint="Export it as plain text.")
    return normalize("NFC", text)


@dataclass(frozen=True)
class Passage:
    """A piece of text in which every character knows where it stands in its file.

    ``origins`` has one offset for each character, and one more for the end: a range, which takes no memory, where the
    passage is one stretch of its file.
    """

    source: SourceFile
    text: str
    origins: array[int] | range

    def __repr__(self) -> str:
        return f"<Passage {self.span}: {shorten(self.text, 60, placeholder='…')!r}>"

    def __len__(self) -> int:
        return len(self.text)

    def __getitem__(self, part: slice) -> Passage:
        start, stop, _ = part.indices(len(self.text))
        stop = max(start, stop)
        if isinstance(self.origins, range):
            return Passage(self.source, self.text[start:stop], self.origins[start : stop + 1])
        end = self._end(stop) if stop > start else self.origins[stop]
        return Passage(self.source, self.text[start:stop], self.origins[start:stop] + array("I", [end]))

    def _end(self, stop: int) -> int:
        """Where the character before ``stop`` ends: the last may be replaced, and so longer in the file than here."""
        return self.origins[stop] if stop == len(self.text) else self.origins[stop - 1] + 1

    @property
    def span(self) -> Span:
        """The printed place of the passage, from the first character to the last."""
        return self.source.span(self.origins[0], self.origins[-1])

    def group(self, match: re.Match[str], group: int | str = 0) -> Passage:
        """The part of this passage that a group of a match on ``text`` covers."""
        return self[match.start(group) : match.end(group)]

    def replaced(self, text: str) -> Passage:
        """``text`` in place of all of this: a character that the document writes as an entity."""
        start, end = self.origins[0], self.origins[-1]
        return Passage(self.source, text, array("I", [*[start] * len(text), end]))

    def strip(self, characters: str | None = None) -> Passage:
        """Without the white space (or the given characters) at both ends."""
        start = len(self.text) - len(self.text.lstrip(characters))
        return self[start : max(start, len(self.text.rstrip(characters)))]

    def lines(self) -> Lines:
        """The lines, without their line breaks."""
        bounds = []
        start = 0
        for line_break in _LINE_BREAK.finditer(self.text):
            bounds.append((start, line_break.start()))
            start = line_break.end()
        if start < len(self.text):
            bounds.append((start, len(self.text)))
        return Lines(self, tuple(bounds))

    def split(self, separator: re.Pattern[str]) -> Iterator[Passage]:
        """The pieces between the matches of a separator."""
        start = 0
        for match in separator.finditer(self.text):
            yield self[start : match.start()]
            start = match.end()
        yield self[start:]

    def collapsed(self) -> Passage:
        """Each run of white space as one blank, none at the ends. No-break spaces stay: they are content."""
        return self._collapsed_text

    @cached_property
    def _collapsed_text(self) -> Passage:
        words = list(_WORD.finditer(self.text))
        if not words:
            return self[:0]
        text = " ".join(word[0] for word in words)
        if text == self.text and isinstance(self.origins, range):
            return self
        before, origins = self.origins, array("I")
        for word in words:
            start, end = word.span()
            origins.extend(before[start:end])
            origins.append(before[end - 1] + 1)  # the blank is placed where the word before it ends
        origins[-1] = self._end(words[-1].end())
        return Passage(self.source, text, origins)

    @staticmethod
    def joined(pieces: Iterable[Passage], separator: str = "") -> Passage:
        """Several passages as one; each separator character is placed where the piece before it ends."""
        parts = list(pieces)
        if len(parts) == 1:
            return parts[0]
        origins = array("I")
        for part in parts[:-1]:
            origins.extend(part.origins[:-1])
            origins.extend([part.origins[-1]] * len(separator))
        origins.extend(parts[-1].origins)
        return Passage(parts[0].source, separator.join(part.text for part in parts), origins)


@dataclass(frozen=True)
class Lines(Sequence[Passage]):
    """The lines of a passage; ``bounds`` are their first and last index in its text."""

    text: Passage
    bounds: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.bounds)

    @overload
    def __getitem__(self, line: int) -> Passage: ...
    @overload
    def __getitem__(self, line: slice) -> tuple[Passage, ...]: ...
    def __getitem__(self, line: int | slice) -> Passage | tuple[Passage, ...]:
        if isinstance(line, slice):
            return tuple(self.text[start:end] for start, end in self.bounds[line])
        start, end = self.bounds[line]
        return self.text[start:end]

    def between(self, first: int, end: int) -> Passage:
        """The whole text from the line ``first`` up to (and without) the line ``end``, counted from 0."""
        if first >= end:
            return self.text[:0]
        return self.text[self.bounds[first][0] : self.bounds[end - 1][1]]


def plain_text(text: str) -> str:
    """A printed text as it is compared and shown: white space (no-break spaces too) collapsed and stripped."""
    return " ".join(text.split())
