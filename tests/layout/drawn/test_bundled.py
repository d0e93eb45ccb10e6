"""What a build of the five games draws, against their exact figures, in HTML and in PDFs.

Screens and decks are planned once more, without being laid out: the plan is that of the build if the HTML is the same.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from refgen.aids.cards.deck_format import DeckFormat
from refgen.aids.cards.job import deck_html, estimate_deck
from refgen.aids.cards.model import make_deck
from refgen.aids.panels.job import estimate_panels, panels_html
from refgen.aids.panels.model import USUAL_FORMAT
from refgen.aids.screen.kind import screen_of_game
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.page_format import USUAL_PAPERS, Paper
from refgen.layout.readback.html_pages import read_html
from refgen.site.comparison import comparison_data, make_comparison
from refgen.words import ENGLISH
from tests.conftest import BOOKLETS, RICHEST, RICHEST_AND_SOAK, SYSTEMS, game, others_in_soak
from tests.layout.drawn.check import DrawnAid, drawn_mismatches, drawn_parts
from tests.layout.drawn.grounds import STEPS, grounds, html_grounds, palette
from tests.layout.drawn.pdf_drawing import drawn_pages

pytestmark = pytest.mark.slow


def mismatches(system: str, aid: DrawnAid, html: str, built: Path, name: str) -> list[str]:
    """What a file of the build draws otherwise; the file shows the aid as it is planned here."""
    page, pdf = (built / system / f"{name}{suffix}" for suffix in (".html", ".pdf"))
    assert page.read_text(encoding="utf-8") == html
    return list(map(str, drawn_mismatches(SystemInfo.of(game(system)), aid, name, html, pdf.read_bytes())))


@pytest.mark.parametrize("paper", [Paper.A4, pytest.param(Paper.LETTER, marks=pytest.mark.soak)])
@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_charts_bars_tints_and_ladders_of_screens(system: str, paper: Paper, built: Path) -> None:
    page_format = replace(USUAL_FORMAT, paper=paper)
    screen = screen_of_game(bundled_folder("content") / system, game(system))
    pages, across, _ = estimate_panels(screen, page_format, ENGLISH)
    html = panels_html(SystemInfo.of(game(system)), "gm-screen", pages, page_format, across)
    assert mismatches(system, pages, html, built, f"gm-screen-{paper}") == []
    held = drawn_parts(pages)
    assert all(part.levels for part in held)
    assert any(part.charts for part in held)
    assert any(ground.heat is not None for part in held for ground in part.grounds)


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_charts_bars_and_tints_of_cards(system: str, built: Path) -> None:
    info, chosen = SystemInfo.of(game(system)), DeckFormat()
    deck = chosen.printable(make_deck(bundled_folder("content") / system, game(system)))
    faces, faults = estimate_deck(info, deck, chosen.style, "cards")
    assert not faults
    html = deck_html(info, chosen.style, faces.fronts, faces.backs)
    assert mismatches(system, faces, html, built, "cards") == []


def test_bars_of_the_page_that_compares_dice(built: Path) -> None:
    page = make_comparison([comparison_data(game(system)) for system in SYSTEMS])
    articles = read_html((built / "compare.html").read_bytes()).find_class("roll")
    for shown, article in zip(page.rolls, articles, strict=True):
        assert list(html_grounds(list(grounds(shown.block, shown.roll["title"])), article)) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_drawn_behind_the_tables_of_other_pages(system: str, built: Path) -> None:
    drawing = {built / system / f"{name}.html" for name in ("cards", *(f"gm-screen-{paper}" for paper in USUAL_PAPERS))}
    for file in {*(built / system).rglob("*.html")} - drawing:
        behind = read_html(file.read_bytes()).xpath("//*[@class = 'bar' or contains(@class, 'heat-')]")
        assert behind == [], file


@pytest.mark.parametrize(
    ("system", "name"),
    others_in_soak(
        [*product(RICHEST, ["sheet-a4"]), *product(BOOKLETS, ["booklet-a5"])],
        product(SYSTEMS, ["sheet-a4", "booklet-a5"]),
    ),
)
def test_nothing_is_drawn_behind_the_tables_of_sheets_and_booklets(system: str, name: str, built: Path) -> None:
    colours = palette(ink_saving=False)
    drawn = {colours["bar"], *(colours[f"heat-{step}"] for step in range(1, STEPS + 1))}
    for page in drawn_pages((built / system / f"{name}.pdf").read_bytes()):
        assert page.drawings == []
        assert drawn.isdisjoint(fill.colour for fill in page.fills)
