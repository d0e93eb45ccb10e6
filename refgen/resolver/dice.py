"""Evaluate dice expressions exactly, over icepool.

In: an Expression (or its text), and the tables that map() may name. Out: a Roll.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

import icepool

from refgen.errors import NotationError, ResolverError
from refgen.notation.dice import FUDGE_FACES, Call, Constant, Expression, Pool, Sum, parse_dice
from refgen.notation.number import read_interval
from refgen.notation.values import Interval
from refgen.resolver.cost import check_cost
from refgen.resolver.power import repeated
from refgen.resolver.roll import Roll, joined

RollTable = Sequence[tuple[Interval, int]]
"""What a roll is looked up in: ranges of outcomes and their results."""

DEFAULT_REACH = 40
MAX_REROLLS = 400


def roll(text: str, reach: int = DEFAULT_REACH, tables: Mapping[str, RollTable] | None = None) -> Roll:
    """Evaluate a dice expression given as text.

    ``reach`` is the farthest outcome from zero that will be asked about: open-ended rolls are followed so far.
    Raises NotationError for a text that is no dice expression, ResolverError for one that is too large.
    """
    expression = parse_dice(text)
    check_cost(expression)
    return _Evaluation(reach, tables or {}).of(expression)


@dataclass(frozen=True)
class _Evaluation:
    reach: int
    tables: Mapping[str, RollTable] = field(default_factory=dict)

    def of(self, expression: Expression) -> Roll:
        match expression:
            case Constant(value=value):
                return Roll(icepool.Die([value]))
            case Pool():
                return Roll(repeated(one_die(expression), expression.count))
            case Sum(terms=terms):
                return self._sum(terms)
            case Call():
                return _FUNCTIONS[expression.name](self, expression)

    def _sum(self, terms: Sequence[tuple[int, Expression]]) -> Roll:
        total, *rest = [_signed(sign, self.of(term)) for sign, term in terms]
        for part in rest:
            total = _added(total, part)
        return total


def one_die(pool: Pool) -> icepool.Die[int]:
    """A single die of a pool."""
    return icepool.d(pool.sides) if pool.sides else icepool.Die(FUDGE_FACES)


def _signed(sign: int, part: Roll) -> Roll:
    if sign > 0:
        return part
    low = -part.exact_high if part.exact_high is not None else None
    high = -part.exact_low if part.exact_low is not None else None
    return Roll(-part.die, part.residue, low, high)


def _added(left: Roll, right: Roll) -> Roll:
    if len(right.outcomes) > 1:
        return joined(left, right, left.die + right.die)
    shift = right.outcomes[0]
    low = left.exact_low + shift if left.exact_low is not None else None
    high = left.exact_high + shift if left.exact_high is not None else None
    return Roll(left.die + shift, left.residue, low, high)


def _rerolls(reach: int, step: int) -> int:
    """How many re-rolls, each adding at least ``step``, lead beyond ``reach``."""
    return min(max(reach, 0) // max(step, 1) + 2, MAX_REROLLS)


def _explode(evaluation: _Evaluation, call: Call) -> Roll:
    """Whenever the highest outcome shows, roll again and add."""
    first = evaluation.of(call.arguments[0])
    top = first.die.max_outcome()
    if top <= 0 or len(first.outcomes) < 2:
        raise ResolverError("only dice with a positive highest and another outcome can explode")
    rerolls = _rerolls(evaluation.reach, top)
    return _open_ended(first, top, lambda _outcome: True, rerolls)


def _open(evaluation: _Evaluation, call: Call) -> Roll:
    """On the highest or lowest outcome roll again; what follows is added only when its sign is the same."""
    first = evaluation.of(call.arguments[0])
    top, bottom = first.die.max_outcome(), first.die.min_outcome()
    if not bottom < 0 < top:
        raise ResolverError("open() needs dice with outcomes on both sides of zero, such as 4dF")
    upward = _open_ended(first, top, lambda outcome: outcome > 0, _rerolls(evaluation.reach, top))
    downward = _open_ended(Roll(-first.die), -bottom, lambda outcome: outcome > 0, _rerolls(evaluation.reach, -bottom))
    chances = {outcome: upward.exactly(outcome) for outcome in upward.outcomes if outcome > bottom}
    for outcome in downward.outcomes:
        if outcome >= -bottom:
            chances[-outcome] = chances.get(-outcome, Fraction(0)) + downward.exactly(outcome)
    low = -downward.exact_high if downward.exact_high is not None else None
    return Roll(_from_chances(chances), upward.residue + downward.residue, low, upward.exact_high)


def _open_ended(first: Roll, top: int, counts: Callable[[int], bool], rerolls: int) -> Roll:
    """A roll that goes on while ``top`` shows, at most ``rerolls`` times; only outcomes that count are added."""
    chances = {outcome: first.exactly(outcome) for outcome in first.outcomes if outcome != top}
    again = first.exactly(top)
    reached = again
    for number in range(1, rerolls + 1):
        base = top * number
        for outcome in first.outcomes:
            if outcome == top:
                continue
            total = base + (outcome if counts(outcome) else 0)
            chances[total] = chances.get(total, Fraction(0)) + reached * first.exactly(outcome)
        reached *= again
    last = top * (rerolls + 1)
    chances[last] = chances.get(last, Fraction(0)) + reached
    return Roll(_from_chances(chances), reached, exact_high=last - 1)


def _from_chances(chances: Mapping[int, Fraction]) -> icepool.Die[int]:
    """A die with exactly these chances, which sum to 1."""
    denominator = lcm(*(chance.denominator for chance in chances.values()))
    return icepool.Die({outcome: int(chance * denominator) for outcome, chance in chances.items() if chance})


def _snake(evaluation: _Evaluation, call: Call) -> Roll:
    """When the lowest outcome shows, roll again: the lowest once more is the worst result, one below it."""
    first = evaluation.of(call.arguments[0])
    lowest = first.die.min_outcome()
    twice = first.exactly(lowest) ** 2
    chances = {outcome: first.exactly(outcome) for outcome in first.outcomes}
    chances[lowest] -= twice
    chances[lowest - 1] = twice
    return Roll(_from_chances(chances), first.residue, first.exact_low, first.exact_high)


def _half_away(evaluation: _Evaluation, call: Call) -> Roll:
    """Half of the outcome, rounded away from zero."""
    whole = evaluation.of(call.arguments[0])

    def half(outcome: int) -> int:
        return (outcome + 1) // 2 if outcome >= 0 else -((1 - outcome) // 2)

    low = half(whole.exact_low) if whole.exact_low is not None else None
    high = half(whole.exact_high) if whole.exact_high is not None else None
    return Roll(whole.die.map(half), whole.residue, low, high)


def _keep(_evaluation: _Evaluation, call: Call) -> Roll:
    """The sum of the highest (or lowest) few dice of a pool."""
    kept, pool = call.arguments
    if not isinstance(kept, Constant) or not isinstance(pool, Pool) or not 1 <= kept.value <= pool.count:
        raise ResolverError(f"{call.name}() takes a number and a pool with at least that many dice")
    dice = one_die(pool).pool(pool.count)
    chosen = dice.highest(kept.value) if call.name == "highest" else dice.lowest(kept.value)
    return Roll(chosen.sum())


def _lesser(evaluation: _Evaluation, call: Call) -> Roll:
    """The smaller of two rolls counts: the first as it is, the second with its sign changed, 0 when they are equal."""
    left, right = (evaluation.of(argument) for argument in call.arguments)
    return joined(left, right, icepool.map(lambda a, b: a if a < b else -b if b < a else 0, left.die, right.die))


def _extreme(evaluation: _Evaluation, call: Call) -> Roll:
    """The highest (or lowest) of some rolls."""
    best, *rest = (evaluation.of(argument) for argument in call.arguments)
    for other in rest:
        die = icepool.map(_higher if call.name == "max" else _lower, best.die, other.die)
        best = joined(best, other, die)
    return best


def _higher(left: int, right: int) -> int:
    return max(left, right)


def _lower(left: int, right: int) -> int:
    return min(left, right)


def _reroll(evaluation: _Evaluation, call: Call) -> Roll:
    """Roll once more when one of the given outcomes shows, and keep the second roll."""
    first = evaluation.of(call.arguments[0])
    faces = {argument.value for argument in call.arguments[1:] if isinstance(argument, Constant)}
    again = sum((first.exactly(face) for face in faces), Fraction(0))
    chances = {
        outcome: (0 if outcome in faces else first.exactly(outcome)) + again * first.exactly(outcome)
        for outcome in first.outcomes
    }
    return Roll(_from_chances(chances), first.residue, first.exact_low, first.exact_high)


_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}


def _count(_evaluation: _Evaluation, call: Call) -> Roll:
    """How many dice of a pool meet a comparison."""
    pool, target = call.arguments
    if not isinstance(pool, Pool) or not isinstance(target, Constant):
        raise ResolverError("count() takes a pool, a comparison and a number, such as count(6d10 >= 7)")
    compare = _COMPARISONS[call.comparison]
    success = one_die(pool).map(lambda face: int(compare(face, target.value)))
    return Roll(repeated(success, pool.count))


def _map(evaluation: _Evaluation, call: Call) -> Roll:
    """Look the outcome up in a table of ranges; an outcome in no range is an error."""
    table = _inline_table(call.table) if call.table.startswith('"') else evaluation.tables.get(call.table)
    if table is None:
        known = ", ".join(sorted(evaluation.tables)) or "none here"
        raise ResolverError(f'map() names an unknown table "{call.table}"', hint=f"Known are {known}.")
    rolled = evaluation.of(call.arguments[0])
    return Roll(rolled.die.map({outcome: _looked_up(outcome, table, call) for outcome in rolled.outcomes}))


def _looked_up(outcome: int, table: RollTable, call: Call) -> int:
    results = [result for interval, result in table if outcome in interval]
    if len(results) != 1:
        raise ResolverError(f"map(): the outcome {outcome} stands {len(results)} times in {call.table}")
    return results[0]


def _inline_table(text: str) -> RollTable:
    """The table in a string such as "3-4: -4, 5: -3"."""
    rows = []
    for row in text.strip('"').split(","):
        outcomes, _, result = row.partition(":")
        if not re.fullmatch(r"\s*[-+]?\d+\s*", result):
            raise NotationError(f'map(): "{row.strip()}" is not "outcomes: result"')
        rows.append((read_interval(outcomes.strip()), int(result)))
    return rows


_FUNCTIONS: dict[str, Callable[[_Evaluation, Call], Roll]] = {
    "explode": _explode,
    "open": _open,
    "snake": _snake,
    "half_away": _half_away,
    "highest": _keep,
    "lowest": _keep,
    "lesser": _lesser,
    "max": _extreme,
    "min": _extreme,
    "reroll": _reroll,
    "count": _count,
    "map": _map,
}
