"""Text in a field: on lines, as large as fits, within limits, in Refgen Sans.

In: a text, and the FieldBox that it stands in. Out: a SetText: its size and its lines, and whether it is whole; its
glyphs as PDF wants them, and its width. What does not fit even in the smallest size ends in "…", and stands on a
continuation page. A PDF whose pages use the font already gets the same font with every letter of Latin, Greek and
Cyrillic that it has, so that whatever is typed shows.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import floor
from typing import Any, NamedTuple

from fontTools.ttLib import TTFont

from refgen.aids.sheet.fill.append import escaped
from refgen.aids.sheet.fill.geometry import FieldBox
from refgen.errors import RenderError
from refgen.render.assets import assets
from refgen.render.fonts import subset

FILE = "assets/fonts/SourceSansPro-Regular.otf"
PDF_NAME = "Refgen-Sans"
"""What WeasyPrint calls it, behind the six letters of a subset."""

RESOURCE = "/Fill"
"""What pages and fields call it."""

UNITS = 1000

_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "MODIFIER LETTER")
_SIGNS = frozenset("PSZN")
"""General categories, by their first letter, of what stands between letters: punctuation, symbols, blanks, figures."""

MOST_REMEMBERED = 20_000


class Run(NamedTuple):
    """Some text on one line: its glyphs as the inside of a PDF string, and its width in em."""

    glyphs: bytes
    width: float


@dataclass(slots=True)
class FillFont:
    """The ``glyphs`` of characters, the ``widths`` of all glyphs in thousandths of an em."""

    glyphs: Mapping[str, int]
    widths: list[int]
    known: dict[str, Run] = field(default_factory=dict)
    words: dict[str, float] = field(default_factory=dict)
    codes: dict[str, bytes] = field(default_factory=dict)
    ems: _Ems = field(default_factory=lambda: _Ems())

    def __post_init__(self) -> None:
        self.codes = {letter: escaped(glyph.to_bytes(2, "big")) for letter, glyph in self.glyphs.items()}
        self.ems.update((letter, self.widths[glyph] / UNITS) for letter, glyph in self.glyphs.items())

    def run(self, text: str) -> Run | None:
        """Some text, None where it lacks a letter. Most characters have many texts in common: they are remembered."""
        found = self.known.get(text)
        if found is None:
            try:
                glyphs = b"".join(map(self.codes.__getitem__, text))
            except KeyError:
                return None
            if len(self.known) >= MOST_REMEMBERED:
                self.known.clear()
            found = self.known[text] = Run(glyphs, sum(map(self.ems.__getitem__, text)))
        return found

    def width(self, text: str) -> float:
        """The width of some text in em; a letter that it lacks counts as one em. That of words is remembered."""
        found = self.words.get(text)
        if found is None:
            if len(self.words) >= MOST_REMEMBERED:
                self.words.clear()
            found = self.words[text] = sum(map(self.ems.__getitem__, text))
        return found

    def shows(self, text: str) -> bool:
        """Whether it has every character of a text, each of which is a glyph of its own."""
        return self.codes.keys() >= set(text)


class _Ems(dict[str, float]):
    """The widths of letters in em: one for each that is not known."""

    def __missing__(self, letter: str) -> float:
        return 1.0


@cache
def fill_font() -> FillFont:
    """The font."""
    font = _opened()
    order = {name: number for number, name in enumerate(font.getGlyphOrder())}
    glyphs = {chr(code): order[name] for code, name in font.getBestCmap().items() if _wanted(chr(code))}
    metrics = font["hmtx"].metrics
    return FillFont(glyphs, [metrics[name][0] for name in font.getGlyphOrder()])


def _opened() -> Any:
    return TTFont(io.BytesIO(assets()[FILE]), lazy=True, recalcTimestamp=False)


def _wanted(letter: str) -> bool:
    """Whether fields are to show it: letters of the three scripts, and what stands between them."""
    if unicodedata.category(letter)[0] in _SIGNS:
        return unicodedata.category(letter) != "Sk" or letter.isascii()
    name = unicodedata.name(letter, "")
    return name.startswith(_SCRIPTS) or letter in "ªµº"


def widen(pdf: Any) -> Any:
    """Give a PDF of pikepdf's the whole font: what its pages use of it, and every letter for fields.

    Returns the font's object. Raises RenderError where no page uses it.
    """
    font = _find(pdf)
    used = frozenset(_used(pdf, font))
    letters = fill_font()
    glyphs = used | frozenset(letters.glyphs.values())
    descendant = font.DescendantFonts[0]
    file = pdf.make_stream(_file(glyphs))
    file.Subtype = descendant.FontDescriptor.FontFile3.Subtype
    descendant.FontDescriptor.FontFile3 = file
    descendant.W = _array(glyphs, letters.widths)
    font.ToUnicode = pdf.make_stream(_to_unicode(glyphs, letters.glyphs, _meanings(font)))
    return font


def _find(pdf: Any) -> Any:
    for page in pdf.pages:
        for font in page.Resources.Font.values():
            if str(font.BaseFont).partition("+")[2] == PDF_NAME:
                return font
    raise RenderError("no page uses the font of fields", hint="This is a fault in refgen's templates.")


def _used(pdf: Any, font: Any) -> Iterator[int]:
    """The glyphs of the font on all pages."""
    import pikepdf

    for page in pdf.pages:
        names = {name for name, other in page.Resources.Font.items() if other.objgen == font.objgen}
        current = False
        for step in pikepdf.parse_content_stream(page):
            match str(step.operator):
                case "Tf":
                    current = str(step.operands[0]) in names
                case "TJ" if current:
                    pieces: list[Any] = list(step.operands[0])
                    yield from (glyph for piece in pieces if isinstance(piece, pikepdf.String) for glyph in _of(piece))
                case "Tj" if current:
                    yield from _of(step.operands[0])


def _of(shown: Any) -> Iterator[int]:
    """The glyphs of a string that is shown: two bytes each."""
    data = bytes(shown)
    return (int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2))


@cache
def _file(glyphs: frozenset[int]) -> bytes:
    """The font with these glyphs, each in its place."""
    return subset(assets()[FILE], glyphs)


def _array(glyphs: Iterable[int], widths: list[int]) -> Any:
    """The widths of glyphs as PDF has them: each run of neighbours behind the first of them."""
    import pikepdf

    array: list[Any] = []
    last = -2
    for glyph in sorted(glyphs):
        if glyph != last + 1:
            array += [glyph, []]
        array[-1].append(widths[glyph])
        last = glyph
    return pikepdf.Array([pikepdf.Array(one) if isinstance(one, list) else one for one in array])


def _meanings(font: Any) -> Mapping[int, str]:
    """What the glyphs of a PDF's pages stand for, by its own map."""
    found = {}
    for glyph, text in re.findall(rb"<([0-9a-fA-F]{4})> <([0-9a-fA-F]*)>\s", font.ToUnicode.read_bytes()):
        if text and text.lower() != b"fffd":
            found[int(glyph, 16)] = bytes.fromhex(text.decode()).decode("utf-16-be")
    return found


def _to_unicode(glyphs: Iterable[int], letters: Mapping[str, int], meanings: Mapping[int, str]) -> bytes:
    """The map from glyphs to text (ISO 32000-1, 9.10.3)."""
    texts = {glyph: letter for letter, glyph in sorted(letters.items(), reverse=True)}
    texts = {**meanings, **texts}
    lines = [f"<{glyph:04x}> <{texts.get(glyph, chr(0xFFFD)).encode('utf-16-be').hex()}>" for glyph in sorted(glyphs)]
    blocks = [lines[start : start + 100] for start in range(0, len(lines), 100)]
    body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        f"1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n{body}\n"
        "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
    ).encode()


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
