"""The places of the fields of a sheet, and a character's values set into them, as large as fits within limits.

In: the pages of a sheet that was laid out, and its fields. Out: a FieldBox for each, in reading order. In: a text and
its FieldBox. Out: the text as Written; a text too long even for the smallest size ends in "…", and a continuation page
has it in full. In: the values of a character. Out: a Placing: each text set in its field, the ticked boxes, the boxes
that this character has, and the texts that the font cannot show.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from math import floor
from typing import NamedTuple

from refgen.aids.sheet.fill.font import MOST_REMEMBERED, shows, text_width
from refgen.characters.filling import Filled
from refgen.characters.form import name_of_boxes
from refgen.characters.sheet import AGAIN, CharacterSheet, Field, FieldKind
from refgen.layout.engine import FieldPlace, Page
from refgen.layout.lengths import BODY, FIELD, FIELD_PADDING, PIXEL

LINE_HEIGHT = {FieldKind.AREA: BODY.line_height}
"""The line height in em of the text, by kind of field; other kinds have the height of the field."""

BORDER = 0.5
"""The width of the border of an area, and of the rule under a field, in points."""

ASCENT, DESCENT = 0.984, 0.273
"""Ascent and descent of the font, in em: the rest of the line height is shared between above and below."""

SMALLEST = 6.0
"""The smallest type size of a text in a field, in points."""

STEP = 0.5
"""The step by which the type of an area is made smaller, in points."""

CUT = "…"
"""The sign at the end of a text that is continued on another page."""

_PIECE = re.compile(r"[^\s–—-]*[–—-]+(?=\w)|\S+")
"""The text between two line breaks: a word, or a part of a word up to its hyphen."""

_BLANKS = re.compile(r"[^\S\n]+")


@dataclass(frozen=True, eq=False)
class FieldBox:
    """The place of a field: its page, counted from 0, and its border box in points from the lower left corner.

    ``size`` is its type size in points, ``line_height`` in em. The text of an area continues on a new line; a box is
    ticked. A FieldBox equals only itself, so that its computed properties are cached by identity.
    """

    field: Field
    page: int
    left: float
    bottom: float
    width: float
    height: float
    size: float
    line_height: float

    @cached_property
    def name(self) -> str:
        """The name of its field."""
        return self.field.name

    @cached_property
    def is_area(self) -> bool:
        """Whether the field has room for several lines."""
        return self.field.kind is FieldKind.AREA

    @cached_property
    def is_box(self) -> bool:
        """Whether the field is ticked and not written in."""
        return self.field.kind is FieldKind.BOX

    @cached_property
    def padding(self) -> float:
        """The padding between border and text, in points."""
        return self.size * FIELD_PADDING

    @cached_property
    def at_origin(self) -> FieldBox:
        """The field with its lower left corner at the origin."""
        return replace(self, left=0.0, bottom=0.0)

    @cached_property
    def start(self) -> bytes:
        """The operators before its glyphs in a content stream."""
        return b"1 0 0 1 %.2f %.2f Tm(" % (self.left + self.padding, baseline(self, self.size))

    @cached_property
    def room(self) -> float:
        """The width for text, in points."""
        return self.width - 2 * self.padding - (2 * BORDER if self.is_area else 0.0)


def field_boxes(pages: Sequence[Page], fields: Iterable[Field]) -> tuple[FieldBox, ...]:
    """The places of all fields on some pages; a field that is there twice has its first place."""
    known = {field.name: field for field in fields if not field.absent}
    places = [(name, (number, page, place)) for number, page in enumerate(pages) for name, place in page.fields.items()]
    first = {name: place for name, place in reversed(places) if name in known}
    return tuple(_field_box(known[name], *first.pop(name)) for name, _ in places if name in first)


def _field_box(field: Field, number: int, page: Page, place: FieldPlace) -> FieldBox:
    left, top, width, height = place.box
    pixels = left, page.height - top - height, width, height, place.type_size
    left, bottom, width, height, size = (round(length * PIXEL, 3) for length in pixels)
    return FieldBox(field, number, left, bottom, width, height, size, LINE_HEIGHT.get(field.kind, FIELD))


class Written(NamedTuple):
    """A text in a field: as typed, with its type size in points and its lines; not ``whole`` if it was cut.

    A text is ``supported`` if the font of fields has each of its letters as a single glyph.
    """

    box: FieldBox
    text: str
    size: float
    lines: tuple[str, ...]
    whole: bool = True
    supported: bool = True


def set_text(box: FieldBox, text: str) -> Written:
    """Set a text with plain blanks and composed letters."""
    if box.is_area:
        return _in_area(box, text)
    text, wide, supported = _one_line(text)
    if wide * box.size <= box.room:
        return Written(box, text, box.size, (text,), True, supported)
    return _on_line(box, text, wide, supported)


@lru_cache(MOST_REMEMBERED)
def _one_line(text: str) -> tuple[str, float, bool]:
    """A text on one line, its width in em, and whether it is supported. Cached: characters share many texts."""
    text = " ".join(unicodedata.normalize("NFC", text).split())
    return text, text_width(text), shows(text)


def plain(text: str, box: FieldBox) -> str:
    """A text as a field has it: composed letters, plain blanks, and no line ends but in an area."""
    if box.is_area:
        return _BLANKS.sub(" ", unicodedata.normalize("NFC", text).replace("\r\n", "\n")).strip()
    return _one_line(text)[0]


def baseline(box: FieldBox, size: float) -> float:
    """The baseline of the first line, in points from the lower edge of the page."""
    size = size if box.is_area else box.size  # smaller text on one line keeps the baseline
    leading = (box.line_height - ASCENT - DESCENT) / 2
    top = box.bottom + box.height - (BORDER + box.padding if box.is_area else 0.0)
    return top - (leading + ASCENT) * size


def _on_line(box: FieldBox, text: str, wide: float, supported: bool) -> Written:
    size = floor(box.room / wide * 10) / 10
    if size >= SMALLEST:
        return Written(box, text, size, (text,), supported=supported)
    start = text
    while start and text_width(start + CUT) * SMALLEST > box.room:
        most = int(box.room / SMALLEST / text_width(start) * len(start)) + 2
        start = start[: min(len(start) - 1, max(1, most))]
    return Written(box, text, SMALLEST, (start.rstrip() + CUT,), whole=False, supported=supported)


def _in_area(box: FieldBox, text: str) -> Written:
    text, size = plain(text, box), box.size
    supported = shows(text.replace("\n", ""))
    while True:
        most = max(1, floor((box.height - 2 * (BORDER + box.padding)) / (size * box.line_height) + 0.001))
        lines = tuple(islice(_lines(text, box.room / size), most + 1))
        if len(lines) <= most:
            return Written(box, text, size, lines, supported=supported)
        if size - STEP < SMALLEST:
            return Written(box, text, size, _cut(lines[:most], box.room / size), whole=False, supported=supported)
        size -= STEP


def _lines(text: str, room: float) -> Iterator[str]:
    """The lines of a text in a width of ``room`` em."""
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
    """The pieces of a word that is longer than a line."""
    lines, wide = [""], 0.0
    for letter in word:
        wide += text_width(letter)
        if lines[-1] and wide > room:
            lines.append("")
            wide = text_width(letter)
        lines[-1] += letter
    return lines


def _cut(lines: Sequence[str], room: float) -> tuple[str, ...]:
    """The lines, with a CUT at the end of the last."""
    last = lines[-1]
    while last and text_width(f"{last} {CUT}") > room:
        last = last.rpartition(" ")[0]
    return (*lines[:-1], f"{last} {CUT}".strip())


@dataclass(slots=True)
class Placing:
    """The sheet of a character: its texts as they are ``written``, and the boxes that are ``ticked``.

    ``rows`` are the boxes of tracks that this character has; all boxes where their number is not known. ``unplaced``
    are the keys of lines that the sheet does not have.
    """

    filled: Filled
    written: list[Written] = field(default_factory=list)
    ticked: list[FieldBox] = field(default_factory=list)
    rows: list[Sequence[FieldBox]] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)

    def text(self, name: str) -> str:
        """The text of a field."""
        return next((each.text for each in self.written if each.box.name == name), "")

    @property
    def cut(self) -> Sequence[Written]:
        """Texts too long for their field. A name cut at the head of a page is whole elsewhere and does not count."""
        return [each for each in self.written if not each.whole and AGAIN not in each.box.name]

    @property
    def unsupported(self) -> Sequence[Written]:
        """Texts that need a full layout, because the font of fields cannot show them."""
        return [each for each in self.written if not each.supported]

    @property
    def overflows(self) -> bool:
        """Whether some values do not fit the sheet."""
        return bool(self.cut or self.unplaced)


class Placer:
    """Places characters on a sheet with the fields ``boxes``."""

    def __init__(self, sheet: CharacterSheet, boxes: Iterable[FieldBox]) -> None:
        self.boxes = {box.name: box for box in boxes}
        self.name_key = sheet.name_key
        self.again = [name for name in self.boxes if AGAIN in name]
        self.tracks = {
            row: [self.boxes[field.name] for field in fields if field.name in self.boxes]
            for row, fields in boxes_of_tracks(sheet).items()
        }

    def place(self, filled: Filled) -> Placing:
        """Place the values of a character."""
        placing = Placing(filled)
        for name, text in (filled.texts | dict.fromkeys(self.again, filled.texts.get(self.name_key, ""))).items():
            box = self.boxes.get(name)
            if box is None:
                placing.unplaced.append(name)
            elif box.is_box:
                placing.ticked.append(box)
            elif (written := set_text(box, text)).text:
                placing.written.append(written)
        rows = (boxes[: filled.boxes.get(row)] for row, boxes in self.tracks.items())
        placing.rows += [boxes for boxes in rows if boxes]
        return placing


def boxes_of_tracks(sheet: CharacterSheet) -> Mapping[str, Sequence[Field]]:
    """The boxes of tracks, by the key of their row; each character has some number of them."""
    rows = [row for part in sheet.parts() for row in part.rows if row.boxes is not None]
    return {name_of_boxes(row): [field for field in row.fields if field.kind is FieldKind.BOX] for row in rows}
