"""A sheet as plain data: what browsers work out themselves, what comes as a table, what is left to refgen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refgen.characters.form import Form
from refgen.characters.make_sheet import make_sheet
from refgen.characters.program import program_of
from refgen.files import bundled_folder
from tests.characters.small import form_of
from tests.conftest import SYSTEMS, game


def deeds(expression: Any) -> set[str]:
    """All that is done in an expression."""
    if isinstance(expression, list):
        return {deed for part in expression for deed in deeds(part)}
    if not isinstance(expression, dict):
        return set()
    return {expression["do"], *deeds(expression.get("of", []))}


def step_of(folder: Path, formula: str, *, more: str = "") -> dict[str, Any]:
    """How a formula over a number, a level, a row of a table and a text stands in the program of a sheet."""
    sheet = f"""
        title = "One"
        [[parts]]
        title = "One"
        fields = [
          "Name",
          {{ label = "Number", type = "number" }},
          {{ label = "Level", ladder = "trait" }},
          {{ label = "Posture", of = "posture.posture" }},
          {{ label = "Found", value = "{formula}"{more} }},
        ]
        """
    (step,) = program_of(form_of(folder, sheet))["steps"]
    assert isinstance(step, dict)
    return step


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_on_a_bundled_sheet_is_left_to_refgen(system: str) -> None:
    program = program_of(Form(game(system), make_sheet(bundled_folder("content") / system, game(system))))
    left = [one["key"] for one in (*program["steps"], *program["tracks"]) if "unknown" in deeds(one.get("is"))]
    assert left == []
    assert len(json.dumps(program)) < 40_000


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("{number} + 1 / {level}", {"sum", "name", "/", "fact"}),
        ("if({number} in 1..3, {level}, 1)", {"if", "in", "name", "fact"}),
        ("low({posture.attack}) + default({level}, {number})", {"sum", "low", "default", "name"}),
        ("at({posture.attack}, {number}, {posture.defence})", {"at", "name"}),
        ("chance(4dF + {level} >= 0)", {"table"}),
        ("mean(3d6)", {"table"}),
        ("mean(3d6) + {number}", {"sum", "table", "name"}),
        ("chance(4dF + {number} >= {level})", {"chance", "sum", "name"}),
        ("chance(4dF * {number} >= 0)", {"unknown"}),
        ("mean(highest({number}, 4d6))", {"unknown"}),
        ("box(wounds, {number}, {level})", {"unknown"}),
        ("box(wounds, 3, {level})", {"table"}),
    ],
)  # fmt: skip
def test_what_a_formula_becomes(tmp_path: Path, formula: str, expected: set[str]) -> None:
    assert deeds(step_of(tmp_path, formula)["is"]) == expected


def test_a_table_has_what_the_formula_comes_to_for_each_choice(tmp_path: Path) -> None:
    found = step_of(tmp_path, "chance(4dF + {level} >= 0)")["is"]
    assert found["by"] == ["one.level"]
    assert {word: cell["n"] for word, cell in found["cells"].items()}["Fair"] == "50/81"
    assert [*found["cells"]] == [level.name for level in game("atari-isev").ladders["trait"].levels]


def test_a_chance_that_can_do_without_a_field_has_a_case_for_none(tmp_path: Path) -> None:
    found = step_of(tmp_path, "chance(4dF + default({level}, 0) >= 0)")["is"]
    assert found["cells"][""] == {"n": "50/81"}


def test_the_chances_of_a_sum_are_told_for_many_goals(tmp_path: Path) -> None:
    found = step_of(tmp_path, "chance(4dF + {number} >= 0)")["is"]
    chances = found["chances"][""]
    assert (found["from"], len(chances)) == (-39, 79)
    assert chances[39] == "50/81"
    assert (chances[0], chances[-1]) == ("1", "0")


def test_what_is_shown_as_it_is_printed_is_that_of_a_choice(tmp_path: Path) -> None:
    show = ', show = "text"'
    assert deeds(step_of(tmp_path, "{posture.attack}", more=show)["is"]) == {"name"}
    (tmp_path / "program").mkdir()
    assert step_of(tmp_path, "{human-scale}", more=show)["is"]["is"]["t"] == "0"


def test_the_boxes_of_a_level_without_a_track_are_none(tmp_path: Path) -> None:
    program = program_of(form_of(tmp_path))
    wounds = next(track for track in program["tracks"] if track["key"] == "wounds.scratched")
    assert wounds["by-level"]["0"] == [3, "1–2"]
    luck = next(track for track in program["tracks"] if track["key"] == "wounds.luck")
    assert "by-level" not in luck
