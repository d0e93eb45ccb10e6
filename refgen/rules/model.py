"""A game's rules as typed data. All records are frozen; every printed thing carries its span.

Printed and computed tables share one shape, so that whatever shows or compares tables needs no second way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from typing_extensions import TypeVar

from refgen.notation.level import Ladder
from refgen.notation.read import NotationName
from refgen.notation.values import Text, Value
from refgen.rules.schema import RulesSpec
from refgen.source import SourceFile
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: ``text`` as printed, its typed ``value`` (None when blank).

    ``span`` says where a printed cell stands. Of a computed one ``exact`` is the unrounded number, and ``rests_on``
    says where everything stands that it was worked out from.
    """

    text: str
    value: Value | None = None
    span: Span | None = None
    exact: Fraction | None = None
    rests_on: tuple[Span, ...] = ()

    @property
    def shown(self) -> str:
        """The words to show: as printed, or as system.toml reads a damaged print."""
        return self.value.text if isinstance(self.value, Text) else self.text


@dataclass(frozen=True, slots=True)
class Column:
    """A column: ``type`` is the notation of its cells, ``unit`` a unit or number that stands under its title."""

    id: str
    title: str
    type: NotationName = "text"
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, printed or computed.

    ``rule`` says in words how a computed table follows from the rules, and is "" for a printed one; ``rounding``
    names the rule by which its figures are rounded ("" when none is). ``span`` is None for a computed one.
    ``layout`` is how the document prints it: grid, ragged, list, paragraphs or prose.
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    span: Span | None = None
    rule: str = ""
    note: str = ""
    rounding: str = ""
    layout: str = ""

    @property
    def explained(self) -> str:
        """How a computed table follows from the rules, and how its figures are rounded."""
        return f"{self.rule} Rounded {self.rounding}." if self.rounding else self.rule

    @property
    def computed(self) -> bool:
        """Whether refgen worked this table out (and no document prints it)."""
        return self.span is None

    def index(self, column: str) -> int | None:
        """The position of a column, by its id."""
        return next((number for number, known in enumerate(self.columns) if known.id == column), None)


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that stands in prose."""

    id: str
    title: str
    text: str
    value: Value
    span: Span
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Defect:
    """A spot where the document is at fault: what stands there, what is wrong, and how it is read."""

    id: str
    title: str
    table: str
    text: str
    repair: str
    span: Span


SpecT_co = TypeVar("SpecT_co", bound=RulesSpec, default=RulesSpec, covariant=True)


@dataclass(frozen=True)
class Ruleset(Generic[SpecT_co]):
    """Everything read from one game's document. ``id`` is the name of its folder.

    ``spec`` is its system.toml; ``Ruleset[ActionsSpec]`` is one whose system.toml has been read with its actions.

    ``tables`` are the printed ones; while a table is computed, those that it may use besides, each computed when it is
    looked up.
    """

    id: str
    spec: SpecT_co
    spec_source: SourceFile
    document: SourceFile
    ladders: Mapping[str, Ladder]
    tables: Mapping[str, Table]
    facts: Mapping[str, Fact]
    defects: tuple[Defect, ...] = ()

    @property
    def title(self) -> str:
        """The name of the game."""
        return self.spec.title

    @property
    def printed_tables(self) -> Iterator[Table]:
        """The tables of the document, and no computed ones."""
        return (self.tables[table_id] for table_id in self.spec.tables)
