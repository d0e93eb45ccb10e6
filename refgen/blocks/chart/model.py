"""The parts of a chart, each in its place, and what is to be drawn.

Lengths are whole hundredths of an em, from the upper left corner of the chart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, Self

from pydantic import Field, model_validator

from refgen.blocks.table.block import TableKeys
from refgen.layout.lengths import CHART_TEXT
from refgen.rules.field_types import Identifier

EM = 100
"""The unit of all lengths: so many to an em of the text around the chart."""

TEXT = round(CHART_TEXT * EM)
"""The size of a chart's text: that of column heads and notes."""

MARKS = {
    "bars": ("solid", "open", "ruled", "full"),
    "lines": ("disc", "square", "triangle", "diamond", "ring", "cross"),
}
"""How series are told apart without colour, in this order; there are no more series than marks."""

NAME = 185
"""How far right of the drawing the name of a line stands; before it stands the mark of the line."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label of an axis, and where it stands along it."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Point:
    """A figure of a line; not every one is ``marked``."""

    x: int
    y: int
    marked: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure as a bar from ``top`` down to ``bottom``; ``figure`` stands over it, "" when there is no room."""

    left: int
    right: int
    top: int
    bottom: int
    figure: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure before it has its place: its exact ``value``, None for a blank, and its ``text`` in the table."""

    value: Fraction | None
    text: str


@dataclass(frozen=True, slots=True)
class Series:
    """A column as it is drawn: ``mark`` tells it apart, and ``name`` stands at ``x``, ``y`` ("": it is the only one).

    ``runs`` are the points between gaps, ``bars`` the bars; one of both is empty. ``figures`` are those of all rows,
    blanks among them: what is drawn can be checked against them.
    """

    name: str
    mark: str
    x: int
    y: int
    runs: tuple[tuple[Point, ...], ...] = ()
    bars: tuple[Bar, ...] = ()
    figures: tuple[Figure, ...] = field(default=(), compare=False)


class ChartKeys(TableKeys):
    """What an author writes of a chart: it draws the ``columns`` of a table over the column ``across``.

    ``width`` is that of the whole chart, ``height`` that of the drawing, in ems: as wide as the column it stands in, or
    less.
    """

    chart: Literal["bars", "lines"] | None = None
    across: Identifier | None = None
    width: int = Field(36, ge=12, le=80)
    height: int = Field(10, ge=4, le=40)

    @property
    def style(self) -> str:
        """How the table is drawn; "" where it is not."""
        return self.chart or ""

    @model_validator(mode="after")
    def _check_chart(self) -> Self:
        if self.chart and self.table is None:
            raise ValueError("a chart draws a table; this one has none")
        of_charts = {"across", "width", "height"} & self.model_fields_set
        of_tables = {"bars", "heat", "fold"} & self.model_fields_set
        if wrong := sorted(of_tables if self.chart else of_charts):
            raise ValueError(f"{', '.join(wrong)} is for {'tables' if self.chart else 'charts'} only")
        return self
