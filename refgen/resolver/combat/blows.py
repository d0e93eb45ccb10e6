"""One attack against one avoidance: how often it hits, and how many points of damage get through.

In: the dice, and the numbers of both sides. Out: outcomes with their weights, which are whole numbers. The rules are
those of an attack that must reach a minimum and exceed the avoidance; damage is a basic amount, plus the degree by
which the attack was better, plus luck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from refgen.errors import ResolverError
from refgen.resolver.dice.cost import check_pairs
from refgen.resolver.dice.roll import Roll

_Outcome = TypeVar("_Outcome")

Weights = Mapping[_Outcome, int]
"""Outcomes with their weights; a weight divided by the sum of all is a chance."""

Points = tuple[int, bool]
"""Points of damage, 0 when no wound comes of it, and whether they come of a graze."""

Quality = tuple[int, bool]
"""What degree and luck of a hit add to its basic damage, and whether it is a graze."""


@dataclass(frozen=True, slots=True)
class Graze:
    """A hit with exactly that degree is a graze, and does at most so many points."""

    degree: int
    points: int


class Attack(NamedTuple):
    """What meets in an attack, as numbers of the ladder of traits.

    ``trait`` is what the attacker rolls with. ``avoid`` is None for a target that makes no avoidance, otherwise
    ``avoidances`` rolls are made with it and the best counts. ``basic`` is weapon and Strength less armour.
    ``scale`` is the attacker's Scale less the target's: it is added to the damage, and to the result that a hit needs.
    """

    trait: int
    avoid: int | None
    basic: int = 0
    scale: int = 0
    avoidances: int = 1


@dataclass(frozen=True, slots=True)
class Blows:
    """The rules of a blow: its dice, the result that any hit needs, what a target without an avoidance counts as."""

    dice: Weights[int]
    luck: Weights[int]
    minimum: int
    uncontested: int
    graze: Graze

    def degrees(self, attack: Attack) -> Weights[int | None]:
        """By how much the attack is better than the avoidance when it hits; None for a miss."""
        least = self.minimum + attack.scale
        avoided = self._avoided(attack)
        check_pairs(len(self.dice), len(avoided))
        hits: dict[int | None, int] = {}
        for roll, attack_weight in self.dice.items():
            result = attack.trait + roll
            if result < least:
                continue
            for avoidance, weight in avoided.items():
                if attack.avoid is None or result > avoidance:
                    hits[result - avoidance] = hits.get(result - avoidance, 0) + attack_weight * weight
        hits[None] = total_weight(self.dice) * total_weight(avoided) - total_weight(hits)
        return hits

    def _avoided(self, attack: Attack) -> Weights[int]:
        """The results of the avoidance."""
        if attack.avoid is None:
            return {self.uncontested: 1}
        rolls = best_of(self.dice, attack.avoidances)
        return {attack.avoid + roll: weight for roll, weight in rolls.items()}

    def quality(self, attack: Attack) -> Weights[Quality | None]:
        """Degree and luck added up, and whether the hit was a graze; None for a miss."""
        degrees = self.degrees(attack)
        check_pairs(len(degrees), len(self.luck))
        found: dict[Quality | None, int] = {None: degrees[None] * total_weight(self.luck)}
        for degree, degree_weight in degrees.items():
            if degree is None:
                continue
            grazed = degree == self.graze.degree
            for luck, luck_weight in self.luck.items():
                key = degree + luck, grazed
                found[key] = found.get(key, 0) + degree_weight * luck_weight
        return found

    def points(self, quality: Weights[Quality | None], basic: int) -> Weights[Points]:
        """How many points get through a basic damage, Scale included. A miss is one of the hits with 0 points."""
        found: dict[Points, int] = {(0, False): 0}
        for hit, weight in quality.items():
            points = basic + hit[0] if hit else 0
            if hit is None or points <= 0:
                found[0, False] += weight
            else:
                key = (min(points, self.graze.points), True) if hit[1] else (points, False)
                found[key] = found.get(key, 0) + weight
        return found

    def hits(self, attack: Attack) -> Fraction:
        """The chance that the attack hits, whatever damage it does."""
        degrees = self.degrees(attack)
        return 1 - Fraction(degrees[None], total_weight(degrees))


def weights_of(rolled: Roll) -> Weights[int]:
    """The weights of a roll. Raises ResolverError for an open-ended one, which has no last outcome."""
    if rolled.is_open:
        raise ResolverError("a blow needs dice with a highest and a lowest result, such as 4dF")
    return dict(rolled.items())


def total_weight(weights: Weights[_Outcome]) -> int:
    """The weight of all outcomes together."""
    return sum(weights.values())


def best_of(dice: Weights[int], rolls: int) -> Weights[int]:
    """The best of some independent rolls: the weight of n or less is that of one roll to the power of their number."""
    found: dict[int, int] = {}
    up_to = before = 0
    for outcome in sorted(dice):
        up_to += dice[outcome]
        found[outcome] = up_to**rolls - before
        before = up_to**rolls
    return found


def hits_in_a_row(chances: list[Fraction]) -> list[Fraction]:
    """The chance that the first attack hits, that the first two do, and so on; the first miss ends the row."""
    reached = Fraction(1)
    return [reached := reached * chance for chance in chances]


def hits_in_all(chances: list[Fraction]) -> list[Fraction]:
    """The chance of no hit, of one, of two, and so on, in independent attacks."""
    counts = [Fraction(1)]
    for chance in chances:
        missed = [count * (1 - chance) for count in counts]
        hit = [count * chance for count in counts]
        counts = [one + more for one, more in zip([*missed, Fraction(0)], [Fraction(0), *hit], strict=True)]
    return counts
