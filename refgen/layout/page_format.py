"""The formats of play aids: paper and orientation, pages on a sheet, theme, and type sizes.

In: the choices of a user. Out: a PageFormat with a size and a name. In: the type sizes that an aid may have. Out: a
TypeScale, of which type is set as large as fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from refgen.layout.lengths import LARGE_PRINT, SMALL_PRINT


class Paper(StrEnum):
    """The papers of aids: A5 is for small screens and for booklets, half a US Letter for booklets only."""

    A4 = "a4"
    LETTER = "letter"
    A5 = "a5"
    HALF_LETTER = "half-letter"


USUAL_PAPERS = (Paper.A4, Paper.LETTER)

BOOKLET_PAPERS: Mapping[Paper, Paper] = {Paper.A4: Paper.A5, Paper.LETTER: Paper.HALF_LETTER}
"""The paper of a booklet by the paper of its sheets, each of which is folded once."""

PAPER_SIZES: Mapping[Paper, tuple[float, float]] = {
    Paper.A4: (210, 297),
    Paper.LETTER: (215.9, 279.4),
    Paper.A5: (148, 210),
    Paper.HALF_LETTER: (139.7, 215.9),
}
"""Short and long side in millimetres (ISO 216; ANSI Y14.1)."""


class Orientation(StrEnum):
    """The orientation of a page."""

    LANDSCAPE = "landscape"
    PORTRAIT = "portrait"


class Imposition(StrEnum):
    """The pages on a sheet: a page, or all pages side by side with lines to fold along, for a copy shop."""

    PAGES = "pages"
    SHEET = "sheet"


class Theme(StrEnum):
    """The look of a page: with tints and colour, without to save ink, or in large type for low vision and bad light."""

    COLOUR = "colour"
    INK_SAVING = "ink-saving"
    LARGE_PRINT = "large-print"


@dataclass(frozen=True, slots=True)
class PageFormat:
    """A format of an aid."""

    paper: Paper = Paper.A4
    orientation: Orientation = Orientation.PORTRAIT
    imposition: Imposition = Imposition.PAGES
    theme: Theme = Theme.COLOUR

    def name(self, usual: PageFormat) -> str:
        """The name of the format in files of an aid that has a ``usual`` format: "a4", "letter-sheet-ink-saving"."""
        return "-".join([self.paper, *self.unlike(usual)])

    def unlike(self, usual: PageFormat) -> list[str]:
        """The names of the choices that differ from the usual format, without the paper."""
        choices = zip(self._choices, usual._choices, strict=True)
        return [choice for choice, usual_choice in choices if choice != usual_choice]

    @property
    def _choices(self) -> tuple[str, ...]:
        return self.orientation, self.imposition, self.theme

    @property
    def is_large(self) -> bool:
        """Whether no text is smaller than LARGE_PRINT; on A5 large print is as large as fits."""
        return self.theme is Theme.LARGE_PRINT and self.paper is not Paper.A5

    @property
    def small_print(self) -> float:
        """The smallest type in points, in which the source of figures is set."""
        return LARGE_PRINT if self.is_large else SMALL_PRINT

    @property
    def width(self) -> float:
        """The width in millimetres."""
        return self._size[0]

    @property
    def height(self) -> float:
        """The height in millimetres."""
        return self._size[1]

    @property
    def _size(self) -> tuple[float, float]:
        short, long = PAPER_SIZES[self.paper]
        return (long, short) if self.orientation is Orientation.LANDSCAPE else (short, long)


PAGE_FORMATS = [PageFormat(*choices) for choices in product(Paper, Orientation, Imposition, Theme)]
"""All formats."""


@dataclass(frozen=True, slots=True)
class TypeScale:
    """The type sizes that an aid may have, in points, from largest to smallest, and the ``usual`` size of these."""

    sizes: tuple[float, ...]
    usual: float
