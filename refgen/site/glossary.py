"""The words of a game: its ladders, its rolls, and the numbers that stand in prose.

In: a game. Out: GlossaryPage.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

from refgen.aids.block.ladder import ladder_steps
from refgen.aids.typeset import typeset
from refgen.game.game import Game
from refgen.notation.rounding import decimal
from refgen.resolver.dice.roll import Roll
from refgen.resolver.lookup import words_of
from refgen.site.page import Head
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class SiteLadder:
    """A ladder: its levels from best to worst, each with its number."""

    id: str
    levels: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SiteRoll:
    """A roll: what it is called, what is rolled, and its mean and standard deviation to two decimals."""

    id: str
    title: str
    expression: str
    mean: str
    deviation: str


@dataclass(frozen=True, slots=True)
class SiteFact:
    """A number in prose: what it is, its figure and unit, and where it is stated."""

    id: str
    title: str
    figure: str
    unit: str
    span: Span

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.span.file}:{self.span.line}"


@dataclass(frozen=True, slots=True)
class GlossaryPage:
    """Ladders, rolls and facts."""

    template: ClassVar[str] = "glossary"
    head: Head
    ladders: tuple[SiteLadder, ...]
    rolls: tuple[SiteRoll, ...]
    facts: tuple[SiteFact, ...]


def make_glossary(head: Head, game: Game) -> GlossaryPage:
    """The glossary of a game."""
    ladders = tuple(SiteLadder(name, ladder_steps(ladder)) for name, ladder in game.ladders.items())
    facts = (
        SiteFact(fact.id, fact.title, typeset(fact.text, fact.value), fact.unit, fact.span)
        for fact in game.facts.values()
    )
    return GlossaryPage(head, ladders, tuple(shown for shown, _ in site_rolls(game)), tuple(facts))


def site_rolls(game: Game) -> Iterator[tuple[SiteRoll, Roll]]:
    """The named rolls of a game as pages show them, each with its distribution."""
    for named in game.named_rolls.values():
        roll = named.reaching(0)
        expression = typeset(words_of(game.ruleset, game.ruleset.spec.rolls[named.id].roll))
        mean, deviation = typeset(decimal(roll.mean, 2)), f"{sqrt(roll.variance):.2f}"
        yield SiteRoll(named.id, named.title, expression, mean, deviation), roll
