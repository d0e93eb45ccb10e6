"""The room of a page format for the blocks of a panel: the area, the type sizes, and whether more pages may be taken.

In: a PageFormat. Out: lengths, and a TypeScale.
"""

from __future__ import annotations

from collections.abc import Mapping

from refgen.aids.panels.model import Side
from refgen.layout.lengths import EDGE, FOOTER, HEADER, MARGIN, MILLIMETRE
from refgen.layout.page_format import Orientation, PageFormat, Paper, Theme, TypeScale

USUAL_FORMAT = PageFormat(orientation=Orientation.LANDSCAPE)
"""The format of a screen for which none is chosen."""

_TWO_LINES = 11.0
"""Millimetres that a step along the edge needs for two lines."""


def _sizes(largest: float, smallest: float) -> tuple[float, ...]:
    return tuple(half / 2 for half in range(round(2 * largest), round(2 * smallest) - 1, -1))


_SCALES: Mapping[tuple[bool, bool, bool], TypeScale] = {
    (False, False, False): TypeScale(_sizes(12, 7.5), usual=10),
    (False, False, True): TypeScale(_sizes(18, 9), usual=14),
    (False, True, False): TypeScale(_sizes(12, 7.5), usual=10),
    (False, True, True): TypeScale(_sizes(16, 8.5), usual=11),
    (True, False, False): TypeScale(_sizes(17, 12), usual=13),
    (True, False, True): TypeScale(_sizes(22, 12), usual=18),
    (True, True, False): TypeScale(_sizes(14, 8.5), usual=11),
    (True, True, True): TypeScale(_sizes(18, 9), usual=13),
}
"""The type sizes of a panel, by three questions: large print? on A5? read by players from afar?"""


def scale(page_format: PageFormat, side: Side) -> TypeScale:
    """The type sizes of a panel."""
    return _SCALES[page_format.theme is Theme.LARGE_PRINT, page_format.paper is Paper.A5, side is Side.PLAYERS]


def flows(page_format: PageFormat) -> bool:
    """Whether a panel may take several pages: on small paper and in large type."""
    return page_format.paper is Paper.A5 or page_format.theme is Theme.LARGE_PRINT


def panel_area(page_format: PageFormat, *, edge: bool) -> tuple[float, float]:
    """The width and height for the blocks of a panel, in points."""
    width = page_format.width - 2 * MARGIN - (EDGE if edge else 0)
    return width * MILLIMETRE, (page_format.height - 2 * MARGIN - HEADER - FOOTER) * MILLIMETRE


def is_tight(page_format: PageFormat, steps: int) -> bool:
    """Whether so many steps along the edge have room for only one line each."""
    return (page_format.height - 2 * MARGIN) / steps < _TWO_LINES
