"""Absorbing Markov chains, exact: how long they last, and where they end.

In: what may follow a state, and with what weight. Out: the chance to have ended within n steps, what a number comes to
on average after n steps or at the end, and the mean number of steps. A move may leave a choice: a player who knows what
was thrown picks one of some next states, so that the chain lasts as long, or as short, as it can.

States that only lead on are worked out one after the other, the last first; those that can come back to each other are
solved together. Numbers are whole, over denominators that are not reduced before the end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Generic, Literal, NamedTuple, TypeVar

from refgen.errors import ResolverError
from refgen.resolver.chains.equations import RIGHT, Ratio, eliminated
from refgen.resolver.chains.graph import components
from refgen.resolver.dice.arithmetic import Rational

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
    """With this weight a step leads to one of some states, by their numbers: the player chooses which."""

    weight: int
    options: tuple[int, ...]


class Step(NamedTuple, Generic[State]):
    """What may follow a state: the weight of each choice of states, and the total weight."""

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
        number = self._number(state)
        return self._average(number, steps, lambda state: not self.totals[state])

    def after(self, state: State, steps: int, value: Callable[[State], Rational]) -> Fraction:
        """What a number that goes by the state is on average after so many steps; an end stays as it is."""
        number = self._number(state)
        return self._average(number, steps, lambda state: value(self.states[state]))

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
            waiting: list[tuple[int, Step[State]]] = []
            new: list[int] = []
            self._add(state, waiting)
            while waiting:
                number, step = waiting.pop()
                new.append(number)
                self._follow(number, step, waiting)
            for group in components(new, self._successors):
                self._settle(group)
        return self._numbers[state]

    def _add(self, state: State, waiting: list[tuple[int, Step[State]]]) -> None:
        """Give a state a number; unless it is an end, it waits to be followed."""
        number = self._numbers[state] = len(self.states)
        if number >= MAX_STATES:
            raise ResolverError(f"this chain has more than {MAX_STATES:,} states", hint="Count less in its state.")
        self.states.append(state)
        self.moves.append(())
        step = self.step(state)
        if step is None:
            self.totals.append(0)
            self._steps[number] = (0, 1)
        else:
            self.totals.append(step.total)
            waiting.append((number, step))

    def _follow(self, number: int, step: Step[State], waiting: list[tuple[int, Step[State]]]) -> None:
        """Find the moves of a state."""
        moves: dict[tuple[int, ...], int] = {}
        numbers = self._numbers
        for states, weight in step.moves.items():
            for state in states:
                if state not in numbers:
                    self._add(state, waiting)
            options = tuple([numbers[state] for state in states])
            if len(options) > 1:
                options = tuple(dict.fromkeys(options))
            moves[options] = moves.get(options, 0) + weight
        self._known_moves += len(moves)
        if self._known_moves > MAX_MOVES:
            raise ResolverError(f"this chain has more than {MAX_MOVES:,} moves")
        self.moves[number] = [Move(weight, options) for options, weight in moves.items()]

    def _average(self, start: int, steps: int, value: Callable[[int], Rational]) -> Fraction:
        """The average of what states are worth, by their numbers, after so many steps."""
        unit, weights = self._weights_after(start, steps)
        total = sum([value(number) * weight for number, weight in weights.items()])
        return Fraction(total) / Fraction(unit**steps)

    def _weights_after(self, start: int, steps: int) -> tuple[int, Mapping[int, int]]:
        """The total weight of a step, and the weight with which so many steps lead to each state."""
        if not 0 <= steps <= MAX_STEPS or steps * self._known_moves > MAX_STEP_WORK:
            raise ResolverError(f"{steps:,} steps of this chain are not worked out", hint="Ask for fewer.")
        if start not in self._weights:
            self._weights[start] = lcm(*filter(None, self.totals)), [{start: 1}]
        unit, known = self._weights[start]
        while len(known) <= steps:
            later: defaultdict[int, int] = defaultdict(int)
            for number, weight in known[-1].items():
                share = weight * (unit // (self.totals[number] or 1))
                if not self.totals[number]:
                    later[number] += share
                for move in self.moves[number]:
                    later[self._next(number, move)] += share * move.weight
            known.append(later)
        return unit, known[steps]

    def _next(self, number: int, move: Move) -> int:
        """The state that a move leads to, as the player chooses."""
        return move.options[0] if len(move.options) == 1 else self._chosen[number, move.options]

    def _settle(self, group: Sequence[int]) -> None:
        """Find the mean number of steps from states that come back to each other, and what the player chooses there."""
        if len(group) > MAX_TOGETHER:
            message = f"{len(group):,} states of this chain can come back to each other"
            raise ResolverError(f"{message}; refgen solves at most {MAX_TOGETHER}", hint="Count less in its state.")
        if len(group) == 1 and self._leads_on(group[0]):
            return
        ending = self._ending(group)
        for number in group:
            for move in self.moves[number]:
                self._choose_first(number, move, ending)
        self._steps.update(dict.fromkeys(group))
        group = [number for number in group if number in ending]
        choices = [(number, move) for number in group for move in self.moves[number] if len(move.options) > 1]
        while group:
            self._steps.update(self._solved(group, self._steps, 1))
            if not sum([self._bettered(number, move) for number, move in choices]):
                return

    def _leads_on(self, number: int) -> bool:
        """Settle a state that stays, or leads on to where the chain ends; whether that was enough.

        It is for most. A choice to stay is made by those who want many steps, unless something else is better.
        """
        stays = self.best == "most-steps"
        leads_on = False
        for move in self.moves[number]:
            others = [option for option in move.options if option != number]
            if any(self._steps[option] is None for option in others):
                return False
            if len(move.options) > 1:
                self._chosen[number, move.options] = number if stays and number in move.options else others[0]
                if len(others) > 1 and len(others) == len(move.options):
                    self._bettered(number, move)
            leads_on = leads_on or len(others) == len(move.options) or (len(others) > 0 and not stays)
        if not leads_on:
            return False
        self._steps[number] = self._worth(number, self._steps, 1)
        choices = [move for move in self.moves[number] if len(move.options) > 1 and number in move.options]
        return not sum(self._bettered(number, move) for move in choices)

    def _ending(self, group: Sequence[int]) -> Mapping[int, int]:
        """From which states an end is reached for certain, as the player chooses, and in how many steps at best.

        A player who wants many steps keeps away from the end for ever where that can be done.
        """
        among = set(group)
        outside = {number for number in self._successors_of(group) if self._steps.get(number) is not None}
        if self.best == "most-steps":
            ends = self._successors_of(group) <= among | outside and not self._staying(among, set())
            return dict.fromkeys(group, 0) if ends else {}
        before, ending = among, self._nearness(self._staying(among, outside), outside)
        while ending.keys() != before:
            before = set(ending)
            ending = self._nearness(self._staying(before, outside), outside)
        return ending

    def _staying(self, among: set[int], outside: set[int]) -> set[int]:
        """The largest part of some states in which the player can stay, or go outside, whatever is thrown."""
        while True:
            places = among | outside
            left = {
                number
                for number in among
                if not all(any(option in places for option in move.options) for move in self.moves[number])
            }
            if not left:
                return among
            among = among - left

    def _nearness(self, among: set[int], outside: set[int]) -> Mapping[int, int]:
        """The states of some from which one outside can be reached, and in how many steps."""
        near: dict[int, int] = {}
        reached, steps = outside, 0
        while reached:
            steps += 1
            reached = {number for number in among - near.keys() if not reached.isdisjoint(self._successors(number))}
            near.update(dict.fromkeys(reached, steps))
        return near

    def _choose_first(self, number: int, move: Move, ending: Mapping[int, int]) -> None:
        """Choose what ends soonest, or for a player who wants many steps what never does."""
        if len(move.options) == 1:
            return
        never = len(self.states)
        ranks = [ending.get(state, 0 if self._steps.get(state) is not None else never) for state in move.options]
        best = min(ranks) if self.best == "fewest-steps" else max(ranks)
        self._chosen[number, move.options] = move.options[ranks.index(best)]

    def _bettered(self, number: int, move: Move) -> bool:
        """Choose what is better than the choice so far; whether there is such."""
        before = chosen = self._chosen[number, move.options]
        now = self._steps[chosen]
        for option in move.options:
            other = self._steps[option]
            if option == chosen or other is None or now is None:
                continue
            more = other[0] * now[1] - now[0] * other[1]
            if more > 0 if self.best == "most-steps" else more < 0:
                chosen, now = option, other
        self._chosen[number, move.options] = chosen
        return chosen != before

    def _solved(self, group: Sequence[int], known: Mapping[int, Ratio | None], cost: int) -> Mapping[int, Ratio]:
        """What states that come back to each other are worth, a step costing so much, as the player chooses now."""
        if len(group) == 1:
            return {group[0]: self._worth(group[0], known, cost)}
        among = set(group)
        rows: dict[int, Mapping[int, int]] = {}
        for number in group:
            moves = [(move.weight, self._next(number, move)) for move in self.moves[number]]
            ratios = [(weight, known[option] or (0, 1)) for weight, option in moves if option not in among]
            unit = lcm(*[ratio[1] for _, ratio in ratios])
            worth = sum([weight * ratio[0] * (unit // ratio[1]) for weight, ratio in ratios])
            row = defaultdict(
                int, {number: self.totals[number] * unit, RIGHT: cost * self.totals[number] * unit + worth}
            )
            for weight, option in moves:
                if option in among:
                    row[option] -= weight * unit
            rows[number] = row
        return eliminated(rows)

    def _worth(self, number: int, known: Mapping[int, Ratio | None], cost: int) -> Ratio:
        """The same of a state to which no other comes back: (cost + Σ w·worth) / Σ w, over the w that leave it."""
        leaving = self.totals[number]
        ratios: list[tuple[int, Ratio]] = []
        for move in self.moves[number]:
            option = move.options[0] if len(move.options) == 1 else self._chosen[number, move.options]
            if option == number:
                leaving -= move.weight
            else:
                ratios.append((move.weight, known[option] or (0, 1)))
        unit = lcm(*[ratio[1] for _, ratio in ratios])
        worth = sum([weight * ratio[0] * (unit // ratio[1]) for weight, ratio in ratios])
        return cost * self.totals[number] * unit + worth, unit * leaving

    def _successors(self, number: int) -> list[int]:
        return [option for move in self.moves[number] for option in move.options]

    def _successors_of(self, numbers: Iterable[int]) -> set[int]:
        return {option for number in numbers for option in self._successors(number)}
