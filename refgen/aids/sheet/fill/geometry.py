"""Where the fields of a sheet are.

In: the pages of a sheet that was laid out, and its fields. Out: a FieldBox for each, in reading order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from refgen.characters.sheet.model import Field, FieldKind
from refgen.layout.engine import FieldPlace, Page
from refgen.layout.lengths import BODY, FIELD, FIELD_PADDING
from refgen.layout.units import PIXEL

LINE_HEIGHT = {FieldKind.AREA: BODY.line_height}
"""In em of the text; that of all other fields is as high as they are."""


@dataclass(frozen=True, slots=True)
class FieldBox:
    """The place of a field: its page, counted from 0, and its border box in points from the lower left corner.

    ``size`` is its type size in points; ``line_height`` that of its lines in em. In an area, text goes on in a new
    line; a box is to be ticked. (What is asked for sixty times a sheet is no property.)
    """

    field: Field
    page: int
    left: float
    bottom: float
    width: float
    height: float
    size: float
    line_height: float

    name: str = dataclasses.field(init=False)
    is_area: bool = dataclasses.field(init=False)
    is_box: bool = dataclasses.field(init=False)
    padding: float = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        """``padding`` is between its border and its text, in points."""
        set_ = object.__setattr__
        set_(self, "name", self.field.name)
        set_(self, "is_area", self.field.kind is FieldKind.AREA)
        set_(self, "is_box", self.field.kind is FieldKind.BOX)
        set_(self, "padding", self.size * FIELD_PADDING)


def field_boxes(pages: Sequence[Page], fields: Iterable[Field]) -> tuple[FieldBox, ...]:
    """The places of all fields on some pages; a field that stands there twice is where it stands first."""
    return tuple(_found(pages, {field.name: field for field in fields if not field.absent}))


def _found(pages: Sequence[Page], unplaced: dict[str, Field]) -> Iterator[FieldBox]:
    for number, page in enumerate(pages):
        for name, place in page.fields.items():
            field = unplaced.pop(name, None)
            if field is not None:
                yield _field_box(field, number, place, page.height)


def _field_box(field: Field, page: int, place: FieldPlace, page_height: float) -> FieldBox:
    left, top, width, height = place.box
    pixels = left, page_height - top - height, width, height, place.type_size
    left, bottom, width, height, size = (round(length * PIXEL, 3) for length in pixels)
    return FieldBox(field, page, left, bottom, width, height, size, LINE_HEIGHT.get(field.kind, FIELD))
