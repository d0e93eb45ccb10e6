"""Markdown, as markdown-it-py parses it (CommonMark with GitHub's tables), traced back to the raw lines.

In: the passage of a Markdown document, with or without front matter. Out: sections with grids and lists, also of HTML.

In silence, the parser drops surplus cells, pads short rows, and takes a line of prose under a table for a row. So each
raw line of a table is split again here: a lost cell is a Fault, a padded or skipped row a Note. A table with a blank
head has no head; a bold line directly above a table is its caption, or a line below that starts with a colon.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile

from markdown_it.token import Token

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.readers.document import (
    LEFT_OUT,
    Document,
    Fault,
    Format,
    Grid,
    InlineMark,
    ItemList,
    Note,
    RawCell,
    SectionBuilder,
    with_new_words,
)
from refgen.readers.grids import EvenRows, Row, cells, even_rows, is_blank
from refgen.readers.markdown_dialects import plain_markdown
from refgen.readers.markdown_parser import parse_markdown
from refgen.readers.markdown_words import (
    FRONT_MATTER,
    id_of,
    is_strong,
    notes_on_front_matter,
    notes_on_titles,
    part_attributes,
    visible_passage,
    visible_text,
    without_attribute_lines,
)
from refgen.readers.pandoc_tables import PANDOC_TABLE, pandoc_grid
from refgen.source import Lines, Passage, plain_text

_BREW = re.compile(r"^\\(?:page|column)\b|^\{\{", re.MULTILINE)
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_OTHER_FORMAT = re.compile(r"\{=(?P<format>(?!html|markdown)\w+)\}")
_QUOTE = re.compile(r" {0,3}> ?")
_BULLET = re.compile(r"[-*+]\s+")
_MARKS = re.compile(r"[*_`\[\]<>&\\!]")
_TABLE_CAPTION = re.compile(r"Table\b.{0,80}|:\s.{0,80}")
_CAPTION_MARK = re.compile(r"\A(?:[Tt]able)?:\s+")
_HTML_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_HTML_TABLE_END = re.compile(r"</table\s*>", re.IGNORECASE)
_SIMPLE_TABLE = re.compile(r"[> ]*-{2,}(?: +-{2,})+ *")
_DASHES = re.compile(r":?-+:?")
_GRID_BORDER = re.compile(r"\+(?:[-=:]+\+)+")
_SURPLUS = "GitHub drops {lost}. Write \\| for a bar inside a cell, or give the head another cell."


def read_markdown(text: Passage) -> Document:
    """Read a Markdown document as GitHub shows it. Rows that do not fit their head are among its faults."""
    front = FRONT_MATTER.match(text.text)
    body, left_out = plain_markdown(text[front.end() :] if front else text)
    tokens, references = parse_markdown(body)
    builder = _MarkdownBuilder(lines=body.lines(), is_brew=bool(_BREW.search(text.text)))
    builder.read(tokens)
    builder.end_section_before(len(builder.lines))
    apart = [*notes_on_front_matter(text), *notes_on_titles(tokens, references, builder.lines)]
    sections, faults = tuple(builder.sections), tuple(builder.faults)
    notes = (*left_out, *builder.notes, *with_new_words(apart, text, sections))
    return Document(text.source, Format.MARKDOWN, text, sections, faults, notes, marks=tuple(builder.marks))


@dataclass
class _MarkdownBuilder(SectionBuilder):
    """The sections of a document.

    ``quotes`` is how many block quotes stand around the token that is read, ``html_end`` the line after the last HTML
    block, ``caption`` the bold line above a table and ``caption_end`` the line after it. ``caption_below`` is the
    number of the token of a caption below a table.
    """

    lines: Lines
    marks: list[InlineMark] = field(default_factory=list)
    quotes: int = 0
    caption: str = ""
    caption_end: int = 0
    caption_below: int = -1
    html_end: int = 0
    is_brew: bool = False
    """Whether the document has signs of Homebrewery, in whose tables ``||`` joins cells."""

    @cached_property
    def table_ends(self) -> Sequence[int]:
        """The numbers of the lines with a ``</table>``."""
        return [number for number, line in enumerate(self.lines) if _HTML_TABLE_END.search(line.text)]

    def read(self, tokens: Sequence[Token]) -> None:
        for index, token in enumerate(tokens):
            if token.type in ("blockquote_open", "blockquote_close"):
                self.quotes += token.nesting
            if index != self.caption_below and (not token.map or token.map[0] >= self.html_end):
                self._block(index, tokens)

    def _block(self, index: int, tokens: Sequence[Token]) -> None:
        token = tokens[index]
        match token.type:
            case "heading_open":
                self.end_section_before(_first_line(token))
                self.title, self.id = part_attributes(visible_text(tokens[index + 1]))
                self.level = int(token.tag[1:])
            case "table_open" | "pandoc_table":
                self.grids.append(self._table(index, tokens))
            case "bullet_list_open" | "ordered_list_open":
                self.lists.append(ItemList(tuple(self._items(index, tokens))))
            case "paragraph_open" if token.level == self.quotes:
                self._paragraph(tokens[index + 1])
            case "html_block":
                self._html(token)
            case "attributes":
                self._take_id(id_of(token.content), tokens[index - 1])
            case _:
                self._add_loss(token)

    def _add_loss(self, token: Token) -> None:
        """A fault for a block that is no part of a section."""
        match token.type:
            case "fence" if match := _OTHER_FORMAT.fullmatch(token.info.strip()):
                self.notes.append(
                    Note(f"this is meant for {match['format']} alone", self._raw_text(token).span, LEFT_OUT)
                )
            case "fence" | "code_block" if token.level == self.quotes:
                self._add_fault(token, "this code is left out", "Write it as a paragraph, a list or a table.")
            case "hr":
                self._add_simple_table_fault(token)
            case "blockquote_open" if token.level == self.quotes - 1 == limits().nesting - 1:
                self._add_fault(token, "this is left out, for it stands in too many quotes", limit_hint("nesting"))

    def _add_fault(self, token: Token, message: str, hint: str) -> None:
        """A fault for the lines of a token, unless they are blank."""
        place = self._raw_text(token).strip()
        if place.text:
            self.faults.append(Fault(message, place.span, hint))

    def _add_simple_table_fault(self, rule: Token) -> None:
        """A fault for a line of dashes with gaps and lines under it: a table of pandoc's Markdown, without bars."""
        number = _first_line(rule)
        line, *under = self.lines[number : number + 2]
        if _SIMPLE_TABLE.fullmatch(line.text) and any(below.text.strip() for below in under):
            message = "the table whose columns these dashes part is read as words, or left out as code"
            hint = 'Put bars between its columns, or have the document read as it stands with format = "plaintext".'
            self._add_fault(rule, message, hint)

    def _paragraph(self, inline: Token) -> None:
        paragraph = self._visible_text(inline)
        self.paragraphs.append(paragraph)
        if is_strong(inline) or _TABLE_CAPTION.fullmatch(paragraph.text):
            self.caption, self.caption_end = paragraph.text.removesuffix(":"), inline.map[1] if inline.map else 0
        self._add_missing_rule_fault(inline)

    def _add_missing_rule_fault(self, inline: Token) -> None:
        """A fault for lines that would be a table, had they a line of dashes under the first."""
        rows = [split_row(line) for line in self._lines_of(inline) if not _GRID_BORDER.fullmatch(line.text)]
        if len(rows) > 1 and len(rows[0]) > 1 and all(_DASHES.fullmatch(cell.text) for cell in rows[1]):
            message = (
                f"the line of dashes has {cells(len(rows[1]))}, the head above has {len(rows[0])}: this is no table"
            )
            self.faults.append(Fault(message, rows[1][0].span, "Give both lines as many cells."))
            return
        if len(rows) > 1 and min(map(len, rows)) > 1 and len({len(row) for row in rows}) == 1:
            message = "these lines are parted by bars, but they are no table"
            self.faults.append(Fault(message, rows[0][0].span, "Put a line of dashes (--|--) under their head."))

    def _lines_of(self, inline: Token) -> list[Passage]:
        """Each raw line of an inline token, without the bullet or quote mark of its list or quote."""
        first = inline.map[0] if inline.map else 0
        found = []
        for number, words in enumerate(inline.content.split("\n")):
            line, words = self.lines[first + number].strip(), words.strip()
            found.append(line[len(line) - len(words) :] if line.text.endswith(words) else line)
        return found

    def _visible_text(self, inline: Token) -> Passage:
        raw = Passage.joined(self._lines_of(inline), "\n")
        children = inline.children or []
        if not _MARKS.search(raw.text):
            return raw.collapsed()
        words, marks = visible_passage(raw, children)
        self.marks += marks
        return words.collapsed()

    def _html(self, token: Token) -> None:
        """Add the tables, paragraphs and lists of a block of HTML; a table may have blank lines inside."""
        first, end = token.map or (0, 0)
        raw = self._raw_text(token)
        if _HTML_TABLE.search(raw.text) and not _HTML_TABLE_END.search(raw.text):
            end = next((number + 1 for number in self.table_ends[bisect_left(self.table_ends, end) :]), end)
            raw = self.lines.between(first, end)
        from refgen.readers.html import read_html  # which loads lxml, and few documents have HTML in them

        self.html_end = end
        try:
            page = read_html(without_attribute_lines(raw))
        except ReadError as error:
            place = error.span or raw.span
            self.faults.append(Fault(error.message, place, error.hint))
            return
        self.faults.extend(page.faults)
        self.notes.extend(page.notes)
        for section in page.sections:
            self.paragraphs.extend(section.paragraphs)
            self.lists.extend(section.lists)
            self.grids.extend(section.grids)
        self.marks.extend(page.marks)

    def end_section_before(self, line: int) -> None:
        text = self.lines.between(self.start, line)
        self.end_section(text, line, keep=bool(text.text.strip()))

    def _raw_text(self, token: Token) -> Passage:
        first, end = token.map or (0, 0)
        return self.lines.between(first, end)

    def _items(self, opening: int, tokens: Sequence[Token]) -> Iterator[Passage]:
        """The items of the list that opens at ``opening``; a nested list is part of its item."""
        level = tokens[opening].level
        for number in range(opening + 1, len(tokens)):
            token = tokens[number]
            if token.level == level and token.nesting == -1:
                return
            if token.type == "list_item_open" and token.level == level + 1:
                item = self._visible_item(number, tokens)
                bullet = _BULLET.match(item.text)
                yield (item[bullet.end() :] if bullet else item).collapsed()

    def _visible_item(self, opening: int, tokens: Sequence[Token]) -> Passage:
        """An item as written, with the numbers and bullets of inner lists, without the marks of emphasis and links."""
        item = _without_quotes(self._raw_text(tokens[opening]), self.quotes).strip()
        pieces = [item[:0]]
        position = 0
        for number in range(opening + 1, len(tokens)):
            token = tokens[number]
            if token.level == tokens[opening].level and token.nesting == -1:
                break
            if token.type == "inline" and token.map and _MARKS.search(token.content):
                lines = self._lines_of(token)
                start = bisect_left(item.origins, lines[0].origins[0], lo=position)
                pieces += [item[position:start], self._visible_text(token)]
                position = bisect_left(item.origins, lines[-1].origins[-1], lo=start)
        return Passage.joined([*pieces, item[position:]])

    def _take_id(self, name: str, before: Token) -> None:
        """Give an id that stands in a line of attributes to the heading or table that the line follows."""
        if name and before.type == "heading_close":
            self.id = name
        elif name and self.grids and before.type == "table_close":
            self.grids[-1] = replace(self.grids[-1], id=name)

    def _table(self, opening: int, tokens: Sequence[Token]) -> Grid:
        """A table of either kind with its caption."""
        is_pandoc = tokens[opening].type == PANDOC_TABLE
        caption = self._caption_above(_first_line(tokens[opening]))
        behind = next(number for number in range(opening, len(tokens)) if tokens[number].type == "table_close") + 1
        below = self._caption_below(behind, tokens, is_pandoc) if not _CAPTION_MARK.match(caption) else ""
        caption, table_id = part_attributes(_CAPTION_MARK.sub("", below or caption, count=1))
        grid, made = pandoc_grid(opening, tokens, self.lines) if is_pandoc else self._grid(opening, tokens)
        self.faults += made.faults
        self.notes += made.notes
        return replace(grid, caption=caption, id=table_id)

    def _caption_above(self, first: int) -> str:
        between = (self.lines[number].text.strip("> \t") for number in range(self.caption_end, first))
        return self.caption if self.caption and not any(between) else ""

    def _caption_below(self, behind: int, tokens: Sequence[Token], is_pandoc: bool) -> str:
        """The caption below a table, after a colon; "Table: …" only where it cannot belong to a table below it."""
        kinds = [token.type for token in tokens[behind : behind + 4]]
        words = visible_text(tokens[behind + 1]) if kinds[:1] == ["paragraph_open"] else ""
        above_another = kinds[3:] in (["table_open"], ["pandoc_table"])
        if not _CAPTION_MARK.match(words) or (above_another and not is_pandoc and not words.startswith(":")):
            return ""
        self.caption_below = behind
        return words

    def _grid(self, opening: int, tokens: Sequence[Token]) -> tuple[Grid, EvenRows]:
        """A table with bars, and the notes and faults about its rows."""
        first, end = tokens[opening].map or (0, 0)
        parsed = _cells_by_row(opening, tokens)
        numbers = [first, *range(first + 2, end)]  # the second line of a table is its delimiter row
        head, *rows = [self._row(number, texts) for number, texts in zip(numbers, parsed, strict=True)]
        made = even_rows(head, rows, _SURPLUS)
        made.rows = _joined_down(made.rows)
        has_head = not is_blank(head)
        printed = tuple(row[: len(head)] for row in made.rows[0 if has_head else 1 :])
        return Grid(printed, int(has_head), self._raw_text(tokens[opening]).span), made

    def _row(self, number: int, texts: Sequence[str]) -> Row:
        """A row with all cells as written. A line without a bar is a fault: its author meant no row."""
        line = self.lines[number]
        raw = split_row(line, self.quotes)
        row = tuple(RawCell(plain_text(text), place.span) for text, place in zip(texts, raw, strict=False))
        if self.is_brew:
            row = _joined_across(row, line)
        if len(texts) > 1 and not _CELL_BORDER.search(line.text):
            message = f"this table row has {cells(1)}, its head has {len(texts)}"
            hint = "If this line is no row, put an empty line above it."
            self.faults.append(Fault(message, row[0].span, hint))
        return row + tuple(RawCell.of(cell) for cell in raw[len(texts) :])


def _joined_down(rows: Sequence[Row]) -> list[Row]:
    """Rows in which ``^^`` is the cell above, as in Homebrewery."""
    made: list[Row] = []
    for row in rows:
        above = made[-1] if made else ()
        merged = (above[n] if cell.text == "^^" and n < len(above) else cell for n, cell in enumerate(row))
        made.append(tuple(merged))
    return made


def _joined_across(row: Row, line: Passage) -> Row:
    """A row in which a cell between two bars without a blank (``||``) is the cell before it, as in Homebrewery."""
    made: list[RawCell] = []
    text, first = line.source.text, line.origins[0]
    for cell in row:
        start = cell.span.start
        is_between = not cell.text and start > first and text[start - 1] == "|" and text[start : start + 1] == "|"
        made.append(made[-1] if is_between and made else cell)
    return tuple(made)


def _without_quotes(text: Passage, quotes: int) -> Passage:
    """Lines without the marks of the quotes around them."""
    if not quotes:
        return text
    lines = list(text.lines())
    for _ in range(quotes):
        lines = [line[quote.end() :] if (quote := _QUOTE.match(line.text)) else line for line in lines]
    return Passage.joined(lines, "\n") if lines else text


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


def _cells_by_row(opening: int, tokens: Sequence[Token]) -> list[list[str]]:
    rows: list[list[str]] = []
    following = (tokens[number] for number in range(opening, len(tokens)))
    for token in takewhile(lambda token: token.type != "table_close", following):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(visible_text(token))
    return rows


def _first_line(token: Token) -> int:
    return token.map[0] if token.map else 0
