"""What a dice expression costs, before anything is rolled.

In: an Expression. Out: nothing, or a ResolverError that says what is too much. The limits keep any single
answer within a few seconds and some hundred megabytes; 1000d6 and 100d100 are well inside.
"""

from __future__ import annotations

from collections.abc import Sequence

from refgen.errors import ResolverError
from refgen.notation.dice import Call, Constant, Expression, Pool, Sum

MAX_DICE = 2_000
MAX_OUTCOMES = 50_000
MAX_WORK = 5_000_000
MAX_KEPT_WORK = 100_000
MAX_CONSTANT = 1_000_000


def check_cost(expression: Expression) -> None:
    """Refuse an expression that would take too long. Raises ResolverError."""
    low, high = _range(expression)
    if high - low > MAX_OUTCOMES:
        raise _too_much(f"{high - low + 1:,} different outcomes", f"{MAX_OUTCOMES:,}")


def _range(expression: Expression) -> tuple[int, int]:
    """The lowest and highest outcome of a bounded expression; of an open one, those of its first roll."""
    match expression:
        case Constant(value=value):
            if value > MAX_CONSTANT:
                raise _too_much(f"the number {value:,}", f"{MAX_CONSTANT:,}")
            return value, value
        case Pool():
            return _pool_range(expression)
        case Sum(terms=terms):
            ranges = [_signed(sign, *_range(term)) for sign, term in terms]
            _check_work(ranges)
            return sum(low for low, _ in ranges), sum(high for _, high in ranges)
        case Call(name="highest" | "lowest", arguments=(Constant(value=kept), Pool() as pool)):
            _check_kept(kept, pool)
            return _pool_range(pool)
        case Call(arguments=arguments):
            ranges = [_range(argument) for argument in arguments]
            if expression.name != "count":
                _check_work(ranges)
            return min(low for low, _ in ranges), max(high for _, high in ranges)


def _check_work(ranges: Sequence[tuple[int, int]]) -> None:
    """Independent rolls are combined outcome by outcome, one roll after the other."""
    outcomes = 1
    for low, high in ranges:
        check_pairs(outcomes, high - low + 1)
        outcomes += high - low


def check_pairs(left: int, right: int) -> None:
    """Refuse to combine two rolls with so many outcomes. Raises ResolverError."""
    if left * right > MAX_WORK:
        raise _too_much(f"{left:,} times {right:,} pairs of outcomes", f"{MAX_WORK:,}")


def _check_kept(kept: int, pool: Pool) -> None:
    work = pool.count * min(kept, pool.count) * (pool.sides or 3)
    if work > MAX_KEPT_WORK:
        raise _too_much(f"{kept:,} dice to keep of {pool.count:,}", f"{MAX_KEPT_WORK:,} of dice times kept times sides")


def _signed(sign: int, low: int, high: int) -> tuple[int, int]:
    return (low, high) if sign > 0 else (-high, -low)


def _pool_range(pool: Pool) -> tuple[int, int]:
    if pool.count > MAX_DICE:
        raise _too_much(f"{pool.count:,} dice", f"{MAX_DICE:,}")
    faces = pool.sides or 3
    outcomes = pool.count * (faces - 1) + 1
    if outcomes > MAX_OUTCOMES:
        raise _too_much(f"{outcomes:,} different outcomes", f"{MAX_OUTCOMES:,}")
    if pool.count > 1 and outcomes * faces > MAX_WORK:
        raise _too_much(f"{pool.count:,} dice of {faces:,} sides", f"{MAX_WORK:,} outcomes times sides")
    return pool.count * pool.lowest_face, pool.count * pool.highest_face


def _too_much(what: str, most: str) -> ResolverError:
    return ResolverError(f"this roll has {what}; refgen works out at most {most}", hint="Roll fewer or smaller dice.")
