"""Aids as data: what they show comes from tables and facts, and what they name must exist."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from shutil import copytree

import pytest

from refgen.aids.card_deck import make_deck
from refgen.aids.gm_screen import Side, screen_of_game
from refgen.aids.schema import Importance
from refgen.aids.sheet.make import make_sheet
from refgen.aids.sheet.model import FieldKind
from refgen.blocks.kinds import BlockSpec, make_block
from refgen.blocks.steps import StepsBlock
from refgen.blocks.table.block import TableBlock, show_table
from refgen.blocks.typeset import typeset
from refgen.bundle import bundled
from refgen.errors import RefgenError
from refgen.game.game import Game
from refgen.notation.values import DiceText, Interval, LabelledDice, Number, Quantity, Score, Text, Value
from tests.conftest import SYSTEMS, computed, game


def folder(system: str) -> Path:
    return bundled("content") / system


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_a_screen_of_three_or_four_panels(system: str) -> None:
    screen = screen_of_game(folder(system), game(system))
    sides = [[panel for panel in screen.panels if panel.side is side] for side in Side]
    assert 3 <= len(sides[0]) <= 4
    assert 2 <= len(sides[1]) <= 3
    assert screen.faults == ()
    assert all(panel.edge for panel in screen.panels)
    assert any(own.importance is Importance.CORE for own in [block for panel in sides[0] for block in panel.blocks])


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_a_deck_for_the_table(system: str) -> None:
    deck = make_deck(folder(system), game(system))
    assert 18 <= sum(card.count for card in deck.cards) <= 54
    assert all(card.kind and card.icon and card.colour for card in deck.cards)
    assert len({card.title for card in deck.cards}) == len(deck.cards)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_field_of_a_sheet_has_a_name_and_a_label(system: str) -> None:
    fields = list(make_sheet(folder(system), game(system)).fields())
    assert len(fields) >= 30
    assert len({field.name for field in fields}) == len(fields)
    assert all(field.label for field in fields)
    assert all(field.choices for field in fields if field.kind is FieldKind.CHOICE)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", ["screen.toml", "sheet.toml", "cards.toml"])
def test_no_rule_number_is_typed_into_an_aid(system: str, name: str) -> None:
    """Words with figures in them would have to be changed by hand when the rules change."""
    for line in (folder(system) / name).read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(" = ")
        if key.strip() in ("text", "note") or line.strip().startswith('"'):
            assert not [word for word in value.split() if word.strip('".,;:()+-−').isdigit()], line


def test_words_take_their_figures_from_facts() -> None:
    block = make_block(game("interactive-history"), BlockSpec(steps=["Roll {dice}."]))
    assert block == StepsBlock("", ("Roll 4DF.",))


def test_a_table_is_shown_with_the_wanted_columns_heads_and_bars() -> None:
    spec = BlockSpec(table="roll-odds", columns=["level", "exactly"], heads={"exactly": "Chance"}, bars="exactly")
    block = make_block(game("interactive-history"), spec)
    assert isinstance(block, TableBlock)
    assert block.computed
    assert [column.title for column in block.columns] == ["Level", "Chance"]
    assert [(cell.text, cell.bar) for cell in block.rows[4]] == [("Fair", None), ("23%", 100)]
    assert [cell.header for cell in block.rows[4]] == [True, False]


def test_heat_is_a_step_between_never_and_always() -> None:
    block = show_table(computed("fudge-1995")["action-odds"], heat=True)
    assert {cell.heat for row in block.rows for cell in row[2:]} == {0, 1, 3, 5, 7, 8}


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("-1", None, "−1"),
        ("7-18", Interval(7, 18), "7–18"),
        ("-4--2", Interval(-4, -2), "−4–−2"),
        ("+/-2", None, "±2"),
        ("Scope-1", None, "Scope−1"),
        ("Scratched[1-3]", Text("Scratched[1-3]"), "Scratched[1–3]"),
        ("d4-1", None, "d4−1"),
        ("d8-d6", DiceText("d8-d6"), "d8−d6"),
        ("all-out", Text("all-out"), "all-out"),
        ("6-", Interval(None, 6), "6−"),
        ("–4 – –1", Interval(-4, -1), "−4 – −1"),
        ("–½", Number(Fraction(-1, 2)), "−½"),
        ("–5 gp", Quantity(Fraction(-5), "gp"), "−5 gp"),
        ("16 (–1)", Score(Fraction(16), Fraction(-1)), "16 (−1)"),
        ("2d6-1 fire", LabelledDice("2d6-1", "fire"), "2d6−1 fire"),
        ("–", None, "–"),
        ("–5 gp", Text("–5 gp"), "–5 gp"),
    ],
)
def test_figures_are_typeset(text: str, value: Value | None, expected: str) -> None:
    assert typeset(text, value) == expected


def make_whole_screen(folder: Path, own: Game) -> None:
    """A screen of which nothing is missing."""
    if faults := screen_of_game(folder, own).faults:
        raise faults[0]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("screen.toml", 'table = "', 'table = "no-', 'there is no table "no-'),
        ("screen.toml", 'edge = "trait"', 'edge = "skill"', 'there is no ladder "skill"'),
        ("cards.toml", 'table = "melee-critical"', 'tabel = "melee-critical"', 'unknown key "cards'),
        ("sheet.toml", "[[pages.parts]]", "[[pages.party]]", "unknown key"),
    ],
)
def test_what_does_not_exist_is_named_with_its_place(
    tmp_path: Path, name: str, old: str, new: str, message: str
) -> None:
    copy = copytree(folder("fudge-1995"), tmp_path / "fudge-1995")
    spec = copy / name
    text = spec.read_text(encoding="utf-8")
    assert old in text
    spec.write_text(text.replace(old, new, 1), encoding="utf-8")
    make = {"screen.toml": make_whole_screen, "cards.toml": make_deck, "sheet.toml": make_sheet}[name]
    with pytest.raises(RefgenError, match=message) as caught:
        make(copy, game("fudge-1995"))
    assert str(caught.value.span).startswith(f"fudge-1995/{name}:")
    assert caught.value.hint
