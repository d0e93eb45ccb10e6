"""Charts: exact figures in their places, blanks as gaps, nothing by colour alone, and the same told in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor
from pathlib import Path
from shutil import copytree

import pytest
from pydantic import ValidationError

from refgen.aids.screen.kind import screen_of_game
from refgen.blocks.chart_block import ChartBlock
from refgen.blocks.chart_plan import MARKS, Bar, ChartKeys, Point
from refgen.blocks.kinds import BlockSpec, make_block
from refgen.errors import AidError
from refgen.files import bundled_folder
from refgen.notation.values import Number, Percent, Value
from refgen.rules.model import Cell, Column, RuleTable
from tests.conftest import computed, game, ours

BATTLE = BlockSpec(table="battle-odds", chart="lines", across="difference", width=22, height=8)


def table(*rows: Sequence[Value | None], titles: Sequence[str] = ("Roll", "Chance", "Other")) -> RuleTable:
    """A table of values; a Percent is written in whole percents, everything else as its number."""
    columns = tuple(Column(title.lower(), title) for title in titles[: len(rows[0])])
    return RuleTable("small", "Small", columns, tuple(tuple(cell(value) for value in row) for row in rows))


def cell(value: Value | None) -> Cell:
    match value:
        case Percent(value=share):
            return Cell(f"{round(share * 100)}%", value)
        case Number(value=number):
            return Cell(str(number), value)
    return Cell("")


def number(value: int) -> Number:
    return Number(Fraction(value))


def percent(value: int) -> Percent:
    return Percent(Fraction(value, 100))


def drawn(small: RuleTable, style: str = "lines", width: int = 36, height: int = 10) -> ChartBlock:
    return ChartBlock.of_table(
        small, ChartKeys.model_validate({"table": "t", "chart": style, "width": width, "height": height})
    )


def chart(system: str, spec: BlockSpec) -> ChartBlock:
    block = make_block(game(system), spec)
    assert isinstance(block, ChartBlock)
    return block


def test_the_chart_of_battle_odds() -> None:
    block = chart("interactive-history", BATTLE)
    assert (block.width, block.height, block.left, block.right, block.top, block.bottom) == (
        2200, 1105, 265, 1815, 50, 850,
    )  # fmt: skip
    assert [(label.at, label.text) for label in block.up] == [
        (850, "0%"), (650, "25%"), (450, "50%"), (250, "75%"), (50, "100%"),
    ]  # fmt: skip
    assert [label.text for label in block.along] == ["−4", "−3", "−2", "−1", "0", "+1", "+2", "+3", "+4"]
    assert [(line.name, line.mark, line.x, line.y) for line in block.series] == [
        ("Win", "disc", 2000, 102), ("Draw", "square", 2000, 745), ("Lose", "triangle", 2000, 850),
    ]  # fmt: skip
    win = [point.y for point in block.series[0].runs[0]]
    assert win == [831, 798, 737, 641, 517, 383, 259, 163, 102]


@pytest.mark.parametrize(
    ("system", "spec"),
    [
        ("interactive-history", BATTLE),
        ("harmonies", BlockSpec(table="odds", chart="lines", across="difficulty", height=7)),
        ("fudge-1995", BlockSpec(table="contest-odds", chart="lines")),
    ],
)
def test_each_figure_stands_where_its_exact_value_says(system: str, spec: BlockSpec) -> None:
    """Worked out again from the cells; all of these axes go from 0 to 100%, and rows have equal distances."""
    block = chart(system, spec)
    shown = {**ours(system).tables, **computed(system)}[str(spec.table)]
    rows = sorted(shown.rows, key=lambda row: int(row[0].text))
    for position, series in enumerate(block.series, start=1):
        expected = []
        for row, cells in enumerate(rows):
            value = cells[position].value
            assert isinstance(value, Percent)
            exact = cells[position].exact
            share = value.value if exact is None else exact
            x = block.left + Fraction(row, len(rows) - 1) * (block.right - block.left)
            y = block.bottom - share * (block.bottom - block.top)
            expected.append((floor(x + Fraction(1, 2)), floor(y + Fraction(1, 2))))
        assert [(point.x, point.y) for run in series.runs for point in run] == expected


def test_numbers_across_have_their_distances_and_words_equal_ones() -> None:
    block = drawn(table((number(10), percent(50)), (number(1), percent(10)), (number(4), percent(20))))
    wide = block.right - block.left
    assert [point.x - block.left for point in block.series[0].runs[0]] == [0, round(Fraction(wide, 3)), wide]
    words = RuleTable("w", "W", (Column("a", "A"), Column("b", "B")), tuple(
        (Cell(text), cell(percent(value))) for text, value in (("one", 10), ("ten", 50), ("two", 20))
    ))  # fmt: skip
    block = drawn(words)
    assert [label.text for label in block.along] == ["one", "ten", "two"]
    assert block.along[1].at - block.left == (block.right - block.left + 1) // 2


def test_a_blank_is_a_gap_and_a_nought_is_none() -> None:
    values = (percent(10), None, percent(0), percent(40))
    block = drawn(table(*((number(row), value) for row, value in enumerate(values))))
    (line,) = block.series
    assert [len(run) for run in line.runs] == [1, 2]
    assert line.runs[0][0].marked
    assert line.runs[1][0].y == block.bottom
    bars = drawn(table(*((number(row), value) for row, value in enumerate(values))), "bars").series[0].bars
    assert [bar.figure for bar in bars] == ["10%", "0%", "40%"]


def test_bars_have_their_figures_on_top_and_the_longest_fills_the_height() -> None:
    block = drawn(table((number(0), percent(10)), (number(1), percent(40))), "bars", width=20, height=4)
    assert block.up == ()
    assert [bar for series in block.series for bar in series.bars] == [
        Bar(143, 878, 425, 525, "10%"),
        Bar(1123, 1858, 125, 525, "40%"),
    ]


def test_bars_below_nought_hang_from_it() -> None:
    block = drawn(table((number(0), number(-2)), (number(1), number(2))), "bars")
    below, above = block.series[0].bars
    assert below.top == above.bottom
    assert below.bottom == block.bottom


def test_bars_of_several_series_stand_side_by_side_and_are_told_apart_by_their_filling() -> None:
    block = drawn(table((number(0), percent(10), percent(20)), (number(1), percent(40), percent(30))), "bars")
    first, second = block.series
    assert [series.mark for series in block.series] == ["solid", "open"]
    assert [bar.right for bar in first.bars] == [bar.left for bar in second.bars]
    assert [label.text for label in block.up] == ["0%", "10%", "20%", "30%", "40%"]


def test_bars_go_up_to_the_next_round_number_and_lines_of_like_chances_to_certainty() -> None:
    rows = [(number(row), percent(value), percent(10)) for row, value in enumerate((5, 67))]
    assert [label.text for label in drawn(table(*rows), "bars").up] == ["0%", "20%", "40%", "60%", "80%"]
    assert [label.text for label in drawn(table(*rows)).up] == ["0%", "25%", "50%", "75%", "100%"]


def test_names_of_lines_that_end_in_one_place_stand_as_the_lines_come_there() -> None:
    rows = [(number(row), percent(first), percent(second)) for row, (first, second) in enumerate([(10, 40), (50, 50)])]
    lower, upper = drawn(table(*rows)).series
    assert lower.runs[0][-1].y == upper.runs[0][-1].y == upper.y
    assert lower.y > upper.y


def test_names_at_the_ends_of_lines_never_overlap() -> None:
    ends = [percent(value) for value in (1, 2, 2, 98, 99, 100)]
    rows: list[Sequence[Value]] = [(number(row), *ends) for row in range(3)]
    block = drawn(table(*rows, titles=("Roll", *"ABCDEF")), height=8)
    heights = sorted(series.y for series in block.series)
    assert all(lower - upper >= 105 for upper, lower in pairwise(heights))
    assert block.top <= heights[0]
    assert heights[-1] <= block.bottom
    assert [series.mark for series in block.series] == list(MARKS["lines"])


def test_labels_that_would_touch_are_thinned_at_round_numbers() -> None:
    block = chart("harmonies", BlockSpec(table="odds", chart="lines", width=28))
    assert [label.text for label in block.along] == ["−20", "−15", "−10", "−5", "+0", "+5", "+10", "+15"]
    marked = [point.x for point in block.series[0].runs[0] if point.marked]
    assert marked == [label.at for label in block.along]


def test_what_there_is_to_see_is_told_in_words() -> None:
    assert chart("interactive-history", BATTLE).alternative == (
        "Odds of a battle round. Lines: Difference across, from −4 to +4; percent up. "
        "Win is highest at +4, 94%, and lowest at −4, 2%. Draw is highest at 0, 17%, and lowest at −4, 4%. "
        "Lose is highest at −4, 94%, and lowest at +4, 2%. The table Odds of a battle round has the figures."
    )


def test_a_line_of_one_point_is_drawn() -> None:
    block = drawn(table((number(3), percent(50))))
    assert block.series[0].runs == ((Point((block.left + block.right + 1) // 2, 217, True),),)


@pytest.mark.parametrize(
    ("rows", "style", "message"),
    [
        ([(number(0), None)], "lines", "it has no figures"),
        ([(number(0), percent(0))], "bars", "all its figures are 0"),
        ([(number(0), percent(1), number(2))], "lines", "some columns are percents and some are not"),
        ([(number(0), *[percent(1)] * 7)], "lines", 'a chart of lines has at most 6 series; "small" gives 7'),
        ([(number(0), *[percent(1)] * 5)], "bars", 'a chart of bars has at most 4 series; "small" gives 5'),
    ],
)
def test_what_cannot_be_drawn_is_named(rows: list[Sequence[Value | None]], style: str, message: str) -> None:
    with pytest.raises(AidError, match=re.escape(message)):
        drawn(table(*rows, titles=("Roll", *"ABCDEFG")), style)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('across = "dificulty"', 'table "odds" has no column "dificulty"'),
        ('columns = ["difficulty", "ods"]', 'table "odds" has no column "ods"'),
    ],
)
def test_a_wrong_name_is_placed(tmp_path: Path, entry: str, message: str) -> None:
    """The panel is left out, and the others are made."""
    copy = copytree(bundled_folder("content") / "harmonies", tmp_path / "harmonies")
    panels = ['title = "Good"\n[[panels.blocks]]\ntext = "Words."', 'title = "Bad"\n[[panels.blocks]]']
    text = "".join(f"[[panels]]\n{panel}\n" for panel in panels) + f'table = "odds"\nchart = "lines"\n{entry}\n'
    (copy / "screen.toml").write_text(text, encoding="utf-8")
    screen = screen_of_game(copy, game("harmonies"))
    assert [panel.title for panel in screen.panels] == ["Good"]
    (fault,) = screen.faults
    assert fault.message == message
    assert str(fault.span).startswith("harmonies/screen.toml:")
    assert "Did you mean" in fault.hint


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"text": "Words.", "chart": "bars"}, "a chart draws a table"),
        ({"table": "odds", "across": "difficulty"}, "across is for charts only"),
        ({"table": "odds", "chart": "bars", "heat": True}, "heat is for tables only"),
        ({"table": "odds", "chart": "pie"}, "Input should be 'bars' or 'lines'"),
    ],
)
def test_what_does_not_go_together_is_refused(entries: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(message)):
        BlockSpec.model_validate(entries)
