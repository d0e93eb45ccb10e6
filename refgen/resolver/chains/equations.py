"""Linear equations with whole numbers, solved exactly.

In: rows of factors by the names of their unknowns. Out: each unknown as a ratio.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd

Ratio = tuple[int, int]
"""A numerator and a denominator, not reduced."""

RIGHT = -1
"""The right side among the unknowns of an equation, which go by the numbers of states."""


def eliminated(rows: Mapping[int, Mapping[int, int]]) -> Mapping[int, Ratio]:
    """The unknowns of equations Σ a·x = right, by elimination in whole numbers; each row goes by an unknown it has."""
    if len(rows) == 2:
        (one, row), (other, second) = rows.items()
        return _of_two(one, row, other, second)
    waiting = {number: {column: factor for column, factor in row.items() if factor} for number, row in rows.items()}
    done: list[tuple[int, dict[int, int]]] = []
    while waiting:
        number = min(waiting, key=lambda column: len(waiting[column]))
        pivot = waiting.pop(number)
        done.append((number, pivot))
        for other, row in waiting.items():
            if number in row:
                waiting[other] = _without(number, row, pivot)
    found: dict[int, Fraction] = {}
    for number, row in reversed(done):
        known = (column for column in row if column not in (number, RIGHT))
        rest = sum((row[column] * found[column] for column in known), Fraction(0))
        found[number] = (row.get(RIGHT, 0) - rest) / row[number]
    return {number: worth.as_integer_ratio() for number, worth in found.items()}


def _of_two(one: int, row: Mapping[int, int], other: int, second: Mapping[int, int]) -> Mapping[int, Ratio]:
    """Two unknowns, by Cramer's rule."""
    crossed, back = row.get(other, 0), second.get(one, 0)
    below = row[one] * second[other] - crossed * back
    above = row[RIGHT] * second[other] - crossed * second[RIGHT]
    return {one: (above, below), other: (row[one] * second[RIGHT] - back * row[RIGHT], below)}


def _without(number: int, row: Mapping[int, int], pivot: Mapping[int, int]) -> dict[int, int]:
    """A row from which an unknown is taken out with another row."""
    factor, times = row[number], pivot[number]
    columns = [column for column in {**row, **pivot} if column != number]
    mixed = {column: row.get(column, 0) * times - pivot.get(column, 0) * factor for column in columns}
    common = gcd(*mixed.values()) or 1
    return {column: value // common for column, value in mixed.items() if value}
