"""Blocks over columns: the fast way finds what trying everything finds; what it finds is even, large and in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.aids.distribute import (
    EVEN,
    GAP,
    GUTTER,
    NARROWEST,
    NEARLY,
    SHARES,
    WIDEST,
    WIDEST_GAP,
    Arrangement,
    PageArea,
    arrange,
    arrangements,
)
from refgen.layout.lengths import BODY, MILLIMETRE
from refgen.layout.page_format import TypeScale

SCALE = TypeScale((12, 11, 10, 9, 8), usual=10)
AREA = PageArea(700, 480)


@dataclass(frozen=True)
class Text:
    """A block like running text: its area in square ems stays the same, however wide it is."""

    area: float
    narrowest: float = 5.0
    with_next: bool = False
    stretches: bool = False

    def min_content(self, size: float) -> float:
        return self.narrowest * size

    def height(self, width: float, size: float) -> float:
        return self.area * size * size / width


def texts(*areas: float) -> list[Text]:
    return [Text(area) for area in areas]


def described(found: Arrangement | None) -> tuple[float, list[list[int]]] | None:
    """The size, and for each page how many blocks its columns hold."""
    if found is None:
        return None
    return found.size, [[column.end - column.first for column in page] for page in found.pages]


@pytest.mark.parametrize(
    ("title", "blocks", "expected"),
    [
        ("alike blocks in two columns, large because there is room", texts(600, 600), (12, [[1, 1]])),
        ("four alike blocks fill two columns evenly", texts(*[700] * 4), (10, [[2, 2]])),
        ("a long block stands alone beside short ones", texts(1500, 500, 500, 400), (10, [[1, 3]])),
        ("many blocks make the type smaller", texts(*[450] * 8), (9, [[4, 4]])),
        ("the order is kept: the long one comes last", texts(500, 500, 400, 1400), (10, [[3, 1]])),
        ("one block is one column", texts(1500), (12, [[1]])),
        ("lines too long to read are broken in two", texts(1500, 800), (11, [[1, 1]])),
        ("too much is too much", texts(*[900] * 8), None),
    ],
)
def test_what_is_chosen(title: str, blocks: list[Text], expected: object) -> None:
    assert described(arrange(blocks, AREA, SCALE, 8)) == expected, title


def test_a_block_may_ask_for_larger_type() -> None:
    assert arrange(texts(*[450] * 8), AREA, SCALE, 10) is None


def test_a_wide_block_gets_a_wide_column() -> None:
    found = arrange([Text(1700, narrowest=40), *texts(450, 450)], AREA, SCALE, 8)
    assert found is not None
    wide, narrow = found.pages[0]
    assert wide.width >= 40 * found.size
    assert narrow.width < wide.width


def test_a_block_stands_in_the_column_of_the_next_where_it_must() -> None:
    free, tied = texts(*[700] * 4), [Text(700), Text(700, with_next=True), Text(700), Text(700)]
    assert described(arrange(free, AREA, SCALE, 8)) == (10, [[2, 2]])
    assert described(arrange(tied, AREA, SCALE, 8)) == (10, [[1, 2, 1]])


def test_before_the_type_becomes_small_another_page_is_taken() -> None:
    blocks = texts(*[900] * 8)
    assert described(arrange(blocks, PageArea(700, 480, pages=5), SCALE, 8)) == (9, [[2, 2], [2, 2]])
    assert described(arrange([Text(4400), *blocks], PageArea(700, 480, pages=5), SCALE, 8)) == (8, [[1], [4], [4]])


@pytest.mark.parametrize(
    ("title", "areas", "gap"),
    [
        ("the fullest column has this room", [520, 520, 480, 750, 700], GAP * MILLIMETRE + 0.97 * 17.2 / 2),
        ("no column is so full", [600, 600, 600, 600], WIDEST_GAP * BODY.line_height * 10),
        ("a column is too full", [720, 720, 720, 720, 720], GAP * MILLIMETRE),
    ],
)
def test_all_columns_have_the_same_gap(title: str, areas: list[int], gap: float) -> None:
    found = next(one for one in arrangements(texts(*areas), AREA, 1, 10) if len(one.pages[0]) == 2)
    assert found.gap == pytest.approx(gap, abs=0.05), title


AREAS = st.lists(st.integers(20, 900), min_size=1, max_size=7)


@pytest.mark.slow
@given(AREAS, st.sampled_from([8, 10, 12]), st.integers(1, 2))
def test_no_other_cut_has_a_fullest_column_that_is_emptier(areas: list[int], size: float, pages: int) -> None:
    blocks = texts(*areas)
    found = {
        tuple(round(column.width, 6) for column in one.pages[0]): one.fullest
        for one in arrangements(blocks, AREA, pages, size)
    }
    assert found == pytest.approx(dict(by_trying_everything(blocks, pages, size)))


def by_trying_everything(blocks: Sequence[Text], pages: int, size: float) -> Iterator[tuple[tuple[float, ...], float]]:
    """For each set of columns, the fill of the fullest column in the best of all cuts."""
    for shares in SHARES:
        unit = (AREA.width - (len(shares) - 1) * GUTTER * MILLIMETRE) / sum(shares)
        widths = [share * unit for share in shares]
        count = pages * len(widths)
        if count > len(blocks) or (len(widths) > 1 and min(widths) < NARROWEST * size):
            continue
        yield (
            tuple(round(width, 6) for width in widths),
            min(
                max(
                    fill(blocks[first:end], widths[place % len(widths)], size)
                    for place, (first, end) in enumerate(pairwise((0, *cuts, len(blocks))))
                )
                for cuts in combinations(range(1, len(blocks)), count - 1)
            ),
        )


def fill(blocks: Sequence[Text], width: float, size: float) -> float:
    heights = sum(block.height(width, size) for block in blocks)
    return (heights + (len(blocks) - 1) * GAP * MILLIMETRE) / AREA.height


@pytest.mark.slow
@given(AREAS)
def test_an_arrangement_fits_keeps_the_order_and_is_good_to_read_if_it_can_be(areas: list[int]) -> None:
    blocks = texts(*areas)
    found = arrange(blocks, AREA, SCALE, 8)
    if found is None:
        assert all(one.fullest > 1 for one in arrangements(blocks, AREA, 1, 8))
        return
    (columns,) = found.pages
    assert found.fullest <= 1
    assert [column.end for column in columns] == [*(column.first for column in columns[1:]), len(blocks)]
    assert all(column.first < column.end for column in columns)
    same_size = [one for one in arrangements(blocks, AREA, 1, found.size) if one.fullest <= 1]
    assert is_good(found) or not any(map(is_good, same_size))


def is_good(found: Arrangement) -> bool:
    """No column is half empty beside a full one, and none is too wide to read."""
    widest = max(column.width for column in found.pages[0])
    return found.emptiest >= min(EVEN, NEARLY * found.fullest) and widest <= WIDEST * found.size
