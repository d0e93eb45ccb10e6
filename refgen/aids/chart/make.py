"""A table becomes a chart.

In: a table, which of its columns are drawn, and how large. Out: a ChartBlock in which everything has its place. Lengths
are rounded once, half up, from the exact figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from refgen.aids.chart.model import EM, ChartBlock, ChartRequest, Label
from refgen.aids.chart.plan import BETWEEN, LINE, Column, Plan, head, make_plan, room
from refgen.aids.chart.scale import tick_text
from refgen.aids.chart.series import bars, lines
from refgen.aids.names import column_index
from refgen.aids.typeset import typeset
from refgen.rules.model import Table

_BELOW = 20
"""Room below the axis: the lowest label beside it and the first one below it stand in one corner."""

_THINNINGS = (1, 2, 5, 10, 20, 50)


def make_chart(table: Table, request: ChartRequest, title: str, note: str) -> ChartBlock:
    """Draw a table. Raises AidError for unknown columns, columns without figures, and too many of them."""
    across = column_index(table, request.across) if request.across else 0
    plan = make_plan(table, across, request)
    along = _along(plan)
    labelled = frozenset(label.at for label in along)
    series = bars(plan) if request.style == "bars" else lines(plan, labelled)
    axis = head(table, across, request)
    return ChartBlock(
        title,
        request.style,
        request.width * EM,
        plan.bottom + LINE + (LINE if axis else 0) + 25 + _BELOW,
        plan.left,
        plan.right,
        plan.top,
        plan.bottom,
        axis,
        ()
        if plan.figures
        else tuple(Label(plan.y(tick), tick_text(tick, plan.columns[0].percent)) for tick in plan.ticks),
        along,
        series,
        _in_words(title or table.title, axis, plan, table.title),
        table.computed,
        note,
        names=plan.names,
        numbers=plan.numbers,
    )


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
