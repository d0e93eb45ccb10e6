"""Which columns of printed tables are keys: rows are found by them, ladders counted by them, or they are an axis.

In: a whole system.toml. Out: the table and the column of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pydantic import BaseModel

from refgen.notation.formula_tree import NAME
from refgen.rules.schema import RulesSpec

Key = tuple[str, str]
"""The ids of a table and of its column."""

_LOOKED_UP = re.compile(rf"\bat\(\{{({NAME})\.({NAME})\}}|\{{({NAME})\.{NAME}\s+at\b")
"""The column of keys of at(), or the table of a look-up, which goes by its first column."""


def keys_of(spec: RulesSpec) -> frozenset[Key]:
    """The columns by which an entry anywhere in system.toml finds a row, or which it goes along."""
    found = {(ladder.table, name) for ladder in spec.ladders.values() for name in (ladder.level, ladder.value) if name}
    first = {name: table.columns[0].id for name, table in spec.tables.items() if table.columns}
    return frozenset((*found, *((table, key or first.get(table, "")) for table, key in _in(spec))))


def _in(entry: object) -> Iterator[Key]:
    """The keys that an entry names, or something in it; a key is "" where it is the first column."""
    match entry:
        case str():
            yield from _looked_up(entry) if "at" in entry else ()
        case BaseModel():
            held = vars(entry)
            yield from _named(held)
            for value in held.values():
                yield from _in(value)
        case Mapping():
            for value in entry.values():
                yield from _in(value)
        case list():
            for value in entry:
                yield from _in(value)


def _looked_up(formula: str) -> Iterator[Key]:
    yield from ((table or looked_into, key) for table, key, looked_into in _LOOKED_UP.findall(formula))


def _named(held: Mapping[str, object]) -> Iterator[Key]:
    """The keys that one entry names itself: an axis by `of`, a check or a track by the table and its key."""
    if isinstance(of := held.get("of"), str) and "." in of:
        table, _, column = of.partition(".")
        yield table, column
    tables = (held.get("table"), held.get("printed"))
    keys = (held.get("key"), held.get("level") if "change" in held else None)
    yield from ((table, key) for table in tables for key in keys if isinstance(table, str) and isinstance(key, str))
    if isinstance(computed := held.get("computed"), str):
        key = held.get("computed_key") or held.get("key")
        yield from [(computed, key)] if isinstance(key, str) else []
