"""Pieces: the texts that a page must show, in the order in which they are read.

In: nothing. Out: the shape of a piece. A kind of block gives its pieces in the order of its template, which is repeated
on purpose: a template that leaves out or doubles a text no longer agrees with the pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from refgen.blocks.chart.block import ChartBlock

COMPUTED = "computed"
"""What the tag of a computed block says."""


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
