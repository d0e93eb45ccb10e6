"""Rolls in formulas: sums, comparisons and branches of rolls, and the functions that roll, such as explode().

In: numbers, pools and Distributions, and the Scope, which says how far open-ended rolls are followed and counts the
work. Out: a Distribution. The same rolls give the same result object, for tables ask for the same dice over and over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import lcm
from typing import Any

from refgen.errors import ResolverError
from refgen.notation.formula_tree import KEEPING_HINT, Call, Pool
from refgen.resolver.dice import combine, rolled_again
from refgen.resolver.dice.arithmetic import Rational, shorten_number
from refgen.resolver.dice.arithmetic import product as multiplied
from refgen.resolver.dice.combine import MEMORY, one_die, repeat_die
from refgen.resolver.dice.convolution import GeometricTail, common_period
from refgen.resolver.dice.cost import MAX_REROLLS, check_repeated, rerolls_to
from refgen.resolver.dice.distribution import NOWHERE, Distribution, either_open
from refgen.resolver.dice.moments import MomentsOf, of_mixture
from refgen.resolver.formula.following import follow_as_far, follow_roll
from refgen.resolver.formula.rolled import RepeatedRolls, Value, as_roll, sum_of_rolls
from refgen.resolver.formula.scope import Scope


def signed_sum(signed: Sequence[tuple[int, Callable[[Scope], Value]]], scope: Scope) -> Distribution:
    """The sum of some independent rolls, each with its sign.

    A difference of endless rolls is exact when both are followed until their chances repeat.
    """
    rolls = _evaluate_terms(signed, scope)
    rising = [rolled.rising for rolled in rolls if rolled.rising and rolled.rising.is_whole]
    falling = [rolled.falling for rolled in rolls if rolled.falling and rolled.falling.is_whole]
    if rising and falling:
        rolls = _evaluate_terms(signed, scope.reaching(scope.reach + _until_both_repeat(rising[0], falling[0])))
    return sum_of_rolls(rolls, scope)


def _evaluate_terms(signed: Sequence[tuple[int, Callable[[Scope], Value]]], scope: Scope) -> Sequence[Distribution]:
    rolls = ((sign, as_roll(part(scope), scope)) for sign, part in signed)
    return [rolled if sign > 0 else rolled.negated() for sign, rolled in rolls]


def _until_both_repeat(rising: GeometricTail, falling: GeometricTail) -> int:
    """How much farther two endless rolls must be followed than their difference; 0 when that would be too far."""
    farther = common_period(rising, falling) + max(rising.start, falling.start, 0)
    return farther if farther <= MAX_REROLLS else 0


def product(left: Value, right: Value, scope: Scope) -> Distribution:
    """The product of two independent values."""
    one, two = as_roll(left, scope), as_roll(right, scope)
    if not (one.is_whole and two.is_whole):
        return each_outcome(multiplied, [one, two], scope)
    scope.work.multiply_rolls(one, two)
    return combine.product(one, two)


def extreme_roll(name: str, values: Sequence[Callable[[Scope], Value]], scope: Scope) -> Distribution:
    """The highest or the lowest of some rolls: "max" or "min"."""
    first, *others = follow_as_far(values, scope)
    for other in others:
        scope.work.compare_rolls(first, other)
        first = combine.higher_roll(first, other) if name == "max" else combine.lower_roll(first, other)
    return first


def mix_branches(
    ask: Callable[[Scope], Value], then: Callable[[Scope], Value], otherwise: Callable[[Scope], Value], scope: Scope
) -> Distribution:
    """The mixture of two branches: each branch with the chance that the test leads to it."""
    test = follow_roll(ask, scope, 0)
    never = test.weight(0)
    sides = [
        (weight, as_roll(side(scope), scope))
        for weight, side in ((test.denominator - never, then), (never, otherwise))
        if weight
    ]
    common = lcm(*[rolled.denominator for _, rolled in sides])
    weights: defaultdict[Any, int] = defaultdict(int)
    for share, rolled in sides:
        factor = share * (common // rolled.denominator)
        for outcome, weight in rolled.items():
            weights[outcome] += factor * weight
    rolls = [rolled for _, rolled in sides]
    mixed, residue = Distribution.of(weights), either_open(test, *rolls)
    stays_inexact = any(rolled.stays_inexact for rolled in (test, *rolls))
    if not test.is_exact(0):
        return mixed.with_tails(NOWHERE, residue, stays_inexact=stays_inexact)
    falls, rises = zip(*[rolled.tail_ends for rolled in rolls], strict=True)
    moments = MomentsOf(of_mixture, (test, rolls[0], rolls[-1]))
    return mixed.with_tails((max(falls), min(rises)), residue, moments_of=moments, stays_inexact=stays_inexact)


def within_range(
    evaluate: Callable[[Scope], Value], low: Rational | None, high: Rational | None, scope: Scope
) -> Distribution:
    """1 where a roll lies in a range, else 0."""
    goals = [goal for goal in (low, None if high is None else high + 1) if goal is not None]
    return combine.compared_range(follow_roll(evaluate, scope, *goals), low, high)


def each_outcome(function: Callable[..., Rational], values: Sequence[Value], scope: Scope) -> Distribution:
    """A function of numbers, of every combination of outcomes of some independent rolls."""
    rolls = tuple([as_roll(value, scope) for value in values])
    scope.work.go_through(rolls)
    return combine.each_outcome(function, rolls)


Argument = Callable[[Scope], Value]
"""An argument of a dice function: from a Scope to a number, a pool or a distribution."""

DiceFunction = Callable[[Call, Sequence[Argument], Scope], Value]


def _explode(_call: Call, parts: Sequence[Argument], scope: Scope) -> Distribution:
    """Only dice explode, at the highest outcome or from a number on: a number added to the dice is added once."""
    rolled, *least = _bounded_argument("explode", parts[0], scope), *(_number(part, scope) for part in parts[1:])
    if not least:
        dice = rolled.shifted(-rolled.added)
        rerolls = _rerolls(dice, dice.outcomes[-1], scope)
        scope.work.reroll(dice, rerolls)
        return rolled_again.explode(dice, rerolls).shifted(rolled.added)
    if least[0] is None:
        raise ResolverError("explode() takes a roll and the number from which on it explodes, such as explode(d6, 5)")
    rerolls = _rerolls(rolled, least[0], scope)
    scope.work.explode_from(rolled, least[0], rerolls)
    return rolled_again.exploding_from(rolled, least[0], rerolls)


def _rerolls(first: Distribution, step: int, scope: Scope) -> int:
    """How many times a roll is rolled again and added, at least a step each time."""
    reach = scope.reach - int(min(first.outcomes[0], 0))
    return rerolls_to(len(first.outcomes), reach, max(1, step), scope.farther)


def _open_ended(_call: Call, parts: Sequence[Argument], scope: Scope) -> Distribution:
    rolled = _bounded_argument("open", parts[0], scope)
    ends = [max(1, end) for end in (rolled.outcomes[-1], -rolled.outcomes[0])]
    rerolls = max(rerolls_to(len(rolled.outcomes), scope.reach, end, scope.farther) for end in ends)
    scope.work.reroll(rolled, rerolls)
    return rolled_again.opening(rolled, rerolls)


def _bounded_argument(name: str, part: Argument, scope: Scope) -> Distribution:
    """An argument of which the highest outcome is asked, or both ends."""
    rolled = _whole_argument(part, scope)
    if rolled.is_open:
        raise ResolverError(f"{name}() needs a roll with a lowest and a highest outcome")
    return rolled


def _whole_argument(part: Argument, scope: Scope) -> Distribution:
    return as_roll(part(scope), scope).as_whole()


def _number(part: Argument, scope: Scope) -> int | None:
    """The whole number that an argument is; None for a roll."""
    value = part(scope)
    return None if isinstance(value, Distribution) or not isinstance(value, int) else value


def _snake(_call: Call, parts: Sequence[Argument], scope: Scope) -> Distribution:
    """A fumble is one below the lowest outcome, or what the second argument says."""
    first, *worst = (_whole_argument(part, scope) for part in parts)
    if worst and len(worst[0].outcomes) > 1:
        raise ResolverError("snake() takes dice and the number that a fumble counts as")
    return rolled_again.with_snake_eyes(first, worst[0].outcomes[0] if worst else None)


def _keep(call: Call, parts: Sequence[Argument], scope: Scope) -> Distribution:
    """The sum of the highest (or lowest) few dice of a pool."""
    number, pool = _number(parts[0], scope), parts[1](scope)
    if number is None:
        raise ResolverError(f"{call.name}() takes how many dice are kept, and dice, such as {call.name}(2, 4d6)")
    if pool != 0 and not isinstance(pool, Pool):
        what = f"{call.name}() keeps single dice of one kind, such as {call.name}(2, 4d6)"
        message = f"{what}: no sums, and no dice that explode or are rolled again"
        raise ResolverError(message, hint=KEEPING_HINT)
    if not isinstance(pool, Pool) or not 1 <= number <= pool.count:
        count = pool.count if isinstance(pool, Pool) else 0
        raise ResolverError(f"{call.name}() cannot keep {number} of {count} dice")
    scope.work.keep_dice(number, pool)
    return _keep_dice(call.name, number, pool)


@lru_cache(MEMORY)
def _keep_dice(name: str, number: int, pool: Pool) -> Distribution:
    import icepool  # which loads for a while, and few games keep dice

    dice = icepool.Die(one_die(pool).outcomes).pool(pool.count)
    try:  # a call for each face, in one another
        chosen = (dice.highest(number) if name == "highest" else dice.lowest(number)).sum()
    except RecursionError as error:
        message = f"dice of {len(one_die(pool).outcomes):,} faces are too large to keep some of them"
        raise ResolverError(message, hint="Keep dice with some hundred faces.") from error
    return Distribution(tuple(chosen.outcomes()), tuple(chosen.quantities()))


def _evaluate_lesser(_call: Call, parts: Sequence[Argument], scope: Scope) -> Distribution:
    first, second = (_whole_argument(part, scope) for part in parts)
    scope.work.compare_rolls(first, second)
    return combine.lesser_roll(first, second)


def _reroll(call: Call, parts: Sequence[Argument], scope: Scope) -> Distribution:
    """Roll again when one of the given outcomes shows: once, or until none of them does."""
    faces = [_number(part, scope) for part in parts[1:]]
    known = [face for face in faces if face is not None]
    if len(known) < len(faces):
        example = f"such as {call.name}(d6, 1)"
        raise ResolverError(f"{call.name}() takes a roll and the outcomes that are rolled again, {example}")
    first = follow_roll(parts[0], scope, *known).as_whole()
    return rolled_again.reroll(first, known) if call.name == "reroll" else rolled_again.exclude_outcomes(first, known)


def _repeat(_call: Call, parts: Sequence[Argument], scope: Scope) -> Value:
    """A roll made several times: one die some times is a pool of dice, anything else stays rolls by themselves."""
    number, value = _number(parts[0], scope), parts[1](scope)
    if number is None:
        raise ResolverError("repeat() takes how often, and what is rolled, such as repeat(3, d6 + 1)")
    check_repeated(number)
    match value:
        case _ if not number:
            return 0
        case Pool(count=1, sides=sides):
            return Pool(number, sides)
        case Pool():
            return RepeatedRolls(number, value)
    return RepeatedRolls(number, as_roll(value, scope).as_whole())


def count_rolls(
    rolls: Value, test: Callable[..., int], numbers: Sequence[Rational | None], scope: Scope
) -> Distribution:
    """How many dice of a pool, or rolls of repeat(), meet a test: a comparison with a number, or with two ends."""
    match rolls:
        case 0:
            return Distribution.certain(0)  # no dice, no successes
        case Pool(count=number):
            scope.work.count_dice(rolls)
            rolled = one_die(rolls)
        case RepeatedRolls(number=number):
            rolled = as_roll(rolls.rolled, scope)
            scope.work.count_rolls(number, rolled)
        case _:
            raise refused_count()
    if rolled.is_open:
        message = "count() takes no open-ended rolls: it is not said whether the dice that are added count as well"
        hint = "How many of four rolls come to 8 or more is repeat(4, d6! >= 8)."
        raise ResolverError(message, hint=hint)
    met = sum([weight for outcome, weight in rolled.items() if test(outcome, *numbers)])
    return repeat_die(Distribution.of({0: rolled.denominator - met, 1: met}), number)


def refused_count() -> ResolverError:
    """The error for a count() of what is no dice and no repeat(), or of a comparison with another roll."""
    message = "count() takes dice or repeat(), a comparison and a number, such as count(6d10 >= 7)"
    hint = "Of 3d6 + 2, how many of six rolls come to 15 or more is count(repeat(6, 3d6 + 2) >= 15)."
    return ResolverError(message, hint=hint)


def whole_number_of_dice(number: Rational) -> int:
    """A number that stands beside dice. Raises ResolverError for one that is not whole, or far too large."""
    if not isinstance(number, int) or abs(number) > MAX_DICE:
        raise ResolverError(f"{shorten_number(number)} is no whole number that belongs to dice")
    return number


def pool_of(number: Rational, sides: int) -> Value:
    """So many dice of some sides; no dice are 0."""
    count = whole_number_of_dice(number)
    if count < 0:
        raise ResolverError(f"{count} dice cannot be rolled")
    return Pool(count, sides) if count else 0


MAX_DICE = 10_000
"""Far beyond any number of dice; the most dice of a roll are a limit of their own (limits.py)."""

DICE: Mapping[str, DiceFunction] = {
    "explode": _explode,
    "open": _open_ended,
    "snake": _snake,
    "half_away": lambda _call, parts, scope: combine.half_away(_whole_argument(parts[0], scope)),
    "highest": _keep,
    "lowest": _keep,
    "lesser": _evaluate_lesser,
    "times": lambda _call, parts, scope: product(
        _whole_argument(parts[0], scope), _whole_argument(parts[1], scope), scope
    ),
    "reroll": _reroll,
    "without": _reroll,
    "repeat": _repeat,
}
"""The functions that roll, by name; map() and chances() stand in dice_tables, count() in compiler."""
