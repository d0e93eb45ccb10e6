"""Tables alone: comma-separated and tab-separated values, as spreadsheets export them (RFC 4180).

In: the passage of a CSV or TSV file. Out: one section with one grid, its first row the head. A field in quotes
may hold delimiters, line breaks and doubled quotes; its span is what stands between its quotes. A head without any
comma may part its fields with semicolons or tabs, as spreadsheets do where the comma is a decimal point. A row that is
too long keeps its cells and is a Fault, one that is too short is filled up with a Note. Empty lines hold no row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from refgen.errors import ReadError
from refgen.readers.document import Document, Format, Grid, RawCell, Section
from refgen.readers.rows import even, refuse_large
from refgen.source import Passage, plain

_QUOTED = re.compile(r'"[^"]*"')
_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_SURPLUS = "Give every row as many cells as the head has; quote a cell that holds the delimiter."


def read_csv(text: Passage) -> Document:
    """Read comma-separated values. Raises ReadError at a quote that is never closed or closed too early."""
    head = _QUOTED.sub("", text.text.lstrip("\r\n")).partition("\n")[0]
    return _read_delimited(text, Format.CSV, next((delimiter for delimiter in ",;\t" if delimiter in head), ","))


def read_tsv(text: Passage) -> Document:
    """Read tab-separated values. Raises ReadError at a quote that is never closed or closed too early."""
    return _read_delimited(text, Format.TSV, "\t")


def _read_delimited(text: Passage, document_format: Format, delimiter: str) -> Document:
    rows = list(_delimited_rows(text, delimiter))
    if not rows:
        return Document(text.source, document_format, text, (Section("", 0, text),))
    made = even(rows[0], rows[1:], _SURPLUS)
    grid = Grid(tuple(made.rows), 1, text.source.span(rows[0][0].span.start, rows[-1][-1].span.end))
    section = Section("", 0, text, grids=(grid,))
    return Document(text.source, document_format, text, (section,), tuple(made.faults), tuple(made.notes))


def _delimited_rows(text: Passage, delimiter: str) -> Iterator[tuple[RawCell, ...]]:
    field = re.compile(rf'"(?P<quoted>[^"]*(?:""[^"]*)*)(?P<close>"?)|(?P<bare>[^{delimiter}\r\n]*)')
    row: list[RawCell] = []
    position = before = 0
    while position < len(text):
        if not row and (empty := _LINE_END.match(text.text, position)):
            position = empty.end()
            continue
        position = _field(text, field, position, row)
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


def _field(text: Passage, field: re.Pattern[str], position: int, row: list[RawCell]) -> int:
    """Add the field that starts at ``position`` to its row; gives where it ends."""
    match = field.match(text.text, position)
    if match is None or match["quoted"] is None:
        end = match.end() if match else position
        row.append(RawCell.of(text[position:end]))
        return end
    if not match["close"]:
        raise ReadError(
            "this quote is never closed",
            span=text[position : position + 1].span,
            hint='Close it, or write "" for a quote inside a field.',
        )
    inner = text.group(match, "quoted")
    row.append(RawCell(plain(inner.text.replace('""', '"')), inner.strip().span))
    return match.end()


def _row_end(text: Passage, position: int) -> int:
    end = _LINE_END.match(text.text, position)
    if end is None:
        raise ReadError(
            "words follow the closing quote of a field",
            span=text[position : position + 1].span,
            hint='Write "" for a quote inside a field in quotes.',
        )
    return end.end()
