"""The bars of a chart against its figures.

In: a chart that was read back. Out: what is wrong, in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from statistics import median, median_low

from refgen.layout.readback.pieces import PageFault, known_figures
from tests.render.drawn.chart_axes import (
    EXACT,
    LOOSELY,
    ChartShown,
    Scale,
    labelled_scale,
    labels_up,
    off_by,
)
from tests.render.drawn.drawing import Shape, Spot

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
