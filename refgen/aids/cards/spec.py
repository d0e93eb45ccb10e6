"""The schema of cards.toml: the cards of a deck, written out or made from rows of a table or from sections.

Texts may name facts in braces, and on a card made from a row the columns of the row too ("{weapon}: damage {damage}").
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from refgen.blocks.kinds import BlockSpec
from refgen.rules.field_types import Color, Identifier
from refgen.rules.toml import Strict

MAX_COUNT = 200


class KindSpec(Strict):
    """The look of the cards of one kind: a colour (else the system's), and the name of an icon."""

    icon: Identifier | None = None
    colour: Color | None = None


class CardSpec(Strict):
    """A card; or with ``each`` a card for each row of a table, or for each section under a heading of the document.

    ``title`` is needed unless ``each`` is given: a card of a section has the title of the section, a card of a row the
    words of the first column. Without ``blocks`` such a card shows the whole row or section. ``row_range`` takes the
    rows from one to another, counted from 1. ``count`` is how often the card is in the deck, ``back`` the words on its
    back.
    """

    title: str = ""
    kind: Identifier | None = None
    icon: Identifier | None = None
    colour: Color | None = None
    count: int = Field(1, ge=1, le=MAX_COUNT)
    back: str = ""
    each: Literal["row", "section"] | None = None
    table: Identifier | None = None
    row_range: tuple[int, int] | None = None
    section: str = ""
    blocks: list[BlockSpec] = []

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if not self.each and not (self.title and self.blocks):
            raise ValueError("a card has a title and blocks, or each")
        if (self.each == "row") != bool(self.table) or (self.row_range and self.each != "row"):
            raise ValueError('table and row_range go with each = "row", which makes a card of each row of a table')
        if (self.each == "section") != bool(self.section):
            raise ValueError('section goes with each = "section": the heading under which the sections stand')
        if self.row_range and not 1 <= self.row_range[0] <= self.row_range[1]:
            raise ValueError(f"rows from {self.row_range[0]} to {self.row_range[1]}")
        return self


class DeckSpec(Strict):
    """A whole cards.toml.

    ``back`` is the text on the backs, under the title of the system; ``icon`` and ``pattern`` are drawn there.
    ``overflow`` says whether a card too full for the smallest type is continued on another card, on its back, or
    reported.
    """

    back: str = ""
    icon: Identifier = "die"
    pattern: Identifier = "lattice"
    overflow: Literal["continue", "back", "report"] = "continue"
    kinds: dict[Identifier, KindSpec] = {}
    cards: list[CardSpec] = Field(min_length=1)
