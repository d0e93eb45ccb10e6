"""The header of a panel: how long a title may be beside that of the game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from refgen.aids.panels.planner import OTHER, TITLE, TITLE_ON_A5, fits_header
from refgen.files import bundled
from refgen.layout.page_format import Orientation, PageFormat, Paper
from refgen.words import ENGLISH

LONG, GAME = "Rules of the road and of the river at night", "A game with a title of some length"


@pytest.mark.parametrize(
    ("paper", "orientation", "edge", "fits"),
    [
        (Paper.A4, Orientation.LANDSCAPE, False, True),
        (Paper.A4, Orientation.LANDSCAPE, True, True),
        (Paper.A4, Orientation.PORTRAIT, False, False),
        (Paper.A5, Orientation.PORTRAIT, False, True),
        (Paper.A5, Orientation.PORTRAIT, True, False),
    ],
)
def test_a_long_title_has_room_on_wide_paper(paper: Paper, orientation: Orientation, edge: bool, fits: bool) -> None:
    assert fits_header(LONG, GAME, PageFormat(paper, orientation), ENGLISH, edge=edge) is fits


def test_on_a5_the_title_of_the_game_has_a_line_of_its_own() -> None:
    assert fits_header("Combat", GAME * 9, PageFormat(Paper.A5), ENGLISH, edge=False)
    assert not fits_header("Combat", GAME * 9, PageFormat(Paper.A4), ENGLISH, edge=False)


def test_the_sizes_are_those_of_the_style_sheet() -> None:
    style = (Path(bundled("templates")) / "panels" / "screen.css").read_text(encoding="utf-8")
    assert re.search(rf"^\.panel h1 {{ font-size: {TITLE:g}pt; }}", style, re.MULTILINE)
    assert re.search(rf"\.panel > header {{[^}}]*font-size: {OTHER:g}pt; }}", style)
    assert re.search(rf"\.paper-a5 \.panel > header h1 {{[^}}]*font-size: {TITLE_ON_A5:g}pt;", style)
