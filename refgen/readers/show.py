"""A document as a reader sees it: its sections with the raw tables and lists in them, and its faults.

In: a Document. Out: lines of text for a person, or data for a machine (``schema`` names its shape and version).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from refgen.readers.document import Document, Fault, Grid, Section
from refgen.span import Span

SCHEMA = "refgen/read/1"


def show_document(document: Document) -> Iterator[str]:
    """The outline of a document, every table in full, then what is wrong with it."""
    yield f"{document.source.name}: {document.format}, {len(document.sections)} sections"
    for section in document.sections:
        yield ""
        yield from _show_section(section)
    if document.faults:
        yield ""
    for fault in document.faults:
        yield f"{fault.span}: {fault.message}"
        yield f"  hint: {fault.hint}"


def _show_section(section: Section) -> Iterator[str]:
    title = section.title or "(before the first heading)"
    counts = [
        (len(section.paragraphs), "paragraphs"),
        (len(section.lists), "lists"),
        (len(section.grids), "tables"),
    ]
    yield f"{'#' * max(section.level, 1)} {title}  ({', '.join(f'{n} {what}' for n, what in counts if n)})"
    for number, block in enumerate(section.lists, start=1):
        yield f"  list {number}: {len(block.items)} items, {block.items[0].span}"
    for grid in section.grids:
        yield from _show_grid(grid)


def _show_grid(grid: Grid) -> Iterator[str]:
    yield f"  table at {grid.span}: {len(grid.body)} rows under {grid.header_rows} of head"
    for row in grid.rows:
        yield "    " + " | ".join(cell.text for cell in row)


def document_data(document: Document) -> dict[str, Any]:
    """The tables, lists and faults of a document as plain data."""
    return {
        "schema": SCHEMA,
        "file": document.source.name,
        "format": document.format.value,
        "sections": [_section_data(section) for section in document.sections],
        "faults": [_fault_data(fault) for fault in document.faults],
    }


def _section_data(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "level": section.level,
        "line": section.text.span.line,
        "tables": [_grid_data(grid) for grid in section.grids],
        "lists": [[_text_data(item.text, item.span) for item in block.items] for block in section.lists],
    }


def _grid_data(grid: Grid) -> dict[str, Any]:
    return {
        "id": grid.id,
        "caption": grid.caption,
        "header_rows": grid.header_rows,
        "rows": [[_text_data(cell.text, cell.span) for cell in row] for row in grid.rows],
    }


def _text_data(text: str, span: Span) -> dict[str, Any]:
    return {"text": text, "line": span.line, "column": span.column}


def _fault_data(fault: Fault) -> dict[str, Any]:
    span = fault.span
    return {
        "message": fault.message,
        "span": {"file": span.file, "line": span.line, "column": span.column},
        "hint": fault.hint,
    }
