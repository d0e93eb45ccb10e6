"""The sizes of cards: those of the trade, one's own, and what is refused."""

from __future__ import annotations

import pytest

from refgen.aids.cards.deck_format import SAFE, SIZES, card_size
from refgen.errors import RenderError

KNIFE = "3.175 mm on each side are not safe from the knife"


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [
        ("poker", 63, 88),
        ("Poker US", 63.5, 88.9),
        ("bridge", 57, 89),
        ("mini", 44, 68),
        ("tarot", 70, 120),
        ("business", 85, 55),
        ("index", 76.2, 127),
        ("a6", 105, 148),
        ("A7", 74, 105),
        ("60x90", 60, 90),
        ("60.5 x 90 mm", 60.5, 90),
    ],
)
def test_a_size_has_a_name_or_is_given_in_millimetres(name: str, width: float, height: float) -> None:
    size = card_size(name)
    assert (size.width, size.height) == (width, height)


def test_a_card_may_lie_on_its_side() -> None:
    size = card_size("poker", landscape=True)
    assert (size.name, size.width, size.height) == ("poker-landscape", 88, 63)
    assert card_size("business", landscape=True) == SIZES["business"]


def test_the_safe_area_is_an_eighth_of_an_inch() -> None:
    assert SAFE == 25.4 / 8


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("pokr", 'there is no card size "pokr"', "Did you mean poker?"),
        ("huge", 'there is no card size "huge"', "60x90"),
        ("20x90", f"a card of 20 x 90 mm is too small for words: {KNIFE}", "from 38 to 210 mm"),
        ("100x400", "a card of 100 x 400 mm is too large for a sheet of paper", "from 38 to 210 mm"),
    ],
)
def test_what_is_no_size_is_refused_with_those_there_are(name: str, message: str, hint: str) -> None:
    with pytest.raises(RenderError) as caught:
        card_size(name)
    assert caught.value.message == message
    assert hint in caught.value.hint
