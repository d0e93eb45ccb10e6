"""The two fonts of a PDF form: a composite font with every letter, and a simple font for programs that fill forms.

In: a PDF of pikepdf whose pages are set in the font of fields. Out: the fonts, embedded. The composite font (Type0, two
bytes a letter) has every letter of Latin, Greek and Cyrillic; refgen draws all values in the composite font. The simple
font (Type1, ISO 32000-1, 9.6.2) has the letters of WinAnsiEncoding (annex D), one byte a letter: pdftk, qpdf and
pikepdf draw new values in one byte a letter, whatever the font is. In: a text. Out: whether the simple font has the
letters of the text.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Name

from refgen.aids.sheet.fields import RESOURCE, SIMPLE, UNITS, font_of_fields, letters
from refgen.errors import RenderError
from refgen.layout.pdf_objects import embed, meanings_of

FIRST, LAST = 0x20, 0xFF
"""The first and the last code of the simple font."""

_LETTERS = {
    code: letter
    for code in (*range(FIRST, 0x7F), *range(0x80, LAST + 1))
    if (letter := bytes([code]).decode("cp1252", "ignore"))
}
"""The letters of WinAnsiEncoding by their codes."""

_NAMES = {0xA0: "space", 0xAD: "hyphen", 0xB2: "twosuperior", 0xB3: "threesuperior", 0xB9: "onesuperior"}
"""The glyphs that WinAnsiEncoding calls by another name than the Adobe Glyph List for New Fonts."""

_SIMPLE_LETTERS = frozenset({*_LETTERS.values(), "\n"})

_NONSYMBOLIC = 1 << 5
"""The flag of a font with letters of the standard Latin set (table 123)."""

_NO_LETTER = ".notdef"
"""The glyph of codes that have no letter."""

_MAP = (
    b"/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
    b"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
    b"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"
    b"endbfchar\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
)
"""A ToUnicode CMap without its lines."""


def is_simple(text: str) -> bool:
    """Whether WinAnsiEncoding has all letters of a text; the text may have several lines."""
    return _SIMPLE_LETTERS.issuperset(text)


def embed_form_fonts(pdf: Any) -> Mapping[str, Any]:
    """Embed both fonts in a pikepdf PDF. Returns the fonts by their names in the resources of pages and fields.

    Raises RenderError if no page uses the font of fields.
    """
    whole = _embed_whole_font(pdf)
    return {RESOURCE: whole, SIMPLE: _embed_simple_font(pdf, whole.DescendantFonts[0].FontDescriptor)}


def _embed_whole_font(pdf: Any) -> Any:
    """Embed the whole font in a pikepdf PDF: the glyphs that its pages use, and every letter for fields.

    A page may show other glyphs than those of its letters: what these mean, the page says.
    """
    font, (name, data) = _font_of_fields(pdf), font_of_fields()
    known, widths = _glyphs_of(data)
    used = set(_used_glyphs(pdf, font))
    wanted = {*used, *(letter.glyph for letter in letters().values())}
    meanings = dict(meanings_of(font)) | {glyph: b"<%04x> <%b>" % (glyph, known[glyph]) for glyph in wanted & {*known}}
    left, bottom, _, top = font.DescendantFonts[0].FontDescriptor.FontBBox
    font.DescendantFonts[0].FontDescriptor.FontBBox = Array([left, bottom, max(widths), top])
    font.ToUnicode = pdf.make_stream(_MAP)
    embed(pdf, font, name, {each: meanings[each] for each in wanted}, {each: widths[each] for each in wanted})
    return font


@lru_cache(maxsize=4)
def _glyphs_of(data: bytes) -> tuple[Mapping[int, bytes], Sequence[float]]:
    """The letters of the glyphs of a font, in hexadecimal UTF-16; the widths of all glyphs in thousandths of an em."""
    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(data), lazy=True, recalcTimestamp=False)
    advances, em = font["hmtx"].metrics, font["head"].unitsPerEm
    letters_of = {
        font.getGlyphID(glyph): chr(code).encode("utf-16-be").hex().encode()
        for code, glyph in sorted(font.getBestCmap().items(), reverse=True)
    }
    return letters_of, [advances[glyph][0] * UNITS / em for glyph in font.getGlyphOrder()]


def _font_of_fields(pdf: Any) -> Any:
    for page in pdf.pages:
        for font in page.Resources.Font.values():
            if str(font.BaseFont).partition("+")[2] == font_of_fields()[0]:
                return font
    raise RenderError("no page uses the font of fields", hint="This is a fault in refgen's templates.")


def _used_glyphs(pdf: Any, font: Any) -> Iterator[int]:
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


def _embed_simple_font(pdf: Any, whole: Any) -> Any:
    """Embed the simple font, described as the ``whole`` font is but for its letters. Returns the font's object."""
    font = simple_font(*font_of_fields())
    name = Name(f"/SIMPLE+{font_of_fields()[0]}-Latin")  # not the name of a font that pages share
    left, bottom, _, top = whole.FontBBox
    described = {key: value for key, value in whole.items() if not key.startswith("/FontFile")}
    own = {
        "/FontName": name,
        "/Flags": _NONSYMBOLIC,
        # The box of these letters alone: pdftk works out the type size of a field from the width of the box.
        "/FontBBox": Array([left, bottom, max(font.widths), top]),
        "/FontFile3": pdf.make_stream(font.program, Subtype=Name.Type1C),
    }
    entries = {
        "/Type": Name.Font,
        "/Subtype": Name.Type1,
        "/BaseFont": name,
        "/Encoding": Name.WinAnsiEncoding,
        "/FirstChar": FIRST,
        "/LastChar": LAST,
        "/Widths": Array(font.widths),
        "/FontDescriptor": pdf.make_indirect(Dictionary(described | own)),
    }
    return pdf.make_indirect(Dictionary(entries))


class SimpleFont(NamedTuple):
    """The program of a simple font (Compact Font Format), and the widths of its codes in thousandths of an em."""

    program: bytes
    widths: Sequence[int]


@lru_cache(maxsize=4)
def simple_font(name: str, data: bytes) -> SimpleFont:
    """The simple font with the letters of a TrueType or OpenType font, under the names that WinAnsiEncoding has.

    Each letter is drawn anew, whatever the outlines of the font are and however the font names its glyphs. A code
    without a letter in the font has an empty glyph.
    """
    from fontTools.fontBuilder import FontBuilder  # as WeasyPrint does, which has made the pages by then

    names = _glyph_names()
    drawn = _drawn_letters(data, names)
    builder = FontBuilder(UNITS, isTTF=False)
    builder.setupGlyphOrder([*drawn])
    builder.setupCFF(name, {}, {glyph: outline for glyph, (_, outline) in drawn.items()}, {})
    program = io.BytesIO()
    builder.font["CFF "].cff.compile(program, builder.font)
    shown = (names.get(code, _NO_LETTER) for code in range(FIRST, LAST + 1))
    return SimpleFont(program.getvalue(), [drawn.get(glyph, drawn[_NO_LETTER])[0] for glyph in shown])


def _glyph_names() -> Mapping[int, str]:
    """The names of the glyphs of WinAnsiEncoding, by their codes."""
    from fontTools.agl import UV2AGL

    return {code: _NAMES.get(code) or UV2AGL[ord(letter)] for code, letter in _LETTERS.items()}


def _drawn_letters(data: bytes, names: Mapping[int, str]) -> Mapping[str, tuple[int, Any]]:
    """The letters of a font by the names of their glyphs: the width in thousandths of an em, and the outline."""
    from fontTools.pens.t2CharStringPen import T2CharStringPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(data), lazy=True, recalcTimestamp=False)
    glyphs, cmap, scale = font.getGlyphSet(), font.getBestCmap(), UNITS / font["head"].unitsPerEm
    drawn = {_NO_LETTER: (0, T2CharStringPen(0, glyphs).getCharString())}
    for code, name in names.items():
        glyph = cmap.get(ord(_LETTERS[code]))
        if glyph and name not in drawn:  # two codes have the blank, and two the hyphen
            width = round(glyphs[glyph].width * scale)
            pen = T2CharStringPen(width, glyphs)
            glyphs[glyph].draw(TransformPen(pen, (scale, 0, 0, scale, 0, 0)))
            drawn[name] = width, pen.getCharString()
    return drawn
