"""Cells that follow each other in steps, in rising or falling order, or range after range; and the cells that do not.

In: cells of a column from top to bottom, or of a row. Out: the cells that break a sequence kept by nearly all cells.
In: the cells of a column, and perhaps the outcomes of dice. Out: RowNumbers, by which the rows of a random table are
rolled, and the row numbers at fault, which do not cover the dice once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise

from refgen.errors import NotationError
from refgen.notation.levels import Ladder
from refgen.notation.number import read_interval, read_range
from refgen.notation.printed_cell import in_usual_style
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.notation.values import Interval, Level, Modifier, Number, NumberList, TrackChange, as_number
from refgen.readers.document import RawCell
from refgen.rules.model import Cell
from refgen.words import Phrase

WAYS = {"rising": 1, "falling": -1}
SORTED_AT_LEAST = 5
"""Fewer numbers may well rise or fall by chance, except for one."""
CELLS_TO_AN_ODD_PAIR = 4
"""A column is sorted if it has at least so many cells for each pair out of order."""
LAST_DIGIT = 9
DIGIT_FACES = 6
"""The faces of the dice of a d66."""

BROKEN_BY_ONE = 2
"""The most pairs of neighbours that one wrong range or row number breaks."""

TEN = 10
"""The highest outcome of a die with ten faces, which prints its 10 as 0."""


@dataclass(frozen=True, slots=True)
class SequenceBreak:
    """A cell that breaks its sequence, the text that would fit, the rule, and the neighbouring cells."""

    cell: Cell
    expected: str
    rule: str
    beside: tuple[Cell, ...]


def place_in_order(cell: Cell) -> Fraction | None:
    """The number by which a cell is sorted: of "±2" it is 2, of a range the low end."""
    match cell.value:
        case Interval(low=low, high=high):
            end = high if low is None else low
            return None if end is None else Fraction(end)
        case Modifier(high=high):
            return high
    return as_number(cell.value)


def out_of_order(cells: Sequence[Cell], order: str, ladder: Ladder | None = None) -> list[SequenceBreak]:
    """The cells that break the order of a column: the given ``order``, or the order that nearly all its cells keep.

    Levels of a ``ladder``, or their numbers, are taken to go by steps if most of the cells do.
    """
    held = _number_cells(cells)
    if order == "none" or len(held) < 2:
        return []
    if order in WAYS:
        return _breaks_of_order(held, WAYS[order])
    if any(isinstance(cell.value, Interval) for cell, _ in held):
        return gaps(cells, sure=True) or find_unsorted(cells)
    step = _step([number for _, number in held], order == "steps", sure=ladder is not None)
    return _breaks_of_step(held, step, ladder) if step else find_unsorted(cells)


_NumberedCells = Sequence[tuple[Cell, Fraction]]


def _number_cells(cells: Sequence[Cell]) -> _NumberedCells:
    found = [(cell, number) for cell in cells if (number := place_in_order(cell)) is not None]
    return [(cell, number) for (cell, _), number in zip(found, with_ten([n for _, n in found]), strict=True)]


def with_ten(numbers: Sequence[Fraction]) -> Sequence[Fraction]:
    """The numbers of a column; a 0 behind 1 to 9 is the 10 of a die with ten faces."""
    return [*numbers[:-1], Fraction(LAST_DIGIT + 1)] if numbers == [*range(1, LAST_DIGIT + 1), 0] else numbers


def find_unsorted(cells: Sequence[Cell]) -> list[SequenceBreak]:
    """The cells that fall in a column that rises, or rise in one that falls, where enough cells tell the direction."""
    held = _number_cells(cells)
    odd = min((_breaks_of_order(held, way) for way in WAYS.values()), key=len)
    return odd if len(held) >= SORTED_AT_LEAST and len(odd) * CELLS_TO_AN_ODD_PAIR <= len(held) else []


def _breaks_of_order(held: _NumberedCells, way: int) -> list[SequenceBreak]:
    more, up = ("check-more-than", "check-go-up") if way > 0 else ("check-less-than", "check-go-down")
    return [
        SequenceBreak(below, Phrase(more, number=above.text), Phrase(up), (above,))
        for (above, high), (below, low) in pairwise(held)
        if way * (low - high) < 0 or (low == high and way * (_bound_side(below) - _bound_side(above)) <= 0)
    ]


def _bound_side(cell: Cell) -> int:
    """The side of its number on which a bound is: 1 for ">500", -1 for "<500", 0 for "500"."""
    bound = cell.value.bound if isinstance(cell.value, Number) else ""
    return bound.startswith(">") - bound.startswith("<")


def _step(numbers: Sequence[Fraction], said: bool, sure: bool) -> Fraction | None:
    """The step by which most numbers follow each other, pair by pair or counted from the first; None without steps."""
    if any(number.denominator != 1 for number in numbers):
        return None
    steps = Counter(below - above for above, below in pairwise(numbers) if below != above)
    step, counted = max(
        ((step, _agreeing_on_first(numbers, step)) for step in steps), key=lambda pair: pair[1], default=(None, 0)
    )
    if step is None or said:
        return step
    kept, pairs, count = steps[step], len(numbers) - 1, len(numbers)
    enough = (kept >= 3 and 3 * kept >= 2 * pairs) or (count >= SORTED_AT_LEAST and 4 * counted >= 3 * count)
    return step if enough or (sure and max(2 * kept, 2 * counted - 1) >= pairs) else None


def _agreeing_on_first(numbers: Sequence[Fraction], step: Fraction) -> int:
    """How many numbers agree on the first number, counting by the step from row to row."""
    return max(Counter(number - step * row for row, number in enumerate(numbers)).values())


def _breaks_of_step(
    held: Sequence[tuple[Cell, Fraction]], step: Fraction, ladder: Ladder | None
) -> list[SequenceBreak]:
    odd = _breaking_places([below - above == step for (_, above), (_, below) in pairwise(held)])
    kept = [row for row in range(len(held)) if row not in odd] or [0]
    found = []
    for row in sorted(odd):
        near = min(kept, key=lambda other: abs(other - row))
        expected = _in_notation_of(held[row][0], held[near][1] + step * (row - near), ladder)
        rule = Phrase("check-by-step")
        found.append(SequenceBreak(held[row][0], expected, rule, _cells_beside(held, row)))
    return found


def gaps(cells: Sequence[Cell], sure: bool = False) -> list[SequenceBreak]:
    """Ranges that overlap the range before or leave a gap, where most ranges (if ``sure``: some) leave none."""
    ranges = [(cell, cell.value) for cell in cells if isinstance(cell.value, Interval)]
    if len(ranges) < 3 or any(isinstance(cell.value, NumberList) for cell in cells):
        return []
    joins = _joins_in_digits if all(_are_digits(interval) for _, interval in ranges) else _joins
    up = [joins(above, below) for (_, above), (_, below) in pairwise(ranges)]
    down = [joins(below, above) for (_, above), (_, below) in pairwise(ranges)]
    joined = max(up, down, key=lambda way: way.count(True))
    broken = joined.count(False)
    if 2 * broken >= len(joined) and not (sure and broken <= BROKEN_BY_ONE and broken < len(joined)):
        return []
    odd = _breaking_places(joined)
    return [
        SequenceBreak(
            ranges[at][0],
            _missing_range(ranges, at, 1 if joined is up else -1),
            Phrase("check-ranges"),
            _cells_beside(ranges, at),
        )
        for at in sorted(odd)
    ]


def _joins(low: Interval, high: Interval) -> bool:
    return low.high is not None and high.low is not None and low.high + 1 == high.low


def _are_digits(interval: Interval) -> bool:
    """Whether both ends of a range are two digits of a d66."""
    return all(
        end is not None and {*divmod(end, 10)} <= {*range(1, DIGIT_FACES + 1)} for end in (interval.low, interval.high)
    )


def _joins_in_digits(low: Interval, high: Interval) -> bool:
    """Whether ranges of a d66 join, where 16 is followed by 21."""
    if low.high is None or high.low is None:
        return False
    is_last_face = low.high % 10 == DIGIT_FACES
    return high.low == low.high + (LAST_DIGIT + 2 - DIGIT_FACES if is_last_face else 1)


def _missing_range(ranges: Sequence[tuple[Cell, Interval]], at: int, way: int) -> str:
    """The range between the neighbours of a range."""
    before, behind = (at - way, at + way)
    low = ranges[before][1].high if 0 <= before < len(ranges) else None
    high = ranges[behind][1].low if 0 <= behind < len(ranges) else None
    interval = ranges[at][1]
    start = interval.low if low is None else low + 1
    end = interval.high if high is None else high - 1
    if start is None or end is None:
        return Phrase("check-or-less", number=end) if end is not None else Phrase("check-or-more", number=start)
    return Phrase("check-from-to", low=start, high=end) if start <= end else Phrase("check-another-range")


def _breaking_places(fine: Sequence[bool]) -> set[int]:
    """The places of the cells that break a sequence; ``fine`` says whether each pair of neighbours keeps the sequence.

    Successive breaks are the fault of the cells between them. A break alone is a gap, and the fault of the cell after
    the gap, or of the first cell of all.
    """
    odd: set[int] = set()
    for is_fine, run in groupby(enumerate(fine), key=lambda pair: pair[1]):
        places = [at for at, _ in run]
        if not is_fine:
            first, last = places[0], places[-1] + 1
            odd |= set(range(first + 1, last)) or {last if first else 0}
    return odd


def _cells_beside(held: Sequence[tuple[Cell, object]], at: int) -> tuple[Cell, ...]:
    return tuple(held[near][0] for near in (at - 1, at + 1) if 0 <= near < len(held))


def _in_notation_of(cell: Cell, number: Fraction, ladder: Ladder | None) -> str:
    """A number in the notation of a cell."""
    is_level = isinstance(cell.value, Level)
    if is_level and ladder is not None and (level := ladder.named(int(number))):
        return level.name
    return f"{int(number):+d}" if number > 0 and (is_level or cell.text.startswith(("+", "±"))) else str(number)


def gaps_in_cells(cells: Sequence[Cell]) -> Iterator[SequenceBreak]:
    """Cells with the ranges of a track that leave a gap, or that start with another number than in most cells."""
    held = [
        (cell, [ranged for _, ranged in cell.value.ranges]) for cell in cells if isinstance(cell.value, TrackChange)
    ]
    starts = Counter(ranges[0].low for _, ranges in held if ranges)
    for cell, ranges in held:
        if not all(_joins(low, high) for low, high in pairwise(ranges)):
            yield SequenceBreak(cell, Phrase("check-without-gap"), Phrase("check-ranges"), ())
        elif ranges and ranges[0].low != (start := starts.most_common(1)[0][0]):
            yield SequenceBreak(cell, Phrase("check-ranges-from", number=start), Phrase("check-same-start"), ())


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


def row_numbers(
    column: Sequence[RawCell], at: int = 0, style: NotationStyle = USUAL, *, are_results: bool = False
) -> Sequence[RowNumber]:
    """A column of whole numbers and ranges, without its blank cells; () where a cell is something else.

    Lists such as "1/2" and "1, 3, 5" are row numbers where they are known to be results of dice.
    """
    read = read_range if are_results else read_interval
    found = []
    for cell in column:
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
