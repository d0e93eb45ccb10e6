"""Cards: the ones that show computed figures say how those are rounded, and find room for it."""

from __future__ import annotations

from dataclasses import replace

from lxml import html

from refgen.aids.blocks import ShownCell, ShownColumn, TableBlock, TextBlock
from refgen.aids.card_deck import Card, CardDeck
from refgen.aids.system_info import SystemInfo
from refgen.render.assets import assets
from refgen.render.fit import TypeScale, fit
from refgen.render.html import Setting, deck_html
from refgen.render.page_format import PageFormat
from refgen.render.pdf import write
from refgen.render.readback.aid import Rendered, read_back

SYSTEM = SystemInfo("game", "Game", "About", "#123456", "Source")
ODDS = TableBlock(
    "", (ShownColumn("Odds", "", "end"),), ((ShownCell("62%", "end"),),), computed=True, note="", source=""
)
DECK = CardDeck(
    (
        Card(1, "A task", (TextBlock("", "Roll.", ""),)),
        Card(2, "Odds", (TextBlock("", "Roll.", ""), ODDS)),
        Card(3, "Printed odds", (replace(ODDS, computed=False),)),
    )
)


def made(system: SystemInfo) -> Rendered:
    fitted = fit(
        lambda sizes: deck_html(system, DECK, Setting(PageFormat(), sizes)),
        DECK.part_titles,
        "cards",
        TypeScale((9.5,), usual=9.5),
        {},
    )
    return Rendered("game/cards", fitted.html, write(fitted.document, "cards"), fitted.measured)


def test_only_a_card_with_computed_figures_says_how_they_are_rounded() -> None:
    footers = html.document_fromstring(made(SYSTEM).html).xpath("//article/footer")
    assert [" ".join(footer.text_content().split()) for footer in footers] == [
        "Game 1",
        "Game computed: rounded half-up 2",
        "Game 3",
    ]


def test_it_stands_on_the_page_and_on_paper() -> None:
    assert read_back(SYSTEM, DECK, made(SYSTEM), assets()) == []


def test_it_is_missed_where_it_is_left_out() -> None:
    without = made(replace(SYSTEM, brief_rounding=""))
    assert [str(mismatch) for mismatch in read_back(SYSTEM, DECK, without, assets())] == [
        'game/cards.html: "Odds", footer: "computed: rounded half-up" is not there',
        'game/cards.pdf: page 1, "Odds", footer: "computed: rounded half-up" is not there',
    ]


def test_beside_a_long_name_of_a_system_it_overlaps_nothing() -> None:
    system = replace(SYSTEM, title="The Game of the Seven Kingdoms and of the Two Seas")
    assert read_back(system, DECK, made(system), assets()) == []
