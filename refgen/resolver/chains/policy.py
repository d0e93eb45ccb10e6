"""What a player chooses in each state of a chain, so that it lasts as long, or as short, as it can.

In: the states of a chain. Out: the state that each move leads to as the player chooses, and the mean number of steps.

States that only lead on are worked out level by level, the last first, in whole numbers over the denominator of their
level; those that can come back to each other are solved together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import lcm
from typing import Any, Literal

from refgen.errors import ResolverError
from refgen.resolver.chains.equations import RIGHT, Ratio, eliminated
from refgen.resolver.chains.graph import levels
from refgen.resolver.chains.states import States

MAX_TOGETHER = 120
"""States that can come back to each other: to solve them costs up to the third power of their number."""

Best = Literal["most-steps", "fewest-steps"]


@dataclass
class Worth:
    """What states are worth: whole numbers over one of some denominators, each a multiple of the one before it."""

    denominators: list[int] = field(default_factory=lambda: [1])
    values: dict[int, tuple[int, int]] = field(default_factory=dict)

    def ratio(self, number: int) -> Ratio | None:
        """What a state is worth, by its number; None where that is not known."""
        if number not in self.values:
            return None
        value, place = self.values[number]
        return value, self.denominators[place]

    def factors(self) -> Callable[[int], int]:
        """By what the values over each denominator are multiplied to stand over the last one."""
        last, denominators = self.denominators[-1], self.denominators
        return cache(lambda place: last // denominators[place])

    def add(self, found: Mapping[int, Ratio]) -> None:
        """Some states more, each as a ratio over the last denominator."""
        unit = lcm(*[below for _, below in found.values()])
        self.denominators.append(self.denominators[-1] * unit)
        place = len(self.denominators) - 1
        self.values.update({number: (above * (unit // below), place) for number, (above, below) in found.items()})


@dataclass
class Policy:
    """What a player chooses: by the number of a state, ``next`` are the states that its moves lead to.

    ``steps`` has the mean number of steps from each state that certainly leads to an end.
    """

    states: States[Any]
    best: Best
    steps: Worth = field(default_factory=Worth)
    next: dict[int, list[int]] = field(default_factory=dict)

    def settle(self, numbers: Iterable[int]) -> None:
        """Settle some states that are new. Raises ResolverError for too many that can come back to each other."""
        totals, inner = self.states.totals, list[int]()
        for number in numbers:
            if totals[number]:
                inner.append(number)
            else:
                self.steps.values[number] = (0, 0)
        for level in levels(inner, self.states.after.__getitem__):
            found: dict[int, Ratio] = {}
            unit, factor = self.steps.denominators[-1], self.steps.factors()
            for group in level:
                own = self._leads_on(group[0], unit, factor) if len(group) == 1 else None
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
        return [after[options[0]] for _, options in self.states.moves[number]]

    def _leads_on(self, number: int, unit: int, factor: Callable[[int], int]) -> Ratio | None:
        """The steps from a state that stays, or leads on to where the chain ends: (unit + Σ w·steps) / Σ w.

        None for another state. A choice to stay is made by those who want many steps, unless something else is better.
        """
        after, values, pick = self.states.after[number], self.steps.values, max if self.best == "most-steps" else min
        worth: list[int] = []
        for other in after:
            known = values.get(other)
            if known is None and other != number:
                return None
            worth.append(known[0] * factor(known[1]) if known else 0)
        leaving = self.states.totals[number]
        total = leaving * unit
        following: list[int] = []
        others_than_stay: list[Sequence[int]] = []
        for weight, options in self.states.moves[number]:
            place = options[0] if len(options) == 1 else pick(options, key=worth.__getitem__)
            if len(options) > 1 and number in (stays := [after[option] for option in options]):
                others = [option for option in options if after[option] != number]
                others_than_stay += [others] if others else []
                place = (
                    options[stays.index(number)] if pick is max or not others else pick(others, key=worth.__getitem__)
                )
            if after[place] == number:
                leaving -= weight
            else:
                total += weight * worth[place]
            following.append(after[place])
        if not leaving or any(
            pick([worth[other] for other in others]) * leaving > total for others in others_than_stay
        ):
            return None
        self.next[number] = following
        return total, leaving

    def _together(self, group: Sequence[int]) -> Mapping[int, Ratio]:
        """The steps from states that come back to each other, but for those that may never end."""
        if len(group) > MAX_TOGETHER:
            message = f"{len(group):,} states of this chain can come back to each other"
            raise ResolverError(f"{message}; refgen solves at most {MAX_TOGETHER}", hint="Count less in its state.")
        ending = self._ending(group)
        for number in group:
            options = [self._options(number, move) for move in range(len(self.states.moves[number]))]
            self.next[number] = [self._first_choice(own, ending) for own in options]
        inner = [number for number in group if number in ending]
        found: Mapping[int, Ratio] = {}
        better = bool(inner)
        while better:
            found = self.solved(inner, self.steps.ratio, 1)
            moves = [(number, move) for number in inner for move in range(len(self.states.moves[number]))]
            better = sum([self._bettered(number, move, found) for number, move in moves]) > 0
        return found

    def _options(self, number: int, move: int) -> Sequence[int]:
        after = self.states.after[number]
        return [after[option] for option in self.states.moves[number][move].options]

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
            left = {number for number in among if not self._can_reach(number, places)}
            if not left:
                return among
            among = among - left

    def _can_reach(self, number: int, places: set[int]) -> bool:
        """Whether each move has an option among some states."""
        moves = range(len(self.states.moves[number]))
        return all(not places.isdisjoint(self._options(number, move)) for move in moves)

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

    def _bettered(self, number: int, move: int, found: Mapping[int, Ratio]) -> bool:
        """Choose what is better than the choice so far; whether there is such."""
        before = chosen = self.next[number][move]
        for option in self._options(number, move):
            one, two = (found.get(state) or self.steps.ratio(state) for state in (option, chosen))
            if one and two and (one[0] * two[1] - two[0] * one[1]) * (1 if self.best == "most-steps" else -1) > 0:
                chosen = option
        self.next[number][move] = chosen
        return chosen != before

    def solved(self, group: Sequence[int], known: Callable[[int], Ratio | None], cost: int) -> Mapping[int, Ratio]:
        """What states that come back to each other are worth, a step costing so much, as the player chooses now."""
        among = set(group)
        rows: dict[int, Mapping[int, int]] = {}
        for number in group:
            chosen = zip(self.states.moves[number], self.next[number], strict=True)
            moves = [(weight, after) for (weight, _), after in chosen]
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
