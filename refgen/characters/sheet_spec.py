"""The schema of sheet.toml: which parts a sheet has, what is written in their fields, and what is computed.

Words may name facts in braces, as on panels; formulas are those of system.toml over the character's own values.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from refgen.blocks.kinds import BlockSpec
from refgen.notation.figures import Rounding
from refgen.rules.field_types import FormulaText, Identifier, RolledText
from refgen.rules.toml import Strict, text_or_table

MOST_LINES = 60
"""Lines that a part may ask for: more than a page has."""


class FieldSpec(Strict):
    """A place to write, called ``label``; formulas and files of characters call it by its ``id``.

    What is written there: a level of a ``ladder``, a row of a table (``of``, "table.column"), a field of another part
    (``part``), one of some words (``choices``); else what ``type`` says. A row of a table brings the other columns
    along ("{type.force}"), a field of a part its value. ``value`` is a formula over the character's values that fills
    the field; ``show`` says how its number is shown: "text" is a single name as it is printed, "yes" a
    condition that is met. ``unit`` stands behind.
    ``width`` is its width in ems; by itself it is as wide as its words need, and free text takes what is left.
    """

    label: str = Field(min_length=1)
    id: Identifier | None = None
    type: Literal["text", "number", "check", "notes"] = "text"
    ladder: Identifier | None = None
    of: str = ""
    part: Identifier | None = None
    choices: list[str] = []
    signed: bool = False
    value: FormulaText = ""
    show: Literal["number", "signed", "percent", "level", "text", "yes"] = "number"
    places: int = Field(0, ge=0, le=6)
    rounding: Rounding | None = None
    unit: str = ""
    lines: int = Field(1, ge=1, le=MOST_LINES)
    width: int = Field(0, ge=0, le=100)

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = [name for name in ("of", "part", "choices") if getattr(self, name)]
        if self.ladder and self.show != "level":
            given.append("ladder")
        if self.value:
            given.append("value")
        if len(given) > 1:
            raise ValueError(f"a field has one of ladder, of, part, choices, value; this one has {', '.join(given)}")
        if given and self.type != "text":
            raise ValueError(f'a field with {given[0]} has no type "{self.type}"')
        if self.show != "number" and not self.value:
            raise ValueError("`show` is for a field with a `value`")
        if self.show == "level" and not self.ladder:
            raise ValueError('show = "level" needs a `ladder`')
        return self


FieldEntry = Annotated[Annotated[str, Tag("text")] | Annotated[FieldSpec, Tag("table")], Discriminator(text_or_table)]
"""A field, or just what it is called."""


class TrackRowsSpec(Strict):
    """Rows of boxes to tick: those of a ``track`` of system.toml, or one called ``label`` with so many ``boxes``.

    ``level`` is a formula for the level whose track it is. ``most`` is how many boxes the blank sheet has, where
    ``boxes`` names what only the character knows. ``values`` of the track are shown beside its boxes.
    """

    track: Identifier | None = None
    level: FormulaText = ""
    values: list[Identifier] = []
    label: str = ""
    id: Identifier | None = None
    boxes: FormulaText = ""
    most: FormulaText = ""
    note: str = ""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.track is None) == (not self.boxes):
            raise ValueError("a track has either `track`, or `label` and `boxes`")
        if self.boxes and not self.label:
            raise ValueError("boxes have a `label`")
        return self


TrackEntry = Annotated[
    Annotated[str, Tag("text")] | Annotated[TrackRowsSpec, Tag("table")], Discriminator(text_or_table)
]
"""Rows of boxes, or the name of a track of system.toml."""


class PartSpec(Strict):
    """One part of a sheet; exactly one of the first six.

    fields: a labelled field for each entry; with ``repeat`` so many parts of these fields, numbered. rows: a line for
    each row of a table's column ("table.column"), with the fields in ``inputs``. lines: a list with so many lines or
    more, as the page has room (``exactly`` so many: no more), each with ``inputs``; ``numbered`` lines have their
    number. tracks: boxes to tick. area: lines of free writing, or more. block: what a panel could show, for reference.

    ``ladder`` is that of all fields that are mere names; ``let`` are formulas with a name, for those of its fields.
    ``wide`` parts take the full width of the page, above or below its columns; ``columns`` is in
    how many the lines of the part itself stand, where that is not to be found out.
    """

    title: str = Field(min_length=1)
    id: Identifier | None = None
    wide: bool = False
    fields: list[FieldEntry] = []
    repeat: int = Field(0, ge=0, le=12)
    rows: str = ""
    lines: int = Field(0, ge=0, le=MOST_LINES)
    exactly: bool = False
    numbered: bool = False
    inputs: list[FieldEntry] = []
    ladder: Identifier | None = None
    let: dict[Identifier, FormulaText] = {}
    tracks: list[TrackEntry] = []
    area: int = Field(0, ge=0, le=MOST_LINES)
    block: BlockSpec | None = None
    columns: int = Field(0, ge=0, le=4)
    note: str = ""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kinds = ("fields", "rows", "lines", "tracks", "area", "block")
        given = [name for name in kinds if getattr(self, name)]
        if len(given) != 1:
            raise ValueError(f"a part has one of {', '.join(kinds)}; this one has {', '.join(given) or 'none'}")
        if self.inputs and given[0] not in ("rows", "lines"):
            raise ValueError("`inputs` are for rows and lines")
        if self.repeat and not self.fields:
            raise ValueError("`repeat` is for fields")
        return self


class PageSpec(Strict):
    """One page of a sheet: its parts in the order in which they are read."""

    parts: list[PartSpec]


class ListSpec(Strict):
    """A list of the short form: with a ``ladder`` each line has a level."""

    title: str = Field(min_length=1)
    ladder: Identifier | None = None


ListEntry = Annotated[Annotated[str, Tag("text")] | Annotated[ListSpec, Tag("table")], Discriminator(text_or_table)]
"""A list, or just what it is called."""


class OrderSpec(Strict):
    """Who acts first: ``by`` a field (its key), highest first; who has ``dice`` rolls them and adds the field."""

    by: str
    dice: RolledText = ""


class SheetSpec(Strict):
    """A whole sheet.toml. ``rounding`` is that of computed values which do not name their own.

    With ``calculate``, computed fields of PDFs follow what is typed, in viewers that run their scripts.

    It has ``pages``; or ``parts``, which take as many pages as they need; or the short form, names for everything:
    ``who`` for fields of words, ``traits`` for levels of the ``ladder``, ``lists``, ``tracks``, ``notes`` for areas to
    write in, ``tables`` to be looked up.
    """

    title: str
    rounding: Rounding = Rounding.HALF_UP
    order: OrderSpec | None = None
    calculate: bool = False
    pages: list[PageSpec] = Field([], max_length=4)
    parts: list[PartSpec] = []
    who: list[FieldEntry] = []
    traits: list[FieldEntry] = []
    ladder: Identifier | None = None
    lists: list[ListEntry] = []
    tracks: list[TrackEntry] = []
    notes: list[str] = []
    tables: list[Identifier] = []

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        short = any(getattr(self, name) for name in SHORT_FORM)
        given = [
            name for name, there in (("pages", self.pages), ("parts", self.parts), ("the short form", short)) if there
        ]
        if len(given) != 1:
            raise ValueError(
                f"a sheet has pages, or parts, or the short form; this one has {' and '.join(given) or 'none'}"
            )
        if any(isinstance(trait, str) for trait in self.traits) and self.ladder is None:
            raise ValueError("`traits` are levels of a `ladder`: name it")
        return self


SHORT_FORM = ("who", "traits", "lists", "tracks", "notes", "tables")
"""The keys of the short form, in the order in which their parts stand on the sheet."""
