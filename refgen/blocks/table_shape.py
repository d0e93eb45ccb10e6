"""The shape of a table, by which aids that nobody described choose their tables: to roll on, of prose, without heads.

In: a table of a game. Out: its heads that say nothing, whether dice choose a row, how long its texts are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from refgen.marks import plain_marks
from refgen.notation.values import Interval, Number
from refgen.rules.model import Cell, Column, RuleTable

_DICE = re.compile(r"\d*\s*[^\W\d_]{1,2}\s*\d+\+?|\d*[^\W\d_]%", re.IGNORECASE)
"""The head of a column of results: "d6", "2D6", "1w20", "k66", "d%"."""

_COUNTED = re.compile(r"column-\d+")
"""The id of a column that the document gives no head."""

_FIRST_RESULTS = range(4)
"""The lowest results of dice as they begin a table: 1 of a die, 2 or 3 of a sum, 0 with a modifier."""

_FACES = range(1, 7)
"""The digits of D66."""

PROSE = 60
"""Letters in a cell, on average, from which on a table is read and not looked up."""

LONGEST_CELL = 170
"""The most letters of a single cell in a table that is looked up."""


def has_head(column: Column) -> bool:
    """Whether the head of a column says anything: a column without a head is called "Column 3", a list has labels."""
    if _COUNTED.fullmatch(column.id):
        return column.title not in ("", column.id.replace("-", " ").capitalize())
    return bool(column.title) and (column.id, column.title) not in (("label", "Label"), ("text", "Text"))


def is_rolled_on(table: RuleTable) -> bool:
    """Whether dice choose a row: the first column counts their results, and all other columns are words."""
    if len(table.rows) < 3 or len(table.columns) < 2 or table.computed:
        return False
    results = [_result(row[0]) for row in table.rows]
    found = [result for result in results if result is not None]
    if len(found) < len(results) or any(after[0] <= before[1] for before, after in pairwise(found)):
        return False
    if _DICE.fullmatch(plain_marks(table.columns[0].title.strip())):
        return True
    is_counted = found[0][0] in _FIRST_RESULTS and all(after[0] == before[1] + 1 for before, after in pairwise(found))
    return (is_counted or _is_d66(found)) and all(column.type == "text" for column in table.columns[1:])


def _result(cell: Cell) -> tuple[int, int] | None:
    """The lowest and the highest result of a row; an open end is the other end."""
    match cell.value:
        case Number(value=number) if number.denominator == 1:
            return int(number), int(number)
        case Interval(low=low, high=high):
            ends = [int(end) for end in (low, high) if end is not None]
            return (ends[0], ends[-1]) if ends else None
    return None


def _is_d66(results: Sequence[tuple[int, int]]) -> bool:
    digits = [divmod(end, 10) for result in results for end in result]
    return results[0][0] == 11 and all(tens in _FACES and ones in _FACES for tens, ones in digits)


def letter_count(table: RuleTable, column: int | None = None) -> int:
    """The letters of all cells of a table, or of one column."""
    rows = table.rows if column is None else [(row[column],) for row in table.rows]
    return sum(len(cell.shown) for row in rows for cell in row)


def longest_cell(table: RuleTable) -> int:
    """The letters of the longest cell."""
    return max((len(cell.shown) for row in table.rows for cell in row), default=0)


def is_prose(table: RuleTable) -> bool:
    """Whether a table is one of sentences to read, rather than of words and numbers to look up."""
    cells = len(table.rows) * sum(column.type == "text" for column in table.columns)
    texts = sum(letter_count(table, at) for at, column in enumerate(table.columns) if column.type == "text")
    return longest_cell(table) > LONGEST_CELL or texts > PROSE * cells
