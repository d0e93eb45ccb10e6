"""A deck is made to fit: each card in the largest type that holds, its height used, or on several cards, or reported.

In: a deck, its style, and how to make the HTML of some faces. Out: its faces, their HTML and their PDF. All faces are
laid out at once, one a page; where an estimate was too low, a card is set smaller and laid out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from refgen.aids.cards.faces import Back, Faces, SetFront, Style
from refgen.aids.cards.model import Card, CardDeck
from refgen.aids.cards.setting import FULL, fronts_of
from refgen.errors import RefgenError
from refgen.game.system_info import SystemInfo
from refgen.layout.engine import PartBoxes
from refgen.layout.layout_cache import KeptPages, LayoutCache
from refgen.layout.lengths import MILLIMETRE, PIXEL

MakeHtml = Callable[[Sequence[SetFront], Sequence[Back], float], str]
"""Makes the HTML of some faces, on pages that are so many millimetres longer than their cards."""

LARGE, BATCH = 60, 50
"""In a deck of so many cards, so many faces are written and kept together."""

BELOW = 1000.0
"""Millimetres that a page is longer than its card while it is laid out: WeasyPrint drops what goes over its end."""

_SMALLER = 1.02
"""By how much higher, at least, a card is taken for that was found too full."""


@dataclass(frozen=True, slots=True)
class FittedDeck:
    """A deck that fits: its faces, how to make their HTML, their PDF, and what was measured on each page.

    ``faults`` are those of the cards that could not be made, and stand in no face.
    """

    faces: Faces
    make: MakeHtml
    pdf: bytes
    measured: Sequence[Mapping[int, PartBoxes]]
    faults: Sequence[RefgenError]

    @property
    def html(self) -> str:
        """The HTML of the faces, made anew: whoever wants only paper needs none."""
        return self.make(self.faces.fronts, self.faces.backs, 0.0)


def fit_deck(
    make: MakeHtml, system: SystemInfo, deck: CardDeck, style: Style, name: str, kept: KeptPages | None = None
) -> FittedDeck:
    """Set and lay out a deck, of which some faces may be ``kept``. Raises RenderError when no card can be made."""
    return _Fitter(system, deck, style, name).fit(make, kept)


def estimate_deck(system: SystemInfo, deck: CardDeck, style: Style, name: str) -> tuple[Faces, Sequence[RefgenError]]:
    """The faces of a deck as they are set before any layout, and the faults of cards that fit in no way.

    Raises RenderError when no card can be made.
    """
    fitter = _Fitter(system, deck, style, name)
    return fitter.estimated(), list(fitter.faults.values())


@dataclass(slots=True)
class _Fitter:
    system: SystemInfo
    deck: CardDeck
    style: Style
    name: str
    fronts: dict[int, Sequence[SetFront]] = field(default_factory=dict)
    faults: dict[int, RefgenError] = field(default_factory=dict)

    def fit(self, make: MakeHtml, kept: KeptPages | None) -> FittedDeck:
        """Lay out all cards as estimated; those that are too full after all are set smaller, until all fit."""
        cache = self._cache(make, kept)
        scales = {card.number: 1.0 for card in self.deck.cards}
        changed: Sequence[Card] = self.deck.cards
        while changed:
            for card in changed:
                self._set(card, scales[card.number])
            faces = self._faces()
            contents = [{face.number: face} for face in faces.in_order]
            measured = [next(iter(page.parts.values())) for page in cache.pages(contents)]
            higher = self._higher(faces, measured)
            scales |= {number: scales[number] * scale for number, scale in higher.items()}
            changed = [card for card in changed if card.number in higher]
        boxes = [{place: found} for place, found in enumerate(measured)]
        return FittedDeck(faces, make, cache.write(contents), boxes, list(self.faults.values()))

    def _cache(self, make: MakeHtml, kept: KeptPages | None) -> LayoutCache[SetFront | Back]:
        def make_html(parts: Mapping[int, SetFront | Back]) -> str:
            fronts = [face for face in parts.values() if isinstance(face, SetFront)]
            return make(fronts, [face for face in parts.values() if isinstance(face, Back)], BELOW)

        batch = BATCH if len(self.deck.cards) >= LARGE else 1
        return LayoutCache(make_html, self.name, kept, batch, longer=BELOW * MILLIMETRE / PIXEL)

    def estimated(self) -> Faces:
        """All faces as estimated."""
        for card in self.deck.cards:
            self._set(card, 1.0)
        return self._faces()

    def _set(self, card: Card, scale: float) -> None:
        divides = self.deck.overflow != "report"
        try:
            self.fronts[card.number] = fronts_of(card, self.system, self.style, self.name, divides=divides, scale=scale)
        except RefgenError as fault:
            self.fronts.pop(card.number, None)
            self.faults[card.number] = fault

    def _higher(self, faces: Faces, measured: Sequence[PartBoxes]) -> dict[int, float]:
        """The numbers of cards that are higher than estimated, and by how much, to be on the safe side."""
        inner = self.style.inner * MILLIMETRE / PIXEL
        found: dict[int, float] = {}
        for face, boxes in zip(faces.fronts, measured, strict=False):
            if boxes.overflows:
                scale = max(_SMALLER, boxes.fill / FULL, (1 + boxes.overflow / inner) ** 2)
                found[face.front.card.number] = max(scale, found.get(face.front.card.number, 1.0))
        return found

    def _faces(self) -> Faces:
        """All faces as they are set now. Raises the fault of the first card where no card can be made."""
        cards = [card for card in self.deck.cards if card.number in self.fronts]
        if not cards:
            raise next(iter(self.faults.values()))
        fronts = tuple(front for card in cards for front in self.fronts[card.number])
        backs = list(dict.fromkeys(map(self._back, cards)))
        return Faces(self.style, fronts, tuple(backs), tuple(self._copies(cards, len(fronts), backs)))

    def _copies(self, cards: Sequence[Card], first_back: int, backs: Sequence[Back]) -> Iterator[tuple[int, int]]:
        """The cards to print: front and back of each."""
        start = 0
        for card in cards:
            places = range(start, start := start + len(self.fronts[card.number]))
            back = first_back + backs.index(self._back(card))
            if self.deck.overflow == "back":
                pairs = list(zip_longest(places[::2], places[1::2], fillvalue=back))
            else:
                pairs = [(place, back) for place in places]
            yield from pairs * card.count

    def _back(self, card: Card) -> Back:
        return Back(card.back, self.deck.icon, self.deck.pattern, self.system, self.style)
