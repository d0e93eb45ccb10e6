"""Rows that are no data, and the parts of a table between them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from refgen.checks.subheads import parts_of_table
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
