"""A slow and obvious second opinion: every way that the dice of a formula can come up, listed one by one.

Nothing here is shared with the resolver but the tree of the formula. A roll that goes on is followed beyond
``FAR``, and is then endless: its outcome is infinite, and plus or minus infinity behaves as an outcome that is too far
away to matter. What depends on two infinities at once is ``UNKNOWN``.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor, inf, isinf, isnan, nan, prod
from typing import Any

from refgen.notation.formula_parser import read_inline_table
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
from refgen.notation.values import Interval

FAR = 60
UNKNOWN = nan

Outcome = float  # a whole number, an infinity or UNKNOWN; of a quotient, a Fraction


class RefusedError(Exception):
    """A function of single dice is asked of what is one number, or of rolls that go on."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Outcomes with their weights, out of ``whole``: one for each way that the dice can come up, so they repeat."""

    listed: list[tuple[Outcome, int]]
    whole: int

    def weights(self) -> Mapping[Outcome, int]:
        """The weight of each outcome; UNKNOWN may be there more than once, for it equals nothing."""
        weights: defaultdict[Outcome, int] = defaultdict(int)
        for outcome, weight in self.listed:
            weights[outcome] += weight
        return weights

    def merged(self) -> Outcomes:
        """Equal outcomes as one."""
        return Outcomes([*self.weights().items()], self.whole)

    def chances(self) -> tuple[Mapping[Outcome, Fraction], Fraction]:
        """The chance of each outcome, and that of an outcome that depends on how two endless rolls go on."""
        weights = self.weights()
        unknown = sum(weight for outcome, weight in weights.items() if isnan(outcome))
        known = {outcome: Fraction(weight, self.whole) for outcome, weight in weights.items() if not isnan(outcome)}
        return known, Fraction(unknown, self.whole)


def how_many(formula: Formula) -> int:
    """About how many outcomes are listed for a formula."""
    match formula:
        case Constant():
            return 1
        case Pool(count=count):
            return int(len(_faces(formula)) ** count)
        case Sum(terms=terms):
            return prod(how_many(term) for _, term in terms)
        case Call(name="repeat", arguments=(times, rolled)):
            return int(max(how_many(rolled), min(how_many(rolled), 100) ** _number(times)))
        case Call(name="explode" | "open", arguments=(argument,)):
            return how_many(argument) * 50 if how_many(argument) > 50 else len(outcomes_of(formula).listed)
        case Call(name="explode", arguments=(argument, _)):
            return how_many(argument) * 200
        case Call(name="snake" | "reroll" | "without", arguments=(argument, *_)):
            return how_many(argument) * 3
    return prod(map(how_many, parts_of(formula)))


def outcomes_of(formula: Formula) -> Outcomes:
    """List all outcomes of a formula."""
    match formula:
        case Constant(value=int() as value):
            return Outcomes([(value, 1)], 1)
        case Pool(count=count):
            return _each(product(_faces(formula), repeat=count), sum)
        case Sum(terms=terms):
            signs = [sign for sign, _ in terms]
            return _together(
                [outcomes_of(term) for _, term in terms], lambda *parts: _total(map(operator.mul, signs, parts))
            )
        case ComparisonTest() | RangeTest():
            ends = parts_of(formula)
            return _together([outcomes_of(end) for end in ends], _test_of(formula))
        case BinaryOperation(sign=sign, left=left, right=right):
            return _together([outcomes_of(left), outcomes_of(right)], _SIGNS[sign])
        case Call():
            return _CALLS[formula.name](formula)
    raise AssertionError(f"{formula} is not rolled here")


def _number(formula: Formula) -> int:
    return int(outcomes_of(formula).listed[0][0])


def _test_of(asked: ComparisonTest | RangeTest) -> Callable[..., Outcome]:
    """Whether an outcome compares so with another, or lies between two ends; the first end may lack, or the second."""
    if isinstance(asked, ComparisonTest):
        return _COMPARED[asked.sign]
    if asked.low is None:
        return _COMPARED["<="]
    if asked.high is None:
        return _COMPARED[">="]
    return lambda outcome, low, high: _and(_COMPARED[">="](outcome, low), _COMPARED["<="](outcome, high))


def _compared(compare: Callable[[Outcome, Outcome], bool]) -> Callable[[Outcome, Outcome], Outcome]:
    def test(left: Outcome, right: Outcome) -> Outcome:
        is_unknown = isnan(left) or isnan(right) or (left == right and isinf(left))
        return UNKNOWN if is_unknown else int(compare(left, right))

    return test


_COMPARED = {
    sign: _compared(compare)
    for sign, compare in {
        ">=": operator.ge,
        "<=": operator.le,
        ">": operator.gt,
        "<": operator.lt,
        "==": operator.eq,
        "!=": operator.ne,
    }.items()
}


def _and(left: Outcome, right: Outcome) -> Outcome:
    """0 if either is, whatever the other is."""
    return 0 if 0 in (left, right) else UNKNOWN if isnan(left) or isnan(right) else 1


def _quotient(left: Any, right: Any) -> Any:
    return left if isinf(left) or isnan(left) else Fraction(left) / right


def _rounded(function: Callable[[Outcome], Outcome]) -> Callable[[Call], Outcomes]:
    """A function of an outcome that leaves endless outcomes as they are."""
    return _of_arguments(lambda outcome: outcome if isinf(outcome) or isnan(outcome) else function(outcome))


def _sign(outcome: Outcome) -> Outcome:
    return UNKNOWN if isnan(outcome) else (outcome > 0) - (outcome < 0)


def _nearest(outcome: Outcome) -> Outcome:
    return floor(abs(outcome) + Fraction(1, 2)) * int(_sign(outcome))


def _faces(pool: Pool) -> Sequence[int]:
    return range(1, pool.sides + 1) if pool.sides else (-1, 0, 1)


def _each(all_faces: Iterable[tuple[int, ...]], outcome: Callable[[tuple[int, ...]], int]) -> Outcomes:
    listed: list[tuple[Outcome, int]] = [(outcome(faces), 1) for faces in all_faces]
    return Outcomes(listed, len(listed))


def _together(parts: list[Outcomes], outcome: Callable[..., Outcome]) -> Outcomes:
    listed = [
        (outcome(*(part for part, _ in together)), prod(weight for _, weight in together))
        for together in product(*(part.listed for part in parts))
    ]
    return Outcomes(listed, prod(part.whole for part in parts))


def _total(outcomes: Iterable[Outcome]) -> Outcome:
    """The sum; what is endless on one side and very far on the other may end anywhere."""
    listed = list(outcomes)
    total = sum(listed)  # infinity minus infinity is nan
    ends = sum(outcome for outcome in listed if not isinf(outcome))
    return UNKNOWN if isinf(total) and abs(ends) > FAR / 2 and (ends > 0) != (total > 0) else total


def _of_arguments(outcome: Callable[..., Outcome]) -> Callable[[Call], Outcomes]:
    return lambda call: _together([outcomes_of(argument) for argument in call.arguments], outcome)


def _greatest(*outcomes: Outcome) -> Outcome:
    return UNKNOWN if any(map(isnan, outcomes)) else max(outcomes)


def _least(*outcomes: Outcome) -> Outcome:
    return UNKNOWN if any(map(isnan, outcomes)) else min(outcomes)


def _lesser(left: Outcome, right: Outcome) -> Outcome:
    if isnan(left) or isnan(right) or (left == right and isinf(left)):
        return UNKNOWN
    return left if left < right else -right if right < left else 0


def _times(left: Outcome, right: Outcome) -> Outcome:
    return 0 if 0 in (left, right) else left * right


def _half(outcome: Outcome) -> Outcome:
    if isinf(outcome) or isnan(outcome):
        return outcome
    return int(outcome / 2 + (0.5 if outcome > 0 else -0.5 if outcome < 0 else 0))


def _explode(call: Call) -> Outcomes:
    """Only dice explode: the numbers among them are added once."""
    rolled, *least = call.arguments
    if least:
        return _going_on_from(outcomes_of(rolled), outcomes_of(least[0]).listed[0][0])
    numbers = [term for term in rolled.terms if isinstance(term[1], Constant)] if isinstance(rolled, Sum) else []
    if isinstance(rolled, Sum) and numbers:
        added = sum(sign * term.value for sign, term in numbers if isinstance(term, Constant))
        dice = outcomes_of(Sum(tuple(term for term in rolled.terms if term not in numbers)))
        exploded = _going_on(dice, +1, lambda outcome: outcome)
        return Outcomes([(outcome + int(added), weight) for outcome, weight in exploded.listed], exploded.whole)
    return _going_on(outcomes_of(rolled), +1, lambda outcome: outcome)


def _going_on_from(first: Outcomes, least: Outcome) -> Outcomes:
    """Follow a roll that is rolled again at each outcome from one up, sum after sum."""
    steps = int(FAR // least) + 1
    listed: list[tuple[Outcome, int]] = []
    reached: dict[Outcome, int] = {0: 1}
    for step in range(steps):
        further: defaultdict[Outcome, int] = defaultdict(int)
        for before, ways in reached.items():
            for outcome, weight in first.weights().items():
                if outcome >= least:
                    further[before + outcome] += ways * weight
                else:
                    listed.append((before + outcome, ways * weight * first.whole ** (steps - step - 1)))
        reached = further
    listed.append((inf, sum(reached.values())))
    return Outcomes(listed, first.whole**steps)


def _without(call: Call) -> Outcomes:
    left_out = {outcomes_of(argument).listed[0][0] for argument in call.arguments[1:]}
    listed = [(outcome, weight) for outcome, weight in outcomes_of(call.arguments[0]).listed if outcome not in left_out]
    return Outcomes(listed, sum(weight for _, weight in listed))


def _going_on(first: Outcomes, sign: int, added: Callable[[Outcome], Outcome]) -> Outcomes:
    """Follow a roll that is rolled again at its last outcome, one re-roll after the other."""
    end = max(sign * outcome for outcome, _ in first.listed) * sign
    if end * sign <= 0:
        return Outcomes([], 1)  # it cannot go on
    steps = int(FAR // abs(end)) + 1
    ends = sum(weight for outcome, weight in first.listed if outcome == end)
    listed = []
    for step in range(steps):
        for outcome, weight in first.listed:
            if outcome != end:
                total = outcome if step == 0 else end * step + added(outcome)
                listed.append((total, weight * ends**step * first.whole ** (steps - step)))
    listed.append((sign * inf, ends**steps * first.whole))
    return Outcomes(listed, first.whole ** (steps + 1))


def _open(call: Call) -> Outcomes:
    first = outcomes_of(call.arguments[0])
    bottom = min(outcome for outcome, _ in first.listed)
    up = _going_on(first, +1, lambda outcome: max(outcome, 0))
    down = _going_on(first, -1, lambda outcome: min(outcome, 0))
    listed = [(outcome, weight * down.whole) for outcome, weight in up.listed if outcome > bottom]
    listed += [(outcome, weight * up.whole) for outcome, weight in down.listed if outcome <= bottom]
    return Outcomes(listed, up.whole * down.whole)


def _snake(call: Call) -> Outcomes:
    first = outcomes_of(call.arguments[0])
    lowest = min(outcome for outcome, _ in first.listed)
    fumble = min(lowest, outcomes_of(call.arguments[1]).listed[0][0]) if len(call.arguments) > 1 else lowest - 1
    return _once_more(first, lambda one: one == lowest, lambda two: fumble if two == lowest else lowest)


def _reroll(call: Call) -> Outcomes:
    first = outcomes_of(call.arguments[0])
    again = {outcomes_of(argument).listed[0][0] for argument in call.arguments[1:]}
    return _once_more(first, lambda one: one in again, lambda two: two)


def _once_more(first: Outcomes, again: Callable[[Outcome], bool], second: Callable[[Outcome], Outcome]) -> Outcomes:
    """Roll a second time after some outcomes of the first: equal ones as one, else thousands would become millions."""
    listed = []
    weights = first.weights()
    seconds = [(second(two), weight) for two, weight in weights.items()]
    for outcome, weight in weights.items():
        if again(outcome):
            listed += [(two, weight * other) for two, other in seconds]
        else:
            listed.append((outcome, weight * first.whole))
    return Outcomes(listed, first.whole**2)


def _rolls_of(formula: Formula) -> Sequence[Outcomes]:
    """The single dice of a pool, or the rolls of repeat(). Raises RefusedError for what is one number."""
    match formula:
        case Constant(value=0):
            return []
        case Pool(count=count):
            return [outcomes_of(Pool(1, formula.sides))] * count
        case Call(name="repeat", arguments=(times, rolled)):
            return [outcomes_of(rolled).merged()] * _number(times)
    raise RefusedError


def _is_of_dice(formula: Formula) -> bool:
    """Whether a formula is dice of one kind that nothing was done to, or no dice."""
    match formula:
        case Call(name="repeat", arguments=(times, rolled)):
            is_die = isinstance(rolled, Pool | Call) and _is_of_dice(rolled) and len(_rolls_of(rolled)) == 1
            return is_die or not _number(times)
    return isinstance(formula, Pool) or formula == Constant(0)


def _keep(call: Call) -> Outcomes:
    number, rolls = _number(call.arguments[0]), _rolls_of(call.arguments[1])
    if not _is_of_dice(call.arguments[1]) or not 1 <= number <= len(rolls):
        raise RefusedError
    chosen = slice(-number, None) if call.name == "highest" else slice(number)
    return _together(list(rolls), lambda *faces: sum(sorted(faces)[chosen]))


def _repeat(call: Call) -> Outcomes:
    return _together(list(_rolls_of(call)), lambda *rolls: _total(rolls))


def _count(call: Call) -> Outcomes:
    (asked,) = call.arguments
    assert isinstance(asked, ComparisonTest | RangeTest)
    counted, *ends = parts_of(asked)
    if counted == Constant(0):
        raise RefusedError
    rolls, numbers = _rolls_of(counted), [_number(end) for end in ends]
    if any(isinf(outcome) or isnan(outcome) for rolled in rolls for outcome, _ in rolled.listed):
        raise RefusedError
    test = _test_of(asked)
    return _together(list(rolls), lambda *outcomes: sum(test(outcome, *numbers) for outcome in outcomes))


def _map(call: Call) -> Outcomes:
    return in_table(outcomes_of(call.arguments[0]), read_inline_table(call.table))


def in_table(rolled: Outcomes, table: Iterable[tuple[Interval, int]]) -> Outcomes:
    """Look each outcome up."""
    rows = [
        (-inf if cell.low is None else cell.low, inf if cell.high is None else cell.high, result)
        for cell, result in table
    ]

    def result(outcome: Outcome) -> Outcome:
        if isnan(outcome):
            return UNKNOWN
        (found,) = (result for low, high, result in rows if low <= outcome <= high)
        return found

    return Outcomes([(result(outcome), weight) for outcome, weight in rolled.listed], rolled.whole)


_CALLS: Mapping[str, Callable[[Call], Outcomes]] = {
    "explode": _explode,
    "open": _open,
    "snake": _snake,
    "reroll": _reroll,
    "without": _without,
    "highest": _keep,
    "lowest": _keep,
    "count": _count,
    "map": _map,
    "max": _of_arguments(_greatest),
    "min": _of_arguments(_least),
    "repeat": _repeat,
    "floor": _rounded(floor),
    "ceiling": _rounded(ceil),
    "nearest": _rounded(_nearest),
    "abs": _of_arguments(abs),
    "sign": _of_arguments(_sign),
    "lesser": _of_arguments(_lesser),
    "times": _of_arguments(_times),
    "half_away": _of_arguments(_half),
}

_SIGNS: Mapping[str, Callable[[Outcome, Outcome], Outcome]] = {"*": _times, "/": _quotient, "and": _and}
