"""What the tests of readers compare: the cells of a document, and where each of them is printed."""

from __future__ import annotations

from refgen.readers.document import Document, Grid


def the_grid(document: Document) -> Grid:
    """The only table of a document."""
    (grid,) = [grid for section in document.sections for grid in section.grids]
    return grid


def texts(grid: Grid) -> list[list[str]]:
    """The cells of a table as they are shown."""
    return [[cell.text for cell in row] for row in grid.rows]


def printed(document: Document) -> list[list[str]]:
    """The cells of the only table, each as its span cuts it out of the source."""
    text = document.source.text
    return [[text[cell.span.start : cell.span.end] for cell in row] for row in the_grid(document).rows]


def places(document: Document) -> list[list[str]]:
    """Line and column of each cell of the only table."""
    return [[f"{cell.span.line}:{cell.span.column}" for cell in row] for row in the_grid(document).rows]


def faults(document: Document) -> list[tuple[str, str]]:
    """Line and column of each fault, and what it says."""
    return [(f"{fault.span.line}:{fault.span.column}", fault.message) for fault in document.faults]


def notes(document: Document) -> list[tuple[str, str, str]]:
    """Line and column of each note, what it says, and how it was read."""
    return [(f"{note.span.line}:{note.span.column}", note.message, note.reading) for note in document.notes]
