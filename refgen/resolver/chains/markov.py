"""Absorbing Markov chains, exact: how long they last, and where they end.

In: the states that may follow a state, and the weight of each. Out: the chance to have ended within n steps, the mean
of a number after n steps or at the end, and the mean number of steps. A move may leave a choice: a player who knows the
throws picks one of some next states, so that the chain lasts as long, or as short, as it can.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from math import lcm
from typing import Generic

from refgen.errors import ResolverError
from refgen.resolver.cells import Once
from refgen.resolver.chains.policy import Best, Policy, StateValue
from refgen.resolver.chains.states import Ratio, State, States, Step
from refgen.resolver.dice.arithmetic import Rational

MAX_STEPS = 1_000
MAX_STEP_WORK = 2_000_000
"""Steps times moves."""


class Chain(Generic[State]):
    """A chain; ``step`` tells what follows a state, ``end`` is None for one that goes on, or else tells ends apart."""

    def __init__(
        self,
        step: Callable[[State], Step[State]],
        end: Callable[[State], Hashable | None],
        best: Best = "most-steps",
    ) -> None:
        self._states = States(step, end)
        self._policy = Policy(self._states, best)
        self._settled = 0
        self._leading: Mapping[int, Mapping[int, int]] = Once(self._policy.leading)
        self._going: Mapping[int, Mapping[int, int]] = Once(self._going_on)
        self._averages: Mapping[tuple[tuple[int, Ratio], ...], StateValue] = Once(
            lambda ends: self._policy.averages(dict(ends))
        )
        self._weights: dict[tuple[int, bool], tuple[int, list[Mapping[int, int]]]] = {}

    def steps(self, state: State) -> Fraction | None:
        """The mean number of steps until an end; None when there may be none."""
        found = self._policy.steps.ratio(self._number(state, settled=True))
        return None if found is None else Fraction(*found)

    def within(self, state: State, steps: int) -> Fraction:
        """The chance to have ended after so many steps."""
        unit, going = self._weights_after(self._number(state, settled=False), steps, ends=False)
        return 1 - Fraction(sum(going.values()), unit**steps)

    def after(self, state: State, steps: int, value: Callable[[State], Rational]) -> Fraction:
        """The mean of a number of the state after so many steps; an end stays as it is."""
        known = self._states.known
        unit, weights = self._weights_after(self._number(state, settled=False), steps, ends=True)
        total = sum([value(known[number]) * weight for number, weight in weights.items()])
        return Fraction(total, unit**steps)

    def at_end(self, state: State, value: Callable[[State], Rational]) -> Fraction | None:
        """The mean of a number of the state at the end; None when the chain may have no end."""
        start, states = self._number(state, settled=True), self._states
        if start not in self._policy.steps.values:
            return None
        ends = [number for number in range(len(states.known)) if number not in states.totals]
        worth = self._averages[tuple([(number, value(states.known[number]).as_integer_ratio()) for number in ends])]
        above, below = worth.ratio(start) or (0, 1)
        return Fraction(above, below)

    def _number(self, state: State, settled: bool) -> int:
        """The number of a state, once all that follows it is known and, where a player chooses, settled."""
        number, known = self._states.number(state), len(self._states.known)
        if self._settled < known and (settled or self._states.choices):
            self._policy.settle(range(self._settled, known))
            self._settled = known
        return number

    def _going_on(self, number: int) -> Mapping[int, int]:
        """The states that go on to which one leads, and with what weight."""
        totals = self._states.totals
        return {after: weight for after, weight in self._leading[number].items() if after in totals}

    def _weights_after(self, start: int, steps: int, *, ends: bool) -> tuple[int, Mapping[int, int]]:
        """The total weight of a step, and the weight with which so many steps lead to each state that goes on.

        With ``ends``, to these too.
        """
        states = self._states
        if not 0 <= steps <= MAX_STEPS or steps * states.known_moves > MAX_STEP_WORK:
            raise ResolverError(f"{steps:,} steps of this chain are not worked out", hint="Ask for fewer.")
        if (start, ends) not in self._weights:
            begun = {start: 1} if ends or start in states.totals else {}
            self._weights[start, ends] = lcm(*states.totals.values()), [begun]
        unit, known = self._weights[start, ends]
        leading = self._leading if ends else self._going
        while len(known) <= steps:
            later: defaultdict[int, int] = defaultdict(int)
            for number, weight in known[-1].items():
                if number not in states.totals:
                    later[number] += weight * unit
                    continue
                share = weight * (unit // states.totals[number])
                for after, chance in leading[number].items():
                    later[after] += share * chance
            known.append(later)
        return unit, known[steps]
