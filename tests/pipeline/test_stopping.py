"""A build that is stopped ends at once, says what it left, and leaves no process and no folder behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import refgen
from tests.pipeline.executors.test_processes import end_soon
from tests.pipeline.small_builds import project_of_a_screen
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow

BUILD = """
import signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which a run of these tests under nohup hands down ignored
from refgen import cli
from refgen.layout import engine
from refgen.pipeline import build_run
begun, manner = sys.argv[1:3]
def do(job, kept=None):
    while True:
        try:
            with open(begun, "a") as file:  # a signal is lost in a file that closes itself
                file.write("x")
            time.sleep(600)
        except KeyboardInterrupt:
            if manner == "swallow":
                continue
            raise
build_run.run_job, engine.warm_up = do, int  # nothing is laid out
if manner == "raise":  # and what is to be tidied up is, however long that takes
    cli.GRACE = 60
sys.argv[1:] = sys.argv[3:]
from refgen.cli import main
main()
"""
SCREEN = '[[panels]]\ntitle = "Traits"\nblocks = [{ table = "skills" }]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a screen, and the output of an earlier build of its data."""
    project_of_a_screen(tmp_path / "own", SCREEN)
    refgen.project(tmp_path / "own").build(refgen.BuildSettings(output=tmp_path / "build", only=["data"], jobs=1))
    return tmp_path


def stopped(folder: Path, *signals: int, jobs: int = 2, swallow: bool = False) -> tuple[int, str]:
    """The exit code and stderr of a build whose jobs never end: all but a signal."""
    temporary, begun = folder / "tmp", folder / "begun"
    temporary.mkdir()
    command = [sys.executable, "-c", BUILD, str(begun), "swallow" if swallow else "raise", "build", "-q"]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    command += ["--project", str(folder / "own"), "-o", str(folder / "build"), "--jobs", str(jobs)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        wait_until(lambda: process.poll() is not None or (begun.exists() and begun.read_text() == "x" * jobs))
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for number in signals:
            process.send_signal(number)
        try:
            _, errors = process.communicate(timeout=2 * PATIENCE)
        finally:
            process.kill()
    end_soon(map(int, children))
    return process.returncode, errors


@pytest.mark.parametrize(
    ("number", "code", "jobs"),
    [(signal.SIGINT, 130, 2), (signal.SIGTERM, 143, 2), (signal.SIGHUP, 129, 1)],
    ids=["int", "term", "hup"],
)
def test_a_signal_ends_a_build(folder: Path, number: int, code: int, jobs: int) -> None:
    before = {path: path.read_bytes() for path in (folder / "build").rglob("*.*")}
    found = stopped(folder, number, jobs=jobs)
    assert found == (code, f"stopped: {folder / 'build'} is as the last whole build left it\n")
    assert {path: path.read_bytes() for path in (folder / "build").rglob("*.*")} == before
    assert list((folder / "tmp").iterdir()) == []
    assert sorted(path.name for path in folder.iterdir()) == ["begun", "build", "own", "tmp"]


def test_a_signal_ends_a_build_that_does_not_listen(folder: Path) -> None:
    assert stopped(folder, signal.SIGINT, jobs=1, swallow=True) == (130, "")


def test_the_next_build_removes_the_temporary_folders_of_a_killed_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stopped(folder, signal.SIGKILL)[0] == -signal.SIGKILL
    assert len(list((folder / "tmp").iterdir())) == 1
    monkeypatch.setattr("tempfile.tempdir", str(folder / "tmp"))
    refgen.project(folder / "own").build(refgen.BuildSettings(output=folder / "build", only=["data"], jobs=1))
    assert list((folder / "tmp").iterdir()) == []
