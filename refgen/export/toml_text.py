"""Values as TOML, and the file of an aid as an author would write it: with what differs from the defaults alone.

In: an entry, as a mapping of keys to values; or the spec of an aid. Out: its text, which loads as an equal spec.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from pydantic import BaseModel

from refgen.blocks.kinds import BlockSpec
from refgen.export.model import toml_string


def toml_entry(heading: str, entry: Mapping[str, Any]) -> str:
    """A table of TOML with its heading, such as "derived.odds"."""
    return "".join(f"{line}\n" for line in (f"[{heading}]", *toml_lines(entry)))


def toml_lines(entry: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a table without its heading; a list of tables stands on several lines."""
    for key, value in entry.items():
        if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            yield f"{key} = ["
            yield from (f"  {toml_value(item)}," for item in value)
            yield "]"
        else:
            yield f"{key} = {toml_value(value)}"


def toml_value(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping) and not value:
        return "{}"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {toml_value(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    return toml_string(value) if isinstance(value, str) else json.dumps(value)


LONGEST_LINE = 100
"""The most letters of a value on one line; a longer list has a line for each entry."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class _TableId(str):
    """The id of a table in place of a block that shows no more than the table."""

    __slots__ = ()


def spec_toml(spec: BaseModel) -> str:
    """The TOML of a screen.toml, sheet.toml, cards.toml or session.toml."""
    return "\n".join(_lines((), _written_keys(spec))).strip() + "\n"


def _written_keys(spec: BaseModel) -> dict[str, Any]:
    """The keys of a spec that differ from their defaults, with plain values."""
    fields = type(spec).model_fields.items()
    usual = {name: field.get_default(call_default_factory=True) for name, field in fields}
    values = {name: value for name, other in usual.items() if (value := getattr(spec, name)) != other}
    return {_key(name): _plain_value(value) for name, value in values.items()}


def _plain_value(value: Any) -> Any:
    """A value as TOML knows it; a block that is no more than a table is the id of the table."""
    if isinstance(value, BaseModel):
        written = _written_keys(value)
        is_table = isinstance(value, BlockSpec) and written.keys() == {"table"}
        return _TableId(written["table"]) if is_table else written
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {_key(name): _plain_value(inner) for name, inner in value.items()}
    return [_plain_value(item) for item in value] if isinstance(value, list | tuple) else value


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else toml_string(name)


def _lines(path: Sequence[str], table: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a table of TOML: its values, then the tables under it."""
    under = {key: value for key, value in table.items() if _needs_headings(value, is_top=not path)}
    for key, value in table.items():
        if key not in under:
            yield from _value_lines(key, value)
    for key, value in under.items():
        heading = ".".join((*path, key))
        if isinstance(value, Mapping):
            yield from ("", f"[{heading}]", *_lines((*path, key), value))
            continue
        for item in value:
            entry = {"table": item} if isinstance(item, _TableId) else item
            yield from ("", f"[[{heading}]]", *_lines((*path, key), entry))


def _needs_headings(value: Any, *, is_top: bool) -> bool:
    """Whether a value is written as tables with headings: tables of a whole file, or those too long for a line."""
    if isinstance(value, Mapping):
        return len(toml_value(value)) > LONGEST_LINE or any(isinstance(inner, Mapping) for inner in value.values())
    if not isinstance(value, list) or not all(isinstance(item, Mapping | _TableId) for item in value):
        return False
    return is_top or any(len(toml_value(item)) > LONGEST_LINE for item in value)


def _value_lines(key: str, value: Any) -> Iterator[str]:
    """A value on one line, or a list with an entry a line where one line is too long."""
    line = f"{key} = {toml_value(value)}"
    if isinstance(value, list) and len(line) > LONGEST_LINE:
        yield from (f"{key} = [", *(f"  {toml_value(item)}," for item in value), "]")
    else:
        yield line
