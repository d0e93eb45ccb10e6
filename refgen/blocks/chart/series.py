"""The bars and lines of a chart.

In: a Plan. Out: Series with every point and bar in its place; names of lines stand apart from each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from refgen.blocks.chart.model import MARKS, NAME, Bar, Point, Series
from refgen.blocks.chart.plan import BETWEEN, LETTER, LINE, Column, Plan
from refgen.blocks.typeset import typeset

_MARKED = 150
"""Points closer than this are marked only where the axis has a label."""


def bars(plan: Plan) -> tuple[Series, ...]:
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
        series.append(Series(name, mark, x, 70, bars=bars, figures=column.shown()))
        x += 90 + len(column.name) * LETTER + 2 * BETWEEN
    return tuple(series)


def lines(plan: Plan, labelled: frozenset[int]) -> tuple[Series, ...]:
    """Lines with their names at their ends. Names of lines that end in one place stand as the lines come there."""
    ends = [tuple(plan.y(figure) for figure, _ in reversed(column.known())) for column in plan.columns]
    several = len(plan.columns) > 1
    return tuple(
        Series(
            column.name if several else "",
            mark,
            plan.right + NAME,
            y,
            runs=tuple(_runs(plan, column, labelled)),
            figures=column.shown(),
        )
        for column, mark, y in zip(plan.columns, MARKS["lines"], _apart(ends, plan.top, plan.bottom), strict=False)
    )


def _runs(plan: Plan, column: Column, labelled: frozenset[int]) -> Iterator[tuple[Point, ...]]:
    """The points of a line, from gap to gap."""
    crowded = (plan.right - plan.left) < _MARKED * (len(plan.names) - 1)
    pairs = zip(plan.shares, column.figures, strict=True)
    for missing, run in groupby(pairs, key=lambda pair: pair[1] is None):
        if missing:
            continue
        points = [(plan.x(share), plan.y(figure)) for share, figure in run if figure is not None]
        yield tuple(Point(x, y, not crowded or x in labelled or len(points) == 1) for x, y in points)


def _apart(ends: Sequence[tuple[int, ...]], top: int, bottom: int) -> tuple[int, ...]:
    """Heights of names that would overlap, moved apart as little as a pass downwards and one upwards need.

    ``ends`` has the heights of each line, the last one first.
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
