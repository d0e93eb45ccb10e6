"""How high a block will be, without laying it out.

In: a Block. Out: a MeasuredBlock, which knows its min-content width, and its height in any width and type size: those
that WeasyPrint would find with templates/_parts/blocks.html and the style sheets of a GM screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from refgen.aids.blocks import (
    Block,
    FactsBlock,
    GlossaryBlock,
    ListBlock,
    QuoteBlock,
    ShownCell,
    ShownColumn,
    StepsBlock,
    TableBlock,
    TextBlock,
)
from refgen.aids.chart import EM, ChartBlock
from refgen.render import lengths
from refgen.render.lengths import BODY, HEAD, NOTE, SMALL_PRINT, TITLE, TextStyle
from refgen.render.pieces import COMPUTED
from refgen.render.screen.grid import Cell, Grid, make_grid
from refgen.render.screen.metrics import Face, baseline, width
from refgen.render.screen.words import Words, run_in, words


@dataclass(frozen=True, slots=True)
class MeasuredText:
    """A text in lines, in a face and a style.

    ``indent`` is what its left leaves free, in ems of the block, ``above`` the margin over it in its own ems. A tag
    stands ``before`` it, or ``after`` it and never without its last word, so many points wide (0: none).
    """

    words: Words
    face: Face
    style: TextStyle
    indent: float = 0.0
    above: float = 0.0
    before: float = 0.0
    after: float = 0.0

    def min_content(self, size: float) -> float:
        """The narrowest width in points in which its words do not reach out."""
        longest = self.indent * size + self.words.min_content * self.style.size(size)
        return max(longest, self._tagged(size))

    def widest_words(self, size: float) -> str:
        """The word that needs it."""
        longest = self.words.min_content * self.style.size(size)
        return self.words.longest_word if longest >= self._tagged(size) else COMPUTED

    def _tagged(self, size: float) -> float:
        """What the tag needs in points, with the word that it never stands without."""
        beside = self.words.last_and_space * self.style.size(size)
        return max(self.before, self.after and self.after + beside)

    def height(self, width: float, size: float) -> float:
        """Its height in points in a column ``width`` points wide."""
        em = self.style.size(size)
        ems = (width - self.indent * size) / em
        if not (self.before or self.after):
            return (self.above + self.style.line_height * self.words.lines(ems)) * em
        lines = self.words.lines_with_tag(ems, self.before / em, self.after / em)
        return (self.above + self.style.line_height * lines) * em + self._raised(em)

    def _raised(self, em: float) -> float:
        """How far a tag reaches over its line, in points."""
        tag = baseline(Face.SEMIBOLD, self.style.line_height) + lengths.TAG_RAISE
        return max(tag * SMALL_PRINT - baseline(self.face, self.style.line_height) * em, 0.0)


@dataclass(frozen=True, slots=True)
class MeasuredChart:
    """A chart: the width it is drawn for, in em, and its height as a share of its width."""

    drawn: float
    ratio: float

    def min_content(self, size: float) -> float:
        """The narrowest width in points beside type of ``size`` points: its text is as small as it may be then."""
        return self.drawn * lengths.CHART.size(size) / lengths.CHART_TEXT

    def widest_words(self, _size: float) -> str:
        """What is called too wide when it is."""
        return "the chart"

    def height(self, width: float, size: float) -> float:
        """Its height in points in a column ``width`` points wide."""
        return self.ratio * max(min(width, lengths.CHART_ENLARGED * self.drawn * size), self.min_content(size))


@dataclass(frozen=True, slots=True)
class MeasuredBlock:
    """A block whose words are measured: its parts from top to bottom, and the margins between them, in em."""

    parts: tuple[MeasuredText | Grid | MeasuredChart, ...]
    margins: float

    def height(self, width: float, size: float) -> float:
        """Its height in points in a column ``width`` points wide, in type of ``size`` points, without gaps around it.

        In a column that is too narrow, its words reach out and its height is that of the min-content width.
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
        """The width in points from which on no line of its table breaks; infinite for other blocks."""
        return next((part.max_content(size) for part in self.parts if isinstance(part, Grid)), inf)

    def column_widths(self, width: float, size: float) -> Sequence[float]:
        """How wide the columns of its table become where that is ``width`` points wide; none for other blocks."""
        return next((part.column_widths(width, size) for part in self.parts if isinstance(part, Grid)), ())


def measure_block(block: Block) -> MeasuredBlock:
    """Measure a block, once for all widths and type sizes."""
    return MeasuredBlock((*_title(block), *_running(block), *_drawn(block), *_notes(block)), _margins(block))


def _margins(block: Block) -> float:
    """The margins below the title and between steps."""
    title = TITLE.ems * lengths.TITLE_MARGIN if block.title else 0.0
    return title + max(_entries(block) - 1, 0) * lengths.STEP_MARGIN


def _entries(block: Block) -> int:
    """How many texts stand one below the other with a margin between them."""
    if isinstance(block, StepsBlock):
        return len(block.steps)
    if isinstance(block, ListBlock):
        return len(block.items)
    if isinstance(block, GlossaryBlock):
        return len(block.terms)
    return len(block.paragraphs) if isinstance(block, QuoteBlock) else 0


def _title(block: Block) -> Iterator[MeasuredText]:
    if block.title:
        after = _tag() if _computed(block) else 0.0
        yield MeasuredText(words(block.title, Face.SERIF), Face.SERIF, TITLE, after=after)


def _running(block: Block) -> Iterator[MeasuredText]:
    if isinstance(block, StepsBlock | ListBlock):
        for step in block.steps if isinstance(block, StepsBlock) else block.items:
            yield MeasuredText(words(step, Face.REGULAR), Face.REGULAR, BODY, indent=lengths.STEP_INDENT)
    elif isinstance(block, GlossaryBlock):
        for term, text in block.terms:
            both = run_in(words(term, Face.SEMIBOLD), words(text, Face.REGULAR))
            yield MeasuredText(both, Face.REGULAR, BODY)
    elif isinstance(block, QuoteBlock):
        for paragraph in block.paragraphs:
            indent = lengths.QUOTE_INDENT + lengths.QUOTE_BORDER
            yield MeasuredText(words(paragraph, Face.REGULAR), Face.REGULAR, BODY, indent=indent)
    elif isinstance(block, TextBlock):
        yield MeasuredText(words(block.text, Face.REGULAR), Face.REGULAR, BODY)


def _notes(block: Block) -> Iterator[MeasuredText]:
    """The note, and the footnotes, each on lines of its own."""
    tagged = _computed(block) and not block.title
    if block.note or tagged:
        before = _tag() if tagged else 0.0
        yield MeasuredText(
            words(block.note, Face.REGULAR), Face.REGULAR, NOTE, above=lengths.NOTE_MARGIN, before=before
        )
    for number, note in enumerate(block.footnotes):
        above = 0.0 if number else lengths.NOTE_MARGIN
        yield MeasuredText(words(f"{note.sign} {note.text}", Face.REGULAR), Face.REGULAR, NOTE, above=above)


def _computed(block: Block) -> bool:
    return isinstance(block, (TableBlock, ChartBlock)) and block.computed


def _tag() -> float:
    """The width of a tag in points."""
    return SMALL_PRINT * (width(COMPUTED, Face.SEMIBOLD) + 2 * lengths.TAG_PADDING) + 2 * lengths.TAG_BORDER


def _drawn(block: Block) -> Iterator[Grid | MeasuredChart]:
    """The table, list of facts or chart of a block, if it has one."""
    if isinstance(block, TableBlock):
        yield _table(block)
    elif isinstance(block, FactsBlock):
        yield _facts(block)
    elif isinstance(block, ChartBlock):
        yield MeasuredChart(block.width / EM, block.height / block.width)


def _facts(block: FactsBlock) -> Grid:
    paddings = 2 * lengths.CELL_PADDING_BLOCK, 2 * lengths.CELL_PADDING_INLINE
    rows = [
        (
            Cell((words(title, Face.REGULAR),), True, BODY, *paddings),
            Cell((words(figure, Face.SEMIBOLD),), False, BODY, *paddings),
        )
        for title, figure in block.facts
    ]
    return make_grid(rows, lengths.HEAD_BORDER + len(rows) * lengths.ROW_BORDER, (0.0, 0.0))


def _table(block: TableBlock) -> Grid:
    rows = [*([_heads(block.columns)] if not block.is_list else []), *map(_row, block.rows)]
    borders = lengths.HEAD_BORDER * (not block.is_list) + len(block.rows) * lengths.ROW_BORDER
    percentages = [lengths.BARS if column.align == "bars" else column.share for column in block.columns]
    return make_grid(rows, borders, percentages)


def _heads(columns: Sequence[ShownColumn]) -> list[Cell]:
    borders = _halves([lengths.GROUP_GUTTER if column.gutter else 0.0 for column in columns])
    return [_head(column, border) for column, border in zip(columns, borders, strict=True)]


def _row(cells: Sequence[ShownCell]) -> list[Cell]:
    borders = _halves([_border(cell) for cell in cells])
    return [_cell(cell, border) for cell, border in zip(cells, borders, strict=True)]


def _border(cell: ShownCell) -> float:
    """The border on the left of a cell, in points."""
    if cell.gutter:
        return lengths.GROUP_GUTTER
    return lengths.HEAT_BORDER if cell.heat is not None else 0.0


def _halves(borders: Sequence[float]) -> list[float]:
    """What cells with such borders on their left have of them: half of each border beside them."""
    return [(left + right) / 2 for left, right in pairwise([*borders, 0.0])]


def _head(column: ShownColumn, border: float) -> Cell:
    texts = (column.title, column.under) if column.under else (column.title,)
    paragraphs = tuple(words(text, Face.SEMIBOLD) for text in texts)
    return Cell(
        paragraphs, column.align != "end", HEAD, 2 * lengths.CELL_PADDING_BLOCK, 2 * lengths.CELL_PADDING_INLINE, border
    )


def _cell(cell: ShownCell, border: float) -> Cell:
    face = Face.SEMIBOLD if cell.header else Face.REGULAR
    # A sign takes width in a header only; elsewhere it hangs beside its figure.
    behind = lengths.SIGN * width(cell.sign, face) if cell.header else 0.0
    padding_inline = 2 * lengths.CELL_PADDING_INLINE + behind + cell.before + cell.after
    # Cells with bars or heat have no class that says how they are aligned, and so their lines wrap.
    free = cell.align == "start" or cell.bar is not None or cell.heat is not None
    wraps = cell.is_long or (free and not cell.header)
    # A sign alone makes a line, too.
    text = cell.text or ("\u2060" if cell.sign else "")
    return Cell((words(text, face),), wraps, BODY, 2 * lengths.CELL_PADDING_BLOCK, padding_inline, border)
