"""The calibration page: a ruler about the middle of one side, a cross in the middle of the other."""

from __future__ import annotations

import re
from itertools import product

import pytest
from lxml import html

from refgen.aids.cards.deck_format import CARD_PAPER_SIZES, CardPaper
from refgen.aids.cards.job import calibration_html

Rect = tuple[float, float, float, float]


def lines(paper: CardPaper) -> list[list[Rect]]:
    """Left, top, right and bottom of the lines on each side, in millimetres."""
    sides = html.document_fromstring(calibration_html(paper)).xpath("//section[@class='side']")
    return [[rect(line.get("style")) for line in side.xpath("div[@class='line']")] for side in sides]


def rect(style: str) -> Rect:
    at = {name: float(length) for name, length in re.findall(r"(\w+): ([\d.]+)mm", style)}
    return at["left"], at["top"], at["left"] + at["width"], at["top"] + at["height"]


@pytest.mark.parametrize("paper", CardPaper)
def test_zero_of_the_ruler_and_the_cross_are_in_the_middle(paper: CardPaper) -> None:
    middle, centre = (length / 2 for length in CARD_PAPER_SIZES[paper])
    ruler, (upright, level) = lines(paper)
    across = [(left + right) / 2 - middle for left, top, right, bottom in ruler if bottom - top > right - left]
    down = [(top + bottom) / 2 - centre for left, top, right, bottom in ruler if bottom - top < right - left]
    wanted = [half / 2 for half in range(-10, 11)]
    assert across == pytest.approx(wanted)
    assert down == pytest.approx(wanted)
    assert ((upright[0] + upright[2]) / 2, (level[1] + level[3]) / 2) == pytest.approx((middle, centre))


def test_no_line_crosses_another_and_the_cross_reaches_both_rulers_however_far_it_is_off() -> None:
    ruler, (upright, level) = lines(CardPaper.A4)
    across = [line for line in ruler if line[3] - line[1] > line[2] - line[0]]
    down = [line for line in ruler if line not in across]
    assert not [
        1 for one, other in product(across, down) if one[2] > other[0] and one[0] < other[2] and one[3] > other[1]
    ]
    assert upright[1] + 5 < min(top for _, top, _, _ in across)
    assert level[0] + 5 < min(left for left, _, _, _ in down)
