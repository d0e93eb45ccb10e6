"""A chart as a block: figures of a table as bars or lines.

In: a table, which of its columns are drawn, and how large. Out: a ChartBlock in which everything has its place. Lengths
are rounded once, half up, from the exact figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Self

from refgen.blocks.block import Block, BlockContext, Contents
from refgen.blocks.chart.model import EM, TEXT, ChartKeys, Label, Series
from refgen.blocks.chart.plan import BETWEEN, LINE, Column, Plan, head, make_plan, room
from refgen.blocks.chart.scale import tick_text
from refgen.blocks.chart.series import bars, lines
from refgen.blocks.measure import BlockStyles, MeasuredContent
from refgen.blocks.names import column_index
from refgen.blocks.pieces import Piece
from refgen.blocks.scope import Scope
from refgen.blocks.table.block import wanted_heads, wanted_table
from refgen.blocks.typeset import typeset
from refgen.layout.lengths import CHART as SMALLEST_TEXT
from refgen.layout.lengths import CHART_ENLARGED, CHART_TEXT, TextStyle
from refgen.rules.model import Table
from refgen.span import Span

_BELOW = 20
"""Room below the axis: the lowest label beside it and the first one below it stand in one corner."""

_THINNINGS = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True)
class MeasuredChart:
    """A chart: the width it is drawn for, in em, its height as a share of its width, and how small its text may be."""

    drawn: float
    ratio: float
    text: TextStyle = SMALLEST_TEXT
    enlarged: float = CHART_ENLARGED

    def min_content(self, size: float) -> float:
        """The narrowest width in points beside type of ``size`` points: its text is as small as it may be then."""
        return self.drawn * self.text.size(size) / CHART_TEXT

    def widest_words(self, _size: float) -> str:
        """What is called too wide when it is."""
        return "the chart"

    def height(self, width: float, size: float) -> float:
        """Its height in points in a column ``width`` points wide."""
        return self.ratio * max(min(width, self.enlarged * self.drawn * size), self.min_content(size))


@dataclass(frozen=True, slots=True)
class ChartBlock(Block):
    """A chart on the page, ``width`` by ``height``; figures are drawn between ``left``, ``right``, ``top``, ``bottom``.

    ``up`` are the labels of the upright axis, ``along`` those of the other one, which ``axis`` names. ``alternative``
    says in words what there is to see. ``names`` are all rows across, in order, and ``numbers`` what these are worth.
    """

    kind: ClassVar = "chart"
    key: ClassVar = "table"
    text_size: ClassVar = TEXT

    style: str
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    axis: str
    up: tuple[Label, ...]
    along: tuple[Label, ...]
    series: tuple[Series, ...]
    alternative: str
    names: tuple[str, ...] = field(default=(), kw_only=True)
    numbers: tuple[Fraction | None, ...] = field(default=(), kw_only=True, compare=False)

    @classmethod
    def is_wanted(cls, spec: ChartKeys) -> bool:
        """Whether a table is to be drawn."""
        return spec.chart is not None

    @classmethod
    def make(cls, spec: ChartKeys, context: BlockContext) -> Self:
        """The wanted columns over another, of the wanted rows."""
        table = wanted_table(spec, context)
        filled = spec.model_copy(update={"heads": wanted_heads(spec, table, context)})
        return cls.of_table(table, filled, context.title or (table.title if context.titled else ""), context.note)

    @classmethod
    def of_table(cls, table: Table, spec: ChartKeys, title: str = "", note: str = "") -> Self:
        """Draw a table. Raises AidError for unknown columns, columns without figures, and too many of them."""
        across = column_index(table, spec.across) if spec.across else 0
        plan = make_plan(table, across, spec)
        along = _along(plan)
        axis = head(table, across, spec)
        return cls(
            title,
            plan.style,
            spec.width * EM,
            plan.bottom + LINE + (LINE if axis else 0) + 25 + _BELOW,
            plan.left,
            plan.right,
            plan.top,
            plan.bottom,
            axis,
            () if plan.figures else tuple(_up(plan)),
            along,
            bars(plan) if plan.style == "bars" else lines(plan, frozenset(label.at for label in along)),
            _in_words(title or table.title, axis, plan, table.title),
            computed=table.computed,
            note=note,
            names=plan.names,
            numbers=plan.numbers,
        )

    @classmethod
    def printed_at(cls, spec: ChartKeys, scope: Scope) -> Span | None:
        """Where the table stands."""
        return scope.tables[spec.table or ""].span

    @property
    def drawn(self) -> float:
        """The width that the chart is drawn for, in em."""
        return self.width / EM

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """The text of a chart: both axes, then what stands at the lines or bars."""
        yield Piece("", where, chart=self)
        for label in self.up:
            yield Piece(label.text, f'{where}, upright axis "{label.text}"')
        for label in self.along:
            yield Piece(label.text, f'{where}, axis "{label.text}"')
        yield Piece(self.axis, f"{where}, name of the axis")
        for series in self.series:
            yield Piece(series.name, f'{where}, series "{series.name}"')
            for bar in series.bars:
                yield Piece(bar.figure, f'{where}, bar "{bar.figure}"')

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:
        """The drawing."""
        yield MeasuredChart(self.drawn, self.height / self.width, styles.chart, styles.enlarged)

    def contents(self) -> Contents:
        """What there is to see, and the figures that are drawn, by the names of their rows."""
        heads = [self.axis, *(series.name for series in self.series)]
        figures = zip(self.names, *(series.figures for series in self.series), strict=True)
        rows = [[name, *(figure.text for figure in drawn)] for name, *drawn in figures]
        return Contents(texts=(self.alternative,), heads=heads, rows=rows)


def _up(plan: Plan) -> Iterator[Label]:
    """The labels of the upright axis."""
    return (Label(plan.y(tick), tick_text(tick, plan.columns[0].percent)) for tick in plan.ticks)


def _along(plan: Plan) -> tuple[Label, ...]:
    """The labels across: all of them, or those at round distances that leave each other room."""
    count = len(plan.names)
    slot = Fraction(plan.right - plan.left, count if plan.style == "bars" else max(count - 1, 1))
    wanted = room(plan.names) + BETWEEN
    thinning = next((step for step in _THINNINGS if slot * step >= wanted), _THINNINGS[-1])
    return tuple(
        Label(plan.x(share), name)
        for row, (share, name, number) in enumerate(zip(plan.shares, plan.names, plan.numbers, strict=True))
        if (row if number is None else number) % thinning == 0
    )


def _in_words(title: str, axis: str, plan: Plan, table: str) -> str:
    """What there is to see, for those who do not see it."""
    kind = "Bars" if plan.style == "bars" else "Lines"
    unit = "percent" if plan.columns[0].percent else "figures"
    across = f"{axis} across, " if axis else "across "
    parts = [f"{title}. {kind}: {across}from {plan.names[0]} to {plan.names[-1]}; {unit} up."]
    parts += [_extremes(column, plan) for column in plan.columns]
    return " ".join([*parts, f"The table {table} has the figures."])


def _extremes(column: Column, plan: Plan) -> str:
    known = column.known()
    (_, high), (_, low) = max(known, key=lambda pair: pair[0]), min(known, key=lambda pair: pair[0])
    name = column.name if len(plan.columns) > 1 else "It"
    high_text, low_text = (typeset(column.cells[row].shown, column.cells[row].value) for row in (high, low))
    return f"{name} is highest at {plan.names[high]}, {high_text}, and lowest at {plan.names[low]}, {low_text}."
