"""The pages of a sheet as they are set: which part stands where, with how many lines.

In: nothing; these are values. Out: what the template shows, and what is read back from the pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from refgen.aids.sheet.rows import Rows
from refgen.characters.sheet.model import CharacterSheet, Field, Part, SheetRow
from refgen.layout.lengths import TypeSizes


@dataclass(frozen=True, slots=True)
class SetPart:
    """A part as it is set: with all its lines, in so many ``columns``; ``area`` is the height of an area, in points.

    ``table_width`` is that of its table, in ems; None where that is as wide as the part. ``line`` is how high its lines
    are, in ems; None where they are as high as everywhere.
    """

    part: Part
    rows: Rows
    columns: int
    area: float = 0.0
    table_width: float | None = None
    line: float | None = None

    @property
    def dealt(self) -> Iterator[tuple[tuple[SheetRow, ...], float]]:
        """Its lines in columns, each filled before the next, and the width of their labels; the last may be shorter."""
        height = -(-len(self.part.rows) // self.columns)
        for start in range(0, len(self.part.rows), max(height, 1)):
            labels = self.rows.labels[start : start + height] or self.rows.labels[-1:]
            yield self.part.rows[start : start + height], round(max(labels, default=0.0), 2)


@dataclass(frozen=True, slots=True)
class PlacedColumn:
    """A column of a page, in points from the upper left corner of the page area; ``gap`` is that between its parts."""

    left: float
    top: float
    width: float
    height: float
    gap: float
    parts: tuple[SetPart, ...]


@dataclass(frozen=True, slots=True)
class PlacedPage(TypeSizes):
    """A page: its number, counted from 0, that of the page of the sheet it belongs to, its type size, its columns.

    Parts across the full width stand in columns of their own, above or below the others. ``named`` is the field at the
    head of a page that has not the one for the name itself: it has the same value.
    """

    number: int
    sheet_page: int
    place: str
    size: float
    columns: tuple[PlacedColumn, ...]
    named: Field | None = None

    def parts(self) -> Iterator[SetPart]:
        """Every part, in reading order."""
        for column in self.columns:
            yield from column.parts

    def fields(self) -> Iterator[Field]:
        """Every field, in reading order."""
        if self.named is not None:
            yield self.named
        for placed in self.parts():
            for row in placed.part.rows:
                yield from row.fields


@dataclass(frozen=True, slots=True)
class SheetPages:
    """All pages of a sheet."""

    sheet: CharacterSheet
    pages: tuple[PlacedPage, ...]
