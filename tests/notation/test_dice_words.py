"""Words that modify dice, such as "with advantage": of which dice they are said, and where that is not clear."""

from __future__ import annotations

import pytest

from refgen.errors import NotationError
from refgen.notation.dice_notation import in_one_spelling
from refgen.notation.formula_parser import parse_dice, parse_formula


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("d20 adv", "2d20kh1"),
        ("d20adv", "2d20kh1"),
        ("adv d20", "2d20kh1"),
        ("d20 dis", "2d20kl1"),
        ("d20 disadv", "2d20kl1"),
        ("Disadvantage 2d20", "2d20kl1"),
        ("with advantage d20", "2d20kh1"),
        ("advantage on d20+5", "2d20kh1+5"),
        ("d20+5 advantage", "2d20kh1+5"),
        ("d20 + 5 with adv", "2d20kh1 + 5"),
        ("5 + d20 advantage", "5 + 2d20kh1"),
        ("(d20+5) advantage", "(2d20kh1+5)"),
        ("d20 advantage + d4", "2d20kh1 + d4"),
        ("d4 + adv d20", "d4 + 2d20kh1"),
        ("d20 adv + d20 dis", "2d20kh1 + 2d20kl1"),
        ("d4 + (d20 advantage)", "d4 + (2d20kh1)"),
        ("d20+5 adv >= 15", "2d20kh1+5 >= 15"),
        ("d6 >= d4 adv", "d6 >= 2d4kh1"),
        ("d20+5 >= 15 with advantage", "2d20kh1+5 >= 15"),
        ("d20 in 3..15 dis", "2d20kl1 in 3..15"),
        ("max(d20 adv, d8 dis)", "max(2d20kh1, 2d8kl1)"),
        ("4d6+2 drop lowest", "4d6kh3+2"),
        ("6 x 4d6 drop lowest x 10", "6*4d6kh3*10"),
        ("d10*2 dis", "2d10kl1*2"),
    ],
)
def test_words_are_said_of_the_one_die_in_the_sum_beside_them(text: str, printed: str) -> None:
    assert in_one_spelling(text) == printed
    assert parse_dice(text) == parse_dice(printed)


@pytest.mark.parametrize(
    ("text", "reason", "hint"),
    [
        (
            "d20+d4 with advantage",
            'column 8: "with advantage" may be said of d4 alone or of all of d20+d4',
            "Write (d4 with advantage) for d4 alone, or max(d20+d4, d20+d4) for the better of two rolls of all.",
        ),
        (
            "d20 + d4 + 3 dis",
            'column 14: "dis" may be said of d4 alone or of all of d20 + d4 + 3',
            "Write (d4 dis) for d4 alone, or min(d20 + d4 + 3, d20 + d4 + 3) for the worse of two rolls of all.",
        ),
        (
            "Adv d20 + d4",
            'column 1: "adv" may be said of d20 alone',
            "Write (d20 adv) for d20 alone, or max(d20 + d4, d20 + d4) for the better of two rolls of all.",
        ),
        (
            "2d6+2d8 keep highest 2",
            'column 9: "keep highest 2" may be said of 2d8 alone',
            "Write (2d8 keep highest 2) for 2d8 alone; dice of different pools cannot be kept together.",
        ),
        ("10-d20 advantage", '"advantage" may be said of d20 alone or of all of 10-d20', ""),
        ("10-(d20+1) advantage", '"advantage" may be said of d20 alone', ""),
        ("half_away(d20) adv", '"adv" may be said of d20 alone or of all of half_away(d20)', ""),
        ("max(d6, d8) advantage", "may be said of d8 alone or of all of max(d6, d8)", ""),
        ("d20 + d4 vs 15 adv", "may be said of d4 alone or of all of d20 + d4", ""),
        ("d20 >= d6 + d4 adv", "may be said of d4 alone or of all of d6 + d4", ""),
        ("4d6kh3 + d8 dis", "may be said of d8 alone or of all of 4d6kh3 + d8", ""),
    ],
)
def test_words_that_may_be_said_of_a_die_or_of_all_are_refused(text: str, reason: str, hint: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_dice(text)
    assert reason in error.value.message
    assert error.value.hint == hint or not hint


@pytest.mark.parametrize("text", ["d20 + (d4 with advantage)", "max(d20+d4, d20+d4)", "min(d20 + d4, d20 + d4)"])
def test_what_a_refusal_says_to_write_is_read(text: str) -> None:
    parse_dice(text)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("5 advantage", 3),
        ("d20 adv adv", 9),
        ("d20 and 5 adv", 11),
        ("d6) + d20 adv", 3),
        ("d20 advantages", 5),
        ("keep highest 2 4d6", 6),
    ],
)
def test_words_without_dice_are_refused_where_they_stand(text: str, column: int) -> None:
    with pytest.raises(NotationError, match=f"at column {column}: "):
        parse_dice(text)


def test_a_table_may_be_called_as_words_are() -> None:
    assert parse_formula("map(d20, adv) + chances(dis)") == parse_formula("map(d20,adv) + chances( dis )")
    assert in_one_spelling("map(2D20 adv, adv)") == "map(2d20kh1, adv)"


def test_a_number_of_a_game_beside_a_die_is_no_die() -> None:
    assert in_one_spelling("{might} + d20 advantage") == "{might} + 2d20kh1"
    assert in_one_spelling("{might}d6 + 2 keep highest") == "{might}d6kh1 + 2"
