"""Comma- and tab-separated values, as spreadsheets and scripts write them.

In: the passage of a document. Out: a section with a table, or with several tables that blank rows part. A line that
says how cells are parted (``sep=;``), remarks (``# …``) and a title above the head are no rows. A quoted field may hold
delimiters, line breaks and doubled quotes (RFC 4180); its span lies between the quotes. Cells lose the signs with which
spreadsheets keep text as it is: ``="3-4"`` and ``'5-6``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from refgen.errors import ReadError
from refgen.marks import DASHES
from refgen.readers.document import LEFT_OUT, Document, Fault, Format, Grid, Note, RawCell, Section
from refgen.readers.grids import Row, even_rows, is_blank, refuse_large
from refgen.readers.heads import looks_like_head
from refgen.source import Passage, plain_text

_QUOTED = re.compile(r'"[^"]*"')
_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_DECLARED = re.compile(r'\s*"?sep=(?P<delimiter>[^"\r\n])"?[ \t]*(?:\r\n|\n|\r|\Z)', re.IGNORECASE)
_KEPT_AS_TEXT = re.compile(
    rf'=\s*(?P<quote>"{{1,2}})(?P<formula>[^"]*)(?P=quote)|\'(?P<typed>[\d=+\-{DASHES}@].*)', re.DOTALL
)
_SURPLUS = "Give every row as many cells as the head has; quote a cell that holds the delimiter."
_DELIMITERS = ",;\t"
_LINES_LOOKED_AT = 50


def read_csv(text: Passage) -> Document:
    """Read comma-separated values. Raises ReadError at a quote that is never closed or closed too early."""
    declared = _DECLARED.match(text.text)
    if not declared:
        return _read_delimited(text, Format.CSV, _delimiter_of(text.text), ())
    said = text.group(declared).strip()
    note = Note("this line says how cells are parted", said.span, "followed")
    return _read_delimited(text[declared.end() :], Format.CSV, declared["delimiter"], (note,))


def read_tsv(text: Passage) -> Document:
    """Read tab-separated values. Raises ReadError at a quote that is never closed or closed too early."""
    return _read_delimited(text, Format.TSV, "\t", ())


def _delimiter_of(text: str) -> str:
    """The sign that stands in most lines outside quotes; of signs that stand in as many, the comma goes first."""
    lines = [line for line in _QUOTED.sub("", text).splitlines() if line.strip()][:_LINES_LOOKED_AT]
    return max(_DELIMITERS, key=lambda delimiter: sum(1 for line in lines if delimiter in line))


def _read_delimited(text: Passage, document_format: Format, delimiter: str, notes: Sequence[Note]) -> Document:
    sheet = _Sheet([*notes])
    for rows in _parts(list(_delimited_rows(text, delimiter))):
        sheet.add(rows, text)
    section = Section("", 0, text, grids=tuple(sheet.grids))
    return Document(text.source, document_format, text, (section,), tuple(sheet.faults), tuple(sheet.notes))


@dataclass
class _Sheet:
    """The tables of a sheet, and the faults and notes found in them."""

    notes: list[Note]
    grids: list[Grid] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def add(self, rows: Sequence[Row], text: Passage) -> None:
        """Add the table of some rows, without the remarks above it; a line of one cell above the head is its title."""
        width = max(len(_words(row)) for row in rows)
        first, caption = 0, ""
        while width > 1 and first < len(rows) - 1 and len(_words(rows[first])) < 2:
            cell = next(iter(_words(rows[first])), None)
            if cell is None:
                self.notes.append(Note("this table row is empty", rows[first][0].span, "skipped"))
            elif cell.text.startswith("#"):
                self.notes.append(Note("this line is a remark", cell.span, LEFT_OUT))
            elif not caption:
                self.notes.append(Note("this row is one cell", cell.span, "read as the title of its table"))
                caption = cell.text
            else:
                break
            first += 1
        made = even_rows(rows[first], rows[first + 1 :], _SURPLUS)
        self.faults += made.faults
        self.notes += made.notes
        place = text.source.span(rows[first][0].span.start, rows[-1][-1].span.end)
        self.grids.append(Grid(tuple(made.rows), 1, place, caption))


def _words(row: Row) -> list[RawCell]:
    return [cell for cell in row if cell.text]


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows of each table of a sheet: a table begins behind a blank row if it has a title or a head of its own."""
    start = 0
    for number in range(1, len(rows)):
        if is_blank(rows[number - 1]) and _begins_table(rows, start, number):
            yield from _with_cells(rows[start:number])
            start = number
    yield from _with_cells(rows[start:])


def _begins_table(rows: Sequence[Row], start: int, number: int) -> bool:
    before = [row for row in rows[start:number] if not is_blank(row)]
    following: list[Row] = []
    for row in rows[number:]:
        if is_blank(row):
            break
        following.append(row)
    if len(before) < 2 or len(following) < 2:
        return False
    has_title = len(_words(following[0])) == 1 < len(_words(following[1]))
    return has_title or looks_like_head(following) or _width(following) != _width(before)


def _width(rows: Sequence[Row]) -> int:
    return max(len(_words(row)) for row in rows)


def _with_cells(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows that have cells, as one table; no table where no row has words."""
    if not all(map(is_blank, rows)):
        yield [row for row in rows if row]


def _delimited_rows(text: Passage, delimiter: str) -> Iterator[Row]:
    """The rows of a text; an empty line is a row without cells."""
    pattern = re.compile(rf'"(?P<quoted>[^"]*(?:""[^"]*)*)(?P<close>"?)|(?P<bare>[^{re.escape(delimiter)}\r\n]*)')
    row: list[RawCell] = []
    position = before = 0
    while position < len(text):
        if not row and (empty := _LINE_END.match(text.text, position)):
            position = empty.end()
            yield ()
            continue
        position = _field(text, pattern, position, row)
        refuse_large(len(row), before + len(row), row[0].span)
        if text.text.startswith(delimiter, position):
            position += 1
            if position < len(text):
                continue
            row.append(RawCell.of(text[position:]))
        yield tuple(row)
        before += len(row)
        row = []
        position = _row_end(text, position)


def _field(text: Passage, pattern: re.Pattern[str], position: int, row: list[RawCell]) -> int:
    """Add the field that starts at ``position`` to its row. Returns the end of the field."""
    match = pattern.match(text.text, position)
    if match is None or match["quoted"] is None:
        end = match.end() if match else position
        row.append(RawCell.of(_as_shown(text[position:end])))
        return end
    if not match["close"]:
        raise ReadError(
            "this quote is never closed",
            span=text[position : position + 1].span,
            hint='Close it, or write "" for a quote inside a field.',
        )
    inner = _as_shown(text.group(match, "quoted").strip())
    row.append(RawCell(plain_text(inner.text.replace('""', '"')), inner.strip().span))
    return match.end()


def _as_shown(field: Passage) -> Passage:
    """A field without the signs with which spreadsheets keep text as it is."""
    kept = _KEPT_AS_TEXT.fullmatch(field.text.strip()) if field.text.lstrip()[:1] in ("=", "'") else None
    if kept is None:
        return field
    words = kept["formula"] if kept["formula"] is not None else kept["typed"]
    start = field.text.index(words, 1)
    return field[start : start + len(words)]


def _row_end(text: Passage, position: int) -> int:
    end = _LINE_END.match(text.text, position)
    if end is None:
        raise ReadError(
            "words follow the closing quote of a field",
            span=text[position : position + 1].span,
            hint='Write "" for a quote inside a field in quotes.',
        )
    return end.end()
