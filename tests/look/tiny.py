"""Tiny fonts as high as refgen's own, made for a test: each letter is a box, with the features that a test asks for."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

UNITS = 1000


def tiny_font(letters: Iterable[str], features: str = "", more: Iterable[str] = ()) -> bytes:
    """A TrueType font with some letters, called uniXXXX, and ``more`` glyphs that features put in their place."""
    names = {ord(letter): f"uni{ord(letter):04X}" for letter in {*letters, " "}}
    glyphs = [".notdef", *sorted(names.values()), *more]
    builder = FontBuilder(UNITS, isTTF=True)
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap(names)
    builder.setupGlyf({name: _box() for name in glyphs})
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (500, 50)))
    builder.setupHorizontalHeader(ascent=984, descent=-273)
    builder.setupNameTable({"familyName": "Tiny", "styleName": "Regular", "fullName": "Tiny Regular"})
    builder.setupOS2(
        fsType=0, sTypoAscender=984, sTypoDescender=-273, sTypoLineGap=0, usWinAscent=984, usWinDescent=273
    )
    builder.setupPost()
    if features:
        addOpenTypeFeaturesFromString(builder.font, features)
    made = BytesIO()
    builder.save(made)
    return made.getvalue()


def _box() -> object:
    pen = TTGlyphPen(None)
    pen.moveTo((50, 0))
    for corner in ((50, 700), (450, 700), (450, 0)):
        pen.lineTo(corner)
    pen.closePath()
    return pen.glyph()
