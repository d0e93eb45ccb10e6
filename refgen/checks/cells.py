"""Cells as checks speak of them: what their rows go by, where they stand, and their ids.

In: a printed table. Out: a Subject for a cell, or for a whole column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from refgen.checks.comparison import Subject
from refgen.errors import CheckError
from refgen.notation.values import Score, WeightedNumber
from refgen.rules.model import Cell, RuleTable
from refgen.span import Span


def comparison_id(*parts: str) -> str:
    """A stable id: the check, and the row and column it speaks of."""
    return "/".join(part for part in parts if part).replace(" ", "-").lower()


def row_names(table: RuleTable, column: int = 0) -> Sequence[str]:
    """What the rows of a table go by: a cell of each, without a figure that may be wrong itself.

    Rows with the same words are told apart by a number: "two", "two 2", "two 3".
    """
    seen: Counter[str] = Counter()
    names = []
    for row in table.rows:
        name = _bare(row[column]) or _bare(row[0])
        seen[name] += 1
        names.append(f"{name} {seen[name]}" if seen[name] > 1 else name)
    return names


def _bare(cell: Cell) -> str:
    return cell.text.partition("(")[0].strip() if isinstance(cell.value, WeightedNumber | Score) else cell.text


def column_index(table: RuleTable, column: str) -> int:
    """The position of a column. Raises CheckError when it is not there."""
    index = table.index(column)
    if index is None:
        known = ", ".join(listed.id for listed in table.columns)
        raise CheckError(f'table "{table.id}" has no column "{column}"', hint=f"It has {known}.")
    return index


def place(cell: Cell, table: RuleTable) -> Span:
    """Where a printed cell stands. Raises CheckError for a computed one."""
    return cell.span or place_of(table)


def place_of(table: RuleTable) -> Span:
    """Where a printed table stands. Raises CheckError for a computed one."""
    if table.span is None:
        raise CheckError(f'"{table.id}" is computed, not printed: there is nothing to compare')
    return table.span


def places(*cells: Cell) -> tuple[Span, ...]:
    """Where those of some cells stand that are printed."""
    return tuple(cell.span for cell in cells if cell.span is not None)


def subject(table: RuleTable, check_id: str, row: str, column: int, cell: Cell, *, by_column: bool = True) -> Subject:
    """A cell as what a check speaks of; its id names the column too where the check is of several (``by_column``)."""
    title = table.columns[column].title
    name = comparison_id(check_id, row, title if by_column else "")
    return Subject(name, table.id, table.title, row, title, cell.text, place(cell, table))


def column_subjects(
    table: RuleTable, check_id: str, column: str, *, by_column: bool = False
) -> Iterator[tuple[Subject, Cell]]:
    """Every cell of a column, from top to bottom. Raises CheckError when the column is not there."""
    at = column_index(table, column)
    for name, row in zip(row_names(table), table.rows, strict=True):
        yield subject(table, check_id, name, at, row[at], by_column=by_column), row[at]


def whole_column(table: RuleTable, check_id: str, column: str, printed: str) -> Subject:
    """A column as the subject of a check, with all that is printed in the column."""
    title = table.columns[column_index(table, column)].title
    return Subject(check_id, table.id, table.title, "", title, printed, place_of(table))
