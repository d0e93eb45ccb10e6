"""A deck for Foundry Virtual Tabletop: a roll table that draws a card, or a journal with a page a card.

In: a deck as data. Out: the data of a RollTable or a JournalEntry, as "Import Data" of Foundry 11 to 14 takes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any, Literal

from typing_extensions import TypedDict

from refgen.export.deck import DeckData
from refgen.export.deck_text import card_html

_HTML = 1
"""The format of a page of text (CONST.JOURNAL_ENTRY_PAGE_FORMATS.HTML)."""

_BETWEEN = 100_000
"""Between the places of two pages: others can be put there (CONST.SORT_INTEGER_DENSITY)."""


class ResultData(TypedDict):
    """A result of a roll table: a card as HTML, and the numbers that draw it."""

    type: Literal["text"]
    text: str
    weight: int
    range: list[int]
    drawn: bool


class RollTableData(TypedDict):
    """A roll table; results are drawn without putting them back, as cards are."""

    name: str
    description: str
    formula: str
    replacement: bool
    displayRoll: bool
    results: list[ResultData]


class PageData(TypedDict):
    """A page of a journal."""

    name: str
    type: Literal["text"]
    title: dict[str, Any]
    text: dict[str, Any]
    sort: int


class JournalData(TypedDict):
    """A journal."""

    name: str
    pages: list[PageData]


def roll_table_data(deck: DeckData) -> RollTableData:
    """Each card with a number of the die for every copy."""
    return RollTableData(
        name=deck["title"],
        description=deck["about"],
        formula=f"1d{deck['size']}",
        replacement=False,
        displayRoll=True,
        results=list(_results(deck)),
    )


def _results(deck: DeckData) -> Iterator[ResultData]:
    first = 1
    for card in deck["cards"]:
        last = first + card["count"] - 1
        text = f"<h2>{escape(card['title'])}</h2>\n{card_html(card)}"
        yield ResultData(type="text", text=text, weight=card["count"], range=[first, last], drawn=False)
        first = last + 1


def journal_data(deck: DeckData) -> JournalData:
    """A page a card."""
    return JournalData(
        name=deck["title"],
        pages=[
            PageData(
                name=card["title"],
                type="text",
                title={"show": True, "level": 1},
                text={"format": _HTML, "content": card_html(card)},
                sort=number * _BETWEEN,
            )
            for number, card in enumerate(deck["cards"], start=1)
        ],
    )
