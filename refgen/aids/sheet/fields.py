"""The fields of a sheet: the font, the place of each field, and texts set into fields as large as fits within limits.

In: the pages of a sheet that was laid out. Out: a FieldBox for each field, in reading order. In: a text and a FieldBox.
Out: a FieldText: the lines of the text and its type size; a text too long even for the smallest size ends in "…", and a
continuation page has the whole text. In: a text. Out: its glyphs in the font of fields, as a PDF string, and the width
of the text. Fields show Latin, Greek and Cyrillic letters, punctuation, signs and figures.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import islice
from math import floor
from typing import NamedTuple

from fontTools.ttLib import TTFont

from refgen.characters.sheet import Field, FieldKind
from refgen.layout.engine import FieldPlace, LaidOutPage
from refgen.layout.lengths import BODY, FIELD, FIELD_BORDER, FIELD_PADDING, LARGE_PRINT, PIXEL
from refgen.layout.metrics import font_bytes, measures
from refgen.look.look import Look, look_in_use

RESOURCE, SIMPLE = "/Fill", "/Latin"
"""The names in the resources of pages and fields: of the font of fields, and of the simple font with some letters."""

UNITS = 1000

_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "MODIFIER LETTER")
_SIGNS = frozenset("PSZN")
"""First letters of the Unicode general categories of characters other than letters: punctuation, symbols, blanks,
figures.
"""

_SPECIAL = re.compile(rb"[\\()]")
"""The bytes that need a backslash before them in a PDF string."""


MOST_REMEMBERED = 10_000
"""How many texts are cached, since characters share many texts."""


class Letter(NamedTuple):
    """The glyph number of a letter, its code in a PDF string, and its width in thousandths of an em."""

    glyph: int
    code: bytes
    width: int


def font_of_fields() -> tuple[str, bytes]:
    """The name in PDFs and the bytes of the font of fields, in the look in use: one that has figures as well."""
    fonts = look_in_use().fonts
    name = "Look-Text" if "Look-Text" in fonts and "Look-Figures" not in fonts else "Refgen-Sans"
    return name, font_bytes(name) or b""


def letters() -> Mapping[str, Letter]:
    """The letters of the font of fields, in the look in use."""
    return _letters(look_in_use())


@cache
def _letters(_look: Look) -> Mapping[str, Letter]:
    """The letters of a font. A bare carriage return in a string would be a line feed (ISO 32000-1, 7.3.4.2)."""
    font = TTFont(io.BytesIO(font_of_fields()[1]), lazy=True, recalcTimestamp=False)
    metrics, em = font["hmtx"].metrics, font["head"].unitsPerEm
    found = {}
    for code, name in font.getBestCmap().items():
        if _is_wanted(chr(code)):
            glyph = font.getGlyphID(name)
            shown = _SPECIAL.sub(rb"\\\g<0>", glyph.to_bytes(2, "big")).replace(b"\r", b"\\r")
            found[chr(code)] = Letter(glyph, shown, round(metrics[name][0] * UNITS / em))
    return found


def _is_wanted(letter: str) -> bool:
    """Whether fields can show a character: letters of the three scripts, punctuation, symbols, blanks and figures."""
    if unicodedata.category(letter)[0] in _SIGNS:
        return unicodedata.category(letter) != "Sk" or letter.isascii()
    return unicodedata.name(letter, "").startswith(_SCRIPTS) or letter in "ªµº"


def glyphs(text: str) -> bytes:
    """The content of a PDF string that shows a text, without letters that the font lacks."""
    return _glyphs(text, look_in_use())


@lru_cache(MOST_REMEMBERED)
def _glyphs(text: str, look: Look) -> bytes:
    known = _letters(look)
    return b"".join([known[letter].code for letter in text if letter in known])


def text_width(text: str) -> float:
    """The width of some text in em; a letter that the font lacks counts as one em."""
    return _text_width(text, look_in_use())


@lru_cache(MOST_REMEMBERED)
def _text_width(text: str, look: Look) -> float:
    known = _letters(look)
    return sum([known[letter].width if letter in known else UNITS for letter in text]) / UNITS


def is_supported(text: str) -> bool:
    """Whether the font has every character of a text as a single glyph."""
    return letters().keys() >= set(text)


LINE_HEIGHT = {FieldKind.AREA: BODY.line_height}
"""The line height in em of the text, by kind of field; other kinds have the height of the field."""

SMALLEST = 6.0
"""The smallest type size of a text in a field, in points; in large print it is LARGE_PRINT."""

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
    def smallest(self) -> float:
        """The smallest type size of its text, in points."""
        return min(self.size, LARGE_PRINT) if look_in_use().is_large else SMALLEST

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
        return self.width - 2 * self.padding - (2 * FIELD_BORDER if self.is_area else 0.0)


def field_boxes(pages: Sequence[LaidOutPage], fields: Iterable[Field]) -> tuple[FieldBox, ...]:
    """The places of all fields on some pages; a field that stands on two pages has its first place."""
    known = {field.name: field for field in fields if not field.absent}
    places = [(name, (number, page, place)) for number, page in enumerate(pages) for name, place in page.fields.items()]
    first = {name: place for name, place in reversed(places) if name in known}
    return tuple(_field_box(known[name], *first.pop(name)) for name, _ in places if name in first)


def _field_box(field: Field, number: int, page: LaidOutPage, place: FieldPlace) -> FieldBox:
    left, top, width, height = place.box
    pixels = left, page.height - top - height, width, height, place.type_size
    left, bottom, width, height, size = (round(length * PIXEL, 3) for length in pixels)
    return FieldBox(field, number, left, bottom, width, height, size, LINE_HEIGHT.get(field.kind, FIELD))


class FieldText(NamedTuple):
    """A text in a field: the ``text`` as typed, the type size in points, and the ``lines`` (not ``whole`` if cut).

    A text is ``supported`` if the font of fields has each of its letters as a single glyph.
    """

    box: FieldBox
    text: str
    size: float
    lines: tuple[str, ...]
    whole: bool = True
    supported: bool = True


def set_text(box: FieldBox, text: str) -> FieldText:
    """Set a text with plain blanks and composed letters."""
    if box.is_area:
        return _set_in_area(box, text)
    text, wide, supported = _measured_line(text, look_in_use())
    if wide * box.size <= box.room:
        return FieldText(box, text, box.size, (text,), True, supported)
    return _set_on_line(box, text, wide, supported)


@lru_cache(MOST_REMEMBERED)
def _measured_line(text: str, look: Look) -> tuple[str, float, bool]:
    """A normalized text, its width in em on one line, and whether the font supports the text; cached for all sheets."""
    del look  # a part of the key alone
    text = " ".join(unicodedata.normalize("NFC", text).split())
    return text, text_width(text), is_supported(text)


def normalized_text(text: str, box: FieldBox) -> str:
    """A text as a field has it: composed letters, plain blanks, and no line ends but in an area."""
    if box.is_area:
        return _BLANKS.sub(" ", unicodedata.normalize("NFC", text).replace("\r\n", "\n")).strip()
    return _measured_line(text, look_in_use())[0]


def baseline(box: FieldBox, size: float) -> float:
    """The baseline of the first line, in points from the lower edge of the page."""
    size = size if box.is_area else box.size  # smaller text on one line keeps the baseline
    top = box.bottom + box.height - (FIELD_BORDER + box.padding if box.is_area else 0.0)
    font = measures(font_of_fields()[1])
    # What is left of the line height is shared between above and below.
    return top - (box.line_height + font.ascent - font.descent) / 2 * size


def _set_on_line(box: FieldBox, text: str, wide: float, supported: bool) -> FieldText:
    size, smallest = floor(box.room / wide * 10) / 10, box.smallest
    if size >= smallest:
        return FieldText(box, text, size, (text,), supported=supported)
    start = text
    while start and text_width(start + CUT) * smallest > box.room:
        most = int(box.room / smallest / text_width(start) * len(start)) + 2
        start = start[: min(len(start) - 1, max(1, most))]
    return FieldText(box, text, smallest, (start.rstrip() + CUT,), whole=False, supported=supported)


def _set_in_area(box: FieldBox, text: str) -> FieldText:
    text, size = normalized_text(text, box), box.size
    supported = is_supported(text.replace("\n", ""))
    while True:
        most = max(1, floor((box.height - 2 * (FIELD_BORDER + box.padding)) / (size * box.line_height) + 0.001))
        lines = tuple(islice(_wrap_lines(text, box.room / size), most + 1))
        if len(lines) <= most:
            return FieldText(box, text, size, lines, supported=supported)
        if size - STEP < box.smallest:
            return FieldText(
                box, text, size, _cut_lines(lines[:most], box.room / size), whole=False, supported=supported
            )
        size -= STEP


def _wrap_lines(text: str, room: float) -> Iterator[str]:
    """The lines of a text in a width of ``room`` em."""
    for paragraph in text.split("\n"):
        line, wide, end = "", 0.0, 0
        for match in _PIECE.finditer(paragraph):
            piece = paragraph[end : match.start()] + match[0] if line else match[0]
            end = match.end()
            if wide + text_width(piece) > room:
                if line:
                    yield line
                *full, piece = _broken_word(match[0] if line else piece, room)
                yield from full
                line, wide = "", 0.0
            line, wide = line + piece, wide + text_width(piece)
        yield line


def _broken_word(word: str, room: float) -> list[str]:
    """The pieces of a word that is longer than a line."""
    lines, wide = [""], 0.0
    for letter in word:
        wide += text_width(letter)
        if lines[-1] and wide > room:
            lines.append("")
            wide = text_width(letter)
        lines[-1] += letter
    return lines


def _cut_lines(lines: Sequence[str], room: float) -> tuple[str, ...]:
    """The lines, with a CUT at the end of the last."""
    last = lines[-1]
    while last and text_width(f"{last} {CUT}") > room:
        last = last.rpartition(" ")[0]
    return (*lines[:-1], f"{last} {CUT}".strip())
