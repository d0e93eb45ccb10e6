"""``refgen odds`` says which of two readings it took, and how the other is written."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product

import pytest
from click.testing import CliRunner, Result

import refgen
from refgen.cli import main


def odds(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["odds", *arguments])


@pytest.mark.parametrize(
    ("dice", "digits", "faces"),
    [("d66", 2, 6), ("D66", 2, 6), ("d44", 2, 4), ("d88", 2, 8), ("d666", 3, 6), ("d4444", 4, 4)],
)
def test_dice_read_as_digits(dice: str, digits: int, faces: int) -> None:
    falls = product(range(1, faces + 1), repeat=digits)
    outcomes = [int("".join(map(str, fall))) for fall in falls]
    assert refgen.roll(dice).pmf() == dict.fromkeys(sorted(outcomes), Fraction(1, faces**digits))
    found = json.loads(odds(dice, "--format", "json").stdout)
    assert [each["outcome"] for each in found["pmf"]] == sorted(outcomes)


@pytest.mark.parametrize(("dice", "sides"), [("1d66", 66), ("d33", 33), ("d22", 22), ("d100", 100), ("d64", 64)])
def test_other_dice_have_as_many_sides_as_they_say(dice: str, sides: int) -> None:
    assert refgen.roll(dice).pmf() == dict.fromkeys(range(1, sides + 1), Fraction(1, sides))


@pytest.mark.parametrize(
    ("arguments", "notes"),
    [
        (["d66"], ["d66 is 2 dice of 6 sides read as digits, 11 to 66; 1d66 is one die with 66 sides"]),
        (["2d66"], ["2d66 rolls dice with 66 sides; d66 is 2 dice of 6 sides read as digits, 11 to 66"]),
        (["6d6>=6"], ["6d6 >= 6 asks for the sum of the dice; count(6d6 >= 6) counts the dice of which that is true"]),
        (
            ["d6", "--against", "d666"],
            ["d666 is 3 dice of 6 sides read as digits, 111 to 666; 1d666 is one die with 666 sides"],
        ),
        (
            ["not 3dF in ..0", "--at-least", "1"],
            ["3dF in ..0 asks for the sum of the dice; count(3dF in ..0) counts the dice of which that is true"],
        ),
        (["count(6d6 >= 6)"], []),
        (["d20 >= 11"], []),
        (["3d6"], []),
        (["d100"], []),
    ],
)
def test_notes_stand_beside_the_answer(arguments: list[str], notes: list[str]) -> None:
    found = odds(*arguments)
    assert (found.exit_code, found.stderr.splitlines()) == (0, [f"note: {note}" for note in notes])


def test_a_pool_that_is_compared_is_added_up() -> None:
    assert odds("6d6>=6", "--at-least", "1").stdout == "6d6>=6: 1 or more  100.00%  (1)\n"
    assert odds("count(6d6>=6)", "--at-least", "1").stdout == "count(6d6>=6): 1 or more  66.51%  (31031/46656)\n"


def test_nothing_is_kept_of_dice_read_as_digits() -> None:
    found = odds("d66kh1")
    assert (found.exit_code, found.stderr) == (
        2,
        'cannot read the dice "d66kh1" at column 1: the dice of "d66" are read as digits\n'
        "  hint: Write 1d66 for a die with 66 sides.\n",
    )
    assert odds("1d66kh1").exit_code == 0
