"""The compiler of formulas: a Formula becomes a function from a Scope to a number or a Distribution.

In: a Formula, and the Names that the formula may use. Out: a CompiledFormula. A formula without dice is arithmetic with
exact numbers; in a formula with dice, each mention of dice is another roll, except for a throw with a name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from operator import not_
from typing import NamedTuple, Self, cast

from refgen.errors import ResolverError
from refgen.notation.formula_tree import (
    CHAIN_FUNCTIONS,
    DICE_FUNCTIONS,
    BinaryOperation,
    Call,
    ComparisonTest,
    Constant,
    Formula,
    NamedPool,
    NameReference,
    Pool,
    RangeTest,
    Sum,
    parts_of,
)
from refgen.resolver.dice.arithmetic import COMPARISONS, FUNCTIONS, RANGE_TESTS, SIGNS, Rational, in_range, simplify
from refgen.resolver.dice.combine import compare_with_zero
from refgen.resolver.dice.cost import check_constant, check_repeated
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.formula.dice_functions import (
    DICE,
    count_rolls,
    each_outcome,
    extreme_roll,
    mix_branches,
    pool_of,
    product,
    refused_count,
    signed_sum,
    whole_number_of_dice,
    within_range,
)
from refgen.resolver.formula.dice_tables import table_functions
from refgen.resolver.formula.following import follow_for_chance, follow_roll, follow_wholly
from refgen.resolver.formula.functions import NAMED_FUNCTIONS, FunctionBuilder, expand_at
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.rolled import Value
from refgen.resolver.formula.scope import (
    Evaluator,
    NamedValue,
    Scope,
    binary,
    extreme_evaluator,
    range_of,
    total_of,
    unless_given,
)
from refgen.resolver.formula.throws import Throws

Terms = tuple[tuple[int, Formula], ...]
"""The terms of a sum, each with its sign."""


class CompiledFormula(NamedTuple):
    """A formula made ready, and whether dice are rolled in it: then it gives Distributions, else numbers."""

    evaluate: Callable[[Scope], Value]
    rolls: bool

    @property
    def number(self) -> Evaluator:
        """The function of a formula without dice."""
        return cast("Evaluator", self.evaluate)


@dataclass(frozen=True)
class Compiler:
    """Makes formulas ready, each once. ``functions`` are those that go by names and chains."""

    names: Names
    functions: Mapping[str, FunctionBuilder] = field(default_factory=lambda: NAMED_FUNCTIONS)
    _parts: dict[Formula, CompiledFormula] = field(default_factory=dict, init=False, repr=False, compare=False)

    def number(self, formula: Formula) -> Evaluator:
        """The function that works out a formula without dice. Raises ResolverError for one that means nothing."""
        part = self.part(formula)
        if part.rolls:
            raise ResolverError("dice are no number by themselves", hint="Ask chance({dice} >= …), or mean({dice}).")
        return part.number

    def roll(self, formula: Formula) -> Callable[[Scope], Distribution]:
        """The roll of a formula: dice, or a number."""
        find = self.roll_reaching(formula)
        return lambda scope: find(scope, scope.reach)

    def roll_reaching(self, formula: Formula) -> Callable[[Scope, int], Distribution]:
        """The roll of a formula, followed as far as it is asked about."""
        evaluate = self.part(formula).evaluate
        return self.names.remembered(formula, lambda scope: follow_wholly(evaluate, scope).as_whole())

    def roll_and_number(self, formula: Formula) -> tuple[Callable[[Scope, int], Distribution], Evaluator]:
        """The dice of a sum, followed as far as they are asked about, and the number that is added to them."""
        rolled, numbers = self.dice_and_numbers(formula)
        if not rolled:
            raise ResolverError("there are no dice in it", hint="A comparison of numbers belongs into if().")
        evaluate = self._sum_of_rolls(rolled)
        find = self.names.remembered(Sum(rolled), lambda scope: follow_for_chance(evaluate, scope))
        return find, self._total(numbers)

    def naming(self, names: Sequence[str]) -> Self:
        """A compiler with some more names for numbers."""
        return replace(self, names=replace(self.names, named={**self.names.named, **dict.fromkeys(names, False)}))

    @cached_property
    def rolling_throws(self) -> Self:
        """A compiler to which throws are dice that are rolled separately at each mention."""
        return replace(self, names=replace(self.names, let={**self.names.let, **self.names.thrown}, thrown={}))

    @cached_property
    def throws(self) -> Throws:
        """The distributions of formulas over throws with a name."""
        return Throws(self)

    def is_rolled(self, formula: Formula) -> bool:
        """Whether dice are in a formula."""
        return self.part(formula).rolls

    def part(self, formula: Formula) -> CompiledFormula:
        """A formula made ready. Raises ResolverError for one that means nothing."""
        part = self._parts.get(formula)
        if part is None:
            part = self._parts[formula] = self._compile_formula(formula)
        return part

    def _compile_formula(self, formula: Formula) -> CompiledFormula:
        match formula:
            case Constant() | Pool() | NamedPool() | NameReference():
                return self._leaf(formula)
            case Sum():
                return self._sum(formula)
            case Call(name="if") | BinaryOperation(sign="and" | "or"):
                return self._choice(*map(self.part, _as_choice(formula)))
            case Call(name="count", arguments=(ComparisonTest() | RangeTest() as asked,)):
                return self._count(asked)
            case BinaryOperation(sign=sign, left=left, right=right):
                return self._binary(sign, self.part(left), self.part(right))
            case ComparisonTest():
                return self._comparison(formula)
            case RangeTest():
                return self._in_range(formula)
        return self._call(formula)

    def _leaf(self, formula: Constant | Pool | NamedPool | NameReference) -> CompiledFormula:
        """A number, dice, or a name."""
        match formula:
            case Constant(value=value):
                number = simplify(value)
                return CompiledFormula(lambda _scope: number, rolls=False)
            case Pool():
                return CompiledFormula(lambda _scope: formula, rolls=True)
            case NamedPool(count=count, sides=sides):
                find = self.number(count)
                return CompiledFormula(lambda scope: pool_of(find(scope), sides), rolls=True)
        return self._compile_name(formula.name)

    def _compile_name(self, name: str) -> CompiledFormula:
        if self.names.is_thrown_name(name):
            hint = f"Ask chance({{{name}}} >= …), or mean({{{name}}})."
            raise ResolverError(f'"{name}" is another number with each throw', hint=hint)
        if name in self.names.let:
            return self._formula_with_name(name, self.names.let[name])
        if not self.names.is_dice(name):
            return CompiledFormula(self.names.number(name), rolls=False)
        look_up = self.names.look_up(name)
        return CompiledFormula(lambda scope: self._dice_in(look_up(scope), name, scope), rolls=True)

    def _formula_with_name(self, name: str, formula: Formula) -> CompiledFormula:
        """A formula with a name, which rows and columns may replace; its dice are rolled at each mention."""
        part = self.part(formula)
        if not self.names.varied:
            return part
        if not part.rolls:
            return CompiledFormula(unless_given(name, part.number), rolls=False)

        def given_or_rolled(scope: Scope) -> Value:
            given = scope.find(name)
            if given is None:
                return part.evaluate(scope)
            scope.add_source(given)
            return self._dice_in(given, name, scope) if given.number is None else whole_number_of_dice(given.number)

        return CompiledFormula(given_or_rolled, rolls=True)

    def _dice_in(self, named: NamedValue, name: str, scope: Scope) -> Value:
        """The roll that a cell prints, or that stands for a row."""
        if named.dice is None:
            raise ResolverError(f'"{named.cell.text}" is no dice, and a formula rolls {{{name}}}')
        return self.part(named.dice).evaluate(scope)

    def _sum(self, formula: Sum) -> CompiledFormula:
        rolled, numbers = self.dice_and_numbers(formula)
        added = self._total(numbers)
        if not rolled:
            return CompiledFormula(added, rolls=False)
        find = self._sum_of_rolls(rolled)
        return CompiledFormula(lambda scope: find(scope).shifted(check_constant(added(scope))), rolls=True)

    def dice_and_numbers(self, formula: Formula) -> tuple[Terms, Terms]:
        """The dice of a sum, and its numbers; those taken off come last: so equal sums are known to be equal."""
        terms = sorted(self._terms(1, formula), key=lambda term: -term[0])
        is_rolled = [self.part(term).rolls for _, term in terms]
        return tuple(compress(terms, is_rolled)), tuple(compress(terms, map(not_, is_rolled)))

    def _terms(self, sign: int, formula: Formula) -> Terms:
        """The signed terms of a sum of dice, however deep: the numbers among them only move the goal."""
        match formula:
            case NameReference(name=name) if (
                name in self.names.let and not self.names.varied and self.part(formula).rolls
            ):
                return self._terms(sign, self.names.let[name])
            case Sum(terms=terms):
                return tuple([part for inner, term in terms for part in self._terms(sign * inner, term)])
        return ((sign, formula),)

    def _total(self, terms: Terms) -> Evaluator:
        return total_of([(sign, self.number(term)) for sign, term in terms])

    def _sum_of_rolls(self, terms: Terms) -> Callable[[Scope], Distribution]:
        check_repeated(len(terms))
        signed = [(sign, self.part(term).evaluate) for sign, term in terms]
        return lambda scope: signed_sum(signed, scope)

    def _binary(self, sign: str, left: CompiledFormula, right: CompiledFormula) -> CompiledFormula:
        if not (left.rolls or right.rolls):
            return CompiledFormula(binary(sign, left.number, right.number), rolls=False)
        one, two = left.evaluate, right.evaluate
        if sign == "*":
            return CompiledFormula(lambda scope: product(one(scope), two(scope), scope), rolls=True)
        return CompiledFormula(lambda scope: each_outcome(SIGNS[sign], [one(scope), two(scope)], scope), rolls=True)

    def _choice(self, test: CompiledFormula, then: CompiledFormula, otherwise: CompiledFormula) -> CompiledFormula:
        """A choice between two branches, by a test; only the branch that is taken is worked out."""
        ask, one, two = test.evaluate, then.evaluate, otherwise.evaluate
        if test.rolls:
            return CompiledFormula(lambda scope: mix_branches(ask, one, two, scope), rolls=True)
        return CompiledFormula(lambda scope: one(scope) if ask(scope) else two(scope), then.rolls or otherwise.rolls)

    def _comparison(self, formula: ComparisonTest) -> CompiledFormula:
        left, right = self.part(formula.left), self.part(formula.right)
        if left.rolls or right.rolls:
            margin, _ = self.part(Sum(((1, formula.left), (-1, formula.right))))
            return CompiledFormula(
                lambda scope: compare_with_zero(formula.sign, follow_roll(margin, scope, 0, 1)), rolls=True
            )
        compare, one, two = COMPARISONS[formula.sign], left.number, right.number
        return CompiledFormula(lambda scope: int(compare(one(scope), two(scope))), rolls=False)

    def _in_range(self, asked: RangeTest) -> CompiledFormula:
        part, *ends = map(self.part, parts_of(asked))
        if any(end.rolls for end in ends):
            function = RANGE_TESTS[asked.low is None, asked.high is None]
            values = [part.evaluate, *(end.evaluate for end in ends)]
            return CompiledFormula(
                lambda scope: each_outcome(function, [value(scope) for value in values], scope), rolls=True
            )
        find = self.ends(asked)
        if part.rolls:
            return CompiledFormula(lambda scope: within_range(part.evaluate, *find(scope), scope), rolls=True)
        inner = part.number
        return CompiledFormula(lambda scope: in_range(inner(scope), *find(scope)), rolls=False)

    def ends(self, asked: RangeTest) -> Callable[[Scope], tuple[Rational | None, Rational | None]]:
        """The ends of a range: two formulas without dice, or the ends of a printed range."""
        if asked.printed and isinstance(asked.low, NameReference):
            name = asked.low.name
            look_up = self.names.look_up(name)
            return lambda scope: range_of(look_up(scope), name)
        low, high = (None if end is None else self.number(end) for end in (asked.low, asked.high))
        return lambda scope: (low and low(scope), high and high(scope))

    def _call(self, call: Call) -> CompiledFormula:
        name = call.name
        if name in ("max", "min"):
            return self._compile_extreme(name, list(map(self.part, call.arguments)))
        if name in DICE_FUNCTIONS:
            return self._dice_function(call)
        if name in FUNCTIONS:
            return self._function(FUNCTIONS[name], list(map(self.part, call.arguments)))
        if name == "at":
            return self.part(expand_at(self.names, call))
        if name not in self.functions:
            raise ResolverError(f"{name}() belongs into grids and chains")
        return CompiledFormula(self.functions[name](self, call), rolls=False)

    def _function(self, function: Callable[..., Rational], parts: Sequence[CompiledFormula]) -> CompiledFormula:
        """A function of numbers: of rolls, it is asked of each outcome."""
        values = [part.evaluate for part in parts]
        if any(part.rolls for part in parts):
            return CompiledFormula(
                lambda scope: each_outcome(function, [value(scope) for value in values], scope), rolls=True
            )
        return CompiledFormula(lambda scope: function(*[value(scope) for value in values]), rolls=False)

    def _compile_extreme(self, name: str, parts: Sequence[CompiledFormula]) -> CompiledFormula:
        values = [part.evaluate for part in parts]
        if any(part.rolls for part in parts):
            return CompiledFormula(lambda scope: extreme_roll(name, values, scope), rolls=True)
        return CompiledFormula(extreme_evaluator(name, [part.number for part in parts]), rolls=False)

    def _dice_function(self, call: Call) -> CompiledFormula:
        function = DICE.get(call.name) or table_functions(self.names.ruleset)[call.name]
        values = [_whole_number(part) for part in map(self.part, call.arguments)]
        return CompiledFormula(lambda scope: function(call, values, scope), rolls=True)

    def _count(self, asked: ComparisonTest | RangeTest) -> CompiledFormula:
        """How many dice or rolls meet a comparison with a number, or lie in a range."""
        rolls, *ends = map(self.part, parts_of(asked))
        if not rolls.rolls or any(end.rolls for end in ends):
            raise refused_count()
        test: Callable[..., int] = in_range if isinstance(asked, RangeTest) else COMPARISONS[asked.sign]
        find = self.ends(asked) if isinstance(asked, RangeTest) else lambda scope: (ends[0].number(scope),)
        return CompiledFormula(lambda scope: count_rolls(rolls.evaluate(scope), test, find(scope), scope), rolls=True)


def _whole_number(part: CompiledFormula) -> Callable[[Scope], Value]:
    """An argument of a dice function: dice, or a whole number."""
    number = part.number
    return part.evaluate if part.rolls else lambda scope: whole_number_of_dice(number(scope))


def _as_choice(formula: Call | BinaryOperation) -> tuple[Formula, ...]:
    """The test and the two branches of if(), "and" or "or": the right side of "and" and "or" is a branch."""
    if isinstance(formula, Call):
        return formula.arguments
    right = ComparisonTest("!=", formula.right, Constant(0))
    return (formula.left, right, Constant(0)) if formula.sign == "and" else (formula.left, Constant(1), right)


def asks_chains(formula: Formula) -> bool:
    """Whether a chain is asked: it may go by any name of the column."""
    asks = isinstance(formula, Call) and formula.name in CHAIN_FUNCTIONS
    return asks or any(map(asks_chains, parts_of(formula)))
