"""The marks that a chain meets on a track: each combination has a number, by which the states of the chain hold it.

In: a Track. Out: what is marked after another mark, and what formulas ask of it, each found out once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from refgen.resolver.chains.track import Marks, Track
from refgen.resolver.once import Once


class MetMarks:
    """``values`` are the marks that were met; by their numbers, ``after`` has those after another one in each place.

    No mark at all has the number 0. Marks that ``are_end`` are all one.
    """

    def __init__(self, track: Track, are_end: Callable[[Marks], bool] | None = None) -> None:
        self._are_end = are_end
        self._end: int | None = None
        self.values: list[Marks] = []
        self.after: Mapping[int, Mapping[int, int]] = Once(self._after)
        self._track = track
        self._numbers: Mapping[Marks, int] = Once(self._add)
        self._asked: Mapping[tuple[str, ...], Mapping[int, tuple[int, ...]]] = Once(self._asking)
        self._numbers[track.unmarked]

    def asked(self, names: tuple[str, ...]) -> Mapping[int, tuple[int, ...]]:
        """What formulas ask of marks by some names."""
        return self._asked[names]

    def _add(self, marks: Marks) -> int:
        if self._are_end is not None and self._are_end(marks):
            if self._end is not None:
                return self._end
            self._end = len(self.values)
        self.values.append(marks)
        return len(self.values) - 1

    def _after(self, number: int) -> Mapping[int, int]:
        marks, track, numbers = self.values[number], self._track, self._numbers
        after: Once[int, int] = Once(lambda place: numbers[track.marked(marks, place)])
        if not track.is_filled:
            after.update(enumerate(map(numbers.__getitem__, track.marked_each(marks))))
        return after

    def _asking(self, names: tuple[str, ...]) -> Mapping[int, tuple[int, ...]]:
        values, value = self.values, self._track.value
        return Once(lambda number: tuple([value(values[number], name) for name in names]))
