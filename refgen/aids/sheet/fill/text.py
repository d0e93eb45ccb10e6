"""Text in a field: on lines, as large as fits, within limits, in the font of fields.

In: a text, and the FieldBox that it stands in. Out: a SetText: its size and its lines, and whether it is whole. A text
that does not fit even in the smallest size ends in "…", and stands on a continuation page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import floor

from refgen.aids.sheet.fill.font import MOST_REMEMBERED, Run, run, text_width
from refgen.aids.sheet.fill.geometry import BORDER, FieldBox

ASCENT, DESCENT = 0.984, 0.273
"""Of the font, in em: lines are as much higher than the two as is shared out above and below."""

SMALLEST = 6.0
"""Points: text in a field is set no smaller."""

STEP = 0.5
"""Points by which an area is set smaller."""

CUT = "…"
"""What a text ends in that goes on on another page."""

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
    if box.is_area:
        return _BLANKS.sub(" ", unicodedata.normalize("NFC", text).replace("\r\n", "\n")).strip()
    return one_line(text)[0]


@lru_cache(MOST_REMEMBERED)
def one_line(text: str) -> tuple[str, Run | None]:
    """A text as a field of one line has it, and its glyphs. Most characters have many texts in common."""
    text = " ".join(unicodedata.normalize("NFC", text).split())
    return text, run(text)


def set_text(box: FieldBox, text: str) -> SetText:
    """Set a plain text."""
    return _in_area(box, text) if box.is_area else _on_line(box, text)


def baseline(box: FieldBox, size: float) -> float:
    """Where the first line stands, in points over the lower edge of the field's page."""
    size = size if box.is_area else box.size  # smaller text on one line keeps the baseline
    leading = (box.line_height - ASCENT - DESCENT) / 2
    top = box.bottom + box.height - (BORDER + box.padding if box.is_area else 0.0)
    return top - (leading + ASCENT) * size


def _on_line(box: FieldBox, text: str) -> SetText:
    room, wide = box.room, text_width(text)
    size = box.size if wide * box.size <= room else floor(room / wide * 10) / 10
    if size >= min(box.size, SMALLEST):
        return SetText(size, (text,))
    while text and text_width(text + CUT) * SMALLEST > room:
        text = text[: min(len(text) - 1, max(1, int(room / SMALLEST / text_width(text) * len(text)) + 2))]
    return SetText(SMALLEST, (text.rstrip() + CUT,), whole=False)


def _in_area(box: FieldBox, text: str) -> SetText:
    size = box.size
    while True:
        most = max(1, floor((box.height - 2 * (BORDER + box.padding)) / (size * box.line_height) + 0.001))
        lines = list(islice(_lines(text, box.room / size), most + 1))
        if len(lines) <= most:
            return SetText(size, lines)
        if size - STEP < SMALLEST:
            return SetText(size, _cut(lines[:most], box.room / size), whole=False)
        size -= STEP


def _lines(text: str, room: float) -> Iterator[str]:
    """The lines of a text in so many ems."""
    for paragraph in text.split("\n"):
        line, wide, end = "", 0.0, 0
        for match in _PIECE.finditer(paragraph):
            piece = paragraph[end : match.start()] + match[0] if line else match[0]
            end = match.end()
            if wide + text_width(piece) > room:
                if line:
                    yield line
                *full, piece = _broken(match[0] if line else piece, room)
                yield from full
                line, wide = "", 0.0
            line, wide = line + piece, wide + text_width(piece)
        yield line


def _broken(word: str, room: float) -> list[str]:
    """A word that is longer than a line in pieces that are not."""
    lines, wide = [""], 0.0
    for letter in word:
        wide += text_width(letter)
        if lines[-1] and wide > room:
            lines.append("")
            wide = text_width(letter)
        lines[-1] += letter
    return lines


def _cut(lines: Sequence[str], room: float) -> list[str]:
    """The lines, the last of which says that there is more."""
    last = lines[-1]
    while last and text_width(f"{last} {CUT}") > room:
        last = last.rpartition(" ")[0]
    return [*lines[:-1], f"{last} {CUT}".strip()]
