"""Characters in print: pages whose values are text.

In: a sheet and the places of its fields; then Placings. Out: the contents to be drawn over each of its pages, and what
is read of them: the name as a heading, then each part with its values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from refgen.aids.sheet.fill.font import run
from refgen.aids.sheet.fill.geometry import BORDER, FieldBox
from refgen.aids.sheet.fill.growing_pdf import compressed
from refgen.aids.sheet.fill.placing import Placing, Written
from refgen.aids.sheet.fill.text import baseline
from refgen.aids.sheet.fill.trees import ARTIFACT, HEADING, MARKED, PARAGRAPH, spoken
from refgen.characters.sheet.model import AGAIN, CharacterSheet, FieldKind, Part, SheetRow
from refgen.layout.lengths import TICK, TICK_WIDTH

INK = b"0.121569 0.137255 0.156863"
"""The colour of text, --ink of templates/css/tokens.css."""

BOX_BORDER = 0.7
"""Points: the border of a box to tick."""


class Spot(NamedTuple):
    """Where a field is drawn, and read: ``order`` is its place among all, ``group`` the number of what it is read with.

    ``start`` is how its text begins in a page's contents, ``label`` what is read before it.
    """

    order: int
    group: int
    start: bytes
    label: str


class Overlay(NamedTuple):
    """A stream that is drawn over a page, and the entries of the elements of its marks, which count from 1."""

    contents: bytes
    elements: Sequence[bytes]


@dataclass(slots=True)
class _Group:
    """The fields that are read together: what is drawn of them, and what is read, each with its order."""

    size: float = 0.0
    marks: list[bytes] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    spoken: list[tuple[int, str]] = field(default_factory=list)

    @property
    def contents(self) -> bytes:
        """What is drawn."""
        marks = b"".join(self.marks)
        return marks + b"".join((INK, b" rg BT\n", *self.texts, b"ET\n")) if self.texts else marks


class Overlays:
    """Draws characters over the pages of a sheet, whose ``parts`` have all their lines."""

    def __init__(self, sheet: CharacterSheet, parts: Iterable[Part], boxes: Sequence[FieldBox], pages: int) -> None:
        self.pages = pages
        labels = {name: (part.title, label) for part in parts for row in part.rows for name, label in _labels(row)}
        labels |= {box.name: ("", "") for box in boxes if box.name.partition(AGAIN)[0] == sheet.name_key}
        self.named = next((box.page for box in boxes if box.name == sheet.name_key), 0)
        self.groups = list(dict.fromkeys((box.page, labels[box.name][0]) for box in boxes))
        numbers = {group: number for number, group in enumerate(self.groups)}
        self.spots = {
            box.name: Spot(order, numbers[box.page, labels[box.name][0]], _start(box), labels[box.name][1])
            for order, box in enumerate(boxes)
        }
        self.frames = {box.name: frame(box) for box in boxes if box.is_box}
        self.ticks = {box.name: tick(box) for box in boxes if box.is_box}

    def draw(self, placing: Placing) -> list[Overlay]:
        """What is drawn over each page, in reading order: the name, then part by part.

        The name at the head of further pages is read once, on its own page.
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
            order, number, start, label = self.spots[each.box.name]
            group = groups[number]
            if each.size != group.size:
                group.size = each.size
                group.texts.append(b"/Fill %g Tf\n" % each.size)
            group.texts += (start, each.run.glyphs, b")Tj\n") if each.run is not None else (lines_of(each),)
            group.spoken.append((order, label + each.text))

    def _draw_boxes(self, placing: Placing, groups: Sequence[_Group]) -> None:
        """The boxes row by row, then those by themselves, whose border is part of the page."""
        loose = {box.name: box for box in placing.ticked}
        for boxes in placing.rows:
            ticked = [box for box in boxes if loose.pop(box.name, None)]
            count = f"{len(boxes)} boxes" if len(boxes) > 1 else "1 box"
            self._draw_row(groups, boxes, ticked, f"{count}, {len(ticked)} ticked" if ticked else count)
        for box in loose.values():
            self._draw_row(groups, (), (box,), "ticked")

    def _draw_row(
        self, groups: Sequence[_Group], frames: Sequence[FieldBox], ticked: Sequence[FieldBox], text: str
    ) -> None:
        spot = self.spots[(frames or ticked)[0].name]
        drawn = [INK, b" rg\n", *(self.frames[box.name] for box in frames), b"f*\n"] if frames else []
        drawn += [INK, b" RG\n", *(self.ticks[box.name] for box in ticked)] if ticked else []
        groups[spot.group].marks += drawn
        groups[spot.group].spoken.append((spot.order, spot.label + text))


def _labels(row: SheetRow) -> Iterator[tuple[str, str]]:
    """What is read before each field of a row: what the row is called, and what the field is, where it has several."""
    for place, one in enumerate(row.fields):
        several = one.label.rpartition(": ")[2] if len(row.fields) > 1 and (place or row.label) else ""
        known = " ".join(filter(None, [row.label, "" if one.kind is FieldKind.BOX else several]))
        yield one.name, f"{known}: " if known else ""


def _start(box: FieldBox) -> bytes:
    left = box.left + box.padding + (BORDER if box.is_area else 0.0)
    return b"1 0 0 1 %.2f %.2f Tm(" % (left, baseline(box, box.size))


def lines_of(written: Written) -> bytes:
    """The lines of an area."""
    box, leading = written.box, written.size * written.box.line_height
    left, first = box.left + box.padding + BORDER, baseline(box, written.size)
    return b"".join(
        b"1 0 0 1 %.2f %.2f Tm(%b)Tj\n" % (left, first - number * leading, line.glyphs)
        for number, line in enumerate(map(run, written.lines))
        if line
    )


def frame(box: FieldBox) -> bytes:
    """The border of a box, to be filled by the even-odd rule: strokes are drawn a little differently everywhere."""
    outer = box.left, box.bottom, box.width, box.height
    inner = box.left + BOX_BORDER, box.bottom + BOX_BORDER, box.width - 2 * BOX_BORDER, box.height - 2 * BOX_BORDER
    return b"%.2f %.2f %.2f %.2f re %.2f %.2f %.2f %.2f re\n" % (*outer, *inner)


def tick(box: FieldBox) -> bytes:
    """The lines of a tick."""
    unit = (box.width - 2 * BOX_BORDER) / 10
    x, y = box.left + BOX_BORDER, box.bottom + BOX_BORDER
    lines = b" ".join(
        b"%.2f %.2f m %.2f %.2f l" % (x + x1 * unit, y + (10 - y1) * unit, x + x2 * unit, y + (10 - y2) * unit)
        for x1, y1, x2, y2 in TICK
    )
    return b"%.2f w %b S\n" % (TICK_WIDTH * unit, lines)
