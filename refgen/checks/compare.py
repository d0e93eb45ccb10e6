"""Printed against computed, cell by cell: a printed table beside another one, matched row by row through a key.

In: a printed table, and a computed or another printed one. Out: a Comparison for each pair of cells.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from refgen.checks.comparison import CheckSpec, Comparison, Subject, precision_of, printed_number
from refgen.errors import CheckError
from refgen.notation.values import Number, Score, WeightedNumber, as_number
from refgen.resolver.lookup import table_of, words_of
from refgen.rules.model import Cell, Ruleset, Table
from refgen.rules.schema import Identifier
from refgen.span import Span
from refgen.suggestion import did_you_mean


class CompareSpec(CheckSpec):
    """Printed against computed: the columns of a table and those of a computed table, row by row by their key.

    ``computed`` may be another printed table, which then must agree wherever neither has a blank.
    The key column goes by the same name in both tables unless ``computed_key`` says otherwise. Without a key the first
    row is compared with the first, and so on.
    """

    kind: Literal["compare"]
    printed: Identifier
    computed: Identifier
    key: Identifier | None = None
    computed_key: Identifier | None = None
    columns: dict[Identifier, Identifier]
    rule: str
    inferred: list[str] = []
    """Rows of the printed table for which the document does not state the rule, by their names."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A printed cell, the one that it must agree with, and the key of their row."""

    subject: Subject
    printed: Cell
    other: Cell
    key: Cell


def compare(ruleset: Ruleset, derived: Mapping[str, Table], check_id: str, spec: CompareSpec) -> Iterator[Comparison]:
    """Compare two tables. Raises CheckError for a table or column that is not there."""
    other = _other(ruleset, derived, spec.computed)
    printed, rule = table_of(ruleset, spec.printed), words_of(ruleset, spec.rule)
    names = row_names(printed, column_index(printed, spec.key)) if spec.key is not None else _numbered(printed)
    if unknown := [name for name in spec.inferred if name not in names]:
        raise CheckError(f'"{printed.id}" has no row "{unknown[0]}"', hint=did_you_mean(unknown[0], names))
    for pair in _pairs(printed, other, check_id, spec):
        yield _comparison(pair, rule, spec.stated and pair.subject.row not in spec.inferred)


def _other(ruleset: Ruleset, derived: Mapping[str, Table], table_id: str) -> Table:
    """What a printed table is compared with: a computed table, or another printed one."""
    for tables in (ruleset.tables, derived):
        if table_id in tables:
            return tables[table_id]
    hint = did_you_mean(table_id, [*ruleset.tables, *derived])
    raise CheckError(f'there is no table "{table_id}" to compare with', hint=hint)


def _pairs(printed: Table, other: Table, check_id: str, spec: CompareSpec) -> Iterator[_Pair]:
    columns = [
        (column_index(printed, name), column_index(other, other_name)) for name, other_name in spec.columns.items()
    ]
    for name, row, key, matching in _matched(printed, other, spec):
        for index, other_index in columns:
            cell = matching[other_index]
            if cell.value is not None and not _nothing_printed(row[index], cell):
                title = printed.columns[index].title
                names = (name, title)
                subject = Subject(
                    comparison_id(check_id, *names),
                    printed.id,
                    printed.title,
                    *names,
                    row[index].text,
                    place(row[index], printed),
                )
                yield _Pair(subject, row[index], cell, key)


_Row = tuple[Cell, ...]


def _numbered(table: Table) -> Sequence[str]:
    """What its rows go by where no key tells them apart."""
    return [str(number) for number in range(1, len(table.rows) + 1)]


def _matched(printed: Table, other: Table, spec: CompareSpec) -> Iterator[tuple[str, _Row, Cell, _Row]]:
    """The rows that go together: the name of each, the row, its key, and the other row."""
    if spec.key is None:
        for name, row, matching in zip(_numbered(printed), printed.rows, other.rows, strict=False):
            yield name, row, row[0], matching
        return
    index, other_index = column_index(printed, spec.key), column_index(other, spec.computed_key or spec.key)
    by_key = {_key(row[other_index]): row for row in other.rows}
    for name, row in zip(row_names(printed, index), printed.rows, strict=True):
        if (matched := by_key.get(_key(row[index]))) is not None:
            yield name, row, row[index], matched


def _nothing_printed(printed: Cell, other: Cell) -> bool:
    """Whether a blank stands beside another printed cell: neither says that the blank is anything."""
    return printed.value is None and other.span is not None


def _comparison(pair: _Pair, rule: str, stated: bool) -> Comparison:
    printed, other = pair.printed, pair.other
    precision, number = precision_of(printed.text, printed.value), printed_number(printed.value)
    exact = other.exact if other.span is None else printed_number(other.value)
    if _bound(printed) or _bound(other) or (printed.value is not None and number is None):
        exact = None
    elif printed.value is None:
        number = Fraction(0)  # a blank among chances that none leads to
    return Comparison(
        pair.subject,
        computed=other.text if exact is None else precision.shown(exact),
        rule=rule,
        number=number,
        exact=exact,
        precision=precision,
        same=_same(printed, other),
        stated=stated,
        sources=_sources(pair),
    )


def _sources(pair: _Pair) -> tuple[Span, ...]:
    spans = (*pair.other.sources, pair.other.span, pair.key.span)
    return tuple(dict.fromkeys(span for span in spans if span is not None and span != pair.subject.span))


def comparison_id(*parts: str) -> str:
    """A stable id: the check, and the row and column it speaks of."""
    return "/".join(part for part in parts if part).replace(" ", "-").lower()


def row_names(table: Table, column: int = 0) -> Sequence[str]:
    """What the rows of a table go by: a cell of each, without a figure that may be wrong itself.

    Rows with the same words are told apart by a number: "two", "two 2", "two 3".
    """
    seen: Counter[str] = Counter()
    names = []
    for row in table.rows:
        name = _bare(row[column]) or _bare(row[0])
        seen[name] += 1
        names.append(f"{name} {seen[name]}" if seen[name] > 1 else name)
    return names


def _bare(cell: Cell) -> str:
    return cell.text.partition("(")[0].strip() if isinstance(cell.value, WeightedNumber | Score) else cell.text


def column_index(table: Table, column: str) -> int:
    """The position of a column. Raises CheckError when it is not there."""
    index = table.index(column)
    if index is None:
        known = ", ".join(listed.id for listed in table.columns)
        raise CheckError(f'table "{table.id}" has no column "{column}"', hint=f"It has {known}.")
    return index


def _key(cell: Cell) -> Fraction | str:
    number = as_number(cell.value)
    return cell.text if number is None else number


def _bound(cell: Cell) -> str:
    return cell.value.bound.replace("~", "") if isinstance(cell.value, Number) else ""


def _same(printed: Cell, other: Cell) -> bool:
    """Whether two cells without an exact number agree: dice that are the same, bounds that can be."""
    if isinstance(printed.value, Number) and isinstance(other.value, Number):
        return compatible(printed.value, other.value)
    numbers = as_number(printed.value), as_number(other.value)
    if printed.value is None or numbers == (None, None):
        return printed.value is None or printed.value == other.value
    return numbers[0] == numbers[1]


def compatible(left: Number, right: Number) -> bool:
    """Whether two numbers can be the same: ">500,000" and "2 mil" can, "300" and "200" cannot."""
    if left.bound == right.bound == "":
        return left.value == right.value
    above = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
    if left.bound and right.bound:
        return left.bound[0] == right.bound[0] or compatible(Number(left.value), right)
    bounded, plain = (left, right) if left.bound else (right, left)
    return bounded.bound not in above or above[bounded.bound](plain.value, bounded.value)


def place(cell: Cell, table: Table) -> Span:
    """Where a printed cell stands. Raises CheckError for a computed one."""
    span = cell.span or table.span
    if span is None:
        raise CheckError(f'"{table.id}" is computed, not printed: there is nothing to compare')
    return span
