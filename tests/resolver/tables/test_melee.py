"""The tables of blows and fights: literal cells, every row against every outcome of the dice, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from refgen.bundle import bundled
from refgen.errors import ResolverError, RulesError
from refgen.game.spec import SystemSpec
from refgen.notation.rounding import Rounding
from refgen.resolver.combat.blows import Attack
from refgen.resolver.kinds import TABLE_KINDS
from refgen.resolver.tables.fights import Mitigation
from refgen.rules.load import load_ruleset
from refgen.rules.model import Table
from tests.conftest import computed, ours, texts
from tests.resolver.combat.test_blows import FOUR_DF, every_outcome

F = Fraction

LEVELS = {"Legendary": 4, "Superb": 3, "Great": 2, "Good": 1, "Fair": 0, "Mediocre": -1, "Poor": -2, "Terrible": -3}

STARTS = {  # the points at which each status begins, as the wound charts of the documents have it
    **dict.fromkeys(["Legendary", "Great", "Good", "Fair", "Mediocre"], (1, 3, 5, 7, 9)),
    "Superb": (1, 4, 7, 9, 11),
    "Poor": (1, 2, 4, 6, 8),
    "Terrible": (1, 2, 3, 5, 7),
}


def tables() -> Mapping[str, Table]:
    return computed("atari-isev")


def chances(table: Table, row: int, first: int = 1) -> list[Fraction]:
    """The exact chances of a row, from the column ``first`` on."""
    return [cell.exact for cell in table.rows[row][first:] if cell.exact is not None]


def statuses(attack: Attack, health: str) -> list[Fraction]:
    """The chance of no wound and of each status, one by one; a graze is no worse than Hurt, the second status."""
    weights = every_outcome(attack)
    found = [0] * 6
    for (points, graze), weight in weights.items():
        reached = sum(points >= start for start in STARTS[health])
        found[min(reached, 2) if graze else reached] += weight
    return [F(weight, sum(weights.values())) for weight in found]


def test_points_of_one_blow_are_those_of_every_outcome() -> None:
    exactly, or_more = tables()["blow-points"], tables()["blow-points-or-more"]
    for column, basic in enumerate(range(-3, 5), 1):
        weights = every_outcome(Attack(0, 0, basic))
        total = sum(weights.values())
        by_points = {points: weights[points, False] + weights[points, True] for points, _ in weights}
        assert [row[column].exact for row in exactly.rows] == [F(by_points.get(n, 0), total) for n in range(17)]
        assert [row[column].exact for row in or_more.rows] == [
            F(sum(weight for points, weight in by_points.items() if points >= n), total) for n in range(1, 17)
        ]


@pytest.mark.parametrize("health", LEVELS)
def test_wounds_by_health_are_those_of_every_outcome(health: str) -> None:
    table = tables()["blow-wounds"]
    assert chances(table, list(LEVELS).index(health)) == statuses(Attack(0, 0, 2), health)


@pytest.mark.parametrize("skill", LEVELS)
def test_wounds_by_skill_are_those_of_every_outcome(skill: str) -> None:
    row, attack = list(LEVELS).index(skill), LEVELS[skill]
    assert chances(tables()["blow-wounds-by-skill"], row) == statuses(Attack(attack, 0, 2), "Fair")
    assert chances(tables()["blow-wounds-unavoided"], row) == statuses(Attack(attack, None, 2), "Fair")
    assert chances(tables()["blow-wounds-by-damage"], row) == statuses(Attack(0, 0, attack), "Fair")
    both = Attack(attack, 0, 2, avoidances=2)
    assert chances(tables()["blow-wounds-dodge-and-parry"], row) == statuses(both, "Fair")


def test_scale_shifts_what_a_hit_needs_and_what_it_does() -> None:
    table = tables()["scale-odds"]
    assert texts(table, "difference", "needs", "damage", "hits") == [
        ["+3", "Good", "+3", "28%"],
        ["+2", "Fair", "+2", "37%"],
        ["+1", "Mediocre", "+1", "41%"],
        ["0", "Poor", "0", "42%"],
        ["-1", "Terrible", "-1", "42%"],
        ["-2", "Terrible", "-2", "42%"],
        ["-3", "Terrible", "-3", "42%"],
    ]
    for row, scale in enumerate(range(3, -4, -1)):
        assert chances(table, row, 4) == statuses(Attack(0, 0, 2, scale), "Fair")


def test_only_a_scratch_halves_the_levels_and_keeps_a_scratch() -> None:
    table = tables()["only-a-scratch"]
    assert texts(table, "status", "levels", "becomes") == [
        ["No wound", "0", "No wound"],
        ["Scratched", "1", "Scratched"],
        ["Hurt", "2", "Scratched"],
        ["Very Hurt", "3", "Hurt"],
        ["Incapacitated", "4", "Hurt"],
        ["Near Death", "5", "Very Hurt"],
    ]
    none, scratched, hurt, very_hurt, incapacitated, near_death = statuses(Attack(0, 0, 2), "Fair")
    mitigated = [none, scratched + hurt, very_hurt + incapacitated, near_death, 0, 0]
    assert [row[4].exact for row in table.rows] == mitigated


def test_the_first_attack_of_a_fight_is_one_blow() -> None:
    for health in LEVELS:
        blow = statuses(Attack(0, 0, 2), health)
        assert tables()["fight-by-health"][health, "within-1"].exact == blow[4] + blow[5]


def test_attacks_until_incapacitated() -> None:
    assert texts(tables()["fight-by-health"], "health", "mean", "within-3", "within-6") == [
        ["Legendary", "7.2", "21%", "49%"],
        ["Superb", "9.5", "6%", "27%"],
        ["Great", "6.1", "26%", "61%"],
        ["Good", "5.5", "29%", "70%"],
        ["Fair", "5.5", "29%", "70%"],
        ["Mediocre", "5.5", "29%", "70%"],
        ["Poor", "4.5", "41%", "81%"],
        ["Terrible", "4.0", "50%", "85%"],
    ]


def test_tables_of_fights_agree_where_they_meet() -> None:
    same = ["mean", *(f"within-{number}" for number in range(1, 7))]
    for column in same:
        by_health = tables()["fight-by-health"]["Fair", column].exact
        assert tables()["fight-by-skill"]["Fair", column].exact == by_health
        assert tables()["fight-by-damage"]["+2", column].exact == by_health


def test_each_fudge_point_makes_a_fight_longer() -> None:
    table = tables()["fight-by-health"]
    assert texts(table, "health", "mean", "mean-1", "mean-2")[2:5] == [
        ["Great", "6.1", "8.3", "10.2"],
        ["Good", "5.5", "7.5", "9.2"],
        ["Fair", "5.5", "7.5", "9.1"],
    ]
    for row in table.rows:
        none, one, two = (cell.exact or 0 for cell in row[1:4])
        assert none < one < two


def chance_to_hit(attack: int, avoid: int | None) -> Fraction:
    """Roll by roll: at least Poor (-2), and above the avoidance."""
    hits = 0
    for attack_roll, attack_weight in FOUR_DF.items():
        for avoid_roll, weight in FOUR_DF.items():
            result = attack + attack_roll
            if result >= -2 and (avoid is None or result > avoid + avoid_roll):
                hits += attack_weight * weight
    return F(hits, 81 * 81)


@pytest.mark.parametrize(("skill", "attack"), LEVELS.items())
def test_a_sweep_goes_on_while_it_hits(skill: str, attack: int) -> None:
    """At -1, -2, -3, -4: the printed first two steps, and on by the same."""
    chance = F(1)
    for number in range(1, 5):
        chance *= chance_to_hit(attack - number, 0)
        assert tables()["multi-strike-odds"][skill, f"opponents-{number}"].exact == chance


@pytest.mark.parametrize(("skill", "attack"), LEVELS.items())
@pytest.mark.parametrize(
    ("table", "second_avoid"), [("multiple-attack-odds", None), ("multiple-attack-odds-both-avoided", 0)]
)
def test_two_attacks_the_second_with_the_off_hand(
    skill: str, attack: int, table: str, second_avoid: int | None
) -> None:
    first, second = chance_to_hit(attack, 0), chance_to_hit(attack - 1, second_avoid)
    row = list(LEVELS).index(skill)
    expected = [(1 - first) * (1 - second), first + second - 2 * first * second, first * second]
    assert chances(tables()[table], row) == expected


OWN = [
    "blow-points",
    "blow-wounds",
    "blow-wounds-by-skill",
    "blow-wounds-unavoided",
    "scale-odds",
    "fight-by-skill",
    "only-a-scratch",
    "multi-strike-odds",
    "multiple-attack-odds",
]


@pytest.mark.parametrize("table_id", OWN)
def test_every_figure_says_what_it_rests_on(table_id: str) -> None:
    facts, table = ours("atari-isev").facts, tables()[table_id]
    needed = {facts[name].span for name in ("dice", "minimum-hit")}
    figures = [cell for row in table.rows for cell in row if cell.exact is not None]
    assert figures
    assert all(needed <= set(cell.sources) for cell in figures)


@pytest.mark.parametrize(
    ("table_id", "change", "message"),
    [
        ("blow-wounds", {"blow": "ranged"}, r'no rules "\[blows.ranged\]"'),
        ("blow-wounds", {"attack": "Fairish"}, '"Fairish" is neither a level nor a fact in braces'),
        ("blow-wounds", {"basic": "{dagger}"}, '"dagger" is not a fact with a whole number'),
        ("blow-wounds-by-skill", {"health": ""}, "the Health of whoever is struck is missing"),
        ("fight-by-health", {"goal": "Dead"}, '"Dead" is no wound status'),
        ("fight-by-health", {"goal": "Near Death"}, "no penalty is printed for Incapacitated"),
        (
            "only-a-scratch",
            {"mitigation": Mitigation(points="dice", share="wound-categories", rounding=Rounding.UP)},
            "not a fact with a share between 0 and 1",
        ),
        ("multiple-attack-odds", {"attacks": "no-such-fact"}, "not a fact with a whole number"),
    ],
)
def test_what_cannot_be_met_is_refused(table_id: str, change: dict[str, Any], message: str) -> None:
    ruleset = ours("atari-isev")
    spec = ruleset.spec.derived[table_id].model_copy(update=change)
    with pytest.raises(ResolverError, match=message):
        TABLE_KINDS[type(spec)](ruleset, table_id, spec)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("sparing", "mitigation", 'sparing = { points = "starting-fudge-points"'),
        ("spared-wounds", "mitigated-wounds", 'kind = "spared-wounds"'),
    ],
)
def test_an_old_word_is_refused_with_the_new_one_named(tmp_path: Path, old: str, new: str, line: str) -> None:
    copytree(bundled("content") / "atari-isev", tmp_path / "atari-isev")
    path = tmp_path / "atari-isev" / "system.toml"
    text = path.read_text(encoding="utf-8").replace(new, old)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError, match=f'"{old}" is called "{new}" now') as caught:
        load_ruleset(path.parent, SystemSpec)
    assert caught.value.span is not None
    assert text.splitlines()[caught.value.span.line - 1].startswith(line)
