"""A file to begin a character with: every field of its sheet, blank, with what may stand there.

In: a Form and a name. Out: TOML with comments. It reads as a character with nothing but a name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

from refgen.characters.character import Leaf, ListShape, RecordShape, Shape
from refgen.characters.check import name_fault
from refgen.characters.form import Form
from refgen.characters.sheet import FieldKind, slug
from refgen.errors import AidError

WIDTH = 100
"""Letters of a line of comment."""


def begin_file(form: Form, name: str, place: Path) -> Path:
    """Write the file of a new character: into the folder ``place``, or as the file ``place`` where that ends in .toml.

    Raises AidError for a bad name, and for one that is taken.
    """
    if fault := "a character without a name" if not name.strip() else name_fault(name):
        raise AidError(fault, hint="Its file is named by it.")
    path = place if place.suffix == ".toml" else place / f"{slug(name) or 'character'}.toml"
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(blank_file(form, name))
    except FileExistsError as error:
        raise AidError(f"{path} is there already", hint="Take another name, or move that file.") from error
    except OSError as error:
        raise AidError(
            f"cannot write {path}: {(error.strerror or str(error)).lower()}", hint="Choose another place with -o."
        ) from error
    return path


def blank_file(form: Form, name: str) -> str:
    """The file of a character of that name."""
    head = [
        f"{form.game.title}: {form.sheet.title}. Fill in what you know; what is blank, or taken out, stays blank.",
        "What follows from other values is worked out, and has no place here.",
    ]
    lines = [*(comment for line in head for comment in _comment(line))]
    shapes = form.shape.entries
    for key, shape in shapes.items():  # before the first header, which would have them
        if _is_loose(shape):
            lines += ["", *_loose(key, shape)]
    for key, shape in shapes.items():
        if not _is_loose(shape) and not isinstance(shape, Leaf):
            lines += ["", *_part(key, shape, form, name)]
    return "\n".join(lines) + "\n"


def _is_loose(shape: Shape) -> bool:
    """Whether it is written without a header of its own."""
    return isinstance(shape, Leaf) or (isinstance(shape, ListShape) and isinstance(shape.entry, Leaf))


def _loose(key: str, shape: Shape) -> Iterator[str]:
    if isinstance(shape, Leaf):
        yield from _comment(f"{shape.title}.")
        yield _line(key, shape, "")
    elif isinstance(shape, ListShape) and isinstance(shape.entry, Leaf):
        yield from _comment(_titled(shape))
        yield from _choices(shape.entry)
        yield f"{_key(key)} = []"


def _part(key: str, shape: RecordShape | ListShape, form: Form, name: str) -> Iterator[str]:
    yield from _comment(_titled(shape))
    if isinstance(shape, RecordShape):
        yield from _record(key, shape, name, form.sheet.name_key)
    elif isinstance(shape.entry, RecordShape):
        yield from _comment("Again for each.")
        yield f"[[{_key(key)}]]"
        yield from _entries(shape.entry, "", "")


def _titled(shape: RecordShape | ListShape) -> str:
    most = f" At most {shape.most}." if isinstance(shape, ListShape) and shape.most is not None else ""
    return f"{shape.title}.{most} {shape.note}".rstrip()


def _record(key: str, record: RecordShape, name: str, name_at: str) -> Iterator[str]:
    inner = [entry for entry in record.entries.values() if isinstance(entry, RecordShape)]
    if inner:  # rows with several fields
        yield from _comment(f"Of each: {', '.join(leaf.title.rpartition(': ')[2] for leaf in _leaves(inner[0]))}.")
        for leaf in _leaves(inner[0]):
            yield from _choices(leaf, leaf.title.rpartition(": ")[2])
    yield f"[{_key(key)}]"
    yield from _entries(record, name, name_at)


def _entries(record: RecordShape, name: str, name_at: str) -> Iterator[str]:
    said: Sequence[str] = ()
    for key, entry in record.entries.items():
        if isinstance(entry, Leaf):
            choices = list(_choices(entry))
            if choices != list(said):
                yield from choices
            said = choices
            yield _line(key, entry, name if entry.key == name_at else "")
        elif isinstance(entry, RecordShape):
            fields = ", ".join(f"{inner} = {_value(leaf, '')}" for inner, leaf in _named_leaves(entry))
            yield f"{key} = {{ {fields} }}"


def _named_leaves(record: RecordShape) -> Iterator[tuple[str, Leaf]]:
    yield from ((name, leaf) for name, leaf in record.entries.items() if isinstance(leaf, Leaf))


def _leaves(record: RecordShape) -> list[Leaf]:
    return [leaf for _, leaf in _named_leaves(record)]


def _line(key: str, leaf: Leaf, value: str) -> str:
    return f"{_key(key)} = {_value(leaf, value)}"


def _value(leaf: Leaf, value: str) -> str:
    if leaf.boxes:
        return "0"
    if leaf.field.kind is FieldKind.BOX:
        return "false"
    if leaf.field.kind is FieldKind.AREA and not value:
        return '""""""'
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    return key if key.replace("-", "").isascii() else json.dumps(key, ensure_ascii=False)


def _choices(leaf: Leaf, title: str = "") -> Iterator[str]:
    before = f"{title}: " if title else ""
    if leaf.boxes:
        yield from _comment(f"{before}how many are ticked.")
    elif leaf.field.choices:
        yield from _comment(f"{before}{', '.join(leaf.field.choices)}.")
    elif leaf.field.kind is FieldKind.NUMBER and title:
        yield from _comment(f"{before}a number.")


def _comment(text: str) -> Iterator[str]:
    yield from wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")
