"""Formulas over bound throws, worked out for all outcomes at once: a column of numbers each.

In: a Formula. Out: a Fill, which gives its column; what is the same for all outcomes is a parameter, worked out before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import repeat
from operator import add, is_, sub
from typing import Any, NamedTuple, Protocol

from refgen.errors import ResolverError
from refgen.notation.tree import (
    Binary,
    Call,
    Comparison,
    Constant,
    Formula,
    InRange,
    Reference,
    Sum,
    names_in,
    parts_of,
)
from refgen.resolver.dice.arithmetic import COMPARISONS, FUNCTIONS, SIGNS, Rational, whole
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.columns import Column, Weighed
from refgen.resolver.formula.scope import Evaluate, Names, Scope, kept_by, named_number, thrown_names
from refgen.resolver.once import Once

_ARGUMENTS = tuple(f"#{number}" for number in range(8))
"""What the arguments of a function are called while it is worked out for one outcome."""

_COLUMN = (list, tuple)

_PAIRS = {**SIGNS, **COMPARISONS}

OfFirst = Callable[[Scope], Callable[[Rational], Rational]]
"""A function of its first argument, in a scope: worked out once for many. For equal scopes, equal functions."""


class Context(Protocol):
    """What is asked of those who turn formulas into functions."""

    @property
    def names(self) -> Names:
        """The names that formulas may use."""

    def number(self, formula: Formula) -> Evaluate:
        """The function that works out a formula without bound throws in it."""

    def is_rolled(self, formula: Formula) -> bool:
        """Whether dice without a name are in a formula."""

    def roll(self, formula: Formula) -> Callable[[Scope], Roll]:
        """The roll of a formula."""

    def of_first(self, call: Call) -> OfFirst | None:
        """A function by its first argument, where it is one of those; the others are worked out in a scope."""

    def naming(self, names: Sequence[str]) -> Context:
        """The same, with more names for numbers."""


class Outcomes(NamedTuple):
    """What a formula is worked out for: columns of so many outcomes, and the parameters; other names in a scope."""

    columns: Mapping[str, Column]
    length: int
    parameters: Sequence[Any]
    scope: Scope


Fill = Callable[[Outcomes], Column | Rational]
"""Works a formula out for all outcomes: a column, or one number where it is the same for all."""


class Parameter(NamedTuple):
    """What is the same for all outcomes: how to find it, and whether it may be something else in another cell.

    ``named``: it goes by a name that may stand for something else in another table.
    """

    find: Callable[[Scope], Hashable]
    varies: bool
    named: bool


@dataclass
class Fills:
    """Turns formulas into fills; ``parameters`` are those that they need, in the order in which they are met.

    ``named`` is how many of them go by names so far.
    """

    context: Context
    parameters: list[Parameter] = field(default_factory=list)
    named: int = 0
    _places: dict[Formula, int] = field(default_factory=dict)

    def throw(self, name: str) -> int:
        """The place of a bound throw among the parameters.

        Raises ResolverError for one that names another, or (when it is thrown) has no last outcome.
        """
        formula = self.context.names.thrown[name]
        if self.context.names.is_thrown(formula):
            raise ResolverError(f'the throw "{name}" names another throw', hint="Name what follows from them in `let`.")
        roll = self.context.roll(formula)

        def find(scope: Scope) -> Weighed:
            rolled = roll(scope)
            if rolled.is_open:
                hint = "Bind dice with a highest and a lowest result, such as 4dF."
                raise ResolverError(f'the throw "{name}" has no last outcome', hint=hint)
            return rolled.outcomes, rolled.weights

        return self._parameter(formula, find)

    def _parameter(self, formula: Formula, find: Callable[[Scope], Hashable]) -> int:
        named = bool(self._named(formula))
        self.parameters.append(Parameter(find, named and any(self.context.names.varying(formula)), named))
        self.named += named
        return len(self.parameters) - 1

    def _named(self, formula: Formula) -> Sequence[str]:
        """The names in a formula that may stand for something else in another cell, or in another table."""
        names = self.context.names
        return [name for name in names_in(formula) if name in names.named or name in names.across or name in names.let]

    def of(self, formula: Formula) -> Fill:
        """How to work a formula out. Raises ResolverError for one that means nothing."""
        if isinstance(formula, Constant):
            number = whole(formula.value)
            return lambda _outcomes: number
        return self._of_thrown(formula) if self.context.names.is_thrown(formula) else self._same_for_all(formula)

    def _of_thrown(self, formula: Formula) -> Fill:
        match formula:
            case Reference(name=name):
                return lambda outcomes: outcomes.columns[name]
            case Sum(terms=terms):
                return self._total(terms)
            case Call(name="if") | Binary(sign="and" | "or"):
                return self._choice(*_as_choice(formula))
            case Comparison() | Binary():
                function, mapped = _PAIRS[formula.sign], _mapped if formula.sign in COMPARISONS else _by_number
                return mapped(function, [self.of(formula.left), self.of(formula.right)])
            case Call(name="max" | "min" as name):
                return reduce(_larger if name == "max" else _smaller, map(self.of, formula.arguments))
            case Call(name=name) if name in FUNCTIONS:
                return _by_number(FUNCTIONS[name], list(map(self.of, formula.arguments)))
        return self._one_by_one(formula)

    def _same_for_all(self, formula: Formula) -> Fill:
        if formula not in self._places:
            self._refuse_dice([formula])
            self._places[formula] = self._parameter(formula, self.context.number(formula))
        return _parameter(self._places[formula])

    def _looked_up(self, name: str) -> Callable[[Scope], Hashable]:
        """What a name stands for: a number, or a cell that has none."""
        in_row = name not in self.context.names.let
        return (lambda scope: kept_by(scope.find(name))) if in_row else self.context.number(Reference(name))

    def _refuse_dice(self, formulas: Iterable[Formula]) -> None:
        if any(map(self.context.is_rolled, formulas)):
            raise ResolverError("dice without a name stand beside bound throws", hint="Bind them in `with` too.")

    def _total(self, terms: Sequence[tuple[int, Formula]]) -> Fill:
        """Numbers are added up before: what is thrown goes by their sum."""
        numbers = [term for term in terms if not self.context.names.is_thrown(term[1])]
        first = self.of(Sum(tuple(numbers))) if numbers else _zero
        others = [(sign, self.of(term)) for sign, term in terms if (sign, term) not in numbers]

        def fill(outcomes: Outcomes) -> Column | Rational:
            total = first(outcomes)
            for sign, term in others:
                column = term(outcomes)
                if sign < 0 or total != 0:
                    column = _combined(add if sign > 0 else sub, [total, column])
                total = column
            return total

        return fill

    def _choice(self, test: Formula, then: Formula, otherwise: Formula) -> Fill:
        """The outcomes for which a test holds, and the others, each by its own formula."""
        ask = self.of(test)
        parts = [(set(thrown_names(part)), self.of(part)) for part in (otherwise, then)]

        def fill(outcomes: Outcomes) -> Column | Rational:
            tested = ask(outcomes)
            if not isinstance(tested, _COLUMN):
                return parts[bool(tested)][1](outcomes)
            try:
                other, then = (_endless(part(outcomes)) for _, part in parts)
                return [one if held else two for held, one, two in zip(tested, then, other, strict=False)]
            except ResolverError:
                pass  # what goes wrong may do so where it is not asked for
            filled: list[Rational] = [0] * outcomes.length
            for number, (names, part) in enumerate(parts):
                places = [place for place, held in enumerate(tested) if bool(held) is bool(number)]
                if len(places) == len(tested):
                    return part(outcomes)
                if places:
                    found = _column(part(_at(outcomes, places, names)), len(places))
                    for place, value in zip(places, found, strict=True):
                        filled[place] = value
            return filled

        return fill

    def _one_by_one(self, formula: Formula) -> Fill:
        """A function of columns and names: worked out once for each combination of their numbers."""
        parts, is_thrown = parts_of(formula), self.context.names.is_thrown
        thrown = {part: name for part, name in zip(parts, _ARGUMENTS, strict=False) if is_thrown(part)}
        others = [part for part in parts if part not in thrown]
        self._refuse_dice(others)
        fills = [self.of(part) for part in thrown]
        if isinstance(formula, Call) and list(thrown) == [parts[0]]:
            of_first = self.context.of_first(formula)
            if of_first is not None:
                return _of_first(self._parameter(Call(formula.name, tuple(others)), of_first), fills[0])
        looked_up = [Parameter(self._looked_up(name), True, True) for part in others for name in self._named(part)]
        self.parameters += looked_up
        self.named += len(looked_up)
        references = [Reference(thrown[part]) if part in thrown else part for part in parts]
        evaluate = self.context.naming(_ARGUMENTS).number(_with_parts(formula, references))
        names = list(thrown.values())

        def fill(outcomes: Outcomes) -> Column | Rational:
            keys = list(zip(*[_column(fill(outcomes), outcomes.length) for fill in fills], strict=True))
            scope, known = outcomes.scope, dict[tuple[Rational, ...], Rational]()
            for key in dict.fromkeys(keys):
                numbers = {name: named_number(number) for name, number in zip(names, key, strict=True)}
                inner = Scope({**scope.named, **numbers}, scope.across, sources_by_id=scope.sources_by_id)
                known[key] = evaluate(inner)
            return [known[key] for key in keys]

        return fill


def parameter_in(found: Sequence[Any], place: int) -> Any:
    """A parameter. Raises ResolverError where it is only now asked for, and means nothing."""
    if isinstance(found[place], ResolverError):
        raise found[place].with_traceback(None)
    return found[place]


def _zero(_outcomes: Outcomes) -> int:
    return 0


def _parameter(place: int) -> Fill:
    return lambda outcomes: parameter_in(outcomes.parameters, place)


def _mapped(function: Callable[..., Rational], fills: Sequence[Fill]) -> Fill:
    return lambda outcomes: _combined(function, [fill(outcomes) for fill in fills])


def _by_number(function: Callable[..., Rational], fills: Sequence[Fill]) -> Fill:
    """The same for what takes longer than to look it up: of one column, once for each number in it."""
    known: dict[tuple[Rational | None, ...], Mapping[Rational, Rational]] = {}

    def fill(outcomes: Outcomes) -> Column | Rational:
        parts = [fill(outcomes) for fill in fills]
        columns = [part for part in parts if isinstance(part, _COLUMN)]
        if len(columns) != 1:
            return _combined(function, parts)
        key = tuple([None if isinstance(part, _COLUMN) else part for part in parts])
        if key not in known:
            known[key] = Once(lambda number: function(*[number if part is None else part for part in key]))
        return list(map(known[key].__getitem__, columns[0]))

    return fill


def _larger(left: Fill, right: Fill) -> Fill:
    return _of_two(left, right, max, lambda pairs: [one if one >= two else two for one, two in pairs])


def _smaller(left: Fill, right: Fill) -> Fill:
    return _of_two(left, right, min, lambda pairs: [one if one <= two else two for one, two in pairs])


def _of_two(
    left: Fill,
    right: Fill,
    function: Callable[[Rational, Rational], Rational],
    of_each: Callable[[Iterable[tuple[Rational, Rational]]], Column],
) -> Fill:
    """A function of two numbers; where one of them is a column, of each pair: written out, it takes half the time."""

    def fill(outcomes: Outcomes) -> Column | Rational:
        one, two = left(outcomes), right(outcomes)
        if isinstance(one, _COLUMN) or isinstance(two, _COLUMN):
            return of_each(zip(_endless(one), _endless(two), strict=False))
        return function(one, two)

    return fill


def _combined(function: Callable[..., Rational], parts: Sequence[Column | Rational]) -> Column | Rational:
    """A function of numbers for each outcome; for all at once where all its numbers are the same for them."""
    columns = list(map(_endless, parts))
    if any(map(is_, columns, parts)):
        return list(map(function, *columns))
    return function(*parts)


def _endless(filled: Column | Rational) -> Iterable[Rational]:
    """A column, or one number over and over."""
    return filled if isinstance(filled, _COLUMN) else repeat(filled)


def _of_first(place: int, part: Fill) -> Fill:
    known: Mapping[Callable[[Rational], Rational], Mapping[Rational, Rational]] = Once(Once)

    def fill(outcomes: Outcomes) -> Column | Rational:
        found = known[parameter_in(outcomes.parameters, place)]
        return list(map(found.__getitem__, map(whole, _column(part(outcomes), outcomes.length))))

    return fill


def _column(filled: Column | Rational, count: int) -> Column:
    return filled if isinstance(filled, _COLUMN) else [filled] * count


def _at(outcomes: Outcomes, places: Sequence[int], names: set[str]) -> Outcomes:
    """Some of the outcomes, with the columns of some names."""
    columns = {name: [column[place] for place in places] for name, column in outcomes.columns.items() if name in names}
    return outcomes._replace(columns=columns, length=len(places))


def _as_choice(formula: Call | Binary) -> tuple[Formula, ...]:
    """A test, and what holds with it and without it: the right side of "and" and "or" matters for some."""
    if isinstance(formula, Call):
        return formula.arguments
    right = Comparison("!=", formula.right, Constant(0))
    return (formula.left, right, Constant(0)) if formula.sign == "and" else (formula.left, Constant(1), right)


def _with_parts(formula: Formula, parts: Sequence[Formula]) -> Formula:
    if isinstance(formula, Call):
        return replace(formula, arguments=tuple(parts))
    if isinstance(formula, InRange):
        inner, *ends = parts
        low, high = (None if end is None else ends.pop(0) for end in (formula.low, formula.high))
        return InRange(inner, low, high, formula.printed)
    raise ResolverError("bound throws stand where only dice may", hint="Dice functions go into `with`.")
