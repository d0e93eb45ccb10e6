"""The sizes of texts and tables in columns of any width, without laying them out.

In: a text and a face. Out: a BreakableText, which knows how many lines it needs in a width. WeasyPrint has Pango break
lines where UAX #14 allows a break; this module has those rules of UAX #14 that texts of aids can meet.

In: rows of cells with their texts. Out: a MeasuredTable, which knows its min-content width and its height in any width.
The widths are those of the automatic table layout of a table as wide as its column (CSS 2.1, 17.5.2; CSS Tables 3,
"distributing width to columns"), as WeasyPrint does it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from refgen.layout.lengths import BODY, FOOT, FOOT_GAP, FOOTER, HEADER, MARGIN, MILLIMETRE, TextStyle
from refgen.layout.metrics import Face, width
from refgen.layout.page_format import PageFormat

_SPACES = re.compile(r"[ \t\n\r\f]+")
"""A run of characters that HTML collapses to one space."""

_TIED = r"""\s)\]}.,:;!?/|…%‰°\-‐–—"'’”»\u00a0\u202f\u2060"""
"""Characters before which no line breaks (classes CL, CP, EX, IS, SY, IN, PO, HY, BA, QU, GL and WJ)."""

_IDEOGRAPH = "[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]"

_WORD = re.compile(
    r" (?=[^\s)\]}.,:;!?/])(?<![(\[{] )"  # at a space, but not before what closes or after what opens
    rf"|(?<=[–‐|!?…}}])(?=[^{_TIED}])"
    rf"|(?<=[-/])(?=[^{_TIED}\d])"  # not before a figure: 1/2, d6-1
    rf"|(?<=[^\s(\[{{—])(?=—)|(?<=—)(?=[^{_TIED}])"
    r"|(?<=[)\].,:;])(?=[(\[{])"
    rf"|(?<=[\w)])(?={_IDEOGRAPH})|(?<={_IDEOGRAPH})(?=[\w(])"
)
"""The break opportunities. A space at which a line breaks stands on neither of the two lines."""

_SLACK = 1e-6
"""Ems by which a line may be longer than its column: sums of floats are not exact."""


@dataclass(frozen=True, slots=True)
class BreakableText:
    """A text as words that are never broken, in ems of its own type.

    ``starts`` and ``ends`` are the places of the words on an endless line, without the spaces between words.
    ``max_content`` is the length of the endless line, ``min_content`` the length of the longest word, and ``space`` the
    width of a space.
    """

    text: str
    starts: tuple[float, ...]
    ends: tuple[float, ...]
    max_content: float
    min_content: float
    longest_word: str
    space: float

    def lines(self, width: float) -> int:
        """The number of lines in a column ``width`` em wide.

        A word that is wider than the column overflows its line.
        """
        width += _SLACK
        if self.max_content <= width:
            return 1 if self.ends else 0
        starts, ends, count, word = self.starts, self.ends, 0, 0
        while word < len(ends):
            count += 1
            word = max(bisect_right(ends, starts[word] + width, word), word + 1)
        return count


def breakable_text(text: str, face: Face) -> BreakableText:
    """A text in words that are measured in a face."""
    text = _SPACES.sub(" ", text).strip(" ")
    starts: list[float] = []
    ends: list[float] = []
    longest, longest_word, place = 0.0, "", 0.0
    for word, length, gap in _measure_words(text, face):
        starts.append(place)
        ends.append(place + length)
        place += length + gap
        if length > longest:
            longest, longest_word = length, word
    whole = ends[-1] if ends else 0.0
    return BreakableText(text, tuple(starts), tuple(ends), whole, longest, longest_word, width(" ", face))


def footer_height(source: str, width: float, size: float) -> float:
    """The height in millimetres that a page needs between its blocks and its lower margin for the source.

    The source is in type of ``size`` points, on a page ``width`` points wide.
    """
    lines = breakable_text(source, Face.REGULAR).lines(width / size)
    return max(FOOTER, round(lines * size / MILLIMETRE + FOOT_GAP + FOOT - MARGIN, 2))


def page_area(page_format: PageFormat, source: str = "", edge: float = 0.0) -> tuple[float, float]:
    """The width and height in points that a page has for its content, above its ``source``.

    Beside the content stands an ``edge`` in millimetres.
    """
    across = (page_format.width - 2 * MARGIN - edge) * MILLIMETRE
    footer = footer_height(source, across, page_format.small_print)
    return across, (page_format.height - 2 * MARGIN - HEADER - footer) * MILLIMETRE


def run_in(first: BreakableText, second: BreakableText) -> BreakableText:
    """Two texts, perhaps in different faces, as one text with a space between (CSS ``display: inline``)."""
    gap = first.max_content + first.space if first.ends else 0.0
    shift = [(start + gap, end + gap) for start, end in zip(second.starts, second.ends, strict=True)]
    starts, ends = (*first.starts, *(start for start, _ in shift)), (*first.ends, *(end for _, end in shift))
    longest = max(first, second, key=lambda part: part.min_content)
    whole = ends[-1] if ends else 0.0
    text = f"{first.text} {second.text}".strip()
    return BreakableText(text, starts, ends, whole, longest.min_content, longest.longest_word, second.space)


def _measure_words(text: str, face: Face) -> Iterator[tuple[str, float, float]]:
    """Each word, its width, and the gap between its end and the start of the next word on the same line."""
    start = 0
    for match in _WORD.finditer(text):
        word = text[start : match.start()]
        yield word, width(word, face), _gap(word[-1], match.group(), text[match.end()], face)
        start = match.end()
    if start < len(text):
        yield text[start:], width(text[start:], face), 0.0


def _gap(last: str, between: str, first: str, face: Face) -> float:
    """The gap between two words: the space, if a space stands between the words, and the kerning."""
    return width(last + between + first, face) - width(last, face) - width(first, face)


@dataclass(frozen=True, slots=True)
class MeasuredCell:
    """A cell of a table: its paragraphs, whether lines wrap, the style of the text, and the padding in ems of the text.

    ``padding_block`` is the padding above and below together, ``padding_inline`` the padding left and right together,
    with anything that stands beside the words. ``border`` is half of the borders left and right, in points. The cell
    covers so many ``columns``, 0 in the place of a cell that is covered.
    """

    paragraphs: tuple[BreakableText, ...]
    wraps: bool
    style: TextStyle
    padding_block: float
    padding_inline: float
    border: float = 0.0
    columns: int = 1

    @property
    def min_content(self) -> float:
        """The narrowest width in which no word overflows, with padding, in ems of the text."""
        if not self.wraps:
            return self.max_content
        return max(words.min_content for words in self.paragraphs) + self.padding_inline

    @property
    def max_content(self) -> float:
        """The narrowest width in which no line breaks, with padding, in ems of the text."""
        return max(words.max_content for words in self.paragraphs) + self.padding_inline

    @property
    def may_break(self) -> bool:
        """Whether a line of the cell breaks in a narrow column."""
        return self.wraps and self.max_content > self.min_content

    @property
    def widest_words(self) -> str:
        """The words that need the min-content width."""
        if not self.wraps:
            return max(self.paragraphs, key=lambda words: words.max_content).text
        return max(self.paragraphs, key=lambda words: words.min_content).longest_word

    def width(self, widths: Sequence[float], column: int) -> float:
        """The width of the columns that the cell covers from a column on, of columns of these widths."""
        return sum(widths[column : column + self.columns])

    def lines(self, width: float) -> int:
        """The number of lines in a column ``width`` ems of the text wide."""
        lines = [words.lines(width - self.padding_inline) for words in self.paragraphs]
        # A paragraph without words takes a line, except in a cell without any words.
        return sum(count or 1 for count in lines) if any(lines) else 0


_EMPTY = MeasuredCell((breakable_text("", Face.REGULAR),), False, BODY, 0.0, 0.0)
"""A column in which each cell is covered has no width of its own."""


@dataclass(frozen=True, slots=True)
class ContentWidths:
    """The min-content and max-content width of those cells of a column that have the same style and border.

    The widths are in ems of the text of the cells; ``border`` is half of the borders of a cell, in points.
    """

    style: TextStyle
    border: float
    min_content: float
    max_content: float
    widest_words: str


@dataclass(frozen=True, slots=True)
class MeasuredColumn:
    """A column of a table: the widths of its cells, and its CSS width in percent of the table (0: automatic)."""

    cells: tuple[ContentWidths, ...]
    percentage: float

    def min_content(self, size: float) -> float:
        """The narrowest width of the column in points in which no word overflows."""
        return max(cells.min_content * cells.style.size(size) + cells.border for cells in self.cells)

    def max_content(self, size: float) -> float:
        """The narrowest width of the column in points in which no line breaks."""
        return max(cells.max_content * cells.style.size(size) + cells.border for cells in self.cells)

    def widest_words(self, size: float) -> str:
        """The words that need the min-content width of the column."""
        widest = max(self.cells, key=lambda cells: cells.min_content * cells.style.size(size) + cells.border)
        return widest.widest_words


@dataclass(frozen=True, slots=True)
class BreakingRow:
    """A row in which lines may break: its style, its lines if none breaks, and the cells that may break, by column."""

    style: TextStyle
    lines: int
    cells: tuple[tuple[int, MeasuredCell], ...]

    def added_height(self, widths: Sequence[float], size: float) -> float:
        """The height in points that the row has in addition when lines break."""
        em = self.style.size(size)
        most = max(cell.lines((cell.width(widths, column) - cell.border) / em) for column, cell in self.cells)
        return (most - self.lines) * self.style.line_height * em if most > self.lines else 0.0


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """A table whose texts are measured.

    ``heights`` has, for each style of text, the height of all rows in that style if no line breaks, in ems of the text.
    ``borders`` is the height of all borders in points. ``rows`` are the rows in which lines may break, ``spanning`` the
    cells that cover several columns, each with its first column. A table with a ``least`` width in points may be as
    wide as any column.
    """

    columns: tuple[MeasuredColumn, ...]
    rows: tuple[BreakingRow, ...]
    heights: tuple[tuple[TextStyle, float], ...]
    borders: float
    least: float = 0.0
    spanning: tuple[tuple[int, MeasuredCell], ...] = ()

    def min_content(self, size: float) -> float:
        """The narrowest width of the table in points in which no word overflows."""
        return max(sum(self._content_widths(size)[0]), self.least)

    def _content_widths(self, size: float) -> tuple[list[float], list[float]]:
        """The min-content and the max-content width of each column in points, with room for the spanning cells."""
        narrow = [column.min_content(size) for column in self.columns]
        wide = [column.max_content(size) for column in self.columns]
        for first, cell in self.spanning:
            em, behind = cell.style.size(size), first + cell.columns
            weights = wide[first:behind]
            narrow[first:behind] = _widened(narrow[first:behind], cell.min_content * em + cell.border, weights)
            wide[first:behind] = _widened(wide[first:behind], cell.max_content * em + cell.border, weights)
        return narrow, wide

    def max_content(self, size: float) -> float:
        """The narrowest width of the table in points in which no line breaks; infinite if there is none."""
        if self.least:
            return inf
        _, widths = self._content_widths(size)
        return _max_content(widths, [column.percentage for column in self.columns])

    def widest_words(self, size: float) -> str:
        """The words of each column that need its min-content width."""
        return " | ".join(filter(None, (column.widest_words(size) for column in self.columns)))

    def height(self, width: float, size: float) -> float:
        """The height of the table in points in a column ``width`` points wide, in type of ``size`` points."""
        height = self.borders + sum(ems * style.size(size) for style, ems in self.heights)
        if not self.rows or width >= self.max_content(size):
            return height
        widths = self.column_widths(width, size)
        return height + sum(row.added_height(widths, size) for row in self.rows)

    def column_widths(self, width: float, size: float) -> Sequence[float]:
        """The width of each column in points in a table ``width`` points wide."""
        min_content, max_content = self._content_widths(size)
        shares = [column.percentage / 100 for column in self.columns]
        return _distribute(max(width, sum(min_content)), min_content, max_content, shares)


def measure_rows(rows: Sequence[Sequence[MeasuredCell]], borders: float, percentages: Sequence[float]) -> MeasuredTable:
    """A measured table of rows of cells; all cells of a row have the same style.

    ``borders`` is the height of all borders in points; ``percentages`` are the CSS widths of the columns in percent.
    """
    columns = tuple(map(_column, zip(*rows, strict=True), _within_the_whole(percentages)))
    spanning = tuple((number, cell) for row in rows for number, cell in enumerate(row) if cell.columns > 1)
    heights: dict[TextStyle, float] = {}
    breaking: list[BreakingRow] = []
    for row in rows:
        style, lines = row[0].style, max(cell.lines(inf) for cell in row)
        heights[style] = heights.get(style, 0.0) + row[0].padding_block + lines * style.line_height
        if cells := tuple((number, cell) for number, cell in enumerate(row) if cell.may_break):
            breaking.append(BreakingRow(style, lines, cells))
    return MeasuredTable(columns, tuple(breaking), tuple(heights.items()), borders, spanning=spanning)


def _column(cells: Sequence[MeasuredCell], percentage: float) -> MeasuredColumn:
    groups: dict[tuple[TextStyle, float], list[MeasuredCell]] = {}
    for cell in [cell for cell in cells if cell.columns == 1] or [_EMPTY]:
        groups.setdefault((cell.style, cell.border), []).append(cell)
    return MeasuredColumn(tuple(map(_content_widths, groups.values())), percentage)


def _widened(widths: Sequence[float], least: float, weights: Sequence[float]) -> list[float]:
    """The widths of columns that are ``least`` wide together; what lacks is shared out by weights."""
    lacking, whole = max(least - sum(widths), 0.0), sum(weights)
    return [
        width + lacking * (weight / whole if whole else 1 / len(widths))
        for width, weight in zip(widths, weights, strict=True)
    ]


def _content_widths(cells: Sequence[MeasuredCell]) -> ContentWidths:
    widest = max(cells, key=lambda cell: cell.min_content)
    max_content = max(cell.max_content for cell in cells)
    return ContentWidths(widest.style, widest.border, widest.min_content, max_content, widest.widest_words)


def _within_the_whole(percentages: Sequence[float]) -> list[float]:
    """The percentages of columns, each cut to the rest of 100 that the columns before leave."""
    return [min(percentage, 100 - sum(percentages[:number])) for number, percentage in enumerate(percentages)]


def _max_content(widths: Sequence[float], percentages: Sequence[float]) -> float:
    """The narrowest width of a table in which every column has its max-content width."""
    whole = sum(widths)
    if not any(percentages):
        return whole
    left = 100 - sum(percentages)
    if left <= 0:
        return inf
    asking = [(width, percentage) for width, percentage in zip(widths, percentages, strict=True) if percentage]
    others = whole - sum(width for width, _ in asking)
    return max(whole, others * 100 / left, *(width * 100 / percentage for width, percentage in asking))


def _distribute(
    width: float, min_content: Sequence[float], max_content: Sequence[float], shares: Sequence[float]
) -> Sequence[float]:
    """The widths of columns whose sum is ``width``; shares are fractions of 1."""
    specified = [max(share * width, low) if share else low for share, low in zip(shares, min_content, strict=True)]
    preferred = [own if share else wide for share, own, wide in zip(shares, specified, max_content, strict=True)]
    if width >= sum(preferred):
        return _with_excess(width - sum(preferred), preferred, max_content, shares)
    low, high = (specified, preferred) if width >= sum(specified) else (min_content, specified)
    between = sum(high) - sum(low)
    ratio = (width - sum(low)) / between if between else 0.0
    return [start + ratio * (end - start) for start, end in zip(low, high, strict=True)]


def _with_excess(
    excess: float, widths: Sequence[float], max_content: Sequence[float], shares: Sequence[float]
) -> Sequence[float]:
    """Widths with the excess shared out: among columns without a share, by max-content width, else by shares."""
    weights = [0.0 if share else want for share, want in zip(shares, max_content, strict=True)]
    if not any(weights):
        weights = list(shares)
    whole = sum(weights) or 1.0
    return [width + excess * weight / whole for width, weight in zip(widths, weights, strict=True)]
