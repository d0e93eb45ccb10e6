"""The questions that one asks of a roll, against icepool's own answers."""

from __future__ import annotations

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.resolver.dice.chance_matrix import chance_matrix, chance_rows
from refgen.resolver.dice.distribution import Roll
from refgen.resolver.rolls import roll

F = Fraction
DICE = st.dictionaries(st.integers(-9, 9), st.integers(1, 5), min_size=1, max_size=8).map(icepool.Die)


@pytest.mark.slow
@given(DICE, st.integers(-12, 12), st.integers(-12, 12))
def test_every_question_is_answered_as_icepool_answers_it(die: icepool.Die[int], low: int, high: int) -> None:
    rolled = Roll.of(dict(die.items()))
    assert rolled.exactly(low) == die.probability(low)
    assert rolled.at_least(low) == die.probability(">=", low)
    assert rolled.less_than(low) == die.probability("<", low)
    assert (rolled.mean, rolled.variance) == (die.mean(), die.variance())
    assert rolled.between(None, high) == die.probability("<=", high)
    assert rolled.between(low, None) == die.probability(">=", low)
    if low <= high:
        assert rolled.between(low, high) == die.probability("<=", high) - die.probability("<", low)


@given(DICE, st.integers(-12, 12), st.integers(0, 12))
def test_the_weights_of_a_range_are_those_of_its_outcomes(die: icepool.Die[int], first: int, length: int) -> None:
    rolled = Roll.of(dict(die.items()))
    outcomes = range(first, first + length)
    assert rolled.weights_at_least(outcomes) == [rolled.weight_at_least(outcome) for outcome in outcomes]


RANGES = st.builds(
    lambda start, length, step: range(start, start + length, step),
    st.integers(-9, 9),
    st.integers(0, 9),
    st.integers(1, 3),
)


@given(DICE, RANGES, RANGES)
def test_a_matrix_has_the_chance_of_every_cell(die: icepool.Die[int], traits: range, difficulties: range) -> None:
    rolled = Roll.of(dict(die.items()))
    matrix = chance_matrix(rolled, traits, difficulties)
    for trait in traits:
        wanted = [rolled.at_least(difficulty - trait) for difficulty in difficulties]
        assert [F(numerator, matrix.denominator) for numerator in matrix.row(trait)] == wanted
        assert [matrix.chance(trait, difficulty) for difficulty in difficulties] == wanted


def test_a_million_cells_need_as_many_numbers_as_there_are_differences() -> None:
    matrix = chance_matrix(roll("4dF"), range(1000), range(1000))
    assert len(matrix.numerators) == 1999
    assert len(matrix.row(0)) == 1000


def test_a_cell_outside_the_matrix_is_an_error() -> None:
    matrix = chance_matrix(roll("4dF"), range(3), range(0, 10, 5))
    with pytest.raises(ValueError, match="3 is not in range"):
        matrix.row(3)
    with pytest.raises(ValueError, match="4 is not in range"):
        matrix.chance(0, 4)


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from(["4dF", "d6", "d8"]), st.integers(-5, 5)), max_size=5), st.data())
def test_rows_of_different_rolls_have_their_own_chances(ways: list[tuple[str, int]], data: st.DataObject) -> None:
    goals = data.draw(st.lists(st.integers(-9, 9), max_size=4))
    rolls = [(roll(text), added) for text, added in ways]
    wanted = [[rolled.at_least(goal - added) for goal in goals] for rolled, added in rolls]
    assert [list(row) for row in chance_rows(rolls, goals)] == wanted
