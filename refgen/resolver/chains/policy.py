"""What a player chooses in each state of a chain, so that it lasts as long, or as short, as it can.

In: the states of a chain. Out: the state that each move leads to as the player chooses, and the mean number of steps.

States that only lead on are worked out one after the other, the last first; those that can come back to each other are
solved together. Numbers are whole, over denominators that are not reduced before the end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, lcm
from typing import Any, Literal

from refgen.errors import ResolverError
from refgen.resolver.chains.equations import RIGHT, Ratio, eliminated
from refgen.resolver.chains.graph import components
from refgen.resolver.chains.states import States

MAX_TOGETHER = 120
"""States that can come back to each other: to solve them costs up to the third power of their number."""

Best = Literal["most-steps", "fewest-steps"]


@dataclass
class Policy:
    """By the number of a state: ``steps`` is the mean number of steps until an end (None: there may be none).

    ``next`` are the states that its moves lead to as the player chooses.
    """

    states: States[Any]
    best: Best
    steps: dict[int, Ratio | None] = field(default_factory=dict)
    next: dict[int, list[int]] = field(default_factory=dict)
    _sizes: dict[int, float] = field(default_factory=dict)

    def settle(self, numbers: Sequence[int]) -> None:
        """Settle some states that are new. Raises ResolverError for too many that can come back to each other."""
        for group in self.groups(numbers):
            if not self.states.totals[group[0]]:
                self._settled(group[0], (0, 1), [])
            elif len(group) > 1 or not self._leads_on(group[0]):
                self._settle_together(group)

    def groups(self, numbers: Sequence[int]) -> Sequence[Sequence[int]]:
        """Some states in groups that can come back to each other, each before those that lead to it."""
        return components(numbers, self.states.after.__getitem__)

    def _settled(self, number: int, steps: Ratio, following: list[int]) -> None:
        self.steps[number], self.next[number] = steps, following
        try:
            self._sizes[number] = steps[0] / steps[1]
        except OverflowError:
            self._sizes[number] = inf

    def _leads_on(self, number: int) -> bool:
        """Settle a state that stays, or leads on to where the chain ends; whether that was enough.

        It is for most. A choice to stay is made by those who want many steps, unless something else is better.
        """
        after, steps, stays = self.states.after[number], self.steps, self.best == "most-steps"
        following: list[int] = []
        open_choices: list[int] = []
        leads_on = False
        for move, (_, options) in enumerate(self.states.moves[number]):
            chosen = after[options[0]]
            if len(options) > 1:
                others = [after[option] for option in options if after[option] != number]
                if None in map(steps.get, others):
                    return False
                if len(others) == len(options):
                    chosen, leads_on = self._best_of(others), True
                else:
                    open_choices.append(move)
                    chosen = number if stays or not others else others[0]
                    leads_on = leads_on or chosen != number
            elif chosen != number:
                if steps[chosen] is None:
                    return False
                leads_on = True
            following.append(chosen)
        if not leads_on:
            return False
        self._settled(number, self._worth(number, following, steps, 1), following)
        return not any([self._bettered(number, move) for move in open_choices])

    def _best_of(self, numbers: Sequence[int]) -> int:
        """The first of those that are best. Rounded numbers tell all apart that differ in them."""
        best = (max if self.best == "most-steps" else min)([self._sizes[number] for number in numbers])
        chosen, *others = [number for number in numbers if self._sizes[number] == best]
        for other in others:
            if self._is_better(other, chosen):
                chosen = other
        return chosen

    def _is_better(self, number: int, other: int) -> bool:
        one, two = self.steps[number], self.steps[other]
        if one is None or two is None:
            return False
        more = one[0] * two[1] - two[0] * one[1]
        return more > 0 if self.best == "most-steps" else more < 0

    def _settle_together(self, group: Sequence[int]) -> None:
        """Find the mean number of steps from states that come back to each other, and what the player chooses there."""
        if len(group) > MAX_TOGETHER:
            message = f"{len(group):,} states of this chain can come back to each other"
            raise ResolverError(f"{message}; refgen solves at most {MAX_TOGETHER}", hint="Count less in its state.")
        ending = self._ending(group)
        self.steps.update(dict.fromkeys(group))
        for number in group:
            options = [self._options(number, move) for move in range(len(self.states.moves[number]))]
            self.next[number] = [self._first_choice(own, ending) for own in options]
        group = [number for number in group if number in ending]
        better = bool(group)
        while better:
            for number, steps in self.solved(group, self.steps, 1).items():
                self._settled(number, steps, self.next[number])
            moves = [(number, move) for number in group for move in range(len(self.states.moves[number]))]
            better = any([self._bettered(number, move) for number, move in moves])

    def _options(self, number: int, move: int) -> Sequence[int]:
        after = self.states.after[number]
        return [after[option] for option in self.states.moves[number][move].options]

    def _ending(self, group: Sequence[int]) -> Mapping[int, int]:
        """From which states an end is reached for certain, as the player chooses, and in how many steps at best.

        A player who wants many steps keeps away from the end for ever where that can be done.
        """
        among, following = set(group), self._following(group)
        outside = {number for number in following if self.steps.get(number) is not None}
        if self.best == "most-steps":
            ends = following <= among | outside and not self._staying(among, set())
            return dict.fromkeys(group, 0) if ends else {}
        before, ending = among, self._nearness(self._staying(among, outside), outside)
        while ending.keys() != before:
            before = set(ending)
            ending = self._nearness(self._staying(before, outside), outside)
        return ending

    def _following(self, numbers: Iterable[int]) -> set[int]:
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
        ranks = [ending.get(state, 0 if self.steps.get(state) is not None else never) for state in options]
        return options[ranks.index(min(ranks) if self.best == "fewest-steps" else max(ranks))]

    def _bettered(self, number: int, move: int) -> bool:
        """Choose what is better than the choice so far; whether there is such."""
        before = chosen = self.next[number][move]
        for option in self._options(number, move):
            if self._is_better(option, chosen):
                chosen = option
        self.next[number][move] = chosen
        return chosen != before

    def solved(self, group: Sequence[int], known: Mapping[int, Ratio | None], cost: int) -> Mapping[int, Ratio]:
        """What states that come back to each other are worth, a step costing so much, as the player chooses now."""
        if len(group) == 1:
            return {group[0]: self._worth(group[0], self.next[group[0]], known, cost)}
        among = set(group)
        rows: dict[int, Mapping[int, int]] = {}
        for number in group:
            chosen = zip(self.states.moves[number], self.next[number], strict=True)
            moves = [(weight, after) for (weight, _), after in chosen]
            ratios = [(weight, known[option] or (0, 1)) for weight, option in moves if option not in among]
            worth, unit = _sum_of(ratios)
            total = self.states.totals[number] * unit
            row = defaultdict(int, {number: total, RIGHT: cost * total + worth})
            for weight, option in moves:
                if option in among:
                    row[option] -= weight * unit
            rows[number] = row
        return eliminated(rows)

    def _worth(self, number: int, following: Sequence[int], known: Mapping[int, Ratio | None], cost: int) -> Ratio:
        """The same of a state to which no other comes back: (cost + Σ w·worth) / Σ w, over the w that leave it."""
        leaving = self.states.totals[number]
        ratios: list[tuple[int, Ratio]] = []
        for (weight, _), after in zip(self.states.moves[number], following, strict=True):
            if after == number:
                leaving -= weight
            elif (ratio := known[after]) and ratio[0]:
                ratios.append((weight, ratio))
        worth, unit = _sum_of(ratios)
        return cost * self.states.totals[number] * unit + worth, unit * leaving


def _sum_of(weighed: Sequence[tuple[int, Ratio]]) -> Ratio:
    """The sum of some numbers, each so many times."""
    unit = lcm(*[below for _, (_, below) in weighed])
    return sum([weight * above * (unit // below) for weight, (above, below) in weighed]), unit
