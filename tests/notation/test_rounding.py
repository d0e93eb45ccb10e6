from fractions import Fraction

import pytest

from refgen.notation.figures import Rounding, decimal, percent, rounded

F = Fraction


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rounding.HALF_UP, [-2, -1, -1, 0, 1, 1, 2, 3]),
        (Rounding.HALF_EVEN, [-2, -2, -1, 0, 0, 1, 2, 2]),
        (Rounding.HALF_AWAY, [-2, -2, -1, 0, 1, 1, 2, 3]),
        (Rounding.DOWN, [-2, -2, -1, 0, 0, 1, 1, 2]),
        (Rounding.UP, [-2, -1, -1, 0, 1, 1, 2, 3]),
    ],
)
def test_rules(rule: Rounding, expected: list[int]) -> None:
    numbers = [F(-2), F(-3, 2), F(-1), F(0), F(1, 2), F(1), F(3, 2), F(5, 2)]
    assert [rounded(number, 0, rule) for number in numbers] == expected


@pytest.mark.parametrize(
    ("number", "places", "expected"),
    [(F(1, 3), 2, "0.33"), (F(-1, 3), 1, "-0.3"), (F(995, 1000), 2, "1.00"), (F(7), 0, "7"), (F(-1, 100), 1, "0.0")],
)
def test_decimals(number: Fraction, places: int, expected: str) -> None:
    assert decimal(number, places) == expected


@pytest.mark.parametrize(
    ("chance", "places", "expected"),
    [
        (F(19, 81), 0, "23%"),
        (F(1, 1000), 0, "<1%"),
        (F(999, 1000), 0, ">99%"),
        (F(1, 10**6), 1, "<0.1%"),
        (F(0), 0, "0%"),
        (F(1), 0, "100%"),
        (F(1, 80), 1, "1.3%"),
    ],
)
def test_percentages_never_say_never_or_always_when_it_is_not_so(chance: Fraction, places: int, expected: str) -> None:
    assert percent(chance, places) == expected
