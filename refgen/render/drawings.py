"""Drawings that stand on many pages are read once a process, and worked out once for each size.

In: the drawings that WeasyPrint loads. Out: the same, for the ``cache`` of its ``render``; the PDF is the same to the
byte. By itself WeasyPrint walks the elements of an SVG wherever it stands: on every card twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from weasyprint.images import SVGImage

Size = tuple[float, float]
Drawn = tuple[tuple[Any, ...], dict[str, Any]]
"""The operations of a drawing, and the graphics states that they name."""

_BEGIN_TEXT = b"BT"


class Drawings(dict[str, Any]):
    """By address. What could not be loaded is not kept: every page says so.

    WeasyPrint itself works with the image that it loaded, where it asks for it first, and with ours from then on.
    """

    def __setitem__(self, url: str, image: Any) -> None:
        if image is not None:
            super().__setitem__(url, Drawing(image) if isinstance(image, SVGImage) else image)


@dataclass(slots=True)
class Drawing:
    """An SVG image: what WeasyPrint asks of an image."""

    image: Any
    drawn: dict[Size, Drawn] = field(default_factory=dict)

    def get_intrinsic_size(self, image_resolution: float, font_size: float) -> tuple[Any, Any, Any]:
        """Width, height and ratio."""
        size: tuple[Any, Any, Any] = self.image.get_intrinsic_size(image_resolution, font_size)
        return size

    def draw(self, stream: Any, width: float, height: float, style: Any) -> None:
        """Draw it; as it was drawn before, where nothing has been drawn on a stream."""
        if any(_resources(stream).values()):
            self.image.draw(stream, width, height, style)
            return
        if (width, height) not in self.drawn:
            before = len(stream.stream)
            self.image.draw(stream, width, height, style)
            operations = tuple(stream.stream[before:])
            states, *others = _resources(stream).values()
            if not any(others) and _BEGIN_TEXT not in operations:
                self.drawn[width, height] = operations, dict(states)
            return
        operations, states = self.drawn[width, height]
        stream.stream.extend(operations)
        _resources(stream)["ExtGState"].update(states)


def _resources(stream: Any) -> dict[str, Any]:
    """What a stream names, without fonts, which belong to a document: so drawings with text are drawn each time."""
    names = ("ExtGState", "XObject", "Pattern", "Shading")
    return {name: stream._resources[name] for name in names}


@cache
def drawings() -> Drawings:
    """Those of this process: our assets, which stay as they are."""
    return Drawings()
