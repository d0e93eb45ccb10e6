"""The fonts of refgen and of the look in use, and the widths of texts in these fonts, without setting the texts.

In: a text and a face. Out: the width of the text in em, with kerning and ligatures, as Pango sets the text: HarfBuzz
measures each character, and each pair of characters, once. A ligature of three is about as wide as two ligatures of
two. A face is several fonts, of which a character takes the first that has it: those of the look, and refgen's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from operator import add
from pathlib import Path
from unicodedata import category, east_asian_width, normalize
from unicodedata import name as unicode_name

import font_source_sans_pro
import font_source_serif_pro

from refgen.errors import RenderError
from refgen.files import bundled_folder
from refgen.look.harfbuzz import FontMeasures, font_measures
from refgen.look.look import Look, in_look, look_in_use


class Face(StrEnum):
    """The faces of all aids, each with its file: sans for text, italic and semibold for emphasis, serif for titles."""

    REGULAR = "SourceSansPro-Regular.otf"
    ITALIC = "SourceSansPro-It.otf"
    SEMIBOLD = "SourceSansPro-Semibold.otf"
    SERIF = "SourceSerifPro-Semibold.otf"


_FONTS_OF: Mapping[Face, Sequence[str]] = {
    Face.REGULAR: ("Look-Text", "Look-Figures", "Refgen-Sans", "Refgen-Symbols"),
    Face.ITALIC: ("Look-Text-Italic", "Look-Figures-Italic", "Refgen-Sans-Italic", "Refgen-Symbols-Italic"),
    Face.SEMIBOLD: (
        "Look-Text-Semi-Bold",
        "Look-Figures-Semi-Bold",
        "Refgen-Sans-Semi-Bold",
        "Refgen-Symbols-Semi-Bold",
    ),
    Face.SERIF: (
        "Look-Titles-Semi-Bold",
        "Refgen-Serif-Semi-Bold",
        "Look-Text-Semi-Bold",
        "Refgen-Sans-Semi-Bold",
        "Refgen-Symbols-Semi-Bold",
    ),
}
"""The names in PDFs of the fonts of each face, which WeasyPrint makes of family, weight and style in ``tokens.css``.

They stand in the order of the style sheets, ``tokens.css`` and that of the look.
"""

SYMBOLS = "RefgenSymbols.ttf"
"""The file of the signs that games use, such as dice, stars and swords: one face for all (.ci/symbols.py)."""

PDF_FONTS: Mapping[str, str] = {
    "Refgen-Sans": Face.REGULAR,
    "Refgen-Sans-Italic": Face.ITALIC,
    "Refgen-Sans-Semi-Bold": Face.SEMIBOLD,
    "Refgen-Serif-Semi-Bold": Face.SERIF,
    "Refgen-Symbols": SYMBOLS,
    "Refgen-Symbols-Italic": SYMBOLS,
    "Refgen-Symbols-Semi-Bold": SYMBOLS,
}
"""The files of refgen's fonts by their names in PDFs."""

_FOREIGN, _WIDE = 0.6, 1.0
"""The approximate widths in em of a letter and of an ideograph that come from a font of the machine."""


@cache
def fonts() -> Mapping[str, bytes]:
    """The bytes of every font by the name of its file. Raises RenderError for a missing font."""
    symbols = (bundled_folder("templates") / "fonts" / SYMBOLS).read_bytes()
    return {**{face.value: _read(face) for face in Face}, SYMBOLS: symbols}


def _read(face: Face) -> bytes:
    package = font_source_serif_pro if face is Face.SERIF else font_source_sans_pro
    path = Path(package.__file__).parent / "files" / face
    if not path.is_file():
        raise RenderError(f"the font {path.name} is missing", hint=f"Install the package {package.__name__} again.")
    return path.read_bytes()


def font_bytes(name: str) -> bytes | None:
    """The bytes of a font of refgen, or of the look in use, by its name in PDFs; None for any other font."""
    return look_in_use().fonts.get(name) or (fonts()[PDF_FONTS[name]] if name in PDF_FONTS else None)


def is_ours(name: str) -> bool:
    """Whether refgen or the look in use has a font with this name in PDFs."""
    return name in PDF_FONTS or name in look_in_use().fonts


def width(text: str, face: Face) -> float:
    """The width of a text on one line, in em."""
    font = _face(face, look_in_use())
    return sum(map(font.advance, text)) + sum(map(font.kerning, map(add, text, text[1:])))


def covered_characters(name: str) -> frozenset[str]:
    """The characters that have a glyph in a font, by its name in PDFs."""
    data = font_bytes(name)
    return frozenset() if data is None else measures(data).characters


def without_glyph(text: str, *faces: Face) -> str:
    """The characters of a text that have no glyph in one of some faces, each once, in order.

    Blanks and characters that are never seen need none. Where a letter with its accent has none, letter and accent may.
    """
    if text.isascii():
        return ""
    known = frozenset.intersection(*(_face(face, look_in_use()).characters for face in faces))
    lacking = (character for character in dict.fromkeys(text) if character not in known and not _is_unseen(character))
    return "".join(character for character in lacking if not known.issuperset(normalize("NFD", character)))


def parted_letters(text: str) -> str:
    """The letters of a text that a font of the look draws in parts, so that no page may show them."""
    found = frozenset[str]().union(*(measures(data).parted for data in look_in_use().fonts.values()))
    return "".join(letter for letter in dict.fromkeys(text) if letter in found)


@lru_cache(maxsize=32)
def measures(data: bytes) -> FontMeasures:
    """The measures of a font."""
    return font_measures(data)


class _Face:
    """The fonts of a face; the widths of characters and of pairs of characters are remembered."""

    def __init__(self, face: Face, look: Look) -> None:
        with in_look(look):
            self._fonts = [measures(data) for name in _FONTS_OF[face] if (data := font_bytes(name)) is not None]
        self.advance, self.kerning = cache(self._advance), cache(self._kerning)
        self.characters = frozenset[str]().union(*(font.characters for font in self._fonts))

    def of(self, character: str) -> FontMeasures | None:
        """The font that sets a character; None where that is a font of the machine."""
        return next((font for font in self._fonts if character in font.characters), None)

    def _advance(self, character: str) -> float:
        """The advance width of a character in em; the width of a character that all fonts lack is guessed."""
        font = self.of(character)
        return _guess_width(character) if font is None or _is_invisible(character) else font.width(character)

    def _kerning(self, pair: str) -> float:
        """The width of two characters minus their advances, in em: kerning, or a ligature."""
        first, second = map(self.of, pair)
        if first is None or any(map(_is_invisible, pair)):
            return 0.0
        if first is second:
            return first.kerning(pair)
        if pair[1].isspace() and "e" in first.characters:  # Pango sets a space in the font of the letter before
            return first.width(pair) - first.width(pair[0]) - self.advance(pair[1])
        return 0.0


@lru_cache(maxsize=64)
def _face(face: Face, look: Look) -> _Face:
    return _Face(face, look)


def _guess_width(character: str) -> float:
    if _is_invisible(character):
        return 0.0
    return _WIDE if east_asian_width(character) in "WF" else _FOREIGN


def _is_unseen(character: str) -> bool:
    """Whether a character is a blank, a format character, or one that chooses between two shapes of a letter."""
    return (
        character.isspace()
        or category(character) in ("Cf", "Cc")
        or "VARIATION SELECTOR" in unicode_name(character, "")
    )


def _is_invisible(character: str) -> bool:
    """Whether a character is a format character or a mark over letters, which have no width (general category)."""
    return category(character) in ("Cf", "Mn")
