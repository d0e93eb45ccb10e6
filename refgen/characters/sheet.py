"""A character sheet as data: pages of parts, parts of rows, rows of fields, blank or filled.

The name of a field is unique on the sheet and is the key of its value in files of characters ("wind-weather" for "Wind
& weather"); the label says what to write. Places and type sizes are no part of these data: they belong to aids/sheet.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from refgen.blocks.block import Block
from refgen.notation.figures import Rounding
from refgen.span import Span


def slug(text: str) -> str:
    """A text as a part of the name of a field: lower-case words joined by hyphens, letters without accents."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    words = "".join(character if character.isalnum() else " " for character in plain.lower()).split()
    return "-".join(words)


NUMBER = "#"
"""The sign for the number of a line, in the names and labels of the pattern of a list."""

AGAIN = "@"
"""The sign in the name of a field that repeats the value of another field, before the number of its page."""


class FieldKind(StrEnum):
    """How a field is filled in; a ``COMPUTED`` field follows from other fields.

    The kind decides how a value is read (characters/validation.py), how wide the field is (aids/sheet/parts.py), the
    entries of the field in PDFs (aids/sheet/form_fields.py), and the control in HTML (templates/_parts/fields.html).
    """

    TEXT = "text"
    NUMBER = "number"
    AREA = "area"
    CHOICE = "choice"
    BOX = "box"
    COMPUTED = "computed"


@dataclass(frozen=True, slots=True)
class Domain:
    """The source of the words of a choice: a ``ladder``, a column ``of`` a table, or the fields of a ``part``."""

    ladder: str = ""
    of: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """How a computed field follows from others: its ``formula``, and how the exact number is shown.

    ``places`` are its decimals: none by default, or those of a percentage that the document prints, which has no more
    than ``places``. ``let`` are the formulas with a name that it may mention.
    """

    formula: str
    show: str = "number"
    ladder: str = ""
    places: int | None = None
    rounding: Rounding = Rounding.HALF_UP
    unit: str = ""
    let: tuple[tuple[str, str], ...] = ()

    def decimals(self, printed: int | None = None) -> int:
        """The decimals of the number, which the document prints with so many (``printed``) if it prints the number."""
        if printed is None:
            return self.places or 0
        return printed if self.places is None else min(printed, self.places)


@dataclass(frozen=True, slots=True)
class Field:
    """A place to write, with a ``label``, words to choose from (``choices``) and a height in ``lines``.

    Formulas of the same row call the field by its ``id``. On a filled sheet ``value`` is its text and ``exact`` its
    unrounded number; a ticked box has the value ``TICKED``. An ``optional`` box is on the blank sheet and on the sheets
    of some characters; elsewhere it is ``absent``. ``width`` is in em (0: as wide as its words need).
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

    def repeated_on(self, page: int) -> Field:
        """The field that repeats the value of this one on another page."""
        return replace(self, name=f"{self.name}{AGAIN}{page}")

    def numbered(self, number: int) -> Field:
        """The field of a list's pattern as it stands in the line with that number."""
        name, label = (text.replace(NUMBER, str(number)) for text in (self.name, self.label))
        return replace(self, name=name, label=label)


TICKED = "×"
"""The value of a box that is ticked."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """The source of the number of boxes in a row: a kind of box (``place``, from 1) of a track, or a formula.

    ``level`` is a formula for the level that the track goes by, "" for a track that is the same for all.
    """

    track: str = ""
    level: str = ""
    place: int = 0
    formula: str = ""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of a part: a printed label ("" for none), fields, and a note in small print.

    The row of a track has ``boxes``. A row that stands for the row of a table has the number of that row as ``entry``.
    """

    label: str
    fields: tuple[Field, ...]
    note: str = ""
    boxes: Boxes | None = None
    entry: int | None = None

    @property
    def key(self) -> str:
        """The beginning that the names of its fields share: "wounds.hurt"."""
        return self.fields[-1].name.rpartition(".")[0]

    @property
    def box_fields(self) -> Sequence[Field]:
        """The fields of the row that are boxes to tick."""
        return [field for field in self.fields if field.kind is FieldKind.BOX]


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A part of the sheet: rows, with ``heads`` over the fields of the rows.

    ``layout`` is fields, rows, lines, tracks, area or block. A list has a ``pattern`` for its lines, of which there are
    at least ``least``; a list that ``stretches`` has as many as the page has room for. ``of`` is the table column that
    the rows stand for. ``id`` is the key of the part in files of characters: "attributes", or "armies.2" for a part
    that repeats. A ``wide`` part is as wide as the page; ``columns`` is the number of columns of its lines (0: as many
    as suit). ``place`` is the place of the part in sheet.toml.
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
    def is_computed(self) -> bool:
        """Whether the part is a block of computed figures."""
        return self.block is not None and bool(self.block.tag)

    @property
    def has_heads(self) -> bool:
        """Whether any field of the lines has a head."""
        return any(self.heads)

    def with_lines(self, count: int) -> SheetPart:
        """The list with ``count`` lines, of which the first are its own."""
        if self.pattern is None:
            return self
        more = (self.line(number) for number in range(len(self.rows) + 1, count + 1))
        return replace(self, rows=(*self.rows[:count], *more))

    def line(self, number: int) -> SheetRow:
        """The line of a list with a ``number``, counted from 1."""
        if self.pattern is None:
            raise ValueError(f"{self.id} is no list")
        fields = tuple(field.numbered(number) for field in self.pattern.fields)
        return replace(self.pattern, label=str(number) if self.numbered else "", fields=fields)


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A page: parts in reading order. A page that ``flows`` may take several pages of paper."""

    parts: tuple[SheetPart, ...]
    flows: bool = False


@dataclass(frozen=True, slots=True)
class TurnOrder:
    """The order in which characters act: by the field ``key``, highest first, plus ``dice`` ("" for no dice)."""

    key: str
    dice: str = ""


@dataclass(frozen=True, slots=True)
class CharacterSheet:
    """A whole sheet, page by page; ``character`` is the name of its character, "" for a blank sheet.

    ``order`` is the order in which several characters act. ``calculates``: viewers of PDFs update the computed fields.
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

    @property
    def is_computed(self) -> bool:
        """Whether a part is a block of computed figures."""
        return any(part.is_computed for part in self.parts())

    def fields(self) -> Iterator[Field]:
        """Every field, in reading order."""
        for part in self.parts():
            for row in part.rows:
                yield from row.fields
