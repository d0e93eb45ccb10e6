"""Charts on the page: print colours are tokens, text can be read in colour and in grey, marks differ in shape."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pikepdf
import pytest
from lxml import html

from refgen.aids.panels.job import FittedPanels, expected_parts, fit_panels, tab_labels
from refgen.aids.panels.model import USUAL_FORMAT, Panel, PanelBlock, Panels
from refgen.blocks.chart_block import ChartBlock
from refgen.blocks.chart_plan import MARKS
from refgen.blocks.kinds import BlockSpec, make_block
from refgen.errors import RenderError
from refgen.game import SystemInfo
from refgen.layout.readback.compare import read_back
from refgen.layout.templates import environment
from refgen.words import ENGLISH
from tests.conftest import game
from tests.layout.themes import contrast, grey, theme

COLOURS = {name.upper(): theme("print")[name] for name in ("ink", "muted", "rule", "bar", "paper")}


def battle(style: str = "lines") -> ChartBlock:
    block = make_block(game("interactive-history"), BlockSpec.model_validate({"table": "battle-odds", "chart": style}))
    assert isinstance(block, ChartBlock)
    return block


def svg(block: ChartBlock, *, ink_saving: bool = False) -> str:
    page = '{% from "blocks/chart.html" import content %}{{ content(block, {"ink_saving": ink_saving}) }}'
    return environment().from_string(page).render(block=block, ink_saving=ink_saving)


SYSTEM = SystemInfo("game", "Game", "About", "#123456", "Source")


def screen(*blocks: ChartBlock) -> Panels:
    return Panels("War", (Panel("War", tuple(map(PanelBlock, blocks))),))


def fitted(aid: Panels) -> FittedPanels:
    return fit_panels(SYSTEM, "gm-screen", aid, USUAL_FORMAT, "game/screen")


@pytest.mark.parametrize("style", ["lines", "bars"])
def test_the_print_colours_of_a_chart_are_the_tokens(style: str) -> None:
    assert set(re.findall(r"#[0-9a-f]{6}", svg(battle(style)))) <= set(COLOURS.values())


@pytest.mark.parametrize("name", ["INK", "MUTED"])
def test_text_and_marks_have_contrast_in_colour_and_in_grey(name: str) -> None:
    assert contrast(COLOURS[name], COLOURS["PAPER"]) >= 4.5
    assert contrast(grey(COLOURS[name]), grey(COLOURS["PAPER"])) >= 4.5


@pytest.mark.parametrize("style", ["lines", "bars"])
def test_text_is_only_ever_set_in_the_colours_with_contrast(style: str) -> None:
    fills = re.findall(r'<text[^>]* fill="([^"]+)"', svg(battle(style)))
    assert fills
    assert set(fills) <= {COLOURS["INK"], COLOURS["MUTED"]}
    assert len(fills) == svg(battle(style)).count("<text")


@pytest.mark.slow
def test_every_mark_differs_from_the_others_without_colour() -> None:
    line = battle().series[0]
    drawn = {mark: svg(replace(battle(), series=(replace(line, mark=mark),))) for mark in MARKS["lines"]}
    bar = battle("bars").series[0]
    drawn |= {mark: svg(replace(battle("bars"), series=(replace(bar, mark=mark),))) for mark in MARKS["bars"]}
    without = {mark: re.sub(r"#\w{6}", "", text) for mark, text in drawn.items() if mark not in ("solid", "full")}
    assert len(set(without.values())) == len(without)
    dashes = {re.search(r'stroke-dasharray="([^"]+)"', drawn[mark])[1] for mark in MARKS["lines"]}  # type: ignore[index]
    assert len(dashes) == len(MARKS["lines"])
    assert contrast(grey(COLOURS["BAR"]), grey(COLOURS["INK"])) >= 3


def test_to_save_ink_bars_are_ruled_and_one_series_is_open() -> None:
    """WeasyPrint draws them without the style sheets, so that no style sheet could."""
    bars = battle("bars")
    rules = {}
    for mark in MARKS["bars"]:
        text = svg(replace(bars, series=(replace(bars.series[0], mark=mark),)), ink_saving=True)
        paths = list(html.fragment_fromstring(text.strip()).iter("path"))
        assert {path.get("fill") for path in paths} == {None, COLOURS["PAPER"]}
        rules[mark] = {re.sub(r"[^HV]", "", path.get("d"))[:1] for path in paths if path.get("class") == "rules"}
    assert rules == {"solid": {"V"}, "open": set(), "ruled": {"H"}, "full": {"H", "V"}}
    alone = replace(bars, series=(replace(bars.series[0], name=""),))
    assert 'class="rules"' not in svg(alone, ink_saving=True)


def test_a_line_and_its_name_wear_the_same_mark() -> None:
    lines = battle()
    for series in lines.series:
        alone = svg(replace(lines, series=(series,), up=(), along=(), axis=""))
        bare = svg(replace(lines, series=(replace(series, name=""),), up=(), along=(), axis=""))
        tags = re.compile(r'<(circle|path) class="(?:full|hollow)"')
        assert len(tags.findall(alone)) == len(tags.findall(bare)) + 1
        assert set(tags.findall(alone)) == set(tags.findall(bare))


@pytest.mark.parametrize("style", ["lines", "bars"])
def test_a_chart_is_an_image_with_its_words(style: str) -> None:
    block = battle(style)
    (element,) = html.fragments_fromstring(svg(block).strip())
    assert element.get("role") == "img"
    assert element.findtext("title") == block.alternative
    # Widths in print are in ems of the page, so the ems of the drawing stand inside it.
    assert element.get("style") == "--drawn: 36.0"
    assert element.get("font-size") is None
    assert element.find("g").get("font-size") == "86"


def test_words_in_a_chart_are_never_markup() -> None:
    block = replace(battle(), axis="<b>&", alternative="</title><script>")
    assert "<b>" not in svg(block)
    assert "<script>" not in svg(block)


@pytest.mark.slow
def test_every_text_of_a_chart_is_read_back_from_page_and_pdf() -> None:
    """Bars and lines, in order; another model is named in both."""
    made = fitted(screen(battle(), battle("bars")))
    assert read_back(expected_parts(SYSTEM, made.pages), made, tab_labels(made.pages, ENGLISH)) == []
    other = fitted(screen(replace(battle(), axis="Size"), battle("bars"))).pages
    found = {
        (mismatch.file, mismatch.what)
        for mismatch in read_back(expected_parts(SYSTEM, other), made, tab_labels(other, ENGLISH))
    }
    assert {file for file, what in found if what.startswith('"Size" is not there')} == {
        "game/screen.html",
        "game/screen.pdf",
    }


def test_a_chart_that_does_not_fit_is_reported_and_never_moved_to_another_page() -> None:
    high = replace(battle(), height=3000)
    with pytest.raises(RenderError, match=r'"War" is too full by [\d.]+ mm even in the smallest type'):
        fitted(screen(high, high, high, high))


def test_a_chart_that_is_too_wide_for_its_panel_is_reported() -> None:
    with pytest.raises(RenderError, match=r'"War": "Odds of a battle round" is too wide by [\d.]+ mm'):
        fitted(screen(replace(battle(), width=12000)))


@pytest.mark.slow
def test_a_chart_is_vector_in_the_pdf() -> None:
    made = fitted(screen(battle()))
    with pikepdf.open(io.BytesIO(made.pdf)) as pdf:
        assert not [
            item for item in pdf.objects if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image"
        ]
