"""The shape of a printed table, guessed from its cells: folded into bands, transposed, and how many rows are its head.

In: a Grid. Out: a TableShape, with the evidence in words; or the rows of the grid in a shape. A shape is only guessed
where nothing else explains the cells; otherwise the table is read as its format marks it.

    folded, 2 columns a band       transposed               transposed, without heads
    1  Alchemist  4  Cleric        Roll    2    3-5  6+     1-3   4-14        15-20
    2  Butcher    5  Miner         Result  bad  so   good   none  brigandine  plate
    3  Burglar    6  Outlaw
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from refgen.errors import NotationError
from refgen.notation.number import read_interval
from refgen.notation.values import Interval
from refgen.readers.document import Grid, RawCell, joined_heads
from refgen.readers.grids import FoundTable, Row, bands, transpose_grid, under_head, unfold_grid
from refgen.rules.guess import guess_notation, is_value

_MOST_TRANSPOSED = 3
"""The most rows that are taken for columns because all their cells are values."""

_FEWEST_NUMBERS = 3
"""Fewer numbers in a row do not count up by design."""

_ONE_DAMAGED_IN = 4
"""Of so many steps from number to number, one may be damaged in a table that is folded."""

_FEWEST_ROWS = 3
"""Fewer rows tell nothing about the columns of words and values that they share."""

_ZERO, _NINE = Interval(0, 0), Interval(9, 9)
"""The last faces of a die with ten faces that prints its 10 as 0, from the last."""

_SURE_VALUES = ("percent", "quantity")
"""The notations of cells that are no head: heads may be numbers, ranges or dice."""


@dataclass(frozen=True, slots=True)
class TableShape:
    """How a table is to be read: ``head_rows`` rows are its head; transposed; or in bands of ``fold`` columns each.

    The heads of a transposed table stand in its first column, unless ``head_rows`` is 0: then it has none. ``evidence``
    says why, and is "" where the table is read as its format marks it.
    """

    head_rows: int
    transpose: bool = False
    fold: int | None = None
    evidence: str = ""


def guess_shape(grid: Grid) -> TableShape:
    """The shape of a table, as its format marks it where the cells do not tell another."""
    if not grid.rows or len({len(row) for row in grid.rows}) > 1:
        return TableShape(grid.header_rows)
    return _folded_shape(grid) or _transposed_shape(grid) or _with_other_head(grid) or TableShape(grid.header_rows)


def in_shape(grid: Grid, shape: TableShape) -> FoundTable:
    """A table with its rows as a shape says."""
    if shape.transpose:
        return transpose_grid(grid, has_heads=shape.head_rows > 0)
    folded = unfold_grid(grid, shape.fold, shape.head_rows) if shape.fold else None
    return folded or under_head(grid, shape.head_rows)


def counts_up(texts: Sequence[str]) -> bool:
    """Whether numbers and ranges follow each other without a gap: 1, 2-3, 4+; or as the faces of d66 do: 16, 21.

    A 0 behind a 9 at the end is the 10 of a die with ten faces.
    """
    ranges = [_range(text) for text in texts]
    if len(ranges) > 1 and ranges[-1] == _ZERO and ranges[-2] == _NINE:
        ranges.pop()
    return len(ranges) > 1 and all(_is_followed(*step) for step in pairwise(ranges))


def _range(text: str) -> Interval | None:
    try:
        return read_interval(text)
    except NotationError:
        return None


def _is_followed(one: Interval | None, other: Interval | None, lost: int = 0) -> bool:
    """Whether a range starts where another ends, or after at most so many lost numbers."""
    if one is None or other is None or one.high is None or other.low is None:
        return False
    is_digits = 11 <= one.high < 66 and one.high % 10 == 6
    return 1 <= other.low - one.high <= 1 + lost or (is_digits and other.low == one.high + 5)


def _possible_heads(grid: Grid) -> Iterator[int]:
    """How many rows may be the head: as marked; a head that the format demands may be data, and one may be unmarked."""
    yield grid.header_rows
    if grid.header_rows < 2:
        yield 1 - grid.header_rows


def _folded_shape(grid: Grid) -> TableShape | None:
    width = len(grid.rows[0])
    for head_rows in _possible_heads(grid):
        for fold in (columns for columns in range(2, width) if width % columns == 0):
            found = bands(grid, fold, head_rows)
            if found is not None and (evidence := _evidence_of_bands(grid, found, head_rows)):
                return TableShape(head_rows, fold=fold, evidence=evidence)
    return None


def _evidence_of_bands(grid: Grid, found: Sequence[Sequence[Row]], head_rows: int) -> str:
    """Why some bands are one table: their row numbers go on, or they have the same head, or the same kinds of cells."""
    firsts = [row[0].text for band in found for row in band]
    if _numbers_go_on(found):
        return f'the numbers go on from "{found[0][-1][0].text}" to "{found[1][0][0].text}" in the next band'
    if not all(firsts) or len({*firsts}) < len(firsts) or any(map(is_value, firsts)) or len(grid.rows) < _FEWEST_ROWS:
        return ""
    heads, fold = joined_heads(grid.rows[:head_rows]), len(found[0][0])
    if heads and all(heads) and len({*heads}) == fold:
        return f'the head "{heads[0]}" stands over each band'
    is_pair = fold == 2 and not any(heads)
    kinds = {guess_notation([row[1].text for row in band]) for band in found}
    if is_pair and len(kinds) == 1 and "text" not in kinds and all(row[1].text for band in found for row in band):
        return f"each band has words and a {kinds.pop()}"
    return ""


def _numbers_go_on(found: Sequence[Sequence[Row]]) -> bool:
    """Whether the first column of each band goes on counting where the band before ends; few numbers may be damaged."""
    ranges = [[_range(row[0].text) for row in band] for band in found]
    steps = list(pairwise(one for band in ranges for one in band))
    odd = [step for step in steps if not _is_followed(*step)]
    if len(steps) < _FEWEST_NUMBERS - 1 or len(odd) * _ONE_DAMAGED_IN > len(steps):
        return False
    return all(_is_followed(one[-1], other[0], lost=1) for one, other in pairwise(ranges))


def _transposed_shape(grid: Grid) -> TableShape | None:
    first, *others = ([cell.text for cell in row] for row in grid.rows)
    if not others or len(first) <= _FEWEST_NUMBERS - 1 or grid.header_rows > 1:
        return None
    if len(others) == 1 and all(others[0]) and len(first) >= _FEWEST_NUMBERS:
        if counts_up(first) and guess_notation(others[0]) == "text":
            return TableShape(0, transpose=True, evidence=f'the first row counts up from "{first[0]}"')
        if _is_name(first[0]) and _is_name(others[0][0]) and len(first) > _FEWEST_NUMBERS and counts_up(first[1:]):
            return TableShape(1, transpose=True, evidence=f'the first row counts up from "{first[1]}"')
    if evidence := _evidence_of_lines(grid):
        return TableShape(1, transpose=True, evidence=evidence)
    return _of_records(grid)


def _is_name(text: str) -> bool:
    """Whether a text may be the head of numbers: it is none itself."""
    return bool(text) and _range(text) is None


def _evidence_of_lines(grid: Grid) -> str:
    """Why a few rows with a word in front, and values in all that follows it, are columns; "" if they may be records.

    The lines of a folded table come again in each band.
    """
    lines: dict[str, list[str]] = {}
    for row in grid.rows:
        lines.setdefault(row[0].text, []).extend(cell.text for cell in row[1:])
    values = list(lines.values())
    if not 1 < len(lines) <= _MOST_TRANSPOSED < len(grid.rows[0]) or any(map(is_value, lines)):
        return ""
    if len({len(line) for line in values}) > 1 or not all(is_value(text) for line in values for text in line):
        return ""
    if counts_up(values[0]):
        return f'the first row counts up from "{values[0][0]}"'
    kinds = [guess_notation(line) for line in values]
    if "text" in kinds or len({*kinds}) < 2 or any(map(_is_of_one_kind, zip(*values, strict=True))):
        return ""
    return f"each row has values of one kind: {', '.join(kinds)}"


def _of_records(grid: Grid) -> TableShape | None:
    """A table with a row for each kind of value, where no column has values of one kind."""
    names = [row[0].text for row in grid.rows[1:]]
    if (
        len(grid.rows[0]) <= _FEWEST_NUMBERS
        or len(names) < 2
        or len({*names}) < len(names)
        or any(not name or is_value(name) for name in names)
    ):
        return None
    kinds = {guess_notation([cell.text for cell in row[1:]]) for row in grid.rows[1:]} - {"text"}
    columns = zip(*(row[1:] for row in grid.rows[1:]), strict=True)
    if len(kinds) < 2 or any(_is_of_one_kind([cell.text for cell in column]) for column in columns):
        return None
    return TableShape(1, transpose=True, evidence=f"each row has values of one kind: {', '.join(sorted(kinds))}")


def _is_of_one_kind(texts: Sequence[str]) -> bool:
    """Whether texts are values in one notation; of dice each must be, for plain numbers and prices read as dice too."""
    kind = guess_notation(texts)
    return kind != "text" and (kind != "dice" or all(guess_notation([text]) == kind for text in texts))


def _with_other_head(grid: Grid) -> TableShape | None:
    """The table with another number of head rows than its format marks."""
    marked, rows = grid.header_rows, grid.rows
    if marked == 1 and (evidence := _head_is_data(rows[0], rows[1:])):
        return TableShape(0, evidence=evidence)
    if marked == 0 and len(rows) > _FEWEST_ROWS and _is_head(rows[0], rows[1:]):
        return TableShape(1, evidence=f'"{rows[0][0].text}" stands over cells of another kind')
    if marked == 1 and len(rows) > _FEWEST_ROWS and _spans(rows[0]) and _is_head(rows[1], rows[2:]):
        return TableShape(2, evidence=f'"{rows[1][-1].text}" stands under a head over several columns')
    return None


def _head_is_data(head: Row, body: Sequence[Row]) -> str:
    """Why the row that is marked as a head is a row like the others; "" if it may be a head."""
    if len(body) >= 2 and counts_up([head[0].text, *(row[0].text for row in body)]):
        if not counts_up([cell.text for cell in head]):
            return f'the first row, "{head[0].text}", is counted with the others'
        return ""
    alike = [cell.text for at, cell in enumerate(head) if _is_value_like(cell, [row[at] for row in body])]
    if len(body) < _FEWEST_ROWS or not alike or (len(alike) > 1 and guess_notation(alike) != "text"):
        return ""  # "10 ft." and "20 ft." may be heads
    return f'the first row has the {guess_notation(alike[:1])} "{alike[0]}" like the others'


def _is_value_like(head: RawCell, body: Sequence[RawCell]) -> bool:
    """Whether a head is a value like those under it, and of a kind that heads are not."""
    kind = guess_notation([cell.text for cell in body])
    return (
        kind in _SURE_VALUES and bool(head.text) and guess_notation([head.text, *(cell.text for cell in body)]) == kind
    )


def _is_head(head: Row, body: Sequence[Row]) -> bool:
    """Whether a row has words, each once, over two or more columns of values; or over one in which rows are counted."""
    words = [cell.text for cell in head if cell.text]
    columns = [[row[at].text for row in body] for at in range(len(head))]
    valued = [at for at, column in enumerate(columns) if guess_notation(column) != "text"]
    if len({*words}) < len(words) or not all(head[at].text and _range(head[at].text) is None for at in valued):
        return False
    if valued == [0]:
        return counts_up(columns[0])
    return len(valued) > 1 and not any(is_value(head[at].text) for at in valued if at)


def _spans(row: Row) -> bool:
    """Whether a cell of a row stretches over several columns."""
    return any(one.text and one == other for one, other in pairwise(row))
