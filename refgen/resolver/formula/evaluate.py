"""Formulas worked out: a Formula becomes a function from a Scope to an exact number.

In: a Formula, and the Names it may use. Out: an ``Evaluate``.
"""

from __future__ import annotations

from dataclasses import dataclass

from refgen.errors import ResolverError
from refgen.notation.formula import DICE_FUNCTIONS, OF_CHAINS
from refgen.notation.tree import (
    Binary,
    Call,
    Comparison,
    Constant,
    Formula,
    InRange,
    Reference,
    Sum,
    parts_of,
)
from refgen.resolver.dice.arithmetic import (
    COMPARISONS,
    in_range,
    whole,
)
from refgen.resolver.formula.asked import Asked
from refgen.resolver.formula.functions import Build
from refgen.resolver.formula.numbers import binary, extreme, once, unless_given
from refgen.resolver.formula.scope import Evaluate


@dataclass(frozen=True)
class Formulas(Asked):
    """Turns formulas into functions; functions of formulas with a name, and rolls, are made once and kept."""

    def number(self, formula: Formula) -> Evaluate:
        """The function that works out a formula. Raises ResolverError for a formula that means nothing."""
        match formula:
            case Constant(value=value):
                number = whole(value)
                return lambda _scope: number
            case Reference(name=name):
                return self._named(name)
            case Sum(terms=terms):
                return self._total_of(terms)
            case Binary():
                return binary(formula.sign, self.number(formula.left), self.number(formula.right))
            case Comparison() | InRange():
                return self._question(formula)
            case Call(name=name) if name not in DICE_FUNCTIONS:
                return self._function(name)(self, formula)
            case Call(name="max" | "min" as name) if not self.is_rolled(formula):
                return extreme(name, [self.number(argument) for argument in formula.arguments])
        raise ResolverError("dice are no number by themselves", hint="Ask chance({dice} >= …), or mean({dice}).")

    def _question(self, asked: Comparison | InRange) -> Evaluate:
        if isinstance(asked, Comparison):
            compare, left, right = COMPARISONS[asked.sign], self.number(asked.left), self.number(asked.right)
            return lambda scope: int(compare(left(scope), right(scope)))
        inner, ends = self.number(asked.formula), self._ends(asked)
        return lambda scope: in_range(inner(scope), *ends(scope))

    def _function(self, name: str) -> Build:
        if name not in self.functions:
            raise ResolverError(f"{name}() belongs into grids and chains")
        return self.functions[name]

    def _named(self, name: str) -> Evaluate:
        if self.names.is_thrown(Reference(name)):
            hint = f"Ask chance({{{name}}} >= …), or mean({{{name}}})."
            raise ResolverError(f'"{name}" is another number with each throw', hint=hint)
        if name not in self.names.let:
            return self.names.number(name)
        if name not in self._let:
            formula = self.names.let[name]
            evaluate, in_cell = self.number(formula), self.names.changes(formula) or _asks_chains(formula)
            kept = unless_given(name, evaluate) if self.names.varied else once(name, evaluate, in_cell=in_cell)
            self._let[name] = kept
        return self._let[name]


def _asks_chains(formula: Formula) -> bool:
    """Whether a chain is asked: it may go by any name of the column."""
    asks = isinstance(formula, Call) and formula.name in OF_CHAINS
    return asks or any(map(_asks_chains, parts_of(formula)))
