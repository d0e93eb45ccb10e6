"""The states of a chain, numbered; which states come back to each other; and linear equations, solved exactly.

In: the moves from each state. Out: all states that can be reached, by number; groups of states that lead to each other
(strongly connected components); the unknowns of linear equations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Generic, TypeVar

from refgen.errors import RefgenError, ResolverError
from refgen.limits import limit_hint, limits

State = TypeVar("State", bound=Hashable)

StateMoves = Iterable[tuple[tuple[State, ...], int]]
"""The moves from a state: the next states of which a player chooses one (as a rule a single state), and the weight."""

Choice = tuple[Sequence[int], int]
"""The numbers of the states of which the player chooses one, and the weight with which that choice comes up."""


@dataclass
class States(Generic[State]):
    """The states that can be reached from the states asked about; ``moves`` finds the moves from a state.

    ``end`` is None for a state that goes on; the end states with an equal ``end`` are one state. By the number of a
    state: ``known`` is the state; of a state that goes on, ``totals`` is the weight of all moves, ``leads`` are the
    numbers of next states without a choice, with their weights, and ``choices`` the choices of the player, if any.
    """

    moves: Callable[[State], StateMoves[State]]
    end: Callable[[State], Hashable | None]
    known: list[State] = field(default_factory=list)
    totals: dict[int, int] = field(default_factory=dict)
    leads: dict[int, dict[int, int]] = field(default_factory=dict)
    choices: dict[int, list[Choice]] = field(default_factory=dict)
    known_moves: int = 0
    _numbers: dict[State, int] = field(default_factory=dict)
    _ends: dict[Hashable, int] = field(default_factory=dict)

    def number(self, state: State) -> int:
        """The number of a state, once all following states are known. Raises ResolverError for too many states."""
        if state not in self._numbers:
            known, waiting = len(self.known), list[int]()
            try:
                self._add(state, waiting)
                while waiting:
                    self._follow(waiting.pop(), waiting)
            except RefgenError:
                self._forget(known)
                raise
        return self._numbers[state]

    def following(self, number: int) -> Collection[int]:
        """The states that may follow a state that goes on."""
        return {*self.leads[number], *(option for options, _ in self.choices.get(number, ()) for option in options)}

    def _follow(self, number: int, waiting: list[int]) -> None:
        moves = list(self.moves(self.known[number]))
        self.known_moves += len(moves)
        if self.known_moves > (most := limits().chain_moves):
            raise ResolverError(f"this chain has more than {most:,} moves", hint=limit_hint("chain_moves"))
        numbers, leads = self._numbers, dict[int, int]()
        for states, weight in moves:
            options = [numbers[state] if state in numbers else self._add(state, waiting) for state in states]
            if options.count(options[0]) == len(options):
                leads[options[0]] = leads.get(options[0], 0) + weight
            else:
                self.choices.setdefault(number, []).append((options, weight))
        self.leads[number], self.totals[number] = leads, sum([weight for _, weight in moves])

    def _add(self, state: State, waiting: list[int]) -> int:
        """Give a state a number; a state that goes on is put on the list of states whose moves are still unknown."""
        end, number = self.end(state), len(self.known)
        if end is None:
            waiting.append(number)
        elif end in self._ends:
            self._numbers[state] = self._ends[end]
            return self._ends[end]
        else:
            self._ends[end] = number
        if number >= (most := limits().chain_states):
            hint = f"Count less in its state. {limit_hint('chain_states')}"
            raise ResolverError(f"this chain has more than {most:,} states", hint=hint)
        self._numbers[state] = number
        self.known.append(state)
        return number

    def _forget(self, first: int) -> None:
        """Forget the states from a number on, because the moves from one of them could not be worked out."""
        del self.known[first:]
        for held in (self.totals, self.leads, self.choices):
            for number in [number for number in held if number >= first]:
                del held[number]
        self._numbers = {state: number for state, number in self._numbers.items() if number < first}
        self._ends = {end: number for end, number in self._ends.items() if number < first}
        self.known_moves = sum(map(len, [*self.leads.values(), *self.choices.values()]))


RIGHT = -1
"""The right side among the unknowns of an equation, which go by the numbers of states."""


def solve_equations(rows: Mapping[int, Mapping[int, int]]) -> Mapping[int, Fraction]:
    """The unknowns of equations Σ a·x = right, by elimination in whole numbers; each row goes by an unknown it has."""
    waiting = {number: {column: factor for column, factor in row.items() if factor} for number, row in rows.items()}
    done: list[tuple[int, dict[int, int]]] = []
    while waiting:
        number = min(waiting, key=lambda column: len(waiting[column]))
        pivot = waiting.pop(number)
        done.append((number, pivot))
        for other, row in waiting.items():
            if number in row:
                waiting[other] = _eliminate(number, row, pivot)
    found: dict[int, Fraction] = {}
    for number, row in reversed(done):
        known = [(factor, found[column]) for column, factor in row.items() if column not in (number, RIGHT)]
        unit = lcm(*[value.denominator for _, value in known])
        rest = sum([factor * value.numerator * (unit // value.denominator) for factor, value in known])
        found[number] = Fraction(row.get(RIGHT, 0) * unit - rest, row[number] * unit)
    return found


def _eliminate(number: int, row: Mapping[int, int], pivot: Mapping[int, int]) -> dict[int, int]:
    """A row from which an unknown is eliminated with the pivot row."""
    factor, times = row[number], pivot[number]
    columns = [column for column in {**row, **pivot} if column != number]
    mixed = {column: row.get(column, 0) * times - pivot.get(column, 0) * factor for column in columns}
    common = gcd(*mixed.values()) or 1
    return {column: value // common for column, value in mixed.items() if value}


Successors = Mapping[int, Collection[int]]


def components(successors: Successors) -> Sequence[Sequence[int]]:
    """The strongly connected components of a graph, each before the components that lead to it (Kosaraju)."""
    predecessors: defaultdict[int, list[int]] = defaultdict(list)
    for number, others in successors.items():
        for other in others:
            predecessors[other].append(number)
    in_order, seen = list(_postorder(successors, successors, set())), set[int]()
    return [list(_postorder([start], predecessors, seen)) for start in reversed(in_order) if start not in seen][::-1]


def _postorder(starts: Iterable[int], successors: Successors, seen: set[int]) -> Iterator[int]:
    """The numbers that can be reached and were not seen, in the order in which a depth-first search leaves each."""
    for start in starts:
        path = [(start, iter(successors.get(start, ())))] if start not in seen else []
        seen.add(start)
        while path:
            number, others = path[-1]
            new = next((other for other in others if other not in seen), None)
            if new is None:
                path.pop()
                yield number
            else:
                seen.add(new)
                path.append((new, iter(successors.get(new, ()))))
