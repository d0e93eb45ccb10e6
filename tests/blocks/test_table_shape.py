"""The shape of tables: which are rolled on, which are prose, and which heads the document does not print."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from refgen.blocks.table_shape import has_head, is_prose, is_rolled_on
from refgen.notation.printed_cell import NotationName, read_value
from refgen.rules.model import Cell, Column, RuleTable
from refgen.source import SourceFile

SPAN = SourceFile("rules.md", "").span(0, 0)


def table(head: str, kind: NotationName, rows: Sequence[tuple[str, str]], second: NotationName = "text") -> RuleTable:
    """A printed table of two columns."""
    columns = (Column("first", head, kind), Column("second", "Second", second))
    cells = [
        tuple(Cell(text, read_value(column.type, text)) for column, text in zip(columns, row, strict=True))
        for row in rows
    ]
    return RuleTable("table", "Table", columns, tuple(cells), SPAN)


@pytest.mark.parametrize(
    ("head", "kind", "results"),
    [
        ("d6", "number", ["1", "2", "3"]),
        ("2W6", "interval", ["2-5", "6-8", "9-12"]),
        ("Heitto", "number", ["1", "2", "3"]),
        ("D66", "number", ["11", "12", "66"]),
        ("Roll", "number", ["11", "16", "21"]),
    ],
)
def test_a_table_whose_first_column_counts_results_is_rolled_on(
    head: str, kind: NotationName, results: Sequence[str]
) -> None:
    assert is_rolled_on(table(head, kind, [(result, "word") for result in results]))


@pytest.mark.parametrize(
    ("head", "results", "second"),
    [
        ("Level", ["1", "2", "3"], "number"),
        ("Cost", ["10", "20", "30"], "text"),
        ("d6", ["3", "2", "1"], "text"),
        ("d6", ["1", "2"], "text"),
    ],
)
def test_numbers_that_say_something_else_are_not_rolled(
    head: str, results: Sequence[str], second: NotationName
) -> None:
    assert not is_rolled_on(table(head, "number", [(result, "7") for result in results], second))


def test_sentences_are_prose_and_names_are_not() -> None:
    assert is_prose(table("d6", "number", [("1", "A long story is told. " * 4)] * 3))
    assert is_prose(table("d6", "number", [*[("1", "A rope")] * 9, ("2", "A long story is told. " * 9)]))
    assert not is_prose(table("d6", "number", [("1", "A rope")] * 3))


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        (Column("column-2", "Column 2"), False),
        (Column("column-2", ""), False),
        (Column("column-2", "Damage"), True),
        (Column("label", "Label"), False),
        (Column("label", "Weapon"), True),
        (Column("weapon", "Weapon"), True),
    ],
)
def test_a_head_that_was_made_up_is_no_head(column: Column, shown: bool) -> None:
    assert has_head(column) is shown
