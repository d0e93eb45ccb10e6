"""Rolls made of rolls: arithmetic against every outcome; rolls without end against following them very far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import floor

import pytest

from refgen.errors import ResolverError
from refgen.resolver.formula.dice_tables import from_odds
from refgen.resolver.rolls import roll

F = Fraction
REACH, FARTHER = 12, 150

OPEN_ENDED = [
    "explode(d6)",
    "explode(4dF)",
    "explode(2d4) + d6",
    "d6 - explode(d6)",
    "explode(d6) + 30",
    "explode(d6) - 30",
    "explode(d6) + explode(d4)",
    "explode(d6) - explode(d6)",
    "explode(d8) - explode(d10)",
    "explode(d4) + d6 - explode(d6) - 2",
    "snake(explode(d6))",
    "snake(explode(d6)) - snake(explode(d8))",
    "snake(explode(d4) - 3)",
    "open(4dF)",
    "open(d6 - 3)",
    "open(dF) + d4",
    "-open(dF)",
    "reroll(explode(d6), 1)",
    "reroll(explode(d6), 20)",
    "reroll(open(dF), -1, 2)",
    "half_away(explode(d6))",
    "half_away(open(4dF))",
    "half_away(half_away(-explode(d6)))",
    "max(explode(d6), d20)",
    "max(open(dF), explode(d4))",
    "max(open(dF), d6)",
    "min(explode(d6), d20)",
    "min(explode(d6), explode(d8))",
    "min(open(dF), d6 - 3)",
    "times(explode(d6), 2)",
    "times(explode(d6), dF)",
    "times(open(dF), open(2dF))",
    "times(explode(d4), explode(d6))",
    "lesser(d6, explode(d6))",
    'map(explode(d6), "1-5: 0, 7-17: 1, 19+: 2")',
    'map(explode(d6) - explode(d6), "..-1: -1, 0: 0, 1..: 1")',
]


@pytest.mark.parametrize("text", OPEN_ENDED)
def test_a_question_within_reach_is_answered_as_if_the_roll_were_followed_for_ever(text: str) -> None:
    near, far = roll(text, REACH), roll(text, FARTHER)
    for outcome in range(-REACH, REACH + 1):
        assert near.is_exact(outcome)
        assert near.exactly(outcome) == far.exactly(outcome)
        assert near.at_least(outcome) == far.at_least(outcome)


@pytest.mark.parametrize("text", OPEN_ENDED)
def test_what_lies_beyond_the_limits_is_no_farther_off_than_the_residue(text: str) -> None:
    near, far = roll(text, REACH), roll(text, FARTHER)
    assert near.residue >= far.residue
    for outcome in range(-60, 61):
        assert abs(near.exactly(outcome) - far.exactly(outcome)) <= near.residue
        assert abs(near.at_least(outcome) - far.at_least(outcome)) <= near.residue


@pytest.mark.parametrize("text", ["explode(d6) + explode(d6) - explode(d4)", "open(dF) - open(dF)"])
def test_where_no_chance_is_exact_the_roll_says_so(text: str) -> None:
    near, far = roll(text, REACH), roll(text, FARTHER)
    assert not any(near.is_exact(outcome) for outcome in range(-60, 61))
    for outcome in range(-REACH, REACH + 1):
        assert 0 < abs(near.at_least(outcome) - far.at_least(outcome)) <= near.residue


def test_a_draw_of_two_exploding_coins_is_a_geometric_series() -> None:
    """Both are 1 + 2G or so: P(G = g) = 1/2^(g+1), so P(equal) = 1/4 + 1/16 + … = 1/3."""
    rolled = roll("explode(d2) - explode(d2)", reach=3)
    assert rolled.exactly(0) == F(1, 3)
    assert rolled.exactly(2) == F(1, 6)
    assert rolled.at_least(1) == F(1, 3)
    assert rolled.exactly(1) == 0


def test_two_rolls_given_apart_are_compared_as_exactly_as_in_one_expression() -> None:
    margin = roll("explode(d6)").less(roll("explode(d6)"))
    together = roll("explode(d6) - explode(d6)")
    assert all(margin.exactly(outcome) == together.exactly(outcome) for outcome in range(-20, 21))
    assert margin.is_exact(20)


def test_a_map_asks_an_open_ended_roll_only_which_range_it_ends_in() -> None:
    rolled = roll('map(explode(d6), "1-100: 0, 101+: 1")', reach=1)
    assert not rolled.is_open
    assert rolled.residue == 0
    assert rolled.exactly(1) == F(1, 6) ** 16 * F(2, 6)  # 96, then 5 or 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("explode(explode(d6))", "needs a roll with a lowest and a highest outcome"),
        ("open(open(4dF))", "needs a roll with a lowest and a highest outcome"),
        ("snake(open(4dF))", "needs a roll with a lowest outcome"),
        ("snake(-explode(d6))", "needs a roll with a lowest outcome"),
        ('map(explode(d6), "1-200: 1")', "beyond every range"),
        ("reroll(explode(dF), 5000)", "the chance of 5000 is not known exactly"),
    ],
)
def test_what_asks_for_an_end_that_is_not_there_is_refused(text: str, message: str) -> None:
    with pytest.raises(ResolverError, match=message):
        roll(text)


ODDS = [(-1, F(1, 10)), (0, F(3, 10)), (1, F(6, 10)), (2, F(9, 10))]


def test_printed_odds_are_a_roll() -> None:
    """The difficulty 1 succeeds where a roll of -1 or more does; 2 adds those that roll exactly -2."""
    rolled = from_odds(ODDS, "odds")
    assert [rolled.at_least(-difficulty) for difficulty, _ in ODDS] == [chance for _, chance in ODDS]
    assert [rolled.exactly(-difficulty) for difficulty in (2, 1, 0)] == [F(3, 10), F(3, 10), F(2, 10)]
    assert (rolled.exact_low, rolled.exact_high) == (-2, 0)
    assert rolled.residue == F(1, 10) + F(1, 10)


def test_odds_from_0_to_1_leave_nothing_out() -> None:
    rolled = from_odds([(0, F(0)), (1, F(1, 4)), (2, F(1))], "odds")
    assert rolled.outcomes == (-2, -1)
    assert not rolled.is_open
    assert rolled.residue == 0


def test_a_roll_of_printed_odds_can_be_added_to() -> None:
    rolled = from_odds(ODDS, "odds").shifted(5)
    assert rolled.at_least(5) == F(3, 10)
    assert (rolled.exact_low, rolled.exact_high) == (3, 5)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(0, F(1, 2)), (2, F(3, 4))], "goes from 0 to 2"),
        ([(0, F(1, 2)), (1, F(1, 4))], "the chance falls from 0 to 1"),
        ([(0, F(1, 2)), (1, F(5))], "the number for 1 is not between 0% and 100%"),
    ],
)
def test_odds_that_are_none_are_refused(rows: list[tuple[int, Fraction]], message: str) -> None:
    with pytest.raises(ResolverError, match=message):
        from_odds(rows, "odds")


D6 = range(1, 7)


def chances(text: str) -> dict[int, Fraction]:
    rolled = roll(text)
    return {outcome: rolled.exactly(outcome) for outcome in rolled.outcomes}


def listed(dice: int, outcome: Callable[..., int | bool]) -> dict[int, Fraction]:
    """The chances of what so many d6 come to, by listing every way they can fall."""
    counts = Counter(int(outcome(*fall)) for fall in product(D6, repeat=dice))
    return {own: F(count, 6**dice) for own, count in counts.items()}


@pytest.mark.parametrize(
    ("text", "dice", "outcome"),
    [
        ("2 * d6", 1, lambda a: 2 * a),
        ("d6 * d6", 2, lambda a, b: a * b),
        ("d6 mod 4", 1, lambda a: a % 4),
        ("(d6 - 4) mod 4", 1, lambda a: (a - 4) % 4),
        ("floor(2d6 / 2)", 2, lambda a, b: (a + b) // 2),
        ("nearest(d6 / 2 + d6 / 3)", 2, lambda a, b: floor(F(a, 2) + F(b, 3) + F(1, 2))),
        ("d6^2", 1, lambda a: a * a),
        ("d6 >= 4", 1, lambda a: a >= 4),
        ("d6 > d6", 2, lambda a, b: a > b),
        ("2d6 in 3..5", 2, lambda a, b: 3 <= a + b <= 5),
        ("d6 in d6..", 2, lambda a, b: a >= b),
        ("not d6 == 1", 1, lambda a: a != 1),
        ("d6 > 3 and d6 < 3", 2, lambda a, b: a > 3 and b < 3),
        ("d6 > 3 or d6 > 3", 2, lambda a, b: a > 3 or b > 3),
        ("even(d6) + even(d6)", 2, lambda a, b: (a % 2 == 0) + (b % 2 == 0)),
        ("if(d6 > 4, d6, 0)", 2, lambda a, b: b if a > 4 else 0),
        ("abs(d6 - d6)", 2, lambda a, b: abs(a - b)),
        ("clamp(d6, 2, 4)", 1, lambda a: min(max(a, 2), 4)),
        ("sign(d6 - 3)", 1, lambda a: (a > 3) - (a < 3)),
        ("max(d6 / 2, 1) * 2", 1, lambda a: max(a, 2)),
        ("count(3d6 in 2..4)", 3, lambda *own: sum(2 <= face <= 4 for face in own)),
        ("count(3d6 != 2)", 3, lambda *own: sum(face != 2 for face in own)),
        ("repeat(2, d6 - 1)", 2, lambda a, b: a + b - 2),
        ("combinations(d6, 2)", 1, lambda a: a * (a - 1) // 2),
    ],
)
def test_what_dice_come_to_is_what_all_their_falls_come_to(
    text: str, dice: int, outcome: Callable[..., int | bool]
) -> None:
    assert chances(text) == listed(dice, outcome)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d6 / 2", "dice come to 1/2, which is no whole number"),
        ("1 / (d6 - 3)", "divides by zero"),
        ("d6 mod (d6 - 1)", "the rest of a division by zero"),
        ("d1000 / d1000 mod d1000", "more than 50,000 outcomes of all its rolls"),
        ("repeat(101, d6)", "101 rolls are not added up"),
        ("repeat(d6, d6)", "how often, and what is rolled"),
    ],
)
def test_what_has_no_answer_is_refused(text: str, message: str) -> None:
    with pytest.raises(ResolverError, match=message):
        roll(text)


def test_a_comparison_of_an_open_ended_roll_is_exact() -> None:
    rolled = roll("d6! >= 60")
    assert not rolled.is_open
    assert rolled.exactly(1) == F(1, 6**10)


def test_arithmetic_of_an_open_ended_roll_says_what_it_leaves_out() -> None:
    rolled = roll("even(d6!)")
    assert rolled.is_nowhere_exact
    assert rolled.residue == roll("d6!").residue > 0
