"""Tracks: boxes of several kinds, in an order, that are marked one by one.

In: the kinds of boxes, the lightest first, each with its number of boxes and the points that mark it. Out: which box
so many points mark, the marks after another mark, and the numbers behind the names that formulas may ask of marks.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal

from refgen.errors import ResolverError
from refgen.limits import limit_hint, limits
from refgen.notation.values import Interval
from refgen.resolver.dice.arithmetic import Rational

Overflow = Literal["next", "none", "end"]
"""The effect of a mark on a kind of box that is full. next: the mark goes to the next higher free box, if any. none: no
effect. end: the mark goes to the next higher free box, and after the last box the track is out."""

Marks = tuple[int, ...]
"""How many boxes of each kind are marked, the lightest first, and last 1 when the track is out, else 0."""


@dataclass(frozen=True, slots=True)
class Box:
    """A kind of box: the number of boxes, and the points that mark a box (None: only overflow of lighter kinds does).

    ``reach`` is the place of the farthest kind to which overflow goes. ``values`` are numbers for formulas.
    """

    name: str
    count: int
    points: Interval | None
    reach: int
    values: Mapping[str, int]


@dataclass(frozen=True)
class Track:
    """The boxes of a track. A place is 1 for the lightest kind, 2 for the next, and 0 for no box.

    A track whose boxes have no points is filled box by box.
    """

    boxes: Sequence[Box]
    overflow: Overflow

    @property
    def unmarked(self) -> Marks:
        """No mark at all."""
        return (0,) * (len(self.boxes) + 1)

    @cached_property
    def is_filled(self) -> bool:
        """Whether each point fills a box, instead of all of them marking one."""
        return all(box.points is None for box in self.boxes)

    @cached_property
    def _ranges(self) -> Sequence[tuple[int, Interval]]:
        """The place of each kind with points, lowest points first."""
        return [(place, box.points) for place, box in enumerate(self.boxes, 1) if box.points is not None]

    @cached_property
    def _starts(self) -> Sequence[int]:
        return [points.low or 0 for _, points in self._ranges]

    @cached_property
    def ends(self) -> Sequence[int]:
        """How many boxes there are up to each kind."""
        return list(accumulate(box.count for box in self.boxes))

    def place(self, points: Rational) -> int:
        """The place of the kind that so many points mark; 0 for too few, one more than the last for too many.

        Raises ResolverError for points between two ranges, or beyond the last of a track that does not end there.
        """
        if not isinstance(points, int):
            raise ResolverError(f'"the points of box()" comes to {points}, which is no whole number')
        number = bisect_right(self._starts, points) - 1
        if number < 0:
            return 0
        place, interval = self._ranges[number]
        if (interval.low or 0) <= points and (interval.high is None or points <= interval.high):
            return place
        if number == len(self._ranges) - 1 and self.overflow == "end":
            return len(self.boxes) + 1
        raise ResolverError(f"the track has no box for {points} points")

    def marked(self, marks: Marks, number: int) -> Marks:
        """The marks after one more: in the box of that place, or, of a track that is filled, in so many boxes.

        Raises ResolverError for a place that is not there.
        """
        if self.is_filled:
            return self._fill_boxes(marks, number)
        if number <= 0:
            return marks
        if number > len(self.boxes) + 1:
            raise ResolverError(f"the track has no box in place {number}")
        if number <= len(self.boxes):
            reach = number if self.overflow == "none" else self.boxes[number - 1].reach
            for kind in range(number - 1, reach):
                if marks[kind] < self.boxes[kind].count:
                    return (*marks[:kind], marks[kind] + 1, *marks[kind + 1 :])
        return (*marks[:-1], 1) if self.overflow == "end" else marks

    def _fill_boxes(self, marks: Marks, number: int) -> Marks:
        """So many boxes more (or fewer) are full, the lightest first."""
        full = max(sum(marks[:-1]) + number, 0)
        out = int(self.overflow == "end" and (marks[-1] > 0 or full > self.ends[-1]))
        starts = [0, *self.ends]
        return (*(max(min(full, end) - start, 0) for start, end in zip(starts, self.ends, strict=False)), out)

    def value(self, marks: Marks, name: str) -> int:
        """The number behind a name in formulas: the worst place marked, boxes marked or free, out or not, a value.

        Values are those of the worst kind that is marked, 0 where none is.
        """
        match name:
            case "marked":
                return sum(marks[:-1])
            case "free":
                return self.ends[-1] - sum(marks[:-1])
            case "out":
                return marks[-1]
        worst = len(self.boxes)
        while worst and not marks[worst - 1]:
            worst -= 1
        if name == "worst" or not worst:
            return worst
        return self.boxes[worst - 1].values.get(name, 0)


def check_track(track: Track, title: str) -> Track:
    """The track. Raises ResolverError for ranges that meet, fall or reach far, and for far too many boxes."""
    reached: int | None = 0
    most_boxes, most_points = limits().track_boxes, limits().track_points
    for box in track.boxes:
        if not 0 <= box.count <= most_boxes:
            message = f"{title}: {box.count:,} boxes of {box.name} are not between 0 and {most_boxes:,}"
            raise ResolverError(message, hint=limit_hint("track_boxes"))
        if box.points is None:
            continue
        low, high = box.points.low, box.points.high
        shown = f"{low}+" if high is None else f"{low}-{high}"
        if low is None or max(low, high or 0) > most_points:
            message = f"{title}: the points of {box.name}, {shown}, go beyond {most_points:,}"
            raise ResolverError(message, hint=limit_hint("track_points"))
        if reached is None or low <= reached:
            hint = "Each kind of box begins after the one before it ends; the first at 1 or more."
            raise ResolverError(f"{title}: {box.name} at {shown} begins before the lighter ones end", hint=hint)
        reached = high
    return track
