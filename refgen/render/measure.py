"""What stands where on a page that WeasyPrint laid out.

In: a page. Out: the boxes of each part of an aid on it, and whether they hold their content. In the templates, each box
that must hold its content says by ``data-fit`` which part it belongs to, and the whole page or card by ``data-frame``;
blocks whose height is wanted by ``data-block``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

TOLERANCE = 0.5
"""CSS pixels by which rounding may exceed a box."""

FIELDS = frozenset({"input", "select", "textarea"})
"""The elements that are fields of a form."""

Rect = tuple[float, float, float, float]
"""Left, top, width and height in CSS pixels from the upper left corner of the page."""


@dataclass(slots=True)
class PartBoxes:
    """The boxes of a part, and how they hold their content.

    ``overflow`` is how far the content reaches out of a box at most, in CSS pixels (0 when it does not); ``fill``
    the share of its height that the fullest box has in use. ``frame`` is the place of the whole part, if it says
    which that is, and ``boxes`` that of each box, in order; ``blocks`` are the heights of its blocks.
    """

    overflow: float = 0.0
    fill: float = 0.0
    frame: Rect | None = None
    boxes: list[Rect] = field(default_factory=list)
    blocks: list[float] = field(default_factory=list)

    @property
    def overflows(self) -> bool:
        """Whether more reaches out of a box than rounding explains."""
        return self.overflow > TOLERANCE


def measure(page: Any) -> dict[int, PartBoxes]:
    """The boxes of each part on a page that WeasyPrint laid out, by the number of the part."""
    parts: dict[int, PartBoxes] = {}
    frames: dict[int, Rect] = {}
    for kind, number, box in _named_boxes(page):
        if kind == "data-frame":
            frames[number] = _rect(box)
            continue
        right, bottom = _reach(box)
        part = parts.setdefault(number, PartBoxes(frame=frames.get(number)))
        if kind == "data-block":
            part.blocks.append(float(box.height))
            continue
        part.boxes.append(_rect(box))
        top, height = box.content_box_y(), box.height
        part.overflow = max(part.overflow, right - box.content_box_x() - box.width, bottom - top - height)
        part.fill = max(part.fill, (bottom - top) / height)
    return parts


def _named_boxes(page: Any) -> Iterator[tuple[str, int, Any]]:
    """The boxes of a page that are named in the templates: by which attribute, for which part, and the box itself."""
    # WeasyPrint has no public way to ask for the place of a box.
    for box in page._page_box.descendants(placeholders=True):
        element = box.element
        # An element has several boxes, of which the outermost has the tag of the element.
        if element is not None and box.element_tag == element.tag and _is_placed(box):
            for kind in ("data-frame", "data-fit", "data-block"):
                number = element.get(kind)
                if number is not None:
                    yield kind, int(number), box


def _rect(box: Any) -> Rect:
    return float(box.content_box_x()), float(box.content_box_y()), float(box.width), float(box.height)


def _reach(box: Any) -> tuple[float, float]:
    """How far right and down the content of a box goes."""
    right, bottom = box.content_box_x(), box.content_box_y()
    for inner in islice(box.descendants(placeholders=True), 1, None):
        if _is_placed(inner) and not _is_typed(inner):
            right = max(right, inner.position_x + inner.margin_left + inner.border_width())
            bottom = max(bottom, inner.position_y + inner.margin_top + inner.border_height())
    return float(right), float(bottom)


def _is_typed(box: Any) -> bool:
    """Whether a box is what is typed into a field: the field itself shows that, and WeasyPrint has it far outside."""
    from weasyprint.formatting_structure.boxes import LineBox, TextBox

    return box.element_tag.partition("::")[0] in FIELDS and isinstance(box, LineBox | TextBox)


def _is_placed(box: Any) -> bool:
    return isinstance(getattr(box, "width", None), (int, float)) and isinstance(box.height, (int, float))
