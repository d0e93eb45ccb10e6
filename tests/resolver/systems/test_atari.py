"""Atari Isev: the worked examples of the document, and its grids against every outcome of the dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

import pytest

from refgen.notation.figures import decimal
from refgen.notation.values import as_number
from refgen.rules.model import RuleTable
from tests.conftest import computed, exact, ours, texts

F = Fraction

ROLLS = [sum(faces) for faces in product((-1, 0, 1), repeat=4)]
FOUR_DF = {total: ROLLS.count(total) for total in range(-4, 5)}
LEVELS = {"Legendary": 4, "Superb": 3, "Great": 2, "Good": 1, "Fair": 0, "Mediocre": -1, "Poor": -2, "Terrible": -3}
POOR = -2

POSTURES = {
    "All-out Offence": (2, -2),
    "Aggressive": (1, -1),
    "Normal": (0, 0),
    "Defensive": (-1, 1),
    "All-out Defence": (-2, 2),
}
HASTE = {"+2": (-1, -2), "+1": (-1, -1), "0": (0, 0), "-1": (1, 0), "-2": (1, 1)}
WOUNDED = {"Scratched": 0, "Hurt": -1, "Very Hurt": -2}

OWN = [
    "hit-odds",
    "hit-chances",
    "hit-chances-dodge-and-parry",
    "posture-odds",
    "haste-odds",
    "wounded-odds",
    "position-odds",
    "ranged-odds",
    "ranged-difficulty-odds",
    "initiative-odds",
    "haste-initiative",
    "heroic-odds",
    "willpower-odds",
    "magic-odds",
    "fudge-point-odds",
]
"""The tables of chances that grids fill."""


def tables() -> Mapping[str, RuleTable]:
    return computed("atari-isev")


def chance(rolls: int, event: Callable[..., bool]) -> Fraction:
    """The chance of an event of some rolls of 4dF, outcome by outcome."""
    every = product(FOUR_DF, repeat=rolls)
    return F(sum(prod(FOUR_DF[roll] for roll in rolled) for rolled in every if event(*rolled)), 81**rolls)


@cache
def hit(attack: int, avoid: int, minimum: int = POOR) -> Fraction:
    return chance(2, lambda a, d: attack + a >= minimum and attack + a > avoid + d)


def exacts(table: RuleTable, row: int, first: int = 1) -> list[Fraction | None]:
    """The exact numbers of a row, from the column ``first`` on."""
    return [cell.exact for cell in table.rows[row][first:]]


# Worked examples of the document


def example(system: Callable[[], Mapping[str, RuleTable]]) -> None:
    """Each literal answer is printed in the document."""
    traits = {row[0].text: [cell.text for cell in row] for row in system()["initiative-traits"].rows}
    assert traits["-2"] == ["-2", "-0.67", "-1"]  # Good, Fair and Terrible: -2, an average of -0.67, which becomes -1
    # A climb that needs Fair, at Fair: -1 fails, and a Fudge point makes the roll better by +1.
    assert system()["fudge-point-odds"]["0", "skill"].exact == F(50 + 16, 81)
    # Willpower Great and a roll of 0: two statuses, from Very Hurt to Scratched. So every roll of 0 or more does it.
    assert system()["willpower-odds"]["Great", "statuses-2"].exact == chance(1, lambda roll: roll >= 0)
    # An ogre of scale 2 is some 2.3 times as strong and massive as a human.
    assert decimal(exact(system()["scale-factors"]["+2", "times"]), 1) == "2.3"


def test_worked_examples_of_our_document() -> None:
    example(tables)


def test_a_good_attack_on_a_fair_dodge() -> None:
    """The fist fight: a Good attack lands on a dodge that comes out Poor; the Good parry of a Good attack holds."""
    table = tables()["hit-chances"]
    by_hand = sum(FOUR_DF[a] * FOUR_DF[d] for a in FOUR_DF for d in FOUR_DF if 1 + a >= -2 and 1 + a > 0 + d)
    assert table["Good", "avoid-fair"].exact == F(by_hand, 6561)


def test_the_secondary_attack_of_a_good_initiative_comes_on_poor() -> None:
    delay = as_number(ours("atari-isev").facts["secondary-attack-delay"].value)
    assert delay is not None
    found = ours("atari-isev").ladders["trait"].named(LEVELS["Good"] - int(delay))
    assert found is not None
    assert found.name == "Poor"


# Attack against avoidance


def test_hit_chances_are_those_of_every_outcome() -> None:
    table = tables()["hit-chances"]
    assert [column.title for column in table.columns[2:]] == list(LEVELS)[::-1]
    for row, attack in enumerate(LEVELS.values()):
        unavoided = chance(1, lambda a, attack=attack: attack + a >= POOR)
        assert exacts(table, row) == [unavoided, *(hit(attack, avoid) for avoid in sorted(LEVELS.values()))]


def test_the_minimum_to_hit_is_what_the_odds_of_skill_against_skill_leave_out() -> None:
    even, hits = tables()["hit-odds"], tables()["hit-chances"]
    for name, attack in LEVELS.items():
        won = exact(even[f"{attack:+d}" if attack else "0", "win"])
        lost = chance(2, lambda a, d, attack=attack: POOR > attack + a > d)
        assert hits[name, "avoid-fair"].exact == won - lost
    assert texts(even, "difference", "win", "draw", "lose")[4] == ["0", "42%", "17%", "42%"]


def test_the_better_of_dodge_and_parry_counts() -> None:
    table = tables()["hit-chances-dodge-and-parry"]
    for row, attack in enumerate(LEVELS.values()):
        expected = [
            chance(3, lambda a, d, p, attack=attack, avoid=avoid: attack + a >= POOR and attack + a > avoid + max(d, p))
            for avoid in sorted(LEVELS.values())
        ]
        assert exacts(table, row) == expected


def test_postures() -> None:
    table = tables()["posture-odds"]
    assert [row[0].text for row in table.rows] == [column.title for column in table.columns[1:]] == list(POSTURES)
    for row, (attack, _) in enumerate(POSTURES.values()):
        assert exacts(table, row) == [hit(attack, defence) for _, defence in POSTURES.values()]


def test_waiting_and_hurrying() -> None:
    hits, first = tables()["haste-odds"], tables()["haste-initiative"]
    assert [row[0].text for row in hits.rows] == [column.title for column in hits.columns[1:]] == list(HASTE)
    for row, (haste, (attack, _)) in enumerate(HASTE.items()):
        assert exacts(hits, row) == [hit(attack, avoid) for _, avoid in HASTE.values()]
        expected = [chance(2, lambda a, b, lead=int(haste) - int(foe): a + lead > b) for foe in HASTE]
        assert exacts(first, row) == expected


def test_wounds_hamper_both_sides() -> None:
    table = tables()["wounded-odds"]
    assert [row[0].text for row in table.rows] == list(WOUNDED)
    for row, wounds in enumerate(WOUNDED.values()):
        assert exacts(table, row) == [hit(wounds, foe) for foe in WOUNDED.values()]


@pytest.mark.parametrize(
    ("place", "offence", "dodge", "parry"),
    [
        ("Behind enemy", 2, 0, 0),
        ("Back to enemy", -2, -1, -2),
        ("Above enemy", 1, 0, 0),
        ("Below enemy", -1, 0, 0),
        ("Prone/Lying", -2, 0, 0),
    ],
)
def test_positions(place: str, offence: int, dodge: int, parry: int) -> None:
    table = tables()["position-odds"]
    assert table[place, "hits"].exact == hit(offence, 0)
    assert table[place, "struck-dodging"].exact == hit(0, dodge)
    assert table[place, "struck-parrying"].exact == hit(0, parry)


@pytest.mark.parametrize(("weapons", "changes"), [("thrown", (0, 0, -1, -3)), ("propelled", (-1, -2, -3, -5))])
def test_missiles(weapons: str, changes: tuple[int, ...]) -> None:
    """Dodge, shield parry, other parry with its least and its greatest penalty."""
    by_skill = [row for row in tables()["ranged-odds"].rows if row[0].text == weapons]
    by_difficulty = [row for row in tables()["ranged-difficulty-odds"].rows if row[0].text == weapons]
    assert [row[1].text for row in by_skill] == [row[1].text for row in by_difficulty] == list(LEVELS)
    for level, skilled, difficult in zip(LEVELS.values(), by_skill, by_difficulty, strict=True):
        assert [cell.exact for cell in skilled[2:]] == [hit(level, change) for change in changes]
        unaware = chance(1, lambda a, level=level: a >= level)
        assert [cell.exact for cell in difficult[2:]] == [unaware, *(hit(0, change, level) for change in changes)]


# Initiative


def test_an_initiative_trait_is_the_nearest_to_a_third_of_every_sum() -> None:
    table = tables()["initiative-traits"]
    sums = sorted({sum(three) for three in product(LEVELS.values(), repeat=3)}, reverse=True)
    assert [int(row[0].text) for row in table.rows] == sums == [*range(12, -10, -1)]
    for total, row in zip(sums, table.rows, strict=True):
        nearest = [trait for _, trait in sorted((abs(3 * trait - total), trait) for trait in range(-4, 5))]
        assert row[1].exact == F(total, 3)
        assert row[2].exact == nearest[0]
        assert abs(3 * nearest[0] - total) < abs(3 * nearest[1] - total)  # no two are equally near


def test_who_goes_first_and_by_how_much() -> None:
    table = tables()["initiative-odds"]
    assert [int(row[0].text) for row in table.rows] == [*range(6, -7, -1)]
    for row, d in enumerate(range(6, -7, -1)):
        expected = [
            chance(2, lambda a, b, d=d: a + d > b),
            chance(2, lambda a, b, d=d: a + d == b),
            chance(2, lambda a, b, d=d: a + d < b),
            chance(2, lambda a, b, d=d: a + d - 3 > b),
            chance(2, lambda a, b, d=d: a + d > b - 3),
            *(chance(2, lambda a, b, d=d, lead=lead: a + d - b >= lead) for lead in (2, 3, 4)),
        ]
        assert exacts(table, row) == expected
        assert sum(expected[:3]) == 1


# Body and will


@pytest.mark.parametrize(("level", "number"), LEVELS.items())
def test_heroic_avoidance_and_willpower(level: str, number: int) -> None:
    heroic, will = tables()["heroic-odds"], tables()["willpower-odds"]
    failures = [chance(1, lambda a, hampered=hampered: number + hampered + a < 0) for hampered in (0, -1, -2)]
    assert exacts(heroic, list(LEVELS).index(level)) == [1 - failures[0], *failures]
    hidden = [chance(1, lambda a, wanted=wanted: number + a >= wanted) for wanted in (1, 2, 3, 4)]
    assert exacts(will, list(LEVELS).index(level)) == hidden


def test_a_spell_is_weakened_by_what_the_target_is_ahead() -> None:
    table = tables()["magic-odds"]
    for row, d in enumerate(range(4, -5, -1)):
        full = chance(2, lambda mage, target, d=d: mage + d >= target)
        weakened = [chance(2, lambda mage, target, d=d, less=less: target - mage - d == less) for less in (1, 2, 3, 4)]
        assert exacts(table, row) == [full, *weakened]


# Fudge points


def test_fudge_points_for_a_roll() -> None:
    table = tables()["fudge-point-odds"]
    for row, needed in enumerate(range(5, -5, -1)):
        assert table.rows[row][0].exact is None
        assert exacts(table, row) == [
            chance(1, lambda a, n=needed: a >= n),
            chance(1, lambda a, n=needed: a >= n or a + 1 >= n),
            chance(2, lambda a, b, n=needed: a >= n or b >= n),
            chance(2, lambda a, b, n=needed: a >= n or a + 1 >= n or b >= n),
        ]


def outlived(status: str, points: int) -> int:
    """Blow by blow: 1 point to be left Near Death, 2 for those who are so already."""
    blows = 0
    while points >= (cost := 2 if status == "Near Death" else 1):
        status, points, blows = "Near Death", points - cost, blows + 1
    return blows


def test_deadly_blows_outlived() -> None:
    for row in tables()["still-ticking"].rows:
        assert [cell.exact for cell in row[2:]] == [outlived(row[0].text, points) for points in (1, 2, 3, 4, 5)]


# What figures rest on


@pytest.mark.parametrize("table_id", OWN)
def test_every_chance_says_what_it_rests_on(table_id: str) -> None:
    facts, table = ours("atari-isev").facts, tables()[table_id]
    dice = {facts["dice"].span, facts["initiative-dice"].span}
    figures = [cell for row in table.rows for cell in row if cell.exact is not None]
    assert figures
    assert all(dice & set(cell.sources) for cell in figures)


@pytest.mark.parametrize(
    "table_id",
    ["hit-chances", "hit-chances-dodge-and-parry", "posture-odds", "haste-odds", "wounded-odds", "ranged-odds"],
)
def test_every_chance_to_hit_rests_on_the_minimum(table_id: str) -> None:
    minimum = ours("atari-isev").facts["minimum-hit"].span
    for row in tables()[table_id].rows:
        assert all(minimum in cell.sources for cell in row if cell.exact is not None)
