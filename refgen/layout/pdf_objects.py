"""PDFs that pikepdf has opened: their bytes, and the subsets of refgen's fonts on their pages.

In: a PDF whose pages name the glyphs of refgen's fonts that they show, and embed none of these fonts. Out: the same
PDF, changed in place, with one subset of each font, which has the glyphs of all pages. WeasyPrint makes the subsets as
for pages of its own, so that glyphs keep their numbers. In: any PDF. Out: its bytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pikepdf import Array, Name, ObjectStreamMode

from refgen.errors import RenderError
from refgen.layout import metrics
from refgen.layout.engine import font_subset

_MEANING = re.compile(rb"<([0-9a-f]{4})> <[0-9a-f]*>")
"""A line of a ToUnicode map, from a glyph to text."""


def share_fonts(pdf: Any) -> None:
    """Embed each font of refgen once for all pages; other fonts stay unchanged. Raises RenderError without Pango."""
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
    subset = pdf.make_stream(_subset(data, frozenset(meanings)))
    if data.startswith(b"OTTO"):
        subset.Subtype = Name.OpenType
        descendant.FontDescriptor.FontFile3 = subset
    else:
        descendant.FontDescriptor.FontFile2 = subset
    descendant.W = _array(widths)
    font.ToUnicode = pdf.make_stream(_to_unicode(font.ToUnicode.read_bytes(), meanings))


def saved_pdf(pdf: Any, mode: ObjectStreamMode = ObjectStreamMode.generate, **options: bool) -> bytes:
    """The bytes of a PDF of pikepdf, with cross references in a stream. The same PDF gives the same bytes."""
    data = io.BytesIO()
    pdf.save(data, deterministic_id=True, object_stream_mode=mode, **options)
    return data.getvalue()


@lru_cache(maxsize=16)
def _subset(font: bytes, glyphs: frozenset[int]) -> bytes:
    return font_subset(font, glyphs)


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
