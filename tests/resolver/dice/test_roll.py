"""The questions that one asks of a roll, against icepool's own answers."""

from __future__ import annotations

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.resolver.dice.distribution import Distribution

DICE = st.dictionaries(st.integers(-9, 9), st.integers(1, 5), min_size=1, max_size=8).map(icepool.Die)


@pytest.mark.slow
@given(DICE, st.integers(-12, 12), st.integers(-12, 12))
def test_every_question_is_answered_as_icepool_answers_it(die: icepool.Die[int], low: int, high: int) -> None:
    rolled = Distribution.of(dict(die.items()))
    assert rolled.exactly(low) == die.probability(low)
    assert rolled.at_least(low) == die.probability(">=", low)
    assert rolled.less_than(low) == die.probability("<", low)
    assert (rolled.mean, rolled.variance) == (die.mean(), die.variance())
    assert rolled.between(None, high) == die.probability("<=", high)
    assert rolled.between(low, None) == die.probability(">=", low)
    if low <= high:
        assert rolled.between(low, high) == die.probability("<=", high) - die.probability("<", low)
