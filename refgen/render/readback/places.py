"""Whether what stands on a page of a PDF stands whole, apart from the rest, and in a font of ours.

In: the runs and fields of a page, each with the box that must hold it. Out: what is wrong, in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import normalize

from refgen.layout.units import MILLIMETRE
from refgen.render.readback.box import Box
from refgen.render.readback.fonts import FILES, covered, is_subset, plain_name

if TYPE_CHECKING:  # HTML is read back without what reads PDFs
    from refgen.render.readback.pdf_pages import Fill, Font, PdfField, Run

OUTSIDE = 1.0
"""Points by which the ink of a letter may reach out of its box: a slanted f, a serif."""

TOUCHING = 0.6
"""Points by which boxes may overlap in both directions before anything touches on paper."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Something on a page: what it says, where that belongs (in words), and its box and order of painting.

    The order of a field is None: it is shown above everything.
    """

    text: str
    where: str
    box: Box
    order: int | None


Fault = tuple[str, str]
"""Where, and what is wrong."""


def faults_of_run(run: Run, where: str, holder: Box) -> Iterator[Fault]:
    """What is wrong with a run that ``holder`` must hold."""
    yield from _outside(run.box, f'"{run.text}"', where, holder)
    if run.clip is not None and (cut := run.box.sticks_out(run.clip)) > TOUCHING:
        yield where, f'"{run.text}" is clipped by {cut / MILLIMETRE:.1f} mm'
    if reason := _unfit(run.font):
        yield where, f'"{run.text}" is set in {plain_name(run.font.name)}, which is {reason}'
    elif lacking := without_glyph(run.text, plain_name(run.font.name)):
        yield where, f'"{run.text}": {plain_name(run.font.name)} has no glyph for {lacking}'


def _unfit(font: Font) -> str:
    """Why a font may not appear; "" when it may."""
    if plain_name(font.name) not in FILES:
        return "no font of ours"
    return "" if font.embedded and is_subset(font.name) else "not embedded as a subset"


def without_glyph(text: str, font: str) -> str:
    """The characters of a text that a font of ours has no glyph for, with their code points."""
    has = covered(font)
    unknown = sorted(character for character in set(text) - has if not character.isspace())
    lacking = [character for character in unknown if not has.issuperset(normalize("NFD", character))]
    return ", ".join(f"{character} (U+{ord(character):04X})" for character in lacking)


def faults_of_field(field: PdfField, where: str, holder: Box) -> Iterator[Fault]:
    """What is wrong with the place of a field that ``holder`` must hold."""
    yield from _outside(field.box, "the field", where, holder)


def _outside(box: Box, what: str, where: str, holder: Box) -> Iterator[Fault]:
    if (excess := box.sticks_out(holder)) > OUTSIDE:
        yield where, f"{what} reaches {excess / MILLIMETRE:.1f} mm out of its place"


def clashes(things: Sequence[Placed], fills: Sequence[Fill]) -> Iterator[Fault]:
    """What overlaps on a page, and what is painted over."""
    for first, second in _overlapping([*things, *(Placed("", "", fill.box, fill.order) for fill in fills)]):
        if first.text and second.text:
            yield first.where, f'"{first.text}" and "{second.text}" ({second.where}) overlap'
        elif first.text or second.text:
            thing, fill = (first, second) if first.text else (second, first)
            if thing.order is not None and fill.order is not None and thing.order < fill.order:
                yield thing.where, f'"{thing.text}" is painted over'


def _overlapping(things: Sequence[Placed]) -> Iterator[tuple[Placed, Placed]]:
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
