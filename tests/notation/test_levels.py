"""Levels of ladders, changes to tracks and conditions on traits, as documents print them."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from refgen.errors import NotationError
from refgen.notation.levels import Ladder, in_words, level_name, read_condition, read_level, read_track_change
from refgen.notation.printed_cell import read_value
from refgen.notation.values import Condition, Interval, Level, TrackChange, TraitComparison

SUPERB_TO_TERRIBLE = ("Superb", "Great", "Good", "Fair", "Mediocre", "Poor", "Terrible")
TRAITS = Ladder(
    tuple(Level(level, 3 - number) for number, level in enumerate(SUPERB_TO_TERRIBLE)), {"Med.": "Mediocre"}
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good", Level("Good", 1)),
        ("good", Level("Good", 1)),
        ("Med.", Level("Mediocre", -1)),
        ("Great (expert)", Level("Great", 2, "expert")),
        ("Good +1", Level("Good", 1)),
        ("Fair  0".replace("  ", " "), Level("Fair", 0)),
        ("+3 Superb", Level("Superb", 3)),
        ("Superb +1", Level("Superb +1", 4)),
        ("Terrible -2", Level("Terrible -2", -5)),
        ("Superb (2nd)", Level("Superb +1", 4)),
        ("(Fair)", Level("Fair", 0)),
    ],
)
def test_levels(text: str, expected: Level) -> None:
    assert read_level(text, TRAITS) == expected


def test_an_unknown_level_is_an_error_with_the_nearest_names() -> None:
    with pytest.raises(NotationError, match='"Grate" is not a level') as caught:
        read_level("Grate", TRAITS)
    assert "Great" in caught.value.hint


def test_a_number_that_is_not_the_levels_own_is_an_error() -> None:
    with pytest.raises(NotationError, match=r"gives Good the number \+2; on its ladder it is \+1"):
        read_level("Good +2", TRAITS)
    with pytest.raises(NotationError, match=r"gives Terrible the number \+2"):
        read_level("Terrible +2", TRAITS)  # nothing below the ladder is above it


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good (professional)", ("Good", "professional")),
        ("Legendary +4", ("Legendary", "")),
        ("8+ Legendary", ("Legendary", "")),
        ("(Legendary)", ("Legendary", "")),
        ("Very small", ("Very small", "")),
    ],
)
def test_bare_names(text: str, expected: tuple[str, str]) -> None:
    assert level_name(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4 Scratched boxes", TrackChange("", (("Scratched", 4),), (), (), False)),
        ("Good + 2 Hurt Boxes", TrackChange("Good", (("Hurt", 2),), (), (), False)),
        (
            "Great + Scratched[1-3], Hurt[4-6],V.Hurt[7-8] etc.",
            TrackChange(
                "Great",
                (),
                (),
                (("Scratched", Interval(1, 3)), ("Hurt", Interval(4, 6)), ("V.Hurt", Interval(7, 8))),
                True,
            ),
        ),
        (
            "Great + extra Scratched, Hurt, V.Hurt box",
            TrackChange("Great", (), ("Scratched", "Hurt", "V.Hurt"), (), False),
        ),
        (
            "Mediocre + Scratched[1],Hurt[2-3], etc.",
            TrackChange("Mediocre", (), (), (("Scratched", Interval(1, 1)), ("Hurt", Interval(2, 3))), True),
        ),
        (
            "1 Scratch box, Scratch[1],Hurt[2],V.Hurt[3-4] etc.",
            TrackChange(
                "",
                (("Scratch", 1),),
                (),
                (("Scratch", Interval(1, 1)), ("Hurt", Interval(2, 2)), ("V.Hurt", Interval(3, 4))),
                True,
            ),
        ),
    ],
)
def test_changes(text: str, expected: TrackChange) -> None:
    assert read_track_change(text) == expected


@pytest.mark.parametrize("text", ["", "many boxes more", "Good +", "Hurt[6-4]", "Hurt[]"])
def test_other_words_are_an_error(text: str) -> None:
    with pytest.raises(NotationError):
        read_track_change(text)


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
