"""Formulas worked out: a Formula becomes a function from a Scope to an exact number.

In: a Formula, and the Names it may use. Out: an ``Evaluate``. Every die in a formula is rolled once; a name that
stands for dice is rolled anew each time it is mentioned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor

from refgen.errors import ResolverError
from refgen.notation import dice as notation
from refgen.notation.dice import Expression, parse_dice
from refgen.notation.formula import (
    NUMBER_FUNCTIONS,
    OF_CHAINS,
    Binary,
    Comparison,
    Formula,
    Function,
    Literal,
    Reference,
    Rolled,
    RolledPool,
    Total,
    parts_of,
)
from refgen.notation.values import DiceText
from refgen.resolver.dice.evaluate import DEFAULT_REACH, DiceTable, calls_with_tables, roll_expression
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.functions import FUNCTIONS, MAX_WHOLE, Build, Context
from refgen.resolver.formula.joint import COMPARISONS, Joint, OfFirst
from refgen.resolver.formula.scope import (
    MAX_BITS,
    SMALL,
    Evaluate,
    Named,
    Names,
    Rational,
    Scope,
    number_in,
    shortened,
    whole,
)
from refgen.resolver.lookup import roll_tables
from refgen.rules.model import Cell, Table
from refgen.span import Span

MAX_REPEATED = 100
"""More rolls than anybody adds up by hand."""

_QUESTIONS: Mapping[str, Callable[[Roll, Rational], Fraction]] = {
    ">=": lambda rolled, goal: rolled.at_least(ceil(goal)),
    ">": lambda rolled, goal: rolled.at_least(floor(goal) + 1),
    "<": lambda rolled, goal: rolled.less_than(ceil(goal)),
    "<=": lambda rolled, goal: rolled.less_than(floor(goal) + 1),
    "==": lambda rolled, goal: rolled.exactly(goal) if isinstance(goal, int) else Fraction(0),
    "!=": lambda rolled, goal: 1 - rolled.exactly(goal) if isinstance(goal, int) else Fraction(1),
}

_OF_DICE_ALONE = frozenset({"explode", "snake"})
"""What happens to the dice of "d12+1" and not to the number added to them."""

_Build = Callable[[Scope], Expression]

BuildOfFirst = Callable[[Context, Function], OfFirst]

_Terms = tuple[tuple[int, Formula], ...]


@dataclass(frozen=True)
class Formulas:
    """Turns formulas into functions; functions of formulas with a name, and rolls, are made once and kept.

    ``shared`` has the same formulas with a name for several tables, and keeps the distributions of their throws.
    """

    names: Names
    functions: Mapping[str, Build] = field(default_factory=lambda: FUNCTIONS)
    by_first: Mapping[str, BuildOfFirst] = field(default_factory=dict)
    shared: Formulas | None = None
    _rolls: dict[tuple[Expression, int], tuple[Roll, list[Named]]] = field(default_factory=dict)
    _let: dict[str, Evaluate] = field(default_factory=dict, init=False)

    def number(self, formula: Formula) -> Evaluate:
        """The function that works out a formula. Raises ResolverError for a formula that means nothing."""
        match formula:
            case Literal(value=value):
                number = whole(value)
                return lambda _scope: number
            case Reference(name=name):
                return self._named(name)
            case Total(terms=terms):
                return self._total_of(terms)
            case Binary():
                return _binary(formula.sign, self.number(formula.left), self.number(formula.right))
            case Comparison():
                compare, left, right = COMPARISONS[formula.sign], self.number(formula.left), self.number(formula.right)
                return lambda scope: int(compare(left(scope), right(scope)))
            case Function(name=name) if name in NUMBER_FUNCTIONS:
                return self._function(name)(self, formula)
            case Function(name="max" | "min" as name) if not self.is_rolled(formula):
                return _extreme(name, [self.number(argument) for argument in formula.arguments])
        raise ResolverError("dice are no number by themselves", hint="Ask chance({dice} >= …), or mean({dice}).")

    def _function(self, name: str) -> Build:
        if name not in self.functions:
            raise ResolverError(f"{name}() belongs into grids and chains")
        return self.functions[name]

    def of_first(self, function: Function) -> OfFirst | None:
        """A function by its first argument, where it is one of those that many are asked of at once."""
        build = self.by_first.get(function.name)
        return None if build is None else build(self, function)

    @cached_property
    def joint(self) -> Joint:
        """The distributions of formulas over bound throws."""
        return Joint(self, self.shared.joint if self.shared else None)

    def naming(self, names: Sequence[str]) -> Formulas:
        """The same, with more names for numbers."""
        return replace(self, names=replace(self.names, named={**self.names.named, **dict.fromkeys(names, False)}))

    def _named(self, name: str) -> Evaluate:
        if self.joint.is_thrown(Reference(name)):
            hint = f"Ask chance({{{name}}} >= …), or mean({{{name}}})."
            raise ResolverError(f'"{name}" is another number with each throw', hint=hint)
        if name not in self.names.let:
            return self.names.number(name)
        if name not in self._let:
            formula = self.names.let[name]
            evaluate, in_cell = self.number(formula), self.names.changes(formula) or _asks_chains(formula)
            kept = _unless_given(name, evaluate) if self.names.varied else _kept(name, evaluate, in_cell=in_cell)
            self._let[name] = kept
        return self._let[name]

    def is_rolled(self, formula: Formula) -> bool:
        """Whether dice are in a formula."""
        match formula:
            case Rolled() | RolledPool():
                return True
            case Reference(name=name) if name in self.names.let:
                return self.is_rolled(self.names.let[name])
            case Reference(name=name):
                return self.names.is_dice(name)
            case Total(terms=terms):
                return any(self.is_rolled(term) for _, term in terms)
            case Binary(left=left, right=right) | Comparison(left=left, right=right):
                return self.is_rolled(left) or self.is_rolled(right)
            case Function(name=name, arguments=arguments) if name not in NUMBER_FUNCTIONS:
                return not arguments or any(self.is_rolled(argument) for argument in arguments)
        return False

    def chance(self, comparison: Comparison) -> Evaluate:
        """The chance that a comparison of rolls and numbers comes true."""
        if self.joint.is_thrown(comparison):
            return self.joint.chance(comparison)
        margin = self.shifted_roll(Total(((1, comparison.left), (-1, comparison.right))))
        ask = _QUESTIONS[comparison.sign]

        def evaluate(scope: Scope) -> Rational:
            rolled, number = margin(scope)
            return whole(ask(rolled, -number))

        return evaluate

    def shifted_roll(self, formula: Formula) -> Callable[[Scope], tuple[Roll, Rational]]:
        """A formula with dice in it as a roll and a number to add: the roll is the same for many numbers.

        The roll is followed far enough for the question whether the sum reaches 0.
        """
        rolled, numbers = self._dice_and_numbers(formula)
        if not rolled:
            raise ResolverError("there are no dice in it", hint="A comparison of numbers belongs into if().")
        if len(rolled) > MAX_REPEATED:
            raise _too_many(len(rolled))
        dice, added = self._builds(rolled), self._total_of(numbers)
        find = self._kept_rolls(Total(rolled), lambda scope: _sum([(sign, build(scope)) for sign, build in dice]))

        def evaluate(scope: Scope) -> tuple[Roll, Rational]:
            number = added(scope)
            return find(scope, max(abs(ceil(number)) + 1, DEFAULT_REACH)), number

        return evaluate

    def mean(self, formula: Formula) -> Evaluate:
        """The mean of a roll; of an open-ended one, without what it leaves out."""
        if self.joint.is_thrown(formula):
            return self.joint.mean(formula)
        find = self.roll(formula)
        return lambda scope: whole(find(scope).mean)

    def roll(self, formula: Formula) -> Callable[[Scope], Roll]:
        """The roll of a formula: dice, or a number."""
        find = self._kept_rolls(formula, self._built(formula))
        return lambda scope: find(scope, DEFAULT_REACH)

    def _kept_rolls(self, formula: Formula, build: _Build) -> Callable[[Scope, int], Roll]:
        """The roll of a formula, put together once for the same rows and columns: to build dice takes longer."""
        of_row, of_column = self.names.varying(formula)
        kept: dict[tuple[object, ...], tuple[Roll, Mapping[int, Span]]] = {}

        def find(scope: Scope, reach: int) -> Roll:
            key = (reach, *map(scope.find, of_row), *map(scope.across.__getitem__, of_column))
            found = kept.get(key)
            if found is None:
                first = Scope(scope.named, scope.across)
                found = kept[key] = self._roll(build(first), first, reach), first.sources_by_id
            scope.sources_by_id.update(found[1])
            return found[0]

        return find

    def _roll(self, expression: Expression, scope: Scope, reach: int) -> Roll:
        key = (expression, reach)
        found = self._rolls.get(key)  # once: to find an expression takes longer than to ask the roll
        if found is None:
            calls = calls_with_tables(expression)
            printed = filter(None, (self._printed(call.table) for call in calls))
            tables = [Named(Cell("", span=table.span), None) for table in printed]
            found = self._rolls[key] = roll_expression(expression, reach, self._tables if calls else None), tables
        rolled, tables = found
        for named in tables:
            scope.add_source(named)
        return rolled

    def _printed(self, table: str) -> Table | None:
        return self.names.ruleset.tables.get(table)

    @cached_property
    def _tables(self) -> Mapping[str, DiceTable]:
        return roll_tables(self.names.ruleset)

    def _dice_and_numbers(self, formula: Formula) -> tuple[_Terms, _Terms]:
        """The dice of a sum, and its numbers; those taken off come last: so equal sums are known to be equal."""
        rolled: list[tuple[int, Formula]] = []
        numbers: list[tuple[int, Formula]] = []
        for sign, term in sorted(self._terms(1, formula), key=lambda term: -term[0]):
            (rolled if self.is_rolled(term) else numbers).append((sign, term))
        return tuple(rolled), tuple(numbers)

    def _builds(self, rolled: _Terms) -> Sequence[tuple[int, _Build]]:
        return [(sign, self._dice(term)) for sign, term in rolled]

    def _total_of(self, terms: _Terms) -> Evaluate:
        return _total([(sign, self.number(term)) for sign, term in terms])

    def _terms(self, sign: int, formula: Formula) -> Sequence[tuple[int, Formula]]:
        """The signed terms of a sum, however deep: the numbers among them only move the goal."""
        if isinstance(formula, Reference) and formula.name in self.names.let:
            return self._terms(sign, self.names.let[formula.name])
        if isinstance(formula, Total):
            return [part for inner, term in formula.terms for part in self._terms(sign * inner, term)]
        return [(sign, formula)]

    def _built(self, formula: Formula) -> _Build:
        """What a dice function takes: dice, or a number."""
        return self._dice(formula) if self.is_rolled(formula) else _constant(self.number(formula))

    def _dice(self, formula: Formula) -> _Build:
        """The dice of a formula that has some, with every name in it filled in."""
        match formula:
            case Rolled(expression=expression):
                return lambda _scope: expression
            case Reference(name=name):
                return self._named_dice(name)
            case RolledPool(count=count, sides=sides):
                number = self.number(count)
                return lambda scope: _pool(_whole(number(scope)), sides)
            case Total():
                rolled, numbers = self._dice_and_numbers(formula)
                return _shifted(self._builds(rolled), self._total_of(numbers))
            case Function():
                return self._dice_function(formula)
        raise ResolverError("dice can be added, subtracted and put into dice functions", hint="Try times(a, b).")

    def _named_dice(self, name: str) -> _Build:
        if name in self.names.let:
            build = self._dice(self.names.let[name])
            return _unless_rolled(name, build) if self.names.varied else build
        look_up = self.names.look_up(name)
        return lambda scope: _expression_in(look_up(scope), name)

    def _dice_function(self, function: Function) -> _Build:
        if function.name == "repeat":
            number, part = self.number(function.arguments[0]), self._built(function.arguments[1])
            return lambda scope: _repeated(_whole(number(scope)), part(scope))
        arguments, comparison = function.arguments, ""
        if function.name == "count" and isinstance(counted := arguments[0], Comparison):
            arguments, comparison = (counted.left, counted.right), counted.sign
        parts = [self._built(argument) for argument in arguments]

        def build(scope: Scope) -> Expression:
            built = tuple(part(scope) for part in parts)
            if function.name == "count" and built[0] == notation.Constant(0):
                return built[0]  # no dice, no successes
            if function.name in _OF_DICE_ALONE and len(built) == 1 and isinstance(built[0], notation.Sum):
                return _applied_to_dice(function.name, built[0])
            return notation.Call(function.name, built, function.table, comparison)

        return build


def _asks_chains(formula: Formula) -> bool:
    """Whether a chain is asked: it may go by any name of the column."""
    asks = isinstance(formula, Function) and formula.name in OF_CHAINS
    return asks or any(map(_asks_chains, parts_of(formula)))


def _sum(terms: Sequence[tuple[int, Expression]]) -> Expression:
    return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else notation.Sum(tuple(terms))


def _shifted(rolled: Sequence[tuple[int, _Build]], added: Evaluate) -> _Build:
    """Dice, and a number added to them."""

    def build(scope: Scope) -> Expression:
        terms = [(sign, part(scope)) for sign, part in rolled]
        number = _whole(added(scope))
        return _sum([*terms, (1, notation.Constant(number))] if number else terms)

    return build


def _applied_to_dice(name: str, whole: notation.Sum) -> Expression:
    """A function of the dice in a sum, and the numbers of the sum added to that."""
    dice = [term for term in whole.terms if not isinstance(term[1], notation.Constant)]
    if not dice:
        raise ResolverError(f"{name}() takes dice")
    added = [term for term in whole.terms if isinstance(term[1], notation.Constant)]
    return _sum([(1, notation.Call(name, (_sum(dice),))), *added])


def _constant(number: Evaluate) -> _Build:
    return lambda scope: notation.Constant(_whole(number(scope)))


def _whole(number: Rational) -> int:
    if not isinstance(number, int) or abs(number) > MAX_WHOLE:
        raise ResolverError(f"{shortened(number)} is no whole number that belongs to dice")
    return number


def _pool(count: int, sides: int) -> Expression:
    if count < 0:
        raise ResolverError(f"{count} dice cannot be rolled")
    return notation.Pool(count, sides) if count else notation.Constant(0)


def _too_many(rolls: int) -> ResolverError:
    return ResolverError(f"{rolls} rolls are not added up; refgen adds at most {MAX_REPEATED}")


def _repeated(times: int, expression: Expression) -> Expression:
    """The sum of some rolls of the same dice."""
    if not 0 <= times <= MAX_REPEATED:
        raise _too_many(times)
    if isinstance(expression, notation.Pool):
        return _pool(times * expression.count, expression.sides)
    return notation.Sum(((1, expression),) * times) if times else notation.Constant(0)


def _expression_in(named: Named, name: str) -> Expression:
    cell = named.cell
    if not isinstance(cell.value, DiceText) or not cell.value.expression:
        raise ResolverError(f'"{cell.text}" is no dice, and a formula rolls {{{name}}}')
    return parse_dice(cell.value.expression)


def _unless_given(name: str, evaluate: Evaluate) -> Evaluate:
    """A formula with a name, or the number that a row or column gives in its place."""

    def look_up(scope: Scope) -> Rational:
        given = scope.find(name)
        if given is None:
            return evaluate(scope)
        scope.add_source(given)
        return number_in(given, name)

    return look_up


def _unless_rolled(name: str, build: _Build) -> _Build:
    """Dice with a name, or those that a row or column gives in their place."""

    def look_up(scope: Scope) -> Expression:
        given = scope.find(name)
        if given is None:
            return build(scope)
        scope.add_source(given)
        return _expression_in(given, name) if given.number is None else notation.Constant(_whole(given.number))

    return look_up


def _kept(name: str, evaluate: Evaluate, in_cell: bool) -> Evaluate:
    """A formula with a name that is worked out once for each row, or for each cell."""

    def look_up(scope: Scope) -> Rational:
        results = scope.cell_results if in_cell else scope.row_results
        result = results.get(name)
        if result is None:
            result = results[name] = scope.keep(evaluate)
        return scope.use(result)

    return look_up


def _extreme(name: str, parts: Sequence[Evaluate]) -> Evaluate:
    """The largest or smallest of some numbers. The smaller of 5 and more than 8 is 5, but the larger is a bound."""
    choose, always = (max, ">") if name == "max" else (min, "<")

    def evaluate(scope: Scope) -> Rational:
        found = [scope.number_and_bound(part) for part in parts]
        chosen = choose(number for number, _ in found)
        bounds = [bound for number, bound in found if number == chosen]
        if always in (bound for _, bound in found):
            scope.bound = always
        elif all(bounds):
            scope.bound = bounds[0]
        return chosen

    return evaluate


_TURNED = {"": "", ">": "<", "<": ">", ">=": "<=", "<=": ">=", "~": "~"}


def _reversed_bound(evaluate: Evaluate) -> Evaluate:
    """What is taken off or divided by: 100 less more than 8 is less than 92."""

    def turned(scope: Scope) -> Rational:
        before, scope.bound = scope.bound, ""
        number = evaluate(scope)
        scope.bound = _TURNED[scope.bound] if scope.bound else before
        return number

    return turned


def _total(signed: Sequence[tuple[int, Evaluate]]) -> Evaluate:
    if not signed:
        return lambda _scope: 0
    (first_sign, first), *others = [(sign, term if sign > 0 else _reversed_bound(term)) for sign, term in signed]

    def evaluate(scope: Scope) -> Rational:
        total = first(scope) if first_sign > 0 else -first(scope)
        for sign, term in others:
            total = total + term(scope) if sign > 0 else total - term(scope)
        return total if type(total) is int else whole(total)

    return evaluate


def _binary(sign: str, left: Evaluate, right: Evaluate) -> Evaluate:
    match sign:
        case "*":
            return lambda scope: _product(left(scope), right(scope))
        case "/":
            divisor = _reversed_bound(right)
            return lambda scope: _quotient(left(scope), divisor(scope))
    return lambda scope: _power(left(scope), right(scope))


def _product(left: Rational, right: Rational) -> Rational:
    if type(left) is int and type(right) is int:
        product = left * right
        return product if -SMALL < product < SMALL else whole(product)
    above, below = left.as_integer_ratio()
    other_above, other_below = right.as_integer_ratio()
    return whole(Fraction(above * other_above, below * other_below))


def _quotient(left: Rational, right: Rational) -> Rational:
    if not right:
        raise ResolverError("a formula divides by zero")
    if isinstance(left, int) and isinstance(right, int):
        return whole(Fraction(left, right))
    return whole(Fraction(left) / right)


def _power(base: Rational, exponent: Rational) -> Rational:
    """A power, refused before it is worked out when it has far too many digits."""
    if not isinstance(exponent, int) or (not base and exponent < 0) or _bits(base) * abs(exponent) > 2 * MAX_BITS:
        hint = "Exponents are whole numbers, and not too large."
        raise ResolverError(f"{shortened(base)} to the power of {shortened(exponent)} is not worked out", hint=hint)
    return whole(base**exponent if isinstance(base, int) and exponent >= 0 else Fraction(base) ** exponent)


def _bits(number: Rational) -> int:
    """How many bits a number has, 0 for 0, 1 and -1."""
    return max(abs(number.numerator).bit_length(), number.denominator.bit_length()) - 1
