"""The pages of a sheet as they are set: which part stands where, with how many lines.

In: nothing; these are values. Out: the values that the template prints and that are read back from the pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from refgen.aids.sheet.rows import Rows
from refgen.characters.sheet import CharacterSheet, Field, SheetPart, SheetRow
from refgen.layout.lengths import TypeSizes


@dataclass(frozen=True, slots=True)
class SetPart:
    """A part as it is set: with all its lines, in so many ``columns``; ``area`` is the height of an area, in points.

    ``table_width`` is the width of its table in em, None for a table as wide as the part. ``line`` is the height of its
    lines in em, None for the usual height.
    """

    part: SheetPart
    rows: Rows
    columns: int
    area: float = 0.0
    table_width: float | None = None
    line: float | None = None

    @property
    def dealt(self) -> Iterator[tuple[tuple[SheetRow, ...], float]]:
        """The columns of lines, filled in turn so that the last may be shorter, each with the width of its labels."""
        height = -(-len(self.part.rows) // self.columns)
        for start in range(0, len(self.part.rows), max(height, 1)):
            labels = self.rows.labels[start : start + height] or self.rows.labels[-1:]
            yield self.part.rows[start : start + height], round(max(labels, default=0.0), 2)


@dataclass(frozen=True, slots=True)
class PlacedColumn:
    """A column of a page, in points from the upper left corner of the page area; ``gap`` stands between its parts."""

    left: float
    top: float
    width: float
    height: float
    gap: float
    parts: tuple[SetPart, ...]


@dataclass(frozen=True, slots=True)
class PlacedPage(TypeSizes):
    """A page: its number and that of its sheet page, both counted from 0, its type size, and its columns.

    Full-width parts stand in columns of their own, above or below the other columns. ``named`` is the field in the head
    of a page without the name field itself, and has the same value.
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
