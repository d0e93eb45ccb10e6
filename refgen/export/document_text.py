"""A document as a reader sees it: its sections with the raw tables and lists in them, and its faults.

In: a Document, and whether its text is wanted too, as the sentences of system.toml are compared with it. Out: lines of
text for a person.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from refgen.readers.document import Document, Grid, Section
from refgen.source import Passage
from refgen.span import Span


def document_lines(document: Document, text: bool = False) -> Iterator[str]:
    """The outline of a document, every table in full, its text if that is wanted, then what is wrong with it."""
    yield f"{document.source.name}: {document.format}, {len(document.sections)} sections"
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
    counts = [
        (len(section.paragraphs), "paragraphs"),
        (len(section.lists), "lists"),
        (len(section.grids), "tables"),
    ]
    yield f"{'#' * max(section.level, 1)} {title}  ({', '.join(f'{n} {what}' for n, what in counts if n)})"
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
        yield words.span, iter([_placed(words)])


def _lists(section: Section, text: bool) -> Iterator[tuple[Span, Iterator[str]]]:
    for number, block in enumerate(section.lists, start=1):
        first = block.items[0].span
        items = (f"  {_placed(item)}" for item in block.items if text)
        yield first, chain([f"  list {number}: {len(block.items)} items, {first}"], items)


def _placed(words: Passage) -> str:
    """Words with the line and column at which they begin."""
    return f"  {words.span.line}:{words.span.column}  {words.text}"


def _show_grid(grid: Grid) -> Iterator[str]:
    yield f"  table at {grid.span}: {len(grid.body)} rows under {grid.header_rows} of head"
    for row in grid.rows:
        yield "    " + " | ".join(cell.text for cell in row)
    for note in grid.notes:
        yield f"    note at {note.span}: {note.text}"
