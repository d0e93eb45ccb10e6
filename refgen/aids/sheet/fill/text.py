"""Text in a field: on lines, as large as fits, within limits.

In: a text, and the FieldBox that it stands in. Out: a SetText: its size and its lines; and whether it is whole. What
does not fit even in the smallest size ends in "…", and stands on a continuation page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor

from refgen.aids.sheet.fill.font import FillFont
from refgen.aids.sheet.fill.geometry import FieldBox

ASCENT, DESCENT = 0.984, 0.273
"""Of the font, in em: lines are as much higher than the two as is shared out above and below."""

SMALLEST = 6.0
"""Points: text in a field is set no smaller."""

STEP = 0.5
"""Points by which an area is set smaller."""

CUT = "…"
"""What a text ends in that goes on on another page."""

BORDER = 0.5
"""Points: the border of an area, and under a field."""

_PIECE = re.compile(r"[^\s–—-]*[–—-]+(?=\w)|\S+")
"""What stays on one line: a word, or a part of one up to its hyphen."""

_BLANKS = re.compile(r"[^\S\n]+")


@dataclass(frozen=True, slots=True)
class SetText:
    """A text as it is set: its ``size`` in points, and its ``lines``; not ``whole`` where it was cut."""

    size: float
    lines: Sequence[str]
    whole: bool = True


def plain(text: str, box: FieldBox) -> str:
    """A text as a field has it: composed letters, plain blanks, and no line ends but in an area."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if box.is_area:
        return _BLANKS.sub(" ", text.replace("\r\n", "\n")).strip()
    return " ".join(text.split())


def set_text(font: FillFont, box: FieldBox, text: str) -> SetText:
    """Set a plain text."""
    return _in_area(font, box, text) if box.is_area else _on_line(font, box, text)


def baseline(box: FieldBox, size: float) -> float:
    """Where the first line stands, in points over the lower edge of the field's page."""
    size = size if box.is_area else box.size  # smaller text on one line keeps the baseline
    leading = (box.line_height - ASCENT - DESCENT) / 2
    top = box.bottom + box.height - (BORDER + box.padding if box.is_area else 0.0)
    return top - (leading + ASCENT) * size


def _room(box: FieldBox) -> float:
    """The width that a field has for text, in points."""
    return box.width - 2 * box.padding - (2 * BORDER if box.is_area else 0.0)


def _on_line(font: FillFont, box: FieldBox, text: str) -> SetText:
    room = _room(box)
    size = _smaller(box.size, room, font.width(text))
    if size is not None:
        return SetText(size, (text,))
    while text and font.width(text + CUT) * SMALLEST > room:
        text = text[: min(len(text) - 1, max(1, int(room / SMALLEST / font.width(text) * len(text)) + 2))]
    return SetText(SMALLEST, (text.rstrip() + CUT,), whole=False)


def _smaller(size: float, room: float, width: float) -> float | None:
    """The largest type size in which so many ems have room; None where that is too small."""
    if width * size <= room:
        return size
    found = floor(room / width * 10) / 10
    return found if found >= SMALLEST else None


def _in_area(font: FillFont, box: FieldBox, text: str) -> SetText:
    size = box.size
    while True:
        lines = list(_lines(font, text, _room(box) / size, _most(box, size) + 1))
        if len(lines) <= _most(box, size):
            return SetText(size, lines)
        if size - STEP < SMALLEST:
            return SetText(size, _cut(font, lines[: _most(box, size)], _room(box) / size), whole=False)
        size -= STEP


def _most(box: FieldBox, size: float) -> int:
    """How many lines of a size an area has room for."""
    return max(1, floor((box.height - 2 * (BORDER + box.padding)) / (size * box.line_height) + 0.001))


def _lines(font: FillFont, text: str, room: float, most: int) -> Iterator[str]:
    """The lines of a text in so many ems, no more than ``most``."""
    count = 0
    for paragraph in text.split("\n"):
        for line in _wrapped(font, paragraph, room):
            yield line
            count += 1
            if count == most:
                return


def _wrapped(font: FillFont, paragraph: str, room: float) -> Iterator[str]:
    line, width, end = "", 0.0, 0
    for match in _PIECE.finditer(paragraph):
        piece = paragraph[end : match.start()] + match[0] if line else match[0]
        end = match.end()
        wide = font.width(piece)
        if width + wide <= room:
            line, width = line + piece, width + wide
            continue
        if line:
            yield line
            piece = match[0]
        *full, line = _broken(font, piece, room)
        yield from full
        width = font.width(line)
    yield line


def _broken(font: FillFont, word: str, room: float) -> list[str]:
    """A word that is longer than a line in pieces that are not."""
    if font.width(word) <= room:
        return [word]
    lines, line, width = [], "", 0.0
    for letter in word:
        wide = font.width(letter)
        if line and width + wide > room:
            lines.append(line)
            line, width = "", 0.0
        line, width = line + letter, width + wide
    return [*lines, line]


def _cut(font: FillFont, lines: Sequence[str], room: float) -> list[str]:
    """The lines, the last of which says that there is more."""
    last = lines[-1]
    while last and font.width(f"{last} {CUT}") > room:
        last = last.rpartition(" ")[0]
    return [*lines[:-1], f"{last} {CUT}".strip()]
