"""The formats of a GM screen: paper, orientation, one panel a page or all on one sheet, and the theme.

In: what the user chose. Out: a ScreenFormat, which knows its lengths and the type sizes it may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from refgen.aids.gm_screen import Side
from refgen.render.fit import Scale
from refgen.render.paper import MILLIMETRE, SIZES, Paper


class Orientation(StrEnum):
    """How a panel stands."""

    LANDSCAPE = "landscape"
    PORTRAIT = "portrait"


class Form(StrEnum):
    """One panel a page, or all panels side by side on one sheet, with lines to fold along, for a copy shop."""

    PAGES = "pages"
    SHEET = "sheet"


class Theme(StrEnum):
    """How a screen looks: with tints and colour, without to save ink, or with type for weak eyes and bad light."""

    COLOUR = "colour"
    INK_SAVING = "ink-saving"
    LARGE_PRINT = "large-print"


MARGIN = 9.0
"""Millimetres that home printers leave blank, and a little more."""

EDGE = 22.0
"""Millimetres that the edge takes, with the space beside it."""

HEAD = 11.5
"""Millimetres from the upper margin to the blocks."""

FOOT = 4.5
"""Millimetres from the blocks to the lower margin: a line for the source."""

GUTTER = 4.5
"""Millimetres between columns."""

GAP = 3.6
"""Millimetres between blocks, at least."""


_TWO_LINES = 11.0
"""Millimetres that two lines of a step need."""

MARGINS = {"margin": MARGIN, "edge": EDGE, "head": HEAD, "foot": FOOT}
"""The same for the style sheet."""


def _sizes(largest: float, smallest: float) -> tuple[float, ...]:
    return tuple(half / 2 for half in range(round(2 * largest), round(2 * smallest) - 1, -1))


_SCALES: Mapping[tuple[bool, bool, Side], Scale] = {
    (False, False, Side.GM): Scale(_sizes(12, 7.5), usual=10),
    (False, False, Side.PLAYERS): Scale(_sizes(18, 9), usual=14),
    (False, True, Side.GM): Scale(_sizes(12, 7.5), usual=10),
    (False, True, Side.PLAYERS): Scale(_sizes(16, 8.5), usual=11),
    (True, False, Side.GM): Scale(_sizes(17, 12), usual=13),
    (True, False, Side.PLAYERS): Scale(_sizes(22, 12), usual=18),
    (True, True, Side.GM): Scale(_sizes(14, 8.5), usual=11),
    (True, True, Side.PLAYERS): Scale(_sizes(18, 9), usual=13),
}
"""The type sizes of a panel: whether in large print, whether on A5, and who reads it."""

_USUAL = (Orientation.LANDSCAPE, Form.PAGES, Theme.COLOUR)


@dataclass(frozen=True, slots=True)
class ScreenFormat:
    """One format of a screen."""

    paper: Paper = Paper.A4
    orientation: Orientation = Orientation.LANDSCAPE
    form: Form = Form.PAGES
    theme: Theme = Theme.COLOUR

    @classmethod
    def of(cls, name: str) -> ScreenFormat:
        """The format that is called so."""
        return next(form for form in FORMATS if str(form) == name)

    def __str__(self) -> str:
        """Its name, as file names have it: "a4", "letter-portrait-sheet-ink-saving"."""
        return "-".join([self.paper, *self.unusual])

    @property
    def unusual(self) -> list[str]:
        """What sets it apart from landscape pages in colour."""
        own = (self.orientation, self.form, self.theme)
        return [value for value, usual in zip(own, _USUAL, strict=True) if value != usual]

    @property
    def width(self) -> float:
        """Millimetres."""
        return self._turned[0]

    @property
    def height(self) -> float:
        """Millimetres."""
        return self._turned[1]

    @property
    def _turned(self) -> tuple[float, float]:
        short, long = SIZES[self.paper]
        return (long, short) if self.orientation is Orientation.LANDSCAPE else (short, long)

    @property
    def flows(self) -> bool:
        """Whether a panel that is too long for one page may go on on another: the type or the paper asks for it."""
        return self.paper is Paper.A5 or self.theme is Theme.LARGE_PRINT

    def is_tight(self, steps: int) -> bool:
        """Whether so many steps along the edge leave each of them one line only."""
        return (self.height - 2 * MARGIN) / steps < _TWO_LINES

    def scale(self, side: Side) -> Scale:
        """The type sizes of a panel."""
        return _SCALES[self.theme is Theme.LARGE_PRINT, self.paper is Paper.A5, side]

    def room(self, *, edge: bool) -> tuple[float, float]:
        """The width and height for the blocks of a panel, in points."""
        width = self.width - 2 * MARGIN - (EDGE if edge else 0)
        return width * MILLIMETRE, (self.height - 2 * MARGIN - HEAD - FOOT) * MILLIMETRE


FORMATS = [ScreenFormat(*parts) for parts in product(Paper, Orientation, Form, Theme)]
"""All formats there are."""
