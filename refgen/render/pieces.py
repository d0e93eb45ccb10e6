"""The texts of a block, piece by piece, in the order in which they are read.

In: a block of an aid. Out: its pieces. This repeats the order of the templates on purpose: a template that leaves out
or doubles something no longer agrees with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from refgen.aids.block.model import (
    Block,
    FactsBlock,
    GlossaryBlock,
    ListBlock,
    QuoteBlock,
    ShownCell,
    StepsBlock,
    TableBlock,
    TextBlock,
)
from refgen.aids.chart.model import ChartBlock

COMPUTED = "computed"
"""What the tag of a computed table says."""


class ShownTable(NamedTuple):
    """A table where it stands; ``longest`` is the largest figure with a bar behind it."""

    where: str
    longest: Fraction


class Ground(NamedTuple):
    """What is behind the text of a cell: a bar with its share of the longest of the table, or heat; else paper."""

    table: ShownTable
    column: int
    bar: Fraction | None = None
    heat: Fraction | None = None


class ShownChart(NamedTuple):
    """A chart where it stands."""

    block: ChartBlock
    where: str


class ChartText(NamedTuple):
    """Which text of a chart a piece is: its kind (up, along, axis, name or figure), and its number among these."""

    chart: ShownChart
    kind: str
    number: int


class Piece(NamedTuple):
    """A text that stands together: a cell, a head, a title, a step.

    ``where`` is its place in words. ``box`` is the number of the box of its part that must hold it; None: the part's
    frame. ``painted`` pieces, the numbers of steps, are no text in HTML; on paper they are painted after all others of
    their box. ``drawn`` says what is drawn where it stands, or the drawing that it belongs to.
    """

    text: str
    where: str
    box: int | None = None
    painted: bool = False
    drawn: Ground | ChartText | None = None


def block_pieces(block: Block, part: str) -> Iterator[Piece]:
    """The pieces of a block on a part of that title."""
    where = f'"{block.title or part}"'
    computed = isinstance(block, TableBlock | ChartBlock) and block.computed
    yield Piece(block.title, f"{where}, title")
    if computed and block.title:
        yield Piece(COMPUTED, f"{where}, tag")
    yield from _content(block, where)
    if computed and not block.title:
        yield Piece(COMPUTED, f"{where}, tag")
    yield Piece(block.note, f"{where}, note")
    yield from footnote_pieces(block, where)


def _content(block: Block, where: str) -> Iterator[Piece]:
    if isinstance(block, TableBlock):
        yield from table_pieces(block, where)
    elif isinstance(block, ChartBlock):
        yield from _chart_pieces(block, where)
    elif isinstance(block, StepsBlock):
        for number, step in enumerate(block.steps, start=block.first):
            yield Piece(step, f"{where}, step {number}")
            yield Piece(f"{number}.", f"{where}, step {number}", painted=True)
    elif isinstance(block, FactsBlock):
        for title, figure in block.facts:
            yield Piece(title, f'{where}, fact "{title}"')
            yield Piece(figure, f'{where}, fact "{title}"')
    elif isinstance(block, TextBlock):
        yield Piece(block.text, f"{where}, text")
    else:
        yield from _entries(block, where)


def _entries(block: ListBlock | GlossaryBlock | QuoteBlock, where: str) -> Iterator[Piece]:
    """The entries of a list, each with its dash, those of a glossary, or the paragraphs of a quotation."""
    if isinstance(block, ListBlock):
        for number, item in enumerate(block.items, start=1):
            yield Piece(item, f"{where}, item {number}")
            yield Piece("–", f"{where}, item {number}", painted=True)
    elif isinstance(block, GlossaryBlock):
        for term, text in block.terms:
            yield Piece(term, f'{where}, term "{term}"')
            yield Piece(text, f'{where}, term "{term}"')
    else:
        for number, paragraph in enumerate(block.paragraphs, start=1):
            yield Piece(paragraph, f"{where}, paragraph {number}")


def _chart_pieces(block: ChartBlock, where: str) -> Iterator[Piece]:
    """The text of a chart: both axes, then what stands at the lines or bars."""
    chart = ShownChart(block, where)
    for number, label in enumerate(block.up):
        yield Piece(label.text, f'{where}, upright axis "{label.text}"', drawn=ChartText(chart, "up", number))
    for number, label in enumerate(block.along):
        yield Piece(label.text, f'{where}, axis "{label.text}"', drawn=ChartText(chart, "along", number))
    yield Piece(block.axis, f"{where}, name of the axis", drawn=ChartText(chart, "axis", 0))
    bars = count()
    for number, series in enumerate(block.series):
        yield Piece(series.name, f'{where}, series "{series.name}"', drawn=ChartText(chart, "name", number))
        for bar in series.bars:
            yield Piece(bar.figure, f'{where}, bar "{bar.figure}"', drawn=ChartText(chart, "figure", next(bars)))


def table_pieces(block: TableBlock, where: str) -> Iterator[Piece]:
    """Heads and cells, row by row; the sign of a footnote is a piece of its own."""
    for number, column in enumerate(block.columns, start=1):
        yield Piece(column.title, f"{where}, head {number}")
        yield Piece(column.under, f"{where}, head {number}")
    table = ShownTable(where, _longest(block))
    for number, row in enumerate(block.rows, start=1):
        yield from _cells(row, table, number)


def _longest(block: TableBlock) -> Fraction:
    barred = (cell.value for row in block.rows for cell in row if cell.bar is not None and cell.value is not None)
    return max(barred, default=Fraction(1)) or Fraction(1)


def _cells(row: Sequence[ShownCell], table: ShownTable, number: int) -> Iterator[Piece]:
    for column, cell in enumerate(row, start=1):
        where = f"{table.where}, row {number}, column {column}"
        yield Piece(cell.text, where, drawn=_ground(cell, table, column))
        yield Piece(cell.sign, f"{where}, sign")


def _ground(cell: ShownCell, table: ShownTable, column: int) -> Ground:
    value = cell.value or Fraction(0)
    if cell.header:
        return Ground(table, column)
    if cell.bar is not None:
        return Ground(table, column, bar=value / table.longest)
    return Ground(table, column, heat=value if cell.heat is not None else None)


def footnote_pieces(block: Block, where: str) -> Iterator[Piece]:
    """The footnotes under a block: sign and text of each."""
    for note in block.footnotes:
        yield Piece(note.sign, f"{where}, footnote {note.sign}")
        yield Piece(note.text, f"{where}, footnote {note.sign}")
