"""Printed against computed, cell by cell: a printed table beside another one, matched row by row through a key.

In: a printed table, and a computed or another printed one. Out: a Comparison for each pair of cells.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Self

from pydantic import model_validator

from refgen.checks.comparison import (
    FIGURE,
    CheckSpec,
    CheckSubject,
    Comparison,
    column_index,
    fact_of,
    precision_of,
    printed_number,
    row_names,
    subject,
    subject_of,
)
from refgen.checks.formulas import come_up_alike
from refgen.errors import CheckError
from refgen.notation.values import DiceText, Interval, Number, Value, as_number
from refgen.resolver.lookup import column_of, dice_of, sources_of_dice, table_of, words_of
from refgen.resolver.rolls import roll_of
from refgen.rules.field_types import Identifier, RolledText
from refgen.rules.model import Cell, Ruleset, RuleTable
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
    inferred_rows: list[str] = []
    """Rows of the printed table for which the document does not state the rule, by their names."""
    unmatched: list[str] = []
    """Rows of the printed table that the other one does not have, by their names; any other such row is a finding."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A printed cell, the one that it must agree with, and the key of their row."""

    subject: CheckSubject
    printed: Cell
    other: Cell
    key: Cell


def compare(
    ruleset: Ruleset, derived: Mapping[str, RuleTable], check_id: str, spec: CompareSpec
) -> Iterator[Comparison]:
    """Compare two tables. Raises CheckError for a table or column that is not there."""
    other = _other(ruleset, derived, spec.computed)
    printed, rule = table_of(ruleset, spec.printed), words_of(ruleset, spec.rule)
    names = row_names(printed, column_index(printed, spec.key)) if spec.key is not None else _numbers(printed)
    if unknown := [name for name in spec.inferred_rows if name not in names]:
        raise CheckError(f'"{printed.id}" has no row "{unknown[0]}"', hint=did_you_mean(unknown[0], names))
    for row, matching in _matched(printed, other, spec, names):
        if matching is not None:
            for pair in _pairs(printed, other, check_id, spec, (row, matching)):
                yield _comparison(pair, rule, row.name in spec.inferred_rows)
        elif row.name not in spec.unmatched:
            yield _alone(printed, other, check_id, row)


def _numbers(table: RuleTable) -> Sequence[str]:
    """The rows' numbers, by which rows without a key are told apart."""
    return [str(number) for number in range(1, len(table.rows) + 1)]


def _other(ruleset: Ruleset, derived: Mapping[str, RuleTable], table_id: str) -> RuleTable:
    """The table that a printed table is compared with: a computed table, or another printed table."""
    for tables in (ruleset.tables, derived):
        if table_id in tables:
            return tables[table_id]
    hint = did_you_mean(table_id, [*ruleset.tables, *derived])
    raise CheckError(f'there is no table "{table_id}" to compare with', hint=hint)


_Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """A printed row, its name, and the cell by which the other row is found."""

    name: str
    cells: _Cells
    key: int


def _matched(
    printed: RuleTable, other: RuleTable, spec: CompareSpec, names: Sequence[str]
) -> Iterator[tuple[_Row, _Cells | None]]:
    """Every printed row with the one that goes with it, if there is one."""
    if spec.key is None:
        for at, (name, cells) in enumerate(zip(names, printed.rows, strict=True)):
            yield _Row(name, cells, 0), other.rows[at] if at < len(other.rows) else None
        return
    index, other_index = column_index(printed, spec.key), column_index(other, spec.computed_key or spec.key)
    by_key = {_key(row[other_index]): row for row in other.rows}
    for name, cells in zip(names, printed.rows, strict=True):
        yield _Row(name, cells, index), by_key.get(_key(cells[index]))


def _pairs(
    printed: RuleTable, other: RuleTable, check_id: str, spec: CompareSpec, rows: tuple[_Row, _Cells]
) -> Iterator[_Pair]:
    row, matching = rows
    for name, other_name in spec.columns.items():
        index, cell = column_index(printed, name), matching[column_index(other, other_name)]
        if not _says_nothing(row.cells[index], cell):
            about = subject(printed, check_id, row.name, index, row.cells[index])
            yield _Pair(about, row.cells[index], cell, row.cells[row.key])


def _says_nothing(printed: Cell, other: Cell) -> bool:
    """Whether a blank means nothing: beside another printed cell, or where nothing is computed either."""
    if other.span is not None:
        return printed.value is None or other.value is None
    return printed.value is None and other.value is None


def _alone(printed: RuleTable, other: RuleTable, check_id: str, row: _Row) -> Comparison:
    """A printed row that nothing can be compared with."""
    return Comparison(
        subject(printed, check_id, row.name, row.key, row.cells[row.key]),
        computed="nothing",
        rule=f'"{other.title}" has no such row to compare with',
        sources=() if other.span is None else (other.span,),
    )


def _comparison(pair: _Pair, rule: str, inferred: bool) -> Comparison:
    printed, other = pair.printed, pair.other
    precision, number = precision_of(printed.text, printed.value), printed_number(printed.value)
    exact = other.exact if other.span is None else printed_number(other.value)
    if _bound(printed) or _bound(other) or (printed.value is not None and number is None):
        exact = None
    elif printed.value is None:
        number = Fraction(0)  # a blank among chances that none leads to
    return Comparison(
        pair.subject,
        computed=other.text if exact is None else FIGURE,
        rule=rule,
        number=number,
        exact=exact,
        precision=precision,
        same=_same(printed, other),
        inferred=inferred,
        sources=_sources(pair),
    )


def _sources(pair: _Pair) -> tuple[Span, ...]:
    spans = (*pair.other.sources, pair.other.span, pair.key.span)
    return tuple(dict.fromkeys(span for span in spans if span is not None and span != pair.subject.span))


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


RESTATED = "restated"
"""The check of what a document says once more, in words that ``[restated]`` of proof.toml has."""


def check_restated(ruleset: Ruleset) -> Iterator[Comparison]:
    """A number that the document states again must equal the first statement."""
    count: Counter[str] = Counter()
    facts = dict(ruleset.facts)
    for once_more in (said for said in ruleset.restated if said.id in facts):  # else it is told as an error
        fact = facts[once_more.id]
        count[once_more.id] += 1
        number = f"/{count[once_more.id]}" if count[once_more.id] > 1 else ""
        yield Comparison(
            subject_of(f"{RESTATED}/{once_more.id}{number}", once_more),
            computed=fact.text,
            rule=f"it is {fact.text} at {fact.span}",
            number=printed_number(once_more.value),
            exact=printed_number(fact.value),
            precision=precision_of(once_more.text, once_more.value),
            same=once_more.value == fact.value or _rolls_the_same(ruleset, once_more.value, fact.value),
            sources=(fact.span,),
        )


def _rolls_the_same(ruleset: Ruleset, one: Value, other: Value) -> bool:
    """Whether two values are dice that come up alike: d6 and 1d6."""
    if not (isinstance(one, DiceText) and isinstance(other, DiceText) and one.expression and other.expression):
        return False
    return come_up_alike(roll_of(ruleset, one.expression), roll_of(ruleset, other.expression))


class QuotesSpec(CheckSpec):
    """A fact that quotes a table: the cell of ``column`` in the row whose ``key`` is the number of the fact ``at``.

    With ``row`` in place of ``at`` it is the row whose ``key`` prints those words.
    """

    kind: Literal["quotes"]
    fact: Identifier
    table: Identifier
    key: Identifier
    at: Identifier | None = None
    row: str = ""
    column: Identifier

    @model_validator(mode="after")
    def _one_row(self) -> Self:
        if (self.at is None) == (not self.row):
            raise ValueError("a row is found by either `at` or `row`")
        return self


def check_quotes(ruleset: Ruleset, check_id: str, spec: QuotesSpec) -> Iterator[Comparison]:
    """A sentence about a table gives the same figure as the row of the table that the sentence names."""
    fact, table = fact_of(ruleset, spec.fact), table_of(ruleset, spec.table)
    at = fact_of(ruleset, spec.at) if spec.at is not None else None
    wanted = as_number(at.value) if at is not None else spec.row
    pairs = zip(column_of(table, spec.key), column_of(table, spec.column), strict=True)
    found = [(key, cell) for key, cell in pairs if wanted == (as_number(key.value) if at is not None else key.text)]
    named = at.text if at is not None else spec.row
    rule = f'the table "{table.title}" has it in the row {named}'
    if len(found) != 1:
        rule += f", and {len(found)} rows are that one" if found else ", and there is no such row"
        places = [span for span in (at.span if at is not None else None, table.span) if span is not None]
        yield Comparison(subject_of(check_id, fact), "nothing", rule, sources=tuple(places))
        return
    ((key, printed),) = found
    spans = (at.span if at is not None else None, key.span, printed.span)
    yield Comparison(
        subject_of(check_id, fact),
        computed=printed.text,
        rule=rule,
        number=printed_number(fact.value),
        exact=printed_number(printed.value),
        precision=precision_of(fact.text, fact.value),
        same=fact.value == printed.value,
        sources=tuple(span for span in spans if span is not None),
    )


class RangeSpec(CheckSpec):
    """A fact that states the range of some dice."""

    kind: Literal["range"]
    fact: Identifier
    dice: RolledText


def check_range(ruleset: Ruleset, check_id: str, spec: RangeSpec) -> Iterator[Comparison]:
    """The range of results that a sentence states is the range of the dice."""
    fact = fact_of(ruleset, spec.fact)
    outcomes = roll_of(ruleset, spec.dice).outcomes
    yield Comparison(
        subject_of(check_id, fact),
        computed=f"{outcomes[0]} to {outcomes[-1]}",
        rule=f"the lowest and highest result of {dice_of(ruleset, spec.dice)}",
        same=fact.value == Interval(outcomes[0], outcomes[-1]),
        sources=sources_of_dice(ruleset, spec.dice),
    )


class SameDistributionSpec(CheckSpec):
    """A fact with dice that come up exactly like other dice."""

    kind: Literal["same-distribution"]
    fact: Identifier
    dice: RolledText
    rule: str = ""


def check_same_distribution(ruleset: Ruleset, check_id: str, spec: SameDistributionSpec) -> Iterator[Comparison]:
    """The dice of a fact come up exactly as other dice do."""
    fact = fact_of(ruleset, spec.fact)
    rolled, other = roll_of(ruleset, f"{{{fact.id}}}"), roll_of(ruleset, spec.dice)
    dice = dice_of(ruleset, spec.dice)
    yield Comparison(
        subject_of(check_id, fact),
        computed=f"dice that come up like {dice}",
        rule=words_of(ruleset, spec.rule) or f"the dice have the same results as {dice}, each as often",
        same=come_up_alike(rolled, other),
        sources=sources_of_dice(ruleset, spec.dice),
    )
