"""The words of a game: its ladders, its named rolls, and the numbers that stand in prose.

In: a game. Out: a record of each, as it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from refgen.aids.ladder import ladder_steps
from refgen.blocks.typesetting import typeset
from refgen.game.game import GameModel
from refgen.notation.figures import decimal
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.lookup import words_of
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class GlossaryLadder:
    """A ladder: its levels from best to worst, each with its number."""

    id: str
    levels: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GlossaryRoll:
    """A roll: its title, its dice expression, and its mean and standard deviation to two decimals."""

    id: str
    title: str
    expression: str
    mean: str
    deviation: str


@dataclass(frozen=True, slots=True)
class GlossaryFact:
    """A number in prose: its title, figure and unit, and where it is stated."""

    id: str
    title: str
    figure: str
    unit: str
    span: Span

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.span.file}:{self.span.line}"


def ladders(game: GameModel) -> Iterator[GlossaryLadder]:
    """The ladders of a game."""
    return (GlossaryLadder(name, ladder_steps(ladder)) for name, ladder in game.ladders.items())


def rolls(game: GameModel) -> Iterator[tuple[GlossaryRoll, Distribution]]:
    """The named rolls of a game as they are shown, each with its distribution."""
    for named in game.named_rolls.values():
        roll = named.reaching(0)
        expression = typeset(words_of(game.ruleset, game.ruleset.spec.rolls[named.id].roll))
        mean, deviation = typeset(decimal(roll.mean, 2)), f"{sqrt(roll.variance):.2f}"
        yield GlossaryRoll(named.id, named.title, expression, mean, deviation), roll


def facts(game: GameModel) -> Iterator[GlossaryFact]:
    """The numbers in prose."""
    for fact in game.facts.values():
        yield GlossaryFact(fact.id, fact.title, typeset(fact.text, fact.value), fact.unit, fact.span)
