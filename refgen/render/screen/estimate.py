"""How high a block will be, without laying it out.

In: a Block. Out: a Measured, which knows the narrowest width the block can stand in, and its height in any width and
type size: those that WeasyPrint would find with templates/_parts/blocks.html and the style sheets of a GM screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from refgen.aids.blocks import Block, FactsBlock, ShownCell, ShownColumn, StepsBlock, TableBlock, TextBlock
from refgen.aids.chart import EM, ChartBlock
from refgen.render import lengths
from refgen.render.lengths import BODY, HEAD, NOTE, SMALL_PRINT, TITLE, TextStyle
from refgen.render.pieces import COMPUTED
from refgen.render.screen.grid import Cell, Grid, make_grid
from refgen.render.screen.metrics import Face, baseline, width
from refgen.render.screen.words import Words, words


@dataclass(frozen=True, slots=True)
class Text:
    """A text in lines, set in a face and a type.

    ``indent`` is the room at its left that is not for it, in ems of the block, ``above`` the room over it in its own
    ems. A tag stands ``before`` it, or ``after`` it and never without its last word, so many points wide (0: none).
    """

    words: Words
    face: Face
    style: TextStyle
    indent: float = 0.0
    above: float = 0.0
    before: float = 0.0
    after: float = 0.0

    def least(self, size: float) -> float:
        """The narrowest width in points in which its words do not reach out."""
        longest = self.indent * size + self.words.longest * self.style.size(size)
        return max(longest, self._tagged(size))

    def widest(self, size: float) -> str:
        """The word that needs it."""
        return self.words.word if self.words.longest * self.style.size(size) >= self._tagged(size) else COMPUTED

    def _tagged(self, size: float) -> float:
        """What the tag needs in points, with the word that it never stands without."""
        beside = self.words.last_and_space * self.style.size(size)
        return max(self.before, self.after and self.after + beside)

    def height(self, width: float, size: float) -> float:
        """Its height in points in a column ``width`` points wide."""
        em = self.style.size(size)
        room = (width - self.indent * size) / em
        if not (self.before or self.after):
            return (self.above + self.style.line_height * self.words.lines(room)) * em
        lines = self.words.lines_with_tag(room, self.before / em, self.after / em)
        return (self.above + self.style.line_height * lines) * em + self._raised(em)

    def _raised(self, em: float) -> float:
        """How far a tag reaches over its line, in points."""
        tag = baseline(Face.SEMIBOLD, self.style.line_height) + lengths.TAG_RAISE
        return max(tag * SMALL_PRINT - baseline(self.face, self.style.line_height) * em, 0.0)


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart: the width it is drawn for, in em, and its height as a share of its width."""

    drawn: float
    ratio: float

    def least(self, size: float) -> float:
        """The narrowest width in points beside type of ``size`` points: its text is as small as it may be then."""
        return self.drawn * lengths.CHART.size(size) / lengths.CHART_TEXT

    def height(self, width: float, size: float) -> float:
        """Its height in points in a column ``width`` points wide."""
        return self.ratio * max(min(width, lengths.CHART_ENLARGED * self.drawn * size), self.least(size))


@dataclass(frozen=True, slots=True)
class Measured:
    """A block whose words are measured.

    ``least`` is the narrowest width in em in which nothing overflows, in type of SMALL_PRINT points or larger, and
    ``widest`` the words that need it. The rest are its parts: ``between`` is the margins between them, in em.
    """

    least: float
    widest: str
    texts: tuple[Text, ...]
    grid: Grid | None
    picture: Picture | None
    between: float

    def height(self, width: float, size: float) -> float:
        """Its height in points in a column ``width`` points wide, in type of ``size`` points, without gaps around it.

        In a column that is too narrow, its words reach out and its height is that of the narrowest width.
        """
        height = self.between * size + sum(text.height(width, size) for text in self.texts)
        if self.grid is not None:
            height += self.grid.height(width, size)
        if self.picture is not None:
            height += self.picture.height(width, size)
        return height

    def narrowest(self, size: float) -> float:
        """The narrowest width in points in which nothing overflows in type of ``size`` points.

        Small print has a least size, and borders have one only: in ems, larger type needs a little less than ``least``.
        """
        return max(need for need, _ in _needs(self.texts, self.grid, self.picture, size))

    def snug(self, size: float) -> float:
        """The width in points from which on no line of its table breaks; infinite for other blocks."""
        return self.grid.calm(size) if self.grid is not None else inf


def measure_block(block: Block) -> Measured:
    """Measure a block, once for all widths and type sizes."""
    texts = (*_title(block), *_running(block), *_notes(block))
    grid, picture = _grid(block), _picture(block)
    least, widest = max(_needs(texts, grid, picture, SMALL_PRINT), key=lambda need: need[0])
    return Measured(least / SMALL_PRINT, widest, texts, grid, picture, _margins(block))


def _needs(
    texts: Sequence[Text], grid: Grid | None, picture: Picture | None, size: float
) -> Iterator[tuple[float, str]]:
    """The narrowest width of each part in points, and the words that need it."""
    yield 0.0, ""
    for text in texts:
        yield text.least(size), text.widest(size)
    if grid is not None:
        words_of = [column.widest(size) for column in grid.columns]
        yield grid.least(size), " | ".join(filter(None, words_of))
    if picture is not None:
        yield picture.least(size), "the chart"


def _margins(block: Block) -> float:
    """The room below the title and between steps."""
    title = TITLE.ems * lengths.TITLE_MARGIN if block.title else 0.0
    steps = (len(block.steps) - 1) * lengths.STEP_MARGIN if isinstance(block, StepsBlock) else 0.0
    return title + steps


def _title(block: Block) -> Iterator[Text]:
    if block.title:
        after = _tag() if _computed(block) else 0.0
        yield Text(words(block.title, Face.SERIF), Face.SERIF, TITLE, after=after)


def _running(block: Block) -> Iterator[Text]:
    if isinstance(block, StepsBlock):
        for step in block.steps:
            yield Text(words(step, Face.REGULAR), Face.REGULAR, BODY, indent=lengths.STEP_INDENT)
    elif isinstance(block, TextBlock):
        yield Text(words(block.text, Face.REGULAR), Face.REGULAR, BODY)


def _notes(block: Block) -> Iterator[Text]:
    """The note, and the footnotes, each on lines of its own."""
    tagged = _computed(block) and not block.title
    if block.note or tagged:
        before = _tag() if tagged else 0.0
        yield Text(words(block.note, Face.REGULAR), Face.REGULAR, NOTE, above=lengths.NOTE_MARGIN, before=before)
    for number, note in enumerate(block.footnotes):
        above = 0.0 if number else lengths.NOTE_MARGIN
        yield Text(words(f"{note.sign} {note.text}", Face.REGULAR), Face.REGULAR, NOTE, above=above)


def _computed(block: Block) -> bool:
    return isinstance(block, (TableBlock, ChartBlock)) and block.computed


def _tag() -> float:
    """The width of a tag in points."""
    return SMALL_PRINT * (width(COMPUTED, Face.SEMIBOLD) + 2 * lengths.TAG_PADDING) + 2 * lengths.TAG_BORDER


def _picture(block: Block) -> Picture | None:
    return Picture(block.width / EM, block.height / block.width) if isinstance(block, ChartBlock) else None


def _grid(block: Block) -> Grid | None:
    if isinstance(block, TableBlock):
        return _table(block)
    return _facts(block) if isinstance(block, FactsBlock) else None


def _facts(block: FactsBlock) -> Grid:
    above, beside = 2 * lengths.CELL_PADDING_BLOCK, 2 * lengths.CELL_PADDING_INLINE
    rows = [
        (
            Cell((words(title, Face.REGULAR),), True, BODY, above, beside),
            Cell((words(figure, Face.SEMIBOLD),), False, BODY, above, beside),
        )
        for title, figure in block.facts
    ]
    return make_grid(rows, lengths.HEAD_BORDER + len(rows) * lengths.ROW_BORDER, (0.0, 0.0))


def _table(block: TableBlock) -> Grid:
    rows = [_heads(block.columns), *map(_row, block.rows)]
    borders = lengths.HEAD_BORDER + len(block.rows) * lengths.ROW_BORDER
    shares = [lengths.BARS if column.align == "bars" else column.share for column in block.columns]
    return make_grid(rows, borders, shares)


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
    """What cells with such borders on their left have of them: half of their own, and half of their neighbour's."""
    return [(left + right) / 2 for left, right in pairwise([*borders, 0.0])]


def _head(column: ShownColumn, border: float) -> Cell:
    texts = (column.title, column.under) if column.under else (column.title,)
    paragraphs = tuple(words(text, Face.SEMIBOLD) for text in texts)
    return Cell(
        paragraphs, column.align != "end", HEAD, 2 * lengths.CELL_PADDING_BLOCK, 2 * lengths.CELL_PADDING_INLINE, border
    )


def _cell(cell: ShownCell, border: float) -> Cell:
    face = Face.SEMIBOLD if cell.header else Face.REGULAR
    # A sign takes room in a header only; elsewhere it hangs beside its figure.
    behind = lengths.SIGN * width(cell.sign, face) if cell.header else 0.0
    beside = 2 * lengths.CELL_PADDING_INLINE + behind + cell.before + cell.after
    # Cells with bars or heat have no class that says how they are aligned, and so may break.
    free = cell.align == "start" or cell.bar is not None or cell.heat is not None
    breaks = cell.is_long or (free and not cell.header)
    # A sign alone makes a line, too.
    text = cell.text or ("\u2060" if cell.sign else "")
    return Cell((words(text, face),), breaks, BODY, 2 * lengths.CELL_PADDING_BLOCK, beside, border)
