"""The screens of the five systems: how each is arranged (golden), and that every format keeps what it promises.

After a change that is meant, write the golden file again and review it: ``python -m tests.aids.screen.test_kind``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import get_args

import pypdfium2
import pytest

from refgen.aids.distribute import EVEN, GAP, NEARLY, WIDEST_GAP, Arrangement
from refgen.aids.panels.job import PanelsJob
from refgen.aids.panels.model import USUAL_FORMAT, Panels, Side, may_flow
from refgen.aids.panels.planner import PanelPlanner, name_of
from refgen.aids.screen.kind import ScreenKind, screen_of_game
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.lengths import BODY, MILLIMETRE
from refgen.layout.page_format import (
    PAGE_FORMATS,
    PAPER_SIZES,
    USUAL_PAPERS,
    Imposition,
    Orientation,
    PageFormat,
    Paper,
    Theme,
)
from refgen.look.look import in_look
from refgen.pipeline.project import ScreenPaper
from refgen.words import ENGLISH
from tests.conftest import RICHEST_AND_SOAK, SYSTEMS, game, others_in_soak
from tests.layout.type_sizes import texts_under

GOLDEN = Path(__file__).with_name("arrangements.txt")


def format_name(page_format: PageFormat) -> str:
    return page_format.name(USUAL_FORMAT)


@cache
def screen(system: str) -> Panels:
    return screen_of_game(bundled_folder("content") / system, game(system))


@cache
def arranged(system: str, page_format: PageFormat) -> dict[int, Arrangement]:
    planner = PanelPlanner(screen(system), page_format, ENGLISH)
    assert planner.faults == []
    return planner.arranged


def described(system: str, page_format: PageFormat) -> Iterator[str]:
    """A line for each panel, with its gap in lines, and one for each column: millimetres wide, percent full, blocks."""
    yield f"{system}, {format_name(page_format)}"
    for number, found in sorted(arranged(system, page_format).items()):
        panel = screen(system).panels[number]
        yield f"  {panel.title}: {found.size:g} pt, {found.gap / (found.size * BODY.line_height):.1f}"
        for column in (column for page in found.pages for column in page):
            names = " / ".join(name_of(block) for block in panel.blocks[column.first : column.end])
            width = round(column.width / MILLIMETRE)
            yield f"    {width} mm, {column.fill:.0%}: {names}"
    yield ""


def golden() -> str:
    formats = [replace(USUAL_FORMAT, paper=paper) for paper in USUAL_PAPERS]
    lines = (line for system in SYSTEMS for page_format in formats for line in described(system, page_format))
    return "\n".join(lines) + "\n"


@pytest.mark.slow
def test_which_block_stands_where() -> None:
    assert golden() == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("paper", USUAL_PAPERS)
def test_panels_are_large_and_even(system: str, paper: Paper) -> None:
    """What the referee sees at a glance: nothing under 8.5 pt, no column half empty beside a full one."""
    found = arranged(system, replace(USUAL_FORMAT, paper=paper))
    assert min(arrangement.size for arrangement in found.values()) >= 8.5
    assert [number for number, one in found.items() if one.emptiest < min(EVEN, NEARLY * one.fullest)] == []


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("paper", USUAL_PAPERS)
@pytest.mark.parametrize("theme", [Theme.COLOUR, Theme.LARGE_PRINT])
def test_blocks_keep_one_rhythm(system: str, paper: Paper, theme: Theme) -> None:
    """One gap a panel, half a line to one and a half; in the largest type at least the gap of a sheet."""
    for found in arranged(system, replace(USUAL_FORMAT, paper=paper, theme=theme)).values():
        lines = found.gap / (found.size * BODY.line_height)
        assert found.gap >= GAP * MILLIMETRE
        assert (0.5 if theme is Theme.COLOUR else 0.35) <= lines <= WIDEST_GAP + 1e-9


FORMATS = [one for one in PAGE_FORMATS if one.imposition is Imposition.PAGES and one.paper in get_args(ScreenPaper)]


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("page_format", FORMATS, ids=format_name)
def test_every_panel_fits_in_every_format(system: str, page_format: PageFormat) -> None:
    found = arranged(system, page_format)
    assert set(found) == set(range(len(screen(system).panels)))
    assert all(arrangement.fullest <= 1 for arrangement in found.values())
    if not may_flow(page_format):
        assert {len(arrangement.pages) for arrangement in found.values()} == {1}


EVERY_TIME = [("harmonies", replace(USUAL_FORMAT, imposition=Imposition.SHEET))]
LOOKED_AT = [
    *EVERY_TIME,
    ("fudge-1995", replace(USUAL_FORMAT, paper=Paper.A5)),
    ("atari-isev", PageFormat(Paper.LETTER, Orientation.PORTRAIT, theme=Theme.INK_SAVING)),
    ("interactive-history", replace(USUAL_FORMAT, theme=Theme.LARGE_PRINT)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("system", "page_format"), others_in_soak(EVERY_TIME, LOOKED_AT))
def test_a_screen_in_an_unusual_format_is_what_it_says(system: str, page_format: PageFormat) -> None:
    """Made as a build makes it: read back cell by cell, on paper of its size, in type that can be read."""
    job = PanelsJob(ScreenKind.names, SystemInfo.of(game(system)), screen(system), [page_format])
    with in_look(job.look):
        done = job.make()
    assert (done.errors, done.mismatches) == ([], [])
    is_as_said(done.files[f"{system}/gm-screen-{format_name(page_format)}.pdf"], system, page_format)


@pytest.mark.slow
@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_a_screen_in_the_usual_format_is_what_it_says(built: Path, system: str) -> None:
    is_as_said((built / system / "gm-screen-a4.pdf").read_bytes(), system, USUAL_FORMAT)


def is_as_said(pdf: bytes, system: str, page_format: PageFormat) -> None:
    with pypdfium2.PdfDocument(pdf) as document:
        sizes = {(round(w / MILLIMETRE, 1), round(h / MILLIMETRE, 1)) for w, h in map(size, document)}
    assert sizes == {paper_of(system, page_format)}
    small = texts_under(pdf, page_format.small_print)
    assert [text for text in small if page_format.is_large or text[1].strip("*†‡§¶ ")] == []


def size(page: pypdfium2.PdfPage) -> tuple[float, float]:
    width, height = page.get_size()
    return width, height


def paper_of(system: str, page_format: PageFormat) -> tuple[float, float]:
    short, long = PAPER_SIZES[page_format.paper]
    width, height = (long, short) if page_format.orientation is Orientation.LANDSCAPE else (short, long)
    sides = [sum(panel.side is side for panel in screen(system).panels) for side in Side]
    return round(width * (max(sides) if page_format.imposition is Imposition.SHEET else 1), 1), height


if __name__ == "__main__":
    GOLDEN.write_text(golden(), encoding="utf-8")
