"""Pages that were written one by one share their fonts: one subset for all of them.

In: a PDF of pikepdf's, whose pages say which glyphs of refgen's own fonts they show, and have none. Out: the same,
changed in place: of each of these fonts there is one, with the glyphs of all pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pikepdf import Array, Name

from refgen.render.assets import assets
from refgen.render.subset import subset

FILES = {
    "Refgen-Sans": "SourceSansPro-Regular.otf",
    "Refgen-Sans-Italic": "SourceSansPro-It.otf",
    "Refgen-Sans-Semi-Bold": "SourceSansPro-Semibold.otf",
    "Refgen-Serif-Semi-Bold": "SourceSerifPro-Semibold.otf",
}
"""What WeasyPrint calls our fonts, behind the six letters of a subset, and their files."""

_MEANING = re.compile(rb"<([0-9a-f]{4})> <[0-9a-f]*>")
"""A line of the map from glyphs to text."""


def share_fonts(pdf: Any) -> None:
    """Give all pages the same fonts; those that are not refgen's own stay as they are.

    Raises RenderError where there is no HarfBuzz to make subsets.
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
    """Whether the name of a subset is that of a font of refgen's own."""
    return name.partition("+")[2] in FILES


def _embed(pdf: Any, fonts: Sequence[Any]) -> None:
    """Give the first of some subsets of a font the glyphs of all."""
    meanings = {glyph: line for font in reversed(fonts) for glyph, line in _meanings(font)}
    widths = {glyph: width for font in fonts for glyph, width in _widths(font.DescendantFonts[0].W)}
    descendant = fonts[0].DescendantFonts[0]
    file = pdf.make_stream(_subset(FILES[str(fonts[0].BaseFont).partition("+")[2]], frozenset(meanings)))
    file.Subtype = Name.OpenType
    descendant.FontDescriptor.FontFile3 = file
    descendant.W = _array(widths)
    fonts[0].ToUnicode = pdf.make_stream(_to_unicode(fonts[0].ToUnicode.read_bytes(), meanings))


@lru_cache(maxsize=16)
def _subset(file: str, glyphs: frozenset[int]) -> bytes:
    return subset(assets()[f"assets/fonts/{file}"], glyphs)


def _meanings(font: Any) -> Iterator[tuple[int, bytes]]:
    """The glyphs of a subset, and the line of each that says what it stands for."""
    _, _, lines = font.ToUnicode.read_bytes().partition(b"endcodespacerange")
    return ((int(found[1], 16), found[0]) for found in _MEANING.finditer(lines))


def _to_unicode(map_: bytes, meanings: Mapping[int, bytes]) -> bytes:
    """A map from glyphs to text with other lines (ISO 32000-1, 9.10.3)."""
    lines = [line for _, line in sorted(meanings.items())]
    blocks = [lines[start : start + 100] for start in range(0, len(lines), 100)]
    body = b"\n".join(b"%d beginbfchar\n%s\nendbfchar" % (len(block), b"\n".join(block)) for block in blocks)
    head, tail = map_[: map_.index(b"endcodespacerange")], map_[map_.rindex(b"endbfchar") + len("endbfchar") :]
    return head + b"endcodespacerange\n" + body + tail


def _widths(array: Any) -> Iterator[tuple[int, Any]]:
    values = list(array)
    for first, widths in zip(values[::2], values[1::2], strict=True):
        yield from enumerate(widths, start=int(first))


def _array(widths: Mapping[int, Any]) -> Array:
    """The widths of glyphs as PDF has them: each run of neighbours behind the first of them."""
    array: list[Any] = []
    last = -2
    for glyph, width in sorted(widths.items()):
        if glyph != last + 1:
            array += [glyph, []]
        array[-1].append(width)
        last = glyph
    return Array(Array(one) if isinstance(one, list) else one for one in array)
