"""The moves of a chain: what a step, and each choice instead of it, makes of a state.

In: an entry of ``[chains.*]`` and its formulas. Out: for the numbers of a state, the changes to which throws may lead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

from refgen.errors import ResolverError
from refgen.notation.formula import parse_formula
from refgen.notation.tree import Formula
from refgen.resolver.chains.parts import Placed
from refgen.resolver.chains.spec import ChainSpec, MoveSpec
from refgen.resolver.dice.arithmetic import MAX_WHOLE, Rational, shortened, whole
from refgen.resolver.formula.evaluate import Formulas
from refgen.resolver.formula.scope import Scope
from refgen.suggestion import did_you_mean

Change = tuple[Placed, Placed]
"""What a move makes of a state: the numbers that stand there next, and what is marked."""


class Options(NamedTuple):
    """What a step may do: its changes, and the moves to where these lead, as in a Step."""

    changes: Sequence[Change]
    weights: Sequence[int]
    choices: Sequence[tuple[int, ...]]
    total: int


@dataclass(eq=False)
class Moves:
    """The moves of an entry, ready to be asked by the numbers of a state."""

    spec: ChainSpec
    formulas: Formulas
    _changes: dict[tuple[Rational, ...], Sequence[Change]] = field(default_factory=dict)

    @cached_property
    def _moves(self) -> Sequence[MoveSpec]:
        """What a step does, and what each choice does instead. Raises ResolverError for what is no state or track."""
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
        """What a step asks its throws: for each move whether it may be made, then its numbers and its marks."""
        texts = [
            text
            for move in self._moves
            for text in (getattr(move, "when", "1"), *move.next.values(), *move.marks.values())
        ]
        return [parse_formula(text) for text in texts]

    @cached_property
    def options(self) -> Callable[[Scope], Options]:
        """What a step may do where names stand for these numbers."""
        formulas, targets = self.formulas, self.targets
        is_thrown = list(map(formulas.names.is_thrown, targets))
        numbers = [None if thrown else formulas.number(part) for thrown, part in zip(is_thrown, targets, strict=True)]
        places = [place for place, thrown in enumerate(is_thrown) if thrown]
        find = formulas.joint.distribution(*[targets[place] for place in places])

        def options(scope: Scope) -> Options:
            found = [0 if number is None else number(scope) for number in numbers]
            outcomes, moves = find(scope), dict[tuple[int, ...], int]()
            changes: dict[Change, int] = {}
            for values, weight in zip(outcomes.values, outcomes.weights, strict=True):
                for place, value in zip(places, values, strict=True):
                    found[place] = value
                own = tuple([changes.setdefault(change, len(changes)) for change in self._changes_of(found)])
                moves[own] = moves.get(own, 0) + weight
            return Options(list(changes), list(moves.values()), list(moves), outcomes.total)

        return options

    def _changes_of(self, values: Sequence[Rational]) -> Sequence[Change]:
        """The moves to which throws may lead: the step's own, and those of the choices that there are."""
        key = tuple(values)
        if key not in self._changes:
            self._changes[key] = self._worked_out(values)
        return self._changes[key]

    def _worked_out(self, values: Sequence[Rational]) -> Sequence[Change]:
        changes: list[Change] = []
        rest = values
        for move in self._moves:
            when, numbers, marks, rest = _split(rest, 1, len(move.next), len(move.marks))
            if when[0]:
                changes.append(
                    (_placed(self.spec.state, move.next, numbers), _placed(self.spec.tracks, move.marks, marks))
                )
        return changes


def _split(values: Sequence[Rational], *lengths: int) -> list[Sequence[Rational]]:
    """The first few values, the next few, and so on; last the rest."""
    ends = [0, *accumulate(lengths), len(values)]
    return [values[start:end] for start, end in pairwise(ends)]


def _placed(all_of: Collection[str], names: Collection[str], numbers: Sequence[Rational]) -> Placed:
    places = {name: place for place, name in enumerate(all_of)}
    return tuple([(places[name], whole_state(number)) for name, number in zip(names, numbers, strict=True)])


def whole_state(number: Rational) -> int:
    """A number as states hold it. Raises ResolverError for any other."""
    number = whole(number)
    if not isinstance(number, int) or abs(number) > MAX_WHOLE:
        raise ResolverError(f"a state of a chain would hold {shortened(number)}", hint="It holds whole numbers.")
    return number
