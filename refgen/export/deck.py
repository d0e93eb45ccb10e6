"""A deck as JSON: its cards, and on each what it says, block by block.

In: a game and its deck. Out: plain data. Texts are those on the cards; a chart gives the figures that it draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from typing_extensions import TypedDict

from refgen.blocks.block import Block
from refgen.blocks.kinds import KINDS_BY_NAME
from refgen.export.model import Count, Keywords, Line
from refgen.game.game import Game

if TYPE_CHECKING:
    from refgen.aids.cards.model import Card, CardDeck


class NoteData(TypedDict):
    """A footnote: its sign, and what it says."""

    sign: str
    text: str


class PairData(TypedDict):
    """A term and what it says, or a fact and its figure."""

    term: str
    text: str


class BlockData(TypedDict):
    """A block. ``rows`` begin with the heads, where a table has any; ``texts`` are steps, items or paragraphs.

    ``computed``: its figures are worked out, not printed.
    """

    kind: Annotated[str, Keywords({"enum": [*KINDS_BY_NAME]})]
    title: str
    texts: list[str]
    pairs: list[PairData]
    heads: list[str]
    rows: list[list[str]]
    computed: bool
    note: str
    footnotes: list[NoteData]


class CardData(TypedDict):
    """A card: ``count`` is how often it is in the deck, ``back`` the words on its back, ``source`` where it is printed.

    ``kind``, ``icon`` and ``colour`` are "" where the deck says nothing of them.
    """

    number: Line
    title: str
    kind: str
    icon: str
    colour: str
    count: Line
    back: str
    source: str
    blocks: list[BlockData]


class DeckData(TypedDict):
    """What ``refgen cards --format json`` prints."""

    schema: Literal["refgen/deck/1"]
    system: str
    title: str
    about: str
    source: str
    size: Count
    cards: list[CardData]


def deck_data(game: Game, deck: CardDeck) -> DeckData:
    """A deck; its ``size`` is how many cards it has, with every copy."""
    spec = game.ruleset.spec
    return DeckData(
        schema="refgen/deck/1",
        system=game.id,
        title=spec.title,
        about=spec.about,
        source=spec.source,
        size=sum(card.count for card in deck.cards),
        cards=[_card(card) for card in deck.cards],
    )


def _card(card: Card) -> CardData:
    return CardData(
        number=card.number,
        title=card.title,
        kind=card.kind,
        icon=card.icon,
        colour=card.colour,
        count=card.count,
        back=card.back,
        source=card.source,
        blocks=[_block(block) for block in card.blocks],
    )


def _block(block: Block) -> BlockData:
    contents = block.contents()
    return BlockData(
        kind=block.kind,
        title=block.title,
        texts=[*contents.texts],
        pairs=[PairData(term=term, text=text) for term, text in contents.pairs],
        heads=[*contents.heads],
        rows=[[*row] for row in contents.rows],
        computed=block.computed,
        note=block.note,
        footnotes=[NoteData(sign=note.sign, text=note.text) for note in block.footnotes],
    )
