"""The shape of the JSON of tables, for its JSON Schema.

In: nothing. Out: pydantic models that describe exactly what ``refgen.render.data`` writes; a test holds the two
together. Nothing is parsed with them: other programs are meant to, in their own languages.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel
from pydantic.json_schema import SkipJsonSchema

from refgen.notation.read import NotationName
from refgen.notation.values import Relation


class Shape(BaseModel):
    """A JSON object with these keys and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Exact = Annotated[str, Field(pattern=r"^-?\d+(/\d+)?$", description="An exact number, such as 5 or -1/200.")]
Line = Annotated[int, Field(ge=1)]
TablesVersion = Annotated[Literal["refgen/tables/1"], Field(alias="schema")]


class TextValue(Shape):
    """Words without a value."""

    type: Literal["text"]
    text: str


class NumberValue(Shape):
    """A number, perhaps only a bound such as ">"."""

    type: Literal["number"]
    value: Exact
    bound: str


class PercentValue(Shape):
    """A share of 1, and the decimals it is printed with."""

    type: Literal["percent"]
    value: Exact
    places: int


class WeightedValue(Shape):
    """A number and the chance of it."""

    type: Literal["weightednumber"]
    number: Exact
    chance: PercentValue


class IntervalValue(Shape):
    """A range of whole numbers, both ends included; an open end is null."""

    type: Literal["interval"]
    low: int | None
    high: int | None


class ModifierValue(Shape):
    """A change from ``low`` to ``high`` of ``base`` (of the roll when that is empty), under a condition."""

    type: Literal["modifier"]
    low: Exact
    high: Exact
    base: str
    condition: str


class LevelValue(Shape):
    """A step of a ladder, with what is printed beside it in brackets."""

    type: Literal["level"]
    name: str
    value: int
    gloss: str


class DiceValue(Shape):
    """A dice expression; empty when nothing is rolled."""

    type: Literal["dicetext"]
    expression: str


class WoundChangeValue(Shape):
    """A change to a wound chart: what it builds on, boxes set and added, ranges of damage set."""

    type: Literal["woundchange"]
    base: str
    boxes: list[tuple[str, int]]
    extra: list[str]
    ranges: list[tuple[str, IntervalValue]]
    continues: bool


class ComparisonValue(Shape):
    """The sum of traits, each counted so many times, against a number and the name of its level (or "")."""

    type: Literal["comparison"]
    traits: list[tuple[str, int]]
    relation: Relation
    number: int
    level: str


class ConditionValue(Shape):
    """Clauses that must all be met; a clause is met when any of its comparisons is."""

    type: Literal["condition"]
    clauses: list[list[ComparisonValue]]


Value = Annotated[
    TextValue
    | NumberValue
    | PercentValue
    | WeightedValue
    | IntervalValue
    | ModifierValue
    | LevelValue
    | DiceValue
    | WoundChangeValue
    | ConditionValue,
    Field(discriminator="type"),
]


class PrintedCell(Shape):
    """A cell as printed, its typed value (null when blank), and where it stands."""

    text: str
    value: Value | None
    line: Line
    column: Line


class ComputedCell(Shape):
    """A computed cell; ``exact`` is its number before rounding, where it has one."""

    text: str
    value: Value | None
    exact: Exact | SkipJsonSchema[None] = None
    rests_on: list[int]


class ColumnShape(Shape):
    """A column of a table: ``type`` is the notation of its cells."""

    id: str
    title: str
    type: NotationName


class Lines(Shape):
    """The lines of a document."""

    file: str
    line: Line
    end_line: Line


class Place(Shape):
    """A place in a document."""

    file: str
    line: Line
    column: Line


class PrintedTable(Shape):
    """A table of the document.

    marked: its format marks it. ragged: words without columns. list: the items of a list, or rows in prose.
    fact: a number in prose, as a table of one cell; its id starts with ``facts/``.
    """

    id: str
    title: str
    kind: Literal["marked", "ragged", "list", "fact"]
    source: Lines
    columns: list[ColumnShape]
    rows: list[list[PrintedCell]]


class ComputedTable(Shape):
    """A table that follows from the rules: ``rule`` says how, ``rounding`` how its figures are rounded ("": none is).

    ``sources`` are the places in the document that its cells rest on.
    """

    id: str
    title: str
    kind: Literal["computed"]
    rule: str
    rounding: str
    sources: list[Place]
    columns: list[ColumnShape]
    rows: list[list[ComputedCell]]


class FactShape(Shape):
    """A number that stands in prose."""

    id: str
    title: str
    text: str
    value: Value
    unit: str
    source: Place


class LadderStep(Shape):
    """A level of a ladder and its number."""

    level: str
    value: int


class SystemTables(Shape):
    """Everything that was read and computed for one system."""

    version: TablesVersion
    system: str
    title: str
    document: str
    ladders: dict[str, list[LadderStep]]
    tables: list[PrintedTable]
    derived: list[ComputedTable]
    facts: list[FactShape]


class SystemsTables(Shape):
    """Several systems."""

    version: TablesVersion
    systems: list[SystemTables]


class OnePrintedTable(PrintedTable):
    """One printed table alone."""

    version: TablesVersion
    system: str


class OneComputedTable(ComputedTable):
    """One computed table alone."""

    version: TablesVersion
    system: str


class TablesShape(RootModel[SystemTables | SystemsTables | OnePrintedTable | OneComputedTable]):
    """What ``refgen tables --format json`` prints, and ``tables.json`` of a build: a system, several, or one table."""
