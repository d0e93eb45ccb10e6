"""What stands in a column, by the notation that system.toml gives it: printed text and value."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refgen.errors import NotationError
from refgen.notation.printed_cell import NotationName, is_blank, one_unit, read_value
from refgen.notation.values import DiceText, LabelledDice, Quantity, Score, Value, as_number

F = Fraction


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 gp", Quantity(F(5), "gp")),
        ("1,500 gp", Quantity(F(1500), "gp")),
        ("60 ft.", Quantity(F(60), "ft.")),
        ("1 minute", Quantity(F(1), "minute")),
        ("1½ lb.", Quantity(F(3, 2), "lb.")),
        ("1/2 lb.", Quantity(F(1, 2), "lb.")),
        ("30 cubic feet", Quantity(F(30), "cubic feet")),
        ("10 m²", Quantity(F(10), "m²")),
        ("5'", Quantity(F(5), "'")),
        ("–5 gp", Quantity(F(-5), "gp")),
        (">100 gp", Quantity(F(100), "gp", ">")),
        ("DC 15", Quantity(F(15), "DC")),
        ("$5", Quantity(F(5), "$")),
    ],
)
def test_quantities(text: str, expected: Quantity) -> None:
    assert read_value("quantity", text) == expected
    assert as_number(expected) == expected.value


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "gp",
        "5 or more",
        "2 mil gp",
        "30/120 ft.",
        "3rd",
        "2 gp per day",
        "5–10 gp",
        "1d4 gp",
        "Room 5",
        "5 gp and a very long way of saying it",
    ],
)
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_value("quantity", text)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2d6–1", DiceText("2d6-1")),
        ("—", DiceText("")),
        ("1d4 bludgeoning", LabelledDice("1d4", "bludgeoning")),
        ("2d6 + 3 fire damage", LabelledDice("2d6 + 3", "fire damage")),
        ("D6 hours", LabelledDice("d6", "hours")),
        ("4D6 Drop Lowest", DiceText("4d6kh3")),
        ("2d4 x 100 gp", LabelledDice("2d4*100", "gp")),
        ("4d6k damage", LabelledDice("4d6kh1", "damage")),
    ],
)
def test_dice_with_words(text: str, expected: DiceText) -> None:
    assert read_value("dice", text) == expected


@pytest.mark.parametrize("text", ["4d6 drop all", "2d6 keep best", "1d4 per level", "1d4+Str", "2d6 or 3d6"])
def test_words_that_change_the_roll_are_no_label(text: str) -> None:
    with pytest.raises(NotationError):
        read_value("dice", text)


@pytest.mark.parametrize(
    ("notation", "text", "expected"),
    [
        ("number", "-", True),
        ("percent", "–", True),
        ("quantity", "—", True),
        ("interval", "−", True),
        ("number", "", True),
        ("text", "", True),
        ("text", "-", False),
        ("dice", "-", False),
        ("number", "-1", False),
    ],
)
def test_a_dash_alone_is_a_blank_among_figures(notation: NotationName, text: str, expected: bool) -> None:
    assert is_blank(notation, text) is expected


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("minute", "minutes", True),
        ("ft", "ft.", True),
        ("foot", "feet", True),
        ("lb.", "lbs.", True),
        ("GP", "gp", True),
        ("gp", "sp", False),
        ("hours", "minutes", False),
    ],
)
def test_units_are_compared_without_number_case_and_full_stops(left: str, right: str, same: bool) -> None:
    assert (one_unit(left) == one_unit(right)) is same


@pytest.mark.parametrize(
    ("value", "number"),
    [(Score(F(16), F(3)), F(16)), (Quantity(F(5), "gp"), F(5)), (LabelledDice("1d4", "cold"), None)],
)
def test_the_number_of_a_value(value: Value, number: Fraction | None) -> None:
    assert as_number(value) == number
