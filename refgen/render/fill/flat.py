"""Characters flattened: pages whose values are text, for print.

In: a Stencil and Placings. Out: the contents to be drawn over each of its pages, and PDFs of one or of all characters,
written one after the other, so that memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refgen.render.fill.geometry import FieldBox
from refgen.render.fill.placing import Placing, Written
from refgen.render.fill.text import BORDER, baseline
from refgen.render.lengths import TICK, TICK_WIDTH

INK = b"0.121569 0.137255 0.156863"
"""The colour of text, --ink of templates/css/tokens.css."""

BOX_BORDER = 0.7
"""Points: the border of a box to tick."""


@dataclass(frozen=True, slots=True)
class Spot:
    """How the text of a field begins in a page's contents; ``left`` is where, in points."""

    page: int
    begins: bytes
    usual: float


class Overlays:
    """Draws what characters have over the pages of a sheet."""

    def __init__(self, boxes: Sequence[FieldBox], pages: int) -> None:
        self.pages = pages
        self.spots = {
            box.name: Spot(box.page, b"1 0 0 1 " + origin(box, box.size) + b" Tm<", box.size) for box in boxes
        }
        self.frames = {box.name: frame(box, box.left, box.bottom) for box in boxes if box.is_box}
        self.ticks = {box.name: tick(box, box.left, box.bottom) for box in boxes if box.is_box}

    def draw(self, placing: Placing) -> list[bytes]:
        """The contents over each page."""
        texts: list[list[bytes]] = [[] for _ in range(self.pages)]
        sizes = [0.0] * self.pages
        for written in placing.written:
            spot = self.spots[written.box.name]
            page = texts[spot.page]
            if written.size != sizes[spot.page]:
                sizes[spot.page] = written.size
                page.append(b"/Fill %g Tf\n" % written.size)
            if written.run is not None:
                page += (spot.begins, written.run.glyphs, b">Tj\n")
            else:
                page.append(lines_of(written))
        frames, ticks = self._boxes(placing)
        return [_contents(*page) for page in zip(frames, ticks, texts, strict=True)]

    def _boxes(self, placing: Placing) -> tuple[list[list[bytes]], list[list[bytes]]]:
        frames: list[list[bytes]] = [[] for _ in range(self.pages)]
        ticks: list[list[bytes]] = [[] for _ in range(self.pages)]
        for box in placing.boxes:
            frames[box.page].append(self.frames[box.name])
        for box in placing.ticked:
            ticks[box.page].append(self.ticks[box.name])
        return frames, ticks


def _contents(frames: Sequence[bytes], ticks: Sequence[bytes], texts: Sequence[bytes]) -> bytes:
    drawn = b"".join((INK, b" rg\n", *frames, b"f*\n")) if frames else b""
    if ticks:
        drawn += b"".join((INK, b" RG\n", *ticks))
    return drawn + b"".join((INK, b" rg BT\n", *texts, b"ET")) if texts else drawn


def origin(box: FieldBox, size: float) -> bytes:
    """Where text in a field begins."""
    left = box.left + box.padding + (BORDER if box.is_area else 0.0)
    return b"%.2f %.2f" % (left, baseline(box, size))


def lines_of(written: Written, *, left: float = 0.0, bottom: float = 0.0) -> bytes:
    """The lines of an area, from an origin."""
    from refgen.render.fill.font import fill_font

    font, box, leading = fill_font(), written.box, written.size * written.box.line_height
    across = box.left + box.padding + BORDER - left
    down = baseline(box, written.size) - bottom
    return b"".join(
        b"1 0 0 1 %.2f %.2f Tm<%b>Tj\n" % (across, down - number * leading, font.run(line).glyphs)
        for number, line in enumerate(written.lines)
        if line
    )


def frame(box: FieldBox, left: float, bottom: float) -> bytes:
    """The border of a box, to be filled by the even-odd rule: strokes are drawn a little differently everywhere."""
    inner = BOX_BORDER, box.width - 2 * BOX_BORDER, box.height - 2 * BOX_BORDER
    return b"%.2f %.2f %.2f %.2f re %.2f %.2f %.2f %.2f re\n" % (
        left,
        bottom,
        box.width,
        box.height,
        left + inner[0],
        bottom + inner[0],
        inner[1],
        inner[2],
    )


def tick(box: FieldBox, left: float, bottom: float) -> bytes:
    """The lines of a tick."""
    unit = (box.width - 2 * BOX_BORDER) / 10
    x, y = left + BOX_BORDER, bottom + BOX_BORDER
    lines = b" ".join(
        b"%.2f %.2f m %.2f %.2f l" % (x + x1 * unit, y + (10 - y1) * unit, x + x2 * unit, y + (10 - y2) * unit)
        for x1, y1, x2, y2 in TICK
    )
    return b"%.2f w %b S\n" % (TICK_WIDTH * unit, lines)
