"""How a deck is made: the size of its cards, their theme, and how they are laid on paper.

In: names, as on the command line. Out: a DeckFormat, which knows its sheets and the names of their files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from refgen.aids.cards.imposition import CardImposition, CardPaper, Flip, SheetFormat
from refgen.aids.cards.model import CardDeck
from refgen.aids.cards.size import USUAL_SIZE, CardSize, card_size
from refgen.layout.page_format import PageFormat, Theme

if TYPE_CHECKING:
    from refgen.aids.cards.faces import Style


@dataclass(frozen=True, slots=True)
class DeckFormat:
    """How a deck is made: the size of its cards, their theme, and how they are laid on paper.

    Without ``papers`` a deck is laid on the papers of the build. ``pictures``: each face as a picture for the web;
    ``calibration``: a page for finding the ``offset`` of a printer; ``tabletop``: the files of Tabletop Simulator,
    whose pictures will be found under the address ``url``.
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
    def choosing(cls, *, size: str = USUAL_SIZE.name, landscape: bool = False, **chosen: Any) -> DeckFormat:
        """The format with the given names of its size, theme and so on. Raises RenderError for an unknown size."""
        known: Mapping[str, Callable[[Any], Any]] = {
            "theme": Theme,
            "imposition": CardImposition,
            "flip": Flip,
            "papers": lambda names: tuple(map(CardPaper, names)),
        }
        given = {name: known.get(name, lambda value: value)(value) for name, value in chosen.items()}
        return cls(card_size(size, landscape=landscape), **given)

    @property
    def style(self) -> Style:
        """The size and theme in which each card is set."""
        from refgen.aids.cards.faces import Style

        return Style(self.size, self.theme)

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
            yield self._sheet(f"{self.name}-single", CardPaper.A4)
            return
        usual = [] if self.imposition is CardImposition.DUPLEX else [self.imposition]
        known = [CardPaper(page_format.paper) for page_format in formats if page_format.paper in {*CardPaper}]
        for paper in self.papers or known:
            yield self._sheet("-".join([self.name, *usual, paper]), paper)

    def _sheet(self, name: str, paper: CardPaper) -> SheetFormat:
        return SheetFormat(name, self.style, paper, self.imposition, self.flip, self.gutter, self.offset)
