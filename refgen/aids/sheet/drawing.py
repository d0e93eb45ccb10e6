"""A character placed in the fields of a sheet, and drawn over its pages for print.

In: the places of fields, and the values of a character. Out: a Placing: each text set in its field, the ticked boxes,
the boxes that this character has, and the texts that the font cannot show; and for print an Overlay for each page: the
content stream to draw over the page, and the words that a screen reader reads (the name as a heading, then each part
with its values).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from refgen.aids.sheet.fields import FieldBox, FieldText, baseline, glyphs, set_text
from refgen.aids.sheet.growing_pdf import ARTIFACT, HEADING, MARKED, PARAGRAPH, compressed_stream, spoken_element
from refgen.characters.filling import FilledValues
from refgen.characters.sheet import AGAIN, CharacterSheet, Field, FieldKind, SheetPart, SheetRow
from refgen.layout.lengths import BOX_BORDER, FIELD_BORDER, TICK, TICK_WIDTH
from refgen.look.colours import pdf_colour
from refgen.look.look import Look, look_in_use
from refgen.words import Words


def ink() -> bytes:
    """The colour of text in the look in use, as the operands of the PDF operator rg."""
    return _ink(look_in_use())


@cache
def _ink(look: Look) -> bytes:
    """The colour of text in a look, asked for with each value of a character."""
    return pdf_colour(look.colour("ink"))


@dataclass(slots=True)
class Placing:
    """The sheet of a character: the texts that are ``written`` in fields, and the boxes that are ``ticked``.

    ``rows`` are the boxes of tracks that this character has, or all boxes if their number is unknown. ``unplaced`` are
    the keys of values for which the sheet has no field.
    """

    filled: FilledValues
    written: list[FieldText] = field(default_factory=list)
    ticked: list[FieldBox] = field(default_factory=list)
    rows: list[Sequence[FieldBox]] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)

    def text(self, name: str) -> str:
        """The text of a field."""
        return next((each.text for each in self.written if each.box.name == name), "")

    @property
    def unplaced_values(self) -> Mapping[str, str]:
        """The values for which the sheet has no room, by their keys."""
        values = self.filled.character.values
        return {key: str(values[key]) for key in self.unplaced if key in values}

    @property
    def cut(self) -> Sequence[FieldText]:
        """Texts too long for their field. A name cut at the head of a page is whole elsewhere and does not count."""
        return [each for each in self.written if not each.whole and AGAIN not in each.box.name]

    @property
    def unsupported(self) -> Sequence[FieldText]:
        """Texts that need a full layout, because the font of fields cannot show them."""
        return [each for each in self.written if not each.supported]

    @property
    def overflows(self) -> bool:
        """Whether some values do not fit the sheet."""
        return bool(self.cut or self.unplaced)


class Placer:
    """Places characters on a sheet with the fields ``boxes``."""

    def __init__(self, sheet: CharacterSheet, boxes: Iterable[FieldBox]) -> None:
        self.boxes = {box.name: box for box in boxes}
        self.name_key = sheet.name_key
        self.repeated = [name for name in self.boxes if AGAIN in name]
        self.tracks = {
            row: [self.boxes[field.name] for field in fields if field.name in self.boxes]
            for row, fields in boxes_of_tracks(sheet).items()
        }

    def place(self, filled: FilledValues) -> Placing:
        """Place the values of a character."""
        placing = Placing(filled)
        for name, text in (filled.texts | dict.fromkeys(self.repeated, filled.texts.get(self.name_key, ""))).items():
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
    """The boxes of tracks, by the key of their row; a character has the first of these boxes."""
    rows = [row for part in sheet.parts() for row in part.rows if row.boxes is not None]
    return {row.key: row.box_fields for row in rows}


class ReadingPlace(NamedTuple):
    """The place of a field in reading order: a number among all fields, and the number of the field's group.

    A screen reader reads the ``label`` before the value.
    """

    order: int
    group: int
    label: str


class Overlay(NamedTuple):
    """A content stream drawn over a page, and the entries of the elements of its marks, which count from 1."""

    contents: bytes
    elements: Sequence[bytes]


@dataclass(slots=True)
class _Group:
    """Fields that are read together: the operators that draw the fields, and the spoken words, each with its order."""

    size: float = 0.0
    marks: list[bytes] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    spoken: list[tuple[int, str]] = field(default_factory=list)

    @property
    def contents(self) -> bytes:
        """The content stream that draws the group."""
        marks = b"".join(self.marks)
        return marks + b"".join((ink(), b" rg BT\n", *self.texts, b"ET\n")) if self.texts else marks


class Overlays:
    """Draws characters over the pages of a sheet, whose ``parts`` have all their lines."""

    def __init__(
        self, sheet: CharacterSheet, parts: Iterable[SheetPart], boxes: Sequence[FieldBox], pages: int, words: Words
    ) -> None:
        self.pages, self.words = pages, words
        labels = {name: (part.title, label) for part in parts for row in part.rows for name, label in _labels(row)}
        labels |= {box.name: ("", "") for box in boxes if box.name.partition(AGAIN)[0] == sheet.name_key}
        self.name_page = next((box.page for box in boxes if box.name == sheet.name_key), 0)
        self.groups = list(dict.fromkeys((box.page, labels[box.name][0]) for box in boxes))
        numbers = {group: number for number, group in enumerate(self.groups)}
        self.spots = {
            box.name: ReadingPlace(order, numbers[box.page, labels[box.name][0]], labels[box.name][1])
            for order, box in enumerate(boxes)
        }
        self.frames = {box.name: frame_operators(box) for box in boxes if box.is_box}
        self.ticks = {box.name: tick_operators(box) for box in boxes if box.is_box}

    def draw(self, placing: Placing) -> list[Overlay]:
        """The overlay of each page, in reading order: the name, then part by part.

        The name is read once, on its own page; its repetitions at the head of further pages are not read.
        """
        groups = [_Group() for _ in self.groups]
        self._draw_texts(placing, groups)
        self._draw_boxes(placing, groups)
        contents: list[list[bytes]] = [[] for _ in range(self.pages)]
        elements: list[list[bytes]] = [[] for _ in range(self.pages)]
        for (page, part), group in zip(self.groups, groups, strict=True):
            if group.spoken and not part and page != self.name_page:
                contents[page].append(ARTIFACT % group.contents)
            elif group.spoken:
                kind = PARAGRAPH if part else HEADING
                texts = [text for _, text in sorted(group.spoken)]
                elements[page].append(spoken_element(kind, [part, *texts] if part else texts))
                contents[page].append(MARKED % (kind, len(elements[page]), group.contents))
        return [
            Overlay(compressed_stream(b"".join(drawn)), read) for drawn, read in zip(contents, elements, strict=True)
        ]

    def _draw_texts(self, placing: Placing, groups: Sequence[_Group]) -> None:
        for each in placing.written:
            box, text, size, lines, _, _ = each
            order, number, label = self.spots[box.name]
            group = groups[number]
            if size != group.size:
                group.size = size
                group.texts.append(b"/Fill %g Tf\n" % size)
            group.texts += (text_operators(each),) if box.is_area else (box.start, glyphs(lines[0]), b")Tj\n")
            group.spoken.append((order, label + text))

    def _draw_boxes(self, placing: Placing, groups: Sequence[_Group]) -> None:
        """Draw the boxes row by row, then single boxes, whose border is part of the page."""
        names = {box.name for box in placing.ticked}
        rows = [(boxes, [box for box in boxes if box.name in names]) for boxes in placing.rows]
        names -= {box.name for boxes, _ in rows for box in boxes}
        for frames, ticked in (*rows, *(([], [box]) for box in placing.ticked if box.name in names)):
            order, number, label = self.spots[(frames or ticked)[0].name]
            group, count = groups[number], len(frames)
            if frames:
                group.marks += [ink(), b" rg\n", *(self.frames[box.name] for box in frames), b"f*\n"]
                label += self.words("boxes", count=count)
            if ticked:
                group.marks += [ink(), b" RG\n", *(self.ticks[box.name] for box in ticked)]
                label += f", {self.words('boxes-ticked', count=len(ticked))}" if frames else self.words("is-ticked")
            group.spoken.append((order, label))


def _labels(row: SheetRow) -> Iterator[tuple[str, str]]:
    """The words read before each field of a row: the label of the row, and of the field if the row has several."""
    for place, one in enumerate(row.fields):
        several = one.label.rpartition(": ")[2] if len(row.fields) > 1 and (place or row.label) else ""
        known = " ".join(filter(None, [row.label, "" if one.kind is FieldKind.BOX else several]))
        yield one.name, f"{known}: " if known else ""


def text_operators(each: FieldText) -> bytes:
    """The operators that show the lines of a text in a content stream."""
    box, leading = each.box, each.size * each.box.line_height
    if not box.is_area:
        return b"%b%b)Tj\n" % (box.start, glyphs(each.lines[0]))
    left, first = box.left + box.padding + FIELD_BORDER, baseline(box, each.size)
    return b"".join(
        b"1 0 0 1 %.2f %.2f Tm(%b)Tj\n" % (left, first - number * leading, glyphs(line))
        for number, line in enumerate(each.lines)
        if line
    )


def frame_operators(box: FieldBox) -> bytes:
    """The border of a box, to be filled by the even-odd rule: strokes are drawn a little differently everywhere."""
    outer = box.left, box.bottom, box.width, box.height
    inner = box.left + BOX_BORDER, box.bottom + BOX_BORDER, box.width - 2 * BOX_BORDER, box.height - 2 * BOX_BORDER
    return b"%.2f %.2f %.2f %.2f re %.2f %.2f %.2f %.2f re\n" % (*outer, *inner)


def tick_operators(box: FieldBox) -> bytes:
    """The operators that draw a tick."""
    unit = (box.width - 2 * BOX_BORDER) / 10
    x, y = box.left + BOX_BORDER, box.bottom + BOX_BORDER
    lines = b" ".join(
        b"%.2f %.2f m %.2f %.2f l" % (x + x1 * unit, y + (10 - y1) * unit, x + x2 * unit, y + (10 - y2) * unit)
        for x1, y1, x2, y2 in TICK
    )
    return b"%.2f w %b S\n" % (TICK_WIDTH * unit, lines)
