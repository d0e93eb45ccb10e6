"""Rolls that may go on: exploding dice, open-ended dice, and dice whose lowest outcome is rolled again.

In: the Roll that is made each time, and how far its outcomes will be asked for. Out: the Roll of the whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction

from refgen.errors import ResolverError
from refgen.resolver.dice.convolution import Series
from refgen.resolver.dice.cost import rerolls_to
from refgen.resolver.dice.distribution import Roll


def exploding(first: Roll, reach: int) -> Roll:
    """Whenever the highest outcome shows, roll again and add."""
    lowest, top = first.outcomes[0], first.outcomes[-1]
    if top <= 0 or lowest == top:
        raise ResolverError("only dice with a positive highest and another outcome can explode")
    rerolls = rerolls_to(len(first.outcomes), reach - min(lowest, 0), top)
    weights = _followed(first, top, rerolls, counts_below_zero=True)
    last = top * (rerolls + 1)
    again = first.exactly(top)
    rising = Series(first.outcomes[-2] - top + 1, top, again)
    return Roll.of(weights, again ** (rerolls + 1), None, last + min(lowest, 0) - 1, rising)


def exploding_from(first: Roll, least: int, reach: int) -> Roll:
    """Whenever an outcome of ``least`` or more shows, roll again and add."""
    lowest, top = first.outcomes[0], first.outcomes[-1]
    if not max(lowest, 0) < least <= top:
        raise ResolverError(f"explode() needs dice that come to {least} or more, and also to less")
    if least > first.outcomes[-2]:
        return exploding(first, reach)
    rerolls = rerolls_to(len(first.outcomes), reach - min(lowest, 0), least)
    whole, ends = first.denominator, Roll.of({outcome: weight for outcome, weight in first.items() if outcome < least})
    again = Roll.of({outcome: weight for outcome, weight in first.items() if outcome >= least})
    weights: defaultdict[int, int] = defaultdict(int)
    reached = Roll((0,), (1,))
    for number in range(rerolls + 1):
        scale = whole ** (rerolls - number)
        for outcome, weight in reached.plus(ends).items():
            weights[outcome] += weight * scale
        reached = reached.plus(again)
    for outcome, weight in reached.items():
        weights[outcome] += weight
    residue = Fraction(reached.denominator, whole ** (rerolls + 1))
    return Roll.of(weights, residue, None, least * (rerolls + 1) + min(lowest, 0) - 1)


def opening(first: Roll, reach: int) -> Roll:
    """On the highest or lowest outcome roll again; what follows is added only when its sign is the same."""
    top, bottom = first.outcomes[-1], first.outcomes[0]
    if not bottom < 0 < top:
        raise ResolverError("open() needs dice with outcomes on both sides of zero, such as 4dF")
    rerolls = max(rerolls_to(len(first.outcomes), reach, end) for end in (top, -bottom))
    upward = _followed(first, top, rerolls, counts_below_zero=False)
    downward = _followed(first.negated(), -bottom, rerolls, counts_below_zero=False)
    weights = {outcome: weight for outcome, weight in upward.items() if outcome > bottom}
    for outcome, weight in downward.items():
        if outcome >= -bottom:
            weights[-outcome] = weights.get(-outcome, 0) + weight
    above, below = first.exactly(top), first.exactly(bottom)
    return Roll.of(
        weights,
        above ** (rerolls + 1) + below ** (rerolls + 1),
        bottom * (rerolls + 1) + 1,
        top * (rerolls + 1) - 1,
        Series(1, top, above),
        Series(1, -bottom, below),
    )


def _followed(first: Roll, top: int, rerolls: int, counts_below_zero: bool) -> dict[int, int]:
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


def with_snake_eyes(first: Roll, worst: int | None = None) -> Roll:
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
    rising = first.rising and first.rising.shifted(max(0, lowest + 1 - first.rising.start))
    return Roll.of(weights, first.residue, None, first.exact_high, rising)


def without(first: Roll, outcomes: Iterable[int]) -> Roll:
    """Roll until none of the given outcomes shows."""
    faces = _known_exactly(first, outcomes, "without")
    weights = {outcome: weight for outcome, weight in first.items() if outcome not in faces}
    if not weights:
        raise ResolverError("without() leaves no outcome of the roll")
    residue = first.residue * Fraction(first.denominator, sum(weights.values()))
    return Roll.of(weights, residue, first.exact_low, first.exact_high, *_ends_beyond(first, faces))


def _known_exactly(first: Roll, outcomes: Iterable[int], name: str) -> set[int]:
    faces = set(outcomes)
    if unknown := sorted(face for face in faces if not first.is_exact(face)):
        raise ResolverError(f"{name}(): the chance of {unknown[0]} is not known exactly")
    return faces


def rerolled(first: Roll, outcomes: Iterable[int]) -> Roll:
    """When one of the given outcomes shows, roll once more and keep the second roll."""
    faces = _known_exactly(first, outcomes, "reroll")
    again = sum(first.weight(face) for face in faces)
    weights = {
        outcome: weight * (again + (0 if outcome in faces else first.denominator)) for outcome, weight in first.items()
    }
    residue = first.residue * (1 + Fraction(again, first.denominator))
    return Roll.of(weights, residue, first.exact_low, first.exact_high, *_ends_beyond(first, faces))


def _ends_beyond(first: Roll, faces: Iterable[int]) -> Iterator[Series | None]:
    """How the tails of a roll go on beyond some outcomes."""
    for end in (first.rising, first.falling):
        yield end and end.shifted(max([0, *(abs(face) + 1 - end.start for face in faces)]))
