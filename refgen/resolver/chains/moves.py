"""Chains as system.toml describes them, and the moves by which a step changes a state.

In: an entry of ``[chains.*]`` and its formulas. Out: for the numbers of a state, the changes to which throws may lead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, islice
from typing import Annotated, Literal

from pydantic import Discriminator, Tag

from refgen.catalog import did_you_mean
from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import Formula
from refgen.resolver.chains.tracks import TracksSpec
from refgen.resolver.dice.arithmetic import MAX_WHOLE, Rational, shorten_number, simplify
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.names import BoundSpec, FormulasSpec
from refgen.resolver.formula.scope import Scope
from refgen.resolver.lookup import MemoDict
from refgen.rules.field_types import FormulaText, Identifier
from refgen.rules.toml import Strict, text_or_table

Best = Literal["most-steps", "fewest-steps"]
"""How long a player makes a chain last."""


class MoveSpec(Strict):
    """A step's changes to the state: ``next`` are numbers, ``marks`` places (or numbers) of boxes that are marked."""

    next: dict[Identifier, FormulaText] = {}
    marks: dict[Identifier, FormulaText] = {}


class ChoiceSpec(MoveSpec):
    """A move that a player may make in place of the step once the throws are known, where ``when`` is not 0."""

    when: FormulaText = "1"


class OwnTrack(Strict):
    """The track ``of`` an entry of ``[tracks.*]``, of the ``level`` that a formula gives; "" where it has no levels."""

    of: Identifier
    level: FormulaText = ""


Whose = Annotated[Annotated[FormulaText, Tag("text")] | Annotated[OwnTrack, Tag("table")], Discriminator(text_or_table)]
"""The level whose track is marked, for a track of that name; or a track with another name."""


class ChainSpec(BoundSpec, MoveSpec):
    """A chain of steps. ``state`` has whole numbers with their values at the start, ``tracks`` whose tracks.

    Where two have the same track, each has a name of its own: ``{ own = { of = "wounds", level = "{health}" } }``.
    Nothing is marked at the start; the level of a track that is the same for all is "". The chain ends where ``end`` is
    not 0. ``choices`` are made so that there are as many steps as can be, or as few.
    """

    title: str
    state: dict[Identifier, FormulaText] = {}
    tracks: dict[Identifier, Whose] = {}
    end: FormulaText
    choices: dict[Identifier, ChoiceSpec] = {}
    best: Best = "most-steps"

    @property
    def tracks_of(self) -> Mapping[str, OwnTrack]:
        """By the names that formulas have for them, whose tracks are marked."""
        written = self.tracks.items()
        return {name: OwnTrack(of=name, level=whose) if isinstance(whose, str) else whose for name, whose in written}


class ChainsSpec(TracksSpec, FormulasSpec):
    """A system.toml with chains."""

    chains: dict[Identifier, ChainSpec] = {}


Change = tuple[tuple[int, int], ...]
"""A move's changes to places of a state: each place that changes, with its next number or the box to mark."""

Outcomes = Sequence[tuple[tuple[Change, ...], int]]
"""The outcomes of a step: the changes of which the player chooses one (as a rule a single change), and the weight."""


@dataclass(eq=False)
class Moves:
    """The moves of an entry, ready to be asked by the numbers of a state."""

    spec: ChainSpec
    formulas: Compiler
    _changes: Mapping[tuple[Rational, ...], tuple[Change, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self._changes = MemoDict(self._changes_of)

    @cached_property
    def _moves(self) -> Sequence[MoveSpec]:
        """The moves of a step and of each choice in its place. Raises ResolverError for an unknown state or track."""
        moves = [self.spec, *self.spec.choices.values()]
        for move in moves:
            unknown = [name for name in move.next if name not in self.spec.state]
            unknown += [name for name in move.marks if name not in self.spec.tracks]
            if unknown:
                hint = did_you_mean(unknown[0], [*self.spec.state, *self.spec.tracks])
                raise ResolverError(f'a step changes "{unknown[0]}", which is not in the state', hint=hint)
        return moves

    @cached_property
    def targets(self) -> Sequence[Formula]:
        """The formulas of a step over its throws: for each move the condition, the next numbers and the marks."""
        texts = [
            text
            for move in self._moves
            for text in (getattr(move, "when", "1"), *move.next.values(), *move.marks.values())
        ]
        return [parse_formula(text) for text in texts]

    @cached_property
    def outcomes(self) -> Callable[[Scope], Outcomes]:
        """How to find the outcomes of a step for the numbers of a scope; equal outcomes are one."""
        formulas, targets = self.formulas, self.targets
        is_thrown = list(map(formulas.names.is_thrown, targets))
        numbers = [None if thrown else formulas.number(part) for thrown, part in zip(is_thrown, targets, strict=True)]
        find = formulas.throws.distribution(*compress(targets, is_thrown))

        def outcomes(scope: Scope) -> Outcomes:
            found, moves = find(scope), dict[tuple[Change, ...], int]()
            fixed = [number and number(scope) for number in numbers]
            for values, weight in zip(found.values, found.weights, strict=True):
                thrown = iter(values)
                changes = self._changes[tuple([next(thrown) if number is None else number for number in fixed])]
                moves[changes] = moves.get(changes, 0) + weight
            return list(moves.items())

        return outcomes

    def _changes_of(self, values: Sequence[Rational]) -> tuple[Change, ...]:
        """The change of a step, and those of the choices whose condition is met, by the values of the targets."""
        changes: list[Change] = []
        rest = iter(values)
        for move in self._moves:
            when = next(rest)
            numbers = dict(zip(move.next, islice(rest, len(move.next)), strict=True))
            marks = dict(zip(move.marks, islice(rest, len(move.marks)), strict=True))
            if when:
                changed = [*map(numbers.get, self.spec.state), *map(marks.get, self.spec.tracks)]
                changes.append(
                    tuple([(place, whole_state(number)) for place, number in enumerate(changed) if number is not None])
                )
        return tuple(changes)


def whole_state(number: Rational) -> int:
    """A number of a state as an int. Raises ResolverError for a fraction, and for a number beyond MAX_WHOLE."""
    number = simplify(number)
    if not isinstance(number, int) or abs(number) > MAX_WHOLE:
        raise ResolverError(f"a state of a chain would hold {shorten_number(number)}", hint="It holds whole numbers.")
    return number
