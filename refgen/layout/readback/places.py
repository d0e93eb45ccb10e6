"""Whether what stands on a page of a PDF stands whole, apart from the rest, and in a font of ours.

In: the runs and fields of a page, each with the box that must hold it, in points from the lower left corner of the
page. Out: what is wrong, in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from refgen.layout.engine import Rect
from refgen.layout.lengths import MILLIMETRE, PIXEL
from refgen.layout.metrics import PDF_FONTS, Face, covered
from refgen.layout.readback.expected import PageFault

TEXT = "Refgen-Sans"
"""The font of everything but headings."""

_SUBSET = re.compile(r"[A-Z]{6}\+")
"""The tag before the name of a font of which only the glyphs in use are embedded (ISO 32000-2, 9.9.2)."""


def plain_name(name: str) -> str:
    """A font's name without the tag of a subset."""
    return _SUBSET.sub("", name, count=1)


def is_subset(name: str) -> bool:
    """Whether the name is that of a subset."""
    return _SUBSET.match(name) is not None


if TYPE_CHECKING:  # HTML is read back without what reads PDFs
    from refgen.layout.readback.pdf_pages import FilledArea, PdfField, PdfFont, TextRun


class PageBox(NamedTuple):
    """A rectangle; ``right`` and ``top`` are the larger coordinates."""

    left: float
    bottom: float
    right: float
    top: float

    def sticks_out(self, outer: PageBox) -> float:
        """How far this box reaches out of another, in points; 0 or less when it lies inside."""
        return max(outer.left - self.left, outer.bottom - self.bottom, self.right - outer.right, self.top - outer.top)

    def overlap(self, other: PageBox) -> float:
        """How far two boxes reach into each other, in points; 0 or less when they stand apart."""
        return min(self.right - other.left, other.right - self.left, self.top - other.bottom, other.top - self.bottom)


def on_paper(rect: Rect, height: float) -> PageBox:
    """A layout's rectangle on a page that is ``height`` points high."""
    left, top, width, tall = rect
    return PageBox(left * PIXEL, height - (top + tall) * PIXEL, (left + width) * PIXEL, height - top * PIXEL)


def around(boxes: Iterable[PageBox]) -> PageBox:
    """The smallest box that holds some others, of which there is at least one."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return PageBox(min(lefts), min(bottoms), max(rights), max(tops))


def common(boxes: Iterable[PageBox]) -> PageBox:
    """What some boxes, of which there is at least one, have in common; when that is nothing, left is right of right."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return PageBox(max(lefts), max(bottoms), min(rights), min(tops))


OUTSIDE = 1.0
"""Points by which the ink of a letter may reach out of its box: a slanted f, a serif."""

TOUCHING = 0.6
"""Points by which boxes may overlap in both directions before anything touches on paper."""


@dataclass(frozen=True, slots=True)
class PaintedItem:
    """Something on a page: what it says, where that belongs (in words), and its box and order of painting.

    The order of a field is None: it is shown above everything.
    """

    text: str
    where: str
    box: PageBox
    order: int | None


def faults_of_run(run: TextRun, where: str, holder: PageBox) -> Iterator[PageFault]:
    """What is wrong with a run that ``holder`` must hold."""
    yield from _outside(run.box, f'"{run.text}"', where, holder)
    if run.clip is not None and (cut := run.box.sticks_out(run.clip)) > TOUCHING:
        yield where, f'"{run.text}" is clipped by {cut / MILLIMETRE:.1f} mm'
    if reason := _unfit(run.font):
        yield where, f'"{run.text}" is set in {plain_name(run.font.name)}, which is {reason}'
    elif lacking := missing_glyphs(run.text, plain_name(run.font.name)):
        yield where, f'"{run.text}": {plain_name(run.font.name)} has no glyph for {lacking}'


def _unfit(font: PdfFont) -> str:
    """Why a font may not appear; "" when it may."""
    if plain_name(font.name) not in PDF_FONTS:
        return "no font of ours"
    return "" if font.embedded and is_subset(font.name) else "not embedded as a subset"


def missing_glyphs(text: str, font: str) -> str:
    """The characters of a text that a font of ours has no glyph for, with their code points."""
    has = covered(Face(PDF_FONTS[font]))
    unknown = sorted(character for character in set(text) - has if not character.isspace())
    lacking = [character for character in unknown if not has.issuperset(normalize("NFD", character))]
    return ", ".join(f"{character} (U+{ord(character):04X})" for character in lacking)


def faults_of_field(field: PdfField, where: str, holder: PageBox) -> Iterator[PageFault]:
    """What is wrong with the place of a field that ``holder`` must hold."""
    yield from _outside(field.box, "the field", where, holder)


def _outside(box: PageBox, what: str, where: str, holder: PageBox) -> Iterator[PageFault]:
    if (excess := box.sticks_out(holder)) > OUTSIDE:
        yield where, f"{what} reaches {excess / MILLIMETRE:.1f} mm out of its place"


def clashes(things: Sequence[PaintedItem], fills: Sequence[FilledArea]) -> Iterator[PageFault]:
    """The faults of texts and fields that overlap on a page, and of texts that are painted over."""
    for first, second in _overlapping([*things, *(PaintedItem("", "", fill.box, fill.order) for fill in fills)]):
        if first.text and second.text:
            yield first.where, f'"{first.text}" and "{second.text}" ({second.where}) overlap'
        elif first.text or second.text:
            thing, fill = (first, second) if first.text else (second, first)
            if thing.order is not None and fill.order is not None and thing.order < fill.order:
                yield thing.where, f'"{thing.text}" is painted over'


def _overlapping(things: Sequence[PaintedItem]) -> Iterator[tuple[PaintedItem, PaintedItem]]:
    """Each two things that overlap: sorted by height, only neighbours need a look."""
    ordered = sorted(things, key=lambda thing: thing.box.bottom)
    for number, first in enumerate(ordered):
        ceiling = first.box.top - TOUCHING
        for later in range(number + 1, len(ordered)):
            second = ordered[later]
            if second.box.bottom >= ceiling:
                break
            if first.box.overlap(second.box) > TOUCHING:
                yield first, second
