"""Dice as people write them: docs/dice.md is the list, and every row of it is rolled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from refgen.errors import NotationError
from refgen.export.odds import roll as public_roll
from refgen.notation.dice_notation import HINT, Sides, in_one_spelling, sides_of
from refgen.notation.formula_parser import parse_dice, parse_formula
from refgen.notation.formula_tree import Call, Constant, NamedPool, NameReference, Sum
from refgen.resolver.rolls import roll

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "dice.md").read_text(encoding="utf-8")
NEARLY = Fraction(1, 10**6)


def rows() -> Iterator[tuple[str, list[str], Fraction]]:
    notation, _, _ = DOCS.partition("## Functions\n")
    for line in re.findall(r"^\| `.*", notation, re.MULTILINE):
        printed, also, mean, *_ = re.split(r"(?<!\\)\|", line.strip("| "))
        yield printed.strip(" `"), re.findall(r"`([^`]+)`", also), Fraction(mean.strip())


ROWS = list(rows())
SPELLINGS = [(printed, text) for printed, also, _ in ROWS for text in [printed, *also]]


def test_the_docs_have_a_row_for_each_notation() -> None:
    assert len(ROWS) >= 18
    assert len(SPELLINGS) >= 60


@pytest.mark.parametrize(("printed", "text"), SPELLINGS)
def test_each_spelling_in_the_docs_is_the_same_roll(printed: str, text: str) -> None:
    one, other = roll(printed), roll(text)
    assert [one.at_least(number) for number in range(-5, 41)] == [other.at_least(number) for number in range(-5, 41)]


@pytest.mark.parametrize(("printed", "mean"), [(printed, mean) for printed, _, mean in ROWS])
def test_each_mean_in_the_docs_is_right(printed: str, mean: Fraction) -> None:
    rolled = roll(printed, reach=400)
    assert abs(rolled.mean - mean) <= (NEARLY if rolled.residue else 0)


@pytest.mark.parametrize(
    ("printed", "text"),
    [(printed, text) for printed, text in SPELLINGS if "(" not in text and text not in ("d6 x 10 + d6", "3d5 + 3")],
)
def test_each_spelling_without_a_function_is_printed_as_the_docs_say(printed: str, text: str) -> None:
    if "100" not in text and text != "6d6cs>4":  # these are spelled in another way, and mean the same
        assert in_one_spelling(text) == printed


def test_what_is_refused_says_what_to_write() -> None:
    refused = re.findall(
        r"`([^`]+)`", DOCS.partition("Text that may mean two things is refused")[2].partition("`explode`")[0]
    )
    allowed = {"d6!>5", "d6! >= 5"}
    assert len(refused) == 9
    for text in set(refused) - allowed:
        with pytest.raises(NotationError, match="cannot read the dice"):
            parse_dice(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4d6r1kh3", 'column 1: "r1kh3" is more than one modifier'),
        ("2 + d6!>1", 'column 5: "d6" cannot explode from 1 up'),
        ("d6!>7", "cannot explode from 7 up"),
        ("d6!<2", '"!<2" may be part of the dice or a comparison'),
        ("d6r7", '"d6" never shows what is rolled again'),
        ("dFro5", '"dF" never shows'),
        ("2d6r>1", '"2d6" always shows what is rolled again'),
        ("d500r<300", r"300 faces are rolled again \(at most 100\)"),
        ("3d6dl3", 'of "3d6" no die is left when 3 are dropped'),
        ("2d6 vs d8", "column 8: a number to reach stands after vs, not dice"),
        ("2d6 keep highest 3d6", "column 18: this is not expected here"),
    ],
)
def test_what_no_dice_can_be_is_refused_at_its_column(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_dice(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{might} + 2D6 drop the lowest - 1", "{might} + 2d6kh1 - 1"),
        ("{might}d6dl1", "{might}d6dl1"),
        ("{might}d10cs>=7", "{might}d10cs>=7"),
        ("chance({a} vs 8)", "chance({a} >= 8)"),
        ('map(2d6k1, "..3: 1, 4..: 2")', 'map(2d6kh1, "..3: 1, 4..: 2")'),
        ("d6!=5", "d6!=5"),
        ("d8 x 10 + d6 x 2", "d8*10 + d6*2"),
        ("3d6r3 > 2", "3d6r3 > 2"),
    ],
)
def test_all_else_in_a_formula_stays_as_it_was_written(text: str, expected: str) -> None:
    assert in_one_spelling(text) == expected
    assert parse_formula(expected) == parse_formula(text)


@pytest.mark.parametrize(
    "text", ["5d10!kh3", "4d6r1kh3", "6d6!cs>=5", "3d6!>5k2", "2d20ro1kl1", "5d10! drop lowest", "4d6kh3!"]
)
def test_what_cannot_be_asked_yet_is_said(text: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_dice(text)
    assert "cannot be kept, dropped or counted yet" in error.value.hint


@pytest.mark.parametrize("text", ["d6!!", "4d6kh3kl1", "4d6kh3 drop lowest"])
def test_two_modifiers_of_another_kind_are_told_what_there_is(text: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_dice(text)
    assert error.value.hint == HINT


def test_a_named_number_of_dice_has_modifiers_too() -> None:
    might = NameReference("might")
    each = Call("without", (parse_dice("d10"), Constant(1)))
    assert parse_formula("{might}d10r1") == Call("repeat", (might, each))
    rest = Sum(((1, might), (-1, Constant(1))))
    assert parse_formula("{might}d6dl1") == Call("highest", (rest, NamedPool(might, 6)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("d20 vs 2d10", Sides("d20", "2d10", None)),
        ("2d6+1 VS. 8", Sides("2d6+1", None, 8)),
        ("d6 - d6 versus -2", Sides("d6 - d6", None, -2)),
        ("d20 against 2d10 vs 3", Sides("d20", "2d10 vs 3", None)),
        ("3d6", Sides("3d6", None, None)),
        ("2d6 − 1 vs −２", Sides("2d6 − 1", None, -2)),
        ("d20+5 vs 15 with advantage", Sides("d20+5 with advantage", None, 15)),
        ("d20 adv vs d20 dis", Sides("d20 adv", "d20 dis", None)),
    ],
)
def test_what_stands_on_the_two_sides_of_versus(text: str, expected: Sides) -> None:
    assert sides_of(text) == expected


@pytest.mark.slow
def test_what_refgen_prints_is_read_as_what_was_written() -> None:
    random = Random(29)
    behind = ["", "k3", "kl", "dl1", "dh", "!", "!>4", "r1", "r<3", "ro>5", "cs>3", "cs5", " drop lowest", " advantage"]
    for _ in range(500):
        count, sides = random.randint(2, 6), random.choice([6, 8, 10])
        dice = " + ".join(f"({count}d{sides}{random.choice(behind)})" for _ in range(2))
        assert parse_dice(in_one_spelling(dice)) == parse_dice(dice)
        assert in_one_spelling(in_one_spelling(dice)) == in_one_spelling(dice)


def test_dice_of_python_are_shown_in_one_spelling() -> None:
    assert public_roll("4d6 drop lowest").dice == "4d6kh3"
