"""Cards put side by side on sheets of paper, with lines to cut and fold along.

In: the PDF of all faces, one a page, and a SheetFormat. Out: the grid of a sheet; for each page of the sheets, which
face stands where; and the PDF of the sheets. Lengths are in millimetres, places from the upper left corner of a sheet.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import floor

import pikepdf
from pikepdf import Array, Dictionary, Name, String
from PIL import ImageCms

from refgen.aids.cards.deck_format import CARD_PAPER_SIZES, CardImposition, CardStyle, Flip, SheetFormat
from refgen.aids.cards.faces import Faces
from refgen.errors import RenderError
from refgen.layout.lengths import MILLIMETRE
from refgen.layout.pdf_objects import saved_pdf

MARGIN = 5.0
"""The margin that printers leave blank at the edges of a sheet."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A face on a sheet, by number: the upper left corner of the trim edge, and whether the face is upside down."""

    face: int
    left: float
    top: float
    turned: bool = False


@dataclass(frozen=True, slots=True)
class CardGrid:
    """The places of cards on a sheet. A cell holds a card, or the back and the front of a card, to be folded."""

    width: float
    height: float
    cell_width: float
    cell_height: float
    columns: int
    rows: int
    gutter: float

    @property
    def left(self) -> float:
        """The left edge of the first column: the grid stands in the middle of the sheet."""
        return (self.width - self.columns * self.cell_width - (self.columns - 1) * self.gutter) / 2

    @property
    def top(self) -> float:
        """The upper edge of the first row."""
        return (self.height - self.rows * self.cell_height - (self.rows - 1) * self.gutter) / 2

    def places(self) -> Sequence[tuple[float, float]]:
        """The upper left corners of all cells, row by row."""
        return [
            (self.left + column * (self.cell_width + self.gutter), self.top + row * (self.cell_height + self.gutter))
            for row in range(self.rows)
            for column in range(self.columns)
        ]

    @property
    def is_portrait(self) -> bool:
        """Whether the sheet stands upright."""
        return self.width <= self.height


def sheet_grid(sheet: SheetFormat) -> CardGrid:
    """As many cards as fit, on the sheet upright or on its side. Raises RenderError when no card fits."""
    short, long = CARD_PAPER_SIZES[sheet.paper]
    best = max((_grid_on(sheet, short, long), _grid_on(sheet, long, short)), key=lambda grid: grid.columns * grid.rows)
    if not best.columns * best.rows:
        size = sheet.deck.style.size
        raise RenderError(
            f"a card of {size.width:g} x {size.height:g} mm does not fit on {sheet.paper} ({sheet.deck.imposition})",
            hint="Take a larger paper, or smaller cards.",
        )
    return best


def _grid_on(sheet: SheetFormat, width: float, height: float) -> CardGrid:
    size = sheet.deck.style.size
    across = 2 * size.width if sheet.deck.imposition is CardImposition.FOLD else size.width
    columns, rows = _how_many(width, across, sheet.deck.gutter), _how_many(height, size.height, sheet.deck.gutter)
    return CardGrid(width, height, across, size.height, columns, rows, sheet.deck.gutter)


def _how_many(room: float, length: float, gutter: float) -> int:
    return max(floor((room - 2 * MARGIN + gutter + 1e-6) / (length + gutter)), 0)


def sides(copies: Sequence[tuple[int, int]], sheet: SheetFormat) -> Iterator[Sequence[Placement]]:
    """The faces on each page: on sheets the fronts, and in duplex a page with their backs; or a single face a page."""
    if sheet.deck.imposition is CardImposition.SINGLE:
        bleed = sheet.deck.style.bleed
        return ([Placement(face, bleed, bleed)] for copy in copies for face in copy)
    return _on_sheets(copies, sheet)


def _on_sheets(copies: Sequence[tuple[int, int]], sheet: SheetFormat) -> Iterator[Sequence[Placement]]:
    grid = sheet_grid(sheet)
    places = grid.places()
    for start in range(0, len(copies), len(places)):
        held = list(zip(copies[start : start + len(places)], places, strict=False))
        if sheet.deck.imposition is CardImposition.FOLD:
            width = sheet.deck.style.size.width
            yield [
                placement
                for (front, back), (left, top) in held
                for placement in (Placement(back, left, top), Placement(front, left + width, top))
            ]
            continue
        yield [Placement(front, left, top) for (front, _), (left, top) in held]
        if sheet.deck.imposition is CardImposition.DUPLEX:
            yield [_back_placement(back, left, top, grid, sheet) for (_, back), (left, top) in held]


def _back_placement(back: int, left: float, top: float, grid: CardGrid, sheet: SheetFormat) -> Placement:
    """The place of a back behind its front: mirrored as the sheet is turned over, and shifted by the offset.

    On a sheet that is turned over its upper edge, backs stand upside down.
    """
    right, down = sheet.deck.offset
    if grid.is_portrait is (sheet.deck.flip is Flip.LONG):
        return Placement(back, grid.width - left - grid.cell_width + right, top + down)
    return Placement(back, left + right, grid.height - top - grid.cell_height + down, turned=True)


Line = tuple[float, float, float, float]
"""The two ends of a line: x and y of each."""

_OFF_EDGE = 3.0
"""The distance between the edge of the sheet and a cut line."""

_OFF_CARD = 0.6
"""The distance between a cut line and the cards."""


def cut_lines(grid: CardGrid) -> Iterator[Line]:
    """Lines to cut along, across the margins and gutters but not over a card."""
    across = _edges(grid.left, grid.cell_width, grid.gutter, grid.columns)
    down = _edges(grid.top, grid.cell_height, grid.gutter, grid.rows)
    for place in dict.fromkeys(edge for pair in across for edge in pair):
        yield from ((place, start, place, end) for start, end in _uncovered_parts(down, grid.height))
    for place in dict.fromkeys(edge for pair in down for edge in pair):
        yield from ((start, place, end, place) for start, end in _uncovered_parts(across, grid.width))


def fold_lines(grid: CardGrid) -> Iterator[Line]:
    """Lines to fold along, between fronts and backs."""
    down = _edges(grid.top, grid.cell_height, grid.gutter, grid.rows)
    for start, end in _edges(grid.left, grid.cell_width, grid.gutter, grid.columns):
        middle = (start + end) / 2
        yield from ((middle, above, middle, below) for above, below in _uncovered_parts(down, grid.height))


def _edges(start: float, length: float, gutter: float, count: int) -> Sequence[tuple[float, float]]:
    starts = (round(start + number * (length + gutter), 6) for number in range(count))
    return [(edge, round(edge + length, 6)) for edge in starts]


def _uncovered_parts(cards: Sequence[tuple[float, float]], room: float) -> Iterator[tuple[float, float]]:
    """The parts of a length that no card covers: margins and gutters, without the distance to edge and cards."""
    ends = [_OFF_EDGE - _OFF_CARD, *(end for _, end in cards)]
    starts = [*(start for start, _ in cards), room - _OFF_EDGE + _OFF_CARD]
    for end, start in zip(ends, starts, strict=True):
        if start - end > 2 * _OFF_CARD:
            yield end + _OFF_CARD, start - _OFF_CARD


_CUT = 0.25
"""The width of a cut line in points."""


def with_boxes(pdf: bytes, style: CardStyle) -> bytes:
    """The PDF of all faces, with trim and bleed boxes on every page."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        for page in opened.pages:
            _set_boxes(page, style)
        return saved_pdf(opened)


def impose(pdf: bytes, faces: Faces, sheet: SheetFormat) -> bytes:
    """The sheets of a deck, as PDF/A-2b. Raises RenderError when a card is larger than the paper."""
    with pikepdf.open(io.BytesIO(pdf)) as source, pikepdf.new() as made:
        _describe(source, made)
        if sheet.deck.imposition is CardImposition.SINGLE:
            _impose_single(source, made, faces, sheet)
        else:
            _sheets(source, made, faces, sheet)
        _declare(made)
        return saved_pdf(made)


def _impose_single(source: pikepdf.Pdf, made: pikepdf.Pdf, faces: Faces, sheet: SheetFormat) -> None:
    """Each card on a page of its own, fronts and backs by turns; pages of the same face share its content."""
    forms = _forms(source, made, faces)
    width, height = (length * MILLIMETRE for length in _with_bleed(faces.style))
    for (placement,) in sides(faces.copies, sheet):
        _add_page(made, width, height, b"/Face Do", Dictionary({"/Face": forms[placement.face]}))
        _set_boxes(made.pages[-1], faces.style)


def _sheets(source: pikepdf.Pdf, made: pikepdf.Pdf, faces: Faces, sheet: SheetFormat) -> None:
    grid, forms = sheet_grid(sheet), _forms(source, made, faces)
    marks = _lines(grid, sheet)
    for number, placements in enumerate(sides(faces.copies, sheet)):
        behind = sheet.deck.imposition is CardImposition.DUPLEX and number % 2
        lines = b"" if behind else marks
        drawn = b"\n".join(_face_operators(placement, grid, sheet) for placement in placements)
        used = Dictionary({f"/F{placement.face}": forms[placement.face] for placement in placements})
        _add_page(made, grid.width * MILLIMETRE, grid.height * MILLIMETRE, lines + drawn, used)


def _forms(source: pikepdf.Pdf, made: pikepdf.Pdf, faces: Faces) -> dict[int, pikepdf.Object]:
    """The printed faces by number, as form objects of the new document."""
    numbers = sorted({number for copy in faces.copies for number in copy})
    forms = Array()
    for number in numbers:
        page = source.pages[number]
        form = page.as_form_xobject()
        form.Resources = page.obj.Resources  # all pages share them: not a copy for each
        forms.append(form)
    return dict(zip(numbers, made.copy_foreign(source.make_indirect(forms)), strict=True))


def _face_operators(placement: Placement, grid: CardGrid, sheet: SheetFormat) -> bytes:
    """The operators that draw a face, clipped to the trim edge, or to half the gutter beyond the trim edge."""
    style = sheet.deck.style
    beyond = min(sheet.deck.gutter / 2, style.bleed)
    width, height = style.size.width, style.size.height
    left, bottom = placement.left, grid.height - placement.top - height
    clip = (left - beyond, bottom - beyond, width + 2 * beyond, height + 2 * beyond)
    if placement.turned:
        matrix = (-1, 0, 0, -1, (left + width + style.bleed) * MILLIMETRE, (bottom + height + style.bleed) * MILLIMETRE)
    else:
        matrix = (1, 0, 0, 1, (left - style.bleed) * MILLIMETRE, (bottom - style.bleed) * MILLIMETRE)
    box = _numbers(length * MILLIMETRE for length in clip)
    return f"q {box} re W n {_numbers(matrix)} cm /F{placement.face} Do Q".encode()


def _lines(grid: CardGrid, sheet: SheetFormat) -> bytes:
    cuts = _strokes(cut_lines(grid), grid.height)
    if sheet.deck.imposition is not CardImposition.FOLD:
        return f"q {_CUT} w 0.35 G {cuts} S Q\n".encode()
    folds = _strokes(fold_lines(grid), grid.height)
    return f"q {_CUT} w 0.35 G {cuts} S [2 2] 0 d {folds} S Q\n".encode()


def _strokes(lines: Iterator[Line], height: float) -> str:
    points = ((x1, height - y1, x2, height - y2) for x1, y1, x2, y2 in lines)
    scaled = ([value * MILLIMETRE for value in line] for line in points)
    return " ".join(f"{_numbers(line[:2])} m {_numbers(line[2:])} l" for line in scaled)


def _numbers(values: Iterator[float] | Sequence[float]) -> str:
    return " ".join(f"{value:.4f}".rstrip("0").rstrip(".") for value in values)


_COLOURS = "sRGB IEC61966-2.1"
_DATE = slice(24, 36)
"""The bytes of an ICC profile with the date of the profile (ICC.1:2010, 7.2.8)."""


def _declare(pdf: pikepdf.Pdf) -> None:
    """Declare that a PDF is PDF/A-2b with sRGB colours."""
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
    """The ICC profile of sRGB with a fixed date, so that sheets are the same bytes every day."""
    made = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    made[_DATE] = bytes([7, 208, 0, 1, 0, 1, *[0] * 6])
    return bytes(made)


def _add_page(made: pikepdf.Pdf, width: float, height: float, content: bytes, forms: pikepdf.Object) -> None:
    made.add_blank_page(page_size=(width, height))
    page = made.pages[-1]
    page.obj.Resources = Dictionary(XObject=forms)
    page.obj.Contents = made.make_stream(content)


def _with_bleed(style: CardStyle) -> tuple[float, float]:
    return style.size.width + 2 * style.bleed, style.size.height + 2 * style.bleed


def _set_boxes(page: pikepdf.Page, style: CardStyle) -> None:
    """Set the boxes of a page: the bleed box is the whole page, the trim box lies inside."""
    width, height = (length * MILLIMETRE for length in _with_bleed(style))
    bleed = style.bleed * MILLIMETRE
    page.obj.MediaBox = page.obj.BleedBox = [0, 0, round(width, 4), round(height, 4)]
    page.obj.TrimBox = [round(value, 4) for value in (bleed, bleed, width - bleed, height - bleed)]


def _describe(source: pikepdf.Pdf, made: pikepdf.Pdf) -> None:
    """Copy title, author and language of the source."""
    for key, value in source.docinfo.items():
        made.docinfo[key] = str(value)
    made.Root.Lang = str(source.Root.get("/Lang", "en"))
    made.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True, PrintScaling=Name("/None"))
