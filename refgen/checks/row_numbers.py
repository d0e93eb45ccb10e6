"""Row numbers: the numbers and ranges in a column by which the rows of a random table are rolled.

In: the cells of a column, and perhaps the outcomes of dice. Out: RowNumbers, and the row numbers at fault: those that
do not cover the dice once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from refgen.checks.sequence import TEN, is_tens
from refgen.errors import NotationError
from refgen.notation.number import read_interval
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.notation.values import Interval
from refgen.readers.document import RawCell
from refgen.words.words import Phrase


@dataclass(frozen=True, slots=True)
class RowNumber:
    """A number or range by which a row is rolled; None is an open end. ``at`` is the position of its column."""

    cell: RawCell
    at: int
    low: int | None
    high: int | None

    def __contains__(self, number: int) -> bool:
        return number in Interval(self.low, self.high)

    @property
    def is_zero(self) -> bool:
        """Whether the row number is 0."""
        return self.low == self.high == 0

    def reaches_beyond(self, lowest: int, highest: int) -> bool:
        """Whether the row names a number below the lowest or above the highest outcome."""
        return any(end is not None and not lowest <= end <= highest for end in (self.low, self.high))


def row_numbers(column: Sequence[RawCell], at: int = 0, style: NotationStyle = USUAL) -> Sequence[RowNumber]:
    """A column of whole numbers and ranges, without its blank cells; () where a cell is something else."""
    found = []
    for cell in column:
        if cell.text:
            try:
                interval = read_interval(style.with_commas(cell.text), style.language)
            except NotationError:
                return ()
            found.append(RowNumber(cell, at, interval.low, interval.high))
    return found


@dataclass(frozen=True, slots=True)
class RowCover:
    """How row numbers cover the outcomes of dice.

    ``inside`` have an outcome of the dice, ``beyond`` have none. ``missing`` are the outcomes without a row, ``twice``
    the outcomes with several rows.
    """

    numbers: Sequence[RowNumber]
    outcomes: Sequence[int]
    inside: Sequence[RowNumber]
    beyond: Sequence[RowNumber]
    missing: Sequence[int]
    twice: frozenset[int]

    @classmethod
    def of(cls, numbers: Sequence[RowNumber], outcomes: Sequence[int]) -> RowCover:
        """How some row numbers cover some outcomes, which stand from the lowest to the highest.

        Of a die with ten faces, a 0 is the 10, if no row has a 10.
        """
        if is_tens(outcomes) and not any(TEN in number for number in numbers):
            numbers = [replace(number, low=TEN, high=TEN) if number.is_zero else number for number in numbers]
        inside = [number for number in numbers if any(outcome in number for outcome in outcomes)]
        beyond = [number for number in numbers if number not in inside]
        counts = {outcome: sum(outcome in number for number in inside) for outcome in outcomes}
        missing = [outcome for outcome, count in counts.items() if not count]
        twice = frozenset(outcome for outcome, count in counts.items() if count > 1)
        return cls(numbers, outcomes, inside, beyond, missing, twice)

    @property
    def is_whole(self) -> bool:
        """Whether each outcome has one row, and no row names a number that is no outcome."""
        return not (self.missing or self.twice or self.beyond or self.outside)

    @property
    def is_by_dice(self) -> bool:
        """Whether most rows have an outcome of the dice; else something else is numbered here."""
        return len(self.inside) > 1 and 2 * len(self.inside) > len(self.numbers)

    @property
    def doubled(self) -> Sequence[RowNumber]:
        """The row numbers with an outcome that a further row has as well."""
        return [number for number in self.inside if any(outcome in number for outcome in self.twice)]

    @property
    def is_modified(self) -> bool:
        """Whether rows go beyond the dice, for rolls with a modifier: several rows, or rows with an open end."""
        return len(self.beyond) > 1 or any(None in (number.low, number.high) for number in self.numbers)

    @property
    def outside(self) -> Sequence[RowNumber]:
        """The row numbers that reach beyond the lowest or the highest outcome."""
        return [number for number in self.numbers if number.reaches_beyond(self.outcomes[0], self.outcomes[-1])]

    def faults(self) -> Iterator[tuple[RowNumber, str]]:
        """The row numbers at fault, if an outcome has no row or several, each with the number that would fit."""
        if not self.is_by_dice:
            return
        gaps, doubled = ", ".join(map(str, self.missing)), self.doubled
        if not doubled and self.missing:
            above = (number for number in self.inside if number.low is not None and number.low > self.missing[0])
            yield [*self.beyond, *above, self.inside[-1]][0], gaps
            return
        for number in doubled[1:]:
            yield number, gaps or Phrase("check-another-number")
        if not doubled and not self.is_modified:
            for number in self.outside:
                yield number, Phrase("check-row-of", low=self.outcomes[0], high=self.outcomes[-1])
