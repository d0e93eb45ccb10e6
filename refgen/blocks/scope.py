"""What the words of an aid may name: the facts of a game, and on a card of a row the cells of that row.

In: a game, or a row of one of its tables. Out: names with the figures that stand for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from refgen.checks.marks import Mark
from refgen.game.catalog import Catalog
from refgen.notation.values import Value
from refgen.readers.document import Section
from refgen.rules.model import Cell, Table
from refgen.span import Span


class Stated(Protocol):
    """A figure or a word that has a name: its title, its text as printed, its typed value and its place."""

    @property
    def title(self) -> str:
        """What it is called."""

    @property
    def text(self) -> str:
        """As printed."""

    @property
    def value(self) -> Value | None:
        """Its typed value; None for a blank."""

    @property
    def span(self) -> Span | None:
        """Where it is printed, if it is."""


class Scope(Protocol):
    """What a block may show: a game is one, and so is a game with the cells of a row beside its facts."""

    @property
    def tables(self) -> Catalog[Table]:
        """Printed and computed tables."""

    @property
    def facts(self) -> Mapping[str, Stated]:
        """What words may name in braces."""

    @property
    def sections(self) -> Sequence[Section]:
        """The sections of the documents."""

    @property
    def marks(self) -> Mapping[Span, Mark]:
        """What the checks have to say, by place."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words with a name; a cell of a row is one."""

    title: str
    text: str
    value: Value | None = None
    span: Span | None = None

    @classmethod
    def of_cell(cls, title: str, cell: Cell) -> Words:
        """A cell under the title of its column."""
        return cls(title, cell.shown, cell.value, cell.span)


@dataclass(frozen=True)
class Within:
    """A game with some words of one row or section, whose names come before those of facts."""

    tables: Catalog[Table]
    facts: Mapping[str, Stated]
    sections: Sequence[Section]
    marks: Mapping[Span, Mark]

    @classmethod
    def of(cls, scope: Scope, words: Mapping[str, Words], kind: str) -> Within:
        """``kind`` is what one of these words is called where a name is unknown: "fact or column"."""
        names: Mapping[str, Stated] = {**scope.facts, **words}
        return cls(scope.tables, Catalog(kind, names), scope.sections, scope.marks)
