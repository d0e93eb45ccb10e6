"""The words of a game: its ladders, its rolls, and the numbers that stand in prose.

In: a game. Out: GlossaryPage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from refgen.aids.reference_lists import (
    GlossaryFact,
    GlossaryLadder,
    GlossaryRoll,
    glossary_facts,
    glossary_ladders,
    glossary_rolls,
)
from refgen.game.game import Game
from refgen.site.page import Head


@dataclass(frozen=True, slots=True)
class GlossaryPage:
    """Ladders, rolls and facts."""

    template: ClassVar[str] = "glossary"
    head: Head
    ladders: tuple[GlossaryLadder, ...]
    rolls: tuple[GlossaryRoll, ...]
    facts: tuple[GlossaryFact, ...]


def make_glossary(head: Head, game: Game) -> GlossaryPage:
    """The glossary of a game."""
    return GlossaryPage(
        head,
        tuple(glossary_ladders(game)),
        tuple(shown for shown, _ in glossary_rolls(game)),
        tuple(glossary_facts(game)),
    )
