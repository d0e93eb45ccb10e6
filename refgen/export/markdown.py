"""Text as Markdown that says just this, for Python-Markdown (MkDocs) and for CommonMark (Hugo) alike.

In: words, and tables of Markdown. Out: Markdown in which none of the words is markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

_MARKS = re.compile(r"[\\`*_{}\[\]]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "~": "&#126;", "$": "&#36;"})
_AT_START = re.compile(r"^([#+\-=:!]|\d{1,9}(?=[.)]))")
_ALIGNED = {"end": "---:", "center": ":---:", "bars": "---:"}


def escaped(words: str) -> str:
    """Words within a line."""
    return _MARKS.sub(r"\\\g<0>", words).translate(_ENTITIES)


def paragraph(markdown: str) -> str:
    """A line of Markdown that begins nothing but a paragraph: no list, no heading, no rule."""
    line = " ".join(markdown.split())
    match = _AT_START.match(line)
    if not match:
        return line
    start, rest = match[0], line[match.end() :]
    return f"{start}\\{rest}" if start.isdigit() else f"&#{ord(start)};{rest}"


def fenced(text: str) -> str:
    """Text whose lines and blanks are kept."""
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def pipe_table(heads: Sequence[str], rows: Sequence[Sequence[str]], aligned: Sequence[str] = ()) -> str:
    """A table of cells in Markdown; a row that is too short is filled up."""
    width = max(map(len, [heads, *rows]))
    marks = [_ALIGNED.get(align, "---") for align in aligned]
    lines = [_filled(heads, width), _filled(marks, width, "---"), *(_filled(row, width) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _filled(cells: Sequence[str], width: int, empty: str = "") -> list[str]:
    return [" ".join(cell.split()) or empty for cell, _ in zip_longest(cells, range(width), fillvalue="")]
