"""A digest of a value, the same in every process: what a page shows, whatever place in a file it came from.

In: values: frozen dataclasses, collections, numbers, texts. Out: a digest. Places and errors do not count: no page
shows them, and a place moves with every line that is written above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from refgen.errors import RefgenError
from refgen.pipeline.cache.surroundings import digest
from refgen.span import Span


class NoFingerprintError(TypeError):
    """A value of a kind that has no digest."""


def fingerprint(value: Any) -> str:
    """The digest of a value. Raises NoFingerprintError for a kind of values that is not known here."""
    return digest(_parts(value))


def _parts(value: Any) -> Iterator[str]:
    """The value as texts: the name of each type, then what it holds, so that no two values give the same."""
    yield type(value).__qualname__
    if isinstance(value, Enum):
        yield value.name
    elif value is None or isinstance(value, str | int | float | Fraction):
        yield str(value)
    elif not isinstance(value, Span | RefgenError):
        yield from _parts_inside(value)


def _parts_inside(value: Any) -> Iterator[str]:
    """What a value holds."""
    if is_dataclass(value):
        for field in fields(value):
            yield from (field.name, fingerprint(getattr(value, field.name)))
    elif isinstance(value, Mapping):
        yield from (fingerprint(part) for item in value.items() for part in item)
    elif isinstance(value, Set):
        yield from sorted(map(fingerprint, value))
    elif isinstance(value, Sequence):
        yield from map(fingerprint, value)
    else:
        raise NoFingerprintError(f"no fingerprint of {type(value).__qualname__}")
