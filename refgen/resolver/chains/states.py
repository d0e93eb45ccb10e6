"""The states of a chain: each is known by a number, and it is found out what may follow it.

In: what may follow a state. Out: all states that follow one, by their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from refgen.errors import ResolverError

MAX_STATES = 2_000
MAX_MOVES = 200_000
"""Moves of all states together."""

State = TypeVar("State", bound=Hashable)


class Move(NamedTuple):
    """With this weight a step leads to one of some states, by their places in the step: the player chooses which."""

    weight: int
    options: tuple[int, ...]


class Step(NamedTuple, Generic[State]):
    """The states that may follow one, the moves that lead to them, and the total weight of these."""

    states: Sequence[State]
    moves: Sequence[Move]
    total: int


@dataclass
class States(Generic[State]):
    """The states that follow those asked about; ``step`` tells what follows one, None for an end.

    Ends that are alike to ``apart`` are one. By the number of a state: ``known`` is the state, ``after`` are the
    numbers of those that may follow it (none after an end), ``moves`` and ``totals`` are those of its step.
    """

    step: Callable[[State], Step[State] | None]
    apart: Callable[[State], Hashable]
    known: list[State] = field(default_factory=list)
    after: list[Sequence[int]] = field(default_factory=list)
    moves: list[Sequence[Move]] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    known_moves: int = 0
    has_choices: bool = False
    _numbers: dict[State, int] = field(default_factory=dict)
    _ends: dict[Hashable, int] = field(default_factory=dict)

    def number(self, state: State) -> int:
        """The number of a state, once all that follows it is known. Raises ResolverError for too many states."""
        if state not in self._numbers:
            waiting: list[tuple[int, Step[State]]] = []
            self._add(state, waiting)
            while waiting:
                number, step = waiting.pop()
                numbers = self._numbers
                self.after[number] = [
                    numbers[after] if after in numbers else self._add(after, waiting) for after in step.states
                ]
        return self._numbers[state]

    def _add(self, state: State, waiting: list[tuple[int, Step[State]]]) -> int:
        """Give a state a number; unless it is an end, it waits to be followed."""
        number, step = len(self.known), self.step(state)
        if step is None:
            end = self._ends.setdefault(self.apart(state), number)
            if end < number:
                self._numbers[state] = end
                return end
        else:
            waiting.append((number, step))
            self.known_moves += len(step.moves)
            self.has_choices = self.has_choices or any(len(options) > 1 for _, options in step.moves)
        if number >= MAX_STATES:
            raise ResolverError(f"this chain has more than {MAX_STATES:,} states", hint="Count less in its state.")
        if self.known_moves > MAX_MOVES:
            raise ResolverError(f"this chain has more than {MAX_MOVES:,} moves")
        self._numbers[state] = number
        self.known.append(state)
        self.after.append(())
        self.moves.append(step.moves if step else ())
        self.totals.append(step.total if step else 0)
        return number
