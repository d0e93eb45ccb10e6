"""Decks of quick-reference cards as a kind of aid.

In: cards.toml of a game, or a proposal for a game without one. Out: a job, and from the job the cards one a page, as
HTML and PDF, and on sheets to cut; if asked for, pictures, a sheet for calibration, and files for Tabletop Simulator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from refgen.aids.cards.deck_format import CardPaper, DeckFormat
from refgen.aids.cards.model import SPEC_NAME, CardDeck, DeckSpec, deck_of, make_deck
from refgen.aids.cards.proposal import proposed_deck, why_no_deck
from refgen.aids.kind import NO_NAMES, AidKind, AidSources, FileNames, NamesInProse, upright_formats
from refgen.blocks.kinds import unwritten_file
from refgen.game import GameModel, SystemInfo
from refgen.layout.page_format import PageFormat, Paper

if TYPE_CHECKING:  # who checks a game lays no card out
    from refgen.aids.cards.job import DeckJob


@dataclass(frozen=True, slots=True)
class DeckOptions:
    """The papers of the sheets, and how cards are made."""

    formats: Sequence[PageFormat]
    deck: DeckFormat


class CardsKind(AidKind[CardDeck, DeckOptions]):
    """Decks of quick-reference cards."""

    names = FileNames("card", "cards")
    spec_name = SPEC_NAME
    spec = DeckSpec
    title = "Quick-reference cards"
    whole: ClassVar[Mapping[str, str]] = {"pdf": "one-card-a-page", "html": "on-a-screen"}

    def proposed_spec(self, game: GameModel, names: NamesInProse = NO_NAMES) -> DeckSpec | None:  # noqa: ARG002
        """A card for each row of the longest table of texts; None where no table has any."""
        return proposed_deck(game)

    def why_missing(self, game: GameModel) -> str:
        """The reason for which the rows of the longest table of texts are no cards."""
        return why_no_deck(game)

    def make(self, sources: AidSources) -> CardDeck | None:
        """The deck of a game."""
        if self.has_spec(sources.folder):
            return make_deck(sources.folder, sources.game)
        spec = self.proposed_spec(sources.game)
        return deck_of(spec, unwritten_file(sources.folder, SPEC_NAME), sources.game) if spec else None

    def options(self, papers: Sequence[str] = (), **chosen: Any) -> DeckOptions:
        """Decks on ``papers``, with the options of ``refgen cards``. Raises RenderError for an unknown size of cards.

        Some papers are for sheets of cards alone.
        """
        formats = upright_formats([paper for paper in papers if paper in {*Paper}])
        sheets = [paper for paper in papers if paper in {*CardPaper}]
        return DeckOptions(formats, DeckFormat.choosing(sheets, **chosen))

    def jobs(self, game: GameModel, aid: CardDeck, options: DeckOptions) -> Iterator[DeckJob]:
        """A single job for all papers, since each face is laid out once."""
        from refgen.aids.cards.job import DeckJob

        yield DeckJob(self.names, SystemInfo.of(game), aid, options.formats, options.deck)
