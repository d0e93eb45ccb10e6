"""A deck for Tabletop Simulator: its pictures, and the saved object that shows them.

In: a deck that was made, and the address that its pictures will have. Out: files by their names.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic_core import to_json

from refgen.aids.cards.fit import FittedDeck
from refgen.aids.cards.pictures import face_pictures, grid_picture
from refgen.aids.cards.saved_object import A_PICTURE, Pictures, grid, saved_object


def tabletop_files(name: str, fitted: FittedDeck, url: str) -> Mapping[str, bytes]:
    """The files of the deck ``name``."""
    faces, pdf = fitted.faces, fitted.pdf
    numbers = range(len(faces.fronts))
    sheets = [numbers[start : start + A_PICTURE] for start in range(0, len(numbers), A_PICTURE)]
    last = len(faces.fronts)
    files = {
        f"fronts-{number}.png": grid_picture(pdf, faces.style, sheet, last, grid(len(sheet)))
        for number, sheet in enumerate(sheets, start=1)
    }
    fronts = [f"{url}{file}" for file in files]
    wanted = {
        back: f"back-{place}.png" for place, back in enumerate(dict.fromkeys(b for _, b in faces.copies), start=1)
    }
    files |= {wanted[face]: data for face, data in enumerate(face_pictures(pdf, faces.style)) if face in wanted}
    pictures = Pictures(fronts, {back: f"{url}{file}" for back, file in wanted.items()})
    data = saved_object(name, [face.front.title for face in faces.fronts], faces.copies, pictures)
    return {"deck.json": to_json(data, indent=1) + b"\n", **files}
