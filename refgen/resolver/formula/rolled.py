"""The rolls of formulas: a formula with dice becomes a function from a Scope to a Roll.

In: a Formula, and the Names it may use. Out: functions from a Scope to a Roll, each worked out once for the same rows
and columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import TypeVar

from refgen.errors import ResolverError
from refgen.notation.tree import (
    Call,
    Formula,
    Sum,
)
from refgen.resolver.dice.arithmetic import (
    Rational,
)
from refgen.resolver.dice.cost import MAX_REPEATED, too_many
from refgen.resolver.dice.evaluate import DEFAULT_REACH, DiceTable, calls_with_tables, roll_formula
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.built import Built, FillIn, Terms, sum_of
from refgen.resolver.formula.scope import Named, Scope
from refgen.resolver.lookup import roll_tables
from refgen.rules.model import Cell, Table
from refgen.span import Span

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Rolled(Built):
    """Turns formulas into rolls."""

    def shifted_roll(self, formula: Formula) -> Callable[[Scope], tuple[Roll, Rational]]:
        """A formula with dice in it as a roll and a number to add: the roll is the same for many numbers.

        The roll is followed far enough for the question whether the sum reaches 0.
        """
        rolled, numbers = self._dice_and_numbers(formula)
        if not rolled:
            raise ResolverError("there are no dice in it", hint="A comparison of numbers belongs into if().")
        return self._roll_and_number(rolled, numbers)

    def _roll_and_number(self, rolled: Terms, numbers: Terms) -> Callable[[Scope], tuple[Roll, Rational]]:
        find, added = self._sum_of_dice(rolled), self._total_of(numbers)

        def evaluate(scope: Scope) -> tuple[Roll, Rational]:
            number = added(scope)
            return find(scope, max(abs(ceil(number)) + 1, DEFAULT_REACH)), number

        return evaluate

    def _sum_of_dice(self, rolled: Terms) -> Callable[[Scope, int], Roll]:
        if len(rolled) > MAX_REPEATED:
            raise too_many(len(rolled))
        dice = self._builds(rolled)
        build: FillIn = lambda scope: sum_of([(sign, part(scope)) for sign, part in dice])  # noqa: E731
        return self._kept_rolls(Sum(rolled), build)

    def roll(self, formula: Formula) -> Callable[[Scope], Roll]:
        """The roll of a formula: dice, or a number."""
        find = self.roll_reaching(formula)
        return lambda scope: find(scope, DEFAULT_REACH)

    def roll_reaching(self, formula: Formula) -> Callable[[Scope, int], Roll]:
        """The roll of a formula, followed as far as it is asked about."""
        return self._kept_rolls(formula, self._built(formula))

    def _kept_rolls(self, formula: Formula, build: FillIn) -> Callable[[Scope, int], Roll]:
        """The roll of a formula, put together once for the same rows and columns: to build dice takes longer."""
        return self._kept(formula, build, self._roll)

    def _kept(
        self, formula: Formula, build: FillIn, ask: Callable[[Formula, Scope, int], _Found]
    ) -> Callable[[Scope, int], _Found]:
        """What is asked of a formula without names, worked out once for the same rows and columns."""
        of_row, of_column = self.names.varying(formula)
        kept: dict[tuple[object, ...], tuple[_Found, Mapping[int, Span]]] = {}

        def find(scope: Scope, reach: int) -> _Found:
            key = (reach, *map(scope.find, of_row), *map(scope.across.__getitem__, of_column))
            found = kept.get(key)
            if found is None:
                first = Scope(scope.named, scope.across)
                found = kept[key] = ask(build(first), first, reach), first.sources_by_id
            scope.sources_by_id.update(found[1])
            return found[0]

        return find

    def _roll(self, formula: Formula, scope: Scope, reach: int) -> Roll:
        key = (formula, reach)
        found = self._rolls.get(key)  # once: to find a formula takes longer than to ask the roll
        if found is None:
            calls = calls_with_tables(formula)
            found = self._rolls[key] = roll_formula(formula, reach, self._tables if calls else None), calls
        self._add_tables(found[1], scope)
        return found[0]

    def _add_tables(self, calls: Sequence[Call], scope: Scope) -> None:
        """A roll rests on the tables that it is looked up in."""
        for printed in filter(None, (self._printed(call.table) for call in calls)):
            scope.add_source(Named(Cell("", span=printed.span), None))

    def _printed(self, table: str) -> Table | None:
        return self.names.ruleset.tables.get(table)

    @cached_property
    def _tables(self) -> Mapping[str, DiceTable]:
        return roll_tables(self.names.ruleset)
