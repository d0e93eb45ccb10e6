"""Throws that are bound to a name: a formula may mention one twice, and means the same throw.

In: formulas over bound throws, and a Scope for all other names. Out: every outcome of the formulas together, with its
weight; and what is asked of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from refgen.notation.tree import Comparison, Formula, Reference, Sum
from refgen.resolver.dice.arithmetic import COMPARISONS, Rational, whole
from refgen.resolver.formula.columns import Columns
from refgen.resolver.formula.fills import Context
from refgen.resolver.formula.plan import Kept, Sources, Work, plan_of
from refgen.resolver.formula.scope import Evaluate, Named, Names, Scope


class Outcomes(NamedTuple):
    """What some formulas come to together: a tuple of numbers for each outcome, its weight, and their sum."""

    values: Sequence[tuple[Rational, ...]]
    weights: Sequence[int]
    total: int


FindColumns = Callable[[Scope], Columns]

Distribution = Callable[[Scope], Outcomes]


@dataclass
class Joint:
    """Distributions of formulas over bound throws, each worked out once for the same numbers."""

    context: Context
    work: Work = field(default_factory=Work)
    _known: dict[tuple[Formula, ...], Distribution] = field(default_factory=dict)

    @property
    def names(self) -> Names:
        """The names that formulas may use."""
        return self.context.names

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
        find = self._columns({name: formula for formula, name in names.items()})
        known: dict[Columns, Outcomes] = {}

        def outcomes(scope: Scope) -> Outcomes:
            columns = find(scope)
            if columns not in known:
                values = list(zip(*[columns.numbers[names[formula]] for formula in formulas], strict=True)) or [()]
                known[columns] = Outcomes(values, columns.weights, sum(columns.weights))
            return known[columns]

        return outcomes

    def _columns(self, targets: Mapping[str, Formula]) -> FindColumns:
        """The outcomes of some formulas, each with the name of its column; once for the same numbers."""
        kept: Kept = self.names.ruleset.kept.setdefault("stages", {})
        find_new = plan_of(self.context, targets, self.work, kept).outcomes
        parts = [self.names.varying(formula) for formula in targets.values()]
        varying = dict.fromkeys(name for of_row, of_column in parts for name in (*of_row, *of_column))
        is_of_row = not self.names.varied and not any(of_column for _, of_column in parts)
        known: dict[tuple[object, ...], tuple[Columns, Sources]] = {}
        row: tuple[Mapping[str, Named], tuple[Columns, Sources]] | None = None

        def find(scope: Scope) -> Columns:
            nonlocal row
            if row is not None and row[0] is scope.named:
                found = row[1]
            else:
                key = scope.given(varying)
                if key not in known:
                    known[key] = find_new(scope.bare(varying))
                found = known[key]
                row = (scope.named, found) if is_of_row else None
            if not scope.stated:
                scope.sources_by_id.update(found[1])
                for part in (scope.named, scope.across):
                    for name, named in part.items():
                        if name in varying:
                            scope.add_source(named)
            return found[0]

        return find


def _name_of(formula: Formula, number: int) -> str:
    """What the column of a formula is called: a name that it is itself, or one of its own."""
    return formula.name if isinstance(formula, Reference) else f"={number}"
