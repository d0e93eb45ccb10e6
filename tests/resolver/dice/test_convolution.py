"""Products of polynomials, against multiplying every weight with every other."""

from __future__ import annotations

from collections import Counter
from functools import reduce

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.resolver.dice.convolution import convolution_power, convolve
from refgen.resolver.dice.distribution import Distribution

WEIGHTS = st.lists(st.integers(0, 9) | st.integers(0, 10**40), min_size=1, max_size=9)


def one_by_one(left: list[int], right: list[int]) -> list[int]:
    products: Counter[int] = Counter()
    for i, weight in enumerate(left):
        for j, other in enumerate(right):
            products[i + j] += weight * other
    return [products[place] for place in range(len(left) + len(right) - 1)]


@pytest.mark.slow
@given(WEIGHTS, WEIGHTS)
def test_a_product_is_every_weight_times_every_other(left: list[int], right: list[int]) -> None:
    assert convolve(left, right) == one_by_one(left, right)


@pytest.mark.slow
@given(WEIGHTS, st.integers(1, 6))
def test_a_power_is_a_product_of_equal_factors(weights: list[int], exponent: int) -> None:
    assert convolution_power(weights, exponent) == reduce(one_by_one, [weights] * exponent, [1])


@pytest.mark.parametrize("largest", [255, 256, 2**64 - 1, 2**64])
def test_a_weight_that_fills_its_slot_does_not_run_over(largest: int) -> None:
    assert convolve([largest, largest], [1, 1]) == [largest, 2 * largest, largest]


NEAR = st.dictionaries(st.integers(-9, 9), st.integers(1, 5) | st.integers(2**400, 2**500), min_size=1, max_size=16)
APART = st.dictionaries(st.integers(-(10**6), 10**6), st.integers(1, 5), min_size=1, max_size=4)


@pytest.mark.slow
@given(NEAR | APART, NEAR | APART)
def test_rolls_are_added_up_whatever_their_gaps_and_weights(left: dict[int, int], right: dict[int, int]) -> None:
    assert dict(Distribution.of(left).plus(Distribution.of(right)).items()) == dict(
        (icepool.Die(left) + icepool.Die(right)).items()
    )
