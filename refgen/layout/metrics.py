"""The fonts of refgen, and the widths of texts in these fonts, without setting the texts.

In: a text and a face. Out: the width of the text in em, with kerning and ligatures, as Pango sets the text. Figures are
lining and tabular in refgen's fonts by default, which ``font-variant-numeric`` in tokens.css asks for as well.

Kerning and ligatures are looked up in the GPOS and GSUB tables of a font pair by pair: fontTools takes longer to load
whole tables than it takes to measure a screen. Only the formats of refgen's fonts are read: kerning by glyph or by
class that changes the advance of the first glyph (OpenType 1.9, GPOS lookup type 2, value format 4), and ligatures of
two glyphs (GSUB lookup type 4). A ligature of three is about as wide as two ligatures of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from io import BytesIO
from itertools import islice
from operator import add
from pathlib import Path
from struct import unpack_from
from unicodedata import category, east_asian_width

import font_source_sans_pro
import font_source_serif_pro

from refgen.errors import RenderError


class Face(StrEnum):
    """The faces of all aids, each with its file: sans for text, italic and semibold for emphasis, serif for titles."""

    REGULAR = "SourceSansPro-Regular.otf"
    ITALIC = "SourceSansPro-It.otf"
    SEMIBOLD = "SourceSansPro-Semibold.otf"
    SERIF = "SourceSerifPro-Semibold.otf"


FONTS = {
    Face.REGULAR: font_source_sans_pro,
    Face.ITALIC: font_source_sans_pro,
    Face.SEMIBOLD: font_source_sans_pro,
    Face.SERIF: font_source_serif_pro,
}
"""The Python package of each font."""

PDF_FONTS = {
    "Refgen-Sans": Face.REGULAR,
    "Refgen-Sans-Italic": Face.ITALIC,
    "Refgen-Sans-Semi-Bold": Face.SEMIBOLD,
    "Refgen-Serif-Semi-Bold": Face.SERIF,
}
"""The fonts by their names in PDFs, which WeasyPrint makes of family, weight and style in ``tokens.css``."""

_FOREIGN, _WIDE = 0.6, 1.0
"""The approximate widths in em of a letter and of an ideograph that come from a font of the machine."""


@cache
def fonts() -> Mapping[str, bytes]:
    """The bytes of every font by the name of its file. Raises RenderError for a missing font."""
    return {
        name: _read(Path(package.__file__).parent / "files" / name, package.__name__) for name, package in FONTS.items()
    }


def _read(path: Path, package: str) -> bytes:
    if not path.is_file():
        raise RenderError(f"the font {path.name} is missing", hint=f"Install the package {package} again.")
    return path.read_bytes()


def width(text: str, face: Face) -> float:
    """The width of a text on one line, in em."""
    font = _font(face)
    return sum(map(font.advances.__getitem__, text)) + sum(map(font.pairs.__getitem__, map(add, text, text[1:])))


def covered(face: Face) -> frozenset[str]:
    """The characters that have a glyph in a face."""
    return _font(face).characters


def without_glyph(text: str, face: Face) -> str:
    """The characters of a text that have no glyph in a face, each once, in order; "" if all have a glyph."""
    return "".join(character for character in dict.fromkeys(text) if character not in covered(face))


class _Advances(dict[str, float]):
    """Advance widths in em by character; the width of a character that the font lacks is guessed."""

    def __missing__(self, character: str) -> float:
        self[character] = width = _guessed(character)
        return width


class _Pairs(dict[str, float]):
    """The width of two characters minus their advances, in em; each pair is looked up in the font once."""

    def __init__(self, glyphs: Mapping[str, int], ligatures: Mapping[str, float], kerning: Kerning, em: int) -> None:
        super().__init__(ligatures)
        self._glyphs, self._kerning, self._em = glyphs, kerning, em

    def __missing__(self, pair: str) -> float:
        first, second = (self._glyphs.get(character) for character in pair)
        units = self._kerning.between(first, second) if first is not None and second is not None else 0
        self[pair] = kerning = units / self._em
        return kerning


@dataclass(frozen=True, slots=True)
class _Font:
    """The measures of a font."""

    characters: frozenset[str]
    advances: _Advances
    pairs: _Pairs


@cache
def _font(face: Face) -> _Font:
    from fontTools.ttLib import TTFont  # slow to load, and most commands measure no text

    with TTFont(BytesIO(fonts()[face]), lazy=True) as font:
        # Numbers serve as the names of glyphs: to read the names takes longer than all the rest.
        font.setGlyphOrder([str(number) for number in range(font["maxp"].numGlyphs)])
        names = font.getBestCmap()
        metrics, em = font["hmtx"].metrics, font["head"].unitsPerEm
        joined, kerning = read_ligatures(font.getTableData("GSUB")), read_kerning(font.getTableData("GPOS"))
    glyphs = {chr(code): int(name) for code, name in names.items()}
    advances = {chr(code): metrics[name][0] / em for code, name in names.items() if not _is_invisible(chr(code))}
    letters = {glyph: character for character, glyph in glyphs.items()}
    ligatures = {
        (pair := letters[first] + letters[second]): metrics[str(glyph)][0] / em - sum(map(advances.__getitem__, pair))
        for (first, second), glyph in joined.items()
        if first in letters and second in letters
    }
    return _Font(frozenset(glyphs), _Advances(advances), _Pairs(glyphs, ligatures, kerning, em))


def _guessed(character: str) -> float:
    if _is_invisible(character):
        return 0.0
    return _WIDE if east_asian_width(character) in "WF" else _FOREIGN


def _is_invisible(character: str) -> bool:
    """Whether a character is a format character or a mark over letters, which have no width (general category)."""
    return category(character) in ("Cf", "Mn")


_PAIRS = 2
_LIGATURES = 4
"""Types of lookups: pairs in GPOS, ligatures in GSUB."""

_ADVANCE = 4
"""The value format that has only an advance."""


@dataclass(frozen=True, slots=True)
class _ByGlyph:
    """Format 1: for each first glyph a list of second glyphs."""

    data: bytes
    lists: Mapping[int, int]

    def find(self, first: int, second: int) -> int | None:
        place = self.lists.get(first)
        if place is None:
            return None
        numbers = _shorts(self.data, place + 2, 2 * _short(self.data, place))
        seconds = numbers[::2]
        return _signed(numbers[2 * seconds.index(second) + 1]) if second in seconds else None


@dataclass(frozen=True, slots=True)
class _ByClass:
    """Format 2: a matrix of classes of first and second glyphs, for every first glyph in ``covered``."""

    data: bytes
    place: int
    width: int
    covered: frozenset[int]
    firsts: Mapping[int, int]
    seconds: Mapping[int, int]

    def find(self, first: int, second: int) -> int | None:
        if first not in self.covered:
            return None
        cell = self.firsts.get(first, 0) * self.width + self.seconds.get(second, 0)
        return _signed(_short(self.data, self.place + 2 * cell))


@dataclass(frozen=True, slots=True)
class Kerning:
    """The kerning of a font."""

    lookups: tuple[tuple[_ByGlyph | _ByClass, ...], ...]

    def between(self, first: int, second: int) -> int:
        """The change of the advance of the first glyph before the second glyph, in font units."""
        return sum(_first_found(lookup, first, second) for lookup in self.lookups)


def read_kerning(data: bytes) -> Kerning:
    """The kerning in a GPOS table."""
    return Kerning(tuple(tuple(_kerning(data, lookup)) for lookup in _lookups(data, b"kern")))


def read_ligatures(data: bytes) -> Mapping[tuple[int, int], int]:
    """The ligatures of two glyphs in a GSUB table."""
    return {pair: glyph for lookup in _lookups(data, b"liga") for pair, glyph in _ligatures(data, lookup)}


def _first_found(lookup: tuple[_ByGlyph | _ByClass, ...], first: int, second: int) -> int:
    """The kerning of a pair by the first part of a lookup that has the pair; 0 if no part has the pair."""
    found = (part.find(first, second) for part in lookup)
    return next((value for value in found if value is not None), 0)


def _lookups(data: bytes, tag: bytes) -> list[int]:
    """The places of the lookups of a feature, in order."""
    features, lookups = _shorts(data, 6, 2)
    numbers: set[int] = set()
    for record in range(_short(data, features)):
        place = features + 2 + 6 * record
        if data[place : place + 4] == tag:
            feature = features + _short(data, place + 4)
            numbers.update(_shorts(data, feature + 4, _short(data, feature + 2)))
    return [lookups + _short(data, lookups + 2 + 2 * number) for number in sorted(numbers)]


def _subtables(data: bytes, lookup: int, kind: int) -> list[int]:
    found, _, count = _shorts(data, lookup, 3)
    return [lookup + offset for offset in _shorts(data, lookup + 6, count)] if found == kind else []


def _kerning(data: bytes, lookup: int) -> Iterator[_ByGlyph | _ByClass]:
    for place in _subtables(data, lookup, _PAIRS):
        table_format, coverage, first_value, second_value = _shorts(data, place, 4)
        if (first_value, second_value) != (_ADVANCE, 0):
            continue
        covered = _coverage(data, place + coverage)
        if table_format == 1:
            lists = _shorts(data, place + 10, _short(data, place + 8))
            yield _ByGlyph(data, {glyph: place + offset for glyph, offset in zip(covered, lists, strict=True)})
        else:
            firsts, seconds, _, width = _shorts(data, place + 8, 4)
            classes = _classes(data, place + firsts), _classes(data, place + seconds)
            yield _ByClass(data, place + 16, width, frozenset(covered), *classes)


def _ligatures(data: bytes, lookup: int) -> Iterator[tuple[tuple[int, int], int]]:
    for place in _subtables(data, lookup, _LIGATURES):
        _, coverage, count = _shorts(data, place, 3)
        sets = _shorts(data, place + 6, count)
        for first, offset in zip(_coverage(data, place + coverage), sets, strict=True):
            start = place + offset
            for ligature in _shorts(data, start + 2, _short(data, start)):
                glyph, parts, second = _shorts(data, start + ligature, 3)
                if parts == 2:
                    yield (first, second), glyph


def _coverage(data: bytes, place: int) -> list[int]:
    """The glyphs of a coverage table, in order."""
    table_format, count = _shorts(data, place, 2)
    if table_format == 1:
        return list(_shorts(data, place + 4, count))
    return [glyph for start, end, _ in _ranges(data, place + 4, count) for glyph in range(start, end + 1)]


def _classes(data: bytes, place: int) -> Mapping[int, int]:
    """The classes of all glyphs whose class is not 0."""
    table_format, number = _shorts(data, place, 2)
    if table_format == 1:
        return dict(enumerate(_shorts(data, place + 6, _short(data, place + 4)), start=number))
    ranges = _ranges(data, place + 4, number)
    return {glyph: number for start, end, number in ranges for glyph in range(start, end + 1)}


def _ranges(data: bytes, place: int, count: int) -> Iterator[tuple[int, int, int]]:
    numbers = iter(_shorts(data, place, 3 * count))
    while triple := tuple(islice(numbers, 3)):
        start, end, value = triple
        yield start, end, value


def _short(data: bytes, place: int) -> int:
    return data[place] << 8 | data[place + 1]


def _shorts(data: bytes, place: int, count: int) -> tuple[int, ...]:
    return unpack_from(f">{count}H", data, place)


def _signed(number: int) -> int:
    return number - 0x10000 if number & 0x8000 else number
