"""Figures under each other: the room beside each, and how wide the columns of heat tables are."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from refgen.blocks.kinds import BlockSpec, make_block
from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ADVANCES, FIGURE, SEMIBOLD, aligning_paddings, equal_share
from refgen.layout.metrics import Face, width
from tests.conftest import game

TEXTS: Mapping[str, list[str]] = {
    "decimals": ["12.5%", "0.6%", "100%", "<1%", ">99%", "–"],
    "signs": ["+3", "0", "−1"],
    "thousands": ["1,000,000", "200", "\u2013"],
    "chances in brackets": ["+4 (1%)", "+2 (13%)", "0 (24%)"],
    "brackets": ["+3", "(+4)"],
    "one shape": ["7.2", "9.5"],
}


def test_right_aligned_figures_have_room_for_the_decimals_they_lack() -> None:
    assert aligning_paddings(["12.5%", "100%", "–", ""], "end") == [(0, 0), (0, 0.75), (0, 1.575), (0, 0)]


def test_centred_figures_have_room_for_the_sign_they_lack() -> None:
    assert aligning_paddings(["+3", "0", "−1", ""], "center") == [(0, 0), (0.5, 0), (0, 0), (0, 0)]


def test_figures_behind_bars_have_room_before_them() -> None:
    assert aligning_paddings(["1.2%", "18.5%", "100.0%"], "start") == [(1, 0), (0.5, 0), (0, 0)]


def test_semibold_figures_are_wider() -> None:
    assert aligning_paddings(["+3", "0"], "center", semibold=True) == [(0, 0), (0.515, 0)]


@pytest.mark.parametrize("texts", [["+1", "one"], ["1–2", "5"], ["0", "±1 (Phl.or.)"], ["2 mil", "200"], ["1,2", "3"]])
def test_columns_with_anything_else_are_left_alone(texts: list[str]) -> None:
    assert aligning_paddings(texts, "center") == [(0.0, 0.0)] * 2


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("face", [Face.REGULAR, Face.SEMIBOLD])
def test_with_its_room_each_centred_figure_is_as_wide_as_the_others(name: str, face: Face) -> None:
    """In the real fonts, to half a point in type of 8 points."""
    rooms = aligning_paddings(TEXTS[name], "center", semibold=face is Face.SEMIBOLD)
    widths = [before + width(text, face) + after for text, (before, after) in zip(TEXTS[name], rooms, strict=True)]
    assert max(widths) - min(widths) < 0.0625


def test_the_widths_of_figures_are_those_of_the_fonts() -> None:
    figures = dict.fromkeys("0123456789+−±<>≤≥–", FIGURE)
    for character, own in (ADVANCES | figures).items():
        assert own == pytest.approx(width(character, Face.REGULAR), abs=0.021), character
        assert own * SEMIBOLD == pytest.approx(width(character, Face.SEMIBOLD), abs=0.036), character


def test_the_decimals_of_a_table_stand_under_each_other() -> None:
    block = make_block(game("harmonies"), BlockSpec(table="odds", bars="odds", row_range=(1, 20)))
    assert isinstance(block, TableBlock)
    odds = {row[1].text: (row[1].before, row[1].after) for row in block.rows}
    assert (odds["0.5%"], odds["10%"]) == ((0.5, 0), (0, 0))


def test_columns_of_a_heat_table_share_what_the_names_leave() -> None:
    block = make_block(game("fudge-1995"), BlockSpec(table="action-odds", heat=True))
    assert isinstance(block, TableBlock)
    shares = [column.share for column in block.columns]
    heated = {share for share in shares if share}
    assert len(heated) == 1
    assert 60 < sum(shares) < 95
    folded = make_block(game("fudge-1995"), BlockSpec(table="action-odds", heat=True, fold=2))
    assert isinstance(folded, TableBlock)
    assert sum(column.share for column in folded.columns) == pytest.approx(sum(shares), abs=0.2)


def test_the_widest_head_settles_the_share() -> None:
    narrow, wide = (("Fair", "0"), ["62%"]), (("Insignificant", ""), ["62%"])
    assert equal_share([narrow, wide], [(("",), [])]) > equal_share([narrow, narrow], [(("",), [])])
    assert equal_share([wide, narrow], [narrow]) == equal_share([wide, wide], [narrow])


def test_groups_of_a_folded_table_but_the_first_stand_behind_a_gutter() -> None:
    block = make_block(game("harmonies"), BlockSpec(table="odds", fold=3))
    assert isinstance(block, TableBlock)
    gutters = [False, False, True, False, True, False]
    assert [column.gutter for column in block.columns] == gutters
    assert {tuple(cell.gutter for cell in row) for row in block.rows} == {tuple(gutters)}
