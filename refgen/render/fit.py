"""Fits or fails: what does not fit is set smaller, within limits, and reported when even that is not enough.

In: how to make the HTML of an aid with each of its parts some size steps smaller. Out: the final HTML and its
layout. In the templates, each box that must hold its content says by ``data-fit`` which part it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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


Steps = Mapping[int, int]
"""Parts by their number, counted from 0, and how many size steps smaller than usual each is set."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """An aid that fits: its HTML, the WeasyPrint document of it, and the size steps of its parts."""

    html: str
    document: Any
    steps: Steps


def fit(make: Callable[[Steps], str], titles: Sequence[str], name: str, start: Steps | None = None) -> Fitted:
    """Set each part as large as fits. Raises RenderError that names the part which is too full, and by how much.

    All parts are laid out at the size they ``start`` with first (the usual one, if not given). Those that do not fit
    are tried again by themselves, smaller and smaller; only then is the whole laid out once more.
    """
    steps = {**dict.fromkeys(range(len(titles)), 0), **(start or {})}
    html = make(steps)
    document = layout(html, name)
    too_full = _too_full(document)
    if not too_full:
        return Fitted(html, document, steps)
    while too_full:
        for part, excess in too_full.items():
            if steps[part] == SMALLEST_STEP:
                raise _never_fits(name, titles[part], excess)
            steps[part] += 1
        too_full = _too_full(layout(make({part: steps[part] for part in too_full}), name))
    html = make(steps)
    return Fitted(html, layout(html, name), steps)


def _never_fits(name: str, title: str, excess: float) -> RenderError:
    return RenderError(
        f'{name}: "{title}" is too full by {excess / _MILLIMETRE:.1f} mm even in the smallest type',
        hint="Take a block away, or move one to another panel, page or card.",
    )


def _too_full(document: Any) -> dict[int, float]:
    """The parts that do not fit, and by how much."""
    excess: dict[int, float] = {}
    for part, over in overflows(document):
        if over > _TOLERANCE:
            excess[part] = max(excess.get(part, 0.0), over)
    return excess


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
