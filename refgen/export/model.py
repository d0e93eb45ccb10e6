"""Shared parts of the models of all JSON: exact numbers, chances and places.

In: Fractions and spans. Out: plain data. The models are typed dictionaries: mypy holds what is written against them,
and ``refgen.export.schemas`` makes their JSON Schemas, so that each shape stands once. Loading this loads no pydantic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from typing_extensions import TypedDict

from refgen.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Keywords:
    """Keywords of JSON Schema that narrow a type: ``Annotated[int, Keywords({"minimum": 1})]``."""

    keywords: Mapping[str, Any]

    def __get_pydantic_json_schema__(self, core: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        return {**self.keywords, **handler(core)}


Exact = Annotated[str, Keywords({"pattern": r"^-?\d+(/\d+)?$", "description": "An exact number, such as 5 or -1/200."})]
Line = Annotated[int, Keywords({"minimum": 1})]
Count = Annotated[int, Keywords({"minimum": 0})]
Percentage = Annotated[float, Keywords({"minimum": 0, "maximum": 100})]
Deviation = Annotated[float, Keywords({"minimum": 0})]


class Place(TypedDict):
    """A place in a document."""

    file: str
    line: Line
    column: Line


class Chance(TypedDict):
    """A chance."""

    exact: Exact
    percent: Percentage


def place(span: Span) -> Place:
    """Where something is printed."""
    return Place(file=span.file, line=span.line, column=span.column)


def chance(exact: Fraction) -> Chance:
    """A chance, exactly and in percent."""
    return Chance(exact=str(exact), percent=float(exact * 100))


def json_text(data: Mapping[str, Any]) -> str:
    """Data as JSON, ready to be written to a file.

    Python's own writer is in C only for a single line; pydantic's takes an eighth of the time.
    """
    from pydantic_core import to_json

    return to_json(data, indent=1).decode() + "\n"
