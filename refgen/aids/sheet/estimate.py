"""How high a part of a sheet will be, without laying it out.

In: a Part. Out: a MeasuredPart, which knows its min-content width, and its height in any width and type size, with any
number of lines: that which WeasyPrint would find with templates/_parts/fields.html and sheet.css.
"""

from __future__ import annotations

from dataclasses import dataclass

from refgen.aids.sheet.rows import Rows, rows_of
from refgen.blocks.measure import MeasuredBlock, MeasuredText
from refgen.characters.sheet.model import Part
from refgen.layout import lengths
from refgen.layout.lengths import NOTE, PART_TITLE
from refgen.layout.metrics import Face
from refgen.layout.words import words


@dataclass(frozen=True, slots=True)
class MeasuredPart:
    """A part whose words are measured: its title, its lines, the block that it shows, and its note."""

    part: Part
    title: MeasuredText
    rows: Rows
    block: MeasuredBlock | None
    note: MeasuredText | None

    def min_content(self, size: float) -> float:
        """The narrowest width in points in which nothing sticks out."""
        texts = [text.min_content(size) for text in (self.title, self.note) if text is not None]
        block = self.block.min_content(size) if self.block else 0.0
        return max(*texts, self.rows.least * size, block)

    def height(self, width: float, size: float, lines: int = 0) -> float:
        """Its height in points in a column ``width`` points wide; a list or area with so many lines more."""
        height = self.title.height(width, size) + size * lengths.PART_TITLE_BELOW + lengths.PART_RULE
        if self.block:
            height += self.block.height(width, size)
        height += self._lines(width / size, size) + lines * lengths.SHEET_LINE * size
        return height + (self.note.height(width, size) if self.note else 0.0)

    def _lines(self, ems: float, size: float) -> float:
        """The height of its lines, or of its area."""
        if self.part.layout == "area":
            return self.part.least * lengths.SHEET_LINE * size
        heads = NOTE.size(size) * NOTE.line_height if self.part.has_heads else 0.0
        return heads + self.rows.lines(ems) * lengths.SHEET_LINE * size


def measure_part(part: Part) -> MeasuredPart:
    """Measure a part, once for all widths and type sizes."""
    title = MeasuredText(words(part.title, Face.SERIF), Face.SERIF, PART_TITLE)
    note = None
    if part.note:
        note = MeasuredText(words(part.note, Face.REGULAR), Face.REGULAR, NOTE, above=lengths.PART_NOTE_ABOVE)
    block = part.block.measure() if part.block else None
    return MeasuredPart(part, title, rows_of(part), block, note)
