"""HarfBuzz, the library that shapes text for Pango: the widths of texts in a font, and the letters that a font has.

In: the bytes of a font. Out: a FontMeasures: the width of any text as Pango sets the text, with kerning, ligatures and
tabular lining figures; its characters; ascent and descent. All lengths are in em. The library is the one that
WeasyPrint loads, by its name on Linux, macOS or Windows. Where there is none, fontTools tells the widths of letters.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import POINTER, c_char_p, c_int, c_int32, c_uint, c_uint32, c_void_p
from functools import cache
from io import BytesIO
from typing import Any

from refgen.errors import RenderError

INSTALL_HINTS = {
    "debian": "On Debian and Ubuntu: apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
    "fedora": "On Fedora: dnf install pango",
    "darwin": "On macOS: brew install pango (and DYLD_FALLBACK_LIBRARY_PATH=/opt/homebrew/lib for other Pythons)",
    "win32": "On Windows: install MSYS2, then in its UCRT64 shell: pacman -S mingw-w64-ucrt-x86_64-pango",
    "": "Install Pango 1.44 or newer, and HarfBuzz with hb-subset",
}
"""How Pango is installed, by ``sys.platform`` or the name of a family of Linux; "" stands for any other system."""

_JOINED = frozenset(map(chr, (*range(0x0620, 0x064B), *range(0x066E, 0x06D4))))
"""The letters of Arabic, whose shapes depend on the letters beside them."""

_READONLY = 1
_LEFT_TO_RIGHT = 4
_INVALID = 0xFFFFFFFF
"""The value before the first and after the last of a set of HarfBuzz."""

_FEATURES = (b"lnum", b"tnum")
"""The figures that tokens.css asks for with ``font-variant-numeric``."""


class NoPangoError(RenderError):
    """A machine has no Pango, or no HarfBuzz: WeasyPrint cannot set text."""


def install_hint() -> str:
    """How Pango is installed on this system."""
    system = sys.platform
    with suppress(OSError):
        found = platform.freedesktop_os_release()
        names = (found["ID"], *found.get("ID_LIKE", "").split())
        system = next((name for name in names if name in INSTALL_HINTS), system)
    return INSTALL_HINTS.get(system, INSTALL_HINTS[""])


class _Feature(ctypes.Structure):
    """hb_feature_t: on for the whole text."""

    _fields_ = (("tag", c_uint32), ("value", c_uint32), ("start", c_uint), ("end", c_uint))


class _Position(ctypes.Structure):
    """hb_glyph_position_t."""

    _fields_ = tuple((name, c_int32) for name in ("x_advance", "y_advance", "x_offset", "y_offset", "var"))


class _Extents(ctypes.Structure):
    """hb_font_extents_t."""

    _fields_ = (("ascender", c_int32), ("descender", c_int32), ("line_gap", c_int32), ("reserved", c_int32 * 9))


class _GlyphExtents(ctypes.Structure):
    """hb_glyph_extents_t."""

    _fields_ = tuple((name, c_int32) for name in ("x_bearing", "y_bearing", "width", "height"))


class FontMeasures:
    """The measures of a font; ``ascent`` and ``descent`` are its heights above and below the baseline.

    ``characters`` are those that a PDF can name again. ``parted`` are the letters that the font draws in parts which
    letters share, a stroke and its dots: of these no PDF says which letter is meant.
    """

    def __init__(self, data: bytes) -> None:
        self._hb = hb = harfbuzz()
        self._data = data  # HarfBuzz reads the bytes where they are
        face = _face(hb, data)
        self._em: int = hb.hb_face_get_upem(face)
        self._font = hb.hb_font_create(face)
        self._buffer = hb.hb_buffer_create()
        tags = [hb.hb_tag_from_string(name, -1) for name in _FEATURES]
        self._features = (_Feature * len(tags))(*(_Feature(tag, 1, 0, _INVALID) for tag in tags))
        self.characters = frozenset(_characters(hb, face))
        self.parted = frozenset(letter for letter in self.characters if self._is_parted(letter))
        self.characters -= self.parted
        extents = _Extents()
        hb.hb_font_get_extents_for_direction(self._font, _LEFT_TO_RIGHT, ctypes.byref(extents))
        self.ascent: float = extents.ascender / self._em
        self.descent: float = -extents.descender / self._em

    def width(self, text: str) -> float:
        """The width of a text on one line."""
        return self._shape_text(text)[0] / self._em

    def _is_parted(self, letter: str) -> bool:
        return letter in _JOINED and self._shape_text(letter)[1] > 1

    def undrawable_glyph(self) -> int | None:
        """The number of the first glyph whose outline is damaged; None where every glyph can be drawn."""
        extents, hb = _GlyphExtents(), self._hb
        numbers = range(hb.hb_face_get_glyph_count(hb.hb_font_get_face(self._font)))
        drawn = (hb.hb_font_get_glyph_extents(self._font, number, ctypes.byref(extents)) for number in numbers)
        return next((number for number, is_drawn in zip(numbers, drawn, strict=True) if not is_drawn), None)

    def kerning(self, pair: str) -> float:
        """By how much two characters are wider than each alone; most are narrower, or a ligature."""
        (both, glyphs), alone = self._shape_text(pair), [self._shape_text(letter)[0] for letter in pair]
        if glyphs == 1:
            return both / self._em - sum(units / self._em for units in alone)
        return (both - sum(alone)) / self._em

    def _shape_text(self, text: str) -> tuple[int, int]:
        """The width of a text in units of the font, and the number of its glyphs."""
        hb, buffer, data, count = self._hb, self._buffer, text.encode(), c_uint()
        hb.hb_buffer_reset(buffer)
        hb.hb_buffer_add_utf8(buffer, data, len(data), 0, len(data))
        hb.hb_buffer_guess_segment_properties(buffer)
        hb.hb_shape(self._font, buffer, self._features, len(self._features))
        glyphs = hb.hb_buffer_get_glyph_positions(buffer, ctypes.byref(count))
        return sum(glyphs[place].x_advance for place in range(count.value)), count.value


class PlainMeasures(FontMeasures):
    """The measures of a font on a machine without HarfBuzz, by fontTools: every letter is as wide as when alone."""

    def __init__(self, data: bytes) -> None:
        from fontTools.ttLib import TTFont

        font = TTFont(BytesIO(data), lazy=True)
        self._em, head, advances = font["head"].unitsPerEm, font["hhea"], font["hmtx"]
        self.ascent, self.descent = head.ascent / self._em, -head.descent / self._em
        figures = dict(substitutes(font))
        glyphs = {chr(code): figures.get(glyph, glyph) for code, glyph in font.getBestCmap().items()}
        self._advances = {character: advances[glyph][0] for character, glyph in glyphs.items()}
        self.characters, self.parted = frozenset(glyphs), frozenset()

    def undrawable_glyph(self) -> int | None:
        """None: a damaged outline is found where it is drawn."""
        return None

    def kerning(self, pair: str) -> float:  # noqa: ARG002
        """Zero: kerning is not known."""
        return 0.0

    def _shape_text(self, text: str) -> tuple[int, int]:
        return sum(self._advances.get(character, 0) for character in text), len(text)


def substitutes(font: Any) -> Iterator[tuple[str, str]]:
    """The glyphs that stand in place of others, by the features that tokens.css asks for."""
    if "GSUB" not in font:
        return
    table = font["GSUB"].table
    for feature in table.FeatureList.FeatureRecord if table.FeatureList else ():
        if feature.FeatureTag.encode() in _FEATURES:
            for number in feature.Feature.LookupListIndex:
                for subtable in table.LookupList.Lookup[number].SubTable:
                    yield from getattr(getattr(subtable, "ExtSubTable", subtable), "mapping", {}).items()


def font_measures(data: bytes) -> FontMeasures:
    """The measures of a font: by HarfBuzz, where this machine has HarfBuzz."""
    try:
        return FontMeasures(data)
    except NoPangoError:
        return PlainMeasures(data)


@contextmanager
def open_face(data: bytes) -> Iterator[int]:
    """The address of the face of a font in HarfBuzz, which is there in this context alone. Raises NoPangoError."""
    hb = harfbuzz()
    face = _face(hb, data)
    try:
        yield face
    finally:
        hb.hb_face_destroy(face)


def _face(hb: Any, data: bytes) -> int:
    blob = hb.hb_blob_create(data, len(data), _READONLY, None, None)
    face: int = hb.hb_face_create(blob, 0)
    hb.hb_blob_destroy(blob)  # the face holds on to it
    return face


def _characters(hb: Any, face: Any) -> list[str]:
    found, code, characters = hb.hb_set_create(), c_uint32(_INVALID), []
    hb.hb_face_collect_unicodes(face, found)
    while hb.hb_set_next(found, ctypes.byref(code)):
        characters.append(chr(code.value))
    hb.hb_set_destroy(found)
    return characters


_FUNCTIONS: tuple[tuple[str, Any, list[Any]], ...] = (
    ("hb_blob_create", c_void_p, [c_char_p, c_uint, c_int, c_void_p, c_void_p]),
    ("hb_blob_destroy", None, [c_void_p]),
    ("hb_face_create", c_void_p, [c_void_p, c_uint]),
    ("hb_face_destroy", None, [c_void_p]),
    ("hb_face_get_glyph_count", c_uint, [c_void_p]),
    ("hb_font_get_face", c_void_p, [c_void_p]),
    ("hb_font_get_glyph_extents", c_int, [c_void_p, c_uint32, c_void_p]),
    ("hb_face_get_upem", c_uint, [c_void_p]),
    ("hb_face_collect_unicodes", None, [c_void_p, c_void_p]),
    ("hb_font_create", c_void_p, [c_void_p]),
    ("hb_font_get_extents_for_direction", None, [c_void_p, c_int, c_void_p]),
    ("hb_buffer_create", c_void_p, []),
    ("hb_buffer_reset", None, [c_void_p]),
    ("hb_buffer_add_utf8", None, [c_void_p, c_char_p, c_int, c_uint, c_int]),
    ("hb_buffer_guess_segment_properties", None, [c_void_p]),
    ("hb_buffer_get_glyph_positions", POINTER(_Position), [c_void_p, c_void_p]),
    ("hb_shape", None, [c_void_p, c_void_p, c_void_p, c_uint]),
    ("hb_set_create", c_void_p, []),
    ("hb_set_next", c_int, [c_void_p, c_void_p]),
    ("hb_set_destroy", None, [c_void_p]),
    ("hb_tag_from_string", c_uint, [c_char_p, c_int]),
)
"""The functions that are called: the name, the type of the result, the types of the arguments."""


@cache
def harfbuzz() -> Any:
    """The library. Raises NoPangoError if it is not installed."""
    for file in ("libharfbuzz.so.0", "libharfbuzz.0.dylib", "libharfbuzz-0.dll"):
        with suppress(OSError):
            found = ctypes.CDLL(file)
            for function, result, arguments in _FUNCTIONS:
                getattr(found, function).restype = result
                getattr(found, function).argtypes = arguments
            return found
    raise NoPangoError("there is no libharfbuzz, so that no PDF can be made", hint=install_hint())
