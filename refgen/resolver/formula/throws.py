"""Throws that are bound to a name: a formula may mention a throw twice, and means the same throw.

In: formulas over throws, and a Scope for all other names. Out: the joint distribution of the formulas. A step
adds a throw or the value of a formula to each outcome so far; each throw is added where a formula first needs it. After
each step, outcomes that no later formula can tell apart are merged: two throws that only meet in their difference cost
their pairs once, and later formulas cost the differences.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from refgen.errors import ResolverError
from refgen.limits import limit_hint, limits
from refgen.notation.formula_tree import (
    DICE_FUNCTIONS,
    NAME_FUNCTIONS,
    Call,
    Constant,
    Formula,
    NamedPool,
    NameReference,
    RangeTest,
    Sum,
    parts_of,
    rebuild_formula,
)
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.formula.names import Names, thrown_names
from refgen.resolver.formula.scope import Evaluator, NamedValue, Scope, cache_key, named_number
from refgen.resolver.lookup import MemoDict
from refgen.span import Span

if TYPE_CHECKING:
    from refgen.resolver.formula.compiler import Compiler


@dataclass(frozen=True)
class JointDistribution:
    """The joint distribution of some formulas: a tuple of numbers for each outcome, and its weight."""

    values: Sequence[tuple[Rational, ...]]
    weights: Sequence[int]

    @cached_property
    def single(self) -> Distribution:
        """The distribution of the only formula."""
        return Distribution.of({value: weight for (value,), weight in zip(self.values, self.weights, strict=True)})


FindJoint = Callable[[Scope], JointDistribution]

_Found = TypeVar("_Found")

_States = dict[tuple[Rational, ...], int]
"""The numbers of all names that are still needed, and their weights."""


class _StepResult(NamedTuple):
    """The states after some steps, and their sources; ``number`` is unique among the results kept for a ruleset."""

    number: int
    states: _States
    sources: Mapping[int, Span]


_BEFORE_ALL_STEPS = _StepResult(0, {(): 1}, {})


@dataclass(frozen=True, slots=True)
class _Step:
    """A throw that comes in (``roll``), or a formula that is worked out for each state (``evaluate``).

    ``inputs`` are the names of numbers of the state that the formula needs, with their places; ``kept`` the places of
    all that is needed after the step. ``parameters`` are parts of the formula that are the same for all states, by
    name; ``keys`` find all other values of a scope on which the numbers depend. Equal steps of a ruleset have the same
    ``identity``.
    """

    name: str
    kept: Sequence[int]
    identity: int
    roll: Callable[[Scope], Distribution] | None = None
    evaluate: Evaluator | None = None
    inputs: Mapping[str, int] = field(default_factory=dict)
    parameters: Mapping[str, Evaluator] = field(default_factory=dict)
    keys: Sequence[Callable[[Scope], Hashable]] = ()


@dataclass
class Throws:
    """Distributions of formulas over the throws of one table, each worked out once for the same numbers."""

    compiler: Compiler
    _work: int = 0
    _known: dict[tuple[Formula, ...], FindJoint] = field(default_factory=dict)

    @property
    def _names(self) -> Names:
        return self.compiler.names

    def distribution(self, *formulas: Formula) -> FindJoint:
        """The joint distribution of some formulas, each of which mentions a throw."""
        if formulas not in self._known:
            self._known[formulas] = self._distribution(formulas)
        return self._known[formulas]

    def _distribution(self, formulas: Sequence[Formula]) -> FindJoint:
        """The joint distribution, kept by the numbers of rows and columns, wherever these numbers are printed."""
        steps = list(_steps(self.compiler, formulas))
        parts = [self._names.varying(formula) for formula in formulas]
        varying = dict.fromkeys(name for of_row, of_column in parts for name in (*of_row, *of_column))
        known: dict[tuple[object, ...], tuple[JointDistribution, Mapping[int, Span]]] = {}

        def find(scope: Scope) -> JointDistribution:
            key = scope.given(varying)
            found = known.get(key)
            if found is None:
                first = scope.bare(varying)
                states = self._states_after(steps, first)
                joint = JointDistribution(list(states), list(states.values()))
                found = known[key] = joint, first.sources_by_id
            if not scope.stated:
                scope.sources_by_id.update(found[1])
                for name in varying:
                    if (given := scope.find(name)) is not None:
                        scope.add_source(given)
            return found[0]

        return find

    def _states_after(self, steps: Sequence[_Step], scope: Scope) -> _States:
        """The states after all steps; those after each are kept for all tables of the ruleset that begin alike."""
        known: dict[Hashable, _StepResult] = self._names.ruleset.kept.setdefault("throws", {})
        done = _BEFORE_ALL_STEPS
        for step in steps:
            rolled = step.roll(scope) if step.roll else None
            named, parameters = _with_parameters(step, scope)
            key = (done.number, step.identity, rolled, parameters)
            if key not in known:
                inner = Scope(named, scope.across)
                new = _with_throw(step, done.states, rolled) if rolled else self._with_value(step, done.states, inner)
                known[key] = _StepResult(len(known) + 1, new, inner.sources_by_id)
            done = known[key]
            scope.sources_by_id.update(done.sources)
        return done.states

    def _with_value(self, step: _Step, states: _States, scope: Scope) -> _States:
        """The states with the value of a formula added to each. Raises ResolverError for too many states."""
        self._work += len(states)
        if self._work > (most := limits().throw_work):
            message = f"these throws are followed over more than {most:,} outcomes"
            raise ResolverError(message, hint=limit_hint("throw_work"))
        evaluate, names, places = cast("Evaluator", step.evaluate), list(step.inputs), list(step.inputs.values())
        named, known = cast("dict[str, NamedValue]", scope.named), dict[tuple[Rational, ...], Rational]()
        after: _States = {}
        for state, weight in states.items():
            inputs = tuple([state[place] for place in places])
            if inputs not in known:
                named.update(zip(names, map(_NUMBERS.__getitem__, inputs), strict=True))
                known[inputs] = evaluate(scope)
            values = (*state, known[inputs])
            kept = tuple([values[place] for place in step.kept])
            after[kept] = after.get(kept, 0) + weight
        return after


_NUMBERS: Mapping[Rational, NamedValue] = MemoDict(named_number)


def _with_throw(step: _Step, states: _States, rolled: Distribution) -> _States:
    """The states with each outcome of a throw added. Raises ResolverError for too many states."""
    if rolled.is_open:
        hint = "Bind dice with a highest and a lowest result, such as 4dF."
        raise ResolverError(f'the throw "{step.name}" has no last outcome', hint=hint)
    count = len(states) * len(rolled.outcomes)
    if count > (most := limits().throw_outcomes):
        message = f'with "{step.name}" these throws have {count:,} outcomes together; refgen follows at most {most:,}'
        raise ResolverError(message, hint=f"Throw fewer or smaller dice. {limit_hint('throw_outcomes')}")
    after: _States = {}
    for state, weight in states.items():
        for outcome, more in rolled.items():
            values = (*state, outcome)
            kept = tuple([values[place] for place in step.kept])
            after[kept] = after.get(kept, 0) + weight * more
    return after


class _StepNames(dict[str, NamedValue]):
    """The names of a step; a parameter that could not be worked out raises its error when it is read."""

    errors: dict[str, ResolverError]

    def __missing__(self, name: str) -> NamedValue:
        raise self.errors[name].with_traceback(None)


def _with_parameters(step: _Step, scope: Scope) -> tuple[_StepNames, Hashable]:
    """The names of a scope with the parameters of a step, and the key of results that rest on the step's parameters."""
    named = _StepNames(scope.named)
    found = {name: _number_or_error(find, scope) for name, find in step.parameters.items()}
    named.update(
        {name: named_number(number) for name, number in found.items() if not isinstance(number, ResolverError)}
    )
    named.errors = {name: error for name, error in found.items() if isinstance(error, ResolverError)}
    key = [*found.values(), *(_number_or_error(find, scope) for find in step.keys)]
    return named, tuple([one.message if isinstance(one, ResolverError) else one for one in key])


def _number_or_error(find: Callable[[Scope], _Found], scope: Scope) -> _Found | ResolverError:
    """A number, or the error of a number that perhaps no state asks for."""
    try:
        return find(scope)
    except ResolverError as error:
        return error


def _steps(compiler: Compiler, targets: Sequence[Formula]) -> Iterator[_Step]:
    """The steps that work formulas out together: throws, then formulas in ``let``, then the target formulas."""
    names = compiler.names
    order = _in_dependency_order(names, targets)
    parts = {name: _Rewriter(compiler).of(formula) for name, formula in order.items() if name not in names.thrown}
    used = {name: set(thrown_names(formula)) & order.keys() for name, formula in order.items() if name in parts}
    inner = _compiler_of_steps(compiler, order, parts.values())
    ends, live, waiting = [_name_of(target, number) for number, target in enumerate(targets)], list[str](), list(order)
    for name in order:
        waiting.remove(name)
        needed = {*ends, *(other for later in waiting for other in used.get(later, ()))}
        values = [*live, name]
        after = [value for value in values if value in needed] if waiting else ends
        kept = tuple([values.index(value) for value in after])
        if name in names.thrown:
            yield _Step(name, kept, _step_identity(names, name, kept), _roll_of(compiler, name))
        else:
            rewritten, parameters, keys = parts[name]
            inputs = {other: live.index(other) for other in sorted(used[name])}
            identity = _step_identity(names, rewritten, tuple(inputs.items()), kept)
            yield _Step(name, kept, identity, None, inner.number(rewritten), inputs, parameters, keys)
        live = after


def _step_identity(names: Names, *what: Hashable) -> int:
    """A number for what a step does, the same in all tables of a ruleset."""
    known: dict[Hashable, int] = names.ruleset.kept.setdefault("steps", {})
    return known.setdefault(what, len(known))


def _name_of(formula: Formula, number: int) -> str:
    """The name of a target: the name that the formula consists of, or a number of its own."""
    return formula.name if isinstance(formula, NameReference) else f"={number}"


def _in_dependency_order(names: Names, targets: Sequence[Formula]) -> Mapping[str, Formula]:
    """All throws and formulas over throws by name, each after the names that it needs."""
    order: dict[str, Formula] = {}

    def add(name: str, formula: Formula) -> None:
        for other in thrown_names(formula):
            if other not in order and names.is_thrown_name(other):
                add(other, names.let[other]) if other in names.let else order.setdefault(other, names.thrown[other])
        order.setdefault(name, formula)

    for number, target in enumerate(targets):
        add(_name_of(target, number), target)
    return order


def _compiler_of_steps(
    compiler: Compiler, order: Mapping[str, Formula], parts: Iterable[_RewrittenFormula]
) -> Compiler:
    """A compiler to which throws, formulas over throws, and parameters are numbers with names."""
    names = compiler.names
    numbers = [*order, *(name for _, parameters, _ in parts for name in parameters)]
    let = {name: formula for name, formula in names.let.items() if name not in order}
    named = {**names.named, **dict.fromkeys(numbers, False)}
    return replace(compiler, names=replace(names, named=named, let=let, thrown={}))


def _roll_of(compiler: Compiler, name: str) -> Callable[[Scope], Distribution]:
    formula = compiler.names.thrown[name]
    if compiler.names.is_thrown(formula):
        raise ResolverError(f'the throw "{name}" names another throw', hint="Name what follows from them in `let`.")
    return compiler.roll(formula)


_RewrittenFormula = tuple[Formula, Mapping[str, Evaluator], Sequence[Callable[[Scope], Hashable]]]
"""A rewritten formula, its parameters by name, and finders of all other values on which its numbers depend."""


def _takes_dice(formula: NamedPool | Call) -> bool:
    return isinstance(formula, NamedPool) or (formula.name in DICE_FUNCTIONS and formula.name not in ("max", "min"))


@dataclass
class _Rewriter:
    """Rewrites a formula over throws: a part that is the same for all outcomes of the throws becomes a parameter."""

    compiler: Compiler
    _parameters: dict[str, Evaluator] = field(default_factory=dict)
    _keys: list[Callable[[Scope], Hashable]] = field(default_factory=list)

    def of(self, formula: Formula) -> _RewrittenFormula:
        """The formula with parameters, and these."""
        return self._rewrite(formula), self._parameters, self._keys

    def _rewrite(self, formula: Formula) -> Formula:
        is_thrown = self.compiler.names.is_thrown
        if isinstance(formula, Constant | NameReference) and (isinstance(formula, Constant) or is_thrown(formula)):
            return formula
        if not is_thrown(formula):
            return self._parameter(formula)
        match formula:
            case Sum(terms=terms):
                numbers = tuple([term for term in terms if not is_thrown(term[1])])
                added = ((1, self._parameter(Sum(numbers))),) if numbers else ()
                return Sum((*added, *[(sign, self._rewrite(term)) for sign, term in terms if is_thrown(term)]))
            case NamedPool() | Call() if _takes_dice(formula):
                raise ResolverError("bound throws stand where only dice may", hint="Dice functions go into `throws`.")
            case RangeTest() | Call():
                named = isinstance(formula, RangeTest) or formula.name in NAME_FUNCTIONS
                parts = [self._cell(part) if named else self._rewrite(part) for part in parts_of(formula)]
                return rebuild_formula(formula, parts)
        return rebuild_formula(formula, [self._rewrite(part) for part in parts_of(formula)])

    def _cell(self, formula: Formula) -> Formula:
        """A part of what goes by cells: a name stays a name, and results go by the cell for which it stands."""
        names = self.compiler.names
        if not isinstance(formula, NameReference) or names.is_thrown(formula):
            return self._rewrite(formula)
        name = formula.name
        if name in names.let:
            self._keys.append(self.compiler.number(formula))
        elif name in names.named or name in names.across:
            self._keys.append(lambda scope: cache_key(scope.find(name)))
        return formula

    def _parameter(self, formula: Formula) -> Formula:
        if self.compiler.is_rolled(formula):
            raise ResolverError("dice without a name stand beside bound throws", hint="Bind them in `throws` too.")
        name = f"#{len(self._parameters)}"
        self._parameters[name] = self.compiler.number(formula)
        return NameReference(name)
