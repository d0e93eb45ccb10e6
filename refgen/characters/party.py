"""The party: values of several characters side by side for the referee, and who acts first.

In: files of characters, and the blank sheet of their game. Out: the filled sheets; Turns with exact chances;
PartyParts: the traits, computed values, boxes and lists of each character, as texts; and tables of PartyParts, with a
column for each character.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, zip_longest
from math import ceil, floor
from pathlib import Path

from refgen.blocks.table_block import TableBlock, text_table
from refgen.blocks.table_cells import ShownColumn
from refgen.catalog import did_you_mean
from refgen.characters.character_files import read_characters
from refgen.characters.filling import FilledValues, fill
from refgen.characters.form import Form
from refgen.characters.sheet import CharacterSheet, Field, FieldKind, SheetPart, SheetRow
from refgen.errors import AidError, RefgenError
from refgen.game import GameModel
from refgen.notation.figures import percent, round_number
from refgen.resolver.rolls import roll
from refgen.words import Words

TICK = "✓"
"""The sign in the cell of a character who has an entry without a value."""

FREE, TICKED = "☐", "☑"
"""A box to tick, and a ticked box."""

LABEL_SHARE = 22.0
"""The width of the column of row labels, in percent of the table."""

CHARACTERS_ACROSS = 5
"""The most characters side by side in type of the usual size."""

_SHOWN = (FieldKind.CHOICE, FieldKind.NUMBER, FieldKind.COMPUTED)


def read_party(
    game: GameModel, sheet: CharacterSheet | None, files: Sequence[Path], folder: Path | None = None
) -> tuple[Sequence[FilledValues], Sequence[RefgenError]]:
    """The filled sheets of the characters in some files, and the errors found in these.

    The files lie in the ``folder`` of the game; None for typed paths. Raises AidError for a game without a sheet.
    """
    if not files:
        return [], []
    if sheet is None:
        raise AidError(
            f"{game.title} has no sheet for characters", hint="Its system.toml leaves the sheet out: see [aids] there."
        )
    form = Form(game, sheet)
    found = read_characters(form, files, folder)
    filled = [fill(form, character) for character in found.characters]
    return filled, [*found.errors, *(fault for each in filled for fault in each.faults)]


@dataclass(frozen=True, slots=True)
class CharacterTurn:
    """A place in the order: name, value, and the chances to act before the next character and together with it."""

    name: str
    value: str
    before: str = ""
    together: str = ""


@dataclass(frozen=True, slots=True)
class PartyRow:
    """A row of a part: its label, and the text of each character."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartyPart:
    """A part of the sheet with the values of some characters."""

    title: str
    rows: tuple[PartyRow, ...]

    def of(self, first: int, end: int) -> PartyPart:
        """The part for the characters from ``first`` to before ``end``, without rows that are empty for all of them."""
        rows = (replace(row, cells=row.cells[first:end]) for row in self.rows)
        return replace(self, rows=tuple(row for row in rows if any(row.cells)))


def turns_of(sheet: CharacterSheet, characters: Sequence[FilledValues], words: Words) -> list[CharacterTurn]:
    """The characters in the order in which they act. With dice, chances are exact: each rolls and adds the value."""
    order = sheet.order
    if order is None:
        return []
    acting = (each for each in characters if order.key in each.exact)
    known = [(_printed_value(sheet, order.key, each.exact[order.key]), each) for each in acting]
    known.sort(key=lambda one: (-one[0], one[1].character.name))
    chances = [
        map(words.figure, _chances(order.dice, this - following)) for (this, _), (following, _) in pairwise(known)
    ]
    return [
        CharacterTurn(each.character.name, each.texts[order.key], *shown)
        for (_, each), shown in zip(known, [*chances, ("", "")], strict=False)  # no character acts after the last
    ]


def _printed_value(sheet: CharacterSheet, key: str, exact: Fraction) -> Fraction:
    """A value rounded as it is printed, which is the number that a player adds to a roll."""
    rule = next((field.rule for field in sheet.fields() if field.name == key), None)
    return round_number(exact, rule.decimals(), rule.rounding) if rule else exact


def _chances(dice: str, lead: Fraction) -> tuple[str, str]:
    """The chances to act before somebody whose value is lower by ``lead``, and together with them."""
    if not dice:
        return "", ""
    difference = roll(dice).less(roll(dice))
    before = difference.at_least(floor(-lead) + 1)
    return percent(before), percent(difference.at_least(ceil(-lead)) - before)


def party_parts(
    sheet: CharacterSheet, characters: Sequence[FilledValues], wanted: Collection[str]
) -> Iterator[PartyPart]:
    """The parts of a sheet with levels, numbers, computed values or boxes; lists are shown line by line.

    ``wanted`` are the keys of the parts and fields that are shown.
    """
    for part in sheet.parts():
        if part.pattern is not None:
            found = _list_rows(part, part.pattern, characters) if part.id in wanted else iter(())
        else:
            found = (row for each in part.rows for row in _party_rows(_shown_row(part, each, wanted), characters))
        rows = tuple(row for row in found if any(row.cells))
        if rows:
            yield PartyPart(part.title, rows)


def refuse_unknown_keys(sheet: CharacterSheet | None, keys: Iterable[str]) -> None:
    """Raises AidError for a key that is no part and no field of the sheet, or one that cannot be shown."""
    known = _keys_of(sheet) if sheet else set()
    for key in keys:
        if key not in known:
            raise AidError(f'there is no part or field "{key}" to show', hint=did_you_mean(key, sorted(known)))


def all_keys(sheet: CharacterSheet) -> Sequence[str]:
    """The keys of all parts that can be shown, in the order of the sheet."""
    return [part.id for part in _shown_parts(sheet)]


def _shown_parts(sheet: CharacterSheet) -> Sequence[SheetPart]:
    return [part for part in sheet.parts() if "." not in part.id and part.layout != "block"]


def _keys_of(sheet: CharacterSheet) -> set[str]:
    """The keys of all parts and fields that can be shown."""
    parts = _shown_parts(sheet)
    rows = [row for part in parts if part.pattern is None for row in part.rows]
    fields = {field.name for row in rows for field in row.fields if field.kind in _SHOWN}
    return {part.id for part in parts} | fields | {row.key for row in rows if row.boxes}


def _shown_row(part: SheetPart, row: SheetRow, wanted: Collection[str]) -> SheetRow:
    """A row with only its wanted fields; with none if the part repeats."""
    if "." in part.id:
        return replace(row, fields=(), boxes=None)
    if part.id in wanted or (row.boxes and row.key in wanted):
        return row
    return replace(row, fields=tuple(field for field in row.fields if field.name in wanted), boxes=None)


def _party_rows(row: SheetRow, characters: Sequence[FilledValues]) -> Iterator[PartyRow]:
    """The rows of the party for a row of the sheet: a row for each value, or a single row with boxes."""
    if boxes_of(row):
        shown = [] if row.boxes else [field.name for field in row.fields if field.kind in _SHOWN]
        cells = (_join_texts([", ".join(_texts(each, shown)), boxes_text(row, each)]) for each in characters)
        yield PartyRow(row.label, tuple(cells))
        return
    fields = [field for field in row.fields if field.kind in _SHOWN]
    for field in fields:
        label = row.label if len(fields) == 1 else field.label
        yield PartyRow(label, tuple(_join_texts(_texts(each, [field.name])) for each in characters))


def boxes_of(row: SheetRow) -> Sequence[Field]:
    """The boxes of a row that everybody has on the blank sheet."""
    return [field for field in row.box_fields if not field.optional]


def boxes_text(row: SheetRow, filled: FilledValues | None) -> str:
    """The boxes of a row: for a character with some ticked, else as on the blank sheet."""
    if filled is None:
        return FREE * len(boxes_of(row))
    if row.boxes is None:
        return "".join(TICKED if field.name in filled.texts else FREE for field in boxes_of(row))
    key = row.key
    ticked = int(filled.character.values.get(key, 0))
    return TICKED * ticked + FREE * (filled.boxes.get(key, 0) - ticked)


def _join_texts(texts: Iterable[str]) -> str:
    return " ".join(filter(None, texts))


def _list_rows(part: SheetPart, pattern: SheetRow, characters: Sequence[FilledValues]) -> Iterator[PartyRow]:
    """A row for each entry that several characters share; below, line by line, the other entries of each."""
    first, *others = pattern.fields
    shown = [field.id for field in others if field.kind in _SHOWN]
    if not shown or first.kind in _SHOWN:
        return
    have = [dict(_list_entries(part, first.id, shown, each)) for each in characters]
    count = Counter(name for entries in have for name in entries)
    shared = [name for name, times in count.items() if times > 1]
    for name in shared:
        yield PartyRow(name, tuple(entries[name] or TICK if name in entries else "" for entries in have))
    besides = (
        [f"{name}: {values}" if values else name for name, values in entries.items() if count[name] == 1]
        for entries in have
    )
    for number, cells in enumerate(zip_longest(*besides, fillvalue="")):
        yield PartyRow("Others" if shared and not number else "", cells)


def _list_entries(part: SheetPart, named: str, shown: Sequence[str], filled: FilledValues) -> Iterator[tuple[str, str]]:
    """The lines of a character's list: the name of each, and its values."""
    for number in range(1, filled.lines.get(part.id, 0) + 1):
        base = f"{part.id}.{number}."
        if name := filled.texts.get(base + named):
            yield name, ", ".join(_texts(filled, [base + field_id for field_id in shown]))


def _texts(filled: FilledValues, names: Iterable[str]) -> Sequence[str]:
    return [text for name in names if (text := filled.texts.get(name))]


def labelled_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> TableBlock:
    """A table whose first column labels its rows; the other columns share the rest of the width."""
    shares = [LABEL_SHARE, *[(100 - LABEL_SHARE) / (len(heads) - 1)] * (len(heads) - 1)]
    columns = [ShownColumn(head, "", "start", share) for head, share in zip(heads, shares, strict=True)]
    return text_table(title, columns, rows)


def party_tables(names: Sequence[str], parts: Sequence[PartyPart], first: int, end: int) -> Iterator[TableBlock]:
    """A table for each part of the sheet with values of the characters from ``first`` to before ``end``."""
    for part in (each.of(first, end) for each in parts):
        if part.rows:
            yield labelled_table(part.title, ["", *names[first:end]], [[row.label, *row.cells] for row in part.rows])


def even_groups(count: int, most: int) -> Iterator[tuple[int, int]]:
    """The first and end of each group, in as few groups of at most ``most`` as possible, all about equally large."""
    groups = -(-count // most)
    ends = [count * number // max(groups, 1) for number in range(groups + 1)]
    return pairwise(ends)
