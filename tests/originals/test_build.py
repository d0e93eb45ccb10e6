"""Everything that is built from our documents is built from the originals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from refgen.aids.gm_screen import screen_of_game
from refgen.aids.sheet.make import make_sheet
from refgen.bundle import bundled
from refgen.render.page_format import PageFormat, Paper
from refgen.render.screen import planner as of_screens
from refgen.render.screen.panel_area import USUAL_FORMAT
from refgen.render.sheet import planner as of_sheets
from tests.conftest import SYSTEMS, Builds
from tests.originals.conftest import original, original_game


@pytest.mark.slow
def test_the_same_build_runs_on_the_five_originals(built: Path, build_all: Builds, tmp_path: Path) -> None:
    """On one paper. Pages that come out as those of our own documents are taken from that build, which made them.

    How parts come to stand on another paper follows from their estimated heights, below.
    """
    output = tmp_path / "originals"
    result = build_all(output, [f"{system}={original(system)}" for system in SYSTEMS], papers=["a4"])
    assert result.errors == []
    assert result.mismatches == []
    assert names(output) == {path for path in names(built) if not path.stem.endswith("letter")}


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_on_letter_everything_fits_as_well(system: str) -> None:
    """In type as large as that of our own documents. (That estimates hold: render/screen/test_estimate.py.)"""
    folder = bundled("content") / system
    screen = of_screens.Planner(
        screen_of_game(folder, original_game(system)), replace(USUAL_FORMAT, paper=Paper.LETTER)
    )
    screen.arrange(range(len(screen.screen.panels)))
    assert screen.faults == []
    assert all(found.fullest <= 1 and found.size >= 8.5 for found in screen.arranged.values())
    sheet = make_sheet(folder, original_game(system))
    pages = of_sheets.Planner(sheet, PageFormat(Paper.LETTER)).pages().pages
    assert [page.sheet_page for page in pages] == list(range(len(sheet.pages)))
    assert min(page.size for page in pages) >= 8.4


def names(folder: Path) -> set[Path]:
    """The files of a build; those of the search are named after the words in them."""
    found = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    return {path for path in found if not path.suffix.startswith(".pf_")}
