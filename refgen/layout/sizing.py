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

from refgen.layout.lengths import TextStyle
from refgen.layout.metrics import Face, width

_SPACES = re.compile(r"[ \t\n\r\f]+")
"""What HTML takes for one space."""

_TIED = r"""\s)\]}.,:;!?/|…%‰°\-‐–—"'’”»\u00a0\u202f\u2060"""
"""What stays with the character before it (classes CL, CP, EX, IS, SY, IN, PO, HY, BA, QU, GL and WJ)."""

_IDEOGRAPH = "[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]"

_WORD = re.compile(
    r" (?=[^\s)\]}.,:;!?/])(?<![(\[{] )"  # at a space, but not before what closes or after what opens
    rf"|(?<=[–‐|!?…}}])(?=[^{_TIED}])"
    rf"|(?<=[-/])(?=[^{_TIED}\d])"  # not before a figure: 1/2, d6-1
    rf"|(?<=[^\s(\[{{—])(?=—)|(?<=—)(?=[^{_TIED}])"
    r"|(?<=[)\].,:;])(?=[(\[{])"
    rf"|(?<=[\w)])(?={_IDEOGRAPH})|(?<={_IDEOGRAPH})(?=[\w(])"
)
"""Where a line may end. A space there stands between two lines, and on neither."""

_SLACK = 1e-6
"""Ems by which a line may be too long: sums of floats are not exact."""


@dataclass(frozen=True, slots=True)
class BreakableText:
    """A text as words that are never broken, in ems of its own type.

    ``starts`` and ``ends`` are their places on an endless line, without the spaces between. ``max_content`` is the
    length of that line, ``min_content`` that of the longest word; ``space`` is that of a space.
    """

    text: str
    starts: tuple[float, ...]
    ends: tuple[float, ...]
    max_content: float
    min_content: float
    longest_word: str
    space: float

    def lines(self, width: float) -> int:
        """How many lines the words need where a line is ``width`` em long; a word that is longer overflows its line."""
        width += _SLACK
        if self.max_content <= width:
            return 1 if self.ends else 0
        return self._broken(width, 0)

    def lines_with_tag(self, width: float, before: float, after: float) -> int:
        """How many lines they need with a tag ``before`` or ``after`` them, so many ems long (0: there is none)."""
        width += _SLACK
        if before:
            beside = bisect_right(self.ends, width - before - self.space)
            return 1 + self._broken(width, beside)
        return self._broken(width, 0, after)

    @property
    def last_and_space(self) -> float:
        """The length of the last word with a space after it."""
        return self.ends[-1] - self.starts[-1] + self.space

    def _broken(self, width: float, word: int, tag: float = 0.0) -> int:
        """The number of lines from a word on; a tag, if there is one, stays on the line of the last word."""
        starts, ends, count = self.starts, self.ends, 0
        if tag:
            ends = (*ends[:-1], ends[-1] + self.space + tag)
        while word < len(ends):
            count += 1
            word = max(bisect_right(ends, starts[word] + width, word), word + 1)
        return count


def breakable_text(text: str, face: Face) -> BreakableText:
    """The words of a text."""
    text = _SPACES.sub(" ", text).strip(" ")
    starts: list[float] = []
    ends: list[float] = []
    longest, longest_word, place = 0.0, "", 0.0
    for word, length, gap in _measured(text, face):
        starts.append(place)
        ends.append(place + length)
        place += length + gap
        if length > longest:
            longest, longest_word = length, word
    whole = ends[-1] if ends else 0.0
    return BreakableText(text, tuple(starts), tuple(ends), whole, longest, longest_word, width(" ", face))


def run_in(first: BreakableText, second: BreakableText) -> BreakableText:
    """Two texts, perhaps in different faces, on one line with a space between."""
    gap = first.max_content + first.space if first.ends else 0.0
    shift = [(start + gap, end + gap) for start, end in zip(second.starts, second.ends, strict=True)]
    starts, ends = (*first.starts, *(start for start, _ in shift)), (*first.ends, *(end for _, end in shift))
    longest = max(first, second, key=lambda part: part.min_content)
    whole = ends[-1] if ends else 0.0
    text = f"{first.text} {second.text}".strip()
    return BreakableText(text, starts, ends, whole, longest.min_content, longest.longest_word, second.space)


def _measured(text: str, face: Face) -> Iterator[tuple[str, float, float]]:
    """Each word, its length, and how far from its end the next one starts on the same line."""
    start = 0
    for match in _WORD.finditer(text):
        word = text[start : match.start()]
        yield word, width(word, face), _gap(word[-1], match.group(), text[match.end()], face)
        start = match.end()
    if start < len(text):
        yield text[start:], width(text[start:], face), 0.0


def _gap(last: str, between: str, first: str, face: Face) -> float:
    """The gap between two words: a space, if there is one, and the kerning around it."""
    return width(last + between + first, face) - width(last, face) - width(first, face)


@dataclass(frozen=True, slots=True)
class MeasuredCell:
    """A cell: its paragraphs, whether their lines wrap, how they are set, and its padding in ems of its type.

    ``padding_block`` is the padding above and below together, ``padding_inline`` that left and right, with whatever
    stands behind the words. ``border`` is half of the borders left and right, in points.
    """

    paragraphs: tuple[BreakableText, ...]
    wraps: bool
    style: TextStyle
    padding_block: float
    padding_inline: float
    border: float = 0.0

    @property
    def min_content(self) -> float:
        """The narrowest width in ems of its type, with paddings."""
        if not self.wraps:
            return self.max_content
        return max(words.min_content for words in self.paragraphs) + self.padding_inline

    @property
    def max_content(self) -> float:
        """The width in which nothing breaks, in ems of its type, with paddings."""
        return max(words.max_content for words in self.paragraphs) + self.padding_inline

    @property
    def may_break(self) -> bool:
        """Whether it has lines that break in some width."""
        return self.wraps and self.max_content > self.min_content

    @property
    def widest_words(self) -> str:
        """The words that need the min-content width."""
        if not self.wraps:
            return max(self.paragraphs, key=lambda words: words.max_content).text
        return max(self.paragraphs, key=lambda words: words.min_content).longest_word

    def lines(self, width: float) -> int:
        """How many lines it has where its column is so many ems of its type wide."""
        lines = [words.lines(width - self.padding_inline) for words in self.paragraphs]
        # A paragraph without words is a line, unless it is all there is.
        return sum(count or 1 for count in lines) if any(lines) else 0


@dataclass(frozen=True, slots=True)
class ContentWidths:
    """The min-content and max-content width of the cells of a column that are set alike, in ems of their type.

    ``border`` is half of their borders, in points; ``widest_words`` need the min-content width.
    """

    style: TextStyle
    border: float
    min_content: float
    max_content: float
    widest_words: str


@dataclass(frozen=True, slots=True)
class MeasuredColumn:
    """A column: the widths of its cells, and the percentage of the table it asks for (0: none)."""

    cells: tuple[ContentWidths, ...]
    percentage: float

    def min_content(self, size: float) -> float:
        """Its narrowest width in points."""
        return max(cells.min_content * cells.style.size(size) + cells.border for cells in self.cells)

    def max_content(self, size: float) -> float:
        """The width in points in which nothing breaks."""
        return max(cells.max_content * cells.style.size(size) + cells.border for cells in self.cells)

    def widest_words(self, size: float) -> str:
        """The words that need its min-content width."""
        widest = max(self.cells, key=lambda cells: cells.min_content * cells.style.size(size) + cells.border)
        return widest.widest_words


@dataclass(frozen=True, slots=True)
class BreakingRow:
    """A row in which lines may break: how it is set, its lines when none does, and its cells that may, by column."""

    style: TextStyle
    lines: int
    cells: tuple[tuple[int, MeasuredCell], ...]

    def added_height(self, widths: Sequence[float], size: float) -> float:
        """How much higher it is in points than when no line breaks."""
        em = self.style.size(size)
        most = max(cell.lines((widths[column] - cell.border) / em) for column, cell in self.cells)
        return (most - self.lines) * self.style.line_height * em if most > self.lines else 0.0


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """A table.

    ``heights`` is how high it is when no line breaks, in ems of each style it has, without borders, which are
    ``borders`` points high. ``rows`` are those in which lines may break.
    """

    columns: tuple[MeasuredColumn, ...]
    rows: tuple[BreakingRow, ...]
    heights: tuple[tuple[TextStyle, float], ...]
    borders: float

    def min_content(self, size: float) -> float:
        """Its narrowest width in points."""
        return sum(column.min_content(size) for column in self.columns)

    def max_content(self, size: float) -> float:
        """The width in points from which on no line breaks."""
        widths = [column.max_content(size) for column in self.columns]
        return _max_content(widths, [column.percentage for column in self.columns])

    def widest_words(self, size: float) -> str:
        """The words of each column that need its min-content width."""
        return " | ".join(filter(None, (column.widest_words(size) for column in self.columns)))

    def height(self, width: float, size: float) -> float:
        """Its height in points, in a column ``width`` points wide, in type of ``size`` points."""
        height = self.borders + sum(ems * style.size(size) for style, ems in self.heights)
        if not self.rows:
            return height
        if width >= self.max_content(size):
            return height
        widths = self.column_widths(width, size)
        return height + sum(row.added_height(widths, size) for row in self.rows)

    def column_widths(self, width: float, size: float) -> Sequence[float]:
        """How wide each column becomes, in points."""
        min_content = [column.min_content(size) for column in self.columns]
        max_content = [column.max_content(size) for column in self.columns]
        shares = [column.percentage / 100 for column in self.columns]
        return _distribute(max(width, sum(min_content)), min_content, max_content, shares)


def measure_rows(rows: Sequence[Sequence[MeasuredCell]], borders: float, percentages: Sequence[float]) -> MeasuredTable:
    """Make a table of rows of cells; those of a row are set alike.

    ``borders`` is the height of all borders in points; ``percentages`` are those of the table that columns ask for.
    """
    columns = tuple(map(_column, zip(*rows, strict=True), _within_the_whole(percentages)))
    heights: dict[TextStyle, float] = {}
    for row in rows:
        style = row[0].style
        heights[style] = heights.get(style, 0.0) + row[0].padding_block + _lines(row) * style.line_height
    return MeasuredTable(columns, tuple(_breaking(rows)), tuple(heights.items()), borders)


def _lines(row: Sequence[MeasuredCell]) -> int:
    """How many lines a row has when none breaks."""
    return max(cell.lines(inf) for cell in row)


def _breaking(rows: Sequence[Sequence[MeasuredCell]]) -> Iterator[BreakingRow]:
    for row in rows:
        cells = tuple((number, cell) for number, cell in enumerate(row) if cell.may_break)
        if cells:
            yield BreakingRow(row[0].style, _lines(row), cells)


def _column(cells: Sequence[MeasuredCell], percentage: float) -> MeasuredColumn:
    groups: dict[tuple[TextStyle, float], list[MeasuredCell]] = {}
    for cell in cells:
        groups.setdefault((cell.style, cell.border), []).append(cell)
    return MeasuredColumn(tuple(map(_content_widths, groups.values())), percentage)


def _content_widths(cells: Sequence[MeasuredCell]) -> ContentWidths:
    widest = max(cells, key=lambda cell: cell.min_content)
    max_content = max(cell.max_content for cell in cells)
    return ContentWidths(widest.style, widest.border, widest.min_content, max_content, widest.widest_words)


def _within_the_whole(percentages: Sequence[float]) -> list[float]:
    """The percentages that columns ask for, each cut to what the columns before leave of 100."""
    return [min(percentage, 100 - sum(percentages[:number])) for number, percentage in enumerate(percentages)]


def _max_content(widths: Sequence[float], percentages: Sequence[float]) -> float:
    """The width of a table from which on every column has its max-content width."""
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
    """The widths of columns that have ``width`` together; shares are fractions of 1."""
    asked = [max(share * width, low) if share else low for share, low in zip(shares, min_content, strict=True)]
    wished = [have if share else want for share, have, want in zip(shares, asked, max_content, strict=True)]
    if width >= sum(wished):
        return _with_excess(width - sum(wished), wished, max_content, shares)
    low, high = (asked, wished) if width >= sum(asked) else (min_content, asked)
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
