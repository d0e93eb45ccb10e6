"""What is read is a file of the game, or a file or pipe that somebody typed: nothing else, nothing from elsewhere.

Whatever might wait, or take memory, without end runs in a process of its own, which has little of both.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from refgen.errors import SourceError
from refgen.files import path_inside, read_bytes
from refgen.pipeline.digests import ABSENT, file_digest, folder_inputs
from tests.absent import COMMANDS
from tests.resolver.systems.small import FOLDER, project
from tests.waiting import PATIENCE

RULES = (FOLDER / "fate" / "rules.md").read_text(encoding="utf-8")
SHEET = 'title = "Sheet"\nwho = ["Name"]\n'
MEMORY = 2 * 2**30


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in a project, with a sheet and folders for what it may have besides."""
    return make_game(tmp_path)


def make_game(folder: Path) -> Path:
    game = project(folder, "fate") / "content" / "fate"
    (folder / "refgen.toml").touch()
    (game / "sheet.toml").write_text(SHEET, encoding="utf-8")
    (game / "characters").mkdir()
    (game / "phrasings").mkdir()
    return game


def refgen(*arguments: str | Path, of: Path) -> subprocess.CompletedProcess[str]:
    """Run a command on the project that a game belongs to; it ends, and takes little memory."""
    return run("-m", "refgen", *arguments, folder=of.parents[1])


def told(*commands: tuple[Path, *tuple[str, ...]]) -> list[tuple[int, str]]:
    """The exit code and stderr of commands, each on the project that a game belongs to, all in one process."""
    asked = [[str(game.parents[1]), *arguments] for game, *arguments in commands]
    done = run("-c", COMMANDS, json.dumps(asked), folder=Path.cwd())
    assert (done.returncode, done.stdout.count("\n")) == (0, len(commands)), done.stderr
    return [(code, stderr) for code, stderr in map(json.loads, done.stdout.splitlines())]


def run(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, in little memory."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )


@contextmanager
def pipe(path: Path, *said: str) -> Iterator[Path]:
    """A pipe, into which somebody writes these texts, one after the other, as soon as it is read."""

    def write() -> None:
        for text in said:
            with path.open("w", encoding="utf-8") as file:
                file.write(text)

    os.mkfifo(path)
    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    yield path
    writer.join(PATIENCE)
    assert not writer.is_alive(), "nobody read it"


@pytest.mark.slow
def test_pipes_and_devices_that_lie_in_a_game_unnamed_are_never_opened(game: Path, tmp_path: Path) -> None:
    os.mkfifo(game / "zz.txt")
    (game / "zero.txt").symlink_to("/dev/zero")
    build = (game, "build", "--only", "data", "--jobs", "1", "-o", str(tmp_path / "build"))
    checked, (code, stderr) = told((game, "check"), build)
    assert checked == (0, "")
    assert (code, "error" in stderr) == (0, False)


READ = ("system.toml", "rules.md", "sheet.toml", "errata.toml", "phrasings/other.toml", "characters/one.toml")
"""The files of a game, of each kind one."""


def fifo(path: Path) -> None:
    os.mkfifo(path)


def to_zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def to_itself(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("put", "message"), [(fifo, "fate/{} is a pipe, not a file"), (to_zero, '"{}" leads out of fate')]
)
def test_what_a_game_reads_is_a_file_inside_its_folder(
    tmp_path: Path, put: Callable[[Path], None], message: str
) -> None:
    games = {name: make_game(tmp_path / str(number)) for number, name in enumerate(READ)}
    for name, game in games.items():
        (game / name).unlink(missing_ok=True)
        put(game / name)
    checked = told(*((game, "check") for game in games.values()))
    for name, (code, stderr) in zip(games, checked, strict=True):
        assert code == 2, (name, stderr)
        assert message.format(name) in stderr


def test_a_link_within_a_game_is_followed_and_one_in_a_ring_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text(RULES, encoding="utf-8")
    (tmp_path / "again.md").symlink_to("rules.md")
    assert read_bytes(path_inside(tmp_path, "again.md"), "again.md") == RULES.encode()
    to_itself(tmp_path / "ring.md")
    with pytest.raises(SourceError, match=r'"ring\.md" is no name of a file'):
        path_inside(tmp_path, "ring.md")


@pytest.mark.slow
def test_a_pipe_that_a_pattern_of_documents_matches_is_refused_not_left_out(tmp_path: Path) -> None:
    games = {name: make_game(tmp_path / name) for name in ("rules", "zz")}
    for name, game in games.items():
        spec = game / "system.toml"
        text = spec.read_text(encoding="utf-8").replace('document = "rules.md"', f'documents = ["{name}.*"]')
        spec.write_text(text, encoding="utf-8")
        os.mkfifo(game / f"{name}.txt")
    checked = told(*((game, "check") for game in games.values()))
    for name, (code, stderr) in zip(games, checked, strict=True):
        assert code == 2
        assert f"fate/{name}.txt is a pipe, not a file" in stderr


@pytest.mark.slow
def test_a_device_that_is_typed_is_refused(game: Path) -> None:
    (game.parents[1] / "link").symlink_to("/dev/zero")
    devices = ("/dev/zero", "/dev/full", "link")
    read = [(game, "read", device) for device in devices]
    checked = [(game, "check", "--document", f"fate={device}") for device in devices]
    for device, (code, stderr) in zip(devices * 2, told(*read, *checked), strict=True):
        assert code == 2
        assert f"{device} is a device, not a file\n" in stderr


@pytest.mark.slow
def test_a_pipe_that_is_typed_is_read_once_whatever_is_done_with_it(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFGEN_CACHE", str(tmp_path / "cache"))
    out, document = tmp_path / "out", tmp_path / "given.md"
    for _ in range(2):  # the second build cannot know that the pipe says the same
        with pipe(document, RULES):
            command = ("build", "--only", "site", "--jobs", "1", "-o", out, "--document", f"fate={document}")
            built = refgen(*command, of=game)
        assert (built.returncode, "publish" in built.stderr) == (0, True), built.stderr
        document.unlink()
    with pipe(tmp_path / "party.csv", "Name\nOrlin\n"):
        filled = refgen("sheet", "fate", "party.csv", "--jobs", "1", "-o", out, of=game)
    assert (filled.returncode, "orlin-a4.pdf" in filled.stdout) == (0, True), filled.stderr


@pytest.mark.slow
def test_a_pipe_that_is_typed_is_under_limits_of_bytes_and_seconds(game: Path) -> None:
    refused = refgen("read", "pipe", "--limit", "file-bytes=9", of=game)
    assert "no such file" in refused.stderr
    with pipe(game.parents[1] / "pipe", "0123456789"):
        refused = refgen("read", "pipe", "--limit", "file-bytes=9", of=game)
    assert (refused.returncode, refused.stderr.splitlines()[0]) == (2, "pipe has more than 9 bytes")
    silent = refgen("read", "pipe", "--limit", "pipe-seconds=1", of=game)
    assert (silent.returncode, silent.stderr) == (
        2,
        "pipe is a pipe that does not end\n"
        "  hint: The limit pipe-seconds is 1; --limit pipe-seconds=NUMBER changes it.\n",
    )


def test_the_digest_of_a_pipe_is_never_the_same_and_does_not_read_it(tmp_path: Path) -> None:
    with pipe(tmp_path / "pipe", "said") as path:
        assert file_digest(path) != file_digest(path)
        assert read_bytes(path, "pipe", typed=True) == b"said"


def test_the_digests_of_a_game_are_those_of_its_own_files(tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (game / "a.md").write_text("a", encoding="utf-8")
    (game / "b.md").symlink_to("a.md")
    (game / "c.md").symlink_to("../secret")
    fifo(game / "d.md")
    found = folder_inputs("game", game)
    assert found["game/a.md"] == found["game/b.md"] == file_digest(game / "a.md")
    assert (found["game/c.md"], found["game/d.md"]) == (ABSENT, ABSENT)
