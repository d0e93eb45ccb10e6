"""The parts of a sheet as they are measured, and as they stand on pages.

In: a SheetPart. Out: PartRows: widths in em of labels and fields, and the columns of lines; and a MeasuredPart, which
estimates the min-content width, and the height in any width and type size, that WeasyPrint finds with
templates/_parts/fields.html and sheet.css. The values that the planner makes, the template prints and the read-back
compares stand here too: SetPart, PlacedColumn, PlacedPage and SheetPages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from refgen.blocks.measure import ON_PANELS, MeasuredBlock, MeasuredText, measure_note
from refgen.characters.sheet import CharacterSheet, Field, FieldKind, SheetPart, SheetRow
from refgen.layout import lengths
from refgen.layout.lengths import NOTE, PART_TITLE, TypeSizes
from refgen.layout.metrics import Face, width
from refgen.layout.sizing import breakable_text

NARROW = {FieldKind.NUMBER: 2.6, FieldKind.COMPUTED: 3.2, FieldKind.CHOICE: 4.0, FieldKind.BOX: 1.2}
"""The least width of a field that needs no more than its words, in em."""

TEXT_LEAST = 6.0
"""The least width in em of a field for a name or some words; such fields share the rest of their line."""

BESIDE = lengths.FIELD_GAP
"""Ems between a label and a field, and between two fields."""

ARROW = 1.3
"""Ems for the arrow of a choice."""

WIDEST_CHOICE = 6.0
"""The most width in em that a choice asks for; longer words are set in smaller type."""

BOX = lengths.BOX + lengths.BOX_GAP
"""The width in em of a box to tick with the space after it."""

COLUMN_GAP = 1.6
"""Ems between two columns of a part's lines."""

MOST_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class PartRows:
    """The lines of a part: the widths of their ``labels`` and of the ``fields`` in a line (None: the rest of the line).

    ``least`` is the least width of a line. ``count`` is the number of lines, ``most`` the most columns for them.
    """

    labels: tuple[float, ...]
    fields: tuple[float | None, ...]
    least: float
    count: int
    most: int

    def columns(self, ems: float) -> int:
        """The number of columns of lines in a part so many em wide."""
        fitting = int((ems + COLUMN_GAP) // (self.least + COLUMN_GAP))
        found = max(1, min(self.most, fitting, self.count))
        return -(-self.count // -(-self.count // found)) if self.count else 1

    def lines(self, ems: float) -> int:
        """The number of lines in the longest column."""
        return -(-self.count // self.columns(ems))


def rows_of(part: SheetPart) -> PartRows:
    """The lines of a part."""
    if not part.rows or part.layout == "area":
        return PartRows((), (), TEXT_LEAST if part.rows else 0.0, 0, 1)
    if part.layout == "tracks":
        return _track_rows(part)
    labels = tuple(_label_width(row) for row in part.rows)
    fields = tuple(_fields_width(part, place) for place in range(max(len(row.fields) for row in part.rows)))
    gaps = BESIDE * max(len(fields) - 1, 0)
    least = max(labels) + gaps + sum(TEXT_LEAST if each is None else each for each in fields)
    return PartRows(labels, fields, least, len(part.rows), _most_columns(part))


def _label_width(row: SheetRow) -> float:
    """The width of a label with the space after it."""
    return width(row.label, Face.SEMIBOLD) + BESIDE if row.label else 0.0


def _most_columns(part: SheetPart) -> int:
    """The most columns for the lines of a part: several for parts of labelled, short lines."""
    if part.columns:
        return part.columns
    return MOST_COLUMNS if part.layout == "fields" else 1


def _fields_width(part: SheetPart, place: int) -> float | None:
    """The width of the fields at a place in all lines: as wide as words or head; None for free text."""
    fields = [row.fields[place] for row in part.rows if place < len(row.fields)]
    widths = [_field_width(field) for field in fields]
    if any(each is None for each in widths):
        return None
    head = width(part.heads[place], Face.REGULAR) * lengths.NOTE.widest if place < len(part.heads) else 0.0
    return max([head, *(each for each in widths if each is not None)])


def _field_width(field: Field) -> float | None:
    if field.width:
        return float(field.width)
    if field.kind is FieldKind.CHOICE:
        longest = max(width(word, Face.REGULAR) for word in field.choices) + ARROW
        return min(max(NARROW[field.kind], longest), WIDEST_CHOICE)
    if field.kind is FieldKind.COMPUTED and field.rule is not None:
        return 5.0 if field.rule.show == "level" else NARROW[field.kind] + width(field.rule.unit, Face.REGULAR)
    return NARROW.get(field.kind)


def _track_rows(part: SheetPart) -> PartRows:
    """Rows of boxes: the label, the points that mark the boxes, the boxes, and the note of each row."""
    labels = tuple(_label_width(row) for row in part.rows)
    points = NARROW[FieldKind.COMPUTED] + BESIDE if has_points(part.rows) else 0.0
    least = max(max(labels) + points + len(row.box_fields) * BOX + _note_width(row) for row in part.rows)
    return PartRows(labels, (points,) if points else (), least, len(part.rows), part.columns or 1)


def has_points(rows: Sequence[SheetRow]) -> bool:
    """Whether a field of these rows shows the points of a track."""
    return any(field.kind is FieldKind.COMPUTED for row in rows for field in row.fields)


def _note_width(row: SheetRow) -> float:
    return width(row.note, Face.REGULAR) * lengths.NOTE.widest + BESIDE if row.note else 0.0


@dataclass
class MeasuredPart:
    """A part with measured words: its title, lines, block and note.

    Lengths are in points; they are remembered, since a page is arranged many times.
    """

    part: SheetPart
    title: MeasuredText
    rows: PartRows
    block: MeasuredBlock | None
    note: MeasuredText | None
    with_next: bool = False

    def __post_init__(self) -> None:
        self.min_content, self.height = cache(self._min_content), cache(self._height)

    @classmethod
    def of(cls, part: SheetPart) -> MeasuredPart:
        """Measure a part, once for all widths and type sizes."""
        title = MeasuredText(breakable_text(part.title, Face.SERIF), PART_TITLE)
        note = measure_note(part.note, ON_PANELS, above=lengths.PART_NOTE_ABOVE) if part.note else None
        return cls(part, title, rows_of(part), part.block.measure() if part.block else None, note)

    @property
    def stretches(self) -> bool:
        """Whether the part takes the height left in its column."""
        return self.part.stretches

    def _min_content(self, size: float) -> float:
        """The narrowest width in which nothing sticks out."""
        measured = [each.min_content(size) for each in (self.title, self.block, self.note) if each is not None]
        return max(*measured, self.rows.least * size)

    def _height(self, width: float, size: float) -> float:
        """The height in a column of some ``width``, with the least number of lines."""
        title = self.title.height(width, size) + size * lengths.PART_TITLE_BELOW + lengths.PART_RULE
        height = title + (self.block.height(width, size) if self.block else 0.0) + self._lines(width / size, size)
        return height + (self.note.height(width, size) if self.note else 0.0)

    def _lines(self, ems: float, size: float) -> float:
        """The height of the lines, or of the area."""
        if self.part.layout == "area":
            return self.part.least * lengths.SHEET_LINE * size
        heads = NOTE.size(size) * NOTE.line_height if self.part.has_heads else 0.0
        return heads + self.rows.lines(ems) * lengths.SHEET_LINE * size


@dataclass(frozen=True, slots=True)
class SetPart:
    """A part as it is set: with all its lines, in so many ``columns``; ``area`` is the height of an area, in points.

    ``table_width`` is the width of its table in em, None for a table as wide as the part. ``line`` is the height of its
    lines in em, None for the usual height.
    """

    part: SheetPart
    rows: PartRows
    columns: int
    area: float = 0.0
    table_width: float | None = None
    line: float | None = None

    @property
    def line_columns(self) -> Iterator[tuple[tuple[SheetRow, ...], float]]:
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
    """A page of paper: its number and that of the page in sheet.toml (both from 0), the type size, and the columns.

    Full-width parts stand in columns of their own, above or below the other columns. ``name_field`` is the field in the
    head of a page without the name field itself, and has the same value.
    """

    number: int
    sheet_page: int
    place: str
    size: float
    columns: tuple[PlacedColumn, ...]
    name_field: Field | None = None

    def parts(self) -> Iterator[SetPart]:
        """Every part, in reading order."""
        for column in self.columns:
            yield from column.parts

    @property
    def is_computed(self) -> bool:
        """Whether a block of the page is computed."""
        return any(placed.part.is_computed for placed in self.parts())

    def fields(self) -> Iterator[Field]:
        """Every field, in reading order."""
        if self.name_field is not None:
            yield self.name_field
        for placed in self.parts():
            for row in placed.part.rows:
                yield from row.fields


@dataclass(frozen=True, slots=True)
class SheetPages:
    """All pages of a sheet."""

    sheet: CharacterSheet
    pages: tuple[PlacedPage, ...]

    def fields(self) -> Iterator[Field]:
        """Every field of all pages, in reading order."""
        for page in self.pages:
            yield from page.fields()
