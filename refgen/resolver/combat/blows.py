"""One attack against one avoidance: how often it hits, and how many points of damage get through.

In: the dice, and the numbers of both sides. Out: falls, that is ways the dice can fall, counted in whole numbers. The
rules are those of an attack that must reach a minimum and exceed the avoidance; damage is a basic amount, plus the
degree by which the attack was better, plus luck.
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

Falls = Mapping[_Outcome, int]
"""Each outcome and in how many ways the dice bring it; divided by their sum, its chance."""

Points = tuple[int, bool]
"""Points of damage, 0 when no wound comes of it, and whether they come of a graze."""

Quality = tuple[int, bool]
"""What degree and luck of a hit add to its basic damage, and whether it is a graze."""


@dataclass(frozen=True, slots=True)
class Graze:
    """A hit with exactly that degree is a graze, and does at most so many points."""

    degree: int
    points: int


class Stroke(NamedTuple):
    """What meets in an attack, as numbers of the ladder of traits.

    ``avoid`` is None for a target that makes no avoidance, otherwise ``avoidances`` rolls are made with it and the best
    counts. ``basic`` is weapon and Strength less armour. ``scale`` is the attacker's Scale less the target's: it is
    added to the damage, and to the result that a hit needs.
    """

    attack: int
    avoid: int | None
    basic: int = 0
    scale: int = 0
    avoidances: int = 1


@dataclass(frozen=True, slots=True)
class Blows:
    """The rules of a blow: its dice, the result that any hit needs, what a target without an avoidance counts as."""

    dice: Falls[int]
    luck: Falls[int]
    minimum: int
    uncontested: int
    graze: Graze

    def degrees(self, stroke: Stroke) -> Falls[int | None]:
        """By how much the attack is better than the avoidance when it hits; None for all falls that miss."""
        least = self.minimum + stroke.scale
        avoided = self._avoided(stroke)
        check_pairs(len(self.dice), len(avoided))
        hits: dict[int | None, int] = {}
        for roll, attack_ways in self.dice.items():
            attack = stroke.attack + roll
            if attack < least:
                continue
            for result, ways in avoided.items():
                if stroke.avoid is None or attack > result:
                    hits[attack - result] = hits.get(attack - result, 0) + attack_ways * ways
        hits[None] = ways_of(self.dice) * ways_of(avoided) - ways_of(hits)
        return hits

    def _avoided(self, stroke: Stroke) -> Falls[int]:
        """The results of the avoidance."""
        if stroke.avoid is None:
            return {self.uncontested: 1}
        rolls = best_of(self.dice, stroke.avoidances)
        return {stroke.avoid + roll: ways for roll, ways in rolls.items()}

    def quality(self, stroke: Stroke) -> Falls[Quality | None]:
        """Degree and luck added up, and whether the hit was a graze; None for all falls that miss."""
        degrees = self.degrees(stroke)
        check_pairs(len(degrees), len(self.luck))
        found: dict[Quality | None, int] = {None: degrees[None] * ways_of(self.luck)}
        for degree, degree_ways in degrees.items():
            if degree is None:
                continue
            grazed = degree == self.graze.degree
            for luck, luck_ways in self.luck.items():
                key = degree + luck, grazed
                found[key] = found.get(key, 0) + degree_ways * luck_ways
        return found

    def points(self, quality: Falls[Quality | None], basic: int) -> Falls[Points]:
        """How many points get through a basic damage, Scale included. Misses are among the falls with 0 points."""
        found: dict[Points, int] = {(0, False): 0}
        for hit, ways in quality.items():
            points = basic + hit[0] if hit else 0
            if hit is None or points <= 0:
                found[0, False] += ways
            else:
                key = (min(points, self.graze.points), True) if hit[1] else (points, False)
                found[key] = found.get(key, 0) + ways
        return found

    def hits(self, stroke: Stroke) -> Fraction:
        """The chance that the attack hits, whatever damage it does."""
        degrees = self.degrees(stroke)
        return 1 - Fraction(degrees[None], ways_of(degrees))


def falls_of(rolled: Roll) -> Falls[int]:
    """The falls of a roll. Raises ResolverError for an open-ended one, which has no last outcome."""
    if rolled.is_open:
        raise ResolverError("a blow needs dice with a highest and a lowest result, such as 4dF")
    return dict(rolled.items())


def ways_of(falls: Falls[_Outcome]) -> int:
    """In how many ways the dice can fall at all."""
    return sum(falls.values())


def best_of(dice: Falls[int], rolls: int) -> Falls[int]:
    """The best of some independent rolls: all of them are at most n in (ways up to n) to the power of their number."""
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
