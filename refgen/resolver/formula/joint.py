"""Throws that are bound to a name: a formula may mention one twice, and means the same throw.

In: formulas over bound throws, and a Scope for all other names. Out: every outcome of the formulas together, with its
weight; and what is asked of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from refgen.errors import ResolverError
from refgen.notation.tree import Comparison, Formula, Reference, Sum, names_in
from refgen.resolver.dice.arithmetic import COMPARISONS, Rational, whole
from refgen.resolver.formula.columns import Columns
from refgen.resolver.formula.fills import Context, Parameter, thrown_names
from refgen.resolver.formula.plan import Sources, Work, plan_of
from refgen.resolver.formula.scope import Evaluate, Names, Scope, named_number


class Outcomes(NamedTuple):
    """What some formulas come to together: a tuple of numbers for each outcome, its weight, and their sum."""

    values: Sequence[tuple[Rational, ...]]
    weights: Sequence[int]
    total: int


_FindNew = Callable[[Scope], tuple[Columns, Sources]]

FindColumns = Callable[[Scope], Columns]

Distribution = Callable[[Scope], Outcomes]


class _Base(NamedTuple):
    """Distributions that several entries share, and what an entry says in place of some of their numbers."""

    joint: Joint
    numbers: Mapping[str, Evaluate]


@dataclass
class Joint:
    """Distributions of formulas over bound throws, each worked out once for the same numbers.

    ``shared`` has those of formulas that several tables share.
    """

    context: Context
    shared: Joint | None = None
    work: Work = field(default_factory=Work)
    _known: dict[tuple[Formula, ...], Distribution] = field(default_factory=dict)
    _columns: dict[tuple[tuple[str, Formula], ...], FindColumns] = field(default_factory=dict)

    @property
    def names(self) -> Names:
        """The names that formulas may use."""
        return self.context.names

    @cached_property
    def formulas(self) -> Mapping[str, Formula]:
        """All formulas and throws with a name."""
        return {**self.names.let, **self.names.thrown}

    @cached_property
    def free(self) -> set[str]:
        """The names in them that stand for none of them: facts."""
        return {name for formula in self.formulas.values() for name in names_in(formula)} - self.formulas.keys()

    def chance(self, condition: Formula) -> Evaluate:
        """The chance that a condition comes true: of a comparison, the same outcomes answer for all numbers."""
        number: Evaluate = lambda _scope: 0  # noqa: E731
        if isinstance(condition, Comparison) and not self.names.is_thrown(condition.right):
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
        find = self.moments(formula)
        return lambda scope: whole(find(scope)[0])

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
        """What some formulas come to together; each of them mentions a bound throw."""
        if formulas not in self._known:
            self._known[formulas] = self._distribution(formulas)
        return self._known[formulas]

    def _distribution(self, formulas: Sequence[Formula]) -> Distribution:
        names = {formula: _name_of(formula, number) for number, formula in enumerate(formulas)}
        find = self.columns({name: formula for formula, name in names.items()})
        known: dict[Columns, Outcomes] = {}

        def outcomes(scope: Scope) -> Outcomes:
            columns = find(scope)
            if columns not in known:
                values = list(zip(*[columns.numbers[names[formula]] for formula in formulas], strict=True)) or [()]
                known[columns] = Outcomes(values, columns.weights, sum(columns.weights))
            return known[columns]

        return outcomes

    def columns(self, targets: Mapping[str, Formula]) -> FindColumns:
        """The outcomes of some formulas, each with the name of its column."""
        key = tuple(targets.items())
        if key not in self._columns:
            self._columns[key] = self._kept(targets)
        return self._columns[key]

    def _kept(self, targets: Mapping[str, Formula]) -> FindColumns:
        """The outcomes that a plan gives, kept for the same numbers of rows and columns."""
        find_new = self._plan(targets)
        varying = dict.fromkeys(
            name for formula in targets.values() for part in self.names.varying(formula) for name in part
        )
        known: dict[tuple[object, ...], tuple[Columns, Sources]] = {}

        def find(scope: Scope) -> Columns:
            key = scope.given(varying)
            found = known.get(key)
            if found is None:
                found = known[key] = self._found(targets, find_new, scope.bare(varying))
            if not scope.stated:
                scope.sources_by_id.update(found[1])
                for part in (scope.named, scope.across):
                    for name, named in part.items():
                        if name in varying:
                            scope.add_source(named)
            return found[0]

        return find

    def _found(self, targets: Mapping[str, Formula], find: _FindNew, scope: Scope) -> tuple[Columns, Sources]:
        """The outcomes; without what others share where a number in its place goes wrong, that may not be asked for."""
        try:
            return find(scope)
        except ResolverError:
            if self._base is None:
                raise
        return plan_of(self.context, targets, self.work, (), None).outcomes(scope)

    def _plan(self, targets: Mapping[str, Formula]) -> _FindNew:
        """How the outcomes are found: from those that others share, where these know some of it."""
        base = self._base
        needed = dict.fromkeys(self._of_base(targets.values())) if base else {}
        if base is None or not needed:
            return plan_of(self.context, targets, self.work, (), None).outcomes
        find = base.joint.columns({name: Reference(name) for name in needed})
        varying = {name for own in needed for part in base.joint.names.varying(Reference(own)) for name in part}
        numbers = {name: number for name, number in base.numbers.items() if name in varying}

        def start(scope: Scope) -> Columns:
            own = {name: named_number(number(scope)) for name, number in numbers.items()}
            return find(Scope({**scope.named, **own}, scope.across, sources_by_id=scope.sources_by_id))

        if needed.keys() == targets.keys():
            return lambda scope: (start(scope), scope.sources_by_id)
        return plan_of(self.context, targets, self.work, needed, Parameter(start, True)).outcomes

    def _of_base(self, formulas: Iterable[Formula]) -> Iterator[str]:
        """The names in some formulas whose distributions others share."""
        for name in (name for formula in formulas for name in thrown_names(formula)):
            if self._base and self._base.joint.names.is_thrown_name(name):
                yield name
            elif name in self.names.let:
                yield from self._of_base([self.names.let[name]])

    @cached_property
    def _base(self) -> _Base | None:
        """What is shared, where the names of this entry change no throw of it, but numbers alone."""
        if self.shared is None:
            return None
        own, shared, theirs = self.names, self.shared.names, self.shared.formulas
        given = {*own.named, *own.across}
        other = {
            name: part
            for name, part in self.formulas.items()
            if (known := theirs.get(name, part)) is not part and known != part
        }
        if any(map(shared.is_thrown_name, (*given, *other))):
            return None
        if not self.shared.free.isdisjoint({*given, *self.formulas}):
            return None
        if any(own.is_thrown(part) or self.context.is_rolled(part) for part in other.values()):
            return None
        return _Base(self.shared, {name: self.context.number(Reference(name)) for name in other})


def _name_of(formula: Formula, number: int) -> str:
    """What the column of a formula is called: a name that it is itself, or one of its own."""
    return formula.name if isinstance(formula, Reference) else f"={number}"
