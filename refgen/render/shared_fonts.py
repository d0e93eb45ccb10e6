"""Pages that were written one by one share their fonts: one subset for all of them.

In: a PDF of pikepdf's, in which each page has subsets of fonts of its own. Out: the same, changed in place: of each of
refgen's own fonts there is one, with the glyphs of all pages. A glyph has the same number in all subsets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
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
    """Let all pages have the same fonts.

    Those that are not refgen's own stay as they are; and so do all where there is no HarfBuzz to make subsets.
    """
    used: dict[str, list[Any]] = {}
    for page in pdf.pages:
        for name, font in page.Resources.Font.items():
            if str(font.BaseFont).partition("+")[2] in FILES:
                used.setdefault(name, []).append(page.Resources.Font)
    for name, holders in used.items():
        fonts = [holder[name] for holder in holders]
        if len(fonts) > 1 and _widen(pdf, fonts):
            for holder in holders:
                holder[name] = fonts[0]


def _widen(pdf: Any, fonts: Sequence[Any]) -> bool:
    """Give the first of some subsets of a font all that the others have. False where there is no HarfBuzz."""
    meanings = {glyph: line for font in reversed(fonts) for glyph, line in _meanings(font)}
    widths = {glyph: width for font in fonts for glyph, width in _widths(font.DescendantFonts[0].W)}
    try:
        data = _subset(FILES[str(fonts[0].BaseFont).partition("+")[2]], frozenset(meanings))
    except OSError:
        return False
    descendant = fonts[0].DescendantFonts[0]
    file = pdf.make_stream(data)
    file.Subtype = Name.OpenType
    descendant.FontDescriptor.FontFile3 = file
    descendant.W = _array(widths)
    fonts[0].ToUnicode = pdf.make_stream(_to_unicode(fonts[0].ToUnicode.read_bytes(), meanings))
    return True


@cache
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
