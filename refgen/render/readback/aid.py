"""An aid against its HTML and its PDF.

In: what must be read on each part of an aid, and what was made of the aid. Out: the mismatches. Both outputs are
compared with the same pieces, each text whole: if the HTML and the PDF do not show the same figures, one of them is
named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refgen.layout.engine import PartBoxes
from refgen.render.assets import assets
from refgen.render.readback.aid_html import html_mismatches
from refgen.render.readback.aid_pdf import pdf_mismatches
from refgen.render.readback.expected import ExpectedPart
from refgen.render.readback.html_pages import read_html
from refgen.render.readback.mismatch import Mismatch


@dataclass(frozen=True, slots=True)
class Rendered:
    """What was made of an aid.

    ``name`` is the path of its files in the output without suffix; ``measured`` says which parts stand on each page of
    the PDF, and where.
    """

    name: str
    html: str
    pdf: bytes
    measured: Sequence[Mapping[int, PartBoxes]]


def read_back(model: Sequence[ExpectedPart], rendered: Rendered, tabs: Sequence[str] = ()) -> list[Mismatch]:
    """Compare the ``model`` of an aid, and the words of its ``tabs``, with what was made of the aid.

    Raises RenderError for a broken PDF.
    """
    html, pdf = f"{rendered.name}.html", f"{rendered.name}.pdf"
    return [
        *html_mismatches(model, tabs, read_html(rendered.html), html, assets()),
        *pdf_mismatches(model, rendered.pdf, rendered.measured, pdf),
    ]
