"""Specs of aids as TOML: short, and read back as an equal spec."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.aids.kinds import KINDS
from refgen.aids.screen.spec import PanelBlockSpec, PanelSpec, ScreenSpec
from refgen.blocks.kinds import load_aid_spec
from refgen.export.toml_text import spec_toml
from refgen.files import bundled_folder
from refgen.rules.toml import Strict
from tests.aids.stranger import lantern_road
from tests.conftest import SYSTEMS, game


def read_back(spec: Strict, folder: Path, name: str) -> Strict:
    (folder / name).write_text(spec_toml(spec), encoding="utf-8")
    return load_aid_spec(folder, name, type(spec))[0]


def test_a_panel_of_three_tables_is_three_lines() -> None:
    blocks = [PanelBlockSpec(table=table) for table in ("weapons", "armour", "range")]
    spec = ScreenSpec(panels=[PanelSpec(title="Combat", blocks=blocks)])
    assert spec_toml(spec) == '[[panels]]\ntitle = "Combat"\nblocks = ["weapons", "armour", "range"]\n'


def test_only_what_differs_from_the_defaults_is_written() -> None:
    blocks = [PanelBlockSpec(table="armour", heads={"label": ""}), PanelBlockSpec(title="To roll", steps=["Roll."])]
    spec = ScreenSpec(edge_scale="trait", panels=[PanelSpec(title="A task", blocks=blocks)])
    assert spec_toml(spec) == (
        'edge_scale = "trait"\n\n'
        '[[panels]]\ntitle = "A task"\n'
        'blocks = [{ table = "armour", heads = { label = "" } }, { title = "To roll", steps = ["Roll."] }]\n'
    )


def test_a_block_too_long_for_a_line_has_lines_of_its_own(tmp_path: Path) -> None:
    steps = ["Name the trait that helps, and the difficulty.", "Roll the dice, and add the trait and all modifiers."]
    blocks = [PanelBlockSpec(table="range"), PanelBlockSpec(title="To roll", steps=steps)]
    spec = ScreenSpec(panels=[PanelSpec(title="A task", blocks=blocks)])
    lines = spec_toml(spec).splitlines()
    assert lines.count("[[panels.blocks]]") == 2
    assert 'table = "range"' in lines
    assert read_back(spec, tmp_path, "screen.toml") == spec


@pytest.mark.parametrize("kind", ["screen", "sheet", "card"])
def test_a_proposed_spec_is_read_back_as_it_was(tmp_path: Path, kind: str) -> None:
    spec = KINDS[kind].proposed_spec(lantern_road(tmp_path))
    assert spec is not None
    assert read_back(spec, tmp_path, KINDS[kind].spec_name) == spec


@pytest.mark.parametrize("kind", ["screen", "sheet", "card"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_file_of_ours_is_read_back_as_it_was(tmp_path: Path, kind: str, name: str) -> None:
    folder, spec_name, model = bundled_folder("content") / name, KINDS[kind].spec_name, KINDS[kind].spec
    assert model is not None
    spec, _ = load_aid_spec(folder, spec_name, model, game(name).ruleset.style.dice_letters)
    assert read_back(spec, tmp_path, spec_name) == spec
