"""Chains as system.toml describes them: a state, a step with its throws, an end.

In: an entry of ``[chains.*]``, and the names that a table gives. Out: functions of formulas that ask the chain: the
mean number of steps, the chance to have ended, and what comes of a formula after some steps or at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from refgen.errors import ResolverError
from refgen.notation.formula import Formula, Function, names_in, parse_formula
from refgen.resolver.chains.markov import Best, Chain, Step
from refgen.resolver.chains.track import Marks, Track
from refgen.resolver.chains.tracks import AllTracks, TrackOf, TracksSpec
from refgen.resolver.formula.evaluate import Formulas
from refgen.resolver.formula.functions import FUNCTIONS, MAX_WHOLE, Build, Context
from refgen.resolver.formula.joint import named_number
from refgen.resolver.formula.scope import Evaluate, Named, Names, Rational, Scope, shortened, whole
from refgen.resolver.formula.shared import BoundSpec, FormulasSpec, bindings
from refgen.rules.model import Ruleset
from refgen.rules.schema import FormulaText, Identifier
from refgen.rules.toml import Strict

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


State = tuple[tuple[int, ...], tuple[Marks, ...]]
"""The numbers of a state, and the marks of its tracks."""


@dataclass(frozen=True)
class Walk:
    """A chain for one row: its states from the start on, its tracks, and where everything stands that it rests on."""

    chain: Chain[State]
    tracks: Sequence[Track]
    scope: Scope
    _named: dict[tuple[int, Marks], Mapping[str, Named]] = field(default_factory=dict)


@dataclass
class Machine:
    """A chain as a table asks it: formulas over its state and the names that the table gives."""

    ruleset: Ruleset[ChainsSpec]
    spec: ChainSpec
    given: Names
    functions: Mapping[str, Build]
    all_tracks: AllTracks
    _walks: dict[tuple[Named, ...], Walk] = field(default_factory=dict)
    _numbers: dict[int, Named] = field(default_factory=dict)

    @cached_property
    def formulas(self) -> Formulas:
        """The formulas of a step: they may name the state, what the table gives, and the chain's own formulas."""
        named = {**self.given.named, **dict.fromkeys([*self.spec.state, *self._names_of_marks], False)}
        return self._formulas(named)

    def _formulas(self, named: Mapping[str, bool]) -> Formulas:
        bound = bindings(self.ruleset, self.spec, {*named, *self.given.across})
        names = Names(self.ruleset, named, bound.let, self.given.across, bound.thrown)
        return Formulas(names, self.functions)

    @cached_property
    def _names_of_marks(self) -> Sequence[str]:
        return [
            f"{track}.{name}" for track in self.spec.tracks for name in (*OF_MARKS, *self.all_tracks[track].spec.values)
        ]

    @cached_property
    def _start(self) -> tuple[Sequence[Evaluate], Sequence[TrackOf]]:
        """How the numbers of the state begin, and whose tracks there are; both are the same in all states."""
        formulas = self._formulas(self.given.named)
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
        """What a step asks its throws: for each move when it may be made, its numbers and its marks."""
        texts = [
            text
            for move in self._moves
            for text in (getattr(move, "when", "1"), *move.next.values(), *move.marks.values())
        ]
        return [parse_formula(text) for text in texts]

    @cached_property
    def _varying(self) -> Sequence[str]:
        """The names of the table by which its steps differ."""
        texts = [self.spec.end, *filter(None, self.spec.tracks.values())]
        own = {*self.spec.state, *self._names_of_marks}
        formulas = [*self._targets, *map(parse_formula, texts)]
        found = dict.fromkeys(
            name for part in formulas for names in self.formulas.names.varying(part) for name in names
        )
        return [name for name in found if name not in own]

    def walk(self, scope: Scope) -> Walk:
        """The chain as the names of a row and column have it now."""
        key = tuple([scope.named[name] if name in scope.named else scope.across[name] for name in self._varying])
        if key not in self._walks:
            first = Scope(scope.named, scope.across)
            tracks = [find(first) for find in self._start[1]]
            end, find = (
                self.formulas.number(parse_formula(self.spec.end)),
                self.formulas.joint.distribution(*self._targets),
            )

            def step(state: State) -> Step[State] | None:
                here = self.scope(walk, state)
                if end(here):
                    return None
                moves: dict[tuple[State, ...], int] = {}
                outcomes = find(here)
                for values, ways in zip(outcomes.values, outcomes.weights, strict=True):
                    options = self._options(walk, state, values)
                    moves[options] = moves.get(options, 0) + ways
                return Step(moves, outcomes.total)

            walk = self._walks[key] = Walk(Chain(step, self.spec.best), tracks, first)
        return self._walks[key]

    def start(self, walk: Walk, scope: Scope) -> State:
        """The state in which the chain begins."""
        numbers = tuple([_whole(evaluate(scope)) for evaluate in self._start[0]])
        return numbers, tuple([track.unmarked for track in walk.tracks])

    def scope(self, walk: Walk, state: State, row: Scope | None = None) -> Scope:
        """What the names of a state stand for, and those of a row."""
        row = row or walk.scope
        named = {**row.named}
        for name, number in zip(self.spec.state, state[0], strict=True):
            named[name] = self._number(number)
        for place, (track_id, marks) in enumerate(zip(self.spec.tracks, state[1], strict=True)):
            if (place, marks) not in walk._named:
                numbers = walk.tracks[place].numbers(marks)
                walk._named[place, marks] = {f"{track_id}.{name}": self._number(own) for name, own in numbers.items()}
            named.update(walk._named[place, marks])
        return Scope(named, row.across, sources_by_id=walk.scope.sources_by_id)

    def _number(self, number: int) -> Named:
        """A number; always the same record for the same one, for distributions are kept by it."""
        if number not in self._numbers:
            self._numbers[number] = named_number(number)
        return self._numbers[number]

    def _options(self, walk: Walk, state: State, values: Sequence[Rational]) -> tuple[State, ...]:
        """The states to which the throws may lead: the step's own, and those of the choices that there are."""
        options: list[State] = []
        place = 0
        for move in self._moves:
            end = place + 1 + len(move.next) + len(move.marks)
            if values[place]:
                options.append(self._moved(walk, state, move, [_whole(value) for value in values[place + 1 : end]]))
            place = end
        return tuple(options)

    def _moved(self, walk: Walk, state: State, move: MoveSpec, values: Sequence[int]) -> State:
        numbers = dict(zip(self.spec.state, state[0], strict=True))
        numbers.update(zip(move.next, values, strict=False))
        marks = dict(zip(self.spec.tracks, state[1], strict=True))
        tracks = dict(zip(self.spec.tracks, walk.tracks, strict=True))
        for track, number in zip(move.marks, values[len(move.next) :], strict=True):
            marks[track] = tracks[track].marked(marks[track], number)
        return tuple(numbers.values()), tuple(marks.values())

    def asked(self, ask: Callable[[Walk, State, Scope], Rational | None]) -> Evaluate:
        """A function that asks the chain. Raises EndlessError where there is no answer."""

        def evaluate(scope: Scope) -> Rational:
            walk = self.walk(scope)
            found = ask(walk, self.start(walk, scope), scope)
            scope.sources_by_id.update(walk.scope.sources_by_id)
            if found is None:
                raise EndlessError(f'"{self.spec.title}" may never end', hint="Ask within(…), or after(…).")
            return whole(found)

        return evaluate

    def valued(
        self, formula: Formula, across: Mapping[str, bool]
    ) -> Callable[[Walk, Scope], Callable[[State], Rational]]:
        """What a formula comes to in each state; it may name what changes from column to column."""
        evaluate = replace(self.formulas, names=replace(self.formulas.names, across=across)).number(formula)

        def values(walk: Walk, scope: Scope) -> Callable[[State], Rational]:
            return lambda state: evaluate(self.scope(walk, state, scope))

        return values


def _whole(number: Rational) -> int:
    number = whole(number)
    if not isinstance(number, int) or abs(number) > MAX_WHOLE:
        raise ResolverError(f"a state of a chain would hold {shortened(number)}", hint="It holds whole numbers.")
    return number


@dataclass
class ChainFunctions:
    """The functions of formulas that go through tracks and chains; what the columns of a table share is kept."""

    ruleset: Ruleset[ChainsSpec]
    _machines: dict[tuple[str, tuple[str, ...]], Machine] = field(default_factory=dict)

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

    def _machine(self, context: Context, chain_id: str) -> Machine:
        known = self.ruleset.spec.chains
        if chain_id not in known:
            raise ResolverError(f'there is no chain "{chain_id}"', hint=f"There are {', '.join(known) or 'none'}.")
        across = {name: dice for name, dice in context.names.across.items() if name in self._named_in(known[chain_id])}
        key = chain_id, tuple(across)
        if key not in self._machines:
            given = Names(self.ruleset, context.names.named, across=across)
            self._machines[key] = Machine(self.ruleset, known[chain_id], given, self._of_steps, self._tracks)
        return self._machines[key]

    def _named_in(self, spec: ChainSpec) -> set[str]:
        """Every name in the formulas of a chain, and those it gives to formulas."""
        shared = self.ruleset.spec.formulas.get(spec.use or "", BoundSpec())
        moves = [spec, *spec.choices.values()]
        parts = [spec.state, spec.tracks, *(part for move in moves for part in (move.next, move.marks))]
        parts += [spec.let, spec.throws, shared.let, shared.throws]
        texts = [spec.end, *(choice.when for choice in spec.choices.values())]
        texts += [text for part in parts for text in part.values() if text]
        return {name for text in texts for name in names_in(parse_formula(text))}

    def _steps(self, context: Context, function: Function) -> Evaluate:
        return self._machine(context, function.table).asked(lambda walk, start, _scope: walk.chain.steps(start))

    def _within(self, context: Context, function: Function) -> Evaluate:
        number = context.number(function.arguments[0])
        machine = self._machine(context, function.table)
        return machine.asked(lambda walk, start, scope: walk.chain.within(start, _whole(number(scope))))

    def _after(self, context: Context, function: Function) -> Evaluate:
        number = context.number(function.arguments[0])
        machine = self._machine(context, function.table)
        values = machine.valued(function.arguments[1], context.names.across)
        return machine.asked(
            lambda walk, start, scope: walk.chain.after(start, _whole(number(scope)), values(walk, scope))
        )

    def _finally(self, context: Context, function: Function) -> Evaluate:
        machine = self._machine(context, function.table)
        values = machine.valued(function.arguments[0], context.names.across)
        return machine.asked(lambda walk, start, scope: walk.chain.at_end(start, values(walk, scope)))
