"""One blow: the worked examples of the documents, and every outcome of the dice counted one by one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from refgen.errors import ResolverError
from refgen.notation.rounding import rounded
from refgen.resolver.combat.blows import Attack, Blows, Graze, best_of, hits_in_a_row, hits_in_all, weights_of
from refgen.resolver.combat.melee import Melee, melee_of
from refgen.resolver.dice.evaluate import roll
from refgen.resolver.lookup import number_of_fact
from tests.conftest import Loaded, ours

F = Fraction

TERRIBLE, POOR, MEDIOCRE, FAIR, GOOD, GREAT, SUPERB = range(-3, 4)
SCRATCHED, HURT, VERY_HURT, INCAPACITATED, NEAR_DEATH = range(5)


def melee(loaded: Loaded) -> Melee:
    return melee_of(loaded("atari-isev"), "melee")


def rolled(blows: Blows, luck: int = 0) -> Blows:
    """The same rules when attack and avoidance roll 0, so that skills are results, and luck rolls so much."""
    return replace(blows, dice={0: 1}, luck={luck: 1})


def points(blows: Blows, attack: Attack) -> dict[tuple[int, bool], int]:
    """What gets through, without what cannot happen."""
    found = blows.points(blows.quality(attack), attack.basic + attack.scale)
    return {outcome: weight for outcome, weight in found.items() if weight}


def test_example_a_dagger_in_a_strong_hand(loaded: Loaded) -> None:
    """Damage +1 and Strength Good make +2; Great against Fair adds 2: 4; luck +1: 5; clothing takes 1: 4, Hurt."""
    rules, facts = melee(loaded), loaded("atari-isev")
    basic = number_of_fact(facts, "dagger-in-good-hand")
    assert number_of_fact(facts, "dagger-damage") + GOOD == basic == 2
    assert points(rolled(rules.blows), Attack(GREAT, FAIR, basic)) == {(4, False): 1}
    assert points(rolled(rules.blows, luck=1), Attack(GREAT, FAIR, basic)) == {(5, False): 1}
    armoured = basic - number_of_fact(facts, "heavy-clothing")
    assert points(rolled(rules.blows, luck=1), Attack(GREAT, FAIR, armoured)) == {(4, False): 1}
    assert rules.track("Fair").status((4, False)) == HURT


@pytest.mark.parametrize(
    ("attack", "avoid", "hits"),
    [
        (GOOD, POOR, True),  # the tavern fight: above the dodge, and better than Poor
        (GOOD, GOOD, False),  # the duel: a parry that matches is enough
        (POOR, TERRIBLE, True),  # Poor will do
        (TERRIBLE, TERRIBLE - 1, False),  # less will not
    ],
)
def test_a_hit_needs_the_minimum_and_more_than_the_avoidance(
    loaded: Loaded, attack: int, avoid: int, hits: bool
) -> None:
    assert rolled(melee(loaded).blows).hits(Attack(attack, avoid)) == hits


def test_example_a_duerager_against_an_infant_sylthaen(loaded: Loaded) -> None:
    """Scale 1 against -1: two points more, and Fair to hit; the other way two points fewer, and even Terrible hits."""
    blows, facts = rolled(melee(loaded).blows), loaded("atari-isev")
    larger = number_of_fact(facts, "duerager-scale") - number_of_fact(facts, "infant-sylthaen-scale")
    assert [blows.hits(Attack(attack, None, scale=larger)) for attack in (MEDIOCRE, FAIR)] == [0, 1]
    assert blows.hits(Attack(TERRIBLE, None, scale=-larger)) == 1
    even, up, down = (points(blows, Attack(GREAT, FAIR, 3, scale)) for scale in (0, larger, -larger))
    assert (even, up, down) == ({(5, False): 1}, {(7, False): 1}, {(3, False): 1})


def test_without_an_avoidance_the_degree_counts_from_poor(loaded: Loaded) -> None:
    blows = rolled(melee(loaded).blows)
    assert [points(blows, Attack(attack, None, 1)) for attack in (GREAT, POOR)] == [{(5, False): 1}, {(1, False): 1}]


def test_a_graze_is_held_to_four_points_and_to_hurt(loaded: Loaded) -> None:
    rules = melee(loaded)
    assert points(rolled(rules.blows, luck=4), Attack(GOOD, FAIR, 4)) == {(4, True): 1}
    assert points(rolled(rules.blows, luck=-4), Attack(GOOD, FAIR, 4)) == {(1, True): 1}
    assert points(rolled(rules.blows, luck=4), Attack(GREAT, FAIR, 4)) == {(10, False): 1}
    assert [rules.track(health).status((4, True)) for health in ("Superb", "Fair", "Poor", "Terrible")] == [HURT] * 4
    assert [rules.track(health).status((4, False)) for health in ("Superb", "Fair", "Poor", "Terrible")] == [
        HURT,
        HURT,
        VERY_HURT,
        VERY_HURT,
    ]


def test_example_initiative_of_minus_two_thirds_is_minus_one(loaded: Loaded) -> None:
    ruleset = loaded("atari-isev")
    divisor = number_of_fact(ruleset, "initiative-divisor")
    assert divisor == len(ruleset.tables["initiative-attributes"].rows)
    assert rounded(F(GOOD + FAIR + TERRIBLE, divisor)) == -1


def test_example_a_great_willpower_hides_two_levels_of_very_hurt(loaded: Loaded) -> None:
    rules, facts = melee(loaded), loaded("atari-isev")
    felt = rules.status("Very Hurt") - GREAT * number_of_fact(facts, "willpower-statuses")
    assert rules.statuses[felt].name == "Scratched"
    assert [rules.penalties[status] for status in (VERY_HURT, felt)] == [-2, 0]


# Every outcome, one by one

FOUR_DF = Counter(sum(faces) for faces in product((-1, 0, 1), repeat=4))
RULES = Blows(FOUR_DF, FOUR_DF, minimum=POOR, uncontested=POOR, graze=Graze(1, 4))


def every_outcome(attack: Attack) -> Counter[tuple[int, bool]]:
    """The points that get through, for every roll of attack, avoidance and luck, by the rules as they are printed."""
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


ATTACKS = [
    *(Attack(attack, avoid, 2) for attack in (TERRIBLE, MEDIOCRE, FAIR, GREAT) for avoid in (None, POOR, FAIR, SUPERB)),
    *(Attack(FAIR, FAIR, basic, scale) for basic in (-3, 0, 4) for scale in (-3, 2)),
    Attack(GOOD, FAIR, 1, avoidances=2),
    Attack(FAIR, GOOD, 3, 1, avoidances=2),
]


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_the_points_are_those_of_every_outcome(attack: Attack) -> None:
    expected = every_outcome(attack)
    assert points(RULES, attack) == {outcome: weight for outcome, weight in expected.items() if weight}


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_the_chance_to_hit_is_that_of_every_outcome(attack: Attack) -> None:
    """With a basic damage so high that no luck can undo it, every hit gets through."""
    sure = every_outcome(attack._replace(basic=50))
    assert RULES.hits(attack) == 1 - F(sure[0, False], sum(sure.values()))


def test_the_rules_used_here_are_those_of_the_document() -> None:
    assert melee(ours).blows == RULES


def test_the_best_of_two_rolls() -> None:
    pairs = Counter(max(pair) for pair in product((1, 2, 3), repeat=2))
    assert best_of({1: 1, 2: 1, 3: 1}, 2) == pairs == {1: 1, 2: 3, 3: 5}


def test_hits_in_a_row_and_in_all() -> None:
    chances = [F(1, 2), F(1, 3), F(1, 5)]
    assert hits_in_a_row(chances) == [F(1, 2), F(1, 6), F(1, 30)]
    assert hits_in_all(chances) == [F(4, 15), F(7, 15), F(7, 30), F(1, 30)]


def test_a_blow_needs_dice_with_an_end() -> None:
    with pytest.raises(ResolverError, match="a highest and a lowest result"):
        weights_of(roll("open(4dF)"))
