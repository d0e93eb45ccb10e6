"""A disk that fails: at the k-th change of a file, from the k-th change on, or when so many bytes are written.

In: a folder; changes below the folder count, in this process alone. Out: the changes that were made, and an OSError of
the system in place of one. Python's own functions are replaced for a while, those by which pathlib, shutil, tempfile
and refgen change files; a write is the write of the system, which a buffer makes when the buffer is full or closed.
"""

from __future__ import annotations

import builtins
import fcntl
import io
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from refgen.pipeline import publish

REMOVALS = ("rmdir", "unlink", "remove")
NAMES = ("mkdir", "rename", "replace", "link", "symlink")
STATES = ("chmod", "chown", "utime", "truncate", "ftruncate", "fsync", "write", "sendfile")
"""The functions of ``os`` that change the disk, or wait for it; ``open`` and ``write`` of files are apart."""

OPEN = io.open
READ_LINK = os.readlink
OPEN_FILE = os.open
TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass
class FaultyDisk:
    """A disk whose change number ``at`` fails with the error ``number`` (0: none does).

    ``lasting``: each change from then on fails as well. ``room``: so many bytes can be written, then the disk is full.
    """

    within: Path
    at: int = 0
    number: int = 0
    lasting: bool = False
    room: float = float("inf")
    changes: list[str] = field(default_factory=list)
    written: int = 0
    failed: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def change(self, what: str, place: object, folder: int | None = None) -> None:
        """Count a change, and raise OSError where it is to fail."""
        path = _path(place, folder)
        if path is None or not path.is_relative_to(self.within):
            return
        with self._lock:  # files are synced in threads
            self.changes.append(f"{what} {path.relative_to(self.within)}")
            count = len(self.changes)
        if self.at and (count == self.at or (self.lasting and count > self.at)):
            self._fail(self.number, self.changes[-1], place)

    def take(self, size: int, place: object) -> int:
        """Take room for so many bytes: the number that there is room for. Raises OSError where there is none."""
        path = _path(place, None)
        if path is None or not path.is_relative_to(self.within):
            return size
        taken = int(min(size, self.room - self.written))
        if size and not taken:
            self._fail(self.number, f"write {path.relative_to(self.within)}", place)
        self.written += taken
        return taken

    def _fail(self, number: int, change: str, place: object) -> None:
        self.failed.append(change)
        names = () if isinstance(place, int) else (os.fspath(place),)  # type: ignore[call-overload]
        raise OSError(number, os.strerror(number), *names)

    @contextmanager
    def here(self) -> Iterator[FaultyDisk]:
        """Let all changes of this process go to this disk."""
        with pytest.MonkeyPatch.context() as patch:
            for name in (*REMOVALS, *NAMES, *STATES):
                patch.setattr(os, name, self._counted(name, getattr(os, name)))
            patch.setattr(os, "open", self._open_number)
            patch.setattr(io, "open", self._open)
            patch.setattr(builtins, "open", self._open)
            patch.setattr(fcntl, "flock", self._counted("lock", fcntl.flock))
            patch.setattr(publish, "exchange", self._counted("exchange", vars(publish)["exchange"]))
            yield self

    def _counted(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def change(place: Any, *arguments: Any, **named: Any) -> Any:
            if name != "mkdir" or not Path(place).is_dir():  # a folder that is there is no change, on any disk
                self.change(name, place, named.get("dir_fd", named.get("src_dir_fd")))
            return original(place, *arguments, **named)

        return change

    def _open_number(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if flags & TO_WRITE:
            self.change("open", path, dir_fd)
        return OPEN_FILE(path, flags, mode, dir_fd=dir_fd)

    def _open(
        self,
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        if not {*mode} & {*"wax+"}:
            return OPEN(file, mode, buffering, encoding, errors, newline, closefd, opener)
        if opener is None and not isinstance(file, int):
            self.change("open", file)
        raw = _CountedFile(self, file, mode.replace("b", "").replace("t", ""), closefd, opener)
        if buffering == 0:
            return raw
        buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding or "utf-8", errors, newline)


class _CountedFile(io.FileIO):
    """An open file, each of whose writes counts."""

    def __init__(self, disk: FaultyDisk, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._disk = disk

    def write(self, data: Any) -> int:
        self._disk.change("write", self.fileno())
        room = self._disk.take(len(memoryview(data).cast("B")), self.fileno())
        return super().write(memoryview(data).cast("B")[:room]) or 0


def _path(place: object, folder: int | None) -> Path | None:
    """The path of a file that is named, or open, perhaps in an open folder; None for what is no file."""
    if isinstance(place, int):
        return Path(READ_LINK(f"/proc/self/fd/{place}"))
    if isinstance(place, os.DirEntry | str | bytes | os.PathLike):
        path = Path(os.fsdecode(place))
        return (Path(READ_LINK(f"/proc/self/fd/{folder}")) if folder is not None else Path.cwd()) / path
    return None
