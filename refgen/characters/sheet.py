"""A character sheet as data: pages of parts, parts of rows, rows of fields, blank or filled.

Every field has a name that is unique on the sheet and is its key in files of characters ("Wind & weather" is
"wind-weather"), and a label that says what to write there. Nothing here says where a part stands or how large its type
is: that is the renderer's affair.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from refgen.blocks.block import Block
from refgen.notation.figures import Rounding
from refgen.span import Span


def slug(text: str) -> str:
    """A text as a part of a field's name: lower-case words joined by hyphens, letters without their accents."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    words = "".join(character if character.isalnum() else " " for character in plain.lower()).split()
    return "-".join(words)


NUMBER = "#"
"""What stands in the names and labels of a list's pattern for the number of the line."""

AGAIN = "@"
"""What stands in the name of a field that has the value of another once more, on a page whose number follows."""


class FieldKind(StrEnum):
    """How a field is filled in; a ``COMPUTED`` field follows from other fields."""

    TEXT = "text"
    NUMBER = "number"
    AREA = "area"
    CHOICE = "choice"
    BOX = "box"
    COMPUTED = "computed"


@dataclass(frozen=True, slots=True)
class Domain:
    """What a choice is chosen from: the levels of a ``ladder``, a column ``of`` a table, the fields of a ``part``."""

    ladder: str = ""
    of: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """How a computed field follows from others: its ``formula``, and how the exact number is shown.

    ``let`` are the formulas with a name that it may mention.
    """

    formula: str
    show: str = "number"
    ladder: str = ""
    places: int = 0
    rounding: Rounding = Rounding.HALF_UP
    unit: str = ""
    let: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A place to write: ``label`` says what; ``choices`` are the words to choose from, ``lines`` its height.

    ``id`` is what formulas of its own row call it. ``value`` is what stands there on a filled sheet, ``exact`` the
    unrounded number where it has one. A ticked box has the value ``TICKED``. An ``optional`` box is on the sheets of
    some characters only; on that of a character it is, or is ``absent``. ``width`` is that of the field in em (0: by
    itself).
    """

    name: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    choices: tuple[str, ...] = ()
    lines: int = 1
    id: str = ""
    domain: Domain | None = None
    rule: Rule | None = None
    signed: bool = False
    width: int = 0
    value: str = ""
    exact: Fraction | None = None
    optional: bool = False
    absent: bool = False

    def again(self, page: int) -> Field:
        """The same on another page."""
        return replace(self, name=f"{self.name}{AGAIN}{page}")

    def numbered(self, number: int) -> Field:
        """The field of a list's pattern as it stands in the line with that number."""
        name, label = (text.replace(NUMBER, str(number)) for text in (self.name, self.label))
        return replace(self, name=name, label=label)


TICKED = "×"
"""The value of a box that is ticked."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """What says how many boxes a row has: a kind of box (``place``, from 1) on a track, or a formula.

    ``level`` is a formula for the level that the track goes by, "" for a track that is the same for all.
    """

    track: str = ""
    level: str = ""
    place: int = 0
    formula: str = ""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of a part: its printed label ("" for a blank one), its fields, and words in small print.

    The row of a track has ``boxes``; one that goes by the row of a table has the number of that as its ``entry``.
    """

    label: str
    fields: tuple[Field, ...]
    note: str = ""
    boxes: Boxes | None = None
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A part of the sheet: its rows; ``heads`` stand over the fields of each.

    ``layout`` is fields, rows, lines, tracks, area or block. A list has a ``pattern`` for each of its ``least`` lines
    or more; where it ``stretches``, it takes as many as there is room for. ``of`` is the column that its rows go by.
    ``id`` is its place in files of characters: "attributes", or "armies.2" for one that repeats. ``wide`` ones
    are as wide as the page; ``columns`` is in how many columns the lines stand (0: as many as suit). ``place`` is where
    sheet.toml describes it.
    """

    id: str
    title: str
    layout: str
    rows: tuple[SheetRow, ...] = ()
    heads: tuple[str, ...] = ()
    pattern: SheetRow | None = None
    least: int = 0
    stretches: bool = False
    numbered: bool = False
    of: str = ""
    block: Block | None = None
    note: str = ""
    wide: bool = False
    columns: int = 0
    place: Span | None = field(default=None, compare=False)

    @property
    def has_heads(self) -> bool:
        """Whether words stand over the fields of its lines."""
        return any(self.heads)

    def with_lines(self, count: int) -> SheetPart:
        """The list with ``count`` lines, of which the first are its own."""
        if self.pattern is None:
            return self
        more = (self.line(number) for number in range(len(self.rows) + 1, count + 1))
        return replace(self, rows=(*self.rows[:count], *more))

    def line(self, number: int) -> SheetRow:
        """One line of a list, counted from 1."""
        if self.pattern is None:
            raise ValueError(f"{self.id} is no list")
        fields = tuple(field.numbered(number) for field in self.pattern.fields)
        return replace(self.pattern, label=str(number) if self.numbered else "", fields=fields)


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A page: its parts in reading order. One that ``flows`` takes several pages of paper where it needs them."""

    parts: tuple[SheetPart, ...]
    flows: bool = False


@dataclass(frozen=True, slots=True)
class TurnOrder:
    """Who of several characters acts first: by the field ``key``, highest first, with ``dice`` or without ("")."""

    key: str
    dice: str = ""


@dataclass(frozen=True, slots=True)
class CharacterSheet:
    """A whole sheet, page by page; ``character`` is whose it is, "" for a blank one.

    ``order`` is that of several characters. ``calculates``: computed fields do so in viewers of PDFs.
    """

    title: str
    pages: tuple[SheetPage, ...]
    character: str = ""
    order: TurnOrder | None = None
    calculates: bool = False

    @property
    def name_key(self) -> str:
        """The key of the name: the first field with the id "name" that is in no list, else the first of all."""
        single = (part for part in self.parts() if part.pattern is None and "." not in part.id)
        written = [field.name for part in single for row in part.rows for field in row.fields if field.rule is None]
        return next((name for name in written if name.rpartition(".")[2] == "name"), next(iter(written), ""))

    def parts(self) -> Iterator[SheetPart]:
        """Every part, in reading order."""
        for page in self.pages:
            yield from page.parts

    def fields(self) -> Iterator[Field]:
        """Every field, in reading order."""
        for part in self.parts():
            for row in part.rows:
                yield from row.fields
