"""Chains of system.toml, and the functions of formulas that ask them: steps, within, after, finally.

In: an entry of ``[chains.*]``, and the names that a table gives. Out: a ChainRun for each combination of their numbers,
which knows the Markov chain; and the functions that ask the chain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, repeat
from typing import NamedTuple

from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import Call, Formula
from refgen.resolver.cells import Once
from refgen.resolver.chains.markov import Chain
from refgen.resolver.chains.moves import ChainSpec, ChainsSpec, Column, Moves, Options, whole_state
from refgen.resolver.chains.states import Step
from refgen.resolver.chains.track import Marks, MetMarks, Track
from refgen.resolver.chains.tracks import AllTracks, TrackOf
from refgen.resolver.dice.arithmetic import Rational, whole
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.functions import NAMED, Build
from refgen.resolver.formula.names import Names, bindings
from refgen.resolver.formula.scope import Evaluate, Named, Scope, kept_by, named_number
from refgen.resolver.lookup import named
from refgen.rules.model import Ruleset
from refgen.span import Span

OF_MARKS = ("worst", "marked", "free", "out")
"""What formulas may ask of any track: "{track.worst}" is the place of the worst box that is marked."""


class EndlessError(ResolverError):
    """There is no answer, for the chain may never end."""


State = tuple[int, ...]
"""The numbers of a state, and then for each track the number by which its marks are known."""

Read = tuple[tuple[int, ...], ...]
"""What some names stand for in a state, by the places in which they stand there."""


class StateNames(NamedTuple):
    """Names of the state that formulas go by, and the places where they stand; of a track also what is asked of it."""

    names: tuple[str, ...]
    places: tuple[tuple[int, tuple[str, ...]], ...]


NO_NAMES = StateNames((), ())


@dataclass(eq=False)
class ChainRun:
    """A chain for one row: what the row gives, the marks that stand in the places of its states, and the sources."""

    row: Mapping[str, Named]
    marks: Sequence[MetMarks | None]
    sources: dict[int, Span]
    chain: Chain[State] = field(init=False)

    def reading(self, asked: StateNames) -> Callable[[State], Read]:
        """How to read what some names stand for in a state."""
        alone: Mapping[int, tuple[int, ...]] = Once(lambda number: (number,))
        pairs = [
            (place, marks.asked(names) if (marks := self.marks[place]) else alone) for place, names in asked.places
        ]
        return lambda state: tuple([of[state[place]] for place, of in pairs])


@dataclass(eq=False)
class ChainModel:
    """A chain ready to be asked by any table: rows and columns may give a number in place of each of its ``let``."""

    ruleset: Ruleset[ChainsSpec]
    spec: ChainSpec
    functions: Mapping[str, Build]
    all_tracks: AllTracks
    _runs: dict[tuple[object, ...], list[tuple[frozenset[str], ChainRun]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _numbers: Mapping[int, Named] = field(default_factory=lambda: Once(named_number))
    _marks: dict[tuple[int, bool], MetMarks] = field(default_factory=dict)
    _ended: dict[tuple[object, ...], tuple[bool, Mapping[int, Span]]] = field(default_factory=dict)

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
        """The names of the state: its place and "", or the place of a track and what is asked of its marks."""
        numbers = {name: (place, "") for place, name in enumerate(self.spec.state)}
        marks = {
            f"{track}.{name}": (place, name)
            for place, (track, whose) in enumerate(self.spec.tracks_of.items(), len(self.spec.state))
            for name in (*OF_MARKS, *self.all_tracks[whose.of].spec.values)
        }
        return {**numbers, **marks}

    @cached_property
    def _start(self) -> tuple[Sequence[Evaluate], Sequence[TrackOf]]:
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
    def _varying(self) -> Collection[str]:
        """The names for which a row may give another number, by which runs are kept."""
        tracks = [parse_formula(whose.level) for whose in self.spec.tracks_of.values() if whose.level]
        return self._used(*self._moves.targets, self._end, *tracks) - self.own_names.keys()

    def _used(self, *formulas: Formula) -> set[str]:
        return {name for part in formulas for name in self.formulas.names.varying(part)[0]}

    def of_state(self, *formulas: Formula) -> StateNames:
        """The names of the state that some formulas go by."""
        used = self._used(*formulas)
        names = {name: known for name, known in self.own_names.items() if name in used}
        places = dict.fromkeys(place for place, _ in names.values())
        asked = [(at, tuple([name for place, name in names.values() if place == at])) for at in places]
        return StateNames(tuple(names), tuple(asked))

    @cached_property
    def _of_targets(self) -> StateNames:
        return self.of_state(*self._moves.targets)

    @cached_property
    def _of_end(self) -> StateNames:
        return self.of_state(self._end)

    def run(self, scope: Scope, apart: StateNames) -> ChainRun:
        """The chain as the names of a row and column have it now; its ends are told apart by some names at least."""
        known = self._runs[scope.given(self._varying)]
        names = frozenset(apart.names)
        for others, run in known:
            if names <= others:
                return run
        known.append((names, self._new_run(scope, apart)))
        return known[-1][1]

    def _new_run(self, scope: Scope, apart: StateNames) -> ChainRun:
        first = scope.bare(self._varying)
        first = Scope({**first.across, **first.named})
        tracks = enumerate([find(first) for find in self._start[1]], len(self.spec.state))
        marks = [self._marks_of(track, place, apart) for place, track in tracks]
        run = ChainRun(first.named, [*repeat(None, len(self.spec.state)), *marks], first.sources_by_id)
        run.chain = Chain(self._step(run), self._end_of(run, apart), self.spec.best)
        return run

    def _marks_of(self, track: Track, place: int, apart: StateNames) -> MetMarks:
        """The marks on a track; where they alone end the chain, and nothing more is asked of them, its ends are one."""
        ends = dict(self._of_end.places)
        is_one = [*ends] == [place] and place not in dict(apart.places) and not self._ends[1]

        def are_end(marks: Marks) -> bool:
            return self._end_at((tuple([track.value(marks, name) for name in ends[place]]),), {})[0]

        key = id(track), is_one
        if key not in self._marks:
            self._marks[key] = MetMarks(track, are_end if is_one else None)
        return self._marks[key]

    def _step(self, run: ChainRun) -> Callable[[State], Step[State]]:
        """The step from a state; states that agree in all names that a step reads share their throws."""
        asked, marks = self._of_targets, run.marks
        read = run.reading(asked)
        known: Mapping[Read, Options] = Once(lambda key: self._moves.options(self.scope(run, asked, key)))

        def step(state: State) -> Step[State]:
            options = known[read(state)]
            columns = map(_changed, state, marks, options.columns, repeat(options.changes))
            after = list(zip(*columns, strict=True)) or [()] * options.changes
            return Step(after, options.moves, options.choices, options.total)

        return step

    def _end_of(self, run: ChainRun, apart: StateNames) -> Callable[[State], Hashable | None]:
        """None for a state that goes on, or else what tells ends apart."""
        read, tell_apart = run.reading(self._of_end), run.reading(apart)
        ended: Mapping[Read, bool] = Once(lambda key: self._has_ended(run, key))
        return lambda state: tell_apart(state) if ended[read(state)] else None

    def _has_ended(self, run: ChainRun, read: Read) -> bool:
        ended, sources = self._end_at(read, run.row)
        run.sources.update(sources)
        return ended

    def _end_at(self, read: Read, row: Mapping[str, Named]) -> tuple[bool, Mapping[int, Span]]:
        """Whether a state is an end, and the sources of that; the same in other rows that give nothing for it."""
        evaluate, varying = self._ends
        key = (read, *[kept_by(row.get(name)) for name in varying])
        if key not in self._ended:
            scope = Scope({**row, **self._named(self._of_end, read)})
            self._ended[key] = bool(evaluate(scope)), scope.sources_by_id
        return self._ended[key]

    @cached_property
    def _ends(self) -> tuple[Evaluate, Collection[str]]:
        """The condition that tells whether a state is an end, and the names that this condition reads."""
        return self.formulas.number(self._end), self._used(self._end) - self.own_names.keys()

    def start(self, run: ChainRun, scope: Scope) -> State:
        """The state in which the chain begins."""
        first = Scope(scope.named, scope.across, sources_by_id=run.sources)
        return (*[whole_state(evaluate(first)) for evaluate in self._start[0]], *repeat(0, len(self.spec.tracks)))

    def scope(self, run: ChainRun, asked: StateNames, read: Read, row: Scope | None = None) -> Scope:
        """The Scope of a state: some names of the state, and the names of a row."""
        named = self._named(asked, read)
        if row is None:
            return Scope({**run.row, **named}, sources_by_id=run.sources)
        return Scope({**row.named, **named}, row.across, sources_by_id=run.sources)

    def _named(self, asked: StateNames, read: Read) -> Mapping[str, Named]:
        return dict(zip(asked.names, map(self._numbers.__getitem__, chain.from_iterable(read)), strict=True))

    def asked(
        self, ask: Callable[[ChainRun, State, Scope], Rational | None], of_end: Formula | None = None
    ) -> Evaluate:
        """A function that asks the chain, and perhaps a formula of its ends.

        Raises EndlessError where there is no answer.
        """
        apart = self.of_state(of_end) if of_end else NO_NAMES

        def evaluate(scope: Scope) -> Rational:
            run = self.run(scope, apart)
            found = ask(run, self.start(run, scope), scope)
            if not scope.stated:
                scope.sources_by_id.update(run.sources)
            if found is None:
                raise EndlessError(f'"{self.spec.title}" may never end', hint="Ask within(…), or after(…).")
            return whole(found)

        return evaluate

    def valued(self, formula: Formula, table: Names) -> Callable[[ChainRun, Scope], Callable[[State], Rational]]:
        """The value of a formula in each state; the formula may also name rows and columns of the table."""
        names = self.formulas.names
        named, asked = {**table.named, **names.named}, self.of_state(formula)
        evaluate = replace(self.formulas, names=replace(names, named=named, across=table.across)).number(formula)

        def values(run: ChainRun, scope: Scope) -> Callable[[State], Rational]:
            read = run.reading(asked)
            return lambda state: evaluate(self.scope(run, asked, read(state), scope))

        return values

    def check(self, table: Names) -> None:
        """Refuse a table that gives a name of the state or of what is thrown. Raises ResolverError."""
        for name in (*table.named, *table.across):
            if name in self.own_names or self.formulas.names.is_thrown_name(name):
                hint = "Call the row or column otherwise."
                raise ResolverError(f'"{name}" is another number with each step of "{self.spec.title}"', hint=hint)


def _changed(held: int, marks: MetMarks | None, column: Column, count: int) -> Iterable[int]:
    """The numbers in one place of a state after each of ``count`` changes."""
    if column is None:
        return repeat(held, count)
    if marks is not None:
        return map(marks.after[held].__getitem__, column)
    return [held if number is None else number for number in column]


@dataclass(eq=False)
class ChainFunctions:
    """The functions of formulas that go through tracks and chains, for all tables of a ruleset.

    What they are made of is kept: chains, tracks and shared formulas go by printed tables alone.
    """

    ruleset: Ruleset[ChainsSpec]
    _models: dict[str, ChainModel] = field(default_factory=dict)

    @cached_property
    def all(self) -> Mapping[str, Build]:
        """Every function of formulas."""
        return {
            **self._of_steps,
            "steps": self._steps,
            "within": self._within,
            "after": self._after,
            "finally": self._finally,
        }

    @cached_property
    def _tracks(self) -> AllTracks:
        return AllTracks(self.ruleset)

    @cached_property
    def _of_steps(self) -> Mapping[str, Build]:
        """The functions that formulas of a chain may call: all but those that ask chains."""
        return {**NAMED, "box": self._tracks.box}

    def _model(self, compiler: Compiler, chain_id: str) -> ChainModel:
        if chain_id not in self._models:
            spec = named(self.ruleset.spec.chains, chain_id, "chain")
            self._models[chain_id] = ChainModel(self.ruleset, spec, self._of_steps, self._tracks)
        self._models[chain_id].check(compiler.names)
        return self._models[chain_id]

    def _steps(self, compiler: Compiler, call: Call) -> Evaluate:
        return self._model(compiler, call.table).asked(lambda run, start, _scope: run.chain.steps(start))

    def _within(self, compiler: Compiler, call: Call) -> Evaluate:
        number = compiler.number(call.arguments[0])
        model = self._model(compiler, call.table)
        return model.asked(lambda run, start, scope: run.chain.within(start, whole_state(number(scope))))

    def _after(self, compiler: Compiler, call: Call) -> Evaluate:
        steps, formula = call.arguments
        number, model = compiler.number(steps), self._model(compiler, call.table)
        values = model.valued(formula, compiler.names)
        return model.asked(
            lambda run, start, scope: run.chain.after(start, whole_state(number(scope)), values(run, scope)), formula
        )

    def _finally(self, compiler: Compiler, call: Call) -> Evaluate:
        (formula,) = call.arguments
        model = self._model(compiler, call.table)
        values = model.valued(formula, compiler.names)
        return model.asked(lambda run, start, scope: run.chain.at_end(start, values(run, scope)), formula)


def chain_functions(ruleset: Ruleset[ChainsSpec]) -> ChainFunctions:
    """The functions of a ruleset; the same ones for all its tables."""
    known = ruleset.kept.get("chains")
    if not isinstance(known, ChainFunctions):
        printed = replace(ruleset, tables={table.id: table for table in ruleset.printed_tables})
        known = ruleset.kept["chains"] = ChainFunctions(printed)
    return known
