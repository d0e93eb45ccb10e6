"""Where something is printed: a stretch of a file. Everything that is read carries one, and so does every error."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Generic, TypeVar


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file: ``start`` and ``end`` are character offsets (half open), lines and columns count from 1.

    ``place`` says where that is in a file that has no lines for its readers ("Combat, table 3, row 2"), else "".
    """

    file: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    place: str = field(default="", compare=False)

    def holds(self, other: Span) -> bool:
        """Whether another span of the same file begins within this span, or just at its end."""
        return self.file == other.file and self.start <= other.start <= self.end

    @property
    def short(self) -> str:
        """The place without the column."""
        return f"{self.file}: {self.place}" if self.place else f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return self.short if self.place else f"{self.short}:{self.column}"


Printed = TypeVar("Printed")


class SpanIndex(Generic[Printed]):
    """Values that are printed in files, found by their places; ``place`` gives the span of each value."""

    def __init__(self, values: Iterable[Printed], place: Callable[[Printed], Span]) -> None:
        self._files: dict[str, tuple[list[int], list[Printed]]] = {}
        for span, value in sorted(((place(value), value) for value in values), key=lambda pair: pair[0]):
            starts, found = self._files.setdefault(span.file, ([], []))
            starts.append(span.start)
            found.append(value)

    def within(self, span: Span) -> Sequence[Printed]:
        """The values that begin in a stretch of a file."""
        starts, found = self._files.get(span.file, ([], []))
        return found[bisect_left(starts, span.start) : bisect_left(starts, span.end)]

    def last(self, span: Span) -> Printed | None:
        """The last value that begins before a stretch of a file or with the stretch; None if there is none."""
        starts, found = self._files.get(span.file, ([], []))
        number = bisect_right(starts, span.start)
        return found[number - 1] if number else None


def begins_within(places: Iterable[Span]) -> Callable[[int], bool]:
    """A function that says whether an offset lies within one of some places of one file, or just at its end."""
    bounds = sorted((place.start, place.end) for place in places)
    starts, ends = [start for start, _ in bounds], [*accumulate((end for _, end in bounds), max)]
    return lambda offset: (number := bisect_right(starts, offset)) > 0 and ends[number - 1] >= offset
