"""A document as its reader sees it, as JSON.

In: a Document. Out: plain data: its sections with their tables and lists, and its faults.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from refgen.export.model import Count, Line, Place, place
from refgen.readers.document import Document, Fault, Format, Grid, Section
from refgen.span import Span


class ReadText(TypedDict):
    """A printed text and where it stands."""

    text: str
    line: Line
    column: Line


class ReadTable(TypedDict):
    """A table as the reader sees it; ``header_rows`` of its rows are its head, ``notes`` its footnotes."""

    id: str
    caption: str
    header_rows: Count
    rows: list[list[ReadText]]
    notes: NotRequired[list[ReadText]]


class ReadSection(TypedDict):
    """A heading and what stands under it, up to the next heading."""

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
    """What ``refgen read --format json`` prints."""

    schema: Literal["refgen/read/1"]
    file: str
    format: Format
    sections: list[ReadSection]
    faults: list[ReadFault]
    notes: NotRequired[list[ReadNote]]


def document_data(document: Document, text: bool = False) -> ReadData:
    """The tables, lists, faults and notes of a document; its paragraphs too where its text is wanted."""
    data = ReadData(
        schema="refgen/read/1",
        file=document.source.name,
        format=document.format,
        sections=[_section(section, text) for section in document.sections],
        faults=[_fault(fault) for fault in document.faults],
    )
    if document.notes:
        data["notes"] = [
            ReadNote(message=note.message, span=place(note.span), reading=note.reading) for note in document.notes
        ]
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
    return ReadText(text=text, line=span.line, column=span.column)


def _fault(fault: Fault) -> ReadFault:
    return ReadFault(message=fault.message, span=place(fault.span), hint=fault.hint)
