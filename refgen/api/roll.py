"""The odds of some dice.

In: a dice expression such as "4dF", "d6!" or "4d6 drop lowest". Out: a Roll, which answers with Fractions and shows its
dice in one spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import sqrt

from refgen.export.odds import distribution_lines
from refgen.notation.dice_notation import in_one_spelling
from refgen.resolver.action import Contest
from refgen.resolver.dice.distribution import DEFAULT_REACH, Distribution
from refgen.resolver.rolls import roll as roll_dice


def roll(dice: str) -> Roll:
    """The odds of a dice expression.

    Raises NotationError for what is no dice expression, ResolverError for dice whose odds cannot be worked out.

    >>> roll("2d6").at_least(10)
    Fraction(1, 6)
    """
    found = Roll(dice, lambda reach: roll_dice(dice, reach))
    found.dice = in_one_spelling(dice)
    return found


class Roll:
    """A distribution over whole numbers; every chance is a Fraction.

    An open-ended roll is exact for every number that is asked for; ``residue`` is the chance that it went on beyond
    the outcomes of ``pmf()``.
    """

    def __init__(self, dice: str, follow: Callable[[int], Distribution]) -> None:
        """``follow`` gives the distribution, followed as far as a number asks for."""
        self.dice = dice
        self._follow = follow
        self._distribution = follow(DEFAULT_REACH)

    def at_least(self, number: int) -> Fraction:
        """The chance of ``number`` or more."""
        return self._reaching(number).at_least(number)

    def at_most(self, number: int) -> Fraction:
        """The chance of ``number`` or less."""
        return 1 - self._reaching(number + 1).at_least(number + 1)

    def exactly(self, number: int) -> Fraction:
        """The chance of just ``number``."""
        return self._reaching(number).exactly(number)

    @property
    def mean(self) -> Fraction:
        """The expected outcome (of an open-ended roll: without its residue)."""
        return self._distribution.mean

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return sqrt(self._distribution.variance)

    @property
    def residue(self) -> Fraction:
        """The chance of rolls that were still open when they were no longer followed; 0 for a roll that ends."""
        return self._distribution.residue

    def pmf(self) -> Mapping[int, Fraction]:
        """The chance of each outcome, from the lowest to the highest."""
        return {outcome: self._distribution.exactly(outcome) for outcome in self._distribution.outcomes}

    def against(self, other: Roll) -> Contest:
        """The chances to roll more than another, as much, and less.

        >>> roll("d6").against(roll("d6")).win
        Fraction(5, 12)
        """
        difference = self._distribution.less(other._distribution)
        win, at_least_draw = difference.at_least(1), difference.at_least(0)
        return Contest(win, at_least_draw - win, 1 - at_least_draw)

    def _reaching(self, number: int) -> Distribution:
        """The distribution, followed as far as a number asks for."""
        if self._distribution.is_exact(number):
            return self._distribution
        return self._follow(max(DEFAULT_REACH, abs(number)))

    def __repr__(self) -> str:
        return f"<Roll {self.dice}: mean {float(self.mean):.2f}, standard deviation {self.deviation:.2f}>"

    def __str__(self) -> str:
        """A line for each outcome, with a bar."""
        return "\n".join(distribution_lines(self._distribution))

    def _repr_html_(self) -> str:
        from refgen.export.tables import odds_html

        return odds_html(self.dice, self._distribution)
