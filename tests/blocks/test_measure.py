"""Estimated heights and min-content widths of blocks, against what WeasyPrint makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from refgen.aids.panels.model import PanelPage
from refgen.blocks.block import Block
from refgen.blocks.chart_block import ChartBlock, MeasuredChart
from refgen.blocks.table_block import TableBlock, folded_table
from refgen.blocks.table_cells import ShownCell, ShownColumn, band
from refgen.blocks.text_blocks import FactsBlock, GlossaryBlock, ListBlock, QuoteBlock, StepsBlock, TextBlock
from refgen.blocks.typesetting import Footnote
from refgen.layout.lengths import CHART, CHART_TEXT, HEAD, NOTE
from refgen.layout.sizing import MeasuredTable
from tests.aids.panels.laid_out import Found, Trial, lay_out, screen_blocks
from tests.conftest import RICHEST_AND_SOAK, SYSTEMS

WIDTHS = (150, 240, 380)
SIZES = (8, 10)

CLOSE = 0.001
"""The share of a height by which an estimate is off at most."""

UNSEEN = 0.02
"""Points by which a column may be wider or narrower on a page than WeasyPrint would make it."""


def columns(*heads: str, align: str = "start") -> tuple[ShownColumn, ...]:
    return tuple(ShownColumn(head, "", align) for head in heads)


def rows(*texts: str, align: str = "start") -> tuple[tuple[ShownCell, ...], ...]:
    """Rows of cells, which " | " parts; the first names the row."""
    split = [text.split(" | ") for text in texts]
    return tuple(
        (ShownCell(first, "start", header=True), *(ShownCell(cell, align) for cell in rest)) for first, *rest in split
    )


NOTES = (Footnote("*", "The document says 13, which its own rule does not give."), Footnote("†", "Corrected."))

PLAIN = TableBlock("Damage", columns("Weapon", "Damage"), rows("Sword | +3", "Bow | +2"))
WRAPPED = replace(PLAIN, rows=rows("Sword | Anything with a long blade, and whatever is swung like one", "Bow | +2"))
NOTED = replace(PLAIN, note="Added to Strength, if the weapon is swung and not thrown or shot.", footnotes=NOTES)
FOLDED = TableBlock(
    "Odds",
    columns("Roll", "Odds") * 3,
    tuple(row * 3 for row in rows("7 | 58%", "8 | 42%", align="end")),
    tag="computed",
)
UNDER = replace(PLAIN, columns=(ShownColumn("Weapon", "", "start"), ShownColumn("Damage", "of a hit", "end")))
UNTITLED = replace(PLAIN, title="", tag="computed", note="Of each weapon.")
BARS = TableBlock(
    "Odds",
    (*columns("Result"), ShownColumn("Chance", "", "bars")),
    tuple(
        (ShownCell(name, "start", header=True), ShownCell(chance, "end", bar=50))
        for name, chance in (("Fair", "23.5%"), ("Good", "19.8%"))
    ),
    tag="computed",
)
CHANCES = tuple(ShownCell(chance, "end", heat=3) for chance in ("94%", "81%", "62%"))
HEAT = TableBlock(
    "Chances",
    columns("Trait", "Poor", "Fair", "Good"),
    ((ShownCell("Good", "start", header=True), *CHANCES),),
    tag="computed",
    heat=True,
)
SIGNS = replace(
    PLAIN, rows=((ShownCell("Sword", "start", header=True, sign="*"), ShownCell("a long blade", "start", sign="†")),)
)
TAGGED = replace(PLAIN, title="The chance that somebody is hit", tag="computed")
GUTTERS = replace(
    FOLDED,
    columns=tuple(replace(head, gutter=place in (2, 4)) for place, head in enumerate(FOLDED.columns)),
    rows=tuple(tuple(replace(cell, gutter=place in (2, 4)) for place, cell in enumerate(row)) for row in FOLDED.rows),
)
UNDER_EACH_OTHER = replace(
    PLAIN,
    rows=tuple(
        (name, ShownCell(text, align, sign=sign, before=before, after=after))
        for (name, _), text, align, sign, before, after in (
            (PLAIN.rows[0], "12.5%", "center", "", 0.0, 0.75),
            (PLAIN.rows[1], "6%", "end", "*", 0.5, 0.325),
        )
    ),
)
SHARED = replace(
    HEAT, columns=tuple(replace(head, share=20.0 if head.title != "Trait" else 0.0) for head in HEAT.columns)
)
BANDS = replace(
    PLAIN,
    rows=(
        band("Blades", 2),
        PLAIN.rows[0],
        band("What is thrown or shot, and whatever else flies as far as a man can see", 2),
        PLAIN.rows[1],
        band("Incomprehensibility", 2),
    ),
)
FOLDED_BANDS = folded_table(BANDS, 2)
STEPS = StepsBlock(
    "A task",
    ("Name the trait.", "Roll 4dF, add what is left to it, and compare that with the difficulty."),
    note="Ties win.",
)
FACTS = FactsBlock("Limits", (("Levels of a trait", "7"), ("Points to begin with, where nobody says otherwise", "40")))
TEXT = TextBlock(
    "Scale", ("A giant of Scale 10 is hit as if by a child; its own blows shatter walls and ships alike.",)
)

LIST = ListBlock(
    "Gear", ("A rope.", "A lantern, and oil for the six hours that a night below may take."), note="All else is home."
)
GLOSSARY = GlossaryBlock(
    "States", (("Prone", "lies on the ground, and gets up before anything else."), ("Stunned", "does nothing."))
)
QUOTE = QuoteBlock("", ("Whoever falls, falls far, and is not seen again before the morning.", "So they say."))
ONE_COLUMN = replace(
    PLAIN, columns=(ShownColumn("", "", "start"),), rows=tuple((replace(row[0], header=False),) for row in PLAIN.rows)
)

MADE_UP: Mapping[str, Block] = {
    "plain": PLAIN, "wrapped": WRAPPED, "noted": NOTED, "folded": FOLDED, "under": UNDER, "untitled": UNTITLED,
    "bars": BARS, "heat": HEAT, "signs": SIGNS, "tagged": TAGGED, "gutters": GUTTERS,
    "under each other": UNDER_EACH_OTHER, "shared": SHARED, "steps": STEPS, "facts": FACTS, "text": TEXT,
    "list": LIST, "glossary": GLOSSARY, "quote": QUOTE, "one column": ONE_COLUMN,
    "bands": BANDS, "folded bands": FOLDED_BANDS,
}  # fmt: skip


def test_a_table_of_single_lines_is_the_sum_of_its_parts() -> None:
    title, head, row, borders = 10 * 1.25 * (1.15 + 0.15), 8.6 * (1.15 + 0.24), 10 * (1.3 + 0.24), 0.8 + 2 * 0.4
    assert PLAIN.measure().height(200, 10) == pytest.approx(title + head + 2 * row + borders)


def test_a_cell_that_breaks_adds_its_lines() -> None:
    measured = WRAPPED.measure()
    assert measured.height(180, 10) - measured.height(600, 10) == pytest.approx(13)
    assert measured.height(130, 10) - measured.height(600, 10) == pytest.approx(2 * 13)


def test_a_head_with_something_under_it_has_a_second_line() -> None:
    assert UNDER.measure().height(200, 10) - PLAIN.measure().height(200, 10) == pytest.approx(8.6 * 1.15)


def test_footnotes_have_lines_of_their_own() -> None:
    without = replace(NOTED, footnotes=()).measure()
    assert NOTED.measure().height(400, 10) - without.height(400, 10) == pytest.approx(8.4 * (0.2 + 2 * 1.25))


def test_small_print_does_not_get_smaller_than_can_be_read() -> None:
    without = replace(NOTED, footnotes=()).measure()
    assert NOTED.measure().height(400, 8) - without.height(400, 8) == pytest.approx(7.5 * (0.2 + 2 * 1.25))


@pytest.mark.slow
def test_a_chart_grows_with_its_column_by_a_fifth_and_shrinks_until_its_text_is_small_print() -> None:
    chart = next(block for system in SYSTEMS for block in screen_blocks(system) if isinstance(block, ChartBlock))
    measured = replace(chart, title="", note="", tag="").measure()
    drawn = chart.width / 100 * 10
    assert measured.height(drawn, 10) == pytest.approx(chart.height / 10)
    assert measured.height(1.1 * drawn, 10) == pytest.approx(1.1 * chart.height / 10)
    assert measured.height(3 * drawn, 10) == measured.height(1.2 * drawn, 10) == pytest.approx(1.2 * chart.height / 10)
    smallest = 7.5 / 8.6
    assert measured.min_content(10) == measured.min_content(8) == pytest.approx(smallest * drawn)
    assert (
        measured.height(drawn / 2, 10) == measured.height(drawn / 2, 8) == pytest.approx(smallest * chart.height / 10)
    )


@pytest.mark.parametrize("width", [300, 400, 500])
def test_the_columns_of_a_heat_table_are_equally_wide(width: float) -> None:
    blocks = screen_blocks("fudge-1995")
    table = next(block for block in blocks if isinstance(block, TableBlock) and block.heat and len(block.columns) == 8)
    (grid,) = (part for part in table.measure().parts if isinstance(part, MeasuredTable))
    _, *heated = grid.column_widths(width, 9)
    assert max(heated) - min(heated) < 0.3
    assert sum(heated) > width / 2


ROOMY, TIGHT = 0.1, -1
"""Points above and below the min-content width of a block."""


@cache
def in_columns() -> Mapping[tuple[str, float, float], Found]:
    """Every block in some widths and sizes: a page of its own for each would take twice as long."""
    asked = [(name, width, size) for name in MADE_UP for width in (70, 110, 170, 260) for size in (7.5, 11)]
    return dict(zip(asked, lay_out([(MADE_UP[name], width, size) for name, width, size in asked]), strict=True))


@cache
def in_min_content() -> Mapping[tuple[str, float, float], Found]:
    """Every block a little wider and a little narrower than its min-content width, in some sizes."""
    asked = [(name, size, more) for name in MADE_UP for size in (7.5, 10) for more in (ROOMY, TIGHT)]
    trials = [(MADE_UP[name], MADE_UP[name].measure().min_content(size) + more, size) for name, size, more in asked]
    return dict(zip(asked, lay_out(trials), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE_UP)
def test_a_block_is_as_high_as_weasyprint_sets_it(name: str) -> None:
    measured = MADE_UP[name].measure()
    for (block, width, size), found in in_columns().items():
        if block == name:
            assert measured.height(width, size) == pytest.approx(found.height, rel=CLOSE), (width, size)


LISTS = {"one column"}
"""Tables of one column without a head, which are set as lists."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MADE_UP if name not in LISTS])
def test_columns_are_as_wide_as_weasyprint_makes_them(name: str) -> None:
    measured = MADE_UP[name].measure()
    for (block, width, size), found in in_columns().items():
        if block == name:
            assert measured.column_widths(width, size) == pytest.approx(found.columns, abs=UNSEEN), (width, size)


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE_UP)
@pytest.mark.parametrize("size", [7.5, 10])
def test_what_is_narrower_than_its_min_content_overflows(name: str, size: float) -> None:
    width = MADE_UP[name].measure().min_content(size)
    assert in_min_content()[name, size, ROOMY].reach < width + 0.4
    assert in_min_content()[name, size, TIGHT].reach > width - 0.4


@pytest.mark.parametrize("name", MADE_UP)
def test_in_ems_larger_type_needs_no_more_width(name: str) -> None:
    measured = MADE_UP[name].measure()
    ems = measured.min_content(7.5) / 7.5
    assert all(measured.min_content(size) <= ems * size + 1e-9 for size in (8, 9.5, 12, 18))


def test_the_widest_words_are_named() -> None:
    assert TextBlock("A", ("an extraordinarily long word",)).measure().widest_words == "extraordinarily"
    assert PLAIN.measure().widest_words == "Weapon | Damage"
    assert replace(PLAIN, columns=columns("", "")).measure().widest_words == "Sword | +3"


def trials_of(system: str, step: int, each: int) -> list[Trial]:
    """Some blocks in some of the widths, and from block to block and width to width in another size."""
    return [
        (block, WIDTHS[(number + place) % len(WIDTHS)], SIZES[(number + place) % len(SIZES)])
        for number, block in [*enumerate(screen_blocks(system))][::step]
        for place in range(each)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
@pytest.mark.parametrize(("step", "each"), [(3, 1), pytest.param(1, len(WIDTHS), marks=pytest.mark.soak)])
def test_estimates_of_a_screen(system: str, step: int, each: int) -> None:
    """Every third block in a width; in ``make soak`` every block in every width."""
    trials = trials_of(system, step, each)
    off: list[tuple[object, ...]] = []
    for (block, width, size), found in zip(trials, lay_out(trials), strict=True):
        measured = block.measure()
        if measured.height(width, size) != pytest.approx(found.height, rel=CLOSE):
            off.append((block.title, width, size, found.height, measured.height(width, size)))
        if (found.reach > width + 0.4) != (measured.min_content(size) > width + 0.4):
            off.append((block.title, width, size, found.reach, measured.min_content(size)))
        if measured.column_widths(width, size) != pytest.approx(found.columns, abs=UNSEEN):
            off.append((block.title, width, size, *found.columns, *measured.column_widths(width, size)))
    assert off == []


@pytest.mark.parametrize("size", [7.5, 8, 8.5, 9, 10, 13, 18])
def test_the_estimator_and_the_pages_have_the_same_small_print(size: float) -> None:
    page = PanelPage.__new__(PanelPage)
    object.__setattr__(page, "size", size)
    small = NOTE, HEAD, CHART
    assert (page.note_size, page.head_size, page.chart_size) == tuple(style.size(size) for style in small)


@pytest.mark.parametrize(("size", "smallest"), [(8, 7.5), (10, 7.5), (12, 8.4), (16, 11.2)])
def test_beside_large_type_charts_are_not_drawn_in_small_print(size: float, smallest: float) -> None:
    assert CHART.size(size) == pytest.approx(smallest)
    assert MeasuredChart(drawn=30, ratio=0.5).min_content(size) == pytest.approx(30 * smallest / CHART_TEXT)
