"""Throws with a name: a formula that mentions a throw twice means the same throw; against every fall of the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import Scope, named_number
from refgen.resolver.rolls import roll
from tests.conftest import ours
from tests.resolver.systems.small import small

F = Fraction
D6 = range(1, 7)


def value(text: str, throws: Mapping[str, str], **let: str) -> int | Fraction:
    """What a formula comes to, with throws and formulas that have names."""
    thrown = {name: parse_formula(dice) for name, dice in throws.items()}
    names = Names(small("grids"), {}, {name: parse_formula(own) for name, own in let.items()}, thrown=thrown)
    return Compiler(names).number(parse_formula(text))(Scope({}))


TWO = {"a": "d6", "b": "d6"}


@pytest.mark.parametrize(
    ("title", "condition", "holds"),
    [
        ("a throw and itself", "{a} == {a}", lambda a, b: True),
        ("each once", "{a} > {b}", lambda a, b: a > b),
        ("better, and good enough", "{a} > {b} and {a} >= 3", lambda a, b: a > b and a >= 3),
        ("one or the other", "{a} == 6 or {b} == 6 or {a} == {b}", lambda a, b: 6 in (a, b) or a == b),
        ("not", "not {a} > {b}", lambda a, b: a <= b),
        ("even, and not small", "even({a} + {b}) and {a} > 2", lambda a, b: (a + b) % 2 == 0 and a > 2),
        ("in a range", "{a} in 2..4 and {b} in {a}..", lambda a, b: 2 <= a <= 4 and b >= a),
        ("in a printed range", "{a} in {winter} and {a} > {b}", lambda a, b: 2 <= a <= 4 and a > b),
        ("the rest of a difference", "({a} - {b}) mod 3 == {a} mod 2", lambda a, b: (a - b) % 3 == a % 2),
        ("what follows from a throw", "{sum} > 7 and {a} > 3", lambda a, b: a + b > 7 and a > 3),
    ],
)
def test_a_throw_is_the_same_wherever_it_is_mentioned(
    title: str, condition: str, holds: Callable[[int, int], bool]
) -> None:
    expected = F(sum(holds(a, b) for a, b in product(D6, D6)), 36)
    assert value(f"chance({condition})", TWO, sum="{a} + {b}") == expected, title


@pytest.mark.parametrize(
    ("title", "formula", "comes_to"),
    [
        ("a throw less itself", "{a} - {a}", lambda a, b: 0),
        ("a throw twice", "{a} + {a} + {b}", lambda a, b: 2 * a + b),
        ("a product", "{a} * ({b} - {a})", lambda a, b: a * (b - a)),
        ("a choice", "if({a} > {b}, {a}, {b} / 2)", lambda a, b: a if a > b else F(b, 2)),
        ("each once", "{a} - {b} + 1", lambda a, b: a - b + 1),
    ],
)
def test_means_and_deviations_of_throws(title: str, formula: str, comes_to: Callable[[int, int], int]) -> None:
    outcomes = [F(comes_to(a, b)) for a, b in product(D6, D6)]
    mean = sum(outcomes) / 36
    variance = sum(outcome**2 for outcome in outcomes) / 36 - mean**2
    assert value(f"mean({formula})", TWO) == mean, title
    deviation = F(value(f"deviation({formula})", TWO))
    assert deviation**2 <= variance < (deviation + F(1, 10**50)) ** 2, title


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("chance(count({pool} >= 5) >= 2)", F(7, 27)),
        ("chance(count({same} >= 5) >= 2)", F(7, 27)),
        ("chance(count({rolls} >= 15) >= 1)", 1 - (1 - F(20, 216)) ** 6),
        ("chance({pool} >= 3 * dice_count({pool}) and {pool} < 10)", F(25, 216)),
        ("mean({pool} * 0 + dice_count({pool}) + dice_count({rolls}))", 21),
    ],
)
def test_single_dice_are_asked_by_name(formula: str, expected: Fraction) -> None:
    throws = {"pool": "3d6", "rolls": "repeat(6, 3d6)"}
    assert value(formula, throws, same="{pool}") == expected


def test_a_throw_that_is_mentioned_once_may_be_open_ended() -> None:
    throws = {"a": "d6! + 1", "b": "d6!"}
    assert value("chance({a} > {b})", throws) == roll("d6! - d6!").at_least(0)
    with pytest.raises(ResolverError, match="has no last outcome"):
        value("chance({a} > {b} and {a} > 3)", throws)


SIGNS: Mapping[str, Callable[[Fraction, Fraction], Fraction | bool]] = {
    "+": lambda one, two: one + two,
    "-": lambda one, two: one - two,
    "*": lambda one, two: one * two,
    ">=": lambda one, two: one >= two,
    "<": lambda one, two: one < two,
    "==": lambda one, two: one == two,
    "and": lambda one, two: bool(one and two),
    "or": lambda one, two: bool(one or two),
}
Written = tuple[str, Callable[[Mapping[str, int]], Fraction]]
"""A formula of the throws a and b, and what it comes to."""

LEAVES: list[Written] = [
    ("{a}", lambda thrown: F(thrown["a"])),
    ("{b}", lambda thrown: F(thrown["b"])),
    ("2", lambda thrown: F(2)),
]


def joined(parts: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    def join(left: Written, sign: str, right: Written) -> Written:
        return f"({left[0]} {sign} {right[0]})", lambda thrown: F(SIGNS[sign](left[1](thrown), right[1](thrown)))

    return st.builds(join, parts, st.sampled_from(sorted(SIGNS)), parts)


@pytest.mark.slow
@given(st.recursive(st.sampled_from(LEAVES), joined, max_leaves=6), st.integers(1, 4), st.integers(1, 4))
def test_any_formula_of_two_throws_is_what_all_their_outcomes_come_to(written: Written, one: int, two: int) -> None:
    text, by_hand = written
    counts = Counter(by_hand({"a": a, "b": b}) for a, b in product(range(1, one + 1), range(1, two + 1)))
    throws = {"a": f"d{one}", "b": f"d{two}"}
    mean = sum((outcome * count for outcome, count in counts.items()), F(0)) / counts.total()
    assert value(f"mean({text} + {{a}} - {{a}})", throws) == mean
    for outcome, count in counts.items():
        if outcome >= 0:
            assert value(f"chance({text} + 0 * {{a}} == {outcome})", throws) == F(count, counts.total())


def formulas(throws: Mapping[str, str], let: Mapping[str, str] | None = None, *named: str) -> Compiler:
    """Formulas over throws, and names that a row gives."""
    let_formulas = {name: parse_formula(text) for name, text in (let or {}).items()}
    thrown = {name: parse_formula(text) for name, text in throws.items()}
    return Compiler(Names(ours("fudge-1995"), dict.fromkeys(named, False), let_formulas, {}, thrown))


def worked_out(text: str, throws: Mapping[str, str], let: Mapping[str, str] | None = None, **given: int) -> Rational:
    scope = Scope({name: named_number(number) for name, number in given.items()})
    return formulas(throws, let, *given).number(parse_formula(text))(scope)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("chance({a} - {a} == 0)", 1),
        ("chance({a} == {b})", F(1, 6)),
        ("chance({a} + {b} >= 10)", F(1, 6)),
        ("chance({a} > {b})", F(5, 12)),
        ("chance(3 < {a})", F(1, 2)),
        ("chance({a} + {k} >= 7)", F(1, 2)),
        ("mean({a} * {b})", F(49, 4)),
        ("mean({a} * {a})", F(91, 6)),
        ("mean(max({a}, {b}))", F(161, 36)),
        ("mean(if({a} == 6, {b}, 0))", F(7, 12)),
        ("mean(if({a} > 3, 10 / ({a} - 3), 0))", F(55, 18)),
        ("mean(ceiling({a} / 2))", 2),
        ("mean(clamp({a}, 2, {b}))", F(sum(max(2, min(a, b)) for a in range(1, 7) for b in range(1, 7)), 36)),
        ("mean(sign({a} - 4))", F(-1, 6)),
        ("chance({a} >= 4) * chance({b} >= 5)", F(1, 6)),
        ("mean({a} + {k})", F(13, 2)),
    ],
)
def test_literal_answers(text: str, expected: Rational) -> None:
    assert worked_out(text, TWO, k=3) == expected


def test_a_throw_that_is_named_by_other_formulas_is_the_same_throw() -> None:
    let = {"high": "{a} >= 4", "sum": "{a} + {b}", "both": "if({high}, {sum}, 0)"}
    assert worked_out("mean({both})", TWO, let) == F(sum(a + b for a in (4, 5, 6) for b in range(1, 7)), 36)
    assert worked_out("chance({sum} - {a} == {b})", TWO, let) == 1


def test_dice_of_a_row_are_thrown() -> None:
    assert worked_out("chance({a} == {n} * 6)", {"a": "{n}d6"}, n=2) == F(1, 36)


OPERATIONS = st.sampled_from(
    ["{a} + {b}", "{a} - 2 * {b}", "max({a}, {c})", "if({a} > {b}, {c}, 0 - {a})", "abs({b} - {c})"]
)


@pytest.mark.slow
@given(st.lists(OPERATIONS, min_size=1, max_size=3), st.integers(-6, 12), st.sampled_from([">=", "<", "==", "!="]))
def test_any_formula_is_what_every_fall_says(texts: list[str], goal: int, sign: str) -> None:
    """Three dice of 4, 3 and 2 sides: 24 falls, each worked out by Python."""
    let = {f"part-{number}": text for number, text in enumerate(texts)}
    total = " + ".join(f"{{{name}}}" for name in let)
    found = worked_out(f"chance({total} {sign} {goal})", {"a": "d4", "b": "d3", "c": "d2"}, let)
    met = 0
    for a, b, c in product(range(1, 5), range(1, 4), range(1, 3)):
        by_text = {
            "{a} + {b}": a + b,
            "{a} - 2 * {b}": a - 2 * b,
            "max({a}, {c})": max(a, c),
            "if({a} > {b}, {c}, 0 - {a})": c if a > b else -a,
            "abs({b} - {c})": abs(b - c),
        }
        value = sum(by_text[text] for text in texts)
        met += {">=": value >= goal, "<": value < goal, "==": value == goal, "!=": value != goal}[sign]
    assert found == F(met, 24)


def test_falls_that_no_formula_can_tell_apart_are_one() -> None:
    """Five dice, of which only two sums are asked: 6 to the power of 10 falls are never listed."""
    throws = {f"d-{number}": "d6" for number in range(10)}
    let = {"sum-0": "{d-0}", **{f"sum-{n}": f"{{sum-{n - 1}}} + {{d-{n}}}" for n in range(1, 10)}}
    assert worked_out("mean({sum-9})", throws, let) == 35
    assert worked_out("chance({sum-9} == 10)", throws, let) == F(1, 6**10)


@pytest.mark.parametrize(
    ("text", "throws", "expected"),
    [
        ("chance({a} + d6 > 7)", TWO, F(15, 36)),
        ("chance({a} >= 7)", {"a": "explode(d6)"}, F(1, 6)),
        ("chance({a} >= 3)", {"a": "{b} + 1", "b": "d6"}, F(5, 6)),
        ("mean(explode({a}) - explode({b}))", TWO, 0),
        ("chance({a} + {b} > 1999)", {"a": "d1000", "b": "d1000"}, F(1, 10**6)),
    ],
)
def test_throws_that_are_mentioned_once_are_dice_like_any_others(
    text: str, throws: Mapping[str, str], expected: Fraction
) -> None:
    assert worked_out(text, throws) == expected


@pytest.mark.parametrize(
    ("text", "throws", "message"),
    [
        ("{a}", TWO, '"a" is another number with each throw'),
        ("chance({a} * {a} + d6 > 7)", TWO, "dice without a name stand beside bound throws"),
        ("chance({a} >= 2 and {a} < 9)", {"a": "explode(d6)"}, 'the throw "a" has no last outcome'),
        ("chance({a} >= 2 and {a} < 9)", {"a": "{b} + 1", "b": "d6"}, 'the throw "a" names another throw'),
        ("mean(explode({a}) - {a})", TWO, "dice"),
        ("chance({a} + {b} > 5 and {a} > {b})", {"a": "d1000", "b": "d1000"}, "have 1,000,000 outcomes together"),
        ("mean(1 / ({a} - 1))", TWO, "divides by zero"),
        ("mean({a} + {gone})", TWO, 'asks for "gone"'),
    ],
)
def test_what_means_nothing_is_refused(text: str, throws: Mapping[str, str], message: str) -> None:
    with pytest.raises(ResolverError, match=message):
        worked_out(text, throws)


LET = {
    "skill": "0",
    "foe": "1",
    "easy": "0",
    "margin": "if({easy}, {a}, {skill} + {a} - {foe} - {b})",
    "won": "if({margin} > 0, {margin}, 0)",
}


@pytest.mark.parametrize(
    ("title", "own", "text"),
    [
        ("all as shared", {}, "mean({won})"),
        ("another number", {"foe": "{k} + 1"}, "mean({won})"),
        ("what follows from a shared throw", {"twice": "2 * {won} + {k}"}, "chance({twice} >= 3)"),
        ("a throw in place of a number", {"skill": "{b}"}, "mean({won})"),
        ("another formula over throws", {"margin": "{a} * {b} - {skill}"}, "mean({won})"),
        ("a number that goes wrong where it is not asked for", {"easy": "{k} == 0", "foe": "1 / {k}"}, "mean({won})"),
        ("shared throws beside each other", {}, "chance({a} + {won} == {k})"),
    ],
)
@pytest.mark.parametrize("given", [{"k": 0}, {"k": 2}, {"k": 2, "skill": 3}])
def test_shared_distributions_are_those_of_the_entry_alone(
    title: str, own: Mapping[str, str], text: str, given: Mapping[str, int]
) -> None:
    let = {name: formula for name, formula in {**LET, **own}.items() if name not in given}
    kept: dict[str, object] = {}
    for others in ({"k": 0}, {"k": 1}, {"k": 2}, {"k": 2, "skill": 1}):
        entry = {name: formula for name, formula in LET.items() if name not in others}
        asked(formulas(TWO, entry, *others), "mean({won})", others, kept)
        asked(formulas({**TWO, "b": "d8"}, entry, *others), "mean({won})", others, kept)
    own_entry = formulas(TWO, let, *given)
    assert asked(own_entry, text, given, kept) == asked(own_entry, text, given, {}), title


def asked(entry: Compiler, text: str, given: Mapping[str, int], kept: dict[str, object]) -> Rational:
    """What a formula comes to in a ruleset that keeps what other entries asked."""
    names = replace(entry.names, ruleset=replace(entry.names.ruleset, kept=kept))
    scope = Scope({name: named_number(number) for name, number in given.items()})
    return Compiler(names).number(parse_formula(text))(scope)
