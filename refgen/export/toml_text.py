"""Values as TOML.

In: an entry, as a mapping of keys to values. Out: its text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

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
