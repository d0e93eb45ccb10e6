"""Arithmetic and conditions of dice, against every outcome of the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import floor

import pytest

from refgen.errors import ResolverError
from refgen.resolver.rolls import roll

F = Fraction
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
    rolled = roll("abs(d6!)")
    assert rolled.is_nowhere_exact
    assert rolled.residue == roll("d6!").residue > 0
