"""The height of a block, without laying the block out.

In: the texts of a block, and the styles of the page. Out: measured parts, and a MeasuredBlock of measured parts, which
knows its min-content width, and its height in any width and type size, as WeasyPrint finds with the templates of blocks
and the style sheets of a GM screen or of cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Protocol

from refgen.layout import lengths
from refgen.layout.lengths import BODY, CARD_TITLE, CHART, HEAD, NOTE, SMALL_PRINT, TITLE, TextStyle
from refgen.layout.metrics import Face
from refgen.layout.sizing import BreakableText, MeasuredTable, breakable_text


@dataclass(frozen=True, slots=True)
class BlockStyles:
    """The styles of the texts of a block: title, notes, heads of tables, text of charts.

    If ``names_wrap``, the names of rows and the figures of facts may take several lines. ``enlarged`` is the most by
    which the width of a chart is multiplied.
    """

    title: TextStyle
    note: TextStyle
    head: TextStyle
    chart: TextStyle
    names_wrap: bool = False
    enlarged: float = lengths.CHART_ENLARGED


ON_PANELS = BlockStyles(TITLE, NOTE, HEAD, CHART)
"""The styles on GM screens and sheets."""

ON_CARDS = BlockStyles(
    CARD_TITLE,
    replace(NOTE, smallest=0.0),
    replace(HEAD, smallest=0.0),
    TextStyle(lengths.CHART_TEXT, CHART.line_height),
    names_wrap=True,
)
"""The styles on cards, where small text has no least size."""


@dataclass(frozen=True, slots=True)
class MeasuredText:
    """A text in lines, in a style.

    ``indent`` is the space on the left of the text in em of the block, ``above`` the margin over the text in its em.
    """

    words: BreakableText
    style: TextStyle
    indent: float = 0.0
    above: float = 0.0

    def min_content(self, size: float) -> float:
        """The least width in points in which no word overflows."""
        return self.indent * size + self.words.min_content * self.style.size(size)

    def widest_words(self, size: float) -> str:  # noqa: ARG002
        """The word that needs the min-content width."""
        return self.words.longest_word

    def height(self, width: float, size: float) -> float:
        """The height in points in a column ``width`` points wide."""
        em = self.style.size(size)
        return (self.above + self.style.line_height * self.words.lines((width - self.indent * size) / em)) * em


class MeasuredContent(Protocol):
    """Content of a block that is measured: lines of text, a table, a drawing."""

    def min_content(self, size: float) -> float:
        """The narrowest width in points in which nothing overflows, in a block in type of ``size`` points."""

    def widest_words(self, size: float) -> str:
        """The words that need the min-content width."""

    def height(self, width: float, size: float) -> float:
        """The height in points in a column ``width`` points wide."""


@dataclass(frozen=True, slots=True)
class MeasuredBlock:
    """A block whose words are measured: its parts from top to bottom, and the margins between them, in em."""

    parts: tuple[MeasuredContent, ...]
    margins: float

    def height(self, width: float, size: float) -> float:
        """The height in points in a column ``width`` points wide and type of ``size`` points, without outer gaps.

        In a column narrower than the min-content width, words overflow, and the height is that of the min-content
        width.
        """
        return self.margins * size + sum(part.height(width, size) for part in self.parts)

    def min_content(self, size: float) -> float:
        """The narrowest width in points in which nothing overflows in type of ``size`` points.

        Small print is never smaller, and borders are as wide in all sizes: in ems, larger type needs a little less.
        """
        return max((part.min_content(size) for part in self.parts), default=0.0)

    @property
    def widest_words(self) -> str:
        """The words that need the min-content width in the smallest type."""
        widest = max(self.parts, key=lambda part: part.min_content(SMALL_PRINT), default=None)
        return widest.widest_words(SMALL_PRINT) if widest else ""

    def max_content(self, size: float) -> float:
        """The least width in points at which no line of the table breaks; infinite for a block without table."""
        return next((part.max_content(size) for part in self.parts if isinstance(part, MeasuredTable)), inf)

    def column_widths(self, width: float, size: float) -> Sequence[float]:
        """The column widths of the table, if the table is ``width`` points wide; none for a block without table."""
        return next((part.column_widths(width, size) for part in self.parts if isinstance(part, MeasuredTable)), ())


def measure_title(title: str, styles: BlockStyles = ON_PANELS) -> MeasuredText:
    """Measure the title of a block."""
    return MeasuredText(breakable_text(title, Face.SERIF), styles.title)


def measure_text(text: str, indent: float = 0.0) -> MeasuredText:
    """Measure a text in the type of the block; ``indent`` is the space on the left of the text, in em."""
    return MeasuredText(breakable_text(text, Face.REGULAR), BODY, indent)


def measure_note(text: str, styles: BlockStyles, *, above: float) -> MeasuredText:
    """Measure a note with the margin ``above`` in em of the note."""
    return MeasuredText(breakable_text(text, Face.REGULAR), styles.note, above=above)
