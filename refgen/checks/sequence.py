"""Cells that follow each other in steps, in rising or falling order, or range after range; and the cells that do not.

In: cells of a column from top to bottom, or of a row. Out: the cells that break a sequence kept by nearly all cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise

from refgen.checks.digit_dice import ORDERS, RESULTS, results_like
from refgen.checks.row_cover import RowCover, RowNumber, without_step
from refgen.notation.levels import Ladder
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

WIDEST_ROLL = 1_000
"""Nobody rolls on a table whose results are further apart."""

BROKEN_BY_ONE = 2
"""The most pairs of neighbours that one wrong range or row number breaks."""


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
    if results := results_like([number for _, number in held]):
        return _breaks_of_results(held, results)
    is_sure = ladder is not None or order == "steps"
    step = _step([number for _, number in held], order == "steps", sure=ladder is not None)
    return _breaks_of_step(held, step, ladder, may_skip=not is_sure) if step else find_unsorted(cells)


_NumberedCells = Sequence[tuple[Cell, Fraction]]


def _number_cells(cells: Sequence[Cell]) -> _NumberedCells:
    found = [(cell, number) for cell in without_step(cells) if (number := place_in_order(cell)) is not None]
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


def fine_steps(steps: Sequence[Fraction | int], step: Fraction | int) -> list[bool]:
    """Whether each step from number to number is no fault: the usual step, or one of several larger steps (6, 8, 10).

    Larger steps are all equal, or go up to the end. A single larger step is where a row is lost, but for the last step
    of numbers that have several larger steps elsewhere.
    """
    fine = [one == step for one in steps]
    has_skips = False
    for is_fine, run in groupby(range(len(steps)), key=[*fine].__getitem__):
        places = list(run)
        skipped = [steps[at] for at in places]
        is_regular = len({*skipped}) == 1 or places[-1] == len(steps) - 1
        if not is_fine and len(places) > 1 and is_regular and all(one / step > 1 for one in skipped):
            fine[places[0] : places[-1] + 1] = [True] * len(places)
            has_skips = True
    if has_skips and steps[-1] / step > 1:
        fine[-1] = True
    return fine


def _breaks_of_step(
    held: _NumberedCells, step: Fraction, ladder: Ladder | None, *, may_skip: bool
) -> list[SequenceBreak]:
    steps = [below - above for (_, above), (_, below) in pairwise(held)]
    fine = fine_steps(steps, step) if may_skip else [one == step for one in steps]
    if may_skip and step > 1 and [number for _, number in held[:2]] == [1, step]:
        fine[0] = True  # multiples that begin with 1, in the place of 0

    def expected(row: int, near: int) -> str:
        return _in_notation_of(held[row][0], held[near][1] + step * (row - near), ladder)

    return list(_breaks_in(held, fine, expected, Phrase("check-by-step")))


def _breaks_of_results(held: _NumberedCells, results: Sequence[int]) -> list[SequenceBreak]:
    """The breaks of numbers that follow each other as the results of dice do that are read as digits."""
    fine = [_next(int(above), results) == below for (_, above), (_, below) in pairwise(held)]

    def expected(row: int, near: int) -> str:
        number = _next(int(held[near][1]), results, row - near)
        return Phrase("check-another-number") if number is None else str(number)

    return list(_breaks_in(held, fine, expected, Phrase("check-rows-go-on")))


def _breaks_in(
    held: _NumberedCells, fine: Sequence[bool], expected: Callable[[int, int], str], rule: str
) -> Iterator[SequenceBreak]:
    """The cells that break a sequence; ``expected`` works out a row from the nearest row that keeps the sequence."""
    odd = _breaking_places(fine)
    kept = [row for row in range(len(held)) if row not in odd] or [0]
    for row in sorted(odd):
        near = min(kept, key=lambda other: abs(other - row))
        yield SequenceBreak(held[row][0], expected(row, near), rule, _cells_beside(held, row))


def gaps(cells: Sequence[Cell], sure: bool = False) -> list[SequenceBreak]:
    """Ranges that overlap the range before or leave a gap, where most ranges (if ``sure``: some) leave none."""
    ranges = [(cell, cell.value) for cell in cells if isinstance(cell.value, Interval)]
    if len(ranges) < 3 or any(isinstance(cell.value, NumberList) for cell in cells):
        return []
    ends = {end for _, interval in ranges for end in (interval.low, interval.high)}
    orders = ORDERS if ends <= {*RESULTS} else ((),)
    joined, order, way = max(
        ((_joined(ranges, order, way), order, way) for order in orders for way in WAYS.values()),
        key=lambda reading: reading[0].count(True),
    )
    broken = joined.count(False)
    if 2 * broken >= len(joined) and not (sure and broken <= BROKEN_BY_ONE and broken < len(joined)):
        return []
    if broken > 1 and _are_in_turns(ranges, order):
        return []
    odd = sorted(_breaking_places(joined))
    missing = ((at, _missing_range(ranges, at, way, order)) for at in odd)
    rule = Phrase("check-ranges")
    return [SequenceBreak(ranges[at][0], expected, rule, _cells_beside(ranges, at)) for at, expected in missing]


_Ranges = Sequence[tuple[Cell, Interval]]


def _joined(ranges: _Ranges, order: Sequence[int], way: int) -> Sequence[bool]:
    """Whether each two neighbours join, from top to bottom, or with ``way`` -1 from bottom to top."""
    pairs = ((above, below)[::way] for (_, above), (_, below) in pairwise(ranges))
    return [_joins(low, high, order) for low, high in pairs]


def _joins(low: Interval, high: Interval, order: Sequence[int] = ()) -> bool:
    return low.high is not None and high.low is not None and _next(low.high, order) == high.low


def _next(number: int, order: Sequence[int], steps: int = 1) -> int | None:
    """The number so many steps behind another number, or before: in an order of results, without one by counting."""
    if not order:
        return number + steps
    at = order.index(number) + steps if number in order else -1
    return order[at] if 0 <= at < len(order) else None


def _are_in_turns(ranges: _Ranges, order: Sequence[int]) -> bool:
    """Whether ranges have no gap, if a range that begins with the lowest number begins a further roll."""
    held = [(cell, one.low, one.high) for cell, one in ranges if cell.span is not None]
    numbers = [RowNumber(RawCell(cell.text, cell.span), 0, low, high) for cell, low, high in held if cell.span]
    ends = [end for _, low, high in held for end in (low, high) if end is not None]
    if len(held) < len(ranges) or max(ends) - min(ends) > WIDEST_ROLL:
        return False
    cover = RowCover.of(numbers, order or range(min(ends), max(ends) + 1))
    return not any(cover.faults_in_turns())


def _missing_range(ranges: _Ranges, at: int, way: int, order: Sequence[int]) -> str:
    """The range between the neighbours of a range."""
    before, behind = (at - way, at + way)
    low = ranges[before][1].high if 0 <= before < len(ranges) else None
    high = ranges[behind][1].low if 0 <= behind < len(ranges) else None
    interval = ranges[at][1]
    start = interval.low if low is None else _next(low, order)
    end = interval.high if high is None else _next(high, order, -1)
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
