"""Fits or fails: what does not fit is set smaller, within limits, and reported when even that is not enough.

In: how to make the HTML of an aid with each of its parts some size steps smaller. Out: the final HTML and its
layout. In the templates, each box that must hold its content says by ``data-fit`` which part it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from refgen.errors import RenderError
from refgen.render.pdf import layout

SMALLEST_STEP = 5
"""The size classes of the style sheets end here: at the smallest type that the look allows."""

_MILLIMETRE = 96 / 25.4
_TOLERANCE = 0.5
"""CSS pixels by which rounding may exceed a box."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """An aid that fits: its HTML, and the WeasyPrint document of it."""

    html: str
    document: Any


def fit(make: Callable[[Sequence[int]], str], titles: Sequence[str], name: str) -> Fitted:
    """Set each part as large as fits. Raises RenderError that names the part which is too full, and by how much."""
    steps = [0] * len(titles)
    while True:
        html = make(steps)
        document = layout(html, name)
        excess = [0.0] * len(titles)
        for part, over in overflows(document):
            excess[part] = max(excess[part], over)
        too_full = [number for number, over in enumerate(excess) if over > _TOLERANCE]
        if not too_full:
            return Fitted(html, document)
        for number in too_full:
            if steps[number] == SMALLEST_STEP:
                raise RenderError(
                    f'{name}: "{titles[number]}" is too full by {excess[number] / _MILLIMETRE:.1f} mm',
                    hint="Take a block away, or move one to another panel, page or card.",
                )
            steps[number] += 1


def overflows(document: Any) -> Iterator[tuple[int, float]]:
    """For each box that must hold its content: its part, and by how many CSS pixels the content reaches out of it."""
    for page in document.pages:
        # WeasyPrint has no public way to ask for the place of a box.
        for box in page._page_box.descendants(placeholders=True):
            if part := _part_of(box):
                yield int(part), _excess(box)


def _part_of(box: Any) -> str | None:
    """The part that a box must hold; an element has several boxes, of which the outermost has its own tag."""
    element = box.element
    if element is None or box.element_tag != element.tag or not isinstance(box.height, (int, float)):
        return None
    return str(element.get("data-fit", "")) or None


def _excess(box: Any) -> float:
    right, bottom = box.content_box_x() + box.width, box.content_box_y() + box.height
    excess = 0.0
    for inner in islice(box.descendants(placeholders=True), 1, None):
        if isinstance(getattr(inner, "width", None), (int, float)) and isinstance(inner.height, (int, float)):
            excess = max(
                excess,
                inner.position_x + inner.margin_left + inner.border_width() - right,
                inner.position_y + inner.margin_top + inner.border_height() - bottom,
            )
    return float(excess)
