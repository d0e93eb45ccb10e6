"""The functions of formulas that roll: exploding and kept dice, rerolls, look-ups in a table.

In: a call in a formula, its arguments as functions of a Scope, and the Scope. Out: a Roll.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from refgen.errors import ResolverError
from refgen.notation.formula_parser import read_inline_table
from refgen.notation.formula_tree import Call, ComparisonTest, Pool
from refgen.resolver.dice import combine, open_ended
from refgen.resolver.dice.arithmetic import COMPARISONS, Rational, in_range, shortened
from refgen.resolver.dice.combine import DiceTable, OddsTable, RollTable, repeated
from refgen.resolver.dice.cost import check_repeated, rerolls_to
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.rolls import MEMORY, Value, as_roll, followed, one_die, sum_of_rolls
from refgen.resolver.formula.scope import Named, Scope

Part = Callable[[Scope], Value]
"""An argument, worked out: a number or a Roll."""

DiceFunction = Callable[[Call, Sequence[Part], Scope], Value]


def _explode(_call: Call, parts: Sequence[Part], scope: Scope) -> Roll:
    """Only dice explode, at their highest outcome or from a number on: what was added to them is added once."""
    rolled, *least = _bounded("explode", parts[0], scope), *(_number(part, scope) for part in parts[1:])
    dice = rolled.shifted(-rolled.added)
    reach = scope.reach - int(min(dice.outcomes[0], 0))
    if not least:
        scope.work.reroll(dice, rerolls_to(len(dice.outcomes), reach, max(1, dice.outcomes[-1])))
        return _exploding(dice, scope.reach).shifted(rolled.added)
    if least[0] is None:
        raise ResolverError("explode() takes a roll and the number from which on it explodes, such as explode(d6, 5)")
    scope.work.explode_from(rolled, rerolls_to(len(rolled.outcomes), reach, max(1, least[0])))
    return _exploding_from(rolled, least[0], scope.reach)


def _open(_call: Call, parts: Sequence[Part], scope: Scope) -> Roll:
    rolled = _bounded("open", parts[0], scope)
    ends = [max(1, end) for end in (rolled.outcomes[-1], -rolled.outcomes[0])]
    scope.work.reroll(rolled, max(rerolls_to(len(rolled.outcomes), scope.reach, end) for end in ends))
    return _opening(rolled, scope.reach)


_exploding = lru_cache(MEMORY)(open_ended.exploding)
_exploding_from = lru_cache(MEMORY)(open_ended.exploding_from)
_opening = lru_cache(MEMORY)(open_ended.opening)


def _bounded(name: str, part: Part, scope: Scope) -> Roll:
    """An argument of which the highest outcome is asked, or both ends."""
    rolled = _whole(part, scope)
    if rolled.is_open:
        raise ResolverError(f"{name}() needs a roll with a lowest and a highest outcome")
    return rolled


def _whole(part: Part, scope: Scope) -> Roll:
    return as_roll(part(scope), scope).as_whole()


def _number(part: Part, scope: Scope) -> int | None:
    """The whole number that an argument is; None for a roll."""
    value = part(scope)
    return None if isinstance(value, Roll) or not isinstance(value, int) else value


def _snake(_call: Call, parts: Sequence[Part], scope: Scope) -> Roll:
    """A fumble is one below the lowest outcome, or what the second argument says."""
    first, *worst = (_whole(part, scope) for part in parts)
    if worst and len(worst[0].outcomes) > 1:
        raise ResolverError("snake() takes dice and the number that a fumble counts as")
    return open_ended.with_snake_eyes(first, worst[0].outcomes[0] if worst else None)


def _half_away(_call: Call, parts: Sequence[Part], scope: Scope) -> Roll:
    return combine.half_away(_whole(parts[0], scope))


def _keep(call: Call, parts: Sequence[Part], scope: Scope) -> Roll:
    """The sum of the highest (or lowest) few dice of a pool."""
    number, pool = _number(parts[0], scope), parts[1](scope)
    if number is None or not isinstance(pool, Pool) or not 1 <= number <= pool.count:
        raise ResolverError(f"{call.name}() takes a number and a pool with at least that many dice")
    scope.work.keep_dice(number, pool)
    return _kept(call.name, number, pool)


@lru_cache(MEMORY)
def _kept(name: str, number: int, pool: Pool) -> Roll:
    import icepool  # which loads for a while, and few games keep dice

    dice = icepool.Die(one_die(pool).outcomes).pool(pool.count)
    chosen = (dice.highest(number) if name == "highest" else dice.lowest(number)).sum()
    return Roll(tuple(chosen.outcomes()), tuple(chosen.quantities()))


def _lesser(_call: Call, parts: Sequence[Part], scope: Scope) -> Roll:
    first, second = (_whole(part, scope) for part in parts)
    scope.work.compare_rolls(first, second)
    return combine.lesser(first, second)


def _times(_call: Call, parts: Sequence[Part], scope: Scope) -> Roll:
    first, second = (_whole(part, scope) for part in parts)
    scope.work.multiply_rolls(first, second)
    return combine.product(first, second)


def _reroll(call: Call, parts: Sequence[Part], scope: Scope) -> Roll:
    """Roll again when one of the given outcomes shows: once, or until none of them does."""
    faces = [_number(part, scope) for part in parts[1:]]
    known = [face for face in faces if face is not None]
    if len(known) < len(faces):
        example = f"such as {call.name}(d6, 1)"
        raise ResolverError(f"{call.name}() takes a roll and the outcomes that are rolled again, {example}")
    first = followed(parts[0], scope.reaching(max(scope.reach, *map(abs, known)))).as_whole()
    return open_ended.rerolled(first, known) if call.name == "reroll" else open_ended.without(first, known)


def _repeat(_call: Call, parts: Sequence[Part], scope: Scope) -> Value:
    """A roll made several times and added up; a pool becomes a larger pool."""
    number, value = _number(parts[0], scope), parts[1](scope)
    if number is None:
        raise ResolverError("repeat() takes how often, and what is rolled, such as repeat(3, d6 + 1)")
    check_repeated(number)
    if not number:
        return 0
    if isinstance(value, Pool):
        return Pool(number * value.count, value.sides)
    return sum_of_rolls([as_roll(value, scope).as_whole()] * number, scope)


def _count(call: Call, parts: Sequence[Part], scope: Scope) -> Roll:
    """How many dice of a pool meet a comparison, or lie in a range; its parts are the pool and the ends."""
    asked, pool = call.arguments[0], parts[0](scope)
    if pool == 0:
        return Roll.certain(0)  # no dice, no successes
    numbers = [_number(part, scope) for part in parts[1:]]
    if not isinstance(pool, Pool) or None in numbers:
        raise ResolverError("count() takes a pool, a comparison and a number, such as count(6d10 >= 7)")
    scope.work.count_dice(pool)
    faces = one_die(pool).outcomes
    met = sum(map(_test_of_die(asked, numbers), faces))
    return repeated(Roll.of({0: len(faces) - met, 1: met}), pool.count)


def _test_of_die(asked: Any, numbers: Sequence[int | None]) -> Callable[[int], bool]:
    """Whether a die meets a comparison, or lies in a range."""
    if isinstance(asked, ComparisonTest):
        compare, goal = COMPARISONS[asked.sign], numbers[0] or 0
        return lambda face: compare(face, goal)
    ends = iter(numbers)
    low, high = (None if end is None else next(ends) for end in (asked.low, asked.high))
    return lambda face: bool(in_range(face, low, high))


FindTable = Callable[[Call], tuple[Named, DiceTable]]
"""Gives the printed table that a call names, which is a source of what follows, and its rows."""


def looking_up(find: FindTable) -> Mapping[str, DiceFunction]:
    """map() and chances(), which name a printed table; map() may also have a table of its own, in quotes."""

    def look_up(call: Call, parts: Sequence[Part], scope: Scope) -> Roll:
        named, rows = (None, read_inline_table(call.table)) if call.table.startswith('"') else find(call)
        table = cast("RollTable", rows)
        rolled = followed(parts[0], scope.reaching(max(scope.reach, combine.farthest(table))))
        if named is not None:
            scope.add_source(named)
        return combine.looked_up(rolled.as_whole(), table, call.table)

    def chances(call: Call, _parts: Sequence[Part], scope: Scope) -> Roll:
        named, rows = find(call)
        scope.add_source(named)
        return combine.from_odds(cast("OddsTable", rows), call.table)

    return {"map": look_up, "chances": chances}


def whole_number_of_dice(number: Rational) -> int:
    """A number that stands beside dice. Raises ResolverError for one that is not whole, or far too large."""
    if not isinstance(number, int) or abs(number) > MAX_DICE:
        raise ResolverError(f"{shortened(number)} is no whole number that belongs to dice")
    return number


MAX_DICE = 10_000
"""Far beyond any number of dice; how many are rolled at most is a limit of its own."""

DICE: Mapping[str, DiceFunction] = {
    "explode": _explode,
    "open": _open,
    "snake": _snake,
    "half_away": _half_away,
    "highest": _keep,
    "lowest": _keep,
    "lesser": _lesser,
    "times": _times,
    "reroll": _reroll,
    "without": _reroll,
    "repeat": _repeat,
    "count": _count,
}
"""The functions that roll, by name; map() and chances() come from looking_up()."""
