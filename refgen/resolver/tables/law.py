"""Laws of chance: how a chance follows from a difficulty, with constants that the document states.

In: a column of difficulties, and the facts that are the constants of some laws. Out: a computed Table with a column of
chances for each law. Most of these are irrational: ``power`` gives them to 50 decimals, far beyond any printed digit,
so that rounding them is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pydantic import Field

from refgen.errors import ResolverError
from refgen.notation.values import as_number
from refgen.resolver.cells import ComputedSpec, chance_cell, computed
from refgen.resolver.lookup import column_of, number_of, table_of
from refgen.rules.model import Cell, Column, Fact, Ruleset, Table
from refgen.rules.schema import Identifier
from refgen.rules.toml import Strict
from refgen.span import Span

DECIMALS = 50
MAX_SIZE = 1000
"""The farthest difficulty from the even one, and the largest constant, that a law is worked out for."""


class LawColumn(Strict):
    """A law of chance; its constants are facts. ``points`` of difficulty make success ``factor`` times as likely.

    ratio: so it is below the even chance; above it failure gets rarer by the same measure, or by ``easier_factor`` for
    ``easier_points``. odds-ratio: so the odds of success to failure change, below and above.
    """

    id: Identifier
    title: str
    shape: Literal["ratio", "odds-ratio"]
    factor: Identifier
    points: Identifier
    easier_factor: Identifier | None = None
    easier_points: Identifier | None = None


class LawSpec(ComputedSpec):
    """Laws of chance side by side: what each gives for every number of a printed column ("table.column").

    ``even`` is the fact with the chance at the difficulty that the fact ``even_at`` states.
    """

    kind: Literal["law"]
    rows: str
    even: Identifier
    even_at: Identifier
    laws: list[LawColumn] = Field(min_length=1)


def laws(ruleset: Ruleset, table_id: str, spec: LawSpec) -> Table:
    """For each difficulty of a printed column (rows), the chance that each law gives it. Raises ResolverError."""
    printed, _, column = spec.rows.partition(".")
    table = table_of(ruleset, printed)
    found = [_law(ruleset, spec, law) for law in spec.laws]
    rows = [(_head(key), *(_chance(law, key, spec) for law in found)) for key in column_of(table, column)]
    title = next(listed.title for listed in table.columns if listed.id == column)
    columns = [Column(column, title, "number"), *(Column(law.id, law.title, "percent") for law in spec.laws)]
    rule = f"The chance that each law gives, to {DECIMALS} decimals where it is irrational."
    return computed(table_id, spec, columns, rows, rule)


def _head(key: Cell) -> Cell:
    return Cell(key.text, key.value, sources=(key.span,) if key.span else ())


def _chance(law: Law, key: Cell, spec: LawSpec) -> Cell:
    sources = (*law.sources, key.span) if key.span else law.sources
    return chance_cell(law.chance(number_of(key)), spec, sources)


@dataclass(frozen=True, slots=True)
class Slope:
    """``points`` of difficulty make something ``factor`` times as likely."""

    factor: Fraction
    points: Fraction

    def over(self, distance: Fraction) -> Fraction:
        """How many times as likely it becomes over so many points."""
        return power(self.factor, distance / self.points)


@dataclass(frozen=True, slots=True)
class Law:
    """Difficulty ``even_at`` has the chance ``even``; higher ones are easier.

    ratio: below, ``harder`` gives how much rarer success gets; above, ``easier`` gives how much rarer failure gets.
    odds-ratio: ``harder`` gives how the odds of success to failure change, on both sides.
    """

    shape: str
    even: Fraction
    even_at: Fraction
    harder: Slope
    easier: Slope
    sources: tuple[Span, ...]

    def chance(self, difficulty: Fraction) -> Fraction:
        """The chance of success. Raises ResolverError for a difficulty out of all measure."""
        distance = difficulty - self.even_at
        if abs(distance) > MAX_SIZE:
            raise ResolverError(f"difficulty {difficulty} is too far from {self.even_at} for a law")
        if self.shape == "odds-ratio":
            odds = self.even / (1 - self.even) * self.harder.over(distance)
            return odds / (1 + odds)
        if distance <= 0:
            return self.even * self.harder.over(distance)
        return 1 - (1 - self.even) * self.easier.over(-distance)


def _law(ruleset: Ruleset, spec: LawSpec, law: LawColumn) -> Law:
    easier = (law.easier_factor or law.factor, law.easier_points or law.points)
    names = (spec.even, spec.even_at, law.factor, law.points, *easier)
    facts = [_fact(ruleset, name) for name in names]
    even, even_at, *slopes = (_constant(fact) for fact in facts)
    if not 0 < even < 1 or min(slopes) <= 0:
        raise ResolverError(f'the law "{law.id}" needs a chance between 0% and 100%, and factors and points above 0')
    spans = tuple(dict.fromkeys(fact.span for fact in facts))
    return Law(law.shape, even, even_at, Slope(*slopes[:2]), Slope(*slopes[2:]), spans)


def _fact(ruleset: Ruleset, name: str) -> Fact:
    if name not in ruleset.facts:
        raise ResolverError(f'there is no fact "{name}"', hint=f"There are {', '.join(sorted(ruleset.facts))}.")
    return ruleset.facts[name]


def _constant(fact: Fact) -> Fraction:
    number = as_number(fact.value)
    if number is None or max(abs(number.numerator), number.denominator) > MAX_SIZE:
        raise ResolverError(f'the fact "{fact.id}" is not a number that a law can use: "{fact.text}"')
    return number


def power(base: Fraction, exponent: Fraction) -> Fraction:
    """``base`` (above 0) to any rational exponent: exact when it is a whole one, else to 50 decimals.

    An irrational power is never too high, and too low by less than 10⁻⁵⁰.
    """
    whole = base**exponent.numerator
    if exponent.denominator == 1:
        return Fraction(whole)
    scale = 10**DECIMALS
    under_the_root = whole * scale**exponent.denominator
    return Fraction(_root(under_the_root.numerator // under_the_root.denominator, exponent.denominator), scale)


def _root(number: int, degree: int) -> int:
    """The largest whole number whose power ``degree`` does not exceed ``number`` (Newton's method from above)."""
    if number == 0:
        return 0
    guess = 1 << -(-number.bit_length() // degree)
    while (lower := ((degree - 1) * guess + number // guess ** (degree - 1)) // degree) < guess:
        guess = lower
    return guess
