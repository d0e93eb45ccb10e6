"""What a formula costs, before anything is rolled.

In: a Formula without names, and how far its open-ended rolls are followed. Out: nothing, or a ResolverError that says
what is too much and which limit it meets. The limits keep any answer within two seconds and 256 MB; 1000d6 and 100d100
are well inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log2

from refgen.errors import ResolverError
from refgen.limits import Limits, limit_hint, limits
from refgen.notation.formula import DICE_FUNCTIONS
from refgen.notation.tree import Binary, Call, Comparison, Constant, Formula, InRange, Pool, Sum
from refgen.resolver.dice.arithmetic import Rational, shortened
from refgen.resolver.dice.pointwise import is_whole, pointwise

MAX_CONSTANT = 1_000_000
MAX_REPEATED = 100
"""More rolls than anybody adds up by hand."""

MAX_REROLLS = 400
LONG_WEIGHT = 2_500
"""Outcomes whose weights have more bits count more often: as often as the square says, for chances are reduced."""

STEPS_OF_ARITHMETIC = 65
"""How many steps of adding take as long as arithmetic with Fractions for one outcome."""

STEPS_OF_KEEPING = 4
"""How many states of kept dice are followed in a step."""

DIGIT_BITS, KARATSUBA, STEPS_OF_DIGITS = 30, 0.585, 0.03
"""How Python multiplies whole numbers: the bits of a digit, the exponent of the shorter one, the steps of a product."""

WIDEST_GAPS = 4
"""How many numbers for each outcome a convolution is worth."""

MEMORY = 512


@dataclass(frozen=True, slots=True)
class Size:
    """The lowest and highest outcome of a roll, as far as an open-ended one is followed, and how many there are.

    ``bits`` is about how long its weights are. ``work`` is about how many steps it takes to work the roll out; a step
    is a fifth of a microsecond.
    """

    low: Rational
    high: Rational
    outcomes: int
    bits: float = 0
    work: float = 0


def check_cost(formula: Formula, reach: int) -> None:
    """Refuse a formula that would take too long when it is followed as far as ``reach``. Raises ResolverError."""
    _size(formula, reach, limits())


@lru_cache(maxsize=MEMORY)
def _size(formula: Formula, reach: int, most: Limits) -> Size:
    """How large a roll is; ``most`` is part of what the answer is remembered by."""
    size = _measured(formula, reach, most)
    check_outcomes(size.outcomes, size.bits)
    _check_work(size.work)
    return size


def _check_work(steps: float) -> None:
    if steps > limits().dice_work:
        raise _too_much(f"about {round(steps, -5):,.0f} steps of work", "dice_work")


def _measured(formula: Formula, reach: int, most: Limits) -> Size:
    match formula:
        case Constant():
            return _constant_size(formula)
        case Pool():
            return _pool_size(formula)
    if is_whole(formula):
        match formula:
            case Sum(terms=terms):
                return _sum_size([(sign, _size(term, reach, most)) for sign, term in terms])
            case Binary(sign="*", left=left, right=right):
                return _product_size(_size(left, reach, most), _size(right, reach, most))
            case Call(name=name) if name in DICE_FUNCTIONS:
                return _call_size(formula, reach, most)
            case Comparison() | InRange() if (asked := rolled_once(formula)) is not None:
                return replace(_size(asked, reach, most), low=0, high=1, outcomes=2)
    return _pointwise_size(formula, reach, most)


def check_outcomes(outcomes: int, bits: float) -> None:
    """Refuse a roll with so many outcomes; those with long weights count more. Raises ResolverError."""
    if outcomes > limits().outcomes:
        raise _too_much(f"{outcomes:,} different outcomes", "outcomes")
    if bits > LONG_WEIGHT and outcomes * (bits / LONG_WEIGHT) ** 2 > limits().outcomes:
        raise _too_much(
            f"{outcomes:,} outcomes with chances of some {round(bits / log2(10), -2):,.0f} digits", "outcomes"
        )


def rerolls(outcomes: int, reach: int, step: int) -> int:
    """How many re-rolls, each adding at least ``step``, lead beyond ``reach``; fewer when they would cost too much."""
    affordable = max(limits().outcomes // outcomes, 2)
    return min(max(reach, 0) // step + 2, MAX_REROLLS, affordable)


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
        raise ResolverError(
            f"this roll has {_grouped(value)}; refgen works out at most {MAX_CONSTANT:,}", hint="Take smaller numbers."
        )
    return Size(value, value, 1)


def _grouped(number: Rational) -> str:
    """A number as messages show it, with commas."""
    shown = shortened(number)
    return f"the number {number:,}" if shown == str(number) else shown


def _pointwise_size(formula: Formula, reach: int, most: Limits) -> Size:
    """All outcomes of all rolls together are gone through."""
    outcomes, bits, work = 1, 0.0, 0.0
    for rolled in pointwise(formula).rolls:
        size = _size(rolled, reach, most)
        outcomes, bits, work = outcomes * size.outcomes, bits + size.bits, work + size.work
        if outcomes > most.outcomes:
            raise _too_much(f"more than {most.outcomes:,} outcomes of all its rolls together", "outcomes")
    work += outcomes * STEPS_OF_ARITHMETIC * _length(bits)
    if is_whole(formula) and isinstance(formula, Comparison | InRange):
        return Size(0, 1, 2, bits, work)
    return Size(-MAX_CONSTANT, MAX_CONSTANT, outcomes, bits, work)


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
    return ResolverError(f"{shortened(rolls)} rolls are not added up; refgen adds at most {MAX_REPEATED}")


def rewritten(call: Call) -> Formula:
    """What repeat() adds up; of explode(), the dice alone, to which what does not explode is added once."""
    match call:
        case Call(name="repeat"):
            return repeated(call)
        case Call(name="explode", arguments=(Sum(terms=terms),)):
            dice = tuple([term for term in terms if not isinstance(term[1], Constant)])
            added = [term for term in terms if term not in dice]
            if dice and added:
                return Sum(((1, Call("explode", (Sum(dice),))), *added))
    return call


def _sum_size(terms: Sequence[tuple[int, Size]]) -> Size:
    """Terms are added one after the other."""
    total = Size(0, 0, 1)
    for sign, size in terms:
        check_pairs(total.outcomes, size.outcomes)
        low, high = (size.low, size.high) if sign > 0 else (-size.high, -size.low)
        outcomes = total.outcomes * size.outcomes
        work = _work_of_adding(total, size) if outcomes > 1 else 0
        total = _combined(total.low + low, total.high + high, outcomes, (total, size), work)
    return total


def _work_of_adding(left: Size, right: Size) -> float:
    """A convolution of all weights where outcomes lie close to each other, else a step for each pair."""
    span, bits = left.high - left.low + right.high - right.low, left.bits + right.bits
    if span >= WIDEST_GAPS * (left.outcomes + right.outcomes):
        return left.outcomes * right.outcomes * _length(bits)
    shorter, longer = sorted([left.outcomes * bits / DIGIT_BITS, right.outcomes * bits / DIGIT_BITS])
    return float(longer * shorter**KARATSUBA * STEPS_OF_DIGITS) + left.outcomes + right.outcomes


def check_adding(left: Size, right: Size) -> None:
    """Refuse to add two rolls that are known. Raises ResolverError."""
    check_pairs(left.outcomes, right.outcomes)
    _check_work(_work_of_adding(left, right))


def _length(bits: float) -> float:
    """How much longer a step takes with weights of so many bits than with short ones."""
    return 1 + bits / 1_000


def _call_size(call: Call, reach: int, most: Limits) -> Size:
    match call:
        case Call(name="highest" | "lowest", arguments=(Constant(value=int() as kept), Pool() as pool)):
            return _kept_size(kept, pool)
        case Call(name="chances"):
            return Size(0, 0, 1)  # a printed table is short
        case Call(name="count", arguments=(Comparison(left=pool) | InRange(formula=pool),)):
            return _counted_size(pool) if isinstance(pool, Pool) else _size(pool, reach, most)
    if (rolled := rewritten(call)) != call:
        return _size(rolled, reach, most)
    return _size_of_parts(call.name, reach, [_size(argument, reach, most) for argument in call.arguments])


def _size_of_parts(name: str, reach: int, parts: Sequence[Size]) -> Size:
    match name:
        case "explode":
            return _exploding_size(parts[0], reach, *[part.high for part in parts[1:]])
        case "open":
            return _open_size(parts[0], reach, [parts[0].high, -parts[0].low])
        case "top":
            return parts[0]
        case "times":
            return _product_size(*parts)
    return _joined_size(parts)


def _exploding_size(first: Size, reach: int, least: Rational | None = None) -> Size:
    """A roll that goes on at its highest outcome; or from a number on, and then sums of all rolls are added up."""
    size = _open_size(first, reach, [first.high if least is None else least])
    if least is None:
        return size
    return replace(size, work=size.work + size.bits / max(first.bits, 1) * _work_of_adding(size, first))


def _open_size(first: Size, reach: int, ends: Sequence[Rational]) -> Size:
    """A roll that goes on at some ends; of arithmetic, whose highest outcome is not known, as if that were 1."""
    both = len(ends) > 1
    steps = [1 if end == MAX_CONSTANT else max(1, int(end)) for end in ends]
    farthest = reach if both else reach - int(min(first.low, 0))
    rolls = 1 + max(rerolls(first.outcomes, farthest, step) for step in steps)
    bits = first.bits * rolls
    work = first.work + first.outcomes * rolls * _length(bits)
    low = first.low * rolls if both else first.low
    return Size(low, first.high * rolls, first.outcomes * rolls, bits, work)


def _product_size(left: Size, right: Size) -> Size:
    check_pairs(left.outcomes, right.outcomes)
    corners = [end * other for end in (left.low, left.high) for other in (right.low, right.high)]
    pairs = left.outcomes * right.outcomes
    return _combined(min(corners), max(corners), pairs, (left, right), pairs * _length(left.bits + right.bits))


def _joined_size(sizes: Sequence[Size]) -> Size:
    """The outcomes of some rolls together; the rolls are compared one after the other."""
    outcomes = 1
    for size in sizes:
        check_pairs(outcomes, size.outcomes)
        outcomes += size.outcomes - 1
    work = len(sizes) * outcomes * _length(sum(size.bits for size in sizes))
    return _combined(min(size.low for size in sizes), max(size.high for size in sizes), outcomes, sizes, work)


def _combined(low: Rational, high: Rational, most: int, parts: Sequence[Size], work: float) -> Size:
    """A roll from ``low`` to ``high`` with at most so many outcomes, and the work of its parts and its own."""
    outcomes = int(min(most, high - low + 1))
    check_outcomes(outcomes, 0)
    return Size(low, high, outcomes, sum(part.bits for part in parts), work + sum(part.work for part in parts))


def check_pairs(left: int, right: int) -> None:
    """Refuse to combine two rolls with so many outcomes. Raises ResolverError."""
    if left * right > limits().dice_work:
        raise _too_much(f"{left:,} times {right:,} pairs of outcomes", "dice_work")


def _bits(pool: Pool) -> float:
    return pool.count * log2(pool.sides or 3)


def _check_dice(pool: Pool) -> None:
    if pool.count > limits().dice:
        raise _too_much(f"{pool.count:,} dice", "dice")


def _kept_size(kept: int, pool: Pool) -> Size:
    """Some dice of a pool: how many are kept already, and their sum, is followed from face to face."""
    size, faces = _pool_size(pool), pool.sides or 3
    work = pool.count * min(kept, pool.count) ** 2 * faces**2 * _length(size.bits) / STEPS_OF_KEEPING
    if work > limits().dice_work:
        raise _too_much(f"{kept:,} dice to keep of {pool.count:,}", "dice_work")
    return replace(size, work=work)


def _counted_size(pool: Pool) -> Size:
    """How many dice of a pool meet something."""
    _check_dice(pool)
    check_outcomes(pool.sides, 0)
    return Size(0, pool.count, pool.count + 1, _bits(pool), pool.sides + pool.count * _length(_bits(pool)))


def _pool_size(pool: Pool) -> Size:
    _check_dice(pool)
    faces, bits = pool.sides or 3, _bits(pool)
    outcomes = pool.count * (faces - 1) + 1
    check_outcomes(outcomes, bits)
    if pool.count > 1 and outcomes * faces > limits().dice_work:
        raise _too_much(f"{pool.count:,} dice of {faces:,} sides", "dice_work")
    work = outcomes * faces * _length(bits) / 2 if pool.count > 1 else 0
    return Size(pool.count * pool.lowest_face, pool.count * pool.highest_face, outcomes, bits, work)


def _too_much(what: str, limit: str) -> ResolverError:
    most = getattr(limits(), limit)
    hint = f"Roll fewer or smaller dice. {limit_hint(limit)}"
    return ResolverError(f"this roll has {what}; refgen works out at most {most:,}", hint=hint)
