"""Formulas worked out: a Formula becomes a function from a Scope to an exact number.

In: a Formula, and the Names it may use. Out: an ``Evaluate``. What is asked of dice (chance, mean) is asked of a
formula without names: they are filled in, cell by cell, and the rolls are kept. A name that stands for dice is rolled
anew each time it is mentioned, unless it is a throw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import TypeVar

from refgen.errors import ResolverError
from refgen.notation.formula import ASKED, DICE_FUNCTIONS, NAME_FUNCTIONS, OF_CHAINS, parse_dice
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
from refgen.notation.values import DiceText, Interval
from refgen.resolver.dice.arithmetic import (
    COMPARISONS,
    MAX_WHOLE,
    Rational,
    in_range,
    modulo,
    product,
    quotient,
    raised,
    shortened,
    square_root,
    whole,
)
from refgen.resolver.dice.cost import MAX_REPEATED, repeated, too_many
from refgen.resolver.dice.evaluate import DEFAULT_REACH, DiceTable, calls_with_tables, moments, roll_formula
from refgen.resolver.dice.pointwise import is_whole
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.fills import OfFirst
from refgen.resolver.formula.functions import FUNCTIONS, Build, Context
from refgen.resolver.formula.joint import Joint
from refgen.resolver.formula.scope import Evaluate, Named, Names, Scope, number_in
from refgen.resolver.lookup import roll_tables
from refgen.rules.model import Cell, Table
from refgen.span import Span

_QUESTIONS: Mapping[str, Callable[[Roll, Rational], Fraction]] = {
    ">=": lambda rolled, goal: rolled.at_least(ceil(goal)),
    ">": lambda rolled, goal: rolled.at_least(floor(goal) + 1),
    "<": lambda rolled, goal: rolled.less_than(ceil(goal)),
    "<=": lambda rolled, goal: rolled.less_than(floor(goal) + 1),
    "==": lambda rolled, goal: rolled.exactly(goal) if isinstance(goal, int) else Fraction(0),
    "!=": lambda rolled, goal: 1 - rolled.exactly(goal) if isinstance(goal, int) else Fraction(1),
}

_Build = Callable[[Scope], Formula]

BuildOfFirst = Callable[[Context, Call], OfFirst]

_Terms = tuple[tuple[int, Formula], ...]

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Formulas:
    """Turns formulas into functions; functions of formulas with a name, and rolls, are made once and kept.

    ``shared`` has the same formulas with a name for several tables, and keeps the distributions of their throws.
    """

    names: Names
    functions: Mapping[str, Build] = field(default_factory=lambda: FUNCTIONS)
    by_first: Mapping[str, BuildOfFirst] = field(default_factory=dict)
    shared: Formulas | None = None
    _rolls: dict[tuple[Formula, int], tuple[Roll, Sequence[Call]]] = field(default_factory=dict)
    _let: dict[str, Evaluate] = field(default_factory=dict, init=False)
    _builds_of_rolls: dict[Formula, _Build] = field(default_factory=dict, init=False)

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
                return _binary(formula.sign, self.number(formula.left), self.number(formula.right))
            case Comparison() | InRange():
                return self._question(formula)
            case Call(name=name) if name not in DICE_FUNCTIONS:
                return self._function(name)(self, formula)
            case Call(name="max" | "min" as name) if not self.is_rolled(formula):
                return _extreme(name, [self.number(argument) for argument in formula.arguments])
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

    def of_first(self, call: Call) -> OfFirst | None:
        """A function by its first argument, where it is one of those that many are asked of at once."""
        build = self.by_first.get(call.name)
        return None if build is None else build(self, call)

    @cached_property
    def joint(self) -> Joint:
        """The distributions of formulas over bound throws."""
        return Joint(self, self.shared.joint if self.shared else None)

    def naming(self, names: Sequence[str]) -> Formulas:
        """The same, with more names for numbers."""
        return replace(self, names=replace(self.names, named={**self.names.named, **dict.fromkeys(names, False)}))

    def _named(self, name: str) -> Evaluate:
        if self.names.is_thrown(Reference(name)):
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

    def _ends(self, asked: InRange) -> Callable[[Scope], tuple[Rational | None, Rational | None]]:
        """The ends of a range: those of a printed one, or two formulas."""
        if asked.printed and isinstance(asked.low, Reference):
            name = asked.low.name
            look_up = self.names.look_up(name)
            return lambda scope: _range_of(look_up(scope), name)
        low, high = (None if end is None else self.number(end) for end in (asked.low, asked.high))
        return lambda scope: (low and low(scope), high and high(scope))

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

    def _chance_in_range(
        self, ends: Callable[[Scope], tuple[Rational | None, Rational | None]], rolled: _Terms, numbers: _Terms
    ) -> Evaluate:
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

    def _with_throws_once(self, formula: Formula) -> Formulas:
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
    def _rolling(self) -> Formulas:
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

    def shifted_roll(self, formula: Formula) -> Callable[[Scope], tuple[Roll, Rational]]:
        """A formula with dice in it as a roll and a number to add: the roll is the same for many numbers.

        The roll is followed far enough for the question whether the sum reaches 0.
        """
        rolled, numbers = self._dice_and_numbers(formula)
        if not rolled:
            raise ResolverError("there are no dice in it", hint="A comparison of numbers belongs into if().")
        return self._roll_and_number(rolled, numbers)

    def _roll_and_number(self, rolled: _Terms, numbers: _Terms) -> Callable[[Scope], tuple[Roll, Rational]]:
        find, added = self._sum_of_dice(rolled), self._total_of(numbers)

        def evaluate(scope: Scope) -> tuple[Roll, Rational]:
            number = added(scope)
            return find(scope, max(abs(ceil(number)) + 1, DEFAULT_REACH)), number

        return evaluate

    def _sum_of_dice(self, rolled: _Terms) -> Callable[[Scope, int], Roll]:
        if len(rolled) > MAX_REPEATED:
            raise too_many(len(rolled))
        dice = self._builds(rolled)
        build: _Build = lambda scope: _sum([(sign, part(scope)) for sign, part in dice])  # noqa: E731
        return self._kept_rolls(Sum(rolled), build)

    def roll(self, formula: Formula) -> Callable[[Scope], Roll]:
        """The roll of a formula: dice, or a number."""
        find = self.roll_reaching(formula)
        return lambda scope: find(scope, DEFAULT_REACH)

    def roll_reaching(self, formula: Formula) -> Callable[[Scope, int], Roll]:
        """The roll of a formula, followed as far as it is asked about."""
        return self._kept_rolls(formula, self._built(formula))

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

    def _kept_rolls(self, formula: Formula, build: _Build) -> Callable[[Scope, int], Roll]:
        """The roll of a formula, put together once for the same rows and columns: to build dice takes longer."""
        return self._kept(formula, build, self._roll)

    def _kept(
        self, formula: Formula, build: _Build, ask: Callable[[Formula, Scope, int], _Found]
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
        if isinstance(formula, Sum):
            return [part for inner, term in formula.terms for part in self._terms(sign * inner, term)]
        return [(sign, formula)]

    def _built(self, formula: Formula) -> _Build:
        """A part of a roll: dice, or a number."""
        return self._dice(formula) if self.is_rolled(formula) else _constant(self.number(formula))

    def _dice(self, formula: Formula) -> _Build:
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

    def _named_dice(self, name: str) -> _Build:
        if name in self.names.let:
            build = self._dice(self.names.let[name])
            return _unless_rolled(name, build) if self.names.varied else build
        look_up = self.names.look_up(name)

        def find(scope: Scope) -> Formula:
            named = look_up(scope)
            return _dice_in(named, name) if named.formula is None else self._built_once(named.formula)(scope)

        return find

    def _built_once(self, formula: Formula) -> _Build:
        if formula not in self._builds_of_rolls:
            self._builds_of_rolls[formula] = self._built(formula)
        return self._builds_of_rolls[formula]

    def _range_built(self, asked: InRange) -> _Build:
        inner = self._built(asked.formula)
        if asked.printed or not any(self.is_rolled(end) for end in parts_of(asked)[1:]):
            ends = self._ends(asked)

            def build(scope: Scope) -> Formula:
                low, high = ends(scope)
                return InRange(inner(scope), _number(low), _number(high))

            return build
        low, high = (None if end is None else self._built(end) for end in (asked.low, asked.high))
        return lambda scope: InRange(inner(scope), low and low(scope), high and high(scope))

    def _call_built(self, call: Call) -> _Build:
        parts = [self._built(argument) for argument in call.arguments]
        if call.name in DICE_FUNCTIONS:
            parts = [_whole_part(part) for part in parts]

        def build(scope: Scope) -> Formula:
            built = Call(call.name, tuple([part(scope) for part in parts]), call.table)
            return repeated(built) if call.name == "repeat" else built

        return build


def _asks_chains(formula: Formula) -> bool:
    """Whether a chain is asked: it may go by any name of the column."""
    asks = isinstance(formula, Call) and formula.name in OF_CHAINS
    return asks or any(map(_asks_chains, parts_of(formula)))


def _chance_of_sum(sign: str, margin: Callable[[Scope], tuple[Roll, Rational]]) -> Evaluate:
    """Numbers only move the goal: the same roll answers for all of them."""
    ask = _QUESTIONS[sign]

    def evaluate(scope: Scope) -> Rational:
        rolled, number = margin(scope)
        return whole(ask(rolled, -number))

    return evaluate


def _range_of(named: Named, name: str) -> tuple[Rational | None, Rational | None]:
    """The ends of a printed range; a plain number is a range of its own."""
    value = named.cell.value
    if isinstance(value, Interval):
        return value.low, value.high
    number = number_in(named, name)
    return number, number


def _number(value: Rational | None) -> Constant | None:
    return None if value is None else Constant(value)


def _sum(terms: Sequence[tuple[int, Formula]]) -> Formula:
    return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Sum(tuple(terms))


def _shifted(rolled: Sequence[tuple[int, _Build]], added: Evaluate) -> _Build:
    """Dice, and a number added to them."""

    def build(scope: Scope) -> Formula:
        terms = [(sign, part(scope)) for sign, part in rolled]
        number = added(scope)
        return _sum([*terms, (1, Constant(number))] if number else terms)

    return build


def _constant(number: Evaluate) -> _Build:
    return lambda scope: Constant(number(scope))


def _whole_part(part: _Build) -> _Build:
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

    def look_up(scope: Scope) -> Formula:
        given = scope.find(name)
        if given is None:
            return build(scope)
        scope.add_source(given)
        return _dice_in(given, name) if given.number is None else Constant(_whole(given.number))

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
            return lambda scope: product(left(scope), right(scope))
        case "/":
            divisor = _reversed_bound(right)
            return lambda scope: quotient(left(scope), divisor(scope))
        case "mod":
            return lambda scope: modulo(left(scope), right(scope))
        case "and":
            return lambda scope: int(bool(left(scope) and right(scope)))
        case "or":
            return lambda scope: int(bool(left(scope) or right(scope)))
    return lambda scope: raised(left(scope), right(scope))
