"""Aids as data: what they show comes from tables and facts, and what they name must exist."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from refgen.aids.cards.model import make_deck
from refgen.aids.panels.model import Importance, Side
from refgen.aids.screen.kind import screen_of_game
from refgen.characters.make_sheet import make_sheet
from refgen.characters.sheet import FieldKind
from refgen.errors import RefgenError
from refgen.files import bundled_folder
from refgen.game import GameModel
from tests.conftest import SYSTEMS, game


def folder(system: str) -> Path:
    return bundled_folder("content") / system


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


def make_whole_screen(folder: Path, own: GameModel) -> None:
    """A screen of which nothing is missing."""
    if faults := screen_of_game(folder, own).faults:
        raise faults[0]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("screen.toml", 'table = "', 'table = "no-', 'there is no table "no-'),
        ("screen.toml", 'edge_scale = "trait"', 'edge_scale = "skill"', 'there is no ladder "skill"'),
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
