"""What a player chooses in each state of a chain, so that it lasts as long, or as short, as it can.

In: the states of a chain. Out: the state that each move leads to as the player chooses, and the mean number of steps.

States that only lead on are worked out level by level, the last first, in whole numbers over the denominator of their
level; those that can come back to each other are solved together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from operator import mul
from typing import Any, Literal

from refgen.errors import ResolverError
from refgen.resolver.chains.equations import RIGHT, Ratio, eliminated
from refgen.resolver.chains.graph import levels
from refgen.resolver.chains.once import Once
from refgen.resolver.chains.states import States

MAX_TOGETHER = 120
"""States that can come back to each other: to solve them costs up to the third power of their number."""

Best = Literal["most-steps", "fewest-steps"]


_Held = dict[int, list[tuple[int, Sequence[int]]]]


@dataclass
class Worth:
    """What states are worth, by their numbers: ``values``, each over the denominator in its place.

    Each denominator is a multiple of the one before it.
    """

    denominators: list[int] = field(default_factory=lambda: [1])
    values: dict[int, int] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)

    def ratio(self, number: int) -> Ratio | None:
        """What a state is worth; None where that is not known."""
        if number not in self.values:
            return None
        return self.values[number], self.denominators[self.places[number]]

    def factors(self) -> Mapping[int, int]:
        """By what the values over each denominator are multiplied to stand over the last one."""
        return Once(lambda place: self.denominators[-1] // self.denominators[place])

    def add(self, found: Mapping[int, Ratio]) -> None:
        """Some states more, each as a ratio over the last denominator."""
        unit = lcm(*[below for _, below in found.values()])
        self.values.update({number: above * (unit // below) for number, (above, below) in found.items()})
        self.places.update(dict.fromkeys(found, len(self.denominators)))
        self.denominators.append(self.denominators[-1] * unit)


@dataclass
class Policy:
    """What a player chooses: by the number of a state, ``next`` are the states that its moves lead to.

    ``steps`` has the mean number of steps from each state that certainly leads to an end.
    """

    states: States[Any]
    best: Best
    steps: Worth = field(default_factory=Worth)
    next: dict[int, list[int]] = field(default_factory=dict)
    _choices: dict[int, _Held] = field(default_factory=dict)

    def settle(self, numbers: Iterable[int]) -> None:
        """Settle some states that are new. Raises ResolverError for too many that can come back to each other."""
        totals, inner = self.states.totals, list[int]()
        for number in numbers:
            if totals[number]:
                inner.append(number)
            else:
                self.steps.values[number] = self.steps.places[number] = 0
        for level in levels(inner, self.states.after.__getitem__):
            found: dict[int, Ratio] = {}
            unit, factors = self.steps.denominators[-1], self.steps.factors()
            for group in level:
                own = self._leads_on(group[0], unit, factors) if len(group) == 1 else None
                if own is not None:
                    found[group[0]] = own
                else:
                    together = self._together(group)
                    found.update({number: (above * unit, below) for number, (above, below) in together.items()})
            self.steps.add(found)

    def following(self, number: int) -> Sequence[int]:
        """Where the moves of a state lead; of a chain without choices, before it is settled too."""
        if number in self.next:
            return self.next[number]
        after = self.states.after[number]
        return [after[options[0]] for options in self.states.choices[number]]

    def _leads_on(self, number: int, unit: int, factors: Mapping[int, int]) -> Ratio | None:
        """The steps from a state that stays, or leads on to where the chain ends: (unit + Σ w·steps) / Σ w.

        None for another state. A choice to stay is made by those who want many steps, unless something else is better.
        """
        states, values, places = self.states, self.steps.values, self.steps.places
        after, weights, choices = states.after[number], states.weights[number], states.choices[number]
        try:
            worth = [0 if other == number else values[other] * factors[places[other]] for other in after]
        except KeyError:
            return None
        chosen = [own[0] if len(own) == 1 else self._pick(own, key=worth.__getitem__) for own in choices]
        staying = [place for place, other in enumerate(after) if other == number] if number in after else []
        instead = self._stay(chosen, staying, self._held(choices), worth) if states.has_choices else ()
        self.next[number] = following = [after[place] for place in chosen]
        leaving = states.totals[number]
        leads = leaving * unit + sum(map(mul, weights, map(worth.__getitem__, chosen)))
        if staying:
            leaving -= sum([weight for weight, other in zip(weights, following, strict=True) if other == number])
        return None if not leaving or any(other * leaving > leads for other in instead) else (leads, leaving)

    @property
    def _pick(self) -> Callable[..., Any]:
        """What is best of some numbers."""
        return max if self.best == "most-steps" else min

    def _held(self, choices: Sequence[Sequence[int]]) -> _Held:
        """By the place of a state after a step, the moves that leave a choice of it, and of what else."""
        known = self._choices.get(id(choices))
        if known is None:
            known = self._choices[id(choices)] = defaultdict(list)
            for move, options in enumerate(choices):
                for place in options if len(options) > 1 else ():
                    known[place].append((move, [other for other in options if other != place]))
        return known

    def _stay(self, chosen: list[int], staying: Sequence[int], held: _Held, worth: Sequence[int]) -> Sequence[int]:
        """Choose to stay, or what is best else; what the others are worth."""
        instead = []
        for place in staying:
            for move, options in held.get(place, ()):
                others = [other for other in options if other not in staying]
                best = self._pick(others, key=worth.__getitem__) if others else place
                chosen[move] = place if self.best == "most-steps" else best
                instead += [worth[best]] if others else []
        return instead

    def _together(self, group: Sequence[int]) -> Mapping[int, Ratio]:
        """The steps from states that come back to each other, but for those that may never end."""
        if len(group) > MAX_TOGETHER:
            message = f"{len(group):,} states of this chain can come back to each other"
            raise ResolverError(f"{message}; refgen solves at most {MAX_TOGETHER}", hint="Count less in its state.")
        ending = self._ending(group)
        for number in group:
            self.next[number] = [self._first_choice(own, ending) for own in self._options(number)]
        inner = [number for number in group if number in ending]
        found: Mapping[int, Ratio] = {}
        better = bool(inner)
        while better:
            found = self.solved(inner, self.steps.ratio, 1)
            better = sum([self._bettered(number, found) for number in inner]) > 0
        return found

    def _options(self, number: int) -> Sequence[Sequence[int]]:
        """The states to which each move of a state may lead."""
        after = self.states.after[number]
        return [[after[option] for option in options] for options in self.states.choices[number]]

    def _ending(self, group: Sequence[int]) -> Mapping[int, int]:
        """From which states an end is reached for certain, as the player chooses, and in how many steps at best.

        A player who wants many steps keeps away from the end for ever where that can be done.
        """
        among, following = set(group), self._after(group)
        outside = {number for number in following if number in self.steps.values}
        if self.best == "most-steps":
            ends = following <= among | outside and not self._staying(among, set())
            return dict.fromkeys(group, 0) if ends else {}
        before, ending = among, self._nearness(self._staying(among, outside), outside)
        while ending.keys() != before:
            before = set(ending)
            ending = self._nearness(self._staying(before, outside), outside)
        return ending

    def _after(self, numbers: Iterable[int]) -> set[int]:
        return {after for number in numbers for after in self.states.after[number]}

    def _staying(self, among: set[int], outside: set[int]) -> set[int]:
        """The largest part of some states in which the player can stay, or go outside, whatever is thrown."""
        while True:
            places = among | outside
            left = {number for number in among if any(map(places.isdisjoint, self._options(number)))}
            if not left:
                return among
            among = among - left

    def _nearness(self, among: set[int], outside: set[int]) -> Mapping[int, int]:
        """The states of some from which one outside can be reached, and in how many steps."""
        near: dict[int, int] = {}
        reached, steps = outside, 0
        while reached:
            steps += 1
            reached = {number for number in among - near.keys() if not reached.isdisjoint(self.states.after[number])}
            near.update(dict.fromkeys(reached, steps))
        return near

    def _first_choice(self, options: Sequence[int], ending: Mapping[int, int]) -> int:
        """What ends soonest, or for a player who wants many steps what never does."""
        never = len(self.states.known)
        ranks = [ending.get(state, 0 if state in self.steps.values else never) for state in options]
        return options[ranks.index(min(ranks) if self.best == "fewest-steps" else max(ranks))]

    def _bettered(self, number: int, found: Mapping[int, Ratio]) -> bool:
        """Choose what is better than the choices so far; whether there is such."""
        before, sign = self.next[number], 1 if self.best == "most-steps" else -1
        self.next[number] = list(before)
        for move, options in enumerate(self._options(number)):
            for option in options:
                one, two = (found.get(own) or self.steps.ratio(own) for own in (option, self.next[number][move]))
                if one and two and (one[0] * two[1] - two[0] * one[1]) * sign > 0:
                    self.next[number][move] = option
        return self.next[number] != before

    def solved(self, group: Sequence[int], known: Callable[[int], Ratio | None], cost: int) -> Mapping[int, Ratio]:
        """What states that come back to each other are worth, a step costing so much, as the player chooses now."""
        among = set(group)
        rows: dict[int, Mapping[int, int]] = {}
        for number in group:
            moves = list(zip(self.states.weights[number], self.next[number], strict=True))
            ratios = [(weight, known(after) or (0, 1)) for weight, after in moves if after not in among]
            unit = lcm(*[below for _, (_, below) in ratios])
            worth = sum([weight * above * (unit // below) for weight, (above, below) in ratios])
            total = self.states.totals[number] * unit
            row = defaultdict(int, {number: total, RIGHT: cost * total + worth})
            for weight, after in moves:
                if after in among:
                    row[after] -= weight * unit
            rows[number] = row
        return eliminated(rows)
