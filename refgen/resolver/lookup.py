"""The materials of computed tables: look-ups in a ruleset by the names of system.toml.

In: a Ruleset and a name. Out: the value, or a ResolverError with the known names. In: cells. Out: a RuleTable that says
how they are rounded. ``MemoDict`` works each of its values out at the first look-up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeVar

from pydantic import Field

from refgen.catalog import did_you_mean
from refgen.errors import ResolverError
from refgen.notation.figures import Rounding
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import LETTER, NAME, PATH, BinaryOperation, ComparisonTest, RangeTest, Sum
from refgen.notation.levels import Ladder
from refgen.notation.values import DiceText, Percent, as_number
from refgen.rules.field_types import RollSpec
from refgen.rules.model import Cell, Column, Ruleset, RuleTable
from refgen.rules.toml import Strict
from refgen.span import Span

_PLACEHOLDER = re.compile(rf"\{{({NAME})\}}")
_Thing = TypeVar("_Thing")

_NAMED = re.compile(rf"\{{({PATH})(?:\}}|\s+at\b)")
_TABLE_NAME = re.compile(rf"[(,]\s*((?![\d_.-])(?:{LETTER}|[_.-])+)\s*\)")


def dice_of(ruleset: Ruleset, text: str) -> str:
    """A dice expression with its ``{fact}`` places filled from the document."""

    def fact(match: re.Match[str]) -> str:
        found = find_named(ruleset.facts, match[1], "fact")
        if isinstance(found.value, DiceText):
            return found.value.expression
        number = as_number(found.value)
        if number is None or number.denominator != 1:
            raise ResolverError(f'the fact "{match[1]}" is neither dice nor a whole number')
        return str(number)

    return _PLACEHOLDER.sub(fact, spelled_out(ruleset, text))


def spelled_out(ruleset: Ruleset, text: str) -> str:
    """A formula with the formulas of its named rolls in their places."""

    def roll(match: re.Match[str]) -> str:
        spec = ruleset.spec.rolls.get(match[1])
        if spec is None:
            return match[0]
        part = spelled_out(ruleset, spec.roll)
        return (
            f"({part})" if isinstance(parse_formula(part), Sum | BinaryOperation | ComparisonTest | RangeTest) else part
        )

    return _PLACEHOLDER.sub(roll, text) if ruleset.spec.rolls else text


def words_of(ruleset: Ruleset, text: str, keep: Collection[str] = ()) -> str:
    """A text with its facts, and cells by a fact, filled in as they are printed.

    Names in ``keep``, and names with a dot that begin with one of ``keep``, stay.
    """

    def fact(match: re.Match[str]) -> str:
        name = match[1]
        if name.partition(".")[0] in keep:
            return match[0]
        path, is_looked_up, key = name.partition(" at ")
        if is_looked_up:
            table, _, column = path.partition(".")
            return table_of(ruleset, table)[words_of(ruleset, key, keep), column].text
        if name not in ruleset.facts:
            hint = did_you_mean(name, ruleset.facts)
            raise ResolverError(f'the words name "{name}", which is no fact', hint=hint)
        return ruleset.facts[name].text

    return re.sub(r"\{((?:[^{}]|\{[^{}]*\})+)\}", fact, spelled_out(ruleset, text))


def sources_of_dice(ruleset: Ruleset, *texts: str) -> tuple[Span, ...]:
    """Where the facts and tables stand that dice expressions name."""
    texts = tuple([spelled_out(ruleset, text) for text in texts])
    facts = (ruleset.facts[name].span for text in texts for name in _PLACEHOLDER.findall(text) if name in ruleset.facts)
    tables = (
        table.span
        for text in texts
        for name in _TABLE_NAME.findall(text)
        if (table := ruleset.tables.get(name)) is not None and table.span is not None
    )
    return tuple(dict.fromkeys((*facts, *tables)))


def places_named(ruleset: Ruleset, entry: Any) -> Sequence[tuple[str, Span]]:
    """The facts and printed tables that an entry of system.toml names, directly or through others, with places."""
    facts, tables, found = dict(ruleset.facts), dict(ruleset.tables), {}
    derived = dict(getattr(ruleset.spec, "derived", {}))
    texts = list(_texts(entry))
    for text in texts:
        for name in (text, *_NAMED.findall(text), *_TABLE_NAME.findall(text)):
            thing = facts.get(name) or tables.get(name.partition(".")[0])
            if thing is not None and thing.span is not None:
                found[thing.id] = thing.span
            elif (roll := ruleset.spec.rolls.get(name)) is not None and roll.roll not in texts:
                texts.append(roll.roll)
            elif (entry := derived.pop(name.partition(".")[0], None)) is not None:
                texts += _texts(entry.model_dump(exclude={"kind", "title"}))
    return list(found.items())


def _texts(entry: Any) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, Mapping):
        yield from (text for value in entry.values() for text in _texts(value))
    elif isinstance(entry, Sequence):
        yield from (text for value in entry for text in _texts(value))


def find_named(known: Mapping[str, _Thing], name: str, what: str, otherwise: str = "") -> _Thing:
    """The thing with a name; ``otherwise`` is the hint where there are no names at all. Raises ResolverError."""
    if name not in known:
        hint = did_you_mean(name, known) if known or not otherwise else otherwise
        raise ResolverError(f'there is no {what} "{name}"', hint=hint)
    return known[name]


def roll_spec(ruleset: Ruleset, roll_id: str) -> RollSpec:
    """A named roll by its id."""
    return find_named(ruleset.spec.rolls, roll_id, "roll", "system.toml names none in [rolls.*].")


class NotPrintedError(ResolverError):
    """A figure rests on a row that a table should have and does not print: a finding of its own."""


def ladder_of(ruleset: Ruleset, ladder_id: str) -> Ladder:
    """A ladder by its id."""
    return find_named(ruleset.ladders, ladder_id, "ladder")


def table_of(ruleset: Ruleset, table_id: str) -> RuleTable:
    """A table by its id: a printed table, or a computed table whose entry stands above."""
    return find_named(ruleset.tables, table_id, "table")


def column_index(table: RuleTable, column: str) -> int:
    """The position of a column. Raises ResolverError for an unknown column."""
    index = table.index(column)
    if index is None:
        known = ", ".join(listed.id for listed in table.columns)
        raise ResolverError(f'table "{table.id}" has no column "{column}"', hint=f"It has {known}.")
    return index


def column_of(table: RuleTable, column: str) -> Iterator[Cell]:
    """The cells of a column, from top to bottom."""
    index = column_index(table, column)
    return (row[index] for row in table.rows)


def key_of(cell: Cell) -> Fraction | str:
    """The number by which rows are matched, or else the words."""
    number = as_number(cell.value)
    return cell.text if number is None else number


@contextmanager
def placed_at(span: Span) -> Iterator[None]:
    """Errors that have no place of their own have this one."""
    try:
        yield
    except ResolverError as error:
        raise error if error.span else ResolverError(error.message, span=span, hint=error.hint) from error


_MINUS = re.compile(r"(?<!\S)-(?=\d)")


class ComputedSpec(Strict):
    """An entry of ``[derived.*]``, and how its figures are rounded; each kind of table has a model of its own."""

    kind: str
    title: str
    note: str = ""
    places: int = Field(0, ge=0, le=6)
    rounding: Rounding = Rounding.HALF_UP


def column_id(title: str) -> str:
    """A column id made from a title: "very-hard" of "Very hard", "minus-1" of "-1"."""
    spoken = _MINUS.sub("minus ", title.lower())
    return "-".join(word for word in "".join(c if c.isalnum() else " " for c in spoken).split())


def computed_table(
    table_id: str, spec: ComputedSpec, columns: list[Column], rows: list[tuple[Cell, ...]], rule: str
) -> RuleTable:
    """A computed table with its rule, and the name of the rounding that its figures have."""
    rounding = spec.rounding if any(_is_rounded(cell) for row in rows for cell in row) else ""
    return RuleTable(table_id, spec.title, tuple(columns), tuple(rows), rule=rule, note=spec.note, rounding=rounding)


_FIGURE = re.compile(r"(?:1:)?([-+]?[\d,]+(?:\.(\d+))?)(%?)")


def _is_rounded(cell: Cell) -> bool:
    """Whether a computed cell shows a rounded number."""
    if cell.exact is None or cell.exact.denominator == 1:
        return False
    if isinstance(cell.value, Percent):
        last_place: int = 10 ** (2 + cell.value.places)
        return last_place % cell.exact.denominator != 0
    figure = _FIGURE.fullmatch(cell.text)
    if figure is None:
        return cell.text.startswith(("<", ">"))
    shown = int(figure[1].replace(",", "").replace(".", ""))
    one: int = 10 ** (len(figure[2] or "") + (2 if figure[3] else 0))
    return shown * cell.exact.denominator != cell.exact.numerator * one


Key = TypeVar("Key")
Value = TypeVar("Value")


class MemoDict(dict[Key, Value]):
    """A dictionary whose missing values are worked out by ``find`` when they are first asked for."""

    def __init__(self, find: Callable[[Key], Value]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: Key) -> Value:
        found = self[key] = self._find(key)
        return found
