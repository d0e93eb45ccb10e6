"""The contents and scales of a chart, and the elements of its drawing.

In: a table, and its columns to draw. Out: a ChartPlan: names and shares of the rows, figures of the columns, the round
numbers of the upright axis, and the room of the drawing; and the values that a drawing is made of, in whole hundredths
of an em from the upper left corner of the chart. A blank cell is a gap, never zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Literal, Self

from pydantic import Field, model_validator

from refgen.blocks.table_block import TableKeys
from refgen.blocks.typesetting import column_index, typeset
from refgen.errors import AidError
from refgen.layout.lengths import CHART_TEXT
from refgen.layout.pieces import Figure
from refgen.notation.values import Percent, as_chance, as_number
from refgen.rules.field_types import Identifier
from refgen.rules.model import Cell, RuleTable
from refgen.words import Words

EM = 100
"""Units of length in an em of the text around the chart."""

TEXT = round(CHART_TEXT * EM)
"""The type size of a chart's text: that of column heads and notes."""

MARKS = {
    "bars": ("solid", "open", "ruled", "full"),
    "lines": ("disc", "square", "triangle", "diamond", "ring", "cross"),
}
"""The marks that distinguish series without colour, in order of use; a chart has at most so many series."""

NAME = 185
"""The distance from the drawing to the name of a line; the mark of the line stands in between."""

LETTER = 45
LINE = 105
BETWEEN = 40
"""The width of an average letter, the height of a line, and the room between two labels side by side."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label of an axis, and its position along the axis."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Point:
    """A figure of a line, and whether it is ``marked``."""

    x: int
    y: int
    marked: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure as a bar from ``top`` down to ``bottom``; ``figure`` is the text over the bar, "" without room."""

    left: int
    right: int
    top: int
    bottom: int
    figure: str


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """A drawn column: the ``mark`` of its points or bars, and its ``name`` ("" for the only column) at ``x``, ``y``.

    ``runs`` are the points between gaps, ``bars`` the bars; one of the two is empty. ``figures`` are those of all rows
    with blanks, against which the drawing can be checked.
    """

    name: str
    mark: str
    x: int
    y: int
    runs: tuple[tuple[Point, ...], ...] = ()
    bars: tuple[Bar, ...] = ()
    figures: tuple[Figure, ...] = field(default=(), compare=False)


class ChartKeys(TableKeys):
    """The keys of a chart: it draws the ``columns`` of a table over the column ``across``.

    ``width`` is that of the whole chart, ``height`` that of the drawing, in em; a chart is never wider than its column.
    """

    chart: Literal["bars", "lines"] | None = None
    across: Identifier | None = None
    width: int = Field(36, ge=12, le=80)
    height: int = Field(10, ge=4, le=40)

    @property
    def style(self) -> str:
        """The style of the chart; "" for no chart."""
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


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """A column to draw: its name, its cells, and the figure of each (None for a blank)."""

    name: str
    cells: tuple[Cell, ...]
    figures: tuple[Fraction | None, ...]
    percent: bool

    def shown(self) -> tuple[Figure, ...]:
        """The figures of all rows, each with its exact value and its text."""
        pairs = zip(self.figures, self.cells, strict=True)
        return tuple(Figure(figure, typeset(cell.shown, cell.value)) for figure, cell in pairs)

    def known(self) -> list[tuple[Fraction, int]]:
        """The figures without blanks, each with the number of its row."""
        return [(figure, row) for row, figure in enumerate(self.figures) if figure is not None]


@dataclass(frozen=True, slots=True)
class ChartPlan:
    """A chart before its parts are placed: the labels and shares of the rows, and the upright scale."""

    style: str
    names: tuple[str, ...]
    shares: tuple[Fraction, ...]
    numbers: tuple[Fraction | None, ...]
    columns: tuple[ChartColumn, ...]
    ticks: tuple[Fraction, ...]
    left: int
    right: int
    top: int
    bottom: int
    figures: bool
    words: Words

    def x(self, share: Fraction) -> int:
        """The horizontal place of a share of the width."""
        return _round_half_up(self.left + share * (self.right - self.left))

    def y(self, figure: Fraction) -> int:
        """The vertical place of a figure."""
        low, high = self.ticks[0], self.ticks[-1]
        return _round_half_up(self.bottom - (figure - low) / (high - low) * (self.bottom - self.top))


def make_plan(table: RuleTable, across: int, spec: ChartKeys, words: Words) -> ChartPlan:
    """The plan of a chart over the column at ``across``. Raises AidError if the table cannot be drawn."""
    table = _ascending(table, across)
    columns = _columns(table, across, spec)
    names = tuple(typeset(row[across].shown, row[across].value) for row in table.rows)
    numbers = tuple(as_number(row[across].value) for row in table.rows)
    all_figures = [figure for column in columns for figure, _ in column.known()]
    bars = spec.style == "bars"
    shares = _bands(len(names)) if bars else _shares(numbers)
    texts = [typeset(cell.shown, cell.value) for column in columns for cell in column.cells]
    figures = bars and len(columns) == 1 and text_width(texts) + 20 < spec.width * EM // len(names)
    ticks = ticks_for(all_figures, columns[0].percent, bars=bars)
    if figures:
        ticks = (min(Fraction(0), *all_figures), max(all_figures))
    if ticks[0] == ticks[-1]:
        raise AidError(f'table "{table.id}" cannot be drawn: all its figures are 0')
    overhang = 0 if bars else max(len(names[0]), len(names[-1])) * LETTER // 2
    labels = [words.figure(tick_text(tick, columns[0].percent)) for tick in ticks]
    left = 20 if figures else max(text_width(labels) + 85, overhang)
    beside = text_width([column.name for column in columns]) + NAME + 20 if len(columns) > 1 and not bars else 20
    top = 125 if bars and (figures or len(columns) > 1) else 50
    return ChartPlan(
        spec.style,
        names,
        shares,
        numbers,
        columns,
        ticks,
        left,
        spec.width * EM - max(beside, overhang),
        top,
        top + spec.height * EM,
        figures,
        words,
    )


def _ascending(table: RuleTable, across: int) -> RuleTable:
    """The table with rows sorted by the column across, if that column has only numbers."""
    numbers = [as_number(row[across].value) for row in table.rows]
    if None in numbers:
        return table
    return replace(table, rows=tuple(sorted(table.rows, key=lambda row: as_number(row[across].value) or 0)))


def _columns(table: RuleTable, across: int, spec: ChartKeys) -> tuple[ChartColumn, ...]:
    indexes = [column_index(table, name) for name in spec.columns]
    columns = [_column(table, index, spec) for index in indexes or range(len(table.columns)) if index != across]
    drawn = [column for column in columns if column.known()] if not indexes else columns
    empty = [column.name for column in drawn if not column.known()]
    if empty or not drawn:
        which = f'its column "{empty[0]}"' if empty else "it"
        raise AidError(f'table "{table.id}" cannot be drawn: {which} has no figures', hint="Name columns with figures.")
    if len(drawn) > len(MARKS[spec.style]):
        most = len(MARKS[spec.style])
        raise AidError(
            f'a chart of {spec.style} has at most {most} series; "{table.id}" gives {len(drawn)}',
            hint="Name fewer in columns.",
        )
    if len({column.percent for column in drawn}) > 1:
        raise AidError(f'table "{table.id}" cannot be drawn: some columns are percents and some are not')
    return tuple(drawn)


def _column(table: RuleTable, index: int, spec: ChartKeys) -> ChartColumn:
    cells = tuple(row[index] for row in table.rows)
    chances = [as_chance(cell.value) for cell in cells]
    percent = any(chance is not None for chance in chances)
    figures = tuple(_figure(cell, chance) for cell, chance in zip(cells, chances, strict=True))
    return ChartColumn(column_head(table, index, spec), cells, figures, percent)


def _figure(cell: Cell, chance: Percent | None) -> Fraction | None:
    """The exact figure of a cell, before rounding if it was computed."""
    shown = chance.value if chance is not None else as_number(cell.value)
    return cell.exact if shown is not None and cell.exact is not None else shown


def _bands(rows: int) -> tuple[Fraction, ...]:
    """The middles of so many bands of equal width."""
    return tuple(Fraction(2 * row + 1, 2 * rows) for row in range(rows))


def _shares(numbers: Sequence[Fraction | None]) -> tuple[Fraction, ...]:
    """The place of each row between the first and the last: by its number, or else in equal steps."""
    places = [number for number in numbers if number is not None]
    if len(places) < len(numbers) or len(set(places)) < len(places):
        places = [Fraction(row) for row in range(len(numbers))]
    width = places[-1] - places[0]
    return tuple((place - places[0]) / width if width else Fraction(1, 2) for place in places)


def _round_half_up(length: Fraction) -> int:
    return floor(length + Fraction(1, 2))


def column_head(table: RuleTable, index: int, spec: ChartKeys) -> str:
    """The head of a column, as the chart names it."""
    column = table.columns[index]
    return spec.heads.get(column.id, typeset(column.head or column.unit))


def text_width(texts: Sequence[str]) -> int:
    """The approximate width of the longest text."""
    return max((len(text) for text in texts), default=0) * LETTER


_INTERVALS = 4
_STEPS = (Fraction(1), Fraction(2), Fraction(5, 2), Fraction(5), Fraction(10))


def ticks_for(figures: Sequence[Fraction], percent: bool, *, bars: bool) -> tuple[Fraction, ...]:
    """Round numbers from below the figures, or 0, to above them; lines of chances beyond a half go up to certainty."""
    low, high = min(Fraction(0), *figures), max(Fraction(0), *figures)
    if percent and not bars and high > Fraction(1, 2):
        high = max(Fraction(1), high)
    step = _step((high - low) / _INTERVALS) if high > low else Fraction(1)
    first, last = floor(low / step), -floor(-high / step)
    return tuple(number * step for number in range(first, last + 1))


def _step(least: Fraction) -> Fraction:
    """The smallest round number that is not below ``least``."""
    power = Fraction(1)
    while power > least:
        power /= 10
    while power * 10 <= least:
        power *= 10
    return next(power * step for step in _STEPS if power * step >= least)


def tick_text(tick: Fraction, percent: bool) -> str:
    """The text of a tick, a round number with finitely many decimals."""
    number = tick * 100 if percent else tick
    return typeset(f"{Decimal(number.numerator) / number.denominator:f}") + ("%" if percent else "")
