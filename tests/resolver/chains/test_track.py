"""Tracks: which box so many points mark, what overflow does, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.errors import ResolverError
from refgen.notation.values import Interval
from refgen.resolver.chains.track import Box, Marks, Overflow, Track, check_track


def track(*counts: int, reach: int | None = None, overflow: Overflow = "next") -> Track:
    """A track with so many boxes of each kind, one point for each; the first kind overflows to ``reach``."""
    last = len(counts)
    boxes = [
        Box(str(place), count, Interval(place, place if place < last else None), last, {})
        for place, count in enumerate(counts, 1)
    ]
    if reach is not None:
        boxes[0] = Box("1", counts[0], Interval(1, 1), reach, {})
    return Track(boxes, overflow)


def filled(count: int, overflow: Overflow = "end") -> Track:
    """A track that each point fills."""
    return Track([Box("point", count, None, 1, {})], overflow)


def after(of: Track, *numbers: int) -> Marks:
    marks = of.unmarked
    for number in numbers:
        marks = of.marked(marks, number)
    return marks


def test_points_mark_the_box_in_whose_range_they_lie() -> None:
    ranges = [Interval(2, 3), Interval(4, 4), Interval(5, None)]
    wounds = Track([Box(str(own), 1, own, 3, {}) for own in ranges], "next")
    assert [wounds.place(points) for points in (-1, 0, 1, 2, 3, 4, 5, 99)] == [0, 0, 0, 1, 1, 2, 3, 3]


def test_a_full_kind_overflows_to_the_next_free_one_then_to_none() -> None:
    assert after(track(1, 1, 1), 1, 1) == (1, 1, 0, 0)
    assert after(track(1, 1, 1), 1, 2, 1) == (1, 1, 1, 0)
    assert after(track(1, 1, 1), 3, 3, 1) == (1, 0, 1, 0)


def test_overflow_goes_no_farther_than_it_reaches() -> None:
    assert after(track(1, 1, 1, reach=2), 1, 1, 1, 1) == (1, 1, 0, 0)
    assert after(track(1, 1, 1, reach=2), 1, 1, 2) == (1, 1, 1, 0)


def test_a_track_without_overflow_stays_as_it_is() -> None:
    assert after(track(1, 1, overflow="none"), 1, 1, 1) == (1, 0, 0)


def test_a_track_that_ends_is_out_after_its_last_box() -> None:
    stress = track(1, 1, overflow="end")
    assert after(stress, 1, 1) == (1, 1, 0)
    assert after(stress, 1, 1, 1) == (1, 1, 1)
    assert stress.value(after(stress, 1, 1, 1), "out") == 1


def test_points_beyond_a_track_that_ends_put_it_out() -> None:
    stress = Track([Box("1", 1, Interval(1, 2), 1, {})], "end")
    assert stress.place(3) == 2
    assert after(stress, stress.place(3)) == (0, 1)


def test_each_point_fills_a_box() -> None:
    assert after(filled(5), 2, 1) == (3, 0)
    assert after(filled(5), 2, 3) == (5, 0)
    assert after(filled(5), 2, 4) == (5, 1)
    assert after(filled(5), 3, -2) == (1, 0)
    ladder = Track([Box("bruised", 1, None, 2, {}), Box("hurt", 2, None, 2, {"penalty": -1})], "next")
    assert after(ladder, 2) == (1, 1, 0)
    asked = ("worst", "marked", "free", "out", "penalty")
    assert [ladder.value((1, 1, 0), name) for name in asked] == [2, 2, 1, 0, -1]


def test_values_are_those_of_the_worst_kind_that_is_marked() -> None:
    boxes = [Box(str(place), 1, Interval(place, place), 3, {"penalty": -place}) for place in (1, 2, 3)]
    wounds = Track(boxes, "next")
    assert [wounds.value(marks, "penalty") for marks in ((0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0))] == [0, -1, -2]


@pytest.mark.slow
@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.lists(st.integers(1, 4), max_size=12))
def test_marks_go_up_one_by_one(counts: list[int], places: list[int]) -> None:
    """The slow way: look at each kind from the marked one on."""
    of = track(*counts)
    marks, slow = of.unmarked, [0] * len(counts)
    for place in places:
        place = min(place, len(counts))
        marks = of.marked(marks, place)
        for kind in range(place - 1, len(counts)):
            if slow[kind] < counts[kind]:
                slow[kind] += 1
                break
    assert marks == (*slow, 0)


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ([Interval(1, 2), Interval(0, 4)], "Wounds: 2 at 0-4 begins before the lighter ones end"),
        ([Interval(0, 2)], "begins before"),
        ([Interval(1, None), Interval(3, 4)], "begins before"),
        ([Interval(1, 2), Interval(3, 40_000)], "go beyond 10,000"),
        ([Interval(None, 2)], "go beyond 10,000"),
    ],
)
def test_ranges_that_overlap_or_reach_far_are_refused(ranges: list[Interval], message: str) -> None:
    boxes = [Box(str(place), 1, own, len(ranges), {}) for place, own in enumerate(ranges, 1)]
    with pytest.raises(ResolverError, match=message):
        check_track(Track(boxes, "next"), "Wounds")


@pytest.mark.parametrize(("count", "words"), [(5_000, "5,000 boxes"), (-1, "-1 boxes")])
def test_very_many_boxes_or_fewer_than_none_are_refused(count: int, words: str) -> None:
    with pytest.raises(ResolverError, match=f"{words} of point are not between 0 and 1,000"):
        check_track(filled(count), "Hits")


def test_points_in_a_gap_are_refused() -> None:
    gap = Track([Box("1", 1, Interval(1, 2), 2, {}), Box("2", 1, Interval(4, None), 2, {})], "next")
    with pytest.raises(ResolverError, match="no box for 3 points"):
        gap.place(3)


def test_points_beyond_a_track_that_has_an_end_are_refused() -> None:
    ends = Track([Box("1", 1, Interval(1, 2), 1, {})], "next")
    with pytest.raises(ResolverError, match="no box for 9 points"):
        ends.place(9)
    with pytest.raises(ResolverError, match="no box in place 5"):
        ends.marked(ends.unmarked, 5)
