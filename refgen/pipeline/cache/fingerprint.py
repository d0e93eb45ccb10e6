"""A digest of a value, the same in every process: what a page shows, whatever place in a file it came from.

In: values: frozen dataclasses, collections, numbers, texts. Out: a digest. Places and errors do not count: no page
shows them, and a place moves with every line that is written above it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from types import NoneType
from typing import Any

from refgen.errors import RefgenError
from refgen.pipeline.cache.surroundings import digest
from refgen.span import Span


class NoFingerprintError(TypeError):
    """A value of a kind that has no digest."""


def fingerprint(value: Any) -> str:
    """The digest of a value. Raises NoFingerprintError for a kind of values that is not known here."""
    parts: list[str] = []
    _add(value, parts)
    return digest([json.dumps(parts)])


Way = Callable[[Any, list[str]], object]
"""Adds what a value holds to some texts."""


def _add(value: Any, parts: list[str]) -> None:
    """Add a value as texts: the name of its type, then what it holds, so that no two values give the same."""
    kind = type(value)
    parts.append(kind.__qualname__)
    _way(kind)(value, parts)  # type: ignore[arg-type]  # types are hashable, whatever mypy says


@cache
def _way(kind: type) -> Way:
    """How values of a type are added: an aid has tens of thousands of values, of few types."""
    if issubclass(kind, Enum):
        return lambda value, parts: parts.append(value.name)
    if issubclass(kind, str | int | float | Fraction | NoneType):
        return lambda value, parts: parts.append(str(value))
    if issubclass(kind, Span | RefgenError):
        return lambda _value, _parts: None
    if is_dataclass(kind):
        return partial(_add_fields, tuple(field.name for field in fields(kind)))
    for collection, way in _COLLECTIONS.items():
        if issubclass(kind, collection):
            return way
    raise NoFingerprintError(f"no fingerprint of {kind.__qualname__}")


def _add_fields(names: Sequence[str], value: Any, parts: list[str]) -> None:
    for name in names:
        parts.append(name)
        _add(getattr(value, name), parts)


def _add_mapping(value: Mapping[Any, Any], parts: list[str]) -> None:
    parts.append(str(len(value)))
    for name, part in value.items():
        _add(name, parts)
        _add(part, parts)


def _add_set(value: Set[Any], parts: list[str]) -> None:
    parts += [str(len(value)), *sorted(map(fingerprint, value))]


def _add_sequence(value: Sequence[Any], parts: list[str]) -> None:
    parts.append(str(len(value)))
    for part in value:
        _add(part, parts)


_COLLECTIONS: Mapping[type, Way] = {Mapping: _add_mapping, Set: _add_set, Sequence: _add_sequence}
