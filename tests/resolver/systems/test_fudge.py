"""FUDGE 1995: its worked examples with the answers it gives, and every computed table against plain enumeration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor

import pytest

from refgen.game import GameRules
from refgen.notation.values import Interval, as_number
from refgen.resolver.computed import ComputedTables
from refgen.resolver.formula.axis import level_of_number
from refgen.resolver.rolls import roll_of
from refgen.rules.model import RuleTable
from tests.conftest import Loaded, computed

F = Fraction

Odds = Mapping[int, Fraction]
"""The chance of each outcome."""

LEVELS = {"Superb": 3, "Great": 2, "Good": 1, "Fair": 0, "Mediocre": -1, "Poor": -2, "Terrible": -3}


@pytest.fixture
def fudge(loaded: Loaded) -> GameRules:
    return loaded("fudge-1995")


# Each way to roll, by enumeration and without refgen


def odds_of(results: Sequence[int]) -> Odds:
    """Results that are all equally likely."""
    return {result: F(results.count(result), len(results)) for result in set(results)}


def fudge_dice(count: int) -> Odds:
    return odds_of([sum(dice) for dice in product((-1, 0, 1), repeat=count)])


def read_three_d6(total: int) -> int:
    upper_ends = (4, 5, 7, 9, 11, 13, 15, 16, 18)
    return next(result for result, end in enumerate(upper_ends, -4) if total <= end)


def read_percentile(rolled: int) -> int:
    upper_ends = (1, 6, 18, 38, 62, 82, 94, 99, 100)
    return next(result for result, end in enumerate(upper_ends, -4) if rolled <= end)


def read_four_d6(positive: Sequence[int], negative: Sequence[int]) -> int:
    """Take away every die except the lowest; one colour gives its number, both give 0."""
    lowest = min(*positive, *negative)
    if lowest in positive and lowest in negative:
        return 0
    return lowest if lowest in positive else -lowest


def read_npc_d6(first: int, second: int) -> int:
    """2-5 is the listed level, 1 worse and 6 better; the second die says by how much."""
    steps = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3}[second]
    return {1: -steps, 6: steps}.get(first, 0)


D6 = range(1, 7)
FOUR_DF = fudge_dice(4)
THREE_D6 = odds_of([read_three_d6(sum(dice)) for dice in product(D6, repeat=3)])
PERCENTILE = odds_of([read_percentile(rolled) for rolled in range(1, 101)])
FOUR_D6 = odds_of([read_four_d6(dice[:2], dice[2:]) for dice in product(D6, repeat=4)])
NPC_D6 = odds_of([read_npc_d6(first, second) for first, second in product(D6, repeat=2)])
TECHNIQUES = {
    "four-df": FOUR_DF,
    "percentile": PERCENTILE,
    "three-d6": THREE_D6,
    "four-d6": FOUR_D6,
    "five-df": fudge_dice(5),
}
NPC_METHODS = {
    "none": {0: F(1)},
    "one-die": fudge_dice(1),
    "two-dice": fudge_dice(2),
    "six-sided": NPC_D6,
    "full": FOUR_DF,
}


def chance(odds: Odds, holds: Callable[[int], bool]) -> Fraction:
    return sum((weight for outcome, weight in odds.items() if holds(outcome)), F(0))


def at_least(odds: Odds, goal: int) -> Fraction:
    return chance(odds, lambda outcome: outcome >= goal)


@cache
def _difference(left: tuple[tuple[int, Fraction], ...], right: tuple[tuple[int, Fraction], ...]) -> Odds:
    weights: dict[int, Fraction] = {}
    for (first, chance), (other, chance_other) in product(left, right):
        weights[first - other] = weights.get(first - other, F(0)) + chance * chance_other
    return weights


def difference(left: Odds, right: Odds) -> Odds:
    """One side's roll less the other's."""
    return _difference(tuple(left.items()), tuple(right.items()))


# Reading computed tables


def tables() -> Mapping[str, RuleTable]:
    return computed("fudge-1995")


def cells(table: RuleTable, first: int = 1) -> Iterator[tuple[str, str, Fraction]]:
    """The head of the row, the title of the column and the exact number of every cell from a column on."""
    for row in table.rows:
        for column, cell in zip(table.columns[first:], row[first:], strict=True):
            assert cell.exact is not None
            yield row[0].text, column.title, cell.exact


def fact(ruleset: GameRules, name: str) -> int:
    number = as_number(ruleset.facts[name].value)
    assert number is not None
    return int(number)


def shifted(ruleset: GameRules, level: str, by: int) -> str:
    """The level so many steps from another."""
    ladder = ruleset.ladders["trait"]
    (start,) = [step.value for step in ladder.levels if step.name == level]
    return level_of_number(ladder, start + by).name


def looked_up(ruleset: GameRules, table: str, rolled: int) -> int:
    """The result of a roll in a table of ranges."""
    rows = ruleset.tables[table].rows
    (number,) = [
        as_number(row[1].value) for row in rows if isinstance(row[0].value, Interval) and rolled in row[0].value
    ]
    assert number is not None
    return int(number)


# Worked examples: rolled degrees


@pytest.mark.parametrize(
    ("level", "roll", "result"),
    [
        ("Good", 0, "Good"),  # the archer
        ("Good", +1, "Great"),
        ("Good", -3, "Poor"),
        ("Great", +2, "Superb +1"),  # the ship between the asteroids
        ("Fair", +2, "Great"),  # the poem
        ("Great", +1, "Superb"),  # the guide on the cliff
        ("Good", -1, "Fair"),  # her companion
        ("Superb", +4, "Superb +4"),  # the save that everybody remembers
        ("Terrible", -4, "Terrible -4"),
        ("Mediocre", +1, "Fair"),  # exceptionally fine picks
    ],
)
def test_a_roll_moves_the_trait_along_the_ladder(fudge: GameRules, level: str, roll: int, result: str) -> None:
    assert shifted(fudge, level, roll) == result


def test_legendary_is_one_step_beyond_superb(fudge: GameRules) -> None:
    assert fact(fudge, "legendary") == LEVELS["Superb"] + 1 == fact(fudge, "beyond-superb-first")
    assert fact(fudge, "beyond-superb-last") == LEVELS["Superb"] + max(FOUR_DF) == 7
    assert fact(fudge, "below-terrible-last") == LEVELS["Terrible"] + min(FOUR_DF) == -7


def test_the_pilot_is_past_a_great_difficulty(fudge: GameRules) -> None:
    assert LEVELS["Great"] + 2 > fact(fudge, "far-target-difficulty") == LEVELS["Great"]
    assert ComputedTables(fudge)["action-odds"]["Great", "great"].exact == F(50, 81)


def test_the_second_climber_is_one_level_short(fudge: GameRules) -> None:
    assert LEVELS[shifted(fudge, "Good", -1)] - fact(fudge, "hard-cliff-difficulty") == -1


def test_the_situational_roll_is_read_on_the_ladder(fudge: GameRules) -> None:
    rows = fudge.tables["situational-roll"].rows
    assert [(row[0].text, row[1].text) for row in rows] == [("0", "Fair"), ("+1", "Good"), ("-1", "Mediocre")]


def test_hurt_lowers_good_to_fair(fudge: GameRules) -> None:
    assert shifted(fudge, "Good", fact(fudge, "hurt-modifier")) == "Fair"


def test_a_good_second_trait_makes_good_research_great(fudge: GameRules) -> None:
    assert LEVELS["Good"] >= fact(fudge, "second-trait-level")
    assert shifted(fudge, "Good", fact(fudge, "second-trait-bonus")) == "Great"


# Worked examples: reading the dice


def test_two_greens_a_white_and_a_red_die_add_up_to_1(fudge: GameRules) -> None:
    values = {row[0].text: as_number(row[1].value) for row in fudge.tables["die-colors"].rows}
    assert values == {"green": 1, "red": -1, "white": 0}
    assert sum(values[color] or 0 for color in ("green", "green", "white", "red")) == 1


@pytest.mark.parametrize(
    ("positive", "negative", "result"),
    [((4, 3), (3, 3), 0), ((1, 1), (2, 4), 1)],
    ids=["both colours remain", "one colour remains"],
)
def test_reading_4d6(positive: tuple[int, int], negative: tuple[int, int], result: int) -> None:
    """The reading that the table of 4d6 is compared with gives what the text says."""
    assert read_four_d6(positive, negative) == result


def test_3_3_6_is_12_is_plus_1(fudge: GameRules) -> None:
    assert 3 + 3 + 6 == 12
    assert looked_up(fudge, "three-d6", 12) == +1


@pytest.mark.parametrize(("rolled", "result"), [(1, -4), (38, -1), (39, 0), (62, 0), (63, 1), (100, 4)])
def test_percentile_dice_are_looked_up(fudge: GameRules, rolled: int, result: int) -> None:
    assert looked_up(fudge, "percentile", rolled) == result == read_percentile(rolled)


def test_4d3_less_8_is_the_same_as_4df(fudge: GameRules) -> None:
    for dice in ("{equal-dice}", "{fudge-dice}"):
        rolled = roll_of(fudge, dice)
        assert {n: rolled.exactly(n) for n in rolled.outcomes} == FOUR_DF


def test_fair_reaches_good_about_two_times_in_five(fudge: GameRules) -> None:
    found = ComputedTables(fudge)["action-odds"]["Fair", "good"].exact
    assert found == F(31, 81)
    assert floor(found * 5 + F(1, 2)) == 2


def test_an_even_result_comes_up_in_50_6_percent(fudge: GameRules) -> None:
    (row,) = ComputedTables(fudge)["even-odds"].rows
    assert row[1].text == row[2].text == "50.6%"
    assert row[2].exact == F(41, 81)


# Worked examples: opposed actions, reactions, defaults


@pytest.mark.parametrize(
    ("trait", "foe", "degree"),
    [("Good", "Mediocre", 2), ("Mediocre", "Good", -2), ("Great", "Great", 0), ("Great", "Superb", -1)],
)
def test_the_relative_degree_counts_levels(fudge: GameRules, trait: str, foe: str, degree: int) -> None:
    ladder = {level.name: level.value for level in fudge.ladders["trait"].levels}
    assert ladder[trait] - ladder[foe] == degree


def test_at_a_relative_degree_of_0_nothing_changes(fudge: GameRules) -> None:
    assert fact(fudge, "status-quo") == 0


def test_a_mediocre_telepath_fails_even_against_poor(fudge: GameRules) -> None:
    assert LEVELS["Mediocre"] > LEVELS["Poor"]
    assert LEVELS["Mediocre"] < fact(fudge, "telepathy-minimum") == LEVELS["Fair"]


def test_charm_and_talk_are_cancelled_by_a_dangerous_subject(fudge: GameRules) -> None:
    modifiers = [fact(fudge, f"reaction-{name}") for name in ("charisma", "talk", "danger")]
    assert modifiers == [1, 1, -2]
    table = ComputedTables(fudge)["reaction-odds"]
    assert table[str(sum(modifiers)), "mild"].exact == F(19, 81)


def test_the_untrained_palm_coins_at_poor_or_with_dexterity_at_mediocre(fudge: GameRules) -> None:
    assert (fact(fudge, "default-skill"), fact(fudge, "raised-default")) == (-2, -1)


def test_a_trained_climber_mostly_gets_up_a_fair_cliff_and_an_untrained_one_does_not(fudge: GameRules) -> None:
    table = ComputedTables(fudge)["default-odds"]
    assert table["Fair", "trained"].exact == F(50, 81) > F(1, 2)
    assert table["Fair", "untrained"].exact == F(15, 81) < F(1, 2)


def test_an_npc_without_a_roll_always_has_0(fudge: GameRules) -> None:
    assert fact(fudge, "npc-result") == 0


# Every cell of every computed table, by enumeration


@pytest.mark.parametrize(("column", "odds"), TECHNIQUES.items(), ids=TECHNIQUES)
def test_each_technique(column: str, odds: Odds) -> None:
    for roll in range(-5, 6):
        key = f"{roll:+d}" if roll else "0"
        assert tables()["technique-odds"][key, column].exact == odds.get(roll, 0)
        if column != "five-df":
            assert tables()["techniques"][key, column].exact == at_least(odds, roll)
        if column != "four-df":
            found = tables()["technique-differences"][key, column].exact
            assert found == (at_least(odds, roll) - at_least(FOUR_DF, roll)) * 100


@pytest.mark.parametrize(("column", "odds"), TECHNIQUES.items(), ids=TECHNIQUES)
def test_even_results_and_natural_criticals(column: str, odds: Odds) -> None:
    assert tables()["even-odds"]["Even", column].exact == chance(odds, lambda outcome: outcome % 2 == 0)
    criticals = tables()["natural-criticals"]
    assert criticals["Critical success", column].exact == chance(odds, lambda outcome: outcome >= 4)
    assert criticals["Critical failure", column].exact == chance(odds, lambda outcome: outcome <= -4)


@pytest.mark.parametrize(
    ("table", "odds"),
    [
        ("action-odds", FOUR_DF),
        ("percentile-odds", PERCENTILE),
        ("three-d6-odds", THREE_D6),
        ("four-d6-odds", FOUR_D6),
    ],
)
def test_a_task_with_each_technique(table: str, odds: Odds) -> None:
    found = list(cells(tables()[table], first=2))
    assert len(found) == 7 * 7
    for trait, difficulty, number in found:
        needed = LEVELS[difficulty] - LEVELS[trait]
        assert number == at_least(odds, needed)


Holds = Callable[[int, str, str], bool]
"""Whether a roll of 4dF meets the cell of a row and a column."""


OF_FOUR_DF: Mapping[str, tuple[int, int, Holds]] = {
    "beyond-superb": (2, 4 * 7, lambda roll, degree, trait: roll + LEVELS[trait] >= int(degree)),
    "below-terrible": (2, 4 * 7, lambda roll, degree, trait: roll + LEVELS[trait] <= int(degree)),
    "modified-odds": (1, 13 * 7, lambda roll, ahead, modifier: roll + int(ahead) + int(modifier) >= 0),
    "critical-successes": (1, 49, lambda roll, trait, goal: roll + LEVELS[trait] - LEVELS[goal] >= 4),
    "critical-failures": (1, 49, lambda roll, trait, goal: roll + LEVELS[trait] - LEVELS[goal] <= -4),
    "situational-modified": (1, 49, lambda roll, level, modifier: roll + int(modifier) >= LEVELS[level]),
}


@pytest.mark.parametrize("table", OF_FOUR_DF)
def test_tables_of_one_roll(table: str) -> None:
    first, count, holds = OF_FOUR_DF[table]
    found = list(cells(tables()[table], first))
    assert len(found) == count
    for row, column, number in found:
        assert number == sum(weight for roll, weight in FOUR_DF.items() if holds(roll, row, column))


def test_the_sample_tasks_need_the_levels_of_the_text(fudge: GameRules) -> None:
    found = [(row[0].text, row[1].text) for row in ComputedTables(fudge)["sample-odds"].rows]
    assert found == [
        ("Cliff with a rope", "Poor"),
        ("Large target, close by", "Mediocre"),
        ("Cliff with handholds", "Fair"),
        ("Difficult cliff", "Good"),
        ("Forbidding cliff", "Great"),
        ("Small target, far away", "Great"),
    ]


def test_the_sample_tasks() -> None:
    table = tables()["sample-odds"]
    difficulties = {row[0].text: LEVELS[row[1].text] for row in table.rows}
    for task, trait, number in cells(table, first=2):
        needed = difficulties[task] - LEVELS[trait]
        assert number == at_least(FOUR_DF, needed)


def reaching(needed: int) -> Fraction:
    """The chance that 4dF shows a number or more."""
    return at_least(FOUR_DF, needed)


def test_defaults() -> None:
    table = tables()["default-odds"]
    for name, difficulty in LEVELS.items():
        untrained, trained = reaching(difficulty + 2), reaching(difficulty)
        assert table[name, "untrained"].exact == untrained
        assert table[name, "attribute"].exact == reaching(difficulty + 1)
        assert table[name, "trained"].exact == trained
        assert table[name, "cost"].exact == trained - untrained


def test_help_before_and_after_the_roll() -> None:
    table = tables()["help-odds"]
    assert len(table.rows) == 13
    for row in table.rows:
        key = row[0].text
        ahead = int(key)
        plain, helped = reaching(-ahead), reaching(-ahead - 1)
        assert table[key, "plain"].exact == plain
        assert table[key, "helped"].exact == helped
        assert table[key, "gain"].exact == helped - plain
        assert table[key, "large"].exact == reaching(-ahead - 2)
        tries = product(FOUR_DF, repeat=2)
        assert table[key, "again"].exact == sum(FOUR_DF[a] * FOUR_DF[b] for a, b in tries if max(a, b) + ahead >= 0)
        assert table[key, "both"].exact == 1 - (1 - helped) ** 2
        assert table[key, "certain"].exact == next(bonus for bonus in range(20) if reaching(-ahead - bonus) == 1)


@pytest.mark.parametrize("count", [2, 3])
def test_several_rolls_in_a_row(count: int) -> None:
    table = tables()["several-rolls"]
    for needed in range(-4, 5):
        everyone = any_one = F(0)
        for rolls in product(FOUR_DF, repeat=count):
            weight = F(1)
            for roll in rolls:
                weight *= FOUR_DF[roll]
            everyone += weight * (min(rolls) >= needed)
            any_one += weight * (max(rolls) >= needed)
        key = f"{needed:+d}" if needed else "0"
        assert table[key, f"all-{count}"].exact == everyone
        assert table[key, f"any-{count}"].exact == any_one


@pytest.mark.parametrize("count", [4, 5])
def test_more_rolls_in_a_row(count: int) -> None:
    table = tables()["several-rolls"]
    assert table["+1", f"all-{count}"].exact == F(31**count, 81**count)
    assert table["+1", f"any-{count}"].exact == 1 - F(50**count, 81**count)


def assert_contest(table: RuleTable, prefix: str, margin: Odds) -> None:
    """The columns win, draw and lose that share a prefix, for every row of differences."""
    for row in table.rows:
        key = row[0].text
        ahead = int(key)
        assert table[key, f"{prefix}win"].exact == at_least(margin, 1 - ahead)
        assert table[key, f"{prefix}draw"].exact == margin.get(-ahead, F(0))
        assert table[key, f"{prefix}lose"].exact == 1 - at_least(margin, -ahead)


def test_a_contest() -> None:
    assert [row[0].text for row in tables()["contest-odds"].rows] == ["+3", "+2", "+1", "0", "-1", "-2", "-3"]
    assert_contest(tables()["contest-odds"], "", difference(FOUR_DF, FOUR_DF))


@pytest.mark.parametrize("technique", ["percentile", "three-d6", "four-d6"])
def test_a_contest_with_other_dice(technique: str) -> None:
    table, odds = tables()["contest-techniques"], TECHNIQUES[technique]
    assert len(table.rows) == 13
    assert_contest(table, f"{technique}-", difference(odds, odds))


@pytest.mark.parametrize("method", NPC_METHODS)
def test_an_npc_who_rolls_fewer_dice(method: str) -> None:
    odds = NPC_METHODS[method]
    for change in range(-4, 5):
        key = f"{change:+d}" if change else "0"
        assert tables()["npc-rolls"][key, method].exact == odds.get(change, 0)
    assert_contest(tables()["npc-contests"], f"{method}-", difference(FOUR_DF, odds))


def test_the_chance_of_each_relative_degree() -> None:
    margin = difference(FOUR_DF, FOUR_DF)
    found = list(cells(tables()["relative-degrees"]))
    assert len(found) == 13 * 8
    for ahead, degree, number in found:
        needed = int(degree) - int(ahead)
        assert number == at_least(margin, needed)


def test_a_contest_with_a_minimum_level() -> None:
    found = list(cells(tables()["minimum-odds"]))
    assert len(found) == 49
    for trait, foe, number in found:
        level, foe_level = LEVELS[trait], LEVELS[foe]
        assert number == sum(
            FOUR_DF[first] * FOUR_DF[other]
            for first, other in product(FOUR_DF, repeat=2)
            if first + level > other + foe_level and first + level >= LEVELS["Fair"]
        )


def test_the_melee_criticals() -> None:
    totals = [sum(dice) for dice in product(D6, repeat=2)]
    rows = tables()["melee-critical-odds"].rows
    assert [row[2].exact for row in rows] == [2, 3, 4, 5, 6, 7, 8]
    for row in rows:
        assert row[2].exact is not None
        rolled = int(row[2].exact)
        assert row[3].exact == F(totals.count(rolled), 36)
        assert row[4].exact == F(sum(total <= rolled for total in totals), 36)
        assert row[5].exact == F(sum(total > rolled for total in totals), 36)
    assert rows[-1][5].exact == F(10, 36)  # 9 to 12 are left to the referee


def test_reactions() -> None:
    table = tables()["reaction-odds"]
    for modifier in range(-4, 5):
        key = f"{modifier:+d}" if modifier else "0"
        assert table[key, "good"].exact == reaching(1 - modifier)
        assert table[key, "mild"].exact == FOUR_DF.get(-modifier, 0)
        assert table[key, "none"].exact == 1 - reaching(-modifier)


def test_every_computed_chance_says_what_it_rests_on(fudge: GameRules) -> None:
    for table in ComputedTables(fudge).values():
        for row in table.rows:
            for column, cell in zip(table.columns, row, strict=True):
                assert column.type != "percent" or cell.exact is None or cell.sources, (table.id, column.id)
