"""The texts and fields that must be read on a part of an aid (a panel, a page, a face of a card), and mismatches.

In: nothing. Out: Pieces and ExpectedParts, which blocks and each kind of aid make in the order in which their templates
show texts; and Mismatches, which the read-back reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol


class DescribedFigure(Protocol):
    """A figure of a chart, exact and as text."""

    @property
    def value(self) -> Fraction | None:
        """The exact value; None for a blank."""

    @property
    def text(self) -> str:
        """The figure as the table shows it."""


class DescribedSeries(Protocol):
    """A series of a chart: name and figures."""

    @property
    def name(self) -> str:
        """The name of the series; "" for the only series of a chart."""

    @property
    def figures(self) -> Sequence[DescribedFigure]:
        """The figures of all rows in order."""


class DescribedChart(Protocol):
    """A chart with an alternative text, which must name the highest and the lowest figure of each series."""

    @property
    def alternative(self) -> str:
        """The alternative text."""

    @property
    def names(self) -> Sequence[str]:
        """The names of all rows in order."""

    @property
    def series(self) -> Sequence[DescribedSeries]:
        """The series of the chart."""


class Piece(NamedTuple):
    """A text that stands together: a cell, a head, a title, a step.

    ``where`` is the place of the text in words. ``box`` is the number of the box that must hold the text; None: the
    frame of the part. ``painted`` pieces, such as the numbers of steps, are no text in HTML; on paper they are painted
    last in their box. A ``chart`` is a piece without text, and its labels are pieces as well.
    """

    text: str
    where: str
    box: int | None = None
    painted: bool = False
    chart: DescribedChart | None = None


class ExpectedField(NamedTuple):
    """A field to fill in: names in HTML and in the PDF, label, and number of the box that must hold the field.

    Fields of several pages with the same value have the same name in the PDF. ``box`` None: the page.
    """

    name: str
    pdf_name: str
    label: str
    box: int | None = None


@dataclass(frozen=True, slots=True)
class ExpectedPart:
    """A part of an aid: the words for it in messages, the pieces on it, and the fields to fill in."""

    name: str
    pieces: tuple[Piece, ...]
    fields: tuple[ExpectedField, ...] = ()


PageFault = tuple[str, str]
"""A place on a page, and the fault there, both in words."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A difference between a page and the model.

    ``file`` is a path in the output, ``where`` the place on the page in words ("" for the whole file), ``what`` the
    difference in words.
    """

    file: str
    where: str
    what: str

    def __str__(self) -> str:
        """``file: where: what``."""
        return ": ".join(part for part in (self.file, self.where, self.what) if part)


def header(*texts: str) -> Iterator[Piece]:
    """The pieces at the head of a page."""
    return (Piece(text, "header") for text in texts)


def boxed(box: int, pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces of a box, pieces that are painted last behind all others."""
    for painted in (False, True):
        for piece in pieces:
            if piece.painted == painted:
                yield piece._replace(box=box)


def field_count_faults(wanted: Iterable[str], found: Sequence[str]) -> Iterator[PageFault]:
    """The faults of fields that a page does not have exactly once, and of fields that the model does not have."""
    counts = Counter(found)
    for name in wanted:
        if counts[name] != 1:
            yield f'field "{name}"', "is not there" if not counts[name] else f"is there {counts[name]} times"
        del counts[name]
    yield from ((f'field "{name}"', "is there, which the model does not have") for name in counts)
