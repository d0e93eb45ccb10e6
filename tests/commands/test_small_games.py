"""Small games as people begin them, with parts that are empty, zero or words: every command answers or refuses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from refgen.cli import main

HEAD = 'title = "Game"\nabout = "A small game."\ndocument = "rules.md"\nsource = "Tests"\n'
NO_TABLE = f"{HEAD}[tables]\n"
SKILLS = (
    '[tables.skills]\ntitle = "Skills"\nheader = ["Skill", "Bonus"]\n'
    'columns = [{ id = "skill", ladder = "skills" }, { id = "bonus", type = "number" }]\n'
    '[ladders.skills]\ntable = "skills"\nlevel = "skill"\nvalue = "bonus"\n'
)
CHECK = (
    '[actions.check]\ntitle = "Check"\nroll = "{dice} + {{trait}}"\ntrait = {{ id = "trait", {of} }}\n'
    'difficulty = {{ id = "difficulty", numbers = [{goal}] }}\n'
)
GRID = (
    '[derived.grid]\ntitle = "Grid"\nrule = "A rule."\n'
    'rows = [{{ id = "n", title = "N", low = "{low}", high = "2" }}]\n'
    'columns = [{{ id = "c", title = "C", formula = "{formula}" }}]\n'
)


def rows(*lines: str) -> str:
    return "\n".join(["# Rules", "", "Roll 2d6.", "", "| Skill | Bonus |", "|---|---|", *lines, ""])


ZERO = rows("| Zero | 0 |")

GAMES: Mapping[str, tuple[str, str]] = {
    "no table": (NO_TABLE, "# Rules\n\nRoll 2d6.\n"),
    "a heading alone": (NO_TABLE, "# Rules\n"),
    "one row, which is zero": (HEAD + SKILLS, ZERO),
    "a table without rows": (HEAD + SKILLS, rows()),
    "blank rows": (HEAD + SKILLS, rows("| | |")),
    "a blank name": (HEAD + SKILLS, rows("| Good | 1 |", "| | 0 |")),
    "words for numbers": (HEAD + SKILLS, rows("| Good | one |", "| Bad | minus one |")),
    "one name twice": (HEAD + SKILLS, rows("| Good | 1 |", "| Good | 1 |")),
    "a table that is not there": (HEAD + SKILLS, "# Rules\n\nRoll 2d6.\n"),
    "a roll without a ladder": (NO_TABLE + CHECK.format(dice="2d6", of="numbers = [0]", goal=0), "# Rules\n"),
    "a ladder that is not there": (NO_TABLE + CHECK.format(dice="2d6", of='ladder = "skills"', goal=8), "# Rules\n"),
    "a roll with no goal": (HEAD + SKILLS + CHECK.format(dice="2d6", of='ladder = "skills"', goal=""), ZERO),
    "no dice": (HEAD + SKILLS + CHECK.format(dice="0", of='ladder = "skills"', goal=0), ZERO),
    "dice of one face": (HEAD + SKILLS + CHECK.format(dice="1d1", of='ladder = "skills"', goal=1), ZERO),
    "zero dice": (HEAD + SKILLS + GRID.format(low=0, formula="chance({n}d6 >= {n})"), ZERO),
    "a division by zero": (HEAD + SKILLS + GRID.format(low=0, formula="1 / {n}"), ZERO),
    "an axis that ends before it begins": (HEAD + SKILLS + GRID.format(low=3, formula="{n}"), ZERO),
    "an empty formula": (HEAD + SKILLS + GRID.format(low=0, formula=""), ZERO),
}

COMMANDS = (
    *("tables", "tables game", "tables game/skills", "tables --expand game/grid", "tables game/skills --format tts"),
    *("tables --format json", "tables --format csv", "tables --format markdown"),
    *("check", "check --strict --format json", "check --format sarif", "check --coverage", "check --pin"),
    *("odds --system game --trait 0", "odds --system game --trait Zero --against 0", "conditions game"),
    *("cards game --format json", "cards game --format foundry-table", "sheet game --new Ada", "schema sheet/game"),
    *("export", "read content/game/rules.md --check", "read content/game/rules.md --format toml"),
    "init content/game/rules.md -o new --dry-run",
)


def write(folder: Path, game: str) -> None:
    """A project of the one game."""
    home = folder / "content" / "game"
    home.mkdir(parents=True)
    (folder / "refgen.toml").touch()
    for name, text in zip(("system.toml", "rules.md"), GAMES[game], strict=True):
        (home / name).write_text(text, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_command_answers_or_says_why_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    write(tmp_path, game)
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        done = CliRunner().invoke(main, command.split())
        assert isinstance(done.exception, SystemExit | None), (command, done.exception)
        assert done.exit_code in (0, 1, 2), command
        assert done.output, command


@pytest.mark.slow
@pytest.mark.parametrize("game", ["no table", "one row, which is zero", "a roll without a ladder", "zero dice"])
def test_everything_is_built_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    write(tmp_path, game)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["build", "-q", "--jobs", "1", "--paper", "a4"])
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / "build" / "game" / "index.html").exists()


@pytest.mark.parametrize("output_format", ["text", "json", "csv", "markdown"])
def test_the_list_of_tables_of_a_game_without_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output_format: str
) -> None:
    write(tmp_path, "no table")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["tables", "--format", output_format])
    assert done.exit_code == 0, done.exception
    assert output_format != "text" or done.stdout == "Game (0 printed, 0 computed)\n"
