"""Algebra for chains with choices: linear equations solved exactly, and the connected components of a graph.

In: rows of factors by the names of their unknowns; or numbers, and where each leads. Out: each unknown as a ratio; or
groups of numbers that lead to each other (strongly connected components), level by level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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


Following = Mapping[int, Collection[int]]


def levels(numbers: Collection[int], successors: Callable[[int], Iterable[int]]) -> Iterator[Sequence[Sequence[int]]]:
    """The groups of some numbers that can come back to each other.

    From the first level on, each level has the groups that lead to no level but those before it.
    """
    among = frozenset(numbers)
    left = {number: among.intersection(successors(number)) - {number} for number in numbers}
    done: set[int] = set()
    while level := [number for number, following in left.items() if following <= done]:
        done.update(level)
        for number in level:
            del left[number]
        yield [(number,) for number in level]
    yield from _in_levels({number: following - done for number, following in left.items()})


def _in_levels(following: Following) -> Sequence[Sequence[Sequence[int]]]:
    """The groups that can come back to each other, level by level."""
    level_of: dict[int, int] = {}
    found: list[list[Sequence[int]]] = []
    for group in _components(following):
        level = max([level_of.get(after, -1) for number in group for after in following[number]]) + 1
        level_of.update(dict.fromkeys(group, level))
        if level == len(found):
            found.append([])
        found[level].append(group)
    return found


def _components(following: Following) -> Sequence[Sequence[int]]:
    """The groups, each before those that lead to it."""
    leading: defaultdict[int, list[int]] = defaultdict(list)
    for number, others in following.items():
        for other in others:
            leading[other].append(number)
    left, seen = list(_left(following, following, set())), set[int]()
    return [list(_left([start], leading, seen)) for start in reversed(left) if start not in seen][::-1]


def _left(starts: Iterable[int], following: Following, seen: set[int]) -> Iterator[int]:
    """The numbers that can be reached and were not seen, in the order in which a depth-first search leaves each."""
    for start in starts:
        path = [(start, iter(following.get(start, ())))] if start not in seen else []
        seen.add(start)
        while path:
            number, others = path[-1]
            new = next((other for other in others if other not in seen), None)
            if new is None:
                path.pop()
                yield number
            else:
                seen.add(new)
                path.append((new, iter(following.get(new, ()))))
