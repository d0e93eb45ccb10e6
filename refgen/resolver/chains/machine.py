"""A chain of system.toml made ready to be asked: its states, and what a step makes of them.

In: an entry of ``[chains.*]``, and the names that a table gives. Out: a Walk for each combination of their numbers,
which knows the Markov chain; and functions that ask it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from refgen.errors import ResolverError
from refgen.notation.formula import parse_formula
from refgen.notation.tree import Formula
from refgen.resolver.chains.markov import Chain
from refgen.resolver.chains.moves import Moves, Options, whole_state
from refgen.resolver.chains.parts import MarksPart, Part, numbers_part
from refgen.resolver.chains.spec import ChainSpec, ChainsSpec
from refgen.resolver.chains.states import Step
from refgen.resolver.chains.track import Track
from refgen.resolver.chains.tracks import AllTracks, TrackOf
from refgen.resolver.dice.arithmetic import Rational, whole
from refgen.resolver.formula.evaluate import Formulas
from refgen.resolver.formula.functions import Build
from refgen.resolver.formula.scope import Evaluate, Named, Names, Scope, kept_by, named_number
from refgen.resolver.formula.shared import bindings
from refgen.rules.model import Ruleset
from refgen.span import Span

OF_MARKS = ("worst", "marked", "free", "out")
"""What formulas may ask of any track: "{track.worst}" is the place of the worst box that is marked."""


class EndlessError(ResolverError):
    """There is no answer, for the chain may never end."""


State = tuple[int, int]
"""The number by which the numbers of a state are known, and that of its marks."""

_Places = tuple[tuple[int, str], ...]
"""Where names stand in a state: the place of a number and "", or of a track and what is asked of its marks."""


@dataclass(eq=False)
class Walk:
    """A chain for one row: what the row gives, the numbers and marks of its states, and the sources of all of it."""

    row: Mapping[str, Named]
    numbers: Part[tuple[int, ...]]
    marks: MarksPart
    sources: dict[int, Span]
    chain: Chain[State] = field(init=False)

    def read(self, state: State, places: _Places) -> tuple[int, ...]:
        """The numbers that some names stand for in a state."""
        numbers, marks = self.numbers.values[state[0]], self.marks.asked[state[1]]
        return tuple([marks[place][name] if name else numbers[place] for place, name in places])


@dataclass(eq=False)
class Machine:
    """A chain ready to be asked by any table: rows and columns may give a number in place of each of its ``let``."""

    ruleset: Ruleset[ChainsSpec]
    spec: ChainSpec
    functions: Mapping[str, Build]
    all_tracks: AllTracks
    shared: Formulas | None
    _walks: dict[tuple[object, ...], Walk] = field(default_factory=dict)
    _numbers: dict[int, Named] = field(default_factory=dict)
    _held: Part[tuple[int, ...]] = field(default_factory=numbers_part)
    _marks: dict[tuple[int, ...], MarksPart] = field(default_factory=dict)
    _ended: dict[tuple[object, ...], tuple[bool, Mapping[int, Span]]] = field(default_factory=dict)

    @cached_property
    def formulas(self) -> Formulas:
        """The formulas of a step: they may name the state, facts, and the chain's own formulas."""
        return self._formulas(self.own_names)

    @cached_property
    def _moves(self) -> Moves:
        return Moves(self.spec, self.formulas)

    def _formulas(self, named: Collection[str]) -> Formulas:
        bound = bindings(self.ruleset, self.spec, named)
        names = Names(self.ruleset, dict.fromkeys(named, False), bound.let, {}, bound.thrown, varied=True)
        return Formulas(names, self.functions, {"box": self.all_tracks.box_of}, self.shared)

    @cached_property
    def own_names(self) -> Mapping[str, tuple[int, str]]:
        """The names of the state: its place and "", or the place of a track and what is asked of its marks."""
        numbers = {name: (place, "") for place, name in enumerate(self.spec.state)}
        marks = {
            f"{track}.{name}": (place, name)
            for place, track in enumerate(self.spec.tracks)
            for name in (*OF_MARKS, *self.all_tracks[track].spec.values)
        }
        return {**numbers, **marks}

    @cached_property
    def _start(self) -> tuple[Sequence[Evaluate], Sequence[TrackOf]]:
        """How the numbers of the state begin, and whose tracks there are."""
        formulas = self._formulas(())
        numbers = [formulas.number(parse_formula(text)) for text in self.spec.state.values()]
        tracks = [
            self.all_tracks.of(track, formulas.number(parse_formula(level)) if level else None)
            for track, level in self.spec.tracks.items()
        ]
        return numbers, tracks

    @cached_property
    def _end(self) -> Formula:
        return parse_formula(self.spec.end)

    @cached_property
    def _varying(self) -> Collection[str]:
        """The names for which a row may give another number, by which walks are kept."""
        tracks = [parse_formula(level) for level in self.spec.tracks.values() if level]
        return self._used(*self._moves.targets, self._end, *tracks) - self.own_names.keys()

    def _used(self, *formulas: Formula) -> set[str]:
        return {name for part in formulas for name in self.formulas.names.varying(part)[0]}

    def places(self, *formulas: Formula) -> _Places:
        """Where the names of the state stand that some formulas go by."""
        used = self._used(*formulas)
        return tuple([place for name, place in self.own_names.items() if name in used])

    @cached_property
    def _of_targets(self) -> _Places:
        return self.places(*self._moves.targets)

    @cached_property
    def _of_end(self) -> _Places:
        return self.places(self._end)

    def walk(self, scope: Scope, apart: _Places) -> Walk:
        """The chain as the names of a row and column have it now; its ends are told apart by some places alone."""
        key = (apart, scope.given(self._varying))
        if key not in self._walks:
            first = scope.bare(self._varying)
            first = Scope({**first.across, **first.named})
            marks = self._marks_of([find(first) for find in self._start[1]])
            walk = Walk(first.named, self._held, marks, first.sources_by_id)
            walk.chain = Chain(self._step(walk), self._end_of(walk, apart), self.spec.best)
            self._walks[key] = walk
        return self._walks[key]

    def _marks_of(self, tracks: Sequence[Track]) -> MarksPart:
        key = tuple(map(id, tracks))
        if key not in self._marks:
            self._marks[key] = MarksPart(tracks)
        return self._marks[key]

    def _step(self, walk: Walk) -> Callable[[State], Step[State]]:
        """What follows a state; states in which all names that matter are the same have the same throws."""
        read, places = walk.read, self._of_targets
        known: dict[tuple[int, ...], Options] = {}

        def step(state: State) -> Step[State]:
            key = read(state, places)
            if key not in known:
                known[key] = self._moves.options(self.scope(walk, state))
            changes, weights, choices, total = known[key]
            numbers, marks = walk.numbers.after[state[0]], walk.marks.after[state[1]]
            return Step([(numbers[new], marks[marked]) for new, marked in changes], weights, choices, total)

        return step

    def _end_of(self, walk: Walk, apart: _Places) -> Callable[[State], Hashable | None]:
        """None for a state that goes on, or else what tells ends apart."""
        places, read = self._of_end, walk.read
        of_numbers, of_marks = (any(bool(name) is marks for _, name in places) for marks in (False, True))
        ended: dict[tuple[int, int], bool] = {}

        def end(state: State) -> Hashable | None:
            key = (of_numbers and state[0], of_marks and state[1])
            found = ended.get(key)
            if found is None:
                found = ended[key] = self._has_ended(walk, state, read(state, places))
            return (read(state, apart) if apart else ()) if found else None

        return end

    def _has_ended(self, walk: Walk, state: State, read: tuple[int, ...]) -> bool:
        """Whether a state is an end; those of other rows are the same where these give nothing for it."""
        evaluate, varying = self._ends
        key = (read, *[kept_by(walk.row.get(name)) for name in varying])
        if key not in self._ended:
            scope = self.scope(walk, state)
            scope.sources_by_id = {}
            self._ended[key] = bool(evaluate(scope)), scope.sources_by_id
        ended, sources = self._ended[key]
        walk.sources.update(sources)
        return ended

    @cached_property
    def _ends(self) -> tuple[Evaluate, Collection[str]]:
        """What is asked of each state, and the names that it goes by."""
        return self.formulas.number(self._end), self._used(self._end) - self.own_names.keys()

    def start(self, walk: Walk, scope: Scope) -> State:
        """The state in which the chain begins."""
        first = Scope(scope.named, scope.across, sources_by_id=walk.sources)
        return self._held.number(tuple([whole_state(evaluate(first)) for evaluate in self._start[0]])), 0

    def scope(self, walk: Walk, state: State, row: Scope | None = None) -> Scope:
        """What the names of a state stand for, and those of a row."""
        values = map(self._number, walk.read(state, tuple(self.own_names.values())))
        named = dict(zip(self.own_names, values, strict=True))
        if row is None:
            return Scope({**walk.row, **named}, sources_by_id=walk.sources)
        return Scope({**row.named, **named}, row.across, sources_by_id=walk.sources)

    def _number(self, number: int) -> Named:
        if number not in self._numbers:
            self._numbers[number] = named_number(number)
        return self._numbers[number]

    def asked(self, ask: Callable[[Walk, State, Scope], Rational | None], of_end: Formula | None = None) -> Evaluate:
        """A function that asks the chain, and perhaps a formula of its ends.

        Raises EndlessError where there is no answer.
        """
        apart = self.places(of_end) if of_end else ()

        def evaluate(scope: Scope) -> Rational:
            walk = self.walk(scope, apart)
            found = ask(walk, self.start(walk, scope), scope)
            if not scope.stated:
                scope.sources_by_id.update(walk.sources)
            if found is None:
                raise EndlessError(f'"{self.spec.title}" may never end', hint="Ask within(…), or after(…).")
            return whole(found)

        return evaluate

    def valued(self, formula: Formula, table: Names) -> Callable[[Walk, Scope], Callable[[State], Rational]]:
        """What a formula comes to in each state; it may name what the rows and columns of a table give, too."""
        names = self.formulas.names
        named = {**table.named, **names.named}
        evaluate = replace(self.formulas, names=replace(names, named=named, across=table.across)).number(formula)
        return lambda walk, scope: lambda state: evaluate(self.scope(walk, state, scope))

    def check(self, table: Names) -> None:
        """Refuse a table that gives a name of the state or of what is thrown. Raises ResolverError."""
        for name in (*table.named, *table.across):
            if name in self.own_names or self.formulas.names.is_thrown_name(name):
                hint = "Call the row or column otherwise."
                raise ResolverError(f'"{name}" is another number with each step of "{self.spec.title}"', hint=hint)
