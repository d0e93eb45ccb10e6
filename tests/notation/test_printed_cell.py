"""A printed cell has the value of its notation, or an error that says why not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refgen.errors import NotationError
from refgen.notation.formula_parser import parse_dice
from refgen.notation.formula_tree import Call, ComparisonTest, Constant, Formula, Pool, Sum
from refgen.notation.printed_cell import NotationName, is_blank, one_unit, read_dice, read_value
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
        ("-$5", Quantity(F(-5), "$")),
        ("R$ 5", Quantity(F(5), "R$")),
        ("£1½", Quantity(F(3, 2), "£")),
        ("5 €", Quantity(F(5), "€")),
        ("Cr500", Quantity(F(500), "Cr")),
        ("Cr 1,500", Quantity(F(1500), "Cr")),
        ("KCr1.5", Quantity(F(3, 2), "KCr")),
        ("MCr0.4", Quantity(F(2, 5), "MCr")),
        ("x0.5", Quantity(F(1, 2), "x")),
        ("×2", Quantity(F(2), "x")),
        ("1/2x", Quantity(F(1, 2), "x")),
        ("20-ft", Quantity(F(20), "ft")),
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
        "A1",
        "Mk2",
        "5-A",
        "Cr5+",
        "Cr10–20",
        "x2 (coal)",
        "x",
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
        ("3D6/round", LabelledDice("3d6", "/round")),
        ("3D6x10 / hour", LabelledDice("3d6*10", "/hour")),
    ],
)
def test_dice_with_words(text: str, expected: DiceText) -> None:
    assert read_value("dice", text) == expected


@pytest.mark.parametrize(
    "text", ["4d6 drop all", "2d6 keep best", "1d4 per level", "1d4+Str", "2d6 or 3d6", "3d6/2d6/1d6"]
)
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4dF", Pool(4, 0)),
        ("d%", Pool(1, 100)),
        ("d12+5", Sum(((1, Pool(1, 12)), (1, Constant(5))))),
        ("d10 - d10", Sum(((1, Pool(1, 10)), (-1, Pool(1, 10))))),
        ("d6!", Call("explode", (Pool(1, 6),))),
        ("explode(d6)", Call("explode", (Pool(1, 6),))),
        ("4d6kh2", Call("highest", (Constant(2), Pool(4, 6)))),
        ("highest(2, 4d6)", Call("highest", (Constant(2), Pool(4, 6)))),
        ("count(6d10 >= 7)", Call("count", (ComparisonTest(">=", Pool(6, 10), Constant(7)),))),
        ("map(d%, percentile)", Call("map", (Pool(1, 100),), table="percentile")),
        ('map(3d6, "3-4: -4")', Call("map", (Pool(3, 6),), table='"3-4: -4"')),
        ("chances(odds)", Call("chances", (), table="odds")),
        ("times(d6, 10)", Call("times", (Pool(1, 6), Constant(10)))),
        ("4d6kl1", Call("lowest", (Constant(1), Pool(4, 6)))),
        ("4d3-8", Sum(((1, Pool(4, 3)), (-1, Constant(8))))),
        ("reroll(d6, 1)", Call("reroll", (Pool(1, 6), Constant(1)))),
        ("open(4dF)", Call("open", (Pool(4, 0),))),
    ],
)
def test_expressions(text: str, expected: Formula) -> None:
    assert parse_dice(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3d6 +", "column 6: it ends too early"),
        ("3y6", "column 2: this is not expected here"),
        ("foo(3)", 'no dice function "foo"'),
        ("max(d6)", "takes 2 to 8 expressions, not 1"),
        ("count(6d10)", "count\\(\\) is not written like that"),
        ("{luck}", "column 1: names in braces stand for what a game says"),
        ("d6 + mean(3d6)", 'column 6: there is no dice function "mean"'),
        ("d0", "no dice to roll"),
        ("0d6", "no dice to roll"),
        ("1" * 500, "too long"),
        ("", "it ends too early"),
        ("d6 + foo(3)", 'column 6: there is no dice function "foo"'),
        ("3d6 - max(d6)", "column 7: max\\(\\) takes 2 to 8"),
        ("d6 + 0d6", 'column 6: "0d6" has no dice'),
        ("2 + chances(d6)", "column 5: chances\\(\\) takes 0 expressions"),
        ('2 + chances("1: 1")', "column 13: chances\\(\\) takes the name of a table"),
        ("d4 + map(d6)", "column 6: map\\(\\) is not written like that"),
        ("map(d6, one, two)", "map\\(\\) is not written like that"),
        ('map(d6, "1-6")', 'column 9: map\\(\\): "1-6" is not "outcomes: result"'),
        ('map(d6, "6-1: 2")', "column 9: .*6 is more than 1"),
    ],
)
def test_what_is_no_expression_is_an_error_at_its_column(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_dice(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("d12+2 (etc)", "d12+2"), ("4DF", "4dF"), ("none", ""), ("d4-1", "d4-1"), ("3D6", "3d6")],
)
def test_dice_in_cells(text: str, expected: str) -> None:
    assert read_dice(text) == DiceText(expected)
