"""Formulas over bound throws, worked out together: throw after throw, and what follows from it.

In: formulas, and the names that they may use. Out: a Plan, which gives all outcomes for the names of a Scope. A throw
comes in where it is first mentioned; where a formula needs what may be something else in another cell, a new stage
begins, which goes by that as well, and outcomes that no later formula can tell apart are put together. So two throws
that only meet in their difference cost their pairs once, and what follows costs the differences.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from refgen.errors import ResolverError
from refgen.notation.tree import Formula
from refgen.resolver.formula.columns import START, Column, Columns
from refgen.resolver.formula.fills import Context, Fill, Fills, Outcomes, Parameter, parameter_in
from refgen.resolver.formula.scope import Names, Scope, thrown_names
from refgen.span import Span

Sources = Mapping[int, Span]

MAX_WORK = 2_000_000
"""So many outcomes the plans of one table may work out."""


_Known = dict[tuple[Hashable, ...], tuple[Columns, Sources]]


Kept = dict[Hashable, _Known]
"""The outcomes after the stages of all plans of a ruleset, by all that these do from the start on."""


@dataclass
class Work:
    """How many outcomes the plans of one table have worked out together."""

    done: int = 0

    def more(self, outcomes: int) -> None:
        """Raises ResolverError for too many."""
        self.done += outcomes
        if self.done > MAX_WORK:
            raise ResolverError(f"these throws are followed over more than {MAX_WORK:,} outcomes")


@dataclass
class _Stage:
    """The throws that come in (by the places of their parameters), and the formulas that are worked out after them.

    ``named`` is by how many of the parameters with names the stage goes, ``kept`` are the columns still needed after
    it. ``known`` has the outcomes after it, and their sources.
    """

    throws: Mapping[str, int]
    fills: dict[str, Fill] = field(default_factory=dict)
    named: int = 0
    kept: Sequence[str] = ()
    known: _Known = field(default_factory=dict)


@dataclass
class Plan:
    """How some formulas are worked out together."""

    stages: Sequence[_Stage]
    parameters: Sequence[Parameter]
    work: Work

    def outcomes(self, scope: Scope) -> tuple[Columns, Sources]:
        """All outcomes, and where everything stands that they rest on but for cells of rows and columns."""
        fixed, sources = self._fixed
        first, found = Scope(scope.named, scope.across, sources_by_id={**sources}), [*fixed]
        for place, parameter in self._varying:
            found[place] = _found(parameter, first)
        key = tuple([found[place] for place in self._named])
        columns, more = self._after(len(self.stages) - 1, key, found, scope)
        first.sources_by_id.update(more)
        return columns, first.sources_by_id

    @cached_property
    def _varying(self) -> Sequence[tuple[int, Parameter]]:
        return [(place, parameter) for place, parameter in enumerate(self.parameters) if parameter.varies]

    @cached_property
    def _named(self) -> Sequence[int]:
        return [place for place, parameter in enumerate(self.parameters) if parameter.named]

    @cached_property
    def _fixed(self) -> tuple[Sequence[Hashable], Sources]:
        """The parameters that are the same in all cells (None for the others), and their sources."""
        scope = Scope({})
        return [
            None if parameter.varies else _found(parameter, scope) for parameter in self.parameters
        ], scope.sources_by_id

    def _after(
        self, number: int, key: tuple[Hashable, ...], found: Sequence[Any], scope: Scope
    ) -> tuple[Columns, Sources]:
        """All outcomes after a stage; kept for the same parameters."""
        if number < 0:
            return START, {}
        stage = self.stages[number]
        used = key[: stage.named]
        known = stage.known.get(used)
        if known is None:
            columns, sources = self._after(number - 1, key, found, scope)
            first = Scope(scope.named, scope.across, sources_by_id={**sources})
            known = stage.known[used] = self._filled(stage, columns, found, first), first.sources_by_id
        return known

    def _filled(self, stage: _Stage, columns: Columns, found: Sequence[Any], scope: Scope) -> Columns:
        for name, place in stage.throws.items():
            columns = columns.with_throw(name, parameter_in(found, place))
        count = len(columns.weights)
        self.work.more(count * len(stage.fills))
        numbers: dict[str, Column] = {**columns.numbers}
        outcomes = Outcomes(numbers, count, found, scope)
        for name, fill in stage.fills.items():
            filled = fill(outcomes)
            numbers[name] = filled if isinstance(filled, list | tuple) else [filled] * count
        return Columns(numbers, columns.weights).merged(stage.kept, last=stage is self.stages[-1])


def _found(parameter: Parameter, scope: Scope) -> Hashable:
    """A parameter, or what goes wrong with it: that may be so where it is not asked for."""
    try:
        return parameter.find(scope)
    except ResolverError as error:
        return error


def plan_of(context: Context, targets: Mapping[str, Formula], work: Work, kept: Kept) -> Plan:
    """How some formulas are worked out together, each with the name of its column."""
    names = context.names
    order: dict[str, Formula] = {}
    for name, formula in targets.items():
        _collect(names, formula, order)
        order.setdefault(name, formula)
    fills = Fills(context)
    there: dict[str, None] = {}
    stages: list[_Stage] = []
    for name, formula in order.items():
        before = fills.named
        new = [throw for throw in dict.fromkeys(thrown_names(formula)) if throw in names.thrown and throw not in there]
        throws = {throw: fills.throw(throw) for throw in new}
        there.update(dict.fromkeys(throws))
        fresh = {} if name in there else {name: fills.of(formula)}
        if throws or (fresh and (not stages or fills.named > before)):
            stages.append(_Stage(throws))
        there.update(dict.fromkeys(fresh))
        if stages:
            stages[-1].fills.update(fresh)
            stages[-1].named, stages[-1].kept = fills.named, list(there)
    needed = set(targets)
    for stage in reversed(stages):
        stage.kept = [name for name in stage.kept if name in needed]
        needed.update(used for name in stage.fills for used in thrown_names(order[name]))
    done: Hashable = ()
    for stage in stages:
        thrown = tuple([(name, names.thrown[name]) for name in stage.throws])
        filled = tuple([(name, order[name]) for name in stage.fills])
        done = (done, thrown, filled, tuple(stage.kept), stage is stages[-1])
        stage.known = kept.setdefault(done, {})
    return Plan(stages, fills.parameters, work)


def _collect(names: Names, formula: Formula, order: dict[str, Formula]) -> None:
    """The formulas with a name that a formula needs, each after those it needs itself."""
    for name in thrown_names(formula):
        if name in names.let and name not in order and names.is_thrown_name(name):
            _collect(names, names.let[name], order)
            order[name] = names.let[name]
