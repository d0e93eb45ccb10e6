"""Sheets of cards as PDF/A-2b (ISO 19005-2), which copy shops and archives take.

In: a PDF of ours, with its fonts and a title. Out: the same, changed in place: it says in which colours it is painted,
sRGB, and that it keeps to the standard. The same PDF gives the same bytes.
"""

from __future__ import annotations

from functools import cache

import pikepdf
from pikepdf import Array, Dictionary, Name, String
from PIL import ImageCms

_COLOURS = "sRGB IEC61966-2.1"
_DATE = slice(24, 36)
"""Where an ICC profile says when it was made (ICC.1:2010, 7.2.8)."""


def declare(pdf: pikepdf.Pdf) -> None:
    """Declare the colours and the standard of a PDF."""
    profile = pdf.make_stream(_profile(), Dictionary(N=3))
    intent = Dictionary(
        Type=Name("/OutputIntent"),
        S=Name("/GTS_PDFA1"),
        OutputConditionIdentifier=String(_COLOURS),
        Info=String(_COLOURS),
        DestOutputProfile=profile,
    )
    pdf.Root.OutputIntents = Array([pdf.make_indirect(intent)])
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
        metadata.load_from_docinfo(pdf.docinfo)
        metadata["pdfaid:part"], metadata["pdfaid:conformance"] = "2", "B"


@cache
def _profile() -> bytes:
    """The ICC profile of sRGB, made on no day."""
    made = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    made[_DATE] = bytes([7, 208, 0, 1, 0, 1, *[0] * 6])
    return bytes(made)
