"""Polyhedral Fudge: its worked examples with the answers it gives, and its computed tables against enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from refgen.game import GameRules
from refgen.notation.values import DiceText, as_number
from refgen.resolver.computed import ComputedTables
from refgen.resolver.formula.axis import level_of_number
from refgen.resolver.rolls import roll_of
from refgen.rules.model import RuleTable
from tests.conftest import Loaded, computed, game

F = Fraction

LEVELS = {
    "Legendary": 8,
    "Superb": 7,
    "Great": 6,
    "Good": 5,
    "Fair": 4,
    "Mediocre": 3,
    "Poor": 2,
    "Terrible": 1,
    "Abysmal": 0,
}

DICE = {
    "Legendary": (12, 1),
    "Superb": (12, 0),
    "Great": (10, 0),
    "Good": (8, 0),
    "Fair": (6, 0),
    "Mediocre": (4, 0),
    "Poor": (4, -1),
    "Terrible": (4, -2),
}
"""The faces of each trait's die, and the number added to it."""

WOUNDS = {
    "Scratched": (1, 4),
    "Hurt": (5, 8),
    "Very Hurt": (9, 12),
    "Incapacitated": (13, 16),
    "Near Death": (17, None),
}


@pytest.fixture
def polyhedral(loaded: Loaded) -> GameRules:
    return loaded("polyhedral-fudge")


# The rolls, without refgen


@cache
def plain(trait: str, goal: int) -> Fraction:
    """The chance that a trait's die reaches a number."""
    faces, added = DICE[trait]
    return F(sum(face + added >= goal for face in range(1, faces + 1)), faces)


@cache
def exploding_die(faces: int, goal: int) -> Fraction:
    """The chance that an exploding die reaches a number: what is still missing after the top face is rolled again."""
    if goal <= 1:
        return F(1)
    below_top = sum(face >= goal for face in range(1, faces))
    return F(below_top, faces) + F(1, faces) * exploding_die(faces, goal - faces)


def exploding(trait: str, goal: int) -> Fraction:
    faces, added = DICE[trait]
    return exploding_die(faces, goal - added)


@cache
def with_fumbles(trait: str, goal: int) -> Fraction:
    """The same with snake eyes: the lowest face twice counts as sub-Terrible, the number 0."""
    faces, _ = DICE[trait]
    return min(exploding(trait, goal), 1 - F(1, faces**2)) if goal > 0 else exploding(trait, goal)


@cache
def exactly_with_fumbles(trait: str, number: int) -> Fraction:
    return with_fumbles(trait, number) - with_fumbles(trait, number + 1)


def four_df(goal: int) -> Fraction:
    return F(sum(sum(dice) >= goal for dice in product((-1, 0, 1), repeat=4)), 81)


# Reading computed tables


def tables() -> Mapping[str, RuleTable]:
    return computed("polyhedral-fudge")


def exact(table: RuleTable, column: str, *keys: str) -> Fraction:
    """The exact number of a cell, in the row whose first cells read ``keys``."""
    index = table.index(column)
    assert index is not None, [column.id for column in table.columns]
    (found,) = [row[index].exact for row in table.rows if tuple(cell.text for cell in row[: len(keys)]) == keys]
    assert found is not None
    return found


def cells(table: RuleTable, first: int = 1) -> Iterator[tuple[list[str], str, Fraction]]:
    """The heads of the row, the title of the column and the exact number of every cell from a column on."""
    for row in table.rows:
        for column, cell in zip(table.columns[first:], row[first:], strict=True):
            assert cell.exact is not None
            yield [head.text for head in row[:first]], column.title, cell.exact


def fact(ruleset: GameRules, name: str) -> int:
    number = as_number(ruleset.facts[name].value)
    assert number is not None
    return int(number)


def dice_of_level(ruleset: GameRules, level: str) -> str:
    """The die of a level on the trait ladder."""
    (cell,) = [row[2] for row in ruleset.tables["final-ladder"].rows if row[1].text == level]
    assert isinstance(cell.value, DiceText)
    return cell.value.expression


# Worked examples


def test_every_level_has_its_die(polyhedral: GameRules) -> None:
    found = {level: dice_of_level(polyhedral, level) for level in DICE}
    assert found == {
        "Legendary": "d12+1",
        "Superb": "d12",
        "Great": "d10",
        "Good": "d8",
        "Fair": "d6",
        "Mediocre": "d4",
        "Poor": "d4-1",
        "Terrible": "d4-2",
    }


def test_the_good_climber_rolls_6_which_is_great(polyhedral: GameRules) -> None:
    assert dice_of_level(polyhedral, "Good") == "d8"
    assert level_of_number(polyhedral.ladders["trait"], 6).name == "Great"


@pytest.mark.parametrize(("rolls", "total"), [((6, 6, 1), 13), ((6, 6, 4), 16)], ids=["the safety rope", "1d6"])
def test_exploding_rolls_of_a_d6_are_added_up(polyhedral: GameRules, rolls: tuple[int, ...], total: int) -> None:
    """The d6 comes to that total in no other way, so its chance is that of these three faces."""
    assert sum(rolls) == total
    assert roll_of(polyhedral, f"explode({dice_of_level(polyhedral, 'Fair')})").exactly(total) == F(1, 6 ** len(rolls))


def test_13_is_well_past_superb(polyhedral: GameRules) -> None:
    assert LEVELS["Superb"] < 13
    assert 13 >= fact(polyhedral, "scale-end") == LEVELS["Legendary"]


def test_a_first_roll_of_1_is_terrible_and_a_second_one_a_fumble(polyhedral: GameRules) -> None:
    assert fact(polyhedral, "snake-eyes-first") == fact(polyhedral, "snake-eyes-second") == 1
    assert level_of_number(polyhedral.ladders["trait"], 1).name == "Terrible"
    assert fact(polyhedral, "snake-eyes-result") == LEVELS["Abysmal"]
    assert ComputedTables(polyhedral)["die-ends"]["Good", "fumble"].exact == F(1, 64)


def test_the_knight_has_a_damage_rating_of_9(polyhedral: GameRules) -> None:
    table = ComputedTables(polyhedral)["damage-ratings"]
    assert table["Great", "base"].exact == 6 == fact(polyhedral, "example-base-dr")
    assert table["Great", "armor-3"].exact == 6 + 3 == fact(polyhedral, "example-dr")


def test_fair_reaches_fair_in_62_percent_with_4df_and_in_50_with_a_d6(polyhedral: GameRules) -> None:
    table = ComputedTables(polyhedral)["own-level-odds"]
    assert table["Fair", "fudge"].exact == F(50, 81)
    assert [cell.text for cell in table.rows[4]] == ["Fair", "50%", "50%", "50%", "50%", "62%"]
    assert polyhedral.facts["fudge-fair-chance"].text == "62%"


@pytest.mark.parametrize("level", DICE)
def test_every_trait_reaches_its_own_level_in_50_percent(polyhedral: GameRules, level: str) -> None:
    table = ComputedTables(polyhedral)["own-level-odds"]
    found = [table[level, column].exact for column in ("stated", "plain", "exploding", "snake")]
    assert found == [F(1, 2)] * 4


def test_the_rolls_that_reach_the_own_level(polyhedral: GameRules) -> None:
    assert [polyhedral.facts[f"{name}-rolls"].text for name in ("fair", "good", "great")] == ["4-6", "5+", "6+"]


def test_poor_rolls_0_to_3_and_never_fair(polyhedral: GameRules) -> None:
    assert roll_of(polyhedral, "{poor-die}").outcomes == (0, 1, 2, 3)
    assert ComputedTables(polyhedral)["plain-odds"]["4", "poor"].exact == 0


def test_superb_may_land_anywhere_from_terrible_to_legendary(polyhedral: GameRules) -> None:
    outcomes = roll_of(polyhedral, "{superb-die}").outcomes
    assert (fact(polyhedral, "superb-worst"), fact(polyhedral, "superb-best")) == (outcomes[0], 8)
    assert outcomes[-1] >= 8


def test_a_legendary_trait_never_rolls_less_than_poor(polyhedral: GameRules) -> None:
    assert roll_of(polyhedral, dice_of_level(polyhedral, "Legendary")).outcomes[0] == 2
    assert fact(polyhedral, "legendary-worst") == 2


def test_legendary_2nd_adds_2(polyhedral: GameRules) -> None:
    assert roll_of(polyhedral, "{legendary-second}").outcomes == tuple(range(3, 15))
    assert fact(polyhedral, "legendary-step") * 2 == 2


def test_poor_never_rolls_superb_with_fudge_dice_but_may_roll_great(polyhedral: GameRules) -> None:
    best = LEVELS["Poor"] + 4
    assert best < fact(polyhedral, "fudge-poor-unreachable") == LEVELS["Superb"]
    assert best == fact(polyhedral, "fudge-poor-best") == LEVELS["Great"]


def test_the_ladder_covers_the_shares_of_a_d6(polyhedral: GameRules) -> None:
    rows = polyhedral.tables["d6-chances"].rows
    assert [row[0].text for row in rows] == ["17%", "33%", "50%", "67%", "83%", "100%"]
    assert [row[1].exact for row in ComputedTables(polyhedral)["fair-odds"].rows] == [F(n, 6) for n in range(1, 7)]


# Computed tables, by enumeration


@pytest.mark.parametrize("trait", DICE)
def test_reaching_each_level(trait: str) -> None:
    for level, number in LEVELS.items():
        column, key = trait.lower(), str(number)
        assert exact(tables()["plain-odds"], column, key, level) == plain(trait, number)
        assert exact(tables()["exploding-odds"], column, key, level) == exploding(trait, number)


@pytest.mark.parametrize("trait", ["Superb", "Great", "Good", "Fair", "Mediocre"])
def test_fudge_dice_beside_the_usual_dice(trait: str) -> None:
    table = tables()["fudge-comparison"]
    assert len(table.rows) == 5 * 8
    for level, number in list(LEVELS.items())[:-1]:
        assert exact(table, "fudge", trait, level) == four_df(number - LEVELS[trait])
        assert exact(table, "plain", trait, level) == plain(trait, number)
        assert exact(table, "exploding", trait, level) == exploding(trait, number)
        assert exact(table, "snake", trait, level) == with_fumbles(trait, number)
        assert exact(tables()["snake-odds"], trait.lower(), str(number), level) == with_fumbles(trait, number)


def test_two_d4_with_fair_at_5() -> None:
    table = tables()["curve-odds"]
    totals = [sum(dice) for dice in product(range(1, 5), repeat=2)]
    for level, number in LEVELS.items():
        on_curve = number + 1
        assert table[level, "number"].exact == on_curve
        assert table[level, "exactly"].exact == F(totals.count(on_curve), 16)
        assert table[level, "curve"].exact == F(sum(total >= on_curve for total in totals), 16)
        assert table[level, "fudge"].exact == four_df(number - 4)
        assert table[level, "die"].exact == plain("Fair", number)


@pytest.mark.parametrize("trait", DICE)
def test_the_ends_of_each_die(trait: str) -> None:
    table, (faces, added) = tables()["die-ends"], DICE[trait]
    rolls = [(first, second) for first in range(1, faces + 1) for second in range(1, faces + 1)]
    results = [0 if first == second == 1 else first + added for first, second in rolls]
    assert table[trait, "threat"].exact == table[trait, "explodes"].exact == F(1, faces)
    assert table[trait, "fumble"].exact == F(rolls.count((1, 1)), faces**2)
    assert table[trait, "terrible"].exact == F(sum(result <= 1 for result in results), faces**2)
    assert table[trait, "below"].exact == F(sum(result < 1 for result in results), faces**2)
    assert table[trait, "twice"].exact == F(rolls.count((faces, faces)), faces**2)


@pytest.mark.parametrize("trait", DICE)
def test_fudge_points(trait: str) -> None:
    """A point counts as the top face; the die that follows is enumerated, and explodes."""
    table, (faces, added) = tables()["fudge-point-odds"], DICE[trait]
    certain_with_one = faces + 1 + added >= LEVELS["Legendary"]
    shown = (0, 1) if certain_with_one else (0, 1, 2)
    assert [row[1].text for row in table.rows if row[0].text == trait] == [str(points) for points in shown]
    for points in shown:
        key = (trait, str(points))
        assert exact(table, "least", *key) == points * faces + 1 + added
        for level in ("Fair", "Good", "Great", "Superb", "Legendary"):
            goal = LEVELS[level]
            reached = with_fumbles(trait, goal) if points == 0 else exploding(trait, goal - points * faces)
            assert exact(table, f"result-{level.lower()}", *key) == reached


def test_the_safety_rope_is_certain_with_two_points() -> None:
    table = tables()["fudge-point-odds"]
    assert [exact(table, "result-superb", "Fair", points) for points in ("0", "1", "2")] == [F(1, 6), 1, 1]
    assert [exact(table, "result-legendary", "Fair", points) for points in ("0", "1", "2")] == [F(5, 36), F(5, 6), 1]


def test_contests_end_at_the_end_of_the_scale() -> None:
    win, draw = tables()["contest-win"], tables()["contest-draw"]
    capped = {
        trait: {n: exactly_with_fumbles(trait, n) for n in range(1, 8)}
        | {8: with_fumbles(trait, 8), 0: 1 - with_fumbles(trait, 1)}
        for trait in ("Superb", "Great", "Good", "Fair", "Mediocre")
    }
    for trait, foe in product(capped, repeat=2):
        assert sum(capped[trait].values()) == 1
        pairs = list(product(capped[trait].items(), capped[foe].items()))
        won = sum(p * q for (a, p), (b, q) in pairs if a > b)
        even = sum(p * q for (a, p), (b, q) in pairs if a == b)
        assert win[trait, f"foe-{foe.lower()}"].exact == won
        assert draw[trait, f"foe-{foe.lower()}"].exact == even
        assert win[foe, f"foe-{trait.lower()}"].exact == 1 - won - even


def test_damage_ratings() -> None:
    found = list(cells(tables()["damage-ratings"], first=2))
    assert len(found) == 8 * 5
    for (capacity, _), armor, number in found:
        assert number == LEVELS[capacity] + int(armor)


@pytest.mark.parametrize("strength", ["Great", "Good", "Fair"])
def test_wounds_by_strength(strength: str) -> None:
    table = tables()["strength-wounds"]
    for net in range(-9, 1):
        key = (strength, str(net))
        assert exact(table, "none", *key) == 1 - exploding(strength, 1 - net)
        for wound, (low, high) in WOUNDS.items():
            above = exploding(strength, high + 1 - net) if high else 0
            assert exact(table, f"wound-{wound.lower().replace(' ', '-')}", *key) == (
                exploding(strength, low - net) - above
            )


CUT = 200
"""Beyond this an exploding die goes less often than once in 10^19 rolls."""


def lead(trait: str, foe: str, goal: int) -> tuple[Fraction, Fraction]:
    """Bounds of the chance to be ahead by so much, in whole totals: the foe's rolls are enumerated up to a cut."""
    found = sum((exactly_with_fumbles(foe, total) * with_fumbles(trait, total + goal) for total in range(CUT)), F(0))
    return found, found + with_fumbles(foe, CUT)


@pytest.mark.parametrize("foe", ["Fair", "Good", "Great"])
@pytest.mark.parametrize("trait", ["Fair", "Good", "Great", "Superb"])
def test_the_lead_over_a_foe(trait: str, foe: str) -> None:
    for number in range(1, 9):
        least, most = lead(trait, foe, number)
        assert least <= exact(tables()[f"{foe.lower()}-foe-odds"], trait.lower(), str(number)) <= most
        assert most - least < F(1, 10**12)


@pytest.mark.parametrize("trait", ["Great", "Good", "Fair"])
@pytest.mark.parametrize("net", [0, -3, -6])
def test_wounds_by_the_relative_degree(trait: str, net: int) -> None:
    table, key = tables()["degree-wounds"], (trait, str(net))
    reached = F(0)
    for wound, (low, _) in reversed(WOUNDS.items()):
        reached += exact(table, f"wound-{wound.lower().replace(' ', '-')}", *key)
        least, most = lead(trait, trait, low - net)
        assert least <= reached <= most
        assert most - least < F(1, 10**12)
    assert exact(table, "none", *key) == 1 - reached


@pytest.mark.parametrize(("trait", "foe", "net"), [("Good", "Good", -3), ("Superb", "Fair", 2), ("Fair", "Great", -6)])
def test_an_exchange_of_blows(trait: str, foe: str, net: int) -> None:
    duel = game("polyhedral-fudge").explorers["duel"]
    wanted = zip(duel.grid.axes, (trait, foe, f"{net:+d}"), strict=True)
    chosen = [next(entry for entry in axis.entries if entry.shown.text == name) for axis, name in wanted]
    win, draw, lose, out, three, five, none, *wounds = (cell.exact or F(0) for cell in duel.answer(chosen) or ())
    assert lead(trait, foe, 1)[0] <= win <= lead(trait, foe, 1)[1]
    assert lead(trait, foe, 0)[0] <= win + draw <= lead(trait, foe, 0)[1]
    assert (lose, none) == (1 - win - draw, 1 - sum(wounds))
    assert (three, five) == (1 - (1 - out) ** 3, 1 - (1 - out) ** 5)
    assert out == wounds[-2] + wounds[-1]
    reached = F(0)
    for (low, _), chance in zip(reversed(WOUNDS.values()), reversed(wounds), strict=True):
        reached += chance
        least, most = lead(trait, foe, max(low - net, 1))
        assert least <= reached <= most


@pytest.mark.parametrize(("dice", "sides", "count", "added"), [("1d8", 8, 1, 0), ("2d6", 6, 2, 0), ("1d4+6", 4, 1, 6)])
def test_wounds_by_missile_dice(dice: str, sides: int, count: int, added: int) -> None:
    table = tables()["missile-wounds"]
    totals = [sum(faces) + added for faces in product(range(1, sides + 1), repeat=count)]
    for rating in range(1, 10):
        key = (dice, str(rating))
        assert exact(table, "none", *key) == F(sum(total <= rating for total in totals), len(totals))
        for wound, (low, high) in WOUNDS.items():
            hits = sum(low <= total - rating <= (high or total) for total in totals)
            assert exact(table, f"wound-{wound.lower().replace(' ', '-')}", *key) == F(hits, len(totals))


@pytest.mark.slow
def test_every_computed_chance_says_what_it_rests_on(polyhedral: GameRules) -> None:
    for table in ComputedTables(polyhedral).values():
        for row in table.rows:
            for column, cell in zip(table.columns, row, strict=True):
                assert column.type != "percent" or cell.exact is None or cell.sources, (table.id, column.id)
