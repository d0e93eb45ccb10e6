"""Harmonies: its worked examples with the answers it prints, and what follows from its odds, by brute force."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import pytest

from refgen.errors import ResolverError
from refgen.game import GameRules
from refgen.notation.values import as_chance, as_number
from refgen.resolver.computed import ComputedTables
from refgen.resolver.rolls import roll_of
from refgen.rules.model import RuleTable
from tests.conftest import Loaded, exact, ours

F = Fraction


@pytest.fixture
def harmonies(loaded: Loaded) -> GameRules:
    return loaded("harmonies")


@cache
def printed_odds() -> Mapping[int, Fraction]:
    """The printed chance at each final difficulty."""
    found = {}
    for row in ours("harmonies").tables["odds"].rows:
        difficulty, chance = as_number(row[0].value), as_chance(row[1].value)
        assert difficulty is not None
        assert chance is not None
        found[int(difficulty)] = chance.value
    return found


def fact(ruleset: GameRules, name: str) -> Fraction:
    number = as_number(ruleset.facts[name].value)
    assert number is not None
    return number


def keys(table: RuleTable) -> list[int]:
    return [int(row[0].text) for row in table.rows]


# Worked examples of the document


def test_the_acrobat_adds_up_level_and_difficulty(harmonies: GameRules) -> None:
    parts = [fact(harmonies, f"example-{part}") for part in ("competency", "agility", "maneuver")]
    assert parts == [2, 2, 1]
    assert sum(parts) == fact(harmonies, "example-level") == 5
    assert fact(harmonies, "example-rating") + fact(harmonies, "example-adjustment") == -2
    assert fact(harmonies, "example-level") + fact(harmonies, "example-difficulty") == 3
    assert fact(harmonies, "stated-difficulty") == 3


def test_final_difficulty_3_is_a_chance_of_75_percent(harmonies: GameRules) -> None:
    difficulty = int(fact(harmonies, "stated-difficulty"))
    assert roll_of(harmonies, "chances(odds)").at_least(-difficulty) == F(3, 4) == fact(harmonies, "stated-odds")


def test_a_table_of_odds_is_no_table_of_ranges(harmonies: GameRules) -> None:
    with pytest.raises(ResolverError, match='map\\(\\) names an unknown table "odds"'):
        roll_of(harmonies, "map(d6, odds)")
    assert ComputedTables(harmonies)["margin-odds"]["+3", "margin-0"].exact == F(3, 4)


def test_the_bargainers_margin_is_2(harmonies: GameRules) -> None:
    level = sum(fact(harmonies, f"bargain-{part}") for part in ("intuition", "maneuver", "competency"))
    assert level + fact(harmonies, "bargain-difficulty") == 1 == fact(harmonies, "bargain-final")
    dice = fact(harmonies, "bargain-fortune") - fact(harmonies, "bargain-misfortune")
    assert dice == 6 - 5
    assert fact(harmonies, "bargain-final") + dice == 2 == fact(harmonies, "bargain-margin")
    assert fact(harmonies, "bargain-margin") >= fact(harmonies, "success-margin")


def test_the_parry_faces_the_same_difficulty_with_its_own_level(harmonies: GameRules) -> None:
    parry = fact(harmonies, "bargain-difficulty") + fact(harmonies, "bargain-parry")
    assert parry == -3 + 5 == fact(harmonies, "bargain-parry-final")
    table = ComputedTables(harmonies)["confrontation-odds"]
    assert table["+1", "parry-2"].exact == F(60, 100) * F(30, 100)


def test_three_actions_at_once_are_6_points_harder_each(harmonies: GameRules) -> None:
    points = fact(harmonies, "extra-action") * (3 - fact(harmonies, "actions-at-once"))
    assert points == 6
    table = ComputedTables(harmonies)["simultaneous-odds"]
    assert table["+9", "three-each"].exact == F(75, 100) == printed_odds()[9 - 6]


def test_equal_opponents_draw_in_the_step_from_40_to_50_percent(harmonies: GameRules) -> None:
    table = ComputedTables(harmonies)["opposition-odds"]
    assert [table["+0", column].exact for column in ("win", "draw", "lose")] == [F(4, 10), F(1, 10), F(5, 10)]


# What follows from the printed odds, recomputed from them alone


def test_a_margin_is_the_odds_at_a_difficulty_less_the_margin(harmonies: GameRules) -> None:
    odds, table = printed_odds(), ComputedTables(harmonies)["margin-odds"]
    margins = [int(column.title) for column in table.columns[1:]]
    assert margins == [-6, -3, -1, 0, 1, 3, 6, 9]
    assert keys(table) == [d for d in odds if all(d - margin in odds for margin in margins)]
    for row in table.rows:
        assert [cell.exact for cell in row[1:]] == [odds[int(row[0].text) - margin] for margin in margins]


def test_one_roll_wins_above_zero_and_draws_at_zero(harmonies: GameRules) -> None:
    odds, table = printed_odds(), ComputedTables(harmonies)["opposition-odds"]
    exactly = {-d: odds[d] - odds[d - 1] for d in odds if d - 1 in odds}
    for difference in keys(table):
        row = {column: exact(table[f"{difference:+d}", column]) for column in ("win", "draw", "lose")}
        assert row["draw"] == exactly[-difference]
        assert row["win"] + row["draw"] == odds[difference]
        assert sum(row.values()) == 1


FAR = 10**6


def two_rolls(difference: int) -> dict[str, tuple[Fraction, Fraction]]:
    """The least and the greatest chance of each outcome, wherever the rolls beyond the printed odds may lie."""
    odds = printed_odds()
    lowest, highest = min(odds), max(odds)
    spans = [(-d, -d, odds[d] - odds[d - 1]) for d in odds if d > lowest]
    spans += [(-lowest, FAR, odds[lowest]), (-FAR, -highest - 1, 1 - odds[highest])]
    least = dict.fromkeys(("win", "draw", "lose"), F(0))
    greatest = dict(least)
    for own_low, own_high, p in spans:
        for foe_low, foe_high, q in spans:
            low, high = own_low + difference - foe_high, own_high + difference - foe_low
            can = {"win": high > 0, "draw": low <= 0 <= high, "lose": low < 0}
            for outcome, possible in can.items():
                greatest[outcome] += p * q * possible
                least[outcome] += p * q * (possible and sum(can.values()) == 1)
    return {outcome: (least[outcome], greatest[outcome]) for outcome in least}


@pytest.mark.slow
def test_two_rolls_are_off_by_no_more_than_a_tenth_of_a_percentage_point(harmonies: GameRules) -> None:
    table = ComputedTables(harmonies)["two-roll-odds"]
    assert keys(table) == list(range(-10, 11))
    for difference in keys(table):
        bounds = two_rolls(difference)
        row = {outcome: exact(table[f"{difference:+d}", outcome]) for outcome in bounds}
        assert sum(row.values()) == 1
        for outcome, (least, greatest) in bounds.items():
            assert least <= row[outcome] <= greatest
            assert greatest - least <= F(1, 1000)


def test_two_rolls_draw_less_often_than_one(harmonies: GameRules) -> None:
    tables = ComputedTables(harmonies)
    assert exact(tables["two-roll-odds"]["+0", "draw"]) < exact(tables["opposition-odds"]["+0", "draw"])


def test_a_confrontation_needs_a_success_and_a_failed_parry(harmonies: GameRules) -> None:
    odds, table = printed_odds(), ComputedTables(harmonies)["confrontation-odds"]
    parries = [int(column.title) for column in table.columns[1:]]
    assert keys(table) == list(odds)
    for row in table.rows:
        action = int(row[0].text)
        assert [cell.exact for cell in row[1:]] == [odds[action] * (1 - odds[parry]) for parry in parries]


@pytest.mark.parametrize(("word", "count"), [("two", 2), ("three", 3), ("four", 4)])
def test_several_actions_by_listing_which_of_them_succeed(harmonies: GameRules, word: str, count: int) -> None:
    odds, table = printed_odds(), ComputedTables(harmonies)["simultaneous-odds"]
    for difficulty in keys(table):
        each = odds[difficulty - 3 * (count - 1)]
        chances = {0: F(1)}
        for _ in range(count):
            chances = {
                hits: chances.get(hits - 1, F(0)) * each + chances.get(hits, F(0)) * (1 - each)
                for hits in range(max(chances) + 2)
            }
        key = f"{difficulty:+d}"
        assert table[key, f"{word}-each"].exact == each
        assert table[key, f"{word}-all"].exact == chances[count]
        assert table[key, f"{word}-expected"].exact == sum(hits * chance for hits, chance in chances.items())


def test_three_points_halve_the_odds_below_the_even_chance(harmonies: GameRules) -> None:
    odds, table = printed_odds(), ComputedTables(harmonies)["harder-claim"]
    assert keys(table) == [d for d in odds if d - 3 in odds]
    for difficulty in keys(table):
        times = exact(table[f"{difficulty:+d}", "times"])
        assert times == odds[difficulty] / odds[difficulty - 3]
        assert table[f"{difficulty:+d}", "off"].exact == times - 2
        if difficulty <= 1:
            assert abs(times - 2) < F(1, 6)


def test_five_points_make_failing_three_times_as_hard_above_the_even_chance(harmonies: GameRules) -> None:
    odds, table = printed_odds(), ComputedTables(harmonies)["easier-claim"]
    assert keys(table) == [d for d in odds if d + 5 in odds]
    for difficulty in keys(table):
        times = exact(table[f"{difficulty:+d}", "times"])
        assert times == (1 - odds[difficulty]) / (1 - odds[difficulty + 5])
        assert table[f"{difficulty:+d}", "off"].exact == times - 3
        if difficulty >= -1:
            assert 3 <= times <= F(10, 3)


def test_the_remark_on_two_values_is_near_its_own_rule_only_with_plus_for_minus(harmonies: GameRules) -> None:
    table = ComputedTables(harmonies)["remark-odds"]
    for key in ("0", "3", "6"):
        for gap in ("first", "last"):
            share, printed, turned = (exact(table[key, f"{gap}-{column}"]) for column in ("share", "printed", "turned"))
            measure = share / (1 - share)  # of A against B: halved every 3 points, so its cube is a power of 2
            assert abs(measure**3 * 2 ** exact(table[key, f"{gap}-gap"]) - 1) < F(1, 10**40)
            assert printed < share * F(7, 10)
            assert abs(turned - share) < F(6, 100)


def test_every_figure_rests_on_printed_cells(harmonies: GameRules) -> None:
    tables = ComputedTables(harmonies)
    grids = [name for name, spec in harmonies.spec.derived.items() if spec.kind == "grid"]
    assert len(grids) == 10
    for name in grids:
        for row in tables[name].rows:
            for cell in row:
                assert cell.sources, (name, row[0].text)
