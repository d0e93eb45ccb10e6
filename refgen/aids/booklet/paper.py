"""A booklet on another paper than the one that was laid out.

In: the PDF as it was laid out, and a paper. Out: the same PDF whose pages are of that paper, with what stands on them
in their middle: only the boxes of the pages are others, so that text, tags and links stay as they were read back.
"""

from __future__ import annotations

import io

import pikepdf

from refgen.aids.booklet.area import LAID_OUT
from refgen.layout.units import MILLIMETRE
from refgen.render.page_format import PAPER_SIZES, Paper


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
