"""What a character has, put into the fields of a sheet.

In: what stands on the sheet of a character. Out: a Placing: each text as it is set in its field, the boxes that are
ticked and those that this character has; what goes on on another page; and which texts the font of fields cannot show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.aids.sheet.fill.fields import FieldBox, Written, set_text
from refgen.characters.filling import Filled
from refgen.characters.form import name_of_boxes
from refgen.characters.sheet.model import AGAIN, CharacterSheet, Field, FieldKind


@dataclass(slots=True)
class Placing:
    """The sheet of a character: its texts as they are ``written``, and the boxes that are ``ticked``.

    ``rows`` are the boxes of tracks that this character has, where that is not known all of them. ``unplaced`` are the
    keys of lines that the sheet has not.
    """

    filled: Filled
    written: list[Written] = field(default_factory=list)
    ticked: list[FieldBox] = field(default_factory=list)
    rows: list[Sequence[FieldBox]] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)

    def text(self, name: str) -> str:
        """The text of a field."""
        return next((each.text for each in self.written if each.box.name == name), "")

    @property
    def cut(self) -> Sequence[Written]:
        """Texts too long for their field. A name that is cut at the head of a page is whole elsewhere."""
        return [each for each in self.written if not each.whole and AGAIN not in each.box.name]

    @property
    def unsupported(self) -> Sequence[Written]:
        """Texts that take a layout in full."""
        return [each for each in self.written if not each.supported]

    @property
    def overflows(self) -> bool:
        """Whether there is more than the sheet has room for."""
        return bool(self.cut or self.unplaced)


class Placer:
    """Places characters on a sheet whose fields are at these places."""

    def __init__(self, sheet: CharacterSheet, boxes: Iterable[FieldBox]) -> None:
        self.boxes = {box.name: box for box in boxes}
        self.name_key = sheet.name_key
        self.again = [name for name in self.boxes if AGAIN in name]
        self.tracks = {
            row: [self.boxes[field.name] for field in fields if field.name in self.boxes]
            for row, fields in boxes_of_tracks(sheet).items()
        }

    def place(self, filled: Filled) -> Placing:
        """Place what stands on the sheet of a character."""
        placing = Placing(filled)
        for name, text in (filled.texts | dict.fromkeys(self.again, filled.texts.get(self.name_key, ""))).items():
            box = self.boxes.get(name)
            if box is None:
                placing.unplaced.append(name)
            elif box.is_box:
                placing.ticked.append(box)
            elif (written := set_text(box, text)).text:
                placing.written.append(written)
        rows = (boxes[: filled.boxes.get(row)] for row, boxes in self.tracks.items())
        placing.rows += [boxes for boxes in rows if boxes]
        return placing


def boxes_of_tracks(sheet: CharacterSheet) -> Mapping[str, Sequence[Field]]:
    """The boxes of which each character has so many, by the key of their row."""
    rows = [row for part in sheet.parts() for row in part.rows if row.boxes is not None]
    return {name_of_boxes(row): [field for field in row.fields if field.kind is FieldKind.BOX] for row in rows}
