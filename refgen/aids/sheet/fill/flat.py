"""Characters flattened: pages whose values are text, for print.

In: a sheet and the places of its fields; then Placings. Out: the contents to be drawn over each of its pages, and what
is read of them: the name as a heading, then each part with its values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from refgen.aids.sheet.fill.append import stream
from refgen.aids.sheet.fill.geometry import FieldBox
from refgen.aids.sheet.fill.placing import Placing, Written
from refgen.aids.sheet.fill.tagging import ARTIFACT, HEADING, MARKED, PARAGRAPH, spoken
from refgen.aids.sheet.fill.text import BORDER, baseline
from refgen.characters.sheet.model import AGAIN, CharacterSheet, FieldKind, Part, SheetRow
from refgen.layout.lengths import TICK, TICK_WIDTH

INK = b"0.121569 0.137255 0.156863"
"""The colour of text, --ink of templates/css/tokens.css."""

BOX_BORDER = 0.7
"""Points: the border of a box to tick."""


class Spot(NamedTuple):
    """Where a field is drawn, and read: ``order`` is its place among all, ``group`` what it is read with.

    ``begins`` is how its text begins in a page's contents, ``says`` what is read before it.
    """

    order: int
    group: int
    begins: bytes
    says: str


class Drawn(NamedTuple):
    """What is drawn over a page, as a stream, and the entries of the elements of its marks, which count from 1."""

    contents: bytes
    elements: Sequence[bytes]


@dataclass(slots=True)
class _Group:
    """What is drawn of the fields that are read together, and what is read of them, each with its order."""

    size: float = 0.0
    marks: list[bytes] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    said: list[tuple[int, str]] = field(default_factory=list)

    @property
    def contents(self) -> bytes:
        """What is drawn."""
        marks = b"".join(self.marks)
        return marks + b"".join((INK, b" rg BT\n", *self.texts, b"ET\n")) if self.texts else marks


class Overlays:
    """Draws what characters have over the pages of a sheet, whose ``parts`` have all their lines."""

    def __init__(self, sheet: CharacterSheet, parts: Iterable[Part], boxes: Sequence[FieldBox], pages: int) -> None:
        self.pages = pages
        self.known: dict[tuple[object, ...], bytes] = {}
        says = {name: (part.title, text) for part in parts for row in part.rows for name, text in _says(row)}
        names = [box for box in boxes if box.name.partition(AGAIN)[0] == sheet.name_key]
        says |= {box.name: ("", "") for box in names}
        self.named = next((box.page for box in names if AGAIN not in box.name), 0)
        self.groups = list(dict.fromkeys((box.page, says[box.name][0]) for box in boxes))
        numbers = {group: number for number, group in enumerate(self.groups)}
        self.spots = {
            box.name: Spot(order, numbers[box.page, says[box.name][0]], _begins(box), says[box.name][1])
            for order, box in enumerate(boxes)
        }

    def draw(self, placing: Placing) -> list[Drawn]:
        """What is drawn over each page, in reading order: the name, then part by part.

        The name at the head of further pages is read once, on its own page.
        """
        groups = [_Group() for _ in self.groups]
        self._texts(placing, groups)
        self._marks(placing, groups)
        contents: list[list[bytes]] = [[] for _ in range(self.pages)]
        elements: list[list[bytes]] = [[] for _ in range(self.pages)]
        for (page, part), group in zip(self.groups, groups, strict=True):
            if group.said and not part and page != self.named:
                contents[page].append(ARTIFACT % group.contents)
            elif group.said:
                kind = PARAGRAPH if part else HEADING
                said = [text for _, text in sorted(group.said)]
                elements[page].append(spoken(kind, [part, *said] if part else said))
                contents[page].append(MARKED % (kind, len(elements[page]), group.contents))
        return [Drawn(stream(b"".join(drawn)), read) for drawn, read in zip(contents, elements, strict=True)]

    def _texts(self, placing: Placing, groups: Sequence[_Group]) -> None:
        spots = self.spots
        for each in placing.written:
            order, number, begins, says = spots[each.box.name]
            group = groups[number]
            if each.size != group.size:
                group.size = each.size
                group.texts.append(b"/Fill %g Tf\n" % each.size)
            group.texts += (begins, each.run.glyphs, b")Tj\n") if each.run is not None else (lines_of(each),)
            group.said.append((order, says + each.text))

    def _marks(self, placing: Placing, groups: Sequence[_Group]) -> None:
        """The boxes row by row, then those by themselves, whose border is part of the page."""
        loose = {box.name: box for box in placing.ticked}
        for boxes in placing.rows:
            ticked = [box for box in boxes if loose.pop(box.name, None)]
            self._mark(groups, boxes, ticked, _in_words(len(boxes), len(ticked)))
        for box in loose.values():
            self._mark(groups, (), (box,), "ticked")

    def _mark(
        self, groups: Sequence[_Group], frames: Sequence[FieldBox], ticked: Sequence[FieldBox], said: str
    ) -> None:
        first, *_ = frames or ticked
        order, number, _, says = self.spots[first.name]
        key = first.name, len(frames), *(box.name for box in ticked)
        drawn = self.known.get(key)
        if drawn is None:
            drawn = self.known[key] = _boxes(frames, ticked)
        groups[number].marks.append(drawn)
        groups[number].said.append((order, says + said))


def _in_words(boxes: int, ticked: int) -> str:
    """How many boxes there are, and how many of them are ticked."""
    count = f"{boxes} boxes" if boxes > 1 else "1 box"
    return f"{count}, {ticked} ticked" if ticked else count


def _boxes(frames: Sequence[FieldBox], ticked: Sequence[FieldBox]) -> bytes:
    """The borders of boxes, and ticks."""
    drawn = b""
    if frames:
        drawn += b"".join((INK, b" rg\n", *(frame(box, box.left, box.bottom) for box in frames), b"f*\n"))
    if ticked:
        drawn += b"".join((INK, b" RG\n", *(tick(box, box.left, box.bottom) for box in ticked)))
    return drawn


def _says(row: SheetRow) -> Iterator[tuple[str, str]]:
    """What is read before each field of a row: what the row is called, and what the field is, where it has several."""
    for place, one in enumerate(row.fields):
        several = one.label.rpartition(": ")[2] if len(row.fields) > 1 and (place or row.label) else ""
        known = " ".join(filter(None, [row.label, "" if one.kind is FieldKind.BOX else several]))
        yield one.name, f"{known}: " if known else ""


def _begins(box: FieldBox) -> bytes:
    return b"1 0 0 1 " + origin(box, box.size) + b" Tm("


def origin(box: FieldBox, size: float) -> bytes:
    """Where text in a field begins."""
    left = box.left + box.padding + (BORDER if box.is_area else 0.0)
    return b"%.2f %.2f" % (left, baseline(box, size))


def lines_of(written: Written, *, left: float = 0.0, bottom: float = 0.0) -> bytes:
    """The lines of an area, from an origin."""
    from refgen.aids.sheet.fill.text import fill_font

    font, box, leading = fill_font(), written.box, written.size * written.box.line_height
    across = box.left + box.padding + BORDER - left
    down = baseline(box, written.size) - bottom
    return b"".join(
        b"1 0 0 1 %.2f %.2f Tm(%b)Tj\n" % (across, down - number * leading, run.glyphs)
        for number, run in enumerate(map(font.run, written.lines))
        if run
    )


def frame(box: FieldBox, left: float, bottom: float) -> bytes:
    """The border of a box, to be filled by the even-odd rule: strokes are drawn a little differently everywhere."""
    inner = BOX_BORDER, box.width - 2 * BOX_BORDER, box.height - 2 * BOX_BORDER
    return b"%.2f %.2f %.2f %.2f re %.2f %.2f %.2f %.2f re\n" % (
        left,
        bottom,
        box.width,
        box.height,
        left + inner[0],
        bottom + inner[0],
        inner[1],
        inner[2],
    )


def tick(box: FieldBox, left: float, bottom: float) -> bytes:
    """The lines of a tick."""
    unit = (box.width - 2 * BOX_BORDER) / 10
    x, y = left + BOX_BORDER, bottom + BOX_BORDER
    lines = b" ".join(
        b"%.2f %.2f m %.2f %.2f l" % (x + x1 * unit, y + (10 - y1) * unit, x + x2 * unit, y + (10 - y2) * unit)
        for x1, y1, x2, y2 in TICK
    )
    return b"%.2f w %b S\n" % (TICK_WIDTH * unit, lines)
