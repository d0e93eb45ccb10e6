"""The files of a set are written to a new folder, and the disk has them.

In: a folder that nobody else writes to, and files by path. Out: the folder, with the files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from refgen.errors import PublishError
from refgen.pipeline.operating_system import sync_file_system

WAITERS = 8
"""How many files are waited for at a time, which takes a disk about as long as one."""

MANY = 64
"""Of so many files it is not waited for each, but for all that the file system has yet to write, whoever wrote it."""


def write_all(folder: Path, files: Mapping[str, bytes], names: Iterable[str]) -> None:
    """Write some of the files, and wait until the disk has them: some say only then that they are full.

    Raises OSError, and PublishError for a name that leads out of the folder.
    """
    number = os.open(folder, os.O_RDONLY)  # before all writes: of what failed since then it is told
    try:
        paths = _put(folder, files, names)
        if len(paths) < MANY or not sync_file_system(number):
            _sync_each(paths)
    finally:
        os.close(number)


def _put(folder: Path, files: Mapping[str, bytes], names: Iterable[str]) -> Sequence[Path]:
    """Write some of the files, and do not wait. Returns where each is; raises the same."""
    there: set[Path] = set()
    paths = []
    for name in names:
        path = _place(folder, name)
        if path.parent not in there:
            path.parent.mkdir(parents=True, exist_ok=True)
            there.add(path.parent)
        with path.open("wb") as file:
            file.write(files[name])
        paths.append(path)
    return paths


def _place(folder: Path, name: str) -> Path:
    inside = Path(os.path.normpath(name))
    if inside.is_absolute() or inside.parts[:1] == (os.pardir,):
        raise PublishError(f'"{name}" leads out of the output folder')
    return folder / inside


def _sync_each(paths: Sequence[Path]) -> None:
    with ThreadPoolExecutor(WAITERS) as waiters:
        for _ in waiters.map(_sync, paths):
            pass


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
