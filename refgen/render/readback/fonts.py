"""The fonts that may appear on paper, and the characters that each has.

In: the name of a font as a PDF has it. Out: whether it is one of ours, and what it covers.
"""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO

from fontTools.ttLib import TTFont

from refgen.render.assets import assets

FILES = {
    "Refgen-Sans": "SourceSansPro-Regular.otf",
    "Refgen-Sans-Italic": "SourceSansPro-It.otf",
    "Refgen-Sans-Semi-Bold": "SourceSansPro-Semibold.otf",
    "Refgen-Serif-Semi-Bold": "SourceSerifPro-Semibold.otf",
}
"""Our fonts by the names that WeasyPrint makes of family, weight and style in ``tokens.css``."""

TEXT = "Refgen-Sans"
"""The font of everything but headings."""

_SUBSET = re.compile(r"[A-Z]{6}\+")
"""The tag before the name of a font of which only the glyphs in use are embedded (ISO 32000-2, 9.9.2)."""


def plain_name(name: str) -> str:
    """A font's name without the tag of a subset."""
    return _SUBSET.sub("", name, count=1)


def is_subset(name: str) -> bool:
    """Whether the name is that of a subset."""
    return _SUBSET.match(name) is not None


@cache
def covered(name: str) -> frozenset[str]:
    """The characters that a font of ours has a glyph for, by its plain name."""
    with TTFont(BytesIO(assets()[f"assets/fonts/{FILES[name]}"]), lazy=True) as font:
        font.setGlyphOrder(range(font["maxp"].numGlyphs))  # any names will do: to read the true ones takes the outlines
        return frozenset(map(chr, font.getBestCmap()))
