"""What a character has, put into the fields of a sheet.

In: what stands on the sheet of a character. Out: a Placing: each text as it is set in its field, the boxes that are
ticked and those that this character has; what goes on on another page; and which texts the font of fields cannot show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.aids.sheet.fill.fields import FieldBox, Written, one_line, plain, set_text
from refgen.aids.sheet.fill.font import shows
from refgen.characters.filling import Filled
from refgen.characters.form import name_of_boxes
from refgen.characters.sheet.model import AGAIN, CharacterSheet, Field, FieldKind


@dataclass(slots=True)
class Placing:
    """The sheet of a character. ``cut`` and ``unplaced`` are what another page goes on with.

    ``rows`` are the boxes of tracks that this character has, where that is not known all of them. ``cut`` are texts too
    long for their field, ``unplaced`` the keys of lines that the sheet has not. ``unsupported`` are the texts with
    letters that the font does not have, or that are no glyph of their own.
    """

    filled: Filled
    written: list[Written] = field(default_factory=list)
    ticked: list[FieldBox] = field(default_factory=list)
    rows: list[Sequence[FieldBox]] = field(default_factory=list)
    cut: list[Written] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)
    unsupported: list[Written] = field(default_factory=list)

    def text(self, name: str) -> str:
        """The text of a field."""
        return next((each.text for each in self.written if each.box.name == name), "")

    @property
    def overflows(self) -> bool:
        """Whether there is more than the sheet has room for."""
        return bool(self.cut or self.unplaced)


class Placer:
    """Places characters on a sheet whose fields are at these places."""

    def __init__(self, sheet: CharacterSheet, boxes: Iterable[FieldBox]) -> None:
        self.boxes = {box.name: box for box in boxes}
        self.name_key = sheet.name_key
        self.tracks = {
            row: [self.boxes[field.name] for field in fields if field.name in self.boxes]
            for row, fields in boxes_of_tracks(sheet).items()
        }

    def place(self, filled: Filled) -> Placing:
        """Place what stands on the sheet of a character."""
        placing = Placing(filled)
        for name, text in filled.texts.items():
            box = self.boxes.get(name)
            if box is None:
                placing.unplaced.append(name)
            elif box.is_box:
                placing.ticked.append(box)
            else:
                _place(placing, box, text)
        count = len(placing.cut)
        for name, box in self.boxes.items():
            if AGAIN in name and self.name_key in filled.texts:
                _place(placing, box, filled.texts[self.name_key])
        del placing.cut[count:]  # a name that is cut at the head of a page is whole elsewhere
        rows = (boxes[: filled.boxes.get(row)] for row, boxes in self.tracks.items())
        placing.rows += [boxes for boxes in rows if boxes]
        return placing


def _place(placing: Placing, box: FieldBox, text: str) -> None:
    """Set a text in a field."""
    text, glyphs = (plain(text, box), None) if box.is_area else one_line(text)
    if not text:
        return
    if glyphs and glyphs.width * box.size <= box.room:
        placing.written.append(Written(box, text, box.size, (text,)))
        return
    written = set_text(box, text)
    placing.written.append(written)
    if not shows(text.replace("\n", "")):
        placing.unsupported.append(written)
    if not written.whole:
        placing.cut.append(written)


def boxes_of_tracks(sheet: CharacterSheet) -> Mapping[str, Sequence[Field]]:
    """The boxes of which each character has so many, by the key of their row."""
    rows = [row for part in sheet.parts() for row in part.rows if row.boxes is not None]
    return {name_of_boxes(row): [field for field in row.fields if field.kind is FieldKind.BOX] for row in rows}
