"""Checks that a printed value is equal to another value: of a table (computed or printed), of a fact, or of dice.

In: a printed table or fact, and the entry of proof.toml that names the other value. Out: a Comparison for each pair.
Of a ruleset: notes on prints that are read as something else than they say ("< -7" as -7 or less).
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain, islice, repeat
from typing import Literal, Self

from pydantic import model_validator

from refgen.catalog import did_you_mean
from refgen.checks.comparison import (
    FIGURE,
    Basis,
    CheckInputs,
    CheckSpec,
    CheckSubject,
    Comparison,
    comparison_id,
    precision_of,
    printed_number,
    range_in_words,
    row_names,
    subject,
    subject_of,
)
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.checks.formulas import is_same_distribution
from refgen.errors import CheckError, NotationError
from refgen.look_alikes import show_name
from refgen.notation.printed_cell import in_usual_style, is_blank, read_value
from refgen.notation.values import DiceText, Interval, LabelledDice, Number, Text, Value, as_number
from refgen.resolver.lookup import (
    column_index,
    column_of,
    dice_of,
    find_named,
    key_of,
    sources_of_dice,
    table_of,
    words_of,
)
from refgen.resolver.rolls import roll_of
from refgen.rules.field_types import FactSpec, Identifier, RolledText
from refgen.rules.model import Cell, Ruleset, RuleTable
from refgen.rules.schema import ColumnSpec
from refgen.rules.sentence import read_in_place
from refgen.words import Phrase


class CompareSpec(CheckSpec):
    """The columns of a printed table are equal to columns of another table, row by row.

    ``computed`` is the other table; where it is a printed one, blank cells of either table are not compared.
    Rows with the same text or number in the ``key`` column belong together; ``computed_key`` is the name of that column
    in the other table where it differs. Without a key, the first row belongs to the first row, and so on.
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
    """Names of rows that only the printed table has. A finding tells of each further row without a partner."""

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """Compare two tables. Raises CheckError for an unknown table, column or row."""
        ruleset, derived, check_id = inputs.ruleset, inputs.computed, inputs.check_id
        other = _other_table(ruleset, derived, self.computed)
        printed, rule = table_of(ruleset, self.printed), words_of(ruleset, self.rule)
        key = 0 if self.key is None else column_index(printed, self.key)
        numbers = [str(number) for number in range(1, len(printed.rows) + 1)]
        names = numbers if self.key is None else row_names(printed, key)
        if unknown := [name for name in (*self.inferred_rows, *self.unmatched) if name not in names]:
            raise CheckError(f'"{printed.id}" has no row "{unknown[0]}"', hint=did_you_mean(unknown[0], names))
        columns = [(column_index(printed, name), column_index(other, named)) for name, named in self.columns.items()]
        for name, row, partner in zip(names, printed.rows, _partners(printed, other, self), strict=True):
            if partner is None:
                about = subject(printed, check_id, name, key, row[key])
                yield from () if name in self.unmatched else [_without_partner(about, other)]
                continue
            for at, other_at in columns:
                if not _is_left_out(row[at], partner[other_at]):
                    about = subject(printed, check_id, name, at, row[at])
                    yield _comparison(about, (row[at], partner[other_at], row[key]), rule, name in self.inferred_rows)


def _without_partner(about: CheckSubject, other: RuleTable) -> Comparison:
    rule = Phrase("check-no-partner", table=other.title)
    return Comparison(about, Phrase("check-nothing"), rule, sources=() if other.span is None else (other.span,))


def _other_table(ruleset: Ruleset, derived: Mapping[str, RuleTable], table_id: str) -> RuleTable:
    """The table that a printed table is compared with: a computed table, or another printed table."""
    for tables in (ruleset.tables, derived):
        if table_id in tables:
            return tables[table_id]
    hint = did_you_mean(table_id, [*ruleset.tables, *derived])
    raise CheckError(f'there is no table "{table_id}" to compare with', hint=hint)


def _partners(printed: RuleTable, other: RuleTable, spec: CompareSpec) -> Iterator[tuple[Cell, ...] | None]:
    """The row of the other table for each printed row; None for a row without a partner."""
    if spec.key is None:
        return islice(chain(other.rows, repeat(None)), len(printed.rows))
    index, other_index = column_index(printed, spec.key), column_index(other, spec.computed_key or spec.key)
    by_key = {key_of(row[other_index]): row for row in other.rows}
    return (by_key.get(key_of(row[index])) for row in printed.rows)


def _is_left_out(printed: Cell, other: Cell) -> bool:
    """Whether a pair of cells needs no comparison: a blank beside a printed cell, or two blanks."""
    if other.span is not None:
        return printed.value is None or other.value is None
    return printed.value is None and other.value is None


def _comparison(about: CheckSubject, cells: tuple[Cell, Cell, Cell], rule: str, inferred: bool) -> Comparison:
    """The comparison of a printed cell with the cell of the other table; the third cell is the key of their row."""
    printed, other, key = cells
    precision, number = precision_of(printed.text, printed.value), printed_number(printed.value)
    exact = other.exact if other.span is None else printed_number(other.value)
    if _bound(printed) or _bound(other) or (printed.value is not None and number is None):
        exact = None
    elif printed.value is None:
        number = Fraction(0)  # a blank among chances says that no roll leads there
    spans = (*other.sources, other.span, key.span)
    return Comparison(
        about,
        computed=other.text if exact is None else FIGURE,
        rule=rule,
        number=number,
        exact=exact,
        precision=precision,
        same=_cells_agree(printed, other),
        basis=Basis.INFERRED if inferred else Basis.STATED,
        sources=tuple(dict.fromkeys(span for span in spans if span is not None and span != about.span)),
    )


def _bound(cell: Cell) -> str:
    return cell.value.bound.replace("~", "") if isinstance(cell.value, Number) else ""


def _cells_agree(printed: Cell, other: Cell) -> bool:
    """Whether two cells without an exact number agree: equal dice or words, or bounds that allow the number."""
    if isinstance(printed.value, Number) and isinstance(other.value, Number):
        return are_compatible(printed.value, other.value)
    numbers = as_number(printed.value), as_number(other.value)
    if printed.value is None or numbers == (None, None):
        return printed.value is None or printed.value == other.value
    return numbers[0] == numbers[1]


def are_compatible(left: Number, right: Number) -> bool:
    """Whether two numbers can be the same: ">500,000" and "2 mil" can, "300" and "200" cannot."""
    if left.bound == right.bound == "":
        return left.value == right.value
    above = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
    if left.bound and right.bound:
        return left.bound[0] == right.bound[0] or are_compatible(Number(left.value), right)
    bounded, plain = (left, right) if left.bound else (right, left)
    return bounded.bound not in above or above[bounded.bound](plain.value, bounded.value)


RESTATED = "restated"
"""The id of the check of all ``[restated]`` facts of proof.toml."""


def check_restated(ruleset: Ruleset) -> Iterator[Comparison]:
    """A number that the document states again (``[restated]`` of proof.toml) equals the first statement."""
    count: Counter[str] = Counter()
    facts = dict(ruleset.facts)
    for once_more in (
        said for said in ruleset.restated if said.id in facts
    ):  # a restated fact that cannot be read is an error
        fact = facts[once_more.id]
        count[once_more.id] += 1
        number = f"/{count[once_more.id]}" if count[once_more.id] > 1 else ""
        yield Comparison(
            subject_of(f"{RESTATED}/{once_more.id}{number}", once_more),
            computed=fact.text,
            rule=Phrase("check-it-is", text=fact.text, place=fact.span),
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
    return is_same_distribution(roll_of(ruleset, one.expression), roll_of(ruleset, other.expression))


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
    def _check_row(self) -> Self:
        if (self.at is None) == (not self.row):
            raise ValueError("a row is found by either `at` or `row`")
        return self

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """A sentence about a table gives the same figure as the row of the table that the sentence names."""
        fact, table = find_named(inputs.ruleset.facts, self.fact, "fact"), table_of(inputs.ruleset, self.table)
        at = find_named(inputs.ruleset.facts, self.at, "fact") if self.at is not None else None
        wanted = as_number(at.value) if at is not None else self.row
        pairs = zip(column_of(table, self.key), column_of(table, self.column), strict=True)
        found = [(key, cell) for key, cell in pairs if wanted == (as_number(key.value) if at is not None else key.text)]
        named = at.text if at is not None else show_name(self.row)
        rule = Phrase("check-in-row", table=table.title, row=named)
        if len(found) != 1:
            rule = (
                Phrase("check-rows-are", rule=rule, rows=len(found))
                if found
                else Phrase("check-no-such-row", rule=rule)
            )
            places = [span for span in (at.span if at is not None else None, table.span) if span is not None]
            yield Comparison(subject_of(inputs.check_id, fact), Phrase("check-nothing"), rule, sources=tuple(places))
            return
        ((key, printed),) = found
        spans = (at.span if at is not None else None, key.span, printed.span)
        yield Comparison(
            subject_of(inputs.check_id, fact),
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

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """The range of results that a sentence states is the range of the dice."""
        fact = find_named(inputs.ruleset.facts, self.fact, "fact")
        rolled = roll_of(inputs.ruleset, self.dice)
        if rolled.exact_low is not None:
            raise CheckError(f"{dice_of(inputs.ruleset, self.dice)} has no lowest result", span=fact.span)
        low, high = rolled.outcomes[0], rolled.outcomes[-1] if rolled.exact_high is None else None
        yield Comparison(
            subject_of(inputs.check_id, fact),
            computed=range_in_words(low, high),
            rule=Phrase("check-ends", dice=dice_of(inputs.ruleset, self.dice)),
            same=fact.value == Interval(low, high),
            sources=sources_of_dice(inputs.ruleset, self.dice),
        )


class SameDistributionSpec(CheckSpec):
    """A fact with dice that come up exactly like other dice."""

    kind: Literal["same-distribution"]
    fact: Identifier
    dice: RolledText
    rule: str = ""

    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """The dice of a fact come up exactly as other dice do."""
        ruleset, check_id = inputs.ruleset, inputs.check_id
        fact = find_named(ruleset.facts, self.fact, "fact")
        rolled, other = roll_of(ruleset, f"{{{fact.id}}}"), roll_of(ruleset, self.dice)
        dice = dice_of(ruleset, self.dice)
        yield Comparison(
            subject_of(check_id, fact),
            computed=Phrase("check-dice-like", dice=dice),
            rule=words_of(ruleset, self.rule) or Phrase("check-same-results", dice=dice),
            same=is_same_distribution(rolled, other),
            sources=sources_of_dice(ruleset, self.dice),
        )


READ_AS = Phrase("check-read-as")


def check_readings_of(ruleset: Ruleset) -> Iterator[Finding]:
    """Notes on the cells of tables, then on the facts, whose print is read as something else than it says."""
    for table in ruleset.printed_tables:
        for at, column in enumerate(ruleset.spec.tables[table.id].columns):
            title = table.columns[at].title
            for name, row in zip(row_names(table), table.rows, strict=True) if column.read else ():
                if (span := row[at].span or table.span) is not None:
                    finding_id = comparison_id("readings", table.id, name, title)
                    about = CheckSubject(finding_id, row[at].text, span, table.id, table.title, name, title)
                    yield from _reading_finding(ruleset, column, about, row[at].value)
    for fact in ruleset.facts.values():
        about = subject_of(comparison_id("readings", fact.id), fact)
        yield from _reading_finding(ruleset, ruleset.spec.facts[fact.id], about, fact.value)


def _reading_finding(
    ruleset: Ruleset, spec: ColumnSpec | FactSpec, about: CheckSubject, value: Value | None
) -> Iterator[Finding]:
    """A note if the value of a print is not the value of its text by itself."""
    read = read_in_place(spec.read, about.printed)
    literal = _literal(ruleset, spec, about.printed) if read != about.printed else None
    if literal is not None and literal != value and not isinstance(literal, Text | LabelledDice):
        note, shown = FindingKind.READING, _words(value, read)
        yield Finding.about(about, note, Severity.REMARK, system=ruleset.id, rule=READ_AS, computed=shown)


def _literal(ruleset: Ruleset, spec: ColumnSpec | FactSpec, text: str) -> Value | None:
    """The value of a printed text by itself; None for a blank text, and for a text that is not in the notation."""
    try:
        written = in_usual_style(spec.type, text, ruleset.style)
        ladder = ruleset.ladders.get(spec.ladder or "")
        return None if is_blank(spec.type, text) else read_value(spec.type, written, ladder, ruleset.style.language)
    except NotationError:
        return None


def _words(value: Value | None, read: str) -> str:
    match value:
        case Interval(low=int() as low, high=None):
            return Phrase("check-or-more", number=low)
        case Interval(low=None, high=int() as high):
            return Phrase("check-or-less", number=high)
        case _:
            return read
