"""Cards on sheets: measured in the PDF, by another library than the one that wrote it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import ImageCms
from pypdfium2 import raw

from refgen.aids.cards.deck_format import (
    CARD_PAPER_SIZES,
    SIZES,
    CardImposition,
    CardPaper,
    CardStyle,
    DeckFormat,
    Flip,
    SheetFormat,
    card_size,
)
from refgen.aids.cards.faces import Faces
from refgen.aids.cards.imposition import Placement, cut_lines, impose, sheet_grid, sides, with_boxes
from refgen.aids.cards.job import imposed_mismatches
from refgen.aids.cards.model import Card, CardDeck
from refgen.blocks.text_blocks import TextBlock
from refgen.errors import RenderError
from refgen.game import SystemInfo
from refgen.layout.lengths import MILLIMETRE
from tests.aids.cards.decks import faces_of, html_of
from tests.layout.laid_out import pdf_of

SYSTEM = SystemInfo("game", "Game", "About", "#123456", "Source")
NAMES = [f"Front {letter}" for letter in "ABCDEFGHIJKL"]


@cache
def deck(size: str) -> tuple[Faces, bytes]:
    cards = tuple(Card(number, name, (TextBlock("", ("Words.",)),)) for number, name in enumerate(NAMES, start=1))
    faces = faces_of(SYSTEM, CardDeck(cards), style=CardStyle(card_size(size)))
    return faces, pdf_of(html_of(SYSTEM, faces))


@cache
def blank_deck(size: str) -> tuple[Faces, bytes]:
    """The same of blank faces, which need not be laid out."""
    cards = tuple(Card(number, name, ()) for number, name in enumerate(NAMES, start=1))
    faces, data = faces_of(SYSTEM, CardDeck(cards), style=CardStyle(card_size(size))), io.BytesIO()
    with pikepdf.new() as pdf:
        for _ in range(len(NAMES) + 1):
            pdf.add_blank_page(page_size=(100, 100))
        pdf.save(data)
    return faces, data.getvalue()


def imposed(sheet: SheetFormat, faces: Faces | None = None) -> bytes:
    known, pdf = deck(sheet.deck.size.name)
    return impose(pdf, faces or known, sheet)


def sheet_of(size: str = "poker", paper: CardPaper = CardPaper.A4, **choices: Any) -> SheetFormat:
    return SheetFormat("cards", paper, DeckFormat(card_size(size), **choices))


def form_places(page: pypdfium2.PdfPage) -> Iterator[tuple[float, float]]:
    """The middles of the form objects on a page, in millimetres from its upper left corner."""
    height = page.get_height()
    for number in range(raw.FPDFPage_CountObjects(page)):
        found = raw.FPDFPage_GetObject(page, number)
        if raw.FPDFPageObj_GetType(found) == raw.FPDF_PAGEOBJ_FORM:
            matrix = raw.FS_MATRIX()
            raw.FPDFPageObj_GetMatrix(found, matrix)
            size = deck_box()
            across = matrix.a * size[0] / 2 + matrix.e
            up = matrix.d * size[1] / 2 + matrix.f
            yield across / MILLIMETRE, (height - up) / MILLIMETRE


def deck_box() -> tuple[float, float]:
    return (63 + 6.35) * MILLIMETRE, (88 + 6.35) * MILLIMETRE


@pytest.mark.parametrize(
    ("size", "paper", "count"),
    [
        ("poker", "a4", 9),
        ("poker", "letter", 9),
        ("poker", "a3", 18),
        ("poker-us", "a4", 9),
        ("poker-us", "letter", 9),
        ("bridge", "a4", 10),
        ("mini", "a4", 16),
        ("tarot", "a4", 4),
        ("business", "a4", 10),
        ("index", "a4", 4),
        ("index", "letter", 4),
        ("a6", "a4", 2),
        ("a7", "a4", 4),
    ],
)
def test_as_many_cards_as_fit_stand_on_a_sheet(size: str, paper: str, count: int) -> None:
    grid = sheet_grid(sheet_of(size, paper=CardPaper(paper)))
    assert grid.columns * grid.rows == count
    assert sorted((grid.width, grid.height)) == sorted(CARD_PAPER_SIZES[CardPaper(paper)])


@pytest.mark.parametrize("flip", Flip)
@pytest.mark.parametrize("paper", CardPaper)
@pytest.mark.parametrize("gutter", [0.0, 4.0])
def test_backs_meet_their_fronts(paper: CardPaper, flip: Flip, gutter: float) -> None:
    """Measured in the PDF: turned over its edge, each back lies behind its front by a tenth of a millimetre."""
    sheet = sheet_of(paper=paper, flip=flip, gutter=gutter)
    with closing(pypdfium2.PdfDocument(imposed(sheet))) as pdf:
        front, back = (sorted(form_places(pdf[number])) for number in (0, 1))
        width, height = pdf[0].get_width() / MILLIMETRE, pdf[0].get_height() / MILLIMETRE
    over_the_side = (width < height) is (flip is Flip.LONG)
    turned = sorted((width - x, y) if over_the_side else (x, height - y) for x, y in back)
    assert len(front) == min(sheet_grid(sheet).columns * sheet_grid(sheet).rows, len(NAMES))
    for (x, y), (back_x, back_y) in zip(front, turned, strict=True):
        assert abs(x - back_x) < 0.1
        assert abs(y - back_y) < 0.1


def test_an_offset_shifts_the_backs_alone() -> None:
    plain, shifted = sheet_of(), sheet_of(offset=(0.7, -0.3))
    places = []
    for sheet in (plain, shifted):
        with closing(pypdfium2.PdfDocument(imposed(sheet))) as pdf:
            places.append([sorted(form_places(pdf[number])) for number in (0, 1)])
    (front, back), (same, moved) = places
    assert front == same
    assert [(round(x - a, 3), round(y - b, 3)) for (x, y), (a, b) in zip(moved, back, strict=True)] == [(0.7, -0.3)] * 9


@pytest.mark.parametrize("paper", CardPaper)
def test_every_front_stands_whole_in_its_place(paper: CardPaper) -> None:
    sheet = sheet_of(paper=paper)
    faces, _ = deck("poker")
    with closing(pypdfium2.PdfDocument(imposed(sheet))) as pdf:
        for page, placements in zip(pdf, sides(faces.copies, sheet), strict=True):
            for placement in placements:
                assert texts_at(page, placement, sheet) == said(faces, placement.face)


def faults_of(sheet: SheetFormat, pdf: bytes, faces: Faces) -> list[str]:
    return [str(fault) for fault in imposed_mismatches(faces, deck(sheet.deck.size.name)[1], pdf, sheet, "x.pdf")]


@pytest.mark.parametrize("imposition", CardImposition)
@pytest.mark.parametrize("flip", Flip)
def test_sheets_are_read_back_against_the_cards(imposition: CardImposition, flip: Flip) -> None:
    sheet = sheet_of(imposition=imposition, flip=flip)
    faces, _ = deck("poker")
    assert faults_of(sheet, imposed(sheet), faces) == []


def test_a_card_that_is_not_in_its_place_is_found() -> None:
    sheet = sheet_of(imposition=CardImposition.FRONTS)
    faces, _ = deck("poker")
    pdf = imposed(sheet, replace(faces, copies=((1, 12), *faces.copies[1:])))
    (fault,) = faults_of(sheet, pdf, faces)
    assert fault == 'x.pdf: page 1: card 1: "FrontBWords.2·Game" in place of "FrontAWords.1·Game"'


def test_cards_and_sheets_too_few_and_too_many_are_found() -> None:
    sheet = sheet_of(imposition=CardImposition.FRONTS)
    faces, _ = deck("poker")
    three, ten, eleven = (replace(faces, copies=faces.copies[:count]) for count in (3, 10, 11))
    assert faults_of(sheet, imposed(sheet, ten), three) == ["x.pdf: 2 pages in place of 1"]
    missing = 'x.pdf: page 2: card 2: "" in place of "FrontKWords.11·Game"'
    assert faults_of(sheet, imposed(sheet, ten), eleven) == [missing]
    assert faults_of(sheet, imposed(sheet, eleven), ten) == ["x.pdf: page 2: 19 letters are on no card"]


def texts_at(page: pypdfium2.PdfPage, placement: Placement, sheet: SheetFormat) -> Sequence[str]:
    """The letters inside the trim edge of a card, sorted: one that stands on its head is read backwards."""
    size = sheet.deck.size
    top = page.get_height() - placement.top * MILLIMETRE
    left = placement.left * MILLIMETRE
    right, bottom = left + size.width * MILLIMETRE, top - size.height * MILLIMETRE
    return sorted("".join(page.get_textpage().get_text_bounded(left, bottom, right, top).split()))


def said(faces: Faces, number: int) -> Sequence[str]:
    if number < len(faces.fronts):
        front = faces.fronts[number].front
        return sorted(f"{front.title}Words.{front.footer}".replace(" ", ""))
    return sorted("Game")


def test_nothing_is_drawn_on_a_card_but_the_card() -> None:
    for gutter in (0.0, 4.0):
        grid = sheet_grid(sheet_of(gutter=gutter))
        cards = [(left, top, left + 63, top + 88) for left, top in grid.places()]
        for x1, y1, x2, y2 in cut_lines(grid):
            assert not any(x1 < r and x2 > x and y1 < b and y2 > y for x, y, r, b in cards)
            assert min(x1, x2, y1, y2) >= 0
            assert max(x1, x2) <= grid.width
            assert max(y1, y2) <= grid.height


def test_every_cut_has_a_line_at_both_of_its_ends() -> None:
    grid = sheet_grid(sheet_of())
    lines = list(cut_lines(grid))
    assert len(lines) == 2 * (grid.columns + 1) + 2 * (grid.rows + 1)


def test_a_folded_card_has_its_back_beside_it() -> None:
    sheet = sheet_of(imposition=CardImposition.FOLD)
    faces, _ = deck("poker")
    first = next(iter(sides(faces.copies, sheet)))
    for back, front in zip(first[::2], first[1::2], strict=True):
        assert back.face == len(faces.fronts)
        assert (back.top, back.left + 63) == (front.top, front.left)


@pytest.mark.parametrize("size", SIZES)
def test_a_card_a_page_has_trim_and_bleed_boxes(size: str) -> None:
    trim = SIZES[size]
    faces, pdf = blank_deck(size)
    alternating = impose(pdf, faces, sheet_of(size, imposition=CardImposition.SINGLE))
    for data, count in ((with_boxes(pdf, faces.style), 13), (alternating, 24)):
        with pikepdf.open(io.BytesIO(data)) as opened:
            assert len(opened.pages) == count
            for page in opened.pages:
                bleed = [0, 0, (trim.width + 6.35) * MILLIMETRE, (trim.height + 6.35) * MILLIMETRE]
                edge = [3.175 * MILLIMETRE] * 2 + [(3.175 + side) * MILLIMETRE for side in (trim.width, trim.height)]
                assert [float(v) for v in page.obj.MediaBox] == pytest.approx(bleed, abs=0.001)
                assert [float(v) for v in page.obj.BleedBox] == pytest.approx(bleed, abs=0.001)
                assert [float(v) for v in page.obj.TrimBox] == pytest.approx(edge, abs=0.001)


def test_poker_with_bleed_is_what_print_on_demand_wants() -> None:
    faces, pdf = blank_deck("poker-us")
    data = impose(pdf, faces, sheet_of("poker-us", imposition=CardImposition.SINGLE))
    with pikepdf.open(io.BytesIO(data)) as opened:
        _, _, width, height = (float(value) / MILLIMETRE for value in opened.pages[0].obj.MediaBox)
    assert (width, height) == pytest.approx((69.85, 95.25), abs=0.001)


def test_a_card_that_is_there_often_is_there_once() -> None:
    faces, _ = deck("poker")
    often = replace(faces, copies=faces.copies[:1] * 90)
    data = imposed(sheet_of(), often)
    with pikepdf.open(io.BytesIO(data)) as opened:
        forms = {held.objgen for page in opened.pages for held in page.obj.Resources.XObject.values()}
        assert len(opened.pages) == 20
    assert len(forms) == 2
    assert len(data) < 1.5 * len(imposed(sheet_of(), replace(faces, copies=faces.copies[:1])))


def test_the_same_sheets_are_the_same_bytes() -> None:
    assert imposed(sheet_of()) == imposed(sheet_of())


@pytest.mark.parametrize("imposition", [CardImposition.DUPLEX, CardImposition.SINGLE])
def test_sheets_declare_pdf_a_and_their_colours(imposition: CardImposition) -> None:
    """As far as it can be seen without a validator: what ISO 19005-2 wants of a file is there, and qpdf is content."""
    data = imposed(sheet_of(imposition=imposition))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        (intent,) = pdf.Root.OutputIntents
        assert (str(intent.S), int(intent.DestOutputProfile.N)) == ("/GTS_PDFA1", 3)
        profile = ImageCms.ImageCmsProfile(io.BytesIO(intent.DestOutputProfile.read_bytes()))
        assert profile.profile.xcolor_space.strip() == "RGB"
        metadata = pdf.open_metadata()
        assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("2", "B")
        assert metadata["dc:title"] == str(pdf.docinfo.Title)
        assert "/ID" in pdf.trailer
        assert "/Encrypt" not in pdf.trailer
        faces = {held.objgen: held for page in pdf.pages for held in page.obj.Resources.XObject.values()}
        fonts = [font for face in faces.values() for font in face.Resources.Font.values()]
        assert all("/FontFile3" in font.DescendantFonts[0].FontDescriptor for font in fonts)
        assert all("/ToUnicode" in font for font in fonts)
        assert pdf.check_pdf_syntax() == []


def test_a_card_that_is_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(RenderError, match=r"a card of 150 x 210 mm does not fit on a4 \(fold\)"):
        _ = sheet_grid(sheet_of("150x210", imposition=CardImposition.FOLD))
