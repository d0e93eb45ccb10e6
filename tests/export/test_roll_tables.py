"""Tables to roll on at virtual tabletops: dice, ranges and weights are exact, and what cannot be rolled is told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from refgen.cli import main
from refgen.errors import AidError
from refgen.export.roll_tables import ROLL_TEXTS, RollTable, make_roll_table
from refgen.game import GameModel, load_game
from tests.aids.stranger import RULES, SYSTEM, lantern_road
from tests.conftest import computed, game


def finds(folder: Path, head: str, *numbers: str) -> GameModel:
    """The game with these row numbers of its finds, under a head."""
    lantern_road(folder)
    start, old = RULES[: RULES.index("### Finds")], RULES[RULES.index("### Charms") :]
    rows = "".join(f"| {number} | find {number} |\n" for number in numbers)
    found = f"### Finds\n\n| {head} | Find |\n|---|---|\n{rows}\n"
    (folder / "lantern-road" / "rules.md").write_text(start + found + old, encoding="utf-8")
    system = SYSTEM.replace('header = ["d6", "Find"]', f'header = ["{head}", "Find"]')
    (folder / "lantern-road" / "system.toml").write_text(system, encoding="utf-8")
    return load_game(folder / "lantern-road")


def drawn(made: RollTable) -> tuple[str, list[tuple[int, int, int]]]:
    return made.formula, [(row.low, row.high, row.weight) for row in made.rows]


@pytest.mark.parametrize(
    ("dice", "numbers", "formula", "rows"),
    [
        ("d6", ("1-2", "3-5", "6"), "1d6", [(1, 2, 2), (3, 5, 3), (6, 6, 1)]),
        ("2d6", ("2-4", "5-9", "10-12"), "2d6", [(2, 4, 6), (5, 9, 24), (10, 12, 6)]),
        ("d%", ("01-95", "96-99", "00"), "1d100", [(1, 95, 95), (96, 99, 4), (100, 100, 1)]),
        ("d66", ("11-26", "31-66"), "1d6 * 10 + 1d6", [(11, 26, 12), (31, 66, 24)]),
        ("d6", ("1, 3, 5", "2, 4, 6"), "1d6", [(1, 3, 3), (4, 6, 3)]),
        ("2d6", ("3, 5", "2, 4, 6-12"), "1d36", [(1, 6, 6), (7, 36, 30)]),
        ("d10", ("1-9", "0"), "1d10", [(1, 9, 9), (10, 10, 1)]),
        ("2d6kh1", ("1-5", "6"), "1d36", [(1, 25, 25), (26, 36, 11)]),  # a number for each way in which they fall
    ],
)
def test_dice_ranges_and_weights_are_exact(
    tmp_path: Path, dice: str, numbers: tuple[str, ...], formula: str, rows: list[tuple[int, int, int]]
) -> None:
    road = finds(tmp_path, dice, *numbers)
    assert drawn(make_roll_table(road, road.tables["finds"])) == (formula, rows)


def test_without_dice_each_row_is_equally_likely(tmp_path: Path) -> None:
    road = lantern_road(tmp_path)
    made = make_roll_table(road, road.tables["weapons"])
    assert drawn(made) == ("1d2", [(1, 1, 1), (2, 2, 1)])
    assert made.rows[0].words() == "Dagger · Damage: d4"


@pytest.mark.parametrize(
    ("head", "numbers", "why"),
    [
        ("d6", ("1-3", "5-6"), "no row has 4 of d6"),
        ("d6", ("1-4", "4-6"), "several rows have 4 of d6"),
        (
            "2d6",
            ("2-6", "7-9", "10+"),
            "its rows go beyond 2d6, as for a roll with a modifier",
        ),
        (
            "d6!",
            ("1-3", "4-6", "7+"),
            "d6! may go on without end, so that no weight is exact",
        ),
        ("Damage", ("1-4", "5-8"), "its rows have ranges, and nobody names the dice"),
    ],
)
def test_rows_that_do_not_go_by_their_dice_are_refused(
    tmp_path: Path, head: str, numbers: tuple[str, ...], why: str
) -> None:
    road = finds(tmp_path, head, *numbers)
    with pytest.raises(AidError) as told:
        make_roll_table(road, road.tables["finds"])
    assert told.value.message == f'"finds" cannot be rolled on: {why}'


def test_computed_tables_are_refused() -> None:
    with pytest.raises(AidError, match='"action-odds" is no table to roll on: its figures are computed'):
        make_roll_table(game("fudge-1995"), computed("fudge-1995")["action-odds"])


def test_foundry_imports_a_roll_table(tmp_path: Path) -> None:
    road = lantern_road(tmp_path)
    made = json.loads(ROLL_TEXTS["foundry"](road, road.tables["charms"]))
    results = made.pop("results")
    assert made == {
        "name": "Charms",
        "description": "<p>Lantern Road.</p>",
        "formula": "1d6",
        "replacement": True,
        "displayRoll": True,
    }
    assert results[1] == {
        "type": "text",
        "name": "Hush",
        "description": "<strong>Effect:</strong> "
        "No step of the bearer is heard until the moon has set, be it on gravel or on ice.",
        "text": "Hush<br><strong>Effect:</strong> "
        "No step of the bearer is heard until the moon has set, be it on gravel or on ice.",
        "weight": 1,
        "range": [2, 2],
        "drawn": False,
    }


def test_the_only_text_of_a_row_is_no_name_in_foundry(tmp_path: Path) -> None:
    road = finds(tmp_path, "d6", "1-3", "4-6")
    first, _ = json.loads(ROLL_TEXTS["foundry"](road, road.tables["finds"]))["results"]
    assert (first["name"], first["description"], first["text"]) == ("", "find 1–3", "find 1–3")


def test_roll20_takes_a_line_for_each_row(tmp_path: Path) -> None:
    road = finds(tmp_path, "d6", "1-3", "4-6")
    assert ROLL_TEXTS["roll20"](road, road.tables["finds"]).splitlines() == [
        "!import-table --Finds --show",
        "!import-table-item --Finds --find 1–3 --3 --",
        "!import-table-item --Finds --find 4–6 --3 --",
    ]


def test_hyphens_of_a_row_part_no_arguments(tmp_path: Path) -> None:
    road = lantern_road(tmp_path)
    path = tmp_path / "lantern-road" / "rules.md"
    path.write_text(path.read_text(encoding="utf-8").replace("A coin", "--avatar -- x"), encoding="utf-8")
    road = load_game(tmp_path / "lantern-road")
    (_, first, *_) = ROLL_TEXTS["roll20"](road, road.tables["finds"]).splitlines()
    assert re.findall(" --", first) == [" --"] * 4  # table, words, weight, picture
    assert first.endswith(" --2 --")


@pytest.mark.parametrize(
    ("printed", "written"),
    [
        ("[[2d6]] coins", "<%%91%%><%%91%%>2d6<%%93%%><%%93%%> coins"),
        ("a coin [see p. 3]", "a coin [see p. 3]"),
        ("@{gold|cp} ?{How many?}", "@\N{WORD JOINER}{gold|cp} ?\N{WORD JOINER}{How many?}"),
    ],
)
def test_the_chat_of_roll20_rolls_and_asks_nothing_of_a_row(tmp_path: Path, printed: str, written: str) -> None:
    road = lantern_road(tmp_path)
    path = tmp_path / "lantern-road" / "rules.md"
    text = path.read_text(encoding="utf-8").replace("A coin", printed.replace("|", "\\|").replace("[[", "\\[["))
    path.write_text(text, encoding="utf-8")
    road = load_game(tmp_path / "lantern-road")
    (_, first, *_) = ROLL_TEXTS["roll20"](road, road.tables["finds"]).splitlines()
    assert first == f"!import-table-item --Finds --{written} --2 --"


def test_tabletop_simulator_has_a_notecard_that_rolls(tmp_path: Path) -> None:
    road = lantern_road(tmp_path)
    path = tmp_path / "lantern-road" / "rules.md"
    path.write_text(path.read_text(encoding="utf-8").replace("A coin", 'A "coin" \\\\o/'), encoding="utf-8")
    road = load_game(tmp_path / "lantern-road")
    (card,) = json.loads(ROLL_TEXTS["tts"](road, road.tables["finds"]))["ObjectStates"]
    assert (card["Name"], card["Nickname"]) == ("Notecard", "Finds")
    assert card["Description"].splitlines()[1:] == ["3–5: A rope", "6: A lantern", "Lantern Road."]
    head = card["LuaScript"].partition("\n\n")[0].splitlines()
    assert head == [
        'local label = "Roll 1d6"',
        "local rows = {",
        '  { weight = 2, results = "1–2", text = "A \\"coin\\" \\\\o/" },',
        '  { weight = 3, results = "3–5", text = "A rope" },',
        '  { weight = 1, results = "6", text = "A lantern" },',
        "}",
    ]


@pytest.mark.usefixtures("commands_share_games")
def test_the_command_makes_one_table() -> None:
    run = CliRunner().invoke
    said = run(main, ["tables", "fudge-1995/percentile", "--format", "roll20"])
    assert said.output.splitlines()[1] == "!import-table-item --d-read-as-4dF --−4 --1 --"
    assert run(main, ["tables", "fudge-1995", "--format", "tts"]).exit_code == 2
