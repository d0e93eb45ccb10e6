"""Characters drawn onto a sheet: for print, and as fields whose values every viewer shows.

In: the places of fields, and Placings. Out: for print, the contents to draw over each page, and the words that a screen
reader reads: the name as a heading, then each part with its values. For forms, the PDF entries of fields, and the
values of a character, each with an appearance of its own (ISO 32000-1, 12.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from refgen.aids.sheet.fill.fields import BORDER, FieldBox, Placing, Written, baseline
from refgen.aids.sheet.fill.font import glyphs
from refgen.aids.sheet.fill.growing_pdf import (
    ARTIFACT,
    HEADING,
    MARKED,
    PARAGRAPH,
    GrowingPdf,
    compressed,
    spoken,
    text_string,
    uncompressed,
)
from refgen.characters.sheet import AGAIN, CharacterSheet, FieldKind, SheetPart, SheetRow
from refgen.layout.lengths import TICK, TICK_WIDTH

INK = b"0.121569 0.137255 0.156863"
"""The colour of text, --ink of templates/css/tokens.css."""

BOX_BORDER = 0.7
"""The width of the border of a box to tick, in points."""


class Spot(NamedTuple):
    """Where a field is drawn and read: ``order`` is its place among all fields, ``group`` the number of its group.

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
    """The fields that are read together: the operators that draw them, and the spoken words, each with its order."""

    size: float = 0.0
    marks: list[bytes] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    spoken: list[tuple[int, str]] = field(default_factory=list)

    @property
    def contents(self) -> bytes:
        """The content stream that draws the group."""
        marks = b"".join(self.marks)
        return marks + b"".join((INK, b" rg BT\n", *self.texts, b"ET\n")) if self.texts else marks


class Overlays:
    """Draws characters over the pages of a sheet, whose ``parts`` have all their lines."""

    def __init__(
        self, sheet: CharacterSheet, parts: Iterable[SheetPart], boxes: Sequence[FieldBox], pages: int
    ) -> None:
        self.pages = pages
        labels = {name: (part.title, label) for part in parts for row in part.rows for name, label in _labels(row)}
        labels |= {box.name: ("", "") for box in boxes if box.name.partition(AGAIN)[0] == sheet.name_key}
        self.named = next((box.page for box in boxes if box.name == sheet.name_key), 0)
        self.groups = list(dict.fromkeys((box.page, labels[box.name][0]) for box in boxes))
        numbers = {group: number for number, group in enumerate(self.groups)}
        self.spots = {
            box.name: Spot(order, numbers[box.page, labels[box.name][0]], labels[box.name][1])
            for order, box in enumerate(boxes)
        }
        self.frames = {box.name: frame(box) for box in boxes if box.is_box}
        self.ticks = {box.name: tick(box) for box in boxes if box.is_box}

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
            if group.spoken and not part and page != self.named:
                contents[page].append(ARTIFACT % group.contents)
            elif group.spoken:
                kind = PARAGRAPH if part else HEADING
                texts = [text for _, text in sorted(group.spoken)]
                elements[page].append(spoken(kind, [part, *texts] if part else texts))
                contents[page].append(MARKED % (kind, len(elements[page]), group.contents))
        return [Overlay(compressed(b"".join(drawn)), read) for drawn, read in zip(contents, elements, strict=True)]

    def _draw_texts(self, placing: Placing, groups: Sequence[_Group]) -> None:
        for each in placing.written:
            box, text, size, lines, _, _ = each
            order, number, label = self.spots[box.name]
            group = groups[number]
            if size != group.size:
                group.size = size
                group.texts.append(b"/Fill %g Tf\n" % size)
            group.texts += (_lines(each),) if box.is_area else (box.start, glyphs(lines[0]), b")Tj\n")
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
                group.marks += [INK, b" rg\n", *(self.frames[box.name] for box in frames), b"f*\n"]
                label += f"{count} boxes" if count > 1 else "1 box"
            if ticked:
                group.marks += [INK, b" RG\n", *(self.ticks[box.name] for box in ticked)]
                label += f", {len(ticked)} ticked" if frames else "ticked"
            group.spoken.append((order, label))


def _labels(row: SheetRow) -> Iterator[tuple[str, str]]:
    """The words read before each field of a row: the label of the row, and of the field if the row has several."""
    for place, one in enumerate(row.fields):
        several = one.label.rpartition(": ")[2] if len(row.fields) > 1 and (place or row.label) else ""
        known = " ".join(filter(None, [row.label, "" if one.kind is FieldKind.BOX else several]))
        yield one.name, f"{known}: " if known else ""


def _lines(each: Written) -> bytes:
    """The operators that show the lines of a text in a content stream."""
    box, leading = each.box, each.size * each.box.line_height
    if not box.is_area:
        return b"%b%b)Tj\n" % (box.start, glyphs(each.lines[0]))
    left, first = box.left + box.padding + BORDER, baseline(box, each.size)
    return b"".join(
        b"1 0 0 1 %.2f %.2f Tm(%b)Tj\n" % (left, first - number * leading, glyphs(line))
        for number, line in enumerate(each.lines)
        if line
    )


def frame(box: FieldBox) -> bytes:
    """The border of a box, to be filled by the even-odd rule: strokes are drawn a little differently everywhere."""
    outer = box.left, box.bottom, box.width, box.height
    inner = box.left + BOX_BORDER, box.bottom + BOX_BORDER, box.width - 2 * BOX_BORDER, box.height - 2 * BOX_BORDER
    return b"%.2f %.2f %.2f %.2f re %.2f %.2f %.2f %.2f re\n" % (*outer, *inner)


def tick(box: FieldBox) -> bytes:
    """The operators that draw a tick."""
    unit = (box.width - 2 * BOX_BORDER) / 10
    x, y = box.left + BOX_BORDER, box.bottom + BOX_BORDER
    lines = b" ".join(
        b"%.2f %.2f m %.2f %.2f l" % (x + x1 * unit, y + (10 - y1) * unit, x + x2 * unit, y + (10 - y2) * unit)
        for x1, y1, x2, y2 in TICK
    )
    return b"%.2f w %b S\n" % (TICK_WIDTH * unit, lines)


PRINTED, HIDDEN = 4, 2
"""The flags of annotations (table 165)."""

MULTILINE, COMBO = 1 << 12, 1 << 17
"""The flags of fields (tables 228, 230)."""

ADAPTING = frozenset({FieldKind.TEXT, FieldKind.AREA})
"""Kinds of fields for which the viewer chooses the type size, since the text that is typed may be long."""


class FieldValue(NamedTuple):
    """The entries of a field with its value, and its appearance; b"" for a field with an appearance for each state."""

    name: str
    entries: bytes
    appearance: bytes = b""


def draw_fields(
    placing: Placing, names: Iterable[str], optional: frozenset[str], resources: int
) -> Sequence[FieldValue]:
    """The values of the fields ``names`` of a character that are not blank.

    ``optional`` boxes are those that not every character has. The object ``resources`` names the font.
    """
    repeated = [name.removesuffix(AGAIN) for name in names if name.endswith(AGAIN)]
    drawn = [FieldValue(name + AGAIN, b"/V" + text_string(placing.text(name))) for name in repeated]
    for each in placing.written:
        value = b"" if each.box.name.partition(AGAIN)[0] in repeated else b"/V" + text_string(each.text)
        drawn.append(FieldValue(each.box.name, value, _appearance(each, resources)))
    there = {box.name for boxes in placing.rows for box in boxes}
    ticked = {box.name for box in placing.ticked}
    for name in sorted(ticked.union(optional.intersection(names))):
        flags = HIDDEN if name in optional - there else PRINTED
        drawn.append(FieldValue(name, box_state(on=name in ticked, flags=flags)))
    return drawn


def box_state(*, on: bool, flags: int = PRINTED) -> bytes:
    """The entries of a box, ticked (``on``) or not."""
    state = b"/on" if on else b"/Off"
    return b"/F %d/V%b/AS%b" % (flags, state, state)


def write_values(pdf: GrowingPdf, values: Iterable[FieldValue], numbers: Mapping[str, int]) -> Mapping[int, bytes]:
    """Write the appearances of values. Returns the end of each field's object, by its number."""
    ends = {}
    for name, entries, shown in values:
        seen = b"/AP<</N %d 0 R>>" % pdf.add_stream(shown) if shown else b""
        ends[numbers[name]] = b"%b%b>>" % (entries, seen)
    return ends


def appearance_entries(box: FieldBox, resources: int) -> bytes:
    """The entries of an appearance stream. The object ``resources`` names the font."""
    return b"/Type/XObject/Subtype/Form/BBox[0 0 %g %g]/Resources %d 0 R" % (box.width, box.height, resources)


def _appearance(each: Written, resources: int) -> bytes:
    """The appearance stream of a text in its field. It has no clip, since the text fits."""
    lines = _lines(each._replace(box=each.box.at_origin))
    contents = b"/Tx BMC q BT %b rg /Fill %g Tf\n%bET Q EMC" % (INK, each.size, lines)
    return (compressed if len(contents) > 500 else uncompressed)(contents, appearance_entries(each.box, resources))


def box_contents(box: FieldBox, *, on: bool, is_framed: bool) -> bytes:
    """The contents of a box's appearance, without border (not ``is_framed``) where the page has the border."""
    border = (INK + b" rg " + frame(box.at_origin) + b"f*\n") if is_framed else b""
    return border + INK + b" RG\n" + tick(box.at_origin) if on else border


def field_entries(box: FieldBox) -> bytes:
    """The entries of a widget for its place and its kind of field."""
    rect = b"%.3f %.3f %.3f %.3f" % (box.left, box.bottom, box.left + box.width, box.bottom + box.height)
    label = text_string(box.field.label)
    return b"/Type/Annot/Subtype/Widget/Rect[%b]/TU%b%b" % (rect, label, _kind(box))


def _kind(box: FieldBox) -> bytes:
    if box.is_box:
        return b"/FT/Btn/MK<</CA(8)>>"
    size = 0.0 if box.field.kind in ADAPTING else box.size
    text = b"/F %d/DA(%b rg /Fill %g Tf)" % (PRINTED, INK, size)
    if box.field.kind is FieldKind.CHOICE:
        choices = b" ".join(map(text_string, ("", *box.field.choices)))
        return b"/FT/Ch/Ff %d/Opt[%b]%b" % (COMBO, choices, text)
    return b"/FT/Tx%b%b" % (b"/Ff %d" % MULTILINE if box.is_area else b"", text)
