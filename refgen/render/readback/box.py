"""Boxes on a page of a PDF, in points from its lower left corner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from refgen.layout.engine import Rect
from refgen.layout.units import PIXEL


class Box(NamedTuple):
    """A rectangle; ``right`` and ``top`` are the larger coordinates."""

    left: float
    bottom: float
    right: float
    top: float

    def sticks_out(self, outer: Box) -> float:
        """How far this box reaches out of another, in points; 0 or less when it lies inside."""
        return max(outer.left - self.left, outer.bottom - self.bottom, self.right - outer.right, self.top - outer.top)

    def overlap(self, other: Box) -> float:
        """How far two boxes reach into each other, in points; 0 or less when they stand apart."""
        return min(self.right - other.left, other.right - self.left, self.top - other.bottom, other.top - self.bottom)


def on_paper(rect: Rect, height: float) -> Box:
    """A layout's rectangle on a page that is ``height`` points high."""
    left, top, width, tall = rect
    return Box(left * PIXEL, height - (top + tall) * PIXEL, (left + width) * PIXEL, height - top * PIXEL)


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds some others, of which there is at least one."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return Box(min(lefts), min(bottoms), max(rights), max(tops))


def common(boxes: Iterable[Box]) -> Box:
    """What some boxes, of which there is at least one, have in common; when that is nothing, left is right of right."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return Box(max(lefts), max(bottoms), min(rights), min(tops))
