"""Where the fields of a sheet are.

In: the pages of a sheet that was laid out, and its fields. Out: a FieldBox for each, in reading order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from refgen.characters.sheet.model import Field, FieldKind
from refgen.layout.engine import FieldPlace, Page
from refgen.layout.lengths import BODY, FIELD, FIELD_PADDING
from refgen.layout.units import PIXEL

LINE_HEIGHT = {FieldKind.AREA: BODY.line_height}
"""In em of the text; that of all other fields is as high as they are."""

BORDER = 0.5
"""Points: the border of an area, and under a field."""


@dataclass(frozen=True)
class FieldBox:
    """The place of a field: its page, counted from 0, and its border box in points from the lower left corner.

    ``size`` is its type size in points; ``line_height`` that of its lines in em. In an area, text goes on in a new
    line; a box is to be ticked. (Properties are cached: each is asked for sixty times a sheet.)
    """

    field: Field
    page: int
    left: float
    bottom: float
    width: float
    height: float
    size: float
    line_height: float

    @cached_property
    def name(self) -> str:
        """The name of its field."""
        return self.field.name

    @cached_property
    def is_area(self) -> bool:
        """Whether it has room for several lines."""
        return self.field.kind is FieldKind.AREA

    @cached_property
    def is_box(self) -> bool:
        """Whether it is ticked and not written in."""
        return self.field.kind is FieldKind.BOX

    @cached_property
    def padding(self) -> float:
        """The points between its border and its text."""
        return self.size * FIELD_PADDING

    @cached_property
    def room(self) -> float:
        """The width that it has for text, in points."""
        return self.width - 2 * self.padding - (2 * BORDER if self.is_area else 0.0)


def field_boxes(pages: Sequence[Page], fields: Iterable[Field]) -> tuple[FieldBox, ...]:
    """The places of all fields on some pages; a field that stands there twice is where it stands first."""
    known = {field.name: field for field in fields if not field.absent}
    places = [(name, (number, page, place)) for number, page in enumerate(pages) for name, place in page.fields.items()]
    first = {name: place for name, place in reversed(places) if name in known}
    return tuple(_field_box(known[name], *first.pop(name)) for name, _ in places if name in first)


def _field_box(field: Field, number: int, page: Page, place: FieldPlace) -> FieldBox:
    left, top, width, height = place.box
    pixels = left, page.height - top - height, width, height, place.type_size
    left, bottom, width, height, size = (round(length * PIXEL, 3) for length in pixels)
    return FieldBox(field, number, left, bottom, width, height, size, LINE_HEIGHT.get(field.kind, FIELD))
