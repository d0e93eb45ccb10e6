"""A deck as JSON, as Markdown, as HTML of single cards, and for Foundry Virtual Tabletop.

In: a game and its deck. Out: plain data: the cards with the texts of their blocks (a chart gives its figures). Of that
data: CommonMark with tables, the HTML of a card, and the data of a RollTable that draws a card or of a JournalEntry
with a page a card, as "Import Data" of Foundry 12 to 14 takes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from typing_extensions import TypedDict

from refgen.blocks.block import Block
from refgen.blocks.kinds import KINDS_BY_NAME
from refgen.export.model import Count, Keywords, Line, data_of
from refgen.game import GameModel

if TYPE_CHECKING:
    from refgen.aids.cards.model import CardDeck


class NoteData(TypedDict):
    """A footnote: a sign and a text."""

    sign: str
    text: str


class PairData(TypedDict):
    """A term with an explanation, or a fact with a figure."""

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
    """A card: ``count`` of the same card in a deck, ``back`` the words on the back, ``source`` the printed place.

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
    """The output of ``refgen cards --format json``."""

    schema: Literal["refgen/deck/2"]
    system: str
    title: str
    about: str
    source: str
    licence: str
    size: Count
    cards: list[CardData]


def deck_data(game: GameModel, deck: CardDeck) -> DeckData:
    """A deck as data; ``size`` is the number of cards, with every copy, ``licence`` the line of look.toml."""
    spec, licence = game.ruleset.spec, game.look.licence
    cards = [data_of(CardData, card, blocks=[_block(block) for block in card.blocks]) for card in deck.cards]
    size = sum(card.count for card in deck.cards)
    return data_of(DeckData, spec, schema="refgen/deck/2", system=game.id, licence=licence, size=size, cards=cards)


def _block(block: Block) -> BlockData:
    contents = block.contents()
    return data_of(
        BlockData,
        block,
        texts=[*contents.texts],
        pairs=[PairData(term=term, text=text) for term, text in contents.pairs],
        heads=[*contents.heads],
        rows=[[*row] for row in contents.rows],
        computed=bool(block.tag),
        footnotes=[data_of(NoteData, note) for note in block.footnotes],
    )


_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])|^(\d+)(?=[.)](?:\s|$))|^(?=[-+=](?:\s|$))", re.MULTILINE)
"""What means something in Markdown."""


def deck_markdown(deck: DeckData) -> str:
    """All cards under the title of the system."""
    cards = (
        f"## {_escape_markdown(card['title'])}\n\n{card_markdown(card, deck['licence'], 3)}" for card in deck["cards"]
    )
    return "\n".join([f"# {_escape_markdown(deck['title'])}\n", *cards])


def card_markdown(card: CardData, licence: str = "", level: int = 2) -> str:
    """The text of a card, without its title; the titles of its blocks are headings of a ``level``."""
    parts = [part for block in card["blocks"] for part in _block_markdown(block, level)]
    if foot := " · ".join(filter(None, (card["source"], licence))):
        parts.append(f"*{_escape_markdown(foot)}*")
    return "\n\n".join(parts) + "\n"


def card_html(card: CardData, licence: str = "") -> str:
    """The text of a card, without its title, as HTML."""
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark").enable("table").render(card_markdown(card, licence)))


def _block_markdown(block: BlockData, level: int) -> Iterator[str]:
    if block["title"]:
        yield f"{'#' * level} {_escape_markdown(block['title'])}"
    yield from _content(block)
    notes = [block["note"], "Computed." if block["computed"] else ""]
    if any(notes):
        yield f"*{_escape_markdown(' '.join(filter(None, notes)))}*"
    for note in block["footnotes"]:
        yield _escape_markdown(f"{note['sign']} {note['text']}")


def _content(block: BlockData) -> Iterator[str]:
    kind = KINDS_BY_NAME[block["kind"]]
    yield from kind.markdown([_escape_markdown(text) for text in block["texts"]])
    if block["pairs"] and kind.ruled:
        yield _table(["", ""], [[pair["term"], pair["text"]] for pair in block["pairs"]])
    else:
        yield from (f"**{_escape_markdown(pair['term'])}** {_escape_markdown(pair['text'])}" for pair in block["pairs"])
    if block["rows"] and not block["heads"]:
        yield "\n".join(f"- {_escape_markdown(text)}" for (text,) in block["rows"])
    elif block["rows"]:
        yield _table(block["heads"], block["rows"])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [
        [_escape_markdown(text) for text in heads],
        ["---"] * len(heads),
        *([_escape_markdown(text) for text in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escape_markdown(text: str) -> str:
    """A text of which nothing is taken for Markdown."""
    return _SPECIAL.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\" if found[2] else "\\", text)


_HTML = 1
"""The format of a page of text (CONST.JOURNAL_ENTRY_PAGE_FORMATS.HTML)."""

_BETWEEN = 100_000
"""Between the places of two pages: others can be put there (CONST.SORT_INTEGER_DENSITY)."""


class TableResult(NamedTuple):
    """A result of a roll table of Foundry, with the lowest and the highest number that draw it.

    Foundry 13 and later show the ``name``, a plain text, over the ``description``; Foundry 12 shows the ``text`` alone.
    Description and text are HTML.
    """

    name: str
    description: str
    text: str
    weight: int
    low: int
    high: int


def roll_table_data(deck: DeckData) -> Mapping[str, Any]:
    """A roll table: each card with a number of the die for every copy; no card is put back."""
    results: list[TableResult] = []
    first = 1
    for card in deck["cards"]:
        last, title, html = first + card["count"] - 1, card["title"], card_html(card, deck["licence"])
        results.append(TableResult(title, html, f"<h2>{escape(title)}</h2>\n{html}", card["count"], first, last))
        first = last + 1
    return foundry_table(deck["title"], deck["about"], f"1d{deck['size']}", results, replacement=False)


def foundry_table(
    name: str, description: str, formula: str, results: Iterable[TableResult], *, replacement: bool
) -> Mapping[str, Any]:
    """A roll table of Foundry."""
    return {
        "name": name,
        "description": description,
        "formula": formula,
        "replacement": replacement,
        "displayRoll": True,
        "results": [
            {
                "type": "text",
                "name": one.name,
                "description": one.description,
                "text": one.text,
                "weight": one.weight,
                "range": [one.low, one.high],
                "drawn": False,
            }
            for one in results
        ],
    }


def journal_data(deck: DeckData) -> Mapping[str, Any]:
    """A journal with a page a card."""
    pages = [
        {
            "name": card["title"],
            "type": "text",
            "title": {"show": True, "level": 1},
            "text": {"format": _HTML, "content": card_html(card, deck["licence"])},
            "sort": number * _BETWEEN,
        }
        for number, card in enumerate(deck["cards"], start=1)
    ]
    return {"name": deck["title"], "pages": pages}
