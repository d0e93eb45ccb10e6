"""Interactive History: the worked examples of the document, and its grids against slow counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import ceil
from operator import mul

import pytest

from refgen.notation.figures import decimal
from refgen.notation.values import Interval, Level
from refgen.resolver.computed import ComputedTables
from refgen.rules.model import RuleTable
from tests.conftest import Loaded, game, ours, texts

F = Fraction

ROLLS = [sum(faces) for faces in product((-1, 0, 1), repeat=4)]
FOUR_DF = Counter(ROLLS)
LEVELS = {
    "Legendary": 4,
    "Superb": 3,
    "Great": 2,
    "Good": 1,
    "Fair": 0,
    "Mediocre": -1,
    "Poor": -2,
    "Terrible": -3,
    "Miserable": -4,
}
TASKS = {"Epic": 4, "Huge": 3, "Very hard": 2, "Hard": 1, "Normal": 0, "Easy": -1}


@cache
def tables_of(loaded: Loaded) -> Mapping[str, RuleTable]:
    return ComputedTables(loaded("interactive-history"))


@pytest.fixture
def tables(loaded: Loaded) -> Mapping[str, RuleTable]:
    return tables_of(loaded)


def exacts(table: RuleTable, row: int, first: int = 1) -> list[Fraction | None]:
    return [cell.exact for cell in table.rows[row][first:]]


def signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def four_df(least: int) -> Fraction:
    """The chance of 4DF at that number or more."""
    return F(sum(roll >= least for roll in ROLLS), 81)


def open_ended(least: int) -> Fraction:
    """The same open-ended: past +4 one has rolled +4 and then the rest, and it is as likely to be as far below."""
    if least > 4:
        return F(1, 81) * open_ended(least - 4)
    return four_df(least) if least > -4 else 1 - open_ended(1 - least)


# Worked examples of the document


@pytest.mark.parametrize(
    ("aria", "level"), [("20", "Legendary"), ("19", "Legendary"), ("12", "Fair"), ("1", "Miserable")]
)
def test_aria_values_from_1_to_20(tables: Mapping[str, RuleTable], aria: str, level: str) -> None:
    assert [aria, level] in texts(tables["aria-wide"], "aria", "level")
    assert tables["aria-wide"][aria, "value"].exact == LEVELS[level]


def test_every_aria_value_has_one_level_and_goes_back_into_its_range(tables: Mapping[str, RuleTable]) -> None:
    back = {row[0].exact or LEVELS[row[0].text.split()[0]]: row for row in tables["aria-back"].rows}
    for table, low, high, values in (("aria-wide", 1, 2, range(20, 0, -1)), ("aria-narrow", 4, 5, range(10, -1, -1))):
        assert [int(row[0].text) for row in tables[table].rows] == [*values]
        for row in tables[table].rows:
            found = back[int(row[2].exact or 0)]
            assert (found[low].exact or 0) <= int(row[0].text) <= (found[high].exact or 0)
    assert [cell.text for cell in back[4][1:]] == ["19", "20", "19.5", "10", "10", "10.0"]


def test_halving_gives_each_row_of_success_values_one_value(loaded: Loaded) -> None:
    def halved(result: int) -> int:
        return ceil(F(result, 2)) if result > 0 else -ceil(F(-result, 2))

    table = loaded("interactive-history").tables["success-values"]
    bands = [row[0].value for row in table.rows]
    values = []
    for band in bands:
        assert isinstance(band, Interval)
        numbers = [number for number in range(-8, 9) if number in band]
        values.append({halved(number) for number in numbers})
    assert values == [{value} for value in range(4, -5, -1)]


def test_the_odds_of_each_success_are_those_of_the_halved_roll(tables: Mapping[str, RuleTable]) -> None:
    success, halved = tables["success-odds"], tables["halved-odds"]
    at_zero = success.index("0")
    assert at_zero is not None
    assert [row[at_zero].exact for row in success.rows] == [row[2].exact for row in halved.rows]


def test_aria_modifiers_are_halved(tables: Mapping[str, RuleTable]) -> None:
    assert texts(tables["aria-modifiers"], "modifier", "fudge")[:4] == [
        ["-6", "-3"],
        ["-5", "-3"],
        ["-4", "-2"],
        ["-3", "-2"],
    ]
    assert [row[1].exact for row in tables["aria-modifiers"].rows] == [F(number, 2) for number in range(-6, 7)]


def test_result_is_skill_less_task_plus_dice(tables: Mapping[str, RuleTable]) -> None:
    table = tables["task-odds"]
    for row, skill in zip(table.rows, LEVELS.values(), strict=True):
        reached = [open_ended(task - skill) for task in (-1, 0, 1, 2, 3, 4)]
        assert [cell.exact for cell in row[2:]] == reached


def test_a_fair_society_has_30_000_in_arms(tables: Mapping[str, RuleTable]) -> None:
    """2 mil times 1.5%; one size down and one size up are its standing and its provisional forces."""
    (fair,) = [row for row in tables["army-sizes"].rows if row[0].text == "Fair"]
    assert [cell.text for cell in fair] == ["Fair", "30,000", "30,000", "10,000", "100,000"]


@pytest.mark.parametrize(("won_by", "ratio", "sizes"), [("+2", "1:3", "+1"), ("+8", "1:9", "+2"), ("+1", "1:2", "0")])
def test_win_loss_ratios(tables: Mapping[str, RuleTable], won_by: str, ratio: str, sizes: str) -> None:
    assert [won_by, ratio, sizes] in texts(tables["battle-losses"], "result", "ratio", "sizes")


def test_two_percent_a_year_come_to_nearly_ten_in_five(tables: Mapping[str, RuleTable]) -> None:
    table = tables["disaster-years"]
    assert texts(table, "years", "stated", "rolled")[4] == ["5", "9.6%", "11.8%"]
    for row in table.rows:
        years = int(row[0].text)
        extreme = F(sum(abs(roll) == 4 for roll in ROLLS), 81)
        assert exacts(table, table.rows.index(row)) == [
            1 - F(98, 100) ** years,
            1 - (1 - extreme) ** years,
            years * extreme,
        ]


def test_years_until_a_breakthrough_is_normal(tables: Mapping[str, RuleTable]) -> None:
    table = tables["technology-years"]
    assert [decimal(row[2].exact or F(0), 2) for row in table.rows] == ["5.56", "16.67", "100.00"]
    assert [row[4].exact for row in table.rows] == [F(81, 15), F(81, 5), F(81)]


def test_four_over_n_plus_four(tables: Mapping[str, RuleTable]) -> None:
    shares = [tables["strategic-odds"][str(years), "share"].exact for years in range(2, 11)]
    assert shares == [F(4, years + 4) for years in range(2, 11)]


# Armies

POPULATION = {
    "Vast": 500_000_000,
    "Huge": 500_000_000,
    "Great": 200_000_000,
    "Big": 20_000_000,
    "Fair": 2_000_000,
    "Mediocre": 200_000,
    "Small": 20_000,
    "Very small": 2_000,
    "Tiny": 200,
}
NOMINAL = [200, 1_000, 3_000, 10_000, 30_000, 100_000, 200_000, 500_000, 500_000]
"""From Tiny to Vast."""

TYPES = {"Standing": (0, -1), "Provisional": (-1, 1)}
ORIENTATIONS = {
    "Survival": (0, 2),
    "War": (1, 1),
    "Conquest": (1, 1),
    "Equilibrium": (0, 0),
    "Peace": (0, -1),
    "Knowledge": (-1, -1),
}
INFRASTRUCTURES = {
    "Professional": (2, 0),
    "Mercenary": (1, 0),
    "Feudal": (1, 0),
    "Conscript": (0, 0),
    "Volunteer, militia": (1, 0),
    "All-inclusive": (2, 2),
}
TURNED = ("Volunteer, militia", "All-inclusive")
"""Their force goes up or down as the orientation has it."""


def people(society: str, steps: int) -> Fraction:
    """The nominal army so many sizes off, never more than everybody."""
    size = [*POPULATION][::-1].index(society) + steps
    army = F(NOMINAL[min(max(size, 0), 8)])
    while size > 8:
        army, size = army * 3, size - 1
    while size < 0:
        army, size = army / 3, size + 1
    return min(army, F(POPULATION[society]))


def test_every_army_of_every_society(tables: Mapping[str, RuleTable]) -> None:
    table = tables["military-forces"]
    armies = [*product(TYPES, ORIENTATIONS, INFRASTRUCTURES)]
    assert [tuple(cell.text for cell in row[:3]) for row in table.rows] == armies
    assert [column.title for column in table.columns[5:]] == list(POPULATION)
    for (kind, orientation, infrastructure), row in zip(armies, table.rows, strict=True):
        force, size = TYPES[kind]
        change, steps = ORIENTATIONS[orientation]
        more, further = INFRASTRUCTURES[infrastructure]
        turned = more * ((change > 0) - (change < 0)) if infrastructure in TURNED else more
        expected = [F(force + change + turned), F(size + steps + further)]
        assert [cell.exact for cell in row[3:5]] == expected
        assert [cell.exact for cell in row[5:]] == [people(society, size + steps + further) for society in POPULATION]


def test_an_army_is_a_bound_only_when_its_own_number_is_one(tables: Mapping[str, RuleTable]) -> None:
    """A Vast society has more than 500 mil people, but its army of Huge size has 500,000."""
    rows = {tuple(cell.text for cell in row[:3]): row[5].text for row in tables["military-forces"].rows}
    assert rows["Standing", "Equilibrium", "Conscript"] == "500,000"
    assert rows["Standing", "War", "Conscript"] == ">500,000"
    assert rows["Provisional", "Survival", "All-inclusive"] == ">121,500,000"


def test_raising_the_secondary_forces(tables: Mapping[str, RuleTable]) -> None:
    table = tables["call-up"]
    assert texts(table, "step", "size", "cost") == [
        ["-1", "0", "0"],
        ["0", "+1", "-1"],
        ["+1", "+2", "-2"],
        ["+2", "+3", "-3"],
    ]
    for row, step in zip(table.rows, (-1, 0, 1, 2), strict=True):
        assert [cell.exact for cell in row[3:]] == [people(society, 1 + step) for society in POPULATION]


# Battles


def lead(event: Callable[[int], bool]) -> Fraction:
    """The chance of an event of one 4DF less another."""
    return F(sum(event(ours - theirs) for ours in ROLLS for theirs in ROLLS), 81 * 81)


def won(ahead: int) -> Fraction:
    return lead(lambda margin: margin + ahead > 0)


def test_modifiers_of_a_battle(tables: Mapping[str, RuleTable]) -> None:
    for row, difference in zip(tables["battle-edge"].rows, range(4, -5, -1), strict=True):
        assert row[0].text == signed(difference)
        assert [cell.exact for cell in row[1:]] == [won(difference + change) for change in (0, 1, -1, -1)]


def test_losses_by_ratio(tables: Mapping[str, RuleTable]) -> None:
    sizes = [0, 1, 1, 1, 1, 1, 1, 2]  # one at 1:3, two at 1:9
    for row, won_by, more in zip(tables["battle-losses"].rows, range(1, 9), sizes, strict=True):
        ratio = won_by + 1
        assert [cell.exact for cell in row[1:]] == [ratio, more, F(ratio, 27), F(ratio, 9), F(ratio, 3)]


def test_casualties_in_people(tables: Mapping[str, RuleTable]) -> None:
    """Great armies, a usual battle: the winner loses a Fair army, and at 1:3 the loser three times that."""
    rows = {(row[0].text, row[1].text): row for row in tables["battle-casualties"].rows}
    assert len(rows) == 3 * 9
    assert [cell.text for cell in rows["Usual", "Great"][2:6]] == ["Fair", "30,000", "60,000", "90,000"]
    assert [cell.text for cell in rows["Savage", "Tiny"][2:5]] == ["Tiny -1", "67", "133"]
    for (battle, _), row in rows.items():
        below = {"Formal": 3, "Usual": 2, "Savage": 1}[battle]
        size = 4 - list(POPULATION).index(row[1].text) - below
        nominal = NOMINAL[max(size + 4, 0)] * F(1, 3) ** max(-4 - size, 0)
        assert [cell.exact for cell in row[3:]] == [nominal, *(nominal * (won_by + 1) for won_by in range(1, 9))]


def expected_loss(difference: int) -> Fraction:
    """A battle between equal armies, outcome by outcome: the winner loses a ninth, the loser result+1 ninths."""
    lost = 0
    for mine, foe in product(ROLLS, ROLLS):
        margin = mine + difference - foe
        lost += 1 if margin > 0 else min(1 - margin, 9) if margin < 0 else 0
    return F(lost, 9 * 81 * 81)


@pytest.mark.slow
def test_every_battle() -> None:
    """Win, draw, lose, the dead of both sides, and each lead: any force against any, on any ground."""
    battle = game("interactive-history").explorers["battle"]
    ground, blood = {"Nobody": 0, "You": 1, "The foe": -1}, {"Formal": 27, "Usual": 9, "Savage": 3}
    forces = dict(zip([entry.shown.text for entry in battle.grid.axes[0].entries], range(4, -5, -1), strict=True))
    for own, foe, place, battled in product(*(axis.entries for axis in battle.grid.axes)):
        ahead = forces[own.shown.text] - forces[foe.shown.text] + ground[place.shown.text]
        if battled.shown.text == "Usual" or ahead == 3:
            cells = [cell.exact for cell in battle.answer([own, foe, place, battled]) or ()]
            assert cells == fought(ahead, blood[battled.shown.text])


@cache
def fought(ahead: int, army: int) -> list[Fraction]:
    weights = Counter(mine - foe + ahead for mine, foe in product(ROLLS, ROLLS))
    total = sum(weights.values())
    dead = [1 if margin > 0 else min(1 - margin, army) if margin < 0 else 0 for margin in weights]
    foes = [1 if margin < 0 else min(1 + margin, army) if margin > 0 else 0 for margin in weights]
    lost = [sum(map(mul, side, weights.values())) for side in (dead, foes)]
    leads = [sum(weight for margin, weight in weights.items() if margin >= 8)]
    leads += [weights[lead] for lead in range(7, -8, -1)]
    leads += [sum(weight for margin, weight in weights.items() if margin <= -8)]
    won_drawn_lost = [won(ahead), F(weights[0], total), won(-ahead)]
    return [*won_drawn_lost, *(F(side, total * army) for side in lost), *(F(weight, total) for weight in leads)]


def more_won(battles: int, win: Fraction, loss: Fraction) -> Fraction:
    chances = {1: win, 0: 1 - win - loss, -1: loss}
    found = F(0)
    for results in product(chances, repeat=battles):
        if sum(results) > 0:
            chance = F(1)
            for result in results:
                chance *= chances[result]
            found += chance
    return found


@pytest.mark.parametrize("difference", [4, 1, 0, -2])
def test_a_campaign(tables: Mapping[str, RuleTable], difference: int) -> None:
    mine, foe = expected_loss(difference), expected_loss(-difference)
    win, loss = won(difference), won(-difference)
    left = [(1 - mine) ** 3, (1 - foe) ** 3, (1 - mine) ** 5, (1 - foe) ** 5]
    ahead = [more_won(3, win, loss), more_won(5, win, loss)]
    (row,) = [row for row in tables["campaign"].rows if row[0].text == signed(difference)]
    assert [cell.exact for cell in row[1:]] == [mine, foe, *left, *ahead]


def test_a_smaller_unit_loses_a_level_for_each_size(tables: Mapping[str, RuleTable]) -> None:
    for row in tables["battle-force"].rows:
        assert [cell.exact for cell in row[1:]] == [LEVELS[row[0].text] - smaller for smaller in range(5)]
        assert isinstance(row[1].value, Level)


# Disasters and actions


def test_withstanding_a_disaster(tables: Mapping[str, RuleTable]) -> None:
    for row, scope in zip(tables["disaster-odds"].rows, range(4, -5, -1), strict=True):
        assert [cell.exact for cell in row[1:]] == [open_ended(3 - 1 - scope), open_ended(4 - 1 - scope)]


SKILLS = range(3, -4, -1)
"""From Superb to Terrible."""


def test_extra_actions(tables: Mapping[str, RuleTable]) -> None:
    """Extra, all actions, those at -1: with four extras that is every one of the eight."""
    table = tables["extra-action-odds"]
    assert texts(table, "more", "actions", "hampered") == [
        ["1", "5", "1"],
        ["2", "6", "3"],
        ["3", "7", "5"],
        ["4", "8", "8"],
    ]
    for row, penalties in zip(
        table.rows, ([-1] + 4 * [0], 3 * [-1] + 3 * [0], 5 * [-1] + 2 * [0], 8 * [-1]), strict=True
    ):
        expected = [sum(open_ended(-skill - penalty) for penalty in penalties) for skill in SKILLS]
        assert [cell.exact for cell in row[3:]] == expected


def test_fewer_actions(tables: Mapping[str, RuleTable]) -> None:
    for row, bonuses in zip(tables["fewer-action-odds"].rows, ([1, 0, 0], [1, 1], [2]), strict=True):
        expected = [sum(open_ended(-skill - bonus) for bonus in bonuses) for skill in SKILLS]
        assert [cell.exact for cell in row[3:]] == expected


@cache
def strategic(years: int) -> Counter[int]:
    """4DF and one DF for each year, every outcome of them."""
    weights = FOUR_DF
    for _ in range(years):
        more: Counter[int] = Counter()
        for total, count in weights.items():
            for face in (-1, 0, 1):
                more[total + face] += count
        weights = more
    return weights


def strategic_chance(years: int, modifier: int, wanted: int) -> Fraction:
    weights = strategic(years).items()
    reached = sum(weight for total, weight in weights if F((total + modifier) * 4, years + 4) >= wanted)
    return F(reached, 81 * 3**years)


def test_strategic_actions(tables: Mapping[str, RuleTable]) -> None:
    for row, years in zip(tables["strategic-odds"].rows, range(2, 11), strict=True):
        expected = [strategic_chance(years, 0, result) for result in LEVELS.values()]
        assert [cell.exact for cell in row[2:]] == expected


@pytest.mark.parametrize(
    ("table_id", "times"),
    [
        ("strategic-haste-odds", {"1/4": (F(1, 4), -3), "1/2": (F(1, 2), -2), "3/4": (F(3, 4), -1)}),
        ("strategic-patience-odds", {"1.5": (F(3, 2), 1), "2": (F(2), 2), "3": (F(3), 3)}),
    ],
)
def test_less_and_more_time(
    tables: Mapping[str, RuleTable], table_id: str, times: Mapping[str, tuple[Fraction, int]]
) -> None:
    """A year of four is too short for a strategic action, which takes two at least."""
    rows = {(int(row[0].text), row[1].text): row for row in tables[table_id].rows}
    assert [*rows] == [case for case in product((4, 8, 12), times) if case != (4, "1/4")]
    for (planned, time), row in rows.items():
        part, modifier = times[time]
        years = ceil(planned * part)
        expected = [strategic_chance(years, modifier, task) for task in TASKS.values()]
        assert [cell.exact for cell in row[2:]] == [years, modifier, *expected]


def test_innovations(tables: Mapping[str, RuleTable]) -> None:
    """Every choice of the six benefits and the six drawbacks, counted one by one."""
    found: Counter[tuple[int, int]] = Counter()
    for drawbacks, benefits in product(range(7), repeat=2):
        for _ in product(combinations(range(6), drawbacks), combinations(range(6), benefits)):
            found[benefits - drawbacks, drawbacks] += 1
    expected = {case: sets for case, sets in found.items() if 0 <= case[0] <= 4}
    rows = tables["innovation-budgets"].rows
    assert {(int(row[0].text), int(row[1].text)): row[3].exact for row in rows} == expected


# What figures rest on

GRIDS = [name for name, spec in ours("interactive-history").spec.derived.items() if spec.kind == "grid"]


@pytest.mark.parametrize("table_id", GRIDS)
def test_every_figure_says_what_it_rests_on(table_id: str) -> None:
    ruleset, table = ours("interactive-history"), tables_of(ours)[table_id]
    printed = {fact.span for fact in ruleset.facts.values()} | {
        cell.span for table in ruleset.tables.values() for row in table.rows for cell in row
    }
    for row in table.rows:
        for column, cell in zip(table.columns, row, strict=True):
            if cell.exact is None or (table_id, column.id) in OF_THE_ROW_ALONE:
                continue
            assert cell.sources, column.id
            assert set(cell.sources) <= printed


OF_THE_ROW_ALONE = {("halved-odds", "number"), ("innovation-budgets", "benefits")}
"""Numbers that stand for no printed thing."""


def test_the_force_of_an_army_rests_on_the_three_cells_it_is_added_from() -> None:
    ruleset = ours("interactive-history")
    force = tables_of(ours)["military-forces"].rows[0][3]
    cells = [ruleset.tables[name].rows[0][1] for name in ("military-types", "orientations", "infrastructures")]
    assert {cell.span for cell in cells} <= set(force.sources)
