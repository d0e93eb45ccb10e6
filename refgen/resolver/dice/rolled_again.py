"""Dice that are rolled again: at their highest outcome, from a number up, at given outcomes, at the lowest.

In: a Distribution, and for rolls without end how many re-rolls are followed. Out: a Distribution that says where it is
exact, and how the chances of its tails go on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from math import inf
from typing import Any

from refgen.errors import ResolverError
from refgen.resolver.dice.combine import MEMORY
from refgen.resolver.dice.convolution import GeometricTail
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.dice.moments import MomentsOf, of_exploding, of_same_tails


@lru_cache(MEMORY)
def explode(first: Distribution, rerolls: int) -> Distribution:
    """Whenever the highest outcome shows, roll again and add; followed for so many re-rolls."""
    lowest, top = first.outcomes[0], first.outcomes[-1]
    if top <= 0 or lowest == top:
        raise ResolverError("only dice with a positive highest and another outcome can explode")
    weights = _followed_weights(first, top, rerolls, counts_below_zero=True)
    last = top * (rerolls + 1)
    again = first.exactly(top)
    rising = GeometricTail(first.outcomes[-2] - top + 1, top, again)
    return Distribution.of(weights, again ** (rerolls + 1), None, last + min(lowest, 0) - 1, rising)


@lru_cache(MEMORY)
def exploding_from(first: Distribution, least: int, rerolls: int) -> Distribution:
    """Whenever an outcome of ``least`` or more shows, roll again and add; followed for so many re-rolls.

    Sums that go on are taken from the lowest up, each with all ways that lead to it.
    """
    lowest, top = first.outcomes[0], first.outcomes[-1]
    if not max(lowest, 0) < least <= top:
        raise ResolverError(f"explode() needs dice that come to {least} or more, and also to less")
    if least > first.outcomes[-2]:
        return explode(first, rerolls)
    rises = least * (rerolls + 1) + min(lowest, 0)
    whole = first.denominator ** (rerolls + 1)
    weights: defaultdict[int, int] = defaultdict(int)
    going_on, waiting = {0: whole}, [0]
    while waiting:
        total = heappop(waiting)
        reached = going_on[total] // first.denominator
        for outcome, weight in first.items():
            ended = total + outcome
            if outcome < least:
                weights[min(ended, rises)] += reached * weight
            elif ended + lowest >= rises:
                weights[rises] += reached * weight
            else:
                if ended not in going_on:
                    heappush(waiting, ended)
                going_on[ended] = going_on.get(ended, 0) + reached * weight
    rolled = Distribution.of(weights)
    moments = MomentsOf(of_exploding, (first, Distribution.certain(least)))
    return rolled.with_tails((-inf, rises), rolled.at_least(rises), moments_of=moments)


@lru_cache(MEMORY)
def opening(first: Distribution, rerolls: int) -> Distribution:
    """On the highest or lowest outcome roll again; the next roll is added only when its sign is the same."""
    top, bottom = first.outcomes[-1], first.outcomes[0]
    if not bottom < 0 < top:
        raise ResolverError("open() needs dice with outcomes on both sides of zero, such as 4dF")
    upward = _followed_weights(first, top, rerolls, counts_below_zero=False)
    downward = _followed_weights(first.negated(), -bottom, rerolls, counts_below_zero=False)
    weights = {outcome: weight for outcome, weight in upward.items() if outcome > bottom}
    for outcome, weight in downward.items():
        if outcome >= -bottom:
            weights[-outcome] = weights.get(-outcome, 0) + weight
    above, below = first.exactly(top), first.exactly(bottom)
    return Distribution.of(
        weights,
        above ** (rerolls + 1) + below ** (rerolls + 1),
        bottom * (rerolls + 1) + 1,
        top * (rerolls + 1) - 1,
        GeometricTail(1, top, above),
        GeometricTail(1, -bottom, below),
    )


def _followed_weights(first: Distribution, top: int, rerolls: int, counts_below_zero: bool) -> dict[int, int]:
    """The weights of a roll that goes on while ``top`` shows, out of the denominator to the power of re-rolls + 1.

    What still goes on after the last re-roll stands at the sum it has then.
    """
    whole, again = first.denominator, first.weight(top)
    others = [(outcome, weight) for outcome, weight in first.items() if outcome != top]
    added = others if counts_below_zero else [(max(outcome, 0), weight) for outcome, weight in others]
    weights: defaultdict[int, int] = defaultdict(int)
    for number in range(rerolls + 1):
        reached = again**number * whole ** (rerolls - number)
        for outcome, weight in added if number else others:
            weights[top * number + outcome] += reached * weight
    weights[top * (rerolls + 1)] += again ** (rerolls + 1)
    return weights


def with_snake_eyes(first: Distribution, worst: int | None = None) -> Distribution:
    """When the lowest outcome shows, roll again: the lowest once more is a fumble, the ``worst`` result there is.

    Without ``worst`` a fumble is one below the lowest outcome; it is never better than that outcome.
    """
    lowest = first.outcomes[0]
    if first.exact_low is not None:
        raise ResolverError("snake() needs a roll with a lowest outcome")
    fumble = lowest - 1 if worst is None else min(worst, lowest)
    twice = first.weight(lowest) ** 2
    weights = {outcome: weight * first.denominator for outcome, weight in first.items()}
    weights[lowest] -= twice
    weights[fumble] = weights.get(fumble, 0) + twice
    rising = first.rising and first.rising.beyond(lowest)
    return _with_same_tails(first, weights, Fraction(1), rising=rising)


def _with_same_tails(first: Distribution, weights: Mapping[int, int], scale: Fraction, **others: Any) -> Distribution:
    """A roll of these weights; far out all its chances are ``scale`` times those of the first roll."""
    changed = Distribution.of(weights)
    moments = MomentsOf(of_same_tails, (first, Distribution.certain(scale))) if first.is_open else None
    return replace(
        first,
        outcomes=changed.outcomes,
        weights=changed.weights,
        residue=first.residue * scale,
        moments_of=moments,
        added=0,
        **others,
    )


def exclude_outcomes(first: Distribution, outcomes: Iterable[int]) -> Distribution:
    """Roll until none of the given outcomes shows."""
    faces = _known_exactly(first, outcomes, "without")
    weights = {outcome: weight for outcome, weight in first.items() if outcome not in faces}
    if not weights:
        raise ResolverError("without() leaves no outcome of the roll")
    scale = Fraction(first.denominator, sum(weights.values()))
    return _with_same_tails(first, weights, scale, **_tails_beyond(first, faces))


def _known_exactly(first: Distribution, outcomes: Iterable[int], name: str) -> set[int]:
    faces = set(outcomes)
    if unknown := sorted(face for face in faces if not first.is_exact(face)):
        raise ResolverError(f"{name}(): the chance of {unknown[0]} is not known exactly")
    return faces


def reroll(first: Distribution, outcomes: Iterable[int]) -> Distribution:
    """When one of the given outcomes shows, roll once more and keep the second roll."""
    faces = _known_exactly(first, outcomes, "reroll")
    again = sum(first.weight(face) for face in faces)
    weights = {
        outcome: weight * (again + (0 if outcome in faces else first.denominator)) for outcome, weight in first.items()
    }
    scale = 1 + Fraction(again, first.denominator)
    return _with_same_tails(first, weights, scale, **_tails_beyond(first, faces))


def _tails_beyond(first: Distribution, faces: Iterable[int]) -> Mapping[str, GeometricTail | None]:
    """How the tails of a roll go on beyond some outcomes."""
    farthest = max(map(abs, faces))
    tails = {"rising": first.rising, "falling": first.falling}
    return {side: tail and tail.beyond(farthest) for side, tail in tails.items()}
