"""The numbers that word processors put before list items, such as 1. or a) or IV.

In: the levels of a list and how each is numbered. Out: the label of each item in turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_ROMAN = dict(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
        strict=True,
    )
)
_PLACE = re.compile(r"%(\d)")


@dataclass(frozen=True, slots=True)
class NumberedLevel:
    """How a level of a list is numbered.

    ``style`` is "1", "01", "a", "A", "i", "I" or "" (a bullet, or nothing); in ``pattern``, "%2" stands for the number
    of the second level.
    """

    style: str
    pattern: str
    start: int = 1


@dataclass
class ListCounter:
    """The numbers that the levels of a list have reached, by level from 0."""

    reached: dict[int, int] = field(default_factory=dict)

    def label(self, levels: Mapping[int, NumberedLevel], depth: int, start: int | None = None) -> str:
        """The label of the next item at a level; ``start`` begins its numbers anew."""
        level = levels.get(depth, NumberedLevel("", ""))
        before = self.reached.get(depth, level.start - 1)
        self.reached = {own: count for own, count in self.reached.items() if own < depth}
        self.reached[depth] = before + 1 if start is None else start
        if not level.style:
            return ""
        return _PLACE.sub(lambda place: self._number(levels, int(place[1]) - 1), level.pattern).strip()

    def _number(self, levels: Mapping[int, NumberedLevel], depth: int) -> str:
        level = levels.get(depth, NumberedLevel("1", ""))
        return write_number(self.reached.get(depth, level.start), level.style or "1")


def write_number(number: int, style: str) -> str:
    """A number in a style: "1" 7, "01" 07, "a" g, "A" G, "i" vii, "I" VII."""
    match style:
        case "01":
            return f"{number:02}"
        case "a" | "A" if number > 0:
            letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
            return letters if style == "a" else letters.upper()
        case "i" | "I" if 0 < number < 4000:
            return _roman(number) if style == "i" else _roman(number).upper()
    return str(number)


def _roman(number: int) -> str:
    letters = ""
    for value, sign in _ROMAN.items():
        times, number = divmod(number, value)
        letters += sign * times
    return letters
