"""The distribution of a roll, exact, and the questions one asks of it.

In: an icepool die. Out: chances as Fractions. An open-ended roll has no last outcome: it is followed until
further re-rolls can no longer matter for the question, and ``residue`` is the chance that it went on.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import icepool

from refgen.resolver.cost import check_pairs


@dataclass(frozen=True)
class Roll:
    """A distribution over whole numbers.

    ``residue`` is the chance of rolls that were still open when they were no longer followed. They are
    counted at the outcome they had then: a lower bound of a rising roll, an upper bound of a falling one.
    ``exact_low`` and ``exact_high`` are the outcomes between which every chance is exact (None: no limit).
    """

    die: icepool.Die[int]
    residue: Fraction = Fraction(0)
    exact_low: int | None = None
    exact_high: int | None = None

    @cached_property
    def outcomes(self) -> tuple[int, ...]:
        """All outcomes, from lowest to highest."""
        return tuple(self.die.outcomes())

    def exactly(self, outcome: int) -> Fraction:
        """The chance of that outcome."""
        return Fraction(self.die.probability(outcome))

    def at_least(self, outcome: int) -> Fraction:
        """The chance of that outcome or a higher one."""
        return Fraction(self.die.probability(">=", outcome))

    def between(self, low: int | None, high: int | None) -> Fraction:
        """The chance of an outcome from ``low`` to ``high``, both included; None for an open end."""
        from_low = self.at_least(low) if low is not None else Fraction(1)
        return from_low - (self.at_least(high + 1) if high is not None else 0)

    @property
    def mean(self) -> Fraction:
        """The expected outcome (of an open-ended roll: without its residue)."""
        return Fraction(self.die.mean())

    @property
    def variance(self) -> Fraction:
        """The expected squared distance from the mean."""
        return Fraction(self.die.variance())

    def less(self, other: Roll) -> Roll:
        """The roll minus another, rolled independently. Raises ResolverError when both are very wide."""
        check_pairs(len(self.outcomes), len(other.outcomes))
        return joined(self, other, self.die - other.die)


def joined(left: Roll, right: Roll, die: icepool.Die[int]) -> Roll:
    """``die``, made of two independent rolls: open when either of them is."""
    residue = 1 - (1 - left.residue) * (1 - right.residue)
    return Roll(die, residue) if residue else Roll(die)
