"""Absorbing Markov chains with choices, exact: the number of steps until an end, and the end that is reached.

In: the moves from each state, each with a weight. Out: the chance to have ended within n steps, the mean of a number
after n steps or at the end, and the mean number of steps. A move may leave a choice: a player who knows the throws
picks one of several next states, so that the chain lasts as long, or as short, as it can (policy iteration).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from operator import gt, lt
from typing import TYPE_CHECKING, Any, Generic

from refgen.errors import ResolverError
from refgen.limits import limit_hint, limits
from refgen.resolver.chains.states import RIGHT, Choice, State, StateMoves, States, components, solve_equations
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.lookup import MemoDict

if TYPE_CHECKING:
    from refgen.resolver.chains.moves import Best


class Chain(Generic[State]):
    """A chain: ``moves`` finds the moves from a state; ``end`` is None for one that goes on, else tells ends apart."""

    def __init__(
        self,
        moves: Callable[[State], StateMoves[State]],
        end: Callable[[State], Hashable | None],
        best: Best = "most-steps",
    ) -> None:
        self._states = States(moves, end)
        self._policy = Policy(self._states, best)
        self._settle_group = 0
        self._leading: Mapping[int, Mapping[int, int]] = MemoDict(self._policy.leading)
        self._weights: dict[int, tuple[int, list[Mapping[int, int]]]] = {}
        self._averages: dict[tuple[Rational, ...], Mapping[int, Fraction]] = {}

    def steps(self, state: State) -> Fraction | None:
        """The mean number of steps until an end; None when the chain may never end."""
        return self._policy.steps.get(self._settled_number(state))

    def within(self, state: State, steps: int) -> Fraction:
        """The chance to have ended after so many steps."""
        unit, weights = self._weights_after(state, steps)
        going = [weight for number, weight in weights.items() if number in self._states.totals]
        return 1 - Fraction(sum(going), unit**steps)

    def after(self, state: State, steps: int, value: Callable[[State], Rational]) -> Fraction:
        """The mean of a number of the state after so many steps; an end state stays as it is."""
        unit, weights = self._weights_after(state, steps)
        total = sum([value(self._states.known[number]) * weight for number, weight in weights.items()])
        return Fraction(total, unit**steps)

    def at_end(self, state: State, value: Callable[[State], Rational]) -> Fraction | None:
        """The mean of a number of the state at the end; None when the chain may never end."""
        start, known = self._settled_number(state), self._states.known
        if start not in self._policy.steps:
            return None
        ends = {number: value(known[number]) for number in range(len(known)) if number not in self._states.totals}
        key = (len(known), *ends.values())
        if key not in self._averages:
            self._averages[key] = self._policy.averages(ends)
        return self._averages[key][start]

    def _settled_number(self, state: State) -> int:
        """The number of a state, once the choices in all following states are settled."""
        number, known = self._states.number(state), len(self._states.known)
        if self._settle_group < known:
            self._policy.settle(range(self._settle_group, known))
            self._settle_group = known
        return number

    def _check_steps(self, steps: int) -> None:
        """Refuse to follow the chain over so many steps. Raises ResolverError."""
        for limit, number in (("chain_steps", steps), ("chain_work", steps * self._states.known_moves)):
            if not 0 <= number <= getattr(limits(), limit):
                hint = f"Ask for fewer. {limit_hint(limit)}"
                raise ResolverError(f"{steps:,} steps of this chain are not worked out", hint=hint)

    def _weights_after(self, state: State, steps: int) -> tuple[int, Mapping[int, int]]:
        """The total weight of one step, and the weight with which so many steps lead to each state."""
        start, states = self._states.number(state), self._states
        if states.choices:
            self._settled_number(state)
        self._check_steps(steps)
        if start not in self._weights:
            self._weights[start] = lcm(*states.totals.values()), [{start: 1}]
        unit, known = self._weights[start]
        while len(known) <= steps:
            later: defaultdict[int, int] = defaultdict(int)
            for number, weight in known[-1].items():
                if number not in states.totals:
                    later[number] += weight * unit
                    continue
                share = weight * (unit // states.totals[number])
                for after, chance in self._leading[number].items():
                    later[after] += share * chance
            known.append(later)
        return unit, known[steps]


@dataclass
class Policy:
    """The choices of a player: by the number of a state, ``chosen`` has the option taken at each choice.

    ``steps`` has the mean number of steps from each state that certainly leads to an end.
    """

    states: States[Any]
    best: Best
    steps: dict[int, Fraction] = field(default_factory=dict)
    chosen: dict[int, list[int]] = field(default_factory=dict)
    _groups: list[Sequence[int]] = field(default_factory=list)

    def settle(self, numbers: Collection[int]) -> None:
        """Settle the choices in new states. Raises ResolverError for too many states that come back to each other."""
        inner = {number for number in numbers if number in self.states.totals}
        self.steps.update({number: Fraction(0) for number in numbers if number not in inner})
        for group in components({number: inner.intersection(self.states.following(number)) for number in inner}):
            found = self._settle_group(group)
            self.steps.update(found)
            self._groups.append([number for number in group if number in found])

    def leading(self, number: int) -> Mapping[int, int]:
        """The next states as the player chooses, and the weight of each; without choices, of unsettled states too."""
        leads = self.states.leads[number]
        if number in self.states.choices:
            leads = {**leads}
            for (_, weight), chosen in zip(self.states.choices[number], self.chosen[number], strict=True):
                leads[chosen] = leads.get(chosen, 0) + weight
        return leads

    def averages(self, ends: Mapping[int, Rational]) -> Mapping[int, Fraction]:
        """The mean, from each state that certainly leads to an end, of a number of the end state."""
        found = {number: Fraction(value) for number, value in ends.items()}
        for group in self._groups:
            found.update(self._solve_group(group, found, 0))
        return found

    def _settle_group(self, group: Sequence[int]) -> Mapping[int, Fraction]:
        """The steps from states that come back to each other, but for states from which the chain may never end."""
        if len(group) > (most := limits().chain_cycle):
            message = f"{len(group):,} states of this chain can come back to each other; refgen solves at most {most}"
            raise ResolverError(message, hint=f"Count less in its state. {limit_hint('chain_cycle')}")
        outside = {after for number in group for after in self.states.following(number)}.difference(group)
        inside = any(option in group for number in group for options, _ in self._choices(number) for option in options)
        if outside and outside <= self.steps.keys() and not inside:
            best: Callable[..., int] = max if self.best == "most-steps" else min
            for number in group:
                self.chosen[number] = [best(one, key=self.steps.__getitem__) for one, _ in self._choices(number)]
            return self._solve_group(group, self.steps, 1)
        ending = self._ending(group)
        for number in group:
            self.chosen[number] = [self._first_choice(number, options, ending) for options, _ in self._choices(number)]
        inner = [number for number in group if number in ending]
        found: Mapping[int, Fraction] = {}
        better = bool(inner)
        while better:
            found = self._solve_group(inner, self.steps, 1)
            better = sum(self._improve(number, found) for number in inner) > 0
        return found

    def _ending(self, group: Sequence[int]) -> Mapping[int, int]:
        """The states from which an end is certain, as the player chooses, and in how few steps it can be reached.

        A player who wants many steps keeps away from the end for ever where that can be done.
        """
        among, following = set(group), {after for number in group for after in self.states.following(number)}
        outside = {number for number in following if number in self.steps}
        if self.best == "most-steps":
            ends = following <= among | outside and not self._staying_states(among, set())
            return dict.fromkeys(group, 0) if ends else {}
        before, ending = among, self._nearness(self._staying_states(among, outside), outside)
        while ending.keys() != before:
            before = set(ending)
            ending = self._nearness(self._staying_states(before, outside), outside)
        return ending

    def _staying_states(self, among: set[int], outside: set[int]) -> set[int]:
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
        """The states among some from which a state outside can be reached, and in how many steps."""
        near: dict[int, int] = {}
        reached, steps = outside, 0
        while reached:
            steps += 1
            reached = {
                number for number in among - near.keys() if not reached.isdisjoint(self.states.following(number))
            }
            near.update(dict.fromkeys(reached, steps))
        return near

    def _first_choice(self, number: int, options: Sequence[int], ending: Mapping[int, int]) -> int:
        """The option that ends soonest; for a player who wants many steps, an option that never ends, or to stay."""
        never = len(self.states.known)
        ranks = [ending.get(state, 0 if state in self.steps else never) for state in options]
        if self.best == "fewest-steps":
            return options[ranks.index(min(ranks))]
        return number if number in options and max(ranks) < never else options[ranks.index(max(ranks))]

    def _improve(self, number: int, found: Mapping[int, Fraction]) -> bool:
        """Take a better option at each choice of a state; whether a choice was changed."""
        before, is_better = self.chosen[number], gt if self.best == "most-steps" else lt
        self.chosen[number] = chosen = list(before)
        for place, (options, _) in enumerate(self._choices(number)):
            for option in options:
                one, two = (found.get(state, self.steps.get(state)) for state in (option, chosen[place]))
                if one is not None and two is not None and is_better(one, two):
                    chosen[place] = option
        return chosen != before

    def _solve_group(self, group: Sequence[int], known: Mapping[int, Fraction], cost: int) -> Mapping[int, Fraction]:
        """The values of states that come back to each other, as the player chooses now; each step costs ``cost``."""
        among, totals = set(group), self.states.totals
        rows: dict[int, Mapping[int, int]] = {}
        for number in group:
            leads = self.leading(number)
            outside = [
                (weight, *known[after].as_integer_ratio()) for after, weight in leads.items() if after not in among
            ]
            unit = lcm(*[denominator for _, _, denominator in outside])
            row = {after: -weight * unit for after, weight in leads.items() if after in among}
            row[number] = row.get(number, 0) + totals[number] * unit
            row[RIGHT] = cost * totals[number] * unit
            row[RIGHT] += sum([weight * value * (unit // denominator) for weight, value, denominator in outside])
            rows[number] = row
        if len(group) == 1:
            return {number: Fraction(row[RIGHT], row[number]) for number, row in rows.items()}
        return solve_equations(rows)
