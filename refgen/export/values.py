"""Typed values as JSON: a model for each kind of value, made of its fields.

In: a Value. Out: plain data with the name of its type; exact numbers are texts of the form "p/q".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import Field
from typing_extensions import TypedDict

from refgen.export.model import Exact
from refgen.notation.values import TraitComparison, Value

_TYPES: Mapping[type, str] = {TraitComparison: "comparison"}
"""Names of types of values in JSON that are not the names of their classes in lower case."""


def _type_name(kind: type) -> str:
    return _TYPES.get(kind, kind.__name__.lower())


def value_data(value: Value) -> ValueData:
    """A typed value as a dictionary: the type, and the parts by name."""
    return _parts(value)


def _parts(value: Any) -> dict[str, Any]:
    parts = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return {"type": _type_name(type(value)), **parts}


def _plain(part: Any) -> Any:
    if isinstance(part, Fraction):
        return str(part)
    if isinstance(part, (str, int)) or part is None:
        return part
    if isinstance(part, tuple):
        return [_plain(item) for item in part]
    return _parts(part)


@cache
def _model(kind: type) -> Any:
    """The typed dictionary of a kind of value: its fields made plain, and what its class says up to a colon."""
    parts = {name: _plain_type(hint) for name, hint in get_type_hints(kind).items()}
    made: Any = TypedDict(f"{kind.__name__}Value", {"type": Literal[_type_name(kind)], **parts})  # type: ignore[misc]
    made.__doc__ = re.split(r"[:.](?:\s|\Z)", (kind.__doc__ or "").replace("None", "null"))[0] + "."
    return made


def _plain_type(hint: Any) -> Any:
    if hint is Fraction:
        return Exact
    if is_dataclass(hint):
        return _model(hint)  # type: ignore[arg-type]
    if get_origin(hint) is not tuple:
        return hint
    first, *others = map(_plain_type, get_args(hint))
    return list[first] if others == [...] else tuple[first, *others]  # type: ignore[valid-type]


if TYPE_CHECKING:
    ValueData = Mapping[str, Any]
else:
    ValueData = Annotated[reduce(or_, map(_model, get_args(Value))), Field(discriminator="type")]
