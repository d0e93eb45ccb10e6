"""Rows of a table that are no data: subheads, and the head of the table again.

In: the rows of a table, and the words over its columns. Out: the part of the table to which each row belongs; a part
begins with a subhead, or with the head again, as behind the break of a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Protocol

from refgen.source import plain_text
from refgen.span import Span


class PlacedCell(Protocol):
    """A cell as printed: its words and its place, None for a computed cell."""

    @property
    def text(self) -> str:
        """The words of the cell."""

    @property
    def span(self) -> Span | None:
        """The place of the cell."""


def parts_of_table(rows: Sequence[Sequence[PlacedCell]], header: Sequence[str]) -> Sequence[int | None]:
    """The number of the part to which each row belongs; None for a row that is no data.

    In a table most of whose rows have words in one column alone, or words of the head, these rows are data.
    """
    heads = [_is_alone(row) or _repeats_head(row, header) for row in rows]
    if 2 * sum(heads) > len(rows):
        return [0] * len(rows)
    return [None if is_head else part for is_head, part in zip(heads, accumulate(heads), strict=True)]


def row_identities(rows: Sequence[Sequence[PlacedCell]], header: Sequence[str]) -> Sequence[object]:
    """For each row a value that rows share which say the same of the same: their words, and their part of the table.

    None for a row that is no data. A row most of whose cells are blank goes on with the row above: the same arrows may
    stand below each bow. Right below its equal such a row stands there twice.
    """
    texts = [tuple(cell.text for cell in row) for row in rows]
    identities: list[object] = []
    for at, (text, part) in enumerate(zip(texts, parts_of_table(rows, header), strict=True)):
        is_equal = at > 0 and texts[at - 1] == text
        above = texts[at - 1] if at and _goes_on(text) else ()
        identities.append(identities[-1] if is_equal else None if part is None else (text, part, above))
    return identities


def is_one_row(one: Sequence[PlacedCell], other: Sequence[PlacedCell]) -> bool:
    """Whether all cells of two rows are the same cells, which span both rows."""
    return all(cell.span is not None and cell.span == below.span for cell, below in zip(one, other, strict=True))


def _goes_on(texts: Sequence[str]) -> bool:
    """Whether most cells behind the first are blank, or dashes."""
    blank = sum(not any(map(str.isalnum, text)) for text in texts[1:])
    return 2 * blank > len(texts) - 1


def _is_alone(row: Sequence[PlacedCell]) -> bool:
    """Whether a row has the words of its first cell alone, which may span the row."""
    is_words = any(map(str.isalpha, row[0].text)) if row else False  # the number of a row without words is data
    return len(row) > 1 and is_words and all(not cell.text or cell.span == row[0].span for cell in row)


def _repeats_head(row: Sequence[PlacedCell], header: Sequence[str]) -> bool:
    """Whether most cells of a row with words, and more than one cell, have the words of the head over them."""
    held = [(cell.text, head) for cell, head in zip(row, header, strict=False) if cell.text]
    same = sum(_key(text) == _key(head) for text, head in held)
    return same > 1 and 2 * same > len(held)


def _key(text: str) -> str:
    return plain_text(text).casefold()
