"""A fight as a walk over a wound chart: every blow fills a box, and the boxes that are full make the next blow worse.

In: a chart, and how often a blow leads to each status. Out: the expected number of blows until a status is reached,
and the chance that it is reached within so many. The boxes only ever fill up, so the states have an order and both
follow from one pass over them, in whole numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import NamedTuple

from refgen.errors import ResolverError
from refgen.resolver.combat.blows import Points, Weights, total_weight
from refgen.resolver.combat.wound_chart import Chart

Filled = tuple[int, ...]
"""How many boxes of each status are full, from the lightest status on."""

MAX_STATES = 2_000
"""States of the boxes; what the five systems need is well below a hundred."""

WoundWeights = Weights[int | None]
"""How often a blow leads to each status (counted from 0, the lightest); None for no wound."""


@dataclass(frozen=True)
class WoundTrack:
    """A chart, and what its wounds do.

    ``penalties`` has the change to all actions of each status. A graze is never worse than the status
    ``graze_limit``, and wounds of the lightest status alone fill no box above ``scratch_limit``.
    """

    chart: Chart
    penalties: tuple[int, ...]
    graze_limit: int
    scratch_limit: int

    @cached_property
    def _by_points(self) -> Sequence[int | None]:
        """The status of each number of points, None where the chart has none; from the last on it stays the same."""
        ranges = [status.damage for status in self.chart]
        ends = [damage.low if damage.high is None else damage.high + 1 for damage in ranges]
        last = max(end or 0 for end in ends)
        return [
            next((index for index, status in enumerate(self.chart) if points in status.damage), None)
            for points in range(last + 1)
        ]

    def status(self, points: Points) -> int | None:
        """The status that so many points lead to; None for no wound. Raises ResolverError where the chart has a gap."""
        amount, grazed = points
        if not amount:
            return None
        known = self._by_points
        found = known[min(amount, len(known) - 1)]
        if found is None:
            raise ResolverError(f"the wound chart has no status for {amount} points of damage")
        return min(found, self.graze_limit) if grazed else found

    def statuses(self, points: Weights[Points]) -> WoundWeights:
        """How often each status is reached, where it is known how often so many points get through."""
        found: dict[int | None, int] = {}
        for amount, weight in points.items():
            status = self.status(amount)
            found[status] = found.get(status, 0) + weight
        return found

    def boxes(self, filled: Filled) -> list[int | None]:
        """Which box a wound of each status fills: of that status, or the next higher free one, or none that is left."""
        free, found = None, []
        for index in reversed(range(len(self.chart))):
            if filled[index] < self.chart[index].boxes:
                free = index
            found.append(free)
        if free is not None and free > self.scratch_limit:
            found[-1] = None
        return found[::-1]

    def penalty(self, filled: Filled) -> int:
        """The change to all actions: that of the gravest status with a full box."""
        gravest = 0
        for penalty, full in zip(self.penalties, filled, strict=True):
            gravest = penalty if full else gravest
        return gravest


class Move(NamedTuple):
    """What a blow may do in a state: with a ``weight`` it leads to the boxes ``to``, None when the fight is over.

    ``eased`` are the boxes when a point is spent on it.
    """

    weight: int
    to: Filled | None
    eased: Filled | None


@dataclass(frozen=True)
class Fight:
    """All states that blow after blow can lead to before ``goal``, in the order in which boxes fill up.

    The moves of a state are in ``moves``, of ``total`` weight; blows that change nothing are left out.
    """

    moves: dict[Filled, list[Move]]
    total: int
    start: Filled

    def within(self, blows: int) -> list[Fraction]:
        """The chance that the goal is reached with the first blow, within two, and so on."""
        now: Mapping[Filled, int] = {self.start: 1}
        over, found = 0, []
        for number in range(1, blows + 1):
            later: defaultdict[Filled, int] = defaultdict(int)
            over *= self.total
            for state, weight in now.items():
                stays = self.total
                for moved, to, _ in self.moves[state]:
                    stays -= moved
                    if to is None:
                        over += weight * moved
                    else:
                        later[to] += weight * moved
                if stays:
                    later[state] += weight * stays
            now = later
            found.append(Fraction(over, self.total**number))
        return found

    def expected(self, points: int = 0) -> list[Fraction] | None:
        """The expected number of blows until the goal, when 0, 1, … ``points`` can each weaken one blow.

        The points are spent so that the fight lasts as long as it can. None when it may never end.
        The expectation of a state is E = (T + Σ w·E') / Σ w, over the moves of weight w that leave it; T is all weight.
        With L a multiple of every Σ w, n boxes still to fill and k points left, E·L^(n+k) is a whole number: these
        whole numbers are what is worked out, and none has to be reduced before the last.
        """
        leaves = {state: sum([move.weight for move in moves]) for state, moves in self.moves.items()}
        if not all(leaves.values()):
            return None
        unit = lcm(*leaves.values())
        most = max(map(sum, self.moves))
        powers = [unit**exponent for exponent in range(most + points + 2)]
        known: list[dict[Filled | None, int]] = []
        for left in range(points + 1):
            here: dict[Filled | None, int] = {None: 0}
            for state, moves in reversed(self.moves.items()):
                fewer = known[-1] if known else None
                lasting = sum([move.weight * _lasting(move, state, here, fewer, unit) for move in moves])
                scaled = self.total * powers[most - sum(state) + left] + lasting
                here[state] = scaled * (unit // leaves[state])
            known.append(here)
        return [Fraction(here[self.start], powers[most + 1 + left]) for left, here in enumerate(known)]


_Expected = Mapping[Filled | None, int]


def _lasting(move: Move, state: Filled, here: _Expected, fewer: _Expected | None, unit: int) -> int:
    """How long the fight lasts after a move, with a point spent on it or not, in the unit of the state it leaves."""
    if fewer is None:
        return here[move.to]
    spent = fewer[move.eased]
    return max(here[move.to], spent if move.eased == state else spent * unit)


def fight(
    track: WoundTrack,
    goal: int,
    odds: Callable[[int], WoundWeights],
    mitigated: Sequence[int | None] | None = None,
) -> Fight:
    """The fight of someone unhurt until the status ``goal`` or a worse one is marked.

    ``odds`` says how often a blow leads to each status when all actions are changed by a penalty; ``mitigated`` what
    each status becomes when a point is spent on the blow, None for no wound.
    Raises ResolverError for a chart with a great many boxes.
    """
    states = prod(status.boxes + 1 for status in track.chart[:goal])
    if states > MAX_STATES:
        raise ResolverError(f"this wound chart has {states:,} states; refgen follows at most {MAX_STATES:,}")
    start = (0,) * len(track.chart)
    caused = {penalty: odds(penalty) for penalty in {0, *track.penalties[:goal]}}
    wounds = {penalty: _wounds(weights, mitigated) for penalty, weights in caused.items()}
    moves: dict[Filled, list[Move]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in moves:
            moves[state] = _moves(track, goal, state, wounds[track.penalty(state)])
            waiting += [to for move in moves[state] for to in (move.to, move.eased) if to is not None]
    ordered = {state: moves[state] for state in sorted(moves, key=sum)}
    return Fight(ordered, total_weight(caused[0]), start)


def _wounds(weights: WoundWeights, mitigated: Sequence[int | None] | None) -> list[tuple[int, int | None, int]]:
    """Each wound that a blow may cause: its status, the status when a point is spent on it, and its weight."""
    return [
        (status, status if mitigated is None else mitigated[status], weight)
        for status, weight in weights.items()
        if status is not None and weight
    ]


def _moves(track: WoundTrack, goal: int, state: Filled, wounds: Sequence[tuple[int, int | None, int]]) -> list[Move]:
    """Where the wounds of a blow lead from a state. The fight goes on while no box from the goal on is full."""
    boxes = track.boxes(state)
    after = {box: one_more(state, box) if box < goal else None for box in boxes if box is not None}
    found: dict[tuple[Filled | None, Filled | None], int] = {}
    for status, less, weight in wounds:
        box = boxes[status]
        if box is None:
            continue
        eased = None if less is None else boxes[less]
        ends = after[box], state if eased is None else after[eased]
        found[ends] = found.get(ends, 0) + weight
    return [Move(weight, *ends) for ends, weight in found.items()]


def one_more(filled: Filled, box: int) -> Filled:
    """The boxes when one more of a status is full."""
    return (*filled[:box], filled[box] + 1, *filled[box + 1 :])
