"""A deck as JSON: its cards, and on each what it says, block by block.

In: a game and its deck. Out: plain data. Texts are those on the cards; a chart gives the figures that it draws.
"""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from refgen.aids.block.model import (
    Block,
    FactsBlock,
    GlossaryBlock,
    ListBlock,
    QuoteBlock,
    ShownCell,
    StepsBlock,
    TableBlock,
)
from refgen.aids.card_deck import Card, CardDeck
from refgen.aids.chart.model import ChartBlock
from refgen.export.model import Count, Line
from refgen.game.game import Game


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

    kind: Literal["table", "chart", "steps", "list", "glossary", "facts", "quote", "text"]
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
    data = BlockData(
        kind=block.kind,  # type: ignore[typeddict-item]  # each class has its own
        title=block.title,
        texts=[],
        pairs=[],
        heads=[],
        rows=[],
        computed=isinstance(block, TableBlock | ChartBlock) and block.computed,
        note=block.note,
        footnotes=[NoteData(sign=note.sign, text=note.text) for note in block.footnotes],
    )
    match block:
        case TableBlock():
            heads = [f"{column.title} {column.under}".strip() for column in block.columns]
            data["heads"] = [] if block.is_list else heads
            data["rows"] = [[_text(cell) for cell in row] for row in block.rows]
        case ChartBlock():
            data["texts"] = [block.alternative]
            data["heads"] = [block.axis, *(series.name for series in block.series)]
            figures = zip(block.names, *(series.figures for series in block.series), strict=True)
            data["rows"] = [[name, *(figure.text for figure in drawn)] for name, *drawn in figures]
        case StepsBlock():
            data["texts"] = [*block.steps]
        case ListBlock():
            data["texts"] = [*block.items]
        case QuoteBlock():
            data["texts"] = [*block.paragraphs]
        case GlossaryBlock():
            data["pairs"] = [PairData(term=term, text=text) for term, text in block.terms]
        case FactsBlock():
            data["pairs"] = [PairData(term=term, text=figure) for term, figure in block.facts]
        case _:
            data["texts"] = [block.text]
    return data


def _text(cell: ShownCell) -> str:
    """A cell with the sign of its footnote."""
    return f"{cell.text}{cell.sign}"
