"""The texts of a page as they are set in print: signs and spaces, figures of facts in place, footnotes.

In: texts as a rule document prints them, with their typed values; or texts of an author that name facts in braces
("Roll {dice}."), or a cell by a fact ("{armies.nominal at {size}} men"), with the scope that has the facts. Out: texts
with minus signs, en dashes in ranges, and figures in place of names; and the sign and the note of each figure that a
check has marked. Raises AidError, with the nearest names, for a name that does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from refgen.catalog import Catalog, did_you_mean
from refgen.checks.finding import Mark
from refgen.errors import AidError
from refgen.game import GameModel
from refgen.marks import DASHES, VULGAR, with_hyphens
from refgen.notation.values import DiceText, Interval, Level, Number, NumberList, Text, TrackChange, Value
from refgen.readers.document import Section
from refgen.rules.model import Cell, Fact, RuleTable
from refgen.span import Span
from refgen.words import ENGLISH, Words

if TYPE_CHECKING:
    from refgen.checks.rolled_tables import TableRoll  # few tables are rolled on

_DASH = re.compile(f"[-{DASHES}]")
_HYPHEN_MINUS = re.compile(rf"(?<![\w-])-(?=[\d{VULGAR}])")
_DASH_MINUS = re.compile(rf"(?<![\w.%)])[{DASHES}](?=\s?[\d.{VULGAR}])")
_OR_LESS = re.compile(rf"(?<=\d)[-{DASHES}]\Z")
_TRAILING_MINUS = re.compile(r"(?<=[A-Za-z])-(?=\d+$)")
_RANGE = re.compile(rf"(?<=\d)(\s?)[-{DASHES}](?=\s?[-{DASHES}]?\d)")
_MINUS_OF_DICE = re.compile(r"-(?=\s?[\dd(])")
_MINUS_OF_DICE_IN_WORDS = re.compile(r"\b(\d*d(?:\d+|F|%))-(?=\d)")
_RANGE_IN_WORDS = re.compile(r"(?<![\w.-])(\d+)-(\d+)(?![\w-])")


def typeset(text: str, value: Value | None = None) -> str:
    """Set a text: a dash before a number becomes a minus, a dash between two numbers of a range an en dash."""
    if not _DASH.search(text):  # most texts
        return text
    text = with_hyphens(text)
    if not isinstance(value, Text | Level | None):
        text = _DASH_MINUS.sub("−", text)
    if isinstance(value, Interval | NumberList):
        text = _OR_LESS.sub("−", _RANGE.sub(r"\1–", text))
    elif isinstance(value, Text | TrackChange):
        text = _RANGE_IN_WORDS.sub(r"\1–\2", text)
    elif isinstance(value, DiceText):
        text = _MINUS_OF_DICE.sub("−", text)
    text = text.replace("+/-", "±")
    text = _MINUS_OF_DICE_IN_WORDS.sub(r"\1−", text)
    text = _TRAILING_MINUS.sub("−", text)
    return _HYPHEN_MINUS.sub("−", text)


def with_written_figures(table: RuleTable, words: Words) -> RuleTable:
    """A computed table in some words: its figures and phrases are in their language. Printed tables stay as printed."""
    if not table.computed or words == ENGLISH:
        return table
    columns = tuple(replace(column, title=words.said(column.title)) for column in table.columns)
    rows = tuple(tuple(_localized_cell(cell, words) for cell in row) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


def _localized_cell(cell: Cell, words: Words) -> Cell:
    text = _written_text(cell.text, cell.value, cell.span, words)
    return replace(cell, text=text) if text != cell.text else cell


def _written_text(text: str, value: Value | None, place: Span | None, words: Words) -> str:
    """A text as its document prints the text; a figure or a phrase that no document prints is said in some words."""
    if place is not None:
        return text
    return words.said(text) if isinstance(value, Text | Level | None) else words.figure(text)


SIGNS = ("*", "†", "‡", "§", "¶")
"""The signs of footnotes in the order of use; after the last sign they are doubled."""


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: sign and text."""

    sign: str
    text: str


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The marks of a block's figures, and its notes in the order in which their signs first appear."""

    marks: Mapping[Span, Mark] = field(default_factory=dict)
    notes: tuple[Footnote, ...] = ()

    def text(self, place: Span | None, text: str) -> str:
        """The text to print at a place: the given text, or the text of an erratum."""
        return self.marks[place].text if place is not None and place in self.marks else text

    def sign(self, place: Span | None) -> str:
        """The sign of a figure, "" for one without a footnote."""
        if place is None or place not in self.marks:
            return ""
        groups = list(_group_marks(self.marks))
        return self.notes[groups.index(_group(self.marks[place]))].sign


def footnotes(places: Iterable[Span | None], marks: Mapping[Span, Mark]) -> Footnotes:
    """The footnotes of the figures at some places; figures with the same reason share a footnote."""
    held = {place: marks[place] for place in places if place is not None and place in marks}
    groups = _group_marks(held).items()
    signs = (sign * times for times in count(1) for sign in SIGNS)
    notes = (Footnote(sign, _text(*group, others)) for sign, (group, others) in zip(signs, groups, strict=False))
    return Footnotes(held, tuple(notes))


def _group(mark: Mark) -> tuple[str, str]:
    return mark.reason, mark.label


def _group_marks(marks: Mapping[Span, Mark]) -> Mapping[tuple[str, str], Sequence[str]]:
    """The figures of marks that are not printed, grouped by reason, in the order of the page."""
    groups: dict[tuple[str, str], list[str]] = {}
    for mark in marks.values():
        groups.setdefault(_group(mark), []).append(mark.other)
    return groups


def _text(reason: str, label: str, others: Sequence[str]) -> str:
    figures = f"{label}: {typeset(', '.join(others))}." if label else ""
    return f"{typeset(reason)} {figures}".strip()


def column_index(table: RuleTable, column: str) -> int:
    """The position of a column. Raises AidError for one that the table does not have."""
    index = table.index(column)
    if index is None:
        hint = did_you_mean(column, [known.id for known in table.columns])
        raise AidError(f'table "{table.id}" has no column "{column}"', hint=hint)
    return index


@dataclass(frozen=True, slots=True)
class NamedText:
    """A text with a name, such as a cell of a row."""

    title: str
    text: str
    value: Value | None = None
    span: Span | None = None

    @classmethod
    def of_cell(cls, title: str, cell: Cell) -> NamedText:
        """A cell under the title of its column."""
        return cls(title, cell.shown, cell.value, cell.span)


NamedFigure = Fact | NamedText
"""A figure or words that texts may name in braces; a computed figure has no span, and a blank no value."""


@dataclass(frozen=True)
class ScopeWithRow:
    """A game with named texts of a row or section, which take precedence over facts."""

    tables: Catalog[RuleTable]
    facts: Mapping[str, NamedFigure]
    sections: Sequence[Section]
    marks: Mapping[Span, Mark]
    words: Words
    table_roll: Callable[[RuleTable], TableRoll | None]

    @classmethod
    def of(cls, scope: BlockScope, words: Mapping[str, NamedText], kind: str) -> ScopeWithRow:
        """A scope with additional texts; ``kind`` is the word for a name in errors, such as "fact or column"."""
        names: Mapping[str, NamedFigure] = {**scope.facts, **words}
        return cls(scope.tables, Catalog(kind, names), scope.sections, scope.marks, scope.words, scope.table_roll)


BlockScope = GameModel | ScopeWithRow
"""The tables, facts, sections and marks that a block may show: those of a game, perhaps with the texts of a row."""

_PLACEHOLDER = re.compile(r"\{((?:[^{}]|\{[^{}]*\})*)\}")


def _named_figure(scope: BlockScope, name: str) -> NamedFigure:
    """The figure for a name in braces: a fact, or a cell that is looked up ("armies.nominal at {size}")."""
    path, is_looked_up, key = name.partition(" at ")
    if not is_looked_up:
        return scope.facts[name]
    table_id, _, column = path.partition(".")
    table = scope.tables[table_id]
    return NamedText.of_cell(table.title, table[scope.facts[key.strip("{} ")].text, column])


def filled_figure(scope: BlockScope, fact_id: str, notes: Footnotes | None = None) -> str:
    """A fact's figure, set for print, with its sign; a number that the document writes as a word is in digits."""
    fact = _named_figure(scope, fact_id)
    if notes is not None and (sign := notes.sign(fact.span)):
        return typeset(notes.text(fact.span, fact.text), fact.value) + sign
    if fact.text.isalpha() and isinstance(fact.value, Number) and fact.value.value.denominator == 1:
        return str(fact.value.value)
    return typeset(_written_text(fact.text, fact.value, fact.span, scope.words), fact.value)


def fill_placeholders(scope: BlockScope, text: str, notes: Footnotes | None = None) -> str:
    """A text with its ``{fact}`` places filled. Raises UnknownNameError for an unknown fact."""
    return _PLACEHOLDER.sub(lambda match: filled_figure(scope, match[1], notes), text)


def footnotes_of(scope: BlockScope, *texts: str) -> Footnotes:
    """The footnotes of the facts named in some texts."""
    names = (name for text in texts for name in _PLACEHOLDER.findall(text))
    return footnotes((_named_figure(scope, name).span for name in names), scope.marks)


def named_figures(scope: BlockScope, text: str) -> list[NamedFigure]:
    """The facts and cells that a text names, in order."""
    return [_named_figure(scope, name) for name in _PLACEHOLDER.findall(text)]


def has_content(scope: BlockScope, text: str) -> bool:
    """Whether a text is not empty and does not name only blank facts."""
    said = named_figures(scope, text)
    return bool(text) and (not said or any(each.text for each in said))
