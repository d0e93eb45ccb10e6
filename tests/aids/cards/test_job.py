"""Decks: faces say what they should, calibration sheets measure, a face is laid out once, also from build to build."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import product

import pypdfium2
import pytest
from lxml import html

from refgen.aids.cards import job as fit
from refgen.aids.cards.deck_format import CARD_PAPER_SIZES, USUAL_SIZE, CardPaper, CardStyle, card_size
from refgen.aids.cards.faces import CardBack, Faces
from refgen.aids.cards.job import FittedDeck, calibration_html, expected_parts, fit_deck
from refgen.aids.cards.model import Card, CardDeck
from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ShownCell, ShownColumn
from refgen.blocks.text_blocks import TextBlock
from refgen.errors import RenderError
from refgen.game import SystemInfo
from refgen.layout.readback.compare import AidOutput, read_back
from refgen.look.look import Look
from refgen.words import ENGLISH, Words
from tests.aids.cards.decks import faces_of, html_of
from tests.layout.laid_out import note_layouts
from tests.layout.made_pages import faces_laid_out
from tests.layout.test_layout_cache import Pages

SYSTEM = SystemInfo("game", "Game", "About", "#123456", "Source")
ODDS = TableBlock("", (ShownColumn("Odds", "", "end"),), ((ShownCell("62%", "end"),),), tag="computed")
DECK = CardDeck(
    (
        Card(1, "A task", (TextBlock("", ("Roll.",)),)),
        Card(2, "Odds", (TextBlock("", ("Roll.",)), ODDS)),
        Card(3, "Printed odds", (replace(ODDS, tag=""),)),
    )
)
CARD = CardStyle(USUAL_SIZE)


def shown(system: SystemInfo) -> Faces:
    return faces_of(system, DECK, 9.5)


@cache
def made(system: SystemInfo) -> AidOutput:
    return faces_laid_out(html_of(system, shown(system)))


@pytest.mark.slow
def test_only_a_card_with_computed_figures_says_how_they_are_rounded() -> None:
    footers = html.document_fromstring(made(SYSTEM).html).xpath("//article/footer")
    assert [" ".join(footer.text_content().split()) for footer in footers] == [
        "1 · Game",
        "2 · Game · ◊ computed: rounded half-up",
        "3 · Game",
    ]


@pytest.mark.slow
def test_one_letter_that_no_font_has_stops_its_own_card_alone() -> None:
    text = (TextBlock("", ("Roll.",)),)
    cards = Card(1, "A task", text), Card(2, "🐉", text), Card(3, "Beast", (TextBlock("Kind", ("A 龍.",)),))
    fitted = fit_deck(SYSTEM, CardDeck(cards), CARD, "game/cards")
    assert [front.front.title for front in fitted.faces.fronts] == ["A task"]
    assert [fault.message for fault in fitted.faults] == [
        '"🐉" stays out: no font has 🐉 (U+1F409), in its title',
        '"Beast" stays out: no font has 龍 (U+9F8D), in "Kind", text 1',
    ]


@pytest.mark.slow
def test_it_stands_on_the_page_and_on_paper() -> None:
    assert read_back(expected_parts(shown(SYSTEM)), made(SYSTEM)) == []


@pytest.mark.slow
def test_it_is_missed_where_it_is_left_out() -> None:
    without = made(replace(SYSTEM, words=Words(own=(("rounding-on-card", ""),))))
    assert [str(mismatch) for mismatch in read_back(expected_parts(shown(SYSTEM)), without)] == [
        'game/x.html: "Odds", footer: "2 · Game · ◊ computed: rounded half-up" is not there, but "2·Game·◊"',
        'game/x.pdf: page 2, "Odds", footer: "2 · Game · ◊ computed: rounded half-up" is not there, but "2·Game·◊"',
    ]


@pytest.mark.slow
def test_beside_a_long_name_of_a_system_it_overlaps_nothing() -> None:
    system = replace(SYSTEM, title="The Game of the Seven Kingdoms and of the Two Seas")
    assert read_back(expected_parts(shown(system)), made(system)) == []


LICENCE = "CC BY-SA 4.0, the Kiln Collective of the Seven Kingdoms: example.org/licences/by-sa"
LICENSED = replace(SYSTEM, look=Look(licence=LICENCE))


@pytest.mark.slow
def test_the_licence_stands_on_every_back_and_changes_no_front() -> None:
    usual, licensed = (fit_deck(system, DECK, CARD, "game/x") for system in (SYSTEM, LICENSED))
    assert [replace(face, front=replace(face.front, system=SYSTEM)) for face in licensed.faces.fronts] == [
        *usual.faces.fronts
    ]
    assert read_back(expected_parts(licensed.faces), licensed) == []
    told = [str(mismatch).replace(" ", "") for mismatch in read_back(expected_parts(usual.faces), licensed)]
    assert [LICENCE.replace(" ", "") in fault for fault in told] == [True, True]


def test_a_licence_makes_icon_and_title_of_a_back_smaller_where_the_card_is_small() -> None:
    def back(size: str, words: str = "") -> CardBack:
        return CardBack(words, "die", "waves", replace(LICENSED, title="A Long Game"), CardStyle(card_size(size)))

    poker, flat, full = back("poker"), back("60x38"), back("38x38", "Words. " * 9)
    assert (poker.emblem, poker.title_size, poker.excess) == (21.42, 21.0, 0)
    assert (flat.emblem < 10, flat.title_size < 20, flat.excess < 0.01) == (True, True, True)
    assert (full.emblem, full.title_size, full.excess > 1) == (0, 9.0, True)


def test_a_back_that_is_too_full_for_its_card_is_reported() -> None:
    with pytest.raises(RenderError, match=r'game/x: the back of "A task" is too full by [0-9.]+ mm') as raised:
        fit_deck(LICENSED, replace(DECK, cards=(replace(DECK.cards[0], back="Words. " * 99),)), CARD, "game/x")
    assert raised.value.hint


def test_a_deck_with_cards_that_have_no_back_ends_with_one_that_shows_the_licence() -> None:
    faces = replace(shown(LICENSED), copies=((0, 3), (1, 3), (2, 3)))
    assert faces.with_licence(has_backs=True).copies == faces.copies
    assert faces.with_licence(has_backs=False).copies == (*faces.copies, (3, 3))
    text_on_back = replace(faces, copies=((0, 1), (2, 3)))
    assert text_on_back.with_licence(has_backs=True).copies == ((0, 1), (2, 3), (3, 3))
    assert shown(SYSTEM).with_licence(has_backs=False).copies == shown(SYSTEM).copies


Rect = tuple[float, float, float, float]


def lines(paper: CardPaper) -> list[list[Rect]]:
    """Left, top, right and bottom of the lines on each side, in millimetres."""
    sides = html.document_fromstring(calibration_html(paper, ENGLISH)).xpath("//section[@class='side']")
    return [[rect(line.get("style")) for line in side.xpath("div[@class='line']")] for side in sides]


def rect(style: str) -> Rect:
    at = {name: float(length) for name, length in re.findall(r"(\w+): ([\d.]+)mm", style)}
    return at["left"], at["top"], at["left"] + at["width"], at["top"] + at["height"]


@pytest.mark.parametrize("paper", CardPaper)
def test_zero_of_the_ruler_and_the_cross_are_in_the_middle(paper: CardPaper) -> None:
    middle, centre = (length / 2 for length in CARD_PAPER_SIZES[paper])
    ruler, (upright, level) = lines(paper)
    across = [(left + right) / 2 - middle for left, top, right, bottom in ruler if bottom - top > right - left]
    down = [(top + bottom) / 2 - centre for left, top, right, bottom in ruler if bottom - top < right - left]
    wanted = [half / 2 for half in range(-10, 11)]
    assert across == pytest.approx(wanted)
    assert down == pytest.approx(wanted)
    assert ((upright[0] + upright[2]) / 2, (level[1] + level[3]) / 2) == pytest.approx((middle, centre))


def test_no_line_crosses_another_and_the_cross_reaches_both_rulers_however_far_it_is_off() -> None:
    ruler, (upright, level) = lines(CardPaper.A4)
    across = [line for line in ruler if line[3] - line[1] > line[2] - line[0]]
    down = [line for line in ruler if line not in across]
    assert not [
        1 for one, other in product(across, down) if one[2] > other[0] and one[0] < other[2] and one[3] > other[1]
    ]
    assert upright[1] + 5 < min(top for _, top, _, _ in across)
    assert level[0] + 5 < min(left for left, _, _, _ in down)


STYLE = CardStyle(USUAL_SIZE)
CARDS = tuple(Card(number, f"Card {number}", (TextBlock("", ("Words.",)),)) for number in range(1, 4))


@pytest.fixture
def layouts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many faces each layout has that WeasyPrint is asked for."""
    return note_layouts(monkeypatch, lambda html, _: html.count("<article"))


def fitted(cards: tuple[Card, ...], kept: Pages | None = None) -> FittedDeck:
    return fit_deck(SYSTEM, CardDeck(cards), STYLE, "game/cards", kept)


def titles(pdf: bytes) -> list[str]:
    with pypdfium2.PdfDocument(pdf) as document:
        return [page.get_textpage().get_text_range().splitlines()[0] for page in document]


@pytest.mark.slow
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


@pytest.mark.slow
def test_large_decks_are_written_in_batches(layouts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "LARGE", 3)
    monkeypatch.setattr(fit, "BATCH", 3)
    kept = Pages()
    assert titles(fitted(CARDS, kept).pdf) == ["Card 1", "Card 2", "Card 3", "Game"]
    assert (layouts, len(kept)) == ([4], 2)
    changed = (replace(CARDS[0], title="Another"), *CARDS[1:])
    assert titles(fitted(changed, kept).pdf) == ["Another", "Card 2", "Card 3", "Game"]
    assert layouts == [4, 3]
