"""How a deck is made: the size of its cards, their theme, the papers, and how cards are laid on paper.

In: names, as on the command line. Out: a DeckFormat, which knows the SheetFormats to make and the names of their files.
To add a size of cards, add a line to SIZES. Lengths are in millimetres.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import sqrt
from typing import Any

from refgen.aids.cards.model import CardDeck
from refgen.catalog import did_you_mean
from refgen.errors import RenderError
from refgen.layout.page_format import PAPER_SIZES, PageFormat, Paper, Theme

SAFE = 3.175
"""The safe distance from the trim edge, inside of which nothing important is printed: an eighth of an inch."""

BLEED = 3.175
"""How far backgrounds reach beyond the trim edge."""

SMALLEST, LARGEST = 38.0, 210.0
"""The shortest side that leaves room for words, and the longest side that fits a sheet."""

_OWN = re.compile(r"(\d{1,3}(?:\.\d{1,3})?)\s*[x×]\s*(\d{1,3}(?:\.\d{1,3})?)(?:\s*mm)?")


@dataclass(frozen=True, slots=True)
class CardSize:
    """The trim size of a card, and its name in files."""

    name: str
    width: float
    height: float

    def turned(self) -> CardSize:
        """The size in landscape orientation."""
        return CardSize(f"{self.name}-landscape", self.height, self.width)


SIZES: Mapping[str, CardSize] = {
    size.name: size
    for size in (
        CardSize("poker", 63.0, 88.0),
        CardSize("poker-us", 63.5, 88.9),
        CardSize("bridge", 57.0, 89.0),
        CardSize("mini", 44.0, 68.0),
        CardSize("tarot", 70.0, 120.0),
        CardSize("business", 85.0, 55.0),
        CardSize("index", 76.2, 127.0),
        CardSize("a6", 105.0, 148.0),
        CardSize("a7", 74.0, 105.0),
    )
}
"""The known sizes by name."""

USUAL_SIZE = SIZES["poker"]


def card_size(text: str, *, landscape: bool = False) -> CardSize:
    """The size called ``text``, or of the width and height in ``text``. Raises RenderError for an impossible size."""
    name = text.strip().lower().replace(" ", "-")
    size = SIZES.get(name) or _custom(text, name)
    return size.turned() if landscape and size.width < size.height else size


def _custom(text: str, name: str) -> CardSize:
    match = _OWN.fullmatch(text.strip().lower())
    if match is None:
        raise RenderError(f'there is no card size "{text}"', hint=did_you_mean(name, SIZES, _sizes()))
    width, height = float(match[1]), float(match[2])
    if min(width, height) < SMALLEST:
        room = f"{SAFE:g} mm on each side are not safe from the knife"
        raise RenderError(f"a card of {width:g} x {height:g} mm is too small for words: {room}", hint=_sizes())
    if max(width, height) > LARGEST:
        raise RenderError(f"a card of {width:g} x {height:g} mm is too large for a sheet of paper", hint=_sizes())
    return CardSize(f"{width:g}x{height:g}", width, height)


def _sizes() -> str:
    known = ", ".join(f"{size.name} ({size.width:g} x {size.height:g})" for size in SIZES.values())
    return f"There are {known}, and your own from {SMALLEST:g} to {LARGEST:g} mm, such as 60x90."


MOST_LARGER = 15 / 11
"""The greatest enlargement of type on large cards: from 11 points, the largest type of a poker card, to 15 points."""


@dataclass(frozen=True, slots=True)
class CardStyle:
    """How all cards of a deck are set: their size, and the theme."""

    size: CardSize
    theme: Theme = Theme.COLOUR

    @property
    def side(self) -> float:
        """The margin between the trim edge and the words."""
        return max(SAFE, self.size.width / 15)

    @property
    def larger(self) -> float:
        """How many times larger type may be than on a poker card; 1 on smaller cards."""
        size = self.size
        return min(max(sqrt(size.width * size.height / (USUAL_SIZE.width * USUAL_SIZE.height)), 1.0), MOST_LARGER)

    @property
    def inner(self) -> float:
        """The width of the words."""
        return self.size.width - 2 * self.side

    @property
    def bleed(self) -> float:
        """How far the page reaches beyond the trim edge."""
        return BLEED


class CardPaper(StrEnum):
    """The papers that cards are laid on."""

    A4 = "a4"
    LETTER = "letter"
    A3 = "a3"


CARD_PAPER_SIZES: Mapping[CardPaper, tuple[float, float]] = {
    CardPaper.A4: PAPER_SIZES[Paper.A4],
    CardPaper.LETTER: PAPER_SIZES[Paper.LETTER],
    CardPaper.A3: (297, 420),
}
"""The short and the long side of each paper."""


class CardImposition(StrEnum):
    """How cards are laid on paper.

    Backs behind their fronts (duplex), fronts alone, front and back side by side to be folded, or a card a page with
    its bleed, fronts and backs by turns.
    """

    DUPLEX = "duplex"
    FRONTS = "fronts"
    FOLD = "fold"
    SINGLE = "single"


class Flip(StrEnum):
    """The edge along which a printer turns a sheet over."""

    LONG = "long"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class DeckFormat:
    """How a deck is made: the size of its cards, their theme, and how cards are laid on paper.

    Without ``papers`` a deck is laid on the papers of the build. ``gutter`` is the room between cards, 0 for cards that
    share their cuts. ``offset`` is how far backs are shifted to the right and down, to make up for a printer that does
    not feed straight. With ``pictures`` each face is made as a picture for the web; with ``calibration`` a page for
    finding the ``offset`` of a printer; with ``tabletop`` the files of Tabletop Simulator, which finds the pictures
    under the address ``url``.
    """

    size: CardSize = field(default=USUAL_SIZE)
    theme: Theme = Theme.COLOUR
    imposition: CardImposition = CardImposition.DUPLEX
    papers: tuple[CardPaper, ...] = ()
    flip: Flip = Flip.LONG
    gutter: float = 0.0
    offset: tuple[float, float] = (0.0, 0.0)
    pictures: bool = False
    calibration: bool = False
    tabletop: bool = False
    url: str = ""

    @classmethod
    def choosing(
        cls,
        papers: Sequence[str] = (),
        *,
        size: str = USUAL_SIZE.name,
        landscape: bool = False,
        theme: str = Theme.COLOUR,
        imposition: str = CardImposition.DUPLEX,
        flip: str = Flip.LONG,
        **others: Any,
    ) -> DeckFormat:
        """The format with the given names of papers, size and so on. Raises RenderError for an unknown size."""
        chosen = card_size(size, landscape=landscape), Theme(theme), CardImposition(imposition)
        return cls(*chosen, tuple(map(CardPaper, papers)), Flip(flip), **others)

    @property
    def style(self) -> CardStyle:
        """The size and theme in which each card is set."""
        return CardStyle(self.size, self.theme)

    def printable(self, deck: CardDeck) -> CardDeck:
        """The deck as it can be printed: where no backs are printed, full cards are continued on further cards."""
        without = self.imposition is CardImposition.FRONTS and deck.overflow == "back"
        return replace(deck, overflow="continue") if without else deck

    @property
    def name(self) -> str:
        """The base name of the files of the deck, without paper and imposition: "cards", "cards-tarot-ink-saving"."""
        unusual = [self.size.name] if self.size != USUAL_SIZE else []
        return "-".join(["cards", *unusual, *([self.theme] if self.theme is not Theme.COLOUR else [])])

    def sheets(self, formats: Sequence[PageFormat]) -> Iterator[SheetFormat]:
        """The sheets to make; cards on a page of their own need no paper."""
        if self.imposition is CardImposition.SINGLE:
            yield SheetFormat(f"{self.name}-single", CardPaper.A4, self)
            return
        usual = [] if self.imposition is CardImposition.DUPLEX else [self.imposition]
        known = [CardPaper(page_format.paper) for page_format in formats if page_format.paper in {*CardPaper}]
        for paper in self.papers or known:
            yield SheetFormat("-".join([self.name, *usual, paper]), paper, self)


@dataclass(frozen=True, slots=True)
class SheetFormat:
    """How a deck is laid on one paper; ``name`` is the name of the file without suffix."""

    name: str
    paper: CardPaper
    deck: DeckFormat
