"""Throws that are bound to a name: a formula may mention one twice, and means the same throw.

In: formulas over bound throws, and a Scope for all other names. Out: every outcome of the formulas together, with its
weight. Formulas with a name are worked out one after the other for all outcomes at once, a column of numbers each; a
throw comes in where it is first mentioned, and outcomes that no later formula can tell apart are put together. So two
throws that only meet in their difference cost their pairs once, and what follows costs the differences.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import repeat
from typing import NamedTuple, Protocol

from refgen.errors import ResolverError
from refgen.notation.formula import INTEGRATING
from refgen.notation.tree import Binary, Call, Comparison, Constant, Formula, InRange, Reference, Sum, parts_of
from refgen.resolver.dice.arithmetic import COMPARISONS, FUNCTIONS, Rational, whole
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.scope import Evaluate, Named, Names, Scope
from refgen.rules.model import Cell
from refgen.span import Span

MAX_OUTCOMES = 100_000
"""How many joint outcomes some throws have."""

MAX_WORK = 2_000_000
"""So many outcomes one table may work out."""

_ARGUMENTS = tuple(f"#{number}" for number in range(8))
"""What the arguments of a function are called while it is worked out for one outcome."""


class Outcomes(NamedTuple):
    """What some formulas come to together: a tuple of numbers for each outcome, its weight, and their sum."""

    values: Sequence[tuple[Rational, ...]]
    weights: Sequence[int]
    total: int


Distribution = Callable[[Scope], Outcomes]


OfFirst = Callable[[Scope], Callable[[Rational], Rational]]
"""A function of its first argument, in a scope: worked out once for many."""


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


class _JointOutcomes(NamedTuple):
    """Joint outcomes of throws: a column for each name that is still needed, and the weights."""

    columns: Mapping[str, Sequence[Rational]]
    weights: Sequence[int]


_Column = list[Rational]

_Fill = Callable[[_JointOutcomes, Scope], "_Column | Rational"]
"""Works a formula out for all outcomes: a column, or one number where it is the same for all."""


class _Block(NamedTuple):
    """Formulas of a plan that are worked out together: the throws that come in for them, and what is kept of them.

    ``names`` is with how many of the names of its plan they vary; ``merge`` says whether throws follow. ``known`` has
    the outcomes after it, and their sources.
    """

    throws: list[tuple[str, Callable[[Scope], Roll]]]
    fills: list[tuple[str, _Fill]]
    names: int
    known: dict[tuple[object, ...], tuple[_JointOutcomes, Mapping[int, Span]]]


class _Plan(NamedTuple):
    """How some formulas are worked out together: block by block, each with the columns that are still needed after it.

    ``varying`` are the names that they vary with, in the order in which they are needed.
    """

    blocks: list[_Block]
    kept: list[Sequence[str]]
    varying: Sequence[str]


@dataclass
class Joint:
    """Distributions of formulas over bound throws, each worked out once for the same numbers.

    ``shared`` has those of formulas that several tables share.
    """

    context: Context
    shared: Joint | None = None
    work: int = 0
    _thrown: dict[str, bool] = field(default_factory=dict)
    _plans: dict[tuple[Formula, ...], Distribution] = field(default_factory=dict)

    @property
    def names(self) -> Names:
        """The names that formulas may use."""
        return self.context.names

    def is_thrown(self, formula: Formula) -> bool:
        """Whether a formula comes to another number with each outcome of a bound throw."""
        if isinstance(formula, Call) and formula.name in INTEGRATING:
            return False
        if isinstance(formula, Reference):
            return self.is_thrown_name(formula.name)
        return any(self.is_thrown(part) for part in parts_of(formula))

    def is_thrown_name(self, name: str) -> bool:
        """Whether a name is a bound throw, or follows from one."""
        if name in self.names.thrown:
            return True
        if name not in self.names.let:
            return False
        if name not in self._thrown:
            self._thrown[name] = self.is_thrown(self.names.let[name])
        return self._thrown[name]

    def chance(self, condition: Formula) -> Evaluate:
        """The chance that a condition comes true: of a comparison, the same outcomes answer for all numbers."""
        number: Evaluate = _zero
        if isinstance(condition, Comparison) and not self.is_thrown(condition.right):
            find, number = self.distribution(condition.left), self.context.number(condition.right)
        elif isinstance(condition, Comparison):
            find = self.distribution(Sum(((1, condition.left), (-1, condition.right))))
        else:
            find = self.distribution(condition)
        compare = COMPARISONS[condition.sign if isinstance(condition, Comparison) else "!="]

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

    def moments(self, formula: Formula) -> Callable[[Scope], tuple[Fraction, Fraction]]:
        """What a formula comes to on average, and its variance."""
        find = self.distribution(formula)

        def evaluate(scope: Scope) -> tuple[Fraction, Fraction]:
            outcomes = find(scope)
            pairs = [(value, weight) for (value,), weight in zip(outcomes.values, outcomes.weights, strict=True)]
            mean = Fraction(sum([value * weight for value, weight in pairs])) / outcomes.total
            squares = Fraction(sum([value * value * weight for value, weight in pairs])) / outcomes.total
            return mean, squares - mean * mean

        return evaluate

    def distribution(self, *formulas: Formula) -> Distribution:
        """What some formulas come to together."""
        if formulas not in self._plans:
            self._plans[formulas] = self._from_shared(formulas) or self._planned(formulas)
        return self._plans[formulas]

    def _from_shared(self, formulas: Sequence[Formula]) -> Distribution | None:
        """The same from the shared formulas, where they know all of it, and rows and columns change no throw."""
        shared, names = self.shared, (*self.names.named, *self.names.across)
        if shared is None or any(map(shared.is_thrown_name, names)):
            return None
        if not all(isinstance(formula, Reference) for formula in formulas):
            return None
        try:
            return shared.distribution(*formulas)
        except ResolverError:  # they name what only this table has
            return None

    def _planned(self, formulas: Sequence[Formula]) -> Distribution:
        thrown = list(dict.fromkeys(formula for formula in formulas if self.is_thrown(formula)))
        names = {formula: self._name_of(formula, number) for number, formula in enumerate(thrown)}
        plan = self._plan(names)
        columns = [names.get(formula) for formula in formulas]
        others = [None if formula in names else self._other(formula) for formula in formulas]
        varying = {**dict.fromkeys(plan.varying), **dict.fromkeys(self._varying(formulas))}
        known: dict[tuple[object, ...], tuple[Outcomes, Mapping[int, Span]]] = {}

        def find(scope: Scope) -> Outcomes:
            key = tuple([kept_by(scope.find(name)) for name in varying])
            if key not in known:
                joint, sources = self._outcomes_after(plan, len(plan.blocks) - 1, key, self._bare(varying, scope))
                first = Scope(scope.named, scope.across)
                values = [
                    joint.columns[name] if name else [other(first) if other else 0] * len(joint.weights)
                    for name, other in zip(columns, others, strict=True)
                ]
                outcomes = Outcomes(list(zip(*values, strict=True)), joint.weights, sum(joint.weights))
                known[key] = outcomes, {**sources, **first.sources_by_id}
            outcomes, sources = known[key]
            if not scope.stated:
                scope.sources_by_id.update(sources)
                for name in varying:
                    _add_source(scope, name)
            return outcomes

        return find

    def _name_of(self, formula: Formula, number: int) -> str:
        """What the column of a formula is called: a name that it is itself, or one of its own."""
        return formula.name if isinstance(formula, Reference) else f"={number}"

    def _other(self, formula: Formula) -> Evaluate:
        """A formula that is the same for all outcomes."""
        self._refuse_dice([formula])
        return self.context.number(formula)

    def _refuse_dice(self, formulas: Iterable[Formula]) -> None:
        if any(map(self.context.is_rolled, formulas)):
            raise ResolverError("dice without a name stand beside bound throws", hint="Bind them in `with` too.")

    def _varying(self, formulas: Iterable[Formula]) -> Iterator[str]:
        for formula in formulas:
            for names in self.names.varying(formula):
                yield from names

    def _bare(self, varying: Iterable[str], scope: Scope) -> Scope:
        """The numbers that names stand for, without their places: they may stand elsewhere in another row."""
        row, column = (
            {name: bare(given[name]) for name in varying if name in given} for given in (scope.named, scope.across)
        )
        return Scope(row, column)

    def _collect(self, formula: Formula, order: dict[str, Formula]) -> None:
        """The formulas with a name that a formula needs, each after those it needs itself."""
        for name in _thrown_names(formula):
            if name in self.names.let and name not in order and self.is_thrown_name(name):
                self._collect(self.names.let[name], order)
                order[name] = self.names.let[name]

    def _plan(self, targets: Mapping[Formula, str]) -> _Plan:
        """The blocks of some formulas: a new one wherever throws come in, or more names to vary with."""
        order: dict[str, Formula] = {}
        for formula, name in targets.items():
            self._collect(formula, order)
            if name not in self.names.thrown:
                order.setdefault(name, formula)
        varying: dict[str, None] = {}
        known: dict[str, None] = {}
        plan = _Plan([], [], ())
        for name, formula in [*order.items(), *((name, formula) for formula, name in targets.items())]:
            new = [used for used in dict.fromkeys(_thrown_names(formula)) if used in self.names.thrown]
            throws = [(throw, self._bound(throw)) for throw in new if throw not in known]
            before = len(varying)
            varying.update(dict.fromkeys(self._varying([formula, *(self.names.thrown[throw] for throw, _ in throws)])))
            known.update(dict.fromkeys(throw for throw, _ in throws))
            if not plan.blocks or throws or len(varying) > before:
                plan.blocks.append(_Block(throws, [], len(varying), {}))
            if name not in known:
                known[name] = None
                plan.blocks[-1].fills.append((name, self._fill(formula)))
        there: list[Sequence[str]] = []
        for block in plan.blocks:
            block_names = [name for name, _ in (*block.throws, *block.fills)]
            there.append([*(there[-1] if there else ()), *block_names])
        needed = set(targets.values())
        for block, names in zip(reversed(plan.blocks), reversed(there), strict=True):
            plan.kept.insert(0, [name for name in names if name in needed])
            needed.update(used for name, _ in block.fills for used in _thrown_names(order[name]))
        return plan._replace(varying=tuple(varying))

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

    def _outcomes_after(
        self, plan: _Plan, number: int, key: tuple[object, ...], scope: Scope
    ) -> tuple[_JointOutcomes, Mapping[int, Span]]:
        """All outcomes after a block, and where everything stands that they rest on; kept for the same numbers."""
        if number < 0:
            return _JointOutcomes({}, (1,)), {}
        block = plan.blocks[number]
        used = key[: block.names]
        if used not in block.known:
            joint, sources = self._outcomes_after(plan, number - 1, key, scope)
            first = Scope(scope.named, scope.across, sources_by_id={**sources})
            joint = self._after(block, joint, first)
            merge = number + 1 == len(plan.blocks) or bool(plan.blocks[number + 1].throws)
            block.known[used] = _only(joint, plan.kept[number], merge), first.sources_by_id
        return block.known[used]

    def _after(self, block: _Block, joint: _JointOutcomes, scope: Scope) -> _JointOutcomes:
        for name, roll in block.throws:
            joint = self._thrown_in(joint, name, roll(scope))
        self.work += len(joint.weights) * len(block.fills)
        if self.work > MAX_WORK:
            raise ResolverError(f"these throws are followed over more than {MAX_WORK:,} outcomes")
        columns = {**joint.columns}
        for name, fill in block.fills:
            columns[name] = _column(fill(_JointOutcomes(columns, joint.weights), scope), len(joint.weights))
        return _JointOutcomes(columns, joint.weights)

    def _thrown_in(self, joint: _JointOutcomes, name: str, rolled: Roll) -> _JointOutcomes:
        """The same outcomes with each outcome of one throw more."""
        count = len(rolled.outcomes)
        if not joint.columns and len(joint.weights) == 1:
            return _JointOutcomes({name: rolled.outcomes}, [joint.weights[0] * weight for weight in rolled.weights])
        if len(joint.weights) * count > MAX_OUTCOMES:
            message = f'with "{name}" these throws have {len(joint.weights) * count:,} outcomes together'
            raise ResolverError(
                f"{message}; refgen follows at most {MAX_OUTCOMES:,}", hint="Throw fewer or smaller dice."
            )
        columns = {name: [value for value in column for _ in range(count)] for name, column in joint.columns.items()}
        columns[name] = [*rolled.outcomes] * len(joint.weights)
        return _JointOutcomes(columns, [weight * more for weight in joint.weights for more in rolled.weights])

    def _fill(self, formula: Formula) -> _Fill:
        if not self.is_thrown(formula):
            number = self._other(formula)
            return lambda _outcomes_after, scope: number(scope)
        match formula:
            case Reference(name=name):
                return lambda joint, _scope: list(joint.columns[name])
            case Sum(terms=terms):
                return _total([(sign, self._fill(term)) for sign, term in terms])
            case Comparison():
                return _pairwise(COMPARISONS[formula.sign], self._fill(formula.left), self._fill(formula.right))
            case Call(name="if") | Binary(sign="and" | "or"):
                return self._choice(*_as_choice(formula))
            case Call(name="max" | "min" as name):
                return _folded(max if name == "max" else min, [self._fill(part) for part in formula.arguments])
        return self._one_by_one(formula)

    def _choice(self, test: Formula, then: Formula, otherwise: Formula) -> _Fill:
        """The outcomes for which a test holds, and the others, each by its own formula."""
        ask = self._fill(test)
        parts = [(set(_thrown_names(part)), self._fill(part)) for part in (otherwise, then)]

        def fill(joint: _JointOutcomes, scope: Scope) -> _Column | Rational:
            tested = ask(joint, scope)
            if not isinstance(tested, list):
                return parts[bool(tested)][1](joint, scope)
            with suppress(ResolverError):  # what goes wrong may do so where it is not asked for
                no, yes = (_column(part(joint, scope), len(tested)) for _, part in parts)
                return [one if held else other for held, one, other in zip(tested, yes, no, strict=True)]
            filled: _Column = [0] * len(tested)
            for number, (names, part) in enumerate(parts):
                places = [place for place, held in enumerate(tested) if bool(held) is bool(number)]
                if len(places) == len(tested):
                    return part(joint, scope)
                if places:
                    found = part(_at(joint, places, names), scope)
                    for place, value in zip(places, _column(found, len(places)), strict=True):
                        filled[place] = value
            return filled

        return fill

    def _one_by_one(self, formula: Formula) -> _Fill:
        """A function, or a product, of columns: worked out once for each combination of their numbers."""
        parts = parts_of(formula)
        thrown = {part: name for part, name in zip(parts, _ARGUMENTS, strict=False) if self.is_thrown(part)}
        self._refuse_dice(part for part in parts if part not in thrown)
        fills = [self._fill(part) for part in thrown]
        if isinstance(formula, Call) and formula.name in FUNCTIONS and len(fills) == 1 == len(parts):
            return _mapped(FUNCTIONS[formula.name], fills[0])
        if isinstance(formula, Call) and list(thrown) == [parts[0]]:
            of_first = self.context.of_first(formula)
            if of_first is not None:
                return _of_first(of_first, fills[0])
        called = [Reference(thrown[part]) if part in thrown else part for part in parts]
        evaluate = self.context.naming(_ARGUMENTS).number(_with_parts(formula, called))
        names = list(thrown.values())

        def fill(joint: _JointOutcomes, scope: Scope) -> _Column | Rational:
            columns = [_column(fill(joint, scope), len(joint.weights)) for fill in fills]
            keys = list(zip(*columns, strict=True))
            known: dict[tuple[Rational, ...], Rational] = {}
            for key in dict.fromkeys(keys):
                numbers = {name: named_number(number) for name, number in zip(names, key, strict=True)}
                inner = Scope({**scope.named, **numbers}, scope.across, sources_by_id=scope.sources_by_id)
                known[key] = evaluate(inner)
            return [known[key] for key in keys]

        return fill


def kept_by(named: Named | None) -> object:
    """By what distributions are kept: a number, or the cell that has none."""
    return named if named is None or named.number is None else named.number


def bare(named: Named) -> Named:
    """The same number without its place: it may stand elsewhere in another row."""
    return named if named.number is None else Named(_NOWHERE, named.number, named.bound)


def _add_source(scope: Scope, name: str) -> None:
    named = scope.find(name)
    if named is not None:
        scope.add_source(named)


def named_number(number: Rational) -> Named:
    """A number that a name stands for, and that is printed nowhere."""
    return Named(_NOWHERE, whole(number))


_NOWHERE = Cell("")


def _zero(_scope: Scope) -> int:
    return 0


def _thrown_names(formula: Formula) -> Iterator[str]:
    """The names in a formula, but for those inside chance() and the like, which ask for throws of their own."""
    if isinstance(formula, Call) and formula.name in INTEGRATING:
        return
    if isinstance(formula, Reference):
        yield formula.name
    for part in parts_of(formula):
        yield from _thrown_names(part)


def _with_parts(formula: Formula, parts: Sequence[Formula]) -> Formula:
    if isinstance(formula, Binary):
        return Binary(formula.sign, parts[0], parts[1])
    if isinstance(formula, Call):
        return replace(formula, arguments=tuple(parts))
    if isinstance(formula, InRange):
        inner, *ends = parts
        low, high = (None if end is None else ends.pop(0) for end in (formula.low, formula.high))
        return InRange(inner, low, high, formula.printed)
    raise ResolverError("bound throws stand where only dice may", hint="Dice functions go into `with`.")


def _as_choice(formula: Call | Binary) -> tuple[Formula, ...]:
    """A test, and what holds with it and without it: the right side of "and" and "or" matters for some."""
    if isinstance(formula, Call):
        return formula.arguments
    right = Comparison("!=", formula.right, Constant(0))
    return (formula.left, right, Constant(0)) if formula.sign == "and" else (formula.left, Constant(1), right)


def _column(filled: _Column | Rational, count: int) -> _Column:
    return filled if isinstance(filled, list) else [filled] * count


def _at(joint: _JointOutcomes, places: Sequence[int], names: set[str]) -> _JointOutcomes:
    """Some of the outcomes, with the columns of some names."""
    columns = {name: [column[place] for place in places] for name, column in joint.columns.items() if name in names}
    return _JointOutcomes(columns, [joint.weights[place] for place in places])


def _only(joint: _JointOutcomes, names: Sequence[str], merge: bool) -> _JointOutcomes:
    """The outcomes by the columns of some names alone; where ``merge``, those that these cannot tell apart are one."""
    if not merge or not joint.columns:
        return _JointOutcomes({name: joint.columns[name] for name in names}, joint.weights)
    if not names:
        return _JointOutcomes({}, (sum(joint.weights),))
    found: dict[tuple[Rational, ...], int] = {}
    keys = zip(*[joint.columns[name] for name in names], strict=True)
    for key, weight in zip(keys, joint.weights, strict=True):
        found[key] = found.get(key, 0) + weight
    return _JointOutcomes(dict(zip(names, zip(*found, strict=True), strict=True)), list(found.values()))


_Pair = Callable[[Rational, Rational], Rational]


def _pairwise(combine: _Pair, left: _Fill, right: _Fill) -> _Fill:
    return lambda joint, scope: _combined(combine, left(joint, scope), right(joint, scope))


def _combined(combine: _Pair, left: _Column | Rational, right: _Column | Rational) -> _Column | Rational:
    if isinstance(left, list):
        if isinstance(right, list):
            return list(map(combine, left, right))
        return list(map(combine, left, repeat(right)))
    if isinstance(right, list):
        return list(map(combine, repeat(left), right))
    return combine(left, right)


def _total(terms: Sequence[tuple[int, _Fill]]) -> _Fill:
    (first_sign, first), *others = terms

    def fill(joint: _JointOutcomes, scope: Scope) -> _Column | Rational:
        total = first(joint, scope) if first_sign > 0 else _combined(operator.sub, 0, first(joint, scope))
        for sign, term in others:
            total = _combined(operator.add if sign > 0 else operator.sub, total, term(joint, scope))
        return total

    return fill


def _mapped(work_out: Callable[[Rational], Rational], part: _Fill) -> _Fill:
    return lambda joint, scope: list(map(work_out, _column(part(joint, scope), len(joint.weights))))


def _of_first(function: OfFirst, part: _Fill) -> _Fill:
    def fill(joint: _JointOutcomes, scope: Scope) -> _Column | Rational:
        values, work_out = _column(part(joint, scope), len(joint.weights)), function(scope)
        known = {value: work_out(whole(value)) for value in set(values)}
        return [known[value] for value in values]

    return fill


def _folded(combine: Callable[..., Rational], parts: Sequence[_Fill]) -> _Fill:
    def fill(joint: _JointOutcomes, scope: Scope) -> _Column | Rational:
        first, *others = [part(joint, scope) for part in parts]
        for other in others:
            first = _combined(combine, first, other)
        return first

    return fill
