"""How wide the columns of a table become, and how high its rows, without laying it out.

In: rows of cells with their words. Out: a Grid, which knows its narrowest width and its height in any width. This is
the automatic table layout of a table as wide as its column (CSS 2.1, 17.5.2, in the words of CSS Tables 3,
"distributing width to columns"), as WeasyPrint does it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from refgen.render.lengths import TextStyle
from refgen.render.screen.words import Words


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its paragraphs, whether their lines may break, how they are set, and its padding in ems of its type.

    ``above`` is the padding above and below together, ``beside`` that left and right, with whatever stands behind
    the words. ``border`` is half of the borders left and right, in points.
    """

    paragraphs: tuple[Words, ...]
    breaks: bool
    style: TextStyle
    above: float
    beside: float
    border: float = 0.0

    @property
    def least(self) -> float:
        """The narrowest width in ems of its type, with paddings."""
        if not self.breaks:
            return self.natural
        return max(words.longest for words in self.paragraphs) + self.beside

    @property
    def natural(self) -> float:
        """The width in which nothing breaks, in ems of its type, with paddings."""
        return max(words.natural for words in self.paragraphs) + self.beside

    @property
    def may_break(self) -> bool:
        """Whether it has lines that break in some width."""
        return self.breaks and self.natural > self.least

    @property
    def widest(self) -> str:
        """The words that need the narrowest width."""
        if not self.breaks:
            return max(self.paragraphs, key=lambda words: words.natural).text
        return max(self.paragraphs, key=lambda words: words.longest).word

    def lines(self, wide: float) -> int:
        """How many lines it has where its column is so many ems of its type wide."""
        lines = [words.lines(wide - self.beside) for words in self.paragraphs]
        # A paragraph without words is a line, unless it is all there is.
        return sum(count or 1 for count in lines) if any(lines) else 0


@dataclass(frozen=True, slots=True)
class Need:
    """What the cells of a column that are set alike need: the narrowest width, and that in which nothing breaks."""

    style: TextStyle
    border: float
    least: float
    natural: float
    widest: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what its cells need, and the percents of the table it asks for."""

    needs: tuple[Need, ...]
    share: float

    def least(self, size: float) -> float:
        """Its narrowest width in points."""
        return max(need.least * need.style.size(size) + need.border for need in self.needs)

    def natural(self, size: float) -> float:
        """The width in points in which nothing breaks."""
        return max(need.natural * need.style.size(size) + need.border for need in self.needs)

    def widest(self, size: float) -> str:
        """The words that need its narrowest width."""
        return max(self.needs, key=lambda need: need.least * need.style.size(size) + need.border).widest


@dataclass(frozen=True, slots=True)
class Row:
    """A row in which lines may break: its type, its lines when none does, and its cells that may, by column."""

    style: TextStyle
    lines: int
    cells: tuple[tuple[int, Cell], ...]

    def more(self, widths: Sequence[float], size: float) -> float:
        """How much higher it is in points than when no line breaks."""
        em = self.style.size(size)
        most = max(cell.lines((widths[column] - cell.border) / em) for column, cell in self.cells)
        return (most - self.lines) * self.style.line_height * em if most > self.lines else 0.0


@dataclass(frozen=True, slots=True)
class Grid:
    """A table.

    ``heights`` is how high it is when no line breaks, in ems of each type it has, without borders, which are
    ``borders`` points high. ``rows`` are those in which lines may break.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    heights: tuple[tuple[TextStyle, float], ...]
    borders: float

    def least(self, size: float) -> float:
        """Its narrowest width in points."""
        return sum(column.least(size) for column in self.columns)

    def calm(self, size: float) -> float:
        """The width in points from which on no line breaks."""
        return _calm([column.natural(size) for column in self.columns], [column.share for column in self.columns])

    def height(self, width: float, size: float) -> float:
        """Its height in points, in a column ``width`` points wide, in type of ``size`` points."""
        height = self.borders + sum(ems * own.size(size) for own, ems in self.heights)
        if not self.rows:
            return height
        natural = [column.natural(size) for column in self.columns]
        if width >= self.calm(size):
            return height
        widths = self.widths(width, natural, size)
        return height + sum(row.more(widths, size) for row in self.rows)

    def widths(self, width: float, natural: Sequence[float], size: float) -> Sequence[float]:
        """How wide each column becomes, in points; ``natural`` are the widths in which nothing breaks."""
        least = [column.least(size) for column in self.columns]
        shares = [column.share / 100 for column in self.columns]
        return _distribute(max(width, sum(least)), least, natural, shares)


def make_grid(rows: Sequence[Sequence[Cell]], borders: float, shares: Sequence[float]) -> Grid:
    """Make a table of rows of cells; those of a row are set alike.

    ``borders`` is the height of all borders in points; ``shares`` are the percents of the table that columns ask for.
    """
    columns = tuple(map(_column, zip(*rows, strict=True), _within_the_whole(shares)))
    heights: dict[TextStyle, float] = {}
    for row in rows:
        own = row[0].style
        heights[own] = heights.get(own, 0.0) + row[0].above + _lines(row) * own.line_height
    return Grid(columns, tuple(_breaking(rows)), tuple(heights.items()), borders)


def _lines(row: Sequence[Cell]) -> int:
    """How many lines a row has when none breaks."""
    return max(cell.lines(inf) for cell in row)


def _breaking(rows: Sequence[Sequence[Cell]]) -> Iterator[Row]:
    for row in rows:
        cells = tuple((number, cell) for number, cell in enumerate(row) if cell.may_break)
        if cells:
            yield Row(row[0].style, _lines(row), cells)


def _column(cells: Sequence[Cell], share: float) -> Column:
    alike: dict[tuple[TextStyle, float], list[Cell]] = {}
    for cell in cells:
        alike.setdefault((cell.style, cell.border), []).append(cell)
    return Column(tuple(map(_need, alike.values())), share)


def _need(cells: Sequence[Cell]) -> Need:
    widest = max(cells, key=lambda cell: cell.least)
    return Need(widest.style, widest.border, widest.least, max(cell.natural for cell in cells), widest.widest)


def _within_the_whole(shares: Sequence[float]) -> list[float]:
    """What columns ask for, where those before them leave as much of the 100 percent."""
    return [min(share, 100 - sum(shares[:number])) for number, share in enumerate(shares)]


def _calm(natural: Sequence[float], shares: Sequence[float]) -> float:
    """The width from which on every column has its natural width."""
    whole = sum(natural)
    if not any(shares):
        return whole
    left = 100 - sum(shares)
    if left <= 0:
        return inf
    asking = [(width, share) for width, share in zip(natural, shares, strict=True) if share]
    others = whole - sum(width for width, _ in asking)
    return max(whole, others * 100 / left, *(width * 100 / share for width, share in asking))


def _distribute(
    width: float, least: Sequence[float], natural: Sequence[float], shares: Sequence[float]
) -> Sequence[float]:
    """The widths of columns that have ``width`` together; shares are fractions of 1."""
    asked = [max(share * width, low) if share else low for share, low in zip(shares, least, strict=True)]
    wished = [have if share else want for share, have, want in zip(shares, asked, natural, strict=True)]
    if width >= sum(wished):
        return _with_excess(width - sum(wished), wished, natural, shares)
    low, high = (asked, wished) if width >= sum(asked) else (least, asked)
    between = sum(high) - sum(low)
    ratio = (width - sum(low)) / between if between else 0.0
    return [start + ratio * (end - start) for start, end in zip(low, high, strict=True)]


def _with_excess(
    excess: float, widths: Sequence[float], natural: Sequence[float], shares: Sequence[float]
) -> Sequence[float]:
    """Widths with what is left over: for the columns that ask for nothing, as wide as they are, else for the others."""
    weights = [0.0 if share else want for share, want in zip(shares, natural, strict=True)]
    if not any(weights):
        weights = list(shares)
    whole = sum(weights) or 1.0
    return [width + excess * weight / whole for width, weight in zip(widths, weights, strict=True)]
