"""Printed against computed, cell by cell, at the precision of the print.

In: a printed table and a computed one, matched row by row through a key column. Out: findings, and how many
cells were compared. A chance agrees when it lies within half a unit of the last printed digit; every other
number agrees only when it is the same.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from fractions import Fraction

from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.errors import CheckError
from refgen.notation.rounding import percent
from refgen.notation.values import Number, Percent, as_chance, as_number
from refgen.resolver.lookup import table_of
from refgen.rules.model import Cell, Ruleset, Table
from refgen.rules.schema import CompareSpec
from refgen.source import Span

Compared = tuple[Cell, Cell, str, str]
"""A printed cell, its computed one, and the names of their row and column."""


def compare(ruleset: Ruleset, computed: Table, check_id: str, spec: CompareSpec) -> tuple[int, list[Finding]]:
    """Compare two tables. Returns how many cells were compared, and what differs."""
    printed = table_of(ruleset, spec.printed)
    pairs = list(_pairs(printed, computed, spec))
    return len(pairs), [
        _finding(ruleset, printed, check_id, spec.rule, pair) for pair in pairs if not agrees(pair[0], pair[1])
    ]


def _pairs(printed: Table, computed: Table, spec: CompareSpec) -> Iterator[Compared]:
    computed_key = _index(computed, spec.computed_key or spec.key)
    by_key = {_key(row[computed_key]): row for row in computed.rows}
    for row in printed.rows:
        key = row[_index(printed, spec.key)]
        matching = by_key.get(_key(key))
        if matching is None:
            continue
        for printed_column, computed_column in spec.columns.items():
            index = _index(printed, printed_column)
            title = printed.columns[index].title
            other = matching[_index(computed, computed_column)]
            if other.value is not None:  # where no rule gives a number there is nothing to compare
                yield row[index], other, key.text or row[0].text, title


def _index(table: Table, column: str) -> int:
    index = table.index(column)
    if index is None:
        known = ", ".join(own.id for own in table.columns)
        raise CheckError(f'table "{table.id}" has no column "{column}"', hint=f"It has {known}.")
    return index


def _key(cell: Cell) -> Fraction | str:
    number = as_number(cell.value)
    return cell.text if number is None else number


def agrees(printed: Cell, computed: Cell) -> bool:
    """Whether a printed number is the computed one, rounded to the printed precision."""
    chance, exact = as_chance(printed.value), computed.exact
    if exact is None:
        return printed.value is None or as_number(printed.value) == as_number(computed.value)
    if chance is not None:
        return abs(chance.value - exact) <= half_unit(chance)
    if isinstance(printed.value, Number) and isinstance(computed.value, Number):
        return _compatible(printed.value, computed.value)
    return printed.value is None and exact == 0


def _compatible(left: Number, right: Number) -> bool:
    """Whether two numbers can be the same: ">500,000" and "2 mil" can, "300" and "200" cannot."""
    if left.bound == right.bound == "":
        return left.value == right.value
    above = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
    if left.bound and right.bound:
        return left.bound[0] == right.bound[0] or _compatible(Number(left.value), right)
    bounded, plain = (left, right) if left.bound else (right, left)
    return bounded.bound not in above or above[bounded.bound](plain.value, bounded.value)


def half_unit(printed: Percent) -> Fraction:
    """Half of one unit of the last printed digit."""
    return Fraction(1, 2 * 100 * 10**printed.places)


def _finding(ruleset: Ruleset, table: Table, check_id: str, rule: str, pair: Compared) -> Finding:
    printed, computed, row, column = pair
    chance, exact = as_chance(printed.value), computed.exact
    text = computed.text
    severity = Severity.ERROR
    if chance is not None and exact is not None:
        text = percent(exact, chance.places)
        if abs(chance.value - exact) < 2 * half_unit(chance):
            severity = Severity.WARNING
    return Finding(
        id=f"{check_id}/{row}/{column}".replace(" ", "-").lower(),
        kind=FindingKind.NUMBER,
        system=ruleset.id,
        table=table.id,
        row=row,
        column=column,
        printed=printed.text,
        computed=text,
        exact=str(exact) if exact is not None else "",
        rule=rule,
        severity=severity,
        span=_place(printed, table),
    )


def _place(cell: Cell, table: Table) -> Span:
    span = cell.span or table.span
    if span is None:
        raise CheckError(f'"{table.id}" is computed, not printed: there is nothing to compare')
    return span
