"""Cards are set as large as they hold, use their height, go on on further cards, or are reported alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from refgen.aids.cards.deck_format import CardStyle, card_size
from refgen.aids.cards.faces import CardFront, SetFront
from refgen.aids.cards.job import FittedDeck, expected_parts, fit_deck
from refgen.aids.cards.model import Card, CardDeck
from refgen.aids.cards.setting import fronts_of, sizes, split
from refgen.blocks.chart_block import ChartBlock
from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ShownCell, ShownColumn
from refgen.blocks.text_blocks import FactsBlock, ListBlock, StepsBlock, TextBlock
from refgen.errors import RenderError
from refgen.game import SystemInfo
from refgen.layout.page_format import Theme
from refgen.layout.readback.compare import read_back
from refgen.span import Span

SYSTEM = SystemInfo("game", "Game", "About", "#123456", "Source")
STYLE = CardStyle(card_size("poker"))
SIZES = sizes(STYLE)


def text(words: int) -> TextBlock:
    return TextBlock("", (" ".join(("go", "roll", "a", "deed", "six", "wounds")[n * n % 6] for n in range(words)),))


def steps(count: int) -> StepsBlock:
    return StepsBlock(
        "What to do", tuple(f"Do the thing with number {n}, and see." for n in range(count)), note="Rest."
    )


def chart(height: int) -> ChartBlock:
    """A chart without figures, 18 em wide, and hundredths of an em high."""
    return ChartBlock("", "lines", 1800, height, 200, 1700, 100, height - 300, "", (), (), (), "A chart")


def card(number: int, *blocks: FactsBlock | TextBlock | StepsBlock | ListBlock | TableBlock | ChartBlock) -> Card:
    return Card(number, f"Card {number}", blocks, place=Span("game/cards.toml", 0, 9, number, 1, number, 9))


def set_as_estimated(*cards: Card) -> list[SetFront]:
    """The fronts of some cards before anything is laid out."""
    return [front for each in cards for front in fronts_of(each, SYSTEM, STYLE, "game/cards")]


def fitted(*cards: Card, style: CardStyle = STYLE, overflow: str = "continue") -> FittedDeck:
    deck = CardDeck(cards, overflow=overflow)
    return fit_deck(SYSTEM, deck, style, "game/cards")


@cache
def laid_out() -> FittedDeck:
    """Cards of each sort, laid out."""
    facts = FactsBlock("", (("Attack", "+2"), ("Defence", "−2")))
    blocks: list[list[FactsBlock | TextBlock | StepsBlock]] = [
        [steps(9)],
        [steps(10)],
        [text(120)],
        [facts],
        [text(5), steps(2)],
    ]
    return fitted(*(card(number, *shown) for number, shown in enumerate(blocks, start=1)))


def test_type_is_as_large_as_fits() -> None:
    found = [face.size for face in set_as_estimated(card(1, text(5)), card(2, text(120)), card(3, text(180)))]
    assert found[0] == SIZES[0]
    assert SIZES[0] > found[1] > found[2] >= SIZES[-1]


def test_larger_cards_have_larger_type_and_smaller_ones_the_same() -> None:
    found = {
        name: (sizes(CardStyle(card_size(name)))[0], sizes(CardStyle(card_size(name)))[-1]) for name in ("mini", "a6")
    }
    assert found == {"mini": (11, 7), "a6": (15, 7)}
    assert (SIZES[0], SIZES[-1]) == (11, 7)


@pytest.mark.slow
def test_one_size_larger_would_be_too_large() -> None:
    made = laid_out()
    face, fill = made.faces.fronts[2], made.measured[2][2].fill
    assert fill <= 1
    assert fill * (SIZES[SIZES.index(face.size) - 1] / face.size) ** 2 > 0.97


@pytest.mark.slow
def test_what_is_left_of_the_height_stands_between_the_lines() -> None:
    made = laid_out()
    assert [face.air > 0 for face in made.faces.fronts[:2]] == [True, True]
    assert all(0.9 < made.measured[number][number].fill <= 1 for number in range(2))


@pytest.mark.slow
def test_larger_figures_and_openings_fit_as_estimated() -> None:
    made = laid_out()
    facts, opening = made.faces.fronts[3:]
    assert facts.figures > 2
    assert opening.opening > 1
    assert all(made.measured[number][number].fill <= 1 for number in (3, 4))


def test_figures_grow_and_a_short_text_moves_down_where_there_is_room() -> None:
    facts = FactsBlock("", (("Attack", "+2"), ("Defence", "−2")))
    first, second, third = set_as_estimated(card(1, facts), card(2, text(5)), card(3, steps(9)))
    assert first.figures > 2
    assert (second.figures, third.figures) == (1, 1)
    assert second.lead > 2
    assert third.lead == 0


def test_the_text_that_a_card_begins_with_grows_where_there_is_room() -> None:
    first, second = set_as_estimated(card(1, text(5), steps(2)), card(2, text(90)))
    assert first.opening > 1
    assert second.opening == 1


@pytest.mark.slow
def test_the_icon_fills_what_a_short_text_leaves_free() -> None:
    short = replace(card(1, text(5), steps(2)), icon="star")
    plain, ink_saving = replace(short, icon=""), replace(STYLE, theme=Theme.INK_SAVING)
    assert [front.emblem for front in set_as_estimated(short, plain, replace(card(2, text(120)), icon="star"))] == [
        14,
        0,
        0,
    ]
    assert fronts_of(short, SYSTEM, ink_saving, "game/cards")[0].emblem == 0
    made = fitted(short)
    assert "star-pale.svg); background-size: 14.0mm" in made.html
    assert made.measured[0][0].fill * made.faces.fronts[0].front.height + 14 < made.faces.fronts[0].front.height


def test_a_card_that_is_too_full_goes_on_on_a_numbered_one() -> None:
    made = set_as_estimated(card(1, steps(28)), card(2, text(5)))
    assert [face.front.title for face in made] == ["Card 1 (1/2)", "Card 1 (2/2)", "Card 2"]
    first, second = (face.front.blocks[0] for face in made[:2])
    assert isinstance(first, StepsBlock)
    assert isinstance(second, StepsBlock)
    assert (*first.texts, *second.texts) == steps(28).texts
    assert (first.title, first.note, second.title, second.note) == ("What to do", "", "", "Rest.")
    assert second.first == len(first.texts) + 1


@pytest.mark.slow
def test_or_goes_on_on_its_back() -> None:
    made = fitted(card(1, steps(40)), replace(card(2, steps(28)), count=2), card(3, text(5)), overflow="back")
    titles = [face.front.title for face in made.faces.fronts]
    three, two = [f"Card 1 ({part}/3)" for part in (1, 2, 3)], ["Card 2 (1/2)", "Card 2 (2/2)"]
    assert titles == [*three, *two, "Card 3"]
    names = [*titles, *("back" for _ in made.faces.backs)]
    assert [(names[front], names[back]) for front, back in made.faces.copies] == [
        ("Card 1 (1/3)", "Card 1 (2/3)"),
        ("Card 1 (3/3)", "back"),
        ("Card 2 (1/2)", "Card 2 (2/2)"),
        ("Card 2 (1/2)", "Card 2 (2/2)"),
        ("Card 3", "back"),
    ]


@pytest.mark.slow
def test_or_is_reported_alone_with_its_line_and_how_much_is_too_much() -> None:
    made = fitted(card(1, steps(28)), card(2, text(5)), overflow="report")
    (fault,) = made.faults
    where, what = "game/cards.toml:1:1: game/cards", "even in the smallest type (7 pt)"
    assert str(fault) == f'{where}: "Card 1" is too full by 35.1 mm {what}'
    assert [face.front.title for face in made.faces.fronts] == ["Card 2"]


@pytest.mark.slow
def test_what_cannot_be_parted_is_reported() -> None:
    made = fitted(card(1, text(900)), card(2, text(5)), card(3, TextBlock("", ("x" * 200,))))
    assert [fault.message for fault in made.faults] == [
        'game/cards: "Card 1" is too full by 139.4 mm even in the smallest type (7 pt)',
        'game/cards: "Card 3" is too wide by 165.6 mm even in the smallest type (7 pt)',
    ]
    assert [face.front.title for face in made.faces.fronts] == ["Card 2"]


def test_a_deck_of_which_nothing_fits_is_an_error() -> None:
    with pytest.raises(RenderError, match="too full"):
        fitted(card(1, text(900)))


def test_a_title_shrinks_before_it_breaks() -> None:
    def front(title: str) -> CardFront:
        return CardFront(replace(card(1, text(5)), title=title), (), 1, 1, SYSTEM, STYLE)

    short, longer, long = (
        front("A task"),
        front("Time for a strategic action"),
        front("What a long title this is to stand on a card"),
    )
    assert short.title_size > longer.title_size >= long.title_size == 9
    assert short.band == pytest.approx(longer.band, abs=0.5)
    assert long.band > short.band + 1


@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_splitting_loses_and_doubles_nothing(parts: int) -> None:
    rows = tuple((ShownCell(f"row {n}", "start"), ShownCell(str(n), "end")) for n in range(11))
    table = TableBlock("T", (ShownColumn("A", "", "start"), ShownColumn("B", "", "end")), rows, note="note")
    items = ListBlock("", tuple(f"item {n}" for n in range(6)))
    found = split([table, items], parts, 150, 7)
    assert len(found) == parts
    shown = [block for blocks in found for block in blocks]
    assert tuple(row for block in shown if isinstance(block, TableBlock) for row in block.rows) == rows
    assert tuple(item for block in shown if isinstance(block, ListBlock) for item in block.texts) == items.texts
    assert next(block.title for block in shown if isinstance(block, TableBlock)) == "T"


def test_no_entry_of_a_block_is_left_alone_where_that_can_be() -> None:
    lists = [ListBlock("", tuple(f"{name} {number}" for number in range(4))) for name in ("a", "b")]
    blocks = [lists[0], replace(lists[1], texts=lists[1].texts[:3])]
    even, tidy = (split(blocks, 3, 150, 7, tidy=tidy) for tidy in (False, True))
    assert [[getattr(block, "texts", ()) for block in part] for part in even] == [
        [("a 0", "a 1")],
        [("a 2", "a 3"), ("b 0",)],
        [("b 1", "b 2")],
    ]
    assert [[getattr(block, "texts", ()) for block in part] for part in tidy] == [
        [("a 0", "a 1")],
        [("a 2", "a 3")],
        [("b 0", "b 1", "b 2")],
    ]


def test_one_wide_row_takes_a_card_of_its_own_and_the_others_share_one() -> None:
    columns = tuple(ShownColumn(name, "", "start") for name in ("A", "B"))
    long, short = ShownCell("incomprehensibly", "start"), ShownCell("brief", "start")
    rows = ((short, long), *((long, short) for _ in range(5)))
    style = CardStyle(card_size("40x88"))
    fronts = fronts_of(card(1, TableBlock("", columns, rows)), SYSTEM, style, "game/cards")
    assert [[len(block.rows) for block in each.front.blocks if isinstance(block, TableBlock)] for each in fronts] == [
        [1],
        [5],
    ]


def test_bars_are_as_long_as_they_are_on_their_card() -> None:
    halves = [Fraction(number, 8) for number in (4, 2, 1, 1)]
    rows = tuple((ShownCell(str(v), "start", bar=round(200 * v), value=v),) for v in halves)
    table = TableBlock("T", (ShownColumn("A", "", "bars"),), rows)
    parts = [block for (block,) in split([table], 2, 150, 7) if isinstance(block, TableBlock)]
    assert [[cell.bar for row in block.rows for cell in row] for block in parts] == [[100, 50], [100, 100]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "size",
    [
        "mini",
        *(
            pytest.param(size, marks=pytest.mark.slow)
            for size in ("poker-us", "bridge", "tarot", "business", "index", "a6", "a7", "60x90")
        ),
    ],
)
def test_cards_of_every_size_read_back_as_the_deck_says(size: str) -> None:
    style = CardStyle(card_size(size))
    made = fitted(card(1, steps(7)), card(2, text(60), steps(3)), style=style)
    assert read_back(expected_parts(made.faces), made) == []


@pytest.mark.slow
def test_a_chart_that_fits_in_no_other_way_is_no_larger_than_it_is_drawn() -> None:
    landscape = CardStyle(card_size("poker", landscape=True))
    charts = [chart(height) for height in (1300, 1700)]
    fronts = [fronts_of(card(1, each), SYSTEM, landscape, "game/cards") for each in charts]
    assert [face.enlarged for (face,) in fronts] == [1.2, 1.0]
    assert not fitted(card(1, charts[1]), style=landscape).measured[0][0].overflows
