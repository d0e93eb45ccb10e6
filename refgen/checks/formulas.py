"""Printed numbers that follow from others by a formula.

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
    CheckSpec,
    ChecksSpec,
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
from refgen.errors import CheckError, ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import names_in
from refgen.notation.values import DiceText, Interval, Level, Modifier, Value
from refgen.resolver.chains.chain import chain_functions
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.formula.axis import AxisSpec, beyond, printed_rows
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import Evaluate, Named, Scope
from refgen.resolver.lookup import dice_of, table_of, words_of
from refgen.resolver.rolls import roll_of
from refgen.rules.fact_spec import FactSpec
from refgen.rules.field_types import FormulaText, Identifier
from refgen.rules.model import Ruleset
from refgen.span import Span


class FormulaSpec(CheckSpec):
    """A printed number that follows from others by a formula: a fact, or every cell of a column.

    In a column, {row} is the cell itself and {row.other} another cell of its row; blank cells are left out, and
    ``where`` keeps the rows for which it is not 0. Of a range the formula is the low end, and ``high`` the high one;
    ``part`` compares one end alone (of "±2" as well), or how many numbers the range has. Of dice it is what is rolled.
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
    def _one_of_both(self) -> Self:
        if self.high and self.part:
            raise ValueError("`part` compares one number, so there is no `high`")
        if (self.fact is None) == (self.table is None) or (self.table is None) != (self.column is None):
            raise ValueError("a formula checks a fact, or a table and its column")
        return self


ROW = "row"
"""What the formulas of a column call the row."""


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
class Rolled:
    """The roll of a formula, to be compared with printed dice."""

    roll: Callable[[Scope], Distribution]


@dataclass(frozen=True, slots=True)
class _Printed:
    """A printed number, and the ladder that it is a level of."""

    subject: CheckSubject
    value: Value
    ladder: str


@dataclass(frozen=True, slots=True)
class _Rule:
    """A formula ready to be worked out, the high end of a range, and the rows that it is for."""

    value: Evaluate | Rolled
    high: Evaluate | None
    where: Evaluate | None


def check_formula(ruleset: Ruleset[ChecksSpec], check_id: str, spec: FormulaSpec) -> Iterator[Comparison]:
    """Work the formula out for the fact, or for each cell of the column that is not blank."""
    if spec.fact is not None:
        fact = fact_of(ruleset, spec.fact)
        printed = _Printed(subject_of(check_id, fact), fact.value, ruleset.spec.facts[fact.id].ladder or "")
        yield _comparison(ruleset, spec, printed, _rule(ruleset, spec, {}, _is_dice(fact.value)), Scope({}))
        return
    table = table_of(ruleset, spec.table or "")
    axis = printed_rows(ruleset, AxisSpec(id=ROW, of=f"{spec.table}.{spec.column}"))
    rule = _rule(ruleset, spec, axis.names, axis.column.type == "dice")
    at = column_index(table, spec.column or "")
    ladder = ruleset.spec.tables[table.id].columns[at].ladder or ""
    for entry, row in zip(axis.entries, row_names(table), strict=True):
        cell, scope = entry.named[ROW].cell, Scope(entry.named)
        if _is_compared(cell.value, spec) and (rule.where is None or rule.where(scope)):
            about = subject(table, check_id, row, at, cell)
            yield _comparison(ruleset, spec, _Printed(about, cell.value, ladder), rule, scope)


def _is_compared(value: Value | None, spec: FormulaSpec) -> TypeGuard[Value]:
    """Whether there is a number or dice: a blank has none, and an open range has no width."""
    if value is None or (isinstance(value, DiceText) and not value.expression):
        return False
    return not spec.part or part_of(value, spec.part) is not None


def _is_dice(value: Value) -> bool:
    return isinstance(value, DiceText)


def _rule(ruleset: Ruleset[ChecksSpec], spec: FormulaSpec, names: Mapping[str, bool], is_dice: bool) -> _Rule:
    formulas = Compiler(Names(ruleset, names), chain_functions(ruleset).all)
    high, where = (formulas.number(parse_formula(text)) if text else None for text in (spec.high, spec.where))
    formula = parse_formula(spec.formula)
    return _Rule(Rolled(formulas.roll(formula)) if is_dice else formulas.number(formula), high, where)


def _comparison(ruleset: Ruleset, spec: FormulaSpec, printed: _Printed, rule: _Rule, scope: Scope) -> Comparison:
    if isinstance(rule.value, Rolled):
        return _comparison_of_dice(ruleset, spec, printed, rule.value, scope)
    subject, words = printed.subject, words_of(ruleset, spec.rule)
    number = part_of(printed.value, spec.part)
    is_range = isinstance(printed.value, Interval) and rule.high is not None
    if number is None and not is_range:
        raise CheckError(f'"{subject.printed}" is no number that a formula gives', span=subject.span)
    try:
        exact = Fraction(rule.value(scope))
        high = Fraction(rule.high(scope)) if rule.high else exact
    except ResolverError as error:  # the document has not what the formula asks for
        sources = tuple(dict.fromkeys((*_sources(ruleset, spec, printed, scope), *_tables_of(ruleset, spec))))
        return Comparison(subject, "nothing", f"{words}; {error.message}", sources=sources)
    precision = precision_of(subject.printed, printed.value)
    return Comparison(
        subject,
        computed=f"{exact} to {high}" if is_range else _agreeing(ruleset, spec, printed, exact),
        rule=words,
        number=None if is_range else number,
        exact=None if is_range else exact,
        precision=precision,
        same=is_range and printed.value == Interval(_whole(exact), _whole(high)),
        sources=_sources(ruleset, spec, printed, scope),
    )


def _comparison_of_dice(
    ruleset: Ruleset, spec: FormulaSpec, printed: _Printed, rolled: Rolled, scope: Scope
) -> Comparison:
    """Printed dice and what a formula rolls: the two have the same results, each as often."""
    expression = printed.value.expression if isinstance(printed.value, DiceText) else ""
    printed_roll, roll = roll_of(ruleset, expression), rolled.roll(scope)
    dice = dice_of(ruleset, spec.formula) if spec.fact is not None else f"{roll.outcomes[0]} to {roll.outcomes[-1]}"
    return Comparison(
        printed.subject,
        computed=f"dice that come up like {dice}",
        rule=words_of(ruleset, spec.rule),
        same=come_up_alike(printed_roll, roll),
        sources=_sources(ruleset, spec, printed, scope),
    )


def come_up_alike(one: Distribution, other: Distribution) -> bool:
    """Whether two rolls have the same results, each as often."""
    return all(one.exactly(number) == other.exactly(number) for number in {*one.outcomes, *other.outcomes})


def _sources(ruleset: Ruleset, spec: FormulaSpec, printed: _Printed, scope: Scope) -> tuple[Span, ...]:
    """Where everything stands that was looked at, and the numbers of the levels among it."""
    names = {name for text in (spec.formula, spec.high, spec.where) if text for name in names_in(parse_formula(text))}
    levels = [span for name in sorted(names) for span in places_in(ruleset, spec.table or "", name, scope.named)]
    if isinstance(printed.value, Level) and printed.ladder:
        levels += level_places(ruleset, printed.ladder, printed.value.value)
    return tuple(dict.fromkeys(span for span in (*scope.sources, *levels) if span != printed.subject.span))


def _tables_of(ruleset: Ruleset, spec: FormulaSpec) -> Iterator[Span]:
    """Where the tables stand that a formula looks into."""
    for name in names_in(parse_formula(spec.formula)):
        table = ruleset.tables.get(name.partition(".")[0])
        if table is not None and table.span is not None:
            yield table.span


def part_of(value: Value, part: str) -> Fraction | None:
    """The number that is compared: of a range (or "±2") one of its ends or its width, else the number itself."""
    if not part or not isinstance(value, Interval | Modifier):
        return printed_number(value)
    ends = [None if end is None else Fraction(end) for end in (value.low, value.high)]
    low, high = ends
    if part == "width":
        return None if low is None or high is None else high - low + 1
    return low if part == "low" else high


def _whole(number: Fraction) -> int | None:
    return int(number) if number.denominator == 1 else None


def _agreeing(ruleset: Ruleset, spec: FormulaSpec, printed: _Printed, exact: Fraction) -> str:
    """The text that would agree with a formula: a level, or a figure with the marks of the printed one."""
    if isinstance(printed.value, Level) and printed.ladder and exact.denominator == 1:
        return beyond(ruleset.ladders[printed.ladder], int(exact)).name
    if spec.part == "width":
        return f"{FIGURE} numbers wide"
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


def places_in(ruleset: Ruleset, table: str, name: str, named: Mapping[str, Named]) -> Iterator[Span]:
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
