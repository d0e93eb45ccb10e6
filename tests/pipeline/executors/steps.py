"""Steps for the tests of executors: functions that travel by their names."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def nothing() -> None:
    """Warms up for nothing."""


def upper(piece: str) -> str:
    return piece.upper()


def twice(piece: str) -> str:
    return piece * 2


def one_over(piece: str) -> float:
    return 1 / int(piece)


def number_of_process(_piece: object) -> int:
    return os.getpid()


def unless_deadly(piece: str) -> str:
    if piece == "deadly":
        os.kill(os.getpid(), signal.SIGKILL)
    return piece


def dies_once(marker: str) -> str:
    """Dies when the file is not there yet."""
    if not Path(marker).exists():
        Path(marker).touch()
        os._exit(3)
    return "alive"


def exits(_piece: str) -> None:
    os._exit(1)


def unless_endless(piece: str) -> str:
    """Does not end where the piece is a folder; leaves a file there for each try."""
    if Path(piece).is_dir():
        (Path(piece) / str(time.monotonic_ns())).touch()
        time.sleep(600)
    return piece


def ever_more(piece: str) -> str:
    """Takes 4 MB more every hundredth of a second, where the piece is greedy; 2 GB at most."""
    held: list[bytes] = []
    while piece == "greedy" and len(held) < 512:
        held.append(b"x" * 2**22)
        time.sleep(0.01)
    return piece


def cannot_travel(_piece: str) -> object:
    return lambda: None


def endless(begun: str, _job: object) -> None:
    """Says in a file which process it is; does not end."""
    Path(begun).write_text(str(os.getpid()))
    time.sleep(600)
