"""Decks of quick-reference cards: the schema of cards.toml, and the cards that it describes.

In: cards.toml and a game. Out: a CardDeck. Cards are written out, or made from the rows of a table or from the sections
under a heading. Their texts may name facts in braces, and the columns of the row of a card: "{weapon} {damage}".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from refgen.blocks.block import Block
from refgen.blocks.kinds import BlockEntry, load_aid_spec, make_block, place_faults, printed_spans
from refgen.blocks.table_block import TableBlock, rows_in
from refgen.blocks.table_cells import ShownCell, ShownColumn, band, is_band
from refgen.blocks.text_blocks import GlossaryBlock, ListBlock, QuoteBlock, TextBlock, quoted_text, section_number
from refgen.blocks.typesetting import BlockScope, NamedText, ScopeWithRow, fill_placeholders, filled_figure, typeset
from refgen.catalog import did_you_mean
from refgen.errors import AidError
from refgen.files import bundled_folder
from refgen.game import GameModel
from refgen.limits import limit_hint, limits
from refgen.readers.document import Grid, Section
from refgen.rules.field_types import Color, Identifier
from refgen.rules.model import Cell, RuleTable
from refgen.rules.places import locate
from refgen.rules.toml import Strict
from refgen.source import SourceFile, plain_text
from refgen.span import Span

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
    blocks: list[BlockEntry] = []

    @model_validator(mode="after")
    def _check_keys(self) -> Self:
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


SPEC_NAME = "cards.toml"


@dataclass(frozen=True, slots=True)
class Card:
    """A card; ``number`` counts from 1, and ``count`` is how often the card is in the deck.

    ``colour``, ``icon`` and ``back`` (the words on the back) are "" where the deck does not say them. ``source`` is
    where the document prints the first figure or text of the card, "" for a card without printed content; ``place`` is
    where cards.toml describes the card.
    """

    number: int
    title: str
    blocks: tuple[Block, ...]
    kind: str = ""
    icon: str = ""
    colour: str = ""
    count: int = 1
    back: str = ""
    source: str = ""
    place: Span | None = None


@dataclass(frozen=True, slots=True)
class CardDeck:
    """All cards of a system; ``icon`` and ``pattern`` are drawn on the backs.

    ``overflow`` says how a card too full for the smallest type is treated: "continue" (on another card), "back" (on the
    back of the card), or "report" (as an error).
    """

    cards: tuple[Card, ...]
    icon: str = "die"
    pattern: str = "lattice"
    overflow: str = "continue"


def make_deck(folder: Path, game: GameModel) -> CardDeck:
    """Make the deck that cards.toml of the system in ``folder`` describes."""
    return deck_of(*load_aid_spec(folder, SPEC_NAME, DeckSpec), game)


def deck_of(spec: DeckSpec, source: SourceFile, game: GameModel) -> CardDeck:
    """Make the deck of a spec, which stands in the file ``source``."""
    maker = _DeckMaker(spec, source, game)
    with place_faults(source):
        _check_drawing("icon", spec.icon, "icons")
        _check_drawing("pattern", spec.pattern, "patterns")
    return CardDeck(tuple(maker.cards()), spec.icon, spec.pattern, spec.overflow)


@dataclass(frozen=True, slots=True)
class _DeckMaker:
    """Makes the cards of a deck."""

    spec: DeckSpec
    source: SourceFile
    game: GameModel

    def cards(self) -> Iterator[Card]:
        number, copies = 1, 0
        for position, card in enumerate(self.spec.cards):
            with place_faults(self.source, "cards", position):
                found = subjects(self.game, card)
                copies += len(found) * card.count
                if copies > limits().cards:
                    raise AidError(f"the deck has more than {limits().cards:,} cards", hint=limit_hint("cards"))
                kind = self._kind(card)
                _check_drawing("icon", card.icon or kind.icon, "icons")
            for subject in found:
                yield self._card(card, subject, kind, position, number)
                number += 1

    def _card(self, spec: CardSpec, subject: CardSubject, kind: KindSpec, position: int, number: int) -> Card:
        with place_faults(self.source, "cards", position):
            title = fill_placeholders(subject.scope, spec.title) or subject.title
            back = fill_placeholders(subject.scope, spec.back or self.spec.back)
        spans = (span for block in spec.blocks for span in printed_spans(subject.scope, block))
        return Card(
            number,
            title,
            self._blocks(spec, subject, title, position) or subject.blocks,
            spec.kind or "",
            spec.icon or kind.icon or "",
            spec.colour or kind.colour or "",
            spec.count,
            back,
            subject.source or next(map(short_place, spans), ""),
            locate(self.source, ("cards", position)),
        )

    def _blocks(self, spec: CardSpec, subject: CardSubject, title: str, position: int) -> tuple[Block, ...]:
        blocks = []
        for number, block in enumerate(spec.blocks):
            with place_faults(self.source, "cards", position, "blocks", number):
                blocks.append(make_block(subject.scope, block, titled=False, within=title))
        return tuple(block for block in blocks if not block.is_empty)

    def _kind(self, card: CardSpec) -> KindSpec:
        """The look of the cards of this kind. Raises AidError for a kind that the deck does not describe."""
        if card.kind is None:
            return KindSpec()
        if card.kind not in self.spec.kinds:
            hint = did_you_mean(card.kind, self.spec.kinds, f"Describe it: [kinds.{card.kind}].")
            raise AidError(f'there is no kind "{card.kind}"', hint=hint)
        return self.spec.kinds[card.kind]


def _check_drawing(what: str, name: str | None, folder: str) -> None:
    """Raises AidError for a drawing that refgen does not have."""
    known = sorted(path.stem for path in bundled_folder("templates").glob(f"{folder}/*.svg"))
    if name is not None and name not in known:
        raise AidError(f'there is no {what} "{name}"', hint=did_you_mean(name, known))


@dataclass(frozen=True, slots=True)
class CardSubject:
    """The subject of a card: ``scope`` has the names that texts of the card may use.

    ``title`` and ``blocks`` stand on the card unless cards.toml says otherwise. ``source`` is the file and line of the
    subject, as printed on the card; "" for a card without a row or section.
    """

    scope: BlockScope
    title: str = ""
    blocks: tuple[Block, ...] = ()
    source: str = ""


def subjects(game: GameModel, spec: CardSpec) -> Sequence[CardSubject]:
    """The subjects of the cards that a spec describes, in the order of the document; one for a written-out card.

    Raises AidError for rows that a table does not have, and for a heading with no section under it.
    """
    if spec.table is not None:
        table = game.tables[spec.table]
        return [_row(game, table, row) for row in rows_in(table, spec.row_range)]
    if spec.section:
        return [_section(game, group) for group in _groups(game.sections, spec.section)]
    return [CardSubject(game)]


def _row(game: GameModel, table: RuleTable, row: Sequence[Cell]) -> CardSubject:
    """The subject for a row of a table: names for its cells by column id, and all but the first under their heads."""
    cells = {column.id: NamedText.of_cell(column.title, cell) for column, cell in zip(table.columns, row, strict=True)}
    scope = ScopeWithRow.of(game, cells, "column or fact")
    (_, title), *others = [(typeset(column.head), filled_figure(scope, column.id)) for column in table.columns]
    terms = tuple((name, text) for name, text in others if name and text)
    texts = tuple(text for name, text in others if text and not name)
    blocks = (*([TextBlock("", texts)] if texts else []), *([GlossaryBlock("", terms)] if terms else []))
    span = row[0].span or table.span
    return CardSubject(scope, title, blocks, short_place(span) if span else "")


def short_place(span: Span) -> str:
    """The name of a file and the place in it, without the folder: "details.md:12"."""
    return replace(span, file=span.file.rpartition("/")[2]).short


def _groups(sections: Sequence[Section], title: str) -> Sequence[Sequence[Section]]:
    """The sections one level under a heading, each together with all sections under it."""
    number = section_number(sections, title)
    under = []
    for section in sections[number + 1 :]:
        if section.level <= sections[number].level:
            break
        under.append(section)
    if not under:
        hint = "Name the heading above them, or quote the section itself."
        raise AidError(f'no section stands under "{title}" to make cards of', hint=hint)
    top = min(section.level for section in under)
    starts = [place for place, section in enumerate(under) if section.level == top]
    return [under[start:end] for start, end in zip(starts, [*starts[1:], len(under)], strict=True)]


def _section(game: GameModel, group: Sequence[Section]) -> CardSubject:
    """The subject for a section (the first of the group) and the sections under it."""
    title = typeset(plain_text(group[0].title))
    span = group[0].text.span
    text = NamedText("text", " ".join(quoted_text(paragraph) for paragraph in group[0].paragraphs), span=span)
    scope = ScopeWithRow.of(game, {"title": NamedText("title", title, span=span), "text": text}, "word or fact")
    blocks = tuple(
        block for number, section in enumerate(group) for block in _section_blocks(section, titled=number > 0)
    )
    return CardSubject(scope, title, blocks, short_place(span))


def _section_blocks(section: Section, *, titled: bool) -> Iterator[Block]:
    title = typeset(plain_text(section.title)) if titled else ""
    if section.paragraphs:
        yield QuoteBlock(title, tuple(map(quoted_text, section.paragraphs)))
        title = ""
    for found in section.lists:
        yield ListBlock(title, tuple(map(quoted_text, found.items)))
        title = ""
    for grid in section.grids:
        yield _table(grid, title or grid.caption)
        title = ""


def _table(grid: Grid, title: str) -> TableBlock:
    """A table block with the cells as printed."""
    width = max(map(len, grid.rows), default=0)
    heads = (*grid.header, *[""] * width)[:width]
    rows = (
        band(typeset(row[0].text), width)
        if row and is_band(row)
        else tuple(ShownCell(typeset(cell.text), "start") for cell in row)
        for row in grid.body
    )
    padded = ((*row, *[ShownCell("", "start")] * (width - len(row))) for row in rows)
    columns = tuple(ShownColumn(typeset(head), "", "start") for head in heads)
    return TableBlock(title, columns, tuple(padded))
