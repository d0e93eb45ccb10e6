"""Throws that are bound to a name: a formula may mention one twice, and means the same throw.

In: formulas over bound throws, and a Scope for all other names. Out: every outcome of the formulas together, with its
weight. Formulas with a name are worked out one after the other for all falls at once, a column of numbers each; a
throw comes in where it is first mentioned, and falls that no later formula can tell apart are put together. So two
throws that only meet in their difference cost their pairs once, and what follows costs the differences.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple, Protocol

from refgen.errors import ResolverError
from refgen.notation.formula import (
    INTEGRATING,
    Binary,
    Comparison,
    Formula,
    Function,
    Reference,
    Total,
    parts_of,
)
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.scope import Evaluate, Named, Names, Rational, Scope, whole
from refgen.rules.model import Cell
from refgen.span import Span

MAX_FALLS = 100_000
"""In so many ways some throws may fall together."""

MAX_WORK = 2_000_000
"""So many falls one table may work out."""

COMPARISONS: Mapping[str, Callable[[Rational, Rational], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}

_ARGUMENTS = tuple(f"#{number}" for number in range(8))
"""What the arguments of a function are called while it is worked out for one fall."""


class Outcomes(NamedTuple):
    """What some formulas come to together: a tuple of numbers for each outcome, its weight, and their sum."""

    values: Sequence[tuple[Rational, ...]]
    weights: Sequence[int]
    total: int


Distribution = Callable[[Scope], Outcomes]


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

    def naming(self, names: Sequence[str]) -> Context:
        """The same, with more names for numbers."""


class _Falls(NamedTuple):
    """Ways in which throws may fall: a column for each name that is still needed, and the weights."""

    columns: Mapping[str, Sequence[Rational]]
    weights: Sequence[int]


_Column = list[Rational]

_Fill = Callable[[_Falls, Scope], "_Column | Rational"]
"""Works a formula out for all falls: a column, or one number where it is the same for all."""


class _Stage(NamedTuple):
    """A formula of a plan: the throws that come in for it, what is dropped after it, and the names it varies with."""

    name: str
    fill: _Fill
    throws: Sequence[tuple[str, Callable[[Scope], Roll]]]
    kept: Sequence[str]
    varying: Sequence[str]
    known: dict[tuple[Named, ...], tuple[_Falls, Mapping[int, Span]]]


@dataclass
class Joint:
    """Distributions of formulas over bound throws; what rows and tables of one grid share is worked out once."""

    context: Context
    work: int = 0
    _thrown: dict[str, bool] = field(default_factory=dict)
    _plans: dict[tuple[Formula, ...], Distribution] = field(default_factory=dict)

    @property
    def names(self) -> Names:
        """The names that formulas may use."""
        return self.context.names

    def is_thrown(self, formula: Formula) -> bool:
        """Whether a formula comes to another number with each fall of a bound throw."""
        if isinstance(formula, Function) and formula.name in INTEGRATING:
            return False
        if isinstance(formula, Reference):
            return self._is_thrown_name(formula.name)
        return any(self.is_thrown(part) for part in parts_of(formula))

    def _is_thrown_name(self, name: str) -> bool:
        if name in self.names.thrown:
            return True
        if name not in self.names.let:
            return False
        if name not in self._thrown:
            self._thrown[name] = self.is_thrown(self.names.let[name])
        return self._thrown[name]

    def chance(self, comparison: Comparison) -> Evaluate:
        """The chance that a comparison comes true."""
        compare = COMPARISONS[comparison.sign]
        if not self.is_thrown(comparison.right):
            find, number = self.distribution(comparison.left), self.context.number(comparison.right)
        else:
            find = self.distribution(Total(((1, comparison.left), (-1, comparison.right))))
            number = _zero

        def evaluate(scope: Scope) -> Rational:
            outcomes, goal = find(scope), number(scope)
            pairs = zip(outcomes.values, outcomes.weights, strict=True)
            return whole(Fraction(sum([weight for (value,), weight in pairs if compare(value, goal)]), outcomes.total))

        return evaluate

    def mean(self, formula: Formula) -> Evaluate:
        """What a formula comes to on average."""
        find = self.distribution(formula)

        def evaluate(scope: Scope) -> Rational:
            outcomes = find(scope)
            pairs = zip(outcomes.values, outcomes.weights, strict=True)
            return whole(Fraction(sum([value * weight for (value,), weight in pairs])) / outcomes.total)

        return evaluate

    def distribution(self, *formulas: Formula) -> Distribution:
        """What some formulas come to together."""
        if formulas not in self._plans:
            self._plans[formulas] = self._planned(formulas)
        return self._plans[formulas]

    def _planned(self, formulas: Sequence[Formula]) -> Distribution:
        order: dict[str, Formula] = {}
        for formula in formulas:
            self._collect(formula, order)
        targets = [f"={number}" for number in range(len(formulas))]
        stages = self._stages([*order.items(), *zip(targets, formulas, strict=True)], targets)

        def find(scope: Scope) -> Outcomes:
            falls, sources_by_id = self._falls(stages, len(stages) - 1, scope)
            scope.sources_by_id.update(sources_by_id)
            values = list(zip(*[falls.columns[name] for name in targets], strict=True))
            return Outcomes(values, falls.weights, sum(falls.weights))

        return find

    def _collect(self, formula: Formula, order: dict[str, Formula]) -> None:
        """The formulas with a name that a formula needs, each after those it needs itself."""
        for name in _thrown_names(formula):
            if name in self.names.let and name not in order and self._is_thrown_name(name):
                self._collect(self.names.let[name], order)
                order[name] = self.names.let[name]

    def _stages(self, formulas: Sequence[tuple[str, Formula]], targets: Sequence[str]) -> Sequence[_Stage]:
        last = dict.fromkeys(targets, len(formulas))
        for number, (name, formula) in enumerate(formulas):
            last.setdefault(name, number)
            last.update((used, max(number, last.get(used, 0))) for used in _thrown_names(formula))
        varying: dict[str, None] = {}
        stages: list[_Stage] = []
        known: dict[str, None] = {}
        for number, (name, formula) in enumerate(formulas):
            new = [used for used in dict.fromkeys(_thrown_names(formula)) if used in self.names.thrown]
            throws = [(throw, self._bound(throw)) for throw in new if throw not in known]
            for part in (formula, *(self.names.thrown[throw] for throw, _ in throws)):
                varying.update(dict.fromkeys(name for names in self.names.varying(part) for name in names))
            known.update(dict.fromkeys([*(throw for throw, _ in throws), name]))
            kept = [other for other in known if last[other] > number]
            stages.append(_Stage(name, self._fill(formula), throws, kept, tuple(varying), {}))
        return stages

    def _bound(self, name: str) -> Callable[[Scope], Roll]:
        """The roll of a bound throw. Raises ResolverError for one that names another, or has no last outcome."""
        formula = self.names.thrown[name]
        if self.is_thrown(formula):
            raise ResolverError(f'the throw "{name}" names another throw', hint="Name what follows from them in `let`.")
        roll = self.context.roll(formula)

        def find(scope: Scope) -> Roll:
            rolled = roll(scope)
            if rolled.is_open:
                hint = "Bind dice with a highest and a lowest result, such as 4dF."
                raise ResolverError(f'the throw "{name}" has no last outcome', hint=hint)
            return rolled

        return find

    def _falls(self, stages: Sequence[_Stage], number: int, scope: Scope) -> tuple[_Falls, Mapping[int, Span]]:
        """All falls after a stage, and where everything stands that they rest on; kept for the same names."""
        if number < 0:
            return _Falls({}, (1,)), {}
        stage = stages[number]
        key = tuple([scope.named[name] if name in scope.named else scope.across[name] for name in stage.varying])
        if key not in stage.known:
            first = Scope(scope.named, scope.across)
            before, sources_by_id = self._falls(stages, number - 1, scope)
            first.sources_by_id.update(sources_by_id)
            stage.known[key] = self._after(stage, before, first), first.sources_by_id
        return stage.known[key]

    def _after(self, stage: _Stage, falls: _Falls, scope: Scope) -> _Falls:
        for name, roll in stage.throws:
            falls = self._thrown_in(falls, name, roll(scope))
        self.work += len(falls.weights)
        if self.work > MAX_WORK:
            raise ResolverError(f"this table follows more than {MAX_WORK:,} falls of its throws")
        filled = stage.fill(falls, scope)
        column = filled if isinstance(filled, list) else [filled] * len(falls.weights)
        return _merged(_Falls({**falls.columns, stage.name: column}, falls.weights), stage.kept)

    def _thrown_in(self, falls: _Falls, name: str, rolled: Roll) -> _Falls:
        """The same falls with each outcome of one throw more."""
        count = len(rolled.outcomes)
        if len(falls.weights) * count > MAX_FALLS:
            message = f'with "{name}" these throws fall in {len(falls.weights) * count:,} ways'
            raise ResolverError(f"{message}; refgen follows at most {MAX_FALLS:,}", hint="Throw fewer or smaller dice.")
        columns = {own: [value for value in column for _ in range(count)] for own, column in falls.columns.items()}
        columns[name] = [*rolled.outcomes] * len(falls.weights)
        return _Falls(columns, [weight * more for weight in falls.weights for more in rolled.weights])

    def _fill(self, formula: Formula) -> _Fill:
        if not self.is_thrown(formula):
            if self.context.is_rolled(formula):
                raise ResolverError("dice without a name stand beside bound throws", hint="Bind them in `with` too.")
            number = self.context.number(formula)
            return lambda _falls, scope: number(scope)
        match formula:
            case Reference(name=name):
                return lambda falls, _scope: list(falls.columns[name])
            case Total(terms=terms):
                return _total([(sign, self._fill(term)) for sign, term in terms])
            case Comparison():
                return _pairwise(COMPARISONS[formula.sign], self._fill(formula.left), self._fill(formula.right))
            case Function(name="if"):
                return self._choice(*formula.arguments)
            case Function(name="max" | "min" as name):
                return _folded(max if name == "max" else min, [self._fill(part) for part in formula.arguments])
        return self._one_by_one(formula)

    def _choice(self, test: Formula, then: Formula, otherwise: Formula) -> _Fill:
        """The falls for which a test holds, and the others, each by its own formula."""
        ask = self._fill(test)
        parts = [(set(_thrown_names(part)), self._fill(part)) for part in (otherwise, then)]

        def fill(falls: _Falls, scope: Scope) -> _Column | Rational:
            tested = ask(falls, scope)
            if not isinstance(tested, list):
                return parts[bool(tested)][1](falls, scope)
            filled: _Column = [0] * len(tested)
            for number, (names, part) in enumerate(parts):
                places = [place for place, held in enumerate(tested) if bool(held) is bool(number)]
                if len(places) == len(tested):
                    return part(falls, scope)
                if places:
                    found = part(_at(falls, places, names), scope)
                    for place, value in zip(places, _column(found, len(places)), strict=True):
                        filled[place] = value
            return filled

        return fill

    def _one_by_one(self, formula: Formula) -> _Fill:
        """A function, or a product, of columns: worked out once for each combination of their numbers."""
        parts = parts_of(formula)
        thrown = {part: name for part, name in zip(parts, _ARGUMENTS, strict=False) if self.is_thrown(part)}
        fills = [self._fill(part) for part in thrown]
        called = [Reference(thrown[part]) if part in thrown else part for part in parts]
        evaluate = self.context.naming(_ARGUMENTS).number(_with_parts(formula, called))
        names = list(thrown.values())

        def fill(falls: _Falls, scope: Scope) -> _Column | Rational:
            columns = [_column(fill(falls, scope), len(falls.weights)) for fill in fills]
            keys = list(zip(*columns, strict=True))
            known: dict[tuple[Rational, ...], Rational] = {}
            for key in dict.fromkeys(keys):
                numbers = {name: named_number(number) for name, number in zip(names, key, strict=True)}
                inner = Scope({**scope.named, **numbers}, scope.across, sources_by_id=scope.sources_by_id)
                known[key] = evaluate(inner)
            return [known[key] for key in keys]

        return fill


def named_number(number: Rational) -> Named:
    """A number that a name stands for, and that is printed nowhere."""
    return Named(_NOWHERE, whole(number))


_NOWHERE = Cell("")


def _zero(_scope: Scope) -> int:
    return 0


def _thrown_names(formula: Formula) -> Iterator[str]:
    """The names in a formula, but for those inside chance() and the like, which ask for throws of their own."""
    if isinstance(formula, Function) and formula.name in INTEGRATING:
        return
    if isinstance(formula, Reference):
        yield formula.name
    for part in parts_of(formula):
        yield from _thrown_names(part)


def _with_parts(formula: Formula, parts: Sequence[Formula]) -> Formula:
    if isinstance(formula, Binary):
        return Binary(formula.sign, parts[0], parts[1])
    if isinstance(formula, Function):
        return replace(formula, arguments=tuple(parts))
    raise ResolverError("bound throws stand where only dice may", hint="Dice functions go into `with`.")


def _column(filled: _Column | Rational, count: int) -> _Column:
    return filled if isinstance(filled, list) else [filled] * count


def _at(falls: _Falls, places: Sequence[int], names: set[str]) -> _Falls:
    """Some of the falls, with the columns of some names."""
    columns = {name: [column[place] for place in places] for name, column in falls.columns.items() if name in names}
    return _Falls(columns, [falls.weights[place] for place in places])


def _merged(falls: _Falls, names: Sequence[str]) -> _Falls:
    """The falls by the columns of some names alone; those that they cannot tell apart are one."""
    if len(names) == len(falls.columns) and len(names) > 1:
        return falls
    if not names:
        return _Falls({}, (sum(falls.weights),))
    found: dict[tuple[Rational, ...], int] = {}
    keys = zip(*[falls.columns[name] for name in names], strict=True)
    for key, weight in zip(keys, falls.weights, strict=True):
        found[key] = found.get(key, 0) + weight
    return _Falls(dict(zip(names, zip(*found, strict=True), strict=True)), list(found.values()))


_Pair = Callable[[Rational, Rational], Rational]


def _pairwise(combine: _Pair, left: _Fill, right: _Fill) -> _Fill:
    return lambda falls, scope: _combined(combine, left(falls, scope), right(falls, scope))


def _combined(combine: _Pair, left: _Column | Rational, right: _Column | Rational) -> _Column | Rational:
    if isinstance(left, list):
        if isinstance(right, list):
            return list(map(combine, left, right))
        return [combine(value, right) for value in left]
    if isinstance(right, list):
        return [combine(left, value) for value in right]
    return combine(left, right)


def _total(terms: Sequence[tuple[int, _Fill]]) -> _Fill:
    def fill(falls: _Falls, scope: Scope) -> _Column | Rational:
        total: _Column | Rational = 0
        for sign, term in terms:
            total = _combined(operator.add if sign > 0 else operator.sub, total, term(falls, scope))
        return total

    return fill


def _folded(combine: Callable[..., Rational], parts: Sequence[_Fill]) -> _Fill:
    def fill(falls: _Falls, scope: Scope) -> _Column | Rational:
        first, *others = [part(falls, scope) for part in parts]
        for other in others:
            first = _combined(combine, first, other)
        return first

    return fill
