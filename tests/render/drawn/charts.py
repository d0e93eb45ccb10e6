"""What a chart shows against the figures that it should show.

In: a chart of the model, and the drawing of it that was read back. Out: what is wrong, in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from refgen.blocks.chart_block import ChartBlock
from refgen.layout.readback.pieces import PageFault
from tests.render.drawn.chart_axes import ChartShown, labels_across
from tests.render.drawn.chart_bars import bar_faults
from tests.render.drawn.chart_lines import line_faults
from tests.render.drawn.drawing import Drawing, TextKey


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
