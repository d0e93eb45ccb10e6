"""Blocks of any kind: made from what an author writes, shown by the template of their kind, divided without a loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import walk_packages

import pytest
from lxml import html

import refgen.blocks
from refgen.aids.cards.model import make_deck
from refgen.blocks.block import Block
from refgen.blocks.kinds import KINDS, KINDS_BY_NAME, BlockSpec, kind_of, make_block
from refgen.blocks.lines_block import LinesBlock
from refgen.blocks.table_block import TableBlock, show_table
from refgen.blocks.text_blocks import GlossaryBlock, QuoteBlock, StepsBlock, TextBlock
from refgen.errors import UnknownNameError
from refgen.files import bundled_folder
from refgen.layout.templates import environment
from tests.aids.panels.laid_out import screen_blocks
from tests.aids.stranger import lantern_road
from tests.conftest import SYSTEMS, computed, game

MADE_UP = (
    GlossaryBlock("States", (("Prone", "lies on the ground."), ("Stunned", "does nothing.")), note="No more."),
    QuoteBlock("Rules", ("First, roll.", "Then compare.")),
    TextBlock("Rules", ("Roll.", "Compare.")),
    LinesBlock("Notes", 3),
)


@cache
def blocks(kind: str) -> list[Block]:
    """All blocks of a kind on the screens and cards of our games, and made-up ones of kinds that are rare there."""
    decks = (make_deck(bundled_folder("content") / system, game(system)) for system in SYSTEMS)
    cards = (block for deck in decks for card in deck.cards for block in card.blocks)
    return [block for block in chain(*map(screen_blocks, SYSTEMS), cards, MADE_UP) if block.kind == kind]


def letters(texts: Iterable[str]) -> str:
    """What some texts say, without spaces."""
    return "".join("".join(texts).split())


def subclasses(cls: type) -> Iterator[type]:
    """A class, and all that stand on it."""
    yield cls
    below: type
    for below in cls.__subclasses__():
        yield from subclasses(below)


def test_every_kind_of_block_stands_in_the_list_once() -> None:
    for module in walk_packages(refgen.blocks.__path__, "refgen.blocks."):
        import_module(module.name)
    shared = (cls for cls in subclasses(Block) if cls.__module__.startswith("refgen.blocks."))  # an aid has its own
    found = {cls.__name__ for cls in shared if "kind" in vars(cls)}
    assert sorted(kind.__name__ for kind in KINDS) == sorted(found)
    assert len(KINDS_BY_NAME) == len(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS_BY_NAME)
def test_the_template_of_a_kind_says_its_pieces_in_order(kind: str) -> None:
    show = environment().from_string('{% from "blocks/block.html" import block as show %}{{ show(block) }}')
    for block in blocks(kind):
        said = html.fromstring(show.render(block=block)).itertext()
        texts = [text for text in said if text != getattr(block, "alternative", "")]
        assert letters(texts) == letters(piece.text for piece in block.pieces("") if not piece.painted)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind.kind for kind in KINDS if kind.entries])
def test_the_entries_of_a_block_together_say_what_the_block_says(kind: str) -> None:
    divided = [block for block in blocks(kind) if block.entry_count > 1]
    assert divided
    for block in divided:
        parts = [block.part(number, number + 1) for number in range(block.entry_count)]
        for said in ("texts", "pairs", "rows"):
            assert [one for part in parts for one in getattr(part.contents(), said)] == [
                *getattr(block.contents(), said)
            ]
        assert [part.title for part in parts] == [block.title, *[""] * (len(parts) - 1)]
        assert [part.note for part in parts] == [*[""] * (len(parts) - 1), block.note]


def test_a_block_with_all_its_entries_is_the_block_itself() -> None:
    block = StepsBlock("What to do", ("Roll.", "Compare."))
    assert block.part(0, 2) is block
    assert block.part(1, 2) == StepsBlock("", ("Compare.",), first=2)


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ({"table": "levels"}, "table"),
        ({"table": "battle-odds", "chart": "lines"}, "chart"),
        ({"items": ["A rope."], "note": "No more."}, "list"),
        ({"quote": {"section": "Dice"}}, "quote"),
        ({"title": "Notes", "lines": 8}, "lines"),
    ],
)
def test_what_is_written_says_which_kind_is_wanted(written: dict[str, object], kind: str) -> None:
    assert kind_of(BlockSpec.model_validate(written)).kind == kind


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            {"text": "Words.", "steps": ["Roll."]},
            "a block has one of table, steps, items, glossary, facts, text, quote, lines; this one has steps, text",
        ),
        ({"title": "T"}, "this one has none"),
        ({"chart": "bars", "text": "Words."}, "a chart draws a table; this one has none"),
        ({"table": "levels", "across": "level"}, "across is for charts only"),
        ({"table": "levels", "chart": "bars", "fold": 2}, "fold is for tables only"),
        ({"table": "levels", "parts": 2, "part": 3}, "part 3 of 2"),
        ({"lines": 0}, "greater than or equal to 1"),
        ({"table": "levels", "row_range": [3, 2]}, "rows from 3 to 2"),
    ],
)
def test_keys_that_do_not_go_together_are_refused(written: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BlockSpec.model_validate(written)


def test_words_take_their_figures_from_facts() -> None:
    block = make_block(game("interactive-history"), BlockSpec(steps=["Roll {dice}."]))
    assert block == StepsBlock("", ("Roll 4DF.",))


def test_words_look_a_cell_up_by_a_fact() -> None:
    block = make_block(game("interactive-history"), BlockSpec(steps=["{armies.nominal at {nominal-size}} men."]))
    assert block == StepsBlock("", ("30,000 men.",))
    with pytest.raises(UnknownNameError, match='table "armies" has no row "4DF"'):
        make_block(game("interactive-history"), BlockSpec(steps=["{armies.nominal at {dice}} men."]))


def test_a_table_is_shown_with_the_wanted_columns_heads_and_bars() -> None:
    spec = BlockSpec(table="roll-odds", columns=["level", "exactly"], heads={"exactly": "Chance"}, bars="exactly")
    block = make_block(game("interactive-history"), spec)
    assert isinstance(block, TableBlock)
    assert block.tag == "computed"
    assert [column.title for column in block.columns] == ["Level", "Chance"]
    assert [(cell.text, cell.bar) for cell in block.rows[4]] == [("Fair", None), ("23%", 100)]
    assert [cell.header for cell in block.rows[4]] == [True, False]


def test_a_random_table_shows_its_dice_in_the_title_where_it_shows_its_row_numbers(tmp_path: Path) -> None:
    specs = (
        BlockSpec(table="finds"),
        BlockSpec(table="finds", title="Loot", part=2, parts=2),
        BlockSpec(table="finds", columns=["find"]),
        BlockSpec(table="weapons"),
    )
    road = lantern_road(tmp_path)
    shown = [make_block(road, spec) for spec in specs]
    assert [block.title for block in shown] == ["Finds (d6)", "Loot (d6)", "Finds", "Weapons"]


def test_heat_is_a_step_between_never_and_always() -> None:
    block = show_table(computed("fudge-1995")["action-odds"], heat=True)
    assert {cell.heat for row in block.rows for cell in row[2:]} == {0, 1, 3, 5, 7, 8}
