"""Rounding in one place, and one text for equal values."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refgen.notation.figures import Rounding, canonical, decimal, percent, round_number, scientific
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import NotationName, read_value
from refgen.notation.values import Level

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
    assert [round_number(number, 0, rule) for number in numbers] == expected


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


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (F(1, 6**9), "9.9e-08"),
        (F(1, 30_000), "3.3e-05"),
        (F(1, 8), "1.3e-01"),
        (F(996, 100_000), "1.0e-02"),
        (F(1), "1.0e+00"),
        (F(1, 6**401), "9.1e-313"),
        (F(1, 10**5_000), "1.0e-5000"),
    ],
)
def test_very_small_numbers_keep_two_digits_however_small(number: Fraction, expected: str) -> None:
    assert scientific(number) == expected


LADDER = Ladder((Level("Good", 1), Level("Fair", 0)))


@pytest.mark.parametrize(
    ("notation", "prints", "text"),
    [
        ("number", ("2", "+2", "2.0"), "2"),
        ("number", ("½", "0.5"), "0.5"),
        ("number", ("1/3",), "1/3"),
        ("number", (">500,000", "> 500 thousand"), ">500000"),
        ("percent", ("5%", "5.0%"), "5%"),
        ("weighted", ("+4 (1%)", "4 (1%)"), "4 (1%)"),
        ("score", ("16 (+3)",), "16 (+3)"),
        ("quantity", ("5 gp",), "5 gp"),
        ("interval", ("0-3", "0 to 3", "0, 1, 2, 3"), "0 to 3"),
        ("interval", ("17+", "17 or more"), "17 or more"),
        ("interval", ("≤6", "6 or less"), "6 or less"),
        ("interval", ("4", "4-4"), "4"),
        ("modifier", ("+2", "2"), "+2"),
        ("modifier", ("0", "±0"), "0"),
        ("modifier", ("±1 (Phl.or.)", "-1 to +1 (Phl.or.)"), "-1 to +1 (Phl.or.)"),
        ("modifier", ("Scope-1",), "Scope -1"),
        ("level", ("Good", "good", "Good (expert)"), "Good"),
        ("dice", ("4dF", "4DF"), "4dF"),
        ("dice", ("1d4 bludgeoning",), "1d4 bludgeoning"),
        ("track-change", ("Good + 2 Hurt Boxes",), "Good + 2 Hurt"),
        ("track-change", ("Great + Scratched[1-3] etc.",), "Great + Scratched 1 to 3 etc."),
        ("condition", ("Consent / Power <= Fair",), "Consent <= Fair or Power <= Fair"),
        ("condition", ("Power - Authority >= +2",), "Power - Authority >= 2"),
        ("text", ("Two oars and 1 pole", "two oars, 1 pole"), "two, 1"),
        ("text", ("no oars",), ""),
    ],
)
def test_equal_values_have_one_text(notation: NotationName, prints: tuple[str, ...], text: str) -> None:
    assert {canonical(read_value(notation, print_, LADDER)) for print_ in prints} == {text}


def test_a_blank_has_none() -> None:
    assert canonical(None) == ""
