"""The faces of cards: the contents of each front and back, and the room for them.

In: a card, or a part of a card that is continued on another, and the style of the deck. Out: a CardFront or a CardBack,
with the places of title, body and footer; SetFronts, whose type is chosen; the Faces of a deck. Lengths are in
millimetres, type sizes in points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from zlib import crc32

from refgen.aids.cards.deck_format import SAFE, CardStyle
from refgen.aids.cards.model import Card
from refgen.blocks.block import Block
from refgen.game import SystemInfo
from refgen.layout.lengths import (
    CARD_ABOVE_FOOT,
    CARD_ABOVE_WORDS,
    CARD_BACK_SIZE,
    CARD_BELOW_BAND,
    CARD_FOOT_LINE,
    CARD_FOOT_SIZE,
    CARD_ICON,
    CARD_LINE,
    CELL_PADDING_BLOCK,
    CHART_ENLARGED,
    MILLIMETRE,
)
from refgen.layout.metrics import Face, width
from refgen.layout.page_format import Theme
from refgen.layout.sizing import breakable_text
from refgen.look.colours import MIN_READABLE, contrast, text_on
from refgen.look.look import Look

TITLE_SIZES = (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0)
"""The type sizes of titles: the largest in which a title fits on one line; in the smallest a title may break. Larger
cards have larger titles.
"""

_BELOW_TITLE = 1.5
"""The distance between the title and the lower edge of its band."""

_AROUND_TITLE = 10.0
"""The space above the icon on a back, between icon and title, and below the title, all together."""

_AROUND_PANEL = 4.6
"""The least distance between the panel on a back and the trim edge: the pattern begins there."""

_SLACK = 0.99
"""The share of a line that words may fill by estimates, since Pango rounds."""


MANY_PARTS, MANY_FRONTS = 1_000, 1_000_000_000
"""Factors that keep the numbers of faces apart: more than the parts of any card, and more than the number of any front.
"""


@dataclass(frozen=True)
class CardFront:
    """The front of a card, or part ``part`` of the ``parts`` fronts that the card takes, counted from 1."""

    card: Card
    blocks: tuple[Block, ...]
    part: int
    parts: int
    system: SystemInfo
    style: CardStyle

    @cached_property
    def title(self) -> str:
        """The title of the card, with the number of the part where the card takes several fronts."""
        return self.card.title if self.parts == 1 else f"{self.card.title} ({self.part}/{self.parts})"

    @property
    def computed(self) -> bool:
        """Whether the front shows computed figures."""
        return any(block.tag for block in self.blocks)

    @property
    def colour(self) -> str:
        """The colour of the kind of card by the look or by the deck, or else that of the system."""
        return self.system.look.cards.get(self.card.kind) or self.card.colour or self.system.accent

    @property
    def title_colour(self) -> str:
        """The colour of the title, paper or ink: whichever is readable on ``colour``."""
        return _text_on(self.colour, self.system.look)

    @property
    def heading_colour(self) -> str:
        """The colour of headings on paper: ``colour``, or ink where that is too light to read."""
        look = self.system.look
        return self.colour if contrast(self.colour, look.colour("paper")) >= MIN_READABLE else look.colour("ink")

    @property
    def footer(self) -> str:
        """The words of the footer: card number, title of the system, source, and how figures are rounded."""
        rounding = self.system.brief_rounding if self.computed else ""
        return " · ".join(filter(None, (str(self.card.number), self.system.title, self.card.source, rounding)))

    @cached_property
    def title_size(self) -> float:
        """The type size of the title in points."""
        whole = width(self.title, Face.SERIF)
        sizes = [round(size * self.style.larger, 1) for size in TITLE_SIZES]
        return next((size for size in sizes if whole * size <= self._title_room), TITLE_SIZES[-1])

    @cached_property
    def band(self) -> float:
        """The height of the band with the title, from the trim edge."""
        return SAFE + max(self._title_height, CARD_ICON) + _BELOW_TITLE

    @property
    def above_title(self) -> float:
        """The space between the trim edge and the title, which stands low in its band."""
        return self.band - _BELOW_TITLE - self._title_height

    @cached_property
    def _title_height(self) -> float:
        lines = breakable_text(self.title, Face.SERIF).lines(self._title_room / self.title_size)
        return lines * CARD_LINE * self.title_size / MILLIMETRE

    @cached_property
    def foot(self) -> float:
        """The height of the footer."""
        room = (self.style.inner * MILLIMETRE) * _SLACK / CARD_FOOT_SIZE
        lines = breakable_text(self.footer, Face.REGULAR).lines(room)
        return lines * CARD_FOOT_SIZE * CARD_FOOT_LINE / MILLIMETRE

    @property
    def height(self) -> float:
        """The height of the body."""
        return self.style.size.height - self.band - CARD_BELOW_BAND - CARD_ABOVE_FOOT - self.foot - SAFE

    @property
    def _title_room(self) -> float:
        """The length of a line of the title in points."""
        beside = CARD_ICON + 1.5 if self.card.icon else 0.0
        return (self.style.inner - beside) * MILLIMETRE * _SLACK

    @property
    def icon(self) -> str:
        """The file of the icon, in the colour of the title; "" for a card without icon."""
        return _drawing(self.card.icon, self.title_colour, self.style, self.system.look) if self.card.icon else ""


def _text_on(ground: str, look: Look) -> str:
    return text_on(ground, look.colour("paper"), look.colour("ink"))


def _drawing(name: str, colour: str, style: CardStyle, look: Look) -> str:
    """The file of a drawing: in ink on a ground that ink can be read on, or on none."""
    inked = style.theme is Theme.INK_SAVING or colour == look.colour("ink")
    return f"{name}-ink.svg" if inked else f"{name}.svg"


@dataclass(frozen=True, slots=True)
class CardBack:
    """The back of cards: an icon, the title of the system, words and the licence, and a pattern behind all of these."""

    words: str
    icon: str
    pattern: str
    system: SystemInfo
    style: CardStyle

    @property
    def number(self) -> int:
        """A number that no other face of the deck has, made from the words of the back."""
        return crc32(self.words.encode()) + MANY_FRONTS

    @property
    def id(self) -> str:
        """The HTML id of the title, which no other face of the deck has."""
        return f"back-{crc32(self.words.encode()):08x}"

    @property
    def title_colour(self) -> str:
        """Paper or ink, whichever can be read on the accent of the system."""
        return _text_on(self.system.accent, self.system.look)

    def drawn(self, name: str) -> str:
        """The file of an icon or a pattern, in ``title_colour``."""
        return _drawing(name, self.title_colour, self.style, self.system.look)

    @property
    def title_size(self) -> float:
        """The type size of the title in points: the largest in which no word is longer than a line, and all fits."""
        largest = round(min(21.0, self._room / breakable_text(self.system.title, Face.SERIF).min_content), 1)
        tried = (largest, *(size for size in TITLE_SIZES if size < largest))
        return next((size for size in tried if self._text_height(size) + CARD_ICON <= self._max_height), tried[-1])

    @property
    def height(self) -> float:
        """The height of the panel with icon, title, words and licence."""
        return self.emblem + self._text_height(self.title_size)

    @property
    def excess(self) -> float:
        """By how much the panel is too high for the card; 0 for a panel that fits."""
        return max(self.height - self._max_height, 0.0)

    @property
    def _max_height(self) -> float:
        """The greatest height of the panel."""
        return self.style.size.height - 2 * _AROUND_PANEL

    def _text_height(self, title_size: float) -> float:
        """The height of all texts with a title of some size, and the space around them."""
        title = breakable_text(self.system.title, Face.SERIF).lines(self._room / title_size)
        lines = title * title_size * CARD_LINE
        above = 0.0
        for text, size in ((self.words, CARD_BACK_SIZE), (self.licence, CARD_FOOT_SIZE)):
            lines += breakable_text(text, Face.REGULAR).lines(self._room / size) * size * CARD_FOOT_LINE
            above += CARD_ABOVE_WORDS * bool(text)
        return lines / MILLIMETRE + _AROUND_TITLE + above

    @property
    def licence(self) -> str:
        """The licence line of the look, which goes with every card that is cut out."""
        return self.system.look.licence

    @property
    def _room(self) -> float:
        """The length of a line of words in points."""
        return (self.style.inner - 11) * MILLIMETRE * _SLACK

    @property
    def emblem(self) -> float:
        """The size of the icon; 0 where the texts leave no room."""
        usual = round(min(self.style.size.width, self.style.size.height) * 0.34, 2)
        free = self._max_height - self._text_height(self.title_size)
        return usual if usual <= free else round(free, 2) if free >= CARD_ICON else 0.0


@dataclass(frozen=True, slots=True)
class SetFront:
    """A front with its type: ``size`` in points, ``air`` in em added between lines.

    ``figures`` and ``opening`` are how many times larger than ``size`` the figures of facts and the opening text are.
    ``lead`` is how far down a short text begins, in em; ``emblem`` is the size of the icon under a short text in
    millimetres, 0 for no icon. ``column_widths`` are the widths of the columns of each block in points, where these are
    known. ``enlarged`` is the greatest enlargement of a chart.
    """

    front: CardFront
    size: float
    air: float = 0.0
    figures: float = 1.0
    opening: float = 1.0
    lead: float = 0.0
    emblem: float = 0.0
    column_widths: tuple[tuple[float, ...], ...] = ()
    enlarged: float = CHART_ENLARGED

    @property
    def limit(self) -> str:
        """The CSS declaration that limits the size of the chart; "" for no limit."""
        return f"; --chart-enlarged: {self.enlarged}em" if self.enlarged < CHART_ENLARGED else ""

    @property
    def emblem_icon(self) -> str:
        """The file of the icon under a short text."""
        return f"{self.front.card.icon}-pale.svg"

    @property
    def figure_padding(self) -> float:
        """The padding above and below a figure, in em of the figure: as much as above and below the text beside it."""
        padding = CELL_PADDING_BLOCK * self.front.system.look.spacing
        return round((padding + self.air / 2) / self.figures, 3)

    @property
    def number(self) -> int:
        """A number of the front that no other face of the deck has."""
        return self.front.card.number * MANY_PARTS + self.front.part

    @property
    def id(self) -> str:
        """The HTML id of the title, which no other face of the deck has."""
        front = self.front
        return f"card-{front.card.number}" + (f"-{front.part}" if front.part > 1 else "")

    @property
    def blocks(self) -> Sequence[tuple[Block, tuple[float, ...]]]:
        """Each block with the widths of its columns."""
        widths = self.column_widths or [()] * len(self.front.blocks)
        return list(zip(self.front.blocks, widths, strict=True))


@dataclass(frozen=True, slots=True)
class Faces:
    """All faces of a deck, each once, and the cards to print.

    ``copies`` has for each card to print the numbers of front and back, counted from 0 through all fronts and then all
    backs. A text that is continued on the back of a card is a front too.
    """

    style: CardStyle
    fronts: tuple[SetFront, ...]
    backs: tuple[CardBack, ...]
    copies: tuple[tuple[int, int], ...]

    @property
    def licence(self) -> str:
        """The licence line of all cards, which stands on every back; "" for none."""
        return self.backs[0].licence if self.backs else ""

    def with_licence(self, *, has_backs: bool) -> Faces:
        """The faces to print: where a card has no back, the deck ends with a card that shows the back and the licence.

        A card has none in a deck without backs, or where its text goes on there.
        """
        cover = len(self.fronts)
        if not self.licence or (has_backs and all(back >= cover for _, back in self.copies)):
            return self
        return replace(self, copies=(*self.copies, (cover, cover)))
