"""How high a block will be, without laying it out.

In: a Block, and the styles of what it stands on. Out: a MeasuredBlock, which knows its min-content width, and its
height in any width and type size: those that WeasyPrint would find with templates/_parts/blocks.html and the style
sheets of a GM screen or of cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

from refgen.aids.block.model import (
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
from refgen.aids.chart.model import EM, ChartBlock
from refgen.render import lengths
from refgen.render.lengths import BODY, CARD_TITLE, CHART, HEAD, NOTE, SMALL_PRINT, TITLE, TextStyle
from refgen.render.pieces import COMPUTED
from refgen.render.screen.grid import Cell, Grid, make_grid
from refgen.render.screen.metrics import Face, baseline, width
from refgen.render.screen.words import Words, run_in, words


@dataclass(frozen=True, slots=True)
class BlockStyles:
    """How a block is set: its title, notes, heads, the text of its charts, and the tags in its title and its note.

    Where ``names_wrap``, the names of rows and the figures of facts may take several lines. Charts become so many times
    larger than they are drawn at most (``enlarged``).
    """

    title: TextStyle
    note: TextStyle
    head: TextStyle
    chart: TextStyle
    tag_in_title: TextStyle
    tag_in_note: TextStyle
    names_wrap: bool = False
    enlarged: float = lengths.CHART_ENLARGED


_SMALL_TAG = TextStyle(0.0, TITLE.line_height, SMALL_PRINT)

ON_PANELS = BlockStyles(TITLE, NOTE, HEAD, CHART, _SMALL_TAG, _SMALL_TAG)
"""On GM screens and sheets."""

ON_CARDS = BlockStyles(
    CARD_TITLE,
    replace(NOTE, smallest=0.0),
    replace(HEAD, smallest=0.0),
    TextStyle(lengths.CHART_TEXT, CHART.line_height),
    TextStyle(CARD_TITLE.ems * lengths.TAG_IN_TITLE, CARD_TITLE.line_height),
    TextStyle(NOTE.ems * lengths.TAG_IN_NOTE, NOTE.line_height),
    names_wrap=True,
)
"""On cards, where small text is as small as it comes out."""


@dataclass(frozen=True, slots=True)
class Tag:
    """The tag of what is computed, before a text, or after it and never without its last word."""

    style: TextStyle
    is_before: bool

    def width(self, size: float) -> float:
        """Its width in points in a block in type of ``size`` points."""
        ems = width(COMPUTED, Face.SEMIBOLD) + 2 * lengths.TAG_PADDING
        return self.style.size(size) * ems + 2 * lengths.TAG_BORDER


@dataclass(frozen=True, slots=True)
class MeasuredText:
    """A text in lines, in a face and a style.

    ``indent`` is what its left leaves free, in ems of the block, ``above`` the margin over it in its own ems.
    """

    words: Words
    face: Face
    style: TextStyle
    indent: float = 0.0
    above: float = 0.0
    tag: Tag | None = None

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
        if self.tag is None:
            return 0.0
        beside = 0.0 if self.tag.is_before else self.words.last_and_space * self.style.size(size)
        return self.tag.width(size) + beside

    def height(self, width: float, size: float) -> float:
        """Its height in points in a column ``width`` points wide."""
        em = self.style.size(size)
        ems = (width - self.indent * size) / em
        if self.tag is None:
            return (self.above + self.style.line_height * self.words.lines(ems)) * em
        wide = self.tag.width(size) / em
        lines = self.words.lines_with_tag(ems, wide * self.tag.is_before, wide * (not self.tag.is_before))
        raised = self._raised(self.tag.style.size(size), em)
        return (self.above + self.style.line_height * lines) * em + raised

    def _raised(self, tag_size: float, em: float) -> float:
        """How far a tag reaches over its line, in points."""
        tag = baseline(Face.SEMIBOLD, self.style.line_height) + lengths.TAG_RAISE
        return max(tag * tag_size - baseline(self.face, self.style.line_height) * em, 0.0)


@dataclass(frozen=True, slots=True)
class MeasuredChart:
    """A chart: the width it is drawn for, in em, its height as a share of its width, and how small its text may be."""

    drawn: float
    ratio: float
    text: TextStyle = CHART
    enlarged: float = lengths.CHART_ENLARGED

    def min_content(self, size: float) -> float:
        """The narrowest width in points beside type of ``size`` points: its text is as small as it may be then."""
        return self.drawn * self.text.size(size) / lengths.CHART_TEXT

    def widest_words(self, _size: float) -> str:
        """What is called too wide when it is."""
        return "the chart"

    def height(self, width: float, size: float) -> float:
        """Its height in points in a column ``width`` points wide."""
        return self.ratio * max(min(width, self.enlarged * self.drawn * size), self.min_content(size))


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


def measure_block(block: Block, styles: BlockStyles = ON_PANELS) -> MeasuredBlock:
    """Measure a block, once for all widths and type sizes."""
    parts = (*_title(block, styles), *_running(block), *_drawn(block, styles), *_notes(block, styles))
    return MeasuredBlock(parts, _margins(block, styles))


def _margins(block: Block, styles: BlockStyles) -> float:
    """The margins below the title and between steps."""
    title = styles.title.ems * lengths.TITLE_MARGIN if block.title else 0.0
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


def _title(block: Block, styles: BlockStyles) -> Iterator[MeasuredText]:
    if block.title:
        yield measure_title(block.title, styles, computed=_computed(block))


def measure_title(title: str, styles: BlockStyles = ON_PANELS, *, computed: bool) -> MeasuredText:
    """Measure the title of a block, which wears a tag when the block is ``computed``."""
    tag = Tag(styles.tag_in_title, is_before=False) if computed else None
    return MeasuredText(words(title, Face.SERIF), Face.SERIF, styles.title, tag=tag)


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


def _notes(block: Block, styles: BlockStyles) -> Iterator[MeasuredText]:
    """The note, and the footnotes, each on lines of its own."""
    tagged = _computed(block) and not block.title
    if block.note or tagged:
        tag = Tag(styles.tag_in_note, is_before=True) if tagged else None
        yield MeasuredText(
            words(block.note, Face.REGULAR), Face.REGULAR, styles.note, above=lengths.NOTE_MARGIN, tag=tag
        )
    for number, note in enumerate(block.footnotes):
        above = 0.0 if number else lengths.NOTE_MARGIN
        yield MeasuredText(words(f"{note.sign} {note.text}", Face.REGULAR), Face.REGULAR, styles.note, above=above)


def _computed(block: Block) -> bool:
    return isinstance(block, (TableBlock, ChartBlock)) and block.computed


def _drawn(block: Block, styles: BlockStyles) -> Iterator[Grid | MeasuredChart]:
    """The table, list of facts or chart of a block, if it has one."""
    if isinstance(block, TableBlock):
        yield _table(block, styles)
    elif isinstance(block, FactsBlock):
        yield _facts(block, styles)
    elif isinstance(block, ChartBlock):
        yield MeasuredChart(block.width / EM, block.height / block.width, styles.chart, styles.enlarged)


def _facts(block: FactsBlock, styles: BlockStyles) -> Grid:
    paddings = 2 * lengths.CELL_PADDING_BLOCK, 2 * lengths.CELL_PADDING_INLINE
    rows = [
        (
            Cell((words(title, Face.REGULAR),), True, BODY, *paddings),
            Cell((words(figure, Face.SEMIBOLD),), styles.names_wrap, BODY, *paddings),
        )
        for title, figure in block.facts
    ]
    return make_grid(rows, lengths.HEAD_BORDER + len(rows) * lengths.ROW_BORDER, (0.0, 0.0))


def row_heights(
    block: TableBlock, widths: Sequence[float], size: float, styles: BlockStyles = ON_PANELS
) -> Sequence[float]:
    """How high each row of a table is in points, its head before all others, in columns of these widths."""
    rows = _rows(block, styles)
    heads = len(rows) - len(block.rows)
    return [
        _row_height(row, widths, size) + (lengths.ROW_BORDER if number >= heads else lengths.HEAD_BORDER)
        for number, row in enumerate(rows)
    ]


def _row_height(row: Sequence[Cell], widths: Sequence[float], size: float) -> float:
    style = row[0].style
    em = style.size(size)
    room = [(width - cell.border) / em if cell.wraps else inf for cell, width in zip(row, widths, strict=True)]
    lines = max(cell.lines(width) for cell, width in zip(row, room, strict=True))
    return (row[0].padding_block + lines * style.line_height) * em


def _rows(block: TableBlock, styles: BlockStyles) -> Sequence[Sequence[Cell]]:
    """The cells of all rows, the head first where there is one."""
    heads = [] if block.is_list else [_heads(block.columns, styles)]
    return [*heads, *(_row(row, styles) for row in block.rows)]


def _table(block: TableBlock, styles: BlockStyles) -> Grid:
    rows = _rows(block, styles)
    borders = lengths.HEAD_BORDER * (len(rows) - len(block.rows)) + len(block.rows) * lengths.ROW_BORDER
    percentages = [lengths.BARS if column.align == "bars" else column.share for column in block.columns]
    return make_grid(rows, borders, percentages)


def _heads(columns: Sequence[ShownColumn], styles: BlockStyles) -> list[Cell]:
    borders = _halves([lengths.GROUP_GUTTER if column.gutter else 0.0 for column in columns])
    return [_head(column, border, styles.head) for column, border in zip(columns, borders, strict=True)]


def _row(cells: Sequence[ShownCell], styles: BlockStyles) -> list[Cell]:
    borders = _halves([_border(cell) for cell in cells])
    return [_cell(cell, border, styles) for cell, border in zip(cells, borders, strict=True)]


def _border(cell: ShownCell) -> float:
    """The border on the left of a cell, in points."""
    if cell.gutter:
        return lengths.GROUP_GUTTER
    return lengths.HEAT_BORDER if cell.heat is not None else 0.0


def _halves(borders: Sequence[float]) -> list[float]:
    """What cells with such borders on their left have of them: half of each border beside them."""
    return [(left + right) / 2 for left, right in pairwise([*borders, 0.0])]


def _head(column: ShownColumn, border: float, style: TextStyle) -> Cell:
    texts = (column.title, column.under) if column.under else (column.title,)
    paragraphs = tuple(words(text, Face.SEMIBOLD) for text in texts)
    return Cell(
        paragraphs,
        column.align != "end",
        style,
        2 * lengths.CELL_PADDING_BLOCK,
        2 * lengths.CELL_PADDING_INLINE,
        border,
    )


def _cell(cell: ShownCell, border: float, styles: BlockStyles) -> Cell:
    face = Face.SEMIBOLD if cell.header else Face.REGULAR
    # A sign takes width in a header only; elsewhere it hangs beside its figure.
    behind = lengths.SIGN * width(cell.sign, face) if cell.header else 0.0
    padding_inline = 2 * lengths.CELL_PADDING_INLINE + behind + cell.before + cell.after
    # Cells with bars or heat have no class that says how they are aligned, and so their lines wrap.
    free = cell.align == "start" or cell.bar is not None or cell.heat is not None
    wraps = cell.is_long or (styles.names_wrap if cell.header else free)
    # A sign alone makes a line, too.
    text = cell.text or ("\u2060" if cell.sign else "")
    return Cell((words(text, face),), wraps, BODY, 2 * lengths.CELL_PADDING_BLOCK, padding_inline, border)
