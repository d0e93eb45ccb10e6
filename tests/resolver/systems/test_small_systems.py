"""Seven ways to roll, each said in a system.toml alone: answers by hand, and whole tables held against all outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

import pytest

from refgen.rules.model import RuleTable
from tests.resolver.systems.small import derived, printed

F = Fraction
CHECK = "d20 + at(bonuses.stat, trait, bonuses.bonus)"


def column(table: RuleTable, name: str) -> dict[str, Fraction]:
    """The exact numbers of a column by the first cell of their rows."""
    index = table.index(name)
    assert index is not None
    return {row[0].text: row[index].exact or F(0) for row in table.rows}


def share(outcomes: Iterable[int], met: Callable[[int], bool]) -> Fraction:
    listed = [met(outcome) for outcome in outcomes]
    return F(sum(listed), len(listed))


def totals(*dice: Iterable[int]) -> list[int]:
    return [sum(faces) for faces in product(*dice)]


def d(sides: int) -> range:
    return range(1, sides + 1)


@pytest.mark.parametrize(
    ("title", "system", "table", "row", "where", "expected"),
    [
        ("2d6 reach 10 in 6 of 36 rolls", "apocalypse", "move-odds", "Full success", "0", F(6, 36)),
        ("2d6 + 3 miss with 2 or 3", "apocalypse", "move-odds", "Miss", "3", F(3, 36)),
        ("2d6 + 1 at a price with 6, 7 or 8", "apocalypse", "move-odds", "At a price", "1", F(5 + 6 + 5, 36)),
        ("2d6 - 1 reach 10 with 11 or 12", "apocalypse", "move-odds", "Full success", "minus-1", F(3, 36)),
        ("a hard spot takes 1 off", "apocalypse", "hard-odds", "Full success", "0", F(3, 36)),
        ("d20 + 2 reaches 15 with 13 or more", "roll-over", "check-odds", "15", "medium", F(8, 20)),
        ("d20 - 2 reaches 20 never", "roll-over", "check-odds", "6", "hard", F(0)),
        ("help adds 2", "roll-over", "helped-odds", "10", "medium", F(8, 20)),
        ("d20 at most 11", "roll-under", "test-odds", "11", "success", F(11, 20)),
        ("two tests of three", "roll-under", "test-odds", "10", "two-of-three", F(1, 2)),
        ("one success with three dice", "pool", "pool-odds", "3", "simple", 1 - F(6, 10) ** 3),
        ("two successes with two dice", "pool", "pool-odds", "2", "tricky", F(4, 10) ** 2),
        ("four successes with three dice", "pool", "pool-odds", "3", "desperate", F(0)),
        ("four successes with four dice", "pool", "pool-odds", "4", "desperate", F(4, 10) ** 4),
        ("Good against Good", "fate", "roll-odds", "Good", "good", F(50, 81)),
        ("Fair against Great", "fate", "roll-odds", "Fair", "great", F(15, 81)),
        ("Mediocre against Superb", "fate", "roll-odds", "Mediocre", "superb", F(0)),
        ("Terrible against Terrible + 4", "fate", "roll-odds", "Terrible", "fair", F(1, 81)),
        ("equal skills draw", "fate", "contests", "0", "draw", F(1107, 6561)),
        ("d6 reaches 8: a six, then two or more", "step-dice", "roll-odds", "Known", "tough", F(1, 6) * F(5, 6)),
        ("d8 reaches 8", "step-dice", "roll-odds", "Skilled", "tough", F(1, 8)),
        ("d12+1 reaches 13 with a twelve", "step-dice", "roll-odds", "Master", "insane", F(1, 12)),
        ("d4-1 reaches 4: a four, then anything", "step-dice", "roll-odds", "Unknown", "plain", F(1, 4)),
        ("d4-1 reaches 8: two fours, then anything", "step-dice", "roll-odds", "Unknown", "tough", F(1, 16)),
        ("a fifth of 65", "percentile", "grade-odds", "13", "grade-extreme", F(13, 100)),
        ("half of 65, rounded down", "percentile", "grade-odds", "13", "grade-hard", F(32, 100)),
        ("95, where 96 fails", "percentile", "grade-odds", "19", "grade-regular", F(95, 100)),
    ],
)
def test_chances_by_hand(title: str, system: str, table: str, row: str, where: str, expected: Fraction) -> None:
    assert column(derived(system)[table], where)[row] == expected, title


def test_every_move() -> None:
    bands: dict[str, Callable[[int], bool]] = {
        "Full success": lambda total: total >= 10,
        "At a price": lambda total: 7 <= total <= 9,
        "Miss": lambda total: total <= 6,
    }
    for table, change in (("move-odds", 0), ("hard-odds", -1)):
        for where, stat in (("minus-1", -1), ("0", 0), ("1", 1), ("2", 2), ("3", 3)):
            rolled = [total + stat + change for total in totals(d(6), d(6))]
            expected = {name: share(rolled, met) for name, met in bands.items()}
            assert column(derived("apocalypse")[table], where) == expected


def test_every_check() -> None:
    for where, number in (("easy", 10), ("medium", 15), ("hard", 20)):
        expected = {
            str(stat): share(d(20), lambda face, stat=stat, number=number: face + stat // 2 - 5 >= number)  # type: ignore[misc]
            for stat in range(15, 5, -1)
        }
        assert column(derived("roll-over")["check-odds"], where) == expected


def test_every_test() -> None:
    stats = range(3, 19)
    assert column(derived("roll-under")["test-odds"], "success") == {str(stat): F(stat, 20) for stat in stats}
    two = {str(stat): share(product(d(20), repeat=3), _two_of_three(stat)) for stat in (3, 10, 18)}  # type: ignore[arg-type]
    found = column(derived("roll-under")["test-odds"], "two-of-three")
    assert {stat: found[stat] for stat in two} == two


def _two_of_three(stat: int) -> Callable[[tuple[int, ...]], bool]:
    return lambda faces: sum(face <= stat for face in faces) >= 2


def test_every_pool() -> None:
    successes = [0] * 6 + [1] * 4
    for where, wanted in (("simple", 1), ("tricky", 2), ("desperate", 4)):
        found = column(derived("pool")["pool-odds"], where)
        assert list(found) == [str(dots) for dots in d(8)]
        for dots in d(5):
            assert found[str(dots)] == share(totals(*[successes] * dots), lambda hits, goal=wanted: hits >= goal)  # type: ignore[misc]


SKILLS = ("Superb", "Great", "Good", "Fair", "Average", "Mediocre", "Poor", "Terrible")
FUDGE = (-1, 0, 1)


def test_every_roll_and_contest_of_fudge_dice() -> None:
    rolled = totals(FUDGE, FUDGE, FUDGE, FUDGE)
    values = {name: 5 - place for place, name in enumerate(SKILLS)}
    for skill, difficulty in product(values, values):
        found = column(derived("fate")["roll-odds"], difficulty.lower())[skill]
        results = (total + values[skill] for total in rolled)
        assert found == share(results, lambda result, d=difficulty: result >= values[d])  # type: ignore[misc]
    margins = [first - foe for first, foe in product(rolled, rolled)]
    contests = derived("fate")["contests"]
    for row in contests.rows:
        ahead = int(row[0].text)
        expected = [
            share(margins, lambda m, a=ahead: m + a > 0),  # type: ignore[misc]
            share(margins, lambda m, a=ahead: m + a == 0),  # type: ignore[misc]
            share(margins, lambda m, a=ahead: m + a < 0),  # type: ignore[misc]
        ]
        assert [cell.exact for cell in row[1:]] == expected


@pytest.mark.parametrize(
    ("skill", "sides", "added"),
    [("Unknown", 4, -1), ("Known", 6, 0), ("Skilled", 8, 0), ("Expert", 10, 0), ("Master", 12, 1)],
)
def test_every_die_that_explodes(skill: str, sides: int, added: int) -> None:
    for where, target in (("plain", 4), ("tough", 8), ("insane", 13)):
        goal, expected, still = target - added, F(0), F(1)
        while goal > sides:  # one explosion after the other; goal - sides <= 0 is reached by any further roll
            goal, still = goal - sides, still / sides
        expected = still * (F(sides - max(goal, 1) + 1, sides))
        assert column(derived("step-dice")["roll-odds"], where)[skill] == expected


def test_every_skill_in_percent() -> None:
    for where, part in (("grade-regular", 1), ("grade-hard", 2), ("grade-extreme", 5)):
        found = column(derived("percentile")["grade-odds"], where)
        assert found == {str(step): F(min(step * 5 // part, 95), 100) for step in range(1, 20)}


@pytest.mark.parametrize(
    ("system", "table", "row", "where", "expected"),
    [
        ("apocalypse", "move-odds", 0, 1, ["10+", "2d6"]),
        ("apocalypse", "hard-odds", 2, 1, ["1", "2d6", "<= 6"]),
        ("roll-over", "check-odds", 0, 2, ["+2", "14-15", "Medium", "d20"]),
        ("pool", "pool-odds", 0, 1, ["7", "Simple", "d10"]),
        ("fate", "roll-odds", 0, 3, ["4dF", "Poor", "Superb"]),
        ("step-dice", "roll-odds", 4, 1, ["Plain", "d12+1"]),
        ("roll-under", "test-odds", 0, 1, ["1d20"]),
        ("percentile", "grade-odds", 0, 3, ["2", "5", "96 to 100", "d%"]),
    ],
)
def test_a_chance_rests_on_what_is_printed(system: str, table: str, row: int, where: int, expected: list[str]) -> None:
    cell = derived(system)[table].rows[row][where]
    assert sorted(printed(system, cell.sources)) == expected


@pytest.mark.parametrize(
    ("system", "table", "rule"),
    [
        ("apocalypse", "hard-odds", "Chance that 2d6 + trait - 1 falls into the band."),
        ("roll-over", "helped-odds", f"Chance that {CHECK} +2 reaches the difficulty."),
        ("step-dice", "roll-odds", "Chance that explode(trait's die) reaches the difficulty."),
        ("percentile", "grade-odds", "d% at most the skill, or a part of it, rounded down; 96 to 100 always fails."),
    ],
)
def test_a_table_says_how_it_follows(system: str, table: str, rule: str) -> None:
    assert derived(system)[table].rule == rule


def test_a_matrix_shows_the_numbers_of_named_traits_only() -> None:
    heads = {name: [column.id for column in derived(name)[table].columns][:2] for name, table in MATRICES.items()}
    assert heads == {
        "fate": ["trait", "value"],
        "pool": ["trait", "simple"],
        "roll-over": ["trait", "easy"],
        "step-dice": ["trait", "plain"],
    }


MATRICES = {"fate": "roll-odds", "pool": "pool-odds", "roll-over": "check-odds", "step-dice": "roll-odds"}
