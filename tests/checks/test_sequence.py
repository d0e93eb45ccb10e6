"""Cells that follow each other, and those that do not."""

from __future__ import annotations

import pytest

from refgen.checks.sequence import gaps, out_of_order
from refgen.notation.printed_cell import NotationName, read_value
from refgen.rules.model import Cell
from refgen.span import Span


def cells(notation: NotationName, *texts: str) -> list[Cell]:
    return [Cell(text, read_value(notation, text)) for text in texts]


D66 = ("11-13", "14-16", "21-25", "26-33", "34-46", "51-66")


def test_ranges_of_a_d66_join_where_the_first_die_goes_up() -> None:
    assert gaps(cells("interval", *D66), sure=True) == []


@pytest.mark.parametrize(("wrong", "odd"), [("21-24", "26-33"), ("22-25", "22-25")])
def test_ranges_of_a_d66_have_gaps_elsewhere(wrong: str, odd: str) -> None:
    ranges = [wrong if text == "21-25" else text for text in D66]
    assert [fault.cell.text for fault in gaps(cells("interval", *ranges), sure=True)] == [odd]


def test_a_0_behind_the_9_is_a_10() -> None:
    assert out_of_order(cells("number", *"1234567890"), "") == []
    assert [fault.cell.text for fault in out_of_order(cells("number", *"1234567899"), "")] == ["9"]
    assert [fault.cell.text for fault in out_of_order(cells("number", *"123456780"), "")] == ["0"]


@pytest.mark.parametrize(
    ("title", "numbers", "odd"),
    [
        ("larger steps at the end", "1 2 3 4 5 6 8 10", []),
        ("larger steps on the way", "1 2 3 4 6 8 9 10", []),
        ("one row lost", "1 2 3 4 6 7 8", ["6"]),
        ("one number wrong", "1 2 3 5 5 6 7", ["5"]),
        ("multiples that begin with 1", "1 5 10 15 20 25", []),
        ("multiples that begin with 2", "2 5 10 15 20 25", ["2"]),
        ("a number twice at the beginning", "1 1 2 3 4 5", ["1"]),
        ("how the numbers go on", "1 2 3 4 5 +10", []),
    ],
)
def test_numbers_may_skip(title: str, numbers: str, odd: list[str]) -> None:
    assert [fault.cell.text for fault in out_of_order(cells("number", *numbers.split()), "")] == odd, title


PAIRS = [f"{low}{high}" for low in range(1, 7) for high in range(low, 7)]


def test_two_dice_in_order_of_which_the_lower_stands_first() -> None:
    assert out_of_order(cells("number", *PAIRS), "") == []
    wrong = ["34" if pair == "35" else pair for pair in PAIRS]
    assert [(fault.cell.text, fault.expected) for fault in out_of_order(cells("number", *wrong), "")] == [("34", "35")]


def test_ranges_of_a_further_roll_stand_inside_a_row() -> None:
    rows = ["1", "2", "3-4", "1-3", "4-8", "5", "6", "7", "8"]
    assert gaps(placed(*rows), sure=True) == []
    rows[4] = "5-8"
    assert [fault.cell.text for fault in gaps(placed(*rows), sure=True)] != []


def placed(*texts: str) -> list[Cell]:
    """Ranges at places of their own, as only printed cells have."""
    spans = [Span("rules.md", at, at + 1, at + 1, 1, at + 1, 2) for at in range(len(texts))]
    return [Cell(text, read_value("interval", text), span) for text, span in zip(texts, spans, strict=True)]
