"""What dice come to, exactly.

In: a Formula without names (or its text), and the tables that map() and chances() may name. Out: a Roll.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product as all_of
from math import ceil, floor, prod
from operator import itemgetter
from typing import Any

from refgen.errors import ResolverError
from refgen.notation.formula import parse_dice, read_inline_table
from refgen.notation.tree import Binary, Call, Comparison, Constant, Formula, InRange, Pool, Sum, parts_of
from refgen.notation.values import Interval
from refgen.resolver.dice.arithmetic import COMPARISONS, Rational, shortened
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
from refgen.resolver.dice.cost import MAX_REROLLS, check_cost, rewritten, rolled_once
from refgen.resolver.dice.open_ended import exploding, exploding_from, opening, rerolled, with_snake_eyes, without
from refgen.resolver.dice.pointwise import has_dice, is_whole, pointwise
from refgen.resolver.dice.power import repeated
from refgen.resolver.dice.roll import NOWHERE, Roll
from refgen.resolver.dice.series import Series, common_period

__all__ = [
    "DEFAULT_REACH",
    "DiceTable",
    "OddsTable",
    "RollTable",
    "calls_with_tables",
    "moments",
    "roll",
    "roll_formula",
]

DiceTable = RollTable | OddsTable
"""A table that dice can name: ranges and their results for map(), printed odds for chances()."""

DEFAULT_REACH = 40
MEMORY = 512
"""How many rolls, and parts of rolls, are remembered."""

MAX_TRIES = 3
"""How often a roll is followed farther because something was taken from it that moves its limits nearer."""


def roll(text: str, reach: int = DEFAULT_REACH, tables: Mapping[str, DiceTable] | None = None) -> Roll:
    """Work out dice given as text.

    ``reach`` is the farthest outcome from zero that will be asked about: open-ended rolls are followed so far.
    Raises NotationError for a text that is none, ResolverError for one that is too large.
    """
    return roll_formula(parse_dice(text), reach, tables)


def roll_formula(formula: Formula, reach: int = DEFAULT_REACH, tables: Mapping[str, DiceTable] | None = None) -> Roll:
    """Work out a formula without names. Raises ResolverError for one that is too large, or that means nothing."""
    return _followed(formula, _setting(formula, reach, tables))


def moments(formula: Formula, tables: Mapping[str, DiceTable] | None = None) -> tuple[Fraction, Fraction]:
    """The mean and the variance; of an open-ended roll, without what it leaves out. Outcomes may be broken numbers."""
    if is_whole(formula):
        rolled = roll_formula(formula, DEFAULT_REACH, tables)
        return rolled.mean, rolled.variance
    check_cost(formula, DEFAULT_REACH)
    weights, _ = _weighed(formula, _setting(formula, DEFAULT_REACH, tables))
    every = sum(weights.values())
    mean = sum((Fraction(weight, every) * outcome for outcome, weight in weights.items()), Fraction(0))
    squares = sum((Fraction(weight, every) * outcome**2 for outcome, weight in weights.items()), Fraction(0))
    return mean, squares - mean**2


def _setting(formula: Formula, reach: int, tables: Mapping[str, DiceTable] | None) -> _Setting:
    named = {call.table: _named(call, tables or {}) for call in calls_with_tables(formula)}
    return _Setting(reach, tuple(sorted(named.items(), key=itemgetter(0))))


@lru_cache(maxsize=MEMORY)
def calls_with_tables(formula: Formula) -> Sequence[Call]:
    """The calls in a formula that name a table of the ruleset."""
    named = [formula] if isinstance(formula, Call) and formula.table and not formula.table.startswith('"') else []
    return named + [call for part in parts_of(formula) for call in calls_with_tables(part)]


def _named(call: Call, tables: Mapping[str, DiceTable]) -> tuple[tuple[Any, Any], ...]:
    """The rows of the table that a call names. Raises ResolverError when there is no such table of its kind."""
    wanted = Interval if call.name == "map" else int
    known = [name for name, rows in tables.items() if rows and isinstance(rows[0][0], wanted)]
    if call.table not in known:
        with suppress(KeyError):
            tables[call.table or ""]  # one that could not be read says so
        hint = f"Known are {', '.join(sorted(known)) or 'none here'}."
        raise ResolverError(f'{call.name}() names an unknown table "{call.table}"', hint=hint)
    return tuple(tables[call.table])


@dataclass(frozen=True, slots=True)
class _Setting:
    """How far an open-ended roll is followed, and the rows of each table that the formula names."""

    reach: int
    tables: tuple[tuple[str, tuple[tuple[Any, Any], ...]], ...]

    def reaching(self, outcome: int) -> _Setting:
        """The same, followed at least as far as that outcome."""
        return self if outcome <= self.reach else _Setting(outcome, self.tables)


def _followed(formula: Formula, setting: _Setting) -> Roll:
    """A formula, its open-ended parts followed until it is exact as far as it will be asked about, if they can.

    Raises ResolverError when that is too much.
    """
    reach = setting.reach
    check_cost(formula, reach)
    rolled = _rolled(formula, setting)
    for _ in range(MAX_TRIES):
        missing = _missing(rolled, setting.reach)
        if missing <= 0 or rolled.is_nowhere_exact:
            break
        reach = 4 * reach + missing
        check_cost(formula, reach)
        rolled = _rolled(formula, setting.reaching(reach))
    return rolled


def _missing(rolled: Roll, reach: int) -> int:
    """How many outcomes lie between where a roll stops being exact and the farthest that will be asked about."""
    above = 0 if rolled.exact_high is None else reach - rolled.exact_high
    below = 0 if rolled.exact_low is None else reach + rolled.exact_low
    return max(above, below)


@lru_cache(maxsize=MEMORY)
def _rolled(formula: Formula, setting: _Setting) -> Roll:
    match formula:
        case Constant(value=int() as value):
            return Roll((value,), (1,))
        case Pool():
            return repeated(one_die(formula), formula.count)
        case Comparison() | InRange():
            return _answered(formula, setting)
    if is_whole(formula):
        match formula:
            case Sum():
                return _sum(formula, setting)
            case Binary(sign="*"):
                return product(_rolled(formula.left, setting), _rolled(formula.right, setting))
            case Call(name=name) if name in _FUNCTIONS:
                return _FUNCTIONS[name](setting, formula)
    return _one_by_one(formula, setting)


def one_die(pool: Pool) -> Roll:
    """A single die of a pool."""
    faces = tuple(range(pool.lowest_face, pool.highest_face + 1))
    return Roll(faces, (1,) * len(faces))


def _one_by_one(formula: Formula, setting: _Setting) -> Roll:
    """All outcomes of all rolls, gone through one by one. Raises ResolverError where it comes to no whole number."""
    weights, residue = _weighed(formula, setting)
    found = {outcome: weight for outcome, weight in weights.items() if isinstance(outcome, int)}
    if len(found) < len(weights):
        broken = next(outcome for outcome in weights if outcome not in found)
        hint = "Round it with floor(), ceiling() or nearest()."
        raise ResolverError(f"dice come to {shortened(broken)}, which is no whole number", hint=hint)
    return Roll.of(found, residue, *(NOWHERE if residue else ()))


def _weighed(formula: Formula, setting: _Setting) -> tuple[Mapping[Rational, int], Fraction]:
    """What a formula comes to, the weight of each, and the chance of rolls that were still open."""
    parted = pointwise(formula)
    rolls = [_rolled(rolled, setting) for rolled in parted.rolls]
    weights: defaultdict[Rational, int] = defaultdict(int)
    for pairs in all_of(*(rolled.items() for rolled in rolls)):
        weights[parted.evaluate([outcome for outcome, _ in pairs])] += prod([weight for _, weight in pairs])
    return weights, 1 - prod((1 - rolled.residue for rolled in rolls), start=Fraction(1))


def _answered(asked: Comparison | InRange, setting: _Setting) -> Roll:
    """1 where a comparison holds, or a roll lies in a range, else 0."""
    roll = rolled_once(asked)
    if roll is None:
        return _one_by_one(asked, setting)
    rolled = _followed(roll, setting)
    return _compared(asked, rolled) if isinstance(asked, Comparison) else _in_range(asked, rolled)


def _compared(comparison: Comparison, margin: Roll) -> Roll:
    above, equal = margin.weight_at_least(1), margin.weight(0)
    weights = {1: above, 0: equal, -1: margin.denominator - above - equal}
    compare = COMPARISONS[comparison.sign]
    return _true_or_not(sum(weights[side] for side in weights if compare(side, 0)), margin, (0, 1))


def _in_range(asked: InRange, rolled: Roll) -> Roll:
    low, high = (end.value if isinstance(end, Constant) else None for end in (asked.low, asked.high))
    ends = (None if low is None else ceil(low), None if high is None else floor(high) + 1)
    from_low, above = (None if end is None else rolled.weight_at_least(end) for end in ends)
    met = max(0, (rolled.denominator if from_low is None else from_low) - (above or 0))
    return _true_or_not(met, rolled, [end for end in ends if end is not None])


def _true_or_not(met: int, asked: Roll, outcomes: Iterable[int]) -> Roll:
    """The answer to a question about some outcomes of a roll: a roll of 1 for true and 0."""
    weights = {0: asked.denominator - met, 1: met}
    if all(map(asked.is_exact, outcomes)):
        return Roll.of(weights)
    return Roll.of(weights, asked.residue, *NOWHERE)


def _sum(formula: Sum, setting: _Setting) -> Roll:
    """The sum of all terms. A difference of endless rolls is exact when both are followed until they repeat."""
    parts = _terms(formula, setting)
    rising = [part.rising for part in parts if part.rising]
    falling = [part.falling for part in parts if part.falling]
    if rising and falling:
        parts = _terms(formula, setting.reaching(setting.reach + _until_both_repeat(rising[0], falling[0])))
    total, *rest = parts
    for part in rest:
        total = total.plus(part)
    return total


def _terms(formula: Sum, setting: _Setting) -> list[Roll]:
    parts = ((sign, _rolled(term, setting)) for sign, term in formula.terms)
    return [part if sign > 0 else part.negated() for sign, part in parts]


def _until_both_repeat(rising: Series, falling: Series) -> int:
    """How much farther two endless rolls must be followed than their difference; 0 when that would be too far."""
    farther = common_period(rising, falling) + max(rising.start, falling.start, 0)
    return farther if farther <= MAX_REROLLS else 0


def _explode(setting: _Setting, call: Call) -> Roll:
    """Only dice explode: what is added to them is added once."""
    if len(call.arguments) > 1:
        return _explode_from(setting, call)
    formula = rewritten(call)
    return exploding(_bounded(setting, call), setting.reach) if formula == call else _rolled(formula, setting)


def _explode_from(setting: _Setting, call: Call) -> Roll:
    """Every outcome from a number on explodes."""
    least = _number(setting, call.arguments[1])
    if least is None:
        raise ResolverError("explode() takes a roll and the number from which on it explodes, such as explode(d6, 5)")
    return exploding_from(_bounded(setting, call), least, setting.reach)


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
    number = kept.value if isinstance(kept, Constant) else None
    if not isinstance(number, int) or not isinstance(pool, Pool) or not 1 <= number <= pool.count:
        raise ResolverError(f"{call.name}() takes a number and a pool with at least that many dice")
    import icepool  # which loads for a while, and few games keep dice

    dice = icepool.Die(one_die(pool).outcomes).pool(pool.count)
    chosen = (dice.highest(number) if call.name == "highest" else dice.lowest(number)).sum()
    return Roll(tuple(chosen.outcomes()), tuple(chosen.quantities()))


def _number(setting: _Setting, formula: Formula) -> int | None:
    """The whole number that a formula always is, such as -1; None for one that rolls."""
    outcomes = () if has_dice(formula) else _rolled(formula, setting).outcomes
    return outcomes[0] if outcomes else None


def _pair(combine: Callable[[Roll, Roll], Roll]) -> Callable[[_Setting, Call], Roll]:
    """A function of two or more independent rolls, combined one after the other."""

    def combined(setting: _Setting, call: Call) -> Roll:
        first, *others = (_rolled(argument, setting) for argument in call.arguments)
        for other in others:
            first = combine(first, other)
        return first

    return combined


def _again(setting: _Setting, call: Call) -> Roll:
    """Roll again when one of the given outcomes shows: once, or until none of them does."""
    again, *outcomes = call.arguments
    faces = [_number(setting, outcome) for outcome in outcomes]
    known = [face for face in faces if face is not None]
    if len(known) < len(faces):
        example = f"such as {call.name}(d6, 1)"
        raise ResolverError(f"{call.name}() takes a roll and the outcomes that are rolled again, {example}")
    first = _followed(again, setting.reaching(max(map(abs, known))))
    return (rerolled if call.name == "reroll" else without)(first, known)


def _count(setting: _Setting, call: Call) -> Roll:
    """How many dice of a pool meet a comparison, or lie in a range."""
    asked = call.arguments[0]
    pool, *ends = parts_of(asked)
    if isinstance(pool, Constant) and not pool.value:
        return Roll((0,), (1,))  # no dice, no successes
    numbers = [_number(setting, end) for end in ends]
    if not isinstance(pool, Pool) or None in numbers:
        raise ResolverError("count() takes a pool, a comparison and a number, such as count(6d10 >= 7)")
    die = Pool(1, pool.sides)
    if isinstance(asked, InRange):
        meets = pointwise(replace(asked, formula=die)).evaluate
    elif isinstance(asked, Comparison):
        meets = pointwise(replace(asked, left=die)).evaluate
    faces = one_die(pool).outcomes
    met = sum(bool(meets([face])) for face in faces)
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
    "reroll": _again,
    "without": _again,
    "repeat": lambda setting, call: _rolled(rewritten(call), setting),
    "count": _count,
    "map": _map,
    "chances": _chances,
}
