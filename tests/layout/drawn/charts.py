"""The comparison of the drawing of a chart with the figures of the chart.

In: a chart of the model, and its drawing that was read back. Out: faults in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, count, groupby, pairwise
from math import isnan, nan
from statistics import median, median_low
from typing import NamedTuple

from refgen.blocks.chart_block import ChartBlock
from refgen.blocks.chart_plan import ChartSeries
from refgen.layout.pieces import PageFault
from refgen.layout.readback.compare import known_figures
from tests.layout.drawn.drawing import Drawing, Shape, Spot, TextKey


def chart_texts(chart: ChartBlock) -> Iterator[tuple[TextKey, str]]:
    """The texts of a chart, in the order in which they are painted."""
    yield from ((("up", number), label.text) for number, label in enumerate(chart.up))
    yield from ((("along", number), label.text) for number, label in enumerate(chart.along))
    yield ("axis", 0), chart.axis
    bars = count()
    for number, series in enumerate(chart.series):
        yield ("name", number), series.name
        yield from ((("figure", next(bars)), bar.figure) for bar in series.bars)


def chart_faults(chart: ChartBlock, where: str, drawing: Drawing) -> Iterator[PageFault]:
    """What is wrong with a drawing of a chart."""
    shown = ChartShown(chart, where, drawing)
    if len(drawing.axes) != 1:
        yield where, f"{len(drawing.axes)} axes are drawn in place of one"
        return
    if len(drawing.grid) != len(chart.up):
        yield where, f"{len(drawing.grid)} lines of the grid are drawn in place of {len(chart.up)}"
        return
    yield from labels_across(shown)
    yield from (bar_faults if chart.style == "bars" else line_faults)(shown)


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


_OVER = 54
"""How far the middle of a bar's figure stands above the bar."""


def bar_faults(shown: ChartShown) -> Iterator[PageFault]:
    """What is wrong with the bars of a chart."""
    chart, drawing = shown.chart, shown.drawing
    middle = (len(chart.series) - 1) / 2
    numbered = enumerate(chart.series)
    wanted = [(series, at - middle, row, figure) for at, series in numbered for row, figure in known_figures(series)]
    width = median_low(bar.right - bar.left for bar in drawing.bars) if drawing.bars else 0.0
    if len(wanted) != len(drawing.bars):
        places = [(shown.at(series, row, "bar"), shown.xs[row] + beside * width) for series, beside, row, _ in wanted]
        yield from _missing(shown, places, width)
        return
    scale = labelled_scale(shown) if chart.up else _scale_of_bars([figure for *_, figure in wanted], drawing.bars)
    yield from labels_up(shown, scale)
    for number, ((series, beside, row, figure), bar) in enumerate(zip(wanted, drawing.bars, strict=True)):
        where = shown.at(series, row, "bar")
        yield from _bar(bar, shown.xs[row] + beside * width, width, where)
        yield from _length(bar, figure, scale, where)
        yield from _figure(shown, number, bar, series.figures[row].text, where)
    yield from _samples(shown)


def _missing(shown: ChartShown, places: Sequence[tuple[str, float]], width: float) -> Iterator[PageFault]:
    """The bars that are not there; or that there are too many."""
    bars = shown.drawing.bars
    missing = [where for where, x in places if not any(abs(bar.middle.x - x) < width / 2 for bar in bars)]
    yield from ((where, "is not there") for where in missing)
    if not missing:
        yield shown.where, f"{len(bars)} bars are drawn in place of {len(places)}"


def _scale_of_bars(figures: Sequence[Fraction], bars: Sequence[Shape]) -> Scale:
    """The scale that most of the longer bars agree on."""
    longest = max(map(abs, figures))
    pairs = list(zip(figures, bars, strict=True))
    longer = [(bar.bottom - bar.top) / float(abs(figure)) for figure, bar in pairs if abs(figure) * 2 >= longest]
    return Scale(median(bar.bottom if figure >= 0 else bar.top for figure, bar in pairs), median_low(longer))


def _bar(bar: Shape, middle: float, width: float, where: str) -> Iterator[PageFault]:
    if off := off_by(Spot(bar.middle.x, 0), Spot(middle, 0), EXACT):
        yield where, f"it stands {off}"
    if not bar.is_upright(EXACT):
        yield where, "it is no upright rectangle"
    if abs(bar.right - bar.left - width) > EXACT:
        yield where, f"it is {(bar.right - bar.left) / 100:.2f} em wide, and others are {width / 100:.2f} em"


def _length(bar: Shape, figure: Fraction, scale: Scale, where: str) -> Iterator[PageFault]:
    top, bottom = sorted((scale.y(figure), scale.zero))
    if abs(bar.top - top) > EXACT or abs(bar.bottom - bottom) > EXACT:
        ends = (scale.figure(bar.bottom), scale.figure(bar.top))
        yield where, f"it goes from {ends[0]:.4g} to {ends[1]:.4g}, and the figure is {float(figure):.4g}"


def _figure(shown: ChartShown, number: int, bar: Shape, text: str, where: str) -> Iterator[PageFault]:
    """The figure over a bar is that of the row, and stands over it."""
    said = [bar.figure for series in shown.chart.series for bar in series.bars][number]
    if said and said != text:
        yield where, f'"{said}" stands over it in place of "{text}"'
    spot = shown.drawing.texts.get(("figure", number))
    if spot and (off := off_by(spot, Spot(bar.middle.x, bar.top - _OVER), LOOSELY)):
        yield where, f"its figure stands {off}"


def _samples(shown: ChartShown) -> Iterator[PageFault]:
    """Before each name stands a sample of its bars."""
    named = [(number, series) for number, series in enumerate(shown.chart.series) if series.name]
    firsts = accumulate((len(known_figures(series)) for series in shown.chart.series), initial=0)
    if len(named) != len(shown.drawing.samples):
        yield shown.where, f"{len(shown.drawing.samples)} samples of bars are drawn for {len(named)} names"
        return
    for (number, series), sample, first in zip(named, shown.drawing.samples, firsts, strict=False):
        where = f'{shown.where}, series "{series.name}"'
        spot = shown.drawing.texts.get(("name", number))
        if spot and (off := off_by(spot, Spot(sample.right + 20, sample.middle.y), LOOSELY)):
            yield where, f"its name stands {off}"
        if shown.drawing.bars[first].fill != sample.fill:
            yield where, "the sample before its name is none of its bars"


def line_faults(shown: ChartShown) -> Iterator[PageFault]:
    """What is wrong with the lines of a chart, their marks and their names."""
    scale = labelled_scale(shown)
    yield from labels_up(shown, scale)
    for check in (_points, _marks, _leaders):
        yield from check(shown, scale)


def _points(shown: ChartShown, scale: Scale) -> Iterator[PageFault]:
    """Each line goes through its figures, from gap to gap."""
    wanted = [(series, run) for series in shown.chart.series for run in _runs(series) if len(run) > 1]
    lines = shown.drawing.lines
    if len(wanted) != len(lines):
        yield shown.where, f"{len(lines)} lines are drawn in place of {len(wanted)}"
        return
    for (series, run), line in zip(wanted, lines, strict=True):
        spots = line.parts[0]
        if len(spots) != len(run):
            yield shown.at(series, run[0][0], "line"), f"it has {len(spots)} points in place of {len(run)}"
            continue
        for (row, figure), spot in zip(run, spots, strict=True):
            if abs(spot.y - scale.y(figure)) > EXACT:
                says = f"it stands at {scale.figure(spot.y):.4g}, and the figure is {float(figure):.4g}"
                yield shown.at(series, row, "point"), says
            elif off := off_by(Spot(spot.x, 0), Spot(shown.xs[row], 0), EXACT):
                yield shown.at(series, row, "point"), f"it stands {off}"


def _runs(series: ChartSeries) -> Iterator[list[tuple[int, Fraction]]]:
    """The figures from gap to gap, each with the number of its row."""
    for missing, run in groupby(enumerate(series.figures), key=lambda pair: pair[1].value is None):
        if not missing:
            yield [(row, figure.value) for row, figure in run if figure.value is not None]


def _marks(shown: ChartShown, scale: Scale) -> Iterator[PageFault]:
    """Each point that is to be marked has its mark; one more stands before each name."""
    wanted = [
        (series, row, Spot(shown.xs[row], scale.y(figure)))
        for series in shown.chart.series
        for (row, figure), point in zip(
            known_figures(series), (point for run in series.runs for point in run), strict=True
        )
        if point.marked
    ]
    names = sum(1 for series in shown.chart.series if series.name)
    marks = shown.drawing.marks
    if len(marks) != len(wanted) + names:
        there = f"{len(marks)} marks are drawn in place of {len(wanted) + names}"
        bare = [place for place in wanted if all(off_by(mark.middle, place[2], NEARLY) for mark in marks)]
        yield from ((shown.at(series, row, "mark"), "is not there") for series, row, _ in bare)
        if not bare:
            yield shown.where, there
        return
    for (series, row, spot), mark in zip(wanted, marks, strict=False):
        if off := off_by(mark.middle, spot, NEARLY):
            yield shown.at(series, row, "mark"), f"it stands {off}"


def _leaders(shown: ChartShown, scale: Scale) -> Iterator[PageFault]:
    """From the last figure of each line a thin one leads to its mark and its name."""
    named = [(number, series) for number, series in enumerate(shown.chart.series) if series.name]
    leaders = shown.drawing.leaders
    if len(leaders) != len(named):
        yield shown.where, f"{len(leaders)} leaders are drawn for {len(named)} names"
        return
    marks = shown.drawing.marks[len(shown.drawing.marks) - len(named) :]
    for (number, series), leader, mark in zip(named, leaders, marks, strict=False):
        where, start, end = f'{shown.where}, series "{series.name}"', leader.parts[0][0], leader.parts[0][-1]
        row, figure = known_figures(series)[-1]
        spot = shown.drawing.texts.get(("name", number))
        for what, found, wanted, tolerance in (
            ("the line to its name", start, Spot(start.x, scale.y(figure)), EXACT),
            ("the mark before its name", mark.middle, Spot(end.x + 42, end.y), NEARLY),
            ("its name", spot or Spot(end.x + 92, end.y), Spot(end.x + 92, end.y), LOOSELY),
        ):
            if off := off_by(found, wanted, tolerance):
                yield where, f"{what} stands {off}"
        if start.x <= shown.xs[row]:
            yield where, "the line to its name begins before its last point"
