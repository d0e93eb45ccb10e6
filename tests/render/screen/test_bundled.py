"""The screens of the five systems: how each is arranged (golden), and that every format keeps what it promises.

After a change that is meant, write the golden file anew and review it: ``python -m tests.render.screen.test_bundled``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pypdfium2
import pytest

from refgen.aids.blocks import Shelf
from refgen.aids.gm_screen import GmScreen, Side, make_screen
from refgen.aids.imprint import Imprint
from refgen.bundle import bundled
from refgen.pipeline.prepare import Kind
from refgen.pipeline.work import Job, do
from refgen.render.paper import SIZES, USUAL, Paper
from refgen.render.screen.distribute import EVEN, Arrangement
from refgen.render.screen.format import FORMATS, Form, Orientation, ScreenFormat, Theme
from refgen.render.screen.overfull import name_of
from refgen.render.screen.planner import Planner
from tests.conftest import SYSTEMS, computed, ours

GOLDEN = Path(__file__).with_name("arrangements.txt")
POINTS_A_MILLIMETRE = 72 / 25.4
LEAST = 7.5


@cache
def screen(system: str) -> GmScreen:
    return make_screen(bundled("content") / system, Shelf(ours(system), computed(system)))


@cache
def arranged(system: str, form: ScreenFormat) -> dict[int, Arrangement]:
    planner = Planner(screen(system), form)
    planner.arrange(range(len(screen(system).panels)))
    assert planner.faults == []
    return planner.arranged


def told(system: str, form: ScreenFormat) -> Iterator[str]:
    """A line for each panel, and one for each of its columns: width in millimetres, fill in percent, blocks."""
    yield f"{system}, {form}"
    for number, found in sorted(arranged(system, form).items()):
        panel = screen(system).panels[number]
        yield f"  {panel.title}: {found.size:g} pt"
        for column in (own for page in found.pages for own in page):
            names = " / ".join(name_of(own) for own in panel.blocks[column.first : column.end])
            width = round(column.width / POINTS_A_MILLIMETRE)
            yield f"    {width} mm, {column.fill:.0%}: {names}"
    yield ""


def golden() -> str:
    papers = [ScreenFormat(paper) for paper in USUAL]
    return "\n".join(line for system in SYSTEMS for form in papers for line in told(system, form)) + "\n"


def test_which_block_stands_where() -> None:
    assert golden() == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("paper", USUAL)
def test_panels_are_large_and_even(system: str, paper: Paper) -> None:
    """What the referee sees at a glance: nothing under 8.5 pt, no column half empty beside a full one."""
    found = arranged(system, ScreenFormat(paper))
    assert min(own.size for own in found.values()) >= 8.5
    assert [number for number, own in found.items() if own.emptiest < min(EVEN, 0.85 * own.fullest)] == []


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("form", [form for form in FORMATS if form.form is Form.PAGES], ids=str)
def test_every_panel_fits_in_every_format(system: str, form: ScreenFormat) -> None:
    found = arranged(system, form)
    assert set(found) == set(range(len(screen(system).panels)))
    assert all(own.fullest <= 1 for own in found.values())
    if not form.flows:
        assert {len(own.pages) for own in found.values()} == {1}


LOOKED_AT = [
    ScreenFormat(Paper.A4, form=Form.SHEET),
    ScreenFormat(Paper.LETTER, Orientation.PORTRAIT, theme=Theme.INK_SAVING),
    ScreenFormat(Paper.A5),
    ScreenFormat(Paper.A4, theme=Theme.LARGE_PRINT),
]


@pytest.mark.slow
@pytest.mark.parametrize(("system", "form"), [*zip(SYSTEMS, LOOKED_AT, strict=False), ("fudge-1995", ScreenFormat())])
def test_a_screen_in_an_unusual_format_is_what_it_says(system: str, form: ScreenFormat) -> None:
    """Made as a build makes it: read back cell by cell, on paper of its size, in type that can be read."""
    done = do(Job(Imprint.of(ours(system)), Kind.SCREEN, screen(system), [form]))
    assert (done.errors, done.mismatches) == ([], [])
    with pypdfium2.PdfDocument(done.files[f"{system}/gm-screen-{form}.pdf"]) as document:
        sizes = {(round(w / POINTS_A_MILLIMETRE, 1), round(h / POINTS_A_MILLIMETRE, 1)) for w, h in map(size, document)}
        letters = [points for page in document for points in type_sizes(page)]
    assert sizes == {paper_of(system, form)}
    assert min(letters) >= LEAST - 0.01
    if form.theme is Theme.LARGE_PRINT:
        assert sorted(letters)[len(letters) // 10] >= 10


def size(page: pypdfium2.PdfPage) -> tuple[float, float]:
    width, height = page.get_size()
    return width, height


def type_sizes(page: pypdfium2.PdfPage) -> Iterator[float]:
    """The size of each text object in points, but for the signs of footnotes."""
    text_page = page.get_textpage()
    for own in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT]):
        points = pypdfium2.raw.c_float()
        pypdfium2.raw.FPDFTextObj_GetFontSize(own, points)
        matrix = own.get_matrix()
        if text_of(own, text_page).strip("*†‡§¶ "):
            yield points.value * abs(matrix.d)


def text_of(own: pypdfium2.PdfObject, text_page: pypdfium2.PdfTextPage) -> str:
    length = pypdfium2.raw.FPDFTextObj_GetText(own, text_page, None, 0)
    buffer = (pypdfium2.raw.c_ushort * (length // 2 + 1))()
    pypdfium2.raw.FPDFTextObj_GetText(own, text_page, buffer, length)
    return bytes(buffer).decode("utf-16-le").rstrip("\0")


def paper_of(system: str, form: ScreenFormat) -> tuple[float, float]:
    short, long = SIZES[form.paper]
    width, height = (long, short) if form.orientation is Orientation.LANDSCAPE else (short, long)
    sides = [sum(panel.side is side for panel in screen(system).panels) for side in Side]
    return round(width * (max(sides) if form.form is Form.SHEET else 1), 1), height


if __name__ == "__main__":
    GOLDEN.write_text(golden(), encoding="utf-8")
