"""The texts of a block, piece by piece, in the order in which they are read.

In: a block of an aid. Out: its pieces. This repeats the order of the templates on purpose: a template that leaves out
or doubles something no longer agrees with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from refgen.aids.block.model import (
    Block,
    FactsBlock,
    GlossaryBlock,
    ListBlock,
    QuoteBlock,
    StepsBlock,
    TableBlock,
    TextBlock,
)
from refgen.aids.chart.model import ChartBlock

COMPUTED = "computed"
"""What the tag of a computed table says."""


class Piece(NamedTuple):
    """A text that stands together: a cell, a head, a title, a step.

    ``where`` is its place in words. ``box`` is the number of the box of its part that must hold it; None: the part's
    frame. ``painted`` pieces, the numbers of steps, are no text in HTML; on paper they are painted after all others of
    their box. A piece without text stands for each ``chart``, whose labels are pieces of their own.
    """

    text: str
    where: str
    box: int | None = None
    painted: bool = False
    chart: ChartBlock | None = None


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
    yield Piece("", where, chart=block)
    for label in block.up:
        yield Piece(label.text, f'{where}, upright axis "{label.text}"')
    for label in block.along:
        yield Piece(label.text, f'{where}, axis "{label.text}"')
    yield Piece(block.axis, f"{where}, name of the axis")
    for series in block.series:
        yield Piece(series.name, f'{where}, series "{series.name}"')
        for bar in series.bars:
            yield Piece(bar.figure, f'{where}, bar "{bar.figure}"')


def table_pieces(block: TableBlock, where: str) -> Iterator[Piece]:
    """Heads and cells, row by row; the sign of a footnote is a piece of its own."""
    for number, head in enumerate(block.columns, start=1):
        yield Piece(head.title, f"{where}, head {number}")
        yield Piece(head.under, f"{where}, head {number}")
    for number, row in enumerate(block.rows, start=1):
        for column, cell in enumerate(row, start=1):
            place = f"{where}, row {number}, column {column}"
            yield Piece(cell.text, place)
            yield Piece(cell.sign, f"{place}, sign")


def footnote_pieces(block: Block, where: str) -> Iterator[Piece]:
    """The footnotes under a block: sign and text of each."""
    for note in block.footnotes:
        yield Piece(note.sign, f"{where}, footnote {note.sign}")
        yield Piece(note.text, f"{where}, footnote {note.sign}")
