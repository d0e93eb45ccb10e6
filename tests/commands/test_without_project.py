"""Commands in a folder that is no project: bundled games are there for whoever names them, and for nobody else.

And what commands say that make nothing, or less than was asked for.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import refgen
from refgen.cli import main
from tests.pipeline.small_builds import leave_out
from tests.resolver.systems.small import project as small_project

pytestmark = pytest.mark.usefixtures("commands_share_games")

BUNDLED = ["atari-isev", "fudge-1995", "harmonies", "interactive-history", "polyhedral-fudge"]
NO_PROJECT = "there is no project here: no refgen.toml in this folder or above it"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is no project, and the one that commands run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "build",
        "build --check",
        "build --explain",
        "build --watch",
        "serve",
        "screen",
        "cards",
        "sheet",
        "sheet party.csv",
        "check",
        "check --pin",
        "tables",
        "export",
    ],
)
def test_a_command_without_a_project_says_so_and_writes_nothing(stranger: Path, command: str) -> None:
    result = run(*command.split())
    assert (result.exit_code, result.stdout) == (2, "")
    error, hint, *_ = result.stderr.splitlines()
    assert error == NO_PROJECT
    assert all(name in hint for name in ("fudge-1995", "--bundled", "refgen.toml"))
    assert list(stranger.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("check harmonies", "harmonies: 112 of 148 numbers compared"),
        ("tables harmonies/odds", "Odds"),
        ("odds --system harmonies --trait +2", "Harmonies: +2"),
        ("conditions interactive-history Power=Great", "Power"),
        ("schema sheet/harmonies", "A character of Harmonies"),
        ("cards harmonies --format markdown", "# Harmonies"),
    ],
)
def test_a_bundled_game_is_shown_when_it_is_named(stranger: Path, command: str, words: str) -> None:
    result = run(*command.split())
    assert result.exit_code == 0
    assert words in result.stdout
    assert list(stranger.iterdir()) == []


@pytest.mark.slow
def test_only_the_games_that_are_named_are_written(stranger: Path) -> None:
    assert run("build", "harmonies", "--only", "data", "--jobs", "1").exit_code == 0
    assert run("export", "harmonies").exit_code == 0
    assert {path.name for path in stranger.glob("*/*") if path.name in BUNDLED} == {"harmonies"}
    unknown = run("build", "harmony")
    assert (unknown.exit_code, unknown.stderr.splitlines()[0]) == (2, 'there is no game "harmony"')


def test_all_bundled_games_are_there_on_demand_even_in_a_project(stranger: Path) -> None:
    small_project(stranger, "fate")
    assert "fate" in run("tables").stdout
    listed = run("tables", "--bundled").stdout
    assert "fate:" not in listed
    assert all(name in listed for name in BUNDLED)
    assert run("tables", "--bundled", "--project", stranger).exit_code == 2
    assert run("serve", stranger, "--bundled").exit_code == 2


@pytest.mark.slow
def test_a_project_of_screens_alone_makes_nothing_of_the_games_it_takes_from(stranger: Path) -> None:
    (stranger / "refgen.toml").write_text('[screen]\nfiles = ["mine.toml"]\n', encoding="utf-8")
    screen = 'title = "Mine"\nsystem = "harmonies"\n[[panels]]\ntitle = "P"\n[[panels.blocks]]\ntext = "Roll."\n'
    (stranger / "mine.toml").write_text(screen, encoding="utf-8")
    assert run("build", "--only", "data", "--jobs", "1").exit_code == 0
    assert [path for path in (stranger / "build").iterdir() if path.name in BUNDLED] == []
    assert run("check").stderr.startswith("the project has no game of its own")


def test_in_python_a_project_is_asked_for_and_a_game_is_named(stranger: Path) -> None:
    with pytest.raises(refgen.RefgenError, match="there is no project here") as error:
        refgen.project()
    assert "bundled=True" in error.value.hint
    assert list(refgen.project(bundled=True).games) == BUNDLED
    assert refgen.load("harmonies").title == "Harmonies"


def test_the_checkout_is_a_project_of_the_bundled_games(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    for folder in (root, root / "content" / "harmonies"):
        monkeypatch.chdir(folder)
        assert list(refgen.project().games) == BUNDLED
        assert refgen.project().folders == refgen.project(bundled=True).folders


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("screen", "its system.toml leaves that out"),
        ("cards", 'its table with most text, "The ladder", has no column of names'),
        ("sheet", "its system.toml leaves that out"),
    ],
)
def test_an_aid_that_a_game_does_not_have_is_said_and_not_123_files(tmp_path: Path, command: str, why: str) -> None:
    root, output = small_project(tmp_path / "p", "fate"), tmp_path / "out"
    leave_out(root / "content" / "fate", "screen", "sheet")
    for games in ([], ["fate"]):
        result = run(command, *games, "--project", root, "-o", output, "--jobs", "1")
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"fate has no {command}: {why}" in result.stderr
        assert result.stderr.splitlines()[-1] == "stopped: nothing was made"
        assert not output.exists()


@pytest.mark.slow
def test_after_an_error_the_last_line_says_what_was_not_made(tmp_path: Path) -> None:
    root = small_project(tmp_path, "fate")
    (root / "content" / "fate" / "cards.toml").write_text('[[cards]]\ntitle = "A"\nblocks = [{ table = "x" }]\n')
    (root / "content" / "other").mkdir()
    (root / "content" / "other" / "system.toml").write_text("title = 1\n", encoding="utf-8")
    result = run("build", "--only", "card,data", "--project", root, "-o", tmp_path / "out", "--jobs", "1")
    assert result.exit_code == 2
    assert result.stdout.splitlines()[-1] == "not made: fate/cards, other"


def test_a_character_is_begun_in_the_file_that_is_named(stranger: Path) -> None:
    begun = run("sheet", "harmonies", "--new", "Ada", "-o", "mine.toml")
    assert (begun.exit_code, begun.stdout) == (0, "mine.toml\n")
    text = Path("mine.toml").read_text(encoding="utf-8")
    again = run("sheet", "harmonies", "--new", "Bo", "-o", "mine.toml")
    assert (again.exit_code, again.stdout) == (2, "")
    assert again.stderr.splitlines()[0] == "mine.toml is there already"
    assert Path("mine.toml").read_text(encoding="utf-8") == text
    assert run("sheet", "harmonies", "--new", "Ada", "-o", ".").stdout == "ada.toml\n"
