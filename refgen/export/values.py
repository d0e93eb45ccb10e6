"""Typed values as JSON: a model for each kind of value.

In: a Value. Out: plain data with the name of its type; exact numbers are texts of the form "p/q".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Annotated, Any, Literal, cast

from pydantic import Field
from typing_extensions import TypedDict

from refgen.export.model import Exact
from refgen.notation.values import Relation, TraitComparison, Value


class TextValue(TypedDict):
    """Words without a value."""

    type: Literal["text"]
    text: str


class NumberValue(TypedDict):
    """A number, perhaps only a bound such as ">"."""

    type: Literal["number"]
    value: Exact
    bound: str


class PercentValue(TypedDict):
    """A share of 1, and the decimals it is printed with."""

    type: Literal["percent"]
    value: Exact
    places: int


class WeightedValue(TypedDict):
    """A number and the chance of it."""

    type: Literal["weightednumber"]
    number: Exact
    chance: PercentValue


class ScoreValue(TypedDict):
    """A number and the modifier that it gives."""

    type: Literal["score"]
    number: Exact
    modifier: Exact


class QuantityValue(TypedDict):
    """A number with a printed unit; perhaps only a bound such as ">"."""

    type: Literal["quantity"]
    value: Exact
    unit: str
    bound: str


class IntervalValue(TypedDict):
    """A range of whole numbers, both ends included; an open end is null."""

    type: Literal["interval"]
    low: int | None
    high: int | None


class ModifierValue(TypedDict):
    """A change from ``low`` to ``high`` of ``base`` (of the roll when that is empty), under a condition."""

    type: Literal["modifier"]
    low: Exact
    high: Exact
    base: str
    condition: str


class LevelValue(TypedDict):
    """A step of a ladder, with what is printed beside it in brackets."""

    type: Literal["level"]
    name: str
    value: int
    gloss: str


class DiceValue(TypedDict):
    """A dice expression; empty when nothing is rolled."""

    type: Literal["dicetext"]
    expression: str


class LabelledDiceValue(TypedDict):
    """A dice expression with the label printed after the dice."""

    type: Literal["labelleddice"]
    expression: str
    label: str


class TrackChangeValue(TypedDict):
    """A change to a track: the change it builds on, boxes set and added, ranges of damage set."""

    type: Literal["trackchange"]
    base: str
    boxes: list[tuple[str, int]]
    extra: list[str]
    ranges: list[tuple[str, IntervalValue]]
    continues: bool


class ComparisonValue(TypedDict):
    """The sum of traits, each counted so many times, against a number and the name of its level (or "")."""

    type: Literal["comparison"]
    traits: list[tuple[str, int]]
    relation: Relation
    number: int
    level: str


class ConditionValue(TypedDict):
    """Clauses that must all be met; a clause is met when any of its comparisons is."""

    type: Literal["condition"]
    clauses: list[list[ComparisonValue]]


ValueData = Annotated[
    TextValue
    | NumberValue
    | PercentValue
    | WeightedValue
    | ScoreValue
    | QuantityValue
    | IntervalValue
    | ModifierValue
    | LevelValue
    | DiceValue
    | LabelledDiceValue
    | TrackChangeValue
    | ConditionValue,
    Field(discriminator="type"),
]


_TYPES: Mapping[type, str] = {TraitComparison: "comparison"}
"""Names of types of values in JSON that are not the names of their classes in lower case."""


def value_data(value: Value) -> ValueData:
    """A typed value as a dictionary: the type, and the parts by name."""
    return cast("ValueData", _parts(value))


def _parts(value: Any) -> dict[str, Any]:
    parts = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return {"type": _TYPES.get(type(value), type(value).__name__.lower()), **parts}


def _plain(part: Any) -> Any:
    if isinstance(part, Fraction):
        return str(part)
    if isinstance(part, (str, int)) or part is None:
        return part
    if isinstance(part, tuple):
        return [_plain(item) for item in part]
    return _parts(part)
