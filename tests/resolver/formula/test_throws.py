"""Throws that a formula mentions more than once, against every way that they can come up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import Scope
from refgen.resolver.rolls import roll
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
