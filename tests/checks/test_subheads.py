"""Rows that are no data, the parts of a table between them, and rows that say the same of the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from refgen.checks.subheads import is_one_row, parts_of_table, row_identities
from refgen.readers.document import RawCell
from refgen.source import SourceFile

HEAD = ("Item", "Cost", "Weight")


def rows_of(*rows: str) -> Sequence[Sequence[RawCell]]:
    """The cells of rows, each written as "Rope | 1 gp | 5 lb."."""
    source = SourceFile("rules.md", "\n".join(rows))
    return [[RawCell.of(cell) for cell in line.split(re.compile(r"\|"))] for line in source.passage.lines()]


@pytest.mark.parametrize(
    ("title", "rows", "parts"),
    [
        ("rows alone", ["Rope | 1 gp | 5 lb.", "Lamp | 1 sp | 1 lb."], [0, 0]),
        ("a subhead", ["Kits | | ", "Rope | 1 gp | 5 lb.", "Lamp | 1 sp | 1 lb."], [None, 1, 1]),
        ("the head again", ["Rope | 1 gp | 5 lb.", "Item | Cost | Weight", "Lamp | 1 sp | 1 lb."], [0, None, 1]),
        (
            "a head with another first word",
            ["Rope | 1 gp | 5 lb.", "Arms | Cost | Weight", "Knife | 2 gp | 1 lb."],
            [0, None, 1],
        ),
        ("words in one column mostly", ["Rope | | ", "Lamp | | ", "Knife | 2 gp | "], [0, 0, 0]),
    ],
)
def test_a_part_begins_with_a_row_that_is_no_data(title: str, rows: list[str], parts: list[int | None]) -> None:
    assert list(parts_of_table(rows_of(*rows), HEAD)) == parts, title


@pytest.mark.parametrize(
    ("title", "rows", "equal"),
    [
        ("the same row", ["Rope | 1 gp | 5 lb.", "Lamp | 1 sp | 1 lb.", "Rope | 1 gp | 5 lb."], [(2, 0)]),
        (
            "the same row below a further subhead",
            ["Rope | 1 gp | 5 lb.", "Kits | | ", "Lamp | 1 sp | 1 lb.", "Rope | 1 gp | 5 lb."],
            [],
        ),
        (
            "arrows of two bows",
            ["Bow | 9 gp | 3 lb.", "Arrows | — | ", "Longbow | 12 gp | 4 lb.", "Arrows | — | ", "Dart | 1 gp | 1 lb."],
            [],
        ),
        ("arrows twice of one bow", ["Bow | 9 gp | 3 lb.", "Arrows | — | —", "Arrows | — | —"], [(2, 1)]),
    ],
)
def test_rows_say_the_same_within_a_part_alone(title: str, rows: list[str], equal: list[tuple[int, int]]) -> None:
    identities = list(row_identities(rows_of(*rows), HEAD))
    first = {one: identities.index(one) for one in identities if one is not None}
    found = [(at, first[one]) for at, one in enumerate(identities) if one is not None and first[one] != at]
    assert found == equal, title


def test_cells_that_span_two_rows_are_one_row() -> None:
    first, second = rows_of("Rope | 1 gp | 5 lb.", "Rope | 1 gp | 5 lb.")
    assert is_one_row(first, first)
    assert not is_one_row(first, second)
    assert not is_one_row([*first[:2], second[2]], first)
