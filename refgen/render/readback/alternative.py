"""The words for those who do not see a chart against its figures.

In: a chart of the model, and the words that a page or a PDF has for it. Out: what is wrong, in words. Which figures are
the highest and the lowest is found once more, from the exact figures; where several are, any of them may be named.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product, zip_longest

from refgen.blocks.chart.block import ChartBlock
from refgen.blocks.chart.model import Series
from refgen.render.readback.chart_axes import known
from refgen.render.readback.places import Fault


def alternative_faults(chart: ChartBlock, where: str) -> Iterator[Fault]:
    """The figures that the words of a chart do not state as they are."""
    where, rest = f"{where}, alternative text", chart.alternative
    ends = f"from {chart.names[0]} to {chart.names[-1]};"
    if ends not in rest:
        yield where, f'it does not say "{ends[:-1]}"'
    for series in chart.series:
        claims = list(_claims(chart, series))
        said = next((claim for claim in claims if claim in rest), "")
        if not said:
            yield where, f'it does not say "{claims[0][:-1]}"'
        rest = rest[rest.find(said) + len(said) :]


def _claims(chart: ChartBlock, series: Series) -> Iterator[str]:
    """What may be said of a series, in the words of an alternative text."""
    figures = known(series)
    highs, lows = (_rows(figures, choose(figure for _, figure in figures)) for choose in (max, min))
    for high, low in product(highs, lows):
        most, least = (f"{chart.names[row]}, {series.figures[row].text}" for row in (high, low))
        yield f"{series.name or 'It'} is highest at {most}, and lowest at {least}."


def _rows(figures: list[tuple[int, Fraction]], wanted: Fraction) -> list[int]:
    return [row for row, figure in figures if figure == wanted]


def said_otherwise(chart: ChartBlock, found: str | None, where: str) -> Iterator[Fault]:
    """Whether an output has other words for a chart than the model; the first that differ are named."""
    where = f"{where}, alternative text"
    if not found:
        yield where, "is not there"
        return
    pairs = zip_longest(chart.alternative.split(), found.split(), fillvalue="nothing")
    for wanted, word in pairs:
        if wanted != word:
            yield where, f'"{wanted}" is not there, but "{word}"'
            return
