"""Ranges, numbers and bounds that must cover something once: every outcome of dice, or one stretch after the other.

In: a printed column. Out: a Comparison for each cell that holds a range or a whole number, and for each bound at the
end of a column (">500,000" above a row with 500,000) with the number of the row beside it, and the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Self

from pydantic import model_validator

from refgen.checks.comparison import CheckSpec, Comparison, Subject, column_subjects, places
from refgen.checks.formulas import fact_of
from refgen.errors import CheckError
from refgen.notation.values import Interval, Number, as_number
from refgen.resolver.lookup import dice_of, sources_of_dice, table_of
from refgen.resolver.rolls import roll_of
from refgen.rules.field_types import Identifier, RolledText
from refgen.rules.model import Cell, Ruleset
from refgen.span import Span

STRICT = (">", "<")


class BoundsSpec(CheckSpec):
    """Columns in which a bound is as tight as the row beside it allows: more, or less, than just that number."""

    kind: Literal["bounds"]
    table: Identifier
    columns: list[Identifier]
    inferred: bool = True


def check_bounds(ruleset: Ruleset, check_id: str, spec: BoundsSpec) -> Iterator[Comparison]:
    """A bound such as ">500,000" is the number of the row below it, or above it where it is the last."""
    table = table_of(ruleset, spec.table)
    for column in spec.columns:
        held = list(column_subjects(table, check_id, column, by_column=True))
        for row, (_, cell) in enumerate(held):
            beside = row + 1 if row + 1 < len(held) else row - 1
            bound, number = cell.value, held[beside][1].value
            if isinstance(bound, Number) and isinstance(number, Number) and bound.bound in STRICT and not number.bound:
                words = f"{bound.bound}{held[beside][1].text}", cell.text.removeprefix(bound.bound).strip()
                same = bound.value == number.value
                for one, other, computed in ((row, beside, words[0]), (beside, row, words[1])):
                    yield Comparison(
                        held[one][0],
                        computed=computed,
                        rule="a bound is the number of the row beside it",
                        same=same,
                        inferred=spec.inferred,
                        sources=places(held[other][1]),
                    )


class PartitionSpec(CheckSpec):
    """A column of ranges or numbers that must cover every outcome of the dice once, or a fact's range."""

    kind: Literal["partition"]
    table: Identifier
    column: Identifier
    dice: RolledText = ""
    range: Identifier | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if bool(self.dice) == (self.range is not None):
            raise ValueError("ranges cover either `dice` or the `range` of a fact")
        return self


@dataclass(frozen=True, slots=True)
class _Part:
    """A cell with its range; an open end goes as far as there is something to cover."""

    subject: Subject
    cell: Cell
    low: int
    high: int

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high

    @property
    def is_number(self) -> bool:
        """Whether it is printed as one number: "5", and not "5-5"."""
        return len(re.findall(r"\d+", self.cell.text)) == 1 and self.low == self.high


def check_partition(ruleset: Ruleset, check_id: str, spec: PartitionSpec) -> Iterator[Comparison]:
    """Every outcome stands in exactly one range of a column, and no range goes beyond them."""
    table = table_of(ruleset, spec.table)
    outcomes, words, sources = _outcomes(ruleset, spec)
    parts = list(_parts(column_subjects(table, check_id, spec.column), outcomes))
    twice = {number for number in outcomes if sum(number in part for part in parts) > 1}
    missing = [number for number in outcomes if all(number not in part for part in parts)]
    for part in parts:
        others = places(*(other.cell for other in parts if other is not part))
        yield Comparison(
            part.subject,
            computed=_expected(part, parts, outcomes, missing),
            rule=f"each of {words} stands in the column once",
            same=_fits(part, outcomes, twice, missing),
            inferred=spec.inferred,
            sources=(*sources, *others),
        )


def _parts(held: Iterable[tuple[Subject, Cell]], outcomes: Sequence[int]) -> Iterator[_Part]:
    for subject, cell in held:
        number = as_number(cell.value)
        if isinstance(cell.value, Interval):
            low = outcomes[0] if cell.value.low is None else cell.value.low
            high = outcomes[-1] if cell.value.high is None else cell.value.high
            yield _Part(subject, cell, low, high)
        elif number is not None and number.denominator == 1:
            yield _Part(subject, cell, int(number), int(number))


def _fits(part: _Part, outcomes: Sequence[int], twice: set[int], missing: Sequence[int]) -> bool:
    """A part is at fault when it goes too far, holds nothing or meets another; or, where none does, stops before a gap.

    Outcomes may have gaps of their own: after 16 of d66 comes 21.
    """
    held = [place for place, number in enumerate(outcomes) if number in part]
    if not held or not outcomes[0] <= part.low <= part.high <= outcomes[-1] or any(number in part for number in twice):
        return False
    beside = outcomes[max(held[0] - 1, 0) : held[-1] + 2]
    return bool(twice) or not any(number in beside for number in missing)


def _expected(part: _Part, parts: Sequence[_Part], outcomes: Sequence[int], missing: Sequence[int]) -> str:
    """From behind the range before to the range after; what is missing, when that leaves nothing."""
    before = max((other.high for other in parts if other is not part and other.low < part.low), default=outcomes[0] - 1)
    after = min((other.low for other in parts if other is not part and other.low > part.low), default=outcomes[-1] + 1)
    free = [number for number in outcomes if before < number < after]
    if not free or (part.is_number and len(free) > 1):
        return " or ".join(map(str, missing)) or "another range"
    return str(free[0]) if len(free) == 1 else f"{free[0]} to {free[-1]}"


def _outcomes(ruleset: Ruleset, spec: PartitionSpec) -> tuple[Sequence[int], str, tuple[Span, ...]]:
    """The numbers that must be covered, the same in words, and the places where the dice or the range are printed."""
    if spec.range is None:
        words = f"the results of {dice_of(ruleset, spec.dice)}"
        return roll_of(ruleset, spec.dice).outcomes, words, sources_of_dice(ruleset, spec.dice)
    fact = fact_of(ruleset, spec.range)
    if not isinstance(fact.value, Interval) or fact.value.low is None or fact.value.high is None:
        raise CheckError(f'"{fact.text}" is no range', span=fact.span)
    return range(fact.value.low, fact.value.high + 1), f"the numbers {fact.text}", (fact.span,)
