"""The states of a chain: each is known by a number, and it is found out what may follow it.

In: what may follow a state. Out: all states that follow one, by their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from refgen.errors import RefgenError, ResolverError

MAX_STATES = 2_000
MAX_MOVES = 200_000
"""Moves of all states together."""

State = TypeVar("State", bound=Hashable)


class Step(NamedTuple, Generic[State]):
    """The states that may follow one; the weights of the moves, and the total of these.

    With its weight a move leads to one of some states, by their places in the step: the player chooses which.
    """

    states: Sequence[State]
    weights: Sequence[int]
    choices: Sequence[tuple[int, ...]]
    total: int


@dataclass
class States(Generic[State]):
    """The states that follow those asked about; ``step`` tells what follows one.

    ``end`` is None for a state that goes on, or else what tells ends apart. By the number of a state: ``known`` is the
    state, ``after`` are the numbers of those that may follow it (none after an end), ``weights``, ``choices`` and
    ``totals`` are those of its step.
    """

    step: Callable[[State], Step[State]]
    end: Callable[[State], Hashable | None]
    known: list[State] = field(default_factory=list)
    after: list[Sequence[int]] = field(default_factory=list)
    weights: list[Sequence[int]] = field(default_factory=list)
    choices: list[Sequence[tuple[int, ...]]] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    known_moves: int = 0
    has_choices: bool = False
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

    def _explore(self, state: State) -> None:
        waiting: list[tuple[int, Step[State]]] = []
        self._add(state, waiting)
        while waiting:
            number, step = waiting.pop()
            numbers = self._numbers
            self.after[number] = [
                numbers[after] if after in numbers else self._add(after, waiting) for after in step.states
            ]

    def _forget(self, first: int) -> None:
        """Forget the states from a number on: not all that follows them could be found out."""
        self.known_moves -= sum(map(len, self.weights[first:]))
        for held in (self.known, self.after, self.weights, self.choices, self.totals):
            del held[first:]
        self._numbers = {state: number for state, number in self._numbers.items() if number < first}
        self._ends = {end: number for end, number in self._ends.items() if number < first}

    def _add(self, state: State, waiting: list[tuple[int, Step[State]]]) -> int:
        """Give a state a number; unless it is an end, it waits to be followed."""
        end, number = self.end(state), len(self.known)
        if end is not None and end in self._ends:
            self._numbers[state] = self._ends[end]
            return self._ends[end]
        if number >= MAX_STATES:
            raise ResolverError(f"this chain has more than {MAX_STATES:,} states", hint="Count less in its state.")
        self._numbers[state] = number
        self.known.append(state)
        self.after.append(())
        if end is None:
            step = self.step(state)
            waiting.append((number, step))
        else:
            step = Step[State]((), (), (), 0)
            self._ends[end] = number
        self.weights.append(step.weights)
        self.choices.append(step.choices)
        self.totals.append(step.total)
        self.known_moves += len(step.weights)
        self.has_choices = self.has_choices or max(map(len, step.choices), default=1) > 1
        if self.known_moves > MAX_MOVES:
            raise ResolverError(f"this chain has more than {MAX_MOVES:,} moves")
        return number
