"""Screens that fit, and what is said of panels that do not; the other panels are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from unittest.mock import patch

import pytest
from pypdfium2 import PdfDocument

from refgen.aids.distribute import PageArea, arrange
from refgen.aids.panels.gallery import gallery_blocks
from refgen.aids.panels.job import FittedPanels, PanelsJob, fit_panels
from refgen.aids.panels.model import USUAL_FORMAT, Importance, Panel, PanelBlock, Panels, Side, type_scale
from refgen.aids.panels.planner import BlockLengths
from refgen.aids.screen.kind import ScreenKind
from refgen.blocks.block import Block
from refgen.blocks.measure import MeasuredBlock
from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ShownCell, ShownColumn
from refgen.blocks.text_blocks import FactsBlock, StepsBlock, TextBlock
from refgen.blocks.typesetting import Footnote
from refgen.errors import RenderError
from refgen.game import SystemInfo
from refgen.layout.page_format import USUAL_PAPERS, Imposition, Orientation, PageFormat, Paper, Theme
from refgen.layout.sizing import page_area
from refgen.look.look import USUAL, in_look
from refgen.source import SourceFile
from refgen.span import Span
from tests.conftest import game
from tests.layout.laid_out import note_layouts
from tests.layout.type_sizes import texts_under

SYSTEM = SystemInfo("game", "Game", "About", "#123456", "Source")
FILE = SourceFile("game/screen.toml", "\n".join(f"block {number}" for number in range(1, 40)))


def place(line: int) -> Span:
    start = FILE.text.index(f"block {line}")
    return FILE.span(start, start + 7)


def panel(title: str, *blocks: Block | PanelBlock) -> Panel:
    shown = (one if isinstance(one, PanelBlock) else PanelBlock(one, place=place(n)) for n, one in enumerate(blocks, 1))
    return Panel(title, tuple(shown), source="Source.", place=place(30))


def text(title: str, words: int = 40) -> TextBlock:
    return TextBlock(title, ("word " * words,))


def table(title: str, *rows: Sequence[str]) -> TableBlock:
    columns = tuple(ShownColumn(f"Head {number}", "", "start") for number in range(len(rows[0])))
    shown = tuple(tuple(ShownCell(cell, "start") for cell in row) for row in rows)
    return TableBlock(title, columns, shown)


def fitted(*panels: Panel, page_format: PageFormat = USUAL_FORMAT) -> FittedPanels:
    screen = Panels("Game", panels)
    return fit_panels(
        SYSTEM,
        "gm-screen",
        screen,
        page_format,
        "screen",
    )


GOOD = panel("Good", text("One"), text("Two"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "bad", "line", "message", "hint"),
    [
        (
            "a table far too wide",
            [text("One"), table("Wide", ["x" * 30] * 14)],
            2,
            f'"Bad": "Wide" is too wide by 242.5 mm: "{" | ".join(["x" * 30] * 2)[:60]}…" (7.5 pt)',
            "Break the long word",
        ),
        (
            "a word without break",
            [table("Word", ["a", "Donaudampf" * 30])],
            1,
            f'"Bad": "Word" is too wide by 166.2 mm: "Head | {"Donaudampf" * 5}Don…" (7.5 pt)',
            "Break the long word",
        ),
        (
            "cells of 300 words",
            [text("One"), table("Long", *[["a", "word " * 300]] * 20)],
            2,
            '"Bad": "Long" is too high by',
            "Shorten it",
        ),
        (
            "too much",
            [text("A", 900), PanelBlock(text("B", 900), Importance.RARE, place=place(2)), *[text("C", 500)] * 2],
            2,
            '"Bad" is too full by',
            'It fits without "B": drop that',
        ),
    ],
)
def test_a_panel_that_does_not_fit_is_named_with_its_place(
    title: str, bad: list[Block | PanelBlock], line: int, message: str, hint: str
) -> None:
    made = fitted(panel("Bad", *bad), GOOD)
    (fault,) = made.faults
    assert fault.message.startswith(message), title
    assert hint in fault.hint
    assert str(fault.span).startswith(f"game/screen.toml:{line}:")
    assert [page.title for page in made.pages] == ["Good"]
    assert len(made.measured) == 1


def test_when_no_panel_fits_that_is_an_error() -> None:
    with pytest.raises(RenderError, match="龍"):
        fitted(panel("Bad", TextBlock("", ("龍",))))


@pytest.mark.slow
def test_a_block_with_a_letter_that_no_font_has_stays_out_of_its_panel_alone() -> None:
    made = fitted(panel("Bad 🐉", text("One"), TextBlock("Beasts", ("A dragon: 龍.",)), text("🐉 Two")), GOOD)
    assert [fault.message for fault in made.faults] == [
        '"Beasts" stays out: no font has 龍 (U+9F8D), in "Beasts", text 1',
        '"🐉 Two" is printed without 🐉 (U+1F409), which no font has',
        '"Bad 🐉" is printed without 🐉 (U+1F409), which no font has',
    ]
    assert str(made.faults[0].span).startswith("game/screen.toml:2:")
    assert all("look.toml" in fault.hint for fault in made.faults)
    assert [page.title for page in made.pages] == ["Bad", "Good"]
    blocks = [block.panel_block.block.title for column in made.pages[0].columns for block in column.blocks]
    assert blocks == ["One", "Two"]


@pytest.mark.slow
def test_what_fits_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    layouts = count_layouts(monkeypatch)
    made = fitted(GOOD, panel("More", *[text(f"Block {n}", 150) for n in range(8)]))
    assert layouts == [2]
    assert not any(part.overflows for parts in made.measured for part in parts.values())


@pytest.mark.slow
def test_an_estimate_that_is_too_low_is_mended_by_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every height taken for a tenth less: the panel that sticks out is laid out again, the other is not."""
    full = panel("Full", *[text(f"Block {n}", 185) for n in range(8)])
    right = fitted(GOOD, full)
    height = MeasuredBlock.height
    monkeypatch.setattr(MeasuredBlock, "height", lambda block, width, size: 0.9 * height(block, width, size))
    layouts = count_layouts(monkeypatch)
    made = fitted(GOOD, full)
    assert layouts[0] == 2
    assert set(layouts[1:]) == {1}
    assert not any(part.overflows for parts in made.measured for part in parts.values())
    assert made.pages[1].size <= right.pages[1].size


def count_layouts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The pages of each layout that WeasyPrint is asked for."""
    return note_layouts(monkeypatch, lambda _, pages: len(pages))


@pytest.mark.slow
def test_a_sheet_has_all_panels_of_a_side_beside_each_other() -> None:
    players = Panel("Players", (PanelBlock(text("Three")),), side=Side.PLAYERS)
    sheet = replace(USUAL_FORMAT, imposition=Imposition.SHEET)
    made = fitted(GOOD, panel("Better", text("Best")), players, page_format=sheet)
    with PdfDocument(made.pdf) as pdf:
        millimetres = [tuple(round(length * 25.4 / 72) for length in page.get_size()) for page in pdf]
    assert millimetres == [(594, 210), (594, 210)]
    assert [list(parts) for parts in made.measured] == [[0, 1], [2]]
    frames = [part.frame for parts in made.measured for part in parts.values()]
    assert [round(frame[0] * 25.4 / 96) for frame in frames if frame] == [0, 297, 0]
    assert made.html.count('class="fold"') == 1


@pytest.mark.slow
def test_a_panel_flows_where_its_format_lets_it() -> None:
    steps = [StepsBlock(f"Steps {n}", ("Do this, then that, and then the other thing.",) * 12) for n in range(12)]
    pages = fitted(panel("Long", *steps), page_format=PageFormat(Paper.A5, Orientation.LANDSCAPE)).pages
    assert [(page.title, page.place) for page in pages] == [
        ("Long", "panel 1 of 4"),
        ("Long (continued)", "panel 2 of 4"),
        ("Long (continued)", "panel 3 of 4"),
        ("Long (continued)", "panel 4 of 4"),
    ]
    assert [block.panel_block for page in pages for column in page.columns for block in column.blocks] == list(
        pages[0].panel.blocks
    )


def test_the_arrangement_is_what_distribute_finds() -> None:
    """Nothing is decided twice: the pages hold what ``arrange`` gives for the measured blocks."""
    made = fitted(GOOD)
    (page,) = made.pages
    lengths = [BlockLengths(shown.block.measure(), shown.with_next) for shown in GOOD.blocks]
    width, height = page_area(USUAL_FORMAT)
    found = arrange(lengths, PageArea(width, height), type_scale(USUAL_FORMAT, Side.GM), 7.5)
    assert found is not None
    assert page.size == found.size
    assert [len(column.blocks) for column in page.columns] == [column.end - column.first for column in found.pages[0]]


@pytest.mark.slow
def test_the_widths_of_columns_are_given_and_not_looked_for() -> None:
    facts = FactsBlock("Facts", (("Levels", "7"), ("Points to begin with", "40")))
    blocks = (table("Table", ("Sword", "+3"), ("Bow", "+2")), facts)
    with patch("weasyprint.layout.table.auto_table_layout") as looked_for:
        found = fitted(panel("Panel", *blocks))
    assert not looked_for.called
    given = [len(block.column_widths) for page in found.pages for column in page.columns for block in column.blocks]
    assert given == [2, 2]


@pytest.mark.slow
@pytest.mark.parametrize("paper", USUAL_PAPERS)
def test_no_text_of_large_print_is_under_12_points(paper: Paper) -> None:
    """Not the names along the edge, nor the source, nor the signs of footnotes, in a block of each kind."""
    page_format = replace(USUAL_FORMAT, paper=paper, theme=Theme.LARGE_PRINT)
    marked = TableBlock(
        "Marked",
        (ShownColumn("Head", "", "end"),),
        ((ShownCell("12", "end", sign="*"),),),
        footnotes=(Footnote("*", "A note."),),
    )
    blocks = (*gallery_blocks(game("fudge-1995")), marked.on_page("p. 12"))
    edge = tuple((f"{value:+}", f"Extraordinary {value}") for value in range(8))
    large = Panel("Large", tuple(map(PanelBlock, blocks)), edge, "A long source of figures. " * 12, flows=True)
    players = replace(large, side=Side.PLAYERS, blocks=large.blocks[:1])
    with in_look(replace(USUAL, theme="large-print")):
        made = PanelsJob(ScreenKind.names, SYSTEM, Panels("Game", (large, players)), [page_format]).make()
    assert (made.errors, made.mismatches) == ([], [])
    assert texts_under(made.files[f"game/gm-screen-{paper}-large-print.pdf"], 12) == []
