"""What explains printed chances: laws and fits, against slow and obvious ways of working the same thing out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refgen.errors import ResolverError
from refgen.game import GameRules
from refgen.notation.figures import Rounding
from refgen.notation.values import DiceText, Percent, as_number
from refgen.resolver.computed import ComputedTables
from refgen.resolver.dice.arithmetic import DECIMALS, broken_power
from refgen.resolver.tables.fit import FitCandidate, FitSpec, fit
from refgen.rules.model import RuleTable
from tests.conftest import Loaded, computed, exact, ours, texts

F = Fraction


def printed_odds(ruleset: GameRules) -> list[tuple[int, Percent]]:
    """The table of odds: difficulty and printed chance."""
    rows = []
    for key, odds in ruleset.tables["odds"].rows:
        number = as_number(key.value)
        assert number is not None
        assert isinstance(odds.value, Percent)
        rows.append((int(number), odds.value))
    return rows


def as_decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / number.denominator


def row_of(table: RuleTable, candidate: str) -> dict[str, str]:
    (row,) = [row for row in table.rows if row[0].text == candidate]
    return {column.id: cell.text for column, cell in zip(table.columns, row, strict=True)}


# Powers


@pytest.mark.slow
@given(st.fractions(F(1, 50), 50, max_denominator=60), st.integers(-60, 60), st.integers(1, 12))
@settings(max_examples=200)
def test_a_power_is_the_largest_of_50_decimals_that_is_not_too_high(base: Fraction, top: int, bottom: int) -> None:
    found = broken_power(base, F(top, bottom))
    assert found**bottom <= base**top < (found + F(1, 10**DECIMALS)) ** bottom


def test_a_power_that_is_rational_is_exact() -> None:
    assert broken_power(F(2), F(-3)) == F(1, 8)
    assert broken_power(F(9, 4), F(1, 2)) == F(3, 2)
    assert broken_power(F(8), F(2, 3)) == 4


# Harmonies: laws and dice that may stand behind the printed odds


def halving(difficulty: int) -> Decimal:
    """Half, halved every 3 points below 0; above it failure is halved."""
    if difficulty > 0:
        return 1 - halving(-difficulty)
    return Decimal("0.5") * Decimal(2) ** (Decimal(difficulty) / 3)


def as_stated(difficulty: int) -> Decimal:
    """The same below 0; above it failure is a third for every 5 points."""
    if difficulty <= 0:
        return halving(difficulty)
    return 1 - Decimal("0.5") / Decimal(3) ** (Decimal(difficulty) / 5)


def by_measures(difficulty: int) -> Decimal:
    """One measure of two, which doubles every 3 points."""
    measure = Decimal(2) ** (Decimal(difficulty) / 3)
    return measure / (measure + 1)


LAWS: Mapping[str, Callable[[int], Decimal]] = {
    "Halving, mirrored": halving,
    "As stated": as_stated,
    "By measures": by_measures,
}


@pytest.mark.parametrize("law", LAWS)
def test_a_law_fits_as_well_as_its_decimals_do(loaded: Loaded, law: str) -> None:
    ruleset = loaded("harmonies")
    table = ComputedTables(ruleset)["odds-fit"]
    with localcontext() as context:
        context.prec = 60
        chances = {number: LAWS[law](number) for number, _ in printed_odds(ruleset)}
        errors = [
            (abs(as_decimal(odds.value) - chances[number]) * 100, odds.places) for number, odds in printed_odds(ruleset)
        ]
        agree = sum(error <= Decimal(5).scaleb(-places - 1) for error, places in errors)
        mean = sum((error for error, _ in errors), Decimal(0)) / len(errors)
        largest = max(error for error, _ in errors)
        assert abs(as_decimal(exact(table[law, "mean"])) - mean) < Decimal("1e-40")
    row = row_of(table, law)
    assert (row["agree"], row["cells"]) == (str(agree), "40")
    assert (row["mean"], row["largest"]) == (f"{mean:.2f}", f"{largest:.2f}")


def plain(sides: int) -> dict[int, Fraction]:
    return {face: F(1, sides) for face in range(1, sides + 1)}


@cache
def exploding(sides: int, rerolls: int = 6) -> Mapping[int, Fraction]:
    """A die that is rolled again while it shows its highest face; what is left after some rerolls stays as it is."""
    if not rerolls:
        return plain(sides)
    again = exploding(sides, rerolls - 1)
    chances = {face: F(1, sides) for face in range(1, sides)}
    for outcome, chance in again.items():
        chances[sides + outcome] = chance / sides
    return chances


def difference(die: Mapping[int, Fraction]) -> Mapping[int, Fraction]:
    """All outcomes of two dice, one taken from the other."""
    chances: dict[int, Fraction] = {}
    for (first, p), (other, q) in product(die.items(), die.items()):
        chances[first - other] = chances.get(first - other, F(0)) + p * q
    return chances


def at_least(chances: Mapping[int, Fraction], least: int) -> Fraction:
    return sum((chance for outcome, chance in chances.items() if outcome >= least), F(0))


@cache
def dice_errors(sides: int, explodes: bool) -> tuple[list[Fraction], int]:
    """The errors of two dice, one taken from the other, in percentage points; and how many cells agree."""
    die = exploding(sides) if explodes else plain(sides)
    odds = printed_odds(ours("harmonies"))
    outcomes = difference(die)
    exact = [at_least(outcomes, -number) for number, _ in odds]
    errors = [abs(chance.value - computed) * 100 for (_, chance), computed in zip(odds, exact, strict=True)]
    agree = sum(error <= F(1, 2 * 10**chance.places) for (_, chance), error in zip(odds, errors, strict=True))
    return errors, agree


@pytest.mark.slow
@pytest.mark.parametrize("explodes", [False, True], ids=["plain", "exploding"])
def test_the_best_two_of_each_family_of_dice_are_shown(explodes: bool) -> None:
    found = {sides: dice_errors(sides, explodes) for sides in (6, 8, 10, 12, 20)}
    ranked = sorted(found, key=lambda sides: (-found[sides][1], sum(found[sides][0])))
    suffix = ", exploding" if explodes else ""
    shown = [row[0].text for row in computed("harmonies")["odds-fit"].rows]
    dice = [title for title in shown if title.startswith("d") and title.endswith("exploding") == explodes]
    assert dice == [f"d{sides} − d{sides}{suffix}" for sides in ranked[:2]]


@pytest.mark.parametrize(
    ("candidate", "sides", "explodes"),
    [("d10 − d10", 10, False), ("d12 − d12", 12, False), ("d10 − d10, exploding", 10, True)],
)
def test_dice_fit_as_well_as_all_their_outcomes_do(candidate: str, sides: int, explodes: bool) -> None:
    errors, agree = dice_errors(sides, explodes)
    table = computed("harmonies")["odds-fit"]
    assert table[candidate, "agree"].exact == agree
    slack = F(int(explodes), 10_000)  # the outcomes listed above leave very long rolls out
    assert abs(exact(table[candidate, "mean"]) - sum(errors, F(0)) / 40) <= slack
    assert abs(exact(table[candidate, "largest"]) - max(errors)) <= slack


def test_halving_in_both_directions_explains_the_printed_odds_best() -> None:
    table = computed("harmonies")["odds-fit"]
    assert texts(table, "candidate", "agree", "cells", "verdict")[:2] == [
        ["Halving, mirrored", "27", "40", "best, not every cell"],
        ["As stated", "14", "40", "–"],
    ]
    assert row_of(table, "Halving, mirrored")["largest"] == "1.50"


@pytest.mark.slow
def test_two_like_dice_reach_0_in_more_than_half_of_all_rolls() -> None:
    for sides, explodes in product((6, 8, 10, 12, 20), (False, True)):
        assert at_least(difference(exploding(sides) if explodes else plain(sides)), 0) > F(1, 2)


def test_a_law_rests_on_the_facts_that_are_its_constants_and_on_its_key() -> None:
    ruleset = ours("harmonies")
    table = computed("harmonies")["law-odds"]
    key, mirrored, stated, _ = table.rows[0]
    names = ("typical-odds", "typical-difficulty", "harder-factor", "harder-points")
    spans = {ruleset.facts[name].span for name in names}
    printed = ruleset.tables["odds"].rows[0][0]
    assert key.text == printed.text
    assert set(mirrored.sources) == {*spans, printed.span}
    easier = {ruleset.facts[name].span for name in ("easier-factor", "easier-points")}
    assert set(stated.sources) == {*spans, *easier, printed.span}


# Polyhedral Fudge: which rules the two printed tables of chances follow


def reaches(sides: int, target: int, explodes: bool) -> Fraction:
    """The chance that a die reaches a target, by its faces; the highest is rolled again when that is not enough."""
    chance = F(sum(face >= target for face in range(1, sides + 1)), sides)
    if explodes and target > sides:
        chance += F(1, sides) * reaches(sides, target - sides, explodes)
    return chance


def by_rule(rule: str, sides: int, added: int, level: int) -> Fraction:
    """The chance of a die and what is added to it to reach a level; 1 and 1 again is Abysmal, the level 0."""
    target = level - added
    if rule == "The die alone":
        return reaches(sides, target, explodes=False)
    chance = reaches(sides, target, explodes=True)
    return chance if rule == "Exploding" or level <= 0 else min(chance, 1 - F(1, sides * sides))


def trait_dice(ruleset: GameRules) -> dict[str, tuple[int, int]]:
    """The sides of each trait's die, and what is added to it."""
    found = {}
    for row in ruleset.tables["final-ladder"].rows:
        die = row[2].value
        if isinstance(die, DiceText) and die.expression:
            sides, sign, added = die.expression.removeprefix("d").replace("-", "+-").partition("+")
            found[row[1].text.lower()] = (int(sides), int(added) if sign else 0)
    return found


def printed_cells(ruleset: GameRules, table_id: str) -> Iterator[tuple[int, str, Percent]]:
    table = ruleset.tables[table_id]
    for row in table.rows:
        key = as_number(next(cell.value for cell in row if as_number(cell.value) is not None))
        assert key is not None
        for column, cell in zip(table.columns, row, strict=True):
            if isinstance(cell.value, Percent):
                yield int(key), column.id, cell.value


@pytest.mark.parametrize("rule", ["The die alone", "Exploding", "Exploding, with snake eyes"])
@pytest.mark.parametrize(
    ("fit_id", "table_id"),
    [("plain-fit", "plain-probabilities"), ("exploding-fit", "exploding-probabilities")],
)
def test_a_rule_fits_as_well_as_its_rolls_do(loaded: Loaded, rule: str, fit_id: str, table_id: str) -> None:
    ruleset = loaded("polyhedral-fudge")
    dice = trait_dice(ruleset)
    errors, agree = [], 0
    for target, trait, chance in printed_cells(ruleset, table_id):
        sides, added = dice[trait]
        errors.append(abs(chance.value - by_rule(rule, sides, added, target)))
        agree += errors[-1] <= F(1, 200)
    table = ComputedTables(ruleset)[fit_id]
    assert table[rule, "agree"].exact == agree
    assert table[rule, "cells"].exact == len(errors)
    assert table[rule, "mean"].exact == 100 * sum(errors) / len(errors)
    assert table[rule, "largest"].exact == 100 * max(errors)


def test_the_second_table_of_chances_leaves_snake_eyes_out() -> None:
    found = computed("polyhedral-fudge")
    assert texts(found["plain-fit"], "candidate", "agree", "cells", "verdict") == [
        ["The die alone", "63", "63", "best: every cell"],
        ["Exploding", "52", "63", "–"],
        ["Exploding, with snake eyes", "45", "63", "–"],
    ]
    assert texts(found["exploding-fit"], "candidate", "agree", "cells", "verdict") == [
        ["Exploding", "56", "56", "best: every cell"],
        ["Exploding, with snake eyes", "49", "56", "–"],
        ["The die alone", "45", "56", "–"],
    ]


def test_the_two_tables_are_rounded_by_different_rules() -> None:
    found = computed("polyhedral-fudge")
    assert texts(found["plain-fit"], "rounded", "rounding")[0] == ["63", Rounding.HALF_UP]
    assert texts(found["exploding-fit"], "rounded", "rounding")[0] == ["56", Rounding.HALF_EVEN]


# What cannot be answered


def asked(**changes: Any) -> RuleTable:
    """A fit of the d6 chances of Polyhedral Fudge, with changes to its entry."""
    entry: dict[str, Any] = {
        "kind": "fit",
        "title": "A fit",
        "printed": "d6-chances",
        "key": "number",
        "columns": ["chance"],
        "candidates": [{"title": "{die}", "dice": "{die}", "die": ["d6"]}],
    }
    return fit(ours("polyhedral-fudge"), "a-fit", FitSpec.model_validate(entry | changes))


def test_a_candidate_names_only_columns_that_are_asked_about() -> None:
    with pytest.raises(ValueError, match='"x" names level, which is not in `columns`'):
        asked(candidates=[{"title": "x", "computed": "fair-odds", "columns": {"level": "chance"}}])


def test_equally_good_candidates_are_all_best() -> None:
    table = asked(candidates=[{"title": "d6", "dice": "d6"}, {"title": "again", "dice": "explode(d6)"}])
    assert texts(table, "candidate", "verdict") == [["d6", "best: every cell"], ["again", "best: every cell"]]


def test_a_fit_says_what_an_open_ended_roll_leaves_out() -> None:
    ruleset = ours("harmonies")
    spec = ruleset.spec.derived["odds-fit"]
    assert isinstance(spec, FitSpec)
    endless = FitCandidate(title="d10s", dice="explode(d10) - explode(d10)")
    beyond = FitCandidate(title="as printed, twice", dice="chances(odds) - chances(odds)")
    assert "Open-ended" not in fit(ruleset, "x", spec.model_copy(update={"candidates": [endless]})).rule
    assert "fewer than one in 45 " in fit(ruleset, "x", spec.model_copy(update={"candidates": [endless, beyond]})).rule


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"printed": "nowhere"}, 'no table "nowhere"'),
        ({"columns": ["level"]}, "prints no chances in level"),
        ({"key": "level", "printed": "final-ladder", "columns": ["die"]}, "prints no chances in die"),
        ({"candidates": [{"title": "x", "computed": "d6-chances"}]}, '"d6-chances" has no chance for 6 in "chance"'),
        ({"candidates": [{"title": "x", "computed": "elsewhere"}]}, 'no table "elsewhere"'),
        ({"key": "chance"}, "not a whole number that a roll can reach"),
        ({"candidates": [{"title": "x", "dice": "{nothing}"}]}, 'no fact "nothing"'),
    ],
)
def test_a_fit_without_an_answer_says_why(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ResolverError, match=message):
        asked(**changes)
