"""A roster: characters side by side, for the referee.

In: what stands on the sheets of some characters. Out: pages as a PDF: who acts first, and how likely each acts before
the next; traits and what follows from them; boxes to tick.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import ceil, floor

from refgen.aids.sheet.model import CharacterSheet, FieldKind, Part, SheetRow
from refgen.characters.filling import Filled
from refgen.characters.form import name_of_boxes
from refgen.notation.rounding import percent, units
from refgen.render.fill.stencil import Stencil
from refgen.render.html import SheetFields, roster_html
from refgen.render.pdf import layout, write_plain
from refgen.resolver.dice.evaluate import roll
from refgen.resolver.dice.roll import Roll

ACROSS = 5
"""Characters side by side."""

_SHOWN = (FieldKind.CHOICE, FieldKind.NUMBER, FieldKind.COMPUTED)


@dataclass(frozen=True, slots=True)
class Turn:
    """A place in the order: who acts, by what, and the chances to act before the next and together with it."""

    name: str
    value: str
    before: str = ""
    together: str = ""


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A trait of each character, or how many boxes each has, of which the first are ticked."""

    label: str
    texts: Sequence[str] = ()
    boxes: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class RosterTable:
    """A part of the sheet, for some characters."""

    title: str
    names: Sequence[str]
    rows: Sequence[RosterRow]


def roster_pages(stencil: Stencil, characters: Sequence[Filled]) -> bytes:
    """The roster of some characters."""
    groups = [characters[start : start + ACROSS] for start in range(0, len(characters), ACROSS)]
    tables = [list(roster_tables(stencil.sheet, group)) for group in groups]
    turns = turns_of(stencil.sheet, characters)
    html = roster_html(stencil.system, turns, tables, stencil.page_format, SheetFields(as_text=True))
    return write_plain(layout(html, "roster"), "roster")[0]


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
    rule = next((own.rule for own in sheet.fields() if own.name == key), None)
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


def roster_tables(sheet: CharacterSheet, characters: Sequence[Filled]) -> Iterator[RosterTable]:
    """The parts of a sheet whose fields everybody has: levels, numbers, what follows, and boxes."""
    names = [each.character.name for each in characters]
    for part in sheet.parts():
        rows = [row for own in part.rows for row in _rows(own, characters)] if _is_for_all(part) else []
        if rows:
            yield RosterTable(part.title, names, rows)


def _is_for_all(part: Part) -> bool:
    """Whether a part is the same for everybody: no list, and none of several."""
    return part.pattern is None and "." not in part.id


def _rows(row: SheetRow, characters: Sequence[Filled]) -> Iterator[RosterRow]:
    if row.boxes is not None:
        key = name_of_boxes(row)
        boxes = [(each.boxes.get(key, 0), int(each.character.values.get(key, 0))) for each in characters]
        yield RosterRow(row.label, boxes=boxes)
        return
    fields = [own for own in row.fields if own.kind in _SHOWN]
    for own in fields:
        texts = [each.texts.get(own.name, "") for each in characters]
        if any(texts):
            yield RosterRow(row.label if len(fields) == 1 else own.label, texts)
