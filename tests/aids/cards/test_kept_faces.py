"""Faces are laid out and written once, also from build to build; large decks in batches."""

from __future__ import annotations

from dataclasses import replace

import pypdfium2
import pytest

from refgen.aids.cards import job as fit
from refgen.aids.cards.deck_format import USUAL_SIZE, CardStyle
from refgen.aids.cards.job import FittedDeck, deck_html, fit_deck
from refgen.aids.cards.model import Card, CardDeck
from refgen.blocks.text_blocks import TextBlock
from refgen.game.system_info import SystemInfo
from tests.layout.laid_out import note_layouts
from tests.render.test_layout_cache import Pages

SYSTEM = SystemInfo("game", "Game", "About", "#123456", "Source")
STYLE = CardStyle(USUAL_SIZE)
CARDS = tuple(Card(number, f"Card {number}", (TextBlock("", ("Words.",)),)) for number in range(1, 4))


@pytest.fixture
def layouts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many faces each layout has that WeasyPrint is asked for."""
    return note_layouts(monkeypatch, lambda html, _: html.count("<article"))


def fitted(cards: tuple[Card, ...], kept: Pages | None = None) -> FittedDeck:
    return fit_deck(lambda *faces: deck_html(SYSTEM, STYLE, *faces), SYSTEM, CardDeck(cards), STYLE, "game/cards", kept)


def titles(pdf: bytes) -> list[str]:
    with pypdfium2.PdfDocument(pdf) as document:
        return [page.get_textpage().get_text_range().splitlines()[0] for page in document]


def test_what_was_made_before_is_neither_laid_out_nor_written_again(layouts: list[int]) -> None:
    kept = Pages()
    first = fitted(CARDS, kept)
    assert layouts == [4]
    assert fitted(CARDS, kept).pdf == first.pdf
    assert layouts == [4]
    changed = (CARDS[0], replace(CARDS[1], title="Another"), CARDS[2])
    again = fitted(changed, kept)
    assert layouts == [4, 1]
    assert titles(again.pdf) == ["Card 1", "Another", "Card 3", "Game"]
    assert again.pdf == fitted(changed).pdf


def test_a_card_is_laid_out_once_however_often_it_is_there(layouts: list[int]) -> None:
    made = fitted((replace(CARDS[0], count=200),))
    assert layouts == [2]
    assert made.faces.copies == ((0, 1),) * 200


def test_large_decks_are_written_in_batches(layouts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "LARGE", 3)
    monkeypatch.setattr(fit, "BATCH", 3)
    kept = Pages()
    assert titles(fitted(CARDS, kept).pdf) == ["Card 1", "Card 2", "Card 3", "Game"]
    assert (layouts, len(kept)) == ([4], 2)
    changed = (replace(CARDS[0], title="Another"), *CARDS[1:])
    assert titles(fitted(changed, kept).pdf) == ["Another", "Card 2", "Card 3", "Game"]
    assert layouts == [4, 3]
