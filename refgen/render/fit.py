"""Fits or fails: the type is set as large as fits, within limits; what does not fit even so is reported.

In: how to make the HTML of an aid with each of its parts in a given type size. Out: the final HTML and its layout.
In the templates, each box that must hold its content says by ``data-fit`` which part it belongs to, and the whole
page or card by ``data-frame``; blocks whose height is wanted by ``data-block``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import sqrt
from typing import Any

from refgen.errors import RenderError
from refgen.render.pdf import layout, load_fonts
from refgen.render.units import MILLIMETRE, PIXEL

Sizes = Mapping[int, float]
"""Parts by their number, counted from 0, and the type size of each in points."""

Rect = tuple[float, float, float, float]
"""Left, top, width and height in CSS pixels from the upper left corner of the page."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The type sizes an aid may have, in points, from largest to smallest, and the ``usual`` one among them."""

    sizes: tuple[float, ...]
    usual: float

    def smaller(self, size: float) -> float | None:
        """The next smaller size, or None at the end of the scale."""
        return next((other for other in self.sizes if other < size), None)

    def at_most(self, size: float) -> float:
        """The largest size that is not larger than ``size``."""
        return next((other for other in self.sizes if other <= size), self.sizes[-1])


@dataclass(slots=True)
class Room:
    """How the boxes of a part hold their content.

    ``excess`` is how far the content reaches out of a box at most, in CSS pixels (0 when it does not); ``fill``
    the share of its height that the fullest box has in use. ``frame`` is the place of the whole part, if it says
    which that is, and ``boxes`` that of each box, in order; ``blocks`` are the heights of its blocks.
    """

    excess: float = field(default=0.0)
    fill: float = field(default=0.0)
    frame: Rect | None = None
    boxes: list[Rect] = field(default_factory=list)
    blocks: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Fitted:
    """An aid that fits.

    Its HTML, its pages laid out as a WeasyPrint document, the room of the parts on each page, and the type sizes of
    its parts.
    """

    html: str
    document: Any
    rooms: Sequence[Mapping[int, Room]]
    sizes: Sizes


TOLERANCE = 0.5
"""CSS pixels by which rounding may exceed a box."""

_SPARSE = 0.75
"""A part that fills less of its height than this is set larger."""

_FULL = 0.95
"""How full a part that is set larger is meant to become."""


def fit(make: Callable[[Sizes], str], titles: Sequence[str], name: str, scale: Scale, start: Sizes) -> Fitted:
    """Set each part as large as fits. Raises RenderError that names the part which is too full, and by how much.

    ``start`` gives sizes to start with; the other parts start with the usual one, and are set larger when they turn
    out sparse. Parts that change are laid out by themselves until they fit. At the end only the pages whose parts
    were never laid out together in their final sizes are laid out again.
    """
    press = _Press(make, name)
    sizes = {part: start.get(part, scale.usual) for part in range(len(titles))}
    pages, room = press.lay_out(sizes)
    larger = _larger(room, {part: size for part, size in sizes.items() if part not in start}, scale)
    changed = larger | _smaller(room, sizes, scale, titles, name)
    while changed:
        sizes |= changed
        _, room = press.lay_out(changed)
        changed = _smaller(room, changed, scale, titles, name)
    final = [press.page({part: sizes[part] for part in page}) for page in pages]
    return Fitted(make(sizes), press.bound([page for page, _ in final]), [room for _, room in final], sizes)


Page = tuple[int, ...]
"""The parts that stand on a page."""


@dataclass(slots=True)
class _Press:
    """Lays out some parts of an aid at a time, and remembers every page by its parts and their sizes."""

    make: Callable[[Sizes], str]
    name: str
    fonts: Any = field(default_factory=load_fonts)
    documents: list[Any] = field(default_factory=list)
    known: dict[tuple[tuple[int, float], ...], tuple[Any, dict[int, Room]]] = field(default_factory=dict)

    def lay_out(self, sizes: Sizes) -> tuple[list[Page], dict[int, Room]]:
        """Lay some parts out: the parts of each page, and how much room there is in each part."""
        document = layout(self.make(sizes), self.name, self.fonts)
        self.documents.append(document)
        pages: list[Page] = []
        rooms: dict[int, Room] = {}
        for page in document.pages:
            room = measure(page)
            self.known[tuple((part, sizes[part]) for part in room)] = page, room
            pages.append(tuple(room))
            rooms |= room
        return pages, rooms

    def page(self, sizes: Sizes) -> tuple[Any, dict[int, Room]]:
        """The page with just these parts in these sizes, and the room of each."""
        key = tuple(sizes.items())
        if key not in self.known:
            self.lay_out(sizes)
        return self.known[key]

    def bound(self, pages: Sequence[Any]) -> Any:
        """Pages of any layout as one document."""
        return self.documents[0].copy(pages)


def _larger(room: Mapping[int, Room], sizes: Sizes, scale: Scale) -> dict[int, float]:
    """The sparse parts, and the size that would fill each: its height grows with the square of the size at most."""
    wanted = {
        part: scale.at_most(size * sqrt(_FULL / room[part].fill))
        for part, size in sizes.items()
        if part in room and 0 < room[part].fill < _SPARSE
    }
    return {part: size for part, size in wanted.items() if size > sizes[part]}


def _smaller(
    room: Mapping[int, Room], sizes: Sizes, scale: Scale, titles: Sequence[str], name: str
) -> dict[int, float]:
    """The parts that do not fit, each one size smaller. Raises RenderError when there is none."""
    too_full = [part for part in sizes if part in room and room[part].excess > TOLERANCE]
    return {
        part: _next_smaller(scale, sizes[part], f'{name}: "{titles[part]}"', room[part].excess) for part in too_full
    }


def _next_smaller(scale: Scale, size: float, what: str, excess: float) -> float:
    smaller = scale.smaller(size)
    if smaller is None:
        raise RenderError(
            f"{what} is too full by {excess * PIXEL / MILLIMETRE:.1f} mm even in the smallest type ({size:g} pt)",
            hint="Take a block away, or move one to another panel, page or card.",
        )
    return smaller


def measure(page: Any) -> dict[int, Room]:
    """How much room there is in each part on a page that WeasyPrint laid out."""
    parts: dict[int, Room] = {}
    frames: dict[int, Rect] = {}
    for kind, part, box in _boxes(page):
        if kind == "data-frame":
            frames[part] = _rect(box)
            continue
        right, bottom = _reach(box)
        room = parts.setdefault(part, Room(frame=frames.get(part)))
        if kind == "data-block":
            room.blocks.append(float(box.height))
            continue
        room.boxes.append(_rect(box))
        top, height = box.content_box_y(), box.height
        room.excess = max(room.excess, right - box.content_box_x() - box.width, bottom - top - height)
        room.fill = max(room.fill, (bottom - top) / height)
    return parts


def _boxes(page: Any) -> Iterator[tuple[str, int, Any]]:
    """The boxes of a page that are named in the templates: by which attribute, for which part, and the box itself."""
    # WeasyPrint has no public way to ask for the place of a box.
    for box in page._page_box.descendants(placeholders=True):
        element = box.element
        # An element has several boxes, of which the outermost has the element's own tag.
        if element is not None and box.element_tag == element.tag and _is_placed(box):
            for kind in ("data-frame", "data-fit", "data-block"):
                part = element.get(kind)
                if part is not None:
                    yield kind, int(part), box


def _rect(box: Any) -> Rect:
    return float(box.content_box_x()), float(box.content_box_y()), float(box.width), float(box.height)


def _reach(box: Any) -> tuple[float, float]:
    """How far right and down the content of a box goes."""
    right, bottom = box.content_box_x(), box.content_box_y()
    for inner in islice(box.descendants(placeholders=True), 1, None):
        if _is_placed(inner):
            right = max(right, inner.position_x + inner.margin_left + inner.border_width())
            bottom = max(bottom, inner.position_y + inner.margin_top + inner.border_height())
    return float(right), float(bottom)


def _is_placed(box: Any) -> bool:
    return isinstance(getattr(box, "width", None), (int, float)) and isinstance(box.height, (int, float))
