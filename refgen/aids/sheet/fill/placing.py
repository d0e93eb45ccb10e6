"""What a character has, put into the fields of a sheet.

In: what stands on the sheet of a character. Out: a Placing: each text as it is set in its field, the boxes that are
ticked and those that this character has; what goes on on another page; and which texts the font of fields cannot show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from refgen.aids.sheet.fill.geometry import FieldBox
from refgen.aids.sheet.fill.text import FillFont, Run, plain, set_text
from refgen.characters.filling import Filled
from refgen.characters.form import name_of_boxes
from refgen.characters.sheet.model import AGAIN, CharacterSheet, Field, FieldKind


class Written(NamedTuple):
    """A text in a field: as it was written and as it is set; ``run`` are its glyphs where it is one line, uncut."""

    box: FieldBox
    text: str
    size: float
    run: Run | None
    lines: Sequence[str] = ()


@dataclass(slots=True)
class Placing:
    """The sheet of a character. ``cut`` and ``beyond`` are what another page goes on with.

    ``rows`` are the boxes of tracks that this character has, where that is not known all of them. ``cut`` are texts too
    long for their field, ``beyond`` the keys of lines that the sheet has not. ``strange`` are the texts with letters
    that the font does not have, or that are no glyph of their own.
    """

    filled: Filled
    written: list[Written] = field(default_factory=list)
    ticked: list[FieldBox] = field(default_factory=list)
    rows: list[Sequence[FieldBox]] = field(default_factory=list)
    cut: list[Written] = field(default_factory=list)
    beyond: list[str] = field(default_factory=list)
    strange: list[Written] = field(default_factory=list)

    def text(self, name: str) -> str:
        """The text of a field."""
        return next((each.text for each in self.written if each.box.name == name), "")

    @property
    def goes_on(self) -> bool:
        """Whether there is more than the sheet has room for."""
        return bool(self.cut or self.beyond)


class Placer:
    """Places characters on a sheet whose fields are at these places."""

    def __init__(self, sheet: CharacterSheet, boxes: Iterable[FieldBox], font: FillFont) -> None:
        self.font = font
        self.places = {box.name: box for box in boxes}
        self.named = [box for box in self.places.values() if AGAIN in box.name]
        self.name_key = sheet.name_key
        self.rooms = {box.name: box.width - 2 * box.padding for box in self.places.values() if not box.is_area}
        self.ticks = frozenset(box.name for box in self.places.values() if box.is_box)
        self.tracks = {
            row: [self.places[box.name] for box in boxes if box.name in self.places]
            for row, boxes in boxes_of_tracks(sheet).items()
        }

    def place(self, filled: Filled) -> Placing:
        """Place what stands on the sheet of a character."""
        placing = Placing(filled)
        known, places, rooms, ticks = self.font.known, self.places, self.rooms, self.ticks
        for name, text in filled.texts.items():
            box = places.get(name)
            if box is None:
                placing.beyond.append(name)
            elif name in ticks:
                placing.ticked.append(box)
            elif (run := known.get(text)) is not None and run.width * box.size <= rooms.get(name, 0.0):
                placing.written.append(Written(box, text, box.size, run))
            else:
                self._place(placing, box, text)
        for box in self.named:
            self._name(placing, box)
        rows = (boxes[: filled.boxes.get(row)] for row, boxes in self.tracks.items())
        placing.rows += [boxes for boxes in rows if boxes]
        return placing

    def _name(self, placing: Placing, box: FieldBox) -> None:
        """Set the name at the head of a page; if it is cut there, it is whole elsewhere."""
        count = len(placing.cut)
        if text := placing.filled.texts.get(self.name_key):
            self._place(placing, box, text)
        del placing.cut[count:]

    def _place(self, placing: Placing, box: FieldBox, text: str) -> None:
        """Set a text that is none of those that are everywhere."""
        text = plain(text, box)
        if not text:
            return
        if box.is_area:
            run, shown = None, self.font.shows(text.replace("\n", ""))
        else:
            run = self.font.run(text)
            shown = run is not None
            if run is not None and run.width * box.size <= self.rooms[box.name]:
                placing.written.append(Written(box, text, box.size, run))
                return
        set_ = set_text(self.font, box, text)
        written = Written(box, text, set_.size, run and self.font.run(set_.lines[0]), set_.lines)
        placing.written.append(written)
        if not shown:
            placing.strange.append(written)
        if not set_.whole:
            placing.cut.append(written)


def boxes_of_tracks(sheet: CharacterSheet) -> Mapping[str, Sequence[Field]]:
    """The boxes of which each character has so many, by the key of their row."""
    rows = [row for part in sheet.parts() for row in part.rows if row.boxes is not None]
    return {name_of_boxes(row): [field for field in row.fields if field.kind is FieldKind.BOX] for row in rows}
