"""Tables of the party, as session sheets and GM screens show characters side by side.

In: the parts of a sheet with the values of some characters. Out: TableBlocks, a column for each character.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from refgen.blocks.table_block import TableBlock, text_table
from refgen.blocks.table_cells import ShownColumn
from refgen.characters.party import PartyPart

LABEL = 22.0
"""The width of the column of row labels, in percent of the table."""

MOST_ACROSS = 5
"""The most characters side by side in type of the usual size."""


def labelled_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> TableBlock:
    """A table whose first column labels its rows; the other columns share the rest of the width."""
    shares = [LABEL, *[(100 - LABEL) / (len(heads) - 1)] * (len(heads) - 1)]
    columns = [ShownColumn(head, "", "start", share) for head, share in zip(heads, shares, strict=True)]
    return text_table(title, columns, rows)


def party_tables(names: Sequence[str], parts: Sequence[PartyPart], first: int, end: int) -> Iterator[TableBlock]:
    """A table for each part of the sheet with values of the characters from ``first`` to before ``end``."""
    for part in (each.of(first, end) for each in parts):
        if part.rows:
            yield labelled_table(part.title, ["", *names[first:end]], [[row.label, *row.cells] for row in part.rows])


def even_groups(count: int, most: int) -> Iterator[tuple[int, int]]:
    """The first and end of each group, in as few groups of at most ``most`` as possible, all about equally large."""
    groups = -(-count // most)
    ends = [count * number // max(groups, 1) for number in range(groups + 1)]
    return pairwise(ends)
