"""The words for those who do not see a chart against its figures.

In: the pieces of a part, and the words that a page or a PDF has for each of its charts. Out: what is wrong, in words.
Which figures are the highest and the lowest is found once more, from the exact figures; where several are, any of them
may be named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product, zip_longest

from refgen.blocks.chart.block import ChartBlock
from refgen.blocks.chart.model import Series
from refgen.blocks.pieces import Piece
from refgen.render.readback.places import Fault


def alternative_faults(pieces: Sequence[Piece], found: Sequence[str | None]) -> Iterator[Fault]:
    """What is wrong with the words of the charts among some pieces; an output has the ``found`` ones, in order."""
    charts = [(piece.chart, f"{piece.where}, alternative text") for piece in pieces if piece.chart]
    if len(found) != len(charts):
        yield "", f"{len(found)} charts, but the model has {len(charts)}"
        return
    for (chart, where), words in zip(charts, found, strict=True):
        yield from ((where, what) for what in (*_unlike_model(chart, words), *_unlike_figures(chart)))


def _unlike_model(chart: ChartBlock, found: str | None) -> Iterator[str]:
    """Whether an output has other words for a chart than the model; the first that differ are named."""
    if not found:
        yield "is not there"
        return
    for wanted, word in zip_longest(chart.alternative.split(), found.split(), fillvalue="nothing"):
        if wanted != word:
            yield f'"{wanted}" is not there, but "{word}"'
            return


def _unlike_figures(chart: ChartBlock) -> Iterator[str]:
    """The figures that the words of a chart do not state as they are."""
    rest = chart.alternative
    ends = f"from {chart.names[0]} to {chart.names[-1]};"
    if ends not in rest:
        yield f'it does not say "{ends[:-1]}"'
    for series in chart.series:
        claims = list(_claims(chart, series))
        said = next((claim for claim in claims if claim in rest), "")
        if not said:
            yield f'it does not say "{claims[0][:-1]}"'
        rest = rest[rest.find(said) + len(said) :]


def _claims(chart: ChartBlock, series: Series) -> Iterator[str]:
    """What may be said of a series, in the words of an alternative text."""
    figures = known_figures(series)
    highs, lows = (_rows(figures, choose(figure for _, figure in figures)) for choose in (max, min))
    for high, low in product(highs, lows):
        most, least = (f"{chart.names[row]}, {series.figures[row].text}" for row in (high, low))
        yield f"{series.name or 'It'} is highest at {most}, and lowest at {least}."


def known_figures(series: Series) -> list[tuple[int, Fraction]]:
    """The figures of a series that are there, each with the number of its row."""
    return [(row, figure.value) for row, figure in enumerate(series.figures) if figure.value is not None]


def _rows(figures: list[tuple[int, Fraction]], wanted: Fraction) -> list[int]:
    return [row for row, figure in figures if figure == wanted]
