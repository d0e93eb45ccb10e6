"""Subsets of refgen's fonts for the pages of a joined PDF: one subset of each font, with the glyphs of all pages.

In: a PDF (of pikepdf) whose pages name the glyphs of refgen's fonts that they show, and embed none of these fonts. Out:
the same PDF, changed in place, with each font embedded once. HarfBuzz makes the subsets with the settings of
WeasyPrint, so that glyphs keep their numbers; WeasyPrint itself subsets a font only while it lays text out.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ctypes import c_int, c_uint, c_void_p
from functools import cache, lru_cache
from typing import Any

from pikepdf import Array, Name

from refgen.errors import RenderError
from refgen.layout import metrics
from refgen.look.harfbuzz import harfbuzz, library

_MEANING = re.compile(rb"<([0-9a-f]{4})> <[0-9a-f]*>")
"""A line of a ToUnicode map, from a glyph to text."""


def share_fonts(pdf: Any) -> None:
    """Embed each font of refgen once for all pages; other fonts stay unchanged.

    Raises RenderError if HarfBuzz, which makes subsets, is not installed.
    """
    used: dict[str, list[Any]] = {}
    for page in pdf.pages:
        for name, font in page.Resources.Font.items():
            if is_ours(str(font.BaseFont)):
                used.setdefault(name, []).append(page.Resources.Font)
    for name, holders in used.items():
        fonts = [holder[name] for holder in holders]
        _embed(pdf, fonts)
        for holder in holders:
            holder[name] = fonts[0]


def is_ours(name: str) -> bool:
    """Whether a subset with this name belongs to a font of refgen."""
    return metrics.is_ours(name.partition("+")[2])


def _embed(pdf: Any, fonts: Sequence[Any]) -> None:
    """Give the first of several subsets of a font the glyphs of all."""
    meanings = {glyph: line for font in reversed(fonts) for glyph, line in meanings_of(font)}
    widths = {glyph: width for font in fonts for glyph, width in widths_of(font)}
    embed(pdf, fonts[0], str(fonts[0].BaseFont).partition("+")[2], meanings, widths)


def embed(pdf: Any, font: Any, name: str, meanings: Mapping[int, bytes], widths: Mapping[int, Any]) -> None:
    """Give a font of a PDF, by its name, other glyphs, with their widths and the lines of the ToUnicode map."""
    descendant = font.DescendantFonts[0]
    data = metrics.font_bytes(name)
    if data is None:
        raise RenderError(f"{name} is no font of this look", hint="This is a fault in refgen.")
    subset_ = pdf.make_stream(_subset_of_pages(data, frozenset(meanings)))
    if data.startswith(b"OTTO"):
        subset_.Subtype = Name.OpenType
        descendant.FontDescriptor.FontFile3 = subset_
    else:
        descendant.FontDescriptor.FontFile2 = subset_
    descendant.W = _array(widths)
    font.ToUnicode = pdf.make_stream(_to_unicode(font.ToUnicode.read_bytes(), meanings))


@lru_cache(maxsize=16)
def _subset_of_pages(font: bytes, glyphs: frozenset[int]) -> bytes:
    return subset(font, glyphs)


def meanings_of(font: Any) -> Iterator[tuple[int, bytes]]:
    """The glyphs of a subset, each with its line of the ToUnicode map."""
    _, _, lines = font.ToUnicode.read_bytes().partition(b"endcodespacerange")
    return ((int(found[1], 16), found[0]) for found in _MEANING.finditer(lines))


def _to_unicode(map_: bytes, meanings: Mapping[int, bytes]) -> bytes:
    """A ToUnicode map with other lines (ISO 32000-1, 9.10.3)."""
    lines = [line for _, line in sorted(meanings.items())]
    blocks = [lines[start : start + 100] for start in range(0, len(lines), 100)]
    body = b"\n".join(b"%d beginbfchar\n%s\nendbfchar" % (len(block), b"\n".join(block)) for block in blocks)
    head, tail = map_[: map_.index(b"endcodespacerange")], map_[map_.rindex(b"endbfchar") + len("endbfchar") :]
    return head + b"endcodespacerange\n" + body + tail


def widths_of(font: Any) -> Iterator[tuple[int, Any]]:
    """The glyphs of a subset, each with its width in thousandths of an em."""
    values = list(font.DescendantFonts[0].W)
    for first, widths in zip(values[::2], values[1::2], strict=True):
        yield from enumerate(widths, start=int(first))


def _array(widths: Mapping[int, Any]) -> Array:
    """The widths of glyphs as a PDF array: for each run of consecutive glyphs, the first glyph and the widths."""
    array: list[Any] = []
    last = -2
    for glyph, width in sorted(widths.items()):
        if glyph != last + 1:
            array += [glyph, []]
        array[-1].append(width)
        last = glyph
    return Array(Array(one) if isinstance(one, list) else one for one in array)


_RETAIN_GIDS, _NO_HINTING, _DESUBROUTINIZE, _PASSTHROUGH = 0x2, 0x1, 0x4, 0x20
_DROP_TABLES = 3
_DROPPED = ("BASE", "DSIG", "EBDT", "EBLC", "EBSC", "GPOS", "GSUB", "JSTF", "LTSH", "PCLT", "SVG ")
_READONLY = 1


def subset(font: bytes, glyphs: Iterable[int]) -> bytes:
    """The font with only the given glyphs. Raises RenderError if HarfBuzz is not installed."""
    wanted = sorted(glyphs)
    kept = _subset(font, wanted, _RETAIN_GIDS | _PASSTHROUGH | _DESUBROUTINIZE, drop=True)
    # Glyphs behind the last one that is wanted are empty now: the font is smaller without them.
    return _subset(kept, range(wanted[-1] + 1), _NO_HINTING | _PASSTHROUGH | _DESUBROUTINIZE)


def _subset(font: bytes, glyphs: Iterable[int], flags: int, *, drop: bool = False) -> bytes:
    hb, hb_subset = _libraries()
    blob = hb.hb_blob_create(font, len(font), _READONLY, None, None)
    face = hb.hb_face_create(blob, 0)
    wanted = hb_subset.hb_subset_input_create_or_fail()
    chosen = hb_subset.hb_subset_input_glyph_set(wanted)
    for glyph in glyphs:
        hb.hb_set_add(chosen, glyph)
    for table in _DROPPED if drop else ():
        hb.hb_set_add(hb_subset.hb_subset_input_set(wanted, _DROP_TABLES), hb.hb_tag_from_string(table.encode(), -1))
    hb_subset.hb_subset_input_set_flags(wanted, flags)
    made = hb_subset.hb_subset_or_fail(face, wanted)
    try:
        return _bytes(hb, made)
    finally:
        hb_subset.hb_subset_input_destroy(wanted)
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
    functions: tuple[tuple[str, Any, list[Any]], ...] = (
        ("hb_subset_input_create_or_fail", c_void_p, []),
        ("hb_subset_input_destroy", None, [c_void_p]),
        ("hb_subset_input_glyph_set", c_void_p, [c_void_p]),
        ("hb_subset_input_set", c_void_p, [c_void_p, c_int]),
        ("hb_subset_input_set_flags", None, [c_void_p, c_uint]),
        ("hb_subset_or_fail", c_void_p, [c_void_p, c_void_p]),
    )
    return harfbuzz(), library("libharfbuzz-subset", *functions)
