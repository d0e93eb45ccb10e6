"""Arithmetic and conditions of dice: what is done with every outcome of some rolls.

In: a formula without names. Out: its rolls, and what it comes to for an outcome of each. Every roll is another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from refgen.errors import ResolverError
from refgen.notation.formula import DICE_FUNCTIONS
from refgen.notation.tree import Binary, Call, Comparison, Constant, Formula, InRange, Pool, Sum, parts_of
from refgen.resolver.dice.arithmetic import COMPARISONS, FUNCTIONS, SIGNS, WHOLE_FUNCTIONS, Rational, in_range, whole

MEMORY = 512

OfOutcomes = Callable[[Sequence[int]], Rational]
"""What a formula comes to for an outcome of each of its rolls."""


@dataclass(frozen=True, slots=True)
class Pointwise:
    """The rolls of a formula, and what is done with an outcome of each."""

    rolls: Sequence[Formula]
    evaluate: OfOutcomes


@lru_cache(maxsize=MEMORY)
def pointwise(formula: Formula) -> Pointwise:
    """A formula parted into its rolls and what is done with them. Raises ResolverError for what cannot be parted."""
    parting = _Parting([])
    evaluate = parting.of_parts(formula)
    return Pointwise(tuple(parting.rolls), evaluate)


@lru_cache(maxsize=MEMORY)
def has_dice(formula: Formula) -> bool:
    """Whether something is rolled in it."""
    rolls = isinstance(formula, Pool) or (isinstance(formula, Call) and formula.name == "chances")
    return rolls or any(map(has_dice, parts_of(formula)))


@lru_cache(maxsize=MEMORY)
def is_whole(formula: Formula) -> bool:
    """Whether it always comes to a whole number."""
    match formula:
        case Constant(value=value):
            return isinstance(value, int)
        case Comparison() | InRange() | Binary(sign="and" | "or"):
            return True
        case Binary(sign="/" | "^"):
            return False
        case Call(name="if", arguments=(_, *sides)):
            return all(map(is_whole, sides))
        case Call(name=name) if name not in ("max", "min", "abs", "clamp"):
            return name in WHOLE_FUNCTIONS or name in DICE_FUNCTIONS
    return all(map(is_whole, parts_of(formula)))


@dataclass(frozen=True, slots=True)
class _Parting:
    """Goes through a formula: what comes to whole numbers is rolled on its own, the rest is done with its outcomes."""

    rolls: list[Formula]

    def part(self, formula: Formula) -> OfOutcomes:
        if isinstance(formula, Constant):
            value = formula.value
            return lambda _outcomes: value
        if has_dice(formula) and is_whole(formula):
            return self.roll(formula)
        return self.of_parts(formula)

    def roll(self, formula: Formula) -> OfOutcomes:
        place = len(self.rolls)
        self.rolls.append(formula)
        return lambda outcomes: outcomes[place]

    def of_parts(self, formula: Formula) -> OfOutcomes:
        match formula:
            case Sum():
                return self.sum(formula)
            case Binary() | Comparison():
                return self.pair(formula)
            case InRange():
                return self.in_range(formula)
            case Call():
                return self.call(formula)
        return self.part(formula)

    def sum(self, formula: Sum) -> OfOutcomes:
        """What comes to whole numbers is added up by rolls."""
        rolled = tuple([term for term in formula.terms if has_dice(term[1]) and is_whole(term[1])])
        others = [(sign, self.part(term)) for sign, term in formula.terms if (sign, term) not in rolled]
        if rolled:
            others.append((1, self.roll(Sum(rolled))))
        return lambda outcomes: whole(sum([sign * part(outcomes) for sign, part in others]))

    def pair(self, formula: Binary | Comparison) -> OfOutcomes:
        left, right = self.part(formula.left), self.part(formula.right)
        match formula.sign:
            case "and":
                return lambda outcomes: int(bool(left(outcomes) and right(outcomes)))
            case "or":
                return lambda outcomes: int(bool(left(outcomes) or right(outcomes)))
        work_out = SIGNS.get(formula.sign) or COMPARISONS[formula.sign]
        return lambda outcomes: whole(work_out(left(outcomes), right(outcomes)))

    def in_range(self, formula: InRange) -> OfOutcomes:
        inner = self.part(formula.formula)
        low, high = (None if end is None else self.part(end) for end in (formula.low, formula.high))
        return lambda outcomes: in_range(inner(outcomes), low and low(outcomes), high and high(outcomes))

    def call(self, call: Call) -> OfOutcomes:
        """A function of numbers; one of dice is rolled."""
        if call.name == "if":
            test, then, otherwise = map(self.part, call.arguments)
            return lambda outcomes: (then if test(outcomes) else otherwise)(outcomes)
        if call.name in DICE_FUNCTIONS and call.name not in ("max", "min"):
            return self.roll(call)
        if call.name not in _OF_NUMBERS:
            raise ResolverError(f"{call.name}() is no part of a roll")
        work_out, parts = _OF_NUMBERS[call.name], list(map(self.part, call.arguments))
        return lambda outcomes: work_out(*[part(outcomes) for part in parts])


_OF_NUMBERS: Mapping[str, Callable[..., Rational]] = {**FUNCTIONS, "max": max, "min": min}
