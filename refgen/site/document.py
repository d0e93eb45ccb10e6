"""The blocks of a rule document in the order in which it prints them.

In: the sections of a game's documents, and its tables. Out: for each section its paragraphs, lists and tables, each
once: the reader of plain text gives the words of lists and tables as paragraphs too, that of DocBook those of lists.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refgen.readers.document import Grid, ListBlock, Section
from refgen.rules.model import Table
from refgen.source import Passage
from refgen.span import Span

RAGGED = ("grid", "ragged")
"""Layouts of tables that are tables to the eye; the rows of others stand in lists and sentences."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A block of a document, and where it stands.

    It is a paragraph, a list, a grid as its format marks it, a table that only system.toml knows, or (``is_raw``) a
    stretch of which nothing is known.
    """

    span: Span
    content: Passage | ListBlock | Grid | Table
    is_raw: bool = False


def blocks_of(section: Section, tables: Sequence[Table]) -> Sequence[Printed]:
    """The blocks of a section, in order; ``tables`` are those of the game that stand in it.

    Where columns are a matter of blanks (the section then has raw stretches), what looks like a table is one only when
    the game has it.
    """
    known = [(table.span, table) for table in tables if table.span and table.layout in RAGGED]
    grids = [grid for grid in section.grids if not section.blocks or _overlaps(grid.span, [span for span, _ in known])]
    found = [Printed(grid.span, grid) for grid in grids]
    shown = [one.span for one in found]
    found += [Printed(span, table) for span, table in known if not _overlaps(span, shown)]
    found += [Printed(_extent(block), block) for block in section.lists if block.items]
    taken = [one.span for one in found]
    found += [Printed(rest.span, rest) for paragraph in section.paragraphs for rest in _without(paragraph, taken)]
    shown = [one.span for one in found]
    found += [Printed(block.span, block, is_raw=True) for block in section.blocks if not _overlaps(block.span, shown)]
    return sorted(found, key=lambda one: one.span)


def _extent(block: ListBlock) -> Span:
    first, last = block.items[0].span, block.items[-1].span
    return Span(first.file, first.start, last.end, first.line, first.column, last.end_line, last.end_column)


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(span.file == other.file and span.start < other.end and other.start < span.end for other in others)


def _without(paragraph: Passage, taken: Sequence[Span]) -> Iterator[Passage]:
    """What is left of a paragraph outside some stretches; marks without a word are left out."""
    position = 0
    for span in sorted(taken):
        start = bisect_left(paragraph.origins, span.start, hi=len(paragraph))
        end = bisect_left(paragraph.origins, span.end, lo=start, hi=len(paragraph))
        if span.file == paragraph.source.name and start < end:
            yield from _words(paragraph[position:start])
            position = end
    yield from _words(paragraph[position:])


def _words(passage: Passage) -> Iterator[Passage]:
    if any(character.isalnum() for character in passage.text):
        yield passage.strip()
