"""Short forms of grids: the grids that they are written out as, and signs as the document prints them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from refgen.aids.reference_lists import ladder_steps
from refgen.errors import ResolverError
from refgen.export.toml_text import toml_entry
from refgen.game import GameModel, load_game
from refgen.resolver.tables.grid_spec import GridSpec, expand_grid
from tests.conftest import game, ours


def test_a_grid_that_is_written_out_can_be_read_again() -> None:
    for table_id, spec in ours("fudge-1995").spec.derived.items():
        if spec.kind in ("grid", "odds", "matrix"):
            text = toml_entry("grid", game("fudge-1995").grid_of(table_id))
            assert GridSpec.model_validate(tomllib.loads(text)["grid"]).title == spec.title


def test_what_is_no_grid_is_not_written_out() -> None:
    ruleset = ours("harmonies")
    with pytest.raises(ResolverError, match='"odds-fit" is no grid: its kind is fit'):
        expand_grid(ruleset, "odds-fit", ruleset.spec.derived["odds-fit"])


SPEC = """title = "Game"
about = "A game."
document = "rules.md"
accent = "#123456"
source = "Rules"

[ladders.task]
table = "tasks"
level = "task"
value = "number"

[tables.tasks]
title = "Tasks"
header = ["Task", "DC"]
columns = [{ id = "task", type = "level", ladder = "task" }, { id = "number", title = "DC", type = "TYPE" }]

[facts.die]
title = "Die"
text = "Roll {die}"
type = "dice"

[actions.check]
title = "Check"
roll = "{die} + {trait}"
trait = { id = "trait", ladder = "task" }
difficulty = { id = "difficulty", ladder = "task" }

[derived.odds]
kind = "odds"
title = "Odds"
dice = "{die}"

[derived.task-odds]
kind = "odds"
title = "Odds by task"
dice = "{die}"
ladder = "task"

[derived.chances]
kind = "matrix"
title = "Chances"
action = "check"
"""


def signed_game(folder: Path, hard: str, easy: str, notation: str = "number") -> GameModel:
    (folder / "game").mkdir()
    (folder / "game" / "system.toml").write_text(SPEC.replace("TYPE", notation), encoding="utf-8")
    rules = f"Roll d20.\n\nTask | DC\n--|--\nHard | {hard}\nEasy | {easy}\n"
    (folder / "game" / "rules.md").write_text(rules, encoding="utf-8")
    return load_game(folder / "game")


@pytest.mark.parametrize(
    ("notation", "printed", "shown"),
    [
        ("number", ("15", "10"), ["15", "10"]),
        ("quantity", ("DC 15", "DC 10"), ["15", "10"]),
        ("number", ("+2", "+1"), ["+2", "+1"]),
        ("number", ("+1", "-1"), ["+1", "-1"]),
        ("number", ("1", "-1"), ["1", "-1"]),
    ],
)
def test_levels(tmp_path: Path, notation: str, printed: tuple[str, str], shown: list[str]) -> None:
    made = signed_game(tmp_path, *printed, notation)
    chances = made.tables["chances"]
    assert [cell.text for cell in chances.column("value")] == shown
    assert [column.unit for column in chances.columns[2:]] == shown[::-1]
    assert [cell.text for cell in made.tables["task-odds"].column("value")] == shown
    assert [number.replace("−", "-") for number, _ in ladder_steps(made.ladders["task"])] == shown


def test_a_roll_that_is_never_negative_has_no_signs(tmp_path: Path) -> None:
    values = signed_game(tmp_path, "15", "10").tables["odds"].column("value")
    assert [cell.text for cell in values] == [str(number) for number in range(20, 0, -1)]
