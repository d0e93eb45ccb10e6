"""What the states of a chain hold: whole numbers, and marks on tracks; each combination that is met has a number.

In: what is there, and changes. Out: what is there after them, found out once for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

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
            self.after.append(_After(lambda change: self.number(self._changed(value, change))))
        return self._numbers[value]


class _After(dict[Placed, int]):
    """Where changes lead to, each found out when it is first asked for."""

    def __init__(self, find: Callable[[Placed], int]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, change: Placed) -> int:
        found = self[change] = self._find(change)
        return found


def numbers_part() -> Part[tuple[int, ...]]:
    """Numbers, some of which become others."""
    return Part(_replaced)


def _replaced(numbers: tuple[int, ...], change: Placed) -> tuple[int, ...]:
    after = list(numbers)
    for place, number in change:
        after[place] = number
    return tuple(after)


class MarksPart(Part[tuple[Marks, ...]]):
    """The marks of some tracks; those without any are known by 0."""

    def __init__(self, tracks: Sequence[Track]) -> None:
        super().__init__(self._marked)
        self.tracks = tracks
        self._asked: dict[int, Sequence[Mapping[str, int]]] = {}
        self.number(tuple([track.unmarked for track in tracks]))

    def _marked(self, marks: tuple[Marks, ...], change: Placed) -> tuple[Marks, ...]:
        after = list(marks)
        for place, number in change:
            after[place] = self.tracks[place].marked(marks[place], number)
        return tuple(after)

    def asked(self, number: int, track: int, name: str) -> int:
        """What formulas may ask of the marks of a track."""
        if number not in self._asked:
            pairs = zip(self.tracks, self.values[number], strict=True)
            self._asked[number] = [own.values(marks) for own, marks in pairs]
        return self._asked[number][track][name]
