"""Checks of the columns of one printed table: sums, steps, mirrored chances, order, bounds, and ranges that cover dice.

In: a printed column, and its entry of proof.toml. Out: a Comparison for each cell; for a sum, one of the whole column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal, Self

from pydantic import model_validator

from refgen.catalog import counted
from refgen.checks.comparison import (
    FIGURE,
    CheckInputs,
    CheckSpec,
    CheckSubject,
    Comparison,
    column_subjects,
    places,
    precision_of,
    printed_number,
    range_in_words,
    whole_column,
)
from refgen.checks.row_cover import RowCover, RowNumber
from refgen.errors import CheckError
from refgen.notation.figures import decimal, half_unit
from refgen.notation.values import Interval, Modifier, Number, NumberList, as_chance, as_number
from refgen.readers.document import RawCell
from refgen.resolver.lookup import column_of, dice_of, find_named, sources_of_dice, table_of
from refgen.resolver.rolls import roll_of
from refgen.rules.field_types import Identifier, RolledText
from refgen.rules.model import Cell, Ruleset
from refgen.span import Span
from refgen.words import Phrase, chain_texts


class SumSpec(CheckSpec):
    """A column of chances that must add up to 100%, give or take the rounding of its cells."""

    kind: Literal["sum"]
    table: Identifier
    column: Identifier

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """The chances of a column add up to 100%, give or take half a unit for each of them."""
        table = table_of(inputs.ruleset, self.table)
        cells = list(column_of(table, self.column))
        chances = [chance for cell in cells if (chance := as_chance(cell.value)) is not None]
        total = sum((chance.value for chance in chances), Fraction(0))
        slack = sum((half_unit(chance) for chance in chances), Fraction(0))
        yield Comparison(
            whole_column(table, inputs.check_id, self.column, f"{decimal(total * 100, 1)}%"),
            computed="100%",
            rule=Phrase("check-add-up"),
            same=abs(total - 1) <= slack,
            sources=places(*cells),
        )


class StepsSpec(CheckSpec):
    """A column of numbers that go up or down by one from row to row, or of ranges that go on without a gap."""

    kind: Literal["steps"]
    table: Identifier
    column: Identifier

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """The numbers of a column go up, or down, by one from row to row; ranges go on where the one before ends."""
        table = table_of(inputs.ruleset, self.table)
        held = [pair for pair in column_subjects(table, inputs.check_id, self.column) if pair[1].value is not None]
        if len(held) < 2:
            raise CheckError(f'"{table.id}" has no steps: {counted(len(held), "number")} in "{self.column}"')
        if any(isinstance(cell.value, NumberList) for _, cell in held):
            raise CheckError(f'"{table.id}" has no steps: "{self.column}" has lists of numbers')
        in_a_row = _ranges_in_a_row if isinstance(held[0][1].value, Interval) else _numbers_in_a_row
        yield from in_a_row(held)


_CellSubjects = Sequence[tuple[CheckSubject, Cell]]


def _numbers_in_a_row(held: _CellSubjects) -> Iterator[Comparison]:
    """Each number is what most of the further numbers lead to, counting by one from row to row."""
    numbers = [_whole_number(cell) for _, cell in held]
    step = max((1, -1), key=lambda way: max(Counter(_starts(numbers, way)).values()))
    starts = _starts(numbers, step)
    for row, ((subject, cell), number) in enumerate(zip(held, numbers, strict=True)):
        others = Counter((*starts[:row], *starts[row + 1 :]))
        start = max(others, key=lambda number: (others[number], number == starts[row]))
        shown = f"{start + step * row:+d}" if cell.text.startswith(("+", "-", "±")) else str(start + step * row)
        yield Comparison(
            subject,
            computed="0" if start + step * row == 0 else shown,
            rule=Phrase("check-by-one"),
            number=Fraction(number),
            exact=Fraction(start + step * row),
            sources=places(*(other for _, other in held if other is not cell)),
        )


def _ranges_in_a_row(held: _CellSubjects) -> Iterator[Comparison]:
    ranges = [cell.value for _, cell in held if isinstance(cell.value, Interval)]
    before: list[Interval | None] = [None, *ranges[:-1]]
    after: list[Interval | None] = [*ranges[1:], None]
    for (subject, cell), interval, last, following in zip(held, ranges, before, after, strict=True):
        low = interval.low if last is None or last.high is None else last.high + 1
        high = interval.high if following is None or following.low is None else following.low - 1
        yield Comparison(
            subject,
            computed=range_in_words(low, high),
            rule=Phrase("check-ranges"),
            same=(interval.low, interval.high) == (low, high),
            sources=places(*(other for _, other in held if other is not cell)),
        )


def _whole_number(cell: Cell) -> int:
    """The whole number that a cell stands for; of "±2" that is 2."""
    number = cell.value.high if isinstance(cell.value, Modifier) else as_number(cell.value)
    if number is None or number.denominator != 1:
        raise CheckError(f'"{cell.text}" is no whole number', span=cell.span)
    return int(number)


def _starts(numbers: Sequence[int], step: int) -> Sequence[int]:
    """For each number, the number of the first row if all rows went on by the step."""
    return [number - step * row for row, number in enumerate(numbers)]


class MirrorSpec(CheckSpec):
    """Chances that mirror each other: the chances of +n and of -n add up to 100%."""

    kind: Literal["mirror"]
    table: Identifier
    key: Identifier
    column: Identifier
    inferred: bool = True

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """The chance of a number and that of its opposite add up to 100%."""
        table = table_of(inputs.ruleset, self.table)
        keys, held = list(column_of(table, self.key)), list(column_subjects(table, inputs.check_id, self.column))
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
                    rule=Phrase("check-opposite"),
                    number=printed,
                    exact=1 - mirrored,
                    precision=precision,
                    sources=places(key, other_key, other),
                )


class MonotoneSpec(CheckSpec):
    """A column of numbers in which each is more than the one above it, or each is less."""

    kind: Literal["monotone"]
    table: Identifier
    column: Identifier
    direction: Literal["rising", "falling"]
    inferred: bool = True

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """Each number of a column is more than the one above it, or each is less."""
        table = table_of(inputs.ruleset, self.table)
        sign = 1 if self.direction == "rising" else -1
        held = [
            (subject, cell, number)
            for subject, cell in column_subjects(table, inputs.check_id, self.column)
            if (number := printed_number(cell.value)) is not None
        ]
        for (_, above, high), (subject, _, number) in pairwise(held):
            yield Comparison(
                subject,
                computed=Phrase("check-more-than" if sign > 0 else "check-less-than", number=above.text),
                rule=Phrase(f"check-{self.direction}"),
                same=sign * (number - high) > 0,
                sources=places(above),
            )


STRICT = (">", "<")


class BoundsSpec(CheckSpec):
    """Columns in which each bound (">500,000") is as tight as the number in the next row allows."""

    kind: Literal["bounds"]
    table: Identifier
    columns: list[Identifier]
    inferred: bool = True

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """A bound such as ">500,000" has the number of the row below; in the last row, of the row above."""
        table = table_of(inputs.ruleset, self.table)
        for column in self.columns:
            held = list(column_subjects(table, inputs.check_id, column, by_column=True))
            for row, (_, cell) in enumerate(held):
                beside = row + 1 if row + 1 < len(held) else row - 1
                bound, number = cell.value, held[beside][1].value
                if (
                    isinstance(bound, Number)
                    and isinstance(number, Number)
                    and bound.bound in STRICT
                    and not number.bound
                ):
                    words = f"{bound.bound}{held[beside][1].text}", cell.text.removeprefix(bound.bound).strip()
                    same = bound.value == number.value
                    for one, other, computed in ((row, beside, words[0]), (beside, row, words[1])):
                        yield Comparison(
                            held[one][0],
                            computed=computed,
                            rule=Phrase("check-bound"),
                            same=same,
                            sources=places(held[other][1]),
                        )


class PartitionSpec(CheckSpec):
    """A column of ranges or numbers that cover every outcome of dice, or the range of a fact, once."""

    kind: Literal["partition"]
    table: Identifier
    column: Identifier
    dice: RolledText = ""
    range: Identifier | None = None

    @model_validator(mode="after")
    def _check_outcomes(self) -> Self:
        if bool(self.dice) == (self.range is not None):
            raise ValueError("ranges cover either `dice` or the `range` of a fact")
        return self

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """Every outcome stands in exactly one range of a column, and no range goes beyond them."""
        table = table_of(inputs.ruleset, self.table)
        outcomes, words, sources = _outcomes(inputs.ruleset, self)
        held = list(_row_numbers(column_subjects(table, inputs.check_id, self.column), outcomes))
        cover = RowCover.of([number for _, number in held], outcomes)
        for (subject, _), number in zip(held, cover.numbers, strict=True):
            others = [other.cell.span for other in cover.numbers if other is not number]
            yield Comparison(
                subject,
                computed=_expected_outcomes(number, cover),
                rule=Phrase("check-once", numbers=words),
                same=_fits_cover(number, cover),
                sources=(*sources, *others),
            )


def _row_numbers(
    held: Iterable[tuple[CheckSubject, Cell]], outcomes: Sequence[int]
) -> Iterator[tuple[CheckSubject, RowNumber]]:
    """The cells with a range or a whole number; an open end is the first or last outcome."""
    for subject, cell in held:
        raw = RawCell(cell.text, subject.span)
        if isinstance(cell.value, NumberList):
            yield subject, RowNumber.of(raw, 0, cell.value)
            continue
        if isinstance(cell.value, Interval):
            low = outcomes[0] if cell.value.low is None else cell.value.low
            high = outcomes[-1] if cell.value.high is None else cell.value.high
        elif (number := as_number(cell.value)) is not None and number.denominator == 1:
            low = high = int(number)
        else:
            continue
        yield subject, RowNumber(raw, 0, low, high)


def _fits_cover(number: RowNumber, cover: RowCover) -> bool:
    """Whether a row number lies within the outcomes, overlaps none, and, where none overlap, has no gap beside it.

    Outcomes may have gaps of their own: after 16 of d66 comes 21.
    """
    outcomes = cover.outcomes
    held = [place for place, outcome in enumerate(outcomes) if outcome in number]
    is_apart = not any(outcome in number for outcome in cover.twice)
    if not held or number in cover.outside or not is_apart:
        return False
    beside = outcomes[max(held[0] - 1, 0) : held[-1] + 2]
    return bool(cover.twice) or not any(outcome in beside for outcome in cover.missing)


def _expected_outcomes(number: RowNumber, cover: RowCover) -> str:
    """The outcomes between the neighbouring ranges; the missing outcomes where nothing is left between them."""
    if any(other.only for other in cover.numbers):
        return chain_texts("check-or", map(str, cover.missing)) or Phrase("check-another-range")
    outcomes, start = cover.outcomes, number.low or 0
    others = [(other.low or 0, other.high or 0) for other in cover.numbers if other is not number]
    before = max((high for low, high in others if low < start), default=outcomes[0] - 1)
    after = min((low for low, _ in others if low > start), default=outcomes[-1] + 1)
    free = [outcome for outcome in outcomes if before < outcome < after]
    is_single = number.low == number.high and len(re.findall(r"\d+", number.cell.text)) == 1  # "5", and not "5-5"
    if not free or (is_single and len(free) > 1):
        return chain_texts("check-or", map(str, cover.missing)) or Phrase("check-another-range")
    return str(free[0]) if len(free) == 1 else range_in_words(free[0], free[-1])


def _outcomes(ruleset: Ruleset, spec: PartitionSpec) -> tuple[Sequence[int], str, tuple[Span, ...]]:
    """The numbers to be covered, their description in words, and where the dice or the range are printed."""
    if spec.range is None:
        words = Phrase("check-results-of", dice=dice_of(ruleset, spec.dice))
        return roll_of(ruleset, spec.dice).outcomes, words, sources_of_dice(ruleset, spec.dice)
    fact = find_named(ruleset.facts, spec.range, "fact")
    if not isinstance(fact.value, Interval) or fact.value.low is None or fact.value.high is None:
        raise CheckError(f'"{fact.text}" is no range', span=fact.span)
    return range(fact.value.low, fact.value.high + 1), Phrase("check-numbers-of", range=fact.text), (fact.span,)
