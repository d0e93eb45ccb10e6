"""A character as it was read, and the shape of the files that hold characters.

In: a CharacterSheet, or the words of a file. Out: a tree of what a character may hold: records of named things, lists,
and at its leaves what is written in a field (files are read, described by a JSON Schema and begun by the tree); and a
Character, whose values are by the keys of their fields ("attributes.health", "skills.2.level"): words, exact numbers,
True for a ticked box, and for a row of a track how many boxes are ticked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from refgen.characters.sheet import NUMBER, CharacterSheet, Field, FieldKind, SheetPart, SheetRow, slug
from refgen.span import Span

Path = tuple[str | int, ...]

Written = str | int | Fraction | bool
"""What is written in a field."""


@dataclass(frozen=True, slots=True)
class Character:
    """A character: ``values`` by the keys of their fields; ``place`` is where it stands in its file."""

    name: str
    values: Mapping[str, Written]
    place: Span | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Character {self.name}: {len(self.values)} values>"

    @property
    def file_name(self) -> str:
        """The name as one that every file system takes, without suffix."""
        return slug(self.name) or "character"


@dataclass(frozen=True, slots=True)
class Leaf:
    """What is written in a field, by its ``key``; of a row of so many ``boxes``, how many are ticked."""

    key: str
    field: Field
    boxes: int = 0

    @property
    def title(self) -> str:
        """What is asked for."""
        return self.field.label


@dataclass(frozen=True, slots=True)
class RecordShape:
    """Named things. A ``line`` may be written as its first one alone."""

    title: str
    entries: Mapping[str, Shape]
    note: str = ""
    line: bool = False


@dataclass(frozen=True, slots=True)
class ListShape:
    """Things of one kind, one after the other; no more than ``most`` of them, where there is a limit."""

    title: str
    entry: Leaf | RecordShape
    most: int | None = None
    note: str = ""


Shape = Leaf | RecordShape | ListShape


def shape_of(sheet: CharacterSheet) -> RecordShape:
    """The shape of the characters of a sheet."""
    entries: dict[str, Shape] = {}
    for part in sheet.parts():
        base, _, number = part.id.partition(".")
        shape = _part(part)
        if shape is None:
            continue
        if number:
            entries[base] = _repeated(part, shape, int(number))
        else:
            entries[base] = shape
    return RecordShape(sheet.title, entries)


def _repeated(part: SheetPart, shape: Shape, number: int) -> ListShape:
    """The list of parts that repeat, which is as long as its last one says."""
    if not isinstance(shape, RecordShape):
        raise TypeError(f"{part.id} repeats, and has no fields")
    return ListShape(part.title.removesuffix(f" {number}"), _patterned(shape, part.id), number)


def _patterned(record: RecordShape, base: str) -> RecordShape:
    """The fields of one of several numbered parts, with names that hold for each of the parts."""
    pattern = f"{base.partition('.')[0]}.{NUMBER}."
    entries = {
        name: replace(leaf, key=leaf.key.replace(f"{base}.", pattern, 1))
        for name, leaf in record.entries.items()
        if isinstance(leaf, Leaf)
    }
    return replace(record, entries=entries)


def _part(part: SheetPart) -> Shape | None:
    """What a part takes; None for one that takes nothing."""
    if part.layout == "block":
        return None
    if part.layout == "area":
        return _leaf(part.rows[0].fields[0])
    if part.pattern is not None:
        entry = _line(part.pattern, f"{part.id}.{NUMBER}", part.title)
        return ListShape(part.title, entry, None if part.stretches else part.least, part.note)
    if part.layout == "tracks":
        entries: Mapping[str, Shape] = {_last(_base(row)): _boxes(row) for row in part.rows}
    elif part.layout == "rows" and not part.heads:
        entries = {_last(row.fields[0].name): _leaf(row.fields[0]) for row in part.rows}
    elif part.layout == "rows":
        entries = {_last(_base(row)): _line(row, _base(row), row.label) for row in part.rows}
    else:
        entries = {row.fields[0].id: _leaf(row.fields[0]) for row in part.rows}
    return RecordShape(part.title, _written(entries), part.note)


def _line(row: SheetRow, base: str, title: str) -> Leaf | RecordShape:
    """The shape of a line: a leaf for a single field, else a record of the fields."""
    if len(row.fields) == 1 and row.fields[0].name == base:
        return _leaf(row.fields[0])
    return RecordShape(title, _written({field.id: _leaf(field) for field in row.fields}), line=True)


def _written(entries: Mapping[str, Shape]) -> Mapping[str, Shape]:
    """The entries that people fill in, without computed ones."""
    return {name: shape for name, shape in entries.items() if not _is_computed(shape)}


def _is_computed(shape: Shape) -> bool:
    if isinstance(shape, Leaf):
        return shape.field.kind is FieldKind.COMPUTED
    return isinstance(shape, RecordShape) and not shape.entries


def _leaf(field: Field) -> Leaf:
    return Leaf(field.name, field)


def _boxes(row: SheetRow) -> Leaf:
    boxes = [field for field in row.fields if field.kind is FieldKind.BOX]
    return Leaf(_base(row), replace(boxes[0], label=row.label), len(boxes))


def _base(row: SheetRow) -> str:
    """What the names of a row's fields have in common."""
    return row.fields[-1].name.rpartition(".")[0]


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def leaves(shape: Shape) -> Sequence[Leaf]:
    """Every leaf, in reading order."""
    if isinstance(shape, Leaf):
        return [shape]
    inner = shape.entries.values() if isinstance(shape, RecordShape) else [shape.entry]
    return [leaf for each in inner for leaf in leaves(each)]
