"""A document as a reader sees it: its sections with the raw tables and lists in them, and its faults.

In: a Document. Out: lines of text for a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from refgen.readers.document import Document, Grid, Section


def document_lines(document: Document) -> Iterator[str]:
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
    if document.notes:
        yield ""
    for note in document.notes:
        yield f"{note.span}: note: {note.message}: {note.reading}"


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
    for note in grid.notes:
        yield f"    note at {note.span}: {note.text}"
