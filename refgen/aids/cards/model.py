"""Decks of quick-reference cards.

In: a DeckSpec and a GameModel. Out: a CardDeck: cards with their blocks, in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from refgen.aids.cards.spec import CardSpec, DeckSpec, KindSpec
from refgen.aids.cards.subjects import Subject, place, subjects
from refgen.blocks.block import Block
from refgen.blocks.kinds import BlockSpec, kind_of, load_aid_spec, make_block, placed
from refgen.blocks.typesetting import BlockScope, fill_placeholders, named_figures
from refgen.bundle import bundled
from refgen.errors import AidError
from refgen.game.game import GameModel
from refgen.limits import limit_hint, limits
from refgen.rules.toml import locate
from refgen.source import SourceFile
from refgen.span import Span
from refgen.suggestion import did_you_mean

SPEC_NAME = "cards.toml"


@dataclass(frozen=True, slots=True)
class Card:
    """One card; ``number`` counts from 1, and ``count`` is how often it is in the deck.

    ``colour`` and ``icon`` are "" where the deck says nothing of them, as is ``back``: the words on its back.
    ``source`` is where the first of what it shows is printed ("" where it shows nothing printed), ``place`` where the
    card itself is described.
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
    """All cards of a system.

    ``icon`` and ``pattern`` are those of its backs. ``overflow`` says what becomes of a card that is too full for the
    smallest type: it is to "continue" on another, or on its "back", or "report".
    """

    cards: tuple[Card, ...]
    icon: str = "die"
    pattern: str = "lattice"
    overflow: str = "continue"


def make_deck(folder: Path, game: GameModel) -> CardDeck:
    """Make the deck of the system in ``folder``."""
    spec, source = load_aid_spec(folder, SPEC_NAME, DeckSpec)
    maker = _DeckMaker(spec, source, game)
    with placed(source):
        _known("icon", spec.icon, "icons")
        _known("pattern", spec.pattern, "patterns")
    return CardDeck(tuple(maker.cards()), spec.icon, spec.pattern, spec.overflow)


@dataclass(frozen=True, slots=True)
class _DeckMaker:
    spec: DeckSpec
    source: SourceFile
    game: GameModel

    def cards(self) -> Iterator[Card]:
        number, copies = 1, 0
        for position, card in enumerate(self.spec.cards):
            with placed(self.source, "cards", position):
                found = subjects(self.game, card)
                copies += len(found) * card.count
                if copies > limits().cards:
                    raise AidError(f"the deck has more than {limits().cards:,} cards", hint=limit_hint("cards"))
                kind = self._kind(card)
                _known("icon", card.icon or kind.icon, "icons")
            for subject in found:
                yield self._card(card, subject, kind, position, number)
                number += 1

    def _card(self, spec: CardSpec, subject: Subject, kind: KindSpec, position: int, number: int) -> Card:
        with placed(self.source, "cards", position):
            title = fill_placeholders(subject.scope, spec.title) or subject.title
            back = fill_placeholders(subject.scope, spec.back or self.spec.back)
        return Card(
            number,
            title,
            self._blocks(spec, subject, title, position) or subject.blocks,
            spec.kind or "",
            spec.icon or kind.icon or "",
            spec.colour or kind.colour or "",
            spec.count,
            back,
            subject.source or next((place(span) for block in spec.blocks for span in _spans(subject.scope, block)), ""),
            locate(self.source, ("cards", position)),
        )

    def _blocks(self, spec: CardSpec, subject: Subject, title: str, position: int) -> tuple[Block, ...]:
        blocks = []
        for number, block in enumerate(spec.blocks):
            with placed(self.source, "cards", position, "blocks", number):
                blocks.append(make_block(subject.scope, block, titled=False, within=title))
        return tuple(block for block in blocks if not block.is_empty)

    def _kind(self, card: CardSpec) -> KindSpec:
        """What cards of its kind look like. Raises AidError for a kind that the deck does not describe."""
        if card.kind is None:
            return KindSpec()
        if card.kind not in self.spec.kinds:
            hint = did_you_mean(card.kind, self.spec.kinds, f"Describe it: [kinds.{card.kind}].")
            raise AidError(f'there is no kind "{card.kind}"', hint=hint)
        return self.spec.kinds[card.kind]


def _known(what: str, name: str | None, folder: str) -> None:
    """Raises AidError for a drawing that refgen does not have."""
    known = sorted(path.stem for path in bundled("templates").glob(f"{folder}/*.svg"))
    if name is not None and name not in known:
        raise AidError(f'there is no {what} "{name}"', hint=did_you_mean(name, known))


def _spans(scope: BlockScope, spec: BlockSpec) -> Iterator[Span]:
    """Where what a block shows is printed."""
    kind = kind_of(spec)
    if span := kind.printed_at(spec, scope):
        yield span
    for text in (spec.note or "", *kind.texts_of(spec)):
        yield from (stated.span for stated in named_figures(scope, text) if stated.span)
