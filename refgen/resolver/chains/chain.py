"""Chains of system.toml, and the functions of formulas that ask them: steps, within, after, finally.

In: an entry of ``[chains.*]``, and the names that a table gives. Out: a ChainRun for each combination of their numbers,
which holds the Markov chain; and the functions that ask the chain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, cast

from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import Call, Formula
from refgen.resolver.chains.moves import ChainSpec, ChainsSpec, Change, Moves, Outcomes, whole_state
from refgen.resolver.chains.track import Marks, Track
from refgen.resolver.chains.tracks import AllTracks, TrackOf
from refgen.resolver.dice.arithmetic import Rational, simplify
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.functions import NAMED_FUNCTIONS, FunctionBuilder
from refgen.resolver.formula.names import Names, bindings
from refgen.resolver.formula.scope import Evaluator, NamedValue, Scope, named_number
from refgen.resolver.lookup import MemoDict, find_named
from refgen.rules.model import Attempts, Ruleset, RuleTable
from refgen.span import Span

if TYPE_CHECKING:
    from refgen.resolver.chains.markov import Chain
    from refgen.resolver.chains.states import StateMoves

MARK_NAMES = ("worst", "marked", "free", "out")
"""The questions that formulas may ask any track: "{track.worst}" is the place of the worst box that is marked."""


class EndlessError(ResolverError):
    """A question without an answer, because the chain may never end."""


ChainState = tuple[int | Marks, ...]
"""The numbers of a state, and then the marks of each track."""

StateNumbers = tuple[int, ...]
"""The numbers for which some names of a state stand."""


@dataclass(eq=False)
class ChainRun:
    """A chain for one row: what the row gives, the track in each place of a state (None: a number), and the sources."""

    row: Mapping[str, NamedValue]
    tracks: Sequence[Track | None]
    sources: dict[int, Span]
    chain: Chain[ChainState] = field(init=False)


@dataclass(eq=False)
class ChainModel:
    """A chain ready to be asked by any table: rows and columns may give a number in place of each of its ``let``."""

    ruleset: Ruleset[ChainsSpec]
    spec: ChainSpec
    functions: Mapping[str, FunctionBuilder]
    all_tracks: AllTracks
    _runs: dict[tuple[object, ...], list[tuple[frozenset[str], ChainRun]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _numbers: Mapping[int, NamedValue] = field(default_factory=lambda: MemoDict(named_number))

    @cached_property
    def formulas(self) -> Compiler:
        """The formulas of a step: they may name the state, facts, and the chain's own formulas."""
        return self._formulas(self.own_names)

    @cached_property
    def _moves(self) -> Moves:
        return Moves(self.spec, self.formulas)

    def _formulas(self, named: Collection[str]) -> Compiler:
        bound = bindings(self.ruleset, self.spec, named)
        names = Names(self.ruleset, dict.fromkeys(named, False), bound.let, {}, bound.thrown, varied=True)
        return Compiler(names, self.functions)

    @cached_property
    def own_names(self) -> Mapping[str, tuple[int, str]]:
        """The names of the state: a number's place and "", or the place of a track and the question about its marks."""
        numbers = {name: (place, "") for place, name in enumerate(self.spec.state)}
        marks = {
            f"{track}.{name}": (place, name)
            for place, (track, whose) in enumerate(self.spec.tracks_of.items(), len(self.spec.state))
            for name in (*MARK_NAMES, *self.all_tracks[whose.of].spec.values)
        }
        return {**numbers, **marks}

    @cached_property
    def _start(self) -> tuple[Sequence[Evaluator], Sequence[TrackOf]]:
        """How the numbers of the state begin, and whose tracks there are."""
        formulas = self._formulas(())
        numbers = [formulas.number(parse_formula(text)) for text in self.spec.state.values()]
        tracks = [
            self.all_tracks.of(whose.of, formulas.number(parse_formula(whose.level)) if whose.level else None)
            for whose in self.spec.tracks_of.values()
        ]
        return numbers, tracks

    @cached_property
    def _end(self) -> Formula:
        return parse_formula(self.spec.end)

    @cached_property
    def _varying_names(self) -> Collection[str]:
        """The names for which a row may give another number, by which runs are kept."""
        tracks = [parse_formula(whose.level) for whose in self.spec.tracks_of.values() if whose.level]
        return self._used_names(*self._moves.targets, self._end, *tracks) - self.own_names.keys()

    def _used_names(self, *formulas: Formula) -> set[str]:
        return {name for part in formulas for name in self.formulas.names.varying(part)[0]}

    def names_of_state(self, *formulas: Formula) -> Sequence[str]:
        """The names of the state that some formulas mention."""
        used = self._used_names(*formulas)
        return [name for name in self.own_names if name in used]

    def run(self, scope: Scope, ends: Sequence[str]) -> ChainRun:
        """The chain for the names of a row and column; end states that differ in the names ``ends`` stay apart."""
        known, names = self._runs[scope.given(self._varying_names)], frozenset(ends)
        for others, run in known:
            if names <= others:
                return run
        known.append((names, self._new_run(scope, ends)))
        return known[-1][1]

    def _new_run(self, scope: Scope, ends: Sequence[str]) -> ChainRun:
        first = scope.bare(self._varying_names)
        first = Scope({**first.across, **first.named})
        tracks = [find(first) for find in self._start[1]]
        run = ChainRun(first.named, [*repeat(None, len(self.spec.state)), *tracks], first.sources_by_id)
        from refgen.resolver.chains.markov import Chain  # most games have no chain

        run.chain = Chain(self._moves_from(run), self._end_of(run, ends), self.spec.best)
        return run

    def _moves_from(self, run: ChainRun) -> Callable[[ChainState], StateMoves[ChainState]]:
        """The moves from a state; states that agree in all names that a step reads share their throws."""
        names = self.names_of_state(*self._moves.targets)
        read = self._reading(run, names)
        known = MemoDict[StateNumbers, Outcomes](lambda numbers: self._moves.outcomes(self._scope(run, names, numbers)))

        def moves(state: ChainState) -> StateMoves[ChainState]:
            after = MemoDict[Change, ChainState](lambda change: _change_state(state, change, run.tracks))
            return [(tuple([after[change] for change in changes]), weight) for changes, weight in known[read(state)]]

        return moves

    def _end_of(self, run: ChainRun, ends: Sequence[str]) -> Callable[[ChainState], Hashable | None]:
        """None for a state that goes on, or else the numbers that tell end states apart."""
        names, has_ended = self.names_of_state(self._end), self.formulas.number(self._end)
        read, tell_apart = self._reading(run, names), self._reading(run, ends)
        ended = MemoDict[StateNumbers, bool](lambda numbers: bool(has_ended(self._scope(run, names, numbers))))
        return lambda state: tell_apart(state) if ended[read(state)] else None

    def _reading(self, run: ChainRun, names: Sequence[str]) -> Callable[[ChainState], StateNumbers]:
        """How to read the numbers for which some names of the state stand."""
        places = [(*self.own_names[name], run.tracks[self.own_names[name][0]]) for name in names]
        return lambda state: tuple([_number(state[place], asked, track) for place, asked, track in places])

    def _scope(self, run: ChainRun, names: Sequence[str], numbers: StateNumbers, row: Scope | None = None) -> Scope:
        """The Scope of a state: the numbers of its names, and the names of a row (None: the row of the run)."""
        named = dict(zip(names, map(self._numbers.__getitem__, numbers), strict=True))
        if row is None:
            return Scope({**run.row, **named}, sources_by_id=run.sources)
        return Scope({**row.named, **named}, row.across, sources_by_id=run.sources)

    def start(self, run: ChainRun, scope: Scope) -> ChainState:
        """The state in which the chain begins."""
        first = Scope(scope.named, scope.across, sources_by_id=run.sources)
        numbers = [whole_state(evaluate(first)) for evaluate in self._start[0]]
        return (*numbers, *[track.unmarked for track in run.tracks if track is not None])

    def question(
        self, ask: Callable[[ChainRun, ChainState, Scope], Rational | None], of_end: Formula | None = None
    ) -> Evaluator:
        """A function that asks the chain, and perhaps a formula of its end states.

        Raises EndlessError where there is no answer.
        """
        ends = self.names_of_state(of_end) if of_end else []

        def evaluate(scope: Scope) -> Rational:
            run = self.run(scope, ends)
            found = ask(run, self.start(run, scope), scope)
            if not scope.stated:
                scope.sources_by_id.update(run.sources)
            if found is None:
                raise EndlessError(f'"{self.spec.title}" may never end', hint="Ask within(…), or after(…).")
            return simplify(found)

        return evaluate

    def values_of(
        self, formula: Formula, table: Names
    ) -> Callable[[ChainRun, Scope], Callable[[ChainState], Rational]]:
        """The value of a formula in each state; the formula may also name rows and columns of the table."""
        own, names = self.formulas.names, self.names_of_state(formula)
        both = replace(own, named={**table.named, **own.named}, across=table.across)
        evaluate = replace(self.formulas, names=both).number(formula)

        def values(run: ChainRun, scope: Scope) -> Callable[[ChainState], Rational]:
            read = self._reading(run, names)
            return lambda state: evaluate(self._scope(run, names, read(state), scope))

        return values

    def check(self, table: Names) -> None:
        """Refuse a table that gives a name of the state or of what is thrown. Raises ResolverError."""
        for name in (*table.named, *table.across):
            if name in self.own_names or self.formulas.names.is_thrown_name(name):
                hint = "Call the row or column otherwise."
                raise ResolverError(f'"{name}" is another number with each step of "{self.spec.title}"', hint=hint)


def _number(held: int | Marks, asked: str, track: Track | None) -> int:
    """A number of a state, or the answer to a question about the marks of a track."""
    return cast("int", held) if track is None else track.value(cast("Marks", held), asked)


def _change_state(state: ChainState, change: Change, tracks: Sequence[Track | None]) -> ChainState:
    """A state after a change."""
    after = list(state)
    for place, number in change:
        track = tracks[place]
        after[place] = number if track is None else track.marked(cast("Marks", state[place]), number)
    return tuple(after)


@dataclass(eq=False)
class ChainFunctions:
    """The functions of formulas that go through tracks and chains, for all tables of a ruleset.

    Chains and tracks are kept, because they rest on printed tables alone.
    """

    ruleset: Ruleset[ChainsSpec]
    _models: dict[str, ChainModel] = field(default_factory=dict)

    @cached_property
    def all(self) -> Mapping[str, FunctionBuilder]:
        """Every function of formulas."""
        return {
            **self._step_functions,
            "steps": self._steps,
            "within": self._compile_within,
            "after": self._compile_after,
            "finally": self._compile_finally,
        }

    @cached_property
    def _tracks(self) -> AllTracks:
        return AllTracks(self.ruleset)

    @cached_property
    def _step_functions(self) -> Mapping[str, FunctionBuilder]:
        """The functions that formulas of a chain may call: all but those that ask chains."""
        return {**NAMED_FUNCTIONS, "box": self._tracks.box}

    def _model(self, compiler: Compiler, chain_id: str) -> ChainModel:
        if chain_id not in self._models:
            spec = find_named(self.ruleset.spec.chains, chain_id, "chain")
            self._models[chain_id] = ChainModel(self.ruleset, spec, self._step_functions, self._tracks)
        self._models[chain_id].check(compiler.names)
        return self._models[chain_id]

    def _steps(self, compiler: Compiler, call: Call) -> Evaluator:
        return self._model(compiler, call.table).question(lambda run, start, _scope: run.chain.steps(start))

    def _compile_within(self, compiler: Compiler, call: Call) -> Evaluator:
        number = compiler.number(call.arguments[0])
        model = self._model(compiler, call.table)
        return model.question(lambda run, start, scope: run.chain.within(start, whole_state(number(scope))))

    def _compile_after(self, compiler: Compiler, call: Call) -> Evaluator:
        steps, formula = call.arguments
        number, model = compiler.number(steps), self._model(compiler, call.table)
        values = model.values_of(formula, compiler.names)
        return model.question(
            lambda run, start, scope: run.chain.after(start, whole_state(number(scope)), values(run, scope)), formula
        )

    def _compile_finally(self, compiler: Compiler, call: Call) -> Evaluator:
        (formula,) = call.arguments
        model = self._model(compiler, call.table)
        values = model.values_of(formula, compiler.names)
        return model.question(lambda run, start, scope: run.chain.at_end(start, values(run, scope)), formula)


def chain_functions(ruleset: Ruleset[ChainsSpec]) -> ChainFunctions:
    """The functions of a ruleset, which all tables of the ruleset share."""
    known = ruleset.kept.get("chains")
    if not isinstance(known, ChainFunctions):
        printed: Attempts[RuleTable] = Attempts([])
        for table_id in ruleset.spec.tables:
            printed.attempt(table_id, ruleset.tables.__getitem__, table_id)
        known = ruleset.kept["chains"] = ChainFunctions(replace(ruleset, tables=printed.settled))
    return known
