"""A deck is made to fit: each card in the largest type that holds, its height used, or on several cards, or reported.

In: a deck, its style, and how to make the HTML of some faces. Out: its faces, their HTML and their PDF. Every face
is laid out by itself, on a page of its own, and only until its type size is settled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

from refgen.aids.blocks import Block, FactsBlock, GlossaryBlock, ListBlock, QuoteBlock, StepsBlock, TableBlock
from refgen.aids.card_deck import Card, CardDeck
from refgen.aids.system_info import SystemInfo
from refgen.errors import RefgenError, RenderError
from refgen.render.card.faces import Back, Faces, Front, SetBack, SetFront, Style
from refgen.render.card.split import entries, split
from refgen.render.layout_cache import KeptPages, LayoutCache, parts_of
from refgen.render.lengths import BODY
from refgen.render.measure import PartBoxes
from refgen.render.units import MILLIMETRE, PIXEL

SIZES = tuple(size / 4 for size in range(44, 27, -1))
"""The type sizes of cards in points, from 11 to 7: in the hand."""

USUAL = SIZES.index(9.5)
"""The number of the size to begin with."""

FULL = 0.98
"""How full a card is meant to become."""

MAX_AIR = 0.6
"""Ems: more between two lines, and they no longer belong together."""

BELOW = 1000.0
"""Millimetres that a page is longer than its card while it is laid out: WeasyPrint drops what goes over its end."""

MAX_FIGURES = 3.0
"""How many times the size of the text the figures of facts may be, where a card has room for it."""

SHORT_TEXT, LEAD = 0.3, 0.4
"""A text that leaves this share of its card free begins so far down in what is free: a little above the middle."""

SHORT = 7
"""Characters of a figure that may be as large as that."""

MakeHtml = Callable[[Sequence[SetFront], Sequence[SetBack], float], str]
"""Makes the HTML of some faces, on pages that are so many millimetres longer than their cards."""


class _Set(NamedTuple):
    """How a face is set: as a SetFront, with the number of its size (-1 for a back) in place of the size."""

    size: int
    air: float = 0.0
    figures: float = 1.0
    lead: float = 0.0


@dataclass(frozen=True, slots=True)
class FittedDeck:
    """A deck that fits: its faces, their HTML and PDF, and what was measured on each page.

    ``faults`` are those of the cards that could not be made, and stand in no face.
    """

    faces: Faces
    html: str
    pdf: bytes
    measured: Sequence[Mapping[int, PartBoxes]]
    faults: Sequence[RefgenError]


def fit_deck(
    make: MakeHtml, system: SystemInfo, deck: CardDeck, style: Style, name: str, kept: KeptPages | None = None
) -> FittedDeck:
    """Set and lay out a deck, of which some faces may be ``kept``. Raises RenderError when no card can be made."""
    return _Fitter(make, system, deck, style, name, kept).fit()


@dataclass(slots=True)
class _Bounds:
    """What is known of a front: the smallest size that was too large, and the largest that fits, by their numbers."""

    front: Front
    try_next: int = USUAL
    too_large: int = -1
    fits: int | None = None
    fill: float = 1.0

    @property
    def is_settled(self) -> bool:
        return self.fits is not None and self.fits == self.too_large + 1

    @property
    def is_too_full(self) -> bool:
        return self.too_large == len(SIZES) - 1

    def learn(self, boxes: PartBoxes) -> None:
        """What a layout in the size ``try_next`` says."""
        if boxes.overflows:
            self.too_large = max(self.too_large, self.try_next)
        elif self.fits is None or self.try_next < self.fits:
            self.fits = self.try_next
        self.fill = boxes.fill
        # The height of text grows with the square of its size at most.
        wanted = SIZES[self.try_next] * sqrt(FULL / boxes.fill) if boxes.fill else SIZES[0]
        guess = next((number for number, size in enumerate(SIZES) if size <= wanted), len(SIZES) - 1)
        last = self.fits - 1 if self.fits is not None else len(SIZES) - 1
        self.try_next = min(max(guess, self.too_large + 1), last)


@dataclass(slots=True)
class _Fitter:
    make: MakeHtml
    system: SystemInfo
    deck: CardDeck
    style: Style
    name: str
    kept: KeptPages | None = None
    cache: LayoutCache[_Set] = field(init=False)
    known: dict[int, _Bounds] = field(default_factory=dict)
    backs: dict[int, Back] = field(default_factory=dict)
    faults: list[RefgenError] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cache = LayoutCache(self._html, self.name, self.kept, BELOW * MILLIMETRE / PIXEL)

    def fit(self) -> FittedDeck:
        """Settle the fronts card by card in rounds: all that are not settled are laid out together."""
        fronts = {
            card.number: [self._add(Front(card, card.blocks, 1, 1, self.system, self.style))]
            for card in self.deck.cards
        }
        waiting = set(fronts)
        while waiting:
            self._settle([number for card in waiting for number in fronts[card]])
            waiting = {card for card in waiting if any(self.known[number].is_too_full for number in fronts[card])}
            for card in sorted(waiting):
                fronts[card] = self._in_more_parts(fronts[card])
            waiting = {card for card in waiting if fronts[card]}
        return self._finish([number for card in self.deck.cards for number in fronts[card.number]])

    def _add(self, front: Front) -> int:
        number = len(self.known)
        self.known[number] = _Bounds(front)
        return number

    def _settle(self, numbers: Sequence[int]) -> None:
        left = list(numbers)
        while left:
            found = parts_of(self.cache.pages([{number: _Set(self.known[number].try_next)} for number in left]))
            for number in left:
                self.known[number].learn(found[number])
            left = [number for number in left if not (self.known[number].is_settled or self.known[number].is_too_full)]

    def _in_more_parts(self, numbers: Sequence[int]) -> list[int]:
        """A card that is too full on one more card than it took; nothing where that cannot help, which is a fault."""
        card = self.known[numbers[0]].front.card
        parts = max(len(numbers) + 1, len(numbers))
        full = [self.known[number] for number in numbers if self.known[number].is_too_full]
        alone = any(len(entries(bounds.front.blocks)) == 1 or bounds.fill <= 1 for bounds in full)
        if self.deck.overflow == "report" or alone or parts > len(entries(card.blocks)):
            self.faults.append(self._fault(card, numbers))
            return []
        width = self.style.inner * MILLIMETRE
        dealt = split(card.blocks, parts, width, SIZES[-1])
        return [
            self._add(Front(card, blocks, part, len(dealt), self.system, self.style))
            for part, blocks in enumerate(dealt, start=1)
        ]

    def _fault(self, card: Card, numbers: Sequence[int]) -> RenderError:
        smallest = _Set(len(SIZES) - 1)
        laid_out = self.cache.pages([{number: smallest} for number in numbers])
        most = max((boxes.overflow for boxes in parts_of(laid_out).values()), default=0.0)
        return RenderError(
            f'{self.name}: "{card.title}" is too full by {most * PIXEL / MILLIMETRE:.1f} mm '
            f"even in the smallest type ({SIZES[-1]:g} pt)",
            span=card.place,
            hint="Take a block away, or make two cards of it.",
        )

    def _finish(self, numbers: Sequence[int]) -> FittedDeck:
        """The settled fronts with air between their lines, and the backs they need, renumbered from 0."""
        if not numbers:
            raise self.faults[0]
        final = self._aired(numbers)
        first = {number: place for place, number in enumerate(numbers)}
        backs = {self._back(self.known[number].front.card): None for number in numbers}
        last = len(self.known)
        self.backs = {last + place: back for place, back in enumerate(backs)}
        contents = [*({number: final[number]} for number in numbers), *({number: _Set(-1)} for number in self.backs)]
        pages = self.cache.pages(contents)
        set_fronts = tuple(self._set(place, number, final[number]) for number, place in first.items())
        set_backs = tuple(SetBack(len(first) + place, back) for place, back in enumerate(backs))
        copies = tuple(
            (front.number, next(back.number for back in set_backs if back.back == self._back(front.front.card)))
            for front in set_fronts
            for _ in range(front.front.card.count)
        )
        faces = Faces(self.style, set_fronts, set_backs, copies)
        measured = [{place: next(iter(page.parts.values()))} for place, page in enumerate(pages)]
        return FittedDeck(
            faces, self.make(set_fronts, set_backs, 0.0), self.cache.write(contents), measured, self.faults
        )

    def _aired(self, numbers: Sequence[int]) -> dict[int, _Set]:
        """How each front is set at last. Where air makes one too full after all, it stays without."""
        sizes = {number: _Set(self.known[number].fits or 0) for number in numbers}
        found = parts_of(self.cache.pages([{number: sizes[number]} for number in numbers]))
        aired = {number: self._aired_set(number, sizes[number], found[number]) for number in numbers}
        pages = parts_of(self.cache.pages([{number: aired[number]} for number in numbers]))
        return {number: sizes[number] if pages[number].overflows else aired[number] for number in numbers}

    def _aired_set(self, number: int, held: _Set, boxes: PartBoxes) -> _Set:
        """With what is left of the height between its lines, and, where that is too much, in larger figures."""
        front = self.known[number].front
        left = (FULL - boxes.fill) * front.height * MILLIMETRE / SIZES[held.size]
        gaps = sum(map(_lines, front.blocks)) + 2 * (len(front.blocks) - 1)
        if left <= 0:
            return held
        air = round(min(left / gaps, MAX_AIR), 2) if gaps else 0.0
        left -= gaps * air
        rows = sum(len(block.facts) for block in front.blocks if isinstance(block, FactsBlock) and _is_short(block))
        more = round(min(max(left / (rows * BODY.line_height) - 0.05, 0), MAX_FIGURES - 1), 2) if rows else 0.0
        left -= more * rows * BODY.line_height
        height = front.height * MILLIMETRE / SIZES[held.size]
        return _Set(held.size, air, 1 + more, round(left * LEAD, 2) if left > SHORT_TEXT * height else 0.0)

    def _back(self, card: Card) -> Back:
        return Back(card.back, self.deck.icon, self.deck.pattern, self.system, self.style)

    def _set(self, place: int, number: int, held: _Set) -> SetFront:
        return SetFront(place, self.known[number].front, SIZES[held.size], held.air, held.figures, held.lead)

    def _html(self, parts: Mapping[int, _Set]) -> str:
        fronts = [self._set(number, number, held) for number, held in parts.items() if number not in self.backs]
        return self.make(
            fronts, [SetBack(number, self.backs[number]) for number in parts if number in self.backs], BELOW
        )


def _is_short(block: FactsBlock) -> bool:
    return all(len(figure) <= SHORT for _, figure in block.facts)


def _lines(block: Block) -> int:
    """Between how many lines of a block there is air."""
    match block:
        case TableBlock():
            return len(block.rows)
        case FactsBlock():
            return len(block.facts)
        case StepsBlock():
            return len(block.steps) - 1
        case ListBlock():
            return len(block.items) - 1
        case GlossaryBlock():
            return len(block.terms) - 1
        case QuoteBlock():
            return len(block.paragraphs) - 1
        case _:
            return 0
