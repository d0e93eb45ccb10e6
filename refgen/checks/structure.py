"""What a table must be in itself: chances that add up or mirror each other, ladders without a gap.

In: a printed table. Out: Comparisons, of single cells where the fault has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from refgen.checks.compare import column_index, comparison_id, place, row_names
from refgen.checks.comparison import CheckSpec, Comparison, Subject, precision_of, printed_number
from refgen.errors import CheckError
from refgen.notation.rounding import decimal, half_unit
from refgen.notation.values import Interval, Modifier, as_chance, as_number
from refgen.resolver.lookup import column_of, table_of
from refgen.rules.model import Cell, Ruleset, Table
from refgen.rules.schema import Identifier
from refgen.span import Span


class SumSpec(CheckSpec):
    """A column of chances that must add up to 100%, give or take the rounding of its cells."""

    kind: Literal["sum"]
    table: Identifier
    column: Identifier


def check_sum(ruleset: Ruleset, check_id: str, spec: SumSpec) -> Iterator[Comparison]:
    """The chances of a column add up to 100%, give or take half a unit for each of them."""
    table = table_of(ruleset, spec.table)
    cells = list(column_of(table, spec.column))
    chances = [chance for cell in cells if (chance := as_chance(cell.value)) is not None]
    total = sum((chance.value for chance in chances), Fraction(0))
    slack = sum((half_unit(chance) for chance in chances), Fraction(0))
    yield Comparison(
        _whole_column(table, check_id, spec.column, f"{decimal(total * 100, 1)}%"),
        computed="100%",
        rule="the chances of all outcomes add up to 100%",
        same=abs(total - 1) <= slack,
        stated=spec.stated,
        sources=tuple(cell.span for cell in cells if cell.span is not None),
    )


class StepsSpec(CheckSpec):
    """A column of numbers that go up or down by one from row to row, or of ranges that go on without a gap."""

    kind: Literal["steps"]
    table: Identifier
    column: Identifier


def check_steps(ruleset: Ruleset, check_id: str, spec: StepsSpec) -> Iterator[Comparison]:
    """The numbers of a column go up, or down, by one from row to row; ranges go on where the one before ends."""
    table = table_of(ruleset, spec.table)
    cells = [cell for cell in column_of(table, spec.column) if cell.value is not None]
    if len(cells) < 2:
        raise CheckError(f'"{table.id}" has no steps: {len(cells)} numbers in "{spec.column}"')
    if isinstance(cells[0].value, Interval):
        yield from _ranges_in_a_row(table, check_id, spec, cells)
    else:
        yield from _numbers_in_a_row(table, check_id, spec, cells)


def _numbers_in_a_row(table: Table, check_id: str, spec: StepsSpec, cells: Sequence[Cell]) -> Iterator[Comparison]:
    """Each number is the one that most of the others lead to, counting up or down to its row."""
    numbers = [_counted(cell) for cell in cells]
    step = max((1, -1), key=lambda way: max(Counter(_starts(numbers, way)).values()))
    starts = _starts(numbers, step)
    for row, (cell, number) in enumerate(zip(cells, numbers, strict=True)):
        others = Counter((*starts[:row], *starts[row + 1 :]))
        start = max(others, key=lambda number: (others[number], number == starts[row]))
        subject = _cell_of(table, check_id, spec.column, cell)
        shown = f"{start + step * row:+d}" if cell.text.startswith(("+", "-", "±")) else str(start + step * row)
        yield Comparison(
            subject,
            computed="0" if start + step * row == 0 else shown,
            rule="the numbers go on by one from row to row",
            number=Fraction(number),
            exact=Fraction(start + step * row),
            stated=spec.stated,
            sources=_places(*(other for other in cells if other is not cell)),
        )


def _ranges_in_a_row(table: Table, check_id: str, spec: StepsSpec, cells: Sequence[Cell]) -> Iterator[Comparison]:
    ranges = [cell.value for cell in cells if isinstance(cell.value, Interval)]
    before: list[Interval | None] = [None, *ranges[:-1]]
    after: list[Interval | None] = [*ranges[1:], None]
    for cell, interval, last, following in zip(cells, ranges, before, after, strict=True):
        low = interval.low if last is None or last.high is None else last.high + 1
        high = interval.high if following is None or following.low is None else following.low - 1
        yield Comparison(
            _cell_of(table, check_id, spec.column, cell),
            computed=f"{low} to {high}" if high is not None else f"{low} or more",
            rule="each range starts where the one before it ends",
            same=(interval.low, interval.high) == (low, high),
            stated=spec.stated,
            sources=_places(*(other for other in cells if other is not cell)),
        )


def _counted(cell: Cell) -> int:
    """The whole number that a cell stands for; of "±2" that is 2."""
    number = cell.value.high if isinstance(cell.value, Modifier) else as_number(cell.value)
    if number is None or number.denominator != 1:
        raise CheckError(f'"{cell.text}" is no whole number', span=cell.span)
    return int(number)


def _starts(numbers: Sequence[int], step: int) -> Sequence[int]:
    """For each number the one that the first row would have, if all rows went on by the step."""
    return [number - step * row for row, number in enumerate(numbers)]


class MirrorSpec(CheckSpec):
    """Chances that mirror each other: those of a number and of its opposite add up to 100%."""

    kind: Literal["mirror"]
    table: Identifier
    key: Identifier
    column: Identifier
    stated: bool = False


def check_mirror(ruleset: Ruleset, check_id: str, spec: MirrorSpec) -> Iterator[Comparison]:
    """The chance of a number and that of its opposite add up to 100%."""
    table = table_of(ruleset, spec.table)
    pairs = list(zip(column_of(table, spec.key), column_of(table, spec.column), strict=True))
    by_key = {key: pair for pair in pairs if (key := as_number(pair[0].value)) is not None}
    for key_cell, cell in pairs:
        key, number = as_number(key_cell.value), printed_number(cell.value)
        other_key, other = by_key.get(-key, (None, None)) if key is not None else (None, None)
        mirrored = printed_number(other.value) if other is not None else None
        if number is not None and other is not None and other_key is not None and mirrored is not None:
            precision = precision_of(cell.text, cell.value)
            yield Comparison(
                _cell_of(table, check_id, spec.column, cell),
                computed=precision.shown(1 - mirrored),
                rule="the chances of opposite numbers add up to 100%",
                number=number,
                exact=1 - mirrored,
                precision=precision,
                stated=spec.stated,
                sources=_places(key_cell, other_key, other),
            )


class MonotoneSpec(CheckSpec):
    """A column of numbers in which each is more than the one above it, or each is less."""

    kind: Literal["monotone"]
    table: Identifier
    column: Identifier
    direction: Literal["rising", "falling"]
    stated: bool = False


def check_monotone(ruleset: Ruleset, check_id: str, spec: MonotoneSpec) -> Iterator[Comparison]:
    """Each number of a column is more than the one above it, or each is less."""
    table = table_of(ruleset, spec.table)
    sign = 1 if spec.direction == "rising" else -1
    for (above, high), (cell, number) in pairwise(_numbers(table, spec.column)):
        yield Comparison(
            _cell_of(table, check_id, spec.column, cell),
            computed=f"{'more' if sign > 0 else 'less'} than {above.text}",
            rule=f"the figures are {spec.direction} all the way",
            same=sign * (number - high) > 0,
            stated=spec.stated,
            sources=_places(above),
        )


def _numbers(table: Table, column: str) -> list[tuple[Cell, Fraction]]:
    return [(cell, number) for cell in column_of(table, column) if (number := printed_number(cell.value)) is not None]


def _row_of(table: Table, cell: Cell) -> str:
    rows = zip(row_names(table), table.rows, strict=True)
    return next(name for name, row in rows if any(held is cell for held in row))


def _places(*cells: Cell) -> tuple[Span, ...]:
    return tuple(cell.span for cell in cells if cell.span is not None)


def _cell_of(table: Table, check_id: str, column: str, cell: Cell) -> Subject:
    row, title = _row_of(table, cell), table.columns[column_index(table, column)].title
    return Subject(comparison_id(check_id, row), table.id, table.title, row, title, cell.text, place(cell, table))


def _whole_column(table: Table, check_id: str, column: str, printed: str) -> Subject:
    if table.span is None:
        raise CheckError(f'"{table.id}" is computed, not printed: there is nothing to check')
    title = table.columns[column_index(table, column)].title
    return Subject(check_id, table.id, table.title, "", title, printed, table.span)
