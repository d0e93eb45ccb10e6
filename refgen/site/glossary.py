"""The words of a game: its ladders, its rolls, and the numbers that stand in prose.

In: a game. Out: GlossaryPage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from refgen.aids.glossary import GlossaryFact, GlossaryLadder, GlossaryRoll, facts, ladders, rolls
from refgen.game.game import GameModel
from refgen.site.page import Head


@dataclass(frozen=True, slots=True)
class GlossaryPage:
    """Ladders, rolls and facts."""

    template: ClassVar[str] = "glossary"
    head: Head
    ladders: tuple[GlossaryLadder, ...]
    rolls: tuple[GlossaryRoll, ...]
    facts: tuple[GlossaryFact, ...]


def make_glossary(head: Head, game: GameModel) -> GlossaryPage:
    """The glossary of a game."""
    return GlossaryPage(head, tuple(ladders(game)), tuple(shown for shown, _ in rolls(game)), tuple(facts(game)))
