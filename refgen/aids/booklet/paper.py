"""The paper of booklets: its sizes, and the area inside the margins of its pages.

In: the name of a size. Out: a PageFormat, and lengths in millimetres.
"""

from __future__ import annotations

import io

import pikepdf

from refgen.layout.lengths import MILLIMETRE
from refgen.layout.page_format import PAPER_SIZES, Paper

LAID_OUT = Paper.A5
"""Booklets are laid out for this paper; on other papers the same pages stand in the middle of the sheet."""

PAGE = PAPER_SIZES[LAID_OUT]

SIDE = 15.0
"""Millimetres of A5 left and right of the text area."""

WIDTH = (PAGE[0] - 2 * SIDE) * MILLIMETRE
"""The width of the text area in points."""

ABOVE, BELOW = 17.0, 15.0
"""Millimetres of A5 over the text area, with the head of the page, and under it, with its number."""

HEIGHT = (PAGE[1] - ABOVE - BELOW) * MILLIMETRE
"""The height of the text area in points."""

SIZE = 9.0
"""The type size of a booklet, in points."""

HEAD = 8.0
"""The type size of running heads and page numbers."""

TABLE_SIZES = (9.0, 8.5, 8.0, 7.5)
"""Those of tables, the largest first: one that is too wide in the smallest is split by its columns."""

GAP = 11.0
"""Points over the title of a table."""

CHAPTER_GAP = 20.0
"""Points over the title of a chapter."""

CHAPTER_SIZE, CHAPTER_BELOW = 15.0, 7.0
"""The type size of that title, and the points below it, with a rule."""

LINE = 1.3
"""The height of a line of the contents, in ems, without the space over a chapter."""

CHAPTER_ABOVE = 0.25
"""Ems over a chapter in the contents."""


def on_paper(pdf: bytes, paper: Paper) -> bytes:
    """The PDF on a paper. The same PDF gives the same bytes."""
    if paper is LAID_OUT:
        return pdf
    made = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        for page in opened.pages:
            page.obj.MediaBox = page_box(paper)
        opened.save(made, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.preserve)
    return made.getvalue()


def page_box(paper: Paper) -> list[float]:
    """Left, bottom, right and top of a page, in points from the lower left corner of the paper that is laid out."""
    sides = zip(PAPER_SIZES[LAID_OUT], PAPER_SIZES[paper], strict=True)
    margins = [(there - wanted) / 2 * MILLIMETRE for there, wanted in sides]
    ends = [margin + length * MILLIMETRE for margin, length in zip(margins, PAPER_SIZES[paper], strict=True)]
    return [round(length, 4) for length in (*margins, *ends)]
