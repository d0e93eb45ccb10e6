"""Charts: figures of a table as bars or lines, for where looking beats reading.

In: a table, which of its columns are drawn, and how large. Out: a ChartBlock in which everything has its place, so
that a template only draws it. Lengths are whole hundredths of an em, from the upper left corner of the chart; each is
rounded once, half up, from the exact figure. A blank cell is a gap, never zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from math import floor

from refgen.aids.footnotes import Footnote
from refgen.aids.names import column_index
from refgen.aids.typeset import typeset
from refgen.errors import AidError
from refgen.notation.values import Percent, as_chance, as_number
from refgen.rules.model import Cell, Table

EM = 100
"""The unit of all lengths: so many to an em of the text around the chart."""

TEXT = 86
"""The size of a chart's text: that of column heads and notes."""

MARKS = {
    "bars": ("solid", "open", "ruled", "full"),
    "lines": ("disc", "square", "triangle", "diamond", "ring", "cross"),
}
"""How series are told apart without colour, in this order; there are no more series than marks."""

NAME = 185
"""How far right of the drawing the name of a line stands; before it stands the mark of the line."""

_BELOW = 20
"""Room below the axis: the lowest label beside it and the first one below it stand in one corner."""

_LETTER = 45
_LINE = 105
_BETWEEN = 40
"""An average letter, a line of text, and the room between two labels side by side."""

_MARKED = 150
"""Points closer than this are marked only where the axis has a label."""

_INTERVALS = 4
_STEPS = (Fraction(1), Fraction(2), Fraction(5, 2), Fraction(5), Fraction(10))
_THINNINGS = (1, 2, 5, 10, 20, 50)


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


@dataclass(frozen=True, slots=True)
class ChartBlock:
    """A chart on the page, ``width`` by ``height``; figures are drawn between ``left``, ``right``, ``top``, ``bottom``.

    ``up`` are the labels of the upright axis, ``along`` those of the other one, which ``axis`` names. ``alternative``
    says in words what there is to see. ``names`` are all rows across, in order, and ``numbers`` what these are worth.
    """

    title: str
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
    computed: bool
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "chart"
    names: tuple[str, ...] = ()
    numbers: tuple[Fraction | None, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class ChartRequest:
    """What is to be drawn: the columns ``series`` over the column ``across`` (none: all with figures, over the first).

    ``heads`` renames columns. ``width`` is that of the whole chart, ``height`` that of its drawing, in ems.
    """

    style: str
    across: str | None = None
    series: Sequence[str] = ()
    heads: Mapping[str, str] | None = None
    width: int = 36
    height: int = 10


@dataclass(frozen=True, slots=True)
class _Column:
    """A column to draw: its name, its cells, and the figure of each (None for a blank)."""

    name: str
    cells: tuple[Cell, ...]
    figures: tuple[Fraction | None, ...]
    percent: bool

    def shown(self) -> tuple[Figure, ...]:
        """The figures of all rows, as they are worked out and as they are written."""
        pairs = zip(self.figures, self.cells, strict=True)
        return tuple(Figure(figure, typeset(cell.shown, cell.value)) for figure, cell in pairs)

    def known(self) -> list[tuple[Fraction, int]]:
        """The figures that are there, each with the number of its row."""
        return [(figure, row) for row, figure in enumerate(self.figures) if figure is not None]


@dataclass(frozen=True, slots=True)
class _Plan:
    """A chart before its parts have their places: the labels and shares of the rows, and the scale upwards."""

    style: str
    names: tuple[str, ...]
    shares: tuple[Fraction, ...]
    numbers: tuple[Fraction | None, ...]
    columns: tuple[_Column, ...]
    ticks: tuple[Fraction, ...]
    left: int
    right: int
    top: int
    bottom: int
    figures: bool

    def x(self, share: Fraction) -> int:
        """Where a share of the width stands."""
        return _whole(self.left + share * (self.right - self.left))

    def y(self, figure: Fraction) -> int:
        """How high up a figure stands."""
        low, high = self.ticks[0], self.ticks[-1]
        return _whole(self.bottom - (figure - low) / (high - low) * (self.bottom - self.top))


def make_chart(table: Table, request: ChartRequest, title: str, note: str) -> ChartBlock:
    """Draw a table. Raises AidError for unknown columns, columns without figures, and too many of them."""
    across = column_index(table, request.across) if request.across else 0
    table = _ascending(table, across)
    plan = _plan(table, across, _columns(table, across, request), request)
    along = _along(plan)
    labelled = frozenset(label.at for label in along)
    series = _bars(plan) if request.style == "bars" else _lines(plan, labelled)
    axis = _head(table, across, request)
    return ChartBlock(
        title,
        request.style,
        request.width * EM,
        plan.bottom + _LINE + (_LINE if axis else 0) + 25 + _BELOW,
        plan.left,
        plan.right,
        plan.top,
        plan.bottom,
        axis,
        () if plan.figures else tuple(Label(plan.y(tick), _tick(tick, plan)) for tick in plan.ticks),
        along,
        series,
        _in_words(title or table.title, axis, plan, table.title),
        table.computed,
        note,
        names=plan.names,
        numbers=plan.numbers,
    )


def _whole(length: Fraction) -> int:
    return floor(length + Fraction(1, 2))


def _room(texts: Sequence[str]) -> int:
    """How wide the longest text is, about."""
    return max((len(text) for text in texts), default=0) * _LETTER


def _head(table: Table, index: int, request: ChartRequest) -> str:
    column = table.columns[index]
    return (request.heads or {}).get(column.id, typeset(column.title or column.unit))


def _ascending(table: Table, across: int) -> Table:
    """The rows from the smallest number to the largest, where the column across has numbers; else as they stand."""
    numbers = [as_number(row[across].value) for row in table.rows]
    if None in numbers:
        return table
    return replace(table, rows=tuple(sorted(table.rows, key=lambda row: as_number(row[across].value) or 0)))


def _columns(table: Table, across: int, request: ChartRequest) -> tuple[_Column, ...]:
    indexes = [column_index(table, name) for name in request.series]
    columns = [_column(table, index, request) for index in indexes or range(len(table.columns)) if index != across]
    drawn = [column for column in columns if column.known()] if not indexes else columns
    empty = [column.name for column in drawn if not column.known()]
    if empty or not drawn:
        which = f'its column "{empty[0]}"' if empty else "it"
        raise AidError(f'table "{table.id}" cannot be drawn: {which} has no figures', hint="Name columns with figures.")
    if len(drawn) > len(MARKS[request.style]):
        most = len(MARKS[request.style])
        raise AidError(
            f'a chart of {request.style} has at most {most} series; "{table.id}" gives {len(drawn)}',
            hint="Name fewer in columns.",
        )
    if len({column.percent for column in drawn}) > 1:
        raise AidError(f'table "{table.id}" cannot be drawn: some columns are percents and some are not')
    return tuple(drawn)


def _column(table: Table, index: int, request: ChartRequest) -> _Column:
    cells = tuple(row[index] for row in table.rows)
    chances = [as_chance(cell.value) for cell in cells]
    percent = any(chance is not None for chance in chances)
    figures = tuple(_figure(cell, chance) for cell, chance in zip(cells, chances, strict=True))
    return _Column(_head(table, index, request), cells, figures, percent)


def _figure(cell: Cell, chance: Percent | None) -> Fraction | None:
    """The exact figure of a cell: before rounding, where it was worked out."""
    shown = chance.value if chance is not None else as_number(cell.value)
    return cell.exact if shown is not None and cell.exact is not None else shown


def _plan(table: Table, across: int, columns: tuple[_Column, ...], request: ChartRequest) -> _Plan:
    names = tuple(typeset(row[across].shown, row[across].value) for row in table.rows)
    numbers = tuple(as_number(row[across].value) for row in table.rows)
    all_figures = [figure for column in columns for figure, _ in column.known()]
    bars = request.style == "bars"
    shares = _bands(len(names)) if bars else _shares(numbers)
    texts = [typeset(cell.shown, cell.value) for column in columns for cell in column.cells]
    figures = bars and len(columns) == 1 and _room(texts) + 20 < request.width * EM // len(names)
    ticks = _ticks(all_figures, columns[0].percent, bars=bars)
    if figures:
        ticks = (min(Fraction(0), *all_figures), max(all_figures))
    if ticks[0] == ticks[-1]:
        raise AidError(f'table "{table.id}" cannot be drawn: all its figures are 0')
    overhang = 0 if bars else max(len(names[0]), len(names[-1])) * _LETTER // 2
    left = 20 if figures else max(_room([_tick_text(tick, columns[0].percent) for tick in ticks]) + 85, overhang)
    beside = _room([column.name for column in columns]) + NAME + 20 if len(columns) > 1 and not bars else 20
    top = 125 if bars and (figures or len(columns) > 1) else 50
    return _Plan(
        request.style,
        names,
        shares,
        numbers,
        columns,
        ticks,
        left,
        request.width * EM - max(beside, overhang),
        top,
        top + request.height * EM,
        figures,
    )


def _bands(rows: int) -> tuple[Fraction, ...]:
    """The middles of so many bands of equal width."""
    return tuple(Fraction(2 * row + 1, 2 * rows) for row in range(rows))


def _shares(numbers: Sequence[Fraction | None]) -> tuple[Fraction, ...]:
    """Where each row stands between the first and the last: as its number says, or else in equal steps."""
    places = [number for number in numbers if number is not None]
    if len(places) < len(numbers) or len(set(places)) < len(places):
        places = [Fraction(row) for row in range(len(numbers))]
    width = places[-1] - places[0]
    return tuple((place - places[0]) / width if width else Fraction(1, 2) for place in places)


def _ticks(figures: Sequence[Fraction], percent: bool, *, bars: bool) -> tuple[Fraction, ...]:
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


def _tick(tick: Fraction, plan: _Plan) -> str:
    return _tick_text(tick, plan.columns[0].percent)


def _tick_text(tick: Fraction, percent: bool) -> str:
    """A tick as it is written: it is a round number, so that its decimals end."""
    number = tick * 100 if percent else tick
    return typeset(f"{Decimal(number.numerator) / number.denominator:f}") + ("%" if percent else "")


def _along(plan: _Plan) -> tuple[Label, ...]:
    """The labels across: all of them, or those at round distances that leave each other room."""
    count = len(plan.names)
    slot = Fraction(plan.right - plan.left, count if plan.style == "bars" else max(count - 1, 1))
    wanted = _room(plan.names) + _BETWEEN
    thinning = next((step for step in _THINNINGS if slot * step >= wanted), _THINNINGS[-1])
    return tuple(
        Label(plan.x(share), name)
        for row, (share, name, number) in enumerate(zip(plan.shares, plan.names, plan.numbers, strict=True))
        if (row if number is None else number) % thinning == 0
    )


def _bars(plan: _Plan) -> tuple[Series, ...]:
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
        x += 90 + len(column.name) * _LETTER + 2 * _BETWEEN
    return tuple(series)


def _lines(plan: _Plan, labelled: frozenset[int]) -> tuple[Series, ...]:
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


def _runs(plan: _Plan, column: _Column, labelled: frozenset[int]) -> Iterator[tuple[Point, ...]]:
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
        floor_above = placed[number] + _LINE
    ceiling = max(bottom, top + _LINE * (len(ends) - 1))
    for number in reversed(order):
        placed[number] = min(placed[number], ceiling)
        ceiling = placed[number] - _LINE
    return tuple(placed)


def _in_words(title: str, axis: str, plan: _Plan, table: str) -> str:
    """What there is to see, for those who do not see it."""
    kind = "Bars" if plan.style == "bars" else "Lines"
    unit = "percent" if plan.columns[0].percent else "figures"
    across = f"{axis} across, " if axis else "across "
    parts = [f"{title}. {kind}: {across}from {plan.names[0]} to {plan.names[-1]}; {unit} up."]
    parts += [_extremes(column, plan) for column in plan.columns]
    return " ".join([*parts, f"The table {table} has the figures."])


def _extremes(column: _Column, plan: _Plan) -> str:
    known = column.known()
    (_, high), (_, low) = max(known, key=lambda pair: pair[0]), min(known, key=lambda pair: pair[0])
    name = column.name if len(plan.columns) > 1 else "It"
    high_text, low_text = (typeset(column.cells[row].shown, column.cells[row].value) for row in (high, low))
    return f"{name} is highest at {plan.names[high]}, {high_text}, and lowest at {plan.names[low]}, {low_text}."
