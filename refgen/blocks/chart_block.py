"""A chart as a block: figures of a table as bars or lines.

In: a table, its columns to draw, and a size. Out: a ChartBlock in which every point, bar and name has its place; the
names of lines do not overlap. Lengths are rounded once, half up, from the exact figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import ClassVar, Self

from refgen.blocks.block import Block, BlockContents, BlockContext
from refgen.blocks.chart_plan import (
    BETWEEN,
    EM,
    LETTER,
    LINE,
    MARKS,
    NAME,
    TEXT,
    Bar,
    ChartColumn,
    ChartKeys,
    ChartPlan,
    ChartSeries,
    Label,
    Point,
    column_head,
    make_plan,
    text_width,
    tick_text,
)
from refgen.blocks.measure import BlockStyles, MeasuredContent
from refgen.blocks.table_block import replaced_heads, selected_rows
from refgen.blocks.typesetting import BlockScope, column_index, typeset, with_written_figures
from refgen.layout.lengths import CHART as SMALLEST_TEXT
from refgen.layout.lengths import CHART_ENLARGED, CHART_TEXT, TextStyle
from refgen.layout.pieces import Piece
from refgen.rules.model import RuleTable
from refgen.span import Span
from refgen.words import ENGLISH, Words

_MARKED = 150
"""The least distance of points that all have marks; if points are closer, only points with an axis label do."""


def bar_series(plan: ChartPlan) -> tuple[ChartSeries, ...]:
    """The bars of a row side by side over three quarters of its band, in the order of the names above them."""
    several = len(plan.columns) > 1
    wide = Fraction(3, 4) / len(plan.names) / len(plan.columns)
    series = []
    x = plan.left
    for number, column in enumerate(plan.columns):
        shift = wide * (number - Fraction(len(plan.columns), 2))
        bars = tuple(
            Bar(
                plan.x(plan.shares[row] + shift),
                plan.x(plan.shares[row] + shift + wide),
                min(plan.y(figure), plan.y(Fraction(0))),
                max(plan.y(figure), plan.y(Fraction(0))),
                typeset(column.cells[row].shown, column.cells[row].value) if plan.figures else "",
            )
            for figure, row in column.known()
        )
        name, mark = column.name if several else "", MARKS["bars"][number]
        series.append(ChartSeries(name, mark, x, 70, bars=bars, figures=column.shown()))
        x += 90 + len(column.name) * LETTER + 2 * BETWEEN
    return tuple(series)


def line_series(plan: ChartPlan, labelled: frozenset[int]) -> tuple[ChartSeries, ...]:
    """The lines, with names at the ends; if ends are equal, the points before the ends give the order of names."""
    ends = [tuple(plan.y(figure) for figure, _ in reversed(column.known())) for column in plan.columns]
    several = len(plan.columns) > 1
    return tuple(
        ChartSeries(
            column.name if several else "",
            mark,
            plan.right + NAME,
            y,
            runs=tuple(_runs(plan, column, labelled)),
            figures=column.shown(),
        )
        for column, mark, y in zip(
            plan.columns, MARKS["lines"], _spread_heights(ends, plan.top, plan.bottom), strict=False
        )
    )


def _runs(plan: ChartPlan, column: ChartColumn, labelled: frozenset[int]) -> Iterator[tuple[Point, ...]]:
    """The points of a line, from gap to gap."""
    crowded = (plan.right - plan.left) < _MARKED * (len(plan.names) - 1)
    pairs = zip(plan.shares, column.figures, strict=True)
    for missing, run in groupby(pairs, key=lambda pair: pair[1] is None):
        if missing:
            continue
        points = [(plan.x(share), plan.y(figure)) for share, figure in run if figure is not None]
        yield tuple(Point(x, y, not crowded or x in labelled or len(points) == 1) for x, y in points)


def _spread_heights(ends: Sequence[tuple[int, ...]], top: int, bottom: int) -> tuple[int, ...]:
    """The heights of names, moved apart in a pass down and a pass up so that no two names overlap.

    ``ends`` has the heights of each line, beginning at the end of the line.
    """
    order = sorted(range(len(ends)), key=lambda number: ends[number])
    placed = [heights[0] for heights in ends]
    floor_above = top
    for number in order:
        placed[number] = max(placed[number], floor_above)
        floor_above = placed[number] + LINE
    ceiling = max(bottom, top + LINE * (len(ends) - 1))
    for number in reversed(order):
        placed[number] = min(placed[number], ceiling)
        ceiling = placed[number] - LINE
    return tuple(placed)


_BELOW = 20
"""Room below the axis, since the lowest label of the upright axis and the first label of the other share a corner."""

_THINNINGS = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True)
class MeasuredChart:
    """A chart: width in em, height as a share of the width, style of the smallest text, and greatest scale."""

    drawn: float
    ratio: float
    text: TextStyle = SMALLEST_TEXT
    enlarged: float = CHART_ENLARGED

    def min_content(self, size: float) -> float:
        """The least width in points beside type of ``size`` points, with the text of the chart as small as allowed."""
        return self.drawn * self.text.size(size) / CHART_TEXT

    def widest_words(self, _size: float) -> str:
        """The words that an error names when the chart is too wide."""
        return "the chart"

    def height(self, width: float, size: float) -> float:
        """The height in points in a column ``width`` points wide."""
        return self.ratio * max(min(width, self.enlarged * self.drawn * size), self.min_content(size))


@dataclass(frozen=True, slots=True)
class ChartBlock(Block):
    """A chart of ``width`` by ``height``, with its figures drawn between ``left``, ``right``, ``top`` and ``bottom``.

    ``up`` are the labels of the upright axis, ``along`` those of the other axis, whose name is ``axis``.
    ``alternative`` is the alternative text, in ``words``. ``names`` are all rows in order, ``numbers`` their numbers.
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
    series: tuple[ChartSeries, ...]
    alternative: str
    names: tuple[str, ...] = field(default=(), kw_only=True)
    numbers: tuple[Fraction | None, ...] = field(default=(), kw_only=True, compare=False)
    words: Words = field(default=ENGLISH, kw_only=True)

    @classmethod
    def is_wanted(cls, spec: ChartKeys) -> bool:
        """Whether a spec asks for a chart."""
        return spec.chart is not None

    @classmethod
    def make(cls, spec: ChartKeys, context: BlockContext) -> Self:
        """The chart of the wanted rows, with the wanted columns drawn over the column ``across``."""
        table = selected_rows(spec, context)
        filled = spec.model_copy(update={"heads": replaced_heads(spec, table, context)})
        title = context.title or (table.title if context.titled else "")
        return cls.of_table(table, filled, title, context.note, context.scope.words)

    @classmethod
    def of_table(
        cls, table: RuleTable, spec: ChartKeys, title: str = "", note: str = "", words: Words = ENGLISH
    ) -> Self:
        """Draw a table. Raises AidError for unknown columns, columns without figures, and too many columns."""
        table = with_written_figures(table, words)
        across = column_index(table, spec.across) if spec.across else 0
        plan = make_plan(table, across, spec, words)
        along = _labels_across(plan)
        axis = column_head(table, across, spec)
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
            () if plan.figures else tuple(_upright_labels(plan)),
            along,
            bar_series(plan) if plan.style == "bars" else line_series(plan, frozenset(label.at for label in along)),
            _in_words(title or table.title, axis, plan, table.title),
            tag=words("computed") if table.computed else "",
            note=note,
            names=plan.names,
            numbers=plan.numbers,
            words=words,
        )

    @classmethod
    def printed_at(cls, spec: ChartKeys, scope: BlockScope) -> Span | None:
        """Where the table stands."""
        return scope.tables[spec.table or ""].span

    @property
    def drawn(self) -> float:
        """The width that the chart is drawn for, in em."""
        return self.width / EM

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """The texts of a chart: both axes, then the names of the series and the figures of the bars."""
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

    def contents(self) -> BlockContents:
        """The alternative text, and the drawn figures by row name."""
        heads = [self.axis, *(series.name for series in self.series)]
        figures = zip(self.names, *(series.figures for series in self.series), strict=True)
        rows = [[name, *(figure.text for figure in drawn)] for name, *drawn in figures]
        return BlockContents(texts=(self.alternative,), heads=heads, rows=rows)


def _upright_labels(plan: ChartPlan) -> Iterator[Label]:
    """The labels of the upright axis."""
    return (Label(plan.y(tick), plan.words.figure(tick_text(tick, plan.columns[0].percent))) for tick in plan.ticks)


def _labels_across(plan: ChartPlan) -> tuple[Label, ...]:
    """The labels across: all labels, or the labels at round distances, with room between neighbours."""
    count = len(plan.names)
    slot = Fraction(plan.right - plan.left, count if plan.style == "bars" else max(count - 1, 1))
    wanted = text_width(plan.names) + BETWEEN
    thinning = next((step for step in _THINNINGS if slot * step >= wanted), _THINNINGS[-1])
    return tuple(
        Label(plan.x(share), name)
        for row, (share, name, number) in enumerate(zip(plan.shares, plan.names, plan.numbers, strict=True))
        if (row if number is None else number) % thinning == 0
    )


def _in_words(title: str, axis: str, plan: ChartPlan, table: str) -> str:
    """The alternative text of the chart, for readers who do not see it."""
    words = plan.words
    axes = words(
        f"chart-{plan.style}{'-over' if axis else ''}",
        axis=axis,
        rows=words("chart-rows", first=plan.names[0], last=plan.names[-1]),
        unit=words("chart-percent" if plan.columns[0].percent else "chart-figures"),
    )
    parts = [f"{title}. {axes}", *(_extremes(column, plan) for column in plan.columns)]
    return " ".join([*parts, words("chart-table", table=table)])


def _extremes(column: ChartColumn, plan: ChartPlan) -> str:
    known = column.known()
    (_, high), (_, low) = max(known, key=lambda pair: pair[0]), min(known, key=lambda pair: pair[0])
    high_text, low_text = (typeset(column.cells[row].shown, column.cells[row].value) for row in (high, low))
    name = "chart-extremes-of" if len(plan.columns) > 1 else "chart-extremes"
    places = {"high": f"{plan.names[high]}, {high_text}", "low": f"{plan.names[low]}, {low_text}"}
    return plan.words(name, series=column.name, **places)
