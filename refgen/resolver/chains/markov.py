"""Absorbing Markov chains, exact: how long they last, and where they end.

In: what may follow a state, and in how many ways. Out: the chance to have ended within n steps, what a number comes to
on average after n steps or at the end, and the mean number of steps. A move may leave a choice: a player who knows what
was thrown picks one of some next states, so that the chain lasts as long, or as short, as it can.

States that only lead on are worked out one after the other, the last first; those that can come back to each other are
solved together. Numbers are whole, over denominators that are not reduced before the end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Generic, Literal, NamedTuple, TypeVar

from refgen.errors import ResolverError
from refgen.resolver.chains.equations import RIGHT, Ratio, eliminated
from refgen.resolver.chains.graph import components
from refgen.resolver.formula.scope import Rational

MAX_STATES = 2_000
MAX_MOVES = 200_000
"""Moves of all states together."""

MAX_STEPS = 1_000
MAX_STEP_WORK = 2_000_000
"""Steps times moves."""

MAX_TOGETHER = 120
"""States that can come back to each other: to solve them costs up to the third power of their number."""

State = TypeVar("State", bound=Hashable)

Best = Literal["most-steps", "fewest-steps"]


class Move(NamedTuple):
    """In so many ways a step leads to one of some states, by their numbers: the player chooses which."""

    ways: int
    options: tuple[int, ...]


class Step(NamedTuple, Generic[State]):
    """What may follow a state: the ways that lead to each choice of states, and how many ways there are in all."""

    moves: Mapping[tuple[State, ...], int]
    total: int


@dataclass
class Chain(Generic[State]):
    """The states that follow those asked about; ``step`` tells what follows one, None for an end.

    ``moves`` and ``totals`` go by the number of a state; an end has no moves.
    """

    step: Callable[[State], Step[State] | None]
    best: Best = "most-steps"
    states: list[State] = field(default_factory=list)
    moves: list[Sequence[Move]] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    _numbers: dict[State, int] = field(default_factory=dict)
    _chosen: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)
    _steps: dict[int, Ratio | None] = field(default_factory=dict)
    _weights: dict[int, tuple[int, list[Mapping[int, int]]]] = field(default_factory=dict)
    _known_moves: int = 0

    def steps(self, state: State) -> Fraction | None:
        """The mean number of steps until an end; None when there may be none."""
        found = self._steps[self._number(state)]
        return None if found is None else Fraction(*found)

    def within(self, state: State, steps: int) -> Fraction:
        """The chance to have ended after so many steps."""
        return self._average(self._number(state), steps, [int(not total) for total in self.totals])

    def after(self, state: State, steps: int, value: Callable[[State], Rational]) -> Fraction:
        """What a number that goes by the state is on average after so many steps; an end stays as it is."""
        number = self._number(state)
        return self._average(number, steps, [value(own) for own in self.states])

    def at_end(self, state: State, value: Callable[[State], Rational]) -> Fraction | None:
        """What a number that goes by the state is on average at the end; None when there may be no end."""
        start = self._number(state)
        if self._steps[start] is None:
            return None
        found: dict[int, Ratio] = {}
        ending = [number for number, steps in self._steps.items() if steps is not None]
        for group in components(ending, self._successors):
            if self.totals[group[0]]:
                found.update(self._solved(group, found, 0))
            else:
                found[group[0]] = value(self.states[group[0]]).as_integer_ratio()
        return Fraction(*found[start])

    def _number(self, state: State) -> int:
        """The number of a state, once all that follows it is known. Raises ResolverError for too many states."""
        if state not in self._numbers:
            before = len(self.states)
            waiting = [self._new(state)]
            while waiting:
                waiting += self._follow(waiting.pop())
            self._solve(range(before, len(self.states)))
        return self._numbers[state]

    def _new(self, state: State) -> int:
        if len(self.states) >= MAX_STATES:
            raise ResolverError(f"this chain has more than {MAX_STATES:,} states", hint="Count less in its state.")
        self._numbers[state] = len(self.states)
        self.states.append(state)
        self.moves.append(())
        self.totals.append(0)
        return self._numbers[state]

    def _follow(self, number: int) -> Iterator[int]:
        """Find the moves of a state; gives the states that are new."""
        step = self.step(self.states[number])
        if step is None:
            return
        moves: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for options, ways in step.moves.items():
            for option in options:
                if option not in self._numbers:
                    yield self._new(option)
            moves[tuple(dict.fromkeys([self._numbers[option] for option in options]))] += ways
        self._known_moves += len(moves)
        if self._known_moves > MAX_MOVES:
            raise ResolverError(f"this chain has more than {MAX_MOVES:,} moves")
        self.moves[number] = [Move(ways, options) for options, ways in moves.items()]
        self.totals[number] = step.total

    def _average(self, start: int, steps: int, values: Sequence[Rational]) -> Fraction:
        """The average of the values of all states after so many steps."""
        unit, weights = self._weights_after(start, steps)
        total = sum([values[number] * ways for number, ways in weights.items()])
        return Fraction(total) / Fraction(unit**steps)

    def _weights_after(self, start: int, steps: int) -> tuple[int, Mapping[int, int]]:
        """In how many ways a step can go, and in how many so many steps lead to each state."""
        if not 0 <= steps <= MAX_STEPS or steps * self._known_moves > MAX_STEP_WORK:
            raise ResolverError(f"{steps:,} steps of this chain are not worked out", hint="Ask for fewer.")
        if start not in self._weights:
            self._weights[start] = lcm(*filter(None, self.totals)), [{start: 1}]
        unit, known = self._weights[start]
        while len(known) <= steps:
            later: defaultdict[int, int] = defaultdict(int)
            for number, ways in known[-1].items():
                share = ways * (unit // (self.totals[number] or 1))
                if not self.totals[number]:
                    later[number] += share
                for move in self.moves[number]:
                    later[self._next(number, move)] += share * move.ways
            known.append(later)
        return unit, known[steps]

    def _next(self, number: int, move: Move) -> int:
        """The state that a move leads to, as the player chooses."""
        return move.options[0] if len(move.options) == 1 else self._chosen[number, move.options]

    def _successors(self, number: int) -> Iterable[int]:
        return [option for move in self.moves[number] for option in move.options]

    def _solve(self, new: range) -> None:
        """Find the mean number of steps from each new state, and what the player does where there is a choice."""
        endless, first = self._endless()
        known = {number: found for number, found in self._steps.items() if found is not None}
        for number in new:
            for move in self.moves[number]:
                self._chosen[number, move.options] = min(move.options, key=first)
        self._steps.update(dict.fromkeys(endless))
        for group in components([number for number in new if number not in endless], self._successors):
            known.update(self._best(group, known) if self.totals[group[0]] else {group[0]: (0, 1)})
        self._steps.update(known)

    def _best(self, group: Sequence[int], known: Mapping[int, Ratio]) -> Mapping[int, Ratio]:
        """The mean numbers of steps of states that come back to each other, as no choice can better them."""
        while True:
            found = self._solved(group, known, 1)
            moves = [(number, move) for number in group for move in self.moves[number] if len(move.options) > 1]
            if not sum(self._bettered(number, move, found, known) for number, move in moves):
                return found

    def _bettered(self, number: int, move: Move, found: Mapping[int, Ratio], known: Mapping[int, Ratio]) -> bool:
        """Choose what is better than the choice so far; whether there is such."""
        before = self._chosen[number, move.options]
        for option in move.options:
            own, now = (found.get(place) or known.get(place) for place in (option, self._chosen[number, move.options]))
            if own is None or now is None:
                continue
            more = own[0] * now[1] - now[0] * own[1]
            if more > 0 if self.best == "most-steps" else more < 0:
                self._chosen[number, move.options] = option
        return self._chosen[number, move.options] != before

    def _solved(self, group: Sequence[int], known: Mapping[int, Ratio], cost: int) -> Mapping[int, Ratio]:
        """What states that come back to each other are worth, a step costing so much, as the player chooses now."""
        if len(group) == 1:
            return {group[0]: self._worth(group[0], known, cost)}
        if len(group) > MAX_TOGETHER:
            message = f"{len(group):,} states of this chain can come back to each other"
            raise ResolverError(f"{message}; refgen solves at most {MAX_TOGETHER}", hint="Count less in its state.")
        rows: dict[int, dict[int, int]] = {}
        for number in group:
            moves = [(move.ways, self._next(number, move)) for move in self.moves[number]]
            unit = lcm(*(known[option][1] for _, option in moves if option in known))
            row = defaultdict(int, {number: self.totals[number] * unit, RIGHT: cost * self.totals[number] * unit})
            for ways, option in moves:
                if option in known:
                    row[RIGHT] += ways * known[option][0] * (unit // known[option][1])
                else:
                    row[option] -= ways * unit
            rows[number] = row
        return eliminated(rows)

    def _worth(self, number: int, known: Mapping[int, Ratio], cost: int) -> Ratio:
        """The same of a state to which no other comes back: (cost + Σ w·worth) / Σ w, over the ways that leave it."""
        leaving = self.totals[number]
        ways_to: list[tuple[int, Ratio]] = []
        for move in self.moves[number]:
            option = self._next(number, move)
            if option == number:
                leaving -= move.ways
            else:
                ways_to.append((move.ways, known[option]))
        unit = lcm(*[ratio[1] for _, ratio in ways_to])
        worth = sum([ways * ratio[0] * (unit // ratio[1]) for ways, ratio in ways_to])
        return cost * self.totals[number] * unit + worth, unit * leaving

    def _endless(self) -> tuple[Collection[int], Callable[[int], int]]:
        """The states from which the chain may never end, and which option a player picks at first (the smallest).

        A player who wants many steps keeps away from the end where that can be done; one who wants few comes nearer to
        it where it is certain to be reached.
        """
        lasting = self._lasting()
        if self.best == "most-steps":
            return self._nearness(lasting), lambda option: -(option in lasting)
        ending: Collection[int] = range(len(self.states))
        while lasting and len(nearer := self._surely_ending(ending)) < len(ending):
            ending = nearer
        near = self._nearness([number for number in ending if not self.totals[number]])
        return set(range(len(self.states))).difference(
            ending
        ), lambda option: near[option] if option in near and option in ending else len(self.states)

    def _lasting(self) -> set[int]:
        """The states in which a player can avoid every end for ever."""
        ending = {number for number, total in enumerate(self.totals) if not total}
        open_options = {}
        leading: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, moves in enumerate(self.moves):
            for place, move in enumerate(moves):
                open_options[number, place] = len(move.options)
                for option in move.options:
                    leading[option].append((number, place))
        waiting = [*ending]
        while waiting:
            for number, place in leading[waiting.pop()]:
                open_options[number, place] -= 1
                if not open_options[number, place] and number not in ending:
                    ending.add(number)
                    waiting.append(number)
        return set(range(len(self.states))) - ending

    def _surely_ending(self, within: Collection[int]) -> Mapping[int, int]:
        """The states from which an end can be reached without ever having to leave some states."""
        staying = {
            number
            for number in within
            if all(any(option in within for option in move.options) for move in self.moves[number])
        }
        return self._nearness([number for number in staying if not self.totals[number]], staying)

    def _nearness(self, states: Iterable[int], within: Collection[int] | None = None) -> Mapping[int, int]:
        """The states from which one of some others can be reached, and in how many steps at best."""
        leading: defaultdict[int, list[int]] = defaultdict(list)
        for number in range(len(self.states)) if within is None else within:
            for option in self._successors(number):
                leading[option].append(number)
        found = dict.fromkeys(states, 0)
        for number in (waiting := [*found]):
            new = [other for other in leading[number] if other not in found]
            found.update(dict.fromkeys(new, found[number] + 1))
            waiting += dict.fromkeys(new)
        return found
