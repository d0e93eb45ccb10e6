"""Chains as system.toml describes them: a state, a step with its throws, an end.

In: an entry of ``[chains.*]``, and the names that a table gives. Out: functions of formulas that ask the chain: the
mean number of steps, the chance to have ended, and what comes of a formula after some steps or at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise

from refgen.errors import ResolverError
from refgen.notation.formula import parse_formula
from refgen.notation.tree import Call, Formula
from refgen.resolver.chains.markov import Best, Chain, Step
from refgen.resolver.chains.track import Marks, Track
from refgen.resolver.chains.tracks import AllTracks, TrackOf, TracksSpec
from refgen.resolver.dice.arithmetic import MAX_WHOLE, Rational, shortened, whole
from refgen.resolver.formula.evaluate import Formulas
from refgen.resolver.formula.functions import FUNCTIONS, Build, Context
from refgen.resolver.formula.joint import Distribution, bare, kept_by, named_number
from refgen.resolver.formula.scope import Evaluate, Named, Names, Scope
from refgen.resolver.formula.shared import BoundSpec, FormulasSpec, bindings
from refgen.rules.model import Ruleset
from refgen.rules.schema import FormulaText, Identifier
from refgen.rules.toml import Strict
from refgen.span import Span

OF_MARKS = ("worst", "marked", "free", "out")
"""What formulas may ask of any track: "{track.worst}" is the place of the worst box that is marked."""


class MoveSpec(Strict):
    """What a step makes of the state: ``next`` are numbers, ``marks`` places (or numbers) of boxes that are marked."""

    next: dict[Identifier, FormulaText] = {}
    marks: dict[Identifier, FormulaText] = {}


class ChoiceSpec(MoveSpec):
    """What a player may do instead once the throws are known, where ``when`` is not 0."""

    when: FormulaText = "1"


class ChainSpec(BoundSpec, MoveSpec):
    """A chain of steps. ``state`` has whole numbers with their values at the start, ``tracks`` whose tracks.

    Nothing is marked at the start; the level of a track that is the same for all is "". The chain ends where ``end`` is
    not 0. ``choices`` are made so that there are as many steps as can be, or as few.
    """

    title: str
    state: dict[Identifier, FormulaText] = {}
    tracks: dict[Identifier, FormulaText] = {}
    end: FormulaText
    choices: dict[Identifier, ChoiceSpec] = {}
    best: Best = "most-steps"


class ChainsSpec(TracksSpec, FormulasSpec):
    """A system.toml with chains."""

    chains: dict[Identifier, ChainSpec] = {}


class EndlessError(ResolverError):
    """There is no answer, for the chain may never end."""


State = tuple[int, ...]
"""The numbers of a state, and after them of each track the number by which its marks are known."""

_Change = Sequence[tuple[int, int, bool]]
"""What a move makes of a state: at which place which number stands next, or (True) is marked on the track there."""

_Places = Sequence[tuple[int, str]]
"""Where names stand in a state, and what is asked of the marks of a track there ("" of a number)."""

_Read = Callable[[State], tuple[int, ...]]
"""The numbers that some names stand for in a state: what is worked out of them is kept by them."""


class KnownMarks:
    """The marks of a track that were met, each known by a number, from 0 for none."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.values: list[Mapping[str, int]] = []
        self._marks: list[Marks] = []
        self._numbers: dict[Marks, int] = {}
        self._marked: list[dict[int, int]] = []
        self._known(track.unmarked)

    def _known(self, marks: Marks) -> int:
        if marks not in self._numbers:
            self._numbers[marks] = len(self._marks)
            self._marks.append(marks)
            self._marked.append({})
            self.values.append(self.track.values(marks))
        return self._numbers[marks]

    def marked(self, known: int, number: int) -> int:
        """The marks after one more."""
        after = self._marked[known]
        if number not in after:
            after[number] = self._known(self.track.marked(self._marks[known], number))
        return after[number]


@dataclass(eq=False)
class Walk:
    """A chain for one row: what the row gives, whose tracks there are, the states, and the sources of all of it.

    ``marks`` has those of each track; in a state they stand after ``numbers`` numbers.
    """

    row: Mapping[str, Named]
    numbers: int
    marks: Sequence[KnownMarks]
    sources: dict[int, Span]
    chain: Chain[State] = field(init=False)

    def changed(self, state: State, change: _Change) -> State:
        """The state after a move."""
        after = list(state)
        for place, number, is_marked in change:
            after[place] = self.marks[place - self.numbers].marked(state[place], number) if is_marked else number
        return tuple(after)

    def value(self, state: State, place: int, of_marks: str) -> int:
        """A number of a state, or of the marks of a track there what is asked of them."""
        return self.marks[place - self.numbers].values[state[place]][of_marks] if of_marks else state[place]


def _reader(walk: Walk, places: _Places) -> _Read:
    """How to read the numbers of a state at some places."""
    if len(places) == 1:
        ((place, name),) = places
        return lambda state: (walk.value(state, place, name),)
    return lambda state: tuple([walk.value(state, place, name) for place, name in places])


@dataclass(eq=False)
class Machine:
    """A chain ready to be asked by any table: rows and columns may give a number in place of each of its ``let``."""

    ruleset: Ruleset[ChainsSpec]
    spec: ChainSpec
    functions: Mapping[str, Build]
    all_tracks: AllTracks
    _walks: dict[tuple[object, ...], Walk] = field(default_factory=dict)
    _numbers: dict[int, Named] = field(default_factory=dict)
    _marks: dict[int, KnownMarks] = field(default_factory=dict)

    @cached_property
    def formulas(self) -> Formulas:
        """The formulas of a step: they may name the state, facts, and the chain's own formulas."""
        return self._formulas(self.own_names)

    def _formulas(self, named: Collection[str]) -> Formulas:
        bound = bindings(self.ruleset, self.spec, named)
        names = Names(self.ruleset, dict.fromkeys(named, False), bound.let, {}, bound.thrown, varied=True)
        return Formulas(names, self.functions, {"box": self.all_tracks.box_of})

    @cached_property
    def own_names(self) -> Mapping[str, tuple[int, str]]:
        """The names of the state: its place and "", or the place of a track and what is asked of its marks."""
        numbers = {name: (place, "") for place, name in enumerate(self.spec.state)}
        marks = {
            f"{track}.{name}": (place, name)
            for place, track in enumerate(self.spec.tracks, len(self.spec.state))
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
    def _moves(self) -> Sequence[MoveSpec]:
        """What a step does, and what each choice does instead. Raises ResolverError for what is no state or track."""
        moves = [self.spec, *self.spec.choices.values()]
        for move in moves:
            unknown = [name for name in move.next if name not in self.spec.state]
            unknown += [name for name in move.marks if name not in self.spec.tracks]
            if unknown:
                hint = f"There are {', '.join([*self.spec.state, *self.spec.tracks]) or 'none'}."
                raise ResolverError(f'a step changes "{unknown[0]}", which is not in the state', hint=hint)
        return moves

    @cached_property
    def _targets(self) -> Sequence[Formula]:
        """What a step asks its throws: for each move whether it may be made, then its numbers and its marks."""
        texts = [
            text
            for move in self._moves
            for text in (getattr(move, "when", "1"), *move.next.values(), *move.marks.values())
        ]
        return [parse_formula(text) for text in texts]

    @cached_property
    def _end(self) -> Formula:
        return parse_formula(self.spec.end)

    @cached_property
    def _varying(self) -> Sequence[str]:
        """The names for which a row may give another number, by which walks are kept."""
        tracks = [parse_formula(level) for level in self.spec.tracks.values() if level]
        return [name for name in self._used(*self._targets, self._end, *tracks) if name not in self.own_names]

    def _used(self, *formulas: Formula) -> Sequence[str]:
        return list(dict.fromkeys(name for part in formulas for name in self.formulas.names.varying(part)[0]))

    def walk(self, scope: Scope) -> Walk:
        """The chain as the names of a row and column have it now."""
        given = [scope.find(name) for name in self._varying]
        key = tuple([kept_by(named) for named in given])
        if key not in self._walks:
            row = {name: bare(named) for name, named in zip(self._varying, given, strict=True) if named is not None}
            first = Scope(row)
            marks = [self._known_marks(find(first)) for find in self._start[1]]
            walk = Walk(row, len(self.spec.state), marks, first.sources_by_id)
            walk.chain = Chain(self._step(walk), self.spec.best)
            self._walks[key] = walk
        return self._walks[key]

    def _known_marks(self, track: Track) -> KnownMarks:
        if id(track) not in self._marks:
            self._marks[id(track)] = KnownMarks(track)
        return self._marks[id(track)]

    def _step(self, walk: Walk) -> Callable[[State], Step[State] | None]:
        """What follows a state; states in which all names that matter are the same have the same throws."""
        (end, end_names), (find, names) = self._asked_of_steps
        read_end, read = _reader(walk, end_names), _reader(walk, names)
        ended: dict[tuple[int, ...], bool] = {}
        known: dict[tuple[int, ...], tuple[Sequence[tuple[int, Sequence[_Change]]], int]] = {}

        def step(state: State) -> Step[State] | None:
            key = read_end(state)
            if key not in ended:
                ended[key] = bool(end(self.scope(walk, state)))
            if ended[key]:
                return None
            key = read(state)
            if key not in known:
                outcomes = find(self.scope(walk, state))
                changes = map(self._changes, outcomes.values)
                known[key] = list(zip(outcomes.weights, changes, strict=True)), outcomes.total
            moves: dict[tuple[State, ...], int] = {}
            for weight, options in known[key][0]:
                states = tuple([walk.changed(state, change) for change in options])
                moves[states] = moves.get(states, 0) + weight
            return Step(moves, known[key][1])

        return step

    @cached_property
    def _asked_of_steps(self) -> tuple[tuple[Evaluate, _Places], tuple[Distribution, _Places]]:
        """What is asked of each state, and the places in it of the names that it goes by."""
        end, find = self.formulas.number(self._end), self.formulas.joint.distribution(*self._targets)
        return (end, self._places(self._end)), (find, self._places(*self._targets))

    def _places(self, *formulas: Formula) -> _Places:
        return [self.own_names[name] for name in self._used(*formulas) if name in self.own_names]

    def start(self, walk: Walk, scope: Scope) -> State:
        """The state in which the chain begins."""
        first = Scope(scope.named, scope.across, sources_by_id=walk.sources)
        return (*[_whole(evaluate(first)) for evaluate in self._start[0]], *[0 for _ in walk.marks])

    def scope(self, walk: Walk, state: State, row: Scope | None = None) -> Scope:
        """What the names of a state stand for, and those of a row."""
        named = {name: self._number(walk.value(state, *place)) for name, place in self.own_names.items()}
        if row is None:
            return Scope({**walk.row, **named}, sources_by_id=walk.sources)
        return Scope({**row.named, **named}, row.across, sources_by_id=walk.sources)

    def _number(self, number: int) -> Named:
        if number not in self._numbers:
            self._numbers[number] = named_number(number)
        return self._numbers[number]

    def _changes(self, values: Sequence[Rational]) -> Sequence[_Change]:
        """The moves to which throws may lead: the step's own, and those of the choices that there are."""
        changes: list[_Change] = []
        places = {name: place for place, name in enumerate((*self.spec.state, *self.spec.tracks))}
        rest = values
        for move in self._moves:
            when, numbers, marks, rest = split(rest, 1, len(move.next), len(move.marks))
            if when[0]:
                new = [(places[name], _whole(number), False) for name, number in zip(move.next, numbers, strict=True)]
                new += [(places[name], _whole(number), True) for name, number in zip(move.marks, marks, strict=True)]
                changes.append(new)
        return changes

    def asked(self, ask: Callable[[Walk, State, Scope], Rational | None]) -> Evaluate:
        """A function that asks the chain. Raises EndlessError where there is no answer."""

        def evaluate(scope: Scope) -> Rational:
            walk = self.walk(scope)
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
            if name in self.own_names or self.formulas.joint.is_thrown_name(name):
                hint = "Call the row or column otherwise."
                raise ResolverError(f'"{name}" is another number with each step of "{self.spec.title}"', hint=hint)


def split(values: Sequence[Rational], *lengths: int) -> list[Sequence[Rational]]:
    """The first few values, the next few, and so on; last the rest."""
    ends = [0, *accumulate(lengths), len(values)]
    return [values[start:end] for start, end in pairwise(ends)]


def _whole(number: Rational) -> int:
    number = whole(number)
    if not isinstance(number, int) or abs(number) > MAX_WHOLE:
        raise ResolverError(f"a state of a chain would hold {shortened(number)}", hint="It holds whole numbers.")
    return number


@dataclass(eq=False)
class ChainFunctions:
    """The functions of formulas that go through tracks and chains, for all tables of a ruleset.

    What they are made of is kept: chains, tracks and shared formulas go by printed tables alone.
    """

    ruleset: Ruleset[ChainsSpec]
    _machines: dict[str, Machine] = field(default_factory=dict)
    _shared: dict[str, Formulas] = field(default_factory=dict)

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
        """What the formulas of chains may use: a chain does not ask chains."""
        return {**FUNCTIONS, "box": self._tracks.box}

    def shared(self, spec: BoundSpec) -> Formulas | None:
        """The formulas that an entry shares with others; None for one that has others besides."""
        if spec.use is None or spec.let or spec.throws:
            return None
        if spec.use not in self._shared:
            bound = bindings(self.ruleset, BoundSpec(use=spec.use), ())
            names = Names(self.ruleset, {}, bound.let, {}, bound.thrown, varied=True)
            self._shared[spec.use] = Formulas(names, self._of_steps, {"box": self._tracks.box_of})
        return self._shared[spec.use]

    def _machine(self, context: Context, chain_id: str) -> Machine:
        known = self.ruleset.spec.chains
        if chain_id not in known:
            raise ResolverError(f'there is no chain "{chain_id}"', hint=f"There are {', '.join(known) or 'none'}.")
        if chain_id not in self._machines:
            self._machines[chain_id] = Machine(self.ruleset, known[chain_id], self._of_steps, self._tracks)
        self._machines[chain_id].check(context.names)
        return self._machines[chain_id]

    def _steps(self, context: Context, call: Call) -> Evaluate:
        return self._machine(context, call.table).asked(lambda walk, start, _scope: walk.chain.steps(start))

    def _within(self, context: Context, call: Call) -> Evaluate:
        number = context.number(call.arguments[0])
        machine = self._machine(context, call.table)
        return machine.asked(lambda walk, start, scope: walk.chain.within(start, _whole(number(scope))))

    def _after(self, context: Context, call: Call) -> Evaluate:
        number = context.number(call.arguments[0])
        machine = self._machine(context, call.table)
        values = machine.valued(call.arguments[1], context.names)
        return machine.asked(
            lambda walk, start, scope: walk.chain.after(start, _whole(number(scope)), values(walk, scope))
        )

    def _finally(self, context: Context, call: Call) -> Evaluate:
        machine = self._machine(context, call.table)
        values = machine.valued(call.arguments[0], context.names)
        return machine.asked(lambda walk, start, scope: walk.chain.at_end(start, values(walk, scope)))


def chain_functions(ruleset: Ruleset[ChainsSpec]) -> ChainFunctions:
    """The functions of a ruleset; the same ones for all its tables."""
    known = ruleset.kept.get("chains")
    if not isinstance(known, ChainFunctions):
        printed = replace(ruleset, tables={table.id: table for table in ruleset.printed_tables})
        known = ruleset.kept["chains"] = ChainFunctions(printed)
    return known
