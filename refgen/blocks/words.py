"""Words with figures in them, and the names that such words may use.

In: a game, or a row of one of its tables, and a text that names facts in braces ("Roll {dice}."),
or a cell by a fact ("{armies.nominal at {size}} men"). Out: the text with
the figures in place, set for print, and the footnotes of figures that a check has something to say about. Raises
AidError, with the nearest names, for a name that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from refgen.blocks.pieces import Footnotes, footnotes, typeset
from refgen.checks.finding import Mark
from refgen.errors import AidError
from refgen.game.catalog import Catalog
from refgen.notation.values import Number, Value
from refgen.readers.document import Section
from refgen.rules.model import Cell, RuleTable
from refgen.span import Span
from refgen.suggestion import did_you_mean


def column_index(table: RuleTable, column: str) -> int:
    """The position of a column. Raises AidError for one that the table does not have."""
    index = table.index(column)
    if index is None:
        hint = did_you_mean(column, [known.id for known in table.columns])
        raise AidError(f'table "{table.id}" has no column "{column}"', hint=hint)
    return index


class NamedFigure(Protocol):
    """A named figure or word: its title, its text as printed, its typed value and its place."""

    @property
    def title(self) -> str:
        """The title of the fact or column that a name stands for."""

    @property
    def text(self) -> str:
        """The text as printed."""

    @property
    def value(self) -> Value | None:
        """The typed value; None for a blank."""

    @property
    def span(self) -> Span | None:
        """The place where the named figure is printed; None for a computed one."""


class BlockScope(Protocol):
    """The tables, facts and sections that a block may show: those of a game, or of a game with the cells of a row."""

    @property
    def tables(self) -> Catalog[RuleTable]:
        """Printed and computed tables."""

    @property
    def facts(self) -> Mapping[str, NamedFigure]:
        """The facts that texts may name in braces, by id."""

    @property
    def sections(self) -> Sequence[Section]:
        """The sections of the documents."""

    @property
    def marks(self) -> Mapping[Span, Mark]:
        """The marks of the checks, by place."""


@dataclass(frozen=True, slots=True)
class NamedText:
    """Named words, such as a cell of a row."""

    title: str
    text: str
    value: Value | None = None
    span: Span | None = None

    @classmethod
    def of_cell(cls, title: str, cell: Cell) -> NamedText:
        """A cell under the title of its column."""
        return cls(title, cell.shown, cell.value, cell.span)


@dataclass(frozen=True)
class ScopeWithRow:
    """A game with named words of one row or section, which take precedence over facts."""

    tables: Catalog[RuleTable]
    facts: Mapping[str, NamedFigure]
    sections: Sequence[Section]
    marks: Mapping[Span, Mark]

    @classmethod
    def of(cls, scope: BlockScope, words: Mapping[str, NamedText], kind: str) -> ScopeWithRow:
        """A scope with additional words; ``kind`` is how errors call an unknown name, such as "fact or column"."""
        names: Mapping[str, NamedFigure] = {**scope.facts, **words}
        return cls(scope.tables, Catalog(kind, names), scope.sections, scope.marks)


_PLACEHOLDER = re.compile(r"\{((?:[^{}]|\{[^{}]*\})*)\}")


def _stated(scope: BlockScope, name: str) -> NamedFigure:
    """The figure for a name in braces: a fact, or a cell that is looked up ("armies.nominal at {size}")."""
    path, is_looked_up, key = name.partition(" at ")
    if not is_looked_up:
        return scope.facts[name]
    table_id, _, column = path.partition(".")
    table = scope.tables[table_id]
    return NamedText.of_cell(table.title, table[scope.facts[key.strip("{} ")].text, column])


def filled_figure(scope: BlockScope, fact_id: str, notes: Footnotes | None = None) -> str:
    """A fact's figure, set for print, with its sign; a number that the document writes as a word is in digits."""
    fact = _stated(scope, fact_id)
    if notes is not None and (sign := notes.sign(fact.span)):
        return typeset(notes.text(fact.span, fact.text), fact.value) + sign
    if fact.text.isalpha() and isinstance(fact.value, Number) and fact.value.value.denominator == 1:
        return str(fact.value.value)
    return typeset(fact.text, fact.value)


def fill_placeholders(scope: BlockScope, text: str, notes: Footnotes | None = None) -> str:
    """A text with its ``{fact}`` places filled. Raises UnknownNameError for an unknown fact."""
    return _PLACEHOLDER.sub(lambda match: filled_figure(scope, match[1], notes), text)


def footnotes_of(scope: BlockScope, *texts: str) -> Footnotes:
    """The footnotes of the facts named in some texts."""
    names = (name for text in texts for name in _PLACEHOLDER.findall(text))
    return footnotes((_stated(scope, name).span for name in names), scope.marks)


def named_figures(scope: BlockScope, text: str) -> list[NamedFigure]:
    """The facts and cells that a text names, in order."""
    return [_stated(scope, name) for name in _PLACEHOLDER.findall(text)]


def says_something(scope: BlockScope, text: str) -> bool:
    """Whether a text is not empty and does not name only blank facts."""
    said = named_figures(scope, text)
    return bool(text) and (not said or any(each.text for each in said))
