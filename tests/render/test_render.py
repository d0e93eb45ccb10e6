"""HTML and PDF: nothing of the content is taken for markup, nothing is fetched, what does not fit is reported."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pypdfium2
import pytest

from refgen.aids.blocks import TextBlock
from refgen.aids.card_deck import Card, CardDeck, make_deck
from refgen.aids.system_info import SystemInfo
from refgen.bundle import bundled
from refgen.errors import RenderError
from refgen.render.fetcher import ORIGIN, AssetFetcher
from refgen.render.fit import TypeScale, fit
from refgen.render.html import Setting, deck_html
from refgen.render.page_format import PageFormat
from refgen.render.pdf import layout, write
from tests.conftest import game

SCALE = TypeScale((11, 9.5, 9, 8.5, 8, 7.5, 7), usual=9.5)
SYSTEM = SystemInfo("game", "Game <b>", "About", "#123456", "Source & more")


def deck(*texts: str) -> CardDeck:
    return CardDeck(tuple(Card(n, f"Card {n}", (TextBlock("", text, ""),)) for n, text in enumerate(texts, 1)))


def html(cards: CardDeck, sizes: Mapping[int, float]) -> str:
    return deck_html(SYSTEM, cards, Setting(PageFormat(), sizes))


def text_of(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return pages


def test_content_is_never_markup_nor_template() -> None:
    page = html(deck("<script>alert(1)</script> {{ 7 * 7 }} {% raw %}"), {0: 9.5})
    assert "<script>" not in page
    assert "{{ 7 * 7 }} {% raw %}" in page
    assert "Game &lt;b&gt;" in page


@pytest.mark.parametrize(
    "url", ["https://example.invalid/x.css", "file:///etc/passwd", f"{ORIGIN}../secret", "data:,x"]
)
def test_nothing_but_assets_is_fetched(url: str) -> None:
    with pytest.raises(ValueError, match="refgen loads nothing but its own assets"):
        AssetFetcher().fetch(url)


def test_a_page_that_wants_more_is_an_error() -> None:
    with pytest.raises(RenderError, match="Failed to load image"):
        layout('<html lang="en"><img src="file:///etc/hostname" alt="">', "bad")


def test_a_machine_without_fonts_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "fonts.conf").write_text(f"<fontconfig><cachedir>{tmp_path}</cachedir></fontconfig>")
    code = "from refgen.render.pdf import load_fonts\nload_fonts()"
    environment = {**os.environ, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1].endswith("RenderError: no fonts are installed on this machine")


def test_what_is_sparse_is_set_larger_and_what_does_not_fit_smaller() -> None:
    cards = deck("short", "word " * 150)
    fitted = fit(lambda sizes: html(cards, sizes), cards.part_titles, "cards", SCALE, {})
    assert fitted.sizes[0] == SCALE.sizes[0]
    assert SCALE.sizes[-1] <= fitted.sizes[1] < SCALE.usual


def test_what_never_fits_is_reported_by_name_and_excess() -> None:
    cards = deck("short", "word " * 900)
    with pytest.raises(
        RenderError, match=r'cards: "Card 2" is too full by [\d.]+ mm even in the smallest type'
    ) as caught:
        fit(lambda sizes: html(cards, sizes), cards.part_titles, "cards", SCALE, {})
    assert caught.value.hint


def test_a_word_without_a_break_is_too_wide() -> None:
    cards = deck("x" * 120)
    with pytest.raises(RenderError, match="too full"):
        fit(lambda sizes: html(cards, sizes), cards.part_titles, "cards", SCALE, {})


def test_the_same_page_gives_the_same_bytes() -> None:
    page = html(deck("one", "two"), {0: 9.5, 1: 9.5})
    assert write(layout(page, "cards"), "cards") == write(layout(page, "cards"), "cards")


@pytest.mark.slow
def test_every_cell_of_a_card_is_in_the_pdf() -> None:
    cards = make_deck(bundled("content") / "harmonies", game("harmonies"))
    fitted = fit(lambda sizes: html(cards, sizes), cards.part_titles, "cards", SCALE, {})
    words = " ".join(" ".join(text_of(write(fitted.document, "cards"))).split())
    for card in cards.cards:
        assert card.title in words
