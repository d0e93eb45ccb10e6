"""A ladder of levels is made from the columns of a table.

In: the cells of the levels, with their column, and those of their numbers. Out: the Ladder.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from refgen.errors import RulesError
from refgen.notation.level import Ladder, level_name
from refgen.notation.values import Level, as_number
from refgen.readers.document import RawCell
from refgen.rules.cells import cell_value, with_place
from refgen.rules.readings import read_in_place
from refgen.rules.schema import ColumnSpec, LadderSpec
from refgen.span import Span
from refgen.suggestion import did_you_mean

MAX_LEVEL = 200
"""Ladders are climbed step by step: a number far beyond any of them is a typo."""


def numbered_ladder(
    spec: LadderSpec, levels: Iterable[RawCell], column: ColumnSpec, numbers: Sequence[RawCell], numbered: ColumnSpec
) -> Ladder:
    """The ladder whose levels have numbers in a column of their own. Raises RulesError, NotationError."""
    names = [_name(cell, column) for cell in levels]
    values = [_number(cell, numbered) for cell in numbers]
    _refuse_equal_numbers([name for name, _ in names], values, [cell.span for cell in numbers])
    return _ladder(spec, names, values, signed=any(cell.text.startswith(("+", "(+")) for cell in numbers))


def counted_ladder(spec: LadderSpec, levels: Iterable[RawCell], column: ColumnSpec, spec_span: Span) -> Ladder:
    """The ladder whose levels are counted from the one called ``zero``. Raises RulesError, NotationError."""
    names = [_name(cell, column) for cell in levels]
    values = _numbers_from_zero([name for name, _ in names], spec.zero, spec_span)
    return _ladder(spec, names, values, signed=min(values) < 0)


def _ladder(spec: LadderSpec, names: Sequence[tuple[str, str]], values: Sequence[int], *, signed: bool) -> Ladder:
    levels = {  # a row that is printed twice is one level; the checks tell of it
        (name, value): Level(name, value, gloss) for (name, gloss), value in zip(names, values, strict=True)
    }
    ordered = sorted(levels.values(), key=lambda level: -level.value)
    return Ladder(tuple(ordered), spec.aliases, signed)


def _name(cell: RawCell, column: ColumnSpec) -> tuple[str, str]:
    """The name of a level, and what is said of it in brackets."""
    return with_place(cell, level_name, read_in_place(column.read, cell.text))


def _number(cell: RawCell, column: ColumnSpec) -> int:
    value = cell_value(cell, column.type, column.read)
    number = as_number(value)
    if number is None or number.denominator != 1 or abs(number) > MAX_LEVEL:
        hint = f"Levels are whole numbers from {-MAX_LEVEL} to {MAX_LEVEL}."
        raise RulesError(f'"{cell.text}" is not the number of a level', span=cell.span, hint=hint)
    return int(number)


def _refuse_equal_numbers(names: Sequence[str], values: Sequence[int], spans: Sequence[Span]) -> None:
    """Two levels of a ladder cannot have one number."""
    first: dict[int, int] = {}
    for row, value in enumerate(values):
        if (other := first.setdefault(value, row)) != row and names[other] != names[row]:
            message = f"{names[other]} and {names[row]} have the same number, {value:+d}"
            raise RulesError(message, span=spans[row], hint=f"The first of them stands at {spans[other]}.")


def _numbers_from_zero(names: Sequence[str], zero: str, spec_span: Span) -> list[int]:
    """Numbers for levels printed from best to worst, by their distance from the one with the name ``zero``."""
    if zero not in names:
        raise RulesError(f'no level is called "{zero}"', span=spec_span, hint=did_you_mean(zero, names))
    return [names.index(zero) - number for number in range(len(names))]
