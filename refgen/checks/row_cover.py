"""Row numbers, by which the rows of a random table are rolled, and how they cover the outcomes of dice.

In: the cells of a column, and the outcomes of dice. Out: RowNumbers, and those at fault, which do not cover the dice
once. Tables of some results alone, of bounds ("8+", "10+"), and tables with further rolls inside cover them otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from refgen.checks.digit_dice import ORDERS, RESULTS
from refgen.errors import NotationError
from refgen.notation.number import read_interval, read_range
from refgen.notation.printed_cell import in_usual_style
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.notation.values import Interval, NumberList
from refgen.readers.document import RawCell
from refgen.rules.model import Cell
from refgen.words import Phrase

TEN = 10
"""The highest outcome of a die with ten faces, which prints its 10 as 0."""

FEWEST_DAMAGED, SHARE_DAMAGED = 2, 5
"""How many results, at least, or one in how many, may have no row or several in a table by these dice."""


@dataclass(frozen=True, slots=True)
class RowNumber:
    """A number or range by which a row is rolled; None is an open end. ``at`` is the position of its column.

    Of a list with gaps ("1, 3, 5") ``only`` has the numbers, and ``low`` and ``high`` are the first and the last.
    """

    cell: RawCell
    at: int
    low: int | None
    high: int | None
    only: tuple[int, ...] = ()

    @classmethod
    def of(cls, cell: RawCell, at: int, found: Interval | NumberList) -> RowNumber:
        """The row number of a cell with a range or a list."""
        if isinstance(found, NumberList):
            return cls(cell, at, found.numbers[0], found.numbers[-1], found.numbers)
        return cls(cell, at, found.low, found.high)

    def __contains__(self, number: int) -> bool:
        return number in (self.only or Interval(self.low, self.high))

    @property
    def is_zero(self) -> bool:
        """Whether the row number is 0."""
        return self.low == self.high == 0

    def reaches_beyond(self, lowest: int, highest: int) -> bool:
        """Whether the row names a number below the lowest or above the highest outcome."""
        return any(end is not None and not lowest <= end <= highest for end in (self.low, self.high))


_PLUS = re.compile(r"\+\s?\d")
_SIGN = re.compile(r"(?<!\d)(?<!\d )[-+−–±]\s?\d")

FEWEST_BEFORE_STEP = 3
"""Fewer numbers without a sign may go on with a number that has one."""

AnyCell = TypeVar("AnyCell", RawCell, Cell)


def without_step(cells: Sequence[AnyCell]) -> Sequence[AnyCell]:
    """The cells of a column without a last cell that says how it goes on: "+10" or "per +1" under 28 and 29."""
    others = cells[:-1]
    is_step = len(others) >= FEWEST_BEFORE_STEP and _PLUS.search(cells[-1].text)
    return others if is_step and not any(_SIGN.search(cell.text) for cell in others) else cells


def row_numbers(
    column: Sequence[RawCell], at: int = 0, style: NotationStyle = USUAL, *, are_results: bool = False
) -> Sequence[RowNumber]:
    """A column of whole numbers and ranges, without its blank cells; () where a cell is something else.

    A cell that spans several rows is one row number. Lists such as "1/2" and "1, 3, 5" are row numbers where they are
    known to be results of dice.
    """
    read = read_range if are_results else read_interval
    found = []
    for cell in dict.fromkeys(without_step(column)):
        if cell.text:
            try:
                found.append(RowNumber.of(cell, at, read(in_usual_style("interval", cell.text, style), style.language)))
            except NotationError:
                return ()
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
        if list(outcomes) == [*range(1, TEN + 1)] and not any(TEN in number for number in numbers):
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
    def odd(self) -> int:
        """How many outcomes have no row or several, and how many rows have no outcome."""
        return len(self.missing) + len(self.twice) + len(self.beyond)

    @property
    def is_damaged(self) -> bool:
        """Whether the rows go by the dice but for a few results; else these may be the dice of something else."""
        odd = len(self.missing) + len(self.twice)
        return self.is_by_dice and odd <= max(FEWEST_DAMAGED, len(self.outcomes) // SHARE_DAMAGED)

    @property
    def is_of_some(self) -> bool:
        """Whether the rows are some results alone ("2", "7", "12" of 2d6), or most are bounds ("6+", "8+", "10+")."""
        open_ends = max(sum(number.low is None for number in self.inside), sum(n.high is None for n in self.inside))
        adjoin = {*pairwise(self.outcomes)} & {(one.high, two.low) for one in self.inside for two in self.inside}
        return 2 * open_ends > len(self.inside) or (2 * len(self.missing) >= len(self.outcomes) and not adjoin)

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
        if not self.is_by_dice or self.is_of_some:
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

    def faults_in_turns(self) -> Iterator[tuple[RowNumber, str]]:
        """The row numbers at fault, where a row that begins with the first result begins a further roll.

        The further roll stands inside a row ("2–3: a weapon, roll again"), or behind a whole table under a head of its
        own; it ends with the last result.
        """
        places = {outcome: place for place, outcome in enumerate(self.outcomes)}
        rolls = [0]  # the place of the next result: of the table itself, and of each roll inside the one before
        for number in self.inside:
            held = [places[outcome] for outcome in self.outcomes if outcome in number]
            if held[0] == 0 and rolls[-1]:
                rolls = [0] if rolls == [len(places)] else [*rolls, 0]
            if held[0] != rolls[-1]:
                yield number, _results(self.outcomes[rolls[-1] : held[0]])
            rolls[-1] = held[-1] + 1
            while len(rolls) > 1 and rolls[-1] == len(places):
                rolls.pop()
        for place in rolls:
            if place < len(places):
                yield self.inside[-1], _results(self.outcomes[place:])


def _results(outcomes: Sequence[int]) -> str:
    """The results that would fit a row number."""
    return ", ".join(map(str, outcomes)) or Phrase("check-another-number")


def go_on(held: Sequence[RowNumber], following: Sequence[RowNumber], *, is_rolled: bool) -> bool:
    """Whether the row numbers of a table go on in those of another, as behind the break of a page.

    They begin behind the highest of those before; with the next number, unless the same dice are named over both.
    """
    highs, lows = [number.high for number in held], [number.low for number in following]
    if not highs or not lows or None in highs or None in lows:
        return False
    last, first = (pick(end for end in ends if end is not None) for pick, ends in ((max, highs), (min, lows)))
    return first > last if is_rolled else first == last + 1


def cover_of(numbers: Sequence[RowNumber], outcomes: Sequence[int]) -> RowCover:
    """How row numbers cover the outcomes of dice; of a d66, the results that are nearest to the row numbers."""
    orders = ORDERS if tuple(outcomes) == RESULTS else (outcomes,)
    ends = [end for number in numbers for end in (number.low, number.high) if end is not None]
    covers = (RowCover.of(numbers, order) for order in orders)
    return min(covers, key=lambda cover: cover.odd + sum(end not in cover.outcomes for end in ends))


def cover_faults(cover: RowCover) -> Sequence[tuple[RowNumber, str]]:
    """The row numbers at fault, each with the number that would fit: the fewest, if rolls may stand inside others."""
    plain = list(cover.faults())
    begins = [number for number in cover.inside if cover.outcomes[0] in number]
    may_turn = len(plain) > 1 and len(begins) > 1 and not any(number.only for number in cover.inside)
    return min(plain, list(cover.faults_in_turns()) if may_turn else plain, key=len)
