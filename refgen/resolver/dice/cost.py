"""What a dice expression costs, before anything is rolled.

In: an Expression. Out: nothing, or a ResolverError that says what is too much. The limits keep any single
answer within a few seconds and some hundred megabytes; 1000d6 and 100d100 are well inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from refgen.errors import ResolverError
from refgen.notation.dice import Call, Constant, Expression, Pool, Sum

MAX_DICE = 2_000
MAX_OUTCOMES = 50_000
MAX_WORK = 5_000_000
MAX_KEPT_WORK = 100_000
MAX_CONSTANT = 1_000_000
MEMORY = 512


@dataclass(frozen=True, slots=True)
class Size:
    """The lowest and highest outcome of a bounded roll (of an open one, those of its first roll), and how many."""

    low: int
    high: int
    outcomes: int


@lru_cache(maxsize=MEMORY)
def check_cost(expression: Expression) -> Size:
    """Refuse an expression that would take too long, and say how large it is. Raises ResolverError."""
    match expression:
        case Constant(value=value):
            if value > MAX_CONSTANT:
                raise _too_much(f"the number {value:,}", f"{MAX_CONSTANT:,}")
            return Size(value, value, 1)
        case Pool():
            return _pool_size(expression)
        case Sum(terms=terms):
            return _sum_size([(sign, check_cost(term)) for sign, term in terms])
        case Call():
            return _call_size(expression)


def _sum_size(terms: Sequence[tuple[int, Size]]) -> Size:
    """Terms are added one after the other."""
    total = Size(0, 0, 1)
    for sign, size in terms:
        check_pairs(total.outcomes, size.outcomes)
        low, high = (size.low, size.high) if sign > 0 else (-size.high, -size.low)
        total = _within(total.low + low, total.high + high, total.outcomes * size.outcomes)
    return total


def _call_size(call: Call) -> Size:
    match call:
        case Call(name="highest" | "lowest", arguments=(Constant(value=kept), Pool() as pool)):
            _check_kept(kept, pool)
            return _pool_size(pool)
        case Call(name="chances"):
            return Size(0, 0, 1)  # a printed table is short
    sizes = [check_cost(argument) for argument in call.arguments]
    match call.name:
        case "count" | "top":
            return sizes[0]
        case "times":
            return _product_size(*sizes)
    return _joined_size(sizes)


def _product_size(left: Size, right: Size) -> Size:
    check_pairs(left.outcomes, right.outcomes)
    corners = [end * other for end in (left.low, left.high) for other in (right.low, right.high)]
    return _within(min(corners), max(corners), left.outcomes * right.outcomes)


def _joined_size(sizes: Sequence[Size]) -> Size:
    """The outcomes of some rolls together; the rolls are compared one after the other."""
    outcomes = 1
    for size in sizes:
        check_pairs(outcomes, size.outcomes)
        outcomes += size.outcomes - 1
    return _within(min(size.low for size in sizes), max(size.high for size in sizes), outcomes)


def _within(low: int, high: int, most: int) -> Size:
    """A roll from ``low`` to ``high`` with at most so many outcomes."""
    outcomes = min(most, high - low + 1)
    if outcomes > MAX_OUTCOMES:
        raise _too_much(f"{outcomes:,} different outcomes", f"{MAX_OUTCOMES:,}")
    return Size(low, high, outcomes)


def check_pairs(left: int, right: int) -> None:
    """Refuse to combine two rolls with so many outcomes. Raises ResolverError."""
    if left * right > MAX_WORK:
        raise _too_much(f"{left:,} times {right:,} pairs of outcomes", f"{MAX_WORK:,}")


def _check_kept(kept: int, pool: Pool) -> None:
    work = pool.count * min(kept, pool.count) * (pool.sides or 3)
    if work > MAX_KEPT_WORK:
        raise _too_much(f"{kept:,} dice to keep of {pool.count:,}", f"{MAX_KEPT_WORK:,} of dice times kept times sides")


def _pool_size(pool: Pool) -> Size:
    if pool.count > MAX_DICE:
        raise _too_much(f"{pool.count:,} dice", f"{MAX_DICE:,}")
    faces = pool.sides or 3
    outcomes = pool.count * (faces - 1) + 1
    if outcomes > MAX_OUTCOMES:
        raise _too_much(f"{outcomes:,} different outcomes", f"{MAX_OUTCOMES:,}")
    if pool.count > 1 and outcomes * faces > MAX_WORK:
        raise _too_much(f"{pool.count:,} dice of {faces:,} sides", f"{MAX_WORK:,} outcomes times sides")
    return Size(pool.count * pool.lowest_face, pool.count * pool.highest_face, outcomes)


def _too_much(what: str, most: str) -> ResolverError:
    return ResolverError(f"this roll has {what}; refgen works out at most {most}", hint="Roll fewer or smaller dice.")
