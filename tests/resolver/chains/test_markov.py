"""Chains: answers by hand, and the slow way for any small one: every path, every choice, equations in Fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.errors import ResolverError
from refgen.limits import limits
from refgen.resolver.chains.markov import Chain
from refgen.resolver.chains.moves import Best
from refgen.resolver.chains.states import RIGHT, StateMoves, components, solve_equations

F = Fraction

Moves = Mapping[int, Sequence[tuple[int, tuple[int, ...]]]]
"""By state: in how many ways a step leads to each choice of states; ends are left out."""


def chain(moves: Moves, best: Best = "most-steps") -> Chain[int]:
    return Chain(
        lambda state: [(options, ways) for ways, options in moves[state]],
        lambda state: None if state in moves else state,
        best,
    )


def test_heads_twice() -> None:
    """Tails start again: 6 tosses, as everybody knows."""
    heads = chain({0: [(1, (1,)), (1, (0,))], 1: [(1, (2,)), (1, (0,))]})
    assert heads.steps(0) == 6
    assert [heads.within(0, tosses) for tosses in range(5)] == [0, 0, F(1, 4), F(3, 8), F(1, 2)]


def test_a_gambler_is_ruined_or_rich() -> None:
    run = chain({state: [(1, (state - 1,)), (1, (state + 1,))] for state in range(1, 10)})
    assert [run.steps(state) for state in (0, 1, 5, 10)] == [0, 9, 25, 0]
    assert [run.at_end(state, lambda own: int(own == 10)) for state in (1, 5, 10)] == [F(1, 10), F(1, 2), 1]
    assert run.after(5, 1, lambda own: own) == 5


def test_a_start_that_is_asked_about_later_has_its_own_mean_at_the_end() -> None:
    run = chain({state: [(1, (state + 1,))] for state in range(3)})
    assert [run.at_end(state, lambda own: own) for state in (2, 0, 1)] == [3, 3, 3]


def test_what_may_never_end_has_no_mean() -> None:
    trap = chain({0: [(1, (1,)), (1, (2,))], 1: [(1, (1,))]})
    assert trap.steps(0) is None
    assert trap.at_end(0, lambda own: own) is None
    assert [trap.within(0, steps) for steps in (0, 1, 5)] == [0, F(1, 2), F(1, 2)]
    assert trap.steps(2) == 0


def test_a_point_that_saves_once() -> None:
    """Every second toss ends it; a point each turns that toss into another chance."""
    saved = {left: [(1, (left,)), (1, (-1, left - 1) if left else (-1,))] for left in range(3)}
    assert [chain(saved).steps(left) for left in range(3)] == [2, 4, 6]
    assert chain(saved, "fewest-steps").steps(2) == 2


def test_a_player_who_can_stay_for_ever_does_unless_few_steps_are_best() -> None:
    moves: Moves = {0: [(1, (0, 1)), (1, (0, 1))]}
    assert chain(moves).steps(0) is None
    assert chain(moves, "fewest-steps").steps(0) == 1


def test_a_player_in_a_hurry_keeps_out_of_traps() -> None:
    moves: Moves = {0: [(1, (1, 2)), (1, (0,))], 1: [(1, (1,))], 2: [(1, (3,)), (1, (0,))]}
    assert chain(moves, "fewest-steps").steps(0) == 6
    assert chain(moves, "most-steps").steps(0) is None


# The slow way: every choice is tried, and equations are solved in Fractions


def policies(moves: Moves) -> Iterator[Moves]:
    """The chain of each way to choose once and for all."""
    places = [(state, place, move) for state, own in moves.items() for place, move in enumerate(own)]
    for options in product(*(move[1] for _, _, move in places)):
        fixed: dict[int, list[tuple[int, tuple[int, ...]]]] = {state: [] for state in moves}
        for (state, _, (ways, _)), option in zip(places, options, strict=True):
            fixed[state].append((ways, (option,)))
        yield fixed


def reaching(moves: Moves) -> set[int]:
    """The states from which an end is reached for certain."""
    found = set(range(6))
    able = {state for state in found if state not in moves}
    for _ in found:
        able |= {state for state, own in moves.items() if any(option in able for _, (option,) in own)}
    for _ in found:
        able -= {state for state in able & set(moves) if any(option not in able for _, (option,) in moves[state])}
    return able


def worth_slowly(moves: Moves, cost: int, value: Callable[[int], int], start: int) -> Fraction | None:
    """Gauss with Fractions; None where there may be no end."""
    sure = reaching(moves)
    if start not in sure:
        return None
    inner = sorted(state for state in sure if state in moves)
    rows = []
    for state in inner:
        total = sum(ways for ways, _ in moves[state])
        row = [F(own == state) for own in inner] + [F(cost)]
        for ways, (option,) in moves[state]:
            if option in moves:
                row[inner.index(option)] -= F(ways, total)
            else:
                row[-1] += F(ways, total) * value(option)
        rows.append(row)
    for place in range(len(inner)):
        pivot = next(number for number in range(place, len(rows)) if rows[number][place])
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [own / rows[place][place] for own in rows[place]]
        for number, row in enumerate(rows):
            if number != place and row[place]:
                rows[number] = [own - row[place] * taken for own, taken in zip(row, rows[place], strict=True)]
    return rows[inner.index(start)][-1] if start in moves else F(value(start))


def within_slowly(moves: Moves, start: int, steps: int) -> Fraction:
    if start not in moves or not steps:
        return F(start not in moves)
    total = sum(ways for ways, _ in moves[start])
    return sum((F(ways, total) * within_slowly(moves, option, steps - 1) for ways, (option,) in moves[start]), F(0))


def chains(options: int) -> st.SearchStrategy[Moves]:
    """Chains of up to four states and two ends, 4 and 5."""
    states = st.integers(0, 5)
    choice = st.lists(states, min_size=1, max_size=options, unique=True).map(tuple)
    move = st.tuples(st.integers(1, 4), choice)
    return st.fixed_dictionaries({state: st.lists(move, min_size=1, max_size=3) for state in range(4)})


@pytest.mark.slow
@given(chains(1))
def test_any_small_chain_is_what_the_slow_way_finds(moves: Moves) -> None:
    of = chain(moves)
    assert of.steps(0) == worth_slowly(moves, 1, lambda _own: 0, 0)
    assert of.at_end(0, lambda own: own) == worth_slowly(moves, 0, lambda own: own, 0)
    assert [of.within(0, steps) for steps in range(5)] == [within_slowly(moves, 0, steps) for steps in range(5)]
    assert [of.steps(state) for state in range(6)] == [worth_slowly(moves, 1, lambda _own: 0, own) for own in range(6)]


@pytest.mark.slow
@given(chains(2), st.sampled_from(["most-steps", "fewest-steps"]))
def test_no_choice_once_and_for_all_is_better(moves: Moves, best: Best) -> None:
    found = [worth_slowly(fixed, 1, lambda _own: 0, 0) for fixed in policies(moves)]
    ended = [steps for steps in found if steps is not None]
    of = chain(moves, best)
    if best == "most-steps":
        assert of.steps(0) == (max(ended) if len(ended) == len(found) else None)
    else:
        assert of.steps(0) == (min(ended) if ended else None)


@pytest.mark.slow
@given(chains(2), st.sampled_from(["most-steps", "fewest-steps"]))
def test_the_order_of_questions_makes_no_difference(moves: Moves, best: Best) -> None:
    alone = [chain(moves, best).steps(state) for state in range(6)]
    together = chain(moves, best)
    assert [together.steps(state) for state in reversed(range(6))] == alone[::-1]


@pytest.mark.slow
@given(st.dictionaries(st.integers(0, 6), st.lists(st.integers(0, 6), max_size=3)))
def test_components_are_those_that_lead_to_each_other(graph: dict[int, list[int]]) -> None:
    def led_to(start: int) -> set[int]:
        found = {start}
        while (more := found | {own for number in found for own in graph.get(number, []) if own in graph}) != found:
            found = more
        return found

    groups = components({number: [own for own in following if own in graph] for number, following in graph.items()})
    assert sorted(number for group in groups for number in group) == sorted(graph)
    for place, group in enumerate(groups):
        for number in group:
            assert set(group) == {own for own in graph if own in led_to(number) and number in led_to(own)}
            assert all(any(own in other for other in groups[: place + 1]) for own in led_to(number))


def test_equations_are_solved_in_whole_numbers() -> None:
    """2x + y = 5 and x - 3y = -1."""
    found = solve_equations({0: {0: 2, 1: 1, RIGHT: 5}, 1: {0: 1, 1: -3, RIGHT: -1}})
    assert found == {0: 2, 1: 1}


def test_a_long_walk_that_comes_back_is_solved_in_a_moment() -> None:
    top = limits().chain_cycle
    run = chain({state: [(1, (max(state - 1, 0),)), (1, (state + 1,))] for state in range(top)})
    start = process_time()
    assert run.steps(0) == top * (top + 1)
    assert process_time() - start < 20


def test_far_too_many_states_are_refused() -> None:
    with pytest.raises(ResolverError, match=f"more than {limits().chain_states:,} states"):
        Chain(lambda state: [((state + 1,), 1)], lambda _state: None).steps(0)


def test_a_step_that_cannot_be_worked_out_spoils_no_other_question() -> None:
    moves = {0: [(1, (1,)), (1, (2,))], 1: [(1, (9,))], 3: [(1, (3,)), (1, (4,))]}
    sound = chain(moves)

    def moves_from(state: int) -> StateMoves[int]:
        if state == 1:
            raise ResolverError("no such level")
        return [((after,), 1) for after in ([3, 4] if state == 3 else [1, 2])]

    spoilt = Chain(moves_from, lambda state: None if state in moves else state)
    for _ in range(2):
        with pytest.raises(ResolverError, match="no such level"):
            spoilt.steps(0)
        assert spoilt.steps(3) == sound.steps(3) == 2


def test_too_many_states_that_come_back_are_refused() -> None:
    top = limits().chain_cycle + 1
    with pytest.raises(ResolverError, match="can come back to each other"):
        chain({state: [(1, (max(state - 1, 0),)), (1, (state + 1,))] for state in range(top)}).steps(0)


def test_far_too_many_steps_are_refused() -> None:
    with pytest.raises(ResolverError, match="1,001 steps of this chain are not worked out"):
        chain({0: [(1, (0,)), (1, (1,))]}).within(0, 1_001)
