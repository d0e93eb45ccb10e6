"""Rolled degrees: the chance that a degree reaches a number, and the chances of two opposed degrees.

In: Distributions and the numbers added to them. Out: chances.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refgen.resolver.dice.distribution import Distribution
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class Degree:
    """A rolled degree: a roll, a number added to it, and the sources of both."""

    rolled: Distribution
    added: int
    sources: tuple[Span, ...] = ()

    def reaches(self, goal: int) -> Fraction:
        """The chance of a degree of at least ``goal``."""
        return self.rolled.at_least(goal - self.added)

    def between(self, low: int | None, high: int | None) -> Fraction:
        """The chance of a degree from ``low`` to ``high``; None for an open end."""
        ends = (None if end is None else end - self.added for end in (low, high))
        return self.rolled.between(*ends)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A rolled degree, and the number that it must reach, or must not exceed where it is to be ``at_most`` that."""

    degree: Degree
    goal: int
    at_most: bool = False

    @property
    def chance(self) -> Fraction:
        """The chance of success."""
        return self.degree.between(None, self.goal) if self.at_most else self.degree.reaches(self.goal)

    @property
    def margin(self) -> Degree:
        """By how much the degree succeeds: a margin of 0 or more is a success."""
        rolled, ahead = self.degree.rolled, self.goal - self.degree.added
        return Degree(*((rolled.negated(), ahead) if self.at_most else (rolled, -ahead)), self.degree.sources)


@dataclass(frozen=True, slots=True)
class Contest:
    """The chances of an opposed action: a draw keeps the status quo.

    ``below_minimum`` is the chance to be no worse than the other, but below the minimum: neither a win nor a draw.
    """

    win: Fraction
    draw: Fraction
    lose: Fraction
    below_minimum: Fraction = Fraction(0)


def contest(degree: Degree, against: Degree, minimum: int | None = None) -> Contest:
    """The chances of two independent rolled degrees: the better degree wins, if it reaches ``minimum``."""
    margin = degree.rolled.less(against.rolled)
    ahead = against.added - degree.added
    win, not_worse = margin.at_least(ahead + 1), margin.at_least(ahead)
    if minimum is None:
        return Contest(win, not_worse - win, 1 - not_worse)
    win, reached = (_reaching(minimum, degree, against, least) for least in (1, 0))
    return Contest(win, reached - win, 1 - not_worse, not_worse - reached)


def _reaching(minimum: int, degree: Degree, against: Degree, least: int) -> Fraction:
    """The chance of a degree of at least ``minimum`` that is better than the other by ``least`` or more."""
    chances = ((degree.rolled.exactly(outcome), outcome + degree.added) for outcome in degree.rolled.outcomes)
    beaten = (chance * (1 - against.reaches(result + 1 - least)) for chance, result in chances if result >= minimum)
    return sum(beaten, Fraction(0))
