"""Folders that belong to a running process, and those whose process is gone.

In: the folder to make them in, and how their names begin. Out: a folder of one's own, removed when it is done with;
the folders that processes left which were killed; and a scratch folder for all temporary files of a build. The kernel
ends a lock with its process, however the process ends.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from refgen.errors import PublishError
from refgen.pipeline.operating_system import CAN_LOCK, lock

SCRATCH_PREFIX = "refgen-build-"


@contextmanager
def own_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder in ``parent`` that no other process takes for left behind; removed at the end."""
    folder, number = _make(parent, prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(number)


def left_folders(parent: Path, prefix: str) -> Iterator[Path]:
    """The folders of processes that are gone. Nobody else gets one while it is dealt with; then it is removed."""
    for folder in sorted(parent.glob(f"{prefix}*")) if CAN_LOCK else ():
        with suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            number = _locked(folder)
            if number is None:
                continue
            try:
                yield folder
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(number)


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for the temporary files of a build: WeasyPrint writes the fonts of every layout into one.

    This process puts its own temporary files there too, unless it has other threads, which may not know. The scratch
    folders of builds that were killed are removed. Raises PublishError where there can be no such folder.
    """
    before = tempfile.tempdir
    parent = Path(tempfile.gettempdir())
    for _ in left_folders(parent, SCRATCH_PREFIX):
        pass
    try:
        with own_folder(parent, SCRATCH_PREFIX) as folder:
            if threading.active_count() == 1:
                tempfile.tempdir = str(folder)
            try:
                yield folder
            finally:
                tempfile.tempdir = before
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PublishError(f"cannot write {parent}: {reason}", hint="Set TMPDIR to another folder.") from error


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Wait until no other process is in here with the same folder."""
    number = os.open(folder, os.O_RDONLY)
    try:
        lock(number, wait=True)
        yield
    finally:
        os.close(number)


def _make(parent: Path, prefix: str) -> tuple[Path, int]:
    """A folder and the lock that says it is in use: made again if somebody cleared it away before it was locked."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        number = _locked(folder)
        if number is not None and folder.is_dir():
            return folder, number
        if number is not None:
            os.close(number)


def _locked(folder: Path) -> int | None:
    """A folder, open and locked; None when a running process holds the lock, or the folder is gone."""
    try:
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return None
    try:
        lock(number, wait=False)
    except OSError:
        os.close(number)
        return None
    return number
