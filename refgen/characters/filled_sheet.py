"""The sheet of a character: the blank one with everything in its place.

In: a Form, a Character, or what stands on its sheet. Out: a CharacterSheet with the same parts, whose fields have their
values. Lists that stretch have as many lines as the character needs, or more.
"""

from __future__ import annotations

from dataclasses import replace

from refgen.characters.filling import Filled
from refgen.characters.sheet.model import CharacterSheet, Field, FieldKind, Part, SheetRow


def filled_sheet(sheet: CharacterSheet, filled: Filled) -> CharacterSheet:
    """The sheet with what stands on it."""
    pages = [replace(page, parts=tuple(_part(part, filled) for part in page.parts)) for page in sheet.pages]
    return replace(sheet, pages=tuple(pages), character=filled.character.name)


def _part(part: Part, filled: Filled) -> Part:
    if part.pattern is not None:
        part = part.with_lines(max(len(part.rows), filled.lines.get(part.id, 0)))
    return replace(part, rows=tuple(filled_row(row, filled) for row in part.rows))


def filled_row(row: SheetRow, filled: Filled) -> SheetRow:
    """A row with what stands in its fields."""
    count = filled.boxes.get(row.fields[-1].name.rpartition(".")[0]) if row.boxes is not None else None
    return replace(row, fields=tuple(_field(field, filled, count) for field in row.fields))


def _field(field: Field, filled: Filled, boxes: int | None) -> Field:
    """A field with its value; of the boxes of a track, those are absent that this character does not have."""
    value, exact = filled.texts.get(field.name, ""), filled.exact.get(field.name)
    if boxes is None or field.kind is not FieldKind.BOX:
        return replace(field, value=value, exact=exact)
    return replace(field, value=value, optional=False, absent=int(field.id) > boxes)
