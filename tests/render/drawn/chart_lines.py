"""The lines of a chart against its figures.

In: a chart that was read back. Out: what is wrong, in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from refgen.blocks.chart_plan import ChartSeries
from refgen.layout.readback.pieces import PageFault, known_figures
from tests.render.drawn.chart_axes import (
    EXACT,
    LOOSELY,
    NEARLY,
    ChartShown,
    Scale,
    labelled_scale,
    labels_up,
    off_by,
)
from tests.render.drawn.drawing import Spot


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
