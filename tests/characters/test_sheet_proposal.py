"""The sheet of a game without sheet.toml: the traits and skills that its tables name, and lines to write on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from refgen.characters.make_sheet import make_sheet
from refgen.characters.sheet import CharacterSheet, FieldKind
from refgen.characters.sheet_proposal import proposed_sheet
from refgen.characters.sheet_spec import ListSpec
from refgen.game import GameModel, load_game
from tests.aids.stranger import lantern_road
from tests.resolver.systems.small import FOLDER as SMALL


def titled(game: GameModel, table: str, title: str) -> GameModel:
    """The game with another title of a table."""
    tables = {**game.printed, table: replace(game.printed[table], title=title)}
    return GameModel(replace(game.ruleset, tables=tables), game.folder)


def kinds(sheet: CharacterSheet, part: str) -> dict[str, FieldKind]:
    """The kind of each field of a part by the field's name."""
    rows = [row for each in sheet.parts() if each.id == part for row in each.rows]
    return {field.name: field.kind for row in rows for field in row.fields}


def test_the_rows_of_a_table_of_attributes_are_numbers_to_fill_in(tmp_path: Path) -> None:
    game = lantern_road(tmp_path)
    assert proposed_sheet(game).traits == ["Might", "Wits", "Grace"]
    sheet = make_sheet(tmp_path / "lantern-road", game)
    assert kinds(sheet, "traits") == dict.fromkeys(("traits.might", "traits.wits", "traits.grace"), FieldKind.NUMBER)
    assert [part.title for part in sheet.parts()] == ["Who", "Traits", "Abilities", "Gear", "Notes"]


@pytest.mark.parametrize(("title", "is_named"), [("Abilities", True), ("1. Kyvyt", True), ("Psionic abilities", False)])
def test_abilities_are_attributes_if_the_title_says_no_more(tmp_path: Path, title: str, is_named: bool) -> None:
    game = lantern_road(tmp_path)
    table = game.printed["attributes"]
    columns = (replace(table.columns[0], title="Ability"), *table.columns[1:])
    game.ruleset = replace(game.ruleset, tables={"attributes": replace(table, title=title, columns=columns)})
    assert bool(proposed_sheet(game).traits) is is_named


def test_without_evidence_a_sheet_has_name_lines_and_notes(tmp_path: Path) -> None:
    game = titled(lantern_road(tmp_path), "attributes", "Uses")
    game.ruleset = replace(game.ruleset, tables={"finds": game.printed["finds"]})
    sheet = make_sheet(tmp_path / "lantern-road", game)
    assert [part.title for part in sheet.parts()] == ["Who", "Traits", "Gear", "Notes"]


def test_skills_are_a_line_each(tmp_path: Path) -> None:
    game = titled(lantern_road(tmp_path), "weapons", "Skills")
    spec = proposed_sheet(game)
    assert spec.lists == [ListSpec(title="Skills", of="weapons.weapon"), "Gear"]
    sheet = make_sheet(tmp_path / "lantern-road", game)
    assert kinds(sheet, "skills") == {
        "skills.dagger.number": FieldKind.NUMBER,
        "skills.spear.number": FieldKind.NUMBER,
    }


def test_what_is_known_from_elsewhere_goes_before_what_tables_name(tmp_path: Path) -> None:
    spec = proposed_sheet(lantern_road(tmp_path), traits=["STR", "DEX"], skills=["Admin", "Bribery"])
    assert spec.traits == ["STR", "DEX"]
    assert spec.lists == [ListSpec(title="Skills", names=["Admin", "Bribery"]), "Gear"]


def test_traits_with_which_characters_act_are_a_line_each_with_a_level() -> None:
    folder = SMALL / "step-dice"
    game = load_game(folder)
    (action,) = game.ruleset.spec.actions.values()
    listed = next(entry for entry in proposed_sheet(game).lists if isinstance(entry, ListSpec))
    assert listed.of == action.trait.of
    assert make_sheet(folder, game).parts()
