"""Signs, figures and letters as documents and pages print them: all are read as those of a keyboard."""

from __future__ import annotations

import pytest

import refgen
from refgen.errors import NotationError
from refgen.notation.dice_notation import in_one_spelling
from refgen.notation.formula_parser import parse_dice, parse_formula
from refgen.notation.printed_cell import read_value
from refgen.notation.usual_text import usual_text
from refgen.notation.values import DiceText


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("2d6−1", "2d6-1"),
        ("2d6–1", "2d6-1"),
        ("2d6—1", "2d6-1"),
        ("2d6‐1", "2d6-1"),
        ("2d6﹣1", "2d6-1"),
        ("2d6 ≥ 8", "2d6 >= 8"),
        ("2d6⩽8", "2d6<=8"),
        ("2d6 ≠ 7", "2d6 != 7"),
        ("6d6cs≥5", "6d6cs>=5"),
        ("3d6r≤2", "3d6r<=2"),
        ("d6!＞5", "d6!>5"),
        ("floor(3d6 ÷ 2)", "floor(3d6 / 2)"),
        ("floor(3d6 ⁄ 2)", "floor(3d6 / 2)"),
        ("4D6KH3", "4d6kh3"),
        ("4D6 Drop Lowest", "4d6 drop lowest"),
        ("MAX(D6, D8)", "max(d6, d8)"),
        ("D%", "d%"),
        ("３ｄ６＋２", "3d6+2"),
        ("ｄ％", "d%"),
        ("ｍａｘ（ｄ６，ｄ８）", "max(d6,d8)"),
        ("３Ｄ６\u3000＋\u3000２", "3d6 + 2"),
        ("٣d٦", "3d6"),
        ("२d६", "2d6"),
        ("2d6\u200b+\u20601", "2d6+1"),
        ("2d6\u202f+\u00a01", "2d6 + 1"),
        ("map(d6, “1-3: −4, 4-6: 2”)", 'map(d6, "1-3: -4, 4-6: 2")'),
        ("2d6 VS 8", "2d6 vs 8"),
        ("2d6 in 7〜9", "2d6 in 7..9"),
        ("２ｄ６ in ７～９", "2d6 in 7..9"),
        ("2d6 in 7…9", "2d6 in 7..9"),
        ("d6 + 10²", "d6 + 10^2"),
        ("d6 + １０²", "d6 + 10^2"),
        ("floor(d6 × ¹⁄₂)", "floor(d6 × (1/2))"),
        ("floor(6/½ + d6)", "floor(6/(1/2) + d6)"),
        ("floor(1½*d6)", "floor((1+1/2)*d6)"),
        ("d6 > 3 OR d6 In 1..2", "d6 > 3 or d6 in 1..2"),
    ],
)
def test_what_is_printed_is_what_a_keyboard_has(text: str, usual: str) -> None:
    assert parse_dice(text) == parse_dice(usual)
    assert in_one_spelling(text) == in_one_spelling(usual)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("2d6×10", "2d6*10"),
        ("6×d6", "6*d6"),
        ("6 x d6", "6*d6"),
        ("6 X D6", "6*d6"),
        ("2d6 · 10", "2d6*10"),
        ("3×max(d6, d8)", "3*max(d6, d8)"),
    ],
)
def test_every_sign_of_multiplication(text: str, printed: str) -> None:
    assert in_one_spelling(text) == printed
    assert parse_dice(text) == parse_dice(printed)


def test_a_name_in_braces_stays_as_it_is_written() -> None:
    assert in_one_spelling("{ｍut–x} + 2Ｄ6 − 1") == "{ｍut–x} + 2d6 - 1"
    assert parse_formula("{mut} + 2Ｄ6 − 1") == parse_formula("{mut} + 2d6 - 1")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("２ｄ６ ？ 2", 5),
        ("2d6 ≥ 8 ≥ 3", 9),
        ("≥", 1),
        ("2d6\u200b\u200b ? 1", 7),
        ("4D6KH3 − oops", 14),
        ("{Ab} ≥ %", 8),
    ],
)
def test_an_error_names_the_column_in_what_was_typed(text: str, column: int) -> None:
    with pytest.raises(NotationError) as error:
        parse_formula(text.replace("{Ab}", "{ab}"))
    assert f'"{text.replace("{Ab}", "{ab}")}" at column {column}:' in error.value.message


def test_each_character_knows_where_it_was_written() -> None:
    assert usual_text("{Ａ–b} ≥\u200b２") == ("{Ａ–b} >=2", [0, 1, 2, 3, 4, 5, 6, 6, 8, 9])
    assert usual_text("2d6") == ("2d6", range(4))


@pytest.mark.parametrize("text", ["d6²", "1d10²", "d6½", "d6₂"])
def test_raised_and_lowered_figures_are_no_figures_of_dice(text: str) -> None:
    with pytest.raises(NotationError):
        parse_dice(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4D6KH3", "4d6kh3"),
        ("３ｄ６＋２", "3d6+2"),
        ("2d6−1", "2d6-1"),
        ("D20 adv", "2d20kh1"),
        ("2d20 Dis", "2d20kl1"),
    ],
)
def test_cells_are_read_alike(text: str, expected: str) -> None:
    assert read_value("dice", text) == DiceText(expected)


def test_dice_of_python_are_read_alike() -> None:
    assert (refgen.roll("２Ｄ６ − 1").dice, refgen.roll("２Ｄ６ − 1").at_least(11)) == (
        "2d6 - 1",
        refgen.roll("2d6 - 1").at_least(11),
    )
