"""Checks that a printed number follows from further numbers by a formula.

In: a fact or a column, and a formula. Out: a Comparison for each printed number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Self, TypeGuard

from pydantic import model_validator

from refgen.checks.comparison import (
    FIGURE,
    CheckInputs,
    CheckSpec,
    ChecksSpec,
    CheckSubject,
    Comparison,
    precision_of,
    printed_number,
    range_in_words,
    row_names,
    subject,
    subject_of,
)
from refgen.errors import CheckError, ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import names_in
from refgen.notation.values import DiceText, Interval, Level, Modifier, Value
from refgen.resolver.chains.chain import chain_functions
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.formula.axis import AxisSpec, level_of_number, printed_rows
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import Evaluator, NamedValue, Scope
from refgen.resolver.lookup import column_index, dice_of, find_named, table_of, words_of
from refgen.resolver.rolls import roll_of
from refgen.rules.field_types import FactSpec, FormulaText, Identifier
from refgen.rules.model import Ruleset
from refgen.span import Span
from refgen.words import Phrase


class FormulaSpec(CheckSpec):
    """A fact, or every cell of a column, follows from a formula.

    In a column, {row} is the cell itself and {row.other} a further cell of its row. Blank cells are left out, and so
    are rows for which ``where`` is 0. For a range, ``formula`` gives the low end and ``high`` the high end; ``part``
    compares one end alone (also of "±2"), or how many numbers the range has. For dice, the formula gives the roll.
    """

    kind: Literal["formula"]
    fact: Identifier | None = None
    table: Identifier | None = None
    column: Identifier | None = None
    where: FormulaText = ""
    formula: FormulaText
    high: FormulaText = ""
    part: Literal["", "low", "high", "width"] = ""
    rule: str

    @model_validator(mode="after")
    def _check_target(self) -> Self:
        if self.high and self.part:
            raise ValueError("`part` compares one number, so there is no `high`")
        if (self.fact is None) == (self.table is None) or (self.table is None) != (self.column is None):
            raise ValueError("a formula checks a fact, or a table and its column")
        return self

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """Compare the fact, or each cell of the column that is not blank, with the formula."""
        ruleset, check_id = inputs.ruleset, inputs.check_id
        if self.fact is not None:
            fact = find_named(ruleset.facts, self.fact, "fact")
            printed = _PrintedValue(subject_of(check_id, fact), fact.value, ruleset.spec.facts[fact.id].ladder or "")
            yield _comparison(
                ruleset, self, printed, _rule(ruleset, self, {}, isinstance(fact.value, DiceText)), Scope({})
            )
            return
        table = table_of(ruleset, self.table or "")
        axis = printed_rows(ruleset, AxisSpec(id=ROW, of=f"{self.table}.{self.column}"))
        rule = _rule(ruleset, self, axis.names, axis.column.type == "dice")
        at = column_index(table, self.column or "")
        ladder = ruleset.spec.tables[table.id].columns[at].ladder or ""
        for entry, row in zip(axis.entries, row_names(table), strict=True):
            cell, scope = entry.named[ROW].cell, Scope(entry.named)
            if _is_compared(cell.value, self) and (rule.where is None or rule.where(scope)):
                about = subject(table, check_id, row, at, cell)
                yield _comparison(ruleset, self, _PrintedValue(about, cell.value, ladder), rule, scope)


ROW = "row"
"""The name of the row in the formulas of a column."""


def formula_of_fact(fact_id: str, fact: FactSpec) -> FormulaSpec:
    """The check of a fact whose ``follows`` names a formula."""
    follows = fact.follows
    if isinstance(follows, str):
        parts = {"formula": follows}
    elif follows.width:
        parts = {"formula": follows.width, "part": "width"}
    elif follows.low and follows.high:
        parts = {"formula": follows.low, "high": follows.high}
    else:
        parts = {"formula": follows.low or follows.high, "part": "low" if follows.low else "high"}
    return FormulaSpec.model_validate(
        {"kind": "formula", "fact": fact_id, "rule": fact.because, "inferred": fact.inferred, **parts}
    )


@dataclass(frozen=True, slots=True)
class _PrintedValue:
    """A printed value, and the ladder of a level ("" for any other value)."""

    subject: CheckSubject
    value: Value
    ladder: str


@dataclass(frozen=True, slots=True)
class _RollFormula:
    """A formula whose result is a roll, to be compared with printed dice."""

    roll: Callable[[Scope], Distribution]


@dataclass(frozen=True, slots=True)
class _Rule:
    """The compiled formulas of a check: of a number or roll, of the high end of a range, and of the rows to keep."""

    value: Evaluator | _RollFormula
    high: Evaluator | None
    where: Evaluator | None


def _is_compared(value: Value | None, spec: FormulaSpec) -> TypeGuard[Value]:
    """Whether there is a number or dice: a blank has none, and an open range has no width."""
    if value is None or (isinstance(value, DiceText) and not value.expression):
        return False
    return not spec.part or compared_part(value, spec.part) is not None


def _rule(ruleset: Ruleset[ChecksSpec], spec: FormulaSpec, names: Mapping[str, bool], is_dice: bool) -> _Rule:
    formulas = Compiler(Names(ruleset, names), chain_functions(ruleset).all)
    high, where = (formulas.number(parse_formula(text)) if text else None for text in (spec.high, spec.where))
    formula = parse_formula(spec.formula)
    return _Rule(_RollFormula(formulas.roll(formula)) if is_dice else formulas.number(formula), high, where)


def _comparison(ruleset: Ruleset, spec: FormulaSpec, printed: _PrintedValue, rule: _Rule, scope: Scope) -> Comparison:
    if isinstance(rule.value, _RollFormula):
        return _comparison_of_dice(ruleset, spec, printed, rule.value.roll(scope), scope)
    subject, words = printed.subject, words_of(ruleset, spec.rule)
    number = compared_part(printed.value, spec.part)
    is_range = isinstance(printed.value, Interval) and rule.high is not None
    if number is None and not is_range:
        raise CheckError(f'"{subject.printed}" is no number that a formula gives', span=subject.span)
    try:
        exact = Fraction(rule.value(scope))
        high = Fraction(rule.high(scope)) if rule.high else exact
    except ResolverError as error:  # the formula reads something that the document lacks
        sources = tuple(dict.fromkeys((*_sources(ruleset, spec, printed, scope), *_table_places(ruleset, spec))))
        return Comparison(subject, "nothing", f"{words}; {error.message}", sources=sources)
    precision = precision_of(subject.printed, printed.value)
    return Comparison(
        subject,
        computed=range_in_words(exact, high) if is_range else _agreeing_text(ruleset, spec, printed, exact),
        rule=words,
        number=None if is_range else number,
        exact=None if is_range else exact,
        precision=precision,
        same=is_range and printed.value == Interval(_as_whole_number(exact), _as_whole_number(high)),
        sources=_sources(ruleset, spec, printed, scope),
    )


def _comparison_of_dice(
    ruleset: Ruleset, spec: FormulaSpec, printed: _PrintedValue, roll: Distribution, scope: Scope
) -> Comparison:
    """Printed dice and what a formula rolls: the two have the same results, each as often."""
    expression = printed.value.expression if isinstance(printed.value, DiceText) else ""
    printed_roll = roll_of(ruleset, expression)
    dice = (
        dice_of(ruleset, spec.formula) if spec.fact is not None else range_in_words(roll.outcomes[0], roll.outcomes[-1])
    )
    return Comparison(
        printed.subject,
        computed=Phrase("check-dice-like", dice=dice),
        rule=words_of(ruleset, spec.rule),
        same=is_same_distribution(printed_roll, roll),
        sources=_sources(ruleset, spec, printed, scope),
    )


def is_same_distribution(one: Distribution, other: Distribution) -> bool:
    """Whether two rolls have the same results, each as often; of rolls that go on, as far as both are known."""
    results = {*one.outcomes, *other.outcomes}
    known = [number for number in results if one.is_exact(number) and other.is_exact(number)]
    return all(one.exactly(number) == other.exactly(number) for number in known or results)


def _sources(ruleset: Ruleset, spec: FormulaSpec, printed: _PrintedValue, scope: Scope) -> tuple[Span, ...]:
    """The places that the formula has read, and those that print the numbers of the levels it has read."""
    names = {name for text in (spec.formula, spec.high, spec.where) if text for name in names_in(parse_formula(text))}
    levels = [
        span for name in sorted(names) for span in level_places_of_name(ruleset, spec.table or "", name, scope.named)
    ]
    if isinstance(printed.value, Level) and printed.ladder:
        levels += level_places(ruleset, printed.ladder, printed.value.value)
    return tuple(dict.fromkeys(span for span in (*scope.sources, *levels) if span != printed.subject.span))


def _table_places(ruleset: Ruleset, spec: FormulaSpec) -> Iterator[Span]:
    """The places of the tables that a formula reads."""
    for name in names_in(parse_formula(spec.formula)):
        table = ruleset.tables.get(name.partition(".")[0])
        if table is not None and table.span is not None:
            yield table.span


def compared_part(value: Value, part: str) -> Fraction | None:
    """The number of a value that is compared: the value itself, or one end or the width of a range (or "±2")."""
    if not part or not isinstance(value, Interval | Modifier):
        return printed_number(value)
    ends = [None if end is None else Fraction(end) for end in (value.low, value.high)]
    low, high = ends
    if part == "width":
        return None if low is None or high is None else high - low + 1
    return low if part == "low" else high


def _as_whole_number(number: Fraction) -> int | None:
    return int(number) if number.denominator == 1 else None


def _agreeing_text(ruleset: Ruleset, spec: FormulaSpec, printed: _PrintedValue, exact: Fraction) -> str:
    """The text that would agree with a formula: a level, or a figure with the sign marks of the printed figure."""
    if isinstance(printed.value, Level) and printed.ladder and exact.denominator == 1:
        return level_of_number(ruleset.ladders[printed.ladder], int(exact)).name
    if spec.part == "width":
        return Phrase("check-wide", number=FIGURE)
    marks = re.match(r"±|\+/-|\+", printed.subject.printed)
    return f"{marks[0]}{FIGURE}" if marks is not None and exact > 0 else FIGURE


def level_places(ruleset: Ruleset, ladder: str, number: int) -> Iterator[Span]:
    """Where a ladder prints the level of a number, and the number, unless its levels are counted."""
    spec = ruleset.spec.ladders[ladder]
    table = ruleset.tables[spec.table]
    columns = [at for name in (spec.level, spec.value) if name and (at := table.index(name)) is not None]
    for row in table.rows if columns else ():
        level = row[columns[0]].value
        if isinstance(level, Level) and level.value == number:
            yield from (place for at in columns if (place := row[at].span) is not None)


def level_places_of_name(ruleset: Ruleset, table: str, name: str, named: Mapping[str, NamedValue]) -> Iterator[Span]:
    """Where the number of the level is printed that a name of a formula stands for, if it stands for one.

    ``named`` are the cells of the row of ``table`` that the formula is worked out for.
    """
    ladder, _, end = name.rpartition(".")
    if ladder in ruleset.ladders and end in ("lowest", "highest"):
        found = ruleset.ladders[ladder]
        yield from level_places(ruleset, ladder, found.lowest if end == "lowest" else found.highest)
    elif name in named:
        value = named[name].cell.value
        columns = {column.id: column.ladder for column in ruleset.spec.tables[table].columns}
        if isinstance(value, Level) and (of_column := columns.get(name.rpartition(".")[2])):
            yield from level_places(ruleset, of_column, value.value)
    elif name in ruleset.facts:
        value, of_fact = ruleset.facts[name].value, ruleset.spec.facts[name].ladder
        if isinstance(value, Level) and of_fact:
            yield from level_places(ruleset, of_fact, value.value)
