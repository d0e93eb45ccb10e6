"""What `refgen serve` and `refgen build --watch` refuse, each with what to do."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from refgen.cli import main
from tests.resolver.systems.small import project


def refgen(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return project(tmp_path / "own", "fate")


def test_a_port_in_use(own: Path, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = refgen("serve", own, "-o", tmp_path / "build", "--port", str(port))
    hint = "  hint: Choose another with --port, or leave it out for a free one.\n"
    assert (result.exit_code, result.stderr) == (2, f"port {port} is in use\n{hint}")


@pytest.mark.parametrize("command", [["serve"], ["build", "--watch"]], ids=" ".join)
def test_an_output_that_cannot_be_written(own: Path, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    result = refgen(*command, "--project", own, "-o", tmp_path / "taken" / "build")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"cannot write {tmp_path / 'taken' / 'build'}: ")
    assert "hint: Choose another folder with -o." in result.stderr


@pytest.mark.parametrize("command", [["serve"], ["build", "--watch"]], ids=" ".join)
def test_a_folder_without_games(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "empty").mkdir()
    result = refgen(*command, "--project", tmp_path / "empty", "-o", tmp_path / "build")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{tmp_path / 'empty'} holds no game\n  hint: ")
    assert not (tmp_path / "build").exists()


def test_two_projects_or_none_that_is_there(own: Path, tmp_path: Path) -> None:
    result = refgen("serve", own, "--project", own)
    assert (result.exit_code, "name the project as DIR or with --project, not both" in result.stderr) == (2, True)
    assert refgen("serve", tmp_path / "nowhere").exit_code == 2


@pytest.mark.parametrize("other", ["--check", "--explain"])
def test_to_watch_is_to_build(own: Path, other: str) -> None:
    result = refgen("build", "--watch", other, "--project", own)
    assert (result.exit_code, "--watch builds: leave --explain and --check out" in result.stderr) == (2, True)


def test_a_game_that_is_not_there(own: Path, tmp_path: Path) -> None:
    result = refgen("build", "fat", "--watch", "--project", own, "-o", tmp_path / "build")
    assert (result.exit_code, result.stderr) == (
        2,
        'there is no game "fat"\n  hint: Did you mean fate?\nstopped: nothing was made\n',
    )
