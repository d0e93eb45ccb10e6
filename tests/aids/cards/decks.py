"""Decks in one type size, as they stand before they are fitted."""

from __future__ import annotations

from refgen.aids.cards.deck_format import USUAL_SIZE, CardStyle
from refgen.aids.cards.faces import CardBack, CardFront, Faces, SetFront
from refgen.aids.cards.job import deck_html
from refgen.aids.cards.model import CardDeck
from refgen.game import SystemInfo

STYLE = CardStyle(USUAL_SIZE)


def faces_of(system: SystemInfo, deck: CardDeck, size: float = 9.0, style: CardStyle = STYLE) -> Faces:
    """The faces of a deck: every card in the same type, and one back."""
    fronts = tuple(SetFront(CardFront(card, card.blocks, 1, 1, system, style), size) for card in deck.cards)
    backs = (CardBack("", deck.icon, deck.pattern, system, style),) if fronts else ()
    return Faces(style, fronts, backs, tuple((number, len(fronts)) for number in range(len(fronts))))


def html_of(system: SystemInfo, faces: Faces) -> str:
    """Their page."""
    return deck_html(system, faces.style, faces.fronts, faces.backs)
