"""The pages of a booklet: the lengths of their paper, the items on them, and tables set no wider than a page.

In: tables. Out: BookletPages, whose items the template prints and read-back finds; SetTables: each table in smaller
type, folded, or in parts by its columns, with the height of each row. Lengths are in points where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from refgen.aids.booklet.model import LinkedText
from refgen.blocks.measure import MeasuredBlock
from refgen.blocks.table_block import TableBlock, folded_table
from refgen.errors import RenderError
from refgen.layout.lengths import GROUP_GUTTER, MILLIMETRE, TypeSizes
from refgen.layout.page_format import PAPER_SIZES, Paper

LAID_OUT = Paper.A5
"""Booklets are laid out for this paper; on other papers the same pages stand in the middle of the sheet."""

PAGE = PAPER_SIZES[LAID_OUT]

SIDE = 15.0
"""Millimetres of A5 left and right of the text area."""

WIDTH = (PAGE[0] - 2 * SIDE) * MILLIMETRE
"""The width of the text area in points."""

ABOVE, BELOW = 17.0, 15.0
"""Millimetres of A5 over the text area, with the head of the page, and under it, with its number."""

HEIGHT = (PAGE[1] - ABOVE - BELOW) * MILLIMETRE
"""The height of the text area in points."""

SIZE = 9.0
"""The type size of a booklet, in points."""

HEAD = 8.0
"""The type size of running heads and page numbers."""

TABLE_SIZES = (9.0, 8.5, 8.0, 7.5)
"""The type sizes of tables, the largest first: a table that is too wide in the smallest is split by its columns."""

GAP = 11.0
"""Points over the title of a table."""

CHAPTER_GAP = 20.0
"""Points over the title of a chapter."""

CHAPTER_SIZE, CHAPTER_BELOW = 15.0, 7.0
"""The type size of the title of a chapter, and the points below the title, with a rule."""

LINE = 1.3
"""The height of a line of the contents, in ems, without the space over a chapter."""

CHAPTER_ABOVE = 0.25
"""Ems over a chapter in the contents."""


@dataclass(frozen=True, slots=True)
class Cover:
    """The first page: the lines under the title of the game."""

    lines: tuple[str, ...]
    kind: str = "cover"


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a chapter, or of the contents."""

    text: str
    anchor: str
    kind: str = "heading"


@dataclass(frozen=True, slots=True)
class ContentsLine:
    """A line of the contents: a chapter or a table, and its page."""

    title: str
    anchor: str
    page: int
    is_chapter: bool


@dataclass(frozen=True, slots=True)
class ContentsLines:
    """Some lines of the contents."""

    lines: tuple[ContentsLine, ...]
    kind: str = "contents"


@dataclass(frozen=True, slots=True)
class TableTitle:
    """The title of a table; ``anchor`` is "" where the table is continued from the page before.

    ``continued`` is the title there.
    """

    text: str
    anchor: str
    tag: str
    continued: str
    kind: str = "title"

    @property
    def words(self) -> str:
        """The words of the title."""
        return self.text if self.anchor else self.continued


@dataclass(frozen=True, slots=True)
class TableSlice(TypeSizes):
    """Rows of a table, in columns of these ``widths`` (points), in type of ``size`` points."""

    block: TableBlock
    widths: tuple[float, ...]
    size: float
    kind: str = "slice"

    @property
    def width(self) -> float:
        """The width of all columns together, in points."""
        return round(sum(self.widths), 2)


@dataclass(frozen=True, slots=True)
class TableNote:
    """A line under a table; a footnote begins with its ``sign``."""

    words: tuple[LinkedText, ...]
    sign: str = ""
    kind: str = "note"

    @property
    def text(self) -> str:
        """The words of the note."""
        return "".join(part.text for part in self.words)


Item = Cover | Heading | ContentsLines | TableTitle | TableSlice | TableNote


@dataclass(frozen=True, slots=True)
class PlacedItem:
    """An item on a page, so many points below the item ``above`` it."""

    item: Item
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class BookletPage:
    """A page: the number, counted from 0, the chapter in the running head, and the items from top to bottom."""

    number: int
    chapter: str
    items: tuple[PlacedItem, ...]


FOLDED_ROWS = 8
"""The fewest rows of a table that may be folded."""

MOST_GROUPS = 3
"""The most groups of rows side by side in a folded table."""

FOLDED_HEIGHT = 0.6
"""The greatest height of a folded table, as a share of a page: a folded table is not broken over pages."""

EASILY_READ = 64.0
"""The greatest width in points that a column of words wants: longer lines break."""

SLACK = 1.5
"""Points added to the estimated width of a table, since an estimate may be a little too narrow."""


@dataclass(frozen=True, slots=True)
class SetTable:
    """A table, or some of its columns: the column widths, the type size, and the heights of the head and the rows.

    A ``whole`` table is not broken over pages.
    """

    block: TableBlock
    widths: tuple[float, ...]
    size: float
    head: float
    rows: tuple[float, ...]
    whole: bool = False

    def slice(self, start: int, stop: int) -> TableSlice:
        """The rows from ``start`` to before ``stop``."""
        return TableSlice(replace(self.block, rows=self.block.rows[start:stop]), self.widths, self.size)


def set_table(block: TableBlock) -> list[SetTable]:
    """Set a table. Raises RenderError when a column fits no page beside the columns that name the rows."""
    block = replace(block, title="", note="", footnotes=())
    folded = _folded_if_long(block)
    if folded is not None:
        return [folded]
    return [_set_in_size(part, size) for part, size in _parts(block)]


def _set_in_size(block: TableBlock, size: float, *, whole: bool = False) -> SetTable:
    measured = block.measure()
    width = min(measured.max_content(size) + SLACK, WIDTH)
    widths = tuple(round(each, 2) for each in measured.column_widths(width, size))
    head, *rows = block.row_heights(widths, size) if block.has_heads else (0.0, *block.row_heights(widths, size))
    return SetTable(block, widths, size, head, tuple(rows), whole)


def _folded_if_long(block: TableBlock) -> SetTable | None:
    """A long narrow table with its rows in groups side by side; None where folding does not help."""
    size = TABLE_SIZES[0]
    if len(block.rows) < FOLDED_ROWS or block.is_list:
        return None
    beside = block.measure().max_content(size) + GROUP_GUTTER
    groups = min(int((WIDTH + GROUP_GUTTER - SLACK) / beside), MOST_GROUPS)
    if groups < 2:
        return None
    made = _set_in_size(folded_table(block, groups), size, whole=True)
    return made if made.head + sum(made.rows) <= FOLDED_HEIGHT * HEIGHT and sum(made.widths) <= WIDTH else None


def _parts(block: TableBlock) -> Iterator[tuple[TableBlock, float]]:
    """The table with its largest type size that is no wider than a page, or parts of it in the smallest size."""
    measured = block.measure()
    fitting = [size for size in TABLE_SIZES if measured.min_content(size) <= WIDTH]
    if fitting:
        yield block, next((size for size in fitting if sum(_wanted_widths(measured, size)) <= WIDTH), fitting[-1])
        return
    yield from ((part, TABLE_SIZES[-1]) for part in _parts_by_columns(block, measured))


def _parts_by_columns(block: TableBlock, measured: MeasuredBlock) -> Iterator[TableBlock]:
    """Parts of a table that are no wider than a page, each with the columns that name the rows."""
    named = _naming_columns(block)
    others = [number for number in range(len(block.columns)) if number not in named]
    for least in (_wanted_widths(measured, TABLE_SIZES[-1]), measured.column_widths(0, TABLE_SIZES[-1])):
        room = WIDTH - sum(least[number] for number in named)
        if all(least[number] <= room for number in others):
            break
    if not others or any(least[number] > room for number in others):
        raise RenderError(
            f"a table is too wide for a booklet: {measured.widest_words}", hint="Print it in shorter words."
        )
    dealt = list(_column_groups(others, least, room))
    even = max(sum(least[number] for number in others) / len(dealt), max(least[number] for number in others))
    evenly = list(_column_groups(others, least, even))
    for part in evenly if len(evenly) == len(dealt) else dealt:
        yield _with_columns(block, sorted([*named, *part]))


def _wanted_widths(measured: MeasuredBlock, size: float) -> list[float]:
    """The wanted width of each column: words in one line, but no wider than is easily read."""
    least, most = measured.column_widths(0, size), measured.column_widths(measured.max_content(size), size)
    return [max(low, min(high, EASILY_READ)) for low, high in zip(least, most, strict=True)]


def _naming_columns(block: TableBlock) -> list[int]:
    """The columns that name the rows: the row headers, and as many of the first columns as tell all rows apart."""
    named = [next((number for number, cell in enumerate(block.rows[0]) if cell.header), 0)]
    for number in range(len(block.columns) - 1):
        if len({tuple(row[column].text for column in named) for row in block.rows}) == len(block.rows):
            break
        if number not in named:
            named.append(number)
    else:
        return named[:1]
    return named


def _column_groups(columns: Sequence[int], widths: Sequence[float], room: float) -> Iterator[list[int]]:
    """Columns in groups, each with as many columns as ``room`` (points) allows."""
    part: list[int] = []
    for column in columns:
        if part and sum(widths[each] for each in (*part, column)) > room:
            yield part
            part = []
        part.append(column)
    yield part


def _with_columns(block: TableBlock, columns: Sequence[int]) -> TableBlock:
    rows = tuple(tuple(row[column] for column in columns) for row in block.rows)
    return replace(block, columns=tuple(block.columns[column] for column in columns), rows=rows)
