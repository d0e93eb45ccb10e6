"""What computed tables ask of a ruleset: its dice, ladders and columns, by the names system.toml uses.

In: a Ruleset and a name. Out: the value, or a ResolverError that says what there is instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from refgen.errors import ResolverError
from refgen.notation.level import Ladder
from refgen.notation.rounding import Rounding, percent
from refgen.notation.values import DiceText, Interval, Number, Percent, as_number
from refgen.resolver.dice import DEFAULT_REACH, RollTable, roll
from refgen.resolver.roll import Roll
from refgen.rules.model import Cell, Column, Ruleset, Table
from refgen.rules.schema import DerivedSpec

_PLACEHOLDER = re.compile(r"\{([a-z0-9-]+)\}")


def dice_of(ruleset: Ruleset, text: str) -> str:
    """A dice expression with its ``{fact}`` places filled from the document."""

    def fact(match: re.Match[str]) -> str:
        found = ruleset.facts.get(match[1])
        if found is None:
            known = ", ".join(sorted(ruleset.facts))
            raise ResolverError(f'there is no fact "{match[1]}"', hint=f"There are {known}.")
        if isinstance(found.value, DiceText):
            return found.value.expression
        number = as_number(found.value)
        if number is None or number.denominator != 1:
            raise ResolverError(f'the fact "{match[1]}" is neither dice nor a whole number')
        return str(number)

    return _PLACEHOLDER.sub(fact, text)


def roll_of(ruleset: Ruleset, text: str, reach: int = DEFAULT_REACH) -> Roll:
    """The distribution of a dice expression that may name facts and tables of the ruleset."""
    return roll(dice_of(ruleset, text), reach, roll_tables(ruleset))


def roll_tables(ruleset: Ruleset) -> Mapping[str, RollTable]:
    """The tables that a roll can be looked up in: those with a column of ranges and one of whole numbers."""
    found = {}
    for table in ruleset.tables.values():
        rows = [
            (interval, int(number))
            for row in table.rows
            for interval in [next((cell.value for cell in row if isinstance(cell.value, Interval)), None)]
            for number in [next((cell.value.value for cell in row if isinstance(cell.value, Number)), None)]
            if interval is not None and number is not None and number.denominator == 1
        ]
        if rows:
            found[table.id] = rows
    return found


def ladder_of(ruleset: Ruleset, ladder_id: str) -> Ladder:
    """A ladder by its id."""
    if ladder_id not in ruleset.ladders:
        raise ResolverError(f'there is no ladder "{ladder_id}"', hint=f"There are {', '.join(ruleset.ladders)}.")
    return ruleset.ladders[ladder_id]


def table_of(ruleset: Ruleset, table_id: str) -> Table:
    """A printed table by its id."""
    if table_id not in ruleset.tables:
        raise ResolverError(f'there is no table "{table_id}"', hint=f"There are {', '.join(ruleset.tables)}.")
    return ruleset.tables[table_id]


def column_of(table: Table, column: str) -> Iterator[Cell]:
    """The cells of a column, from top to bottom."""
    index = table.index(column)
    if index is None:
        known = ", ".join(own.id for own in table.columns)
        raise ResolverError(f'table "{table.id}" has no column "{column}"', hint=f"It has {known}.")
    return (row[index] for row in table.rows)


def number_of(cell: Cell) -> Fraction:
    """The number a cell stands for. Raises ResolverError for a cell without one."""
    number = as_number(cell.value)
    if number is None:
        raise ResolverError(f'"{cell.text}" at {cell.span} is not a number')
    return number


def number_of_fact(ruleset: Ruleset, fact_id: str) -> int:
    """The whole number that a fact states. Raises ResolverError when it states none."""
    fact = ruleset.facts.get(fact_id)
    number = as_number(fact.value) if fact else None
    if number is None or number.denominator != 1:
        raise ResolverError(f'"{fact_id}" is not a fact with a whole number')
    return int(number)


def chance_cell(chance: Fraction, spec: DerivedSpec) -> Cell:
    """A computed chance, rounded once; what cannot happen is shown as a dash."""
    text = percent(chance, spec.places, spec.rounding) if chance else "–"
    return Cell(text, Percent(chance, spec.places), exact=chance)


def number_cell(number: int, signed: bool = True) -> Cell:
    """A whole number, with its sign where it is a value or a modifier."""
    return Cell(f"{number:+d}" if signed and number else str(number), Number(Fraction(number)))


def word_cell(text: str) -> Cell:
    """A label."""
    return Cell(text)


def computed(table_id: str, spec: DerivedSpec, columns: list[Column], rows: list[tuple[Cell, ...]], rule: str) -> Table:
    """A computed table with its rule and the rounding that its figures have."""
    rounding = "" if spec.rounding is Rounding.HALF_UP else f" Rounded {spec.rounding}."
    return Table(table_id, spec.title, tuple(columns), tuple(rows), rule=rule + rounding, note=spec.note)
