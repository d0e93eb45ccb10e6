"""Character sheets (of a society, where a system is played with societies).

In: a SheetSpec and a Game. Out: a CharacterSheet: pages of parts; every input has a name that is unique on
the sheet, and a label that says what to write there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from refgen.aids.blocks import Block, make_block, shares
from refgen.aids.load import load_aid_spec, placed
from refgen.aids.names import column_index
from refgen.aids.schema import PartSpec, SheetPageSpec, SheetSpec, TrackSpec
from refgen.aids.typeset import typeset
from refgen.aids.words import words
from refgen.errors import AidError
from refgen.game.game import Game
from refgen.notation.values import as_number

SPEC_NAME = "sheet.toml"
LABEL_WIDTH = 36
"""The share of a line that its label takes, in percent."""


class FieldKind(StrEnum):
    """What one does with a field."""

    TEXT = "text"
    AREA = "area"
    CHOICE = "choice"
    BOX = "box"


@dataclass(frozen=True, slots=True)
class Field:
    """A place to write: ``label`` says what; ``choices`` are the words to choose from, ``lines`` its height."""

    name: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    choices: tuple[str, ...] = ()
    lines: int = 1


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of a part: its printed label ("" for a blank one), its fields, and words in small print."""

    label: str
    fields: tuple[Field, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the sheet: its rows in one or more columns; ``heads`` stand over the fields of each.

    ``widths`` are those of the fields of a row, in percent; ``label_width`` that of a row's label.
    """

    title: str
    layout: str
    columns: tuple[tuple[SheetRow, ...], ...]
    heads: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()
    label_width: int = LABEL_WIDTH
    block: Block | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of a page: where it starts and how wide it is, in percent of the page, and its parts."""

    left: int
    width: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A page: the parts across its full width, and under them its columns."""

    head: tuple[Part, ...]
    columns: tuple[SheetColumn, ...]

    def parts(self) -> Iterator[Part]:
        """Every part, in reading order."""
        yield from self.head
        for column in self.columns:
            yield from column.parts


@dataclass(frozen=True, slots=True)
class CharacterSheet:
    """A whole sheet, page by page."""

    title: str
    pages: tuple[SheetPage, ...]

    @property
    def part_titles(self) -> tuple[str, ...]:
        """The names of the parts that must each fit: its pages."""
        return tuple(f"page {number}" for number in range(1, len(self.pages) + 1))

    def fields(self) -> Iterator[Field]:
        """Every field, in reading order."""
        for page in self.pages:
            for part in page.parts():
                for column in part.columns:
                    for row in column:
                        yield from row.fields


def make_sheet(folder: Path, game: Game) -> CharacterSheet:
    """Make the blank sheet of the system in ``folder``."""
    spec, source = load_aid_spec(folder, SPEC_NAME, SheetSpec)
    pages = []
    for number, page in enumerate(spec.pages):
        parts = []
        for position, part in enumerate(page.parts):
            with placed(source, "pages", number, "parts", position):
                parts.append(_part(game, part))
        pages.append(_page(page, parts))
    sheet = CharacterSheet(spec.title, tuple(pages))
    names = [field.name for field in sheet.fields()]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise AidError(f'two fields have the name "{twice[0]}"', hint="Give their parts different titles.")
    return sheet


def _page(spec: SheetPageSpec, parts: list[Part]) -> SheetPage:
    def at(column: int) -> tuple[Part, ...]:
        return tuple(part for part, place in zip(parts, spec.parts, strict=True) if place.column == column)

    widths = shares(spec.widths)
    return SheetPage(
        at(0), tuple(SheetColumn(left, width, at(number)) for number, (left, width) in enumerate(widths, start=1))
    )


def _part(game: Game, spec: PartSpec) -> Part:
    layout, rows = _rows(game, spec)
    return Part(
        words(game, spec.title),
        layout,
        tuple(_columns(rows, spec.columns)),
        tuple(spec.inputs) if layout in ("rows", "lines") else (),
        tuple(_input_widths(spec, labelled=layout == "rows")),
        block=make_block(game, spec.block, titled=False) if spec.block else None,
        note=words(game, spec.note),
    )


def _input_widths(spec: PartSpec, *, labelled: bool) -> Iterator[int]:
    """The widths of a line's inputs in percent of the line, of which a label takes its share first."""
    room = 100 - LABEL_WIDTH if labelled else 100
    for _, width in shares(spec.widths or [1] * len(spec.inputs)):
        yield width * room // 100


def _columns(rows: Sequence[SheetRow], count: int) -> Iterator[tuple[SheetRow, ...]]:
    """Rows dealt into columns, each filled before the next; the last may be shorter."""
    height = -(-len(rows) // count)
    for start in range(0, len(rows), max(height, 1)):
        yield tuple(rows[start : start + height])


def _rows(game: Game, spec: PartSpec) -> tuple[str, Sequence[SheetRow]]:
    base = slug(spec.title)
    if spec.fields:
        return "fields", [_labelled(game, spec, label, f"{base}.{slug(label)}") for label in spec.fields]
    if spec.rows:
        return "rows", [_inputs(game, spec, label, f"{base}.{slug(label)}") for label in _labels(game, spec.rows)]
    if spec.lines:
        return "lines", [_inputs(game, spec, "", f"{base}.{number}") for number in range(1, spec.lines + 1)]
    if spec.tracks:
        return "tracks", [_track(game, base, track) for track in spec.tracks]
    if spec.area:
        return "area", [SheetRow("", (Field(base, spec.title, FieldKind.AREA, lines=spec.area),))]
    return "block", []


def slug(text: str) -> str:
    """A text as a part of a field's name: lower-case words joined by hyphens."""
    words = "".join(character if character.isalnum() else " " for character in text.lower()).split()
    return "-".join(words)


def _labels(game: Game, path: str) -> list[str]:
    table_id, _, column = path.partition(".")
    table = game.tables[table_id]
    index = column_index(table, column)
    return [typeset(row[index].shown, row[index].value) for row in table.rows]


def _labelled(game: Game, spec: PartSpec, label: str, name: str) -> SheetRow:
    return SheetRow(label, (_field(game, spec, label, name, label),))


def _inputs(game: Game, spec: PartSpec, label: str, name: str) -> SheetRow:
    """A line with one field for each of the part's inputs (one field without a head when it names none)."""
    heads = spec.inputs or [label or spec.title]
    line = label or f"{spec.title} {name.rpartition('.')[2]}"
    fields = (
        _field(
            game,
            spec,
            head,
            f"{name}.{slug(head)}" if spec.inputs else name,
            f"{line}: {head}" if spec.inputs else line,
        )
        for head in heads
    )
    return SheetRow(label, tuple(fields))


def _field(game: Game, spec: PartSpec, head: str, name: str, label: str) -> Field:
    if head not in spec.choices:
        return Field(name, label)
    levels = game.ladders[spec.choices[head]].levels
    return Field(name, label, FieldKind.CHOICE, tuple(level.name for level in levels))


def _track(game: Game, base: str, spec: TrackSpec) -> SheetRow:
    fact = game.facts.get(spec.boxes)
    number = as_number(fact.value) if fact else None
    if number is None or number.denominator != 1 or not 1 <= number <= 40:
        raise AidError(f'"{spec.boxes}" is not a fact with a number of boxes')
    boxes = (
        Field(f"{base}.{slug(spec.label)}.{box}", f"{spec.label}, box {box}", FieldKind.BOX)
        for box in range(1, int(number) + 1)
    )
    return SheetRow(words(game, spec.label), tuple(boxes), words(game, spec.note))
