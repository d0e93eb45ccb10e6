"""Footnote marks in the cells of tables, and what the notes say.

In: a document as its reader made it. Out: the same, in which a mark at the end of a cell ("Vizier[^1]", "5*") is parted
from it, if a note explains the mark: ``[^1]: …`` anywhere in the document, or a paragraph below the table that starts
with the mark. The note belongs to the table then. A mark without a note is a part of its cell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import ChainMap
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field, replace

from refgen.readers.document import Document, Grid, RawCell, Section
from refgen.source import Passage, SourceFile
from refgen.span import Span

_SIGN = r"\*{1,3}|†{1,3}|‡{1,3}|§{1,2}|[¹²³⁴⁵⁶⁷⁸⁹]{1,2}|<sup>[^<>]{1,6}</sup>"
_MARKED = re.compile(rf"(?P<words>.*?[^\s*†‡§])\s*(?P<mark>\[\^[^\]\s]{{1,20}}\]|{_SIGN})")
_NOTE = re.compile(rf"(?P<mark>{_SIGN})\s*(?P<note>[^\s*†‡§].*)", re.DOTALL)
_DEFINITION = re.compile(
    r"(?:\A|(?<=\s))(?P<mark>\[\^[^\]\s]{1,20}\]):\s+(?P<note>.+?)(?=\s+\[\^[^\]\s]{1,20}\]:\s|\Z)"
)

Notes = MutableMapping[str, Passage]
"""The words of each note by its mark."""


def part_footnotes(document: Document) -> Document:
    """Part the marks from the cells of every table, with the notes that explain them."""
    if not document.tables:
        return document
    prose = (paragraph for section in document.sections for paragraph in section.paragraphs)
    defined = {
        match["mark"]: paragraph.group(match, "note")
        for paragraph in prose
        if "[^" in paragraph.text
        for match in _DEFINITION.finditer(paragraph.text)
    }
    sections = tuple(_in_section(document.source, section, defined) for section in document.sections)
    return replace(document, sections=sections)


def _in_section(source: SourceFile, section: Section, defined: Notes) -> Section:
    if not section.grids:
        return section
    ends = [grid.span.end for grid in section.grids]
    below: list[dict[str, Passage]] = [{} for _ in ends]
    for start, mark, note in _notes(section):
        number = bisect_right(ends, start) - 1
        if number >= 0 and (mark or source.text[ends[number] : start].strip() == "*"):
            below[number][mark or "*"] = note
    grids = (_in_grid(source, grid, ChainMap(here, defined)) for grid, here in zip(section.grids, below, strict=True))
    return replace(section, grids=tuple(grids))


def _notes(section: Section) -> Iterator[tuple[int, str, Passage]]:
    """Where a note may begin, its mark, and its words; that of a list is "": it may be an asterisk."""
    for paragraph in section.paragraphs:
        if match := _NOTE.fullmatch(paragraph.text):
            yield paragraph.origins[0], match["mark"], paragraph.group(match, "note")
    for block in section.lists:
        yield block.items[0].origins[0], "", block.items[0]


@dataclass
class _Parted:
    """The rows of a table without the marks in them, and by mark which cells had it."""

    source: SourceFile
    notes: Notes
    marked: dict[str, list[str]] = field(default_factory=dict)

    def row(self, row: Sequence[RawCell], heads: Sequence[str]) -> tuple[RawCell, ...]:
        """A row; a cell in it goes by its own words, or by those of its row and column where it is a figure."""
        cells: list[RawCell] = []
        for number, cell in enumerate(row):
            words, marks = self._parts(cell)
            cells.append(RawCell(words, _without(self.source, cell.span, marks)) if marks else cell)
            named = words if number == 0 or not heads else f"{cells[0].text}, {heads[number]}"
            for mark in marks:
                self.marked.setdefault(mark, []).append(named)
        return tuple(cells)

    def _parts(self, cell: RawCell) -> tuple[str, Sequence[str]]:
        """The words of a cell and its marks, the last mark first."""
        words, marks = cell.text, []
        while (match := _MARKED.fullmatch(words)) and match["mark"] in self.notes:
            words = match["words"]
            marks.append(match["mark"])
        return words, marks


def _in_grid(source: SourceFile, grid: Grid, notes: Notes) -> Grid:
    if not notes:
        return grid
    parted = _Parted(source, notes)
    head = [parted.row(row, ()) for row in grid.rows[: grid.header_rows]]
    heads = replace(grid, rows=tuple(head)).header
    body = [parted.row(row, heads if len(row) <= len(heads) else ()) for row in grid.body]
    found = [
        RawCell(f"{'; '.join(dict.fromkeys(cells))}: {notes[mark].text}", notes[mark].span)
        for mark, cells in parted.marked.items()
    ]
    return replace(grid, rows=(*head, *body), notes=tuple(found)) if found else grid


def _without(source: SourceFile, span: Span, marks: Sequence[str]) -> Span:
    """The place of a cell without the marks at its end; the whole of it where they are written otherwise."""
    text = source.text[span.start : span.end]
    for mark in marks:
        text = text.rstrip().removesuffix(mark)
    return source.span(span.start, span.start + len(text.rstrip(" \\")))
