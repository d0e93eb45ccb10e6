"""Fits or fails: the type is set as large as fits, within limits; what does not fit even so is reported.

In: how to make the HTML of an aid with each of its parts in a given type size. Out: the final HTML and its layout.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from refgen.errors import RenderError
from refgen.render.layout_cache import LayoutCache, parts_of
from refgen.render.measure import PartBoxes
from refgen.render.units import MILLIMETRE, PIXEL

Sizes = Mapping[int, float]
"""Parts by their number, counted from 0, and the type size of each in points."""


@dataclass(frozen=True, slots=True)
class TypeScale:
    """The type sizes an aid may have, in points, from largest to smallest, and the ``usual`` one among them."""

    sizes: tuple[float, ...]
    usual: float

    def smaller(self, size: float) -> float | None:
        """The next smaller size, or None at the end of the scale."""
        return next((other for other in self.sizes if other < size), None)

    def at_most(self, size: float) -> float:
        """The largest size that is not larger than ``size``."""
        return next((other for other in self.sizes if other <= size), self.sizes[-1])


@dataclass(frozen=True, slots=True)
class Fitted:
    """An aid that fits.

    Its HTML, its pages laid out as a WeasyPrint document, the boxes of the parts on each page, and the type sizes of
    its parts.
    """

    html: str
    document: Any
    measured: Sequence[Mapping[int, PartBoxes]]
    sizes: Sizes


_SPARSE = 0.75
"""A part that fills less of its height than this is set larger."""

_FULL = 0.95
"""How full a part that is set larger is meant to become."""


def fit(make: Callable[[Sizes], str], titles: Sequence[str], name: str, scale: TypeScale, start: Sizes) -> Fitted:
    """Set each part as large as fits. Raises RenderError that names the part which is too full, and by how much.

    ``start`` gives sizes to start with; the other parts start with the usual one, and are set larger when they turn
    out sparse. Parts that change are laid out by themselves until they fit. At the end only the pages whose parts
    were never laid out together in their final sizes are laid out again.
    """
    cache = LayoutCache(make, name)
    sizes = {part: start.get(part, scale.usual) for part in range(len(titles))}
    pages = cache.layout(sizes)
    found = parts_of(pages)
    larger = _larger(found, {part: size for part, size in sizes.items() if part not in start}, scale)
    changed = larger | _smaller(found, sizes, scale, titles, name)
    while changed:
        sizes |= changed
        changed = _smaller(parts_of(cache.layout(changed)), changed, scale, titles, name)
    final = cache.pages([{part: sizes[part] for part in page.parts} for page in pages])
    return Fitted(make(sizes), cache.join(final), [page.parts for page in final], sizes)


def _larger(found: Mapping[int, PartBoxes], sizes: Sizes, scale: TypeScale) -> dict[int, float]:
    """The sparse parts, and the size that would fill each: its height grows with the square of the size at most."""
    wanted = {
        part: scale.at_most(size * sqrt(_FULL / found[part].fill))
        for part, size in sizes.items()
        if part in found and 0 < found[part].fill < _SPARSE
    }
    return {part: size for part, size in wanted.items() if size > sizes[part]}


def _smaller(
    found: Mapping[int, PartBoxes], sizes: Sizes, scale: TypeScale, titles: Sequence[str], name: str
) -> dict[int, float]:
    """The parts that do not fit, each one size smaller. Raises RenderError when there is none."""
    too_full = [part for part in sizes if part in found and found[part].overflows]
    return {
        part: _next_smaller(scale, sizes[part], f'{name}: "{titles[part]}"', found[part].overflow) for part in too_full
    }


def _next_smaller(scale: TypeScale, size: float, what: str, overflow: float) -> float:
    smaller = scale.smaller(size)
    if smaller is None:
        raise RenderError(
            f"{what} is too full by {overflow * PIXEL / MILLIMETRE:.1f} mm even in the smallest type ({size:g} pt)",
            hint="Take a block away, or move one to another panel, page or card.",
        )
    return smaller
