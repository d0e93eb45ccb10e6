"""Worker processes: one that dies or hangs costs its own work, and none outlives its owner."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from refgen.pipeline.workers import WorkerError, Workers

OWNER = """
import os, sys, time
from pathlib import Path
from refgen.pipeline.workers import Workers
def do(_piece):
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(600)
list(Workers(2, do, int, Path(sys.argv[1])).run([1, 2, 3]))
"""


def nothing() -> None: ...


@contextmanager
def workers(
    do: Callable[[str], object], scratch: Path, seconds: float = 60, count: int = 2
) -> Iterator[Workers[str, object]]:
    with closing(Workers(count, do, nothing, scratch, seconds)) as found:
        yield found


def outcomes(found: Workers[str, object], *pieces: str) -> list[object]:
    """The outcome of each piece, an error as its words."""
    by_number = dict(found.run(pieces))
    results = [by_number[number] for number in range(len(pieces))]
    return [str(result) if isinstance(result, Exception) else result for result in results]


def test_every_piece_has_its_outcome(tmp_path: Path) -> None:
    with workers(str.upper, tmp_path) as found:
        assert outcomes(found, *"abcdefg") == list("ABCDEFG")
        assert outcomes(found, "h") == ["H"]
        assert outcomes(found) == []


def test_an_error_is_the_outcome_of_its_piece(tmp_path: Path) -> None:
    with workers(lambda piece: 1 / int(piece), tmp_path) as found:
        assert outcomes(found, "1", "0", "2") == [1, "division by zero", 0.5]


def test_a_worker_that_dies_costs_its_own_piece(tmp_path: Path) -> None:
    def do(piece: str) -> str:
        if piece == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        return piece

    with workers(do, tmp_path) as found:
        assert outcomes(found, "a", "deadly", "b", "c") == ["a", "its worker ended by SIGKILL", "b", "c"]


def test_a_worker_that_dies_once_costs_nothing(tmp_path: Path) -> None:
    def do(piece: str) -> str:
        if not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            os._exit(3)
        return piece

    with workers(do, tmp_path, count=1) as found:
        assert outcomes(found, "a", "b") == ["a", "b"]


def test_a_worker_that_hangs_costs_its_own_piece(tmp_path: Path) -> None:
    def do(piece: str) -> str:
        if piece == "endless":
            (tmp_path / str(time.monotonic_ns())).touch()
            time.sleep(600)
        return piece

    with workers(do, tmp_path, seconds=0.3) as found:
        assert outcomes(found, "endless", "a", "b") == ["it took more than 0.3 s", "a", "b"]
    assert len(list(tmp_path.iterdir())) == 2  # it was tried twice


def test_work_and_results_of_any_size_travel(tmp_path: Path) -> None:
    with workers(lambda piece: piece * 2, tmp_path) as found:
        assert outcomes(found, "x" * 5_000_000, "y") == ["x" * 10_000_000, "yy"]


def test_the_type_of_an_error_is_kept(tmp_path: Path) -> None:
    with workers(lambda _piece: os._exit(1), tmp_path) as found:
        assert [type(outcome) for _, outcome in found.run(["a"])] == [WorkerError]


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel ends orphans on Linux alone")
def test_workers_end_when_their_owner_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        lines = [owner.stdout.readline() for _ in range(2)]
        owner.send_signal(signal.SIGKILL)
    end_soon(map(int, lines))


def end_soon(processes: Iterable[int]) -> None:
    """They end within two seconds."""
    left, end = list(processes), time.monotonic() + 2
    while left := [process for process in left if is_running(process)]:
        assert time.monotonic() < end
        time.sleep(0.02)


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
