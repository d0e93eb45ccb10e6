"""Builds on a cluster: a scheduler and two workers, each a process of its own, any of which may go away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

import refgen
from refgen.errors import ExecutorError
from refgen.pipeline import fill as made_sheets
from refgen.pipeline.digests import environment_digests
from refgen.pipeline.executors.loop import executor, scheduler_of
from refgen.pipeline.operating_system import end_with
from refgen.pipeline.result import Event
from tests.pipeline.executors.test_processes import end_soon
from tests.resolver.systems.small import FOLDER
from tests.waiting import PATIENCE, wait_until

SCREEN = '[[panels]]\ntitle = "Traits"\nblocks = [{ table = "skills" }]\n'
SHEET = 'title = "Sheet"\nwho = ["Name"]\nlists = ["Aspects"]\n'
GAMES = ("one", "two", "three")
COMMAND = """
import sys
from functools import partial
from refgen.pipeline import build_run
from refgen.pipeline.executors import cluster
from tests.pipeline.executors.steps import endless
cluster.CONNECT_SECONDS = 60
build_run.run_job = partial(endless, sys.argv.pop(1))
from refgen.cli import main
main()
"""

LOADED = ["distributed.cli.dask_scheduler", "distributed.cli.dask_worker", "refgen.pipeline.build_run", "weasyprint"]
"""What the processes of a cluster need: one process loads it, and all are its forks."""


@pytest.fixture(scope="module")
def forks() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", None)  # a folder of its own, which multiprocessing removes as Python ends
        ensure_running()
    return context


def dask(*arguments: str) -> None:
    """The command line of dask in this process, without what it logs."""
    end_with(os.getppid())
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    from dask.__main__ import main

    sys.argv = ["dask", *arguments]
    main()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with three games, each of which has a screen."""
    folder = tmp_path_factory.mktemp("own")
    for name in GAMES:
        copytree(FOLDER / "fate", folder / "content" / name)
        (folder / "content" / name / "screen.toml").write_text(SCREEN, encoding="utf-8")
    (folder / "content" / "one" / "sheet.toml").write_text(SHEET, encoding="utf-8")
    (folder / "refgen.toml").touch()
    return folder


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine a scheduler may take long to answer."""
    monkeypatch.setattr("refgen.pipeline.executors.cluster.CONNECT_SECONDS", PATIENCE)


class Cluster:
    """A scheduler on a free port of this machine, and workers with a thread each, all of which are there."""

    def __init__(self, folder: Path, forks: ForkServerContext, started: ExitStack, workers: int = 2) -> None:
        self.file = folder / "scheduler.json"
        self._forks, self._started = forks, started
        self.scheduler = self._start("scheduler", "--port", "0", "--no-show", "--scheduler-file", str(self.file))
        wait_until(lambda: self.file.exists() and self.file.read_text())
        self.address: str = json.loads(self.file.read_text())["address"]
        self.workers = [self._start("worker", self.address, "--nthreads", "1", "--no-nanny") for _ in range(workers)]
        with self.client() as client:
            client.wait_for_workers(workers, timeout=PATIENCE)

    def client(self) -> Any:
        """Somebody who asks the scheduler."""
        from distributed import Client

        connect: Any = Client
        return connect(self.address, timeout=PATIENCE, set_as_default=False)

    @property
    def executor(self) -> str:
        return self.address.replace("tcp", "dask", 1)

    def _start(self, *arguments: str) -> ForkServerProcess:
        process = self._forks.Process(target=dask, args=[*arguments, "--host", "127.0.0.1", "--no-dashboard"])
        process.start()
        self._started.callback(process.join)
        self._started.callback(process.kill)
        return process


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, forks: ForkServerContext) -> Iterator[Cluster]:
    with ExitStack() as started:
        yield Cluster(tmp_path_factory.mktemp("cluster"), forks, started)


def contents(output: Path) -> dict[str, bytes]:
    return {str(path.relative_to(output)): path.read_bytes() for path in output.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_build_on_a_cluster_that_loses_a_worker_is_that_of_one_process(
    cluster: Cluster, folder: Path, tmp_path: Path
) -> None:
    killed: list[int] = []

    def kill_who_works(event: Event) -> None:
        """With one of three done, each of the two workers has one."""
        if event.done and not killed:
            cluster.workers[0].kill()
            killed.append(event.done)

    screens = refgen.BuildSettings(only=["screen"], papers=["a4"])
    here = refgen.project(folder).build(replace(screens, output=tmp_path / "here", jobs=1))
    there = refgen.project(folder).build(
        replace(screens, output=tmp_path / "there", executor=cluster.executor), progress=kill_who_works
    )
    assert (killed, there.errors) == ([1], [])
    assert here.files == there.files
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_a_build_that_ends_leaves_nothing_running_there(
    cluster: Cluster, folder: Path, tmp_path: Path, number: int, code: int
) -> None:
    begun = tmp_path / "begun"
    command = [
        sys.executable,
        "-c",
        COMMAND,
        str(begun),
        "build",
        "-q",
        "--only",
        "screen",
        "--executor",
        cluster.executor,
    ]
    command += ["--project", str(folder), "-o", str(tmp_path / "out")]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as build:
        wait_until(lambda: build.poll() is not None or (begun.exists() and begun.read_text()))
        build.send_signal(number)
        assert build.wait(PATIENCE) == code
    end_soon([int(begun.read_text())])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("merge", "editable"),
    [("party.pdf", True), pytest.param(None, True, marks=pytest.mark.soak)],
    ids=["one file with fields", "files"],
)
def test_sheets_are_stamped_in_chunks_there_and_come_in_order(
    cluster: Cluster, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, merge: str | None, editable: bool
) -> None:
    monkeypatch.setattr(made_sheets, "CHUNK", 3)
    game = refgen.load(folder / "content" / "one")
    (tmp_path / "party.csv").write_text("\n".join(["Name", "../up", *map("No {}".format, range(9)), "עומר", "Zoë"]))
    found = []
    for where in ("local", cluster.executor):
        monkeypatch.chdir(tmp_path)
        result = game.fill_sheets(["party.csv"], "out", merge=merge, editable=editable, executor=where)
        found.append(
            (
                result.notes,
                [str(error) for error in result.errors],
                {name: Path(name).read_bytes() for name in result.files},
            )
        )
    assert len(found[0][2]) == (1 if merge else 11)
    assert found[0] == found[1]


def screens_on(cluster: Cluster, folder: Path) -> refgen.BuildSettings:
    """Settings of a build of screens on a cluster."""
    return refgen.BuildSettings(output=folder / "out", only=["screen"], executor=cluster.executor)


@pytest.mark.slow
def test_a_worker_that_is_not_like_this_machine_is_refused(
    cluster: Cluster, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {**environment_digests(), "the fonts of the system": "others"}
    monkeypatch.setattr("refgen.pipeline.executors.cluster.environment_digests", lambda: here)
    message = "the worker at tcp://.* is not like this machine: the fonts of the system"
    with pytest.raises(ExecutorError, match=message):
        refgen.project(folder).build(screens_on(cluster, tmp_path))
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("who", "message"),
    [("scheduler", "lost the scheduler at tcp://"), ("workers", "the scheduler at .* has no workers")],
)
def test_a_cluster_that_goes_away_ends_the_build(
    folder: Path,
    tmp_path: Path,
    forks: ForkServerContext,
    monkeypatch: pytest.MonkeyPatch,
    who: str,
    message: str,
) -> None:
    monkeypatch.setattr("refgen.pipeline.executors.cluster.WORKERS_SECONDS", 0.5)
    with ExitStack() as started:
        cluster = Cluster(tmp_path, forks, started, workers=1)

        def kill(event: Event) -> None:
            for process in [cluster.scheduler] if who == "scheduler" else cluster.workers:
                process.kill()

        with pytest.raises(ExecutorError, match=message) as error:
            refgen.project(folder).build(screens_on(cluster, tmp_path), progress=kill)
    assert error.value.hint
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_address_of_a_worker_is_not_that_of_a_scheduler(cluster: Cluster) -> None:
    with cluster.client() as client:
        address = next(iter(client.nthreads()))
    with (
        pytest.raises(ExecutorError, match=f"at {address} is a worker, not a scheduler"),
        executor(address.replace("tcp", "dask")),
    ):
        pass


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("spark", 'there is no executor "spark"'),
        ("tcp://here:8786", 'there is no executor "tcp://here:8786"'),
        ("dask://", '"dask://" is not the address of a scheduler'),
        ("dask://here", '"dask://here" is not the address of a scheduler'),
        ("dask://here:port", '"dask://here:port" is not the address of a scheduler'),
        ("dask://here:8786/path", '"dask://here:8786/path" is not the address of a scheduler'),
    ],
)
def test_a_name_that_is_none_is_refused(name: str, message: str) -> None:
    with pytest.raises(ExecutorError) as error, executor(name):
        pass
    assert (error.value.message, error.value.hint) == (
        message,
        "Use local, or dask://HOST:PORT for the scheduler of a cluster.",
    )


def test_the_address_of_a_scheduler() -> None:
    assert scheduler_of("local") == ""
    assert scheduler_of("dask://here:8786") == "tcp://here:8786"
    assert scheduler_of("dask://[::1]:8786") == "tcp://[::1]:8786"


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorError, match="a cluster needs dask") as error, executor("dask://here:8786"):
        pass
    assert error.value.hint == 'Install it: pip install "refgen[cluster]".'
