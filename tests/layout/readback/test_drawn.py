"""What is drawn, read back: bars, tints, charts, their words, and the ladder, each against the figures of the model.

Pages are changed and laid out, so that the HTML and the PDF show the same fault: both are to be named alike.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import zip_longest

import pikepdf
import pytest

from refgen.aids.panels.model import PanelPage
from refgen.blocks.chart_block import ChartBlock
from refgen.blocks.chart_plan import ChartKeys
from refgen.blocks.table_block import TableBlock, show_table
from refgen.layout.page_format import Theme
from refgen.layout.readback.compare import AidOutput, alternative_faults
from refgen.notation.values import Number, Percent
from refgen.rules.model import Cell, Column, RuleTable
from tests.layout.drawn.check import drawn_mismatches
from tests.layout.drawn.grounds import SURPLUS
from tests.layout.made_pages import SYSTEM, changed_pdf, laid_out, page, rendered, screen_of
from tests.layout.made_pages import found as found_in_build

pytestmark = pytest.mark.slow


def table(title: str, *columns: str, rows: tuple[tuple[int, ...], ...]) -> RuleTable:
    """A table of chances in whole percent by a number."""
    shown = tuple(
        (Cell(f"{number:+d}", Number(Fraction(number))), *(Cell(f"{p}%", Percent(Fraction(p, 100))) for p in percents))
        for number, *percents in rows
    )
    heads = (Column("roll", "Roll", "number"), *(Column(name.lower(), name, "percent") for name in columns))
    return RuleTable(title.lower(), title, heads, shown)


ODDS = table("Odds", "Win", "Lose", rows=((-1, 10, 78), (0, 41, 41), (1, 66, 22), (3, 80, 5)))
ROLL = table("Roll", "Chance", rows=((1, 100), (2, 64), (3, 7)))


def chart(shown: RuleTable, title: str, style: str, *, width: int = 30) -> ChartBlock:
    return ChartBlock.of_table(
        shown, ChartKeys.model_validate({"table": "t", "chart": style, "width": width, "height": 8}), title, ""
    )


def titled(title: str, *, bars: str | None = None, heat: bool = False) -> TableBlock:
    return replace(show_table(ODDS, bars=bars, heat=heat), title=title, heat=heat)


LINES = [chart(ODDS, title, "lines") for title in ("Lines", "Points", "Axes")]
FIGURES, PAIRS = chart(ROLL, "Figures", "bars"), chart(ODDS, "Pairs", "bars")
PANEL = page(
    0, "Panel", (titled("Heat", heat=True), titled("Bars", bars="win"), *LINES[:2]), (LINES[2], FIGURES, PAIRS)
)
EDGE = (("+2", "Great"), ("+1", "Good"), ("0", "Fair"), ("−1", "Poor"))


def with_edge(*levels: tuple[str, str]) -> tuple[PanelPage, ...]:
    return screen_of(replace(PANEL, panel=replace(PANEL.panel, edge=levels)))


SCREEN = with_edge(*EDGE)


@dataclass(frozen=True)
class Change:
    """A fault of a block ("": the ladder): what is replaced on the page, and what is then found, and where."""

    title: str
    block: str
    replaced: Sequence[tuple[str, str]]
    faults: Sequence[tuple[str, str]]


@cache
def html() -> str:
    return rendered(SCREEN).html


def changed(*changes: Change) -> AidOutput:
    """The page with changes of its blocks, laid out again."""
    page = html()
    for change in changes:
        before, start, rest = page.partition(f'data-bookmark="{change.block}"' if change.block else "<body>")
        block, end, after = rest.partition("</section>")
        for old, new in change.replaced:
            assert re.search(old, block), old
            block = re.sub(old, new, block, count=1)
        page = before + start + block + end + after
    return laid_out(page)


def both(*faults: tuple[str, str]) -> set[str]:
    in_html = {f'game/x.html: "Panel", {where}: {what}' for where, what in faults}
    return in_html | {f"game/x.pdf: page 1, {where}: {what}" for where, what in faults}


def found(aid: tuple[PanelPage, ...], made: AidOutput) -> list[str]:
    """What a build finds wrong, and what is drawn otherwise than the figures say."""
    drawn = drawn_mismatches(SYSTEM, aid, made.name, made.html, made.pdf)
    return [*found_in_build(aid, made), *map(str, drawn)]


@pytest.mark.parametrize("theme", Theme)
def test_what_is_drawn_as_the_model_says_is_not_named(theme: Theme) -> None:
    assert found(SCREEN, rendered(SCREEN, theme=theme)) == []


CHANGES = [
    Change(
        "a bar that is 2% too long",
        "Bars",
        [("width: 51%", "width: 53%")],
        [('"Bars", row 2, column 2', "its bar is 53.0% of the longest in place of 51.2%")],
    ),
    Change(
        "the longest bar",
        "Bars",
        [("width: 100%", "width: 98%")],
        [('"Bars", row 4, column 2', "its bar is 98.0% of the longest in place of 100.0%")],
    ),
    Change(
        "a bar that is not there",
        "Bars",
        [('<span class="bar" style="width: 12%"></span>', "")],
        [('"Bars", row 1, column 2', "its bar is 0.0% of the longest in place of 12.5%")],
    ),
    Change(
        "a bar where there should be none",
        "Bars",
        [('<td class="end">41%', '<td class="barred"><span class="bar" style="width: 22%"></span>41%')],
        [('"Bars", row 2, column 3', SURPLUS)],
    ),
    Change(
        "two tints that changed places",
        "Heat",
        [("heat-6", "heat-x"), ("heat-1", "heat-6"), ("heat-x", "heat-1")],
        [
            ('"Heat", row 1, column 2', "its tint is 6 in place of 1"),
            ('"Heat", row 1, column 3', "its tint is 1 in place of 6"),
        ],
    ),
    Change(
        "a tint that is not there",
        "Heat",
        [('"heat heat-5"', '"center"')],
        [('"Heat", row 3, column 2', "its tint is none in place of 5")],
    ),
    Change(
        "a tint where there should be none",
        "Bars",
        [('"end">41%', '"heat heat-2">41%')],
        [('"Bars", row 2, column 3', SURPLUS)],
    ),
    Change(
        "a figure in the words of a chart",
        "Lines",
        [("at [+]3, 80%", "at +3, 81%")],
        [('"Lines", alternative text', '"80%," is not there, but "81%,"')],
    ),
    Change(
        "a chart without words",
        "Lines",
        [("<title>.*</title>", "<title></title>")],
        [('"Lines", alternative text', "is not there")],
    ),
    Change(
        "a point of a line that stands too high",
        "Points",
        [("L853 522", "L853 512")],
        [('"Points", point at "+0" of "Win"', "it stands at 0.4225, and the figure is 0.41")],
    ),
    Change(
        "a point of a line that stands too far right",
        "Points",
        [("L853 522", "L863 522")],
        [('"Points", point at "+0" of "Win"', "it stands 0.1 em too far right")],
    ),
    Change(
        "a line without one of its points",
        "Points",
        [("L853 522", "")],
        [('"Points", line at "−1" of "Win"', "it has 3 points in place of 4")],
    ),
    Change(
        "a mark that stands too low",
        "Points",
        [('cy="322"', 'cy="332"')],
        [('"Points", mark at "+1" of "Win"', "it stands 0.1 em too far down")],
    ),
    Change(
        "a mark that is not there",
        "Points",
        [('<circle class="full" cx="1440".*/>', "")],
        [('"Points", mark at "+1" of "Win"', "is not there")],
    ),
    Change(
        "two names that changed places",
        "Lines",
        [('y="239" font', 'y="x" font'), ('y="839" font', 'y="239" font'), ('y="x" font', 'y="839" font')],
        [
            ('"Lines", series "Win"', "its name stands 6 em too far down"),
            ('"Lines", series "Lose"', "its name stands 6 em too far up"),
        ],
    ),
    Change(
        "a name that its line does not lead to",
        "Lines",
        [("M2647 210L2708 210", "M2647 210L2708 810")],
        [
            ('"Lines", series "Win"', "the mark before its name stands 6 em too far up"),
            ('"Lines", series "Win"', "its name stands 6 em too far up"),
        ],
    ),
    Change(
        "a label that stands too far right",
        "Axes",
        [('x="853" y="965"', 'x="1053" y="965"')],
        [('"Axes", axis "+0"', "the label stands 2 em too far right")],
    ),
    Change(
        "a label that stands too high",
        "Axes",
        [('y="479"', 'y="459"')],
        [('"Axes", upright axis "50%"', "the label stands 0.2 em too far up")],
    ),
    Change(
        "a name of the axis that stands too high",
        "Axes",
        [('y="1070"', 'y="870"')],
        [('"Axes", name of the axis', "it stands 2 em too far up")],
    ),
    Change(
        "a line of the grid that stands too high",
        "Axes",
        [("M265 450H", "M265 440H")],
        [('"Axes", upright axis "50%"', "the line stands 0.1 em too far up")],
    ),
    Change(
        "a line of the grid that is not there",
        "Axes",
        [('<path class="grid" d="M265 450H.*?/>', "")],
        [('"Axes"', "4 lines of the grid are drawn in place of 5")],
    ),
    Change(
        "an axis that stands too high",
        "Axes",
        [('class="axis" d="M265 850', 'class="axis" d="M265 840')],
        [('"Axes", axis', "it stands 0.1 em too far up")],
    ),
    Change(
        "a bar of a chart that is 2% too long",
        "Figures",
        [("413", "403")],
        [('"Figures", bar at "+2"', "it goes from 0 to 0.6525, and the figure is 0.64")],
    ),
    Change(
        "a bar of a chart that leans",
        "Figures",
        [("M1130 925H1870V413H1130z", "M1130 925H1870V413L1150 413z")],
        [('"Figures", bar at "+2"', "it is no upright rectangle")],
    ),
    Change(
        "a figure over another bar",
        "Figures",
        [('x="1500" y="388"', 'x="1000" y="388"')],
        [('"Figures", bar at "+2"', "its figure stands 5 em too far left")],
    ),
    Change(
        "a bar of a chart that begins too low",
        "Pairs",
        [("M996 925H1255V515", "M996 935H1255V515")],
        [('"Pairs", bar at "+0" of "Win"', "it goes from -0.01 to 0.41, and the figure is 0.41")],
    ),
    Change(
        "a bar of a chart that stands too far right",
        "Pairs",
        [("M996 925H1255V515H996", "M1006 925H1265V515H1006")],
        [('"Pairs", bar at "+0" of "Win"', "it stands 0.1 em too far right")],
    ),
    Change(
        "a bar of a chart that is wider than others",
        "Pairs",
        [("M996 925H1255V515H996", "M986 925H1265V515H986")],
        [('"Pairs", bar at "+0" of "Win"', "it is 2.79 em wide, and others are 2.59 em")],
    ),
    Change(
        "a bar of a chart that is not there",
        "Pairs",
        [('<path class="bar" d="M996.*/>', "")],
        [('"Pairs", bar at "+0" of "Win"', "is not there")],
    ),
    Change(
        "a name beside the sample of another series",
        "Pairs",
        [("H220z. fill=.#c9b8a8", 'H220z" fill="#ffffff')],
        [('"Pairs", series "Win"', "the sample before its name is none of its bars")],
    ),
]


def rounds() -> Iterator[list[Change]]:
    """The changes, no two of one block on a page: laying out costs more than reading back."""
    of_block: dict[str, list[Change]] = defaultdict(list)
    for change in CHANGES:
        of_block[change.block].append(change)
    for changes in zip_longest(*of_block.values()):
        yield [change for change in changes if change is not None]


@pytest.mark.parametrize("changes", list(rounds()), ids=lambda changes: "; ".join(change.title for change in changes))
def test_what_is_drawn_otherwise_is_named_with_its_place_in_both_outputs(changes: list[Change]) -> None:
    named = found(SCREEN, changed(*changes))
    assert set(named) == both(*(fault for change in changes for fault in change.faults))
    assert len(named) == len(set(named))


# Figures of the model that the aid itself draws or tells otherwise: the page is as the aid says, and yet wrong.


def of(figures: ChartBlock) -> tuple[PanelPage, ...]:
    return screen_of(page(0, "Panel", (figures,)))


def test_a_bar_that_the_aid_itself_makes_too_long() -> None:
    bars = titled("Bars", bars="win")
    first, (head, cell, other), *rest = bars.rows
    wrong = screen_of(page(0, "Panel", (replace(bars, rows=(first, (head, replace(cell, bar=53), other), *rest)),)))
    where = '"Bars", row 2, column 2'
    assert set(found(wrong, rendered(wrong))) == both((where, "its bar is 53.0% of the longest in place of 51.2%"))


def test_a_tint_that_the_aid_itself_makes_too_dark() -> None:
    heat = titled("Heat", heat=True)
    (head, cell, other), *rest = heat.rows
    wrong = screen_of(page(0, "Panel", (replace(heat, rows=((head, replace(cell, heat=2), other), *rest)),)))
    assert set(found(wrong, rendered(wrong))) == both(('"Heat", row 1, column 2', "its tint is 2 in place of 1"))


def test_a_bar_of_a_chart_that_the_aid_itself_makes_too_long() -> None:
    (series,) = FIGURES.series
    bars = (series.bars[0], replace(series.bars[1], top=series.bars[1].top - 10, figure="65%"), series.bars[2])
    wrong = of(replace(FIGURES, series=(replace(series, bars=bars),)))
    assert set(found(wrong, rendered(wrong))) == both(
        ('"Figures", bar at "+2"', "it goes from 0 to 0.6525, and the figure is 0.64"),
        ('"Figures", bar at "+2"', '"65%" stands over it in place of "64%"'),
    )


def words_faults(shown: ChartBlock) -> list[tuple[str, str]]:
    """What is wrong with the words of a chart that an output says as the model does."""
    return list(alternative_faults(list(shown.pieces("Panel")), [shown.alternative]))


@pytest.mark.parametrize(
    ("title", "old", "new", "what"),
    [
        ("not the highest", "+3, 80%", "+1, 66%", 'it does not say "Win is highest at +3, 80%, and lowest at −1, 10%"'),
        ("off by one", "−1, 78%", "−1, 79%", 'it does not say "Lose is highest at −1, 78%, and lowest at +3, 5%"'),
        ("another series", "Lose is", "Win is", 'it does not say "Lose is highest at −1, 78%, and lowest at +3, 5%"'),
        ("another end", "to +3;", "to +2;", 'it does not say "from −1 to +3"'),
    ],
)
def test_words_of_a_chart_that_its_figures_contradict(title: str, old: str, new: str, what: str) -> None:
    wrong = replace(LINES[0], alternative=LINES[0].alternative.replace(old, new, 1))
    assert words_faults(wrong) == [('"Lines", alternative text', what)], title


def test_of_several_highest_figures_any_may_be_named() -> None:
    """The aid names the first."""
    level = chart(table("Level", "Chance", rows=((1, 40), (2, 40), (3, 7))), "Level", "bars")
    assert "highest at +1, 40%" in level.alternative
    other = replace(level, alternative=level.alternative.replace("at +1, 40%", "at +2, 40%"))
    assert words_faults(level) == words_faults(other) == []


# In the PDF alone


def test_the_words_of_a_chart_in_the_file() -> None:
    def change(pdf: pikepdf.Pdf) -> None:
        for entry in pdf.objects:
            if isinstance(entry, pikepdf.Dictionary) and str(entry.get("/Alt", "")).startswith("Figures"):
                entry.Alt = pikepdf.String(str(entry.Alt).replace("+3, 7%", "+3, 8%"))

    assert found(SCREEN, changed_pdf(rendered(SCREEN), change)) == [
        'game/x.pdf: page 1, "Figures", alternative text: "7%." is not there, but "8%."'
    ]


def test_a_chart_that_no_tag_names() -> None:
    def change(pdf: pikepdf.Pdf) -> None:
        for entry in pdf.objects:
            if isinstance(entry, pikepdf.Dictionary) and str(entry.get("/Alt", "")).startswith("Figures"):
                entry.S = pikepdf.Name.Div

    assert found_in_build(SCREEN, changed_pdf(rendered(SCREEN), change)) == [
        "game/x.pdf: page 1: 4 charts, but the model has 5"
    ]


def test_a_bar_of_a_chart_that_is_moved_by_its_matrix() -> None:
    """A part of a drawing may also be moved without a change of its lengths."""

    def change(pdf: pikepdf.Pdf) -> None:
        contents = pdf.pages[0].Contents
        bar = b"1130 925 m"
        assert bar in contents.read_bytes()
        contents.write(contents.read_bytes().replace(bar, b"1 0 0 1 10 0 cm " + bar, 1))

    assert 'game/x.pdf: page 1, "Figures", bar at "+2": it stands 0.1 em too far right' in found(
        SCREEN, changed_pdf(rendered(SCREEN), change)
    )


def test_a_bar_that_the_style_sheet_moves() -> None:
    made = rendered(SCREEN, "tr:nth-child(2) .bar { margin-left: 0 }")
    assert found(SCREEN, made) == ['game/x.pdf: page 1, "Bars", row 2, column 2: its bar begins 1.1 mm too far right']


def test_a_tint_that_the_style_sheet_changes() -> None:
    made = rendered(SCREEN, "tr:nth-child(2) .heat-3 { background: #eae0d9 }")
    what = "its tint is none in place of 3"
    assert found(SCREEN, made) == [f'game/x.pdf: page 1, "Heat", row 2, column {column}: {what}' for column in (2, 3)]


# The ladder


@pytest.mark.parametrize(
    ("title", "levels", "faults"),
    [
        (
            "left out",
            (EDGE[0], *EDGE[2:]),
            [('edge, "Good"', '"Good" is not there'), ('edge, "Good"', '"+1" is not there')],
        ),
        (
            "doubled",
            (*EDGE[:2], *EDGE[1:]),
            [('before edge, "Fair"', '"Good +1" stands there, which the model does not have')],
        ),
    ],
)
def test_a_level_of_the_ladder_that_is_left_out_or_doubled(
    title: str, levels: tuple[tuple[str, str], ...], faults: list[tuple[str, str]]
) -> None:
    named = set(found(SCREEN, rendered(with_edge(*levels))))
    assert both(*faults) <= named, title


def test_a_level_of_the_ladder_that_stands_elsewhere() -> None:
    fair = '<li><span class="level">Fair'
    made = changed(Change("", "", [(fair, fair.replace("<li>", '<li style="margin: -24mm 2mm 24mm 0">'))], []))
    assert found(SCREEN, made) == [
        'game/x.html: "Panel", edge, "Fair": it is not set as the other levels are',
        'game/x.pdf: page 1, edge, "Fair": it stands 23.9 mm too high',
    ]
