"""Where something is printed: a stretch of a file. Everything that is read carries one, and so does every error."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file: ``start`` and ``end`` are character offsets (half open), lines and columns count from 1."""

    file: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int

    def holds(self, other: Span) -> bool:
        """Whether another span of the same file begins within this span, or just at its end."""
        return self.file == other.file and self.start <= other.start <= self.end

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def begins_within(places: Iterable[Span]) -> Callable[[int], bool]:
    """A function that says whether an offset lies within one of some places of one file, or just at its end."""
    bounds = sorted((place.start, place.end) for place in places)
    starts, ends = [start for start, _ in bounds], [*accumulate((end for _, end in bounds), max)]
    return lambda offset: (number := bisect_right(starts, offset)) > 0 and ends[number - 1] >= offset
