"""Where the fields of a sheet are.

In: a sheet that WeasyPrint laid out, and its fields. Out: a FieldBox for each, in reading order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from refgen.aids.sheet.model import Field, FieldKind
from refgen.render.lengths import BODY, FIELD, FIELD_PADDING
from refgen.render.units import PIXEL

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


def field_boxes(document: Any, fields: Iterable[Field]) -> tuple[FieldBox, ...]:
    """The places of all fields in a document of WeasyPrint's."""
    known = {field.name: field for field in fields if not field.absent}
    return tuple(box for number, page in enumerate(document.pages) for box in _of_page(page, number, known))


def _of_page(page: Any, number: int, known: dict[str, Field]) -> Iterator[FieldBox]:
    # WeasyPrint has no public way to ask for the place of a box.
    for box in page._page_box.descendants(placeholders=True):
        element = box.element
        if element is None or box.element_tag != element.tag:
            continue
        # The outermost box of an element comes first.
        field = known.pop(element.get("name") or element.get("data-field") or "", None)
        if field is not None:
            width, height = float(box.border_width()), float(box.border_height())
            bottom = float(page.height) - float(box.border_box_y()) - height
            yield FieldBox(
                field,
                number,
                round(float(box.border_box_x()) * PIXEL, 3),
                round(bottom * PIXEL, 3),
                round(width * PIXEL, 3),
                round(height * PIXEL, 3),
                round(float(box.style["font_size"]) * PIXEL, 3),
                LINE_HEIGHT.get(field.kind, FIELD),
            )
