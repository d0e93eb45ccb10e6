"""The axes of a chart as they stand on the page: where a figure belongs, by them, and whether they say so.

In: a chart of the model, and the drawing of it that was read back. Out: the places of rows and figures, worked out from
the ends of the axis, and from the lines of the grid and what their labels say; and what is wrong, in words. The places
that the model gave to the template are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import isnan, nan
from statistics import median
from typing import NamedTuple

from refgen.blocks.chart_block import ChartBlock
from refgen.blocks.chart_plan import ChartSeries
from refgen.layout.readback.pieces import PageFault
from tests.render.drawn.drawing import Drawing, Shape, Spot

EXACT = 1.5
"""Hundredths of an em by which what is drawn may be off: all lengths are whole, and PDFs keep some decimals."""

NEARLY = 8.0
"""The same for marks, of which a triangle does not stand in the middle of its box."""

LOOSELY = 16.0
"""The same for texts, of which a PDF tells where their ink is."""

_LINE = 105
"""How far the name of the axis stands below the labels."""


class Scale(NamedTuple):
    """Where figures stand upwards: ``zero`` is the height of 0, ``one`` what 1 adds to it."""

    zero: float
    one: float

    def y(self, figure: Fraction) -> float:
        """The height of a figure."""
        return self.zero - float(figure) * self.one

    def figure(self, y: float) -> float:
        """What stands at a height."""
        return (self.zero - y) / self.one if self.one else nan


@dataclass(frozen=True)
class ChartShown:
    """A chart, its place in words, and what was read of it, in which there is one axis."""

    chart: ChartBlock
    where: str
    drawing: Drawing

    def at(self, series: ChartSeries, row: int, what: str) -> str:
        """The place of a figure in words."""
        of = f' of "{series.name}"' if series.name else ""
        return f'{self.where}, {what} at "{self.chart.names[row]}"{of}'

    @property
    def axis(self) -> Shape:
        """The axis across."""
        return self.drawing.axes[0]

    @cached_property
    def xs(self) -> list[float]:
        """Where each row stands across."""
        left, width = self.axis.left, self.axis.right - self.axis.left
        return [left + share * width for share in _shares(self.chart)]


def _shares(chart: ChartBlock) -> Sequence[float]:
    """Where the rows stand between the ends of the axis: bars in bands of equal width, lines by their numbers."""
    count = len(chart.names)
    if chart.style == "bars":
        return [(row + 0.5) / count for row in range(count)]
    if count == 1:
        return [0.5]
    numbers = [float(number) for number in chart.numbers if number is not None]
    if len(set(numbers)) < count:
        return [row / (count - 1) for row in range(count)]
    return [(number - min(numbers)) / (max(numbers) - min(numbers)) for number in numbers]


def off_by(found: Spot, wanted: Spot, tolerance: float) -> str:
    """How far something stands from its place, in words; "" when it does not."""
    right, down = found.x - wanted.x, found.y - wanted.y
    ways = ((right, "right"), (-right, "left"), (down, "down"), (-down, "up"))
    ways_off = [f"{length / 100:.2g} em too far {way}" for length, way in ways if length > tolerance]
    return "nowhere near its place" if isnan(right) or isnan(down) else " and ".join(ways_off)


# Axes


def labels_across(shown: ChartShown) -> Iterator[PageFault]:
    """Each label stands at a row of its name; the name of the axis in the middle below them."""
    baseline = median([spot.y for (kind, _), spot in shown.drawing.texts.items() if kind == "along"] or [0])
    for number, label in enumerate(shown.chart.along):
        spot = shown.drawing.texts.get(("along", number))
        rows = [x for x, name in zip(shown.xs, shown.chart.names, strict=True) if name == label.text]
        where = f'{shown.where}, axis "{label.text}"'
        if not rows:
            yield where, "no row is called that"
        elif spot and (off := min((off_by(spot, Spot(x, baseline), LOOSELY) for x in rows), key=len)):
            yield where, f"the label stands {off}"
    spot = shown.drawing.texts.get(("axis", 0))
    if spot and (off := off_by(spot, Spot(shown.axis.middle.x, baseline + _LINE), LOOSELY)):
        yield f"{shown.where}, name of the axis", f"it stands {off}"


def number_of(text: str) -> Fraction:
    """The number that the label of an axis says. Raises ValueError for one that says none."""
    digits = "".join(text.replace("−", "-").split())
    return Fraction(digits[:-1]) / 100 if digits.endswith("%") else Fraction(digits)


def labelled_scale(shown: ChartShown) -> Scale:
    """The scale that most lines of the grid agree on."""
    pairs = [(number_of(label.text), line.top) for label, line in zip(shown.chart.up, shown.drawing.grid, strict=True)]
    one = median((low - high) / float(more - less) for (less, low), (more, high) in pairwise(pairs))
    return Scale(median(y + float(number) * one for number, y in pairs), one)


def labels_up(shown: ChartShown, scale: Scale) -> Iterator[PageFault]:
    """Each line of the grid stands as high as its label says, and the label beside it; the axis at the lowest."""
    right = median([spot.x for (kind, _), spot in shown.drawing.texts.items() if kind == "up"] or [0])
    for number, (label, line) in enumerate(zip(shown.chart.up, shown.drawing.grid, strict=True)):
        y, where = scale.y(number_of(label.text)), f'{shown.where}, upright axis "{label.text}"'
        if off := off_by(Spot(0, line.middle.y), Spot(0, y), EXACT):
            yield where, f"the line stands {off}"
        spot = shown.drawing.texts.get(("up", number))
        if spot and (off := off_by(spot, Spot(right, y), LOOSELY)):
            yield where, f"the label stands {off}"
    if shown.chart.up:
        lowest = scale.y(min(number_of(label.text) for label in shown.chart.up))
        if off := off_by(Spot(0, shown.axis.middle.y), Spot(0, lowest), EXACT):
            yield f"{shown.where}, axis", f"it stands {off}"
