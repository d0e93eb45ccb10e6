"""What a chart shows against the figures that it should show.

In: a chart of the model, and the drawing of it that was read back. Out: what is wrong, in words.
"""

from __future__ import annotations

from collections.abc import Iterator

from refgen.blocks.chart.block import ChartBlock
from refgen.render.readback.chart_axes import ChartShown, labels_across
from refgen.render.readback.chart_bars import bar_faults
from refgen.render.readback.chart_lines import line_faults
from refgen.render.readback.drawing import Drawing
from refgen.render.readback.places import Fault


def chart_faults(chart: ChartBlock, where: str, drawing: Drawing) -> Iterator[Fault]:
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
