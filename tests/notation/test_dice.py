import pytest

from refgen.errors import NotationError
from refgen.notation.formula_parser import parse_dice
from refgen.notation.formula_tree import Call, ComparisonTest, Constant, Formula, Pool, Sum
from refgen.notation.printed_cell import read_dice
from refgen.notation.values import DiceText


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
