"""HTML and PDF: nothing of the content is taken for markup, and the same content gives the same bytes."""

from __future__ import annotations

import pypdfium2

from refgen.aids.cards.model import Card, CardDeck
from refgen.blocks.text_blocks import TextBlock
from refgen.game.game import SystemInfo
from tests.aids.cards.decks import faces_of, html_of
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


def test_the_same_page_gives_the_same_bytes() -> None:
    page = html(deck("one", "two"))
    assert pdf_of(page) == pdf_of(page)
