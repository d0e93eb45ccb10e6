"""Sheets of cards: the pages of cards put side by side on paper with cut lines, and read back.

In: the PDF of the cards, page by page, and an Imposition. Out: the PDF of the sheets, and mismatches between the sheets
and the imposition.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from typing import Any

import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name, String
from PIL import ImageCms

from refgen.aids.cards.faces import Faces, Style
from refgen.aids.cards.imposition import (
    CardImposition,
    Grid,
    Line,
    Placement,
    SheetFormat,
    cut_lines,
    fold_lines,
    sides,
)
from refgen.layout.lengths import MILLIMETRE
from refgen.layout.readback.expected import Mismatch

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


_CUT = 0.25
"""The width of a cut line in points."""


def with_boxes(pdf: bytes, style: Style) -> bytes:
    """The same pages with their trim and bleed boxes."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        for page in opened.pages:
            _set_boxes(page, style)
        return _saved(opened)


def impose(pdf: bytes, faces: Faces, sheet: SheetFormat) -> bytes:
    """The sheets of a deck, as PDF/A-2b. Raises RenderError when a card is larger than the paper."""
    with pikepdf.open(io.BytesIO(pdf)) as source, pikepdf.new() as made:
        _describe(source, made)
        if sheet.imposition is CardImposition.SINGLE:
            _single(source, made, faces, sheet)
        else:
            _sheets(source, made, faces, sheet)
        declare(made)
        return _saved(made)


def _single(source: pikepdf.Pdf, made: pikepdf.Pdf, faces: Faces, sheet: SheetFormat) -> None:
    """Each card on a page of its own, fronts and backs by turns; pages of the same face share its content."""
    forms = _forms(source, made, faces)
    width, height = (length * MILLIMETRE for length in _with_bleed(faces.style))
    for (placement,) in sides(faces.copies, sheet):
        _add_page(made, width, height, b"/Face Do", Dictionary({"/Face": forms[placement.face]}))
        _set_boxes(made.pages[-1], faces.style)


def _sheets(source: pikepdf.Pdf, made: pikepdf.Pdf, faces: Faces, sheet: SheetFormat) -> None:
    grid, forms = sheet.grid, _forms(source, made, faces)
    marks = _lines(grid, sheet)
    for number, placements in enumerate(sides(faces.copies, sheet)):
        behind = sheet.imposition is CardImposition.DUPLEX and number % 2
        lines = b"" if behind else marks
        drawn = b"\n".join(_placed(placement, grid, sheet) for placement in placements)
        used = Dictionary({f"/F{placement.face}": forms[placement.face] for placement in placements})
        _add_page(made, grid.width * MILLIMETRE, grid.height * MILLIMETRE, lines + drawn, used)


def _forms(source: pikepdf.Pdf, made: pikepdf.Pdf, faces: Faces) -> dict[int, pikepdf.Object]:
    """The faces that are printed, by their numbers, as form objects of the new document."""
    numbers = sorted({number for copy in faces.copies for number in copy})
    forms = Array()
    for number in numbers:
        page = source.pages[number]
        form = page.as_form_xobject()
        form.Resources = page.obj.Resources  # all pages share them: not a copy for each
        forms.append(form)
    return dict(zip(numbers, made.copy_foreign(source.make_indirect(forms)), strict=True))


def _placed(placement: Placement, grid: Grid, sheet: SheetFormat) -> bytes:
    """A face, clipped to its trim edge, or to half the gutter beyond it."""
    style = sheet.style
    beyond = min(sheet.gutter / 2, style.bleed)
    width, height = style.size.width, style.size.height
    left, bottom = placement.left, grid.height - placement.top - height
    clip = (left - beyond, bottom - beyond, width + 2 * beyond, height + 2 * beyond)
    if placement.turned:
        matrix = (-1, 0, 0, -1, (left + width + style.bleed) * MILLIMETRE, (bottom + height + style.bleed) * MILLIMETRE)
    else:
        matrix = (1, 0, 0, 1, (left - style.bleed) * MILLIMETRE, (bottom - style.bleed) * MILLIMETRE)
    box = _numbers(length * MILLIMETRE for length in clip)
    return f"q {box} re W n {_numbers(matrix)} cm /F{placement.face} Do Q".encode()


def _lines(grid: Grid, sheet: SheetFormat) -> bytes:
    cuts = _strokes(cut_lines(grid), grid.height)
    if sheet.imposition is not CardImposition.FOLD:
        return f"q {_CUT} w 0.35 G {cuts} S Q\n".encode()
    folds = _strokes(fold_lines(grid), grid.height)
    return f"q {_CUT} w 0.35 G {cuts} S [2 2] 0 d {folds} S Q\n".encode()


def _strokes(lines: Iterator[Line], height: float) -> str:
    points = ((x1, height - y1, x2, height - y2) for x1, y1, x2, y2 in lines)
    scaled = ([value * MILLIMETRE for value in line] for line in points)
    return " ".join(f"{_numbers(line[:2])} m {_numbers(line[2:])} l" for line in scaled)


def _numbers(values: Iterator[float] | Sequence[float]) -> str:
    return " ".join(f"{value:.4f}".rstrip("0").rstrip(".") for value in values)


def _add_page(made: pikepdf.Pdf, width: float, height: float, content: bytes, forms: pikepdf.Object) -> None:
    made.add_blank_page(page_size=(width, height))
    page = made.pages[-1]
    page.obj.Resources = Dictionary(XObject=forms)
    page.obj.Contents = made.make_stream(content)


def _with_bleed(style: Style) -> tuple[float, float]:
    return style.size.width + 2 * style.bleed, style.size.height + 2 * style.bleed


def _set_boxes(page: pikepdf.Page, style: Style) -> None:
    """The bleed is the whole page, the trim edge is inside it."""
    width, height = (length * MILLIMETRE for length in _with_bleed(style))
    bleed = style.bleed * MILLIMETRE
    page.obj.MediaBox = page.obj.BleedBox = [0, 0, round(width, 4), round(height, 4)]
    page.obj.TrimBox = [round(value, 4) for value in (bleed, bleed, width - bleed, height - bleed)]


def _describe(source: pikepdf.Pdf, made: pikepdf.Pdf) -> None:
    """Title, author and language are those of the source."""
    for key, value in source.docinfo.items():
        made.docinfo[key] = str(value)
    made.Root.Lang = str(source.Root.get("/Lang", "en"))
    made.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True, PrintScaling=Name("/None"))


def _saved(pdf: pikepdf.Pdf) -> bytes:
    buffer = io.BytesIO()
    pdf.save(buffer, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return buffer.getvalue()


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
