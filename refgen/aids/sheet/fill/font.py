"""The font of fields, Refgen Sans: its Latin, Greek and Cyrillic letters, punctuation, signs and figures.

In: some text. Out: its glyphs as a PDF string, and its width. In: a PDF whose pages use the font. Out: the PDF with all
these letters embedded, so that any text typed can be shown.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

import pikepdf
from fontTools.ttLib import TTFont

from refgen.errors import RenderError
from refgen.layout.metrics import fonts
from refgen.render.fonts import FILES, embed, meanings_of, widths_of

PDF_NAME = "Refgen-Sans"
"""The name that WeasyPrint gives the font, after the six letters of a subset."""

RESOURCE = "/Fill"
"""The name of the font in the resources of pages and fields."""

UNITS = 1000

_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "MODIFIER LETTER")
_SIGNS = frozenset("PSZN")
"""First letters of the Unicode general categories of characters other than letters: punctuation, symbols, blanks,
figures.
"""

_SPECIAL = re.compile(rb"[\\()]")
"""The bytes that need a backslash before them in a PDF string."""

_MAP = (
    b"/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
    b"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
    b"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"
    b"endbfchar\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
)
"""A ToUnicode CMap without its lines."""

MOST_REMEMBERED = 10_000
"""How many texts are cached, since characters share many texts."""


class Letter(NamedTuple):
    """The glyph number of a letter, its code in a PDF string, and its width in thousandths of an em."""

    glyph: int
    code: bytes
    width: int


@cache
def letters() -> Mapping[str, Letter]:
    """The letters of the font. A bare carriage return in a string would be a line feed (ISO 32000-1, 7.3.4.2)."""
    font = TTFont(io.BytesIO(fonts()[FILES[PDF_NAME]]), lazy=True, recalcTimestamp=False)
    metrics = font["hmtx"].metrics
    found = {}
    for code, name in font.getBestCmap().items():
        if _is_wanted(chr(code)):
            glyph = font.getGlyphID(name)
            shown = _SPECIAL.sub(rb"\\\g<0>", glyph.to_bytes(2, "big")).replace(b"\r", b"\\r")
            found[chr(code)] = Letter(glyph, shown, metrics[name][0])
    return found


def _is_wanted(letter: str) -> bool:
    """Whether fields can show a character: letters of the three scripts, punctuation, symbols, blanks and figures."""
    if unicodedata.category(letter)[0] in _SIGNS:
        return unicodedata.category(letter) != "Sk" or letter.isascii()
    return unicodedata.name(letter, "").startswith(_SCRIPTS) or letter in "ªµº"


@lru_cache(MOST_REMEMBERED)
def glyphs(text: str) -> bytes:
    """The content of a PDF string that shows a text, without letters that the font lacks."""
    known = letters()
    return b"".join([known[letter].code for letter in text if letter in known])


@lru_cache(MOST_REMEMBERED)
def text_width(text: str) -> float:
    """The width of some text in em; a letter that the font lacks counts as one em."""
    known = letters()
    return sum([known[letter].width if letter in known else UNITS for letter in text]) / UNITS


def shows(text: str) -> bool:
    """Whether the font has every character of a text as a single glyph."""
    return letters().keys() >= set(text)


def widen(pdf: Any) -> Any:
    """Embed the whole font in a pikepdf PDF: the glyphs that its pages use, and every letter for fields.

    Returns the font's object. Raises RenderError if no page uses the font.
    """
    font = _find(pdf)
    known, widths = dict(meanings_of(font)), dict(widths_of(font))
    wanted = {*_used(pdf, font), *(letter.glyph for letter in letters().values())}
    font.ToUnicode = pdf.make_stream(_MAP)
    embed(pdf, font, FILES[PDF_NAME], {each: known[each] for each in wanted}, {each: widths[each] for each in wanted})
    return font


def _find(pdf: Any) -> Any:
    for page in pdf.pages:
        for font in page.Resources.Font.values():
            if str(font.BaseFont).partition("+")[2] == PDF_NAME:
                return font
    raise RenderError("no page uses the font of fields", hint="This is a fault in refgen's templates.")


def _used(pdf: Any, font: Any) -> Iterator[int]:
    """The glyphs of the font on all pages."""
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
