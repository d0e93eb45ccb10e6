"""Fields of forms, whose values every viewer shows: each has an appearance of its own (ISO 32000-1, 12.7).

In: FieldBoxes, and what is written in them. Out: widgets and their appearances as PDF has them, and the groups of their
names: "wounds.hurt.1" is the field 1 of the group hurt of the group wounds (12.7.3.2). A field that stands on several
pages has a widget on each, which has no name of its own (12.7.4): "who.name@2" is on page 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from refgen.aids.sheet.fill.append import GrowingPdf, references, stream, text_string
from refgen.aids.sheet.fill.flat import INK, frame, lines_of, tick
from refgen.aids.sheet.fill.geometry import FieldBox
from refgen.aids.sheet.fill.placing import Placing, Written
from refgen.aids.sheet.fill.text import baseline
from refgen.characters.sheet.model import AGAIN, FieldKind

PRINTED, HIDDEN = 4, 2
"""The flags of annotations (table 165)."""

MULTILINE, COMBO = 1 << 12, 1 << 17
"""The flags of fields (tables 228, 230)."""

ADAPTING = frozenset({FieldKind.TEXT, FieldKind.AREA})
"""Fields whose viewer chooses the type size for what is typed: it may be long."""

ON, OFF = b"/on", b"/Off"


@dataclass(slots=True)
class Widgets:
    """Writes widgets into a growing PDF whose object ``resources`` has the font.

    ``drawn`` are the boxes whose border is no part of the page: it is drawn with the widget.
    """

    pdf: GrowingPdf
    resources: int
    drawn: frozenset[str]
    boxes: Mapping[str, FieldBox]
    known: dict[object, int] = field(default_factory=dict)
    several: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """``several`` are the fields that have a widget on several pages, and the text for all."""
        self.several = frozenset(name.partition(AGAIN)[0] for name in self.boxes if AGAIN in name)

    def blank(self, box: FieldBox, place: bytes) -> bytes:
        """A widget in which nothing is written."""
        if box.is_box:
            return self.ticked(box, place, on=False)
        empty = self._shared(("blank", box.width, box.height), box, b"/Tx BMC EMC")
        return self._with_text(box, place, "", empty)

    def written(self, each: Written, place: bytes) -> bytes:
        """A widget with a text."""
        appearance = self.pdf.add_stream(self._form(each.box, _text(each)))
        return self._with_text(each.box, place, each.text, appearance)

    def _with_text(self, box: FieldBox, place: bytes, text: str, appearance: int) -> bytes:
        value = b"" if box.name.partition(AGAIN)[0] in self.several else b"/V" + text_string(text)
        return b"%b%b%b/AP<</N %d 0 R>>>>" % (static(box), place, value, appearance)

    def ticked(self, box: FieldBox, place: bytes, *, on: bool, absent: bool = False) -> bytes:
        """A box, ticked or not; one that is ``absent`` shows nothing."""
        border = (INK + b" rg " + frame(box, 0.0, 0.0) + b"f*\n") if box.name in self.drawn else b""
        off = self._shared(("off", box.width, box.height, border), box, border)
        marked = border + INK + b" RG\n" + tick(box, 0.0, 0.0)
        both = self._shared(("on", box.width, box.height, border), box, marked)
        state = ON if on else OFF
        shown = b"/AP<</N<</on %d 0 R/Off %d 0 R>>>>" % (both, off)
        return static(box, hidden=absent) + place + b"/V%b/AS%b%b>>" % (state, state, shown)

    def all(self, placing: Placing, places: Mapping[str, bytes]) -> Mapping[str, bytes]:
        """The widgets of a character that are not blank, by the names of their fields."""
        found = {each.box.name: self.written(each, places[each.box.name]) for each in placing.written}
        there = {box.name for boxes in placing.rows for box in boxes}
        ticked = {box.name for box in placing.ticked}
        for name in sorted(self.drawn | ticked):
            if name in places:
                absent = name in self.drawn and name not in there
                found[name] = self.ticked(self.boxes[name], places[name], on=name in ticked, absent=absent)
        return found

    def _shared(self, key: object, box: FieldBox, contents: bytes) -> int:
        """The appearance that all fields of a size share."""
        if key not in self.known:
            self.known[key] = self.pdf.add_stream(self._form(box, contents))
        return self.known[key]

    def _form(self, box: FieldBox, contents: bytes) -> bytes:
        size = b"/Type/XObject/Subtype/Form/BBox[0 0 %g %g]/Resources %d 0 R" % (box.width, box.height, self.resources)
        if len(contents) > 500:
            return stream(contents, size)
        return b"<<%b/Length %d>>stream\n%b\nendstream" % (size, len(contents), contents)


def _text(each: Written) -> bytes:
    """The appearance of a text, clipped to nothing: it fits."""
    box = each.box
    if each.run is None:
        lines = lines_of(each, left=box.left, bottom=box.bottom)
    else:
        place = box.padding, baseline(box, each.size) - box.bottom
        lines = b"1 0 0 1 %.2f %.2f Tm(%b)Tj\n" % (*place, each.run.glyphs)
    return b"/Tx BMC q BT %b rg /Fill %g Tf\n%bET Q EMC" % (INK, each.size, lines)


def static(box: FieldBox, *, hidden: bool = False) -> bytes:
    """What does not depend on the value; the dictionary stays open."""
    rect = b"%.3f %.3f %.3f %.3f" % (box.left, box.bottom, box.left + box.width, box.bottom + box.height)
    flags = HIDDEN if hidden else PRINTED
    entries = b"<</Type/Annot/Subtype/Widget/Rect[%b]/F %d/TU%b" % (rect, flags, text_string(box.field.label))
    return entries + _kind(box)


def _kind(box: FieldBox) -> bytes:
    if box.is_box:
        return b"/FT/Btn/MK<</CA(8)>>"
    size = 0.0 if box.field.kind in ADAPTING else box.size
    text = b"/DA(%b rg /Fill %g Tf)" % (INK, size)
    if box.field.kind is FieldKind.CHOICE:
        choices = b" ".join(map(text_string, ("", *box.field.choices)))
        return b"/FT/Ch/Ff %d/Opt[%b]%b" % (COMBO, choices, text)
    return b"/FT/Tx%b%b" % (b"/Ff %d" % MULTILINE if box.is_area else b"", text)


ALL = AGAIN
"""What stands behind the name of a field for all of its widgets together."""


class FieldNames:
    """The groups of some fields, each with its fields and groups in order; "" is the group of all.

    ``widgets`` are those of each field that has several, the first of which is called like the field.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.groups: dict[str, list[str]] = {"": []}
        self.widgets: dict[str, list[str]] = {}
        for name in names:
            field, again, _ = name.partition(AGAIN)
            if again:
                self.widgets.setdefault(field, [field]).append(name)
            else:
                self._add(name)

    def _add(self, name: str) -> None:
        group = name.rpartition(".")[0]
        if group not in self.groups:
            self.groups[group] = []
            self._add(group)
        self.groups[group].append(name)

    def write(self, pdf: GrowingPdf, root: str, text: Callable[[str], str]) -> Mapping[str, int]:
        """Write the groups, that of all with a name of its own, and what the widgets of a field share.

        Returns the numbers of all groups, fields and widgets; ``text`` tells the value of a field.
        """
        names = [name for group in self.groups.values() for name in group]
        names += [name for field, widgets in self.widgets.items() for name in (field + ALL, *widgets[1:])]
        numbers = {"": pdf.reserve()} | {name: pdf.reserve() for name in names}
        for group, members in self.groups.items():
            name = self._named(group, numbers) if group else b"/T" + text_string(root)
            kids = (numbers[name + ALL if name in self.widgets else name] for name in members)
            pdf.put(numbers[group], b"<<%b/Kids[%b]>>" % (name, references(kids)))
        for shown, widgets in self.widgets.items():
            each = references(numbers[name] for name in widgets)
            pdf.put(numbers[shown + ALL], shared(self._named(shown, numbers), each, text(shown)))
        return numbers

    def place(self, name: str, numbers: Mapping[str, int]) -> bytes:
        """What a field says of its name, or a widget of its field."""
        field = name.partition(AGAIN)[0]
        return b"/Parent %d 0 R" % numbers[field + ALL] if field in self.widgets else self._named(name, numbers)

    @staticmethod
    def _named(name: str, numbers: Mapping[str, int]) -> bytes:
        group, _, last = name.rpartition(".")
        return b"/T%b/Parent %d 0 R" % (text_string(last), numbers[group])


def shared(named: bytes, kids: bytes, text: str) -> bytes:
    """A field with several widgets, and the text in it."""
    return b"<</FT/Tx%b/Kids[%b]/V%b>>" % (named, kids, text_string(text))
