"""Rows of a table that are no data: subheads, and the head of the table again.

In: the rows of a table, and the words over its columns. Out: the part of the table to which each row belongs; a part
begins with a subhead, or with the head again, as behind the break of a page.
"""

from __future__ import annotations

from collections.abc import Sequence
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

    In a table most of whose rows have words in one column alone, these rows are data.
    """
    alone = [_is_alone(row) for row in rows]
    subheads = alone if 2 * sum(alone) < len(rows) else [False] * len(rows)
    parts: list[int | None] = []
    part = 0
    for row, is_subhead in zip(rows, subheads, strict=True):
        is_head = is_subhead or _repeats_head(row, header)
        part += is_head
        parts.append(None if is_head else part)
    return parts


def _is_alone(row: Sequence[PlacedCell]) -> bool:
    """Whether a row has the words of its first cell alone, which may span the row."""
    is_words = any(map(str.isalpha, row[0].text)) if row else False  # the number of a row without words is data
    return len(row) > 1 and is_words and all(not cell.text or cell.span == row[0].span for cell in row)


def _repeats_head(row: Sequence[PlacedCell], header: Sequence[str]) -> bool:
    """Whether at least half of the words of a row, and more than one cell, are those of the head over them."""
    held = [(cell.text, head) for cell, head in zip(row, header, strict=False) if cell.text]
    same = sum(_key(text) == _key(head) for text, head in held)
    return len(held) > 1 and 2 * same >= len(held) and same > 0


def _key(text: str) -> str:
    return plain_text(text).casefold()
