"""Formulas as text: what is read, how it binds, and what is refused."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refgen.errors import NotationError, RefgenError
from refgen.limits import limits
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import (
    DICE_FUNCTIONS,
    NAME_FUNCTIONS,
    NUMBER_FUNCTIONS,
    BinaryOperation,
    Call,
    ComparisonTest,
    Constant,
    Formula,
    NamedPool,
    NameReference,
    Pool,
    RangeTest,
    Sum,
    depth_of,
    names_in,
)

SIX = Pool(6, 10)
A, B, C = NameReference("a"), NameReference("b"), NameReference("c")


def plus(*terms: Formula) -> Sum:
    return Sum(tuple((1, term) for term in terms))


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("a number", "12", Constant(12)),
        ("a name", "{army-factor}", NameReference("army-factor")),
        ("a column", "{type.force}", NameReference("type.force")),
        ("dice", "3d6", Pool(3, 6)),
        ("the best two of four dice", "4d6kh2", Call("highest", (Constant(2), Pool(4, 6)))),
        ("as many dice as a trait says", "{trait}d10", NamedPool(NameReference("trait"), 10)),
        ("as many Fudge dice", "{a}dF", NamedPool(A, 0)),
        ("dice and a name after them", "3d6 + {a}", plus(Pool(3, 6), A)),
        ("a sum is one list", "{a} + {b} - {c}", Sum(((1, A), (1, B), (-1, C)))),
        ("minus binds from the left", "{a} - {b} - {c}", Sum(((1, A), (-1, B), (-1, C)))),
        ("brackets", "{a} - ({b} - {c})", Sum(((1, A), (-1, Sum(((1, B), (-1, C))))))),
        ("a product before a sum", "{a} + {b} * {c}", plus(A, BinaryOperation("*", B, C))),
        ("quotients bind from the left", "{a} / {b} / {c}", BinaryOperation("/", BinaryOperation("/", A, B), C)),
        ("a power before a product", "{a} * {b}^{c}", BinaryOperation("*", A, BinaryOperation("^", B, C))),
        ("a power before a sign", "-{a}^{b}", Sum(((-1, BinaryOperation("^", A, B)),))),
        ("a sign in an exponent", "{a}^-{b}", BinaryOperation("^", A, Sum(((-1, B),)))),
        ("two signs", "--{a}", Sum(((1, A),))),
        ("a sign that says nothing", "+{a}", A),
        ("exploding", "d6!", Call("explode", (Pool(1, 6),))),
        ("a comparison", "{a} != {b}", ComparisonTest("!=", A, B)),
        ("a function", "max({a}, {b})", Call("max", (A, B))),
        (
            "a function of a comparison",
            "chance(d6 >= {a})",
            Call("chance", (ComparisonTest(">=", Pool(1, 6), A),)),
        ),
        (
            "a look-up",
            "{a.b at {b} + 1} * 2",
            BinaryOperation(
                "*", Call("at", (NameReference("a.*"), plus(B, Constant(1)), NameReference("a.b"))), Constant(2)
            ),
        ),
        ("a table by its name", "map(d6, luck)", Call("map", (Pool(1, 6),), "luck")),
        ("a table written out", 'map(d6, "1..: 3")', Call("map", (Pool(1, 6),), '"1..: 3"')),
        ("odds by their name", "chances(odds)", Call("chances", (), "odds")),
        ("blanks mean nothing", " {a}+\n{b} ", plus(A, B)),
        ("a rest", "{a} mod 2", BinaryOperation("mod", A, Constant(2))),
        ("a rest before a sum", "{a} + {b} mod {c}", plus(A, BinaryOperation("mod", B, C))),
        ("and before or", "{a} or {b} and {c}", BinaryOperation("or", A, BinaryOperation("and", B, C))),
        ("a comparison before and", "{a} > 1 and {b}", BinaryOperation("and", ComparisonTest(">", A, Constant(1)), B)),
        ("not takes a comparison", "not {a} > 1", Call("not", (ComparisonTest(">", A, Constant(1)),))),
        ("not before and", "not {a} and {b}", BinaryOperation("and", Call("not", (A,)), B)),
        ("brackets around conditions", "({a} or {b}) and {c}", BinaryOperation("and", BinaryOperation("or", A, B), C)),
        ("a range", "{a} in 3..5", RangeTest(A, Constant(3), Constant(5))),
        (
            "a range from below zero",
            "{a} in -2..{b} + 1",
            RangeTest(A, Sum(((-1, Constant(2)),)), plus(B, Constant(1))),
        ),
        ("a range without an end", "{a} in 3.. or {b}", BinaryOperation("or", RangeTest(A, Constant(3), None), B)),
        ("a range without a beginning", "{a} in ..5", RangeTest(A, None, Constant(5))),
        (
            "a range that is printed",
            "{a} in {b.x} and {c}",
            BinaryOperation("and", RangeTest(A, NameReference("b.x"), None, True), C),
        ),
        ("a range between names", "{a} in {b}..{c}", RangeTest(A, B, C)),
        (
            "dice that lie in a range",
            "count(6d10 in 2..4)",
            Call("count", (RangeTest(Pool(6, 10), Constant(2), Constant(4)),)),
        ),
    ],
)
def test_formulas(title: str, text: str, expected: Formula) -> None:
    assert parse_formula(text) == expected, title


@pytest.mark.parametrize(
    ("title", "text", "message"),
    [
        ("nothing", "", "column 1: it ends too early"),
        ("an end too early", "{a} +", "column 6: it ends too early"),
        ("a sign too many", "{a} ** 2", "column 6: this is not expected here"),
        ("a name without braces", "army + 1", "column 6: this is not expected here"),
        ("a name alone", "army", "column 5: it ends too early"),
        ("a text alone", '"army"', "column 1: this is not expected here"),
        ("a capital letter", "{Army}", "column 1: this is not expected here"),
        ("a range compared", "{a} in 1..2 == 1", "column 13: this is not expected here"),
        ("a range of nothing", "{a} in ..", "column 10: it ends too early"),
        ("not after a sign", "1 + not {a}", "column 5: this is not expected here"),
        ("three numbers compared", "1 < {a} < 3", "column 9: this is not expected here"),
        ("a power of a power", "2^3^4", "column 4: this is not expected here"),
        ("two numbers side by side", "{a} {b}", "column 5: this is not expected here"),
        ("an unknown function", "{a} + sqrt({b})", 'column 7: there is no function "sqrt"'),
        ("too few formulas", "if({a}, 1)", r"column 1: if\(\) takes 3 formulas, not 2"),
        ("too many formulas", "abs({a}, 1)", r"column 1: abs\(\) takes 1 formulas, not 2"),
        ("neither so few nor so many", "at({a.x}, 1)", r"at\(\) takes 3 to 4 formulas, not 2"),
        ("no die", "mean(3d0)", 'column 6: "3d0" has no dice to roll'),
        ("no die in a pool", "mean({a}d0)", 'column 9: "d0" has no dice to roll'),
        ("dice without a comparison to count by", "count(6d10)", r"count\(\) is not written like that"),
        ("a table where none belongs", "abs(1, luck)", r"abs\(\) is not written like that"),
        ("no table where one belongs", "map(d6)", r"map\(\) is not written like that"),
        ("two tables", "map(d6, luck, odds)", r"map\(\) is not written like that"),
        ("words where a table belongs", 'map(d6, "lucky")', 'column 9: .*"lucky" is not "outcomes: result"'),
        ("a very long text", "1" * 401, "401 characters is too long"),
        ("very many functions in one another", "abs(" * 60 + "1" + ")" * 60, "nested too deeply"),
    ],
)
def test_what_is_no_formula_is_an_error_at_its_column(title: str, text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        parse_formula(text)
    assert caught.value.hint or "characters" in message, title


def test_an_unknown_function_is_told_what_there_is() -> None:
    with pytest.raises(NotationError) as caught:
        parse_formula("average({a})")
    assert "chance, chances, clamp" in caught.value.hint


@pytest.mark.parametrize(
    "text", ["(" * 199 + "1" + ")" * 199, "-" * 399 + "1", "+" * 399 + "1", "-(" * 130 + "1" + ")" * 130]
)
def test_brackets_and_signs_nest_as_deep_as_a_formula_is_long(text: str) -> None:
    assert depth_of(parse_formula(text)) <= 1


def test_depth_counts_formulas_inside_one_another() -> None:
    assert depth_of(parse_formula("max({a}, abs({b} + 1))")) == 3
    assert depth_of(parse_formula("max({a}, abs({b} + 1))"), {"a": 5}) == 6
    most = limits().formula_depth
    assert depth_of(parse_formula("abs(" * most + "1" + ")" * most)) == most


def test_the_names_in_a_formula() -> None:
    formula = parse_formula("if({a} > 1, {b.x}d6 + {c}, -{a}^2) + map({dice}, luck) * chance(d6 == 1)")
    assert not names_in(parse_formula("1 + d6"))
    assert list(names_in(formula)) == ["a", "b.x", "c", "a", "dice"]


SIGNS = ["{a}", "{a.b}", "(", ")", "+", "-", "*", "/", "^", ",", ">=", "==", "!", "d6", "3dF", "d%", "kh2", "12", "0"]
WORDS = ["chance(", "mean(", "count(", "at(", "if(", "repeat(", "map(", "luck", '"1: 2"', '"x"', " ", "{", "}", '"']
PIECES = st.sampled_from(SIGNS + WORDS)


@pytest.mark.slow
@given(st.text(max_size=30) | st.lists(PIECES, max_size=14).map("".join))
@example("map(d6)")
@example("map")
def test_any_text_is_a_formula_or_an_error_of_ours(text: str) -> None:
    try:
        depth = depth_of(parse_formula(text))
    except RefgenError:
        depth = 0
    assert depth <= limits().formula_depth


WHOLE = st.integers(0, 30)


def written(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.tuples(part, st.sampled_from([" + ", " - ", "*", " / "]), part).map("".join)
    powers = st.tuples(WHOLE, st.integers(-2, 3)).map(lambda pair: f"{pair[0]}^{pair[1]}")
    return joined | powers | part.map(lambda text: f"({text})") | part.map(lambda text: f"-{text}")


ARITHMETIC = st.recursive(WHOLE.map(str), written, max_leaves=8)


def by_hand(formula: Formula) -> Fraction:
    match formula:
        case Constant(value=value):
            return Fraction(value)
        case Sum(terms=terms):
            return sum((sign * by_hand(term) for sign, term in terms), Fraction(0))
        case BinaryOperation(sign=sign, left=left, right=right):
            one, two = by_hand(left), by_hand(right)
            return one * two if sign == "*" else one / two if sign == "/" else one ** int(two)
    raise AssertionError(formula)


@pytest.mark.slow
@given(ARITHMETIC)
def test_arithmetic_binds_as_in_python(text: str) -> None:
    numbers = "".join(f"Fraction({piece})" if piece.isdigit() else piece for piece in _pieces(text.replace("^", "**")))
    try:
        expected = eval(numbers, {"Fraction": Fraction})
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            by_hand(parse_formula(text))
    else:
        assert by_hand(parse_formula(text)) == expected


def _pieces(text: str) -> list[str]:
    return re.findall(r"\d+|\D+", text)


FOLDER = Path(__file__).resolve().parents[2] / "docs"
DOCS = (FOLDER / "systems.md").read_text(encoding="utf-8")
DICE_DOCS = (FOLDER / "dice.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("function", sorted(DICE_FUNCTIONS | NUMBER_FUNCTIONS | NAME_FUNCTIONS))
def test_the_docs_tell_of_every_function(function: str) -> None:
    assert f"`{function}(" in DOCS + DICE_DOCS


def test_the_formulas_in_the_docs_can_be_read() -> None:
    _, _, section = DOCS.partition("### Formulas\n")
    names = "|".join(NUMBER_FUNCTIONS)
    listed = re.findall(rf"`((?:{names})\([^`]*\))`", section.partition("\n## ")[0])
    assert len(listed) > len(NUMBER_FUNCTIONS)
    assert all(parse_formula(text) for text in listed)


def test_a_function_by_its_old_name_is_refused_with_the_new_one_named() -> None:
    with pytest.raises(NotationError, match='there is no function "top"') as caught:
        parse_formula("mean(top({a}))")
    assert caught.value.hint == "It is called highest now."
