"""What authors do to a document by accident: rows and cells that get lost, doubled or swapped, figures mistyped.

In: a document, its game and its tokens, and a seed. Out: as many changes as are asked for, each another one, of all
kinds alike.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from refgen.game import GameModel
from refgen.rules.model import RuleTable
from refgen.span import Span
from tests.checks.mutation.change import Change, Piece
from tests.checks.mutation.tokens import NUMBER, Kind, Token

SIGNED = re.compile(r"(?<![\w.])[-+−](?=\d)")
RANGE = re.compile(r"(?<![\w.])(\d+)(\s*[-–]\s*)(\d+)(?![\w.])")
XML_ROW = re.compile(r"[ \t+]*<row\b.*?</row>[ \t]*\n", re.DOTALL)
TRIES = 40


@dataclass(frozen=True, slots=True)
class Author:
    """A document that is edited: its text, its rows, and its tokens."""

    text: str
    tables: Mapping[str, Sequence[tuple[int, int]]]
    cells: Sequence[Sequence[Sequence[Span]]]
    tokens: Sequence[Token]
    levels: Sequence[str]
    random: Random

    @classmethod
    def of(cls, game: GameModel, tokens: Sequence[Token], seed: str) -> Author:
        text = game.ruleset.document.text
        tables = {table.id: rows for table in game.printed.values() if len(rows := list(_rows(text, table))) > 1}
        cells = [[[cell.span for cell in row if cell.span] for row in table.rows] for table in game.printed.values()]
        levels = [level.name for ladder in game.ruleset.ladders.values() for level in ladder.levels]
        return cls(text, tables, cells, tokens, levels, Random(seed))

    def edits(self, count: int) -> Sequence[Change]:
        """So many edits, each another one."""
        kinds, found = list(KINDS), dict[tuple[Piece, ...], Change]()
        for _ in range(count * TRIES):
            kind = self.random.choice(kinds)
            change = Change.of(kind, "", KINDS[kind](self))
            if change is not None:
                found.setdefault(change.pieces, change)
            if len(found) == count:
                break
        return list(found.values())

    def row_pair(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """A row of a table, and the one under it."""
        rows = self.random.choice(list(self.tables.values()))
        at = self.random.randrange(len(rows) - 1)
        return rows[at], rows[at + 1]

    def row(self) -> tuple[int, int]:
        return self.random.choice(self.random.choice(list(self.tables.values())))

    def cell_pair(self, *, below: bool) -> Iterator[tuple[Span, Span]]:
        """Two cells side by side, or one under the other: at most one such pair."""
        table = self.random.choice(self.cells)
        row = self.random.randrange(len(table))
        other = row + 1 if below else row
        column = self.random.randrange(len(table[row]))
        beside = column if below else column + 1
        if other < len(table) and beside < len(table[other]):
            yield table[row][column], table[other][beside]

    def of_kind(self, *kinds: Kind) -> Iterator[Token]:
        """A token of some kinds, if there are any."""
        some = [token for token in self.tokens if token.kind in kinds]
        if some:
            yield self.random.choice(some)

    def match(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """A match of a pattern among the numbers of the document, if there is any."""
        starts = {token.start for token in self.tokens}
        found = [match for match in pattern.finditer(self.text) if match.start() in starts or match.end() in starts]
        if found:
            yield self.random.choice(found)


def _rows(text: str, table: RuleTable) -> Iterator[tuple[int, int]]:
    """Where the rows of a printed table begin and end in the raw text, with all that belongs to them."""
    if table.span is None:
        return
    if xml := [match.span() for match in XML_ROW.finditer(text, table.span.start, table.span.end)]:
        yield from xml
        return
    spans = [[cell.span for cell in row if cell.span and cell.text] for row in table.rows]
    bounds = [(min(one.start for one in row), max(one.end for one in row)) for row in spans if row]
    if all(end <= start for (_, end), (start, _) in itertools.pairwise(bounds)):
        yield from (_whole_line(text, start, end) for start, end in bounds)


def _whole_line(text: str, start: int, end: int) -> tuple[int, int]:
    """A row with the rest of its line, if that has no other words."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if last >= 0 and not re.search(r"\w", text[first:start] + text[end:last]):
        return first, last + 1
    return start, end


def _piece(author: Author, start: int, end: int, new: str) -> Piece:
    return Piece(start, author.text[start:end], new)


def _dropped(author: Author) -> Iterator[Piece]:
    yield _piece(author, *author.row(), "")


def _doubled(author: Author) -> Iterator[Piece]:
    start, end = author.row()
    row = author.text[start:end]
    yield Piece(start, row, row + ("" if row.endswith("\n") else " ") + row)


def _merged(author: Author) -> Iterator[Piece]:
    (_, end), (start, _) = author.row_pair()
    end -= author.text[end - 1] == "\n"
    yield _piece(author, end, start, " ")


def _rows_swapped(author: Author) -> Iterator[Piece]:
    (start, end), (other, last) = author.row_pair()
    text = author.text
    yield Piece(start, text[start:end], text[other:last])
    yield Piece(other, text[other:last], text[start:end])


def _cells_swapped(author: Author) -> Iterator[Piece]:
    for one, other in author.cell_pair(below=author.random.random() < 0.5):
        yield from _exchanged(author, one, other)


def _columns_swapped(author: Author) -> Iterator[Piece]:
    table = author.random.choice(author.cells)
    width = min(map(len, table))
    if width > 1:
        column = author.random.randrange(width - 1)
        for row in table:
            yield from _exchanged(author, row[column], row[column + 1])


def _exchanged(author: Author, one: Span, other: Span) -> Iterator[Piece]:
    first, second = author.text[one.start : one.end], author.text[other.start : other.end]
    if "\n" not in first + second:
        yield Piece(one.start, first, second)
        yield Piece(other.start, second, first)


def _emptied(author: Author) -> Iterator[Piece]:
    row = author.random.choice(author.random.choice(author.cells))
    span = author.random.choice(row)
    yield _piece(author, span.start, span.end, "")


def _row_broken(author: Author) -> Iterator[Piece]:
    start, end = author.row()
    blanks = [match.start() for match in re.finditer(r"(?<=\S) (?=\S)", author.text[start:end])]
    if blanks:
        at = start + author.random.choice(blanks)
        yield Piece(at, " ", "\n")


def _sign(author: Author) -> Iterator[Piece]:
    for match in author.match(SIGNED):
        yield Piece(match.start(), match[0], author.random.choice(["", "-" if match[0] == "+" else "+"]))


def _decimal(author: Author) -> Iterator[Piece]:
    for token in author.of_kind(Kind.NUMBER):
        digits = token.text.replace(".", "").replace(",", "")
        at = token.text.find(".") if "." in token.text else len(digits)
        moved = at + author.random.choice([1, -1])
        new = f"{digits[:moved] or '0'}.{digits[moved:]}" if moved < len(digits) else digits.ljust(moved, "0")
        yield Piece(token.start, token.text, new)


def _level(author: Author) -> Iterator[Piece]:
    for token in author.of_kind(Kind.LEVEL):
        yield Piece(token.start, token.text, author.random.choice(author.levels))


def _range_end(author: Author) -> Iterator[Piece]:
    for match in author.match(RANGE):
        end = author.random.choice([1, 3])
        number = max(0, int(match[end]) + author.random.choice([-2, -1, 1, 2]))
        yield Piece(match.start(end), match[end], str(number))


def _digits(author: Author) -> Iterator[Piece]:
    """A digit is left out, typed twice, or changed places with the next."""
    for token in author.of_kind(Kind.NUMBER, Kind.DICE):
        numbers = list(NUMBER.finditer(token.text))
        if numbers:
            number = author.random.choice(numbers)
            at = token.start + author.random.randrange(number.start(), number.end())
            two = author.text[at : at + 2]
            how = author.random.choice([two[:1] * 2 + two[1:], two[1:], two[::-1] if two.isdigit() else two])
            yield Piece(at, two, how)


def _mistyped(author: Author) -> Iterator[Piece]:
    """Another digit is struck."""
    for token in author.of_kind(Kind.NUMBER, Kind.DICE):
        digits = [match.start() for match in re.finditer(r"\d", token.text)]
        if digits:
            at = token.start + author.random.choice(digits)
            yield Piece(at, author.text[at], author.random.choice("0123456789"))


KINDS: Mapping[str, Callable[[Author], Iterator[Piece]]] = {
    "row dropped": _dropped,
    "row doubled": _doubled,
    "row merged with the next": _merged,
    "rows swapped": _rows_swapped,
    "row broken over two lines": _row_broken,
    "cells swapped": _cells_swapped,
    "columns swapped": _columns_swapped,
    "cell emptied": _emptied,
    "sign changed": _sign,
    "decimal moved": _decimal,
    "level changed": _level,
    "end of a range changed": _range_end,
    "digit lost, doubled or displaced": _digits,
    "digit mistyped": _mistyped,
}
"""The kinds of edits, each as likely as the others."""
