"""The room in the header of a panel: the title of the panel, the title of the game, and which page this is.

In: both titles, and a page format. Out: whether the words stand side by side, as templates/panels/screen.css sets them.
"""

from __future__ import annotations

from refgen.aids.panels.model import Side, panel_area
from refgen.layout.lengths import MILLIMETRE, SMALL_PRINT
from refgen.layout.metrics import Face, width, without_glyph
from refgen.layout.page_format import PageFormat, Paper
from refgen.words import Words

TITLE, TITLE_ON_A5, OTHER = 17.0, 12.0, 9.0
"""The sizes in points of the title of a panel, on A5 as well, and of the other words of a header."""

GAPS = 6.0
"""Millimetres between the words of a header."""

MOST_PAGES = 8
"""The longest words about a page are those of so many pages."""


def fits_header(title: str, game: str, page_format: PageFormat, words: Words, *, edge: bool) -> bool:
    """Whether the header of a panel has room for its title; on A5 the title of the ``game`` has a line of its own."""
    if without_glyph(title, Face.SERIF):
        return False
    room = panel_area(page_format, edge=edge)[0] - GAPS * MILLIMETRE
    ems = width(words("continued", title=title), Face.SERIF)
    place = width(words(Side.GM, number=MOST_PAGES, total=MOST_PAGES), Face.REGULAR)
    if page_format.paper is Paper.A5:
        return TITLE_ON_A5 * ems + SMALL_PRINT * place <= room
    return TITLE * ems + OTHER * (width(game, Face.REGULAR) + place) <= room
