"""A second opinion on rolls that go on: each die is followed until fewer than one roll in 10²⁰ goes on.

Nothing is shared with the resolver but the tree of a formula, and the functions of numbers. What comes of dice that
still go on then is not known: its chance is told apart, and no chance here is farther from the truth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod

from refgen.notation.formula_parser import parse_dice, read_inline_table
from refgen.notation.formula_tree import (
    BinaryOperation,
    Call,
    ComparisonTest,
    Constant,
    Formula,
    Pool,
    RangeTest,
    Sum,
    parts_of,
)
from refgen.resolver.dice.arithmetic import COMPARISONS, FUNCTIONS, SIGNS

NEGLIGIBLE = Fraction(1, 10**20)

Outcome = Fraction | int


@dataclass(frozen=True, slots=True)
class FarRoll:
    """The chance of each outcome, and the chance of dice that still went on."""

    chances: Mapping[Outcome, Fraction]
    unknown: Fraction = Fraction(0)

    def exactly(self, number: Outcome) -> Fraction:
        """The chance of that outcome, but for what is not known."""
        return self.chances.get(number, Fraction(0))

    def at_least(self, number: Outcome) -> Fraction:
        """The chance of that outcome or a higher one, but for what is not known."""
        return sum((chance for outcome, chance in self.chances.items() if outcome >= number), Fraction(0))

    def moment(self, power: int) -> Fraction:
        """The expected power of the outcome, but for what is not known."""
        return sum((chance * outcome**power for outcome, chance in self.chances.items()), Fraction(0))


def far_roll(text: str) -> FarRoll:
    """The roll of a text."""
    return _roll(parse_dice(text))


def _roll(formula: Formula) -> FarRoll:
    match formula:
        case Constant(value=value):
            return FarRoll({value: Fraction(1)})
        case Pool(count=count, sides=sides):
            faces = range(1, sides + 1) if sides else (-1, 0, 1)
            return _pointwise(lambda *own: sum(own), *[FarRoll(dict.fromkeys(faces, Fraction(1, len(faces))))] * count)
        case RangeTest(formula=asked, low=low, high=high):
            return _in_range(_roll(asked), *[None if end is None else _roll(end) for end in (low, high)])
        case Call():
            return _CALLS.get(formula.name, _function)(formula)
    return _pointwise(_operation(formula), *map(_roll, parts_of(formula)))


def _operation(formula: Formula) -> Callable[..., Outcome]:
    match formula:
        case Sum(terms=terms):
            signs = [sign for sign, _ in terms]
            return lambda *own: sum(sign * part for sign, part in zip(signs, own, strict=True))
        case BinaryOperation(sign="and"):
            return lambda one, two: int(bool(one and two))
        case BinaryOperation(sign="or"):
            return lambda one, two: int(bool(one or two))
        case BinaryOperation(sign=sign):
            return SIGNS[sign]
        case ComparisonTest(sign=sign):
            return lambda one, two: int(COMPARISONS[sign](one, two))
    raise AssertionError(f"{formula} is not rolled here")


def _in_range(asked: FarRoll, low: FarRoll | None, high: FarRoll | None) -> FarRoll:
    anything = FarRoll({0: Fraction(1)})
    return _pointwise(
        lambda own, least, most: int((low is None or least <= own) and (high is None or own <= most)),
        asked,
        low or anything,
        high or anything,
    )


def _pointwise(function: Callable[..., Outcome], *rolls: FarRoll) -> FarRoll:
    """A function of all combinations of outcomes."""
    found: defaultdict[Outcome, Fraction] = defaultdict(Fraction)
    for combination in product(*(rolled.chances.items() for rolled in rolls)):
        chance = prod([chance for _, chance in combination], start=Fraction(1))
        found[function(*[outcome for outcome, _ in combination])] += chance
    return FarRoll(found, 1 - prod([1 - rolled.unknown for rolled in rolls], start=Fraction(1)))


def _function(call: Call) -> FarRoll:
    return _pointwise(FUNCTIONS[call.name], *map(_roll, call.arguments))


def _if(call: Call) -> FarRoll:
    test, then, otherwise = map(_roll, call.arguments)
    shares = [(1 - test.unknown - test.exactly(0), then), (test.exactly(0), otherwise)]
    found: defaultdict[Outcome, Fraction] = defaultdict(Fraction)
    for share, side in shares:
        for outcome, chance in side.chances.items():
            found[outcome] += share * chance
    return FarRoll(found, test.unknown + sum(share * side.unknown for share, side in shares))


def _going_on(first: FarRoll, goes_on: Callable[[Outcome], bool], added: Callable[[Outcome], Outcome]) -> FarRoll:
    """A roll to which ``added`` of another roll is added as long as the last roll goes on."""
    found: defaultdict[Outcome, Fraction] = defaultdict(Fraction)
    open_sums: Mapping[Outcome, Fraction] = {0: Fraction(1)}
    is_first = True
    while sum(open_sums.values()) > NEGLIGIBLE:
        further: defaultdict[Outcome, Fraction] = defaultdict(Fraction)
        for total, reached in open_sums.items():
            for outcome, chance in first.chances.items():
                ended = total + (outcome if is_first or goes_on(outcome) else added(outcome))
                (further if goes_on(outcome) else found)[ended] += reached * chance
        open_sums, is_first = further, False
    return FarRoll(found, sum(open_sums.values(), Fraction(0)))


def _explode(call: Call) -> FarRoll:
    first, *least = map(_roll, call.arguments)
    number = next(iter(least[0].chances)) if least else max(first.chances)
    return _going_on(first, lambda outcome: outcome >= number, lambda outcome: outcome)


def _open(call: Call) -> FarRoll:
    first = _roll(call.arguments[0])
    top, bottom = max(first.chances), min(first.chances)
    up = _going_on(first, lambda outcome: outcome == top, lambda outcome: max(outcome, 0))
    down = _going_on(first, lambda outcome: outcome == bottom, lambda outcome: min(outcome, 0))
    found = {outcome: chance for outcome, chance in up.chances.items() if outcome > bottom}
    for outcome, chance in down.chances.items():
        if outcome <= bottom:
            found[outcome] = found.get(outcome, Fraction(0)) + chance
    return FarRoll(found, up.unknown + down.unknown)


def _again(call: Call) -> FarRoll:
    first = _roll(call.arguments[0])
    faces = {next(iter(_roll(face).chances)) for face in call.arguments[1:]}
    again = sum((first.exactly(face) for face in faces), Fraction(0))
    kept = {outcome: chance for outcome, chance in first.chances.items() if outcome not in faces}
    if call.name == "without":
        return FarRoll({outcome: chance / (1 - again) for outcome, chance in kept.items()}, first.unknown / (1 - again))
    found = {outcome: kept.get(outcome, Fraction(0)) + again * chance for outcome, chance in first.chances.items()}
    return FarRoll(found, first.unknown * (1 + again))


def _snake(call: Call) -> FarRoll:
    first = _roll(call.arguments[0])
    lowest = min(first.chances)
    twice, found = first.exactly(lowest) ** 2, dict(first.chances)
    found[lowest] -= twice
    found[lowest - 1] = twice
    return FarRoll(found, first.unknown)


def _map(call: Call) -> FarRoll:
    table = read_inline_table(call.table)
    rolled = _roll(call.arguments[0])
    return _pointwise(lambda own: next(result for interval, result in table if int(own) in interval), rolled)


def _repeat(call: Call) -> FarRoll:
    number, rolled = map(_roll, call.arguments)
    found = FarRoll({0: Fraction(1)})
    for _ in range(int(next(iter(number.chances)))):
        found = _pointwise(lambda one, two: one + two, found, rolled)
    return found


def _half(number: Outcome) -> Outcome:
    return floor(number / 2 + Fraction(1, 2)) if number > 0 else ceil(number / 2 - Fraction(1, 2))


def _lesser(one: Outcome, two: Outcome) -> Outcome:
    return one if one < two else -two if two < one else 0


def _of_arguments(function: Callable[..., Outcome]) -> Callable[[Call], FarRoll]:
    return lambda call: _pointwise(function, *map(_roll, call.arguments))


_CALLS: Mapping[str, Callable[[Call], FarRoll]] = {
    "if": _if,
    "explode": _explode,
    "open": _open,
    "reroll": _again,
    "without": _again,
    "snake": _snake,
    "map": _map,
    "repeat": _repeat,
    "max": _of_arguments(max),
    "min": _of_arguments(min),
    "times": _of_arguments(lambda one, two: one * two),
    "half_away": _of_arguments(_half),
    "lesser": _of_arguments(_lesser),
}
