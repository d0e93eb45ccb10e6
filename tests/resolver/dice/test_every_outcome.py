"""Every kind of formula, against a list of all ways that its dice can come up."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, event, given, reject, settings
from hypothesis import strategies as st

from refgen.errors import ResolverError
from refgen.notation.formula_tree import BinaryOperation, Call, ComparisonTest, Constant, Formula, Pool, RangeTest, Sum
from refgen.resolver.rolls import roll_formula
from tests.resolver.dice.outcomes import RefusedError, how_many, outcomes_of

MOST_OUTCOMES = 6_000
ASKED = range(-12, 13)
SOME = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(SOME, max_examples=2_000)
MOST = settings(SOME, max_examples=10_000)
F = Fraction


def pools(most: int = 3) -> st.SearchStrategy[Pool]:
    return st.builds(Pool, st.integers(1, most), st.sampled_from([0, 2, 3, 4, 6]))


def constants() -> st.SearchStrategy[Formula]:
    return st.builds(Constant, st.integers(0, 4))


def sums(part: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.builds(Sum, st.lists(st.tuples(st.sampled_from([1, -1]), part), min_size=1, max_size=3).map(tuple))


def numbers() -> st.SearchStrategy[Formula]:
    """A whole number as the notation writes it: 3, -3."""
    return constants() | st.builds(lambda number: Sum(((-1, number),)), constants())


@st.composite
def kept(draw: st.DrawFn) -> Formula:
    pool = draw(pools(4))
    return Call(draw(st.sampled_from(["highest", "lowest"])), (Constant(draw(st.integers(1, pool.count))), pool))


@st.composite
def inline_tables(draw: st.DrawFn) -> str:
    first, second = sorted(draw(st.lists(st.integers(-3, 6), min_size=2, max_size=2, unique=True)))
    low, middle, high = (draw(st.integers(-5, 5)) for _ in range(3))
    return f'"..{first}: {low}, {first + 1}..{second}: {middle}, {second + 1}..: {high}"'


def calls(part: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    one = st.tuples(part)
    return st.one_of(
        st.builds(Call, st.sampled_from(["explode", "open", "snake", "half_away"]), one),
        st.builds(Call, st.sampled_from(["max", "min", "lesser", "times"]), st.tuples(part, part)),
        st.builds(Call, st.sampled_from(["max", "min"]), st.tuples(part, part, constants())),
        st.builds(Call, st.sampled_from(["reroll", "without"]), st.tuples(part, numbers())),
        st.builds(Call, st.just("explode"), st.tuples(part, st.builds(Constant, st.integers(1, 5)))),
        st.builds(Call, st.just("snake"), st.tuples(part, constants())),
        st.builds(Call, st.just("map"), one, inline_tables()),
    )


def counts() -> st.SearchStrategy[Formula]:
    comparisons = st.sampled_from([">=", "<=", ">", "<", "=="])
    return st.builds(Call, st.just("count"), st.tuples(st.builds(ComparisonTest, comparisons, pools(), numbers())))


SINGLE_DIE = st.builds(Pool, st.just(1), st.sampled_from([0, 2, 3, 4]))


def repeats(part: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.builds(Call, st.just("repeat"), st.tuples(st.builds(Constant, st.integers(0, 4)), part))


def conditions(part: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    """Comparisons with a number, and ranges."""
    return st.one_of(
        st.builds(ComparisonTest, st.sampled_from([">=", "<=", ">", "<", "==", "!="]), part, numbers()),
        st.builds(RangeTest, part, numbers(), numbers() | st.none()),
        st.builds(RangeTest, part, st.none(), numbers()),
    )


@st.composite
def of_single_dice(draw: st.DrawFn, part: st.SearchStrategy[Formula]) -> Formula:
    """A function that asks single dice: of pools, of what repeat() makes, and now and then of what it refuses."""
    ways = [pools(), repeats(SINGLE_DIE), repeats(part), repeats(part), repeats(part), repeats(repeats(part)), part]
    name = draw(st.sampled_from(["count", "count", "highest", "lowest"]))
    asked = draw(draw(st.sampled_from(ways if name == "count" else [*ways[:2] * 3, *ways[2:]])))
    if name == "count":
        return Call(name, (draw(conditions(st.just(asked))),))
    return Call(name, (Constant(draw(st.integers(1, 2))), asked))


def rounded(part: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    """A share of a roll, rounded; or its sign."""
    share = st.builds(BinaryOperation, st.just("/"), part, st.builds(Constant, st.integers(2, 4)))
    function = st.builds(Call, st.sampled_from(["floor", "ceiling", "nearest"]), st.tuples(share))
    return function | function | st.builds(Call, st.just("sign"), st.tuples(part))


def endless() -> st.SearchStrategy[Formula]:
    """Rolls that may go on for ever."""
    exploding = st.builds(Pool, st.just(1), st.sampled_from([0, 2, 3, 4, 6])) | st.just(Pool(2, 0))
    fudge = st.builds(Pool, st.integers(1, 2), st.just(0)) | st.just(Sum(((1, Pool(1, 4)), (-1, Constant(3)))))
    first = st.builds(Call, st.just("explode"), st.tuples(exploding)) | st.builds(
        Call, st.just("open"), st.tuples(fudge)
    )
    from_two = st.builds(
        Call, st.just("explode"), st.tuples(st.just(Pool(1, 6)), st.sampled_from([Constant(4), Constant(5)]))
    )
    return first | from_two | st.builds(Call, st.just("snake"), st.tuples(first))


def composed(leaves: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.recursive(leaves, lambda part: sums(part) | calls(part) | calls(part), max_leaves=4)


def pairs(left: st.SearchStrategy[Formula], right: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    """Two rolls together, in either order."""
    both = st.tuples(left, right) | st.tuples(right, left)
    added = st.tuples(both, st.sampled_from([1, -1])).map(lambda of: Sum(((1, of[0][0]), (of[1], of[0][1]))))
    called = st.builds(Call, st.sampled_from(["max", "min", "lesser", "times"]), both)
    return added | added | called


SMALL = st.builds(Pool, st.just(1), st.sampled_from([0, 3, 6])) | numbers()
BOUNDED = composed(pools() | constants() | kept() | counts())
OPEN = pairs(endless(), SMALL) | pairs(endless(), endless()) | calls(endless())
OPEN_IN_OPEN = OPEN | pairs(OPEN, SMALL) | calls(OPEN) | st.builds(Call, st.just("half_away"), st.tuples(OPEN))


FEW_DICE = st.builds(Pool, st.integers(1, 2), st.sampled_from([0, 2, 3]))
ROLLED = SINGLE_DIE | FEW_DICE | sums(SINGLE_DIE | constants()) | calls(SINGLE_DIE) | rounded(FEW_DICE)
EXPLODING_IN = rounded(endless()) | rounded(pairs(endless(), SMALL)) | conditions(rounded(endless()))
APART = of_single_dice(ROLLED) | of_single_dice(conditions(ROLLED)) | of_single_dice(of_single_dice(ROLLED))
OF_EXPLODING = EXPLODING_IN | of_single_dice(EXPLODING_IN | conditions(EXPLODING_IN)) | of_single_dice(endless())
WITH_SINGLE_DICE = APART | pairs(APART, SMALL) | conditions(APART) | OF_EXPLODING

REFUSED = ("count() takes dice", "keeps single dice", "() cannot keep")
"""What the functions of single dice say of rolls that are one number."""


def assert_every_chance_is_right(formula: Formula) -> None:
    """Compare with all outcomes: equal where the roll says that it is exact, else no farther off than its residue."""
    assume(how_many(formula) <= MOST_OUTCOMES)
    try:
        rolled = roll_formula(formula, reach=ASKED[-1])
    except ResolverError as error:
        event(error.message[:40])
        if any(refused in error.message for refused in REFUSED):
            with pytest.raises(RefusedError):
                outcomes_of(formula)
            return
        reject()
    listed = outcomes_of(formula)
    chances, unknown = listed.chances()
    assert rolled.at_least(rolled.outcomes[0]) == 1
    if not rolled.is_open:
        event("bounded")
        assert rolled.residue == 0
        assert unknown or {outcome: rolled.exactly(outcome) for outcome in rolled.outcomes} == chances
    at_least = sum((chance for outcome, chance in chances.items() if outcome > ASKED[-1]), F(0))
    for outcome in reversed(ASKED):
        exactly = chances.get(outcome, F(0))
        at_least += exactly
        event("exact" if rolled.is_exact(outcome) else "inexact")
        slack = F(0) if rolled.is_exact(outcome) else rolled.residue
        assert exactly - slack <= rolled.exactly(outcome) <= exactly + unknown + slack
        assert at_least - slack <= rolled.at_least(outcome) <= at_least + unknown + slack


@pytest.mark.slow
@given(BOUNDED)
@SOME
def test_a_roll_is_what_all_its_outcomes_add_up_to(formula: Formula) -> None:
    assert_every_chance_is_right(formula)


@pytest.mark.slow
@given(OPEN_IN_OPEN)
@SOME
def test_an_open_ended_roll_is_exact_where_it_says_so(formula: Formula) -> None:
    assert_every_chance_is_right(formula)


@pytest.mark.soak
@given(BOUNDED | OPEN_IN_OPEN)
@MANY
def test_many_rolls_are_what_all_their_outcomes_add_up_to(formula: Formula) -> None:
    assert_every_chance_is_right(formula)


@pytest.mark.slow
@given(WITH_SINGLE_DICE)
@SOME
def test_functions_of_single_dice_are_what_all_outcomes_add_up_to(formula: Formula) -> None:
    assert_every_chance_is_right(formula)


@pytest.mark.soak
@given(WITH_SINGLE_DICE)
@MOST
def test_ten_thousand_functions_of_single_dice_are_what_all_outcomes_add_up_to(formula: Formula) -> None:
    assert_every_chance_is_right(formula)
