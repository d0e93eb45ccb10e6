"""A character, the shape of the files that hold characters, and a blank file to begin a character with.

In: a CharacterSheet. Out: the shape of its characters: a tree of tables, lists and leaves, a leaf for each field. Files
are checked by the tree, described by a JSON Schema (validation.py), and begun: a TOML file with every field, blank, and
with comments on the values that it takes, which reads as a character with nothing but a name.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from textwrap import wrap

from refgen.characters.sheet import NUMBER, CharacterSheet, Field, FieldKind, SheetPart, SheetRow, slug
from refgen.errors import AidError
from refgen.span import Span
from refgen.words import Words

ValuePath = tuple[str | int, ...]
"""The keys and list indices that lead to a value in a file."""

WrittenValue = str | int | Fraction | bool
"""The value of a field: words, an exact number, or True for a ticked box."""

_NO_FILE_NAME = re.compile(r"[/\\:]|^\.+|\.+$")
"""The parts that a name must not have, since files are named by it."""


@dataclass(frozen=True, slots=True)
class Character:
    """A character: ``values`` by the keys of their fields ("attributes.health", "skills.2.level").

    The value of a row of a track is the number of its ticked boxes. ``place`` is the place of the character in its
    file.
    """

    name: str
    values: Mapping[str, WrittenValue]
    place: Span | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Character {self.name}: {len(self.values)} values>"

    @property
    def file_name(self) -> str:
        """The name as a file name that every file system takes, without suffix."""
        return slug(self.name) or "character"


def name_fault(name: str) -> str:
    """The fault of a name by which no file can be called; "" for no fault."""
    if found := _NO_FILE_NAME.search(name):
        return f'the name "{name[:40]}" has "{found[0]}"{" at an end" if found[0][0] == "." else ""}'
    return "a name of more than 200 letters" if len(name) > 200 else ""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The value of a field, by its ``key``; for a row of a track with so many ``boxes``, the number of ticked boxes."""

    key: str
    field: Field
    boxes: int = 0

    @property
    def title(self) -> str:
        """The label of the field."""
        return self.field.label


@dataclass(frozen=True, slots=True)
class RecordShape:
    """A table of named values. For a ``line`` of a list, its first value alone may be written in place of the table."""

    title: str
    entries: Mapping[str, Shape]
    note: str = ""
    line: bool = False


@dataclass(frozen=True, slots=True)
class ListShape:
    """A list of entries of one shape; at most ``most`` entries, where there is a limit."""

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
        shape = _part_shape(part)
        if shape is not None:
            entries[base] = _repeated_list(part, shape, int(number)) if number else shape
    return RecordShape(sheet.title, entries)


def _repeated_list(part: SheetPart, shape: Shape, number: int) -> ListShape:
    """The list of the parts that repeat up to this ``number``; the keys of its fields hold for each of the parts."""
    if not isinstance(shape, RecordShape):
        raise TypeError(f"{part.id} repeats, and has no fields")
    pattern = f"{part.id.partition('.')[0]}.{NUMBER}."
    entries = {
        name: replace(leaf, key=leaf.key.replace(f"{part.id}.", pattern, 1))
        for name, leaf in shape.entries.items()
        if isinstance(leaf, Leaf)
    }
    return ListShape(part.title.removesuffix(f" {number}"), replace(shape, entries=entries), number)


def _part_shape(part: SheetPart) -> Shape | None:
    """The shape of the values of a part; None for a part without fields."""
    if part.layout == "block":
        return None
    if part.layout == "area":
        return _leaf(part.rows[0].fields[0])
    if part.pattern is not None:
        entry = _line_shape(part.pattern, f"{part.id}.{NUMBER}", part.title)
        return ListShape(part.title, entry, None if part.stretches else part.least, part.note)
    if part.layout == "tracks":
        entries: Mapping[str, Shape] = {_last_part(row.key): _boxes(row) for row in part.rows}
    elif part.layout == "rows" and not part.heads:
        entries = {_last_part(row.fields[0].name): _leaf(row.fields[0]) for row in part.rows}
    elif part.layout == "rows":
        entries = {_last_part(row.key): _line_shape(row, row.key, row.label) for row in part.rows}
    else:
        entries = {row.fields[0].id: _leaf(row.fields[0]) for row in part.rows}
    return RecordShape(part.title, _fillable(entries), part.note)


def _line_shape(row: SheetRow, base: str, title: str) -> Leaf | RecordShape:
    """The shape of a line: a leaf for a single field, else a record of the fields."""
    if len(row.fields) == 1 and row.fields[0].name == base:
        return _leaf(row.fields[0])
    return RecordShape(title, _fillable({field.id: _leaf(field) for field in row.fields}), line=True)


def _fillable(entries: Mapping[str, Shape]) -> Mapping[str, Shape]:
    """The entries that people fill in: no computed fields, and no records of computed fields alone."""
    return {
        name: shape
        for name, shape in entries.items()
        if not (isinstance(shape, Leaf) and shape.field.kind is FieldKind.COMPUTED)
        and not (isinstance(shape, RecordShape) and not shape.entries)
    }


def _leaf(field: Field) -> Leaf:
    return Leaf(field.name, field)


def _boxes(row: SheetRow) -> Leaf:
    boxes = row.box_fields
    return Leaf(row.key, replace(boxes[0], label=row.label), len(boxes))


def _last_part(name: str) -> str:
    return name.rpartition(".")[2]


def leaves(shape: Shape) -> Sequence[Leaf]:
    """Every leaf, in reading order."""
    if isinstance(shape, Leaf):
        return [shape]
    inner = shape.entries.values() if isinstance(shape, RecordShape) else [shape.entry]
    return [leaf for each in inner for leaf in leaves(each)]


COMMENT_WIDTH = 100
"""The most letters in a line of comment of a blank file."""


def blank_path(name: str, place: Path) -> Path:
    """The path of the blank file of a character: in the folder ``place``, or ``place`` itself if that ends in .toml.

    Raises AidError for a bad name, and for a file that exists.
    """
    if fault := "a character without a name" if not name.strip() else name_fault(name):
        raise AidError(fault, hint="Its file is named by it.")
    path = place if place.suffix == ".toml" else place / f"{slug(name) or 'character'}.toml"
    if os.path.lexists(path):
        raise AidError(f"{path} is there already", hint="Take another name, or move that file.")
    return path


def blank_file(game_title: str, sheet: CharacterSheet, name: str, words: Words) -> str:
    """The text of the blank file of a character called ``name``, with comments in some words."""
    lines = [*_comment(words("file-about", game=game_title, sheet=sheet.title)), *_comment(words("file-computed"))]
    with_header: list[str] = []  # after all keys without a header: below a header they would be its own
    for key, shape in shape_of(sheet).entries.items():
        match shape:
            case Leaf():
                lines += ["", *_comment(f"{shape.title}."), _assignment(key, shape)]
            case ListShape(entry=Leaf() as leaf):
                lines += ["", *_heading(shape, words), *_values_comment(leaf, words), f"{_toml_key(key)} = []"]
            case ListShape(entry=RecordShape() as record):
                again = _comment(words("file-again"))
                with_header += ["", *_heading(shape, words), *again, f"[[{_toml_key(key)}]]"]
                with_header += _entries(record, words)
            case RecordShape():
                columns = _columns_comment(shape, words)
                with_header += ["", *_heading(shape, words), *columns, f"[{_toml_key(key)}]"]
                with_header += _entries(shape, words, {sheet.name_key: name})
    return "\n".join([*lines, *with_header]) + "\n"


def _heading(shape: RecordShape | ListShape, words: Words) -> Iterator[str]:
    limit = shape.most if isinstance(shape, ListShape) else None
    most = "" if limit is None else words("file-at-most", number=limit)
    return _comment(" ".join(filter(None, [f"{shape.title}.", most, shape.note])))


def _columns_comment(record: RecordShape, words: Words) -> Iterator[str]:
    """Comments on the fields of rows with several fields."""
    inner = [entry for entry in record.entries.values() if isinstance(entry, RecordShape)]
    fields = {leaf.title.rpartition(": ")[2]: leaf for leaf in (leaves(inner[0]) if inner else ())}
    if fields:
        yield from _comment(words("file-of-each", fields=", ".join(fields)))
        for title, leaf in fields.items():
            yield from _values_comment(leaf, words, title)


def _entries(record: RecordShape, words: Words, known: Mapping[str, str] | None = None) -> Iterator[str]:
    """An assignment for each entry, blank but for the ``known`` values; a comment says once which values are taken."""
    comment: Sequence[str] = ()
    for key, entry in record.entries.items():
        if isinstance(entry, Leaf):
            before, comment = comment, list(_values_comment(entry, words))
            if comment != list(before):
                yield from comment
            yield _assignment(key, entry, (known or {}).get(entry.key, ""))
        elif isinstance(entry, RecordShape):
            fields = [_assignment(name, leaf) for name, leaf in entry.entries.items() if isinstance(leaf, Leaf)]
            yield f"{_toml_key(key)} = {{ {', '.join(fields)} }}"


def _assignment(key: str, leaf: Leaf, value: str = "") -> str:
    return f"{_toml_key(key)} = {_toml_value(leaf, value)}"


def _toml_value(leaf: Leaf, value: str = "") -> str:
    if leaf.boxes:
        return "0"
    if leaf.field.kind is FieldKind.BOX:
        return "false"
    if leaf.field.kind is FieldKind.AREA and not value:
        return '""""""'
    return json.dumps(value, ensure_ascii=False)


def _toml_key(key: str) -> str:
    return key if key.replace("-", "").isascii() else json.dumps(key, ensure_ascii=False)


def _values_comment(leaf: Leaf, words: Words, title: str = "") -> Iterator[str]:
    """A comment on the values that a field takes."""
    before = f"{title}: " if title else ""
    if leaf.boxes:
        yield from _comment(f"{before}{words('file-ticked')}")
    elif leaf.field.choices:
        yield from _comment(f"{before}{', '.join(leaf.field.choices)}.")
    elif leaf.field.kind is FieldKind.NUMBER and title:
        yield from _comment(f"{before}{words('file-number')}")


def _comment(text: str) -> Iterator[str]:
    yield from wrap(text, COMMENT_WIDTH, initial_indent="# ", subsequent_indent="# ")
