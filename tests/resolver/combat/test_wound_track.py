"""Fights: boxes as the documents fill them, literal answers for small charts, and the slow way for all."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refgen.errors import ResolverError
from refgen.notation.values import Interval
from refgen.resolver.combat.blows import Attack
from refgen.resolver.combat.melee import Sides
from refgen.resolver.combat.wound_chart import Status
from refgen.resolver.combat.wound_track import Filled, WoundTrack, WoundWeights, fight, one_more
from tests.conftest import Loaded, ours
from tests.resolver.combat.test_blows import FAIR, HURT, INCAPACITATED, SCRATCHED, melee

F = Fraction


def track(*boxes: int, scratch_limit: int = 2, penalties: Sequence[int] = (0, 0, 0)) -> WoundTrack:
    """A chart with so many boxes, one point of damage to a status."""
    last = len(boxes) - 1
    chart = tuple(Status(count, Interval(at + 1, at + 1 if at < last else None)) for at, count in enumerate(boxes))
    return WoundTrack(chart, tuple(penalties), graze_limit=1, scratch_limit=scratch_limit)


def after(of: WoundTrack, *statuses: int) -> Filled:
    """The boxes after some wounds."""
    filled: Filled = (0,) * len(of.chart)
    for status in statuses:
        box = of.boxes(filled)[status]
        filled = filled if box is None else one_more(filled, box)
    return filled


def test_example_a_second_hurt_is_very_hurt(loaded: Loaded) -> None:
    """4 points are Hurt, all actions at -1; 3 points more are Hurt too, but the box is full: Very Hurt, at -2."""
    fair = melee(loaded).track("Fair")
    assert [fair.status((damage, False)) for damage in (4, 3)] == [HURT, HURT]
    once, twice = after(fair, HURT), after(fair, HURT, HURT)
    assert (once, fair.penalty(once)) == ((0, 1, 0, 0, 0), -1)
    assert (twice, fair.penalty(twice)) == ((0, 1, 1, 0, 0), -2)


def test_mere_scratches_end_at_very_hurt(loaded: Loaded) -> None:
    fair = melee(loaded).track("Fair")
    assert after(fair, *[SCRATCHED] * 3) == (3, 0, 0, 0, 0)
    assert after(fair, *[SCRATCHED] * 5) == (3, 1, 1, 0, 0)
    assert after(fair, *[SCRATCHED] * 9) == (3, 1, 1, 0, 0)
    assert after(fair, *[SCRATCHED] * 9, HURT) == (3, 1, 1, 1, 0)


def test_the_gravest_wound_alone_counts() -> None:
    assert track(1, 1, 1, penalties=(0, -1, -2)).penalty((1, 1, 1)) == -2


HALF: WoundWeights = {None: 1, 0: 1, 1: 0, 2: 0}
"""Every second blow scratches."""


def test_two_scratches_at_even_chances() -> None:
    """One box, then the next status: the second success of even throws, expected with the fourth."""
    fought = fight(track(1, 1, 1), 1, lambda _penalty: HALF)
    assert fought.expected() == [F(4)]
    assert fought.within(4) == [0, F(1, 4), F(1, 2), F(11, 16)]


def test_penalties_speed_a_fight_up() -> None:
    """Half of the blows scratch; hampered by the scratch, every blow tells: 2 blows and 1."""
    hampered = track(1, 1, 1, penalties=(-1, 0, 0))
    fought = fight(hampered, 1, lambda penalty: {None: 1 + penalty, 0: 1 - penalty})
    assert fought.expected() == [F(3)]
    assert fought.within(3) == [0, F(1, 2), F(3, 4)]


def test_a_point_turns_the_first_end_into_a_scratch() -> None:
    """Every second blow would end it: 2 blows; with a point the first such blow only scratches: 2 more.

    A second point is of no use: the one box for a scratch is full, and the next higher one is the end.
    """
    fought = fight(track(1, 1, 1), 1, lambda _penalty: {None: 1, 1: 1}, mitigated=(0, 0, 1))
    assert fought.expected(2) == [F(2), F(4), F(4)]


def test_a_point_may_undo_a_wound() -> None:
    fought = fight(track(1, 1, 1), 1, lambda _penalty: {None: 1, 1: 1}, mitigated=(None, None, 0))
    assert fought.expected(2) == [F(2), F(4), F(6)]


def test_a_fight_of_mere_scratches_may_never_end() -> None:
    fought = fight(track(1, 1, 1, scratch_limit=1), 2, lambda _penalty: HALF)
    assert fought.expected() is None
    assert fought.within(3) == [0, 0, 0]


def test_a_chart_with_a_gap_is_refused() -> None:
    gap = WoundTrack((Status(1, Interval(1, 2)), Status(1, Interval(4, None))), (0, 0), 0, 1)
    with pytest.raises(ResolverError, match="no status for 3 points"):
        gap.status((3, False))


def test_a_chart_that_ends_is_refused_beyond_its_end() -> None:
    ends = WoundTrack((Status(1, Interval(1, 2)), Status(1, Interval(3, 4))), (0, 0), 0, 1)
    assert ends.status((4, False)) == 1
    with pytest.raises(ResolverError, match="no status for 9 points"):
        ends.status((9, False))


def test_a_chart_with_very_many_boxes_is_refused() -> None:
    with pytest.raises(ResolverError, match="10,201 states; refgen follows at most 2,000"):
        fight(track(100, 100, 1), 2, lambda _penalty: HALF)


# The slow way: Fractions, and the boxes filled by going up one by one


def filled_slowly(of: WoundTrack, state: Filled, status: int) -> Filled:
    for box in range(status, len(of.chart)):
        if status == 0 and box > of.scratch_limit:
            break
        if state[box] < of.chart[box].boxes:
            return tuple(count + (place == box) for place, count in enumerate(state))
    return state


Odds = dict[int, WoundWeights]


def moves(of: WoundTrack, odds: Odds, state: Filled) -> list[tuple[Fraction, int, Filled]]:
    """The chance of each wound in a state, its status, and the boxes after it."""
    weights = odds[of.penalty(state)]
    return [
        (F(weight, sum(weights.values())), status, filled_slowly(of, state, status))
        for status, weight in weights.items()
        if status is not None
    ]


def expected_slowly(
    of: WoundTrack, goal: int, odds: Odds, mitigated: Sequence[int | None], points: int
) -> list[Fraction]:
    """The expected number of blows with 0, 1, … points."""

    @cache
    def expected(state: Filled, left: int) -> Fraction:
        if any(state[goal:]):
            return F(0)
        leaving = [(chance, status, to) for chance, status, to in moves(of, odds, state) if to != state]
        total = F(1)
        for chance, status, to in leaving:
            less, lasting = mitigated[status], expected(to, left)
            if left:
                lasting = max(lasting, expected(state if less is None else filled_slowly(of, state, less), left - 1))
            total += chance * lasting
        return total / sum(chance for chance, _, _ in leaving)

    return [expected((0,) * len(of.chart), left) for left in range(points + 1)]


def within_slowly(of: WoundTrack, goal: int, odds: Odds, rounds: int) -> list[Fraction]:
    """The chances of the end within 1, 2, … blows."""

    @cache
    def within(state: Filled, blows: int) -> Fraction:
        if any(state[goal:]) or not blows:
            return F(any(state[goal:]))
        found = moves(of, odds, state)
        stays = 1 - sum(chance for chance, _, _ in found)
        return stays * within(state, blows - 1) + sum(chance * within(to, blows - 1) for chance, _, to in found)

    return [within((0,) * len(of.chart), blows) for blows in range(1, rounds + 1)]


@pytest.mark.parametrize("health", ["Legendary", "Superb", "Great", "Good", "Fair", "Mediocre", "Poor", "Terrible"])
def test_a_fight_is_what_the_slow_way_finds(health: str) -> None:
    rules = melee(ours)
    mitigated = (0, 0, 1, 1, 2)
    fought = rules.fight(Sides(Attack(FAIR, FAIR, 2), health), INCAPACITATED, mitigated)
    odds = {
        penalty: rules.track(health).statuses(rules.points(Attack(FAIR, FAIR + penalty, 2))) for penalty in (0, -1, -2)
    }
    assert fought.expected(2) == expected_slowly(rules.track(health), INCAPACITATED, odds, mitigated, 2)
    assert fought.within(6) == within_slowly(rules.track(health), INCAPACITATED, odds, 6)


@given(
    st.tuples(*[st.integers(1, 3)] * 3),
    st.integers(0, 2),
    st.lists(st.lists(st.integers(1, 5), min_size=4, max_size=4), min_size=3, max_size=3),
    st.tuples(*[st.sampled_from([None, 0, 1])] * 3),
    st.integers(1, 2),
)
@settings(max_examples=60, deadline=None)
def test_any_small_fight_is_what_the_slow_way_finds(
    boxes: tuple[int, int, int], limit: int, weights: list[list[int]], mitigated: tuple[int | None, ...], goal: int
) -> None:
    of = track(*boxes, scratch_limit=limit, penalties=(0, -1, -2))
    total = max(map(sum, weights))
    odds: dict[int, WoundWeights] = {
        -number: {None: total - sum(rest), **dict(enumerate(rest))} for number, (_, *rest) in enumerate(weights)
    }
    fought = fight(of, goal, lambda penalty: odds[penalty], mitigated)
    assert fought.expected(2) == expected_slowly(of, goal, odds, mitigated, 2)
    assert fought.within(5) == within_slowly(of, goal, odds, 5)


def test_the_expected_number_is_the_sum_of_the_chances_that_it_goes_on() -> None:
    """E = Σ P(still on after n blows), n = 0, 1, …: 300 blows leave less than a millionth out."""
    fought = melee(ours).fight(Sides(Attack(FAIR, FAIR, 2), "Fair"), INCAPACITATED)
    (expected,) = fought.expected() or [F(0)]
    going_on = 1 + sum(1 - chance for chance in fought.within(300))
    assert 0 < expected - going_on < F(1, 10**6)
