"""Evaluate dice expressions exactly.

In: an Expression (or its text), and the tables that map() and chances() may name. Out: a Roll.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any

import icepool

from refgen.errors import ResolverError
from refgen.notation.dice import Call, Constant, Expression, Pool, Sum, parse_dice, read_inline_table
from refgen.notation.values import Interval
from refgen.resolver.dice.combine import (
    OddsTable,
    RollTable,
    farthest,
    from_odds,
    half_away,
    higher,
    lesser,
    looked_up,
    lower,
    product,
)
from refgen.resolver.dice.cost import check_cost
from refgen.resolver.dice.open_ended import MAX_REROLLS, exploding, opening, rerolled, with_snake_eyes
from refgen.resolver.dice.power import repeated
from refgen.resolver.dice.roll import Roll
from refgen.resolver.dice.series import Series, common_period

__all__ = ["DEFAULT_REACH", "DiceTable", "OddsTable", "RollTable", "calls_with_tables", "roll", "roll_expression"]

DiceTable = RollTable | OddsTable
"""A table that a dice expression can name: ranges and their results for map(), printed odds for chances()."""

DEFAULT_REACH = 40
MEMORY = 512
"""How many rolls, and parts of rolls, are remembered."""

MAX_TRIES = 3
"""How often a roll is followed farther because something was taken from it that moves its limits nearer."""


def roll(text: str, reach: int = DEFAULT_REACH, tables: Mapping[str, DiceTable] | None = None) -> Roll:
    """Evaluate a dice expression given as text.

    ``reach`` is the farthest outcome from zero that will be asked about: open-ended rolls are followed so far.
    Raises NotationError for a text that is no dice expression, ResolverError for one that is too large.
    """
    return roll_expression(parse_dice(text), reach, tables)


def roll_expression(
    expression: Expression, reach: int = DEFAULT_REACH, tables: Mapping[str, DiceTable] | None = None
) -> Roll:
    """Evaluate a dice expression. Raises ResolverError for one that is too large, or that means nothing."""
    check_cost(expression)
    named = {call.table: _named(call, tables or {}) for call in calls_with_tables(expression)}
    return _followed(expression, _Setting(reach, tuple(sorted(named.items(), key=itemgetter(0)))))


@lru_cache(maxsize=MEMORY)
def calls_with_tables(expression: Expression) -> Sequence[Call]:
    """The calls in an expression that name a table of the ruleset."""
    match expression:
        case Sum(terms=terms):
            return [call for _, term in terms for call in calls_with_tables(term)]
        case Call(table=table, arguments=arguments):
            named = [expression] if table and not table.startswith('"') else []
            return named + [call for argument in arguments for call in calls_with_tables(argument)]
    return []


def _named(call: Call, tables: Mapping[str, DiceTable]) -> tuple[tuple[Any, Any], ...]:
    """The rows of the table that a call names. Raises ResolverError when there is no such table of its kind."""
    wanted = Interval if call.name == "map" else int
    known = [name for name, rows in tables.items() if rows and isinstance(rows[0][0], wanted)]
    if call.table not in known:
        hint = f"Known are {', '.join(sorted(known)) or 'none here'}."
        raise ResolverError(f'{call.name}() names an unknown table "{call.table}"', hint=hint)
    return tuple(tables[call.table])


@dataclass(frozen=True, slots=True)
class _Setting:
    """How far an open-ended roll is followed, and the rows of each table that the expression names."""

    reach: int
    tables: tuple[tuple[str, tuple[tuple[Any, Any], ...]], ...]

    def reaching(self, outcome: int) -> _Setting:
        """The same, followed at least as far as that outcome."""
        return self if outcome <= self.reach else _Setting(outcome, self.tables)


def _followed(expression: Expression, setting: _Setting) -> Roll:
    """An expression, its open-ended parts followed until it is exact as far as it will be asked about, if they can."""
    reach = setting.reach
    rolled = _rolled(expression, setting)
    for _ in range(MAX_TRIES):
        missing = _missing(rolled, setting.reach)
        if missing <= 0 or rolled.is_nowhere_exact:
            break
        reach = 4 * reach + missing
        rolled = _rolled(expression, setting.reaching(reach))
    return rolled


def _missing(rolled: Roll, reach: int) -> int:
    """How many outcomes lie between where a roll stops being exact and the farthest that will be asked about."""
    above = 0 if rolled.exact_high is None else reach - rolled.exact_high
    below = 0 if rolled.exact_low is None else reach + rolled.exact_low
    return max(above, below)


@lru_cache(maxsize=MEMORY)
def _rolled(expression: Expression, setting: _Setting) -> Roll:
    match expression:
        case Constant(value=value):
            return Roll((value,), (1,))
        case Pool():
            return repeated(one_die(expression), expression.count)
        case Sum():
            return _sum(expression, setting)
        case Call():
            return _FUNCTIONS[expression.name](setting, expression)


def one_die(pool: Pool) -> Roll:
    """A single die of a pool."""
    faces = tuple(range(pool.lowest_face, pool.highest_face + 1))
    return Roll(faces, (1,) * len(faces))


def _sum(expression: Sum, setting: _Setting) -> Roll:
    """The sum of all terms. A difference of endless rolls is exact when both are followed until they repeat."""
    parts = _terms(expression, setting)
    rising = [part.rising for part in parts if part.rising]
    falling = [part.falling for part in parts if part.falling]
    if rising and falling:
        parts = _terms(expression, setting.reaching(setting.reach + _until_both_repeat(rising[0], falling[0])))
    total, *rest = parts
    for part in rest:
        total = total.plus(part)
    return total


def _terms(expression: Sum, setting: _Setting) -> list[Roll]:
    parts = ((sign, _rolled(term, setting)) for sign, term in expression.terms)
    return [part if sign > 0 else part.negated() for sign, part in parts]


def _until_both_repeat(rising: Series, falling: Series) -> int:
    """How much farther two endless rolls must be followed than their difference; 0 when that would be too far."""
    farther = common_period(rising, falling) + max(rising.start, falling.start, 0)
    return farther if farther <= MAX_REROLLS else 0


def _explode(setting: _Setting, call: Call) -> Roll:
    return exploding(_bounded(setting, call), setting.reach)


def _open(setting: _Setting, call: Call) -> Roll:
    return opening(_bounded(setting, call), setting.reach)


def _bounded(setting: _Setting, call: Call) -> Roll:
    """The argument of a call that asks for the highest outcome, or for both ends."""
    rolled = _rolled(call.arguments[0], setting)
    if rolled.is_open:
        raise ResolverError(f"{call.name}() needs a roll with a lowest and a highest outcome")
    return rolled


def _top(setting: _Setting, call: Call) -> Roll:
    """The highest outcome, which is then certain."""
    rolled = _rolled(call.arguments[0], setting)
    if rolled.exact_high is not None:
        raise ResolverError("top() needs a roll with a highest outcome")
    return Roll((rolled.outcomes[-1],), (1,))


def _snake(setting: _Setting, call: Call) -> Roll:
    """A fumble is one below the lowest outcome, or what the second argument says."""
    first, *worst = (_rolled(argument, setting) for argument in call.arguments)
    if worst and len(worst[0].outcomes) > 1:
        raise ResolverError("snake() takes dice and the number that a fumble counts as")
    return with_snake_eyes(first, worst[0].outcomes[0] if worst else None)


def _half_away(setting: _Setting, call: Call) -> Roll:
    return half_away(_rolled(call.arguments[0], setting))


def _keep(_setting: _Setting, call: Call) -> Roll:
    """The sum of the highest (or lowest) few dice of a pool."""
    kept, pool = call.arguments
    if not isinstance(kept, Constant) or not isinstance(pool, Pool) or not 1 <= kept.value <= pool.count:
        raise ResolverError(f"{call.name}() takes a number and a pool with at least that many dice")
    dice = icepool.Die(one_die(pool).outcomes).pool(pool.count)
    chosen = (dice.highest(kept.value) if call.name == "highest" else dice.lowest(kept.value)).sum()
    return Roll(tuple(chosen.outcomes()), tuple(chosen.quantities()))


def _number(setting: _Setting, expression: Expression) -> int | None:
    """The number that an expression always is, such as -1; None for one that rolls."""
    if isinstance(expression, Constant):
        return expression.value
    outcomes = _rolled(expression, setting).outcomes if isinstance(expression, Sum) else ()
    return outcomes[0] if len(outcomes) == 1 else None


def _pair(combine: Callable[[Roll, Roll], Roll]) -> Callable[[_Setting, Call], Roll]:
    """A function of two or more independent rolls, combined one after the other."""

    def combined(setting: _Setting, call: Call) -> Roll:
        first, *others = (_rolled(argument, setting) for argument in call.arguments)
        for other in others:
            first = combine(first, other)
        return first

    return combined


def _reroll(setting: _Setting, call: Call) -> Roll:
    """Roll once more when one of the given outcomes shows, and keep the second roll."""
    again, *outcomes = call.arguments
    faces = [_number(setting, outcome) for outcome in outcomes]
    known = [face for face in faces if face is not None]
    if len(known) < len(faces):
        raise ResolverError("reroll() takes a roll and the outcomes that are rolled again, such as reroll(d6, 1)")
    return rerolled(_followed(again, setting.reaching(max(map(abs, known)))), known)


_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}


def _count(setting: _Setting, call: Call) -> Roll:
    """How many dice of a pool meet a comparison."""
    pool, expression = call.arguments
    target = _number(setting, expression)
    if not isinstance(pool, Pool) or target is None:
        raise ResolverError("count() takes a pool, a comparison and a number, such as count(6d10 >= 7)")
    compare, faces = _COMPARISONS[call.comparison], one_die(pool).outcomes
    met = sum(compare(face, target) for face in faces)
    return repeated(Roll.of({0: len(faces) - met, 1: met}), pool.count)


def _map(setting: _Setting, call: Call) -> Roll:
    """Look the outcome up in a table of ranges; an outcome in no range is an error."""
    inline = call.table.startswith('"')
    table = read_inline_table(call.table) if inline else dict(setting.tables)[call.table]
    return looked_up(_followed(call.arguments[0], setting.reaching(farthest(table))), table, call.table)


def _chances(setting: _Setting, call: Call) -> Roll:
    """The roll whose odds a table prints."""
    return from_odds(dict(setting.tables)[call.table], call.table)


_FUNCTIONS: dict[str, Callable[[_Setting, Call], Roll]] = {
    "explode": _explode,
    "open": _open,
    "snake": _snake,
    "half_away": _half_away,
    "highest": _keep,
    "lowest": _keep,
    "lesser": _pair(lesser),
    "max": _pair(higher),
    "min": _pair(lower),
    "times": _pair(product),
    "top": _top,
    "reroll": _reroll,
    "count": _count,
    "map": _map,
    "chances": _chances,
}
