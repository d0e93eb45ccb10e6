"""What the states of a chain hold: whole numbers, and marks on tracks; each combination that is met has a number.

In: what is there, and changes. Out: what is there after them, found out once for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from refgen.resolver.chains.once import Once
from refgen.resolver.chains.track import Marks, Track

Placed = tuple[tuple[int, int], ...]
"""A change: numbers, each with the place where it stands next, or with the track on which it is marked."""

Held = TypeVar("Held", bound=tuple[object, ...])


class Part(Generic[Held]):
    """``values`` are those that were met; by their numbers, ``after`` has where changes lead to."""

    def __init__(self, changed: Callable[[Held, Placed], Held]) -> None:
        self.values: list[Held] = []
        self.after: list[Mapping[Placed, int]] = []
        self._changed = changed
        self._numbers: dict[Held, int] = {}

    def number(self, value: Held) -> int:
        """The number by which a value is known."""
        if value not in self._numbers:
            self._numbers[value] = len(self.values)
            self.values.append(value)
            self.after.append(Once(lambda change: self.number(self._changed(value, change))))
        return self._numbers[value]


def numbers_part() -> Part[tuple[int, ...]]:
    """Numbers, some of which become others."""
    return Part(_replaced)


def _replaced(numbers: tuple[int, ...], change: Placed) -> tuple[int, ...]:
    after = list(numbers)
    for place, number in change:
        after[place] = number
    return tuple(after)


class MarksPart(Part[tuple[Marks, ...]]):
    """The marks of some tracks; those without any are known by 0. ``asked`` is what formulas may ask of each track."""

    def __init__(self, tracks: Sequence[Track]) -> None:
        super().__init__(self._marked)
        self.tracks = tracks
        self.asked = Once(self._values)
        self.number(tuple([track.unmarked for track in tracks]))

    def _marked(self, marks: tuple[Marks, ...], change: Placed) -> tuple[Marks, ...]:
        after = list(marks)
        for place, number in change:
            after[place] = self.tracks[place].marked(marks[place], number)
        return tuple(after)

    def _values(self, number: int) -> Sequence[Mapping[str, int]]:
        return [track.values(marks) for track, marks in zip(self.tracks, self.values[number], strict=True)]
