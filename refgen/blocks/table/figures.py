"""Figures under each other: how much room is left before and after each figure of a column.

In: the texts of a column, as they are set, and where the column has them stand. Out: the room beside each in ems of
its own type, so that decimals stand under decimals, digits under digits, and signs before them. The texts themselves
stay as they are. A column in which anything else stands, words or ranges, is left alone. And how wide the columns of a
heat table are, so that they are all alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from refgen.layout.lengths import CELL_PADDING_INLINE, HEAD

SEMIBOLD = 1.03
"""How much wider the figures of the semibold face are."""

ADVANCES = {".": 0.25, ",": 0.25, "%": 0.825, "(": 0.305, ")": 0.305, " ": 0.2, "\u202f": 0.125}
"""The widths of what stands in figures, in em of the regular face, rounded; a test holds them against the fonts."""

FIGURE = 0.5
"""The width of a digit, of a sign, and of the dash that stands for none."""

LETTER = 0.53
"""The width of a letter of a name, about."""

LONGEST_NAMES = 14.0
"""Ems that columns of words get beside columns of figures at most; longer ones may break."""

_FIGURE = re.compile(
    r"(?P<whole>\(?[<>≤≥]?[+−±]?(?:\d{1,3}(?:[,\u202f]\d{3})+|\d+))(?P<rest>(?:\.\d+)?%?\)?(?: \(\d+%\))?)|(?P<none>–)"
)


@dataclass(frozen=True, slots=True)
class Room:
    """The room ``before`` and ``after`` a figure, in ems of its type."""

    before: float = 0.0
    after: float = 0.0


def under_each_other(texts: Sequence[str], align: str, *, semibold: bool = False) -> list[Room]:
    """The room beside each text of a column that is set "end", "center", or "start" (the figures behind bars)."""
    found = [_FIGURE.fullmatch(text) for text in texts]
    if any(text and match is None for text, match in zip(texts, found, strict=True)):
        return [Room()] * len(texts)
    wide = SEMIBOLD if semibold else 1.0
    parts = [(match["whole"] or match["none"], match["rest"] or "") if match else None for match in found]
    widths = [(_width(part[0]), _width(part[1])) if part else None for part in parts]
    whole, rest = (max((width[side] for width in widths if width), default=0.0) for side in (0, 1))
    return [
        Room(
            round((whole - width[0]) * wide, 3) if align != "end" else 0.0,
            round((rest - width[1]) * wide, 3) if align != "start" else 0.0,
        )
        if width
        else Room()
        for width in widths
    ]


Column = tuple[Sequence[str], Sequence[str]]
"""The lines of a head, and the texts below it."""


def equal_share(heated: Sequence[Column], others: Sequence[Column]) -> float:
    """The percents of a table that each of the ``heated`` columns takes, where all are to be as wide as the widest.

    The ``others`` get what their words need in one line.
    """
    wide = max(map(_in_one_line, heated))
    beside = sum(min(_in_one_line(column), LONGEST_NAMES) for column in others)
    return round(100 * wide / (wide * len(heated) + beside), 2)


def _in_one_line(column: Column) -> float:
    """The width in which nothing in a column breaks, in em, about."""
    heads, texts = (max(map(len, lines), default=0) for lines in column)
    return max(heads * HEAD.ems, texts) * LETTER + 2 * CELL_PADDING_INLINE


def _width(text: str) -> float:
    return sum(ADVANCES.get(character, FIGURE) for character in text)
