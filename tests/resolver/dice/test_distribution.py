"""The questions that a roll answers, against icepool and dyce, which share no code with each other."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import icepool
import pytest
from dyce import H, P, explode_n
from hypothesis import given
from hypothesis import strategies as st

from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.rolls import roll

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


FUDGE = H({-1: 1, 0: 1, 1: 1})


def chances(histogram: H[int]) -> Mapping[int, Fraction]:
    return {outcome: Fraction(count, histogram.total) for outcome, count in histogram.items()}


@pytest.mark.parametrize(
    ("text", "peer"),
    [
        ("4dF", 4 @ FUDGE),
        ("3d6", 3 @ H(6)),
        ("20d10", 20 @ H(10)),
        ("d12 + 5", H(12) + 5),
        ("d10 - d10", H(10) - H(10)),
        ("2d6 + 3d4 - d%", 2 @ H(6) + 3 @ H(4) - H(100)),
        ("highest(2, 4d6)", (4 @ P(6)).at(slice(-2, None))),
        ("4d6kl3", (4 @ P(6)).at(slice(3))),
        ("max(d6, d8)", P(6, 8).at(-1)),
        ("min(d6, d8, d10)", P(6, 8, 10).at(0)),
        ("count(6d10 >= 7)", 6 @ H(10).ge(7)),
        ("times(d6, d8)", H(6) * H(8)),
    ],
)
def test_two_libraries_and_one_answer(text: str, peer: H[int]) -> None:
    rolled = roll(text)
    assert {outcome: rolled.exactly(outcome) for outcome in rolled.outcomes} == chances(peer)


@pytest.mark.filterwarnings("ignore::dyce.lifecycle.ExperimentalWarning")
@pytest.mark.parametrize(("text", "die"), [("explode(d6)", H(6)), ("explode(d4)", H(4)), ("explode(2d6)", 2 @ H(6))])
def test_exploding_dice(text: str, die: H[int]) -> None:
    """dyce stops after some re-rolls, and what still goes on then keeps the sum that it has."""
    rolled, peer = roll(text, reach=20), chances(explode_n(die, n=8))
    for outcome in range(21):
        assert rolled.exactly(outcome) == peer.get(outcome, 0)
