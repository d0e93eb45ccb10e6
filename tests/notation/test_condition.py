"""Conditions on traits: what is read from them, how they are said in words, and what is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from refgen.errors import NotationError
from refgen.notation.levels import Ladder, in_words, read_condition
from refgen.notation.printed_cell import read_value
from refgen.notation.values import Condition, Level, TraitComparison

NAMES = ("Very hard", "Good", "Fair", "Mediocre", "Poor", "Terrible")
LADDER = Ladder(
    tuple(Level(name, value) for name, value in zip(NAMES, (2, 1, 0, -1, -2, -3), strict=True)), {"Med.": "Mediocre"}
)
POWER, AUTHORITY, CONSENT, WEALTH = ("Power", 1), ("Authority", -1), ("Consent", 1), ("Wealth", 1)


@pytest.mark.parametrize(
    ("title", "text", "clauses"),
    [
        ("a difference", "Power - Authority >= +2", [[TraitComparison((POWER, AUTHORITY), ">=", 2)]]),
        (
            "either of two traits",
            "Consent / Power <= Poor",
            [[TraitComparison((CONSENT,), "<=", -2, "Poor"), TraitComparison((POWER,), "<=", -2, "Poor")]],
        ),
        (
            "both of two comparisons",
            "Tolerance <= Terrible and Prevalence >= Mediocre",
            [
                [TraitComparison((("Tolerance", 1),), "<=", -3, "Terrible")],
                [TraitComparison((("Prevalence", 1),), ">=", -1, "Mediocre")],
            ],
        ),
        (
            "a level of two words, without case",
            "Wealth < very  hard",
            [[TraitComparison((WEALTH,), "<", 2, "Very hard")]],
        ),
        ("a trait of two words", "Ruling agency = 0", [[TraitComparison((("Ruling agency", 1),), "=", 0)]]),
        (
            "names that start like and, and like or",
            "Android > 0 AND Oratory > 0",
            [[TraitComparison((("Android", 1),), ">", 0)], [TraitComparison((("Oratory", 1),), ">", 0)]],
        ),
        ("signs of print", "Power − Authority ≥ −1", [[TraitComparison((POWER, AUTHORITY), ">=", -1)]]),
        ("no blanks", "Power-Authority<=-1", [[TraitComparison((POWER, AUTHORITY), "<=", -1)]]),
        ("the level first", "Good <= Wealth", [[TraitComparison((WEALTH,), ">=", 1, "Good")]]),
        ("two traits against each other", "Power > Authority", [[TraitComparison((POWER, AUTHORITY), ">", 0)]]),
        ("numbers on both sides", "Power - 1 >= Good", [[TraitComparison((POWER,), ">=", 2)]]),
        ("a trait on both sides", "Power >= 2 - power", [[TraitComparison((("Power", 2),), ">=", 2)]]),
    ],
)
def test_conditions(title: str, text: str, clauses: list[list[TraitComparison]]) -> None:
    assert read_condition(text, LADDER) == Condition(tuple(tuple(clause) for clause in clauses)), title


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Power - Authority >= +2", "Power minus Authority at +2 or higher"),
        ("Consent / Power <= Poor", "Consent or Power at Poor or lower"),
        ("Consent / Power - 1 <= Poor", "Consent at Poor or lower, or Power at -1 or lower"),
        (
            "Tolerance <= Terrible and Prevalence >= Mediocre",
            "Tolerance at Terrible or lower, and Prevalence at Mediocre or higher",
        ),
        ("Wealth < 0 and Power > Fair", "Wealth below 0, and Power above Fair"),
        ("Consent = Good", "Consent at exactly Good"),
        ("Power >= 2 - Power", "2 Power at +2 or higher"),
    ],
)
def test_a_condition_in_words(text: str, words: str) -> None:
    assert in_words(read_condition(text, LADDER)) == words


@pytest.mark.parametrize(
    ("title", "text", "column", "reason"),
    [
        ("nothing", "", 1, "it ends too early"),
        ("no comparison", "Wealth", 7, "it ends too early"),
        ("nothing to compare with", "Wealth <=", 10, "it ends too early"),
        ("an open and", "Wealth <= Poor and", 19, "it ends too early"),
        ("a trait alone", "Wealth and Power <= Poor", 8, "this is not expected here"),
        ("two relations", "Wealth <=> Poor", 10, "this is not expected here"),
        ("or between traits", "Consent or Power <= Poor", 9, "this is not expected here"),
        ("a number that is no level's", "Wealth <= 12345", 15, "this is not expected here"),
        ("other signs", "Wealth * 2 <= Poor", 8, "this is not expected here"),
        ("no trait", "Fair <= Poor", 1, "no trait is left in this comparison"),
        ("a trait less itself", "Power - power <= Poor", 1, "no trait is left in this comparison"),
        ("a typo in a level", "Wealth <= Terible", 11, '"Terible" is not a level of the ladder'),
        ("a level and more", "Wealth <= Poor indeed", 11, '"Poor indeed" is not a level of the ladder'),
    ],
)
def test_what_is_no_condition_is_an_error_with_its_column(title: str, text: str, column: int, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_condition(text, LADDER)
    assert caught.value.message == f'cannot read the condition "{text}" at column {column}: {reason}', title
    assert caught.value.hint


def test_a_condition_needs_a_ladder() -> None:
    with pytest.raises(NotationError, match="a condition needs a ladder"):
        read_value("condition", "Wealth <= Poor")


WORDS = (
    "Power",
    "Wealth",
    "very",
    "hard",
    "Poor",
    "and",
    "or",
    "-",
    "−",
    "/",
    "<=",
    ">",
    "=",
    "+2",
    "-1",
    "٣",
    " ",
    "(",
    "12345",
)


@pytest.mark.slow
@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join))
@settings(max_examples=500)
@example("Power - Power <= Power")
def test_any_text_is_read_into_comparisons_of_traits_or_refused(text: str) -> None:
    with suppress(NotationError):
        condition = read_condition(text, LADDER)
        parts = [part for clause in condition.clauses for part in clause]
        assert all(part.traits and all(count for _, count in part.traits) for part in parts)
        assert in_words(condition)
