"""The drawing of a chart, read from HTML or from a PDF: its shapes, and the places of its texts.

In: shapes in the order of painting. Out: the kind of each shape: line of the grid, axis, bar, line, mark. Lengths are
hundredths of an em from the upper left corner, as in the model. The kinds differ in the widths of strokes, which both
HTML and PDF keep.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

GRID, AXIS, LINE, LEADER = 5, 9, 12, 4
"""The widths of strokes in ``templates/blocks/chart.html``; bars are edged as thin as the grid."""

_HATCHING = (3, 6)


TextKey = tuple[str, int]
"""Which text of a chart: its kind (up, along, axis, name or figure), and its number among these."""


class Spot(NamedTuple):
    """A point of a drawing."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Shape:
    """A path: its parts, each a row of points; whether it is closed, how wide its stroke is (0: none), and its fill."""

    parts: tuple[tuple[Spot, ...], ...]
    closed: bool
    stroke: float
    fill: Hashable

    @property
    def left(self) -> float:
        """The smallest x."""
        return min(spot.x for part in self.parts for spot in part)

    @property
    def right(self) -> float:
        """The largest x."""
        return max(spot.x for part in self.parts for spot in part)

    @property
    def top(self) -> float:
        """The smallest y."""
        return min(spot.y for part in self.parts for spot in part)

    @property
    def bottom(self) -> float:
        """The largest y."""
        return max(spot.y for part in self.parts for spot in part)

    @property
    def middle(self) -> Spot:
        """The middle of the box around it."""
        return Spot((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def is_open(self, width: int) -> bool:
        """Whether it is one open line of that width, from somewhere to somewhere."""
        return not self.closed and len(self.parts) == 1 and len(self.parts[0]) > 1 and self._is_stroked(width)

    def is_box(self) -> bool:
        """Whether it is a bar, or the sample of one beside its name."""
        return self.closed and self._is_stroked(GRID)

    def is_upright(self, tolerance: float) -> bool:
        """Whether all its points are corners of the box around it."""
        xs, ys = (self.left, self.right), (self.top, self.bottom)
        return all(
            min(abs(spot.x - x) for x in xs) <= tolerance and min(abs(spot.y - y) for y in ys) <= tolerance
            for part in self.parts
            for spot in part
        )

    def is_hatching(self) -> bool:
        """Whether it only rules a bar."""
        return not self.closed and any(self._is_stroked(width) for width in _HATCHING)

    def _is_stroked(self, width: int) -> bool:
        return abs(self.stroke - width) < 0.1


@dataclass(frozen=True, slots=True)
class Drawing:
    """The shapes of a chart, those of each kind in order; ``texts`` says where each text stands.

    Labels on the left are placed by their right end, names by their left one, others by their middle; all by the middle
    of their height.
    """

    grid: Sequence[Shape]
    axes: Sequence[Shape]
    bars: Sequence[Shape]
    samples: Sequence[Shape]
    lines: Sequence[Shape]
    leaders: Sequence[Shape]
    marks: Sequence[Shape]
    texts: Mapping[TextKey, Spot]


def sort_shapes(shapes: Sequence[Shape], texts: Mapping[TextKey, Spot]) -> Drawing:
    """The shapes of a chart by their kinds. Bars are painted before the axis, samples of them after it."""
    axis = next((number for number, shape in enumerate(shapes) if shape.is_open(AXIS)), 0)
    boxes = [(number, shape) for number, shape in enumerate(shapes) if shape.is_box()]
    strokes = {width: [shape for shape in shapes if shape.is_open(width)] for width in (GRID, AXIS, LINE, LEADER)}
    drawn = {id(shape) for found in strokes.values() for shape in found} | {id(shape) for _, shape in boxes}
    return Drawing(
        strokes[GRID],
        strokes[AXIS],
        [shape for number, shape in boxes if number < axis],
        [shape for number, shape in boxes if number > axis],
        strokes[LINE],
        strokes[LEADER],
        [shape for shape in shapes if id(shape) not in drawn and not shape.is_hatching() and _is_seen(shape)],
        texts,
    )


def _is_seen(shape: Shape) -> bool:
    """A line of a single point leaves nothing on the page: its mark does."""
    return any(len(part) > 1 for part in shape.parts)


_STEP = re.compile(r"([MLHVhvlmz])([^MLHVhvlmz]*)")
_NUMBER = re.compile(r"-?[\d.]+")
_ANCHORS = {"up": "end", "name": "start"}
_HALF_HEIGHT = 29
"""From the baseline of a text up to the middle of its figures."""


def svg_drawing(svg: Any, texts: Sequence[TextKey]) -> Drawing:
    """The drawing of an SVG that shows just these texts, in order."""
    shapes = [_shape(element) for element in svg.xpath(".//*[self::path or self::circle]")]
    places = {key: _place(key[0], element) for key, element in zip(texts, svg.xpath(".//text"), strict=False)}
    return sort_shapes([shape for shape in shapes if shape.parts], places)


def _place(kind: str, text: Any) -> Spot:
    """Where a text stands; nowhere when it is anchored otherwise than one of its kind should be."""
    anchored = text.get("text-anchor", "start") == _ANCHORS.get(kind, "middle")
    return Spot(float(text.get("x")) if anchored else float("nan"), float(text.get("y")) - _HALF_HEIGHT)


def _shape(element: Any) -> Shape:
    stroke = float(element.get("stroke-width", 0)) if element.get("stroke") else 0.0
    fill = element.get("fill")
    if element.tag == "circle":
        x, y, radius = (float(element.get(name)) for name in ("cx", "cy", "r"))
        return Shape(((Spot(x - radius, y - radius), Spot(x + radius, y + radius)),), True, stroke, fill)
    path = element.get("d")
    return Shape(tuple(_parts(path)), path.endswith("z"), stroke, fill)


def _parts(path: str) -> Iterator[tuple[Spot, ...]]:
    """The points of each part of a path."""
    part: list[Spot] = []
    x = y = 0.0
    for command, operands in _STEP.findall(path):
        numbers = [float(number) for number in _NUMBER.findall(operands)]
        dx, dy = (x, y) if command.islower() else (0.0, 0.0)
        if command in "Hh":
            x = numbers[0] + dx
        elif command in "Vv":
            y = numbers[0] + dy
        elif command != "z":
            x, y = numbers[0] + dx, numbers[1] + dy
        if command in "Mm" and part:
            yield tuple(part)
            part = []
        if command != "z":
            part.append(Spot(x, y))
    if part:
        yield tuple(part)
