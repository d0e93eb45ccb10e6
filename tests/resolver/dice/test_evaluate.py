"""Dice, against slow and obvious ways of working the same thing out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import prod
from time import process_time

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refgen.errors import RefgenError, ResolverError
from refgen.resolver.dice.combine import repeat_die
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.rolls import roll

F = Fraction


def brute_force(dice: Iterable[Iterable[int]], combine: object = sum) -> dict[int, Fraction]:
    """The chances of a combination of dice, by listing every way they can come up."""
    faces = [list(die) for die in dice]
    counts = Counter(combine(each) for each in product(*faces))  # type: ignore[operator]
    return {outcome: F(count, prod(map(len, faces))) for outcome, count in counts.items()}


def chances(text: str) -> dict[int, Fraction]:
    rolled = roll(text)
    return {outcome: rolled.exactly(outcome) for outcome in rolled.outcomes}


D6 = range(1, 7)
FUDGE = (-1, 0, 1)


def four_d6(faces: tuple[int, ...]) -> int:
    """The 4d6 method of FUDGE: of two positive and two negative dice only the lowest showing count."""
    lowest = min(faces)
    positive, negative = lowest in faces[:2], lowest in faces[2:]
    return 0 if positive and negative else lowest if positive else -lowest


@pytest.mark.parametrize(
    ("text", "dice", "combine"),
    [
        ("4dF", [FUDGE] * 4, sum),
        ("3d6", [D6] * 3, sum),
        ("4d3-8", [range(1, 4)] * 4, lambda faces: sum(faces) - 8),
        ("d10 - d10", [range(1, 11)] * 2, lambda faces: faces[0] - faces[1]),
        ("4d6kh2", [D6] * 4, lambda faces: sum(sorted(faces)[2:])),
        ("lowest(1, 3d6)", [D6] * 3, min),
        ("max(d6, d8)", [D6, range(1, 9)], max),
        ("min(d6, d8)", [D6, range(1, 9)], min),
        ("count(4d6 >= 5)", [D6] * 4, lambda faces: sum(face >= 5 for face in faces)),
        ("count(repeat(2, 2d6) >= 9)", [D6] * 4, lambda faces: (sum(faces[:2]) >= 9) + (sum(faces[2:]) >= 9)),
        (
            "count(repeat(2, 2d6) in 4..6)",
            [D6] * 4,
            lambda faces: (4 <= sum(faces[:2]) <= 6) + (4 <= sum(faces[2:]) <= 6),
        ),
        ("count(repeat(1, 4d6) >= 15)", [D6] * 4, lambda faces: sum(faces) >= 15),
        ("count(repeat(4, d6) >= 5)", [D6] * 4, lambda faces: sum(face >= 5 for face in faces)),
        ("count(repeat(4, repeat(1, d6)) >= 5)", [D6] * 4, lambda faces: sum(face >= 5 for face in faces)),
        ("count(repeat(3, d6 + 1) == 3)", [D6] * 3, lambda faces: sum(face + 1 == 3 for face in faces)),
        ("count(repeat(2, max(d6, d6)) >= 5)", [D6] * 4, lambda faces: (max(faces[:2]) >= 5) + (max(faces[2:]) >= 5)),
        ("count(2d6r1 >= 5)", [range(2, 7)] * 2, lambda faces: sum(face >= 5 for face in faces)),
        (
            "count(repeat(2, count(2d6 >= 5)) >= 1)",
            [D6] * 4,
            lambda faces: (max(faces[:2]) >= 5) + (max(faces[2:]) >= 5),
        ),
        ("count(repeat(2, repeat(2, d6)) <= 4)", [D6] * 4, lambda faces: (sum(faces[:2]) <= 4) + (sum(faces[2:]) <= 4)),
        ("count(if(1, 4d6, d20) >= 9 / 2)", [D6] * 4, lambda faces: sum(face >= 5 for face in faces)),
        ("count(repeat(0, 3d6) >= 0)", [], lambda faces: 0),
        ("highest(2, repeat(4, d6))", [D6] * 4, lambda faces: sum(sorted(faces)[2:])),
        ("repeat(2, 2d6 - 1)", [D6] * 4, lambda faces: sum(faces) - 2),
        ("lesser(lowest(1, 2d6), lowest(1, 2d6))", [D6] * 4, four_d6),
        ('map(3d6, "3-7: -1, 8-13: 0, 14-18: 1")', [D6] * 3, lambda faces: (sum(faces) > 13) - (sum(faces) < 8)),
        ("half_away(4dF)", [FUDGE] * 4, lambda faces: int(sum(faces) / 2 + (0.5 if sum(faces) > 0 else -0.5))),
        ("reroll(d6, 1)", [D6, D6], lambda faces: faces[1] if faces[0] == 1 else faces[0]),
        ("reroll(dF, -1)", [FUDGE, FUDGE], lambda faces: faces[1] if faces[0] == -1 else faces[0]),
        ("count(3dF >= -0)", [FUDGE] * 3, lambda faces: sum(face >= 0 for face in faces)),
        ("times(d6, d6 - 3)", [D6, D6], lambda faces: faces[0] * (faces[1] - 3)),
        ("times(10, d6)", [D6], lambda faces: 10 * faces[0]),
        ("snake(d6)", [D6, D6], lambda faces: 0 if faces == (1, 1) else faces[0]),
        ("snake(d6 + 1, 0)", [D6, D6], lambda faces: 0 if faces == (1, 1) else faces[0] + 1),
        ("snake(d6 - 3, 0)", [D6, D6], lambda faces: faces[0] - 3),
    ],
)
def test_a_roll_is_what_all_its_outcomes_add_up_to(text: str, dice: list[Iterable[int]], combine: object) -> None:
    assert chances(text) == brute_force(dice, combine)


def test_exploding_dice_are_exact_as_far_as_they_are_followed() -> None:
    rolled = roll("explode(d6)", reach=40)
    assert rolled.at_least(7) == F(1, 6)
    assert rolled.at_least(16) == F(1, 36) * F(3, 6)
    assert rolled.exactly(6) == 0
    assert sum(rolled.exactly(outcome) for outcome in rolled.outcomes) == 1
    assert rolled.residue == F(1, 6) ** 9
    assert rolled.exact_high is not None
    assert rolled.exact_high >= 40


def test_open_ended_fudge_dice_go_on_only_in_their_own_direction() -> None:
    rolled, plain = roll("open(4dF)"), roll("4dF")
    assert rolled.at_least(1) == plain.at_least(1)
    assert rolled.at_least(5) == plain.exactly(4) * plain.at_least(1)
    assert rolled.exactly(4) == plain.exactly(4) * (1 - plain.at_least(1))
    assert rolled.at_least(9) == plain.exactly(4) ** 2 * plain.at_least(1)
    assert [rolled.exactly(-n) for n in range(12)] == [rolled.exactly(n) for n in range(12)]


@pytest.mark.slow
@given(st.integers(1, 60), st.lists(st.integers(-3, 9), min_size=1, max_size=6))
@settings(max_examples=60)
def test_many_dice_added_fast_are_the_same_as_added_one_by_one(count: int, faces: list[int]) -> None:
    die = icepool.Die(faces)
    slow = die
    for _ in range(count - 1):
        slow = slow + die
    assert dict(repeat_die(Distribution.of(Counter(faces)), count).items()) == dict(slow.items())


@pytest.mark.slow
def test_large_pools_work() -> None:
    assert roll("1000d6").mean == 3500
    assert roll("100d100").mean == 5050


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1000000d1000000", "1,000,000 dice; refgen works out at most 2,000"),
        ("d999999999", "999,999,999 different outcomes"),
        ("2000d2000", "different outcomes"),
        ("d20000 + d20000", "20,000 times 20,000 pairs of outcomes"),
        ("max(d9000, d9000)", "9,000 times 9,000 pairs"),
        ("highest(1000, 2000d6)", "1,000 dice to keep of 2,000"),
        ("d6 + 99999999", "the number 99,999,999"),
        ("explode(d1)", "can explode"),
        ("open(d6)", "both sides of zero"),
        ("map(d6, nowhere)", 'unknown table "nowhere"'),
        ('map(d6, "1-3: 1")', "the outcome 4 stands 0 times"),
        ("times(d9000, d9000)", "9,000 times 9,000 pairs"),
        ("times(d300, d300)", "90,000 different outcomes"),
        ("reroll(d6, d4)", "the outcomes that are rolled again"),
        ("chances(nowhere)", 'unknown table "nowhere"'),
        pytest.param("repeat(100, d6!)", "steps of work", marks=pytest.mark.soak),
        ("repeat(60, open(4dF)) - repeat(60, d97!)", "steps of work"),
    ],
)
def test_what_costs_too_much_or_means_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(ResolverError, match=message):
        roll(text)


NO_DICE = r"count\(\) takes dice or repeat\(\), a comparison and a number"
NO_SINGLE_DICE = r"t\(\) keeps single dice of one kind, such as .*\(2, 4d6\): no sums, and no dice that explode"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *(
            (f"count({dice} >= 5)", NO_DICE)
            for dice in ("3d6 + 2", "2 * 3d6", "d6 + d6", "--3d6", "max(d6, d8)", "4d6kh3")
        ),
        *(
            (text, NO_DICE)
            for text in ("count(3d6 >= d6)", "count(5 <= 6d6)", "count(3d6 in 1..d6)", "count(4 >= 3)", "count(0 >= 0)")
        ),
        ("count(4d6! >= 6)", "count.* takes no open-ended rolls: it is not said whether the dice that are added count"),
        ("count(repeat(2, open(4dF)) >= 6)", "takes no open-ended rolls"),
        ("highest(2, 5d10!)", NO_SINGLE_DICE),
        ("lowest(2, 5d10r1)", NO_SINGLE_DICE),
        ("highest(1, repeat(6, 3d6))", NO_SINGLE_DICE),
        ("highest(1, repeat(2, repeat(3, d6)))", NO_SINGLE_DICE),
        ("lowest(1, 3d6 + 2)", NO_SINGLE_DICE),
        ("highest(1, 6)", NO_SINGLE_DICE),
        ("highest(5, 4d6)", "cannot keep 5 of 4 dice"),
        ("lowest(0, 4d6)", "cannot keep 0 of 4 dice"),
        ("highest(1, repeat(0, d6))", "cannot keep 1 of 0 dice"),
        ("highest(d6, 4d6)", r"highest\(\) takes how many dice are kept, and dice, such as highest\(2, 4d6\)"),
    ],
)
def test_what_asks_single_dice_of_one_number_is_refused(text: str, message: str) -> None:
    with pytest.raises(ResolverError, match=message):
        roll(text)


@pytest.mark.parametrize("text", ["highest(2, d6, d8, d10)", "lowest(d6)"])
def test_dice_of_several_kinds_are_not_kept_and_what_is_the_highest_of_them_is_told(text: str) -> None:
    with pytest.raises(RefgenError, match="takes 2 expressions") as refused:
        roll(text)
    assert refused.value.hint == "Of two to eight rolls, max() is the highest and min() the lowest: max(3d6, d20)."


def test_what_costs_too_much_is_refused_at_once() -> None:
    start = process_time()
    with pytest.raises(ResolverError):
        roll("1000000d1000000")
    assert process_time() - start < 10


def test_two_very_wide_rolls_are_not_compared() -> None:
    with pytest.raises(ResolverError, match="pairs of outcomes"):
        roll("d9000").less(roll("d9000"))


@pytest.mark.slow
@given(st.text(alphabet="0123456789d%F+-()!,khloexp ", max_size=25))
@settings(max_examples=300)
def test_any_text_is_a_roll_or_an_error_of_ours(text: str) -> None:
    with suppress(RefgenError):
        rolled = roll(text)
        assert rolled.at_least(rolled.outcomes[0]) == 1
