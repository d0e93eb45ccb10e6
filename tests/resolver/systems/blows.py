"""One blow of Atari Isev counted slowly: every outcome of attack, avoidance and luck, by the rules as printed."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import NamedTuple

FOUR_DF = Counter(sum(faces) for faces in product((-1, 0, 1), repeat=4))
TERRIBLE, POOR, MEDIOCRE, FAIR, GOOD, GREAT, SUPERB = range(-3, 4)


class Attack(NamedTuple):
    """What meets in an attack; ``avoid`` is None for a target that makes no avoidance."""

    trait: int
    avoid: int | None
    basic: int = 0
    scale: int = 0
    avoidances: int = 1


def every_outcome(attack: Attack) -> Counter[tuple[int, bool]]:
    """The points that get through, and whether of a graze, for every roll."""
    found: Counter[tuple[int, bool]] = Counter()
    rolls = attack.avoidances if attack.avoid is not None else 0
    for attack_roll, luck, *avoid_rolls in product(FOUR_DF, repeat=2 + rolls):
        weight = FOUR_DF[attack_roll] * FOUR_DF[luck]
        for avoid_roll in avoid_rolls:
            weight *= FOUR_DF[avoid_roll]
        result = attack.trait + attack_roll
        avoid = POOR if attack.avoid is None else attack.avoid + max(avoid_rolls)
        hit = result >= POOR + attack.scale and (attack.avoid is None or result > avoid)
        damage = attack.basic + attack.scale + result - avoid + luck if hit else 0
        graze = hit and damage > 0 and result - avoid == 1
        found[max(0, min(damage, 4) if graze else damage), graze] += weight
    return found
