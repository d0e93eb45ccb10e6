"""Faces of cards as pictures, for web shops and virtual tabletops, and a deck for Tabletop Simulator.

In: a PDF with each face on a page with its bleed, and the address under which the pictures will be found. Out: a PNG of
each face within its trim edge, or PNGs of many faces; and the saved object that says which card is where on the
pictures. A licence of the deck stands in the data of every picture and object too.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from math import ceil, sqrt
from typing import Any

import pypdfium2
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pydantic_core import to_json

from refgen.aids.cards.deck_format import CardStyle
from refgen.aids.cards.faces import Faces
from refgen.layout.lengths import MILLIMETRE

DOTS = 300
"""The resolution of pictures, in dots per inch."""

LARGEST = 4096
"""The longest side of a picture of many faces, in dots: a common limit of graphics cards."""

_MOST_ACROSS, _MOST_DOWN = 10, 7
"""The most cards across and down a picture for Tabletop Simulator. The last place shows a hidden card, as other players
see it.
"""

FRONTS_PER_PICTURE = _MOST_ACROSS * _MOST_DOWN - 1
"""The most fronts on a picture."""


def tabletop_files(name: str, faces: Faces, pdf: bytes, url: str) -> Mapping[str, bytes]:
    """The files of the deck ``name``: pictures of the faces on the pages of ``pdf``, and deck.json, by file name."""
    numbers = range(len(faces.fronts))
    sheets = [numbers[start : start + FRONTS_PER_PICTURE] for start in range(0, len(numbers), FRONTS_PER_PICTURE)]
    last = len(faces.fronts)
    files = {
        f"fronts-{number}.png": grid_picture(pdf, faces, sheet, last, picture_grid(len(sheet)))
        for number, sheet in enumerate(sheets, start=1)
    }
    fronts = [f"{url}{file}" for file in files]
    wanted = {
        back: f"back-{place}.png" for place, back in enumerate(dict.fromkeys(b for _, b in faces.copies), start=1)
    }
    files |= {wanted[face]: data for face, data in enumerate(face_pictures(pdf, faces)) if face in wanted}
    backs = {back: f"{url}{file}" for back, file in wanted.items()}
    titles = [face.front.title for face in faces.fronts]
    data = saved_object(name, titles, faces.copies, fronts, backs, faces.licence)
    return {"deck.json": to_json(data, indent=1) + b"\n", **files}


def saved_object(
    name: str,
    titles: Sequence[str],
    copies: Sequence[tuple[int, int]],
    fronts: Sequence[str],
    backs: Mapping[int, str],
    licence: str = "",
) -> dict[str, Any]:
    """The saved object of a deck: ``titles`` of its fronts, and in ``copies`` the front and back of each card.

    ``fronts`` are the addresses of pictures of FRONTS_PER_PICTURE fronts each, ``backs`` those of backs by face.
    """
    described = {"Description": licence} if licence else {}
    sheets = dict.fromkeys((front // FRONTS_PER_PICTURE, back) for front, back in copies)
    numbers = {sheet: number for number, sheet in enumerate(sheets, start=1)}
    decks = {
        str(number): _sheet(fronts[picture], backs[back], len(titles) - picture * FRONTS_PER_PICTURE)
        for (picture, back), number in numbers.items()
    }
    cards = [
        _card(titles[front], numbers[front // FRONTS_PER_PICTURE, back], front % FRONTS_PER_PICTURE, decks) | described
        for front, back in copies
    ]
    if len(cards) == 1:
        return {"SaveName": name, "ObjectStates": [{**cards[0], "Name": "CardCustom"}]}
    deck = {
        "Name": "DeckCustom",
        "Transform": _face_down(),
        "Nickname": name,
        **described,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": decks,
        "ContainedObjects": cards,
    }
    return {"SaveName": name, "ObjectStates": [deck]}


def _sheet(front: str, back: str, count: int) -> dict[str, Any]:
    """The object of a picture with ``count`` cards, or as many as a picture has room for."""
    across, down = picture_grid(min(count, FRONTS_PER_PICTURE))
    return {
        "FaceURL": front,
        "BackURL": back,
        "NumWidth": across,
        "NumHeight": down,
        "BackIsHidden": True,
        "UniqueBack": False,
        "Type": 0,
    }


def _card(title: str, sheet: int, place: int, decks: Mapping[str, Any]) -> dict[str, Any]:
    """The object of a card: the id is made of the number of the sheet and the place on the sheet."""
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


def picture_grid(count: int) -> tuple[int, int]:
    """The columns and rows of a picture of ``count`` cards: as few as hold the cards and the last place."""
    down = min(max(ceil(sqrt(count + 1)), 2), _MOST_DOWN)
    return max(ceil((count + 1) / down), 2), down


def face_pictures(pdf: bytes, faces: Faces) -> Iterator[bytes]:
    """Every page as a PNG, in order, at 300 dots per inch. The same PDF gives the same bytes."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            yield _png(_face(page, faces.style, DOTS), DOTS, faces.licence)


def grid_picture(pdf: bytes, faces: Faces, numbers: Sequence[int], last: int, grid: tuple[int, int]) -> bytes:
    """A PNG of the faces ``numbers`` row by row, in a ``grid`` (columns, rows), with the face ``last`` at the end."""
    style, (across, down) = faces.style, grid
    inches = across * style.size.width / 25.4, down * style.size.height / 25.4
    dots = min(DOTS, *(int((LARGEST - 1) / length) for length in inches))
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        wide, high = _face(document[last], style, dots).size
        whole = Image.new("RGB", (wide * across, high * down), "white")
        for place, number in [*enumerate(numbers), (across * down - 1, last)]:
            whole.paste(_face(document[number], style, dots), (place % across * wide, place // across * high))
        return _png(whole, dots, faces.licence)


def _face(page: Any, style: CardStyle, dots: int) -> Image.Image:
    bleed = style.bleed * MILLIMETRE
    picture: Image.Image = page.render(scale=dots / 72, crop=(bleed,) * 4).to_pil().convert("RGB")
    return picture


def _png(picture: Image.Image, dots: int, licence: str) -> bytes:
    data, info = io.BytesIO(), PngInfo()
    if licence:
        info.add_itxt("Copyright", licence)
    picture.save(data, "PNG", dpi=(dots, dots), pnginfo=info)
    return data.getvalue()
