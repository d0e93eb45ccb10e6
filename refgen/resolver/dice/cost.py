"""The cost of each step in working out dice, counted before the step is done.

In: the rolls that a step combines, or the pool that it rolls. Out: nothing, or a ResolverError that names the
limit. The limits keep any answer within two seconds and 256 MB; 1000d6 and 100d100 are well
inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, log2, prod
from typing import TYPE_CHECKING

from refgen.errors import ResolverError
from refgen.limits import limit_hint, limits
from refgen.notation.formula_tree import Pool
from refgen.resolver.dice.arithmetic import Rational, shorten_number

if TYPE_CHECKING:
    from refgen.resolver.dice.distribution import Distribution

MAX_CONSTANT = 1_000_000
MAX_REPEATED = 100
"""The most rolls that repeat() adds up."""

MAX_REROLLS = 400
LONG_WEIGHT = 2_500
"""The bits of a weight up to which an outcome counts once; a longer weight counts by the square of its length."""

STEPS_OF_ARITHMETIC = 65
"""How many steps of adding take as long as arithmetic with Fractions for one outcome."""

LIGHT = 32
"""The part of the work that a question may take, of which nobody takes notice."""

STEPS_OF_KEEPING = 4
"""How many states of kept dice are followed in a step."""

DIGIT_BITS, KARATSUBA, STEPS_OF_DIGITS = 30, 0.585, 0.03
"""How Python multiplies whole numbers: the bits of a digit, the exponent of the shorter one, the steps of a product."""

WIDEST_GAPS = 4
"""The widest range of numbers, for each outcome, over which a convolution is faster than going through all pairs."""


@dataclass(slots=True)
class Work:
    """How many steps a question to dice takes together; a step is a fifth of a microsecond."""

    steps: float = 0

    @property
    def is_light(self) -> bool:
        """Whether so little was done that a few times as much is soon done too."""
        return self.steps < limits().dice_work / LIGHT

    def add(self, steps: float, outcomes: int = 0, bits: float = 0) -> None:
        """Count a step that is about to be done, and its outcomes with the bits of their weights.

        Raises ResolverError for too much.
        """
        check_outcomes(outcomes, bits)
        self.steps += steps
        if self.steps > limits().dice_work:
            raise _too_much(f"at least {round(self.steps, -5):,.0f} steps of work", "dice_work")

    def roll_pool(self, pool: Pool) -> None:
        """A pool of equal dice."""
        _check_dice(pool)
        faces, bits = pool.sides or 3, _bits(pool)
        outcomes = pool.count * (faces - 1) + 1
        check_outcomes(outcomes, bits)
        if pool.count > 1 and outcomes * faces > limits().dice_work:
            raise _too_much(f"{pool.count:,} dice of {faces:,} sides", "dice_work")
        self.add(outcomes * faces * _length(bits) / 2 if pool.count > 1 else 0)

    def keep_dice(self, kept: int, pool: Pool) -> None:
        """Some dice of a pool: how many are kept already, and their sum, is followed from face to face."""
        faces = pool.sides or 3
        work = pool.count * min(kept, pool.count) ** 2 * faces**2 * _length(_bits(pool)) / STEPS_OF_KEEPING
        if work > limits().dice_work:
            raise _too_much(f"{kept:,} dice to keep of {pool.count:,}", "dice_work")
        self.add(work)

    def count_dice(self, pool: Pool) -> None:
        """How many dice of a pool meet something."""
        _check_dice(pool)
        self.add(pool.sides + pool.count * _length(_bits(pool)), pool.sides)

    def count_rolls(self, number: int, rolled: Distribution) -> None:
        """How many of some equal rolls meet something."""
        bits = number * rolled.bits
        self.add(len(rolled.outcomes) + number * _length(bits), number + 1, bits)

    def sum_rolls(self, left: Distribution, right: Distribution) -> None:
        """A convolution of all weights where outcomes lie close to each other, else a step for each pair."""
        check_pairs(left, right)
        bits = left.bits + right.bits
        width = left.outcomes[-1] - left.outcomes[0] + right.outcomes[-1] - right.outcomes[0]
        if width >= WIDEST_GAPS * (len(left.outcomes) + len(right.outcomes)):
            pairs = len(left.outcomes) * len(right.outcomes)
            return self.add(pairs * _length(bits), pairs, bits)
        return self.add(_work_of_adding(len(left.outcomes), len(right.outcomes), bits), int(width) + 1, bits)

    def multiply_rolls(self, left: Distribution, right: Distribution) -> None:
        """A step for each pair of outcomes."""
        check_pairs(left, right)
        pairs, bits = len(left.outcomes) * len(right.outcomes), left.bits + right.bits
        ends = [one * two for one in left.ends for two in right.ends]
        self.add(pairs * _length(bits), min(pairs, int(max(ends) - min(ends)) + 1), bits)

    def compare_rolls(self, left: Distribution, right: Distribution) -> None:
        """The outcomes of two rolls together, gone through once."""
        check_pairs(left, right)
        outcomes, bits = len(left.outcomes) + len(right.outcomes), left.bits + right.bits
        self.add(2 * outcomes * _length(bits), outcomes, bits)

    def reroll(self, first: Distribution, rerolls: int) -> None:
        """A roll that goes on so many times."""
        rolls, outcomes = rerolls + 1, len(first.outcomes)
        bits = first.bits * rolls
        self.add(outcomes * rolls * _length(bits), outcomes * rolls, bits)

    def explode_from(self, first: Distribution, least: int, rerolls: int) -> None:
        """A roll that goes on from an outcome up, so many times: a step for each sum reached and each outcome."""
        step = gcd(*first.outcomes) or 1
        sums, bits = (least * (rerolls + 1) - first.outcomes[0]) // step + 1, first.bits * (rerolls + 1)
        self.add(sums * len(first.outcomes) * _length(bits), sums, bits)

    def go_through(self, rolls: Sequence[Distribution]) -> None:
        """Arithmetic with every combination of the outcomes of some rolls."""
        outcomes = prod([len(roll.outcomes) for roll in rolls])
        if outcomes > limits().outcomes:
            raise _too_much(f"more than {limits().outcomes:,} outcomes of all its rolls together", "outcomes")
        bits = sum(roll.bits for roll in rolls)
        self.add(outcomes * STEPS_OF_ARITHMETIC * _length(bits), outcomes, bits)


def check_outcomes(outcomes: int, bits: float) -> None:
    """Refuse a roll with so many outcomes; those with long weights count more. Raises ResolverError."""
    if outcomes > limits().outcomes:
        raise _too_much(f"{outcomes:,} different outcomes", "outcomes")
    if bits > LONG_WEIGHT and outcomes * (bits / LONG_WEIGHT) ** 2 > limits().outcomes:
        raise _too_much(
            f"{outcomes:,} outcomes with chances of some {round(bits / log2(10), -2):,.0f} digits", "outcomes"
        )


def check_pairs(left: Distribution, right: Distribution) -> None:
    """Refuse to combine two rolls of very many outcomes. Raises ResolverError."""
    if len(left.outcomes) * len(right.outcomes) > limits().dice_work:
        what = f"{len(left.outcomes):,} times {len(right.outcomes):,} pairs of outcomes"
        raise _too_much(what, "dice_work")


def check_constant(number: Rational) -> Rational:
    """The number. Raises ResolverError for one that is far too large beside dice."""
    if max(number, -number) > MAX_CONSTANT:
        shown = shorten_number(number)
        what = f"the number {number:,}" if shown == str(number) else shown
        message = f"this roll has {what}; refgen works out at most {MAX_CONSTANT:,}"
        raise ResolverError(message, hint="Take smaller numbers.")
    return number


def check_repeated(rolls: int) -> None:
    """Refuse to add up so many rolls. Raises ResolverError."""
    if not 0 <= rolls <= MAX_REPEATED:
        raise ResolverError(f"{shorten_number(rolls)} rolls are not added up; refgen adds at most {MAX_REPEATED}")


def rerolls_to(outcomes: int, reach: int, step: int, farther: int = 1) -> int:
    """How many re-rolls, each adding at least ``step``, lead beyond ``reach``, times ``farther``.

    Fewer when they would cost too much.
    """
    affordable = max(limits().outcomes // outcomes, 2)
    return min((max(reach, 0) // step + 2) * farther, MAX_REROLLS, affordable)


def _work_of_adding(left: int, right: int, bits: float) -> float:
    """A convolution of the weights of so many outcomes, which are written side by side in two long numbers."""
    shorter, longer = sorted([left * bits / DIGIT_BITS, right * bits / DIGIT_BITS])
    return float(longer * shorter**KARATSUBA * STEPS_OF_DIGITS) + left + right


def _length(bits: float) -> float:
    """How much longer a step takes with weights of so many bits than with short ones."""
    return 1 + bits / 1_000


def _bits(pool: Pool) -> float:
    return pool.count * log2(pool.sides or 3)


def _check_dice(pool: Pool) -> None:
    if pool.count > limits().dice:
        raise _too_much(f"{pool.count:,} dice", "dice")


def _too_much(what: str, limit: str) -> ResolverError:
    most = getattr(limits(), limit)
    hint = f"Roll fewer or smaller dice. {limit_hint(limit)}"
    return ResolverError(f"this roll has {what}; refgen works out at most {most:,}", hint=hint)
