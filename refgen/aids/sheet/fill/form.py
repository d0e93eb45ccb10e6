"""Fields of forms, whose values every viewer shows: each has an appearance of its own (ISO 32000-1, 12.7).

In: FieldBoxes, and what is written in them. Out: the entries of fields as PDF has them, and the values of a character.
"wounds.hurt.1" is the field 1 of the group hurt of the group wounds (12.7.3.2). A field that stands on several pages
has a widget on each, which has no name of its own (12.7.4): "who.name@2" is on page 2, "who.name@" is the field of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from refgen.aids.sheet.fill.geometry import FieldBox
from refgen.aids.sheet.fill.growing_pdf import GrowingPdf, compressed, text_string, uncompressed
from refgen.aids.sheet.fill.overlay import INK, frame, lines_of, tick
from refgen.aids.sheet.fill.placing import Placing, Written
from refgen.aids.sheet.fill.text import baseline
from refgen.characters.sheet.model import AGAIN, FieldKind

PRINTED, HIDDEN = 4, 2
"""The flags of annotations (table 165)."""

MULTILINE, COMBO = 1 << 12, 1 << 17
"""The flags of fields (tables 228, 230)."""

ADAPTING = frozenset({FieldKind.TEXT, FieldKind.AREA})
"""Fields whose viewer chooses the type size for what is typed: it may be long."""


class FieldValue(NamedTuple):
    """The entries of a field that say what it holds, and its appearance; b"" where the field has one for its state."""

    name: str
    entries: bytes
    appearance: bytes = b""


class FormValues:
    """Values of the fields of a sheet. ``optional`` are the boxes that not every character has."""

    def __init__(self, boxes: Iterable[FieldBox], optional: frozenset[str]) -> None:
        self.boxes = {box.name: box for box in boxes}
        self.optional = optional
        self.repeated = frozenset(name.partition(AGAIN)[0] for name in self.boxes if AGAIN in name)

    def draw(self, placing: Placing, resources: int) -> Sequence[FieldValue]:
        """The fields of a character that are not blank. The object ``resources`` has the font."""
        drawn = [self._text(each, resources) for each in placing.written]
        drawn += [FieldValue(name + AGAIN, b"/V" + text_string(placing.text(name))) for name in sorted(self.repeated)]
        there = {box.name for boxes in placing.rows for box in boxes}
        ticked = {box.name for box in placing.ticked}
        for name in sorted((self.optional & self.boxes.keys()) | ticked):
            flags = HIDDEN if name in self.optional and name not in there else PRINTED
            drawn.append(FieldValue(name, box_state(on=name in ticked, flags=flags)))
        return drawn

    def _text(self, each: Written, resources: int) -> FieldValue:
        name = each.box.name
        value = b"" if name.partition(AGAIN)[0] in self.repeated else b"/V" + text_string(each.text)
        size = b"%b/Resources %d 0 R" % (appearance_entries(each.box), resources)
        contents = text_contents(each)
        return FieldValue(name, value, (compressed if len(contents) > 500 else uncompressed)(contents, size))


def box_state(*, on: bool, flags: int = PRINTED) -> bytes:
    """The entries of a box that is ticked or not."""
    state = b"/on" if on else b"/Off"
    return b"/F %d/V%b/AS%b" % (flags, state, state)


def write_values(pdf: GrowingPdf, values: Iterable[FieldValue], numbers: Mapping[str, int]) -> Mapping[int, bytes]:
    """Write the appearances of values. Returns the end of each field's object, by its number."""
    ends = {}
    for name, entries, shown in values:
        seen = b"/AP<</N %d 0 R>>" % pdf.add_stream(shown) if shown else b""
        ends[numbers[name]] = b"%b%b>>" % (entries, seen)
    return ends


def appearance_entries(box: FieldBox) -> bytes:
    """The entries of a stream that shows how a field looks."""
    return b"/Type/XObject/Subtype/Form/BBox[0 0 %g %g]" % (box.width, box.height)


def text_contents(each: Written) -> bytes:
    """The contents of a text's appearance, clipped to nothing: it fits."""
    if each.run is None:
        lines = lines_of(each._replace(box=replace(each.box, left=0.0, bottom=0.0)))
    else:
        place = each.box.padding, baseline(each.box, each.size) - each.box.bottom
        lines = b"1 0 0 1 %.2f %.2f Tm(%b)Tj\n" % (*place, each.run.glyphs)
    return b"/Tx BMC q BT %b rg /Fill %g Tf\n%bET Q EMC" % (INK, each.size, lines)


def box_contents(box: FieldBox, *, on: bool, is_framed: bool) -> bytes:
    """The contents of a box's appearance; its border is part of the page where it is not framed here."""
    box = replace(box, left=0.0, bottom=0.0)
    border = (INK + b" rg " + frame(box) + b"f*\n") if is_framed else b""
    return border + INK + b" RG\n" + tick(box) if on else border


def field_entries(box: FieldBox) -> bytes:
    """The entries of a widget that say where it is, and which kind of field."""
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
