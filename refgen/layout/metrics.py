"""How wide text is, without setting it.

In: a text and a face. Out: its width in em, with kerning and ligatures, as Pango sets it. Figures need no care: those
of our fonts are lining and tabular by default, which is what ``font-variant-numeric`` in tokens.css asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from io import BytesIO
from operator import add
from unicodedata import category, east_asian_width

from refgen.layout.fonts import fonts
from refgen.layout.pairs import Kerning, read_kerning, read_ligatures


class Face(StrEnum):
    """The faces of all aids, each with its file: sans for text, semibold for what stands out, serif for titles."""

    REGULAR = "SourceSansPro-Regular.otf"
    SEMIBOLD = "SourceSansPro-Semibold.otf"
    SERIF = "SourceSerifPro-Semibold.otf"


_FOREIGN, _WIDE = 0.6, 1.0
"""The width of a character that comes from another font, about; a wide one is that of an ideograph."""


class _Advances(dict[str, float]):
    """Advance widths in em, by character; one that the font lacks is guessed."""

    def __missing__(self, character: str) -> float:
        self[character] = width = _guessed(character)
        return width


class _Pairs(dict[str, float]):
    """By how much two characters are wider than each alone, in em, looked up in the font once."""

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
    """What is known of a font; ``ascent`` and ``descent`` are what it reaches above and below the baseline, in em."""

    characters: frozenset[str]
    advances: _Advances
    pairs: _Pairs
    ascent: float
    descent: float


def width(text: str, face: Face) -> float:
    """The width of a text on one line, in em."""
    font = _font(face)
    return sum(map(font.advances.__getitem__, text)) + sum(map(font.pairs.__getitem__, map(add, text, text[1:])))


def without_glyph(text: str, face: Face) -> str:
    """The characters of a text that a face has no glyph for, each once, in order; "" when it has them all."""
    characters = _font(face).characters
    return "".join(character for character in dict.fromkeys(text) if character not in characters)


def baseline(face: Face, line: float) -> float:
    """How far below the top of a line its baseline is, in em, where lines are ``line`` em high."""
    font = _font(face)
    return font.ascent + (line - font.ascent - font.descent) / 2


@cache
def _font(face: Face) -> _Font:
    from fontTools.ttLib import TTFont  # slow to load, and most commands measure no text

    with TTFont(BytesIO(fonts()[face]), lazy=True) as font:
        # Glyphs go by their numbers: to read their names takes longer than all the rest.
        font.setGlyphOrder([str(number) for number in range(font["maxp"].numGlyphs)])
        names = font.getBestCmap()
        metrics, em = font["hmtx"].metrics, font["head"].unitsPerEm
        reach = font["hhea"].ascent / em, -font["hhea"].descent / em
        joined, kerning = read_ligatures(font.getTableData("GSUB")), read_kerning(font.getTableData("GPOS"))
    glyphs = {chr(code): int(name) for code, name in names.items()}
    advances = {chr(code): metrics[name][0] / em for code, name in names.items() if not _is_invisible(chr(code))}
    letters = {glyph: character for character, glyph in glyphs.items()}
    ligatures = {
        (pair := letters[first] + letters[second]): metrics[str(glyph)][0] / em - sum(map(advances.__getitem__, pair))
        for (first, second), glyph in joined.items()
        if first in letters and second in letters
    }
    return _Font(frozenset(glyphs), _Advances(advances), _Pairs(glyphs, ligatures, kerning, em), *reach)


def _guessed(character: str) -> float:
    if _is_invisible(character):
        return 0.0
    return _WIDE if east_asian_width(character) in "WF" else _FOREIGN


def _is_invisible(character: str) -> bool:
    """Whether it is a format character or a mark over letters, which take no width (Unicode general category)."""
    return category(character) in ("Cf", "Mn")
