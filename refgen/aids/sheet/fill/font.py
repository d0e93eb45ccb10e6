"""The font of fields, Refgen Sans: its letters of Latin, Greek and Cyrillic, and whatever stands between letters.

In: some text. Out: its glyphs as PDF wants them, and its width. In: a PDF whose pages use the font already. Out: the
same with every such letter, so that whatever is typed shows.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from fontTools.ttLib import TTFont

from refgen.aids.sheet.fill.growing_pdf import escaped
from refgen.errors import RenderError
from refgen.render.assets import assets
from refgen.render.fonts import subset, width_array

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


@dataclass(frozen=True, slots=True)
class FillFont:
    """Its ``glyphs`` and the same as ``codes`` in a PDF string by letters, the ``widths`` of all glyphs."""

    glyphs: Mapping[str, int]
    codes: Mapping[str, bytes]
    widths: list[int]


@cache
def fill_font() -> FillFont:
    """The font."""
    font = TTFont(io.BytesIO(assets()[FILE]), lazy=True, recalcTimestamp=False)
    order = font.getGlyphOrder()
    numbers = {name: number for number, name in enumerate(order)}
    glyphs = {chr(code): numbers[name] for code, name in font.getBestCmap().items() if _is_wanted(chr(code))}
    codes = {letter: escaped(glyph.to_bytes(2, "big")) for letter, glyph in glyphs.items()}
    return FillFont(glyphs, codes, [font["hmtx"].metrics[name][0] for name in order])


def _is_wanted(letter: str) -> bool:
    """Whether fields are to show it: letters of the three scripts, and what stands between them."""
    if unicodedata.category(letter)[0] in _SIGNS:
        return unicodedata.category(letter) != "Sk" or letter.isascii()
    return unicodedata.name(letter, "").startswith(_SCRIPTS) or letter in "ªµº"


def run(text: str) -> Run | None:
    """Some text as a run; None where the font lacks a letter."""
    codes = fill_font().codes
    try:
        return Run(b"".join([codes[letter] for letter in text]), text_width(text))
    except KeyError:
        return None


@lru_cache(MOST_REMEMBERED)
def text_width(text: str) -> float:
    """The width of some text in em; a letter that the font lacks counts as one em."""
    font = fill_font()
    return sum(font.widths[font.glyphs[letter]] if letter in font.glyphs else UNITS for letter in text) / UNITS


def shows(text: str) -> bool:
    """Whether the font has every character of a text, each of which is a glyph of its own."""
    return fill_font().glyphs.keys() >= set(text)


def widen(pdf: Any) -> Any:
    """Give a PDF of pikepdf's the whole font: what its pages use of it, and every letter for fields.

    Returns the font's object. Raises RenderError where no page uses it.
    """
    font, letters = _find(pdf), fill_font()
    glyphs = frozenset(_used(pdf, font)) | frozenset(letters.glyphs.values())
    descendant = font.DescendantFonts[0]
    file = pdf.make_stream(_file(glyphs))
    file.Subtype = descendant.FontDescriptor.FontFile3.Subtype
    descendant.FontDescriptor.FontFile3 = file
    descendant.W = width_array({glyph: letters.widths[glyph] for glyph in glyphs})
    font.ToUnicode = pdf.make_stream(_to_unicode(glyphs, letters.glyphs, font.ToUnicode.read_bytes()))
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
        is_current = False
        step: Any
        for step in pikepdf.parse_content_stream(page, "Tf TJ Tj"):
            operands, operator = step
            if str(operator) == "Tf":
                is_current = str(operands[0]) in names
            elif is_current:
                pieces: list[Any] = list(operands[0]) if str(operator) == "TJ" else [operands[0]]
                shown = b"".join(bytes(piece) for piece in pieces if isinstance(piece, pikepdf.String))
                yield from (int.from_bytes(shown[at : at + 2], "big") for at in range(0, len(shown), 2))


@cache
def _file(glyphs: frozenset[int]) -> bytes:
    """The font with these glyphs, each in its place."""
    return subset(assets()[FILE], glyphs)


def _to_unicode(glyphs: Iterable[int], letters: Mapping[str, int], known: bytes) -> bytes:
    """The map from glyphs to text (ISO 32000-1, 9.10.3); ``known`` is that of the pages."""
    texts = {
        int(glyph, 16): bytes.fromhex(text.decode()).decode("utf-16-be")
        for glyph, text in re.findall(rb"<([0-9a-fA-F]{4})> <([0-9a-fA-F]+)>\s", known)
    }
    texts |= {glyph: letter for letter, glyph in sorted(letters.items(), reverse=True)}
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
