"""Fits or fails: what does not fit is set smaller, within limits, and reported when even that is not enough.

In: how to make the HTML of an aid with each of its parts some size steps smaller. Out: the final HTML and its
layout. In the templates, each part that must fit is a box of class ``fit``, in the order of the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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
        excess = [max(over, 0.0) for over in overflows(document)]
        if len(excess) != len(steps):
            raise RenderError(f"{name}: {len(excess)} of {len(steps)} parts were laid out")
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


def overflows(document: Any) -> Iterator[float]:
    """How far the content of each ``fit`` box reaches beyond it, in CSS pixels; negative when there is room."""
    for page in document.pages:
        # WeasyPrint has no public way to ask for the place of a box.
        for box in page._page_box.descendants():
            if box.element is not None and "fit" in box.element.get("class", "").split() and not box.is_running():
                yield _content_bottom(box) - (box.content_box_y() + box.height)


def _content_bottom(box: Any) -> float:
    bottoms = [
        float(child.position_y + child.margin_height() - _margin_below(child))
        for child in box.children
        if hasattr(child, "margin_height")
    ]
    return max(bottoms, default=float(box.content_box_y()))


def _margin_below(box: Any) -> float:
    return float(box.margin_bottom) if isinstance(box.margin_bottom, (int, float)) else 0.0
