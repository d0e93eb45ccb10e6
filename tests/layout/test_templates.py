"""HTML escapes all content, the same content gives the same bytes, and no page loads anything from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from refgen.aids.cards.model import Card, CardDeck, make_deck
from refgen.aids.sheet.planner import SheetPlanner, sheet_html
from refgen.blocks.text_blocks import TextBlock
from refgen.characters.make_sheet import make_sheet
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.page_format import PageFormat
from refgen.layout.templates import assets
from refgen.site.html import MANIFEST, page_html
from refgen.site.page import GameSummary, make_home
from refgen.words import ENGLISH
from tests.aids.cards.decks import faces_of, html_of
from tests.conftest import SYSTEMS, game
from tests.layout.html_faults import in_css, in_html, outside
from tests.layout.laid_out import pdf_of

SYSTEM = SystemInfo("game", "Game <b>", "About", "#123456", "Source & more")


def deck(*texts: str) -> CardDeck:
    return CardDeck(tuple(Card(n, f"Card {n}", (TextBlock("", (text,)),)) for n, text in enumerate(texts, 1)))


def html(cards: CardDeck) -> str:
    return html_of(SYSTEM, faces_of(SYSTEM, cards))


def text_of(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return pages


def test_content_is_never_markup_nor_template() -> None:
    page = html(deck("<script>alert(1)</script> {{ 7 * 7 }} {% raw %}"))
    assert "<script>" not in page
    assert "{{ 7 * 7 }} {% raw %}" in page
    assert "Game &lt;b&gt;" in page


@pytest.mark.parametrize(
    ("text", "is_whole"),
    [
        ("Fragen an hafen@schmugglermannschaft.de", True),
        ("Siehe https://schmugglermannschaft.de.", True),
        ("Steht in schmugglermannschaft.md", True),
        ("Werft 2W6+Geschicklichkeit", True),
        ("Siehe regeln.md. Die Schmugglermannschaft legt um 10:30 ab.", False),
        ("Schmugglermannschaft/ Hafenmeisterei", False),
    ],
)
def test_no_word_breaks_in_a_text_with_an_address_a_file_or_a_roll_of_long_words(text: str, is_whole: bool) -> None:
    assert ('<p class="whole">' in html(deck(text))) == is_whole


@pytest.mark.slow
def test_the_same_page_gives_the_same_bytes() -> None:
    page = html(deck("one", "two"))
    assert pdf_of(page) == pdf_of(page)


STYLES = {name: data.decode() for name, data in assets().items() if name.endswith(".css")}


@pytest.mark.parametrize(("name", "text"), STYLES.items(), ids=STYLES)
def test_a_style_sheet_loads_nothing_but_our_assets(name: str, text: str) -> None:
    assert outside(name, text, assets()) == []


def test_every_font_is_loaded_by_some_style_sheet() -> None:
    loaded = {Path(address).name for text in STYLES.values() for address in in_css(text)}
    assert {name for name in loaded if not name.endswith(".css")} == {
        Path(name).name for name in assets() if name.startswith("assets/fonts/")
    }


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_sheets_and_cards_load_nothing_but_our_style_sheets_and_drawings(system: str) -> None:
    folder, info = bundled_folder("content") / system, SystemInfo.of(game(system))
    deck, sheet = make_deck(folder, game(system)), make_sheet(folder, game(system))
    pages = [
        html_of(info, faces_of(info, deck)),
        sheet_html(info, SheetPlanner(sheet, PageFormat(), ENGLISH).pages(), PageFormat()),
    ]
    for page in pages:
        assert outside(f"{system}/page.html", page, assets()) == []
        known = {f"{system}/../{name}" for name in assets() if name in STYLES or name.endswith(".svg")}
        assert {f"{system}/{address}" for address in in_html(page)} <= known


def test_words_of_a_system_are_never_loaded() -> None:
    words = 'url(https://example.invalid/) <img src="https://example.invalid/x.png">'
    summary = GameSummary("game", words, words, "#123456", 0, 0, 0, 0, 0)
    assert outside("index.html", page_html(make_home([(summary, [])])), {*assets(), MANIFEST}) == []


PLANTED = {
    "a.css": [
        ('@import "https://example.invalid/a.css";', "https://example.invalid/a.css"),
        ("@import url(//example.invalid/a.css) screen;", "//example.invalid/a.css"),
        ('@font-face { src: local("x"), url("https://example.invalid/a.otf") }', "https://example.invalid/a.otf"),
        ("@media screen { @media (width > 1px) { p { background: url(../secret.png) } } }", "../secret.png"),
        ('p { background: image-set("http://example.invalid/a.png" 1x) }', "http://example.invalid/a.png"),
    ],
    "a/b.html": [
        ('<link rel="stylesheet" href="https://example.invalid/a.css">', "https://example.invalid/a.css"),
        ('<script src="//example.invalid/a.js"></script>', "//example.invalid/a.js"),
        ('<img src="here.png" srcset="here.png 1x, http://example.invalid/a.png 2x">', "http://example.invalid/a.png"),
        ('<p style="background: url(https://example.invalid/a.png)">', "https://example.invalid/a.png"),
        ("<style>p { background: url(../../a.png) }</style>", "../../a.png"),
        ('<svg><use xlink:href="https://example.invalid/a.svg#x"></use></svg>', "https://example.invalid/a.svg#x"),
        ('<meta http-equiv="refresh" content="0; url=https://example.invalid/">', "https://example.invalid/"),
        ('<form action="https://example.invalid/"></form>', "https://example.invalid/"),
        ('<base href="https://example.invalid/">', "https://example.invalid/"),
    ],
}


@pytest.mark.parametrize(
    ("name", "text", "address"), [(name, text, address) for name, cases in PLANTED.items() for text, address in cases]
)
def test_what_would_be_loaded_from_elsewhere_is_found(name: str, text: str, address: str) -> None:
    assert outside(name, text, {name, "a/here.png"}) == [address]


def test_links_to_follow_and_files_of_our_own_are_no_fault() -> None:
    page = '<a href="https://example.invalid/">away</a> <img src="../c.png#x"> <svg><use href="#y"></use></svg>'
    assert outside("a/b.html", page, {"a/b.html", "c.png"}) == []
