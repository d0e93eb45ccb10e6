"""Checks within a table: chances that add up or mirror each other, ladders without a gap.

In: a printed table. Out: Comparisons, of single cells where the fault has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from refgen.checks.comparison import (
    FIGURE,
    CheckSpec,
    Comparison,
    Subject,
    column_subjects,
    places,
    precision_of,
    printed_number,
    whole_column,
)
from refgen.errors import CheckError
from refgen.notation.rounding import decimal, half_unit
from refgen.notation.values import Interval, Modifier, as_chance, as_number
from refgen.resolver.lookup import column_of, table_of
from refgen.rules.field_types import Identifier
from refgen.rules.model import Cell, Ruleset


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
        whole_column(table, check_id, spec.column, f"{decimal(total * 100, 1)}%"),
        computed="100%",
        rule="the chances of all outcomes add up to 100%",
        same=abs(total - 1) <= slack,
        inferred=spec.inferred,
        sources=places(*cells),
    )


class StepsSpec(CheckSpec):
    """A column of numbers that go up or down by one from row to row, or of ranges that go on without a gap."""

    kind: Literal["steps"]
    table: Identifier
    column: Identifier


def check_steps(ruleset: Ruleset, check_id: str, spec: StepsSpec) -> Iterator[Comparison]:
    """The numbers of a column go up, or down, by one from row to row; ranges go on where the one before ends."""
    table = table_of(ruleset, spec.table)
    held = [pair for pair in column_subjects(table, check_id, spec.column) if pair[1].value is not None]
    if len(held) < 2:
        raise CheckError(f'"{table.id}" has no steps: {len(held)} numbers in "{spec.column}"')
    in_a_row = _ranges_in_a_row if isinstance(held[0][1].value, Interval) else _numbers_in_a_row
    yield from in_a_row(held, spec.inferred)


_Held = Sequence[tuple[Subject, Cell]]


def _numbers_in_a_row(held: _Held, inferred: bool) -> Iterator[Comparison]:
    """Each number is the one that most of the others lead to, counting up or down to its row."""
    numbers = [_counted(cell) for _, cell in held]
    step = max((1, -1), key=lambda way: max(Counter(_starts(numbers, way)).values()))
    starts = _starts(numbers, step)
    for row, ((subject, cell), number) in enumerate(zip(held, numbers, strict=True)):
        others = Counter((*starts[:row], *starts[row + 1 :]))
        start = max(others, key=lambda number: (others[number], number == starts[row]))
        shown = f"{start + step * row:+d}" if cell.text.startswith(("+", "-", "±")) else str(start + step * row)
        yield Comparison(
            subject,
            computed="0" if start + step * row == 0 else shown,
            rule="the numbers go on by one from row to row",
            number=Fraction(number),
            exact=Fraction(start + step * row),
            inferred=inferred,
            sources=places(*(other for _, other in held if other is not cell)),
        )


def _ranges_in_a_row(held: _Held, inferred: bool) -> Iterator[Comparison]:
    ranges = [cell.value for _, cell in held if isinstance(cell.value, Interval)]
    before: list[Interval | None] = [None, *ranges[:-1]]
    after: list[Interval | None] = [*ranges[1:], None]
    for (subject, cell), interval, last, following in zip(held, ranges, before, after, strict=True):
        low = interval.low if last is None or last.high is None else last.high + 1
        high = interval.high if following is None or following.low is None else following.low - 1
        yield Comparison(
            subject,
            computed=f"{low} to {high}" if high is not None else f"{low} or more",
            rule="each range starts where the one before it ends",
            same=(interval.low, interval.high) == (low, high),
            inferred=inferred,
            sources=places(*(other for _, other in held if other is not cell)),
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
    inferred: bool = True


def check_mirror(ruleset: Ruleset, check_id: str, spec: MirrorSpec) -> Iterator[Comparison]:
    """The chance of a number and that of its opposite add up to 100%."""
    table = table_of(ruleset, spec.table)
    keys, held = list(column_of(table, spec.key)), list(column_subjects(table, check_id, spec.column))
    by_key = {as_number(key.value): (key, cell) for key, (_, cell) in zip(keys, held, strict=True)}
    for key, (subject, cell) in zip(keys, held, strict=True):
        number, printed = as_number(key.value), printed_number(cell.value)
        other_key, other = by_key.get(-number, (None, None)) if number is not None else (None, None)
        mirrored = printed_number(other.value) if other is not None else None
        if other is not None and other_key is not None and printed is not None and mirrored is not None:
            precision = precision_of(cell.text, cell.value)
            yield Comparison(
                subject,
                computed=FIGURE,
                rule="the chances of opposite numbers add up to 100%",
                number=printed,
                exact=1 - mirrored,
                precision=precision,
                inferred=spec.inferred,
                sources=places(key, other_key, other),
            )


class MonotoneSpec(CheckSpec):
    """A column of numbers in which each is more than the one above it, or each is less."""

    kind: Literal["monotone"]
    table: Identifier
    column: Identifier
    direction: Literal["rising", "falling"]
    inferred: bool = True


def check_monotone(ruleset: Ruleset, check_id: str, spec: MonotoneSpec) -> Iterator[Comparison]:
    """Each number of a column is more than the one above it, or each is less."""
    table = table_of(ruleset, spec.table)
    sign = 1 if spec.direction == "rising" else -1
    held = [
        (subject, cell, number)
        for subject, cell in column_subjects(table, check_id, spec.column)
        if (number := printed_number(cell.value)) is not None
    ]
    for (_, above, high), (subject, _, number) in pairwise(held):
        yield Comparison(
            subject,
            computed=f"{'more' if sign > 0 else 'less'} than {above.text}",
            rule=f"the figures are {spec.direction} all the way",
            same=sign * (number - high) > 0,
            inferred=spec.inferred,
            sources=places(above),
        )
