"""Formats without a parser of their own: plain text, and plain text with [TABLE] markers.

In: the passage of a file. Out: its sections.

- Plain text (also a blog post saved as text) has headings on separate lines and paragraphs between blank lines. Two or
  more blanks part the columns of a grid, or bars in a drawing. Lines
  without blank lines between them are a block: a ragged table, perhaps.
- Flattened text has headings framed by dashes ("----- 3.1 Title -----", "- - - - 3.21 Title - - - -") and tables
  between [TABLE] and [END TABLE], each a block; a table with bars over and under a rule ("----|----") is a grid. Line
  breaks mean nothing: the text reads the same as one endless line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from refgen.errors import ReadError
from refgen.marks import DASHES, WAVES
from refgen.readers.document import Document, Format, Grid, ItemList, RawCell, Section
from refgen.readers.drawn_tables import read_drawn_table
from refgen.source import Lines, Passage

_BULLET = re.compile(rf"\s*[•*{DASHES}-]\s+")
_GAP = re.compile(r"(?: {2,}|\t)[ \t]*")
_HEADING = re.compile(r"[A-Z][^.=|•]*\Z")
_MAX_HEADING_WORDS = 9
_MIN_GRID_ROWS = 3
_ROW_NUMBER = re.compile(rf"(?P<low>\d{{1,9}})(?:[{DASHES}{WAVES}～－~-](?P<high>\d{{1,9}}))?\.?")
_BEFORE_ZERO = (9, 99)


def read_plaintext(text: Passage) -> Document:
    """Read a plain-text document. Never fails: text that is no heading, list or table is a paragraph."""
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
    for has_words, run in groupby(enumerate(lines), lambda pair: bool(pair[1].text.strip(" \t\r\n\f\v"))):
        if has_words:
            numbers = [number for number, _ in run]
            yield range(numbers[0], numbers[-1] + 1)


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
    drawn = [read_drawn_table(group) for group in by_group]
    grids = [table or _grid(group) for table, group in zip(drawn, by_group, strict=True)]
    return Section(
        title=heading.strip().text if heading else "",
        level=1 if heading else 0,
        text=lines.between(groups[0].start, groups[-1].stop) if groups else lines.text[:0],
        paragraphs=tuple(block.collapsed() for block, table in zip(blocks, drawn, strict=True) if table is None),
        lists=tuple(ItemList(tuple(_items(group))) for group in by_group if _BULLET.match(group[0].text)),
        grids=tuple(grid for grid in grids if grid is not None),
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
    """The lines of a group from the first line with columns; None for fewer than three lines.

    The first line is the head, unless the numbers of the rows begin there. Rows may be ragged: two blanks after a full
    stop look like a column as well. A table that is used is checked.
    """
    rows = [tuple(RawCell.of(cell) for cell in line.strip().split(_GAP)) for line in group]
    start = next((number for number, row in enumerate(rows) if len(row) > 1), len(rows))
    if len(rows) - start < _MIN_GRID_ROWS:
        return None
    first, last = group[start].span, group[-1].span
    rows = rows[start:]
    return Grid(tuple(rows), 0 if _is_numbered(rows) else 1, group[start].source.span(first.start, last.end))


def _is_numbered(rows: Sequence[Sequence[RawCell]]) -> bool:
    """Whether all rows, the first as well, have numbers or ranges that follow each other before their words.

    The 10 and the 100 of dice may be a 0 and a 00.
    """
    found = [_ROW_NUMBER.fullmatch(row[0].text) for row in rows]
    ranges = [(int(match["low"]), int(match["high"] or match["low"])) for match in found if match]
    follow = (two[0] in (one[1] + 1, 0 if one[1] in _BEFORE_ZERO else None) for one, two in pairwise(ranges))
    is_head_of_numbers = any(_ROW_NUMBER.fullmatch(cell.text) for cell in rows[0][1:])
    return len(ranges) == len(rows) and all(follow) and not is_head_of_numbers


_RULED_HEADING = re.compile(
    r"(?<!\S)(?P<rule>-{5,}|={5,}|-(?: -){4,200})\s+(?P<title>\d+(?:\.\d+)?\s[^\n|=]{1,70}?)\s+(?P=rule)(?!\S)"
)
_TABLE = re.compile(r"\[TABLE\](?P<body>.*?)\[END TABLE\]", re.DOTALL)
_MARKER = re.compile(r"\[(?:END )?TABLE\]")
_START, _END = "[TABLE]", "[END TABLE]"
_BAR = re.compile(r"\|")
_RULE = re.compile(r"-{2,}(?:\|-{2,})+")
_NUMBER = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s+")


def read_flattened(text: Passage) -> Document:
    """Read a flattened document. Raises ReadError when a [TABLE] has no [END TABLE], or the reverse."""
    _check_markers(text)
    headings = list(_RULED_HEADING.finditer(text.text))
    starts = [0, *(heading.end() for heading in headings)]
    ends = [*(heading.start() for heading in headings), len(text)]
    titles = ["", *(heading["title"] for heading in headings)]
    sections = (
        _numbered_section(title, text[start:end]) for title, start, end in zip(titles, starts, ends, strict=True)
    )
    return Document(text.source, Format.FLATTENED, text, tuple(sections))


def _check_markers(text: Passage) -> None:
    expected = _START
    marker = None
    for marker in _MARKER.finditer(text.text):
        if marker[0] != expected:
            raise _unpaired_error(text, marker)
        expected = _END if marker[0] == _START else _START
    if marker is not None and expected == _END:
        raise _unpaired_error(text, marker)


def _unpaired_error(text: Passage, marker: re.Match[str]) -> ReadError:
    return ReadError(
        f"{marker[0]} without its partner",
        span=text.group(marker).span,
        hint=f"Each table stands between {_START} and {_END}.",
    )


def _ruled_grid(body: Passage) -> Grid | None:
    """A table with a head over the rule and one row under the rule: without line breaks, no more can be told apart."""
    rule = _RULE.search(body.text)
    if rule is None:
        return None
    head, row = (
        tuple(RawCell.of(cell) for cell in part.split(_BAR)) for part in (body[: rule.start()], body[rule.end() :])
    )
    width = rule[0].count("|") + 1
    if len(head) != width or len(row) != width:
        return None
    return Grid((head, row), 1, body.strip().span)


def _numbered_section(title: str, body: Passage) -> Section:
    blocks = tuple(body.group(table, "body") for table in _TABLE.finditer(body.text))
    number = _NUMBER.match(title)
    return Section(
        title=title[number.end() :] if number else title,
        level=number["number"].count(".") + 1 if number else 0,
        text=body,
        paragraphs=tuple(_paragraphs(body)),
        grids=tuple(grid for block in blocks if (grid := _ruled_grid(block)) is not None),
        blocks=blocks,
    )


def _paragraphs(body: Passage) -> Iterator[Passage]:
    for stretch in body.split(_TABLE):
        for piece in stretch.split(re.compile(r"\n\s*\n")):
            if piece.text.strip():
                yield piece.collapsed()
