"""Formulas worked out: exact numbers, chances held against all outcomes of the dice, and what each number rests on."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refgen.errors import RefgenError, ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import NamedValue, Scope
from tests.resolver.systems.small import printed, small

F = Fraction
SOON = 10.0
"""Seconds of the CPU; far more than any of these needs, far less than a power without a limit takes."""


def scope_of(row: int = 0) -> tuple[dict[str, bool], Scope]:
    """The names that a row of the realms gives, and whether they stand for dice."""
    table = small("grids").tables["realms"]
    named = {
        f"realm.{column.id}": NamedValue.of(cell) for column, cell in zip(table.columns, table.rows[row], strict=True)
    }
    return {name: name == "realm.guard" for name in named}, Scope(named)


def worked_out(text: str, row: int = 0) -> tuple[int | Fraction, Scope]:
    names, scope = scope_of(row)
    return Compiler(Names(small("grids"), names)).number(parse_formula(text))(scope), scope


def value(text: str, row: int = 0) -> int | Fraction:
    return worked_out(text, row)[0]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("a fact", "{months}", 12),
        ("the ends of a ladder", "{mood.highest} - {mood.lowest}", 2),
        ("a quotient is exact", "{months} / 5", F(12, 5)),
        ("a whole quotient is whole", "{months} / 4", 3),
        ("a square less another", "-2^2 + 3", -1),
        ("a negative power", "2^-3", F(1, 8)),
        ("nothing to the power of nothing", "0^0", 1),
        ("a true comparison", "{months} >= 12", 1),
        ("a false comparison", "1 / 3 == 1", 0),
        ("only the side that is asked for is worked out", "if({months} > 12, 1 / 0, 7)", 7),
        ("signs", "100 * sign(-3) + 10 * sign(0) + sign(1 / 2)", -99),
        ("without the sign", "abs(-3 / 2)", F(3, 2)),
        ("down", "floor(-3 / 2)", -2),
        ("up", "ceiling(-3 / 2)", -1),
        ("halfway up goes away from zero", "nearest(5 / 2)", 3),
        ("halfway down goes away from zero", "nearest(-5 / 2)", -3),
        ("nearly halfway", "nearest(249 / 100)", 2),
        ("a preferred number in its own decade", "preferred(22, 10, 20, 50)", 20),
        ("in another decade", "preferred(2 / 9, 10, 20, 50)", F(1, 5)),
        ("nearer to the next decade", "preferred(8, 10, 20, 50)", 10),
        ("as near to two", "preferred(15, 10, 20, 50)", 20),
        ("one of the series, in any order", "preferred(5000, 50, 10)", 5000),
        ("within limits", "clamp(5, 1, 3) * 100 + clamp(0, 1, 3) * 10 + clamp(2, 1, 3)", 312),
        ("the largest and the smallest", "max(1, 3, 2) - min(1, 3, 2)", 2),
        ("choices", "combinations(5, 2)", 10),
        ("more than there are", "combinations(2, 5)", 0),
        ("fewer than none", "combinations(2, -1)", 0),
        ("whole logarithms", "powers(1, 10) * 100 + powers(999, 10) * 10 + powers(1000, 10)", 23),
        ("logarithms to a broken base", "powers(2, 3 / 2)", 1),
        ("the rows of a table", "rows({realms.realm})", 3),
        ("a range that holds the number", "at({luck.roll}, 3, {luck.luck})", 10),
        ("the last of a range", "at({luck.roll}, 4, {luck.luck})", 10),
        ("a range without a beginning", "at({luck.roll}, -99, {luck.luck})", 3),
        ("a range without an end", "at({luck.roll}, 99, {luck.luck})", 40),
        ("a level as key", "at({moods.mood}, -1, {moods.value})", -1),
        ("no such row", "at({luck.roll}, 7, {luck.luck}, 1 / 2)", F(1, 2)),
        ("a row of a column that goes on", "at({prices.size}, 2, {prices.wall})", 15),
        ("two steps beyond the last row", "at({prices.size}, 5, {prices.wall})", 45),
        ("two steps before the first row", "at({prices.size}, -1, {prices.wall})", 0),
        ("a factor beyond the last row", "at({prices.size}, 4, {prices.tower})", 160),
        ("a factor before the first row", "at({prices.size}, 0, {prices.tower})", F(5, 2)),
        ("a factor that the rules name", "at({prices.size}, 5, {prices.moat})", 180),
        ("the same before the first row", "at({prices.size}, 0, {prices.moat})", F(4, 3)),
        ("no whole number is in a range", "at({luck.roll}, 1 / 2, {luck.luck}, 0)", 0),
        ("the ends of a range", "10 * low({winter}) + high({winter})", 24),
        ("the mean of dice", "mean(3d6)", F(21, 2)),
        ("the mean of a fact with dice", "mean({weather} + 1)", F(23, 2)),
        ("the mean of a number", "mean({months})", 12),
        ("as many dice as a number says", "mean({months}d6)", 42),
        ("some rolls added up", "mean(repeat({months} / 6, d6 + 1))", 9),
        ("no rolls added up", "mean(repeat(0, d6))", 0),
        ("dice that count", "mean(count({months}d10 >= 7))", F(24, 5)),
        ("dice that count unless", "mean(count(6d10 != 7))", F(27, 5)),
        ("dice that count in a printed range", "mean(count({months}d6 in {winter}))", 6),
        ("dice that count in a range of one number", "mean(count(20d20 in {months}))", 1),
        ("dice that count from a broken number on", "mean(count(6d6 >= {months} / 5))", 4),
        ("rolls of printed dice that count", "mean(count(repeat({months}, {weather}) >= 15))", 12 * F(20, 216)),
        ("rolls of as many dice as a number says", "mean(count(repeat(3, {months}d2) >= 24))", F(3, 2**12)),
        ("one roll of printed dice", "mean(count(repeat(1, {weather}) <= 3))", F(1, 216)),
        ("printed dice that count", "mean(count({weather} >= 5))", 1),
        ("dice looked up in a table", "mean(map(d4, luck))", 10),
        ("dice looked up in a table written out", 'mean(map(d4, "1-2: 0, 3-4: 8"))', 4),
        ("a chance of two sides", "chance(d6 > d6)", F(5, 12)),
        ("a number on the left", "chance({months} <= 2d6)", F(1, 36)),
        ("a broken goal", "chance(d6 >= 5 / 2)", F(2, 3)),
        ("a broken goal from above", "chance(d6 <= 5 / 2)", F(1, 3)),
        ("a broken goal is never met", "chance(d6 == 5 / 2)", 0),
        ("nor missed", "chance(d6 != 5 / 2)", 1),
        ("brackets do not hide a number", "chance(d6 - (3 - (d4 - 1)) >= 0)", F(21, 24)),
        ("an exploding die", "chance(d6! >= 7)", F(1, 6)),
        ("dice times a number", "mean(2 * d6)", 7),
        ("a half of dice", "mean(d6 / 2 + 1)", F(11, 4)),
        ("even numbers", "10 * even(4) + even(3) + even(1 / 2)", 10),
        ("a rest", "100 * (7 mod 4) + 10 * (-1 mod 4) + 5 / 2 mod 1", 330 + F(1, 2)),
        ("conditions", "100 * (1 < 2 and 2 < 1) + 10 * (1 < 2 or 1 / 0) + (not 1)", 10),
        ("what is not needed is not worked out", "2 < 1 and 1 / 0", 0),
        ("in a range", "100 * (3 in 3..4) + 10 * (5 in ..4) + (5 in 5..)", 101),
        ("in a printed range", "10 * ({months} in {winter}) + (3 in {winter})", 1),
        ("in a range of one number", "{months} in {months}", 1),
        ("a deviation", "deviation(d6)^2 < 35 / 12 and (deviation(d6) + 1 / 10^50)^2 > 35 / 12", 1),
        ("a deviation that is a number", 'deviation(dF + dF + dF) * 0 + deviation(map(d2, "1: 0, 2: 4"))', 2),
        ("a root", "power(4, 1 / 2)", 2),
        ("a root that is not", "floor(10^3 * power(2, 1 / 2))", 1414),
        ("two conditions on dice", "chance(d6 >= 3 and d6 in 2..4)", F(1, 3)),
        ("a condition that does not hold", "chance(not d6 in 2..4)", F(1, 2)),
        ("even dice", "chance(even(3d6))", F(1, 2)),
        ("the rest of dice", "chance(2d6 mod 3 == 0)", F(1, 3)),
        ("a choice by dice", "mean(if(d6 > 4, 3d6, 6))", F(1, 3) * F(21, 2) + 4),
        ("far beyond where dice are followed", "chance(explode(d6) >= 60)", F(1, 6**9) * F(1, 6)),
        ("the mean of dice that go on", "mean(d8!>3)", 18),
        ("the mean of a pool that goes on", "mean(3d8!>2)", 108),
        (
            "the deviation of dice that go on",
            "deviation(d6!)^2 * 25 > 265999 / 1000 and deviation(d6!)^2 * 25 <= 266",
            1,
        ),
        ("the mean of rounded dice that go on", "mean(floor(d6! / 10))", F(679, 7775)),
        ("the mean of the higher of two that go on", "mean(max(d8!, d6!))", F(21494566, 3317755)),
        ("the mean of a roll with an end", "mean(min(d6!, 7)) * 6", F(6 * 5, 2) + 7),
        ("the highest of a roll with an end", "highest(min(d6!, 100))", 100),
        ("dice that go on in a range far out", "chance(d6! in 100..200) * 6^34", 3 * 6**17 - 4),
        ("rounded dice that go on", "chance(floor(d6! / 10) >= 6)", F(1, 6**10)),
        ("dice that go on, to what nobody prints", "nearest(chance(2d6! >= 2d6!) * 10^12)", 539475218659),
        ("the rest of dice that go on, likewise", "nearest(chance(d6! mod 4 == 0) * 10^18)", 2 * 10**17),
        ("a mean, likewise", "nearest(mean(floor(3d6! / 2)) * 10^15)", 6048 * 10**12),
    ],
)
def test_numbers(title: str, text: str, expected: int | Fraction) -> None:
    found = value(text)
    assert found == expected, title
    assert isinstance(found, int) == (F(expected).denominator == 1)


@pytest.mark.parametrize(
    ("title", "text", "row", "expected"),
    [
        ("a cell", "{realm.folk}", 1, 3_000_000),
        ("a share", "{realm.folk} * {realm.tax}", 1, 300_000),
        ("a level is its number", "{realm.mood}", 2, -1),
        ("a blank cell", "default({realm.tax}, 1 / 3)", 2, F(1, 3)),
        ("a cell that is not blank", "default({realm.tax}, 1 / 0)", 1, F(1, 10)),
        ("both signs, from below", "low({realm.swing})", 0, -2),
        ("both signs, from above", "high({realm.swing})", 0, 2),
        ("the ends of a plain number", "low({realm.swing}) + high({realm.swing})", 1, 2),
        ("only the dice explode", "chance(explode({realm.guard}) >= 14)", 0, F(1, 36)),
        ("a die of its own", "mean({realm.guard})", 1, F(9, 2)),
    ],
)
def test_numbers_of_a_row(title: str, text: str, row: int, expected: int | Fraction) -> None:
    assert value(text, row) == expected, title


@pytest.mark.parametrize(
    ("title", "text", "row", "message"),
    [
        ("an unknown name", "{month}", 0, '"month", which is not there'),
        ("an unknown table", "rows({realmz.folk})", 0, '"realmz.folk", which is no column'),
        ("an unknown column", "rows({realms.folks})", 0, 'has no column "folks"'),
        ("words", "{realm.realm} + 1", 0, r'"Vast" at grids/rules.md:5:3 is no number'),
        ("a blank cell", "{realm.tax}", 2, "is no number"),
        ("both signs are no number", "{realm.swing}", 0, '"±2" at .* is no number'),
        ("dice are no number", "{weather} + 1", 0, "dice are no number by themselves"),
        ("nor are dice written out", "d6", 0, "dice are no number by themselves"),
        ("dice among numbers", "max(1, d6)", 0, "dice are no number"),
        ("no dice", "mean({realm.guard})", 2, '"none" is no dice'),
        ("nothing to divide by", "1 / (12 - {months})", 0, "divides by zero"),
        ("nothing to divide by in a power", "0^-1", 0, "0 to the power of -1 is not worked out"),
        ("a root", "2^(1 / 2)", 0, "2 to the power of 1/2 is not worked out"),
        ("a broken number of dice", "mean(repeat(1 / 2, d6))", 0, "1/2 is no whole number that belongs to dice"),
        ("a negative number of dice", "mean({mood.lowest}d6)", 0, "-1 dice cannot be rolled"),
        ("too many rolls", "mean(repeat(101, d6))", 0, "at most 100"),
        ("too many dice in a row", "chance(" + "+".join(["d2"] * 101) + " > 0)", 0, "101 rolls .* at most 100"),
        ("no such row", "at({luck.roll}, 7, {luck.luck})", 0, 'no row of "luck.roll" is for 7'),
        ("between two rows", "at({prices.size}, 3 / 2, {prices.wall})", 0, 'no row of "prices.size" is for 3/2'),
        ("two tables", "at({luck.roll}, 7, {moods.value})", 0, "two columns of one table"),
        ("no columns", "at(1, 2, 3)", 0, "takes a column, a number and a column"),
        ("no name", "low(3)", 0, r"low\(\) takes a name in braces"),
        ("no end", "chance({months} > 3)", 0, "there are no dice in it"),
        ("a look-up without a row", "{moods.value at 7}", 0, 'no row of "moods.mood" is for 7'),
        ("a look-up in no table", "{mood.value at 0}", 0, 'looks into "mood", which is no printed table'),
        ("a sum that counts", "mean(count({weather} + 2 >= 5))", 0, "takes dice or repeat"),
        ("one or two dice", "dice_count(if(d6 > 3, d6, 2d6))", 0, "how many dice are rolled depends on a roll"),
        ("no highest outcome", "highest(explode(d6))", 0, "this roll has no highest outcome"),
        ("no lowest outcome", "lowest(open(4dF))", 0, "this roll has no lowest outcome"),
        ("words in a column", "highest({realms.realm})", 0, "is no number"),
        ("no comparison", "chance(d6)", 0, "takes a comparison"),
        ("dice by the half", "chance(map(d6 / 2, luck) > 1)", 0, "dice come to 1/2, which is no whole number"),
        (
            "a roll of a roll",
            "chance(highest(chance(d6 > 1), 2d6) > 1)",
            0,
            "5/6 is no whole number that belongs to dice",
        ),
        ("too many falls", "chance(d1000 / d1000 > d1000 / 3)", 0, "more than 50,000 outcomes"),
        ("what no end is known of", "chance(d6! >= 3000)", 0, "depends on how open-ended rolls go on"),
        ("no condition", "chance(2 * d6)", 0, "takes a comparison"),
        ("an unknown table of rolls", "mean(map(d6, lucky))", 0, 'unknown table "lucky"'),
        ("a roll that no row is for", "mean(map(d10, luck))", 0, "7"),
        ("half a choice", "combinations(3, 1 / 2)", 0, r"combinations\(3, 1/2\) is not"),
        ("no logarithm", "powers(0, 10)", 0, r"powers\(0, 10\) is not"),
        ("no base", "powers(5, 1)", 0, r"powers\(5, 1\) is not"),
    ],
)
def test_what_has_no_answer_is_an_error(title: str, text: str, row: int, message: str) -> None:
    with pytest.raises(ResolverError, match=message):
        value(text, row)


@pytest.mark.parametrize(
    "text",
    [
        "((1 / 3)^10000)^10000",
        "combinations(10000, 5000)^10000",
        "((9^9)^9)^9999",
        "10^10000",
        "powers(10^4000, 1 + 1 / 10^1000)",
        "powers(10^4000, 2)",
        "9^9^9",
        "mean(1000000d6)",
        "mean(d1000000)",
        "mean({months}d999999)",
        "chance(explode(d6) >= 10^9)",
        "abs(10^4000 * 10^4000)",
        "1 / 10^4000 / 10^4000",
    ],
)
def test_what_would_take_for_ever_is_refused_at_once_or_answered_soon(text: str) -> None:
    start = process_time()
    try:
        shown = str(value(text))
    except RefgenError as error:
        shown = error.message
    assert process_time() - start < SOON
    assert len(shown) < 5_000


def test_a_long_number_is_reported_by_its_length() -> None:
    with pytest.raises(ResolverError, match="a number of 101 characters to the power of 10000 is not worked out"):
        value("(10^100)^10000")


@pytest.mark.parametrize(
    ("title", "text", "row", "expected"),
    [
        ("nothing printed", "1 + 2", 0, []),
        ("a fact", "{months} * {months}", 0, ["12"]),
        ("a fact with dice", "chance({weather} >= {months})", 0, ["12", "3d6"]),
        ("cells of the row", "{realm.folk} * {realm.tax}", 1, ["3 mil", "1/10"]),
        ("only the side that was taken", "if({months} > 12, {winter}, {realm.mood})", 0, ["12", "Good"]),
        ("a blank and what stands for it", "default({realm.tax}, {months})", 2, ["", "12"]),
        ("the row that holds the number", "at({luck.roll}, 3, {luck.luck})", 0, ["0-4", "10"]),
        (
            "no row: on all that are not it",
            "at({luck.roll}, 7, {luck.luck}, {months})",
            0,
            ["12", "<= -1", "0-4", "5-6", "9+"],
        ),
        ("an end of a range", "low({winter})", 0, ["2 to 4"]),
        ("all rows", "rows({moods.mood})", 0, ["Good", "Fair", "Poor"]),
    ],
)
def test_the_sources_of_a_number_are_what_was_used(title: str, text: str, row: int, expected: list[str]) -> None:
    _, scope = worked_out(text, row)
    assert sorted(printed("grids", scope.sources)) == sorted(expected), title


def test_a_number_rests_on_the_table_that_dice_are_looked_up_in() -> None:
    ruleset = small("grids")
    _, scope = worked_out("mean(map(d4, luck))")
    assert scope.sources == (ruleset.tables["luck"].span,)


@pytest.mark.parametrize(
    ("title", "text", "row", "expected"),
    [
        ("no bound", "{realm.folk} / 2", 1, ""),
        ("more than", "{realm.folk} / 2", 0, ">"),
        ("less than", "{wolves} + 1", 0, "<"),
        ("less than a number taken off", "100 - {wolves}", 0, ">"),
        ("less than a number taken off twice", "100 - (50 - {wolves})", 0, "<"),
        ("divided by less than a number", "100 / {wolves}", 0, ">"),
        ("less than a number divided by another", "{wolves} / {months}", 0, "<"),
        ("less than a number, and another taken off", "{wolves} - {months}", 0, "<"),
        ("below zero", "-{realm.folk}", 0, "<"),
        ("a bound that was not looked at", "if({months} > 1, {months}, {wolves})", 0, ""),
        ("the smaller of a number and of more than another", "min({months}, {realm.folk})", 0, ""),
        ("the smaller of more than a number and of a larger one", "min({realm.folk}, 10^9)", 0, ">"),
        ("the larger of more than a number and of a larger one", "max({realm.folk}, 10^9)", 0, ">"),
        ("the larger of less than a number and of a larger one", "max({wolves}, 50)", 0, ""),
        ("the smaller of less than a number and of a smaller one", "min({wolves}, 1)", 0, "<"),
        ("a number that stands beside it", "min({months}, {realm.folk}) + {wolves}", 0, "<"),
    ],
)
def test_what_follows_from_a_bound_is_a_bound(title: str, text: str, row: int, expected: str) -> None:
    _, scope = worked_out(text, row)
    assert scope.bound == expected, title


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}
DICE = st.lists(st.tuples(st.sampled_from([1, -1]), st.sampled_from([2, 3, 4, 6])), min_size=1, max_size=4)


@pytest.mark.slow
@given(DICE, st.integers(-12, 24), st.sampled_from(sorted(COMPARISONS)), st.booleans())
@settings(deadline=None)
def test_a_chance_is_the_share_of_all_outcomes(dice: list[tuple[int, int]], goal: int, sign: str, turned: bool) -> None:
    rolls = list(product(*(range(1, sides + 1) for _, sides in dice)))
    totals = [sum(sign * face for (sign, _), face in zip(dice, faces, strict=True)) for faces in rolls]
    compare = COMPARISONS[sign]
    rolled = "0" + "".join(f" {'+' if added > 0 else '-'} d{sides}" for added, sides in dice)
    if turned:
        expected = F(sum(compare(goal, total) for total in totals), len(rolls))
        assert value(f"chance({goal} {sign} {rolled})") == expected
    else:
        expected = F(sum(compare(total, goal) for total in totals), len(rolls))
        assert value(f"chance({rolled} {sign} {goal})") == expected


@pytest.mark.slow
@given(DICE, st.integers(1, 5))
@settings(deadline=None)
def test_a_mean_is_that_of_all_outcomes(dice: list[tuple[int, int]], times: int) -> None:
    one = sum(sign * F(sides + 1, 2) for sign, sides in dice)
    rolled = "0" + "".join(f" {'+' if sign > 0 else '-'} d{sides}" for sign, sides in dice)
    assert value(f"mean(repeat({times}, {rolled}))") == times * one


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("highest(2d6 + 1)", 13),
        ("lowest(d8 - 2d6)", -11),
        ("lowest(d6 * {months})", 12),
        ("highest(highest(2, 3d6))", 12),
        ("lowest(explode(d6))", 1),
        ("highest({realm.guard})", 13),
        ("highest({weather} - {weather})", 15),
        ("highest({one-die}) + lowest({one-die})", 7),
        ("highest({months})", 12),
        ("highest({luck.luck})", 40),
        ("lowest({realms.tax})", F(1, 10)),
        ("highest({moods.value}) - lowest({moods.value})", 2),
        ("dice_count({weather})", 3),
        ("dice_count({realm.guard} + explode(2d8) - d%)", 5),
        ("dice_count({best})", 2),
        ("dice_count({months}d6 + {months})", 12),
        ("dice_count({months})", 0),
        ("dice_count(repeat({months}, 2d6 + d8))", 36),
        ("dice_count(4d6! + 2d6r1 + 3d6kh2 + 6d6cs>=5)", 15),
        ("dice_count(d6 + mean(2d6))", 1),
        ("dice_count(if({months} > 6, 2d6, 3d6))", 2),
        ("dice_count(if(d6 > 3, 2d6, 2d8))", 3),
    ],
)
def test_the_ends_of_rolls_and_columns_and_how_many_dice_there_are(text: str, expected: int | Fraction) -> None:
    assert value(text) == expected


def test_an_end_rests_on_its_dice_or_on_the_cells_of_its_column() -> None:
    tables = small("grids").tables
    _, scope = worked_out("highest({moods.value})")
    assert {*scope.sources_by_id.values()} == {row[1].span for row in tables["moods"].rows}
    _, scope = worked_out("lowest({weather}) + dice_count({weather})")
    assert {*scope.sources_by_id.values()} == {small("grids").facts["weather"].span}
    assert worked_out("highest({realms.folk})")[1].bound == ">"


def test_an_end_of_throws_with_a_name_is_that_of_what_they_come_to_together() -> None:
    thrown = {"throw": parse_formula("d6")}
    names = Names(small("grids"), {}, {"margin": parse_formula("{throw} * (7 - {throw})")}, thrown=thrown)
    formulas = Compiler(names)
    assert [formulas.number(parse_formula(text))(Scope({})) for text in ("highest({margin})", "lowest({margin})")] == [
        12,
        6,
    ]


@pytest.mark.parametrize(
    ("look_up", "by_at"),
    [
        ("{luck.luck at 3}", "at({luck.roll}, 3, {luck.luck})"),
        ("{luck.luck at {months} - 7} * 2", "at({luck.roll}, {months} - 7, {luck.luck}) * 2"),
        ("{luck.luck at {luck.luck at -5}}", "at({luck.roll}, at({luck.roll}, -5, {luck.luck}), {luck.luck})"),
        ("{moods.value at {realm.mood}}", "at({moods.mood}, {realm.mood}, {moods.value})"),
    ],
)
def test_a_look_up_is_at_by_the_first_column_of_the_table(look_up: str, by_at: str) -> None:
    (found, rests_on), (same, rested_on) = worked_out(look_up), worked_out(by_at)
    assert (found, [*rests_on.sources_by_id]) == (same, [*rested_on.sources_by_id])
