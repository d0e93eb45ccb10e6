"""Tables of plain text that are drawn: with box signs, or with ``+---+`` and bars.

In: the lines of a block. Out: its grid, or None where the lines are no such table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from refgen.readers.document import Grid, RawCell
from refgen.source import Passage

_BARS = "|│┃║"
_BORDER = re.compile(r"\s*(?=.*[-=─━═])[-=+:|─-╿]{3,}\s*")
"""A line of a drawing that parts rows: rules and corners alone."""

_ROW = re.compile(rf"\s*[{_BARS}].*[{_BARS}]\s*")
_BAR = re.compile(rf"[{_BARS}]")


def read_drawn_table(lines: Sequence[Passage]) -> Grid | None:
    """The grid of lines that are a drawn table; None for lines that are something else.

    Above the first rule between rows stands the head. Where rules part all other rows as well, the lines between two
    rules are one row, its cells in several lines; else each line is a row.
    """
    runs = [(is_border, [*run]) for is_border, run in groupby(lines, _is_border)]
    parts = [run for is_border, run in runs if not is_border]
    if len(runs) == len(parts) or not parts or not all(_ROW.fullmatch(line.text) for part in parts for line in part):
        return None
    head = parts[:1] if len(parts) > 1 else []
    body = parts[len(head) :]
    rows = body if len(body) > 1 else [[line] for line in body[0]]
    grid = tuple(tuple(_cells(row)) for row in [*head, *rows])
    return Grid(grid, len(head), lines[0].source.span(lines[0].span.start, lines[-1].span.end))


def _is_border(line: Passage) -> bool:
    return _BORDER.fullmatch(line.text) is not None


def _cells(row: Sequence[Passage]) -> Iterator[RawCell]:
    """The cells of a row of one or more lines between bars."""
    lines = [[*line.strip()[1:-1].split(_BAR)] for line in row]
    for number in range(max(map(len, lines))):
        pieces = [line[number].strip() for line in lines if number < len(line)]
        written = [piece for piece in pieces if piece.text] or pieces[:1]
        yield RawCell.of(Passage.joined(written, " "))
