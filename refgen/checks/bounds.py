"""Bounds at the end of a column: ">500,000" above a row with 500,000.

In: a printed column. Out: a Comparison for each bound with the number of the row beside it, and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from refgen.checks.compare import column_index, comparison_id, place, row_names
from refgen.checks.comparison import CheckSpec, Comparison, Subject
from refgen.notation.values import Number
from refgen.resolver.lookup import column_of, table_of
from refgen.rules.model import Cell, Ruleset, Table
from refgen.rules.schema import Identifier

STRICT = (">", "<")


class BoundsSpec(CheckSpec):
    """Columns in which a bound is as tight as the row beside it allows: more, or less, than just that number."""

    kind: Literal["bounds"]
    table: Identifier
    columns: list[Identifier]
    stated: bool = False


def check_bounds(ruleset: Ruleset, check_id: str, spec: BoundsSpec) -> Iterator[Comparison]:
    """A bound such as ">500,000" is the number of the row below it, or above it where it is the last."""
    table = table_of(ruleset, spec.table)
    names = row_names(table)
    for column in spec.columns:
        cells = list(column_of(table, column))
        for row, cell in enumerate(cells):
            beside = row + 1 if row + 1 < len(cells) else row - 1
            bound, number = cell.value, cells[beside].value
            if not isinstance(bound, Number) or not isinstance(number, Number):
                continue
            if bound.bound in STRICT and not number.bound:
                words = f"{bound.bound}{cells[beside].text}"
                yield _comparison(table, check_id, spec, (names[row], column, cell), (cells[beside], words))
                words = cell.text.removeprefix(bound.bound).strip()
                yield _comparison(table, check_id, spec, (names[beside], column, cells[beside]), (cell, words))


def _comparison(
    table: Table, check_id: str, spec: BoundsSpec, subject: tuple[str, str, Cell], other: tuple[Cell, str]
) -> Comparison:
    (row, column, cell), (beside, words) = subject, other
    title = table.columns[column_index(table, column)].title
    return Comparison(
        Subject(comparison_id(check_id, row, title), table.id, table.title, row, title, cell.text, place(cell, table)),
        computed=words,
        rule="a bound is the number of the row beside it",
        same=_number(cell) == _number(beside),
        stated=spec.stated,
        sources=() if beside.span is None else (beside.span,),
    )


def _number(cell: Cell) -> object:
    return cell.value.value if isinstance(cell.value, Number) else None
