"""Decks of quick-reference cards.

In: a DeckSpec and a Game. Out: a CardDeck: cards with their blocks, in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from refgen.aids.blocks import Block, TableBlock, make_block
from refgen.aids.chart import ChartBlock
from refgen.aids.load import load_aid_spec, placed
from refgen.aids.schema import DeckSpec
from refgen.aids.words import words
from refgen.game.game import Game

SPEC_NAME = "cards.toml"


@dataclass(frozen=True, slots=True)
class Card:
    """One card; ``number`` counts from 1."""

    number: int
    title: str
    blocks: tuple[Block, ...]

    @property
    def computed(self) -> bool:
        """Whether it shows computed figures, of which it must say how they are rounded."""
        return any(isinstance(block, TableBlock | ChartBlock) and block.computed for block in self.blocks)


@dataclass(frozen=True, slots=True)
class CardDeck:
    """All cards of a system."""

    cards: tuple[Card, ...]

    @property
    def part_titles(self) -> tuple[str, ...]:
        """The titles of the parts that must each fit: its cards."""
        return tuple(card.title for card in self.cards)


def make_deck(folder: Path, game: Game) -> CardDeck:
    """Make the deck of the system in ``folder``."""
    spec, source = load_aid_spec(folder, SPEC_NAME, DeckSpec)
    cards = []
    for number, card in enumerate(spec.cards):
        blocks = []
        for position, block in enumerate(card.blocks):
            with placed(source, "cards", number, "blocks", position):
                blocks.append(make_block(game, block, titled=False))
        with placed(source, "cards", number):
            cards.append(Card(number + 1, words(game, card.title), tuple(blocks)))
    return CardDeck(tuple(cards))
