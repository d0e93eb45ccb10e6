"""The schema of sheet.toml: which parts a sheet has, what is written in their fields, and what is computed.

Words may name facts in braces, as on panels; formulas are those of system.toml over the character's own values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from refgen.blocks.kinds import BlockEntry, BlockSpec
from refgen.characters.sheet import slug
from refgen.game import GameModel
from refgen.notation.figures import Rounding
from refgen.rules.field_types import FormulaText, Identifier, RolledText
from refgen.rules.toml import Strict, text_or_table
from refgen.words import Words

MOST_LINES = 60
"""The most lines of a part: more than a page has."""


class FieldSpec(Strict):
    """A place to write, called ``label`` on the sheet, and ``id`` in formulas and files of characters.

    Its value is a level of a ``ladder``, a row of a table (``of``, "table.column"), a field of another part (``part``),
    or one of some words (``choices``); else ``type`` says what is written. A row of a table brings the other columns
    along ("{type.force}"), a field of a part its value. ``value`` is a formula over the values of the character, which
    fills the field; ``show`` is the format of its result: "text" is a single name as printed, "yes" a condition that is
    met. ``places`` are its decimals (default: none, or those that the document prints of a percentage, which has no
    more than ``places``). ``unit`` stands behind. ``width`` is in ems; by default as wide as the words need, or the
    rest of the line for text.
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
    places: int | None = Field(None, ge=0, le=6)
    rounding: Rounding | None = None
    unit: str = ""
    lines: int = Field(1, ge=1, le=MOST_LINES)
    width: int = Field(0, ge=0, le=100)

    @property
    def key(self) -> str:
        """The name of the field in formulas and files of characters."""
        return self.id or slug(self.label)

    @model_validator(mode="after")
    def _check_source(self) -> Self:
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
        if self.unit and not self.value:
            raise ValueError("`unit` is for a field with a `value`")
        if self.show == "level" and not self.ladder:
            raise ValueError('show = "level" needs a `ladder`')
        return self


FieldEntry = Annotated[
    Annotated[str, Field(min_length=1), Tag("text")] | Annotated[FieldSpec, Tag("table")], Discriminator(text_or_table)
]
"""A field, or its label alone."""


class TrackRowsSpec(Strict):
    """Rows of boxes to tick: the boxes of a ``track`` of system.toml, or a row called ``label`` with so many ``boxes``.

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
    def _check_boxes(self) -> Self:
        if (self.track is None) == (not self.boxes):
            raise ValueError("a track has either `track`, or `label` and `boxes`")
        if self.boxes and not self.label:
            raise ValueError("boxes have a `label`")
        return self


TrackEntry = Annotated[
    Annotated[Identifier, Tag("text")] | Annotated[TrackRowsSpec, Tag("table")], Discriminator(text_or_table)
]
"""Rows of boxes, or the name of a track of system.toml."""


PART_KINDS = ("fields", "rows", "lines", "tracks", "area", "block")
"""The keys of a part of which it has exactly one."""


class PartSpec(Strict):
    """A part of a sheet, of one of six kinds.

    fields: a labelled field for each entry; with ``repeat`` so many parts of these fields, numbered. rows: a line for
    each row of a table's column ("table.column"), with the fields in ``inputs``. lines: a list with so many lines or
    more, as the page has room (``exactly`` so many: no more), each with ``inputs``; ``numbered`` lines have their
    number. tracks: boxes to tick. area: lines of free writing, or more. block: a block of panels, for reference.

    ``ladder`` is the ladder of all fields that are mere names; ``let`` are named formulas, for the formulas of its
    fields. ``wide`` parts take the full width of the page, above or below its columns; ``columns`` is the number of
    columns of the lines of the part, by default as many as fit.
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
    block: BlockEntry | None = None
    columns: int = Field(0, ge=0, le=4)
    note: str = ""

    @property
    def key(self) -> str:
        """The name of the part in files of characters."""
        return self.id or slug(self.title)

    @property
    def layout(self) -> str:
        """The kind of the part: the key that it has of the six."""
        return next(kind for kind in PART_KINDS if getattr(self, kind))

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        given = [name for name in PART_KINDS if getattr(self, name)]
        if len(given) != 1:
            raise ValueError(f"a part has one of {', '.join(PART_KINDS)}; this one has {', '.join(given) or 'none'}")
        if self.inputs and given[0] not in ("rows", "lines"):
            raise ValueError("`inputs` are for rows and lines")
        if self.repeat and not self.fields:
            raise ValueError("`repeat` is for fields")
        return self


class PageSpec(Strict):
    """A page of a sheet: parts in reading order."""

    parts: list[PartSpec]


class ListSpec(Strict):
    """A list of the short form: blank lines, or a line for each of some ``names``.

    ``of`` takes the names from the column of a table ("table.column"). Each line has a level of the ``ladder``, or a
    number (``type``); a line with a name has one of these in any case.
    """

    title: str = Field(min_length=1)
    names: list[str] = []
    of: str = ""
    ladder: Identifier | None = None
    type: Literal["text", "number"] = "text"

    @model_validator(mode="after")
    def _check_lines(self) -> Self:
        if self.ladder and self.type != "text":
            raise ValueError("the lines of a list have a `ladder` or a `type`, not both")
        if self.names and self.of:
            raise ValueError("the lines of a list have `names`, or the names `of` a column, not both")
        return self


ListEntry = Annotated[
    Annotated[str, Field(min_length=1), Tag("text")] | Annotated[ListSpec, Tag("table")], Discriminator(text_or_table)
]
"""A list, or its title alone."""


class OrderSpec(Strict):
    """The order in which characters act: ``by`` the key of a field, highest first, plus ``dice`` that each rolls."""

    by: str
    dice: RolledText = ""


class SheetSpec(Strict):
    """A whole sheet.toml. ``rounding`` is that of computed values which do not name their own.

    With ``calculate``, computed fields of PDFs follow what is typed, in viewers that run their scripts.

    It has ``pages``; or ``parts``, which take as many pages as they need; or the short form, names for everything:
    ``who`` for fields of words, ``traits`` for levels of the ``ladder`` or for numbers, ``lists``, ``tracks``,
    ``notes`` for areas to write in, ``tables`` to be looked up.
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
    def _check_form(self) -> Self:
        short = any(getattr(self, name) for name in SHORT_FORM)
        given = [
            name for name, there in (("pages", self.pages), ("parts", self.parts), ("the short form", short)) if there
        ]
        if len(given) != 1:
            raise ValueError(
                f"a sheet has pages, or parts, or the short form; this one has {' and '.join(given) or 'none'}"
            )
        return self


SHORT_FORM = ("who", "traits", "lists", "tracks", "notes", "tables")
"""The keys of the short form, in the order in which their parts stand on the sheet."""

TomlPath = tuple[str | int, ...]

SHORT_FORM_LINES = 6
"""The least number of lines of a list or an area of the short form."""


@dataclass(frozen=True, slots=True)
class PagePlan:
    """A page of a sheet: parts in full, each with its path in sheet.toml. A page that ``flows`` may go on."""

    parts: Sequence[tuple[PartSpec, TomlPath]]
    flows: bool


def planned_pages(spec: SheetSpec, game: GameModel) -> list[PagePlan]:
    """The pages of a sheet in full, whichever form sheet.toml has. Raises an error for an unknown track or table."""
    if spec.pages:
        return [
            PagePlan([(part, ("pages", page, "parts", place)) for place, part in enumerate(one.parts)], flows=False)
            for page, one in enumerate(spec.pages)
        ]
    if spec.parts:
        return [PagePlan([(part, ("parts", place)) for place, part in enumerate(spec.parts)], flows=True)]
    return [PagePlan(list(_short_form_parts(spec, game)), flows=True)]


def _short_form_parts(spec: SheetSpec, game: GameModel) -> Iterator[tuple[PartSpec, TomlPath]]:
    words = game.words
    who = spec.who or [FieldSpec(label=words(name), id=name) for name in ("name", "player")]
    yield PartSpec(title=words("who"), id="who", wide=True, fields=who), ("who",)
    if spec.traits:
        traits = [_trait(entry, spec.ladder) for entry in spec.traits]
        yield PartSpec(title=words("traits"), id="traits", fields=traits), ("traits",)
    for entry in spec.tracks:
        yield PartSpec(title=_track_title(entry, game), tracks=[entry]), ("tracks",)
    for listed in spec.lists:
        yield _list_part(listed, words), ("lists",)
    for title in spec.notes:
        yield PartSpec(title=title, area=SHORT_FORM_LINES), ("notes",)
    for table in spec.tables:
        yield PartSpec(title=game.tables[table].title, block=BlockSpec(table=table)), ("tables",)


def _track_title(entry: TrackEntry, game: GameModel) -> str:
    """The title of a track of system.toml, or the label of boxes that a formula counts."""
    track = entry if isinstance(entry, str) else entry.track
    known = game.ruleset.spec.tracks
    if track in known:
        return known[track].title
    return str(track) if isinstance(entry, str) else entry.label


def _trait(entry: FieldEntry, ladder: str | None) -> FieldSpec:
    """The field of a trait: a mere name is a level of the ladder, or a number where there is no ladder."""
    if not isinstance(entry, str):
        return entry
    return FieldSpec(label=entry, ladder=ladder) if ladder else FieldSpec(label=entry, type="number")


def _list_part(entry: ListEntry, words: Words) -> PartSpec:
    spec = ListSpec(title=entry) if isinstance(entry, str) else entry
    if spec.names:
        return PartSpec(title=spec.title, fields=[_trait(name, spec.ladder) for name in spec.names])
    if not (spec.of or spec.ladder or spec.type == "number"):
        return PartSpec(title=spec.title, lines=SHORT_FORM_LINES)
    level = FieldSpec(label=words("number"), id="number", type="number")
    if spec.ladder:
        level = FieldSpec(label=words("level"), id="level", ladder=spec.ladder)
    if spec.of:
        return PartSpec(title=spec.title, rows=spec.of, ladder=spec.ladder, inputs=[] if spec.ladder else [level])
    return PartSpec(title=spec.title, lines=SHORT_FORM_LINES, inputs=[FieldSpec(label=words("name"), id="name"), level])
