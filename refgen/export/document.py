"""A document before any rules: read and checked, and shown with its sections, raw tables, lists and faults.

In: a file, or a Document, and whether the text is shown too (system.toml's sentences are compared with that text). Out:
a Document, a Report, plain data for JSON, or lines for a person.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from refgen.catalog import counted
from refgen.checks.document_tables import document_report
from refgen.export.check import Report
from refgen.export.model import Count, Line, Place, data_of
from refgen.readers.document import Document, Format, Grid, Section
from refgen.readers.read import open_document
from refgen.source import Passage
from refgen.span import Span


class ReadText(TypedDict):
    """A printed text and where it stands; ``place`` are the words for a place in a file without lines."""

    text: str
    line: Line
    column: Line
    place: NotRequired[str]


class ReadTable(TypedDict):
    """A table as the reader sees it; ``header_rows`` counts the rows of the head, ``notes`` are footnotes."""

    id: str
    caption: str
    header_rows: Count
    rows: list[list[ReadText]]
    notes: NotRequired[list[ReadText]]


class ReadSection(TypedDict):
    """A section: a heading and all content up to the next heading."""

    title: str
    level: Count
    line: Line
    tables: list[ReadTable]
    lists: list[list[ReadText]]
    paragraphs: NotRequired[list[ReadText]]


class ReadFault(TypedDict):
    """Something in a document that its format would mend in silence."""

    message: str
    span: Place
    hint: str


class ReadNote(TypedDict):
    """Something odd that is harmless, and how it was read."""

    message: str
    span: Place
    reading: str


class ReadData(TypedDict):
    """The output of ``refgen read --format json``."""

    schema: Literal["refgen/read/2"]
    file: str
    format: Format
    sections: list[ReadSection]
    faults: list[ReadFault]
    notes: NotRequired[list[ReadNote]]


def document_data(document: Document, text: bool = False) -> ReadData:
    """The tables, lists, faults and notes of a document; with ``text``, the paragraphs too."""
    data = ReadData(
        schema="refgen/read/2",
        file=document.source.name,
        format=document.format,
        sections=[_section(section, text) for section in document.sections],
        faults=[data_of(ReadFault, fault) for fault in document.faults],
    )
    if document.notes:
        data["notes"] = [data_of(ReadNote, note) for note in document.notes]
    return data


def _section(section: Section, text: bool) -> ReadSection:
    data = ReadSection(
        title=section.title,
        level=section.level,
        line=section.text.span.line,
        tables=[_table(grid) for grid in section.grids],
        lists=[[_text(item.text, item.span) for item in block.items] for block in section.lists],
    )
    if text:
        data["paragraphs"] = [_text(paragraph.text, paragraph.span) for paragraph in section.paragraphs]
    return data


def _table(grid: Grid) -> ReadTable:
    rows = [[_text(cell.text, cell.span) for cell in row] for row in grid.rows]
    table = ReadTable(id=grid.id, caption=grid.caption, header_rows=grid.header_rows, rows=rows)
    if grid.notes:
        table["notes"] = [_text(note.text, note.span) for note in grid.notes]
    return table


def _text(text: str, span: Span) -> ReadText:
    said = ReadText(text=text, line=span.line, column=span.column)
    return said | {"place": span.place} if span.place else said


def document_lines(document: Document, text: bool = False) -> Iterator[str]:
    """The outline of a document with every table in full, and the paragraphs with ``text``; then faults and notes."""
    yield f"{document.source.name}: {document.format}, {counted(len(document.sections), 'section')}"
    for section in document.sections:
        yield ""
        yield from _show_section(section, text)
    if document.faults:
        yield ""
    for fault in document.faults:
        yield f"{fault.span}: {fault.message}"
        yield f"  hint: {fault.hint}"
    if document.notes:
        yield ""
    for note in document.notes:
        yield f"{note.span}: note: {note.message}: {note.reading}"


def _show_section(section: Section, text: bool) -> Iterator[str]:
    title = section.title or "(before the first heading)"
    counts = [(len(section.paragraphs), "paragraph"), (len(section.lists), "list"), (len(section.grids), "table")]
    yield f"{'#' * max(section.level, 1)} {title}  ({', '.join(counted(*each) for each in counts if each[0])})"
    shown = [
        *_paragraphs(section, text),
        *_lists(section, text),
        *((grid.span, _show_grid(grid)) for grid in section.grids),
    ]
    for _, lines in sorted(shown, key=lambda block: block[0]) if text else shown:
        yield from lines


def _paragraphs(section: Section, text: bool) -> Iterator[tuple[Span, Iterator[str]]]:
    """The paragraphs, and the blocks that are none: tables by words alone."""
    starts = {paragraph.origins[0] for paragraph in section.paragraphs}
    blocks = [block for block in map(Passage.collapsed, section.blocks) if block.origins[0] not in starts]
    for words in [*section.paragraphs, *blocks] if text else ():
        yield words.span, iter([_words_with_place(words)])


def _lists(section: Section, text: bool) -> Iterator[tuple[Span, Iterator[str]]]:
    for number, block in enumerate(section.lists, start=1):
        first = block.items[0].span
        items = (f"  {_words_with_place(item)}" for item in block.items if text)
        yield first, chain([f"  list {number}: {counted(len(block.items), 'item')}, {first}"], items)


def _words_with_place(words: Passage) -> str:
    """Words with the place at which they begin."""
    return f"  {words.span.place or f'{words.span.line}:{words.span.column}'}  {words.text}"


def _show_grid(grid: Grid) -> Iterator[str]:
    yield f"  table at {grid.span}: {counted(len(grid.body), 'row')} under {grid.header_rows} of head"
    for row in grid.rows:
        yield "    " + " | ".join(cell.text for cell in row)
    for note in grid.notes:
        yield f"    note at {note.span}: {note.text}"


def read(file: str | Path) -> Document:
    """Read a document in any format that refgen knows. Raises SourceError and ReadError."""
    return open_document(Path(file), typed=True)


def check_document(document: Document) -> Report:
    """The checks of a document alone: rows by their dice, columns by their way, chances by dice."""
    return Report.of(document_report(document))
