"""What a formula costs, before anything is rolled.

In: a Formula without names. Out: nothing, or a ResolverError that says what is too much. The limits keep any single
answer within a few seconds and some hundred megabytes; 1000d6 and 100d100 are well inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from refgen.errors import ResolverError
from refgen.notation.formula import DICE_FUNCTIONS
from refgen.notation.tree import Call, Comparison, Constant, Formula, InRange, Pool, Sum
from refgen.resolver.dice.arithmetic import Rational
from refgen.resolver.dice.pointwise import is_whole, pointwise

MAX_DICE = 2_000
MAX_OUTCOMES = 50_000
MAX_WORK = 5_000_000
MAX_KEPT_WORK = 100_000
MAX_FOLLOWED_WORK = 25_000_000
_FOLLOWED = {"explode": (60, 3), "open": (200, 10)}
"""About how many outcomes of an open-ended roll are followed: at least, and times those of one roll."""

MAX_CONSTANT = 1_000_000
MAX_TOGETHER = 200_000
"""So many outcomes of all rolls of a formula together are gone through one by one."""

MAX_REPEATED = 100
"""More rolls than anybody adds up by hand."""

MEMORY = 512


@dataclass(frozen=True, slots=True)
class Size:
    """The lowest and highest outcome of a bounded roll (of an open one, those of its first roll), and how many.

    ``followed`` is about how many outcomes of an open roll are followed, 0 for a bounded one.
    """

    low: Rational
    high: Rational
    outcomes: int
    followed: int = 0


@lru_cache(maxsize=MEMORY)
def check_cost(formula: Formula) -> Size:
    """Refuse a formula that would take too long, and say how large it is. Raises ResolverError."""
    match formula:
        case Constant():
            return _constant_size(formula)
        case Pool():
            return _pool_size(formula)
    if is_whole(formula):
        match formula:
            case Sum(terms=terms):
                return _sum_size([(sign, check_cost(term)) for sign, term in terms])
            case Call(name=name) if name in DICE_FUNCTIONS:
                return _call_size(formula)
            case Comparison() | InRange() if (asked := rolled_once(formula)) is not None:
                check_cost(asked)
                return Size(0, 1, 2)
    return _pointwise_size(formula)


def rolled_once(asked: Comparison | InRange) -> Formula | None:
    """The roll whose outcome answers a question; None where outcomes must be gone through."""
    match asked:
        case Comparison(left=left, right=right) if is_whole(left) and is_whole(right):
            return Sum(((1, left), (-1, right)))
        case InRange(formula=inner, low=Constant() | None, high=Constant() | None) if is_whole(inner):
            return inner
    return None


def _constant_size(constant: Constant) -> Size:
    value = constant.value
    if max(value, -value) > MAX_CONSTANT:
        raise _too_much(f"the number {value:,}", f"{MAX_CONSTANT:,}")
    return Size(value, value, 1)


def _pointwise_size(formula: Formula) -> Size:
    """All outcomes of all rolls together are gone through."""
    outcomes = 1
    for rolled in pointwise(formula).rolls:
        outcomes *= check_cost(rolled).outcomes
        if outcomes > MAX_TOGETHER:
            raise _too_much(f"more than {MAX_TOGETHER:,} outcomes of all its rolls together", f"{MAX_TOGETHER:,}")
    if is_whole(formula) and isinstance(formula, Comparison | InRange):
        return Size(0, 1, 2)
    return Size(-MAX_CONSTANT, MAX_CONSTANT, outcomes)


def repeated(call: Call) -> Formula:
    """What repeat() adds up: larger pools, or the same roll some times. Raises ResolverError."""
    times, rolled = call.arguments
    number = times.value if isinstance(times, Constant) else None
    if not isinstance(number, int):
        raise ResolverError("repeat() takes how often, and what is rolled, such as repeat(3, d6 + 1)")
    if not 0 <= number <= MAX_REPEATED:
        raise too_many(number)
    if not number:
        return Constant(0)
    if isinstance(rolled, Pool):
        return Pool(number * rolled.count, rolled.sides)
    return Sum(((1, rolled),) * number)


def too_many(rolls: int) -> ResolverError:
    """The error for more rolls than are added up."""
    return ResolverError(f"{rolls} rolls are not added up; refgen adds at most {MAX_REPEATED}")


def _sum_size(terms: Sequence[tuple[int, Size]]) -> Size:
    """Terms are added one after the other."""
    total, work, followed = Size(0, 0, 1), 0, 0
    for sign, size in terms:
        check_pairs(total.outcomes, size.outcomes)
        if size.followed:
            work += max(followed, 1) * size.followed
            followed += size.followed
        if work > MAX_FOLLOWED_WORK:
            raise _too_much("too many open-ended dice to add", f"about {MAX_FOLLOWED_WORK:,} pairs of their outcomes")
        low, high = (size.low, size.high) if sign > 0 else (-size.high, -size.low)
        total = _within(total.low + low, total.high + high, total.outcomes * size.outcomes)
    return replace(total, followed=followed)


def _call_size(call: Call) -> Size:
    match call:
        case Call(name="highest" | "lowest", arguments=(Constant(value=int() as kept), Pool() as pool)):
            _check_kept(kept, pool)
            return _pool_size(pool)
        case Call(name="chances"):
            return Size(0, 0, 1)  # a printed table is short
        case Call(name="repeat"):
            return check_cost(repeated(call))
        case Call(name="count", arguments=(Comparison(left=pool) | InRange(formula=pool),)):
            return check_cost(pool)
    sizes = [check_cost(argument) for argument in call.arguments]
    match call.name:
        case "explode" | "open":
            fewest, times = _FOLLOWED[call.name]
            return replace(sizes[0], followed=max(fewest, times * sizes[0].outcomes))
        case "top":
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
    joined = _within(min(size.low for size in sizes), max(size.high for size in sizes), outcomes)
    return replace(joined, followed=max(size.followed for size in sizes))


def _within(low: Rational, high: Rational, most: int) -> Size:
    """A roll from ``low`` to ``high`` with at most so many outcomes."""
    outcomes = int(min(most, high - low + 1))
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
