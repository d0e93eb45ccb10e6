"""The sizes of cards.

In: the name of a size, or a width and height ("63x88"). Out: a CardSize. Lengths are in millimetres.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from refgen.errors import RenderError
from refgen.suggestion import did_you_mean

SAFE = 3.175
"""The safe distance from the trim edge, inside of which nothing important is printed: an eighth of an inch."""

BLEED = 3.175
"""How far backgrounds reach beyond the trim edge."""

SMALLEST, LARGEST = 38.0, 210.0
"""The shortest side that leaves room for words, and the longest side that fits a sheet."""

_OWN = re.compile(r"(\d{1,3}(?:\.\d{1,3})?)\s*[x×]\s*(\d{1,3}(?:\.\d{1,3})?)(?:\s*mm)?")


@dataclass(frozen=True, slots=True)
class CardSize:
    """The trim size of a card, and its name in files."""

    name: str
    width: float
    height: float

    def turned(self) -> CardSize:
        """The size in landscape orientation."""
        return CardSize(f"{self.name}-landscape", self.height, self.width)


SIZES: Mapping[str, CardSize] = {
    size.name: size
    for size in (
        CardSize("poker", 63.0, 88.0),
        CardSize("poker-us", 63.5, 88.9),
        CardSize("bridge", 57.0, 89.0),
        CardSize("mini", 44.0, 68.0),
        CardSize("tarot", 70.0, 120.0),
        CardSize("business", 85.0, 55.0),
        CardSize("index", 76.2, 127.0),
        CardSize("a6", 105.0, 148.0),
        CardSize("a7", 74.0, 105.0),
    )
}
"""The known sizes by name."""

USUAL_SIZE = SIZES["poker"]


def card_size(text: str, *, landscape: bool = False) -> CardSize:
    """The size of that name, or of a width and height. Raises RenderError for an unknown or impossible size."""
    name = text.strip().lower().replace(" ", "-")
    size = SIZES.get(name) or _custom(text, name)
    return size.turned() if landscape and size.width < size.height else size


def _custom(text: str, name: str) -> CardSize:
    match = _OWN.fullmatch(text.strip().lower())
    if match is None:
        raise RenderError(f'there is no card size "{text}"', hint=did_you_mean(name, SIZES, _sizes()))
    width, height = float(match[1]), float(match[2])
    if min(width, height) < SMALLEST:
        room = f"{SAFE:g} mm on each side are not safe from the knife"
        raise RenderError(f"a card of {width:g} x {height:g} mm is too small for words: {room}", hint=_sizes())
    if max(width, height) > LARGEST:
        raise RenderError(f"a card of {width:g} x {height:g} mm is too large for a sheet of paper", hint=_sizes())
    return CardSize(f"{width:g}x{height:g}", width, height)


def _sizes() -> str:
    known = ", ".join(f"{size.name} ({size.width:g} x {size.height:g})" for size in SIZES.values())
    return f"There are {known}, and your own from {SMALLEST:g} to {LARGEST:g} mm, such as 60x90."
