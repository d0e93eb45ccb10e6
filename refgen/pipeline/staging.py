"""A new set of files is written beside a folder, and takes its place in one move.

In: the folder, and the new set. Out: the folder with the new set; it shows the old set or the new one at any moment,
whatever is killed. What a killed process left is dealt with by the next.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from refgen.pipeline.operating_system import CannotExchangeError, exchange
from refgen.pipeline.own_folder import left_folders, own_folder

PREFIX = ".refgen-build-"

Made = Callable[[Path], frozenset[str]]
"""The files of a set that refgen made, by path in it."""


@dataclass(frozen=True, slots=True)
class Staging:
    """A folder beside the output. ``new`` is the set that is to become the output."""

    root: Path
    output: Path

    @property
    def new(self) -> Path:
        """The new set; after the move the old one stands here."""
        return self.root / "set"

    @property
    def previous(self) -> Path:
        """Where the old set stands for a moment on a file system that cannot exchange folders."""
        return self.root / "previous"

    @property
    def _note(self) -> Path:
        return self.root / "note.json"

    def swap(self) -> None:
        """Put the new set in the place of the output. Raises OSError, with the output as it was."""
        if not self.output.is_dir():
            self.new.rename(self.output)
            return
        note = {"output": self.output.name, "new": self.new.stat().st_ino}
        self._note.write_text(json.dumps(note), encoding="utf-8")
        try:
            exchange(self.new, self.output)
        except CannotExchangeError:
            self._move_twice()

    def _move_twice(self) -> None:
        self.output.rename(self.previous)
        try:
            self.new.rename(self.output)
        except OSError:
            self.previous.rename(self.output)
            raise

    def settle(self, made: Made) -> None:
        """End a swap that was done or begun: what users put into the old set meanwhile goes over to the new one."""
        note = self._read_note()
        if note is None:
            return
        output = self.output.parent / str(note["output"])
        if self.previous.is_dir():
            if not output.exists():
                self.previous.rename(output)
                return
            _bring_over(self.previous, output, made)
        elif self.new.is_dir() and self.new.stat().st_ino != note["new"]:
            _bring_over(self.new, output, made)

    def _read_note(self) -> dict[str, str | int] | None:
        with suppress(OSError, ValueError):
            return dict(json.loads(self._note.read_text(encoding="utf-8")))
        return None


@contextmanager
def staging(output: Path, made: Made) -> Iterator[Staging]:
    """A staging folder for ``output``; what killed processes left beside it is dealt with first."""
    output.parent.mkdir(parents=True, exist_ok=True)
    for left in left_folders(output.parent, PREFIX):
        Staging(left, output).settle(made)
    with own_folder(output.parent, PREFIX) as root:
        found = Staging(root, output)
        found.new.mkdir()
        try:
            yield found
        finally:
            found.settle(made)


def entries(folder: Path) -> Iterator[tuple[str, Path]]:
    """Everything in a folder that is no folder, and every empty folder, by its path in it. No link is followed."""
    for root, folders, files in os.walk(folder, onerror=_refuse):
        links = [name for name in folders if (Path(root) / name).is_symlink()]
        names = [*files, *links]
        if not folders and not files and root != str(folder):
            yield Path(root).relative_to(folder).as_posix(), Path(root)
        for name in sorted(names):
            path = Path(root) / name
            yield path.relative_to(folder).as_posix(), path


def _refuse(error: OSError) -> None:
    """What cannot be looked into cannot be taken along: better no new set than one without it."""
    raise error


def take_along(path: Path, target: Path) -> None:
    """Let a file (a link, an empty folder) stand in another place as well: the same file, where that can be."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() and not path.is_symlink():
        target.mkdir(exist_ok=True)
        return
    try:
        os.link(path, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(path, target, follow_symlinks=False)


def _bring_over(old: Path, output: Path, made: Made) -> None:
    """Move what refgen did not make, and what came or was saved after the new set had been written."""
    ours = made(old)
    for name, path in entries(old):
        target = output / name
        if name in ours or path.is_dir():
            continue
        if not os.path.lexists(target) or _is_newer(path, target):
            with suppress(OSError):
                target.parent.mkdir(parents=True, exist_ok=True)
                path.replace(target)


def _is_newer(path: Path, than: Path) -> bool:
    one, other = path.lstat(), than.lstat()
    return one.st_ino != other.st_ino and one.st_mtime_ns > other.st_mtime_ns
