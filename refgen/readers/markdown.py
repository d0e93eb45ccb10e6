"""Markdown, as markdown-it-py parses it (CommonMark with GitHub's tables), traced back to the raw lines.

In: the passage of a Markdown document, with or without front matter. Out: its sections with grids and lists.
The parser drops surplus cells, pads short rows and takes a line of prose under a table for a row, all in
silence; so each raw line of a table is split again here, and a row whose cells do not fit the head is a Fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from refgen.readers.document import Document, Fault, Format, Grid, ListBlock, RawCell, Section
from refgen.source import Lines, Passage, plain

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_QUOTE = re.compile(r" {0,3}> ?")
_BULLET = re.compile(r"[-*+]\s+")


def read_markdown(text: Passage) -> Document:
    """Read a Markdown document as GitHub shows it. Rows that do not fit their head are among its faults."""
    front = _FRONT_MATTER.match(text.text)
    body = text[front.end() :] if front else text
    tokens = MarkdownIt("commonmark").enable("table").parse(body.text)
    builder = _Builder(body.lines())
    builder.read(tokens)
    sections = tuple(builder.finished())
    return Document(text.source, Format.MARKDOWN, text, sections, tuple(builder.faults))


@dataclass
class _Builder:
    """Collects the blocks of the section that is being read, and the sections before it."""

    lines: Lines
    sections: list[Section] = field(default_factory=list)
    title: str = ""
    level: int = 0
    start_line: int = 0
    paragraphs: list[Passage] = field(default_factory=list)
    lists: list[ListBlock] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    quotes: int = 0

    def read(self, tokens: Sequence[Token]) -> None:
        for index, token in enumerate(tokens):
            match token.type:
                case "heading_open":
                    self._close(_first_line(token))
                    self.title, self.level = _visible_text(tokens[index + 1]), int(token.tag[1:])
                case "blockquote_open" | "blockquote_close":
                    self.quotes += token.nesting
                case "table_open":
                    self.grids.append(self._grid(token, tokens[index:]))
                case "bullet_list_open" | "ordered_list_open":
                    self.lists.append(ListBlock(tuple(self._items(index, tokens))))
                case "paragraph_open" if token.level == 0:
                    self.paragraphs.append(self._raw(token).collapsed())

    def finished(self) -> list[Section]:
        self._close(len(self.lines))
        return self.sections

    def _close(self, line: int) -> None:
        text = self.lines.between(self.start_line, line)
        if self.title or text.text.strip():
            self.sections.append(
                Section(self.title, self.level, text, tuple(self.paragraphs), tuple(self.lists), tuple(self.grids))
            )
        self.paragraphs, self.lists, self.grids, self.start_line = [], [], [], line

    def _raw(self, token: Token) -> Passage:
        first, end = token.map or (0, 0)
        return self.lines.between(first, end)

    def _items(self, opening: int, tokens: Sequence[Token]) -> Iterator[Passage]:
        """The items of the list that opens at ``opening``; a nested list is part of its item."""
        level = tokens[opening].level
        for token in tokens[opening + 1 :]:
            if token.level == level and token.nesting == -1:
                return
            if token.type == "list_item_open" and token.level == level + 1:
                item = self._raw(token).strip()
                bullet = _BULLET.match(item.text)
                yield (item[bullet.end() :] if bullet else item).collapsed()

    def _grid(self, opening: Token, tokens: Sequence[Token]) -> Grid:
        first, end = opening.map or (0, 0)
        parsed = _cells_by_row(tokens)
        numbers = [first, *range(first + 2, end)]  # the second line of a table is its delimiter row
        rows = tuple(
            self._row(split_row(self.lines[number], self.quotes), texts)
            for number, texts in zip(numbers, parsed, strict=True)
        )
        return Grid(rows, 1, self.lines.between(first, end).span)

    def _row(self, raw: Sequence[Passage], texts: Sequence[str]) -> tuple[RawCell, ...]:
        """A row as GitHub shows it: as many cells as the head has. What that drops or adds is a fault."""
        if len(raw) != len(texts):
            self.faults.append(_ragged(raw, len(texts)))
        end = raw[-1][len(raw[-1]) :]
        places = [*raw[: len(texts)], *[end] * (len(texts) - len(raw))]
        return tuple(RawCell(plain(text), place.span) for text, place in zip(texts, places, strict=True))


def _ragged(raw: Sequence[Passage], width: int) -> Fault:
    found = len(raw)
    cells = "1 cell" if found == 1 else f"{found} cells"
    message = f"this table row has {cells}, its head has {width}"
    if found > width:
        lost = ", ".join(f'"{cell.text}"' for cell in raw[width:])
        hint = f"GitHub drops {lost}. Write \\| for a bar inside a cell, or give the head another cell."
        return Fault(message, raw[width].span, hint)
    if found == 1:
        return Fault(message, raw[0].span, "If this line is no row, put an empty line above it.")
    return Fault(
        message, raw[0].span, "GitHub fills it with blank cells. Give every row as many cells as the head has."
    )


def split_row(line: Passage, quotes: int = 0) -> list[Passage]:
    """The cells of one raw table line, each without surrounding blanks.

    ``quotes`` is how many block quotes the table stands in. A bar at the very start or end closes the row; an
    escaped bar is part of a cell (GitHub's table extension).
    """
    for _ in range(quotes):
        quote = _QUOTE.match(line.text)
        line = line[quote.end() :] if quote else line
    row = line.strip()
    if row.text.startswith("|"):
        row = row[1:]
    if row.text.endswith("|") and not row.text.endswith("\\|"):
        row = row[:-1]
    return [cell.strip() for cell in row.split(_CELL_BORDER)]


def _cells_by_row(tokens: Sequence[Token]) -> list[list[str]]:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_visible_text(token))
        elif token.type == "table_close":
            break
    return rows


def _visible_text(inline: Token) -> str:
    """The words of an inline token as a reader sees them, without marks of emphasis, code or links."""
    if not inline.children:
        return inline.content
    return "".join(" " if child.type in ("softbreak", "hardbreak") else child.content for child in inline.children)


def _first_line(token: Token) -> int:
    return token.map[0] if token.map else 0
