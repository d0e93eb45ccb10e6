"""What is made once in a run of the tests, by one of all workers: folders, which the fixture ``shared`` gives too."""

from __future__ import annotations

from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path

Shared = Callable[[str, Callable[[Path], object]], Path]
"""Gives the folder of a name. Nobody changes it once it is made."""

_bases: list[Path] = []


def share_in(folder: Path) -> None:
    """From now on all that is shared is in this folder, which all workers have."""
    _bases[:] = [folder]


def shared(name: str, make: Callable[[Path], object]) -> Path:
    """The folder of a name; the first who asks makes it, and those who ask meanwhile wait."""
    (base,) = _bases
    folder, unfinished = base / f"shared-{name}", base / f"unfinished-{name}"
    with (base / f"{name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not folder.exists():
            make(unfinished)
            unfinished.rename(folder)
    return folder
