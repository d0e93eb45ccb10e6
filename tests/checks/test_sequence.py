"""Cells that follow each other, and those that do not."""

from __future__ import annotations

import pytest

from refgen.checks.sequence import gaps, out_of_order
from refgen.notation.printed_cell import NotationName, read_value
from refgen.rules.model import Cell


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
