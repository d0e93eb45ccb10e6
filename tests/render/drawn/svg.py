"""A chart as an HTML page draws it.

In: an inline SVG, as lxml reads it, and which texts it should show. Out: a Drawing. Only what our templates use is
understood: absolute and relative moves and lines, circles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.render.drawn.drawing import Drawing, Shape, Spot, TextKey, sort_shapes

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
