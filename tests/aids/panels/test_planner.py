"""The header of a panel: how long a title may be beside that of the game."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from refgen.aids.panels.model import USUAL_FORMAT, Panel, PanelBlock, PanelFrame, Panels, Side
from refgen.aids.panels.planner import OTHER, TITLE, TITLE_ON_A5, PanelPlanner, fits_header
from refgen.blocks.text_blocks import TextBlock
from refgen.files import bundled_folder
from refgen.layout.lengths import EDGE, EDGE_SIZE
from refgen.layout.page_format import Orientation, PageFormat, Paper, Theme
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
    assert fits_header(LONG, GAME, PageFormat(paper, orientation), ENGLISH, edge=EDGE if edge else 0.0) is fits


def test_on_a5_the_title_of_the_game_has_a_line_of_its_own() -> None:
    assert fits_header("Combat", GAME * 9, PageFormat(Paper.A5), ENGLISH, edge=0.0)
    assert not fits_header("Combat", GAME * 9, PageFormat(Paper.A4), ENGLISH, edge=0.0)


def test_the_sizes_are_those_of_the_style_sheet() -> None:
    style = (Path(bundled_folder("templates")) / "panels" / "screen.css").read_text(encoding="utf-8")
    assert re.search(rf"^\.panel h1 {{ font-size: {TITLE:g}pt; }}", style, re.MULTILINE)
    assert re.search(rf"\.panel > header {{[^}}]*font-size: {OTHER:g}pt; }}", style)
    assert re.search(rf"\.paper-a5 \.panel > header h1 {{[^}}]*font-size: {TITLE_ON_A5:g}pt;", style)


def edge(count: int, name: str, page_format: PageFormat = USUAL_FORMAT, side: Side = Side.GM) -> tuple[float, float]:
    """The type size of the names along an edge in points, and its width in millimetres."""
    found = PanelFrame(Panel("", (), ((f"+{count}", name),) * count, side=side), page_format)
    return found.edge_size, found.edge_width


def test_the_edge_of_a_panel_is_as_wide_as_its_longest_name() -> None:
    assert edge(0, "") == (EDGE_SIZE, 0)
    assert edge(8, "Fair") == (EDGE_SIZE, EDGE)
    assert edge(8, "Extraordinary") == (EDGE_SIZE, 24)


def test_names_along_the_edge_are_as_large_as_their_steps_have_room_for() -> None:
    large, a5 = replace(USUAL_FORMAT, theme=Theme.LARGE_PRINT), PageFormat(Paper.A5, Orientation.LANDSCAPE)
    assert [edge(8, "Fair", large, side)[0] for side in (Side.GM, Side.PLAYERS)] == [12, 14]
    assert [edge(count, "+0", a5)[0] for count in (8, 20, 41)] == [9.5, 9.5, 8.5]


def test_a_scale_with_more_steps_than_can_be_read_is_refused() -> None:
    panel = Panel("Odds", (PanelBlock(TextBlock("", ("Words.",))),), (("1", "One"),) * 80)
    (fault,) = PanelPlanner(Panels("", (panel,)), USUAL_FORMAT, ENGLISH).faults
    assert str(fault) == '"Odds": the edge has no room for 80 steps in the smallest type (7.5 pt)'
    assert fault.hint
