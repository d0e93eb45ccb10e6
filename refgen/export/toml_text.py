"""Entries of TOML files as text.

In: plain data: words, numbers, lists and tables. Out: TOML, each key on a line, inner tables within the line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def toml_entry(heading: str, entry: Mapping[str, Any]) -> str:
    """A table with its heading."""
    return "".join(f"{line}\n" for line in (f"[{heading}]", *_lines(entry)))


def _lines(entry: Mapping[str, Any]) -> Iterator[str]:
    for key, value in entry.items():
        if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            yield f"{key} = ["
            yield from (f"  {_inline(item)}," for item in value)
            yield "]"
        else:
            yield f"{key} = {_inline(value)}"


def _inline(value: Any) -> str:
    if isinstance(value, Mapping) and not value:
        return "{}"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_inline(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return toml_string(value) if isinstance(value, str) else json.dumps(value)


def toml_string(text: str) -> str:
    """A text as TOML has it: JSON's strings are TOML's too, but for one character that TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
