"""Absorbing Markov chains with choices, exact: how long they last, and where they end.

In: the states that may follow a state, and the weight of each. Out: the chance to have ended within n steps, the mean
of a number after n steps or at the end, and the mean number of steps. A move may leave a choice: a player who knows the
throws picks one of several next states, so that the chain lasts as long, or as short, as it can.

States that only lead on are worked out level by level, the last first, in whole numbers over the denominator of their
level; states that can come back to each other are solved together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, Generic, Literal

from refgen.errors import ResolverError
from refgen.resolver.cells import Once
from refgen.resolver.chains.states import RIGHT, Choice, Ratio, State, States, Step, eliminated, levels
from refgen.resolver.dice.arithmetic import Rational

MAX_TOGETHER = 120
"""States that can come back to each other: to solve them costs up to the third power of their number."""

Best = Literal["most-steps", "fewest-steps"]

Known = Mapping[int, int]
"""What states are worth, over the last denominator."""


@dataclass
class StateValue:
    """Values of states by the numbers of the states: ``values``, each over the denominator in its place.

    Each denominator is a multiple of the one before it.
    """

    denominators: list[int] = field(default_factory=lambda: [1])
    values: dict[int, int] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)

    def ratio(self, number: int) -> Ratio | None:
        """The value of a state; None for an unknown value."""
        if number not in self.values:
            return None
        return self.values[number], self.denominators[self.places[number]]

    def known(self) -> Known:
        """All of it over the last denominator."""
        values, places, last = self.values, self.places, self.denominators[-1]
        factors: Mapping[int, int] = Once(lambda place: last // self.denominators[place])
        return Once(lambda number: values[number] * factors[places[number]])

    def add(self, found: Mapping[int, Ratio]) -> None:
        """Some states more, each as a ratio over the last denominator."""
        unit = lcm(*[below for _, below in found.values()])
        self.values.update({number: above * (unit // below) for number, (above, below) in found.items()})
        self.places.update(dict.fromkeys(found, len(self.denominators)))
        self.denominators.append(self.denominators[-1] * unit)


@dataclass
class Policy:
    """The choices of a player: by the number of a state, ``chosen`` has the option taken at each choice.

    ``steps`` has the mean number of steps from each state that certainly leads to an end.
    """

    states: States[Any]
    best: Best
    steps: StateValue = field(default_factory=StateValue)
    chosen: dict[int, list[int]] = field(default_factory=dict)
    _levels: list[Sequence[Sequence[int]]] = field(default_factory=list)

    def settle(self, numbers: Sequence[int]) -> None:
        """Settle some states that are new. Raises ResolverError for too many that can come back to each other."""
        inner = [number for number in numbers if number in self.states.totals]
        ends = [number for number in numbers if number not in self.states.totals]
        self.steps.values.update(dict.fromkeys(ends, 0))
        self.steps.places.update(dict.fromkeys(ends, 0))
        for level in levels(inner, self.states.following):
            unit, known, found = self.steps.denominators[-1], self.steps.known(), dict[int, Ratio]()
            for group in level:
                ratio = self._leads_on(group[0], unit, known) if len(group) == 1 else None
                found.update(self._together(group, unit, known) if ratio is None else {group[0]: ratio})
            self.steps.add(found)
            self._levels.append([[number for number in group if number in found] for group in level])

    def leading(self, number: int) -> Mapping[int, int]:
        """Where a state leads as the player chooses, and with what weight; without choices, unsettled too."""
        leads = self.states.leads[number]
        if number in self.states.choices:
            leads = {**leads}
            for (_, weight), chosen in zip(self.states.choices[number], self.chosen[number], strict=True):
                leads[chosen] = leads.get(chosen, 0) + weight
        return leads

    def averages(self, ends: Mapping[int, Ratio]) -> StateValue:
        """The values of all states that certainly lead to an end, by the values of the ends."""
        worth = StateValue()
        worth.add(ends)
        for level in self._levels:
            known, found = worth.known(), dict[int, Ratio]()
            for group in filter(None, level):
                found.update(self._solved(group, known, 0))
            worth.add(found)
        return worth

    def _leads_on(self, number: int, unit: int, known: Known) -> Ratio | None:
        """The steps from a state that stays, or leads on to where the chain ends: (unit + Σ w·steps) / Σ w.

        None for another state. A choice to stay is made by those who want many steps, unless something else is better.
        """
        leaving = self.states.totals[number]
        leads = leaving * unit
        try:
            others = self._choose(number, known) if number in self.states.choices else ()
            for after, weight in self.leading(number).items():
                if after == number:
                    leaving -= weight
                else:
                    leads += weight * known[after]
        except KeyError:
            return None
        return None if not leaving or any(other * leaving > leads for other in others) else (leads, leaving)

    def _choose(self, number: int, known: Known) -> Sequence[int]:
        """Choose to stay where many steps are wanted, or what is best else; what the best others are worth then."""
        self.chosen[number] = chosen = list[int]()
        instead, worth = list[int](), known.__getitem__
        pick: Callable[..., int] = max if self.best == "most-steps" else min
        for options, _ in self.states.choices[number]:
            if number not in options:
                chosen.append(pick(options, key=worth))
                continue
            best = pick([other for other in options if other != number], key=worth)
            if self.best == "most-steps":
                instead.append(worth(best))
                best = number
            chosen.append(best)
        return instead

    def _together(self, group: Sequence[int], unit: int, known: Known) -> Mapping[int, Ratio]:
        """The steps from states that come back to each other, but for those that may never end."""
        if len(group) > MAX_TOGETHER:
            message = f"{len(group):,} states of this chain can come back to each other"
            raise ResolverError(f"{message}; refgen solves at most {MAX_TOGETHER}", hint="Count less in its state.")
        if not self.states.choices:
            return self._without_choices(group, unit, known)
        ending = self._ending(group)
        for number in group:
            self.chosen[number] = [self._first_choice(options, ending) for options, _ in self._choices(number)]
        inner = [number for number in group if number in ending]
        found: Mapping[int, Ratio] = {}
        better = bool(inner)
        while better:
            found = self._solved(inner, known, unit)
            better = sum([self._bettered(number, found, known) for number in inner]) > 0
        return found

    def _without_choices(self, group: Sequence[int], unit: int, known: Known) -> Mapping[int, Ratio]:
        """The same where nothing is chosen: all of them end for certain where all that follows does, or none does."""
        outside = {after for number in group for after in self.states.leads[number]}.difference(group)
        return self._solved(group, known, unit) if outside and outside <= self.steps.values.keys() else {}

    def _ending(self, group: Sequence[int]) -> Mapping[int, int]:
        """From which states an end is reached for certain, as the player chooses, and in how many steps at best.

        A player who wants many steps keeps away from the end for ever where that can be done.
        """
        among, following = set(group), {after for number in group for after in self.states.following(number)}
        outside = {number for number in following if number in self.steps.values}
        if self.best == "most-steps":
            ends = following <= among | outside and not self._staying(among, set())
            return dict.fromkeys(group, 0) if ends else {}
        before, ending = among, self._nearness(self._staying(among, outside), outside)
        while ending.keys() != before:
            before = set(ending)
            ending = self._nearness(self._staying(before, outside), outside)
        return ending

    def _staying(self, among: set[int], outside: set[int]) -> set[int]:
        """The largest part of some states in which the player can stay, or go outside, whatever is thrown."""
        while left := [number for number in among if not self._can_keep_to(number, among | outside)]:
            among = among.difference(left)
        return among

    def _can_keep_to(self, number: int, places: Collection[int]) -> bool:
        """Whether a player can go on from a state to some places only."""
        into = places.__contains__
        choices = self._choices(number)
        return all(map(into, self.states.leads[number])) and all(any(map(into, options)) for options, _ in choices)

    def _choices(self, number: int) -> Sequence[Choice]:
        return self.states.choices.get(number, ())

    def _nearness(self, among: set[int], outside: set[int]) -> Mapping[int, int]:
        """The states of some from which one outside can be reached, and in how many steps."""
        near: dict[int, int] = {}
        reached, steps = outside, 0
        while reached:
            steps += 1
            reached = {
                number for number in among - near.keys() if not reached.isdisjoint(self.states.following(number))
            }
            near.update(dict.fromkeys(reached, steps))
        return near

    def _first_choice(self, options: Sequence[int], ending: Mapping[int, int]) -> int:
        """The option that ends soonest, or, for a player who wants many steps, an option that never ends."""
        never = len(self.states.known)
        ranks = [ending.get(state, 0 if state in self.steps.values else never) for state in options]
        return options[ranks.index(min(ranks) if self.best == "fewest-steps" else max(ranks))]

    def _bettered(self, number: int, found: Mapping[int, Ratio], known: Known) -> bool:
        """Choose what is better than the choices so far; whether there is such."""
        before, sign = self.chosen[number], 1 if self.best == "most-steps" else -1

        def ratio(state: int) -> Ratio | None:
            return found.get(state) or ((known[state], 1) if state in self.steps.values else None)

        self.chosen[number] = chosen = list(before)
        for place, (options, _) in enumerate(self._choices(number)):
            for option in options:
                one, two = ratio(option), ratio(chosen[place])
                if one and two and (one[0] * two[1] - two[0] * one[1]) * sign > 0:
                    chosen[place] = option
        return chosen != before

    def _solved(self, group: Sequence[int], known: Known, cost: int) -> Mapping[int, Ratio]:
        """What states that come back to each other are worth, a step costing so much, as the player chooses now."""
        among = set(group)
        rows: dict[int, Mapping[int, int]] = {}
        for number in group:
            row = {number: self.states.totals[number], RIGHT: cost * self.states.totals[number]}
            for after, weight in self.leading(number).items():
                if after in among:
                    row[after] = row.get(after, 0) - weight
                else:
                    row[RIGHT] += weight * known[after]
            rows[number] = row
        return (
            eliminated(rows) if len(rows) > 1 else {number: (row[RIGHT], row[number]) for number, row in rows.items()}
        )


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
