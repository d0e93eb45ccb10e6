"""A printed number beside the exact number that follows from the rules: comparison, subject and verdict.

In: the cells and facts that a check compares. Out: their subjects; of all comparisons of the check, the rounding rule
that the printed numbers follow, and the verdict of each.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from refgen.errors import CheckError
from refgen.notation.figures import Rounding, decimal, percent, units
from refgen.notation.printed_numbers import as_was_read
from refgen.notation.values import Score, Value, WeightedNumber, as_chance, as_number
from refgen.resolver.computed import ResolverSpec
from refgen.resolver.lookup import column_index
from refgen.rules.field_types import Identifier
from refgen.rules.model import Cell, Fact, Ruleset, RuleTable
from refgen.rules.toml import Strict
from refgen.span import Span
from refgen.words import Phrase


class Basis(StrEnum):
    """The grounds of a rule, the surest first: a difference is as surely a fault as the rule is sure."""

    STATED = "stated"
    """The document states the rule."""
    INFERRED = "inferred"
    """The document does not state the rule; its tables show a pattern."""
    LIKELY = "likely"
    """Most numbers follow the rule, and nothing says that the others must."""


class CheckSpec(Strict):
    """An entry of ``[checks.*]``; each kind of check is a subclass.

    ``inferred``: the document does not state the rule; its tables show a pattern. A difference is then a warning.
    ``likely``: most numbers follow the rule, and nothing says that the others must. A difference is then a question.
    """

    kind: str
    inferred: bool = False
    likely: bool = False

    @property
    def basis(self) -> Basis:
        """The grounds of the rule of the check."""
        return Basis.LIKELY if self.likely else Basis.INFERRED if self.inferred else Basis.STATED

    @abstractmethod
    def comparisons(self, inputs: CheckInputs) -> Iterator[Comparison]:
        """Compare the printed numbers. Raises RefgenError for a table or fact that is unknown or cannot be read."""


class ChecksSpec(ResolverSpec):
    """A system.toml with checks, which compare with its computed tables."""

    checks: dict[Identifier, CheckSpec] = {}


@dataclass(frozen=True, slots=True)
class CheckInputs:
    """The rules and computed tables that a check reads, and the id of the check."""

    ruleset: Ruleset[ChecksSpec]
    computed: Mapping[str, RuleTable]
    check_id: str


class Verdict(StrEnum):
    """The verdict of comparing a printed number with the number of its rule."""

    AGREES = "agrees"
    ROUNDING = "rounding"
    """The exact number, rounded down or up, but not by the rule that the rest of the table rounds by."""
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Precision:
    """How finely a number is printed: a unit of its last digit, whether as a percentage, and whether it is a chance."""

    unit: Fraction
    percent: bool = False
    chance: bool = False

    @property
    def places(self) -> int:
        """The decimals of the printed figure."""
        unit, places = self.unit * (100 if self.percent else 1), 0
        while unit < 1:
            unit, places = unit * 10, places + 1
        return places

    def shown(self, exact: Fraction, rule: Rounding = Rounding.HALF_UP) -> str:
        """A number, printed as finely as this one."""
        if self.percent:
            return percent(exact, self.places, rule)
        return decimal(exact, self.places, rule, ",")


def precision_of(text: str, value: Value | None) -> Precision:
    """How finely a number is printed. A chance may be printed as a part of 1 ("0.18").

    An approximate number ("~40%") is as fine as its last digit that is not 0; "~1", "~10", "~100" a tenth of that.
    """
    text = as_was_read(text, as_number(value))
    chance = as_chance(value)
    if chance is not None:
        is_percent = "%" in text or "." not in text
        unit = _approximate_unit(text, chance.value, Fraction(1, 100 * 10**chance.places))
        return Precision(unit, percent=is_percent, chance=True)
    decimals = re.search(r"\.(\d+)", text)
    number, unit = as_number(value), Fraction(1, 10 ** len(decimals[1])) if decimals else Fraction(1)
    return Precision(_approximate_unit(text, number or Fraction(0), unit))


def _approximate_unit(text: str, number: Fraction, unit: Fraction) -> Fraction:
    """The unit of a number: with "~", that of its last digit which is not 0."""
    number = abs(number)
    while "~" in text and number >= 20 * unit and (number / unit) % 10 == 0:
        unit *= 10
    return unit


def printed_number(value: Value | None) -> Fraction | None:
    """The number of a value that a check compares: the chance, where the value has one."""
    chance = as_chance(value)
    return chance.value if chance is not None else as_number(value)


@dataclass(frozen=True, slots=True)
class CheckSubject:
    """The printed text that a comparison or a finding is about, and the stable id of the comparison or finding.

    ``table`` is the id of the table ("facts" for a number in prose), ``title`` its title; ``row`` and ``column`` name
    the cell, and are "" where the subject is a whole table or stands in none.
    """

    id: str
    printed: str
    span: Span
    table: str = ""
    title: str = ""
    row: str = ""
    column: str = ""


def range_in_words(low: object, high: object | None) -> Phrase:
    """A range in words: "3 to 5", or "3 or more" without an end."""
    return Phrase("check-or-more", number=low) if high is None else Phrase("check-from-to", low=low, high=high)


FIGURE = "{}"
"""The placeholder, in the text that would agree, of a figure that is still to be rounded."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A printed number (``number``) and the exact number that follows from ``rule`` (``exact``).

    Both are None where only ``same`` is known (levels, bounds, ranges). ``computed`` is the text that would agree, with
    "{}" for the figure that ``exact`` is rounded to; ``sources`` are the places that the exact number follows from.
    ``basis`` is the ground of the rule.
    """

    subject: CheckSubject
    computed: str
    rule: str
    number: Fraction | None = None
    exact: Fraction | None = None
    precision: Precision = Precision(Fraction(1))
    same: bool = False
    basis: Basis = Basis.STATED
    sources: tuple[Span, ...] = ()

    def agreeing(self, rule: Rounding) -> str:
        """The text that would agree, rounded by a rule."""
        if self.exact is None:
            return self.computed
        shown = self.precision.shown(self.exact, rule)
        if isinstance(self.computed, Phrase):
            return self.computed.with_values(lambda value: shown if value == FIGURE else value)
        return self.computed.replace(FIGURE, shown)

    def follows(self, rule: Rounding) -> bool:
        """Whether the printed number is the exact one, rounded by a rule.

        A chance below 1 is never 100%, and one above 0 is never 0%: that would say "always" or "never".
        """
        if self.number is None or self.exact is None:
            return self.same
        if self.precision.chance and self.number in (0, 1) and 0 < self.exact < 1:
            return False
        return units(self.exact / self.precision.unit, 0, rule) * self.precision.unit == self.number

    @property
    def is_rounded(self) -> bool:
        """Whether the printed number is the exact one, rounded in any way: down, up or to the nearest."""
        return self.exact is not None and any(self.follows(rule) for rule in (*TO_NEAREST, *DIRECTED))

    @property
    def decimal(self) -> str:
        """The exact number with up to two decimals more than are printed; "" where the printed decimals suffice."""
        if self.exact is None or (self.exact / self.precision.unit).denominator == 1:
            return ""
        finer = [replace(self.precision, unit=self.precision.unit / more) for more in (10, 100)]
        exactly = next((precision for precision in finer if (self.exact / precision.unit).denominator == 1), finer[-1])
        if self.precision.percent:
            return f"{decimal(self.exact * 100, exactly.places)}%"
        return exactly.shown(self.exact)


@dataclass(frozen=True, slots=True)
class JudgedComparison:
    """A comparison and its verdict."""

    comparison: Comparison
    verdict: Verdict


TO_NEAREST = (Rounding.HALF_UP, Rounding.HALF_EVEN)
DIRECTED = (Rounding.DOWN, Rounding.UP)
MIN_NEEDING = 3
"""A table is taken to round always down, or always up, if at least so many of its figures need that rule."""


def rounding_of(comparisons: Sequence[Comparison]) -> Rounding:
    """The rule that most printed numbers follow; half-up where half-even fits no more numbers."""

    def following(rule: Rounding, some: Sequence[Comparison]) -> int:
        return sum(comparison.follows(rule) for comparison in some)

    usual = max(TO_NEAREST, key=lambda rule: (following(rule, comparisons), -TO_NEAREST.index(rule)))
    odd = [comparison for comparison in comparisons if not comparison.follows(usual)]
    for rule in DIRECTED:
        if following(rule, odd) >= MIN_NEEDING and following(rule, comparisons) == len(comparisons):
            return rule
    return usual


def judge(comparisons: Sequence[Comparison]) -> tuple[Rounding, Sequence[JudgedComparison]]:
    """The rounding rule of a check, and the verdict on each of its comparisons."""
    rule = rounding_of(comparisons)
    return rule, [JudgedComparison(comparison, _verdict(comparison, rule)) for comparison in comparisons]


def _verdict(comparison: Comparison, rule: Rounding) -> Verdict:
    if comparison.follows(rule):
        return Verdict.AGREES
    return Verdict.ROUNDING if comparison.is_rounded else Verdict.DIFFERS


def comparison_id(*parts: str) -> str:
    """A stable id of the words of a check, a row and a column."""
    return "/".join(part for part in parts if part).replace(" ", "-").lower()


def row_names(table: RuleTable, column: int = 0) -> Sequence[str]:
    """The names of the rows of a table: the words of a cell in each row, without a figure that may be wrong.

    Equal names are numbered: "two", "two 2", "two 3".
    """
    seen: Counter[str] = Counter()
    names = []
    for row in table.rows:
        name = _bare_text(row[column]) or _bare_text(row[0])
        seen[name] += 1
        names.append(f"{name} {seen[name]}" if seen[name] > 1 else name)
    return names


def _bare_text(cell: Cell) -> str:
    return cell.text.partition("(")[0].strip() if isinstance(cell.value, WeightedNumber | Score) else cell.text


def place(cell: Cell, table: RuleTable) -> Span:
    """Where a printed cell stands. Raises CheckError for a computed one."""
    return cell.span or place_of(table)


def place_of(table: RuleTable) -> Span:
    """Where a printed table stands. Raises CheckError for a computed one."""
    if table.span is None:
        raise CheckError(f'"{table.id}" is computed, not printed: there is nothing to compare')
    return table.span


def places(*cells: Cell) -> tuple[Span, ...]:
    """The places of those cells that are printed."""
    return tuple(cell.span for cell in cells if cell.span is not None)


def subject(
    table: RuleTable, check_id: str, row: str, column: int, cell: Cell, *, by_column: bool = True
) -> CheckSubject:
    """A cell as a subject. ``by_column``: its id names the column, as of a check of several columns."""
    title = table.columns[column].title
    name = comparison_id(check_id, row, title if by_column else "")
    return CheckSubject(name, cell.text, place(cell, table), table.id, table.title, row, title)


def column_subjects(
    table: RuleTable, check_id: str, column: str, *, by_column: bool = False
) -> Iterator[tuple[CheckSubject, Cell]]:
    """Every cell of a column, from top to bottom. Raises CheckError for an unknown column."""
    at = column_index(table, column)
    for name, row in zip(row_names(table), table.rows, strict=True):
        yield subject(table, check_id, name, at, row[at], by_column=by_column), row[at]


def whole_column(table: RuleTable, check_id: str, column: str, printed: str) -> CheckSubject:
    """A whole column as a subject; ``printed`` is its summary."""
    title = table.columns[column_index(table, column)].title
    return CheckSubject(check_id, printed, place_of(table), table.id, table.title, column=title)


def subject_of(check_id: str, fact: Fact) -> CheckSubject:
    """A fact as a subject."""
    return CheckSubject(check_id, fact.text, fact.span, "facts", row=fact.id, column=fact.title)
