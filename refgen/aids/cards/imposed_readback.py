"""Cards on sheets against the same cards one a page.

In: the PDF of the faces, which was read back itself, and one in which they are laid on sheets. Out: the mismatches: a
card whose text is not in its place, letter by letter, and what is there besides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import pypdfium2

from refgen.aids.cards.faces import Faces
from refgen.aids.cards.imposition import Placement, SheetFormat, sides
from refgen.layout.units import MILLIMETRE
from refgen.render.readback.mismatch import Mismatch


def imposed_mismatches(faces: Faces, pdf: bytes, imposed: bytes, sheet: SheetFormat, file: str) -> Iterator[Mismatch]:
    """What is wrong on the sheets that are called ``file``."""
    bleed = faces.style.bleed
    with closing(pypdfium2.PdfDocument(pdf)) as single, closing(pypdfium2.PdfDocument(imposed)) as sheets:
        texts = [_text(_TextPage(page), Placement(number, bleed, bleed), faces) for number, page in enumerate(single)]
        expected = list(sides(faces.copies, sheet))
        if len(sheets) != len(expected):
            yield Mismatch(file, "", f"{len(sheets)} pages in place of {len(expected)}")
            return
        for number, (page, placements) in enumerate(zip(sheets, expected, strict=True), start=1):
            yield from (Mismatch(file, f"page {number}", what) for what in _faults(page, placements, texts, faces))


def _faults(page: Any, placements: Sequence[Placement], texts: Sequence[str], faces: Faces) -> Iterator[str]:
    """What is wrong on a page."""
    found, textpage = 0, _TextPage(page)
    for place, placement in enumerate(placements, start=1):
        text, wanted = _text(textpage, placement, faces), texts[placement.face]
        found += len(text)
        # One that stands on its head is read backwards, line by line.
        if sorted(text) != sorted(wanted) if placement.turned else text != wanted:
            yield f'card {place}: "{text}" in place of "{wanted}"'
    whole = len(_letters(textpage.text.get_text_range()))
    if whole > found:
        yield f"{whole - found} letters are on no card"


class _TextPage:
    """The text of a page, and its height in points."""

    def __init__(self, page: Any) -> None:
        self.text, self.height = page.get_textpage(), page.get_height()


def _text(page: _TextPage, placement: Placement, faces: Faces) -> str:
    """The letters inside the trim edge of a card."""
    size = faces.style.size
    left, top = placement.left * MILLIMETRE, page.height - placement.top * MILLIMETRE
    right, bottom = left + size.width * MILLIMETRE, top - size.height * MILLIMETRE
    return _letters(page.text.get_text_bounded(left, bottom, right, top))


def _letters(text: str) -> str:
    return "".join(text.split())
