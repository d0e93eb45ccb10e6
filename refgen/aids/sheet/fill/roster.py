"""A roster: characters side by side, for the referee.

In: what stands on the sheets of some characters. Out: pages as a PDF: who acts first, and how likely each acts before
the next; traits and what follows from them; boxes to tick.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from refgen.aids.sheet.fill.stencil import Stencil
from refgen.aids.sheet.html import SheetFields, roster_html
from refgen.characters.filling import Filled
from refgen.characters.form import name_of_boxes
from refgen.characters.sheet.model import CharacterSheet, Field, FieldKind, Part, SheetRow
from refgen.layout.engine import lay_out, write_with_missing
from refgen.notation.rounding import percent, units
from refgen.render.assets import assets
from refgen.render.page_format import Theme
from refgen.resolver.dice.evaluate import roll
from refgen.resolver.dice.roll import Roll

ACROSS = {Theme.LARGE_PRINT: 3}
"""Characters side by side; five in type of the usual size."""

_SHOWN = (FieldKind.CHOICE, FieldKind.NUMBER, FieldKind.COMPUTED)


@dataclass(frozen=True, slots=True)
class Turn:
    """A place in the order: who acts, by what, and the chances to act before the next and together with it."""

    name: str
    value: str
    before: str = ""
    together: str = ""


class RosterCell(NamedTuple):
    """What one character has: lines of text, and so many boxes, of which the first are ticked."""

    lines: Sequence[str]
    boxes: int = 0
    ticked: int = 0


@dataclass(frozen=True, slots=True)
class RosterRow:
    """What each character has of one thing."""

    label: str
    cells: Sequence[RosterCell]


@dataclass(frozen=True, slots=True)
class RosterPart:
    """A part of the sheet, for some characters."""

    title: str
    rows: Sequence[RosterRow]


@dataclass(frozen=True, slots=True)
class RosterGroup:
    """Characters side by side, by their ``names``."""

    names: Sequence[str]
    parts: Sequence[RosterPart]


def roster_pages(stencil: Stencil, characters: Sequence[Filled]) -> bytes:
    """The roster of some characters."""
    across = ACROSS.get(stencil.page_format.theme, 5)
    groups = [_group(stencil.sheet, characters[start : start + across]) for start in range(0, len(characters), across)]
    turns = turns_of(stencil.sheet, characters)
    html = roster_html(stencil.system, turns, groups, stencil.page_format, SheetFields(as_text=True))
    return write_with_missing(lay_out(html, "roster", assets()), "roster")[0]


def turns_of(sheet: CharacterSheet, characters: Sequence[Filled]) -> list[Turn]:
    """Who acts first. With dice, the chances to act before the next are exact: both roll, and add what they have."""
    order = sheet.order
    if order is None:
        return []
    known = [
        (_printed(sheet, order.key, each.exact[order.key]), each) for each in characters if order.key in each.exact
    ]
    known.sort(key=lambda one: (-one[0], one[1].character.name))
    chances = [_chances(order.dice, this - following) for (this, _), (following, _) in pairwise(known)]
    return [
        Turn(each.character.name, each.texts[order.key], *shown)
        for (_, each), shown in zip(known, [*chances, ()], strict=True)
    ]


def _printed(sheet: CharacterSheet, key: str, exact: Fraction) -> Fraction:
    """A value as it is printed, which is what a player adds to a roll."""
    rule = next((field.rule for field in sheet.fields() if field.name == key), None)
    return Fraction(units(exact, rule.places, rule.rounding), 10**rule.places) if rule else exact


def _chances(dice: str, lead: Fraction) -> tuple[str, str]:
    """The chances to come before somebody who has so much less, and together."""
    if not dice:
        return "", ""
    difference = _difference(dice)
    before = difference.at_least(floor(-lead) + 1)
    return percent(before), percent(difference.at_least(ceil(-lead)) - before)


@cache
def _difference(dice: str) -> Roll:
    return roll(dice).less(roll(dice))


def _group(sheet: CharacterSheet, characters: Sequence[Filled]) -> RosterGroup:
    return RosterGroup([each.character.name for each in characters], list(roster_parts(sheet, characters)))


def roster_parts(sheet: CharacterSheet, characters: Sequence[Filled]) -> Iterator[RosterPart]:
    """The parts of a sheet with levels, numbers, what follows, or boxes; in lists, each line by what it is of."""
    for part in sheet.parts():
        if part.pattern is not None:
            found = _rows_of_list(part, part.pattern, characters)
        else:
            found = (row for each in part.rows for row in _rows(each, characters)) if "." not in part.id else iter(())
        rows = [row for row in found if any(cell.lines or cell.boxes for cell in row.cells)]
        if rows:
            yield RosterPart(part.title, rows)


def _rows(row: SheetRow, characters: Sequence[Filled]) -> Iterator[RosterRow]:
    """A row of a part that is the same for everybody: a row for each of its values, or one with boxes."""
    if row.boxes is not None:
        key = name_of_boxes(row)
        ticked = [int(each.character.values.get(key, 0)) for each in characters]
        counts = zip(characters, ticked, strict=True)
        yield RosterRow(row.label, [RosterCell((), each.boxes.get(key, 0), marks) for each, marks in counts])
        return
    boxes = [field.name for field in row.fields if field.kind is FieldKind.BOX]
    shown = [field for field in row.fields if field.kind in _SHOWN]
    if boxes:
        yield RosterRow(row.label, [_with_boxes(each, shown, boxes) for each in characters])
        return
    for field in shown:
        label = row.label if len(shown) == 1 else field.label
        yield RosterRow(label, [RosterCell(_texts(each, [field.name])) for each in characters])


def _with_boxes(filled: Filled, shown: Sequence[Field], boxes: Sequence[str]) -> RosterCell:
    """The values of a row in one line, and its boxes."""
    line = ", ".join(_texts(filled, [field.name for field in shown]))
    return RosterCell((line,) if line else (), len(boxes), sum(name in filled.texts for name in boxes))


def _rows_of_list(part: Part, pattern: SheetRow, characters: Sequence[Filled]) -> Iterator[RosterRow]:
    """What several have has a row of its own; below, what each has besides."""
    first, *others = pattern.fields
    shown = [field.id for field in others if field.kind in _SHOWN]
    if not shown or first.kind in _SHOWN:
        return
    have = [dict(_entries(part, first.id, shown, each)) for each in characters]
    count = Counter(name for entries in have for name in entries)
    shared = [name for name, times in count.items() if times > 1]
    for name in shared:
        yield RosterRow(name, [RosterCell((entries[name],) if entries.get(name) else ()) for entries in have])
    besides = [
        [f"{name}: {values}" if values else name for name, values in entries.items() if count[name] == 1]
        for entries in have
    ]
    yield RosterRow("Others" if shared else "", [RosterCell(lines) for lines in besides])


def _entries(part: Part, named: str, shown: Sequence[str], filled: Filled) -> Iterator[tuple[str, str]]:
    """What a list of a character has: what each line is of, and its values."""
    for number in range(1, filled.lines.get(part.id, 0) + 1):
        base = f"{part.id}.{number}."
        if name := filled.texts.get(base + named):
            yield name, ", ".join(_texts(filled, [base + field_id for field_id in shown]))


def _texts(filled: Filled, names: Iterable[str]) -> Sequence[str]:
    return [text for name in names if (text := filled.texts.get(name))]
