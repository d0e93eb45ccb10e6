"""The dice of formulas: with every name in it filled in, a formula is one without names.

In: a Formula, and the Names it may use. Out: functions from a Scope to a Formula without names. A name that stands for
dice is rolled anew each time it is mentioned, unless it is a throw.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from refgen.errors import ResolverError
from refgen.notation.formula import ASKED, DICE_FUNCTIONS, NAME_FUNCTIONS, parse_dice
from refgen.notation.tree import (
    Binary,
    Call,
    Comparison,
    Constant,
    Formula,
    InRange,
    NamedPool,
    Pool,
    Reference,
    Sum,
    parts_of,
)
from refgen.notation.values import DiceText
from refgen.resolver.dice.arithmetic import (
    MAX_WHOLE,
    Rational,
    shortened,
)
from refgen.resolver.dice.cost import repeated
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.fills import OfFirst
from refgen.resolver.formula.functions import FUNCTIONS, Build, Context
from refgen.resolver.formula.numbers import range_of, total_of
from refgen.resolver.formula.scope import Evaluate, Named, Names, Scope

FillIn = Callable[[Scope], Formula]

Terms = tuple[tuple[int, Formula], ...]

BuildOfFirst = Callable[[Context, Call], OfFirst]

Ends = tuple[Rational | None, Rational | None]


@dataclass(frozen=True)
class Built(ABC):
    """Fills names into formulas. ``functions`` are those of names and numbers, by their names.

    ``by_first`` are those of them that are asked of many first arguments at once.
    """

    names: Names
    functions: Mapping[str, Build] = field(default_factory=lambda: FUNCTIONS)
    by_first: Mapping[str, BuildOfFirst] = field(default_factory=dict)
    _rolls: dict[tuple[Formula, int], tuple[Roll, Sequence[Call]]] = field(default_factory=dict)
    _let: dict[str, Evaluate] = field(default_factory=dict, init=False)
    _builds_of_rolls: dict[Formula, FillIn] = field(default_factory=dict, init=False)

    @abstractmethod
    def number(self, formula: Formula) -> Evaluate:
        """The function that works out a formula. Raises ResolverError for a formula that means nothing."""

    def naming(self, names: Sequence[str]) -> Self:
        """The same, with more names for numbers."""
        return replace(self, names=replace(self.names, named={**self.names.named, **dict.fromkeys(names, False)}))

    def is_rolled(self, formula: Formula) -> bool:
        """Whether dice are in a formula."""
        match formula:
            case Reference(name=name):
                let = self.names.let.get(name)
                return self.names.is_dice(name) if let is None else self.is_rolled(let)
            case Pool() | NamedPool():
                return True
            case Call(name=name) if name in ASKED or name in NAME_FUNCTIONS:
                return False
            case Call(name="chances"):
                return True
            case Constant():
                return False
        return any(map(self.is_rolled, parts_of(formula)))

    def _is_worked_out(self, formula: Formula) -> bool:
        """Whether arithmetic is done with the dice of a formula."""
        match formula:
            case Pool() | NamedPool() | Reference():
                return False
            case Call(name=name, arguments=arguments) if name in DICE_FUNCTIONS:
                return name != "count" and any(self._is_worked_out(part) for part in arguments if self.is_rolled(part))
            case Sum(terms=terms):
                return any(self._is_worked_out(term) for _, term in terms if self.is_rolled(term))
        return True

    def _ends(self, asked: InRange) -> Callable[[Scope], Ends]:
        """The ends of a range: those of a printed one, or two formulas."""
        if asked.printed and isinstance(asked.low, Reference):
            name = asked.low.name
            look_up = self.names.look_up(name)
            return lambda scope: range_of(look_up(scope), name)
        low, high = (None if end is None else self.number(end) for end in (asked.low, asked.high))
        return lambda scope: (low and low(scope), high and high(scope))

    def _dice_and_numbers(self, formula: Formula) -> tuple[Terms, Terms]:
        """The dice of a sum, and its numbers; those taken off come last: so equal sums are known to be equal."""
        rolled: list[tuple[int, Formula]] = []
        numbers: list[tuple[int, Formula]] = []
        for sign, term in sorted(self._terms(1, formula), key=lambda term: -term[0]):
            (rolled if self.is_rolled(term) else numbers).append((sign, term))
        return tuple(rolled), tuple(numbers)

    def _builds(self, rolled: Terms) -> Sequence[tuple[int, FillIn]]:
        return [(sign, self._dice(term)) for sign, term in rolled]

    def _total_of(self, terms: Terms) -> Evaluate:
        return total_of([(sign, self.number(term)) for sign, term in terms])

    def _terms(self, sign: int, formula: Formula) -> Sequence[tuple[int, Formula]]:
        """The signed terms of a sum, however deep: the numbers among them only move the goal."""
        if isinstance(formula, Reference) and formula.name in self.names.let:
            return self._terms(sign, self.names.let[formula.name])
        if isinstance(formula, Sum):
            return [part for inner, term in formula.terms for part in self._terms(sign * inner, term)]
        return [(sign, formula)]

    def _built(self, formula: Formula) -> FillIn:
        """A part of a roll: dice, or a number."""
        return self._dice(formula) if self.is_rolled(formula) else _constant(self.number(formula))

    def _dice(self, formula: Formula) -> FillIn:
        """The dice of a formula that has some, with every name in it filled in."""
        match formula:
            case Pool():
                return lambda _scope: formula
            case Reference(name=name):
                return self._named_dice(name)
            case NamedPool(count=count, sides=sides):
                number = self.number(count)
                return lambda scope: _pool(_whole(number(scope)), sides)
            case Sum():
                rolled, numbers = self._dice_and_numbers(formula)
                return _shifted(self._builds(rolled), self._total_of(numbers))
            case Binary() | Comparison():
                left, right = self._built(formula.left), self._built(formula.right)
                return lambda scope: replace(formula, left=left(scope), right=right(scope))
            case InRange():
                return self._range_built(formula)
            case Call():
                return self._call_built(formula)
        raise ResolverError("this is no part of a roll")

    def _named_dice(self, name: str) -> FillIn:
        if name in self.names.let:
            build = self._dice(self.names.let[name])
            return _unless_rolled(name, build) if self.names.varied else build
        look_up = self.names.look_up(name)

        def find(scope: Scope) -> Formula:
            named = look_up(scope)
            return _dice_in(named, name) if named.formula is None else self._built_once(named.formula)(scope)

        return find

    def _built_once(self, formula: Formula) -> FillIn:
        if formula not in self._builds_of_rolls:
            self._builds_of_rolls[formula] = self._built(formula)
        return self._builds_of_rolls[formula]

    def _range_built(self, asked: InRange) -> FillIn:
        inner = self._built(asked.formula)
        if asked.printed or not any(self.is_rolled(end) for end in parts_of(asked)[1:]):
            ends = self._ends(asked)

            def build(scope: Scope) -> Formula:
                low, high = ends(scope)
                return InRange(inner(scope), _number(low), _number(high))

            return build
        low, high = (None if end is None else self._built(end) for end in (asked.low, asked.high))
        return lambda scope: InRange(inner(scope), low and low(scope), high and high(scope))

    def _call_built(self, call: Call) -> FillIn:
        parts = [self._built(argument) for argument in call.arguments]
        if call.name in DICE_FUNCTIONS:
            parts = [_whole_part(part) for part in parts]

        def build(scope: Scope) -> Formula:
            built = Call(call.name, tuple([part(scope) for part in parts]), call.table)
            return repeated(built) if call.name == "repeat" else built

        return build


def _number(value: Rational | None) -> Constant | None:
    return None if value is None else Constant(value)


def _shifted(rolled: Sequence[tuple[int, FillIn]], added: Evaluate) -> FillIn:
    """Dice, and a number added to them."""

    def build(scope: Scope) -> Formula:
        terms = [(sign, part(scope)) for sign, part in rolled]
        number = added(scope)
        return sum_of([*terms, (1, Constant(number))] if number else terms)

    return build


def _constant(number: Evaluate) -> FillIn:
    return lambda scope: Constant(number(scope))


def _whole_part(part: FillIn) -> FillIn:
    """What a dice function takes: dice, or a whole number."""

    def build(scope: Scope) -> Formula:
        built = part(scope)
        if isinstance(built, Constant):
            _whole(built.value)
        return built

    return build


def _whole(number: Rational) -> int:
    if not isinstance(number, int) or abs(number) > MAX_WHOLE:
        raise ResolverError(f"{shortened(number)} is no whole number that belongs to dice")
    return number


def _pool(count: int, sides: int) -> Formula:
    if count < 0:
        raise ResolverError(f"{count} dice cannot be rolled")
    return Pool(count, sides) if count else Constant(0)


def _dice_in(named: Named, name: str) -> Formula:
    cell = named.cell
    if not isinstance(cell.value, DiceText) or not cell.value.expression:
        raise ResolverError(f'"{cell.text}" is no dice, and a formula rolls {{{name}}}')
    return parse_dice(cell.value.expression)


def _unless_rolled(name: str, build: FillIn) -> FillIn:
    """Dice with a name, or those that a row or column gives in their place."""

    def look_up(scope: Scope) -> Formula:
        given = scope.find(name)
        if given is None:
            return build(scope)
        scope.add_source(given)
        return _dice_in(given, name) if given.number is None else Constant(_whole(given.number))

    return look_up


def sum_of(terms: Sequence[tuple[int, Formula]]) -> Formula:
    """The sum of some formulas."""
    return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Sum(tuple(terms))
