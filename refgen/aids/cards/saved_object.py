"""A deck for Tabletop Simulator: the saved object that says which card is where on pictures with many cards each.

In: the faces of a deck, and where their pictures lie. Out: the data of a saved object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

_MOST_ACROSS, _MOST_DOWN = 10, 7
"""Cards on a picture: as many as Tabletop Simulator takes. The last place is what others see of a card in a hand."""

A_PICTURE = _MOST_ACROSS * _MOST_DOWN - 1


def grid(count: int) -> tuple[int, int]:
    """How many places a picture with so many cards has across and down: as few as hold them, and the last place."""
    down = min(max(ceil(sqrt(count + 1)), 2), _MOST_DOWN)
    return max(ceil((count + 1) / down), 2), down


@dataclass(frozen=True, slots=True)
class Pictures:
    """Where the pictures of a deck lie: those of the ``fronts``, A_PICTURE on each, and of single ``backs`` by face."""

    fronts: Sequence[str]
    backs: Mapping[int, str]


def saved_object(
    name: str, titles: Sequence[str], copies: Sequence[tuple[int, int]], pictures: Pictures
) -> dict[str, Any]:
    """A deck: the ``titles`` of its fronts, and the numbers of front and back of every card, one a ``copy``."""
    sheets = dict.fromkeys((front // A_PICTURE, back) for front, back in copies)
    numbers = {sheet: number for number, sheet in enumerate(sheets, start=1)}
    decks = {str(number): _sheet(*sheet, titles, pictures) for sheet, number in numbers.items()}
    cards = [
        _card(titles[front], numbers[front // A_PICTURE, back], front % A_PICTURE, decks) for front, back in copies
    ]
    if len(cards) == 1:
        return {"SaveName": name, "ObjectStates": [{**cards[0], "Name": "CardCustom"}]}
    deck = {
        "Name": "DeckCustom",
        "Transform": _face_down(),
        "Nickname": name,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": decks,
        "ContainedObjects": cards,
    }
    return {"SaveName": name, "ObjectStates": [deck]}


def _sheet(picture: int, back: int, titles: Sequence[str], pictures: Pictures) -> dict[str, Any]:
    across, down = grid(min(len(titles) - picture * A_PICTURE, A_PICTURE))
    return {
        "FaceURL": pictures.fronts[picture],
        "BackURL": pictures.backs[back],
        "NumWidth": across,
        "NumHeight": down,
        "BackIsHidden": True,
        "UniqueBack": False,
        "Type": 0,
    }


def _card(title: str, sheet: int, place: int, decks: Mapping[str, Any]) -> dict[str, Any]:
    """A card: its number is that of its sheet, and its place on that."""
    return {
        "Name": "Card",
        "Transform": _face_down(),
        "Nickname": title,
        "CardID": 100 * sheet + place,
        "CustomDeck": {str(sheet): decks[str(sheet)]},
    }


def _face_down() -> dict[str, float]:
    places = {f"pos{axis}": 0.0 for axis in "XYZ"}
    return {**places, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0, **{f"scale{axis}": 1.0 for axis in "XYZ"}}
