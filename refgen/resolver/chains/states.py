"""The states of a chain, numbered; which states come back to each other; and linear equations, solved exactly.

In: the states that may follow each state. Out: all states that can be reached, by number; groups of states that lead to
each other (strongly connected components), level by level; the unknowns of linear equations as ratios.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from typing import Generic, NamedTuple, TypeVar

from refgen.errors import RefgenError, ResolverError

MAX_STATES = 2_000
MAX_MOVES = 200_000
"""Moves of all states together."""

State = TypeVar("State", bound=Hashable)


Choice = tuple[Sequence[int], int]
"""The numbers of some states, and with what weight the player chooses one of them."""


class Step(NamedTuple, Generic[State]):
    """The states that may follow one, and the moves to them, each with its weight; ``total`` is that of all weights.

    A move leads to the state in a place; one of ``choices`` to the state in one of some places: the player chooses.
    """

    states: Sequence[State]
    moves: Sequence[tuple[int, int]]
    choices: Sequence[tuple[tuple[int, ...], int]]
    total: int


@dataclass
class States(Generic[State]):
    """The states that follow those asked about; ``step`` tells what follows one.

    ``end`` is None for a state that goes on, or else what tells ends apart. By the number of a state: ``known`` is the
    state; of one that goes on, ``totals`` is the weight of its step, ``leads`` are the numbers of states that follow
    whatever is chosen, with their weights, and ``choices`` those of which the player chooses one, where there are any.
    """

    step: Callable[[State], Step[State]]
    end: Callable[[State], Hashable | None]
    known: list[State] = field(default_factory=list)
    totals: dict[int, int] = field(default_factory=dict)
    leads: dict[int, dict[int, int]] = field(default_factory=dict)
    choices: dict[int, list[Choice]] = field(default_factory=dict)
    known_moves: int = 0
    _numbers: dict[State, int] = field(default_factory=dict)
    _ends: dict[Hashable, int] = field(default_factory=dict)

    def number(self, state: State) -> int:
        """The number of a state, once all that follows it is known. Raises ResolverError for too many states."""
        if state not in self._numbers:
            known = len(self.known)
            try:
                self._explore(state)
            except RefgenError:
                self._forget(known)
                raise
        return self._numbers[state]

    def following(self, number: int) -> Collection[int]:
        """The states that may follow one that goes on."""
        if number not in self.choices:
            return self.leads[number].keys()
        return self.leads[number].keys() | {option for options, _ in self.choices[number] for option in options}

    def _explore(self, state: State) -> None:
        waiting: list[int] = []
        self._add(state, waiting)
        while waiting:
            self._follow(waiting.pop(), waiting)

    def _follow(self, number: int, waiting: list[int]) -> None:
        states, moves, choices, total = self.step(self.known[number])
        self.known_moves += len(moves) + len(choices)
        if self.known_moves > MAX_MOVES:
            raise ResolverError(f"this chain has more than {MAX_MOVES:,} moves")
        numbers, leads = self._numbers, dict[int, int]()
        after = [numbers[state] if state in numbers else self._add(state, waiting) for state in states]
        for place, weight in moves:
            leads[after[place]] = leads.get(after[place], 0) + weight
        for places, weight in choices:
            options = [after[place] for place in places]
            if options.count(options[0]) == len(options):
                leads[options[0]] = leads.get(options[0], 0) + weight
            else:
                self.choices.setdefault(number, []).append((options, weight))
        self.leads[number], self.totals[number] = leads, total

    def _forget(self, first: int) -> None:
        """Forget the states from a number on: not all that follows them could be found out."""
        del self.known[first:]
        for held in (self.totals, self.leads, self.choices):
            for number in [number for number in held if number >= first]:
                del held[number]
        self._numbers = {state: number for state, number in self._numbers.items() if number < first}
        self._ends = {end: number for end, number in self._ends.items() if number < first}
        self.known_moves = sum(map(len, [*self.leads.values(), *self.choices.values()]))

    def _add(self, state: State, waiting: list[int]) -> int:
        """Give a state a number; unless it is an end, it waits to be followed."""
        end, number = self.end(state), len(self.known)
        if end is None:
            waiting.append(number)
        elif end in self._ends:
            self._numbers[state] = self._ends[end]
            return self._ends[end]
        else:
            self._ends[end] = number
        if number >= MAX_STATES:
            raise ResolverError(f"this chain has more than {MAX_STATES:,} states", hint="Count less in its state.")
        self._numbers[state] = number
        self.known.append(state)
        return number


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
