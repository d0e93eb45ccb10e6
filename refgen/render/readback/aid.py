"""An aid against its HTML and its PDF.

In: an aid as it was to be shown, and what was made of it. Out: the mismatches. Both outputs are compared
with the same pieces, each text whole: if the HTML and the PDF do not show the same figures, one of them is named.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from refgen.aids.system_info import SystemInfo
from refgen.layout.engine import PartBoxes
from refgen.render.readback.aid_html import html_mismatches
from refgen.render.readback.aid_pdf import pdf_mismatches
from refgen.render.readback.expected import ShownAid, expected, tabs
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


def read_back(system: SystemInfo, aid: ShownAid, rendered: Rendered, files: Collection[str]) -> list[Mismatch]:
    """Compare an aid with what was made of it; links may lead to ``files``. Raises RenderError for a broken PDF."""
    model = expected(system, aid)
    html, pdf = f"{rendered.name}.html", f"{rendered.name}.pdf"
    return [
        *html_mismatches(model, tabs(aid), read_html(rendered.html), html, files),
        *pdf_mismatches(model, rendered.pdf, rendered.measured, pdf),
    ]
