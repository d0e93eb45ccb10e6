"""Cards: the ones that show computed figures say how those are rounded, and find room for it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from lxml import html

from refgen.aids.cards.faces import Faces
from refgen.aids.cards.job import expected
from refgen.aids.cards.model import Card, CardDeck
from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ShownCell, ShownColumn
from refgen.blocks.text_blocks import TextBlock
from refgen.game.system_info import SystemInfo
from refgen.layout.readback.compare import AidOutput, read_back
from tests.aids.cards.decks import faces_of, html_of
from tests.render.made_pages import faces_laid_out

SYSTEM = SystemInfo("game", "Game", "About", "#123456", "Source")
ODDS = TableBlock("", (ShownColumn("Odds", "", "end"),), ((ShownCell("62%", "end"),),), computed=True)
DECK = CardDeck(
    (
        Card(1, "A task", (TextBlock("", ("Roll.",)),)),
        Card(2, "Odds", (TextBlock("", ("Roll.",)), ODDS)),
        Card(3, "Printed odds", (replace(ODDS, computed=False),)),
    )
)


def shown(system: SystemInfo) -> Faces:
    return faces_of(system, DECK, 9.5)


@cache
def made(system: SystemInfo) -> AidOutput:
    return faces_laid_out(html_of(system, shown(system)))


def test_only_a_card_with_computed_figures_says_how_they_are_rounded() -> None:
    footers = html.document_fromstring(made(SYSTEM).html).xpath("//article/footer")
    assert [" ".join(footer.text_content().split()) for footer in footers] == [
        "1 · Game",
        "2 · Game · computed: rounded half-up",
        "3 · Game",
    ]


def test_it_stands_on_the_page_and_on_paper() -> None:
    assert read_back(expected(shown(SYSTEM)), made(SYSTEM)) == []


def test_it_is_missed_where_it_is_left_out() -> None:
    without = made(replace(SYSTEM, brief_rounding=""))
    assert [str(mismatch) for mismatch in read_back(expected(shown(SYSTEM)), without)] == [
        'game/x.html: "Odds", footer: "2 · Game · computed: rounded half-up" is not there, but "2·Game"',
        'game/x.pdf: page 2, "Odds", footer: "2 · Game · computed: rounded half-up" is not there, but "2·Game"',
    ]


def test_beside_a_long_name_of_a_system_it_overlaps_nothing() -> None:
    system = replace(SYSTEM, title="The Game of the Seven Kingdoms and of the Two Seas")
    assert read_back(expected(shown(system)), made(system)) == []
