"""Two dice that are read as digits: the results of a d66, and those of two dice of which the lower stands first.

In: numbers of two digits from 1 to 6. Out: the results in the order in which they follow each other: all 36 (16 is
followed by 21), or the 21 of dice that are put in order (16 is followed by 22, or 22 by 31).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

FACES = range(1, 7)
"""The faces of the dice of a d66."""

RESULTS = tuple(10 * tens + ones for tens in FACES for ones in FACES)
"""All results of a d66."""

ORDERS = (
    RESULTS,
    tuple(result for result in RESULTS if result // 10 <= result % 10),
    tuple(result for result in RESULTS if result // 10 >= result % 10),
)
"""All results; those of two dice of which the lower stands first, or the higher."""

FEWEST_PAIRS = 2
"""Fewer pairs of digits that follow each other, over the end of the ones, tell no dice."""

FEWEST_TO_A_STRANGE_ONE = 10
"""A column of results has at least so many numbers for each one that is no result."""


def results_like(numbers: Sequence[int | Fraction]) -> Sequence[int] | None:
    """The results, in their order, among which most of some numbers follow each other; None for other numbers.

    None also for numbers that follow each other as well when they are counted one by one.
    """
    strange = sum(number not in RESULTS for number in numbers)
    if len(numbers) < FEWEST_TO_A_STRANGE_ONE * max(strange, 1):
        return None
    best = max(ORDERS, key=lambda order: _following(numbers, order))
    counted = sum(below - above == 1 for above, below in pairwise(numbers))
    return best if _following(numbers, best) - counted >= FEWEST_PAIRS else None


def _following(numbers: Sequence[int | Fraction], order: Sequence[int]) -> int:
    """How many pairs of neighbours follow each other in an order."""
    following = {*pairwise(order)}
    return sum(pair in following for pair in pairwise(numbers))
