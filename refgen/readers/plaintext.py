"""Plain text: headings on separate lines, paragraphs between blank lines, tables by columns of blanks.

In: the passage of a text file, or of a blog post saved as text. Out: sections with paragraphs, bullet lists,
grids (two or more blanks part the columns) and blocks (lines without blank lines between: ragged tables).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from refgen.readers.document import Document, Format, Grid, ListBlock, RawCell, Section
from refgen.source import Lines, Passage

_BULLET = re.compile(r"\s*[•*–-]\s+")
_GAP = re.compile(r"(?: {2,}|\t)[ \t]*")
_HEADING = re.compile(r"[A-Z][^.=|•]*\Z")
_MAX_HEADING_WORDS = 9
_MIN_GRID_ROWS = 3


def read_plaintext(text: Passage) -> Document:
    """Read a plain-text document. Never fails: what is no heading, list or table is a paragraph."""
    lines = text.lines()
    groups = list(_groups(lines))
    headings = [index for index, group in enumerate(groups) if index + 1 < len(groups) and _is_heading(lines, group)]
    sections = []
    for heading, following in pairwise([-1, *headings, len(groups)]):
        content = groups[heading + 1 : following]
        if heading >= 0 or content:
            title = lines[groups[heading][0]] if heading >= 0 else None
            sections.append(_section(lines, title, content))
    return Document(text.source, Format.PLAINTEXT, text, tuple(sections))


def _groups(lines: Lines) -> Iterator[range]:
    """Runs of lines (as numbers) without a blank line between them."""
    start = None
    for number, line in enumerate(lines):
        blank = not line.text.strip(" \t\r\n\f\v")
        if blank and start is not None:
            yield range(start, number)
            start = None
        elif not blank and start is None:
            start = number
    if start is not None:
        yield range(start, len(lines))


def _is_heading(lines: Lines, group: range) -> bool:
    if len(group) != 1:
        return False
    line = lines[group[0]].text.strip()
    return (
        bool(_HEADING.match(line))
        and len(line.split()) <= _MAX_HEADING_WORDS
        and not line.endswith((":", ","))
        and not _has_label(line)
    )


def _has_label(line: str) -> bool:
    """Whether a line is a term with its explanation ("Health: ...") and so no heading."""
    label, colon, rest = line.partition(": ")
    return bool(colon) and bool(rest.strip()) and "?" not in rest and len(label.split()) <= 4


def _section(lines: Lines, heading: Passage | None, groups: Sequence[range]) -> Section:
    blocks = tuple(lines.between(group.start, group.stop) for group in groups)
    by_group = [[lines[number] for number in group] for group in groups]
    return Section(
        title=heading.strip().text if heading else "",
        level=1 if heading else 0,
        text=lines.between(groups[0].start, groups[-1].stop) if groups else lines.text[:0],
        paragraphs=tuple(block.collapsed() for block in blocks),
        lists=tuple(ListBlock(tuple(_items(group))) for group in by_group if _BULLET.match(group[0].text)),
        grids=tuple(grid for group in by_group if (grid := _grid(group)) is not None),
        blocks=blocks,
    )


def _items(group: Sequence[Passage]) -> Iterator[Passage]:
    item: list[Passage] = []
    for line in group:
        bullet = _BULLET.match(line.text)
        if bullet and item:
            yield Passage.joined(item, " ").collapsed()
            item = []
        item.append(line[bullet.end() :] if bullet else line)
    if item:
        yield Passage.joined(item, " ").collapsed()


def _grid(group: Sequence[Passage]) -> Grid | None:
    """The lines of a group that part into columns, from the first that does; that one is the head.

    Prose straight above the table is left out. Rows may be ragged: whoever asks for the table by name
    learns of it then, since two blanks after a full stop look like a column as well.
    """
    rows = [tuple(RawCell.of(cell) for cell in line.strip().split(_GAP)) for line in group]
    start = next((number for number, row in enumerate(rows) if len(row) > 1), len(rows))
    if len(rows) - start < _MIN_GRID_ROWS:
        return None
    first, last = group[start].span, group[-1].span
    return Grid(tuple(rows[start:]), 1, group[start].source.span(first.start, last.end))
