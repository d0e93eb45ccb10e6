"""Plain text with ruled headings and [TABLE] markers, with or without its line breaks.

In: the passage of a text whose sections are framed by runs of dashes ("----- 3.1 Title -----", or
"- - - - 3.21 Title - - - -") and whose tables stand between [TABLE] and [END TABLE]. Out: sections with
one block a table, and a grid where its cells are parted by bars over and under a rule ("----|----").
Nothing here counts on line breaks: the same text reads the same as one endless line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from refgen.errors import ReadError
from refgen.readers.document import Document, Format, Grid, RawCell, Section
from refgen.source import Passage

_RULED_HEADING = re.compile(
    r"(?<!\S)(?P<rule>-{5,}|={5,}|-(?: -){4,})\s+(?P<title>\d+(?:\.\d+)?\s[^\n|=]{1,70}?)\s+(?P=rule)(?!\S)"
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
    sections = (_numbered_section(title, text[start:end]) for title, start, end in zip(titles, starts, ends, strict=True))
    return Document(text.source, Format.FLATTENED, text, tuple(sections))


def _check_markers(text: Passage) -> None:
    expected = _START
    marker = None
    for marker in _MARKER.finditer(text.text):
        if marker[0] != expected:
            raise _unpaired(text, marker)
        expected = _END if marker[0] == _START else _START
    if marker is not None and expected == _END:
        raise _unpaired(text, marker)


def _unpaired(text: Passage, marker: re.Match[str]) -> ReadError:
    return ReadError(
        f"{marker[0]} without its partner",
        span=text.group(marker).span,
        hint=f"Each table stands between {_START} and {_END}.",
    )


def _ruled_grid(body: Passage) -> Grid | None:
    """A table with a head over the rule and one row under it; without line breaks no other can be read as a grid."""
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
