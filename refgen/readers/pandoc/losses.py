"""Rows that pandoc pads, and cells that pandoc drops, in silence.

In: the source as it is searched, where the words of a table were found, and how many cells pandoc gives a row.
Out: faults at the places where the source has fewer cells, or words that nothing was made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from refgen.readers.document import Fault, Format
from refgen.source import Passage

_TABLE_END = {
    Format.MEDIAWIKI: re.compile(r"^[ \t]*\|\}", re.MULTILINE),
    Format.LATEX: re.compile(r"\\end\{"),
    Format.ORG: re.compile(r"\n(?![ \t]*\|)"),
    Format.RST: re.compile(r"\n[ \t]*\r?\n"),
}
_ROW_BORDER = {
    Format.MEDIAWIKI: re.compile(r"^[ \t]*\|[-}]", re.MULTILINE),
    Format.LATEX: re.compile(r"\\\\|\\(?:begin|end)\{"),
    Format.ORG: re.compile(r"\n"),
}
_CELL_START = {
    Format.MEDIAWIKI: re.compile(r"^[ \t]*[|!](?![-}+])|\|\||!!", re.MULTILINE),
    Format.LATEX: re.compile(r"\A|(?<!\\)&"),
    Format.ORG: re.compile(r"\|(?=[^\n])(?![ \t]*\Z)"),
}
_ROW_REACH = 4000
"""How far back the start of a row is looked for."""

_NO_WORDS = re.compile(r"\\[a-zA-Z]+|</?[a-zA-Z][^<>\n]*>|&\#?\w{1,31};|(?<!\w):[a-z]+:(?=`)")
_WORDS = re.compile(r"[^\W_](?:[^\n|&]*[^\W_])?")


def table_end(text: Passage, document_format: Format, last: int) -> int:
    """Where the table ends whose last word ends at ``last``."""
    pattern = _TABLE_END.get(document_format)
    end = pattern.search(text.text, last) if pattern else None
    return end.start() if end else (len(text) if pattern else last)


def short_row(text: Passage, searched: str, document_format: Format, place: int, cells: int) -> Iterator[Fault]:
    """A fault when the row around ``place`` is written with fewer cells than the ``cells`` it was given."""
    if document_format not in _ROW_BORDER:
        return
    start, end = _row(text.text, _ROW_BORDER[document_format], place)
    written = sum(1 for _ in _CELL_START[document_format].finditer(searched[start:end].rstrip()))
    if written < cells:
        yield Fault(
            f"this table row has {'1 cell' if written == 1 else f'{written} cells'}, its table has {cells}",
            text[place : place + 1].span,
            "It is filled with blank cells. Give every row as many cells as the table has columns.",
        )


def _row(text: str, border: re.Pattern[str], place: int) -> tuple[int, int]:
    near = max(0, place - _ROW_REACH)
    before = [match.end() for match in border.finditer(text, near, place)]
    after = border.search(text, place)
    return (before[-1] if before else near), (after.start() if after else len(text))


def lost_words(text: Passage, searched: str, found: Iterable[tuple[int, int]], start: int, end: int) -> Iterator[Fault]:
    """A fault for each stretch of words between ``start`` and ``end`` that was found for nothing."""
    rest = list(_blanked(searched[start:end], _NO_WORDS))
    for first, last in found:
        if start <= first < last <= end:
            rest[first - start : last - start] = " " * (last - first)
    for words in _WORDS.finditer("".join(rest)):
        place = text[start + words.start() : start + words.end()]
        hint = "Give every row as many cells as the table has columns, without markup of its own."
        yield Fault(f'"{place.text}" stands in the table, but pandoc leaves it out', place.span, hint)


def _blanked(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), text)
