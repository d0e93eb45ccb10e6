"""The font of symbols, templates/fonts/RefgenSymbols.ttf: signs that games use, out of DejaVu Sans under another name.

In: the path of DejaVuSans.ttf (2.37). Out: the font, without hints, as high as refgen's other fonts. The same font
gives the same bytes: python .ci/symbols.py /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

TARGET = Path(__file__).resolve().parents[1] / "templates" / "fonts" / "RefgenSymbols.ttf"

EMOJI = (
    *(0x25FD, 0x25FE, 0x2614, 0x2615, *range(0x2648, 0x2654), 0x267F, 0x2693, 0x26A1, 0x26AA, 0x26AB, 0x26BD, 0x26BE),
    *(0x26C4, 0x26C5, 0x26CE, 0x26D4, 0x26EA, 0x26F2, 0x26F3, 0x26F5, 0x26FA, 0x26FD, 0x2705, 0x270A, 0x270B, 0x2728),
    *(0x274C, 0x274E, 0x2753, 0x2754, 0x2755, 0x2757, 0x2795, 0x2796, 0x2797, 0x27B0, 0x27BF),
)
"""Signs that Pango sets in a font for emoji, whatever other fonts have them (Emoji_Presentation of Unicode 15.1)."""

SYMBOLS = [0x20, *({*range(0x25A0, 0x2700), *range(0x2701, 0x27C0)} - {*EMOJI})]
"""A blank; geometric shapes, miscellaneous symbols (dice, cards, chess, weather, swords), dingbats (ticks, stars)."""

NAMES = {1: "Refgen Symbols", 2: "Regular", 3: "Refgen Symbols", 4: "Refgen Symbols", 6: "RefgenSymbols"}

LEGAL = (0, 7, 13, 14)
"""Copyright, trademark, licence and its address, which stay."""

HEIGHTS = 0.984, 0.273
"""As TEXT_HEIGHTS of refgen/look/fonts.py."""


def make(source: str) -> None:
    """Write the font of symbols, out of the font in a file."""
    options = subset.Options(hinting=False, layout_features=[], name_IDs=[*NAMES, *LEGAL], recalc_timestamp=False)
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "kern", "FFTM"]
    font = TTFont(source, recalcTimestamp=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=SYMBOLS)
    subsetter.subset(font)
    for record in [*font["name"].names]:
        if record.nameID in NAMES:
            record.string = NAMES[record.nameID]
    ascent, descent = (round(height * font["head"].unitsPerEm) for height in HEIGHTS)
    lines, metrics = font["hhea"], font["OS/2"]
    lines.ascent, lines.descent, lines.lineGap = ascent, -descent, 0
    metrics.sTypoAscender, metrics.sTypoDescender, metrics.sTypoLineGap = ascent, -descent, 0
    metrics.usWinAscent, metrics.usWinDescent = ascent, descent
    font.save(TARGET)


if __name__ == "__main__":
    make(sys.argv[1])
