"""A font with some of its glyphs, by HarfBuzz, as WeasyPrint makes it.

In: the bytes of a font, and glyphs by number. Out: the bytes of a font in which these have the same numbers. WeasyPrint
itself subsets only fonts that it has just laid text out in.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from contextlib import suppress
from ctypes import c_char_p, c_int, c_uint, c_void_p
from functools import cache
from typing import Any

from refgen.errors import RenderError
from refgen.layout.engine.load import INSTALL_HINT

_RETAIN_GIDS, _NO_HINTING, _DESUBROUTINIZE, _PASSTHROUGH = 0x2, 0x1, 0x4, 0x20
_DROP_TABLES = 3
_DROPPED = ("BASE", "DSIG", "EBDT", "EBLC", "EBSC", "GPOS", "GSUB", "JSTF", "LTSH", "PCLT", "SVG ")
_READONLY = 1


def subset(font: bytes, glyphs: Iterable[int]) -> bytes:
    """The font with these glyphs alone. Raises RenderError where HarfBuzz is not installed."""
    wanted = sorted(glyphs)
    kept = _subset(font, wanted, _RETAIN_GIDS | _PASSTHROUGH | _DESUBROUTINIZE, drop=True)
    # Those behind the last are empty now: without them the font is smaller.
    return _subset(kept, range(wanted[-1] + 1), _NO_HINTING | _PASSTHROUGH | _DESUBROUTINIZE)


def _subset(font: bytes, glyphs: Iterable[int], flags: int, *, drop: bool = False) -> bytes:
    hb, hb_subset = _libraries()
    blob = hb.hb_blob_create(font, len(font), _READONLY, None, None)
    face = hb.hb_face_create(blob, 0)
    asked = hb_subset.hb_subset_input_create_or_fail()
    chosen = hb_subset.hb_subset_input_glyph_set(asked)
    for glyph in glyphs:
        hb.hb_set_add(chosen, glyph)
    for table in _DROPPED if drop else ():
        hb.hb_set_add(hb_subset.hb_subset_input_set(asked, _DROP_TABLES), hb.hb_tag_from_string(table.encode(), -1))
    hb_subset.hb_subset_input_set_flags(asked, flags)
    made = hb_subset.hb_subset_or_fail(face, asked)
    try:
        return _bytes(hb, made)
    finally:
        hb_subset.hb_subset_input_destroy(asked)
        hb.hb_face_destroy(made)
        hb.hb_face_destroy(face)
        hb.hb_blob_destroy(blob)


def _bytes(hb: Any, face: Any) -> bytes:
    blob, length = hb.hb_face_reference_blob(face), c_uint()
    try:
        data = hb.hb_blob_get_data(blob, ctypes.byref(length))
        return ctypes.string_at(data, length.value)
    finally:
        hb.hb_blob_destroy(blob)


@cache
def _libraries() -> tuple[Any, Any]:
    hb, hb_subset = _library("libharfbuzz"), _library("libharfbuzz-subset")
    for library, name, result, arguments in (
        (hb, "hb_blob_create", c_void_p, [c_char_p, c_uint, c_int, c_void_p, c_void_p]),
        (hb, "hb_blob_destroy", None, [c_void_p]),
        (hb, "hb_blob_get_data", c_void_p, [c_void_p, c_void_p]),
        (hb, "hb_face_create", c_void_p, [c_void_p, c_uint]),
        (hb, "hb_face_destroy", None, [c_void_p]),
        (hb, "hb_face_reference_blob", c_void_p, [c_void_p]),
        (hb, "hb_set_add", None, [c_void_p, c_uint]),
        (hb, "hb_tag_from_string", c_uint, [c_char_p, c_int]),
        (hb_subset, "hb_subset_input_create_or_fail", c_void_p, []),
        (hb_subset, "hb_subset_input_destroy", None, [c_void_p]),
        (hb_subset, "hb_subset_input_glyph_set", c_void_p, [c_void_p]),
        (hb_subset, "hb_subset_input_set", c_void_p, [c_void_p, c_int]),
        (hb_subset, "hb_subset_input_set_flags", None, [c_void_p, c_uint]),
        (hb_subset, "hb_subset_or_fail", c_void_p, [c_void_p, c_void_p]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return hb, hb_subset


def _library(name: str) -> Any:
    """A library, as systems call it that WeasyPrint works on."""
    for file in (f"{name}.so.0", f"{name}.0.dylib", f"{name}-0.dll"):
        with suppress(OSError):
            return ctypes.CDLL(file)
    raise RenderError(f"{name}, which makes subsets of fonts, is not there", hint=INSTALL_HINT)
