"""Tables and facts as JSON, and their typed values, with a model for each kind of value that is made of its fields.

In: a game, or a table of a game. Out: plain data; exact numbers are texts of the form "p/q", so that no reader rounds
numbers. ``schema`` names the model and its version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, get_args, get_origin, get_type_hints

from pydantic import Field
from typing_extensions import TypedDict

from refgen.export.model import Exact, Line, Place, data_of, place
from refgen.game import GameModel
from refgen.notation.printed_cell import NotationName
from refgen.notation.values import TraitComparison, Value
from refgen.rules.model import Cell, Fact, RuleTable
from refgen.span import Span

_TYPES: Mapping[type, str] = {TraitComparison: "comparison"}
"""Names of types of values in JSON that are not the names of their classes in lower case."""


def _type_name(kind: type) -> str:
    return _TYPES.get(kind, kind.__name__.lower())


def value_data(value: Value) -> ValueData:
    """A typed value as a dictionary: the type, and the parts by name."""
    return _parts(value)


def _parts(value: Any) -> dict[str, Any]:
    parts = {field.name: _plain_part(getattr(value, field.name)) for field in fields(value)}
    return {"type": _type_name(type(value)), **parts}


def _plain_part(part: Any) -> Any:
    if isinstance(part, Fraction):
        return str(part)
    if isinstance(part, (str, int)) or part is None:
        return part
    if isinstance(part, tuple):
        return [_plain_part(item) for item in part]
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


SCHEMA: Literal["refgen/tables/3"] = "refgen/tables/3"

PrintedKind = Literal["marked", "ragged", "list", "fact"]

KINDS: Mapping[str, PrintedKind] = {
    "grid": "marked",
    "ragged": "ragged",
    "list": "list",
    "paragraphs": "list",
    "prose": "list",
}
"""What a printed table is to a reader of the data, by its layout in system.toml."""


class PrintedCell(TypedDict):
    """A cell as printed, its typed value (null when blank), and where it stands."""

    text: str
    value: ValueData | None
    line: Line
    column: Line


class ComputedCell(TypedDict):
    """A computed cell; ``exact`` is the number before rounding, for a cell with a number."""

    text: str
    value: ValueData | None
    exact: NotRequired[Exact]
    sources: list[int]


class ColumnData(TypedDict):
    """A column of a table: ``type`` is the notation of its cells."""

    id: str
    title: str
    type: NotationName


class LineRange(TypedDict):
    """The lines of a document."""

    file: str
    line: Line
    end_line: Line


class PrintedTable(TypedDict):
    """A table of the document.

    marked: its format marks it. ragged: words without columns. list: the items of a list, or rows in prose.
    fact: a number in prose, as a table of one cell; its id starts with ``facts/``.
    """

    id: str
    title: str
    kind: PrintedKind
    source: LineRange
    columns: list[ColumnData]
    rows: list[list[PrintedCell]]


class ComputedTable(TypedDict):
    """A table that follows from the rules: ``rule`` says how, ``rounding`` how its figures are rounded ("": none is).

    ``sources`` are the places in the document that its cells rest on.
    """

    id: str
    title: str
    kind: Literal["computed"]
    rule: str
    rounding: str
    columns: list[ColumnData]
    sources: list[Place]
    rows: list[list[ComputedCell]]


class FactData(TypedDict):
    """A number that stands in prose."""

    id: str
    title: str
    text: str
    value: ValueData
    unit: str
    source: Place


class LadderStep(TypedDict):
    """A level of a ladder and its number."""

    level: str
    value: int


class SystemTables(TypedDict):
    """Everything that was read and computed for one system."""

    schema: Literal["refgen/tables/3"]
    system: str
    title: str
    document: str
    ladders: dict[str, list[LadderStep]]
    tables: list[PrintedTable]
    derived: list[ComputedTable]
    facts: list[FactData]


class SystemsTables(TypedDict):
    """Several systems."""

    schema: Literal["refgen/tables/3"]
    systems: list[SystemTables]


class OnePrintedTable(PrintedTable):
    """A single printed table."""

    schema: Literal["refgen/tables/3"]
    system: str


class OneComputedTable(ComputedTable):
    """A single computed table."""

    schema: Literal["refgen/tables/3"]
    system: str


TablesData = SystemTables | SystemsTables | OnePrintedTable | OneComputedTable
"""What ``refgen tables --format json`` prints, and ``tables.json`` of a build: a game, several, or one table."""


def tables_data(game: GameModel) -> SystemTables:
    """Everything that was read and computed for a game."""
    return SystemTables(
        schema=SCHEMA,
        system=game.id,
        title=game.title,
        document=", ".join(source.name for source in game.ruleset.documents),
        ladders={
            name: [LadderStep(level=level.name, value=level.value) for level in ladder.levels]
            for name, ladder in game.ladders.items()
        },
        tables=[
            *(_printed_table(table) for table in game.printed.values()),
            *(_fact_table(game, fact) for fact in game.facts.values()),
        ],
        derived=[_computed_table(table) for table in game.computed.values()],
        facts=[
            data_of(FactData, fact, value=value_data(fact.value), source=place(fact.span))
            for fact in game.facts.values()
        ],
    )


def games_data(games: Sequence[SystemTables]) -> SystemsTables:
    """Several games as one document."""
    return SystemsTables(schema=SCHEMA, systems=list(games))


def table_data(game_id: str, table: RuleTable) -> OnePrintedTable | OneComputedTable:
    """A table of a game as a document of its own."""
    if table.span is None:
        return OneComputedTable(schema=SCHEMA, system=game_id, **_computed_table(table))
    return OnePrintedTable(schema=SCHEMA, system=game_id, **_printed_table(table))


def _printed_table(table: RuleTable) -> PrintedTable:
    return data_of(
        PrintedTable,
        table,
        kind=KINDS[table.layout],
        source=_lines(_printed_at(table)),
        columns=_columns(table),
        rows=[[_cell(cell) for cell in row] for row in table.rows],
    )


def _computed_table(table: RuleTable) -> ComputedTable:
    spans = dict.fromkeys(span for row in table.rows for cell in row for span in cell.sources)
    numbers = {span: number for number, span in enumerate(spans)}
    return data_of(
        ComputedTable,
        table,
        kind="computed",
        columns=_columns(table),
        sources=[place(span) for span in spans],
        rows=[[_computed_cell(cell, numbers) for cell in row] for row in table.rows],
    )


def _printed_at(printed: RuleTable | Cell) -> Span:
    if printed.span is None:
        raise TypeError(f"{printed!r} is computed, not printed")
    return printed.span


def _lines(span: Span) -> LineRange:
    return LineRange(file=span.file, line=span.line, end_line=span.end_line)


def _columns(table: RuleTable) -> list[ColumnData]:
    return [data_of(ColumnData, column) for column in table.columns]


def _cell(cell: Cell) -> PrintedCell:
    span = _printed_at(cell)
    return PrintedCell(text=cell.text, value=_value(cell), line=span.line, column=span.column)


def _computed_cell(cell: Cell, numbers: Mapping[Span, int]) -> ComputedCell:
    """A cell whose ``sources`` are indexes (from 0) of the table's sources."""
    sources = [numbers[span] for span in cell.sources]
    if cell.exact is None:
        return ComputedCell(text=cell.text, value=_value(cell), sources=sources)
    return ComputedCell(text=cell.text, value=_value(cell), exact=str(cell.exact), sources=sources)


def _value(cell: Cell) -> ValueData | None:
    return None if cell.value is None else value_data(cell.value)


def _fact_table(game: GameModel, fact: Fact) -> PrintedTable:
    """A fact as a table of one cell: whoever goes through the tables meets every number of the document."""
    span = fact.span
    cell = PrintedCell(text=fact.text, value=value_data(fact.value), line=span.line, column=span.column)
    return PrintedTable(
        id=f"facts/{fact.id}",
        title=fact.title,
        kind="fact",
        source=_lines(span),
        columns=[ColumnData(id="value", title=fact.unit or "Value", type=game.ruleset.spec.facts[fact.id].type)],
        rows=[[cell]],
    )
