"""The chances of one roll for many traits and difficulties, without a number for each cell.

In: a Roll, traits and difficulties as ranges. Out: a ChanceMatrix that keeps one whole number for each difference of
difficulty and trait; a row of it is a slice of those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refgen.resolver.dice.distribution import Roll


@dataclass(frozen=True, slots=True)
class ChanceMatrix:
    """The chance that trait + roll reaches the difficulty: a row for each trait, a column for each difficulty.

    ``numerators`` stand for the differences (difficulty minus trait) from ``lowest`` on, over one ``denominator``.
    """

    traits: range
    difficulties: range
    denominator: int
    lowest: int
    numerators: Sequence[int]

    def row(self, trait: int) -> Sequence[int]:
        """The numerators of a trait, one for each difficulty. Raises ValueError for a trait that has no row."""
        self.traits.index(trait)
        start, stop = (end - trait - self.lowest for end in (self.difficulties.start, self.difficulties.stop))
        return self.numerators[start : stop : self.difficulties.step]

    def chance(self, trait: int, difficulty: int) -> Fraction:
        """The chance of one cell. Raises ValueError for a cell outside the matrix."""
        self.difficulties.index(difficulty)
        self.traits.index(trait)
        return Fraction(self.numerators[difficulty - trait - self.lowest], self.denominator)


def chance_matrix(rolled: Roll, traits: range, difficulties: range) -> ChanceMatrix:
    """The chances of a roll for all traits and difficulties; the ranges may have steps, but must rise."""
    if not traits or not difficulties:
        return ChanceMatrix(traits, difficulties, rolled.denominator, 0, ())
    lowest, highest = difficulties[0] - traits[-1], difficulties[-1] - traits[0]
    numerators = rolled.weights_at_least(range(lowest, highest + 1))
    return ChanceMatrix(traits, difficulties, rolled.denominator, lowest, numerators)


def chance_rows(rolls: Sequence[tuple[Roll, int]], goals: Sequence[int]) -> Iterator[Sequence[Fraction]]:
    """For each roll and the number added to it, its chances to reach each goal; the same rolls share a matrix."""
    difficulties = _spanning(goals)
    matrices: dict[int, ChanceMatrix] = {}
    shared: dict[tuple[int, int], Fraction] = {}
    for rolled, added in rolls:
        if id(rolled) not in matrices:
            traits = _spanning([number for other, number in rolls if other is rolled])
            matrices[id(rolled)] = chance_matrix(rolled, traits, difficulties)
        matrix = matrices[id(rolled)]
        numerators = matrix.row(added)
        wanted = [(numerators[goal - difficulties.start], matrix.denominator) for goal in goals]
        for pair in wanted:
            if pair not in shared:
                shared[pair] = Fraction(*pair)
        yield [shared[pair] for pair in wanted]


def _spanning(numbers: Sequence[int]) -> range:
    return range(min(numbers), max(numbers) + 1) if numbers else range(0)
