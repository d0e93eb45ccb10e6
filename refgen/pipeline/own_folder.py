"""Folders that belong to a running process, and those whose process is gone.

In: the folder to make them in, and how their names begin. Out: a folder of one's own, removed when it is done with;
and the folders that processes left which were killed. The kernel ends a lock with its process, however that ends.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def own_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder in ``parent`` that no other process takes for left behind; removed at the end."""
    folder, lock = _make(parent, prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def left_folders(parent: Path, prefix: str) -> Iterator[Path]:
    """The folders of processes that are gone. Nobody else gets one while it is dealt with; then it is removed."""
    for folder in sorted(parent.glob(f"{prefix}*")):
        with suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            lock = _lock(folder)
            if lock is None:
                continue
            try:
                yield folder
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Wait until no other process is in here with the same folder."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _make(parent: Path, prefix: str) -> tuple[Path, int]:
    """A folder and the lock that says it is in use: made again if somebody cleared it away before it was locked."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        lock = _lock(folder)
        if lock is not None and folder.is_dir():
            return folder, lock
        if lock is not None:
            os.close(lock)


def _lock(folder: Path) -> int | None:
    """The lock of a folder; None when a running process holds it, or it is gone."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock
