"""Pandoc's tables in Markdown: columns under dashes, rows of one line or of several, and grids drawn with + and |.

In: a state of markdown-it-py's block parser, at the first line of a block. Out: for a table, a token ``pandoc_table``
with its cells, and an inline token for each cell; of these tokens, a Grid, in which each cell has its place.

    Right   Left            -------------            +-----+------+
    ------- ------          Right  Left              | a   | b    |
         12 12              ------ ------            +=====+======+
        123 123                 12 one               | one | two  |
                                   row               +-----+      |
                            -------------            | 3   |      |
                                                     +-----+------+

Columns are as wide as the dashes show; letters of East Asia take two columns. Where a word reaches over the edge of its
column, the lines are no table, and stay text. In a cell, ``--`` is a dash (–) and ``---`` a long one (—).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice, pairwise
from unicodedata import east_asian_width

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from refgen.limits import limits
from refgen.readers.document import Grid, Note, RawCell
from refgen.readers.grids import EvenRows, SpanningCell, fill_spans, is_blank
from refgen.readers.markdown_words import visible_text
from refgen.source import Lines, Passage, plain_text

PANDOC_TABLE = "pandoc_table"
"""The type of the token before the cells of a table."""

_COLUMNS = re.compile(r" {0,3}-{2,}(?: +-{2,})+ *")
_RULE = re.compile(r" {0,3}-{3,} *")
_BORDER = re.compile(r" {0,3}\+(?:[-=:]+\+)+ *")
_NO_DRAWING = "refgen: lines that are no drawing"
_HEAD_LINES = 20
"""The most lines that the head of a table may have."""


@dataclass(frozen=True, slots=True)
class CellPiece:
    """The part of a cell on one line: the number of the line, where the part starts and ends, and its words."""

    line: int
    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class TableCell:
    """The pieces of a cell, at least one; a blank cell has a blank piece. The cell may cover rows and columns."""

    pieces: Sequence[CellPiece]
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The rows of a table, how many of them are its head, and the line after the table."""

    rows: Sequence[Sequence[TableCell]]
    head: int
    end: int


@dataclass(frozen=True, slots=True)
class _TextLine:
    """A line of a block: its number, its text, and where the text starts in the line of the document."""

    number: int
    text: str
    offset: int

    def cut(self, start: int, end: int | None) -> CellPiece:
        """The words between two columns of the screen; ``end`` None: up to the end of the line."""
        first = self._position_at(start)
        last = len(self.text) if end is None else self._position_at(end)
        words = self.text[first:last]
        first += len(words) - len(words.lstrip()) if words.strip() else 0
        words = words.strip()
        return CellPiece(self.number, self.offset + first, self.offset + first + len(words), words)

    def parts_words(self, column: int) -> bool:
        """Whether a word reaches over the edge before a column of the screen."""
        at = self._position_at(column)
        return 0 < at < len(self.text) and not self.text[at - 1].isspace() and not self.text[at].isspace()

    def _position_at(self, column: int) -> int:
        """The position of a column of the screen in the text."""
        if self.text.isascii():
            return min(column, len(self.text))
        ends = accumulate(2 if east_asian_width(letter) in "WF" else 1 for letter in self.text)
        return next((position for position, end in enumerate(ends) if end > column), len(self.text))


def pandoc_table(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """The rule for the block parser of markdown-it-py."""
    start = state.bMarks[first] + state.tShift[first]
    if state.src[start : start + 1] not in ("-", "+"):  # most blocks are left here: a table has dashes above or below
        below = first + 1
        if below >= end or state.src[state.bMarks[below] + state.tShift[below] :][:2] != "--":
            return False
    layout = _layout(_BlockLines(state, end), first)
    if layout is None or silent:
        return layout is not None
    _push(state, first, layout)
    state.line = layout.end
    return True


def _push(state: StateBlock, first: int, layout: TableLayout) -> None:
    token = state.push(PANDOC_TABLE, "table", 0)
    token.map, token.meta = [first, layout.end], {"layout": layout}
    for cell in (cell for row in layout.rows for cell in row):
        words = state.push("inline", "", 0)
        words.content, words.children = "\n".join(piece.words for piece in cell.pieces), []
    state.push("table_close", "table", 0)


@dataclass(frozen=True, slots=True)
class _BlockLines:
    """The lines of the block around a table, by number, up to the end of the quote or list that holds the block."""

    state: StateBlock
    end: int

    def __getitem__(self, number: int) -> _TextLine | None:
        """A line; None after the last line."""
        state = self.state
        if number >= self.end or (state.sCount[number] < state.blkIndent and not state.isEmpty(number)):
            return None
        start, shift = state.bMarks[number], state.tShift[number]
        text = (" " * shift + state.src[start + shift : state.eMarks[number]])[state.blkIndent :]
        offset = start - (state.src.rfind("\n", 0, start) + 1) + state.blkIndent
        return _TextLine(number, text.rstrip(), offset)

    def while_true(self, number: int, wanted: Callable[[str], object]) -> Iterator[_TextLine]:
        """The lines from a number on, as long as their text is ``wanted``."""
        while (line := self[number]) is not None and wanted(line.text):
            yield line
            number += 1

    def drawing(self, first: int) -> TableLayout | None:
        """The drawn table that starts on a line; none within lines that were tried and are no drawing."""
        tried = self.state.env.get(_NO_DRAWING, range(0))
        if first in tried:
            return None
        drawn = list(self.while_true(first, _is_drawn))
        layout = _drawn_table(drawn)
        if layout is None:
            self.state.env[_NO_DRAWING] = range(first, drawn[-1].number + 1)
        return layout


def _layout(lines: _BlockLines, first: int) -> TableLayout | None:
    """The table that starts on a line, if one does."""
    above, below = lines[first], lines[first + 1]
    if above is None or below is None or not below.text:
        return None
    if _BORDER.fullmatch(above.text):
        return lines.drawing(first)
    if _COLUMNS.fullmatch(above.text):
        return _ruled_table(lines, [], above)
    if _RULE.fullmatch(above.text):
        under = lines.while_true(first + 1, lambda text: text and not _COLUMNS.fullmatch(text))
        head = list(islice(under, _HEAD_LINES + 1))  # not more, for each of a thousand rules
        rule = lines[head[-1].number + 1] if head else None
        return _ruled_table(lines, head, rule) if rule and rule.text and len(head) <= _HEAD_LINES else None
    return _simple_table(lines, above, below) if _COLUMNS.fullmatch(below.text) else None


def _edges(rule: _TextLine) -> Sequence[tuple[int, int | None]]:
    """Where each column starts and ends: the first from the edge of the page, the last to the end of the line."""
    starts = [found.start() for found in re.finditer("-+", rule.text)]
    return [*pairwise([0, *starts[1:]]), (starts[-1], None)]


def _simple_table(lines: _BlockLines, head: _TextLine, rule: _TextLine) -> TableLayout | None:
    """A head, a rule, and a row on each line, up to a blank line or a rule."""
    rows = list(lines.while_true(rule.number + 1, lambda text: text and not _is_rule(text)))
    end = rule.number + 1 + len(rows)
    last = lines[end]
    if last is not None and last.text:
        end += 1
    return _table([[head]], [[row] for row in rows], rule, end) if rows else None


def _ruled_table(lines: _BlockLines, head: Sequence[_TextLine], rule: _TextLine) -> TableLayout | None:
    """Rows between two rules: of several lines each, parted by blank lines; without a blank line, a row on each."""
    body = list(lines.while_true(rule.number + 1, lambda text: not _is_rule(text)))
    end = rule.number + 1 + len(body)
    if lines[end] is None or not any(line.text for line in body):
        return None
    if all(line.text for line in body):
        return _table([head] if head else [], [[line] for line in body], rule, end + 1)
    rows: list[list[_TextLine]] = [[]]
    for line in body:
        if line.text:
            rows[-1].append(line)
        elif rows[-1]:
            rows.append([])
    return _table([head] if head else [], [row for row in rows if row], rule, end + 1)


def _is_rule(text: str) -> bool:
    return bool(_RULE.fullmatch(text) or _COLUMNS.fullmatch(text))


def _table(
    head: Sequence[Sequence[_TextLine]], body: Sequence[Sequence[_TextLine]], rule: _TextLine, end: int
) -> TableLayout | None:
    edges = _edges(rule)
    rows = [*head, *body]
    if any(line.parts_words(start) for row in rows for line in row for start, _ in edges[1:]):
        return None
    cells = [[TableCell(_pieces([line.cut(*edge) for line in row])) for edge in edges] for row in rows]
    with_words = [column for column in zip(*cells, strict=True) if any(cell.pieces[0].words for cell in column)]
    return TableLayout(cells, len(head), end) if len(with_words) > 1 else None


def _pieces(pieces: Sequence[CellPiece]) -> Sequence[CellPiece]:
    """The pieces with words, or else the first."""
    return [piece for piece in pieces if piece.words] or pieces[:1]


def _is_drawn(text: str) -> bool:
    return text.lstrip(" ").startswith(("+", "|"))


@dataclass
class _Drawing:
    """The lines of a grid that is drawn with signs, letter by letter; ``cells`` are top, left, bottom and right."""

    lines: Sequence[_TextLine]
    letters: Sequence[str] = ()
    cells: list[tuple[int, int, int, int]] = field(default_factory=list)
    _columns: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wide = ["".join(c + " " if east_asian_width(c) in "WF" else c for c in line.text) for line in self.lines]
        width = max(map(len, wide))
        self.letters = [line.ljust(width) for line in wide]

    def find_cells(self) -> bool:
        """Find the cells, from corner to corner. Returns whether they fill the whole drawing."""
        left = len(self.letters[0]) - len(self.letters[0].lstrip())
        corners, met = [(0, left)], set()
        while corners:
            corner = corners.pop()
            if corner in met or not (found := self._opposite_corner(*corner)):
                continue
            met.add(corner)
            self.cells.append((*corner, *found))
            corners += [(corner[0], found[1]), (found[0], corner[1])]
        self.cells.sort()
        filled = sum((bottom - top) * (right - start) for top, start, bottom, right in self.cells)
        return filled == (len(self.letters) - 1) * (len(self.letters[0].rstrip()) - 1 - left)

    def _opposite_corner(self, top: int, left: int) -> tuple[int, int] | None:
        """The lower right corner of the smallest cell with this upper left corner."""
        for right in self._crossings(self.letters[top], left):
            for bottom in self._crossings(self._column(right), top, "|"):
                if self._is_line(self.letters[bottom], left, right) and self._is_line(
                    self._column(left), top, bottom, "|"
                ):
                    return bottom, right
        return None

    def _column(self, at: int) -> str:
        if at not in self._columns:
            self._columns[at] = "".join([line[at] for line in self.letters])
        return self._columns[at]

    @staticmethod
    def _crossings(line: str, start: int, signs: str = "-=:") -> Iterator[int]:
        """The positions, behind a corner, at which the drawn line of a grid crosses another line."""
        for at in range(start + 1, len(line)):
            if line[at] == "+":
                yield at
            elif line[at] not in signs:
                return

    @staticmethod
    def _is_line(line: str, start: int, end: int, signs: str = "-=:") -> bool:
        return line[start] == line[end] == "+" and not set(line[start:end]) - set(signs) - {"+"}


def _drawn_table(lines: Sequence[_TextLine]) -> TableLayout | None:
    """A grid with a border around each cell; signs of equality under its head."""
    if len(lines) < 3 or len(lines) * max(len(line.text) for line in lines) > limits().document_letters:
        return None
    drawing = _Drawing(lines)
    if not drawing.find_cells() or any(bottom - top < 2 for top, _, bottom, _ in drawing.cells):
        return None
    tops = sorted({top for top, *_ in drawing.cells})
    lefts = sorted({left for _, left, *_ in drawing.cells})
    under_head = next((n for n, line in enumerate(lines[1:-1], 1) if set(line.text.strip()) <= set("+=:")), 0)
    rows: list[list[TableCell]] = [[] for _ in tops]
    for top, left, bottom, right in drawing.cells:
        pieces = _pieces([line.cut(left + 1, right) for line in lines[top + 1 : bottom]])
        row, column = bisect_left(tops, top), bisect_left(lefts, left)
        down, across = bisect_left(tops, bottom) - row, bisect_left(lefts, right) - column
        rows[row].append(TableCell(pieces, down, across))
    return TableLayout(rows, sum(top < under_head for top in tops), lines[-1].number + 1)


def pandoc_grid(opening: int, tokens: Sequence[Token], lines: Lines) -> tuple[Grid, EvenRows]:
    """The table of a token, whose cells follow as tokens; and the notes and faults about its rows."""
    first, end = tokens[opening].map or (0, 0)
    layout: TableLayout = tokens[opening].meta["layout"]
    words = iter(tokens[opening + 1 :])
    rows = [[_cell(cell, next(words), lines) for cell in row] for row in layout.rows]
    made = fill_spans([rows[: layout.head], rows[layout.head :]])
    made.notes += [
        Note("this table row is empty", row[0].span, "skipped") for row in made.rows[layout.head :] if is_blank(row)
    ]
    head = [row for row in made.rows[: layout.head] if not is_blank(row)]
    body = [row for row in made.rows[layout.head :] if not is_blank(row)]
    return Grid((*head, *body), len(head), lines.between(first, end).span), made


def _cell(cell: TableCell, inline: Token, lines: Lines) -> SpanningCell:
    place = Passage.joined([lines[piece.line][piece.start : piece.end] for piece in cell.pieces], "\n")
    text = visible_text(inline).replace("---", "—").replace("--", "–")
    return SpanningCell(RawCell(plain_text(text), place.span), cell.rows, cell.columns)
