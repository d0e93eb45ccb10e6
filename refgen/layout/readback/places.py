"""The places of texts and fields on a page of a PDF: inside their boxes, apart from each other, in refgen's fonts.

In: the texts and fields of a page, each with the box that must hold it, in points from the lower left corner of the
page. Out: faults in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import normalize

from refgen.layout.engine import Rect
from refgen.layout.lengths import MILLIMETRE, PIXEL
from refgen.layout.metrics import covered_characters, is_ours
from refgen.layout.pieces import LINE_END_HYPHEN, PageFault

_SUBSET = re.compile(r"[A-Z]{6}\+")
"""The tag before the name of a font of which only the glyphs in use are embedded (ISO 32000-2, 9.9.2)."""


def plain_name(name: str) -> str:
    """The name of a font without the tag of a subset."""
    return _SUBSET.sub("", name, count=1)


def is_subset(name: str) -> bool:
    """Whether a font with this name is a subset."""
    return _SUBSET.match(name) is not None


class PageBox(NamedTuple):
    """A rectangle; ``right`` and ``top`` are the larger coordinates."""

    left: float
    bottom: float
    right: float
    top: float

    def sticks_out(self, outer: PageBox) -> float:
        """The distance in points by which this box reaches out of ``outer``; 0 or less if it lies inside."""
        return max(outer.left - self.left, outer.bottom - self.bottom, self.right - outer.right, self.top - outer.top)

    def overlap(self, other: PageBox) -> float:
        """The distance in points by which two boxes overlap; 0 or less if they stand apart."""
        return min(self.right - other.left, other.right - self.left, self.top - other.bottom, other.top - self.bottom)


@dataclass(frozen=True, slots=True)
class PdfFont:
    """A font: its name in the PDF, and whether the PDF embeds the font."""

    name: str
    embedded: bool


@dataclass(frozen=True, slots=True)
class TextRun:
    """A text in a single font on a single line, without blanks.

    ``clip`` is the box beyond which the text is cut off. ``order`` is its place in the order of painting. A text that
    ``is_broken`` ends in a hyphen at the end of a line, behind which a word may go on.
    """

    text: str
    box: PageBox
    font: PdfFont
    clip: PageBox | None
    order: int
    is_broken: bool = False

    @property
    def aligned(self) -> str:
        """The text as it is compared with pieces."""
        return self.text[:-1] + LINE_END_HYPHEN if self.is_broken else self.text


@dataclass(frozen=True, slots=True)
class FilledArea:
    """An area that is filled after the first text of the page was painted, and that may hide text."""

    box: PageBox
    order: int


@dataclass(frozen=True, slots=True)
class PdfField:
    """A field to fill in: name, tooltip and place."""

    name: str
    tooltip: str
    box: PageBox


def on_paper(rect: Rect, height: float) -> PageBox:
    """The box of a rectangle of a layout, on a page that is ``height`` points high."""
    left, top, width, tall = rect
    return PageBox(left * PIXEL, height - (top + tall) * PIXEL, (left + width) * PIXEL, height - top * PIXEL)


def bounding_box(boxes: Iterable[PageBox]) -> PageBox:
    """The smallest box around one or more boxes."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return PageBox(min(lefts), min(bottoms), max(rights), max(tops))


def intersection(boxes: Iterable[PageBox]) -> PageBox:
    """The intersection of one or more boxes; if it is empty, ``left`` is greater than ``right``."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return PageBox(max(lefts), max(bottoms), min(rights), min(tops))


OUTSIDE = 1.0
"""Points by which the ink of a letter may reach out of its box: a slanted f, a serif."""

OVERHANG = 0.09
"""The share of the height of a text by which its ink may reach out: the hook of a j before a line of large type."""

TOUCHING = 0.6
"""Points by which boxes may overlap in both directions before anything touches on paper."""


@dataclass(frozen=True, slots=True)
class PaintedItem:
    """A text, field or area on a page: place in words, box, and number in the order of painting.

    The order of a field is None, since fields are shown above everything.
    """

    text: str
    where: str
    box: PageBox
    order: int | None


def faults_of_run(run: TextRun, where: str, holder: PageBox) -> Iterator[PageFault]:
    """The faults of a text that must lie inside ``holder``."""
    yield from faults_outside(run.box, f'"{run.text}"', where, holder)
    if run.clip is not None and (cut := run.box.sticks_out(run.clip)) > TOUCHING:
        yield where, f'"{run.text}" is clipped by {cut / MILLIMETRE:.1f} mm'
    if reason := _unfit_reason(run.font):
        yield where, f'"{run.text}" is set in {plain_name(run.font.name)}, which is {reason}'
    elif lacking := missing_glyphs(run.text, plain_name(run.font.name)):
        yield where, f'"{run.text}": {plain_name(run.font.name)} has no glyph for {lacking}'


def _unfit_reason(font: PdfFont) -> str:
    """The reason why a font may not be used; "" if it may be used."""
    if not is_ours(plain_name(font.name)):
        return "no font of ours"
    return "" if font.embedded and is_subset(font.name) else "not embedded as a subset"


def missing_glyphs(text: str, font: str) -> str:
    """The characters of a text that have no glyph in a font, named as in PDFs, with their code points."""
    has = covered_characters(font)
    unknown = sorted(character for character in set(text) - has if not character.isspace())
    lacking = [character for character in unknown if not has.issuperset(normalize("NFD", character))]
    return ", ".join(f"{character} (U+{ord(character):04X})" for character in lacking)


def faults_outside(box: PageBox, what: str, where: str, holder: PageBox) -> Iterator[PageFault]:
    """The fault of a box that reaches out of ``holder``, where ``what`` is the content of the box in words."""
    if (excess := box.sticks_out(holder)) > max(OUTSIDE, OVERHANG * (box.top - box.bottom)):
        yield where, f"{what} reaches {excess / MILLIMETRE:.1f} mm out of its place"


def clashes(items: Sequence[PaintedItem], fills: Sequence[FilledArea]) -> Iterator[PageFault]:
    """The faults of texts and fields that overlap on a page, and of texts that are painted over."""
    for first, second in _overlapping([*items, *(PaintedItem("", "", fill.box, fill.order) for fill in fills)]):
        if first.text and second.text:
            yield first.where, f'"{first.text}" and "{second.text}" ({second.where}) overlap'
        elif first.text or second.text:
            item, fill = (first, second) if first.text else (second, first)
            if item.order is not None and fill.order is not None and item.order < fill.order:
                yield item.where, f'"{item.text}" is painted over'


def _overlapping(items: Sequence[PaintedItem]) -> Iterator[tuple[PaintedItem, PaintedItem]]:
    """All pairs of items that overlap; the items are sorted by height, so that only neighbours are compared."""
    ordered = sorted(items, key=lambda item: item.box.bottom)
    for number, first in enumerate(ordered):
        ceiling = first.box.top - TOUCHING
        for later in range(number + 1, len(ordered)):
            second = ordered[later]
            if second.box.bottom >= ceiling:
                break
            if first.box.overlap(second.box) > TOUCHING:
                yield first, second
