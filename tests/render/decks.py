"""Decks in one type size, as they stand before they are fitted."""

from __future__ import annotations

from refgen.aids.card_deck import CardDeck
from refgen.aids.system_info import SystemInfo
from refgen.render.card.faces import Back, Faces, Front, SetFront, Style
from refgen.render.card.size import USUAL_SIZE
from refgen.render.html import deck_html

STYLE = Style(USUAL_SIZE)


def faces_of(system: SystemInfo, deck: CardDeck, size: float = 9.0, style: Style = STYLE) -> Faces:
    """The faces of a deck: every card in the same type, and one back."""
    fronts = tuple(SetFront(Front(card, card.blocks, 1, 1, system, style), size) for card in deck.cards)
    backs = (Back("", deck.icon, deck.pattern, system, style),) if fronts else ()
    return Faces(style, fronts, backs, tuple((number, len(fronts)) for number in range(len(fronts))))


def html_of(system: SystemInfo, faces: Faces) -> str:
    """Their page."""
    return deck_html(system, faces.style, faces.fronts, faces.backs)
