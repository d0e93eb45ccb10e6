"""Faces as pictures: in the size of the card, and each where the saved object of Tabletop Simulator looks for it."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image, ImageChops

from refgen.aids.cards.deck_format import CardStyle, card_size
from refgen.aids.cards.job import FittedDeck, fit_deck
from refgen.aids.cards.model import Card, CardDeck
from refgen.aids.cards.tabletop import DOTS, face_pictures, tabletop_files
from refgen.blocks.text_blocks import TextBlock
from refgen.game import SystemInfo
from refgen.look.look import Look

LICENCE = "CC BY 4.0, the Kiln"
SYSTEM = SystemInfo("game", "Game", "About", "#123456", "Source", look=Look(licence=LICENCE))
STYLE = CardStyle(card_size("mini"))


@pytest.fixture(scope="module")
def fitted() -> FittedDeck:
    names = ("One", "Two", "Three", "Four")
    cards = tuple(Card(number, name, (TextBlock("", (f"{name}.",)),)) for number, name in enumerate(names, start=1))
    return fit_deck(SYSTEM, CardDeck(cards), STYLE, "game/cards")


def picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def difference(first: Image.Image, second: Image.Image) -> float:
    """How much two pictures differ, from 0 to 255 a dot, as seen from afar."""
    small = [one.resize((44, 68)) for one in (first, second)]
    data = ImageChops.difference(*small).convert("L").tobytes()
    return sum(data) / len(data)


@pytest.mark.slow
def test_a_picture_has_the_size_of_its_card_without_bleed(fitted: FittedDeck) -> None:
    for data in face_pictures(fitted.pdf, fitted.faces):
        wide, high = picture(data).size
        assert (wide * 25.4 / DOTS, high * 25.4 / DOTS) == pytest.approx((44, 68), abs=0.2)


@pytest.mark.slow
def test_the_licence_stands_in_every_picture_and_object(fitted: FittedDeck) -> None:
    files = tabletop_files("Game", fitted.faces, fitted.pdf, "")
    pictures = [*face_pictures(fitted.pdf, fitted.faces), *(files[name] for name in files if name.endswith(".png"))]
    assert {Image.open(io.BytesIO(data)).info["Copyright"] for data in pictures} == {LICENCE}
    (deck,) = json.loads(files["deck.json"])["ObjectStates"]
    assert {part["Description"] for part in (deck, *deck["ContainedObjects"])} == {LICENCE}


@pytest.mark.slow
def test_every_card_is_where_the_saved_object_says(fitted: FittedDeck) -> None:
    files = tabletop_files("Game", fitted.faces, fitted.pdf, "https://example.org/")
    faces = list(map(picture, face_pictures(fitted.pdf, fitted.faces)))
    (deck,) = json.loads(files["deck.json"])["ObjectStates"]
    for number, card in enumerate(deck["ContainedObjects"]):
        sheet, place = divmod(card["CardID"], 100)
        shown = deck["CustomDeck"][str(sheet)]
        front, back = (picture(files[shown[side].rpartition("/")[2]]) for side in ("FaceURL", "BackURL"))
        wide, high = front.width // shown["NumWidth"], front.height // shown["NumHeight"]
        left, top = place % shown["NumWidth"] * wide, place // shown["NumWidth"] * high
        found = [difference(front.crop((left, top, left + wide, top + high)), face) for face in faces]
        assert found.index(min(found)) == number
        assert min(found) < 2
        assert difference(back, faces[-1]) == 0
