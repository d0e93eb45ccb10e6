"""What is asked of dice in formulas: a chance, a mean, a deviation.

In: a Formula, and the Names it may use. Out: an Evaluate. Dice are asked as a formula without names: they are filled
in, cell by cell, and the rolls are kept; throws that a formula mentions twice are followed outcome by outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Self

from refgen.errors import ResolverError
from refgen.notation.tree import (
    Binary,
    Call,
    Comparison,
    Formula,
    InRange,
    Reference,
    Sum,
    parts_of,
)
from refgen.resolver.dice.arithmetic import (
    Rational,
    square_root,
    whole,
)
from refgen.resolver.dice.evaluate import DEFAULT_REACH, calls_with_tables, moments
from refgen.resolver.dice.pointwise import is_whole
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.built import Ends, Terms
from refgen.resolver.formula.fills import OfFirst
from refgen.resolver.formula.joint import Joint
from refgen.resolver.formula.rolled import Rolled
from refgen.resolver.formula.scope import Evaluate, Scope

_QUESTIONS: Mapping[str, Callable[[Roll, Rational], Fraction]] = {
    ">=": lambda rolled, goal: rolled.at_least(ceil(goal)),
    ">": lambda rolled, goal: rolled.at_least(floor(goal) + 1),
    "<": lambda rolled, goal: rolled.less_than(ceil(goal)),
    "<=": lambda rolled, goal: rolled.less_than(floor(goal) + 1),
    "==": lambda rolled, goal: rolled.exactly(goal) if isinstance(goal, int) else Fraction(0),
    "!=": lambda rolled, goal: 1 - rolled.exactly(goal) if isinstance(goal, int) else Fraction(1),
}


@dataclass(frozen=True)
class Asked(Rolled):
    """Turns questions about dice into functions."""

    @cached_property
    def joint(self) -> Joint:
        """The distributions of formulas over bound throws."""
        return Joint(self)

    def of_first(self, call: Call) -> OfFirst | None:
        """A function by its first argument, where it is one of those that many are asked of at once."""
        build = self.by_first.get(call.name)
        return None if build is None else build(self, call)

    def chance(self, formula: Formula) -> Evaluate:
        """The chance that a condition of rolls and numbers comes true."""
        once = self._with_throws_once(formula)
        if once.names.is_thrown(formula):
            return once.joint.chance(formula)
        if isinstance(formula, Comparison):
            rolled, numbers = once._dice_and_numbers(Sum(((1, formula.left), (-1, formula.right))))
            if rolled and not any(once._is_worked_out(term) for _, term in rolled):
                return _chance_of_sum(formula.sign, once._roll_and_number(rolled, numbers))
        if isinstance(formula, InRange) and not any(map(once.is_rolled, parts_of(formula)[1:])):
            rolled, numbers = once._dice_and_numbers(formula.formula)
            if rolled and not any(once._is_worked_out(term) for _, term in rolled):
                return once._chance_in_range(once._ends(formula), rolled, numbers)
        if not once.is_rolled(formula):
            raise ResolverError("there are no dice in it", hint="A comparison of numbers belongs into if().")
        if not once._is_condition(formula):
            hint = "Write chance({dice} + {trait} >= {difficulty})."
            raise ResolverError("chance() takes a comparison", hint=hint)
        find = once._kept(formula, once._dice(formula), once._chance_of)
        return lambda scope: find(scope, DEFAULT_REACH)

    def _chance_in_range(self, ends: Callable[[Scope], Ends], rolled: Terms, numbers: Terms) -> Evaluate:
        """Numbers only move the range."""
        find, added = self._sum_of_dice(rolled), self._total_of(numbers)

        def evaluate(scope: Scope) -> Rational:
            number = added(scope)
            low, high = ends(scope)
            least = None if low is None else ceil(low - number)
            most = None if high is None else floor(high - number)
            reach = max(DEFAULT_REACH, *(abs(end) + 1 for end in (least, most) if end is not None))
            if least is not None and most is not None and least > most:
                return 0
            return whole(find(scope, reach).between(least, most))

        return evaluate

    def _with_throws_once(self, formula: Formula) -> Self:
        """The same, where a formula mentions each of its throws once: then they are rolls like any others.

        Those may be open-ended; throws that are mentioned twice are followed outcome by outcome.
        """
        if not self.names.thrown:
            return self
        known: set[str] = set()
        for name in self.names.mentioned(formula):
            if name in known:
                return self
            if name in self.names.thrown:
                known.add(name)
        return self._rolling if self._rolling._is_sum(formula) else self

    @cached_property
    def _rolling(self) -> Self:
        """The same with throws as formulas, that are rolled anew at each mention."""
        return replace(self, names=replace(self.names, let={**self.names.let, **self.names.thrown}, thrown={}))

    def _is_sum(self, formula: Formula) -> bool:
        """Whether dice are but added up in a formula, and perhaps compared."""
        sides = parts_of(formula) if isinstance(formula, Comparison) else (formula,)
        rolled, _ = self._dice_and_numbers(Sum(tuple([(1, side) for side in sides])))
        return bool(rolled) and not any(self._is_worked_out(term) for _, term in rolled)

    def _chance_of(self, formula: Formula, scope: Scope, reach: int) -> Rational:
        rolled = self._roll(formula, scope, reach)
        if not (rolled.is_exact(0) and rolled.is_exact(1)):
            hint = "Of an open-ended roll, ask one comparison; or give the roll an end, with min() and max()."
            raise ResolverError("this chance depends on how open-ended rolls go on", hint=hint)
        return whole(1 - rolled.exactly(0))

    def _is_condition(self, formula: Formula) -> bool:
        match formula:
            case Comparison() | InRange() | Binary(sign="and" | "or") | Call(name="not" | "even"):
                return True
            case Call(name="if", arguments=(_, *sides)):
                return all(map(self._is_condition, sides))
            case Reference(name=name) if name in self.names.let:
                return self._is_condition(self.names.let[name])
        return False

    def mean(self, formula: Formula) -> Evaluate:
        """The mean of a roll; of an open-ended one, without what it leaves out."""
        once = self._with_throws_once(formula)
        if once.names.is_thrown(formula):
            return once.joint.mean(formula)
        return once._asked(formula, lambda rolled: rolled.mean, lambda mean, _: mean)

    def deviation(self, formula: Formula) -> Evaluate:
        """The standard deviation of a roll, to 50 decimals where it is irrational."""
        once = self._with_throws_once(formula)
        if once.names.is_thrown(formula):
            find = once.joint.moments(formula)
            return lambda scope: square_root(find(scope)[1])
        return once._asked(
            formula, lambda rolled: square_root(rolled.variance), lambda _, variance: square_root(variance)
        )

    def _asked(
        self,
        formula: Formula,
        of_roll: Callable[[Roll], Rational],
        of_moments: Callable[[Fraction, Fraction], Rational],
    ) -> Evaluate:
        """What is asked of a roll; of what comes to no whole numbers, by its moments."""

        def ask(built: Formula, scope: Scope, reach: int) -> Rational:
            if is_whole(built):
                return whole(of_roll(self._roll(built, scope, reach)))
            calls = calls_with_tables(built)
            self._add_tables(calls, scope)
            return whole(of_moments(*moments(built, self._tables if calls else None)))

        find = self._kept(formula, self._built(formula), ask)
        return lambda scope: find(scope, DEFAULT_REACH)


def _chance_of_sum(sign: str, margin: Callable[[Scope], tuple[Roll, Rational]]) -> Evaluate:
    """Numbers only move the goal: the same roll answers for all of them."""
    ask = _QUESTIONS[sign]

    def evaluate(scope: Scope) -> Rational:
        rolled, number = margin(scope)
        return whole(ask(rolled, -number))

    return evaluate
