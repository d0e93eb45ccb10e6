"""The JSON Schema of the characters of a sheet, for editors and other programs.

In: a Form. Out: a schema, draft 2020-12: what ``check`` accepts of TOML and JSON, it accepts too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refgen.characters.character import Leaf, ListShape, RecordShape, Shape
from refgen.characters.check import NUMBER, path_of
from refgen.characters.form import Form
from refgen.characters.sheet import FieldKind


def character_schema(form: Form) -> dict[str, Any]:
    """The schema of one character."""
    schema = _schema(form.shape)
    _require(schema, [str(part) for part in path_of(form.sheet.name_key)])
    return schema


def _require(schema: dict[str, Any], path: list[str]) -> None:
    """Say that the value at a path must be there."""
    for key in path:
        schema["required"] = [key]
        schema = schema["properties"][key]
    schema["minLength"] = 1


def _schema(shape: Shape) -> dict[str, Any]:
    match shape:
        case Leaf():
            return {"title": shape.title, **_leaf(shape)}
        case RecordShape():
            return _record(shape)
        case ListShape():
            most: Mapping[str, Any] = {} if shape.most is None else {"maxItems": shape.most}
            return {**_titled(shape), "type": "array", "items": _schema(shape.entry), **most}


def _record(record: RecordShape) -> dict[str, Any]:
    """Named values; a line may be written as its first one alone."""
    properties = {name: _schema(entry) for name, entry in record.entries.items()}
    whole = {**_titled(record), "type": "object", "properties": properties, "additionalProperties": False}
    return {"anyOf": [whole, next(iter(properties.values()))]} if record.line else whole


def _titled(shape: RecordShape | ListShape) -> dict[str, Any]:
    return {"title": shape.title, **({"description": shape.note} if shape.note else {})}


def _leaf(leaf: Leaf) -> dict[str, Any]:
    if leaf.boxes:
        return {"type": "integer", "minimum": 0, "maximum": leaf.boxes}
    match leaf.field.kind:
        case FieldKind.BOX:
            return {"type": "boolean"}
        case FieldKind.CHOICE:
            return {"enum": [*leaf.field.choices, ""]}
        case FieldKind.NUMBER:
            return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": rf"^\s*({NUMBER})?\s*$"}]}
        case _:
            return {"anyOf": [{"type": "string"}, {"type": "number"}]}
